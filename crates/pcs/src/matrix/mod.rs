//! Polynomials committed as a matrix, and what the schemes that do so share: commitment, the reduction of claims to one
//! combined fragment, the recursion, hiding. (notes: codes-layout, pip-columns, pip-recursion)
//!
//! ```text
//!   Layout (from a scheme's parameters)
//!     │
//!   commit ──► reduce: claims ─► one combined fragment ──► recursion ──► in clear
//!   prover     columns' sumcheck, or a mask (hiding)  └──► another inner argument (pip's chains)
//! ```
//! [`Layout`] is all that this module knows of a scheme. Codes come in through [`field::Alphabet`], so prime fields and
//! binary ones are the same to it.

mod claim;
#[cfg(any(unix, windows))]
mod combine;
mod layout;
pub(crate) mod level;
#[cfg(any(unix, windows))]
mod memory;
#[cfg(any(unix, windows))]
mod prover;
pub(crate) mod recursion;
pub(crate) mod reduce;
pub(crate) mod rows;
#[cfg(any(unix, windows))]
pub(crate) mod search;
#[cfg(any(unix, windows))]
mod secret;
mod security;
mod size;
mod stage;
mod verifier;
mod weights;
#[cfg(any(unix, windows))]
mod witness;

#[cfg(test)]
pub(crate) mod lies;
#[cfg(test)]
mod tests;

pub(crate) use claim::Claim;
#[cfg(any(unix, windows))]
pub(crate) use combine::{combine_columns, combine_rows};
pub(crate) use layout::{Kept, Layout};
pub use level::Level;
pub(crate) use level::Matrices;
#[cfg(any(unix, windows))]
pub(crate) use prover::{Combined, Opened, Prover};
pub(crate) use reduce::{Only, Split};
#[cfg(any(unix, windows))]
pub use secret::Secret;
pub(crate) use security::{Terms, code};
pub use size::Size;
pub(crate) use size::{DIGEST, Opening as OpenedRows, nonce, rounds};
pub(crate) use stage::Stage;
pub use verifier::Commitment;
pub(crate) use verifier::Opening;
pub(crate) use weights::Weights;
#[cfg(any(unix, windows))]
pub use witness::Witness;
