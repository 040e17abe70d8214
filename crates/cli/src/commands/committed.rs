//! The commitment file of the command's data.

use super::failure::failure;
use crate::exit::Failure;
use iop::hash::{Digest, Hash};
use pcs::file::{Committed as Body, File, Kind, SchemeId};
use tenfold::{CommitmentFile, Error};

/// Reads a commitment file of any scheme, exactly; what is read has one encoding, so that equal commitments are equal bytes.
///
/// # Errors
/// If it is none, was changed, or is to no data or more than its parameters have places for.
pub fn read(bytes: &[u8]) -> Result<CommitmentFile, Failure> {
    CommitmentFile::from_bytes(bytes).map_err(|e| failure(Error::Commitment(e)))
}

/// The bytes of a commitment file of any scheme: encoded parameters with their digest, description and commitment.
pub(super) fn encode(
    scheme: SchemeId,
    hash: Hash,
    (params, params_digest): (&[u8], Digest),
    [subject, commitment]: [&[u8]; 2],
) -> Vec<u8> {
    let body = Body { description: subject.to_vec(), commitment: commitment.to_vec() };
    let file = File {
        kind: Kind::Commitment,
        scheme,
        params: params.to_vec(),
        params_digest,
        statement: body.digest(hash),
        body: body.encode().into(),
    };
    file.encode()
}
