//! PIP_FRI: a multilinear commitment that shreds the polynomial into fragments. (notes: pip)
//!
//! After Li, Zhang, Chow, Guo, Gao, Song, Deng, Liu, "Shred-to-Shine Metamorphosis of (Distributed) Polynomial
//! Commitments" (USENIX Security 2026), with real Fiat-Shamir, proven soundness, and the link from the committed
//! fragments to the folded word that the published verifier leaves out.
//!
//! ```text
//!                2^log_columns fragments (x polynomials)   masks (hiding only)
//!               +----+----+----+----+----+----+----+----+ +----+----+
//!  2^log_rows   | f[0] f[1] f[2] ...                    | |  random |   entry i of a polynomial stands in
//!     rows      | row-major: the data as it is          | |         |   row i >> log_columns,
//!               +----+----+----+----+----+----+----+----+ +----+----+   column i & (2^log_columns - 1)
//!  tail rows    | random (hiding only)                              |
//!               +---------------------------------------------------+
//!                    each column is encoded; a Merkle leaf is one row of the codeword
//! ```
//!
//! A column is the coefficient vector of a univariate polynomial. An opening proves linear forms
//! `⊗(a_v, b_v)`: the low `log_columns` factors weight the fragments, the others the rows.

#[cfg(feature = "prover")]
pub mod search;

#[cfg(test)]
mod tests;

pub use crate::matrix::{Commitment, Inner, InnerKind, Params, RoundParams, Size};
#[cfg(feature = "prover")]
pub use crate::matrix::{Secret, Witness};

/// Validated parameters over a pair of prime fields.
pub type Scheme<B, E> = crate::matrix::Scheme<crate::matrix::Prime, B, E>;

/// Validated parameters of proofs about several commitments over a pair of prime fields.
pub type JointScheme<B, E> = crate::matrix::JointScheme<crate::matrix::Prime, B, E>;

/// A machine that proves for a [`Scheme`].
#[cfg(feature = "prover")]
pub type Prover<'a, B, E> = crate::matrix::Prover<'a, crate::matrix::Prime, B, E>;
