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
//! Without the feature `prover` there is what a verifier of openings holds and checks, [`Key`], [`Opening`] and [`Claims`], which ring proofs take.
//!
//! (notes: kzg)

#[cfg(feature = "prover")]
mod batch;
#[cfg(feature = "prover")]
pub mod multilinear;
mod opening;
#[cfg(feature = "prover")]
mod params;
#[cfg(feature = "prover")]
mod prover;
#[cfg(feature = "prover")]
mod quotient;
#[cfg(test)]
mod tests;
#[cfg(feature = "prover")]
mod verifier;

#[cfg(feature = "prover")]
pub use batch::{Batch, Rejected, invalid_among};
pub use opening::{Claims, Key, Opening};
#[cfg(feature = "prover")]
pub use params::{Commitment, Evaluations, Params};
#[cfg(feature = "prover")]
pub use prover::{Prover, Witness};
#[cfg(feature = "prover")]
pub use quotient::{Table, commit, divide, evaluate};
#[cfg(feature = "prover")]
pub use verifier::Scheme;
