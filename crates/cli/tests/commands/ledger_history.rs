//! The log of a ledger: blocks for others, what is in files, and audits.

use super::bench::Bench;
use crate::json_page::check;
use serde_json::Value;

const DESCRIPTION: &str = r#"{ "chain": 7, "fee": 1, "lanes": 2, "timeout": 3,
    "accounts": [ { "key": "alice.key.pub", "balance": 1000 }, { "number": 5, "key": "alice.key.pub", "balance": 10 } ] }"#;

/// A node `a` with blocks: plain, a claim, two without content.
fn chain() -> Bench {
    let bench = Bench::new("");
    bench.ok(&["ledger", "keygen", "-o", "alice.key"]);
    bench.write("genesis.json", DESCRIPTION.as_bytes());
    bench.ok(&["ledger", "init", "a", "--genesis", "genesis.json"]);
    let submit = ["ledger", "submit", "a", "--key", "alice.key", "--from", "0", "--amount"];
    bench.ok(&[&submit[..], &["30", "--to", "5", "--memo", "77", "-o", "pay"]].concat());
    bench.ok(&["ledger", "submit", "a", "pay"]);
    bench.ok(&[&submit[..], &["9", "--to", "6", "--create", "alice.key.pub"]].concat());
    bench.ok(&[&submit[..], &["2", "--burn"]].concat());
    next(&bench, "1", &["--plain"]);
    next(&bench, "2", &["--claim", "--lane", "1", "--key", "alice.key"]);
    next(&bench, "3", &["--empty"]);
    next(&bench, "4", &["--empty"]);
    bench
}

fn next(bench: &Bench, name: &str, more: &[&str]) {
    bench.ok(&[&["ledger", "prove", "a", "-o", name][..], more].concat());
    bench.ok(&["ledger", "apply", "a", name]);
}

fn files(bench: &Bench, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(bench.path(folder)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path().display().to_string()).collect();
    names.sort();
    names
}

fn copy(bench: &Bench, from: &str, to: &str) {
    std::fs::create_dir(bench.path(to)).unwrap();
    for name in ["log", "index", "genesis"] {
        std::fs::copy(bench.path(from).join(name), bench.path(to).join(name)).unwrap();
    }
}

/// A new replica, one that is behind, and one from a part: all end at the same root.
#[test]
fn a_replica_catches_up_from_blocks_of_another() {
    let bench = chain();
    let all = bench.json(&["ledger", "blocks", "a", "-o", "all"]);
    check("ledger blocks", &all);
    let names = files(&bench, "all");
    let bytes: u64 = names.iter().map(|name| std::fs::metadata(name).unwrap().len()).sum();
    assert_eq!((&all["from"], &all["to"], &all["bytes"]), (&1.into(), &4.into(), &bytes.into()));
    for (at, name) in names.iter().enumerate() {
        let block = bench.read(&(at + 1).to_string());
        assert_eq!(std::fs::read(name).unwrap(), block, "the bytes that were applied");
    }
    bench.ok(&["ledger", "init", "b", "--genesis", "a/genesis"]);
    let apply = |names: &[String]| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        bench.ok(&[&["ledger", "apply", "b"][..], &names].concat());
    };
    apply(&names[..2]);
    bench.run(&["ledger", "blocks", "a", "--from", "3", "--to", "4", "-o", "some"]).is(0, &["blocks 3 to 4"]);
    apply(&files(&bench, "some"));
    let state = |node: &str| bench.json(&["ledger", "status", node]);
    assert_eq!((&state("b")["root"], &state("b")["height"]), (&state("a")["root"], &4.into()));
}

