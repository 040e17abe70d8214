//! The command as a user runs it: the whole way, every kind of refusal with its exit code, and every output.

#[path = "commands/air.rs"]
mod air;
#[path = "commands/bench.rs"]
mod bench;
#[path = "commands/blob.rs"]
mod blob;
#[path = "commands/blob_weighted.rs"]
mod blob_weighted;
#[cfg(feature = "cluster")]
#[path = "commands/cluster.rs"]
mod cluster;
#[cfg(feature = "cluster")]
#[path = "commands/cluster_keys.rs"]
mod cluster_keys;
#[cfg(feature = "cluster")]
#[path = "commands/columns.rs"]
mod columns;
#[path = "commands/compare.rs"]
mod compare;
#[cfg(unix)]
#[path = "commands/crash.rs"]
mod crash;
#[path = "commands/expect.rs"]
mod expect;
#[cfg(feature = "fleet")]
#[path = "commands/fleet.rs"]
mod fleet;
#[path = "commands/hiding.rs"]
mod hiding;
#[path = "commands/hostile.rs"]
mod hostile;
#[path = "commands/input.rs"]
mod input;
#[cfg(unix)]
#[path = "commands/interrupts.rs"]
mod interrupts;
#[path = "commands/json.rs"]
mod json;
#[path = "commands/json_page.rs"]
mod json_page;
#[path = "commands/ledger.rs"]
mod ledger;
#[cfg(feature = "ledger")]
#[path = "commands/ledger_call.rs"]
mod ledger_call;
#[cfg(feature = "ledger")]
#[path = "commands/ledger_follow.rs"]
mod ledger_follow;
#[cfg(feature = "ledger")]
#[path = "commands/ledger_history.rs"]
mod ledger_history;
#[cfg(feature = "ledger")]
#[path = "commands/ledger_http.rs"]
mod ledger_http;
#[cfg(feature = "ledger")]
#[path = "commands/ledger_transparent.rs"]
mod ledger_transparent;
#[cfg(feature = "cluster-mpi")]
#[path = "commands/mpi.rs"]
mod mpi;
#[path = "commands/outputs.rs"]
mod outputs;
#[path = "commands/params.rs"]
mod params;
#[cfg(all(unix, feature = "ring"))]
#[path = "commands/ring_crash.rs"]
mod ring_crash;
#[cfg(feature = "ring")]
#[path = "commands/ring.rs"]
mod ring_files;
#[cfg(feature = "ring")]
#[path = "commands/ring_tables.rs"]
mod ring_tables;
#[path = "commands/search.rs"]
mod search;
#[cfg(feature = "cluster")]
#[path = "commands/shard.rs"]
mod shard;
#[path = "commands/table.rs"]
mod table;
#[path = "commands/terminal.rs"]
mod terminal;
#[path = "commands/vectors.rs"]
mod vectors;
#[path = "commands/verdicts.rs"]
mod verdicts;
#[path = "commands/weighted.rs"]
mod weighted;
#[path = "commands/witness.rs"]
mod witness;

use bench::{Bench, FIVE, Ran};
use serde_json::{Value, json};

