//! The layouts that are worth a choice, with what they prove and cost.

use super::{
    Columns, Options, base_of_any, bytes_candidates, column_candidates, column_profile, length, of_size,
};
use crate::error::Error;
use crate::params::AnyParams;
use crate::text::{count, hex};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use iop::security::{Report, Shown};
use pcs::file::SchemeId;
use pcs::pip::search::{Candidate, Profile};
use pcs::pip::{InnerKind, RoundParams};
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
/// If the options are for other data or another inner argument than the recursion, or nothing proves the bits.
pub fn layouts(log_size: u32, options: &Options) -> Result<Vec<Layout>, Error> {
    let chain = options.scheme == Some(SchemeId::Air);
    // Which of the two is best for ranks is for their search.
    let either = options.columns == Columns::ForRanks && options.inner.is_none() && !options.is_of_bytes();
    if chain || either || options.inner.is_some_and(|inner| inner != InnerKind::Recursion) {
        return Err(Error::RecursionAlone);
    }
    let chosen = of_size(log_size, options)?;
    let (profile, candidates) = if options.is_of_bytes() {
        bytes_candidates(length(log_size)?, options)?
    } else {
        // Few rows that hide are padded.
        (column_profile(options), column_candidates(base_of_any(options), chosen.log_size(), options)?)
    };
    let parted = candidates.into_iter().filter_map(|candidate| with_parts(candidate, options));
    Ok(parted.map(|candidate| Layout::of(candidate, profile, &chosen)).collect())
}

/// The candidate with leaves of as many parts as are asked for; none if it has fewer columns.
fn with_parts(mut candidate: Candidate, options: &Options) -> Option<Candidate> {
    candidate.params = options.with_parts(candidate.params).ok()?;
    candidate.size = candidate.params.size(1);
    Some(candidate)
}

/// Largest cost of a layout.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The length that no proof of one value exceeds, in bytes.
    pub most: u64,
    /// Milliseconds to commit and open, as [`Layout::millis`].
    pub millis: f64,
}

/// Keeps the layouts within a maximal length of proofs in bytes and a maximal time in milliseconds. If the layout that was chosen is dropped, the best
/// of the remaining ones is chosen.
///
/// # Errors
/// If there is none: the layout with the smallest proofs, and the fastest.
pub fn limit(
    layouts: Vec<Layout>,
    most: Option<u64>,
    millis: Option<f64>,
) -> Result<Vec<Layout>, Option<[Costs; 2]>> {
    let keeps = |layout: &Layout| {
        most.is_none_or(|most| layout.most <= most) && millis.is_none_or(|millis| layout.millis <= millis)
    };
    let (mut kept, others): (Vec<_>, Vec<_>) = layouts.into_iter().partition(keeps);
    if kept.is_empty() {
        let smallest = others.iter().min_by_key(|layout| layout.most);
        let fastest = others.iter().min_by(|a, b| a.millis.total_cmp(&b.millis));
        let costs = |layout: &Layout| Costs { most: layout.most, millis: layout.millis };
        return Err(smallest.zip(fastest).map(|(smallest, fastest)| [smallest, fastest].map(costs)));
    }
    if !kept.iter().any(|layout| layout.chosen) {
        let best = kept.iter_mut().min_by(|a, b| a.score.total_cmp(&b.score));
        best.into_iter().for_each(|layout| layout.chosen = true);
    }
    Ok(kept)
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

    /// Names of [`Layout::cells`], those of numbers last.
    pub const COLUMNS: [&str; 13] = [
        "", "field", "regime", "1/rate", "columns", "queries", "grinding", "bytes", "at most", "time",
        "bits", "no work", "rbr",
    ];

    /// The layout in words, the one that is taken with a star: of each matrix, outermost first, and in all. The time is for the caller to write.
    #[must_use]
    pub fn cells(&self, time: impl Fn(f64) -> String) -> [String; 13] {
        let Self { params, report, .. } = self;
        let joined = |of: &dyn Fn(&RoundParams) -> u32| {
            self.levels.iter().map(|level| of(level).to_string()).collect::<Vec<_>>().join(" ")
        };
        let bits = [report.proven_bits(), report.interactive_bits(), report.round_by_round()];
        let [proven, without_work, round_by_round] = bits.map(|bits| format!("{:.1}", Shown(bits)));
        [
            if self.chosen { "*" } else { "" }.into(),
            params.fields_name().into(),
            report.regime.to_string(),
            joined(&|level| 1 << level.log_inv_rate),
            joined(&|level| 1 << level.log_columns),
            joined(&|level| level.queries),
            joined(&|level| level.grinding),
            count(self.expected.round() as u64),
            count(self.most),
            time(self.millis),
            proven,
            without_work,
            round_by_round,
        ]
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
            "round_by_round_bits": report.round_by_round(), "parameters_digest": hex(&params.digest()) })
    }
}