#[test]
fn blocks_that_are_not_there_are_named_and_no_folder_is_left() {
    let bench = chain();
    let run = |more: &[&str]| bench.run(&[&["ledger", "blocks"][..], more].concat());
    run(&["a", "--from", "5", "-o", "out"]).is(2, &["no block of height 5", "from 1 to 4"]);
    run(&["a", "--to", "9", "-o", "out"]).is(2, &["no block of height 9", "from 1 to 4"]);
    run(&["a", "--from", "3", "--to", "2", "-o", "out"]).is(2, &["no height is from 3 to 2"]);
    run(&["a", "--from", "0", "-o", "out"]).is(2, &["invalid value '0'"]);
    run(&["none", "-o", "out"]).is(2, &["no ledger in this directory"]);
    run(&["a", "-o", "b"]).is(0, &[]);
    run(&["a", "-o", "b"]).is(2, &["b is there already"]);
    let mut log = bench.read("a/log");
    let end = log.len();
    log[end - 1] ^= 1;
    bench.write("a/log", &log);
    run(&["a", "-o", "out"]).is(4, &["record 4", "--to 3"]);
    run(&["a", "--to", "4", "-o", "out"]).is(4, &["record 4"]);
    assert!(!bench.path("out").exists());
    run(&["a", "--to", "3", "-o", "out"]).is(0, &["blocks 1 to 3"]);
    let left = files(&bench, "");
    assert!(left.iter().all(|name| !name.ends_with(".part")), "{left:?}");
    assert_eq!(bench.read("a/log"), log, "nothing is changed");
}

#[test]
fn files_are_shown_in_words() {
    let bench = chain();
    let show = |file: &str| {
        let value = bench.json(&["ledger", "show", file]);
        check("ledger show", &value);
        (value, bench.ok(&["ledger", "show", file]).out)
    };
    let (block, words) = show("1");
    let amounts: Vec<_> = block["transactions"].as_array().unwrap().iter().map(|t| &t["amount"]).collect();
    assert_eq!(amounts, ["30", "9", "2"]);
    assert_eq!((&block["height"], &block["content"]), (&1.into(), &"plain".into()));
    assert!(words.contains("0 of account 0: transfer 30, to account 5, memo 77"), "{words}");
    assert!(words.contains("1 of account 0: create 9, to account 6, key "), "{words}");
    assert!(words.contains("2 of account 0: burn 2, memo 0"), "{words}");
    let (claim, words) = show("2");
    assert_eq!((&claim["content"], &claim["lane"]), (&"claim".into(), &1.into()));
    assert!(words.contains("content      claim"), "{words}");
    assert_eq!(show("3").0["content"], "nothing");
    let (pay, _) = show("pay");
    assert_eq!((&pay["kind"], &pay["transactions"][0]["memo"]), (&"transaction".into(), &"77".into()));
    let (genesis, words) = show("a/genesis");
    let status = bench.json(&["ledger", "status", "a"]);
    assert_eq!((&genesis["genesis"], &genesis["supply"]), (&status["genesis"], &"1010".into()));
    assert!(words.contains("account      5: balance 10, nonce 0, key "), "{words}");
}

/// Bytes of others: refused, whatever they are.
#[test]
fn what_is_no_file_of_a_ledger_is_refused() {
    let bench = chain();
    for name in ["1", "2", "pay", "a/genesis"] {
        let bytes = bench.read(name);
        for (what, bad) in [
            ("cut", bytes[..bytes.len() - 1].to_vec()),
            ("longer", [&bytes[..], &[0]].concat()),
            ("head", bytes[..8].to_vec()),
            ("zeros", [&bytes[..8], &[0; 1 << 16]].concat()),
            ("ones", [&bytes[..8], &[255; 1 << 16]].concat()),
            ("huge", [&bytes[..], &vec![0; 1 << 25]].concat()),
        ] {
            bench.write("bad", &bad);
            let ran = bench.run(&["ledger", "show", "bad"]);
            ran.is(2, &["bad: no "]);
            assert!(ran.out.is_empty(), "{name} {what}: {ran:?}");
        }
    }
    for bad in [&b""[..], b"TNF", b"{}", b"TNFLOG\x01\0", b"tenfold g16 p1 1", b"tenfold g16 p2 2"] {
        bench.write("bad", bad);
        let ran = bench.run(&["ledger", "show", "bad"]);
        assert!(matches!(ran.code(), Some(1 | 2)) && ran.out.is_empty(), "{ran:?}");
    }
    // A file of a ledger elsewhere: it is said where it is shown.
    bench.run(&["inspect", "1"]).is(2, &["1 is a file of a ledger", "tenfold ledger show"]);
}

