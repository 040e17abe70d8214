//! Kate, Zaverucha and Goldberg's commitments (2010), over BLS12-381: polynomials and their values.
//!
//! ```text
//!   commitment   C = p(tau) G1
//!   opening      pi = ((p - p(z)) / (X - z))(tau) G1
//!   check        e(pi, tau G2) = e(C + z pi - p(z) G1, G2)
//! ```
//! Several openings are checked as one, combined by weights that must not be known before the openings are.
//!
//! There are two layers. The core has points and scalars and leaves challenges to its caller: [`commit`], [`divide`], [`Opening`], [`Claims`];
//! ring proofs, whose transcript is not ours, use it. On top of it is a scheme like the others here, [`Params`], [`Scheme`],
//! [`Prover`], [`Batch`], for univariate polynomials at any number of points. [`multilinear`] is the scheme for multilinear polynomials, over a
//! setup of its own.
//!
//! **What it rests on is not what the other schemes rest on.** The setup has a secret, and who knows it opens anything to any value;
//! beyond that binding is an assumption about the curve's groups (the algebraic group model, `q`-discrete logarithms), of which
//! no theorem gives a number of bits. So there is no report, and a [`Scheme`] refuses a policy that asks for proven bits. **It does not hide**:
//! a commitment is a function of the polynomial, and whoever guesses the polynomial sees that he is right. An opening does not show the
//! degree either: a setup with more powers has commitments to longer polynomials.
//!
//! With the feature `prover` only: the curves' libraries are not among what the WebAssembly module carries.
//!
//! (notes: kzg)

mod batch;
pub mod multilinear;
mod opening;
mod params;
mod prover;
#[cfg(test)]
mod tests;
mod verifier;

use curve::bls12_381::{Fr, G1, G1Projective};
use curve::{AffineRepr, Zero, msm};

pub use batch::{Batch, Rejected, invalid_among};
pub use opening::{Claims, Key, Opening};
pub use params::{Commitment, Evaluations, Params};
pub use prover::{Prover, Witness};
pub use verifier::Scheme;

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
