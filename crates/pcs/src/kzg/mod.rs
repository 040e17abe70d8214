//! Kate, Zaverucha and Goldberg's commitments (2010), over BLS12-381: polynomials and their values.
//!
//! ```text
//!   commitment   C = p(tau) G1
//!   opening      pi = ((p - p(z)) / (X - z))(tau) G1
//!   check        e(pi, tau G2) = e(C + z pi - p(z) G1, G2)
//! ```
//! Several openings are checked as one, combined by weights that must not be known before the openings are.
//!
//! ```
//! use pcs::iop::security::Policy;
//! use pcs::kzg::{Fr, Key, Params, Prover, Scheme, Srs};
//!
//! // Powers of a secret that stands here: for tests alone, since whoever knows it opens anything to any
//! // value. `Srs::zcash()` has the powers of a ceremony, for up to 6,145 coefficients.
//! let srs = Srs::insecure_from_tau(Fr::from(5_u64), 4);
//! let params = Params { key: Key::new(&srs)?, polynomials: 2, max_points: 1 };
//! // No bits are proven: a policy that asks for some is refused.
//! let scheme = Scheme::new(params, &Policy::at_least(0))?;
//!
//! // 1 + 2 X + 3 X^2 and 7 + X^3, at X = 10.
//! let polynomial = |c: &[u64]| c.iter().map(|c| Fr::from(*c)).collect::<Vec<_>>();
//! let prover = Prover::new(&scheme, &srs, 4)?;
//! let witness = prover.commit(vec![polynomial(&[1, 2, 3]), polynomial(&[7, 0, 0, 1])])?;
//! let sent = witness.commitment().to_bytes();
//! let (stated, proof) = prover.open(&witness, &[Fr::from(10_u64)], b"an example");
//! assert_eq!(stated.values, [polynomial(&[321, 1007])]);
//! assert_eq!((sent.len(), proof.len()), (2 * 48, 48));
//!
//! // The verifier has been sent the commitment, asked for the point, and expects the context.
//! let commitment = scheme.read_commitment(&sent)?;
//! assert_eq!((&stated.points[..], &stated.context[..]), (&[Fr::from(10_u64)][..], &b"an example"[..]));
//! scheme.verify(&commitment, &stated, &proof)?;
//! let mut wrong = stated;
//! wrong.values[0][1] += Fr::from(1_u64);
//! assert!(scheme.verify(&commitment, &wrong, &proof).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Fr`], [`G1`], [`Srs`] and [`mod@curve`] are what the functions here take and give: no other crate is needed.
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
pub use curve;
#[cfg(feature = "prover")]
pub use curve::bls12_381::G1Projective;
pub use curve::bls12_381::{Fr, G1};
#[cfg(feature = "prover")]
pub use curve::srs::Srs;
pub use opening::{Claims, Key, Opening};
#[cfg(feature = "prover")]
pub use params::{Commitment, Evaluations, Params};
#[cfg(feature = "prover")]
pub use prover::{Prover, Witness};
#[cfg(feature = "prover")]
pub use quotient::{Table, commit, divide, evaluate};
#[cfg(feature = "prover")]
pub use verifier::Scheme;
