//! `compare`: what it shows can be committed with, its filters, and its end by Ctrl-C.

use crate::bench::{Bench, FIVE};
use crate::json::check;
use serde_json::Value;
use std::collections::BTreeSet;

/// Rows in JSON.
fn rows(bench: &Bench, args: &[&str]) -> Vec<Value> {
    bench.json(&[&["compare"], args].concat())["cases"].as_array().unwrap().clone()
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
            assert_eq!(row["parameters_digest"], inspected["parameters_digest"], "{row} {committed}");
            assert_eq!(row["theorems"], inspected["theorems"]);
            assert_eq!(text(row, "regime"), text(&inspected, "regime"));
            let bits = |value: &Value| value["proven_bits"].as_f64().unwrap();
            assert!((bits(row) - bits(&committed)).abs() < 1e-9, "{row} {committed}");
            theorems_are_counted(row);
        }
        assert!(
            others
                .iter()
                .all(|row| text(row, "scheme") == "deepfold" || text(row, "field").contains("GF(2^32)"))
        );
    }
}

/// Bits under each theorem, with and without work; those of the row are the least under the admitted ones.
fn theorems_are_counted(row: &Value) {
    let under = row["by_theorem"].as_object().unwrap();
    let names: BTreeSet<_> = under.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["bciks20", "bchks25", "bchks25-4.6", "dkt26"]));
    assert_eq!(text(row, "theorems"), "bchks25, dkt26");
    for which in ["proven_bits", "interactive_bits"] {
        let of = |value: &Value| value[which].as_f64().unwrap();
        let least = of(&under["bchks25"]).min(of(&under["dkt26"]));
        // Each term is counted by its own least theorem, so that the sum may be a little below either.
        assert!(of(row) <= least + 1e-9 && of(row) > least - 1.0, "{row}");
    }
    assert!(row["interactive_bits"].as_f64() <= row["proven_bits"].as_f64());
}

