//! Tests of the scheme.

mod adversaries;
mod reference;

use super::*;
use crate::fields::Fields;
use field::{ExtensionOf, Field, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5, TwoAdic};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use reference::Deviation;

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// Small parameters: `2^9` entries in `2^2` fragments, so that two layers of the weights are reached by sumchecks.
fn small(fields: Fields, regime: Regime) -> Params {
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        log_size: 9,
        log_columns: 2,
        log_inv_rate: 2,
        queries: 9,
        grinding: 3,
        log_final: 0,
        own: Virgo,
    }
}

/// The paper's setting: one word, the Johnson regime.
fn single(fields: Fields) -> Params {
    Params { log_size: 7, log_columns: 0, ..small(fields, JOHNSON) }
}

fn scheme<B: TwoAdic, E: ExtensionOf<B>>(params: Params) -> Scheme<B, E> {
    Scheme::new(params, &ANY).unwrap()
}

fn entries<B: Field>(n: usize) -> Vec<B> {
    (0..n as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)).collect()
}

fn point<E: Field>(variables: usize, seed: u64) -> TensorForm<E> {
    let z: Vec<E> = (0..variables as u64).map(|i| E::from_u64(seed * 1000 + 17 * i + 3)).collect();
    TensorForm::point(&z)
}

/// Opens with the prover and with the reference, which must agree, and verifies.
fn round_trip<B: TwoAdic, E: ExtensionOf<B>>(params: Params, form: TensorForm<E>) {
    let scheme = scheme::<B, E>(params.clone());
    let data: Vec<B> = entries(1 << params.log_size);
    let mut prover = Prover::new(&scheme);
    let witness = prover.commit(data.clone());
    let (claims, proof) = prover.open(&witness, vec![form.clone()], b"context");
    let (commitment, plain_claims, plain_proof) = reference::run(&scheme, &data, form, Deviation::None);
    assert_eq!((witness.commitment(), &claims), (&commitment, &plain_claims), "{params:?}");
    assert!(proof == plain_proof, "the prover departs from the reference: {params:?}");
    assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()), "{params:?}");
}

#[test]
fn the_prover_writes_the_bytes_of_the_reference() {
    let n = 9;
    let odd = (0..n)
        .map(|v| if v % 2 == 0 { [Goldilocks2::ONE, -Goldilocks2::ONE] } else { [Goldilocks2::ZERO; 2] });
    let forms = [point(n, 1), TensorForm::index(77, n), TensorForm::sum(n), TensorForm::new(odd.collect())];
    for (form, regime) in forms.into_iter().zip([JOHNSON, Regime::UniqueDecoding].into_iter().cycle()) {
        round_trip::<Goldilocks, Goldilocks2>(small(Fields::Goldilocks2, regime), form);
    }
    round_trip::<KoalaBear, KoalaBear5>(single(Fields::KoalaBear5), point(7, 2));
    // One row more than a fold leaves, a longer final message, another hash and rate.
    for (log_rows, log_final) in [(1, 0), (3, 2)] {
        let params = Params {
            log_size: log_rows + 1,
            log_columns: 1,
            log_final,
            ..small(Fields::Goldilocks2, JOHNSON)
        };
        let params = Params { hash: Hash::Sha3_384, log_inv_rate: 3, ..params };
        round_trip::<Goldilocks, Goldilocks2>(params, point(log_rows as usize + 1, 3));
    }
}

/// Large enough that the parallel paths split their work.
#[test]
fn larger_sizes_verify() {
    for log_columns in [0, 2] {
        let params = Params { log_size: 14, log_columns, ..single(Fields::KoalaBear5) };
        let scheme = scheme::<KoalaBear, KoalaBear5>(params.clone());
        let mut prover = Prover::new(&scheme);
        let witness = prover.commit(entries(1 << 14));
        assert!(witness.memory() > (4 << 14) * 6);
        let (claims, proof) = prover.open(&witness, vec![point(14, 5)], b"");
        assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
        assert!(proof.len() as u64 <= params.size(1).most() && proof.len() as u64 > params.size(1).fixed());
        // A second commitment reuses the first one's memory.
        prover.recycle(witness);
        let again = prover.commit(entries(1 << 14));
        assert_eq!(prover.open(&again, claims.forms, b"").1, proof);
    }
}

