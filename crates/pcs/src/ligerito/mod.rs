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

mod fields;
#[cfg(feature = "prover")]
mod pack;
mod params;
mod preset;
#[cfg(feature = "prover")]
mod prover;
mod ring_switching;
#[cfg(feature = "prover")]
pub mod search;
mod security;
mod unpack;
mod verifier;

#[cfg(test)]
mod tests;

pub use crate::matrix::{Commitment, RoundParams, Size};
#[cfg(feature = "prover")]
pub use crate::matrix::{Secret, Witness};
pub use fields::Fields;
pub use params::Params;
pub use preset::Preset;
#[cfg(feature = "prover")]
pub use prover::Prover;
pub use ring_switching::Entries;
pub use unpack::{unpack, unpack_bytes, unpacked};
pub use verifier::Scheme;
