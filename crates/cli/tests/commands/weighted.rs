//! Weighted sums and means: the whole way, every refusal, and the file.

use crate::bench::{Bench, FIVE, npy};
use serde_json::Value;

/// Opens `data.commitment` with weights into `data.proof`.
const OPEN: [&str; 8] =
    ["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--weights-column", "count"];

/// Weighted by `count` in the same table: the sum is 523.75, the weights add up to 15.
fn weighted(more: &[&str]) -> Bench {
    let bench = Bench::committed(FIVE, &[]);
    bench.ok(&[&OPEN[..], &["--weights", "data.csv"], more].concat());
    bench
}

const SUM: &str = "the sum of all 5 rows of price weighted by count is 523.75 modulo the koalabear prime \
    2130706433: the exact sum if that lies in [-10653532.16, 10653532.16]; then the weighted mean is 34.91666…";
const MEAN: &str = "the mean of all 5 rows of price weighted by count is 419/12 = 34.91666… \
    if that sum is the exact one";
const VERIFY: [&str; 4] = ["verify", "data.proof", "--weights", "data.csv"];

#[test]
fn open_and_verify_a_weighted_sum() {
    let bench = Bench::committed(FIVE, &[]);
    let opened = bench.ok(&[&OPEN[..], &["--weights", "data.csv"]].concat());
    assert!(opened.err.contains(&format!("proved: {SUM}")), "{}", opened.err);
    let verify = [&VERIFY[..], &["--weights-column", "count"]].concat();
    let verified = bench.ok(&[&verify[..], &["--commitment", "data.commitment"]].concat());
    assert!(verified.err.contains(&format!("valid: {SUM}")), "{}", verified.err);
    assert_eq!((verified.err.matches("valid:").count(), verified.out.as_str()), (1, ""));
    // The weights may come from any file that says the same numbers.
    bench.write("weights.json", b"[1, 2, 3, 4, 5]");
    let other = bench.ok(&["verify", "data.proof", "--weights", "weights.json"]);
    assert!(other.err.contains("weighted by weights.json is 523.75"), "{}", other.err);
    let json = bench.json(&verify);
    assert_eq!((&json["valid"], json["claims"][0].as_str()), (&Value::Bool(true), Some(SUM)));
    assert_eq!(
        (json["weighted_sum"]["value"].as_str(), json["weights_sum"].as_str()),
        (Some("523.75"), Some("15"))
    );
    let mean = &json["mean"];
    assert_eq!((mean["fraction"].as_str(), mean["decimal"].as_str()), (Some("419/12"), Some("34.91666")));
    assert_eq!(
        (&mean["digits_cut"], json["weights_digest"].as_str().unwrap().len()),
        (&Value::Bool(true), 64)
    );
    assert!(json["proven_bits"].as_f64().unwrap() >= 128.0);
}

#[test]
fn a_weighted_mean_is_a_claim_of_its_own() {
    let bench = weighted(&["--mean"]);
    let verified = bench.ok(&[&VERIFY[..], &["--weights-column", "count"]].concat());
    let claims: Vec<&str> = verified.err.lines().filter_map(|l| l.strip_prefix("valid: ")).collect();
    assert_eq!(claims, [SUM, MEAN]);
}

#[test]
fn a_mean_is_a_claim_of_its_own() {
    let bench = Bench::committed(FIVE, &[]);
    let sum = "the sum of all 5 rows of price is 131.00 modulo the koalabear prime 2130706433: the exact sum if that lies in \
        [-10653532.16, 10653532.16]; then the mean is 26.20000";
    let mean = "the mean of all 5 rows of price is 131/5 = 26.20000 if that sum is the exact one";
    for (what, claims) in [
        (&["--sum"][..], &[sum][..]),
        (&["--mean"], &[sum, mean]),
        (&["--sum", "--mean"], &[sum, mean]),
        (&["--row", "4", "--mean"], &["row 4 of price is 50.00", sum, mean]),
    ] {
        bench.open(what);
        let verified = bench.ok(&["verify", "data.proof", "--commitment", "data.commitment"]);
        let said: Vec<&str> = verified.err.lines().filter_map(|l| l.strip_prefix("valid: ")).collect();
        assert_eq!(said, claims, "{what:?}");
    }
    let json = bench.json(&["verify", "data.proof"]);
    assert_eq!(
        (json["mean"]["fraction"].as_str(), &json["mean"]["digits_cut"], json["mean"].get("exact")),
        (Some("131/5"), &Value::Bool(false), None)
    );
    assert_eq!(json["sum"]["exact_if"], serde_json::json!(["-10653532.16", "10653532.16"]));
    assert_eq!(json["sum"]["modulus"], "2130706433");
    let bench = Bench::committed("price\n-7\n", &[]);
    bench.open(&["--mean"]);
    let one = bench.ok(&["verify", "data.proof"]);
    assert!(one.err.contains("the mean of the one row of price is -7.000 if"), "{}", one.err);
    let wraps = Bench::committed("price\n1000000000\n1000000000\n", &["--field", "koalabear"]);
    wraps.try_open(&["--mean"]).is(2, &["the sum of price does not fit koalabear", "hint:"]);
}

