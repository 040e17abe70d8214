//! Openings hold, alone and combined; and no part of one can be another.

use curve::bls12_381::{Fr, G1};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup};

use super::super::*;
use curve::msm::FixedBase;

fn polynomial(seed: u64, length: u64) -> Vec<Fr> {
    (0..length).map(|i| Fr::from(seed + i * i * 0x9e37_79b9)).collect()
}

/// A setup, two commitments and the opening of `3 p0 + 5 p1`.
struct Case {
    key: Key,
    terms: [(G1, Fr); 2],
    at: Fr,
    value: Fr,
    proof: G1,
}

impl Case {
    fn new(at: u64) -> Self {
        let srs = Srs::insecure_from_tau(Fr::from(0x1234_5678_9abc_u64), 33);
        let bases = FixedBase::new(srs.powers(33).unwrap());
        let polynomials = [polynomial(1, 33), polynomial(at, 33)];
        let factors = [Fr::from(3_u64), Fr::from(5_u64)];
        let sum: Vec<Fr> = polynomials[0]
            .iter()
            .zip(&polynomials[1])
            .map(|(a, b)| factors[0] * a + factors[1] * b)
            .collect();
        let at = Fr::from(at);
        let (quotient, value) = divide(&sum, at);
        assert_eq!(value, evaluate(&sum, at));
        Self {
            key: Key::new(&srs).unwrap(),
            terms: [0, 1].map(|i| (commit(&bases, &polynomials[i]).into_affine(), factors[i])),
            at,
            value,
            proof: commit(&bases, &quotient).into_affine(),
        }
    }

    fn opening(&self) -> Opening<'_> {
        Opening { terms: &self.terms, at: self.at, value: self.value, proof: self.proof }
    }
}

fn holds(key: &Key, openings: &[(Opening<'_>, u64)]) -> bool {
    let mut claims = Claims::default();
    openings.iter().for_each(|(opening, weight)| claims.add(opening, Fr::from(*weight)));
    claims.hold(key)
}

#[test]
fn openings_hold_alone_and_combined() {
    let [a, b] = [Case::new(7), Case::new(11)];
    assert!(holds(&a.key, &[(a.opening(), 1)]));
    assert!(holds(&a.key, &[(a.opening(), 9), (b.opening(), 81)]));
    assert!(holds(&a.key, &[]));
}

#[test]
fn no_part_can_be_another() {
    let case = Case::new(7);
    let one = Fr::from(1_u64);
    let others = [
        Opening { value: case.value + one, ..case.opening() },
        Opening { at: case.at + one, ..case.opening() },
        Opening { proof: G1::generator(), ..case.opening() },
        Opening { proof: G1::zero(), ..case.opening() },
        Opening { terms: &case.terms[..1], ..case.opening() },
    ];
    for (i, other) in others.into_iter().enumerate() {
        assert!(!holds(&case.key, &[(other.clone(), 1)]), "{i}");
        assert!(!holds(&case.key, &[(case.opening(), 2), (other, 3)]), "{i}");
    }
}

#[test]
fn keys_have_one_encoding_and_no_identity() {
    let key = Case::new(3).key;
    let bytes = key.encode();
    assert_eq!(Key::decode(&bytes).unwrap(), key);
    assert_eq!(format!("{key:?}").len(), 5 + 2 * bytes.len(), "and no tables");
    for at in 0..bytes.len() {
        for bit in [1, 0x20, 0x40, 0x80] {
            let mut other = bytes;
            other[at] ^= bit;
            assert!(Key::decode(&other).map_or(true, |other| other != key));
        }
    }
    for (from, length) in [(0, 48), (48, 96), (144, 96)] {
        let mut identity = bytes;
        identity[from..from + length].fill(0);
        identity[from] = 0xc0;
        assert!(Key::decode(&identity).is_err());
    }
}