#[test]
fn no_flipped_byte_or_other_length_is_accepted() {
    let params = single(Fields::KoalaBear5);
    let scheme = scheme::<KoalaBear, KoalaBear5>(params);
    let (commitment, claims, proof) = reference::run(&scheme, &entries(128), point(7, 1), Deviation::None);
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()));
    for at in 0..proof.len() {
        let mut flipped = proof.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(scheme.verify(&commitment, &claims, &flipped).is_err(), "byte {at}");
        assert!(scheme.verify(&commitment, &claims, &proof[..at]).is_err(), "length {at}");
    }
    let longer = [proof.as_slice(), &[0]].concat();
    assert_eq!(scheme.verify(&commitment, &claims, &longer).unwrap_err().0, "proof is too long");
    let two =
        crate::Claims { forms: vec![point(7, 1); 2], values: vec![claims.values[0].clone(); 2], ..claims };
    let reason = "more linear forms than the parameters allow";
    assert_eq!(scheme.verify(&commitment, &two, &proof).unwrap_err().0, reason);
    let bare = Commitment { out_of_domain: Vec::new(), ..commitment };
    let one =
        crate::Claims { forms: vec![point(7, 1)], values: vec![two.values[0].clone()], context: Vec::new() };
    let reason = "the commitment does not fit the parameters";
    assert_eq!(scheme.verify(&bare, &one, &proof).unwrap_err().0, reason);
}

#[test]
fn parameters_have_one_encoding_and_ranges() {
    let params = single(Fields::KoalaBear5);
    let bytes = params.encode();
    assert_eq!(Params::decode(&bytes).as_ref(), Some(&params));
    (0..bytes.len()).for_each(|n| assert_eq!(Params::decode(&bytes[..n]), None));
    assert_eq!(Params::decode(&[&bytes[..], &[0]].concat()), None);
    let changes: [fn(&mut Params); 11] = [
        |p| p.fields = Fields::Gf128,
        |p| p.log_size = 41,
        |p| p.log_columns = p.log_size,
        |p| (p.log_size, p.log_columns) = (30, 11),
        |p| (p.log_size, p.log_columns) = (40, 0),
        |p| p.log_inv_rate = 1,
        |p| p.queries = 0,
        |p| p.grinding = 33,
        |p| p.log_final = p.log_size,
        |p| p.log_inv_rate = 16 + p.log_size,
        |p| p.regime = Regime::Johnson { multiplicity: 2 },
    ];
    assert!(params.validate(&ANY).is_ok());
    for (i, change) in changes.into_iter().enumerate() {
        let mut params = params.clone();
        change(&mut params);
        assert!(params.validate(&ANY).is_err(), "change {i}");
    }
}

/// The terms, and that each parameter that the error depends on is in one.
#[test]
fn security_has_a_term_for_each_challenge() {
    let target = Target { grinding: 15, ..Target::new(Fields::KoalaBear5, [20, 0, 3], 100.0) };
    let params = Params::for_target(&target).unwrap();
    let report = params.validate(&Policy::at_least(100)).unwrap();
    let labels: Vec<&str> = report.terms.iter().map(|term| &*term.label).collect();
    let rounds: Vec<String> = (1..=20).map(|round| format!("round {round}: fold")).collect();
    let mut expected = vec!["commit: out-of-domain", "combine words"];
    expected.extend(rounds.iter().map(String::as_str));
    expected.extend(["delegation: points", "delegation: sumchecks", "queries"]);
    assert_eq!(labels, expected);
    let bits = |label: &str| report.terms.iter().find(|term| term.label == label).unwrap().bits;
    // 20 rounds and 5 + 6 + .. + 19 below them, of degree 2 each.
    let field = Fields::KoalaBear5.bits();
    assert!((bits("delegation: sumchecks") - (field - f64::log2(2.0 * 200.0))).abs() < 1e-9);
    assert!(
        (bits("delegation: points") - (field - f64::log2(2.0 * f64::from(params.queries) - 1.0))).abs()
            < 1e-9
    );
    let fewer = Params { queries: params.queries - 1, ..params };
    assert!(fewer.validate(&Policy::at_least(100)).is_err());
    // DeVirgo's fragments, and unique decoding.
    let shredded = Target { log_columns: 2, unique_decoding: Some(true), ..target };
    let report = Params::for_target(&shredded).unwrap().report();
    assert!(report.proven_bits() >= 100.0 && report.terms[0].label == "combine words");
}
