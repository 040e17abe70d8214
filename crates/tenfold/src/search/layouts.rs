//! The layouts that are worth a choice, with what they prove and cost.

use super::{Options, bytes, bytes_candidates, column_candidates, column_profile, rows};
use crate::dataset::Base;
use crate::error::Error;
use crate::params::AnyParams;
use crate::text::hex;
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::security::Report;
use pcs::file::SchemeId;
use pcs::pip::RoundParams;
use pcs::pip::search::{Candidate, Profile};
use serde_json::{Value, json};

/// A layout that no other one beats in both time and size.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The parameters.
    pub params: AnyParams,
    /// The committed matrix, then those of the recursion.
    pub levels: Vec<RoundParams>,
    /// The expected length of a proof of one value, in bytes.
    pub expected: f64,
    /// The length that no such proof exceeds.
    pub most: u64,
    /// Milliseconds to commit and open on one core, the verifier's counted four times; predicted.
    pub millis: f64,
    /// Proven bits, those without work, the worst round.
    pub report: Report,
    /// Tells if this is the layout that is taken.
    pub chosen: bool,
    /// What the best one has least of.
    score: f64,
}

/// Every layout for `2^log_size` rows, or bytes where the scheme commits to these: fastest first, the one that the search takes marked.
///
/// # Errors
/// If the options are for other data, or nothing proves the bits.
pub fn layouts(log_size: u32, options: &Options) -> Result<Vec<Layout>, Error> {
    let (chosen, profile, candidates) = if options.scheme.is_some_and(SchemeId::is_of_bytes) {
        let chosen = bytes(1 << log_size, options)?;
        let (profile, candidates) = bytes_candidates(1 << log_size, options)?;
        (chosen, profile, candidates)
    } else {
        let base = options.field.unwrap_or(Base::Goldilocks);
        let chosen = rows(base, log_size, options)?;
        (chosen, column_profile(options), column_candidates(base, log_size, options)?)
    };
    Ok(candidates.into_iter().map(|candidate| Layout::of(candidate, profile, &chosen)).collect())
}

/// Marks the best of those whose proofs have so many bytes and that take so many milliseconds at most; if there is none, returns the one with
/// the smallest proofs and the fastest.
///
/// # Errors
/// As said.
pub fn limit(
    layouts: &mut [Layout],
    most: Option<u64>,
    millis: Option<f64>,
) -> Result<(), Option<[&Layout; 2]>> {
    let keeps = |layout: &Layout| {
        most.is_none_or(|most| layout.most <= most) && millis.is_none_or(|millis| layout.millis <= millis)
    };
    let kept = layouts.iter().enumerate().filter(|(_, layout)| keeps(layout));
    let best = kept.min_by(|a, b| a.1.score.total_cmp(&b.1.score)).map(|(i, _)| i);
    layouts.iter_mut().enumerate().for_each(|(i, layout)| layout.chosen = Some(i) == best);
    if best.is_some() {
        return Ok(());
    }
    let smallest = layouts.iter().min_by_key(|layout| layout.most);
    let fastest = layouts.iter().min_by(|a, b| a.millis.total_cmp(&b.millis));
    Err(smallest.zip(fastest).map(|(smallest, fastest)| [smallest, fastest]))
}

impl Layout {
    fn of(candidate: Candidate, profile: Profile, chosen: &AnyParams) -> Self {
        let score = candidate.score(profile);
        let Candidate { params, report, size, millis, .. } = candidate;
        let levels = core::iter::once(params.level).chain(params.levels().iter().copied()).collect();
        let params = AnyParams::from(params);
        let (expected, most, chosen) = (size.expected(), size.most(), params == *chosen);
        Self { params, levels, expected, most, millis, report, score, chosen }
    }

    /// The layout as an object.
    #[must_use]
    pub fn json(&self) -> Value {
        let level = |level: &RoundParams| {
            json!({ "log_columns": level.log_columns, "log_inv_rate": level.log_inv_rate,
                "queries": level.queries, "grinding": level.grinding, "fold_grinding": level.fold_grinding })
        };
        let Self { params, report, .. } = self;
        json!({ "chosen": self.chosen, "field": params.fields_name(), "regime": report.regime.to_string(),
            "levels": self.levels.iter().map(level).collect::<Vec<_>>(), "layout": params.outline(),
            "expected_bytes": self.expected, "most_bytes": self.most, "predicted_ms": self.millis,
            "proven_bits": report.proven_bits(), "interactive_bits": report.interactive_bits(),
            "round_by_round_bits": report.round_by_round(), "digest": hex(&params.digest()) })
    }
}