#[test]
fn weights_of_every_format_and_field() {
    let bench = Bench::new("price\n10.5\n-3\n");
    bench.write("w.json", b"[0.25, -1]");
    bench.write("w.csv", b"w\n0.250\n-1\n");
    bench.write("w.tsv", b"a\tw\nx\t+25e-2\ny\t-1.0\n");
    bench.write("w.npy", &npy("<i8", &[3i64, -2].map(i64::to_le_bytes).concat()));
    let files: [(&[&str], &str); 4] = [
        (&["--weights", "w.json"], "is 5.625 modulo"),
        (&["--weights", "w.csv"], "is 5.6250 modulo"),
        (&["--weights", "w.tsv", "--weights-column", "w"], "is 5.625 modulo"),
        (&["--weights", "w.npy"], "is 37.5 modulo"),
    ];
    for field in ["koalabear", "goldilocks", "mersenne61", "bn254"] {
        bench.ok(&["commit", "data.csv", "--field", field, "--bits", "100"]);
        for (weights, says) in files {
            let open = ["open", "data.csv", "--commitment", "data.commitment"];
            bench.ok(&[&open[..], weights].concat());
            let verified = bench.ok(&[&["verify", "data.proof"][..], weights].concat());
            assert!(verified.err.contains(says), "{field} {weights:?}: {}", verified.err);
        }
    }
    // 2.625 + 3 over 0.25 - 1 is -7.5.
    assert!(bench.ok(&["commit", "data.csv"]).err.contains("committed"));
    let open = ["open", "data.csv", "--commitment", "data.commitment", "--weights", "w.json", "--mean"];
    assert!(bench.ok(&open).err.contains("is -15/2 = -7.5000 if that sum is the exact one"));
}

/// Weights are read as data are, whatever separates their cells and whether or not their columns have names.
#[test]
fn weights_have_delimiters_and_no_header() {
    let bench = Bench::new("price\n10.5\n-3\n");
    bench.ok(&["commit", "data.csv"]);
    bench.write("named.csv", b"a;w\nx;0.25\ny;-1\n");
    bench.write("plain.csv", b"x|0.25\ny|-1\n");
    bench.write("numbers.csv", b"0.25\n-1\n");
    let open = ["open", "data.csv", "--commitment", "data.commitment"];
    let verify = ["verify", "data.proof", "--commitment", "data.commitment"];
    for weights in [
        &["--weights", "named.csv", "--weights-delimiter", ";", "--weights-column", "w"][..],
        &[
            "--weights",
            "plain.csv",
            "--weights-delimiter",
            "|",
            "--weights-no-header",
            "--weights-column",
            "2",
        ],
        &["--weights", "numbers.csv", "--weights-no-header"],
    ] {
        bench.ok(&[&open[..], weights].concat());
        bench.run(&[&verify[..], weights].concat()).is(0, &["is 5.625 modulo"]);
        bench.ok(&[&["tour", "data.csv", "-d", "tour", "--bits", "100"][..], weights].concat());
    }
    // Hints name the options of the weights, not those of the data.
    let refused = |weights: &[&str], says: &[&str]| {
        let ran = bench.run(&[&open[..], &["--weights"], weights].concat());
        ran.is(2, &[&["weights:", "hint:"], says].concat());
        let own = ["`--column", "`--delimiter", "`--no-header", "--raw-bytes"];
        assert!(own.iter().all(|option| !ran.err.contains(option)), "{}", ran.err);
    };
    refused(&["named.csv", "--weights-column", "w"], &["`--weights-delimiter ';'`"]);
    refused(&["numbers.csv"], &["`--weights-no-header`", "`--weights-column`"]);
    bench.write("ragged.csv", b"a,w\n1,2,3\n1,2\n");
    refused(&["ragged.csv", "--weights-column", "w"], &["`--weights-delimiter`"]);
    bench.write("two.csv", b"a,a\n1,2\n1,2\n");
    refused(&["two.csv", "--weights-column", "a"], &["`--weights-no-header`"]);
    bench.write("lines.jsonl", b"{\"a\": 1}\n{\"b\": 2}\n");
    refused(&["lines.jsonl", "--weights-column", "a"], &["`--weights-column`"]);
    bench.write("archive.zip", b"PK\x03\x04 and more");
    refused(&["archive.zip"], &[]);
    bench.run(&["verify", "data.proof", "--weights-no-header"]).is(2, &["--weights <FILE>"]);
}

