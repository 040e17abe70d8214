//! One proof about several commitments: what a protocol with rounds opens at its end. (notes: pip-joint)
//!
//! ```text
//!  round 1   C1 = [ p1 p2 p3 ]          challenges          round 2   C2 = [ p4 ]
//!            own root and sample ───────────────────────────────────► own root and sample
//!
//!  opening   [ p1 p2 p3 | p4 ]  one matrix whose columns are in two trees: one combination, one inner argument,
//!                               one set of positions, opened in each tree
//! ```
//! Each commitment is that of [`JointScheme::part`], with these parameters exactly, since the point of its sample depends on all of them; it may be opened by itself too. The polynomials have one size and one code; how many of them a
//! commitment holds, and the forms that are claimed of them, are its own.
//!
//! ```
//! use pcs::field::{Field, Goldilocks, Goldilocks3};
//! use pcs::fields::Fields;
//! use pcs::iop::poly::TensorForm;
//! use pcs::iop::security::Policy;
//! use pcs::pip::search::{Profile, SearchTarget, find};
//! use pcs::pip::{JointScheme, Prover};
//!
//! // Two polynomials in the first round, one in the second.
//! let target = SearchTarget::new(Fields::Goldilocks3, 8, 128, Profile::Fast);
//! let params = find(&SearchTarget { polynomials: 3, commitments: 2, ..target })?;
//! let joint = JointScheme::<Goldilocks, Goldilocks3>::new(params, &[2, 1], &Policy::at_least(128))?;
//!
//! let polynomial = |seed: u64| -> Vec<Goldilocks> { (0..256).map(|i| Goldilocks::from_u64(i * i + seed)).collect() };
//! let first = Prover::new(joint.part(0)).commit_batch(&[&polynomial(1), &polynomial(2)]);
//! let second = Prover::new(joint.part(1)).commit(polynomial(3));
//!
//! // The first two at a point; the third there and at its first entry.
//! let at = TensorForm::point(&[Goldilocks3::from_u64(5); 8]);
//! let forms = [vec![at.clone()], vec![at, TensorForm::index(0, 8)]];
//! let (claims, proof) = joint.open(&[&first, &second], forms.to_vec(), b"an example");
//! let statements = [(first.commitment(), &claims[0]), (second.commitment(), &claims[1])];
//! joint.verify(&statements, &proof)?;
//! assert_eq!(claims[0].values[0].len(), 2);
//! assert_eq!(claims[1].values[1], [Goldilocks3::from_u64(3)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#[cfg(feature = "prover")]
mod prover;
mod verifier;

#[cfg(test)]
mod tests;

pub use verifier::{JointScheme, MAX_COMMITMENTS, Statement};
