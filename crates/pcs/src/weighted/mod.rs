//! Weighted sums of committed columns: `Σ_i w_i f_i = y` for public weights that are no tensor.
//! (notes: linear-forms-weighted)
//!
//! ```text
//!  statement: commitment, digest of the weights w, value y, context
//!      │
//!      ▼  sumcheck of f·w: a round for each index bit, two elements a round
//!  f(r)·w(r) = s
//!      │
//!      ▼  the prover sends v = f(r); the verifier computes w(r) from the weights and checks v·w(r) = s
//!  an opening of f at r to v, by the scheme below: its context holds the digest of the statement and of all messages above
//! ```
//!
//! The scheme below is any that opens points of one polynomial ([`Points`]): PIP_FRI, or Ligerito, whose packed entries count
//! one by one.
//!
//! The weights are the verifier's own input. A proof names them by a digest, so that it says which ones it needs, and the
//! verifier's time is linear in their number.
//!
//! The sumcheck's messages speak about the data, so a hiding commitment is refused.

mod opening;
mod points;
#[cfg(feature = "prover")]
mod prover;
mod security;
mod statement;
mod verifier;

#[cfg(test)]
mod tests;

pub use opening::Opening;
pub use points::{Facts, Points};
#[cfg(feature = "prover")]
pub use prover::{Open, Opened, Parts, Prover, prove_parts};
#[cfg(feature = "prover")]
pub(crate) use security::has_room;
pub use statement::{Claim, Statement, digest};
pub use verifier::{Scheme, extension};
