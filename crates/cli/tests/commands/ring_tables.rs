//! Tables of a setup in a file: made once, then read, and never believed when they are not those of the setup.

use super::bench::{Bench, FIVE};

/// Signs with tables, and with what else is said of them.
fn sign(bench: &Bench, more: &[&str]) -> super::bench::Ran {
    let args = ["ring", "prove", "members.ring", "--key", "a", "--context", "c", "--tables", "512.tables"];
    bench.run(&[&args[..], &["-o", "a.sig"], more].concat())
}

#[test]
fn tables_are_made_once_and_checked() {
    let bench = Bench::new(FIVE);
    bench.ok(&["ring", "keygen", "-o", "a"]);
    bench.ok(&["ring", "commit", "a.pub", "--tables", "512.tables"]);
    let (tables, commitment) = (bench.read("512.tables"), bench.read("members.commitment"));
    let entries = || std::fs::read_dir(bench.path(".")).unwrap().count();
    let before = entries();
    for more in [&[][..], &["--trust-tables"]] {
        sign(&bench, more).is(0, &["signed:"]);
        bench.run(&["ring", "verify", "a.sig", "--ring", "members.commitment"]).is(0, &["valid:"]);
    }
    assert!(
        bench.read("512.tables") == tables && entries() == before + 1,
        "nothing but the signature is new"
    );
    bench.ok(&["ring", "commit", "a.pub", "--tables", "512.tables", "--trust-tables", "-o", "again.ring"]);
    assert_eq!(bench.read("again.commitment"), commitment);

    // Of another domain or setup, damaged, cut: an error that names the file, which stays as it is.
    let hints = ["512.tables:", "hint: take the file away"];
    let commit = |more: &[&str]| {
        let args = ["ring", "commit", "a.pub", "--tables", "512.tables", "-o", "other.ring"];
        bench.run(&[&args[..], more].concat())
    };
    commit(&["--capacity", "700"]).is(2, &hints);
    commit(&["--insecure-local-srs", "seed"]).is(2, &hints);
    let mut damaged = tables.clone();
    damaged[tables.len() / 2] ^= 1;
    for bytes in [&damaged[..], &tables[..tables.len() - 1], b"", b"any bytes"] {
        bench.write("512.tables", bytes);
        commit(&[]).is(2, &hints);
        sign(&bench, &["--trust-tables"]).is(2, &hints);
        assert_eq!(bench.read("512.tables"), bytes);
    }
    assert!(!bench.path("other.ring").exists());
    commit(&["--trust-tables", "--tables", "no/such/file"]).is(2, &["cannot be used multiple times"]);
    let nowhere = ["ring", "commit", "a.pub", "--tables", "no/such/file", "-o", "other.ring"];
    bench.run(&nowhere).is(4, &["cannot write no/such/file"]);
    bench.run(&["ring", "commit", "a.pub", "--trust-tables"]).is(2, &["--tables"]);
}

/// A command that has the lock of a ring waits for no other that may be waiting for that ring: it makes the tables for itself.
#[test]
fn tables_that_another_process_makes_hold_no_ring_up() {
    let bench = Bench::new(FIVE);
    ["a", "b"].iter().for_each(|name| drop(bench.ok(&["ring", "keygen", "-o", name])));
    bench.ok(&["ring", "commit", "a.pub"]);
    let other = std::fs::File::create(bench.path("512.tables.lock")).unwrap();
    other.lock().unwrap();
    bench.ok(&["ring", "add", "members.ring", "b.pub", "--tables", "512.tables"]);
    assert!(!bench.path("512.tables").exists(), "the other process is about to write them");
}
