//! The names of suites.

use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use curve::embedded::Embedded;
use curve::jubjub::Jubjub;

use super::Suite;
use crate::Invalid;

/// The name of a suite that this library has: what is in a configuration file. [`Display`] and [`FromStr`] have the identifiers that signatures are made with.
///
/// ```
/// use ring_proof::vrf::{Suite, SuiteName};
///
/// let name: SuiteName = "Bandersnatch-SHA512-ELL2-v1".parse()?;
/// assert_eq!(name.bandersnatch(), Some(Suite::v1()));
/// assert_eq!(name.to_string(), Suite::v1().to_string());
/// # Ok::<(), ring_proof::Invalid>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SuiteName {
    /// [`Suite::v1`].
    V1,
    /// [`Suite::v2`].
    V2,
    /// [`Suite::shake128`].
    Shake128,
    /// [`Suite::bandersnatch_sw`].
    BandersnatchSw,
    /// [`Suite::jam`].
    Jam,
    /// [`Suite::jubjub`].
    Jubjub,
}

impl SuiteName {
    /// All names.
    pub const ALL: [Self; 6] =
        [Self::V1, Self::V2, Self::Shake128, Self::BandersnatchSw, Self::Jam, Self::Jubjub];

    /// The identifier.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "Bandersnatch-SHA512-ELL2-v1",
            Self::V2 => "Bandersnatch-SHA512-ELL2-v2",
            Self::Shake128 => "Bandersnatch-SHAKE128-ELL2-v1",
            Self::BandersnatchSw => "Bandersnatch-SW-SHA512-TAI-v1",
            Self::Jam => "Bandersnatch_SHA-512_ELL2",
            Self::Jubjub => "JubJub-SHA512-TAI-v1",
        }
    }

    /// The suite, if its keys are on Bandersnatch.
    #[must_use]
    pub fn bandersnatch(self) -> Option<&'static Suite> {
        match self {
            Self::V1 => Some(Suite::v1()),
            Self::V2 => Some(Suite::v2()),
            Self::Shake128 => Some(Suite::shake128()),
            Self::BandersnatchSw => Some(Suite::bandersnatch_sw()),
            Self::Jam => Some(Suite::jam()),
            Self::Jubjub => None,
        }
    }

    /// The suite, if its keys are on Jubjub.
    #[must_use]
    pub fn jubjub(self) -> Option<&'static Suite<Jubjub>> {
        (self == Self::Jubjub).then(Suite::jubjub)
    }
}

impl Display for SuiteName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for SuiteName {
    type Err = Invalid;

    /// # Errors
    /// If no suite has this identifier.
    fn from_str(name: &str) -> Result<Self, Invalid> {
        let known = Self::ALL.into_iter().find(|suite| suite.as_str() == name);
        known.ok_or(Invalid("no suite of this name"))
    }
}

impl<C: Embedded> Display for Suite<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(core::str::from_utf8(self.id()).unwrap_or_default())
    }
}