/// On the terminal and on the page.
#[test]
fn bits_with_and_without_work_are_shown() {
    let bench = Bench::new(FIVE);
    let input =
        ["data.csv", "-c", "price", "--bits", "100", "--field", "koalabear", "--scheme", "pip,ligerito"];
    let shown = bench.ok(&[&["compare"], &input[..], &["-o", "page.html"]].concat());
    assert!(shown.out.lines().next().unwrap().contains("bits  no work"), "{}", shown.out);
    assert!(shown.out.contains("bits: the least under bchks25, dkt26, with proof of work and without"));
    let page = String::from_utf8(bench.read("page.html")).unwrap();
    for theorem in ["bciks20", "bchks25", "bchks25-4.6", "dkt26"] {
        assert!(page.contains(&format!(">{theorem}</th>")), "{theorem}");
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
    bench.write("long.csv", format!("price\n{}", "7\n".repeat(1 << 13)).as_bytes());
    let within = |limit: &str| {
        let options = ["--bits", "100", "--scheme", "pip,deepfold", "--max-time", limit, "-o", "page.html"];
        bench.run(&[&["compare", "long.csv"], &options[..]].concat())
    };
    let refused = within("0.000001ms");
    refused.is(2, &["nothing of what is asked for takes at most", "allow more by --max-time"]);
    assert!(!bench.path("page.html").exists(), "a page without a row");
    let (_, about) = refused.err.split_once("the fastest takes about ").unwrap();
    let fastest: f64 = about.split_once(" ms").unwrap().0.parse().unwrap();
    let limited = within(&format!("{}ms", 1.1 * fastest));
    limited.is(0, &[]);
    assert!(limited.err.lines().filter(|line| line.starts_with("skipped: ")).count() > 3, "{limited:?}");
    assert!(limited.out.contains("bits: the least under bchks25, dkt26, "), "{}", limited.out);
    let page = String::from_utf8(bench.read("page.html")).unwrap();
    assert!(page.contains("Not measured: "));
    bench
        .run(
            &[&["compare"], &input[..], &["--scheme", "ligerito", "--field", "auto", "--max-time", "never"]]
                .concat(),
        )
        .is(2, &["never"]);
    bench.write("wide.csv", format!("id\n{}\n", u128::MAX / 5).as_bytes());
    bench
        .run(&["compare", "wide.csv", "--field", "koalabear"])
        .is(2, &["nothing of what is asked for", "hint: ask for fewer --bits, or for other"]);
    // There are no fewer bits to ask for.
    let least = ["compare", "wide.csv", "--field", "koalabear", "--bits", "100"];
    bench.run(&least).is(2, &["proves 100 bits", "hint: ask for other schemes"]);
}

/// A commitment's bits are shown by the theorems that are asked for: those of one alone are no fewer than by both.
#[test]
fn a_commitment_is_inspected_by_theorems() {
    let bench = Bench::committed(FIVE, &["--bits", "100"]);
    let bits = |options: &[&str]| {
        let value = bench.json(&[&["inspect", "data.commitment"], options].concat());
        (value["proven_bits"].as_f64().unwrap(), text(&value, "theorems").to_owned())
    };
    let (both, named) = bits(&[]);
    assert_eq!(named, "bchks25, dkt26");
    for theorem in ["bchks25", "dkt26"] {
        let (alone, named) = bits(&["--theorems", theorem]);
        assert!(alone >= both && named == theorem, "{theorem}: {alone} of {both}");
    }
    let (all, named) = bits(&["--theorems", "bciks20,bchks25,dkt26"]);
    assert!(all < both && named.contains("bciks20"), "{all} of {both}");
    bench.run(&["inspect", "data.commitment", "--theorems", "none"]).is(2, &["none"]);
    // Of a proof no bits are shown.
    bench.ok(&[
        "open",
        "data.csv",
        "-c",
        "price",
        "--commitment",
        "data.commitment",
        "--min-bits",
        "100",
        "--sum",
    ]);
    let refused = bench.run(&["inspect", "data.proof", "--theorems", "dkt26"]);
    refused.is(2, &["--theorems is about the proven bits of a commitment, and this is a proof", "hint:"]);
}

/// The request, the data and the machine stand beside the numbers: the command makes the same rows again.
#[test]
fn numbers_come_with_what_they_are_of() {
    let bench = Bench::new(FIVE);
    let options = [
        "--bits",
        "100",
        "--theorems",
        "dkt26",
        "--hash",
        "sha256",
        "--scheme",
        "pip,deepfold",
        "--field",
        "koalabear",
        "--max-time",
        "2500ms",
    ];
    let input = ["compare", "data.csv", "--column", "price"];
    let value = bench.json(&[&input[..], &options, &["-o", "page.html"]].concat());
    let command = text(&value, "command");
    assert_eq!(command, format!("tenfold {} {}", input.join(" "), options.join(" ")));
    assert!(String::from_utf8(bench.read("page.html")).unwrap().contains(command));
    assert_eq!(value["data"], bench.json(&["data", "data.csv", "--column", "price"]));
    assert_eq!((&value["bits"], text(&value, "theorems")), (&Value::from(100), "dkt26"));
    let (machine, doctor) = (value["machine"].as_object().unwrap(), bench.json(&["doctor"]));
    check("doctor", &doctor);
    assert!(machine.len() > 4 && machine.iter().all(|(name, fact)| doctor[name] == *fact), "{machine:?}");
    assert_eq!(
        (&value["interrupted"], &value["skipped"]),
        (&Value::Bool(false), &Value::from(Vec::<Value>::new()))
    );
    let again: Vec<&str> = command.split(' ').skip(1).collect();
    let parameters = |value: &Value| -> Vec<Value> {
        value["cases"].as_array().unwrap().iter().map(|row| row["layout"].clone()).collect()
    };
    assert_eq!(parameters(&bench.json(&again)), parameters(&value));
    let rows = value["cases"].as_array().unwrap();
    assert!(rows.iter().any(|row| text(row, "scheme") == "deepfold") && rows.len() > 2);
    rows.iter().for_each(bits_are_the_sum_of_the_terms);
}

/// The bits of a row are the union of its terms, and its layout says what is opened.
fn bits_are_the_sum_of_the_terms(row: &Value) {
    let number = |of: &Value, name: &str| of[name].as_f64().unwrap();
    let terms = row["terms"].as_array().unwrap();
    let errors = terms.iter().map(|term| (-number(term, "bits") - number(term, "grinding")).exp2());
    assert!((-errors.sum::<f64>().log2() - number(row, "proven_bits")).abs() < 1e-9, "{row}");
    assert!(text(&terms[terms.len() - 1], "label").starts_with("queries"), "{row}");
    let layout = row["layout"].as_array().unwrap();
    assert!(layout[0].as_str().unwrap().contains(" queries, ") && layout.len() > 1, "{row}");
}

/// Ctrl-C keeps what there is, and the page is written.
#[cfg(unix)]
#[test]
fn an_interruption_keeps_the_rows() {
    let bench = Bench::new(FIVE);
    let numbers: String = (0..1 << 15).map(|i| format!("{i}\n")).collect();
    bench.write("large.csv", format!("n\n{numbers}").as_bytes());
    // The first row has come when the interruption does.
    let line = "touch rows; $TENFOLD compare large.csv --bits 100 --field koalabear,bn254 -o page.html >rows 2>said & child=$!; \
                while [ $(wc -l <rows) -lt 3 ] && kill -0 $child; do sleep 0.02; done; kill -INT $child; wait $child";
    let ran = bench.shell(&format!("set -m; {line}"));
    assert_eq!(ran.code(), Some(130), "{ran:?}");
    let rows = String::from_utf8(bench.read("rows")).unwrap();
    assert!(rows.lines().nth(2).unwrap().starts_with("pip"), "{rows}");
    let said = String::from_utf8(bench.read("said")).unwrap();
    assert!(said.contains("interrupted") && said.contains("page written to page.html"), "{said}");
    assert!(String::from_utf8(bench.read("page.html")).unwrap().contains("interrupted"));
}

/// Digests are as wide as the bits ask, of every case that is measured; a narrower hash proves them for none.
#[test]
fn high_levels_are_measured_with_wide_digests() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    let column = ["data.csv", "-c", "price", "--field", "bn254"];
    for (input, bits, hash, scheme) in [
        (&["data.bin"][..], "192", "sha3-384", "air"),
        (&column, "192", "sha3-384", "deepfold"),
        (&["data.bin"], "256", "sha3-512", "air"),
    ] {
        let found = rows(&bench, &[input, &["--bits", bits]].concat());
        assert!(found.iter().any(|row| text(row, "scheme") == scheme), "{found:?}");
        for row in found {
            assert!(row["proven_bits"].as_f64().unwrap() >= bits.parse().unwrap(), "{row}");
            assert_eq!(text(&row, "assumptions"), format!("{hash} as a random oracle"));
        }
        let narrow = [&["compare"], input, &["--bits", bits, "--hash", "blake3"]].concat();
        bench.run(&narrow).is(2, &["nothing of what is asked for proves", "hint:"]);
    }
}

