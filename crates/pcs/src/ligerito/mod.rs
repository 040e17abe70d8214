//! Ligerito: a small and fast multilinear commitment over binary fields. (notes: ligerito)
//!
//! After Novakovic and Angeris, "Ligerito: A Small and Concretely Fast Polynomial Commitment Scheme" (eprint 2025/1187),
//! with claims at any point, commitments apart from openings, decreasing rates, and proven soundness.
//!
//! ```text
//!             2^log_columns lanes (x polynomials)
//!            +----+----+----+----+
//!  2^log_rows| X[0] X[1] X[2] .. |   a lane holds coefficients of the novel basis; a Merkle leaf is one row of the codeword;
//!   rows     |                   |   entry i stands in row i >> log_columns, lane i & (2^log_columns - 1)
//!            +----+----+----+----+
//! ```
//! The data lie in a byte tower, where the additive transform needs twiddles of 16 bits; challenges are drawn from a
//! field in polynomial basis, where carry-less products are fast. Everything behind the code is shared with the other
//! schemes over a matrix.

mod preset;
#[cfg(feature = "prover")]
pub mod search;

#[cfg(test)]
mod tests;

pub use crate::fields::Fields;
pub use crate::matrix::{Commitment, Inner, Params, RoundParams, Size};
#[cfg(feature = "prover")]
pub use crate::matrix::{Secret, Witness};
pub use crate::ring_switching::{Entries, unpack, unpack_bytes, unpacked};
pub use preset::Preset;

/// Validated parameters over a pair of binary fields.
pub type Scheme<B, E> = crate::matrix::Scheme<crate::matrix::Binary, B, E>;

/// Validated parameters of proofs about several commitments over a pair of binary fields.
pub type JointScheme<B, E> = crate::matrix::JointScheme<crate::matrix::Binary, B, E>;

/// A machine that proves for a [`Scheme`].
#[cfg(feature = "prover")]
pub type Prover<'a, B, E> = crate::matrix::Prover<'a, crate::matrix::Binary, B, E>;
