//! What a search is asked for, and what it prefers over a family of fields.

use super::{Aim, CostTable, Job, Profile, Trade};
use crate::fields::{Family, Fields};
use crate::matrix::InnerKind;
use crate::ring_switching::Entries;
use core::ops::RangeInclusive;
use iop::hash::Hash;
use iop::security::{Policy, Regime, Theorems};

/// log2 of the most columns that are tried if none are asked for.
pub(super) const MAX_LOG_TRIED: u32 = 12;
/// log2 of the most columns that may be asked for.
pub const MAX_LOG_COLUMNS: u32 = 16;

/// What to find parameters for.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTarget {
    /// Data and challenge fields.
    pub fields: Fields,
    /// Hash of trees and transcript.
    pub hash: Hash,
    /// What the entries of the data are.
    pub entries: Entries,
    /// log2 of the number of elements of the data's field.
    pub log_size: u32,
    /// Number of polynomials.
    pub polynomials: u32,
    /// Number of commitments that hold them, which one proof is about: [`crate::matrix::JointScheme`] if there are several. Sizes are those of polynomials that are evenly divided among them.
    pub commitments: u32,
    /// The most linear forms of one opening.
    pub max_forms: u32,
    /// Openings that stay hidden (0: none).
    pub hidden_openings: u32,
    /// Proven bits to reach, under each of the theorems.
    pub bits: u32,
    /// Proven bits to reach without proof of work (0: any).
    pub interactive_bits: u32,
    /// The theorems on lines beyond unique decoding.
    pub theorems: Theorems,
    /// The trade between time and size.
    pub profile: Profile,
    /// The predicted time that a small proof may take.
    pub budget: Budget,
    /// Fixes the rate of the commitment (log2 of its inverse).
    pub log_inv_rate: Option<u32>,
    /// Fixes log2 of the columns of the commitment. More of them divide better among machines that hold some each, and make proofs longer.
    pub log_columns: Option<u32>,
    /// Fixes the regime: `Some(true)` unique decoding, `Some(false)` Johnson.
    pub unique_decoding: Option<bool>,
    /// The inner argument; two chains are for one form of one polynomial in unique decoding.
    pub inner: InnerKind,
}

/// The predicted time that a small proof may take, to commit and to open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// This many times that of the fast proof that is found instead.
    FastProof(f64),
    /// This many times that of the fastest layout in the regimes and at the rates that are tried.
    Fastest(f64),
    /// This many times that of a fast proof by unique decoding at rate 1/2.
    Fast(f64),
}

/// What searches over a family of fields prefer: the measurements behind are the preset's.
pub(crate) struct Preferences {
    pub trade: Trade,
    /// What a small proof may take.
    pub budget: Budget,
    /// Nanoseconds of a trial of a proof of work.
    pub trial: f64,
    /// log2 of the inverse rates of the commitment that are tried.
    pub rates: RangeInclusive<u32>,
    /// Multiplicities tried besides those of every scheme.
    pub multiplicities: &'static [u32],
    /// Nanoseconds of what a prover does.
    pub prices: fn(Fields, Hash) -> CostTable,
    /// Bits of work before positions that are tried.
    pub grindings: fn(&SearchTarget, Profile) -> &'static [u32],
}

impl SearchTarget {
    /// One polynomial, the fastest hash whose digests are wide enough for the bits, up to 16 forms, no hiding, by the recursion.
    pub fn new(fields: Fields, log_size: u32, bits: u32, profile: Profile) -> Self {
        Self {
            fields,
            hash: Hash::for_bits(bits),
            entries: Entries::Whole,
            log_size,
            polynomials: 1,
            commitments: 1,
            max_forms: 16,
            hidden_openings: 0,
            bits,
            interactive_bits: 0,
            theorems: Theorems::DEFAULT,
            profile,
            budget: preferences(fields, InnerKind::Recursion).budget,
            log_inv_rate: None,
            log_columns: None,
            unique_decoding: None,
            inner: InnerKind::Recursion,
        }
    }

    pub(crate) fn preferences(&self) -> &'static Preferences {
        preferences(self.fields, self.inner)
    }

    pub(crate) fn policy(&self) -> Policy {
        let Self { theorems, interactive_bits, bits, .. } = *self;
        Policy { theorems, interactive_bits, ..Policy::at_least(bits) }
    }

    pub(crate) fn job(&self, profile: Profile, regime: Regime, aim: Aim) -> Job {
        let preferences = self.preferences();
        Job {
            log_size: self.log_size,
            polynomials: self.polynomials,
            commitments: self.commitments,
            hidden_openings: self.hidden_openings,
            binary: self.fields.family() == Family::Binary,
            field_bits: self.fields.bits(),
            degree: self.fields.degree() as u32,
            bytes: self.fields.bytes(),
            base_bytes: self.fields.base_bytes(),
            prices: (preferences.prices)(self.fields, self.hash),
            digest: self.hash.bytes(),
            entry_columns: if self.entries == Entries::Extension { self.fields.degree() as u32 } else { 1 },
            regime,
            theorems: self.theorems,
            target: f64::from(self.bits) + aim.queries,
            interactive: self.interactive_target(aim),
            fold_slack: aim.folds,
            rates: self.log_inv_rate.map_or(preferences.rates.clone(), |r| r..=r),
            columns: self.columns(),
            grindings: (preferences.grindings)(self, profile),
        }
    }

    /// log2 of the columns of the commitment that are tried; none if more are asked for than there are entries.
    fn columns(&self) -> RangeInclusive<u32> {
        match self.log_columns {
            None => 0..=self.log_size.min(MAX_LOG_TRIED),
            Some(columns) => columns..=columns.min(self.log_size.min(MAX_LOG_COLUMNS)),
        }
    }

    /// Bits that each term should have without work, above those of their sum; any, if none are asked for.
    fn interactive_target(&self, aim: Aim) -> f64 {
        if self.interactive_bits == 0 {
            f64::NEG_INFINITY
        } else {
            f64::from(self.interactive_bits) + aim.queries
        }
    }

    /// The regimes tried: unique decoding alone, the Johnson ones alone, or all.
    pub(super) fn regimes(&self) -> Vec<Regime> {
        let needs_it = self.hidden_openings > 0 || self.inner == InnerKind::TwoChains;
        let mut regimes = super::regimes(self.unique_decoding.or(needs_it.then_some(true)));
        if regimes.iter().any(|&regime| regime != Regime::UniqueDecoding) {
            let more = self.preferences().multiplicities.iter();
            regimes.extend(more.map(|&multiplicity| Regime::Johnson { multiplicity }));
        }
        regimes
    }

    /// The same data in a fast proof by unique decoding at rate 1/2.
    pub(super) fn fast(&self) -> Self {
        let (log_inv_rate, unique_decoding) = (Some(1), Some(true));
        Self { profile: Profile::Fast, log_inv_rate, unique_decoding, ..self.clone() }
    }

    /// The same at any of the rates that are tried anyway.
    pub(super) fn at_any_rate(&self) -> Self {
        let log_inv_rate = self.log_inv_rate.filter(|rate| !self.preferences().rates.contains(rate));
        Self { log_inv_rate, ..self.clone() }
    }
}

fn preferences(fields: Fields, inner: InnerKind) -> &'static Preferences {
    match (fields.family(), inner) {
        (Family::Prime, _) => &crate::pip::search::PREFERENCES,
        (Family::Binary, InnerKind::Chain) => &crate::air::search::PREFERENCES,
        (Family::Binary, _) => &crate::ligerito::search::PREFERENCES,
    }
}
