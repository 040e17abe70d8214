//! The commitment file of the command's data.

use super::failure::failure;
use crate::exit::Failure;
use tenfold::{CommitmentFile, Error};

/// Reads a commitment file of any scheme, exactly; what is read has one encoding, so that equal commitments are equal bytes.
///
/// # Errors
/// If it is none, was changed, or is to no data or more than its parameters have places for.
pub fn read(bytes: &[u8]) -> Result<CommitmentFile, Failure> {
    CommitmentFile::from_bytes(bytes).map_err(|e| failure(Error::Commitment(e)))
}
