//! The files that a commitment and a proof are kept in.

mod commitment;
#[cfg(feature = "prover")]
mod proof;

pub use commitment::{CommitmentError, CommitmentFile};
#[cfg(feature = "prover")]
pub use proof::ProofFile;
