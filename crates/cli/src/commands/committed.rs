//! The commitment file.

use super::blob;
use super::verified::fingerprint;
use crate::exit::Failure;
use iop::hash::{Digest, Hash};
use pcs::deepfold;
use pcs::file::{Committed as Body, File, Kind, SchemeId};
use pcs::pip::Params;
use tenfold::statement::ColumnDescription;

/// Everything a commitment file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The parameters, not yet held against a policy.
    pub params: Params,
    /// What was committed to.
    pub subject: ColumnDescription,
    /// The scheme's commitment.
    pub commitment: Vec<u8>,
}

impl Committed {
    /// What two people compare.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.encode())
    }

    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let params = (&self.params.encode()[..], self.params.digest());
        let content = [&self.subject.encode()[..], &self.commitment];
        encode(SchemeId::Pip, self.params.hash, params, content)
    }

    /// Reads a commitment file, exactly.
    ///
    /// # Errors
    /// If it is none, was changed, or is to no rows or more than its parameters have places for.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let read = Parts::read(bytes, SchemeId::Pip)?;
        let params = Params::decode(SchemeId::Pip, &read.params).ok_or_else(malformed_parameters)?;
        let subject = ColumnDescription::decode(&read.subject).ok_or_else(malformed_content)?;
        let committed = Self { params, subject, commitment: read.commitment };
        as_it_was(committed.encode(), bytes)?;
        if !committed.subject.fits(committed.params.log_size) {
            return Err(beyond("rows"));
        }
        Ok(committed)
    }
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

/// What a commitment file of any scheme holds, encoded.
pub(super) struct Parts {
    pub params: Vec<u8>,
    pub subject: Vec<u8>,
    pub commitment: Vec<u8>,
}

impl Parts {
    /// Splits a commitment file of a scheme; the digests in its header are not looked at, see [`as_it_was`].
    pub fn read(bytes: &[u8], scheme: SchemeId) -> Result<Self, Failure> {
        let file = File::decode(bytes).map_err(|e| bad(&e.to_string()))?;
        if file.scheme == SchemeId::Ring {
            return Err(bad("this file is about a ring: it is no commitment to data"));
        }
        if file.kind != Kind::Commitment || file.scheme != scheme {
            return Err(bad("this file is no commitment"));
        }
        let Body { description, commitment } = Body::decode(&file.body).map_err(|_| malformed_content())?;
        Ok(Self { params: file.params, subject: description, commitment })
    }
}

/// Refuses a file that is not what its content is written as: its digests are others.
pub(super) fn as_it_was(encoded: Vec<u8>, bytes: &[u8]) -> Result<(), Failure> {
    if encoded == bytes {
        return Ok(());
    }
    Err(bad("the digests in the file's header do not match its content"))
}

pub(super) fn malformed_parameters() -> Failure {
    bad("the file's parameters are malformed")
}

pub(super) fn malformed_content() -> Failure {
    bad("the file's content is malformed")
}

/// A commitment whose parameters do not hold so many rows or bytes.
pub(super) fn beyond(what: &str) -> Failure {
    bad(&format!("the commitment is to more {what} than its parameters have places for, or to none"))
}

fn bad(what: &str) -> Failure {
    Failure::usage(what, "make it again with `tenfold commit`")
}

/// Refuses bytes that are no commitment file of any scheme; what is read has one encoding, so that equal commitments are
/// equal bytes.
pub fn check(bytes: &[u8]) -> Result<(), Failure> {
    match File::decode(bytes).map(|file| file.scheme) {
        Ok(SchemeId::Ligerito) => blob::Committed::decode(bytes).map(|_| ()),
        Ok(SchemeId::DeepFold) => check_deepfold(bytes),
        _ => Committed::decode(bytes).map(|_| ()),
    }
}

/// [`check`] for DeepFold, whose files the command verifies and does not make.
fn check_deepfold(bytes: &[u8]) -> Result<(), Failure> {
    let read = Parts::read(bytes, SchemeId::DeepFold)?;
    let params = deepfold::Params::decode(&read.params).ok_or_else(malformed_parameters)?;
    let column = ColumnDescription::decode(&read.subject).ok_or_else(malformed_content)?;
    let content = [&read.subject[..], &read.commitment];
    as_it_was(encode(SchemeId::DeepFold, params.hash, (&read.params, params.digest()), content), bytes)?;
    if column.fits(params.log_size) { Ok(()) } else { Err(beyond("rows")) }
}
