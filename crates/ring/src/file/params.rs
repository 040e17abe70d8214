//! The parameters that a ring's files share: suite, rows, setup.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use alloc::vec::Vec;

use super::{FileError, HASH, SuiteId};
use crate::Domain;
use pcs::codec::{Reader, Writer};
use pcs::iop::hash::Digest;

/// The parameters of a ring's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The suite.
    pub suite: SuiteId,
    /// Rows, and with them the most members: a domain of the suite, see [`SuiteId::domain`].
    pub domain: Domain,
    /// SHA-256 of the setup's file.
    pub setup: [u8; 32],
}

impl Params {
    /// Encodes them in 34 bytes: the suite's number, log2 of the rows, the setup.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.u8(self.suite.number());
        w.u8(u8::try_from(self.domain.size().ilog2()).expect("less than 64"));
        w.bytes(&self.setup);
        w.finish()
    }

    /// Reads them, exactly.
    ///
    /// # Errors
    /// If the suite has a number that is not known here, or they are malformed.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        const MALFORMED: FileError = FileError::Malformed("parameter block");
        let mut r = Reader::new(bytes);
        let suite = SuiteId::read(r.u8().ok_or(MALFORMED)?)?;
        let size = r.u8().and_then(|log| 1_usize.checked_shl(log.into())).ok_or(MALFORMED)?;
        let setup = r.array().ok_or(MALFORMED)?;
        r.finish().ok_or(MALFORMED)?;
        Ok(Self { suite, domain: suite.domain(size).map_err(|_| MALFORMED)?, setup })
    }

    /// The digest in the header of every file.
    #[must_use]
    pub fn digest(&self) -> Digest {
        HASH.digest("tenfold ring params v1", &[&self.encode()])
    }
}
