//! Polynomials: their values, quotients and commitments.

use curve::bls12_381::{Fr, G1, G1Projective};
use curve::{AffineRepr, Zero, msm};

/// Points of the first group, prepared for sums.
pub type Table = msm::FixedBase<<G1 as AffineRepr>::Config>;

/// `p(x)`.
#[must_use]
pub fn evaluate(polynomial: &[Fr], x: Fr) -> Fr {
    polynomial.iter().rev().fold(Fr::zero(), |sum, c| sum * x + c)
}

/// `(p - p(z)) / (X - z)` and `p(z)`.
#[must_use]
pub fn divide(polynomial: &[Fr], z: Fr) -> (Vec<Fr>, Fr) {
    let mut quotient = vec![Fr::zero(); polynomial.len()];
    let mut sum = Fr::zero();
    for (q, c) in quotient.iter_mut().zip(polynomial).rev() {
        *q = sum;
        sum = sum * z + c;
    }
    quotient.pop();
    (quotient, sum)
}

/// The commitment to a polynomial. `bases` are the powers of the setup.
///
/// # Panics
/// If the polynomial is longer than there are powers.
pub fn commit(bases: &Table, polynomial: &[Fr]) -> G1Projective {
    bases.sum(polynomial)
}
