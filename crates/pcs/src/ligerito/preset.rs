//! The named profiles: regime, rate, fields and proven bits under one name each. (notes: ligerito-profiles)
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(feature = "prover")]
use super::search::{Budget, Profile, SearchTarget};
use super::{Fields, Params};
use crate::file::SchemeId;
use alloc::format;
use iop::error::ParamError;
use iop::security::{Policy, Regime, Report, Theorems};

/// A named profile. What a name leaves free, the shape of the matrices, their queries and their work, is found by the search for
/// each size, and every error term is computed anew from what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// 100 bits by unique decoding at rate 1/2: the fastest prover, about twice the bytes of [`Preset::Small`].
    Fast,
    /// 100 bits up to the Johnson radius at rate 1/2: three to four fifths of the bytes of [`Preset::Fast`] for at most a quarter
    /// more time by the model that it is searched with; 1.2 to 1.6 of its time were measured.
    Balanced,
    /// 100 bits up to the Johnson radius at rate 1/4: about half the bytes of [`Preset::Fast`] for 2.0 to 2.3 of its time.
    Small,
    /// 128 bits up to the Johnson radius at rate 1/4, by challenges in GF(2^192) over words of 64 bits, or in GF(2^256).
    Secure128,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Balanced, Self::Small, Self::Secure128];

    /// The name that people use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Small => "small",
            Self::Secure128 => "secure128",
        }
    }

    /// The inverse of [`Preset::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The proven bits, by the union over all error terms.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Fast | Self::Balanced | Self::Small => 100,
            Self::Secure128 => 128,
        }
    }

    /// The fields that it is for, its own first, then the alternatives.
    pub const fn fields(self) -> &'static [Fields] {
        match self {
            Self::Fast | Self::Balanced | Self::Small => &[Fields::Gf128],
            Self::Secure128 => &[Fields::Gf192, Fields::Gf256],
        }
    }

    /// log2 of the inverse rate of the committed matrix.
    pub const fn log_inv_rate(self) -> u32 {
        match self {
            Self::Fast | Self::Balanced => 1,
            Self::Small | Self::Secure128 => 2,
        }
    }

    /// Whether it stays within half the minimum distance; else up to the Johnson radius.
    pub const fn unique_decoding(self) -> bool {
        matches!(self, Self::Fast)
    }

    /// Holds parameters against the name: ranges, proven bits by every error term under the theorems, fields, regime and
    /// rate.
    ///
    /// # Errors
    /// Says in what they are not of this profile.
    pub fn check(self, params: &Params, theorems: Theorems) -> Result<Report, ParamError> {
        let report = params.validate(&Policy { theorems, ..Policy::at_least(self.bits()) })?;
        let of = |what: &str| {
            ParamError::OutOfRange(format!("the parameters are not of the profile `{}`: {what}", self.name()))
        };
        if params.scheme() != SchemeId::Ligerito {
            return Err(of("they are of another scheme"));
        }
        if !self.fields().contains(&params.fields) {
            return Err(of("they are over other fields"));
        }
        if (params.regime == Regime::UniqueDecoding) != self.unique_decoding() {
            return Err(of("they are proven in another regime"));
        }
        if params.level.log_inv_rate != self.log_inv_rate() {
            return Err(of("the committed matrix has another rate"));
        }
        Ok(report)
    }

    /// What the search is asked for: one polynomial of `2^log_size` entries of the alphabet. What the caller changes beside
    /// fields, bits, regime and rate stays within the profile.
    #[cfg(feature = "prover")]
    pub fn wanted(self, fields: Fields, log_size: u32) -> SearchTarget {
        let (trade, budget) = match self {
            Self::Fast => (Profile::Fast, Budget::Fast(1.0)),
            Self::Balanced => (Profile::Small, Budget::Fast(1.25)),
            Self::Small => (Profile::Small, Budget::Fastest(2.1)),
            Self::Secure128 => (Profile::Small, Budget::Fastest(2.5)),
        };
        SearchTarget {
            budget,
            log_inv_rate: Some(self.log_inv_rate()),
            unique_decoding: Some(self.unique_decoding()),
            ..SearchTarget::new(fields, log_size, self.bits(), trade)
        }
    }
}