#[test]
fn commit_open_verify() {
    let bench = Bench::committed(FIVE, &[]);
    let opened = bench.ok(&[
        "open",
        "data.csv",
        "-c",
        "price",
        "--commitment",
        "data.commitment",
        "--row",
        "2",
        "--row",
        "0",
        "--sum",
        "--point",
        "3,1,4",
        "-o",
        "all.proof",
    ]);
    for said in ["row 2 of price is 30.25", "row 0 of price is 10.50", "sum of all 5 rows of price is 131.00"]
    {
        assert!(opened.err.contains(said), "{said}: {}", opened.err);
    }
    assert!(
        opened.err.contains("the multilinear extension of price and its padding at (3, 1, 4) is"),
        "{}",
        opened.err
    );
    let verified = bench.ok(&["verify", "all.proof", "--commitment", "data.commitment"]);
    assert_eq!(verified.err.matches("valid:").count(), 4, "{}", verified.err);
    let sum = "131.00 modulo the koalabear prime 2130706433: the exact sum if that lies in [-10653532.16, 10653532.16]; then the mean is 26.20000";
    assert!(verified.err.contains(sum), "{}", verified.err);
    assert_eq!(verified.out, "", "verdicts go to stderr");
    // Without the commitment the verdict says what is left to compare.
    let bare = bench.ok(&["verify", "all.proof"]);
    assert!(bare.err.contains("the data may be invented"), "{}", bare.err);
    let fingerprint = blake3::hash(&bench.read("data.commitment")).to_hex().to_string();
    assert!(bare.err.contains(&fingerprint), "{}", bare.err);
    let quiet = bench.ok(&["verify", "all.proof", "--quiet"]);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

/// Points are modulo the field's prime, so that -1 is the number below it; what follows a negative number is an option again.
#[test]
fn points_may_be_negative() {
    let bench = Bench::committed(FIVE, &[]);
    let at = |point: &str| format!("the polynomial with price and its padding as coefficients at {point} is");
    let both = bench.open(&["--evaluate", "-1", "--row", "2", "--evaluate", "2130706432"]);
    assert_eq!(both.err.matches(&at("-1")).count(), 2, "{}", both.err);
    assert!(both.err.contains("row 2 of price is 30.25"), "{}", both.err);
    let point = bench.open(&["--point", "-1,2,-3", "--sum"]);
    assert!(
        point.err.contains("at (-1, 2, -3) is") && point.err.contains("sum of all 5 rows"),
        "{}",
        point.err
    );
    let same = bench.open(&["--point", "2130706432,2,2130706430"]);
    let value = |ran: &Ran| ran.err.lines().find(|line| line.contains("at (-1, 2, -3)")).map(str::to_owned);
    assert_eq!(value(&point), value(&same));
    bench.try_open(&["--evaluate", "-2130706433"]).is(2, &["no element of the field", "hint:"]);
    bench.try_open(&["--point", "--sum"]).is(2, &["invalid value '--sum'", "an integer is wanted"]);
    bench.try_open(&["--evaluate", "--sum"]).is(2, &["a value is required"]);
    bench.try_open(&["--evaluate", "-x"]).is(2, &["unexpected argument"]);
    let beyond = (1u128 << 127).to_string();
    bench.try_open(&["--evaluate", &beyond]).is(2, &["integers of 127 bits are taken"]);
    bench.try_open(&["--evaluate", "18446744073709551616"]).is(2, &["no element of the field"]);
    bench.write("data.bin", b"any bytes at all");
    bench.ok(&["commit", "data.bin", "-o", "bytes.tf"]);
    let bytes = bench.run(&["open", "data.bin", "--commitment", "bytes.tf", "--evaluate", "-1"]);
    bytes.is(2, &["-1 is no element of the field", "hint:", "of bytes from 0"]);
}

/// Five rows stand in eight places; what fills them up is no row.
#[test]
fn padding_is_not_a_row() {
    let bench = Bench::committed(FIVE, &[]);
    let last = bench.open(&["--row", "4"]);
    assert!(last.err.contains("row 4 of price is 50.00"), "{}", last.err);
    let data: Value = bench.json(&["data", "data.csv", "-c", "price"]);
    assert_eq!((data["rows"].as_u64(), data["padded_rows"].as_u64()), (Some(5), Some(8)));
    for row in ["5", "7", "8", "18446744073709551615"] {
        let refused = bench.try_open(&["--row", row]);
        refused.is(2, &[&format!("there is no row {row}"), "hint:", "from 0 to 4"]);
    }
}

#[test]
fn every_field_hash_and_profile() {
    let choices = [
        ["--field", "koalabear", "--hash", "sha256"],
        ["--field", "goldilocks", "--hash", "keccak256"],
        ["--field", "mersenne61", "--bits", "100"],
        ["--field", "bn254", "--profile", "small"],
    ];
    for choice in choices {
        let bench = Bench::committed(FIVE, &choice);
        bench.open(&["--row", "1", "--sum"]);
        let verified = bench.ok(&["verify", "data.proof", "--commitment", "data.commitment"]);
        assert!(verified.err.contains("row 1 of price is -5.75"), "{choice:?}: {}", verified.err);
    }
}

#[test]
fn bytes_json_and_npy_commit_too() {
    let bench = Bench::new(FIVE);
    bench.write("numbers.json", b"[1, 2.5, -3]");
    bench.write("bytes.bin", b"any bytes at all");
    bench.write("array.npy", &bench::npy("<i8", &[7i64, -8].map(i64::to_le_bytes).concat()));
    for (file, says) in [
        ("numbers.json", "is 2.5"),
        ("array.npy", "is -8"),
        ("bytes.bin", "byte 1 of bytes.bin is 0x6e (110)"),
    ] {
        bench.ok(&["commit", file, "-o", "x.commitment"]);
        let opened = bench.ok(&["open", file, "--commitment", "x.commitment", "--row", "1", "-o", "x.proof"]);
        assert!(opened.err.contains(says), "{file}: {}", opened.err);
        bench.ok(&["verify", "x.proof", "--commitment", "x.commitment"]);
    }
}

#[test]
fn a_tampered_proof_is_invalid() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2"]);
    let proof = bench.read("data.proof");
    // The last byte belongs to a hash path, the others to the messages in front of it.
    for back in [1, 40, proof.len() / 3, proof.len() / 2] {
        let mut changed = proof.clone();
        changed[proof.len() - back] ^= 1;
        bench.write("bad.proof", &changed);
        let refused = bench.run(&["verify", "bad.proof", "--json"]);
        refused.is(1, &["invalid:"]);
        assert_eq!(refused.value()["exit"], 1);
    }
}

