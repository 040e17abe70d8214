//! All layouts of the recursion that no other one beats in both time and size.

use super::find::{check_counts, found_among, layouts};
use super::{Cost, PRICES, Profile, SearchTarget, Trade, trimmed};
use crate::matrix::round_params::MAX_LOG_SIZE;
use crate::matrix::{InnerKind, Params, Size};
use iop::security::Report;

/// Parameters with what they prove and what they are predicted to cost.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The parameters.
    pub params: Params,
    /// What they prove, term by term.
    pub report: Report,
    /// The length of an opening of one form.
    pub size: Size,
    /// Milliseconds of committing and opening on one core, by the model, in which a millisecond of the verifier counts
    /// as several of the prover.
    pub millis: f64,
    trade: Trade,
}

impl Candidate {
    /// A layout with its report, if it is valid for a target.
    fn new((params, cost): (Params, Cost), target: &SearchTarget) -> Option<Self> {
        let report = target.validate(&params).ok()?;
        let (size, trade) = (target.size(&params), target.preferences().trade);
        Some(Self { params, report, size, millis: cost.time / 1e6, trade })
    }

    /// What a profile minimises.
    pub fn score(&self, profile: Profile) -> f64 {
        profile.score(self.trade, self.cost())
    }

    fn cost(&self) -> Cost {
        Cost { time: self.millis * 1e6, bytes: self.size.expected() }
    }
}

/// The layouts for several targets, such as the same bytes over different fields, that no other one beats in both time and
/// size, and the one that the search takes; fastest first. Empty if nothing proves the bits, and for inner arguments other than the
/// recursion and for more entries than parameters hold.
pub(crate) fn pareto(targets: &[SearchTarget]) -> Vec<Candidate> {
    let searched = |target: &SearchTarget| {
        target.inner == InnerKind::Recursion
            && target.log_size <= MAX_LOG_SIZE
            && check_counts(target).is_ok()
    };
    if !targets.iter().all(searched) {
        return Vec::new();
    }
    let found = targets.first().zip(found_among(targets));
    let kept = found.and_then(|(first, found)| Candidate::new(found, first));
    front(targets.iter().flat_map(all).collect(), kept)
}

/// Layouts of whatever profile that the search looks at and that prove the bits: those that no other one beats, trimmed.
fn all(target: &SearchTarget) -> Vec<Candidate> {
    let preferences = target.preferences();
    let mut found: Vec<Candidate> = Vec::new();
    for profile in [Profile::Fast, Profile::Small] {
        for of in preferences.trade.targets(&target.regimes()) {
            for layout in layouts(target, profile, of, &PRICES) {
                if found.iter().any(|c| c.params == layout.0) {
                    continue;
                }
                found.extend(Candidate::new(layout, target));
            }
        }
    }
    let trim = |c: Candidate| {
        let cost = c.cost();
        Candidate::new(trimmed((c.params, cost), target), target)
    };
    front(found, None).into_iter().filter_map(trim).collect()
}

/// Those that no other one beats in time and expected size, and the one to keep in any case; fastest first.
fn front(mut candidates: Vec<Candidate>, kept: Option<Candidate>) -> Vec<Candidate> {
    if let Some(kept) = &kept {
        candidates.retain(|c| c.params != kept.params);
    }
    let of = kept.as_ref().map(|kept| (kept.millis, kept.size.expected()));
    candidates.extend(kept);
    let key = |c: &Candidate| (c.millis, c.size.expected());
    candidates.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut smallest = f64::INFINITY;
    candidates.retain(|c| {
        let better = c.size.expected() < smallest;
        smallest = smallest.min(c.size.expected());
        better || of == Some(key(c))
    });
    candidates
}
