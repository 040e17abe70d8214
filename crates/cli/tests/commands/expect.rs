//! Claims that a verifier expects of a proof.

use super::bench::{Bench, FIVE};

/// A proof that holds and makes another claim than the one that is asked for is invalid for whoever asks.
#[test]
fn a_proof_must_make_the_claims_that_are_expected() {
    let bench = Bench::new(FIVE);
    bench.ok(&["commit", "data.csv", "-c", "price", "-o", "c"]);
    bench.ok(&["open", "data.csv", "-c", "price", "--commitment", "c", "--row", "4", "--mean", "-o", "p"]);
    let verify = ["verify", "p", "--commitment", "c"];
    let readings = bench.json(&verify)["readings"].clone();
    let value = |n: usize| readings[n]["value"].as_str().unwrap().to_owned();
    let (row, sum, mean) =
        (format!("row:4={}0", value(0)), format!("sum={}", value(1)), format!("mean={}", value(2)));
    let met = ["--expect", &row, "--expect", "row:4", "--expect", &sum, "--expect", &mean];
    bench.ok(&[&verify[..], &met].concat());
    bench.run(&["verify", "p", "--self-contained", "--expect", &sum]).is(3, &["valid"]);
    for (claim, said) in [
        ("row:3", "the proof says nothing of row 3; what it says first: row 4 of price is "),
        ("row:4=1", "the proof is of another value than 1: row 4 of price is "),
        ("sum=1", "the proof is of another value than 1: the sum of all 5 rows of price is "),
        ("entry:4", "the proof says nothing of entry 4"),
        ("weighted-sum", "the proof says nothing of the weighted sum"),
    ] {
        for more in [&["--expect", claim][..], &["--expect", "sum", "--expect", claim]] {
            bench.run(&[&verify[..], more].concat()).is(1, &[said]);
        }
    }
    bench
        .run(&[&verify[..], &["--expect", "row=4"]].concat())
        .is(2, &["`row=4` names no claim: write `sum`"]);
    // That the commitment is another one comes first.
    bench
        .run(&["verify", "p", "--fingerprint", &"00".repeat(32), "--expect", "row:3"])
        .is(1, &["another commitment"]);
}

/// A value at a point is worth nothing to who does not know the point.
#[test]
fn points_are_expected_and_shown() {
    let bench = Bench::new(FIVE);
    bench.ok(&["commit", "data.csv", "-c", "price", "--field", "koalabear", "-o", "c"]);
    let open = ["open", "data.csv", "-c", "price", "--commitment", "c", "--force"];
    bench.ok(&[&open[..], &["--evaluate", "7", "--evaluate", "-1", "--point", "2,-1,3", "-o", "p"]].concat());
    let verify = ["verify", "p", "--commitment", "c"];
    let verified = bench.json(&verify);
    super::json_page::check("verify", &verified);
    let readings = &verified["readings"];
    assert_eq!(readings[0]["point"], serde_json::json!(["2", "-1", "3"]), "{readings}");
    assert_eq!((&readings[1]["evaluated_at"], &readings[2]["evaluated_at"]), (&"7".into(), &"-1".into()));
    assert!(readings[1]["column"] == "price" && readings[1]["modulus"] == "2130706433", "{readings}");
    let value = readings[2]["value"].as_str().unwrap();
    let met = [format!("evaluate:-1={value}"), "evaluate:7@price".into(), "point:2,-1,3".into()];
    met.iter().for_each(|expected| drop(bench.ok(&[&verify[..], &["--expect", expected]].concat())));
    for (claim, said) in [
        ("evaluate:8", "the proof says nothing of the evaluation at 8; what it says first: "),
        ("evaluate:7=1", "the proof is of another value than 1: the polynomial with price"),
        ("point:2,-1", "the proof says nothing of the value at the point (2, -1)"),
        ("sum", "the proof says nothing of the sum"),
    ] {
        bench.run(&[&verify[..], &["--expect", claim]].concat()).is(1, &[said]);
    }
    bench
        .run(&[&open[..], &["--point", "0,0,1", "--point", "1,0,0", "-o", "q"]].concat())
        .is(2, &["cannot be used multiple times"]);
    // A mean is one of a sum that is known modulo the prime.
    bench.ok(&[&open[..], &["--mean", "-o", "m"]].concat());
    let readings = bench.json(&["verify", "m", "--commitment", "c"])["readings"].clone();
    assert_eq!(readings[1]["of"], "mean");
    assert!(readings[1]["modulus"].is_string() && readings[1]["modulus"] == readings[0]["modulus"]);
}

