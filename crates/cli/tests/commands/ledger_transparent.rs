//! Batches that are proven without a setup: no keys anywhere, from a transaction to equal roots and an audit.

use super::bench::Bench;
use crate::json::check;

const DESCRIPTION: &str = r#"{ "chain": 9, "issuer": 0, "fee": 1,
    "accounts": [ { "key": "alice.key.pub", "balance": 1000 }, { "number": 5, "key": "bob.key.pub", "balance": 10 } ] }"#;

/// Two nodes of a chain, and a batch with a transfer in `1`, which none of them has applied.
fn proven() -> Bench {
    let bench = Bench::new("");
    for name in ["alice.key", "bob.key"] {
        bench.ok(&["ledger", "keygen", "-o", name]);
    }
    bench.write("genesis.json", DESCRIPTION.as_bytes());
    bench.ok(&["ledger", "init", "a", "--genesis", "genesis.json"]);
    bench.ok(&["ledger", "init", "b", "--genesis", "a/genesis"]);
    let pay = ["--key", "alice.key", "--from", "0", "--to", "5", "--amount", "30"];
    bench.ok(&[&["ledger", "submit", "a"][..], &pay].concat());
    let ran = bench.run(&["ledger", "prove", "a", "--transparent", "-o", "1"]);
    ran.is(
        0,
        &[
            "proving batches of 64 without a setup takes about",
            "without a setup, by 128 proven bits",
            "block 1",
        ],
    );
    assert!(!ran.err.contains("INSECURE"), "{ran:?}");
    assert!(!bench.path("a/keys").exists(), "there is no key");
    bench
}

#[test]
fn a_batch_without_keys_is_verified_applied_and_audited() {
    let bench = proven();
    let length = std::fs::metadata(bench.path("1")).unwrap().len();
    assert!((120_000..200_000).contains(&length), "{length} bytes");
    bench.run(&["ledger", "verify", "b", "1", "--transparent"]).is(0, &["valid:", "height 1"]);
    for node in ["a", "b"] {
        let applied = bench.json(&["ledger", "apply", node, "1", "--transparent"]);
        check("ledger apply", &applied);
        assert_eq!(applied["insecure"], false);
    }
    let [a, b] = ["a", "b"].map(|node| bench.json(&["ledger", "status", node]));
    assert_eq!((&a["root"], &a["height"]), (&b["root"], &1.into()));
    assert_eq!(bench.json(&["ledger", "status", "b", "--account", "5"])["account"]["balance"], "40");
    let audited = bench.json(&["ledger", "audit", "b", "--transparent"]);
    check("ledger audit", &audited);
    assert_eq!((&audited["height"], &audited["insecure"]), (&1.into(), &false.into()));
    // Whoever does not say so has no key.
    bench.run(&["ledger", "audit", "b"]).is(2, &["no verifying key"]);
}

#[test]
fn what_is_no_batch_without_keys_is_refused() {
    let bench = proven();
    let block = std::fs::read(bench.path("1")).unwrap();
    // A byte of the opening, the last one, and one more.
    for (name, at) in [("middle", block.len() / 2), ("last", block.len() - 1)] {
        let mut bad = block.clone();
        bad[at] ^= 1;
        bench.write(name, &bad);
        bench.run(&["ledger", "verify", "b", name, "--transparent"]).is(1, &["invalid", name]);
    }
    bench.run(&["ledger", "apply", "b", "last", "--transparent"]).is(1, &["last"]);
    assert_eq!(bench.json(&["ledger", "status", "b"])["height"], 0);
    bench.run(&["ledger", "verify", "b", "1"]).is(2, &["no verifying key"]);
    bench.run(&["ledger", "verify", "b", "1", "--insecure-local"]).is(2, &["no verifying key"]);
    // Options that would change nothing, and too little memory.
    for more in
        [&["--insecure-local"][..], &["--keys", "k"], &["--binding", "digest"], &["--root"], &["--plain"]]
    {
        let args = [&["ledger", "prove", "a", "--transparent", "-o", "2"][..], more].concat();
        bench.run(&args).is(2, &["--transparent"]);
    }
    let little = ["ledger", "prove", "a", "--transparent", "-o", "2", "--max-memory", "40MiB"];
    bench.run(&little).is(4, &["memory"]);
    assert!(!bench.path("2").exists());
}
