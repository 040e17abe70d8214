//! The scheme, the battery of all schemes, and a malicious prover for each check.

mod adversaries;

use super::params::MAX_LOG_FRAGMENTS;
use super::*;
use crate::claims::Claims;
use crate::scheme::conformance::{commitments_are_exact, every_message_counts, what_is_stated_counts};
use crate::scheme::{MultilinearPcs, Security};
use curve::bls12_381::{Fr, G1};
use curve::srs::MultilinearSrs;
use curve::{AffineRepr, CurveGroup};
use field::Field;
use iop::poly::TensorForm;
use iop::security::Policy;

const NONE: Policy = Policy::at_least(0);
/// Variables of a fragment.
const OWN: usize = 3;

/// Elements without structure.
fn samples(seed: u64, count: usize) -> Vec<Scalar> {
    let powers = core::iter::successors(Some(Scalar::from_u64(seed + 0x9e37_79b9)), |x| Some(x.pow(5) + *x));
    powers.skip(5).take(count).collect()
}

pub(super) fn secret() -> Vec<Fr> {
    samples(1, OWN).into_iter().map(|t| t.0).collect()
}

pub(super) fn srs() -> MultilinearSrs {
    MultilinearSrs::insecure_from_point(&secret())
}

pub(super) fn params(log_fragments: u32, polynomials: u32) -> Params {
    Params { key: Key::new(&srs()).unwrap(), log_fragments, polynomials, max_forms: 3 }
}

pub(super) fn scheme(log_fragments: u32, polynomials: u32) -> Scheme {
    Scheme::new(params(log_fragments, polynomials), &NONE).unwrap()
}

pub(super) fn polynomials(params: &Params) -> Vec<Vec<Scalar>> {
    (0..params.polynomials).map(|p| samples(2 + u64::from(p), 1 << params.variables())).collect()
}

/// A point, a sum, and powers.
pub(super) fn forms(variables: usize) -> Vec<TensorForm<Scalar>> {
    let z = samples(100, variables);
    vec![TensorForm::point(&z), TensorForm::sum(variables), TensorForm::powers(z[0], variables)]
}

/// Of what all schemes promise, the verifier's half; and what this one says of commitments and values.
#[test]
fn multilinear_kzg_conforms() {
    let srs = srs();
    for (log_fragments, count, opened) in [(0, 1, 1), (2, 1, 1), (1, 2, 3)] {
        let scheme = scheme(log_fragments, count);
        let (params, entries) = (scheme.params(), polynomials(scheme.params()));
        let prover = Prover::new(&scheme, &srs).unwrap();
        let witness = prover.commit(&entries).unwrap();
        let commitment = witness.commitment();
        for (point, i) in commitment.points().iter().zip(0..) {
            let fragment = entries[i / params.fragments()].iter().skip(i % params.fragments());
            let fragment: Vec<Scalar> = fragment.step_by(params.fragments()).copied().collect();
            let secret: Vec<Scalar> = secret().into_iter().map(Scalar).collect();
            let value = TensorForm::point(&secret).apply(&fragment);
            assert_eq!(*point, (G1::generator() * value.0).into_affine(), "fragment {i}");
        }
        let forms = forms(params.variables())[..opened].to_vec();
        let (claims, proof) = prover.open(&witness, forms.clone(), b"context");
        assert_eq!((&claims.forms, &claims.context[..]), (&forms, &b"context"[..]));
        for (form, values) in forms.iter().zip(&claims.values) {
            let expected: Vec<Scalar> = entries.iter().map(|p| form.apply(p)).collect();
            assert_eq!(*values, expected);
        }
        assert_eq!(proof.len(), 48 * OWN * opened + 16);
        let others: Vec<Vec<Scalar>> = entries.iter().map(|p| p.iter().rev().copied().collect()).collect();
        let others = prover.commit(&others).unwrap();
        let (other_claims, other) = prover.open(&others, forms, b"context");
        let calls = scheme.script(others.commitment(), &other_claims, &other).unwrap();
        every_message_counts(|proof| scheme.script(commitment, &claims, proof), &proof, &(other, calls));
        commitments_are_exact(&scheme, commitment, &commitment.to_bytes());
        what_is_stated_counts(&scheme, (commitment, &claims), &proof);
    }
}

/// The operations are the curve library's; the encoding is one for each element.
#[test]
fn scalars_are_those_of_the_curve() {
    use curve::{AdditiveGroup, BigInteger, Field as _, PrimeField};
    let [a, b] = [3, 4].map(|seed| samples(seed, 1)[0]);
    let (mut sum, mut difference, mut product) = (a, a, a);
    sum += b;
    difference -= b;
    product *= b;
    assert_eq!(
        (a + b, a - b, a * b, -a),
        (Scalar(a.0 + b.0), Scalar(a.0 - b.0), Scalar(a.0 * b.0), Scalar(-a.0))
    );
    assert_eq!((sum, difference, product), (a + b, a - b, a * b));
    assert_eq!((a.square(), a.inverse().map(|i| i * a)), (a * a, Some(Scalar::ONE)));
    assert_eq!((Scalar::ZERO.inverse(), Scalar::ZERO.0, Scalar::ONE.0), (None, Fr::ZERO, Fr::ONE));
    assert_eq!([a, b, a].into_iter().sum::<Scalar>(), a + a + b);
    let mut bytes = [0; 32];
    a.write(&mut bytes);
    assert_eq!(Scalar::from_bytes(&bytes), Some(a));
    assert_eq!(Scalar::from_bytes(&bytes[1..]), None);
    let modulus = Fr::MODULUS.to_bytes_le();
    assert_eq!(Scalar::from_bytes(&modulus), None, "another encoding of zero");
    let uniform = [&modulus[..], &[0; 16]].concat();
    assert_eq!(Scalar::from_uniform(&uniform), Scalar::ZERO);
    assert!((254.8..254.9).contains(&Scalar::bits()));
}

