//! Columns that are asked for, of one machine and of ranks.

use super::bench::Bench;

const COLUMN: [&str; 4] = ["-c", "price", "--bits", "100"];

/// Columns are parameters like others: one machine and ranks make the same files with the same option, and a folder of shards has them.
#[test]
fn columns_are_those_of_one_machine() {
    let rows: String = (0..4000).map(|i| format!("{}\n", i * 5 % 997)).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    bench.write("any.bin", &[7; 5000]);
    let mut lengths = Vec::new();
    for (data, options) in [
        ("data.csv", &["-c", "price", "--bits", "100", "--columns", "256"][..]),
        ("data.csv", &["-c", "price", "--bits", "100", "--columns", "ranks"]),
        ("data.csv", &["-c", "price", "--bits", "100", "--columns", "cheapest"]),
        ("any.bin", &["--bits", "100", "--columns", "128"]),
    ] {
        bench.ok(&[&["commit", data, "--parts", "4", "-o", "c"], options].concat());
        let open = [&["open", data, "--commitment", "c", "--row", "3", "-o", "p"], &options[..2]].concat();
        bench.ok(if data == "any.bin" { &open[..open.len() - 2] } else { &open });
        let prove =
            ["cluster", "prove", data, "--ranks", "4", "--row", "3", "-o", "p4", "--commitment", "c4"];
        bench.ok(&[&prove[..], options].concat());
        for [one, ranks] in [["c", "c4"], ["p", "p4"]] {
            assert_eq!(bench.read(one), bench.read(ranks), "{data} {options:?}");
        }
        bench.ok(&["verify", "p4", "--commitment", "c", "--min-bits", "100"]);
        lengths.push(bench.read("p4").len());
    }
    assert!(lengths[0] > lengths[2] && lengths[1] > lengths[2], "{lengths:?}");
    let shard = ["cluster", "shard", "data.csv", "-d", "shards", "--columns", "256"];
    bench.ok(&[&shard[..], &COLUMN].concat());
    let prove = ["cluster", "prove", "--shards", "shards", "--row", "3", "-o", "ps", "--commitment", "cs"];
    bench.ok(&[&prove[..], &["--bits", "100"]].concat());
    let shown = bench.json(&["inspect", "cs"]);
    assert!(shown.to_string().contains("256 columns"), "{shown}");
    bench.run(&[&prove[..], &["--columns", "64"]].concat()).is(2, &["--columns", "--shards"]);
    let commit = ["commit", "data.csv", "-c", "price", "--columns"];
    for (columns, said) in
        [("8192", "8192 columns are asked for"), ("100", "no power of two"), ("131072", "up to 65536")]
    {
        bench.run(&[&commit[..], &[columns]].concat()).is(2, &[said]);
    }
}
