//! Several processes at once, and processes that are ended at any point: nothing is lost, and what is found is old or new, whole.

use super::bench::{Bench, FIVE};
use ring_proof::file::{Members, PublicKey};
use std::collections::BTreeSet;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const TABLES: [&str; 3] = ["--tables", "512.tables", "--trust-tables"];

/// `members.ring` of one member, and more keys `0`, `1`, ...
fn ring_and_keys(count: usize) -> Bench {
    let bench = Bench::new(FIVE);
    bench.ok(&["ring", "keygen", "-o", "first"]);
    (0..count).for_each(|i| drop(bench.ok(&["ring", "keygen", "-o", &i.to_string()])));
    bench.ok(&["ring", "commit", "first.pub", "--tables", "512.tables"]);
    bench
}

fn start(bench: &Bench, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenfold"));
    command
        .current_dir(bench.path(""))
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn add(bench: &Bench, key: usize) -> Child {
    start(bench, &[&["ring", "add", "members.ring", &format!("{key}.pub")][..], &TABLES].concat())
}

fn ring(bench: &Bench) -> Members {
    Members::decode(&bench.read("members.ring")).unwrap()
}

fn keys(ring: &Members) -> BTreeSet<[u8; 32]> {
    ring.slots.iter().flatten().map(|member| member.key).collect()
}

/// What is left of processes that were ended.
fn leftovers(bench: &Bench) -> Vec<Vec<u8>> {
    let names = std::fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap());
    let ours = names.filter(|entry| entry.file_name().to_str().unwrap().starts_with(".tenfold-"));
    ours.map(|entry| std::fs::read(entry.path()).unwrap()).collect()
}

#[test]
fn members_added_at_once_are_all_there() {
    let bench = ring_and_keys(16);
    for round in 0..8 {
        let mut both = [add(&bench, 2 * round), add(&bench, 2 * round + 1)];
        both.iter_mut().for_each(|child| assert!(child.wait().unwrap().success()));
        assert_eq!(keys(&ring(&bench)).len(), 3 + 2 * round, "round {round}");
    }
    let bench = ring_and_keys(8);
    let mut all: Vec<_> = (0..8).map(|key| add(&bench, key)).collect();
    all.iter_mut().for_each(|child| assert!(child.wait().unwrap().success()));
    let ring = ring(&bench);
    for i in 0..8 {
        let key = PublicKey::decode(&bench.read(&format!("{i}.pub"))).unwrap().member.key;
        assert!(keys(&ring).contains(&key), "key {i}");
    }
    assert_eq!(bench.read("members.commitment"), ring.committed().encode());
    assert_eq!(leftovers(&bench).len(), 0);
}

/// Of rings that are made at once under one name, there is one, with its own commitment.
#[test]
fn rings_made_at_once_are_one() {
    let bench = ring_and_keys(4);
    for round in 0..4 {
        let (name, commitment) = (format!("{round}.ring"), format!("{round}.commitment"));
        let make = |key: usize| {
            let key = format!("{key}.pub");
            start(&bench, &[&["ring", "commit", &key, "-o", &name][..], &TABLES].concat())
        };
        let mut all: Vec<_> = (0..4).map(make).collect();
        let codes: Vec<_> = all.iter_mut().map(|child| child.wait().unwrap().code()).collect();
        assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
        let ring = Members::decode(&bench.read(&name)).unwrap();
        assert_eq!(bench.read(&commitment), ring.committed().encode());
    }
}