/// Every parameter is in the digest that a transcript starts with.
#[test]
fn parameters_are_bound_and_bounded() {
    let params = params(2, 2);
    let key = Key::new(&MultilinearSrs::insecure_from_point(&secret()[1..])).unwrap();
    for other in [
        Params { key, ..params.clone() },
        Params { log_fragments: 1, ..params.clone() },
        Params { polynomials: 3, ..params.clone() },
        Params { max_forms: 4, ..params.clone() },
    ] {
        assert_ne!(other.digest(), params.digest());
    }
    let most = 1 << (16 - MAX_LOG_FRAGMENTS);
    let full = Params { log_fragments: MAX_LOG_FRAGMENTS, polynomials: most, ..params.clone() };
    assert!(Scheme::new(full.clone(), &NONE).is_ok());
    for other in [
        Params { polynomials: most + 1, ..full.clone() },
        Params { log_fragments: MAX_LOG_FRAGMENTS + 1, ..full.clone() },
        Params { log_fragments: u32::MAX, ..full },
        Params { polynomials: 0, ..params.clone() },
        Params { max_forms: 0, ..params.clone() },
        Params { max_forms: 4097, ..params.clone() },
    ] {
        assert!(Scheme::new(other, &NONE).is_err());
    }
    for min_bits in [1, 100] {
        let refused = Scheme::new(params.clone(), &Policy::at_least(min_bits)).err().unwrap();
        assert!(refused.reason().contains("KZG proves no bits"), "{refused}");
    }
    let scheme = Scheme::new(params, &NONE).unwrap();
    assert!(matches!(scheme.security(), Security::Assumed(_)));
}

#[test]
fn keys_have_one_encoding_and_no_identity() {
    let key = params(0, 1).key;
    let bytes = key.encode();
    assert_eq!((bytes.len(), key.variables()), (48 + 96 * 4, OWN));
    assert_eq!(Key::decode(&bytes).unwrap(), key);
    assert_eq!(format!("{key:?}").len(), 5 + 2 * bytes.len(), "and no tables");
    for at in (0..bytes.len()).step_by(7).chain([0, 48, 144, 240, 336]) {
        for bit in [1, 0x20, 0x40, 0x80] {
            let mut other = bytes.clone();
            other[at] ^= bit;
            assert!(Key::decode(&other).map_or(true, |other| other != key));
        }
    }
    for (from, length) in [(0, 48), (48, 96), (144, 96), (336, 96)] {
        let mut identity = bytes.clone();
        identity[from..from + length].fill(0);
        identity[from] = 0xc0;
        assert!(Key::decode(&identity).is_err());
    }
    for length in [0, 47, 48, 48 + 96, bytes.len() - 1] {
        assert!(Key::decode(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Key::decode(&[&bytes[..], &[0]].concat()).is_err());
    assert!(Key::decode(&[&bytes[..48], &bytes[48..144].repeat(65)].concat()).is_err(), "65 points");
}

#[test]
fn provers_refuse_what_is_not_of_their_scheme() {
    let scheme = scheme(1, 2);
    let other = MultilinearSrs::insecure_from_point(&secret()[1..]);
    assert!(Prover::new(&scheme, &other).is_err());
    let srs = srs();
    let prover = Prover::new(&scheme, &srs).unwrap();
    let entries = polynomials(scheme.params());
    assert!(prover.commit(&entries[..1]).is_err());
    assert!(prover.commit(&[entries[0].clone(), entries[1][1..].to_vec()]).is_err());
    assert!(Commitment::from_points(scheme.params(), vec![G1::generator(); 3]).is_none());
    let witness = prover.commit(&entries).unwrap();
    assert_eq!(witness.memory(), 2 * 16 * 32);
    let again = Commitment::from_points(scheme.params(), witness.commitment().points().to_vec());
    assert_eq!(again.as_ref(), Some(witness.commitment()));
}

/// Constants and zeros have the identity for quotients and commitments: it is a value like others.
#[test]
fn constants_and_zeros_open() {
    let (scheme, srs) = (scheme(1, 1), srs());
    let prover = Prover::new(&scheme, &srs).unwrap();
    for entry in [Scalar::ZERO, Scalar::from_u64(5)] {
        let witness = prover.commit(&[vec![entry; 16]]).unwrap();
        let (claims, proof) = prover.open(&witness, forms(4), b"");
        assert!(proof.chunks_exact(48).all(|point| point[0] == 0xc0), "the identity");
        assert_eq!(claims.values[1][0], entry * Scalar::from_u64(16));
        scheme.verify(witness.commitment(), &claims, &proof).unwrap();
    }
}
