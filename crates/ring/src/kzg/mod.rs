//! Kate, Zaverucha and Goldberg's commitments (2010), over BLS12-381: polynomials and their values.
//!
//! ```text
//!   commitment   C = p(tau) G1
//!   opening      pi = ((p - p(z)) / (X - z))(tau) G1
//!   check        e(pi, tau G2) = e(C + z pi - p(z) G1, G2)
//! ```
//! Several openings are checked as one, combined by weights that must not be known before the openings are.
//!
//! (notes: ring-kzg)

#[cfg(test)]
mod tests;
mod verifier;

use curve::bls12_381::{Fr, G1, G1Projective};
use curve::{AffineRepr, Zero, msm};

pub use verifier::{Claims, Key, Opening};

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
