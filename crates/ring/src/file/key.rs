//! The public key file: the suite's number as parameters, key (32, or 33 in Weierstrass form) and possession 64 (or nothing) as body. (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use super::{FileError, HASH, Member, SuiteId, container};
use pcs::codec::Reader;
use pcs::file::{File, Kind, SchemeId};
use pcs::iop::hash::Digest;

/// The content of a public key file. The key is not checked before it becomes a member's, see [`Member::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The suite.
    pub suite: SuiteId,
    /// The key, and its proof.
    pub member: Member,
}

impl PublicKey {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let params = vec![self.suite.number()];
        let Member { key, possession } = &self.member;
        let body = [&key[..], possession.as_ref().map_or(&[], |bytes| bytes)].concat();
        let (params_digest, statement) = (digest(&params).head(), digest(&body).head());
        File { kind: Kind::Key, scheme: SchemeId::Ring, params, params_digest, statement, body: body.into() }
            .encode()
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// If they are no public key, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        const MALFORMED: FileError = FileError::Malformed("key");
        let file = container(bytes, Kind::Key)?;
        let [number] = file.params[..] else { return Err(MALFORMED) };
        let suite = SuiteId::read(number)?;
        let member = member(suite, &file.body).ok_or(MALFORMED)?;
        file.check_digests(digest(&file.params), digest(&file.body)).map_err(FileError::Digest)?;
        Ok(Self { suite, member })
    }
}

fn member(suite: SuiteId, body: &[u8]) -> Option<Member> {
    let mut r = Reader::new(body);
    let key = r.bytes(suite.point_bytes())?.to_vec();
    let possession = if r.remaining() > 0 { Some(r.array()?) } else { None };
    r.finish()?;
    Some(Member { key, possession })
}

fn digest(bytes: &[u8]) -> Digest {
    HASH.digest("tenfold ring key v1", &[bytes])
}
