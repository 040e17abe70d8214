//! Several columns of a file in one commitment.

use super::bench::{Bench, FIVE};
use super::json_page::check;
use serde_json::json;

const TRADES: &str = "id,price,amount,note\n0,12.5,7,a\n1,-3,1,b\n2,0.125,12,c\n3,7,0,d\n4,1,30,e\n";

fn committed(options: &[&str]) -> Bench {
    let bench = Bench::new(FIVE);
    bench.write("trades.csv", TRADES.as_bytes());
    bench.ok(&[&["commit", "trades.csv", "-c", "price", "-c", "amount", "-o", "c"], options].concat());
    bench
}

#[test]
fn several_columns_are_committed_to_at_once() {
    let bench = committed(&[]);
    // The commitment names the columns.
    let open = ["open", "trades.csv", "--commitment", "c", "--row", "1", "--mean", "-o", "p"];
    let opened = bench.json(&open);
    check("open", &opened);
    let claims = opened["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 6);
    assert_eq!(claims[3], "row 1 of amount is 1");
    let verify = ["verify", "p", "--commitment", "c"];
    let verified = bench.json(&verify);
    check("verify", &verified);
    assert_eq!(verified["stated"]["columns"], json!(["price", "amount"]));
    let readings = &verified["readings"];
    assert_eq!(readings[0], json!({ "of": "row", "row": 1, "value": "-3.000", "column": "price" }));
    assert_eq!(
        readings[5],
        json!({ "of": "mean", "row": null, "value": "10", "column": "amount", "modulus": "2130706433" })
    );
    let met = ["--expect", "row:1@price=-3", "--expect", "sum@amount=50", "--expect", "mean@price=3.525"];
    bench.ok(&[&verify[..], &met].concat());
    for (claim, said) in [
        ("sum@price=50", "the proof is of another value than 50: the sum of all 5 rows of price is 17.625"),
        (
            "sum",
            "nothing of the sum without the name of its column, as in `sum@price`; what it says first: row 1 of price",
        ),
        ("sum@id", "the proof says nothing of the sum of id"),
    ] {
        bench.run(&[&verify[..], &["--expect", claim]].concat()).is(1, &[said]);
    }
    let inspected = bench.json(&["inspect", "c"]);
    check("inspect of a commitment", &inspected);
    check("commit", &bench.json(&["commit", "trades.csv", "-c", "price", "-c", "amount", "-o", "again"]));
    assert_eq!(inspected["columns"][1], json!({ "name": "amount", "decimals": 0 }));
    assert_eq!(inspected["table"], "trades.csv");
    bench.ok(&["inspect", "p"]);
    // The names once more, in their order.
    bench.ok(&[&open[..7], &["-c", "price", "-c", "amount", "-o", "q"]].concat());
    let data = bench.json(&["data", "trades.csv", "-c", "price", "-c", "amount"]);
    check("data", &data);
    assert_eq!((&data["columns"][0]["sum"], &data["rows"]), (&json!("17.625"), &json!(5)));
    let compared =
        bench.json(&["compare", "trades.csv", "-c", "price", "-c", "amount", "--field", "koalabear"]);
    check("compare", &compared);
    assert!(compared["command"].as_str().unwrap().contains("--column price --column amount"));
    assert!(compared["cases"].as_array().unwrap().iter().all(|case| case["scheme"] == "pip"));
}

#[test]
fn other_columns_are_refused() {
    let bench = committed(&[]);
    let open = ["open", "trades.csv", "--commitment", "c", "--row", "1", "-o", "p"];
    for columns in [&["-c", "amount", "-c", "price"][..], &["-c", "price"], &["-c", "id", "-c", "amount"]] {
        bench
            .run(&[&open[..], columns].concat())
            .is(2, &["these are not the columns of c", "the commitment names them"]);
    }
    bench.write("trades.csv", TRADES.replace("12,c", "13,c").as_bytes());
    bench.run(&open).is(2, &["these are not the columns of c"]);
    bench.write("trades.csv", TRADES.replace("amount", "volume").as_bytes());
    bench.run(&open).is(2, &["no column"]);
    let commit = |more: &[&str]| bench.run(&[&["commit", "trades.csv", "-o", "d"][..], more].concat());
    commit(&["-c", "id", "-c", "id"]).is(2, &["two columns have the name id"]);
    commit(&["-c", "id", "-c", "missing"]).is(2, &["no column"]);
    commit(&["-c", "id", "-c", "note"]).is(2, &["row 0"]);
    commit(&["-c", "id", "-c", "price", "--scheme", "ligerito"]).is(2, &["--column is about columns"]);
    commit(&["-c", "id", "-c", "price", "--keep-witness"]).is(2, &["keeps no witness"]);
    commit(&["-c", "id", "-c", "price", "--inner", "two-chains"]).is(2, &["two chains open a single column"]);
    commit(&["-c", "id", "-c", "price", "--max-memory", "1MiB"]).is(4, &["memory"]);
    bench.run(&["commit", "-", "-c", "id", "-c", "price", "-o", "d"]).is(2, &["standard input is read once"]);
    bench
        .run(&["open", "-", "--commitment", "c", "--row", "1", "-o", "p"])
        .is(2, &["standard input is read once"]);
    #[cfg(unix)]
    for command in ["data", "compare", "commit"] {
        bench
            .run(&[command, "/dev/null", "-c", "id", "-c", "price"])
            .is(2, &["/dev/null is read once, and a table is read once for each column"]);
    }
    bench.run(&["tour", "trades.csv", "-c", "id", "-c", "price"]).is(2, &["takes one --column"]);
    assert!(!bench.path("d").exists());
}

#[test]
fn a_compressed_table_is_the_table() {
    let bench = committed(&[]);
    let committed = bench.json(&["inspect", "c"])["fingerprint"].clone();
    bench.write("trades.csv.gz", &super::input::gzip(TRADES.as_bytes()));
    let again = bench.json(&["commit", "trades.csv.gz", "-c", "price", "-c", "amount", "-o", "g"]);
    assert_eq!(again["fingerprint"], committed);
}

#[test]
fn weighted_sums_are_of_all_columns() {
    let bench = committed(&[]);
    bench.write("w.csv", b"w\n0.5\n2\n1\n0\n-1.5\n");
    let weights = ["--weights", "w.csv"];
    let open = ["open", "trades.csv", "--commitment", "c", "--mean", "-o", "p"];
    let opened = bench.json(&[&open[..], &weights].concat());
    check("open", &opened);
    let verify = [&["verify", "p", "--commitment", "c"][..], &weights].concat();
    let verified = bench.json(&verify);
    check("verify", &verified);
    let readings = verified["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 4);
    assert_eq!((&readings[2]["of"], &readings[2]["column"]), (&json!("weighted sum"), &json!("amount")));
    let met = ["--expect", "weighted-sum@price=-1.125", "--expect", "weighted-mean@amount=-13.75"];
    bench.ok(&[&verify[..], &met].concat());
    bench
        .run(&[&verify[..], &["--expect", "weighted-sum@amount=1"]].concat())
        .is(1, &["the proof is of another value than 1"]);
    bench.ok(&["inspect", "p"]);
    bench.write("v.csv", b"w\n0.5\n2\n1\n0\n-1.4\n");
    bench.run(&["verify", "p", "--commitment", "c", "--weights", "v.csv"]).is(1, &["other weights"]);
    bench.run(&["verify", "p", "--commitment", "c"]).is(2, &["weights"]);
}

#[test]
fn sums_of_ranges_are_proven_of_columns_and_tables() {
    let bench = committed(&[]);
    let ranges = ["--sum-rows", "1..4", "--sum-rows", "4..5", "--row", "1"];
    let open = ["open", "trades.csv", "--commitment", "c", "-o", "p"];
    bench.ok(&[&open[..], &ranges].concat());
    let verify = ["verify", "p", "--commitment", "c"];
    let verified = bench.json(&verify);
    check("verify", &verified);
    let value = json!({ "of": "sum of rows", "row": null, "rows": [1, 4], "value": "13", "column": "amount",
        "modulus": "2130706433" });
    assert!(verified["readings"].as_array().unwrap().contains(&value), "{verified}");
    bench.ok(&[&verify[..], &["--expect", "sum:1..4@amount=13", "--expect", "sum:4..5@price=1"]].concat());
    bench
        .run(&[&verify[..], &["--expect", "sum:1..5@amount"]].concat())
        .is(1, &["the proof says nothing of the sum of rows 1 to 4 of amount"]);
    bench.run(&[&open[..], &["--sum-rows", "4..6"]].concat()).is(2, &["there is no row 5"]);
    for bad in ["4..4", "4", "..4", "4..3", "-1..3", "1..=3", "1...3"] {
        bench.run(&[&open[..], &[&format!("--sum-rows={bad}")[..]]].concat()).is(2, &["rows are wanted as"]);
    }
    bench.ok(&["commit", "trades.csv", "-c", "amount", "-o", "a", "--keep-witness"]);
    bench.ok(&["open", "--commitment", "a", "--witness", "a.witness", "--sum-rows", "0..3", "-o", "q"]);
    bench.ok(&["verify", "q", "--commitment", "a", "--expect", "sum:0..3=20"]);
    bench.write("b.bin", &[7; 300]);
    bench.ok(&["commit", "b.bin", "-o", "b"]);
    bench
        .run(&["open", "b.bin", "--commitment", "b", "--sum-rows", "0..3", "-o", "r"])
        .is(2, &["--sum-rows does not go with"]);
}

#[test]
fn sums_of_products_are_proven() {
    let bench = committed(&[]);
    let open = ["open", "trades.csv", "--commitment", "c", "-o", "p"];
    let product = ["--product", "price", "amount"];
    let opened = bench.json(&[&open[..], &product].concat());
    check("open", &opened);
    // 12.5 * 7 - 3 * 1 + 0.125 * 12 + 7 * 0 + 1 * 30
    let claim = opened["claims"][0].as_str().unwrap();
    assert!(
        claim.starts_with("the sum over all 5 rows of the products of price and amount is 116.000 modulo")
    );
    let verify = ["verify", "p", "--commitment", "c"];
    let verified = bench.json(&verify);
    check("verify", &verified);
    let reading = &verified["readings"][0];
    assert_eq!(
        (&reading["of"], &reading["columns"]),
        (&json!("sum of products"), &json!(["price", "amount"]))
    );
    assert_eq!(reading["value"], "116.000");
    bench.ok(&[&verify[..], &["--expect", "product@price@amount=116", "--expect", "product@amount@price"]]
        .concat());
    for (claim, said) in [
        ("product@price@amount=117", "the proof is of another value than 117"),
        ("product@amount@amount", "the proof says nothing of the sum of products of amount and amount"),
        ("sum@price", "the proof says nothing of the sum of price"),
    ] {
        bench.run(&[&verify[..], &["--expect", claim]].concat()).is(1, &[said]);
    }
    bench
        .run(&[&verify[..], &["--weights", "trades.csv", "--weights-column", "id"]].concat())
        .is(2, &["no weights"]);
    bench.ok(&["inspect", "p"]);
    let squares = bench.json(&[&open[..], &["--product", "amount", "amount"]].concat());
    let claim = squares["claims"][0].as_str().unwrap();
    assert!(claim.starts_with("the sum over all 5 rows of the squares of amount is 1094 modulo"), "{claim}");
    let refused = |more: &[&str]| bench.run(&[&open[..], more].concat());
    refused(&["--product", "price", "id"]).is(2, &["no column `id` was committed to"]);
    refused(&["--product", "price"]).is(2, &["2 values required"]);
    refused(&["--product", "price", "amount", "--sum"]).is(2, &["cannot be used with"]);
    refused(&["--product", "price", "amount", "--max-memory", "1MiB"]).is(4, &["memory"]);
    // Of one column, by a witness that was kept.
    bench.ok(&["commit", "trades.csv", "-c", "amount", "-o", "a", "--keep-witness"]);
    let kept =
        ["open", "--commitment", "a", "--witness", "a.witness", "-o", "q", "--product", "amount", "amount"];
    bench.ok(&kept);
    bench.ok(&["verify", "q", "--commitment", "a", "--expect", "product@amount@amount=1094"]);
    let hidden = committed(&["--hiding", "1"]);
    let open = ["open", "trades.csv", "--commitment", "c", "--secret", "c.secret", "-o", "p"];
    hidden.run(&[&open[..], &product].concat()).is(2, &["commit without hiding"]);
    bench.write("b.bin", &[7; 300]);
    bench.ok(&["commit", "b.bin", "-o", "b"]);
    bench
        .run(&["open", "b.bin", "--commitment", "b", "--product", "a", "b", "-o", "r"])
        .is(2, &["inner product"]);
}

#[test]
fn parameters_are_for_a_number_of_columns() {
    let bench = committed(&[]);
    let two =
        ["params", "--log-size", "3", "--polynomials", "2", "--field", "goldilocks", "-o", "two.params"];
    assert!(bench.ok(&two).out.contains("2^3 entries of each of 2 columns"));
    bench.ok(&["params", "--log-size", "3", "--field", "goldilocks", "-o", "one.params"]);
    let commit = ["commit", "trades.csv", "-c", "price", "-c", "amount", "-o", "d", "--params"];
    let by = |params| [&commit[..], &[params]].concat();
    bench.run(&by("one.params")).is(2, &["the parameters are for 1 column(s), and there are 2"]);
    bench.ok(&by("two.params"));
    bench.ok(&["open", "trades.csv", "--commitment", "d", "--sum", "-o", "p"]);
    bench.ok(&["verify", "p", "--commitment", "d", "--expect", "sum@amount=50"]);
    bench
        .run(&["commit", "trades.csv", "-c", "price", "-o", "e", "--params", "two.params"])
        .is(2, &["the parameters are for 2 column(s), and there are 1"]);
}

#[test]
fn rows_of_hidden_tables_are_opened() {
    let bench = committed(&["--hiding", "1"]);
    let open = ["open", "trades.csv", "--commitment", "c", "--secret", "c.secret", "-o", "p"];
    bench.run(&[&open[..], &["--sum"]].concat()).is(2, &["power of two"]);
    bench.ok(&[&open[..], &["--row", "4"]].concat());
    bench.ok(&[
        "verify",
        "p",
        "--commitment",
        "c",
        "--expect",
        "row:4@amount=30",
        "--expect",
        "row:4@price=1",
    ]);
    let open = ["open", "trades.csv", "--commitment", "c", "--secret", "c.secret", "-o", "q", "--row", "3"];
    bench.run(&open).is(2, &["opening"]);
}

/// Columns whose names are too long together are refused before any of them is looked for.
#[test]
fn too_many_columns_are_refused_before_they_are_read() {
    let bench = Bench::new(FIVE);
    let names: Vec<String> = (0..16_384).map(|i| format!("c{i}")).collect();
    let columns: Vec<&str> = names.iter().flat_map(|name| ["-c", name.as_str()]).collect();
    let refused = bench.run(&[&["commit", "data.csv", "-o", "c"], &columns[..]].concat());
    refused.is(
        2,
        &[
            "longer than 1 MiB: give them shorter names, or commit to fewer columns",
            "hint: give shorter names",
        ],
    );
    let few = bench.run(&[&["commit", "data.csv", "-o", "c"], &columns[..8]].concat());
    few.is(2, &["no column `c0`"]);
}

/// The refusal of a commitment without products names the option for one with them.
#[test]
fn a_commitment_of_two_chains_has_no_products() {
    let bench = Bench::new(FIVE);
    let commit =
        ["commit", "data.csv", "-c", "price", "--inner", "two-chains", "--unique-decoding", "-o", "c"];
    bench.ok(&commit);
    let refused =
        bench.run(&["open", "data.csv", "--commitment", "c", "--product", "price", "price", "-o", "p"]);
    refused.is(
        2,
        &[
            "an inner product takes 4 linear forms in one opening",
            "hint: commit again with `--inner recursion`",
        ],
    );
}