#[test]
fn a_weighted_proof_needs_its_weights() {
    let bench = weighted(&[]);
    bench.run(&["verify", "data.proof"]).is(2, &["the weights are not in it", "hint:", "--weights FILE"]);
    let json = bench.run(&["verify", "data.proof", "--json"]);
    assert_eq!(json.value()["exit"], 2);
    bench.write("w.json", b"[1, 2, 3, 4, 6]");
    let other = bench.run(&["verify", "data.proof", "--weights", "w.json"]);
    other.is(1, &["invalid:", "the proof is about other weights than these"]);
    bench.write("w.json", b"[0.1, 0.2, 0.3, 0.4, 0.5]");
    let decimals = bench.run(&["verify", "data.proof", "--weights", "w.json"]);
    decimals.is(1, &["invalid:", "the number of decimals of its weights is 0, and of the given ones 1"]);
    bench.write("w.json", b"[1, 2, 3, 4]");
    let fewer = bench.run(&["verify", "data.proof", "--weights", "w.json"]);
    fewer.is(2, &["there are 4 weights, the column has 5 rows", "hint:"]);
    // One more than the prime stands for the weight 1 and is another number.
    bench.write("w.json", b"[2130706434, 2, 3, 4, 5]");
    let beyond = bench.run(&["verify", "data.proof", "--weights", "w.json"]);
    beyond.is(2, &["weights: row 0: 2130706434 does not fit koalabear", "hint:"]);
    bench.open(&["--row", "1"]);
    let none = bench.run(&[&VERIFY[..], &["--weights-column", "count"]].concat());
    none.is(2, &["this proof has no weights", "hint:"]);
}

#[test]
fn unusable_weights_say_why() {
    let bench = Bench::committed(FIVE, &[]);
    let open = ["--weights"];
    let cases: [(&str, &[u8], &[&str]); 9] = [
        ("w.csv", b"w\n1\n2\nthree\n4\n5\n", &["weights:", "row 2", "`three` is not a number", "hint:"]),
        ("w.csv", b"w\n1\n2\n\"\"\n4\n5\n", &["weights:", "the cell is empty", "write 0 for none"]),
        ("w.csv", b"w,v\n1,1\n", &["weights:", "2 columns", "--weights-column"]),
        ("w.csv", b"w\n", &["weights:", "there are no rows", "every row needs a weight"]),
        ("w.json", b"[1, 2, 3]", &["there are 3 weights, the column has 5 rows", "hint:"]),
        ("w.json", b"[1, 2, 3, 4, 5, 0]", &["there are 6 weights, the column has 5 rows", "hint:"]),
        ("w.json", b"[1, 2, 3, 4, 3000000000]", &["weights: row 4", "does not fit koalabear", "hint:"]),
        (
            "w.json",
            b"[1, 2, 3, 4, 1000000000]",
            &["the weighted sum of price does not fit koalabear", "hint:"],
        ),
        ("w.bin", b"12345", &["weights: w.bin is no file of numbers", "hint:"]),
    ];
    for (file, content, says) in cases {
        bench.write(file, content);
        bench.try_open(&[&open[..], &[file]].concat()).is(2, says);
    }
    let huge = "170141183460469231731687303715884105727";
    bench.write("w.json", format!("[{huge}, {huge}, 0, 0, 0]").as_bytes());
    bench.try_open(&["--weights", "w.json"]).is(2, &["does not fit koalabear"]);
    bench.write("w.json", format!("[{huge}0, 1, 0, 0, 0]").as_bytes());
    bench.try_open(&["--weights", "w.json"]).is(2, &["weights:", "is too large", "hint:"]);
    bench.write("w.json", b"[1, -2, 1, 0, 0]");
    bench
        .try_open(&["--weights", "w.json"])
        .is(0, &["weighted by w.json is 52.25 modulo the koalabear prime 2130706433:"]);
    let zero = bench.try_open(&["--weights", "w.json", "--mean"]);
    zero.is(2, &["the weights add up to zero", "hint:", "--mean"]);
    for other in [&["--sum"][..], &["--row", "1"], &["--point", "1,2,3"]] {
        let both = bench.try_open(&[&["--weights", "w.json"], other].concat());
        both.is(2, &["a weighted sum is a proof of its own", "hint:"]);
    }
    bench.try_open(&["--weights", "none.json"]).is(4, &["none.json"]);
    bench.try_open(&["--sum", "--weights-column", "count"]).is(2, &["--weights <FILE>"]);
    // Over a field of 254 bits too, sums stay below 2^127.
    let wide = Bench::committed(FIVE, &["--field", "bn254"]);
    wide.write("w.json", format!("[{huge}, {huge}, 0, 0, 0]").as_bytes());
    wide.try_open(&["--weights", "w.json"]).is(2, &["does not fit 127 bits", "hint:"]);
    wide.write("w.json", format!("[{0}, {0}, 0, 0, 0]", &huge[..35]).as_bytes());
    wide.try_open(&["--weights", "w.json", "--mean"]).is(0, &["weighted mean is 2.37500"]);
}

