//! Several processes at once that change a ring, and processes that are ended at any point: what is found is old or new, whole.

use super::bench::{Bench, FIVE};
use super::crash::{at_every_call, leftovers};
use ring_proof::file::{Members, PublicKey};
use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
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

fn keys(ring: &Members) -> BTreeSet<Vec<u8>> {
    ring.slots.iter().flatten().map(|member| member.key.clone()).collect()
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
    again.is(2, &["a member has it already", "members.commitment was not that of the ring: written again"]);
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

/// A commitment that is named may be that of another ring: it is mended by what the ended change left beside it.
#[test]
fn a_named_commitment_survives_a_kill_at_every_system_call() {
    let bench = ring_and_keys(1);
    let names = ["members.ring", "members.commitment", "named"];
    std::fs::copy(bench.path(names[1]), bench.path(names[2])).unwrap();
    let old = names.map(|name| bench.read(name));
    let add =
        [&["ring", "add", "members.ring", "0.pub", "--commitment", "named", "--quiet"][..], &TABLES].concat();
    at_every_call(&bench, &add, |at, ended| {
        let members = keys(&ring(&bench)).len();
        assert!(members == 2 || !ended && bench.read(names[0]) == old[0], "{at}");
        bench.run(&add).is(if members == 2 { 2 } else { 0 }, &[]);
        assert_eq!(bench.read(names[2]), ring(&bench).committed().encode(), "{at}");
        assert!(bench.read(names[1]) == old[1], "{at}");
        assert_eq!(leftovers(&bench).len(), 0, "what was left is swept up");
        names.iter().zip(&old).for_each(|(name, bytes)| bench.write(name, bytes));
    });
}
