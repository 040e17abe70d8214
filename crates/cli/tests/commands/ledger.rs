//! Ledgers: directories, blocks and keys, and the demo with its processes.

use super::bench::Bench;

#[cfg(not(feature = "ledger"))]
#[test]
fn a_build_without_ledgers_says_which_has_them() {
    let bench = Bench::new("");
    for args in [&["ledger"][..], &["ledger", "status", "x", "--json"]] {
        bench.run(args).is(2, &["this build has no `tenfold ledger`", "--features ledger"]);
    }
}

#[cfg(feature = "ledger")]
mod with_ledgers {
    use super::Bench;
    use crate::bench::Ran;
    use crate::json::check;
    use serde_json::Value;

    /// Two keys, a description, and two nodes of its chain.
    fn chain() -> Bench {
        let bench = Bench::new("");
        for name in ["alice.key", "bob.key"] {
            check("ledger keygen", &bench.json(&["ledger", "keygen", "-o", name]));
        }
        bench.write("genesis.json", DESCRIPTION.as_bytes());
        check("ledger init", &bench.json(&["ledger", "init", "a", "--genesis", "genesis.json"]));
        bench.ok(&["ledger", "init", "b", "--genesis", "a/genesis"]);
        bench
    }

    const DESCRIPTION: &str = r#"{ "chain": 7, "issuer": 0, "fee": 1, "lanes": 2, "timeout": 3,
        "accounts": [ { "key": "alice.key.pub", "balance": 1000 }, { "number": 5, "key": "bob.key.pub", "balance": 10 } ] }"#;

    fn status(bench: &Bench, node: &str) -> Value {
        let value = bench.json(&["ledger", "status", node]);
        check("ledger status", &value);
        value
    }

    fn submit(bench: &Bench, more: &[&str]) -> Ran {
        bench.run(&[&["ledger", "submit", "a", "--key", "alice.key", "--from", "0"][..], more].concat())
    }

    /// The next block of `a`.
    fn block(bench: &Bench, name: &str, more: &[&str]) {
        check("ledger prove", &bench.json(&[&["ledger", "prove", "a", "-o", name][..], more].concat()));
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_can_read_is_warned_of() {
        use std::os::unix::fs::PermissionsExt;
        let bench = chain();
        let pay = ["--to", "5", "--amount", "1"];
        let warning = "warning: alice.key can be read by others: chmod 600 alice.key";
        let quiet = submit(&bench, &pay);
        quiet.is(0, &["transaction 0"]);
        assert!(!quiet.err.contains("warning"), "{quiet:?}");
        std::fs::set_permissions(bench.path("alice.key"), std::fs::Permissions::from_mode(0o640)).unwrap();
        submit(&bench, &pay).is(0, &[warning, "transaction 1"]);
        bench.run(&["ledger", "prove", "a", "-o", "1", "--key", "alice.key", "--claim"]).is(0, &[warning]);
    }

    #[test]
    fn a_ledger_from_keys_to_equal_roots() {
        let bench = chain();
        for (more, nonce) in [
            (&["--to", "5", "--amount", "30"][..], 0),
            (&["--to", "6", "--amount", "9", "--create", "bob.key.pub"], 1),
        ] {
            submit(&bench, more).is(0, &[&format!("transaction {nonce} of account 0")]);
        }
        submit(&bench, &["--to", "5", "--amount", "3", "--mint", "-o", "mint"]).is(0, &["transaction 2"]);
        bench.ok(&["ledger", "submit", "a", "mint"]);
        assert_eq!(status(&bench, "a")["waiting"], 3);
        block(&bench, "1", &["--plain"]);
        bench.run(&["ledger", "verify", "b", "1"]).is(0, &["valid:", "height 1"]);
        for node in ["a", "b"] {
            bench.run(&["ledger", "apply", node, "1"]).is(0, &["applied: height 1"]);
        }
        let [a, b] = ["a", "b"].map(|node| status(&bench, node));
        assert_eq!((&a["root"], &a["height"], &a["waiting"]), (&b["root"], &b["height"], &Value::from(0)));
        assert_eq!(
            (&a["accounts"], &a["supply"]),
            (&Value::from(3), &Value::from("1008")),
            "two fees are gone"
        );
        let bob = bench.json(&["ledger", "status", "b", "--account", "5"]);
        check("ledger status", &bob);
        assert_eq!((&bob["account"]["balance"], &bob["account"]["nonce"]), (&"43".into(), &0.into()));
        // A lane, its clock, and a block that was overtaken.
        block(&bench, "2", &["--claim", "--lane", "1", "--key", "bob.key"]);
        block(&bench, "overtaken", &["--empty"]);
        bench.ok(&["ledger", "apply", "a", "2"]);
        bench.run(&["ledger", "verify", "a", "overtaken"]).is(1, &["height 2, the next one is 3"]);
        block(&bench, "3", &["--rebase", "overtaken"]);
        bench.ok(&["ledger", "apply", "a", "3"]);
        check("ledger apply", &bench.json(&["ledger", "apply", "b", "2", "3"]));
        assert_eq!(status(&bench, "a")["root"], status(&bench, "b")["root"]);
        assert_eq!(status(&bench, "a")["lanes"][1]["until"], 5);
        let shown = bench.ok(&["ledger", "status", "a"]);
        assert!(
            shown.out.contains("lane 0   open") && shown.out.contains("held until height 5"),
            "{shown:?}"
        );
        let stranger = ["ledger", "prove", "a", "--claim", "--lane", "1", "--key", "alice.key", "-o", "4"];
        bench.run(&stranger).is(1, &["the lane is held until height 5"]);
        let keyless = bench.run(&["ledger", "prove", "a", "--lane", "1", "-o", "4"]);
        keyless.is(
            1,
            &["invalid: lane 1 is held until height 5", "hint: pass the key that claimed it with --key"],
        );
        assert!(!bench.path("4").exists());
    }

    #[test]
    fn what_is_wrong_is_named_and_changes_nothing() {
        let bench = chain();
        let root = status(&bench, "a")["root"].clone();
        bench.run(&["ledger", "keygen", "-o", "alice.key"]).is(2, &["alice.key", "a key that is in use"]);
        bench.run(&["ledger", "init", "a", "--genesis", "genesis.json"]).is(2, &["there already"]);
        bench
            .run(&["ledger", "status", "c"])
            .is(2, &["no ledger in this directory", "hint: make one with `tenfold ledger init`"]);
        let unknown = bench.run(&["ledger", "status", "a", "--account", "77"]);
        unknown.is(2, &["error: there is no account 77", "hint: accounts have the numbers of the genesis"]);
        for (bad, said) in [
            ("[]", "an object"),
            ("{", "no description"),
            (r#"{"chain":1,"acounts":[]}"#, "no member `acounts`"),
            (r#"{"chain":1,"accounts":[{"key":"none.pub","balance":1}]}"#, "none.pub"),
            (r#"{"chain":1,"accounts":[{"key":"alice.key","balance":1}]}"#, "no public key"),
            (r#"{"chain":1,"lanes":17,"accounts":[]}"#, "out of range"),
            (r#"{"chain":1,"lanes":0,"accounts":[]}"#, "lanes are from 1 to 16"),
            (
                r#"{"chain":1,"accounts":[{"key":"bob.key.pub","balance":1},{"number":0,"key":"bob.key.pub","balance":1}]}"#,
                "two accounts have the number 0",
            ),
            (r#"{"chain":1,"accounts":[]}"#, "the issuer has no account"),
        ] {
            bench.write("bad.json", bad.as_bytes());
            let ran = bench.run(&["ledger", "init", "c", "--genesis", "bad.json"]);
            assert!(ran.code() != Some(0) && ran.err.contains(said), "{bad}: {ran:?}");
            assert!(!bench.path("c").exists());
        }
        let small = ["ledger", "init", "c", "--genesis", "genesis.json", "--max-memory", "2KiB"];
        bench.run(&small).is(4, &["more than the limit of 2.0 KiB", "`genesis` of another node"]);
        submit(&bench, &["--to", "9", "--amount", "1"]).is(2, &["account 9, which receives, does not exist"]);
        submit(&bench, &["--to", "5", "--amount", "1000"]).is(2, &["the balance is 1000"]);
        for amount in ["-1", "1.5", "18446744073709551616"] {
            submit(&bench, &["--to", "5", "--amount", amount]).is(2, &["an amount is a whole number"]);
        }
        for less in [&["--to", "5"][..], &["--amount", "1"]] {
            submit(&bench, less).is(2, &["an amount and a recipient", "name --to and --amount"]);
        }
        bench.run(&["ledger", "submit", "a"]).is(2, &["no transaction", "name a file, or --key, --from"]);
        bench
            .run(&["ledger", "submit", "a", "--key", "bob.key", "--from", "0", "--to", "5", "--amount", "1"])
            .is(2, &["not that of account 0"]);
        bench.run(&["ledger", "submit", "a", "genesis.json"]).is(2, &["no transaction"]);
        bench.run(&["ledger", "prove", "a", "--plain"]).is(2, &["no transaction waits"]);
        bench.run(&["ledger", "prove", "a", "--root"]).is(2, &["names no contract"]);
        for ignored in [["--lane", "0"], ["--key", "a.key"]] {
            let asked = [&["ledger", "prove", "a", "--root"][..], &ignored].concat();
            bench.run(&asked).is(2, &["cannot be used with", ignored[0]]);
        }
        bench.run(&["ledger", "verify", "a", "genesis.json", "--root"]).is(2, &["no call of a contract"]);
        let states = ["genesis.json", "genesis.json"];
        bench.run(&["ledger", "setup", "verify", states[0], states[1]]).is(1, &["the ceremony is refused"]);
        bench
            .run(&["ledger", "prove", "a", "--empty", "-o", "/dev/full"])
            .is(2, &["/dev/full is no place for a file of a ledger"]);
        let cut = bench.read("alice.key");
        bench.write("cut.key", &cut[..70]);
        bench.run(&["ledger", "prove", "a", "--claim", "--key", "cut.key"]).is(2, &["cut short"]);
        // Another chain: the same accounts, another number.
        bench.write("other.json", DESCRIPTION.replace("\"chain\": 7", "\"chain\": 8").as_bytes());
        bench.ok(&["ledger", "init", "other", "--genesis", "other.json"]);
        submit(&bench, &["--to", "5", "--amount", "1", "-o", "mine"]).is(0, &[]);
        bench.run(&["ledger", "submit", "other", "mine"]).is(2, &["of another chain"]);
        block(&bench, "1", &["--empty"]);
        for command in ["apply", "verify"] {
            bench.run(&["ledger", command, "other", "1"]).is(2, &["of another chain"]);
            bench.run(&["ledger", command, "a", "mine"]).is(2, &["no block"]);
            bench.run(&["ledger", command, "a", "none"]).is(4, &["none"]);
            let cut = bench.read("1");
            bench.write("cut", &cut[..cut.len() - 1]);
            bench.run(&["ledger", command, "a", "cut"]).is(2, &["the bytes end too early"]);
        }
        assert_eq!(status(&bench, "a")["root"], root);
        bench.ok(&["ledger", "apply", "a", "1"]);
        bench.run(&["ledger", "apply", "a", "1"]).is(1, &["height 1, the next one is 2"]);
        // Batches and keys: none, and local ones that were not asked for.
        bench.ok(&["ledger", "submit", "a", "mine"]);
        bench
            .run(&["ledger", "prove", "a", "-o", "2"])
            .is(2, &["no verifying key for batches of 64", "ledger setup"]);
        bench.run(&["ledger", "setup", "local", "a"]).is(2, &["local setup", "--insecure-local"]);
        bench
            .run(&["ledger", "setup", "contribute", "genesis.json", "-o", "state"])
            .is(1, &["the ceremony is refused"]);
        bench.run(&["ledger", "prove", "a", "--batch", "65"]).is(2, &["64, 256 or 1024"]);
        let local = ["ledger", "setup", "local", "a", "--insecure-local", "--binding"];
        bench.run(&[&local[..], &["hash"]].concat()).is(2, &["a `commitment` or a `digest`"]);
        bench.run(&[&local[..], &["digest", "--root"]].concat()).is(2, &["cannot be used with"]);
        bench
            .run(&["ledger", "prove", "a", "-o", "2", "--binding", "commitment"])
            .is(2, &["no verifying key for batches of 64 with a commitment"]);
        bench.run(&["ledger", "demo", "--max-memory", "100MiB"]).is(4, &["this needs about"]);
        bench.run(&["ledger", "demo", "-d", "a"]).is(2, &["there already"]);
    }

    /// Amounts and numbers of chains are text in JSON, and may be in a description: programs round numbers beyond 2^53.
    #[test]
    fn amounts_beyond_53_bits_are_exact() {
        let bench = chain();
        let large = "9007199254740993";
        let text =
            DESCRIPTION.replace("1000", &format!("\"{large}\"")).replace("\"fee\": 1", "\"fee\": \"2\"");
        bench.write(
            "large.json",
            text.replace("\"chain\": 7", &format!("\"chain\": {}", u64::MAX)).as_bytes(),
        );
        bench.ok(&["ledger", "init", "l", "--genesis", "large.json"]);
        let value = bench.json(&["ledger", "status", "l", "--account", "0"]);
        check("ledger status", &value);
        assert_eq!((&value["account"]["balance"], &value["fee"]), (&large.into(), &"2".into()));
        assert_eq!(
            (&value["chain"], &value["supply"]),
            (&u64::MAX.to_string().into(), &"9007199254741003".into())
        );
        let shown = bench.ok(&["ledger", "status", "l", "--account", "0"]).out;
        assert!(shown.contains(&format!("balance  {large}\n")), "{shown}");
        for bad in ["\"\"", "\"+1\"", "\"-1\"", "\"1.0\"", "\"18446744073709551616\""] {
            bench.write("bad.json", DESCRIPTION.replace("1000", bad).as_bytes());
            bench.run(&["ledger", "init", "c", "--genesis", "bad.json"]).is(2, &["`balance` is no number"]);
        }
    }

    /// An option that would change nothing is refused, not ignored.
    #[test]
    fn options_that_have_no_effect_are_refused() {
        let bench = chain();
        block(&bench, "1", &["--empty"]);
        let refused = |command: &[&str], option: &[&str]| {
            let ran = bench.run(&[&["ledger"][..], command, option].concat());
            ran.is(2, &["cannot be used with", option[0]]);
        };
        for option in [
            &["--to", "5"][..],
            &["--amount", "1"],
            &["--memo", "1"],
            &["--create", "bob.key.pub"],
            &["--mint"],
            &["--burn"],
        ] {
            refused(&["submit", "a", "1"], option);
        }
        let create =
            ["--key", "alice.key", "--from", "0", "--to", "6", "--amount", "1", "--create", "bob.key.pub"];
        refused(&[&["submit", "a"][..], &create].concat(), &["--memo", "1"]);
        for instead in [&["--plain"][..], &["--empty"], &["--rebase", "1"]] {
            let prove = [&["prove", "a", "-o", "2"][..], instead].concat();
            for option in [
                &["--lane", "1"][..],
                &["--key", "alice.key"],
                &["--batch", "64"],
                &["--binding", "digest"],
                &["--keys", "b/keys"],
                &["--insecure-local"],
            ] {
                refused(&prove, option);
            }
        }
        // It is about each block of several, and of one that is read from a pipe: what it is not about is said.
        let bound = ["ledger", "verify", "a", "1", "--binding", "commitment"];
        bench.run(&bound).is(0, &["--binding is about the proof of a batch", "block 1 has none"]);
        assert_eq!(status(&bench, "a")["height"], 0);
        refused(&["prove", "a", "-o", "2", "--claim", "--key", "alice.key"], &["--batch", "256"]);
        assert!(!bench.path("2").exists());
        let batch = ["ledger", "verify", "a", "1", "--batch", "64"];
        bench.run(&batch).is(2, &["arguments were not provided", "--root"]);
        bench.run(&[&batch[..], &["--root"]].concat()).is(2, &["no call of a contract"]);
        let hashes = ["ledger", "setup", "verify", "1", "1", "--log2-hashes", "3"];
        bench.run(&hashes).is(2, &["arguments were not provided", "--beacon"]);
        for beacon in ["--beacon", "--powers-beacon"] {
            bench.run(&[&hashes[..], &[beacon, "x"]].concat()).is(1, &["the ceremony is refused"]);
        }
    }

    /// What no state accepts is refused before it waits: it would hold up its account.
    #[test]
    fn what_no_block_can_have_does_not_wait() {
        let bench = chain();
        submit(&bench, &["--to", "5", "--amount", "1"]).is(0, &["transaction 0"]);
        for (more, said) in [
            (&["--to", "5", "--amount", "0"][..], "the amount is 0"),
            (&["--to", "5", "--amount", "18446744073709551615"], "more than 64 bits"),
            (&["--to", "0", "--amount", "1", "--create", "bob.key.pub"], "account 0 exists already"),
        ] {
            submit(&bench, more).is(2, &["the transaction is refused", said]);
            submit(&bench, &[more, &["-o", "file"]].concat()).is(2, &[said]);
        }
        let bob = ["ledger", "submit", "a", "--key", "bob.key", "--from", "5", "--to", "5", "--amount", "1"];
        bench.ok(&bob);
        bench.run(&[&bob[..], &["--mint"]].concat()).is(2, &["account 5 is not the issuer"]);
        assert_eq!(status(&bench, "a")["waiting"], 2);
        assert!(!bench.path("file").exists());
    }

    /// Keys are made where a node is, and nowhere else.
    #[test]
    fn no_setup_is_made_in_a_directory_that_is_no_node() {
        let bench = chain();
        std::fs::create_dir(bench.path("other")).unwrap();
        bench.write("other/genesis", b"of something else");
        let digest = "0".repeat(64);
        for (directory, said) in
            [("none", "no ledger in this directory"), ("other", "no genesis"), ("a/genesis", "no ledger")]
        {
            let [local, import, finalise] = [
                &["local", directory, "--insecure-local"][..],
                &["import", directory, "genesis.json", "--digest", &digest],
                &["finalise", directory, "genesis.json", "genesis.json"],
            ];
            for command in [local, import, finalise] {
                bench.run(&[&["ledger", "setup"][..], command].concat()).is(2, &[said]);
            }
        }
        assert!(!bench.path("none").exists() && !bench.path("other/keys").exists());
    }

    /// A file that is no call is refused before any key is read.
    #[test]
    fn a_call_is_read_before_its_key() {
        let bench = chain();
        let contract =
            r#"{ "contract": { "chain_id": 1, "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3" },"#;
        bench.write("contract.json", DESCRIPTION.replacen('{', contract, 1).as_bytes());
        bench.ok(&["ledger", "init", "c", "--genesis", "contract.json"]);
        bench.write("call", b"0x00112233\n");
        bench
            .run(&["ledger", "verify", "c", "call", "--root"])
            .is(1, &["call", "no call of the contract with a root"]);
    }

    /// What is no plain file, where a node has its own, is named and not waited for.
    #[cfg(unix)]
    #[test]
    fn a_pipe_among_the_files_of_a_node_is_named() {
        let bench = chain();
        submit(&bench, &["--to", "5", "--amount", "1"]).is(0, &[]);
        let pipe = |name: &str| {
            let made = std::process::Command::new("mkfifo").arg(bench.path(name)).status();
            assert!(made.unwrap().success());
        };
        pipe("a/inbox/pipe.transaction");
        let state = status(&bench, "a");
        assert_eq!((&state["waiting"], &state["unusable"]), (&1.into(), &1.into()));
        assert!(bench.ok(&["ledger", "status", "a"]).out.contains("unusable 1 in `inbox`"));
        let proven = bench.run(&["ledger", "prove", "a", "--plain", "-o", "1"]);
        proven.is(0, &["left out: a/inbox/pipe.transaction", "it is no plain file"]);
        std::fs::remove_file(bench.path("b/lock")).unwrap();
        pipe("b/lock");
        bench.run(&["ledger", "status", "b"]).is(4, &["b/lock", "it is no plain file"]);
        // A file of somebody's is no damaged index.
        std::fs::write(bench.path("a/index"), b"precious").unwrap();
        bench.run(&["ledger", "status", "a"]).is(2, &["is no index of a ledger", "hint: move it elsewhere"]);
        assert_eq!(bench.read("a/index"), b"precious");
    }

    /// A transaction that the state refuses holds up those of its account behind it: it is named, and can be replaced.
    #[test]
    fn what_holds_up_an_account_is_named() {
        let bench = chain();
        let file = |amount| {
            let sign =
                ["ledger", "submit", "a", "--key", "alice.key", "--from", "0", "--to", "5", "--amount"];
            let signed = bench.json(&[&sign[..], &[amount]].concat());
            check("ledger submit", &signed);
            signed["file"].as_str().unwrap().to_owned()
        };
        let files = ["30", "5000", "1"].map(file);
        let beyond = "transaction 1 of account 0: the balance is 969";
        let plain = ["ledger", "prove", "a", "--plain", "-o"];
        let ran = bench.run(&[&plain[..], &["1"]].concat());
        ran.is(0, &[&format!("left out: {beyond}"), "left out: transaction 2 of account 0: the nonce is 2"]);
        bench.ok(&["ledger", "apply", "a", "1"]);
        for how in [&plain[..], &["ledger", "prove", "a", "-o"]] {
            bench.run(&[how, &["2"]].concat()).is(2, &[beyond, "take it out of the folder `inbox`"]);
        }
        std::fs::remove_file(bench.path(&files[1])).unwrap();
        submit(&bench, &["--to", "5", "--amount", "2"]).is(0, &["transaction 1 of account 0"]);
        bench.ok(&[&plain[..], &["2"]].concat());
        bench.ok(&["ledger", "apply", "a", "2"]);
        let state = bench.json(&["ledger", "status", "a", "--account", "0"]);
        assert_eq!((&state["waiting"], &state["account"]["nonce"]), (&0.into(), &3.into()), "{state}");
    }

    /// The root of a contract is another one than the ledger's, and is shown where the chain has a contract.
    #[test]
    fn the_root_of_a_contract_is_shown() {
        let bench = chain();
        bench.run(&["ledger", "status", "a", "--root"]).is(2, &["names no contract"]);
        let contract =
            r#""contract": { "chain_id": 1, "address": "0x5FbDB2315678afecb367f032d93F642f64180aa3" },"#;
        bench.write("contract.json", DESCRIPTION.replacen('{', &format!("{{ {contract}"), 1).as_bytes());
        bench.ok(&["ledger", "init", "c", "--genesis", "contract.json"]);
        let value = bench.json(&["ledger", "status", "c", "--root"]);
        check("ledger status", &value);
        let root = value["contract_root"].as_str().unwrap();
        assert!(root.len() == 64 && value["root"] != root, "{value}");
        let shown = bench.ok(&["ledger", "status", "c", "--root"]);
        assert!(shown.out.contains(&format!("contract {root}")), "{shown:?}");
        assert!(status(&bench, "c").get("contract_root").is_none(), "it takes a tree of all accounts");
    }

    /// What was not signed by its sender does not wait, and takes no nonce; what is insecure is so in JSON too.
    #[test]
    fn forgeries_and_insecure_keys_are_named() {
        let bench = chain();
        submit(&bench, &["--to", "5", "--amount", "1", "-o", "mine"]).is(0, &[]);
        let mut forged = bench.read("mine");
        let signature = forged.len() - 48;
        forged[signature] ^= 1;
        bench.write("forged", &forged);
        bench.run(&["ledger", "submit", "a", "forged"]).is(2, &["the signature is not that of account 0"]);
        assert_eq!(status(&bench, "a")["waiting"], 0);
        submit(&bench, &["--to", "5", "--amount", "1"]).is(0, &["transaction 0 of account 0"]);
        bench.ok(&["ledger", "prove", "a", "--plain", "-o", "1"]);
        for (flag, insecure) in [(&[][..], false), (&["--insecure-local"], true)] {
            check("ledger verify", &bench.json(&[&["ledger", "verify", "b", "1"][..], flag].concat()));
            for command in [&["status", "a"][..], &["verify", "b", "1"]] {
                let value = bench.json(&[&["ledger"][..], command, flag].concat());
                assert_eq!(value["insecure"], insecure, "{command:?}");
            }
        }
        // Rules that are not those of the log.
        bench.write("other.json", DESCRIPTION.replace("\"chain\": 7", "\"chain\": 8").as_bytes());
        bench.ok(&["ledger", "init", "other", "--genesis", "other.json"]);
        bench.write("a/genesis", &bench.read("other/genesis"));
        submit(&bench, &["--to", "5", "--amount", "1"]).is(2, &["of another chain"]);
    }

    /// The contract of the demo's key, on its chain; the key in another node's folder.
    fn exports(bench: &Bench) {
        let key = std::fs::read_dir(bench.path("d/keys")).unwrap().map(|entry| entry.unwrap().path());
        let key =
            key.into_iter().find(|path| path.extension().is_some_and(|end| end == "verifying")).unwrap();
        let bytes = std::fs::read(&key).unwrap();
        let digest: String = bytes[bytes.len() - 32..].iter().map(|byte| format!("{byte:02x}")).collect();
        let import = ["ledger", "setup", "import", "f", key.to_str().unwrap(), "--digest", &digest];
        bench
            .run(&[&import[..], &["--binding", "commitment"]].concat())
            .is(2, &["another circuit", "hint: give the verifying key of this circuit"]);
        let imported = bench.json(&import);
        check("ledger setup import", &imported);
        assert_eq!((&imported["binding"], &imported["insecure"]), (&"digest".into(), &false.into()));
        assert_eq!(imported["digest"], *digest);
        let elsewhere = ["ledger", "setup", "import", "e", key.to_str().unwrap(), "--digest", &digest];
        let imported = bench.json(&[&elsewhere[..], &["--insecure-local"]].concat());
        assert_eq!(imported["insecure"], true);
        let export = ["ledger", "export-evm", key.to_str().unwrap(), "--directory", "d/chain", "-o", "evm"];
        bench.run(&export).is(2, &["local setup", "--insecure-local"]);
        assert!(!bench.path("evm").exists());
        let value = bench.json(&[&export[..], &["--insecure-local"]].concat());
        check("ledger export-evm", &value);
        assert_eq!((&value["insecure"], &value["contract"]), (&true.into(), &Value::Null), "{value}");
        for file in value["files"].as_array().unwrap() {
            assert!(bench.path("evm").join(file.as_str().unwrap()).is_file(), "{file}");
        }
        let code = String::from_utf8(bench.read("evm/LedgerReplicas.bin")).unwrap();
        assert!(code.len() > 2000 && code.trim_end().bytes().all(|b| b.is_ascii_hexdigit()));
        assert!(bench.read("evm/LedgerReplicas.sol").starts_with(b"// SPDX"));
        bench.run(&export).is(2, &["evm is there already"]);
    }

    /// A node that another process has.
    #[cfg(unix)]
    #[test]
    fn one_process_has_a_directory() {
        let bench = chain();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        command.args(["ledger", "serve"]).arg(bench.path("a")).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped());
        let mut other = command.spawn().unwrap();
        // It has the directory when it has answered.
        let (mut input, mut output) = (other.stdin.take().unwrap(), other.stdout.take().unwrap());
        std::io::Write::write_all(&mut input, &[0; 5]).unwrap();
        std::io::Read::read_exact(&mut output, &mut [0; 5]).unwrap();
        bench.run(&["ledger", "status", "a"]).is(2, &["another process is using the ledger"]);
        bench.run(&["ledger", "prove", "a", "--empty"]).is(2, &["another process"]);
        drop(input);
        assert!(other.wait().unwrap().success(), "it ends where its input does");
        status(&bench, "a");
    }

    /// Proofs, processes that are killed, and a prover who deviates: one setup, and the fewest batches that show it.
    #[cfg(unix)]
    #[test]
    fn a_demo_whose_blocks_hold_elsewhere() {
        let bench = Bench::new("");
        let ran = bench.json(&["ledger", "demo", "--transactions", "100", "-d", "d"]);
        check("ledger demo", &ran);
        assert_eq!((&ran["transactions"], &ran["insecure"]), (&101.into(), &true.into()), "{ran}");
        assert!(ran["batches"].as_u64() >= Some(2) && ran["proven"].as_u64() > Some(64), "{ran}");
        assert!(ran["caught_up"].as_u64() > Some(0), "{ran}");
        let refused: Vec<_> =
            ran["refused"].as_array().unwrap().iter().map(|lie| lie["answer"].as_str().unwrap()).collect();
        for said in
            ["the proof is refused", "stale", "not signed", "not that of the lane's holder", "another chain"]
        {
            assert!(refused.iter().any(|answer| answer.contains(said)), "{said}: {ran}");
        }
        // Its blocks are those of a chain: another replica takes them, as far as it has keys that it accepts.
        let node = |name: &str| drop(bench.ok(&["ledger", "init", name, "--genesis", "d/chain/genesis"]));
        ["e", "f"].into_iter().for_each(node);
        let entries = std::fs::read_dir(bench.path("d/blocks")).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let at = paths.iter().position(|path| std::fs::metadata(path).unwrap().len() > 400).unwrap();
        let names: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
        let (verify, with_keys) =
            (["ledger", "verify", "f", names[at]], ["--keys", "d/keys", "--insecure-local"]);
        bench.ok(&[&["ledger", "apply", "f"][..], &names[..at]].concat());
        bench.run(&verify).is(2, &["no verifying key"]);
        bench
            .run(&[&verify[..], &with_keys[..2]].concat())
            .is(2, &["can prove anything", "--insecure-local"]);
        let mut forged = std::fs::read(names[at]).unwrap();
        *forged.last_mut().unwrap() ^= 1;
        bench.write("forged", &forged);
        let forged = bench.run(&[&["ledger", "verify", "f", "forged"][..], &with_keys].concat());
        // The holder of its lane has signed the proof too.
        forged.is(1, &["INSECURE", "invalid:", "not that of the lane's holder"]);
        exports(&bench);
        crate::ledger_call::calls(&bench, "d/keys");
        // A process that is killed while it applies them leaves whole blocks; the rest fits.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        command.args(["ledger", "apply", "e"]).args(&names).args(with_keys).current_dir(bench.path(""));
        let mut apply = command.spawn().unwrap();
        let begun = std::fs::metadata(bench.path("e/log")).unwrap().len();
        while std::fs::metadata(bench.path("e/log")).unwrap().len() == begun
            && apply.try_wait().unwrap().is_none()
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        apply.kill().unwrap();
        apply.wait().unwrap();
        let done = status(&bench, "e")["height"].as_u64().unwrap() as usize;
        if done < names.len() {
            bench.ok(&[&["ledger", "apply", "e"][..], &names[done..], &with_keys].concat());
        }
        let e = status(&bench, "e");
        assert_eq!((&e["root"], &e["height"]), (&ran["root"], &ran["height"]));
        // Its proofs are verified again, with keys that are taken.
        let audit = ["ledger", "audit", "e"];
        bench.run(&audit).is(2, &["can prove anything", "--insecure-local"]);
        bench.run(&[&audit[..], &with_keys].concat()).is(0, &["INSECURE", "valid: every block"]);
        // So they are by a node that pulls them.
        let served = crate::ledger_http::Served::new(&bench, "e", &["--listen", "127.0.0.1:0"]);
        let (url, before) = (served.url(), status(&bench, "f")["height"].clone());
        let pull = ["ledger", "pull", "f", "--from", &url];
        bench.run(&pull).is(2, &["can prove anything", "--insecure-local"]);
        assert_eq!(status(&bench, "f")["height"], before, "the next block has a proof");
        let pulled = bench.ok(&[&pull[..], &with_keys, &["--json"]].concat()).value();
        assert_eq!((&pulled["root"], &pulled["insecure"]), (&ran["root"], &true.into()));
    }
}
