//! The commitment file, with the parameters of the ring.
//!
//! ```text
//!  slots u32, members u32 as the description | commitment 144
//! ```
//! It is enough to verify; how many members there are is the word of who made it. (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use alloc::vec::Vec;
use core::fmt;

use super::suite::map_curve;
use super::{FileError, HASH, OnCurve, Params, SuiteVerifier, container};
use crate::{Commitment, kzg};
use curve::jubjub::Jubjub;
use pcs::codec::{Reader, Writer};
use pcs::file::{Committed as Body, File, Kind, SchemeId};
use pcs::iop::text;

/// The content of a commitment file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The parameters.
    pub params: Params,
    /// The slots that were used.
    pub slots: u32,
    /// Those with a member.
    pub members: u32,
    /// The commitment.
    pub commitment: [u8; Commitment::BYTES],
}

impl Committed {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut description = Writer::new();
        description.u32(self.slots);
        description.u32(self.members);
        let body = Body { description: description.finish(), commitment: self.commitment.to_vec() };
        let file = File {
            kind: Kind::Commitment,
            scheme: SchemeId::Ring,
            params: self.params.encode(),
            params_digest: self.params.digest().head(),
            statement: body.digest(HASH).head(),
            body: body.encode().into(),
        };
        file.encode()
    }

    /// Reads the bytes of a file, exactly. The points are not checked.
    ///
    /// # Errors
    /// If they are no commitment of a ring, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        const MALFORMED: FileError = FileError::Malformed("content");
        let file = container(bytes, Kind::Commitment)?;
        let params = Params::decode(&file.params)?;
        let body = Body::decode(&file.body).map_err(|_| MALFORMED)?;
        let capacity = params.domain.capacity();
        let (slots, members) = counts(&body.description, capacity).ok_or(MALFORMED)?;
        let commitment = body.commitment.as_slice().try_into().map_err(|_| MALFORMED)?;
        file.check_digests(params.digest(), body.digest(HASH)).map_err(FileError::Digest)?;
        Ok(Self { params, slots, members, commitment })
    }

    /// The BLAKE3 digest of the file: signatures name their ring by it, and people compare it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(&self.encode()).as_bytes()
    }

    /// The points.
    ///
    /// # Errors
    /// If they are no points of the subgroup.
    pub fn points(&self) -> Result<Commitment, FileError> {
        Commitment::decode(&self.commitment).map_err(FileError::Points)
    }
}

/// `1,000 member(s)`, and how many slots are empty.
impl fmt::Display for Committed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} member(s)", text::count(self.members.into()))?;
        match self.slots.saturating_sub(self.members) {
            0 => Ok(()),
            empty => write!(f, ", {} empty slot(s)", text::count(empty.into())),
        }
    }
}

/// A ring's commitment file with the verifier of that ring: signature files name the first, and are verified by the second.
#[derive(Clone, Debug)]
pub struct RingVerifier {
    committed: Committed,
    pub(super) verifier: OnCurve<SuiteVerifier, SuiteVerifier<Jubjub>>,
}

impl RingVerifier {
    /// The verifier of the ring in a commitment file. `kzg` is the key of the setup that the file names, which the caller trusts.
    ///
    /// # Errors
    /// If the commitment is no three points of the subgroup, or the domain is for keys on another curve than the suite's.
    pub fn new(committed: Committed, kzg: &kzg::Key) -> Result<Self, FileError> {
        let suite = committed.params.suite.suite();
        let verifier = map_curve!(suite, suite => SuiteVerifier::new(suite, &committed, kzg)?);
        Ok(Self { committed, verifier })
    }

    /// The content of the commitment file.
    #[must_use]
    pub fn committed(&self) -> &Committed {
        &self.committed
    }
}

/// Reads the numbers of slots and of members.
fn counts(description: &[u8], capacity: usize) -> Option<(u32, u32)> {
    let mut r = Reader::new(description);
    let (slots, members) = (r.u32()?, r.u32()?);
    r.finish()?;
    let fits = members <= slots && usize::try_from(slots).ok()? <= capacity;
    fits.then_some((slots, members))
}
