//! The parameters that a ring's files share: suite, rows, setup.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use alloc::vec::Vec;

use super::HASH;
use crate::vrf::{Suite, SuiteName};
use crate::{Domain, Params as Shared};
use pcs::codec::{Reader, Writer};
use pcs::iop::hash::Digest;

/// A suite that files can name: points of Bandersnatch in 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuiteId {
    /// [`Suite::v1`].
    #[default]
    V1,
    /// [`Suite::v2`].
    V2,
    /// [`Suite::shake128`].
    Shake128,
    /// [`Suite::jam`].
    Jam,
}

impl SuiteId {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::V1, Self::V2, Self::Shake128, Self::Jam];

    /// The suite.
    #[must_use]
    pub fn suite(self) -> &'static Suite {
        match self {
            Self::V1 => Suite::v1(),
            Self::V2 => Suite::v2(),
            Self::Shake128 => Suite::shake128(),
            Self::Jam => Suite::jam(),
        }
    }

    /// The number in files.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::V1 => 0,
            Self::V2 => 1,
            Self::Shake128 => 2,
            Self::Jam => 3,
        }
    }

    /// The suite with a number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.number() == number)
    }

    /// The identifier that signatures are made with.
    #[must_use]
    pub fn name(self) -> &'static str {
        let name = match self {
            Self::V1 => SuiteName::V1,
            Self::V2 => SuiteName::V2,
            Self::Shake128 => SuiteName::Shake128,
            Self::Jam => SuiteName::Jam,
        };
        name.as_str()
    }
}

/// The parameters of a ring's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The suite.
    pub suite: SuiteId,
    /// Rows, and with them the most members.
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
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let suite = SuiteId::from_number(r.u8()?)?;
        let size = 1_usize.checked_shl(r.u8()?.into())?;
        let setup = r.array()?;
        r.finish()?;
        Some(Self { suite, domain: Domain::new(size).ok()?, setup })
    }

    /// The digest in the header of every file.
    #[must_use]
    pub fn digest(&self) -> Digest {
        HASH.digest("tenfold ring params v1", &[&self.encode()])
    }

    /// The parameters that provers and verifiers share.
    #[must_use]
    pub fn shared(&self) -> Shared {
        Shared { bases: self.suite.suite().bases().clone(), domain: self.domain }
    }
}
