//! The files that commitments, proofs and what opens them are kept in.

mod commitment;
#[cfg(feature = "prover")]
mod params;
#[cfg(feature = "prover")]
mod proof;
#[cfg(feature = "prover")]
mod secret;
#[cfg(feature = "prover")]
mod stamp;
#[cfg(feature = "prover")]
mod witness;

pub use commitment::{CommitmentError, CommitmentFile};
#[cfg(feature = "prover")]
pub use params::{ParamsError, ParamsFile, is_unknown};
#[cfg(feature = "prover")]
pub use proof::ProofFile;
#[cfg(feature = "prover")]
pub use secret::{SecretError, SecretFile};
#[cfg(feature = "prover")]
pub use stamp::Stamp;
#[cfg(feature = "prover")]
pub use witness::{WitnessError, WitnessFile};
