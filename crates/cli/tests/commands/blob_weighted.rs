//! Inner products of a file's entries with the bytes of another file: the whole way, every refusal, and the file.

use crate::bench::{Bench, FIVE, Ran};
use serde_json::Value;

const DATA: &[u8] = b"any bytes at all!";
const WEIGHTS: &[u8] = b"\x01\x02\x00\x80any weights!!";
const VERIFY: [&str; 4] = ["verify", "data.proof", "--weights", "w.bin"];

fn committed(options: &[&str]) -> Bench {
    let bench = Bench::new(FIVE);
    bench.write("data.bin", DATA);
    bench.write("w.bin", WEIGHTS);
    bench.ok(&[&["commit", "data.bin", "--scheme", "ligerito"], options].concat());
    bench
}

fn open(bench: &Bench, what: &[&str]) -> Ran {
    bench.run(&[&["open", "data.bin", "--commitment", "data.commitment"], what].concat())
}

fn weighted(options: &[&str]) -> Bench {
    let bench = committed(options);
    open(&bench, &["--weights", "w.bin"]).is(0, &[]);
    bench
}

/// A product of bytes as the AES has it: the byte field of the tower is that of the AES.
fn product(mut a: u8, b: u8) -> u8 {
    let mut sum = 0;
    for bit in 0..8 {
        sum ^= if b >> bit & 1 == 1 { a } else { 0 };
        a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
    }
    sum
}

#[test]
fn bytes_are_weighted_as_elements_of_the_field_of_the_aes() {
    let expected = DATA.iter().zip(WEIGHTS).fold(0, |sum, (&x, &w)| sum ^ product(x, w));
    let said = format!(
        "the inner product of all 17 bytes of data.bin with those of w.bin is {expected:#04x} ({expected}) in GF(2^8)"
    );
    for bits in ["100", "128"] {
        let bench = committed(&["--bits", bits]);
        open(&bench, &["--weights", "w.bin"]).is(0, &[&format!("proved: {said}")]);
        let verified = bench.run(&[&VERIFY[..], &["--commitment", "data.commitment"]].concat());
        verified.is(0, &[&format!("valid: {said}")]);
        let json = bench.json(&VERIFY);
        assert_eq!((&json["valid"], json["claims"][0].as_str()), (&Value::Bool(true), Some(&said[..])));
        assert_eq!(json["inner_product"], format!("{expected:#x}"));
        assert_eq!(json["weights_digest"].as_str().map(str::len), Some(64));
        assert!(json["proven_bits"].as_f64().unwrap() >= bits.parse().unwrap());
    }
}

#[test]
fn bits_are_weighted_modulo_two() {
    let bench = weighted(&["--entries", "bits", "--bits", "100"]);
    let ones: u32 = DATA.iter().zip(WEIGHTS).map(|(x, w)| (x & w).count_ones()).sum();
    let said = format!("all 136 bits of data.bin with those of w.bin is {} in GF(2)", ones % 2);
    bench.run(&VERIFY).is(0, &[&said]);
}

/// Seventeen bytes are five words, of which the last has three bytes that nobody committed to.
#[test]
fn words_are_weighted_with_what_pads_the_last() {
    let bench = weighted(&["--entries", "words32", "--bits", "100"]);
    let said = [
        "all 5 32-bit words of data.bin",
        "in GF(2^32), the highest 3 byte(s) of the last one being padding",
    ];
    bench.run(&VERIFY).is(0, &said);
    // Over 64-bit elements such words are not packed.
    let bench = weighted(&["--entries", "words64", "--bits", "128"]);
    bench.run(&VERIFY).is(0, &["all 3 64-bit words of data.bin", "in GF(2^64), the highest 7 byte(s)"]);
    // One word of weight one is that word.
    bench.write("w.bin", &[&[0; 8][..], &[1], &[0; 8]].concat());
    open(&bench, &["--weights", "w.bin"]).is(0, &["is 0x6c6c612074612073 ("]);
}

#[test]
fn the_weights_are_the_verifiers() {
    let bench = weighted(&["--bits", "100"]);
    bench.run(&["verify", "data.proof"]).is(2, &["the weights are not in it", "hint:", "--weights FILE"]);
    bench.write("other.bin", b"\x01\x02\x00\x80any weights!?");
    let verify = |weights: &str| bench.run(&["verify", "data.proof", "--weights", weights]);
    verify("other.bin").is(1, &["invalid:", "other weights than these"]);
    bench.write("other.bin", &WEIGHTS[..16]);
    verify("other.bin").is(2, &["there are 16 bytes of weights, the file has 17", "hint:"]);
    verify("none.bin").is(4, &["weights:", "none.bin"]);
    verify(".").is(4, &["weights:"]);
    let more = |more: &[&str]| bench.run(&[&VERIFY[..], more].concat());
    more(&["--weights-column", "x"]).is(2, &["--weights-column", "hint:"]);
    more(&["--min-bits", "128"]).is(1, &["invalid:", "the parameters are refused"]);
    more(&["--max-memory", "100"]).is(4, &["more than the limit of 100 B"]);
    more(&["--commitment", "data.proof"]).is(2, &["this file is no commitment"]);
    bench.run(&["verify", "data.commitment", "--weights", "w.bin"]).is(2, &["this file is no proof"]);
    for (what, code) in
        [(&["--row", "1"][..], 2), (&["--point", "1,0,0,0,0"], 2), (&["--min-bits", "128"], 1)]
    {
        open(&bench, &[what, &["--weights", "w.bin"]].concat()).is(code, &["hint:"]);
    }
    open(&bench, &["--weights", "other.bin"]).is(2, &["there are 16 bytes of weights", "hint:"]);
    open(&bench, &["--weights", "w.bin", "--max-memory", "1KiB"]).is(4, &["more than the limit of 1.0 KiB"]);
}

#[test]
fn a_tampered_inner_product_is_refused() {
    let bench = weighted(&["--bits", "100"]);
    let whole = bench.read("data.proof");
    let verify = ["verify", "bad.proof", "--weights", "w.bin"];
    bench.refuses_tampered_proofs(&verify);
    // Read as another kind, or of another scheme, it is nothing.
    for (at, value) in [(6, 0), (6, 1), (6, 3), (7, 0), (7, 1)] {
        let mut other = whole.clone();
        other[at] = value;
        bench.write("bad.proof", &other);
        for command in [&verify[..], &verify[..2], &["inspect", "bad.proof"]] {
            let ran = bench.run(command);
            assert!(matches!(ran.code(), Some(1 | 2)), "{value} at {at}: {ran:?}");
        }
    }
}

#[test]
fn inspect_accounts_for_every_byte_of_an_inner_product() {
    // Digests of 32, 48 and 64 bytes.
    for bits in ["128", "192", "256"] {
        let bench = weighted(&["--entries", "words32", "--bits", bits]);
        let names = bench.parts("data.proof");
        for name in ["digest of the weights", "weighted sum", "sumcheck round", "value at the point", "parts"]
        {
            assert!(names.iter().any(|n| n == name), "{bits}, {name}: {names:?}");
        }
    }
}