#[test]
fn a_proof_is_about_one_commitment() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2"]);
    bench.write("other.csv", FIVE.replace("50.00", "50.01").as_bytes());
    bench.ok(&["commit", "other.csv", "-c", "price"]);
    let refused = bench.run(&["verify", "data.proof", "--commitment", "other.commitment"]);
    refused.is(1, &["invalid:", "another commitment than other.commitment"]);
}

/// The claims of a proof for programs, beside their sentences.
#[test]
fn json_has_each_claim_as_an_object() {
    let bench = Bench::committed(FIVE, &["--bits", "100"]);
    bench.open(&["--row", "1", "--evaluate", "2", "--mean"]);
    let json = bench.json(&["verify", "data.proof", "--commitment", "data.commitment", "--min-bits", "100"]);
    let readings = json["readings"].as_array().unwrap();
    assert_eq!(readings.len(), json["claims"].as_array().unwrap().len());
    let of: Vec<&str> = readings.iter().map(|reading| reading["of"].as_str().unwrap()).collect();
    assert_eq!(of, ["row", "sum", "mean", "form"]);
    assert_eq!(readings[0], json!({ "of": "row", "row": 1, "value": "-5.75", "column": "price" }));
    // 10.50 - 5.75 * 2 + 30.25 * 4 + 46 * 8 + 50 * 16.
    assert_eq!((&readings[3]["value"], &readings[3]["row"]), (&json!("1288.00"), &Value::Null));
    assert_eq!(
        (&readings[1]["value"], &readings[1]["modulus"]),
        (&json["sum"]["value"], &json["sum"]["modulus"])
    );
    assert_eq!((&readings[2]["value"], &readings[2]["row"]), (&json["mean"]["fraction"], &Value::Null));
    bench.write("bytes.bin", b"bytes of a file");
    bench.ok(&["commit", "bytes.bin", "--raw-bytes", "-o", "b"]);
    bench.ok(&["open", "bytes.bin", "--commitment", "b", "--raw-bytes", "--row", "1", "-o", "p"]);
    let json = bench.json(&["verify", "p", "--commitment", "b"]);
    assert_eq!(json["readings"], json!([{ "of": "entry", "row": 1, "value": "121" }]));
}

