//! Tests that the measured peers do their real work at the bits that are printed.

use super::*;
use p3_field_09::PrimeCharacteristicRing;

const BINARY: Shape = Shape { log_size: 12, log_inv_rate: 1, bits: 100 };
const PRIME: Shape = Shape { log_size: 12, log_inv_rate: 2, bits: 90 };

#[test]
fn both_commit_open_and_verify_at_the_bits_asked_for() {
    let (binary, prime) = (Binary::new(BINARY).unwrap(), Prime::new(PRIME).unwrap());
    for (facts, shape) in [(binary.facts(), BINARY), (prime.facts(), PRIME)] {
        let bits = facts.proven_bits;
        assert!((f64::from(shape.bits)..f64::from(shape.bits) + 3.0).contains(&bits), "{bits}");
        assert!(facts.params["bits_by_the_library"].as_f64().unwrap() > 60.0, "{}", facts.params);
    }
    for case in [Case::new(binary), Case::new(prime)] {
        let sample = case.sample().unwrap();
        assert!(sample.proof_bytes > 5_000, "{}: {}", case.name(), sample.proof_bytes);
    }
}

/// More bits are more queries and a longer proof: the target reaches the library.
#[test]
fn more_bits_make_a_longer_proof() {
    let bytes = |bits| binary(Shape { bits, ..BINARY }).unwrap().sample().unwrap().proof_bytes;
    assert!(bytes(110) > bytes(80) + 1_000);
}

/// A wrong value, a changed last polynomial and a foreign commitment.
#[test]
fn false_claims_are_rejected() {
    macro_rules! check {
        ($peer:expr, $one:expr) => {{
            let peer = $peer;
            let state = peer.commit(peer.witness()).unwrap();
            let honest = peer.open(&state).unwrap();
            peer.verify(&honest).unwrap();

            let mut value = peer.open(&state).unwrap();
            let batch = &value.1.evals[0];
            let mut current = batch.current().to_vec();
            current[0] += $one;
            value.1.evals[0] = OpeningBatch::new(current, Vec::new());
            assert!(peer.verify(&value).is_err(), "a wrong value");

            let mut last = peer.open(&state).unwrap();
            last.1.whir.final_poly.as_mut().unwrap().as_mut_slice()[0] += $one;
            assert!(peer.verify(&last).is_err(), "another last polynomial");
        }};
    }
    check!(Binary::new(BINARY).unwrap(), Poly192::ONE);
    check!(Prime::new(PRIME).unwrap(), Quartic::ONE);
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let refused = |shape| Prime::new(shape).err().expect("refused").to_string();
    assert!(refused(Shape { log_size: 4, ..PRIME }).contains("2^8"));
    assert!(refused(Shape { log_inv_rate: 0, ..PRIME }).contains("1/2"));
    assert!(refused(Shape { bits: 128, ..PRIME }).contains("not 128"), "a field of 124 bits");
}

/// Entries are elements of the whole field, not bits of it.
#[test]
fn entries_are_random_elements() {
    let peer = Binary::new(BINARY).unwrap();
    let (_, data, _) = peer.commit(peer.witness()).unwrap();
    let bytes = postcard::to_allocvec(data.table(0).poly(0).as_slice()).unwrap();
    assert!(bytes.iter().filter(|&&byte| byte > 1).count() > bytes.len() / 2);
}
