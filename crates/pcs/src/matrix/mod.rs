//! Polynomials committed as a matrix, and what the schemes that do so share: commitment, the reduction of claims to one
//! combined fragment, the recursion, hiding. (notes: codes-layout, pip-columns, pip-recursion)
//!
//! ```text
//!   Params ──► Layout
//!     │
//!   commit ──► (packed entries: ring switching) ──► reduce: claims ─► one combined fragment ──► recursion ──► in full
//!   prover                             columns' sumcheck, or a mask (hiding)            └──► chain, two chains
//! ```
//! Codes come in through [`field::FoldableCode`], so prime fields and binary ones are the same to all of it but the module `steps`. PIP_FRI and
//! Ligerito are presets: the family of fields, a label, and what their searches prefer.

pub(crate) mod chain;
mod claim;
#[cfg(feature = "prover")]
mod combine;
#[cfg(feature = "prover")]
mod committed;
mod joint;
mod layout;
#[cfg(feature = "prover")]
mod memory;
#[cfg(feature = "prover")]
mod packed;
mod params;
#[cfg(feature = "prover")]
mod prover;
pub(crate) mod recursion;
pub(crate) mod reduce;
mod round;
pub(crate) mod round_params;
pub(crate) mod rows;
mod scheme;
#[cfg(feature = "prover")]
pub(crate) mod search;
#[cfg(feature = "prover")]
mod secret;
mod security;
mod size;
mod steps;
pub(crate) mod two_chains;
#[cfg(feature = "prover")]
mod values;
mod verifier;
mod weights;
#[cfg(feature = "prover")]
mod witness;

#[cfg(test)]
pub(crate) mod adversary;
#[cfg(test)]
pub(crate) mod battery;
#[cfg(test)]
mod simulator;
#[cfg(test)]
mod tests;

#[cfg(feature = "prover")]
pub use chain::{ChainStart, ChainWords};
pub(crate) use claim::Claim;
#[cfg(feature = "prover")]
pub use combine::{combine_columns, combine_rows};
#[cfg(feature = "prover")]
pub use committed::{CommittedMatrix, HeldMatrix, PlainMatrix, RemoteMatrix, Unavailable};
pub use joint::{JointScheme, MAX_COMMITMENTS, Statement as JointStatement};
pub(crate) use layout::{Layout, ProverStorage};
pub use params::{Inner, InnerKind, Params};
#[cfg(feature = "prover")]
pub use prover::Prover;
#[cfg(feature = "prover")]
pub(crate) use prover::{Combined, Opened};
pub(crate) use reduce::{BatchedClaims, SingleClaim};
pub(crate) use round::Round;
pub(crate) use round_params::Matrices;
pub use round_params::{MAX_OPENINGS, RoundParams};
pub use scheme::Scheme;
#[cfg(feature = "prover")]
pub use secret::{PART_KEY_BYTES, Secret, wipe};
pub(crate) use security::{Terms, code};
pub use size::Size;
pub(crate) use size::{Opening as OpenedRows, nonce, rounds};
pub use steps::{Binary, Prime, Steps};
pub use verifier::Commitment;
pub(crate) use verifier::Opening;
pub(crate) use weights::Weights;
#[cfg(feature = "prover")]
pub use witness::{Kept, Witness};
