//! Statements and proofs that were changed after the fact.

use super::*;
use iop::error::Invalid;

type Small = Scheme<Goldilocks, Goldilocks2>;

fn honest(regime: Regime, hidden: u32) -> (Small, Commitment<Goldilocks2>, Claims<Goldilocks2>, Vec<u8>) {
    let scheme = Small::new(small(Fields::Goldilocks2, hidden, regime), &ANY).unwrap();
    let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(10))]);
    scheme.verify(&commitment, &claims, &proof).unwrap();
    (scheme, commitment, claims, proof)
}

#[test]
fn every_flipped_byte_is_rejected() {
    for (regime, hidden) in [(Regime::UniqueDecoding, 0), (JOHNSON, 0), (Regime::UniqueDecoding, 1)] {
        let (scheme, commitment, claims, proof) = honest(regime, hidden);
        for at in 0..proof.len() {
            let mut changed = proof.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(scheme.verify(&commitment, &claims, &changed).is_err(), "byte {at}");
        }
    }
}

#[test]
fn every_truncation_and_extension_is_rejected() {
    let (scheme, commitment, claims, proof) = honest(JOHNSON, 0);
    for length in 0..proof.len() {
        assert!(scheme.verify(&commitment, &claims, &proof[..length]).is_err(), "first {length} bytes");
    }
    for extra in [1, 7, 32, 4096] {
        let mut longer = proof.clone();
        longer.resize(proof.len() + extra, 0);
        assert!(scheme.verify(&commitment, &claims, &longer).is_err(), "{extra} further bytes");
    }
}

/// Weights for every column are laid out before rows are read: a proof must have the bytes of a row of each matrix first.
#[test]
fn a_proof_shorter_than_its_rows_is_refused_at_once() {
    let (scheme, commitment, claims, proof) = honest(JOHNSON, 0);
    let widths = scheme.layout().stages.iter().map(|stage| stage.shape.width);
    let least = widths.sum::<usize>() * Goldilocks::BYTES;
    let short = Err(Invalid("the proof is too short for its parameters"));
    for length in [0, 1, least - 1] {
        assert_eq!(scheme.verify(&commitment, &claims, &proof[..length]), short, "{length} bytes");
    }
    assert_ne!(scheme.verify(&commitment, &claims, &proof[..least]), short);
}

#[test]
fn another_statement_is_rejected() {
    let (scheme, commitment, claims, proof) = honest(JOHNSON, 0);
    let rejects = |commitment: &Commitment<_>, claims: &Claims<_>| {
        assert!(scheme.verify(commitment, claims, &proof).is_err());
    };
    let mut other = claims.clone();
    other.values[0][0] += Goldilocks2::ONE;
    rejects(&commitment, &other);
    let mut other = claims.clone();
    other.forms = vec![TensorForm::index(3, 10)];
    rejects(&commitment, &other);
    let mut other = claims.clone();
    other.context.push(0);
    rejects(&commitment, &other);
    let mut other = commitment.clone();
    other.root[0] ^= 1;
    rejects(&other, &claims);
    let mut other = commitment.clone();
    other.out_of_domain[0] += Goldilocks2::ONE;
    rejects(&other, &claims);
}

#[test]
fn claims_of_the_wrong_shape_are_rejected() {
    let (scheme, commitment, claims, proof) = honest(JOHNSON, 0);
    let reject = |claims: Claims<Goldilocks2>| {
        assert!(scheme.verify(&commitment, &claims, &proof).is_err());
    };
    reject(Claims { forms: vec![], values: vec![], context: vec![] });
    reject(Claims { values: vec![], ..claims.clone() });
    reject(Claims { values: vec![vec![]], ..claims.clone() });
    reject(Claims { values: vec![vec![Goldilocks2::ONE; 2]], ..claims.clone() });
    reject(Claims { forms: vec![TensorForm::point(&point(9))], ..claims.clone() });
    reject(Claims { forms: vec![TensorForm::point(&point(11))], ..claims.clone() });
    let many = 9;
    let repeated = |x: &Vec<Goldilocks2>| vec![x.clone(); many];
    reject(Claims {
        forms: vec![claims.forms[0].clone(); many],
        values: repeated(&claims.values[0]),
        ..claims.clone()
    });
    let bare = Commitment { out_of_domain: vec![], ..commitment.clone() };
    assert!(scheme.verify(&bare, &claims, &proof).is_err());
}

#[test]
fn a_proof_under_other_parameters_is_rejected() {
    let (scheme, commitment, claims, proof) = honest(Regime::UniqueDecoding, 0);
    let change = |edit: fn(&mut Params)| {
        let mut params = scheme.params().clone();
        edit(&mut params);
        let other = Small::new(params, &ANY).unwrap();
        assert!(other.verify(&commitment, &claims, &proof).is_err());
    };
    change(|p| p.hash = Hash::Sha256);
    change(|p| p.max_forms += 1);
    change(|p| p.level.queries -= 1);
    change(|p| p.level.grinding = 0);
    change(|p| p.level.log_inv_rate += 1);
    change(|p| p.regime = JOHNSON);
    change(|p| p.inner = Inner::Recursion(vec![]));
}

#[test]
fn malformed_commitments_are_rejected() {
    let (scheme, commitment, ..) = honest(JOHNSON, 0);
    let bytes = commitment.to_bytes();
    for length in 0..bytes.len() {
        assert!(scheme.read_commitment(&bytes[..length]).is_err());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(scheme.read_commitment(&longer).is_err());
    let mut aliased = bytes;
    aliased[32..40].fill(0xff);
    assert!(scheme.read_commitment(&aliased).is_err(), "2^64 - 1 is not a canonical element");
}
