//! Polynomials committed as a matrix, and what the schemes that do so share: commitment, the reduction of claims to one
//! combined fragment, the recursion, hiding. (notes: codes-layout, pip-columns, pip-recursion)
//!
//! ```text
//!   Layout (from a scheme's parameters)
//!     │
//!   commit ──► reduce: claims ─► one combined fragment ──► recursion ──► in clear
//!   prover     columns' sumcheck, or a mask (hiding)  └──► another inner argument (pip's chains)
//! ```
//! [`Layout`] is all that this module knows of a scheme. Codes come in through [`field::FoldableCode`], so prime fields and
//! binary ones are the same to it.

mod claim;
#[cfg(feature = "prover")]
mod combine;
mod layout;
#[cfg(feature = "prover")]
mod memory;
#[cfg(feature = "prover")]
mod prover;
pub(crate) mod recursion;
pub(crate) mod reduce;
mod round;
pub(crate) mod round_params;
pub(crate) mod rows;
#[cfg(feature = "prover")]
pub(crate) mod search;
#[cfg(feature = "prover")]
mod secret;
mod security;
mod size;
mod verifier;
mod weights;
#[cfg(feature = "prover")]
mod witness;

#[cfg(test)]
pub(crate) mod adversary;
#[cfg(test)]
mod tests;

pub(crate) use claim::Claim;
#[cfg(feature = "prover")]
pub(crate) use combine::{combine_columns, combine_rows};
pub(crate) use layout::{Layout, ProverStorage};
#[cfg(feature = "prover")]
pub(crate) use prover::{Combined, Opened, Prover};
pub(crate) use reduce::{BatchedClaims, SingleClaim};
pub(crate) use round::Round;
pub(crate) use round_params::Matrices;
pub use round_params::RoundParams;
#[cfg(feature = "prover")]
pub use secret::Secret;
pub(crate) use security::{Terms, code};
pub use size::Size;
pub(crate) use size::{DIGEST, Opening as OpenedRows, nonce, rounds};
pub use verifier::Commitment;
pub(crate) use verifier::Opening;
pub(crate) use weights::Weights;
#[cfg(feature = "prover")]
pub use witness::Witness;