#[test]
fn policies_hold_for_weighted_sums() {
    let bench = Bench::committed(FIVE, &["--bits", "100"]);
    bench.ok(&[&OPEN[..], &["--weights", "data.csv"]].concat());
    let verify = [&VERIFY[..], &["--weights-column", "count"]].concat();
    bench.ok(&verify);
    let refused = bench.run(&[&verify[..], &["--min-bits", "128"]].concat());
    refused.is(1, &["invalid:", "the parameters are refused", "128"]);
    let open = [&OPEN[..], &["--weights", "data.csv", "--min-bits", "128"]].concat();
    bench.run(&open).is(1, &["the parameters are refused", "hint:"]);
}

#[test]
fn a_tampered_weighted_proof_is_refused() {
    let bench = weighted(&["--mean"]);
    let whole = bench.read("data.proof");
    let verify = ["verify", "bad.proof", "--weights", "data.csv", "--weights-column", "count"];
    bench.refuses_tampered_proofs(&verify);
    bench.write("bad.proof", &[&whole[..], &[0]].concat());
    bench.run(&verify).is(2, &["bytes after the end"]);
    // Read as another kind, or of another scheme, it is nothing.
    for (at, value) in [(6, 0), (6, 1), (6, 3), (7, 1), (7, 2)] {
        let mut other = whole.clone();
        other[at] = value;
        bench.write("bad.proof", &other);
        for command in [&verify[..], &verify[..2], &["inspect", "bad.proof"]] {
            let ran = bench.run(command);
            ran.is(2, &["error:", "hint:"]);
        }
    }
    let commitment = bench.run(&["verify", "data.proof", "--commitment", "data.proof"]);
    commitment.is(2, &["hint:"]);
}

/// A length of 2^60 in each place of the file that has one is refused without an allocation.
#[test]
fn absurd_lengths_in_a_weighted_proof_are_refused() {
    let bench = weighted(&[]);
    let whole = bench.read("data.proof");
    let read = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().unwrap()) as usize;
    // Header, parameters, two digests, body; in it commitment, digest, a value of four bytes, context, proof.
    let body = 8 + 8 + read(8) + 64;
    let commitment = body + 8;
    let context = commitment + 8 + read(commitment) + 32 + 4;
    let proof = context + 8 + read(context);
    assert_eq!(proof + 8 + read(proof), whole.len(), "the lengths are where this test takes them to be");
    for at in [8, body, commitment, context, context + 8, proof] {
        for length in [1u64 << 60, u64::MAX, read(at) as u64 + 1] {
            let mut long = whole.clone();
            long[at..at + 8].copy_from_slice(&length.to_le_bytes());
            bench.write("bad.proof", &long);
            let verify = ["verify", "bad.proof", "--weights", "data.csv", "--weights-column", "count"];
            for command in [&verify[..], &["inspect", "bad.proof"]] {
                let ran = bench.run(command);
                // The name inside the context is under a digest, which is compared first.
                let code = if at == context + 8 { 1 } else { 2 };
                ran.is(code, &[]);
                assert!(!ran.err.contains("panicked"), "{length} at {at}: {ran:?}");
            }
        }
    }
}

#[test]
fn inspect_accounts_for_every_byte_of_a_weighted_proof() {
    let bench = weighted(&[]);
    let names = bench.parts("data.proof");
    for name in ["digest of the weights", "weighted sum", "sumcheck round", "value at the point"] {
        assert!(names.iter().any(|n| n == name), "{name}: {names:?}");
    }
}

/// The rounds of a sumcheck would reveal what a hiding commitment hides; a refusal uses up no opening.
#[test]
fn a_hiding_commitment_proves_no_weighted_sum() {
    let bench = Bench::committed("price\n1\n2\n3\n5\n", &["--hiding", "1"]);
    bench.write("w.json", b"[1, 2, 3, 4]");
    let secret = ["--secret", "data.commitment.secret"];
    let refused = bench.try_open(&[&secret[..], &["--weights", "w.json"]].concat());
    refused.is(2, &["would reveal sums over a hiding commitment", "hint:"]);
    let opened = bench.try_open(&[&secret[..], &["--mean"]].concat());
    opened.is(0, &["the mean of all 4 rows of price is 11/4 = 2.750 if"]);
    let five = Bench::committed(FIVE, &["--hiding", "1"]);
    five.try_open(&[&secret[..], &["--mean"]].concat()).is(2, &["the sum of 5 rows", "hint:"]);
}