/// There is one ring, by whatever link it is reached; a second name would keep the old one.
#[cfg(unix)]
#[test]
fn a_linked_ring_is_not_forked() {
    let bench = ring_and_keys(2);
    std::fs::create_dir(bench.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../members.ring", bench.path("elsewhere/link.ring")).unwrap();
    let add = |ring: &str, key: &str| bench.run(&[&["ring", "add", ring, key][..], &TABLES].concat());
    add("elsewhere/link.ring", "0.pub").is(0, &["commitment in"]);
    assert!(bench.path("elsewhere/link.ring").is_symlink());
    assert_eq!(keys(&ring(&bench)).len(), 2);
    assert_eq!(bench.read("members.commitment"), ring(&bench).committed().encode());
    assert_eq!(std::fs::read_dir(bench.path("elsewhere")).unwrap().count(), 1);
    std::fs::hard_link(bench.path("members.ring"), bench.path("second.ring")).unwrap();
    for name in ["members.ring", "second.ring"] {
        add(name, "1.pub").is(2, &["has a second name (a hard link)", "hint:"]);
    }
    assert_eq!(keys(&ring(&bench)).len(), 2);
}

/// A commitment that is not the ring's is named by who reads the ring, and written again by who changes it.
#[test]
fn a_change_that_was_ended_between_ring_and_commitment_is_repaired() {
    let bench = ring_and_keys(2);
    let old = bench.read("members.commitment");
    assert!(add(&bench, 0).wait().unwrap().success());
    bench.write("members.commitment", &old);
    let stale = "members.commitment is of another ring, or of this one as it was before";
    bench.run(&["ring", "inspect", "members.ring"]).is(0, &[stale]);
    let prove = ["ring", "prove", "members.ring", "--key", "first", "--context", "x", "-o", "x.sig"];
    bench.run(&[&prove[..], &TABLES].concat()).is(0, &[stale, "the next change of the ring writes it again"]);
    // The command that was ended is given again: its member is there already, and the commitment is mended all the same.
    let again = bench.run(&[&["ring", "add", "members.ring", "0.pub"][..], &TABLES].concat());
    again.is(
        2,
        &[
            "a member has it already",
            "members.commitment was that of the ring as it was before: written again",
        ],
    );
    assert_eq!(bench.read("members.commitment"), ring(&bench).committed().encode());
    let inspected = bench.ok(&["ring", "inspect", "members.ring"]);
    assert!(!inspected.err.contains("as it was"), "{}", inspected.err);
}

/// The state after `ring add` was ended: old or new, and mended by the same command.
fn check_ring(bench: &Bench, [old_ring, old_commitment]: [&[u8]; 2]) {
    let ring = ring(bench);
    let (members, commitment) = (keys(&ring).len(), bench.read("members.commitment"));
    assert!(members == 2 || bench.read("members.ring") == old_ring);
    assert!(commitment == old_commitment || (members == 2 && commitment == ring.committed().encode()));
    let again = bench.run(&[&["ring", "add", "members.ring", "0.pub"][..], &TABLES].concat());
    again.is(if members == 2 { 2 } else { 0 }, &[]);
    let ring = self::ring(bench);
    assert_eq!((keys(&ring).len(), bench.read("members.commitment")), (2, ring.committed().encode()));
    assert_eq!(leftovers(bench).len(), 0, "what was left is swept up");
}

#[test]
fn a_ring_survives_a_kill_at_any_time() {
    let bench = ring_and_keys(1);
    let old = ["members.ring", "members.commitment"].map(|name| bench.read(name));
    let begin = Instant::now();
    assert!(add(&bench, 0).wait().unwrap().success());
    let whole = begin.elapsed();
    for round in 0..24u32 {
        bench.write("members.ring", &old[0]);
        bench.write("members.commitment", &old[1]);
        let mut child = add(&bench, 0);
        // Most writing is at the end.
        std::thread::sleep(whole * (12 + round) / 30 + Duration::from_micros(u64::from(round % 5) * 300));
        child.kill().unwrap();
        child.wait().unwrap();
        check_ring(&bench, [&old[0], &old[1]]);
    }
}

/// Runs the command and ends it when it makes a system call for the `n`th time; `None` if this cannot be done here.
fn killed_at(bench: &Bench, call: &str, n: u32, args: &[&str]) -> Option<ExitStatus> {
    let mut strace = Command::new("strace");
    strace.current_dir(bench.path("")).args([
        "-f",
        "-qq",
        "-o",
        "strace.log",
        "-e",
        &format!("trace={call}"),
    ]);
    strace
        .args(["-e", &format!("inject={call}:signal=KILL:when={n}"), env!("CARGO_BIN_EXE_tenfold")])
        .args(args);
    strace.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()
}

/// Whether a process can be traced here.
fn can_trace(bench: &Bench) -> bool {
    killed_at(bench, "write", 1000, &["--version"]).is_some_and(|status| status.success())
}

/// Calls that change what is on the disk, and those around them.
const CALLS: [&str; 9] =
    ["write", "fsync", "ftruncate", "rename", "renameat2", "fchmod", "unlink", "flock", "fchown"];

/// Runs a command once for each time that it makes one of [`CALLS`], ended there, and at last to its end; `check` sees what is
/// left, and whether it ended by itself.
fn at_every_call(bench: &Bench, args: &[&str], mut check: impl FnMut(&str, bool)) {
    if !can_trace(bench) {
        return;
    }
    let mut kills = 0;
    for call in CALLS {
        for n in 1.. {
            let status = killed_at(bench, call, n, args).unwrap();
            check(&format!("{call} {n}"), status.code().is_some());
            if status.code().is_some() {
                break;
            }
            kills += 1;
        }
    }
    assert!(kills >= 8, "{kills}");
}

#[test]
fn a_ring_survives_a_kill_at_every_system_call() {
    let bench = ring_and_keys(1);
    let old = ["members.ring", "members.commitment"].map(|name| bench.read(name));
    let args = [&["ring", "add", "members.ring", "0.pub", "--quiet"][..], &TABLES].concat();
    at_every_call(&bench, &args, |at, ended| {
        assert!(!ended || keys(&ring(&bench)).len() == 2, "{at}");
        check_ring(&bench, [&old[0], &old[1]]);
        bench.write("members.ring", &old[0]);
        bench.write("members.commitment", &old[1]);
    });
}

/// A disk that fails after a file is in place is an error, and no reason to take away what the file is worth nothing without.
#[test]
fn a_secret_stays_with_what_it_is_for() {
    let bench = Bench::new(FIVE);
    if !can_trace(&bench) {
        return;
    }
    let pairs = [
        (&["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "h", "--quiet"][..], "h", "h.secret"),
        (&["ring", "keygen", "-o", "k", "--quiet"], "k.pub", "k"),
    ];
    for (args, public, secret) in pairs {
        for n in 1..=5 {
            let mut strace = Command::new("strace");
            strace.current_dir(bench.path("")).args([
                "-f",
                "-qq",
                "-o",
                "strace.log",
                "-e",
                "trace=fsync",
                "-e",
            ]);
            strace.arg(format!("inject=fsync:error=EIO:when={n}"));
            strace.arg(env!("CARGO_BIN_EXE_tenfold")).args(args).stdout(Stdio::null()).stderr(Stdio::null());
            let status = strace.status().unwrap();
            // File and folder of each of the two.
            assert_eq!(status.code(), Some(if n <= 4 { 4 } else { 0 }), "{public} {n}");
            assert_eq!(bench.path(public).exists(), n >= 4, "{public} {n}");
            assert_eq!(bench.path(secret).exists(), n >= 4, "{secret} {n}");
            assert_eq!(leftovers(&bench).len(), 0);
            [public, secret].iter().for_each(|name| drop(std::fs::remove_file(bench.path(name))));
        }
    }
}

/// The proof is on no disk before its opening is counted, and the count never goes back.
#[test]
fn a_hidden_opening_survives_a_kill_at_every_system_call() {
    let bench = Bench::committed(FIVE, &["--hiding", "2"]);
    let secret = bench.read("data.commitment.secret");
    let used = |bytes: &[u8]| u32::from_le_bytes(bytes[74..][..4].try_into().unwrap());
    let open =
        ["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--row", "0", "--quiet"];
    // The secret is put back for each run, which is what `--moved-secret` is needed for.
    let open = [&open[..], &["--secret", "data.commitment.secret", "--moved-secret"]].concat();
    let args = [&open[..], &["-o", "0.proof"]].concat();
    at_every_call(&bench, &args, |at, ended| {
        let count = used(&bench.read("data.commitment.secret"));
        assert!(count <= 1, "{at}");
        assert!(!ended || bench.path("0.proof").exists(), "{at}");
        if bench.path("0.proof").exists() {
            assert_eq!(count, 1, "{at}");
            bench.ok(&["verify", "0.proof", "--commitment", "data.commitment"]);
            std::fs::remove_file(bench.path("0.proof")).unwrap();
        }
        for bytes in leftovers(&bench) {
            let of_the_secret = bytes.starts_with(b"TNFS");
            assert!(
                count == 1 || of_the_secret || bytes.iter().all(|&byte| byte == 0),
                "{at}: a proof before its count"
            );
        }
        // The next opening sweeps up what is left of the secret.
        bench.run(&[&open[..], &["-o", "next.proof"]].concat()).is(0, &[]);
        assert!(leftovers(&bench).iter().all(|bytes| !bytes.starts_with(b"TNFS")), "{at}");
        for entry in std::fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_str().unwrap();
            if name.starts_with(".tenfold-") || name == "next.proof" {
                std::fs::remove_file(&entry).unwrap();
            }
        }
        bench.write("data.commitment.secret", &secret);
    });
}

#[test]
fn a_result_survives_a_kill_at_every_system_call() {
    let bench = Bench::new(FIVE);
    let params = |bits: &str| bench.ok(&["params", "--log-size", "12", "--bits", bits, "-o", "p.json"]);
    params("128");
    let new = bench.read("p.json");
    params("100");
    let old = bench.read("p.json");
    assert_ne!(old, new);
    at_every_call(
        &bench,
        &["params", "--log-size", "12", "--bits", "128", "-o", "p.json", "--quiet"],
        |at, ended| {
            let found = bench.read("p.json");
            assert!(found == new || !ended && found == old, "{at}");
            bench.write("p.json", &old);
        },
    );
}
