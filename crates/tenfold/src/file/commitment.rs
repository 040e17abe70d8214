//! The commitment file.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::longest::is_long;
use crate::params::AnyParams;
use crate::statement::{BytesDescription, ColumnDescription, Description, TableDescription};
use alloc::vec::Vec;
use iop::error::ParamError;
use pcs::file::{Committed, File, FileError, Kind, SchemeId};

/// A commitment with its parameters and the description of the data: what a verifier compares proofs with.
#[derive(Clone, Debug, PartialEq)]
pub struct CommitmentFile {
    /// The parameters: in range, if the file was read, and not yet checked against a policy.
    pub params: AnyParams,
    /// What was committed to.
    pub description: Description,
    /// The scheme's commitment.
    pub commitment: Vec<u8>,
}

/// Why bytes are no commitment file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitmentError {
    /// The container is malformed.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is a file of a ring.
    #[error("this file is about a ring: it is no commitment to data")]
    Ring,
    /// It is another file.
    #[error("this file is no commitment")]
    OtherKind,
    /// The parameters have no such encoding.
    #[error("the file's parameters are malformed")]
    Params,
    /// A number among the parameters is out of range.
    #[error("the file's parameters are refused: {}", .0.reason())]
    Range(ParamError),
    /// The body has no such encoding.
    #[error("the file's content is malformed")]
    Content,
    /// The header was made for another content.
    #[error("the digests in the file's header do not match its content")]
    Digests,
    /// The description does not go with the parameters.
    #[error("the commitment is to more {0} than its parameters have places for, or to none")]
    Beyond(&'static str),
    /// The description is of bytes that take another number of rows.
    #[error(
        "the commitment says how many bytes its rows are packed from, and these are another number of rows"
    )]
    Packed,
    /// The description is longer than any that is read.
    #[error("the commitment's description has more than 2^20 bytes")]
    LongDescription,
}

impl CommitmentFile {
    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = Committed { description: self.description.encode(), commitment: self.commitment.clone() };
        let file = File {
            kind: Kind::Commitment,
            scheme: self.params.scheme(),
            params: self.params.encode(),
            params_digest: self.params.digest().head(),
            statement: body.digest(self.params.hash()).head(),
            body: body.encode().into(),
        };
        file.encode()
    }

    /// Reads a commitment file, exactly: equal commitments are equal bytes.
    ///
    /// # Errors
    /// If it is none, was changed, has parameters out of range, or is to no data or more than its parameters have places for.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CommitmentError> {
        let file = File::decode(bytes)?;
        match (file.kind, file.scheme) {
            (_, SchemeId::Ring) => return Err(CommitmentError::Ring),
            (Kind::Commitment, _) => {}
            _ => return Err(CommitmentError::OtherKind),
        }
        let body = Committed::decode(&file.body).map_err(|_| CommitmentError::Content)?;
        let params = AnyParams::decode(file.scheme, &file.params).ok_or(CommitmentError::Params)?;
        params.check().map_err(CommitmentError::Range)?;
        if is_long(&body.description) {
            return Err(CommitmentError::LongDescription);
        }
        let (description, unit) = if file.scheme.is_of_bytes() {
            (BytesDescription::decode(&body.description).map(Description::Bytes), "bytes")
        } else if params.summary().polynomials > 1 {
            (TableDescription::decode(&body.description).map(Description::Table), "rows or columns")
        } else {
            (ColumnDescription::decode(&body.description).map(Description::Column), "rows")
        };
        let description = description.ok_or(CommitmentError::Content)?;
        let read = Self { params, description, commitment: body.commitment };
        if read.to_bytes() != bytes {
            return Err(CommitmentError::Digests);
        }
        if matches!(&read.description, Description::Column(column) if !column.is_filled()) {
            return Err(CommitmentError::Packed);
        }
        let polynomials = read.params.summary().polynomials;
        if read.description.fits(&read.params) && read.description.polynomials() == polynomials {
            Ok(read)
        } else {
            Err(CommitmentError::Beyond(unit))
        }
    }

    /// The BLAKE3 digest of the file's bytes: what two people compare. The root would not do, since what was committed to stands
    /// beside it, and a narrow matrix has the root of one with more columns of zeros.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        *blake3::hash(&self.to_bytes()).as_bytes()
    }
}
