//! The fewest queries that prove the wanted bits.

use super::params::{Baseline, Params};
use crate::fields::Fields;
use alloc::string::ToString;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Code, Regime, Report, Theorems};

/// Multiplicities that are tried; beyond, a query gains less than a hundredth of a bit.
const MULTIPLICITIES: core::ops::RangeInclusive<u32> = 3..=128;

/// What [`Params::for_target`] finds parameters for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Data and challenge fields.
    pub fields: Fields,
    /// Hash of trees and transcript.
    pub hash: Hash,
    /// log2 of the number of entries.
    pub log_size: u32,
    /// log2 of the number of fragments.
    pub log_columns: u32,
    /// log2 of the inverse rate.
    pub log_inv_rate: u32,
    /// Bits of proof of work.
    pub grinding: u32,
    /// Fixes the regime: `Some(true)` unique decoding, `Some(false)` Johnson, `None` the fewer queries of both.
    pub unique_decoding: Option<bool>,
    /// Proven bits to reach, under each of the theorems.
    pub bits: f64,
    /// The theorems on lines beyond unique decoding.
    pub theorems: Theorems,
}

impl Target {
    /// BLAKE3, no grinding, either regime.
    pub fn new(fields: Fields, [log_size, log_columns, log_inv_rate]: [u32; 3], bits: f64) -> Self {
        let (hash, grinding, unique_decoding) = (Hash::Blake3, 0, None);
        let theorems = Theorems::DEFAULT;
        Self { fields, hash, log_size, log_columns, log_inv_rate, grinding, unique_decoding, bits, theorems }
    }

    /// The regimes that are tried.
    fn regimes(&self) -> impl Iterator<Item = Regime> + use<> {
        let wanted = self.unique_decoding;
        let johnson = MULTIPLICITIES.map(|multiplicity| Regime::Johnson { multiplicity });
        let regimes = johnson.chain([Regime::UniqueDecoding]);
        regimes.filter(move |r| wanted.is_none_or(|unique| unique == (*r == Regime::UniqueDecoding)))
    }

    /// Parameters in a regime, with one query.
    fn params<S: Baseline>(&self, regime: Regime) -> Params<S> {
        let sizes = [self.log_size, self.log_columns, self.log_inv_rate];
        let params = Params::new((self.fields, self.hash, regime), sizes, S::in_regime(regime));
        Params { grinding: self.grinding, ..params }
    }

    /// The fewest queries whose term brings the sum of all terms to the target, if the others leave room for it. The term of the
    /// queries is the report's last.
    fn queries(&self, report: Report, code: &Code) -> Option<u32> {
        let regime = report.regime;
        let mut rest = report.under(self.theorems);
        rest.terms.pop();
        let room = libm::exp2(-self.bits) - libm::exp2(-rest.proven_bits());
        let per_query = regime.query_bits(code, 1);
        if room <= 0.0 || per_query <= 0.0 {
            return None;
        }
        let needed = -libm::log2(room) - f64::from(self.grinding);
        Some(libm::ceil(needed / per_query).max(1.0) as u32)
    }
}

/// The parameters with the fewest queries that prove the wanted bits, over all regimes that a target admits.
///
/// # Errors
/// If no multiplicity and no number of queries prove that many bits, or the sizes are out of range.
pub(super) fn fewest_queries<S: Baseline>(target: &Target) -> Result<Params<S>, ParamError> {
    let mut best: Option<Params<S>> = None;
    for regime in target.regimes() {
        let mut params = target.params::<S>(regime);
        params.check_ranges().map_err(|reason| ParamError::OutOfRange(reason.to_string()))?;
        let Some(queries) = target.queries(params.report(), &params.code_of(0)) else { continue };
        params.queries = queries;
        let report = params.report().under(target.theorems);
        let level = f64::from(report.max_level());
        let reached = params.check_ranges().is_ok() && report.proven_bits().min(level) >= target.bits;
        if reached && best.as_ref().is_none_or(|best| queries < best.queries) {
            best = Some(params);
        }
    }
    best.ok_or_else(|| {
        ParamError::OutOfRange(format!(
            "no number of queries proves {} bits for 2^{} entries over {}",
            target.bits,
            target.log_size,
            target.fields.name()
        ))
    })
}
