//! Statements and proofs that were changed after the fact; one test for each known fault of published code.

use super::*;
use iop::transcript::{Call, Kind};

type Small = Scheme<Tower128, Gf128>;
type Case = (Small, Commitment<Gf128>, Claims<Gf128>, Vec<u8>);

fn honest(regime: Regime, hidden: u32) -> Case {
    let scheme = Small::new(small(Fields::Gf128, hidden, regime), &ANY).unwrap();
    let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(10))]);
    scheme.verify(&commitment, &claims, &proof).unwrap();
    (scheme, commitment, claims, proof)
}

/// The calls that wrote bytes, with where they start.
fn parts((scheme, commitment, claims, proof): &Case) -> Vec<(Call, usize)> {
    let mut at = 0;
    let script = scheme.script(commitment, claims, proof).unwrap();
    let written = script.into_iter().filter(|c| matches!(c.kind, Kind::Send | Kind::Hint | Kind::Nonce));
    let placed = written.map(|call| {
        at += call.length;
        (call, at - call.length)
    });
    placed.collect()
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

/// A row of every level, not of the first alone: a published verifier discarded what the rows add up to.
#[test]
fn a_changed_row_of_any_level_is_rejected() {
    let case = honest(Regime::UniqueDecoding, 0);
    let rows: Vec<(Call, usize)> = parts(&case).into_iter().filter(|(c, _)| c.label == "rows").collect();
    assert_eq!(rows.len(), 3, "one batch of rows a level");
    let (scheme, commitment, claims, proof) = case;
    for (_, at) in rows {
        let mut changed = proof.clone();
        changed[at] ^= 1;
        assert!(scheme.verify(&commitment, &claims, &changed).is_err());
    }
}

/// Adding one to `g(0)` of every round in turn: an older verifier never constrained it.
#[test]
fn a_shifted_round_polynomial_is_rejected() {
    let case = honest(Regime::UniqueDecoding, 0);
    let rounds: Vec<usize> =
        parts(&case).iter().filter(|(c, _)| c.label == "sumcheck round").map(|p| p.1).collect();
    assert_eq!(rounds.len(), 8, "one round for each bound variable");
    let (scheme, commitment, claims, proof) = case;
    for at in rounds {
        for element in [0, 1] {
            let mut changed = proof.clone();
            changed[at + 16 * element] ^= 1;
            assert!(scheme.verify(&commitment, &claims, &changed).is_err());
        }
    }
}

/// Every message enters the transcript, which changes every challenge behind it; what does not are rows and paths, which a
/// root fixes that did. A published prover left its round polynomials out.
#[test]
fn only_rows_and_paths_stay_out_of_the_transcript() {
    let case = honest(JOHNSON, 0);
    let calls = parts(&case);
    let (out, sent): (Vec<&Call>, Vec<&Call>) =
        calls.iter().map(|p| &p.0).partition(|c| c.kind == Kind::Hint);
    assert!(out.iter().all(|c| ["rows", "paths"].contains(&c.label)));
    for label in ["root", "out-of-domain value", "sumcheck round", "final message"] {
        assert!(sent.iter().any(|c| c.label == label), "{label}");
    }
}

#[test]
fn another_statement_is_rejected() {
    let (scheme, commitment, claims, proof) = honest(JOHNSON, 0);
    let rejects = |commitment: &Commitment<_>, claims: &Claims<_>| {
        assert!(scheme.verify(commitment, claims, &proof).is_err());
    };
    let mut other = claims.clone();
    other.values[0][0] += Gf128::ONE;
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
    other.out_of_domain[0] += Gf128::ONE;
    rejects(&other, &claims);
}

#[test]
fn claims_of_the_wrong_shape_are_rejected() {
    let (scheme, commitment, claims, proof) = honest(JOHNSON, 0);
    let reject = |claims: Claims<Gf128>| {
        assert!(scheme.verify(&commitment, &claims, &proof).is_err());
    };
    // A proof of proximity alone, without a claim, proves nothing here.
    reject(Claims { forms: vec![], values: vec![], context: vec![] });
    reject(Claims { values: vec![], ..claims.clone() });
    reject(Claims { values: vec![vec![]], ..claims.clone() });
    reject(Claims { values: vec![vec![Gf128::ONE; 2]], ..claims.clone() });
    reject(Claims { forms: vec![TensorForm::point(&point(9))], ..claims.clone() });
    reject(Claims { forms: vec![TensorForm::point(&point(11))], ..claims.clone() });
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
    change(|p| levels(p).clear());
    change(|p| levels(p).swap(0, 1));
}

/// The challenges come from the whole field: over many draws each of its bits is set about half the time.
#[test]
fn challenges_are_as_wide_as_the_field() {
    use iop::transcript::{Challenger, Domain};
    let mut tape = Domain::new(Hash::Blake3, "width", &[0; 32]).statement(&[1; 32]).prover();
    let draws: Vec<Gf128> = tape.challenges("r", 4096);
    let bytes = iop::poly::to_bytes(&draws);
    for bit in 0..128 {
        let set = bytes.chunks(16).filter(|b| b[bit / 8] >> (bit % 8) & 1 == 1).count();
        assert!((1800..2300).contains(&set), "bit {bit} is set {set} times of 4096");
    }
}
