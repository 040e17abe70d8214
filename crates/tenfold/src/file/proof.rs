//! The proof file.

use alloc::vec::Vec;
use pcs::file::File;

/// A proof of claims about committed data, as [`crate::verify()`] reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFile {
    /// The container.
    pub file: File<'static>,
}

impl ProofFile {
    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.file.encode()
    }
}
