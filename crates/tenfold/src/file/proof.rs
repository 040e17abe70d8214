//! The proof file.

use alloc::vec::Vec;
use pcs::file::{File, FileError, Kind};

/// A proof of claims about committed data, as [`crate::verify()`] reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFile {
    /// The container.
    pub file: File<'static>,
}

impl ProofFile {
    /// Reads the container of a proof. That it is one says nothing of the proof: it holds if [`crate::verify()`] says so.
    ///
    /// # Errors
    /// If the bytes are no file of a proof about data.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let file = File::decode(bytes)?;
        match file.kind {
            Kind::Opening | Kind::Weighted | Kind::Product => Ok(Self { file: file.into_owned() }),
            _ => Err(FileError::OtherKind("proof about data")),
        }
    }

    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.file.encode()
    }
}