#[test]
fn policies_are_kept() {
    let bench = Bench::committed(FIVE, &["--bits", "100"]);
    bench.open(&["--row", "2"]);
    bench.ok(&["verify", "data.proof"]);
    let refused = bench.run(&["verify", "data.proof", "--min-bits", "128"]);
    refused.is(1, &["invalid:", "the parameters are refused", "128"]);
    // A commitment that proves too little is refused as a proof of it is.
    let open = bench.try_open(&["--row", "2", "--min-bits", "128"]);
    open.is(1, &["invalid:", "the parameters are refused", "hint:"]);
}

#[test]
fn what_was_committed_is_what_is_opened() {
    let bench = Bench::committed(FIVE, &[]);
    let open = |file: &str, column: &str| {
        bench.run(&["open", file, "-c", column, "--commitment", "data.commitment", "--row", "1"])
    };
    open("data.csv", "count").is(2, &["not the column of data.commitment", "hint:"]);
    bench.write("other.csv", FIVE.replace("50.00", "50.01").as_bytes());
    open("other.csv", "price").is(2, &["not the column of data.commitment", "hint:"]);
    open("data.csv", "prize").is(2, &["no column `prize`", "`price`", "hint:", "--column"]);
    bench.try_open(&[]).is(2, &["nothing to prove", "hint:"]);
    bench.try_open(&["--point", "1,2"]).is(2, &["2 coordinates", "3 variables", "hint:"]);
    let many: Vec<String> = (0..500).map(|_| "--row=1".to_owned()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    bench.try_open(&many).is(2, &["one proof holds", "hint:"]);
}

#[test]
fn unusable_data_names_the_place_and_the_way_out() {
    let bench = Bench::new(FIVE);
    let f2 = bench::npy("<f2", &[0; 4]);
    let cases: [(&str, &[u8], &[&str]); 9] = [
        ("text.csv", b"price\n1\nten\n", &["row 1", "line 3", "column `price`", "`ten` is not a number"]),
        ("nan.csv", b"price\n1\n2\nNaN\n", &["row 2", "line 4", "`NaN` is not finite"]),
        ("gap.csv", b"price,n\n1,1\n,2\n", &["row 1", "the cell is empty"]),
        ("ragged.csv", b"price,n\n1,1\n2\n", &["row 1", "line 3"]),
        ("empty.csv", b"", &["the file is empty"]),
        ("header.csv", b"price\n", &["there are no rows"]),
        ("half.npy", &f2, &["dtype `<f2` is not supported"]),
        ("nested.json", b"[1, [2]]", &["element 1 is an array"]),
        ("cut.json", b"[1, 2", &["at byte 5"]),
    ];
    for (file, content, says) in cases {
        bench.write(file, content);
        let column: &[&str] = if file.ends_with(".csv") { &["-c", "price"] } else { &[] };
        let refused = bench.run(&[&["commit", file], column].concat());
        refused.is(2, says);
        refused.is(2, &["error:", "hint:"]);
    }
    bench.run(&["commit", "data.csv"]).is(2, &["has 2 columns", "`price`", "`count`", "hint:"]);
    bench.run(&["commit", "data.csv", "-c", "prize"]).is(2, &["no column `prize`", "hint:"]);
    bench.write("large.csv", b"price\n5000000000\n");
    let small = bench.run(&["commit", "large.csv", "-c", "price", "--field", "koalabear"]);
    small.is(2, &["row 0", "does not fit koalabear", "hint:", "--field goldilocks"]);
}

#[test]
fn the_machine_can_fail() {
    let bench = Bench::committed(FIVE, &[]);
    bench.run(&["commit", "none.csv", "-c", "price"]).is(4, &["none.csv"]);
    bench.run(&["verify", "none.proof"]).is(4, &["cannot read none.proof"]);
    bench.run(&["inspect", "none.proof"]).is(4, &["cannot read none.proof"]);
    bench.try_open(&["--row", "1", "-o", "no/such/directory/x"]).is(4, &["cannot write no/such/directory/x"]);
    let unwritable = bench.run(&["commit", "data.csv", "-c", "price", "-o", "no/such/directory/x"]);
    unwritable.is(4, &["cannot write no/such/directory/x"]);
    let over = bench.run(&["commit", "data.csv", "-c", "price", "--max-memory", "1KiB"]);
    over.is(4, &["more than the limit of 1.0 KiB", "--max-memory"]);
}

#[test]
fn files_that_are_not_ours_are_unusable() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2"]);
    bench.refuses_damaged_files();
}

