//! `compare`: what it shows can be committed with, its filters, and its end by Ctrl-C.

use crate::bench::{Bench, FIVE};
use serde_json::Value;

/// Rows in JSON.
fn rows(bench: &Bench, args: &[&str]) -> Vec<Value> {
    bench.json(&[&["compare"], args].concat()).as_array().unwrap().clone()
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap()
}

/// Every row that names options of `commit` is what they give: scheme, fields, bits and size of the commitment.
#[test]
fn what_is_shown_can_be_committed_with() {
    let bench = Bench::new(FIVE);
    bench.write("program", b"\x7fELF\x02\x01\x01\0 and so on");
    let filter = ["--field", "koalabear,goldilocks,mersenne61", "--scheme", "pip,ligerito,deepfold"];
    for (input, bits) in [(&["data.csv", "-c", "price"][..], "100"), (&["program"], "128")] {
        let found = rows(&bench, &[input, &["--bits", bits], &filter].concat());
        let (possible, others): (Vec<_>, Vec<_>) = found.iter().partition(|row| row["commit"].is_string());
        assert!(possible.len() > 3 && !others.is_empty(), "{found:?}");
        for row in possible {
            let options: Vec<&str> = text(row, "commit").split(' ').collect();
            let committed = bench.json(&[&["commit"], input, &options[..], &["-o", "c"]].concat());
            let inspected = bench.json(&["inspect", "c"]);
            assert_eq!(row["parameters"], inspected["parameters"], "{row} {committed}");
            assert_eq!(text(row, "regime"), text(&inspected, "regime"));
            let bits = |value: &Value| value["proven_bits"].as_f64().unwrap();
            assert!((bits(row) - bits(&committed)).abs() < 1e-9, "{row} {committed}");
        }
        assert!(
            others
                .iter()
                .all(|row| text(row, "scheme") == "deepfold" || text(row, "field").contains("GF(2^32)"))
        );
    }
}

#[test]
fn filters_and_limits() {
    let bench = Bench::new(FIVE);
    let input = ["data.csv", "-c", "price", "--bits", "100"];
    let one = rows(&bench, &[&input[..], &["--scheme", "pip", "--field", "koalabear"]].concat());
    assert!(
        one.len() == 2
            && one.iter().all(|r| text(r, "scheme") == "pip" && text(r, "field").contains("koalabear"))
    );
    // The cheap ones come first, and what is predicted to take longer is said to be left out.
    let limited = bench.ok(&[
        &["compare"],
        &input[..],
        &["--scheme", "pip,deepfold", "--max-time", "0.000001ms", "-o", "page.html"],
    ]
    .concat());
    assert!(limited.err.lines().filter(|line| line.starts_with("skipped: ")).count() > 3, "{limited:?}");
    let page = String::from_utf8(bench.read("page.html")).unwrap();
    assert!(page.contains("Not measured: "));
    bench
        .run(
            &[&["compare"], &input[..], &["--scheme", "ligerito", "--field", "auto", "--max-time", "never"]]
                .concat(),
        )
        .is(2, &["never"]);
    bench.write("long.csv", format!("id\n{}\n", u128::MAX / 5).as_bytes());
    bench
        .run(&["compare", "long.csv", "--field", "koalabear"])
        .is(2, &["nothing of what is asked for", "hint:"]);
}

/// Ctrl-C keeps what there is, and the page is written.
#[cfg(unix)]
#[test]
fn an_interruption_keeps_the_rows() {
    let bench = Bench::new(FIVE);
    let numbers: String = (0..1 << 15).map(|i| format!("{i}\n")).collect();
    bench.write("large.csv", format!("n\n{numbers}").as_bytes());
    // The first row has come when the interruption does.
    let line = "$TENFOLD compare large.csv --bits 100 --field koalabear,bn254 -o page.html >rows 2>said & child=$!; \
                while [ $(wc -l <rows) -lt 3 ] && kill -0 $child; do sleep 0.02; done; kill -INT $child; wait $child";
    let ran = bench.shell(&format!("set -m; {line}"));
    assert_eq!(ran.code(), Some(130), "{ran:?}");
    let rows = String::from_utf8(bench.read("rows")).unwrap();
    assert!(rows.lines().nth(2).unwrap().starts_with("pip"), "{rows}");
    let said = String::from_utf8(bench.read("said")).unwrap();
    assert!(said.contains("interrupted") && said.contains("page written to page.html"), "{said}");
    assert!(String::from_utf8(bench.read("page.html")).unwrap().contains("interrupted"));
}
