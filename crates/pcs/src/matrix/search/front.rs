//! All layouts that no other one beats in both time and size.

use super::{Aim, Cost, Layered, PRICES, Profile, Trade, trimmed};
use crate::matrix::Size;
use iop::error::ParamError;
use iop::security::{Policy, Regime, Report};

/// Parameters with what they prove and what they are predicted to cost.
#[derive(Debug, Clone)]
pub struct Candidate<P> {
    /// The parameters.
    pub params: P,
    /// What they prove, term by term.
    pub report: Report,
    /// The length of an opening of one form.
    pub size: Size,
    /// Milliseconds of committing and opening on one core, by the model, in which a millisecond of the verifier counts
    /// as several of the prover.
    pub millis: f64,
    trade: Trade,
}

impl<P> Candidate<P> {
    /// What a profile minimises.
    pub fn score(&self, profile: Profile) -> f64 {
        profile.score(self.trade, self.cost())
    }

    fn cost(&self) -> Cost {
        Cost { time: self.millis * 1e6, bytes: self.size.expected() }
    }
}

/// Layouts for a profile's work, a regime, an aim and prices.
type Layouts<'a, P> = &'a dyn Fn(Profile, Regime, Aim, &[f64]) -> Vec<(P, Cost)>;

/// What [`all`] needs of a scheme.
pub(crate) struct Source<'a, P> {
    /// How it trades time for size.
    pub trade: Trade,
    /// Nanoseconds of a trial of a proof of work.
    pub trial: f64,
    /// The layouts that the search looks at.
    pub layouts: Layouts<'a, P>,
    /// The report of parameters that are valid.
    pub validate: &'a dyn Fn(&P, &Policy) -> Result<Report, ParamError>,
    /// The length of an opening of one form.
    pub size: &'a dyn Fn(&P) -> Size,
}

impl<P: Layered + PartialEq> Source<'_, P> {
    /// A layout with its report, if it is valid.
    pub fn candidate(&self, (params, cost): (P, Cost), policy: &Policy) -> Option<Candidate<P>> {
        let report = (self.validate)(&params, policy).ok()?;
        let size = (self.size)(&params);
        Some(Candidate { params, report, size, millis: cost.time / 1e6, trade: self.trade })
    }
}

/// Layouts of whatever profile that the search looks at and that prove the bits: those that no other one beats, trimmed.
pub(crate) fn all<P: Layered + PartialEq>(
    source: &Source<'_, P>,
    regimes: &[Regime],
    policy: &Policy,
) -> Vec<Candidate<P>> {
    let mut found: Vec<Candidate<P>> = Vec::new();
    for profile in [Profile::Fast, Profile::Small] {
        for (regime, aim) in source.trade.targets(regimes) {
            for layout in (source.layouts)(profile, regime, aim, &PRICES) {
                if found.iter().any(|c| c.params == layout.0) {
                    continue;
                }
                found.extend(source.candidate(layout, policy));
            }
        }
    }
    let valid = |params: &P| (source.validate)(params, policy).is_ok();
    let trim = |c: Candidate<P>| {
        let cost = c.cost();
        source.candidate(trimmed((c.params, cost), source.trial, valid), policy)
    };
    front(found, None).into_iter().filter_map(trim).collect()
}

/// Those that no other one beats in time and expected size, and the one to keep in any case; fastest first.
pub(crate) fn front<P: PartialEq>(
    mut candidates: Vec<Candidate<P>>,
    kept: Option<Candidate<P>>,
) -> Vec<Candidate<P>> {
    if let Some(kept) = &kept {
        candidates.retain(|c| c.params != kept.params);
    }
    let of = kept.as_ref().map(|kept| (kept.millis, kept.size.expected()));
    candidates.extend(kept);
    let key = |c: &Candidate<P>| (c.millis, c.size.expected());
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