/// The commitment names the column and its decimals.
#[test]
fn a_column_is_opened_by_the_name_that_was_committed_to() {
    let bench = Bench::new(FIVE);
    bench.write("two.csv", b"id,price\n0,1.5\n1,2\n2,3.25\n");
    bench.write("less.csv", b"id,price\n0,1.5\n1,2\n2,3.2\n");
    bench.ok(&["commit", "two.csv", "-c", "price", "--scale", "3", "-o", "c"]);
    let open = ["open", "two.csv", "--commitment", "c", "--sum", "--force", "-o", "p"];
    bench.ok(&open);
    bench.ok(&["verify", "p", "--commitment", "c", "--expect", "sum@price=6.75"]);
    bench.ok(&[&open[..], &["-c", "price", "--scale", "3"]].concat());
    for (file, more) in [("two.csv", &["-c", "id"][..]), ("two.csv", &["--scale", "2"]), ("less.csv", &[])] {
        let open = ["open", file, "--commitment", "c", "--sum", "--force", "-o", "p"];
        bench.run(&[&open[..], more].concat()).is(2, &["this is not the column of c"]);
    }
    bench.write("none.csv", b"id,cost\n0,1.5\n");
    bench.run(&["open", "none.csv", "--commitment", "c", "--sum", "-o", "q"]).is(2, &["no column `price`"]);
}

/// Every option that a verifier needs is named where the commitment is made.
#[test]
fn a_commitment_names_what_verifiers_need() {
    let bench = Bench::new(FIVE);
    for (options, accepted) in [
        (&[][..], None),
        (&["--bits", "100"][..], Some("--min-bits 100")),
        (&["--theorems", "dkt26"], Some("--theorems dkt26")),
        (&["--bits", "100", "--theorems", "dkt26"], Some("--min-bits 100 --theorems dkt26")),
        (&["--interactive-bits", "120"], None),
    ] {
        let commit = ["commit", "data.csv", "-c", "price", "--force", "-o", "c"];
        let said = bench.ok(&[&commit[..], options].concat()).err;
        let found = said.split("accept it with ").nth(1).map(|rest| rest.lines().next().unwrap());
        // Where few rows are committed to, parameters may prove the bits by every theorem.
        let by_all =
            || bench.run(&["verify", "p", "--commitment", "c", "--min-bits", "100"]).code() == Some(0);
        let open =
            ["open", "data.csv", "-c", "price", "--commitment", "c", "--row", "1", "--force", "-o", "p"];
        let more: Vec<&str> = found.unwrap_or_default().split_whitespace().collect();
        bench.ok(&[&open[..], &more].concat());
        bench.ok(&[&["verify", "p", "--commitment", "c"][..], &more].concat());
        assert!(found == accepted || by_all(), "{options:?}: {said}");
    }
}

#[test]
fn claims_about_bytes_and_weights_are_expected_likewise() {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", &[7; 3000]);
    bench.write("w.bin", &[9; 3000]);
    bench.ok(&["commit", "data.bin", "-o", "c"]);
    bench.ok(&["open", "data.bin", "--commitment", "c", "--row", "5", "-o", "p"]);
    bench.ok(&["verify", "p", "--commitment", "c", "--expect", "entry:5=7"]);
    bench
        .run(&["verify", "p", "--commitment", "c", "--expect", "entry:5=8"])
        .is(1, &["another value than 8"]);
    // A value is named as it was written.
    for value in ["0x0", "0x0008", "000.50"] {
        let verify = ["verify", "p", "--commitment", "c", "--expect", &format!("entry:5={value}")];
        bench.run(&verify).is(1, &[&format!("the proof is of another value than {value}: byte 5")]);
    }
    bench.ok(&["open", "data.bin", "--commitment", "c", "--weights", "w.bin", "-o", "w"]);
    let verify = ["verify", "w", "--commitment", "c", "--weights", "w.bin"];
    let product = bench.json(&verify)["readings"][0]["value"].as_str().unwrap().to_owned();
    bench.ok(&[&verify[..], &["--expect", &format!("inner-product={product}")]].concat());
    bench.run(&[&verify[..], &["--expect", "inner-product=0x1"]].concat()).is(1, &["another value than 0x1"]);
}

#[cfg(feature = "ring")]
#[test]
fn a_ring_signature_makes_no_claims_about_data() {
    let bench = Bench::new(FIVE);
    for key in ["a", "b"] {
        bench.ok(&["ring", "keygen", "-o", key]);
    }
    bench.ok(&["ring", "commit", "a.pub", "b.pub", "-o", "m.ring"]);
    bench.ok(&["ring", "prove", "m.ring", "--key", "a", "--context", "c", "--message", "m", "-o", "s"]);
    let verify = ["verify", "s", "--commitment", "m.commitment", "--expect", "sum"];
    bench.run(&verify).is(2, &["makes no claims about data", "ring verify"]);
}