#[test]
fn an_audit_names_the_first_height_that_does_not_hold() {
    let bench = chain();
    let audit = |node: &str| bench.run(&["ledger", "audit", node]);
    let value = bench.json(&["ledger", "audit", "a"]);
    check("ledger audit", &value);
    let status = bench.json(&["ledger", "status", "a"]);
    for member in ["genesis", "root", "height"] {
        assert_eq!(value[member], status[member], "{member}");
    }
    assert_eq!((&value["index"], &value["torn_bytes"]), (&4.into(), &0.into()));
    // A copy has no lock, and gets none.
    copy(&bench, "a", "b");
    audit("b").is(0, &["valid:", "every block to height 4", "compare it with"]);
    assert_eq!(files(&bench, "b").len(), 3, "nothing is made");
    let log = bench.read("b/log");
    let mut bad = log.clone();
    bad[log.len() - 300] ^= 1;
    bench.write("b/log", &bad);
    let refused = audit("b");
    refused.is(1, &["invalid: the ledger does not hold at height ", "hint: do not use this directory"]);
    assert_eq!(bench.run(&["ledger", "audit", "b", "--json"]).value()["valid"], false);
    assert_eq!(bench.read("b/log"), bad, "nothing is changed");
    // The end of a write that a crash cut off.
    bench.write("b/log", &[&log[..], &[0; 5]].concat());
    audit("b").is(0, &["5 bytes behind the last block"]);
    bench.write("b/log", &log);
    std::fs::remove_file(bench.path("b/index")).unwrap();
    audit("b").is(0, &["no index of this log"]);
    // Of another chain than its rules.
    bench.write("other.json", DESCRIPTION.replace("\"chain\": 7", "\"chain\": 8").as_bytes());
    bench.ok(&["ledger", "init", "other", "--genesis", "other.json"]);
    bench.write("b/genesis", &bench.read("other/genesis"));
    audit("b").is(2, &["of another chain"]);
    audit("none").is(2, &["no ledger in this directory"]);
}

/// Beside a process that has the directory: refused by its lock.
#[cfg(unix)]
#[test]
fn a_directory_that_is_in_use_is_not_read() {
    let bench = chain();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
    command.args(["ledger", "serve"]).arg(bench.path("a")).stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    let mut other = command.spawn().unwrap();
    let (mut input, mut output) = (other.stdin.take().unwrap(), other.stdout.take().unwrap());
    std::io::Write::write_all(&mut input, &[0; 5]).unwrap();
    std::io::Read::read_exact(&mut output, &mut [0; 5]).unwrap();
    for command in [&["audit", "a"][..], &["blocks", "a", "-o", "out"]] {
        bench
            .run(&[&["ledger"][..], command].concat())
            .is(2, &["another process is using the ledger in a: wait until it has ended"]);
    }
    assert!(!bench.path("out").exists());
    drop(input);
    assert!(other.wait().unwrap().success());
    let value: Value = bench.json(&["ledger", "audit", "a"]);
    assert_eq!(value["valid"], true);
}

