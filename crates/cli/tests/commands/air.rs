//! Air-FRI by the commands: hidden words with their secret, and univariate evaluations.

use super::bench::{Bench, FIVE};

const SECRET: &str = "data.commitment.secret";

/// With `data.bin` of seventeen bytes and `data.commitment` to it.
fn committed(options: &[&str]) -> Bench {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", b"any bytes at all!");
    bench.ok(&[&["commit", "data.bin", "--scheme", "air"], options].concat());
    bench
}

#[test]
fn hidden_words_are_opened_by_the_secret() {
    let bench = committed(&["--hiding", "1"]);
    let inspected = bench.json(&["inspect", "data.commitment"]);
    assert!(inspected["source_blake3"].is_null() && inspected["hidden_openings"] == 1, "{inspected}");
    let open = ["open", "data.bin", "--commitment", "data.commitment", "--row", "1"];
    bench.run(&open).is(2, &["opening it needs its secret"]);
    let open = [&open[..], &["--secret", SECRET]].concat();
    bench.ok(&open).is(0, &["64-bit word 1 of data.bin is", "hidden openings left: 0 of 1"]);
    let verified = bench.ok(&["verify", "data.proof", "--commitment", "data.commitment"]);
    let word = u64::from_le_bytes(*b"s at all");
    verified.is(0, &[&format!("({word})"), "mask number 0"]);
    bench.run(&[&open[..], &["-o", "second.proof"]].concat()).is(2, &["no opening is left"]);
    bench
        .run(&["commit", "data.bin", "--scheme", "air", "--hiding", "1", "--entries", "bytes"])
        .is(2, &["bytes are hidden as words of 64 bits", "hint:"]);
    let report =
        bench.json(&["params", "--scheme", "air", "--log-size", "16", "--hiding", "2", "--bits", "256"]);
    assert!(report["proven_bits"].as_f64().unwrap() >= 256.0 && report["hidden_openings"] == 2, "{report}");
}

#[test]
fn several_points_are_evaluated_in_one_proof() {
    let bench = committed(&["--bits", "192"]);
    let open = ["open", "data.bin", "--commitment", "data.commitment"];
    bench.ok(&[&open[..], &["--evaluate", "3", "--row", "2", "--evaluate", "1000000"]].concat());
    let said =
        bench.ok(&["verify", "data.proof", "--commitment", "data.commitment", "--min-bits", "192"]).err;
    let polynomial = "the polynomial with the bytes of data.bin and its padding as coefficients at 0x";
    assert_eq!(said.matches(polynomial).count(), 2, "{said}");
    assert!(said.contains("byte 2 of data.bin is 0x79 (121)"), "{said}");
}