/// The options of a row give its parameters whichever theorems its bits are counted with.
#[test]
fn options_of_a_row_name_the_theorems() {
    let rows: String = (0..2000).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    for theorems in ["dkt26", "bchks25-4.6", "dkt26,bciks20"] {
        let compare = ["compare", "data.csv", "-c", "price", "--bits", "100", "--scheme", "pip"];
        let field = ["--field", "goldilocks", "--theorems", theorems];
        let compared = bench.json(&[&compare[..], &field].concat());
        for row in compared["cases"].as_array().unwrap() {
            let options: Vec<&str> = row["commit"].as_str().unwrap().split(' ').collect();
            assert!(options.contains(&"--theorems"), "{options:?}");
            bench.ok(&[&["commit", "data.csv", "-c", "price", "-o", "c"], &options[..]].concat());
            let inspected = bench.json(&["inspect", "c", "--theorems", theorems]);
            assert_eq!(inspected["parameters_digest"], row["parameters_digest"], "{options:?}");
            assert_eq!(inspected["proven_bits"], row["proven_bits"], "{options:?}");
        }
    }
}

/// Bits without work, and unique decoding, are those of every row, of the command of a row, and of the tour.
#[test]
fn rows_keep_to_bits_without_work_and_to_a_regime() {
    let rows: String = (0..2000).map(|i| format!("{i}\n")).collect();
    let bench = Bench::new(&format!("price\n{rows}"));
    for (asked, verified, least, regime) in [
        (&["--interactive-bits", "95"][..], &["--interactive-bits", "95"][..], 95.0, ""),
        (&["--interactive-bits", "110"], &["--interactive-bits", "110"], 110.0, ""),
        (&["--unique-decoding"], &["--unique-decoding"], 0.0, "unique decoding"),
    ] {
        let compare = ["compare", "data.csv", "-c", "price", "--bits", "100", "--field", "goldilocks,bn254"];
        let schemes = ["--scheme", "pip,deepfold,ligerito"];
        let compared = bench.json(&[&compare[..], &schemes, asked].concat());
        assert!(text(&compared, "command").contains(&asked.join(" ")), "{compared}");
        let cases = compared["cases"].as_array().unwrap();
        for scheme in ["pip", "deepfold", "ligerito"] {
            assert!(cases.iter().any(|row| text(row, "scheme") == scheme), "{scheme}: {asked:?}");
        }
        for row in cases {
            assert!(row["interactive_bits"].as_f64().unwrap() >= least, "{row}");
            assert!(row["proven_bits"].as_f64().unwrap() >= 100.0, "{row}");
            assert!(text(row, "regime").contains(regime), "{row}");
        }
        let pip = cases.iter().find(|row| text(row, "scheme") == "pip").unwrap();
        let options: Vec<&str> = text(pip, "commit").split(' ').collect();
        bench.ok(&[&["commit", "data.csv", "-c", "price", "--force", "-o", "c"], &options[..]].concat());
        let inspected = bench.json(&["inspect", "c"]);
        assert_eq!(inspected["parameters_digest"], pip["parameters_digest"], "{options:?}");
        let open = ["open", "data.csv", "-c", "price", "--commitment", "c", "--sum"];
        bench.ok(&[&open[..], &["--min-bits", "100", "--force", "-o", "p"]].concat());
        bench.ok(&[&["verify", "p", "--commitment", "c", "--min-bits", "100"], verified].concat());
    }
    let tour = ["tour", "data.csv", "-c", "price", "--bits", "100", "--unique-decoding", "-d", "t"];
    let toured = bench.json(&tour);
    for row in toured["cases"].as_array().unwrap() {
        assert!(text(row, "regime").contains("unique decoding"), "{row}");
    }
}

/// Air-FRI has no case of a column, and that is not for want of bits.
#[test]
fn air_is_not_compared_on_a_column() {
    let bench = Bench::new(FIVE);
    let compare = ["compare", "data.csv", "-c", "price", "--scheme", "air"];
    bench
        .run(&compare)
        .is(2, &["compared on bytes, and these data are a column of numbers", "leave --scheme out"]);
}
