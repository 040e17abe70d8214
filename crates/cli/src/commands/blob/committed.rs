//! The commitment file.

use super::BytesDescription;
use crate::commands::committed::{Parts, as_it_was, beyond, encode, malformed_content, malformed_parameters};
use crate::exit::Failure;
use pcs::file::SchemeId;
use pcs::ligerito::Params;

/// Everything that a commitment file about a file of bytes holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The parameters, not yet held against a policy.
    pub params: Params,
    /// What was committed to.
    pub blob: BytesDescription,
    /// The scheme's commitment.
    pub commitment: Vec<u8>,
}

impl Committed {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let params = (&self.params.encode()[..], self.params.digest());
        let content = [&self.blob.encode()[..], &self.commitment];
        encode(SchemeId::Ligerito, self.params.hash, params, content)
    }

    /// Reads a commitment file, exactly.
    ///
    /// # Errors
    /// [`crate::exit::Exit::Usage`] if it is none, was changed, or is to no bytes or more than its parameters hold.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let read = Parts::read(bytes, SchemeId::Ligerito)?;
        let params = Params::decode(SchemeId::Ligerito, &read.params).ok_or_else(malformed_parameters)?;
        let blob = BytesDescription::decode(&read.subject).ok_or_else(malformed_content)?;
        let committed = Self { params, blob, commitment: read.commitment };
        as_it_was(committed.encode(), bytes)?;
        if !committed.blob.fits(&committed.params) {
            return Err(beyond("bytes"));
        }
        Ok(committed)
    }
}
