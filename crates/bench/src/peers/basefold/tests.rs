//! Tests that the measured peer does its real work at the bits that are printed.

use super::*;
use p3_field_09::PrimeCharacteristicRing;

const SHAPE: Shape = Shape { log_size: 12, log_inv_rate: 1, bits: 100 };

#[test]
fn it_commits_opens_and_verifies_at_the_bits_asked_for() {
    for log_inv_rate in [1, 2] {
        let peer = Peer::new(Shape { log_inv_rate, ..SHAPE }).unwrap();
        let facts = peer.facts();
        assert!((100.0..102.0).contains(&facts.proven_bits), "{}", facts.proven_bits);
        let own = facts.params["bits_by_the_library"].as_f64().unwrap();
        assert!((facts.proven_bits - own).abs() < 3.0, "{own}");
        let sample = Case::new(peer).sample().unwrap();
        assert!(sample.proof_bytes > 5_000, "{}", sample.proof_bytes);
    }
}

/// By hand: 206 queries at rate 1/2 prove 206 · -log2(3/4) = 85.5 bits, and work adds 15; folds and rounds cost 128 - 13 bits at most.
#[test]
fn queries_by_hand() {
    let peer = Peer::new(SHAPE).unwrap();
    let queries = f64::from(peer.config.num_queries() as u32) * -(0.75f64).log2() + 15.0;
    let report = peer.security;
    assert!((report.proven_bits() - queries).abs() < 0.01, "{} {queries}", report.proven_bits());
    assert!(report.terms.iter().all(|term| term.label == "queries" || term.total() > 114.0));
}

/// A wrong value, a changed last word and another root.
#[test]
fn false_claims_are_rejected() {
    let peer = Peer::new(SHAPE).unwrap();
    let state = peer.commit(peer.witness()).unwrap();
    let honest = peer.open(&state).unwrap();
    peer.verify(&honest).unwrap();
    let [mut value, mut last] = [peer.open(&state).unwrap(), peer.open(&state).unwrap()];
    let mut current = value.1.evals[0].current().to_vec();
    current[0] += Challenge::ONE;
    value.1.evals[0] = OpeningBatch::new(current, Vec::new());
    assert!(peer.verify(&value).is_err(), "a wrong value");
    last.1.final_codeword.as_mut_slice()[0] += Challenge::ONE;
    assert!(peer.verify(&last).is_err(), "another last word");
    let smaller = Peer::new(Shape { log_size: 11, ..SHAPE }).unwrap();
    let (root, ..) = smaller.commit(smaller.witness()).unwrap();
    assert!(peer.verify(&(root, honest.1)).is_err(), "another commitment");
}

/// Entries are elements of the whole field, not bits of it.
#[test]
fn entries_are_random_elements() {
    let peer = Peer::new(SHAPE).unwrap();
    let (_, data, _) = peer.commit(peer.witness()).unwrap();
    let bytes = postcard::to_allocvec(data.table(0).poly(0).as_slice()).unwrap();
    assert!(bytes.iter().filter(|&&byte| byte > 1).count() > bytes.len() / 2);
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let refused = |shape| Peer::new(shape).err().expect("refused").to_string();
    assert!(refused(Shape { log_size: 2, ..SHAPE }).contains("2^4"));
    assert!(refused(Shape { log_inv_rate: 0, ..SHAPE }).contains("1/2"));
    let field = refused(Shape { bits: 128, ..SHAPE });
    assert!(field.contains("128 bits") && field.contains("exceeds"), "{field}");
}