#[test]
fn json_of_every_command() {
    let bench = Bench::new(FIVE);
    let committed = bench.json(&["commit", "data.csv", "-c", "price"]);
    assert_eq!((committed["rows"].as_u64(), committed["file"].as_str()), (Some(5), Some("data.commitment")));
    assert_eq!(committed["bytes"].as_u64(), Some(bench.read("data.commitment").len() as u64));
    assert!(committed["proven_bits"].as_f64().unwrap() >= 128.0);
    let open = ["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--row", "2"];
    let opened = bench.json(&open);
    assert_eq!(opened["claims"][0], "row 2 of price is 30.25");
    let verified = bench.json(&["verify", "data.proof"]);
    let stated = &verified["stated"];
    assert_eq!((&verified["valid"], &verified["self_contained"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!(
        [&committed, &verified, stated].iter().all(|value| value.get("root").is_none()),
        "a root binds nothing alone"
    );
    assert!(
        verified["assumptions"]
            .as_array()
            .unwrap()
            .iter()
            .any(|a| a.as_str().unwrap().contains("random oracle"))
    );
    assert_eq!((stated["rows"].as_u64(), &verified["commitment_compared"]), (Some(5), &Value::Bool(false)));
    let compared = bench.json(&["verify", "data.proof", "--commitment", "data.commitment"]);
    assert_eq!(compared["commitment_compared"], true);
    assert_eq!(verified["fingerprint"], committed["fingerprint"]);
    assert_eq!(verified["claims"], opened["claims"]);
    let compared = bench.json(&["compare", "data.csv", "-c", "price", "--bits", "100", "-o", "page.html"]);
    assert!(compared["baselines"]["gzip_bytes"].as_u64().is_some_and(|bytes| bytes > 0));
    let rows = compared["cases"].as_array().unwrap();
    assert!(
        rows.len() >= 4 && rows.iter().all(|r| r["proven_bits"].as_f64().unwrap() >= 100.0),
        "{compared}"
    );
    let page = String::from_utf8(bench.read("page.html")).unwrap();
    assert!(page.contains("<title>Commitments to price</title>") && page.trim_end().ends_with("</html>"));
    let refused = bench.run(&["commit", "data.csv", "-c", "prize", "--json"]);
    assert_eq!(refused.value()["exit"], 2);
    assert!(refused.value()["hint"].is_string());
}

/// With `--json` arguments that cannot be parsed are an object too, and without it nothing is on stdout.
#[test]
fn json_of_arguments_that_cannot_be_parsed() {
    let bench = Bench::new(FIVE);
    for (args, says) in [
        (&["verify"][..], "required arguments were not provided"),
        (&["params", "--log-size", "99"], "invalid value '99'"),
        (&["verify", "--no-such"], "unexpected argument '--no-such'"),
        (&["no-such"], "unrecognized subcommand 'no-such'"),
        (&["no\u{1b}[31msuch"], "unrecognized subcommand"),
        (&[], "requires a subcommand"),
    ] {
        let plain = bench.as_given(args);
        plain.is(2, &[]);
        assert_eq!(plain.out, "", "{args:?}");
        let json = bench.as_given(&[args, &["--json"]].concat());
        json.is(2, &[]);
        let value = json.value();
        assert_eq!(value["exit"], 2, "{value}");
        assert!(value["error"].as_str().is_some_and(|error| error.contains(says)), "{value}");
        assert!(value["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{value}");
        assert!(!json.out.contains('\u{1b}'), "{args:?}");
    }
    // Behind `--` it is no option.
    assert_eq!(bench.as_given(&["verify", "--no-such", "--", "--json"]).out, "");
}

/// The only row of a column is its sum: each is said once.
#[test]
fn one_row_is_also_the_sum() {
    let bench = Bench::committed("price\n10.50\n", &[]);
    let only = "row 0 of price is 10.50; it is the only row, and so the sum";
    for (what, claims) in [
        (&["--sum"][..], &[only][..]),
        (&["--row", "0"], &[only]),
        (&["--row", "0", "--sum"], &[only, "the sum of the one row of price is 10.50"]),
        (&["--mean"], &["the sum of the one row of price is 10.50", "the mean of the one row"]),
        (
            &["--row", "0", "--sum", "--mean"],
            &[only, "the sum of the one row of price is 10.50", "the mean of the one row"],
        ),
    ] {
        bench.open(what);
        let verified = bench.json(&["verify", "data.proof", "--commitment", "data.commitment"]);
        let said = verified["claims"].as_array().unwrap();
        assert_eq!(said.len(), claims.len(), "{verified}");
        for (claim, starts) in said.iter().zip(claims) {
            assert!(claim.as_str().unwrap().starts_with(starts), "{what:?}: {verified}");
        }
    }
    bench.open(&["--row", "0", "--sum"]);
    let verified = bench.json(&["verify", "data.proof", "--commitment", "data.commitment"]);
    let of: Vec<_> = verified["readings"].as_array().unwrap().iter().map(|reading| &reading["of"]).collect();
    assert_eq!(of, ["row", "sum"]);
    let two = Bench::committed("price\n1\n2\n", &[]);
    assert!(!two.open(&["--row", "0", "--sum"]).err.contains("only row"));
}

/// A number with more decimals than are ever kept is no reason to ask for more of them.
#[test]
fn more_decimals_than_are_kept() {
    let bench = Bench::new("price\n0.1234567890123456789\n");
    let refused = bench.run(&["data", "data.csv", "-c", "price"]);
    refused.is(2, &["19 decimals, at most 18", "hint: round the column in the file"]);
    assert!(!refused.err.contains("--scale"), "{refused:?}");
    bench.write("tiny.csv", b"price\n1e-99999\n1e-99999999999999\n");
    let refused = bench.run(&["data", "tiny.csv", "-c", "price"]);
    refused.is(2, &["`1e-99999` has 99,999 decimals when it is written out, at most 18 are kept"]);
    bench.write("tiny.csv", b"price\n1e-99999999999999\n");
    let refused = bench.run(&["data", "tiny.csv", "-c", "price"]);
    refused.is(2, &["`1e-99999999999999` has more than 4 billion decimals when it is written out"]);
    bench.run(&["data", "data.csv", "-c", "price", "--scale", "3"]).is(2, &["at most 3", "raise `--scale`"]);
}

#[test]
fn parameters_prove_what_they_say() {
    let bench = Bench::new(FIVE);
    for field in ["koalabear", "goldilocks", "mersenne61", "bn254"] {
        for log_size in ["0", "3", "20"] {
            let value = bench.json(&["params", "--log-size", log_size, "--field", field, "--bits", "100"]);
            assert!(value["proven_bits"].as_f64().unwrap() >= 100.0, "{field} 2^{log_size}");
            let terms = value["terms"].as_array().unwrap();
            // A term without error has infinitely many bits, which JSON writes as null.
            let error = |t: &Value| {
                t["bits"].as_f64().map_or(0.0, |bits| (-bits - t["grinding"].as_f64().unwrap()).exp2())
            };
            let all: f64 = terms.iter().map(error).sum();
            let (sum, said) = (-all.log2(), value["proven_bits"].as_f64().unwrap());
            assert!((sum - said).abs() < 1e-6, "the terms add up to {sum}, not {said}");
            let number = |name: &str| value[name].as_f64().unwrap();
            assert!(number("interactive_bits") <= said && number("combined_bits") <= said.min(127.21));
            for theorem in value["by_theorem"].as_object().unwrap().values() {
                assert!(
                    theorem["proven_bits"].as_f64().unwrap() >= theorem["interactive_bits"].as_f64().unwrap()
                );
            }
        }
    }
    let text = bench.ok(&["params", "--bits", "128"]).out;
    assert!(text.contains("2^20 entries") && text.contains("final message"), "{text}");
    bench.run(&["params", "--log-size", "41"]).is(2, &["41"]);
    bench.run(&["params", "--bits", "1000"]).is(2, &["1000"]);
}

/// Parts follow each other without a gap, from the first byte to the last.
#[test]
fn inspect_accounts_for_every_byte() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2", "--sum"]);
    for name in ["data.commitment", "data.proof"] {
        bench.parts(name);
        assert!(bench.ok(&["inspect", name]).out.contains("magic TNFD"));
    }
}

/// A proof is about a commitment that somebody names, or the verdict says that it is about none.
#[test]
fn verify_asks_about_which_commitment() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2"]);
    bench
        .as_given(&["verify", "data.proof"])
        .is(2, &["nothing says which commitment", "--fingerprint", "--self-contained"]);
    bench
        .as_given(&["verify", "data.proof", "--self-contained"])
        .is(3, &["valid:", "the data may be invented"]);
    bench
        .as_given(&["verify", "data.proof", "--commitment", "data.commitment"])
        .is(0, &["valid:", "without work; collisions of the hash: 127.2"]);
    let fingerprint = blake3::hash(&bench.read("data.commitment")).to_hex().to_string();
    bench.as_given(&["verify", "data.proof", "--fingerprint", &fingerprint]).is(0, &["valid:"]);
    bench
        .as_given(&["verify", "data.proof", "--fingerprint", &fingerprint.to_uppercase()])
        .is(0, &["valid:"]);
    let other = "0".repeat(64);
    bench
        .as_given(&["verify", "data.proof", "--fingerprint", &other])
        .is(1, &["about another commitment", &fingerprint]);
    bench.as_given(&["verify", "data.proof", "--fingerprint", "12"]).is(2, &["64 hexadecimal digits"]);
    let both = ["verify", "data.proof", "--fingerprint", &fingerprint, "--self-contained"];
    bench.as_given(&both).is(2, &["cannot be used with"]);
}

/// Parameters that prove 100 bits by DKT26 alone are refused with the option that accepts them, and work can be refused.
#[test]
fn a_verifier_chooses_its_theorems() {
    let bench = Bench::new(FIVE);
    let by_one = ["--bits", "100", "--profile", "small", "--scheme", "ligerito", "--theorems", "dkt26"];
    let params = bench.json(&[&["params", "--log-size", "20", "-o", "p.json"][..], &by_one].concat());
    assert_eq!(params["theorems"], "dkt26");
    bench.write("large.bin", &vec![7; 1 << 20]);
    let commit = ["commit", "large.bin", "--params", "p.json", "--bits", "100", "-o", "c"];
    bench.run(&commit).is(1, &["dkt26 alone proves 10"]);
    bench.ok(&[&commit[..], &["--theorems", "dkt26"]].concat());
    let open = ["open", "large.bin", "--commitment", "c", "--row", "5", "-o", "p", "--min-bits", "100"];
    bench.run(&open).is(1, &["dkt26 alone proves", "--theorems dkt26"]);
    bench.ok(&[&open[..], &["--theorems", "dkt26"]].concat());
    let verify = ["verify", "p", "--commitment", "c", "--min-bits", "100"];
    bench.run(&verify).is(1, &["is below the required 100", "under bchks25, dkt26", "--theorems dkt26"]);
    bench.ok(&[&verify[..], &["--theorems", "dkt26"]].concat());
    let work = ["--theorems", "dkt26", "--interactive-bits", "95"];
    bench
        .run(&[&verify[..], &work].concat())
        .is(1, &["without work is below the required 95", "fewer with --interactive-bits"]);
    bench.run(&[&verify[..], &["--theorems", "hope"]].concat()).is(2, &["hope", "bchks25"]);
}

/// A sum that wraps around the field is refused when it is asked for, and large means are exact.
#[test]
fn sums_fit_their_field() {
    let bench = Bench::committed("price\n1000000000\n1000000000\n", &["--field", "koalabear"]);
    let wraps = bench.run(&["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--sum"]);
    wraps.is(2, &["the sum of price does not fit koalabear", "hint:", "--field"]);
    let large = "170141183460469231731687303715884105";
    let bench = Bench::committed(&format!("price\n{large}\n{large}\n"), &["--field", "bn254"]);
    bench.ok(&["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--sum"]);
    let verified = bench.ok(&["verify", "data.proof"]);
    assert!(verified.err.contains(&format!("mean is {large}")), "{}", verified.err);
}

/// A commitment file is not held against its digests here, so its parameters may say anything.
#[test]
fn inspect_survives_parameters_out_of_range() {
    let bench = Bench::committed(FIVE, &[]);
    let whole = bench.read("data.commitment");
    // Behind magic, version, kind, scheme and length: fields, hash, regime, then numbers of four bytes.
    for at in (22..58).step_by(4) {
        for number in [0, 41, 64, u32::MAX] {
            let mut bytes = whole.clone();
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            bench.write("file", &bytes);
            let ran = bench.run(&["inspect", "file"]);
            assert!(!ran.err.contains("panicked"), "{number} at {at}: {ran:?}");
        }
    }
}

/// A command that the build lacks names the feature that it needs, whatever follows.
#[test]
fn absent_commands_name_their_feature() {
    let bench = Bench::new(FIVE);
    for (built, command) in [
        (cfg!(feature = "ring"), "ring"),
        (cfg!(feature = "fleet"), "fleet"),
        (cfg!(feature = "cluster"), "cluster"),
    ] {
        if !built {
            let said = format!("the feature `{command}`");
            bench.run(&[command, "worker", "--queue", "q"]).is(2, &[&said, "hint:", "--features"]);
        }
    }
}

/// `bench` runs the executable beside it with what it was given, and says how to get it if there is none. Links, not
/// copies: a file that was just written may still be open in a child of another test, and is then no executable.
#[cfg(unix)]
#[test]
fn bench_runs_its_own_executable() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let tenfold = folder.path().join("tenfold");
    std::fs::hard_link(env!("CARGO_BIN_EXE_tenfold"), &tenfold).unwrap();
    let run_with = |args: &[&str]| {
        let mut command = assert_cmd::Command::new(&tenfold);
        let assert = command.env("PATH", "").args(args).assert();
        let output = assert.get_output();
        let said = [&output.stdout[..], &output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let run = || run_with(&["bench", "table", "--rounds", "3"]);
    let (code, said) = run();
    assert!(code == Some(4) && said.contains("cargo build --release -p tenfold-bench"), "{code:?} {said}");
    let (code, said) = run_with(&["bench", "--help"]);
    assert!(code == Some(0) && said.contains("cargo build --release -p tenfold-bench"), "{code:?} {said}");
    // Any executable that takes other arguments shows that it got these, and that its exit code is passed on.
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tenfold"), folder.path().join("tenfold-bench")).unwrap();
    let (code, said) = run();
    assert!(code == Some(2) && said.contains("unrecognized subcommand 'table'"), "{code:?} {said}");
}

/// A build without rings knows their files, whatever is in them, and reads no more than the header.
#[cfg(not(feature = "ring"))]
#[test]
fn files_about_rings_name_their_feature() {
    use pcs::file::{File, Kind, SchemeId};
    let bench = Bench::committed(FIVE, &[]);
    for (kind, name) in [
        (Kind::Opening, "a ring signature"),
        (Kind::Commitment, "the commitment of a ring"),
        (Kind::Members, "a ring"),
        (Kind::Key, "a public key"),
    ] {
        let [params_digest, statement] = [[7; 32]; 2];
        let (params, body) = (vec![0; 34], vec![0; 144].into());
        let file = File { kind, scheme: SchemeId::Ring, params, params_digest, statement, body }.encode();
        bench.write("x", &file);
        bench.write("start", &file[..file.len() - 144]);
        let said = format!("{name}, and this build has no `tenfold ring`: it lacks the feature `ring`");
        for args in [
            &["verify", "x"][..],
            &["verify", "x", "--commitment", "data.commitment"],
            &["verify", "x", "--json"],
            &["inspect", "x"],
            &["inspect", "start"],
            &["open", "data.csv", "-c", "price", "--commitment", "x", "--row", "0"],
        ] {
            bench.run(args).is(2, &[&said, "hint: build it with", "-p tenfold-cli --features ring"]);
        }
    }
}
