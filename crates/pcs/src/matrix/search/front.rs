//! All layouts that no other one beats in both time and size.

use super::{Cost, PRICES, Profile, Small};
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
    small: Small,
}

impl<P> Candidate<P> {
    /// What a profile minimises.
    pub fn score(&self, profile: Profile) -> f64 {
        profile.score(self.small, self.cost())
    }

    fn cost(&self) -> Cost {
        Cost { time: self.millis * 1e6, bytes: self.size.expected() }
    }
}

/// Layouts for a profile's work, a regime, the bits that each query term should have, and prices.
type Layouts<'a, P> = &'a dyn Fn(Profile, Regime, f64, &[f64]) -> Vec<(P, Cost)>;

/// What [`all`] needs of a scheme.
pub(crate) struct Source<'a, P> {
    /// How it trades time for size.
    pub small: Small,
    /// The layouts that the search looks at.
    pub layouts: Layouts<'a, P>,
    /// The report of parameters that are valid.
    pub validate: &'a dyn Fn(&P, &Policy) -> Result<Report, ParamError>,
    /// The length of an opening of one form.
    pub size: &'a dyn Fn(&P) -> Size,
}

/// Every layout that the search looks at and that proves the bits, of whatever profile.
pub(crate) fn all<P: PartialEq>(
    source: &Source<'_, P>,
    regimes: &[Regime],
    policy: &Policy,
) -> Vec<Candidate<P>> {
    let bits = policy.min_bits;
    let mut found: Vec<Candidate<P>> = Vec::new();
    for profile in [Profile::Fast, Profile::Small] {
        for (&regime, slack) in regimes.iter().flat_map(|r| [(r, 1.2), (r, 2.5)]) {
            for (params, cost) in (source.layouts)(profile, regime, f64::from(bits) + slack, &PRICES) {
                if found.iter().any(|c| c.params == params) {
                    continue;
                }
                let Ok(report) = (source.validate)(&params, policy) else { continue };
                let size = (source.size)(&params);
                found.push(Candidate { params, report, size, millis: cost.time / 1e6, small: source.small });
            }
        }
    }
    found
}

/// Those that no other one beats in time and expected size, and the one to keep in any case; fastest first.
pub(crate) fn front<P: PartialEq>(mut candidates: Vec<Candidate<P>>, kept: Option<&P>) -> Vec<Candidate<P>> {
    let key = |c: &Candidate<P>| (c.millis, c.size.expected());
    candidates.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut smallest = f64::INFINITY;
    candidates.retain(|c| {
        let better = c.size.expected() < smallest;
        smallest = smallest.min(c.size.expected());
        better || kept == Some(&c.params)
    });
    candidates
}
