//! Processes that are ended at any point: nothing is lost, and what is found is old or new, whole.

use super::bench::{Bench, FIVE};
use std::process::{Command, ExitStatus, Output, Stdio};

/// What is left of processes that were ended.
pub fn leftovers(bench: &Bench) -> Vec<Vec<u8>> {
    let names = std::fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap());
    let ours = names.filter(|entry| entry.file_name().to_str().unwrap().starts_with(".tenfold-"));
    ours.map(|entry| std::fs::read(entry.path()).unwrap()).collect()
}

/// Runs the command and ends it when it makes a system call for the `n`th time; `None` if this cannot be done here.
fn killed_at(bench: &Bench, call: &str, n: u32, args: &[&str]) -> Option<ExitStatus> {
    signalled_at(bench, (call, n), "KILL", args).map(|ended| ended.status)
}

/// The same by a signal that the command may be told of.
pub fn signalled_at(bench: &Bench, (call, n): (&str, u32), signal: &str, args: &[&str]) -> Option<Output> {
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
        .args(["-e", &format!("inject={call}:signal={signal}:when={n}"), env!("CARGO_BIN_EXE_tenfold")])
        .args(args);
    strace.output().ok()
}

/// Whether a process can be traced here.
pub fn can_trace(bench: &Bench) -> bool {
    killed_at(bench, "write", 1000, &["--version"]).is_some_and(|status| status.success())
}

/// Calls that change what is on the disk, and those around them.
pub const CALLS: [&str; 9] =
    ["write", "fsync", "ftruncate", "rename", "renameat2", "fchmod", "unlink", "flock", "fchown"];

/// Runs a command once for each time that it makes one of [`CALLS`], ended there, and at last to its end; `check` sees what is
/// left, and whether it ended by itself.
pub fn at_every_call(bench: &Bench, args: &[&str], mut check: impl FnMut(&str, bool)) {
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

/// A disk that fails after a file is in place is an error, and no reason to take away what the file is worth nothing without.
#[test]
fn a_secret_stays_with_what_it_is_for() {
    let bench = Bench::new(FIVE);
    if !can_trace(&bench) {
        return;
    }
    let pairs = [
        (&["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "h", "--quiet"][..], "h", "h.secret"),
        #[cfg(feature = "ring")]
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

/// Commitment and witness are both old or both new, or the same command makes them so.
#[test]
fn a_pair_survives_a_kill_at_every_system_call() {
    let bench = Bench::committed(FIVE, &["--keep-witness"]);
    let names = ["data.commitment", "data.commitment.witness"];
    let old = names.map(|name| bench.read(name));
    let open = |commitment: &str| {
        let witness = ["--witness", names[1], "--commitment", commitment];
        bench.run(&[&["open"], &witness[..], &["--row", "1", "-o", "x.proof"]].concat()).code() == Some(0)
    };
    for (options, replaced) in
        [(&["-c", "price", "--field", "goldilocks"][..], true), (&["-c", "count"], false)]
    {
        let commit = [&["commit", "data.csv", "--keep-witness", "--quiet"], options].concat();
        let start = || match replaced {
            true => names.iter().zip(&old).for_each(|(name, bytes)| bench.write(name, bytes)),
            false => names.iter().for_each(|name| drop(std::fs::remove_file(bench.path(name)))),
        };
        start();
        at_every_call(&bench, &commit, |at, ended| {
            let there = names.map(|name| bench.path(name).exists());
            assert!(!ended || there == [true; 2] && open(names[0]), "{at}");
            bench.run(&commit).is(0, &[]);
            assert!(open(names[0]) && bench.read(names[0]) != old[0], "{at}");
            assert_eq!(leftovers(&bench).len(), 0, "{at}: what was left is swept up");
            start();
        });
    }
}
