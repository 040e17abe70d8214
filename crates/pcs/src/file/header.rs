//! What stands before the body of a file: enough to know how long the file is, and how long it may be.

use super::{FileError, Kind, MAGIC, SchemeId, VERSION};
use crate::codec::Reader;
use alloc::vec::Vec;

/// The most bytes of parameters: those of no scheme have half as many.
const MAX_PARAMS: u64 = 1024;

/// Magic, version, kind, scheme, the length of the parameters, two digests and the length of the body.
const FIXED: u64 = 8 + 8 + 64 + 8;

/// The header of a file, and the length of its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What the file holds.
    pub kind: Kind,
    /// The scheme.
    pub scheme: SchemeId,
    /// The scheme's encoded parameters.
    pub params: Vec<u8>,
    /// Digest of the parameters.
    pub params_digest: [u8; 32],
    /// Digest of what is stated.
    pub statement: [u8; 32],
    /// Bytes of the body.
    pub body: u64,
}

impl Header {
    /// Bytes that hold any header.
    pub const MOST: u64 = FIXED + MAX_PARAMS;

    /// Reads the header at the start of a file, of which the first [`Header::MOST`] bytes suffice.
    ///
    /// # Errors
    /// If there is none.
    pub fn decode(start: &[u8]) -> Result<Self, FileError> {
        Self::read(&mut Reader::new(start))
    }

    /// Reads a header that the body follows.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, FileError> {
        if r.array().ok_or(FileError::Magic)? != MAGIC {
            return Err(FileError::Magic);
        }
        let version = u16::from_le_bytes(r.array().ok_or(FileError::Short)?);
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let kind = match r.u8().ok_or(FileError::Short)? {
            0 => Kind::Commitment,
            1 => Kind::Opening,
            2 => Kind::Weighted,
            3 => Kind::Members,
            4 => Kind::Key,
            5 => Kind::Product,
            _ => return Err(FileError::Unknown("kind")),
        };
        let scheme = match r.u8().ok_or(FileError::Short)? {
            0 => SchemeId::Pip,
            1 => SchemeId::DeepFold,
            2 => SchemeId::Ligerito,
            3 => SchemeId::Ring,
            4 => SchemeId::Air,
            _ => return Err(FileError::Unknown("scheme")),
        };
        let params = r.sized().ok_or(FileError::Short)?;
        if params.len() as u64 > MAX_PARAMS {
            return Err(FileError::Malformed("parameters"));
        }
        let params = params.to_vec();
        let params_digest = r.array().ok_or(FileError::Short)?;
        let statement = r.array().ok_or(FileError::Short)?;
        let body = r.u64().ok_or(FileError::Short)?;
        Ok(Self { kind, scheme, params, params_digest, statement, body })
    }

    /// Bytes before the body.
    pub fn before_body(&self) -> u64 {
        FIXED + self.params.len() as u64
    }

    /// The length that the header gives the file.
    pub fn length(&self) -> u64 {
        self.before_body().saturating_add(self.body)
    }
}
