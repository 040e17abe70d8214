//! Air-FRI: FRI over large binary fields, and the polynomial commitment on top of it. (notes: air)
//!
//! After Jandhyala and Gong, "Air-FRI: Acceleration of the FRI Protocol on the GPU for zkSNARKs" (SAC 2025), and Ben-Sasson, Bentov, Horesh
//! and Riabzev, "Fast Reed-Solomon interactive oracle proofs of proximity" (ICALP 2018), with a root for every round, each challenge drawn
//! after the root before it, irreducible moduli and proven soundness.
//!
//! ```text
//!   entries in GF(2^192), GF(2^256) or GF(2^320)
//!      │ coordinates over the byte tower: columns          2^-log_inv_rate: an affine subspace of GF(2^32)
//!      ▼                                                   ▼
//!   word 0 ── root ── α_1 .. α_k ──► word 1 ── root ── α ──► word 2 ─ ... ──► message in clear ──► positions
//!      leaf: 2^k neighbours fold into one element           each: the fold of the word before, 2^k times shorter
//! ```
//! It is the protocol over a matrix with one chain as inner argument ([`crate::matrix`]), over binary fields: words are folded by the
//! challenges of a sumcheck, so that any linear forms of the committed vectors are proven along with proximity: evaluations of the univariate
//! polynomials at points in or outside of the domain, of the multilinear ones, entries and sums. Packed bytes are committed as Ligerito's are.

mod level;
#[cfg(feature = "prover")]
pub mod search;
mod univariate;

#[cfg(test)]
mod tests;

pub use crate::fields::Fields;
pub use crate::matrix::{Commitment, Inner, Params, RoundParams, Size};
#[cfg(feature = "prover")]
pub use crate::matrix::{Secret, Witness};
pub use crate::ring_switching::Entries;
pub use level::Level;
pub use univariate::evaluation;

/// Validated parameters over a pair of binary fields.
pub type Scheme<B, E> = crate::matrix::Scheme<crate::matrix::Binary, B, E>;

/// Validated parameters of proofs about several commitments over a pair of binary fields.
pub type JointScheme<B, E> = crate::matrix::JointScheme<crate::matrix::Binary, B, E>;

/// A machine that proves for a [`Scheme`].
#[cfg(feature = "prover")]
pub type Prover<'a, B, E> = crate::matrix::Prover<'a, crate::matrix::Binary, B, E>;
