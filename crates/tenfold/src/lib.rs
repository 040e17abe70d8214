//! Commit to data, prove values of them, and verify the proofs: polynomial commitments without trusted setup, as a library.
//!
//! ```
//! # #[cfg(feature = "prover")]
//! # fn main() -> Result<(), tenfold::Error> {
//! use tenfold::{Claim, Claimed, Dataset, Options, Policy};
//!
//! let data = Dataset::from_u64s((0..1000).collect());
//! let (commitment, mut witness) = tenfold::commit(&data, &Options::proven_bits(128))?;
//! let proof = tenfold::open(&mut witness, &[Claim::Row(7), Claim::Sum])?;
//! let verdict = tenfold::verify(&proof.to_bytes(), &Policy::at_least(128).about(&commitment))?;
//! // The verifier says of what: a proof that holds may be of other rows.
//! assert_eq!(verdict.value_of(&Claimed::Row(7))?.integer(), Some(7));
//! assert_eq!(verdict.value_of(&Claimed::Sum)?.to_string(), "499500 modulo 2130706433");
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "prover"))]
//! # fn main() {}
//! ```
//!
//! The same for the bytes of a file, of which a proof shows single ones:
//!
//! ```
//! # #[cfg(feature = "prover")]
//! # fn main() -> Result<(), tenfold::Error> {
//! use tenfold::{Claim, Claimed, CommitmentFile, Dataset, EntrySize, Options, Policy};
//!
//! let data = Dataset::from_bytes(b"a file of any bytes".to_vec()).named("note.txt");
//! let (commitment, mut witness) = tenfold::commit(&data, &Options::proven_bits(100).entries(EntrySize::Bytes))?;
//! let proof = tenfold::open(&mut witness, &[Claim::Row(2)])?;
//! // What the verifier has: the commitment file, which they got before, and the proof.
//! let commitment = CommitmentFile::from_bytes(&commitment.to_bytes())?;
//! let verdict = tenfold::verify(&proof.to_bytes(), &Policy::at_least(100).about(&commitment))?;
//! assert_eq!(verdict.value_of(&Claimed::Entry(2))?.integer(), Some(0x66));
//! assert_eq!(verdict.claims[0].to_string(), "byte 2 of note.txt is 0x66 (102)");
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "prover"))]
//! # fn main() {}
//! ```
//!
//! The files are those of the command `tenfold`, byte for byte. Scheme and fields are chosen at run time by `search`; who knows
//! their types uses [`pcs`] itself, as the example `snark_batch` does. With the feature `gpu` bytes are committed to and opened on an NVIDIA
//! GPU where `Options::device` asks for one. Without the feature `prover` (default) there are the verifiers
//! alone, without the standard library.
//!
//! ```text
//!  Dataset ─ commit ─► CommitmentFile, Witness ─ open ─► ProofFile ─ verify ─► Verdict
//!                any::AnyScheme: each pair of scheme and fields, compiled once
//! ```
#![cfg_attr(not(feature = "prover"), no_std)]
#![forbid(unsafe_code)]

#[macro_use]
extern crate alloc;

pub mod any;
#[cfg(feature = "prover")]
mod claim;
#[cfg(feature = "cluster")]
pub mod cluster;
#[cfg(feature = "prover")]
pub mod compare;
pub mod dataset;
#[cfg(feature = "prover")]
pub mod describe;
#[cfg(feature = "prover")]
pub mod device;
mod error;
pub mod file;
pub mod longest;
pub mod params;
#[cfg(feature = "prover")]
pub mod prove;
#[cfg(feature = "prover")]
pub mod read;
#[cfg(feature = "prover")]
pub mod search;
pub mod statement;
#[cfg(feature = "prover")]
pub mod tour;
pub mod verdict;
pub mod verify;

pub use any::AnyScheme;
#[cfg(feature = "prover")]
pub use claim::Claim;
pub use dataset::Dataset;
#[cfg(feature = "prover")]
pub use device::{Device, DeviceChoice};
pub use error::Error;
pub use file::CommitmentFile;
#[cfg(feature = "prover")]
pub use file::ProofFile;
#[cfg(feature = "gpu")]
pub use gpu;
pub use iop::text;
pub use params::AnyParams;
pub use pcs;
pub use pcs::file::SchemeId;
#[cfg(feature = "prover")]
pub use prove::{Setup, Witness, commit, commit_on, open};
#[cfg(feature = "prover")]
pub use search::{Columns, EntrySize, Options};
pub use verdict::{Claimed, Expected, Policy, Value, Verdict, verify};
