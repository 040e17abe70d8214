//! What a ring's files agree on: suite, rows, setup.

use crate::args::ring::SuiteChoice;
use crate::exit::Failure;
use iop::hash::{Digest, Hash};
use pcs::codec::{Reader, Writer};
use ring_proof::vrf::Suite;
use ring_proof::{Domain, Params as Shared};

/// The hash of the digests in the files' headers.
pub const HASH: Hash = Hash::Blake3;

impl SuiteChoice {
    const ALL: [Self; 4] = [Self::V1, Self::V2, Self::Shake128, Self::Jam];

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

    /// The suite of a number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.number() == number)
    }

    /// The suite's own name.
    #[must_use]
    pub fn name(self) -> String {
        String::from_utf8_lossy(self.suite().id()).into_owned()
    }
}

/// The parameters of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The suite.
    pub suite: SuiteChoice,
    /// Rows, and with them the most members.
    pub domain: Domain,
    /// SHA-256 of the setup's file.
    pub setup: [u8; 32],
}

impl Params {
    /// 34 bytes: the suite's number, log2 of the rows, the setup.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.u8(self.suite.number());
        w.u8(self.domain.size().trailing_zeros() as u8);
        w.bytes(&self.setup);
        w.finish()
    }

    /// Reads them, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let suite = SuiteChoice::from_number(r.u8()?)?;
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

    /// What the library calls parameters.
    #[must_use]
    pub fn shared(&self) -> Shared {
        Shared { bases: self.suite.suite().bases().clone(), domain: self.domain }
    }
}

/// The smallest domain for so many members.
///
/// # Errors
/// If there is none.
pub fn domain_for(members: usize) -> Result<Domain, Failure> {
    Domain::for_members(members).map_err(|_| {
        let most = Domain::new(Domain::SIZES[1]).map_or(0, Domain::capacity);
        let message = format!("no ring has room for {members} members: {most} at most");
        Failure::usage(message, "make several rings")
    })
}
