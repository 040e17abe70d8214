//! The named levels, and the published parameters beside them. (notes: air-levels)
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(feature = "prover")]
use super::search::{Profile, SearchTarget};
use super::{Entries, Fields, Inner, Params, RoundParams};
use crate::file::SchemeId;
use alloc::format;
use alloc::vec::Vec;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Policy, Regime, Report, Theorems};

#[cfg(feature = "prover")]
use crate::matrix::InnerKind;

/// A level: field, hash and proven bits under one name. What it leaves free, folds, queries and work, is found by the search for each size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// 128 bits over GF(2^192), with digests of 32 bytes.
    L1,
    /// 192 bits over GF(2^256), with digests of 48 bytes.
    L3,
    /// 256 bits over GF(2^320), with digests of 64 bytes.
    L5,
}

/// log2 of the inverse rate of the published parameters.
const PUBLISHED_LOG_INV_RATE: u32 = 5;
/// The bytes that a permutation of the published parameters' hash absorbs.
const ABSORBED_BYTES: usize = 136;
/// The queries of the published parameters.
const PUBLISHED_QUERIES: u32 = 14;

impl Level {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::L1, Self::L3, Self::L5];

    /// The name that people use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L1 => "l1",
            Self::L3 => "l3",
            Self::L5 => "l5",
        }
    }

    /// The inverse of [`Level::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The proven bits, by the union over all error terms.
    pub const fn bits(self) -> u32 {
        match self {
            Self::L1 => 128,
            Self::L3 => 192,
            Self::L5 => 256,
        }
    }

    /// The fields.
    pub const fn fields(self) -> Fields {
        match self {
            Self::L1 => Fields::Gf192,
            Self::L3 => Fields::Gf256,
            Self::L5 => Fields::Gf320,
        }
    }

    /// The hash, whose collisions are as hard as the level.
    pub const fn hash(self) -> Hash {
        match self {
            Self::L1 => Hash::Sha3_256,
            Self::L3 => Hash::Sha3_384,
            Self::L5 => Hash::Sha3_512,
        }
    }

    /// Holds parameters against the name: ranges, proven bits by every error term under the theorems, fields and the width of digests.
    ///
    /// # Errors
    /// Says in what they are not of this level.
    pub fn check(self, params: &Params, theorems: Theorems) -> Result<Report, ParamError> {
        let of = |what: &str| {
            ParamError::OutOfRange(format!("the parameters are not of the level `{}`: {what}", self.name()))
        };
        if params.scheme() != SchemeId::Air {
            return Err(of("they are of another scheme"));
        }
        if params.fields != self.fields() {
            return Err(of("they are over other fields"));
        }
        if params.hash.bytes() != self.hash().bytes() {
            return Err(of("digests have another width"));
        }
        params.validate(&Policy { theorems, ..Policy::at_least(self.bits()) })
    }

    /// What the search is asked for: one polynomial of `2^log_size` elements of the level's field.
    #[cfg(feature = "prover")]
    pub fn wanted(self, log_size: u32) -> SearchTarget {
        SearchTarget {
            hash: self.hash(),
            entries: Entries::Extension,
            inner: InnerKind::Chain,
            ..SearchTarget::new(self.fields(), log_size, self.bits(), Profile::Small)
        }
    }

    /// The parameters of the publication over this level's field: rate 1/32, 14 queries, SHA3-256, no work, so many variables folded from
    /// one word to the next; a leaf has as many fibres as one permutation of the hash absorbs. They prove few bits, which their report says: no
    /// default policy accepts them.
    ///
    /// # Panics
    /// If no variable is folded.
    pub fn published(self, log_size: u32, fold: u32) -> Params {
        assert!(fold > 0, "a fold binds a variable");
        let steps: Vec<u32> = (0..log_size.checked_div(fold).unwrap_or(0).max(1)).map(|_| fold).collect();
        let positions = 1usize.checked_shl(fold);
        let fibre = positions.and_then(|n| n.checked_mul(self.fields().bytes())).unwrap_or(usize::MAX);
        Params {
            fields: self.fields(),
            hash: Hash::Sha3_256,
            regime: Regime::UniqueDecoding,
            entries: Entries::Extension,
            log_size,
            polynomials: 1,
            max_forms: 1,
            hidden_openings: 0,
            log_parts: 0,
            log_leaf_fibres: (ABSORBED_BYTES / fibre).checked_ilog2().unwrap_or(0),
            level: RoundParams {
                log_columns: 0,
                log_inv_rate: PUBLISHED_LOG_INV_RATE,
                queries: PUBLISHED_QUERIES,
                grinding: 0,
                fold_grinding: 0,
            },
            inner: Inner::Chain(steps),
        }
    }
}