/// Without a node's directory, from the file `genesis` or the description: the bytes of `submit -o`, but for the signature, which is another one each time.
#[test]
fn a_transaction_is_signed_without_a_node() {
    let bench = chain();
    bench.ok(&["ledger", "keygen", "-o", "bob.key"]);
    let (by, folder) = (["--key", "alice.key", "--from", "0"], "apart");
    std::fs::create_dir(bench.path(folder)).unwrap();
    bench.write("apart/genesis", &bench.read("a/genesis"));
    for (at, does) in [
        &["--to", "5", "--amount", "30", "--memo", "9"][..],
        &["--to", "9", "--amount", "1", "--create", "bob.key.pub"],
        &["--to", "5", "--amount", "4", "--mint"],
        &["--amount", "3", "--burn"],
    ]
    .into_iter()
    .enumerate()
    {
        let nonce = (at + 3).to_string();
        let submitted = format!("with-{nonce}");
        bench.ok(&[&["ledger", "submit", "a", "-o", &submitted][..], &by, does].concat());
        for genesis in ["apart/genesis", "genesis.json"] {
            let name = format!("{nonce}-{}", genesis.len());
            let sign = ["ledger", "sign", "--genesis", genesis, "--nonce", &nonce, "-o", &name];
            let signed = bench.json(&[&sign[..], &by, does].concat());
            check("ledger sign", &signed);
            let [apart, with] = [bench.read(&name), bench.read(&submitted)];
            let signature = with.len() - 48;
            assert_eq!(apart.len(), with.len());
            assert_eq!(apart[..signature], with[..signature], "{does:?}");
            assert_eq!((&signed["nonce"], &signed["file"]), (&(at + 3).into(), &name.as_str().into()));
        }
        // Whose signature is checked.
        bench.ok(&["ledger", "submit", "a", &format!("{nonce}-13")]);
    }
    assert_eq!(bench.json(&["ledger", "status", "a"])["waiting"], 4);
    // What no state accepts, and whose key is another one.
    let sign = ["ledger", "sign", "--genesis", "a/genesis", "--nonce", "7", "-o", "bad", "--from"];
    for (more, said) in [
        (&["0", "--key", "alice.key", "--to", "5", "--amount", "0"][..], "the amount is 0"),
        (&["5", "--key", "alice.key", "--to", "5", "--amount", "1", "--mint"], "account 5 is not the issuer"),
        (&["0", "--key", "alice.key", "--to", "5", "--amount", "18446744073709551615"], "more than 64 bits"),
        (
            &["0", "--key", "alice.key", "--to", "5", "--amount", "1", "--create", "bob.key.pub"],
            "account 5 exists",
        ),
        (&["0", "--key", "bob.key", "--to", "5", "--amount", "1"], "not that of account 0"),
        (&["0", "--key", "alice.key", "--to", "5"], "an amount and a recipient"),
    ] {
        bench.run(&[&sign[..], more].concat()).is(2, &[said]);
        assert!(!bench.path("bad").exists());
    }
    let last = ["ledger", "sign", "--genesis", "a/genesis", "--nonce", "4294967295", "-o", "bad", "--burn"];
    bench.run(&[&last[..], &by, &["--amount", "1"]].concat()).is(2, &["used up its nonces"]);
    bench.run(&[&last[..5], &by, &["--to", "5", "--amount", "1", "-o", "bad"]].concat()).is(2, &["--nonce"]);
}

/// Files of a ceremony are as long as their circuit makes them: beyond 1 GiB, and never what a stranger says.
#[test]
fn states_of_ceremonies_have_the_length_of_a_circuit() {
    let bench = Bench::new("");
    let large = ["ledger", "setup", "powers", "--batch", "256", "--root", "-o", "0.powers"];
    let small = [&large[..], &["--max-memory", "2GiB"]].concat();
    bench.run(&small).is(4, &["this needs about 3.0 GiB", "hint: raise `--max-memory`"]);
    assert!(!bench.path("0.powers").exists());
    // The beginning of such a file, and as many zeros as it says.
    let head = |size: u64, count: u64| {
        [&b"tenfold g16 p1 1"[..], b"bn254\0\0\0", &size.to_le_bytes(), &count.to_le_bytes()].concat()
    };
    let file = |head: &[u8], length: u64| {
        bench.write("state", head);
        let file = std::fs::OpenOptions::new().write(true).open(bench.path("state")).unwrap();
        file.set_len(length).unwrap();
    };
    let contribute = ["ledger", "setup", "contribute", "state", "-o", "1", "--max-memory", "2GiB"];
    file(&head(1 << 22, 0), 1_610_612_936);
    bench.run(&contribute).is(4, &["state is longer than 1.0 GiB", "hint: raise `--max-memory`"]);
    for length in [40, 1_610_612_935, 1_610_612_937, 1 << 40] {
        file(&head(1 << 22, 0), length);
        bench.run(&contribute).is(2, &["state is of another length than the 1610612936 bytes that it says"]);
    }
    file(&head(1 << 26, 0), 1 << 40);
    bench.run(&contribute).is(1, &["state: ", "a larger circuit"]);
    file(&head(16, 1 << 20), 1 << 40);
    bench.run(&contribute).is(1, &["more contributions"]);
    file(&head(1 << 22, 0), 1_610_612_936);
    let circuit = ["ledger", "setup", "circuit", "state", "--batch", "64", "-o", "1"];
    bench.run(&circuit).is(1, &["a larger circuit"]);
    assert!(!bench.path("1").exists());
}
