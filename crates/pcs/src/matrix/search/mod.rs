//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)
//!
//! A layout is a path of stages; time and size add up along it, so the cheapest path for a given price of a byte
//! is found by dynamic programming over (variables left, rate of the last stage), for some prices at once. They give candidates;
//! the profile picks one by `time * size^weight`. Every candidate's bits are recomputed by the security report.

mod front;
mod model;
mod path;

pub use front::Candidate;
pub(crate) use front::{Source, all, front};
pub(crate) use model::{Cost, Job, MAX_LOG_FINAL, Model, Prices};

use iop::error::ParamError;
use iop::security::Regime;
use rayon::prelude::*;

/// What the user wants of a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Size weighs 1.3 times as much as time (in orders of magnitude).
    Fast,
    /// Size weighs five times as much as time or more, within two or three times a fast proof's work.
    Small,
}

/// That none of these challenge fields proves the bits for `2^log_size` entries.
pub(crate) fn nothing_found(log_size: u32, fields: &[&str], bits: u32) -> ParamError {
    let names = fields.join(" or ");
    ParamError(format!(
        "no layout of 2^{log_size} entries over {names} proves {bits} bits: take a larger challenge field or fewer bits"
    ))
}

/// Multiplicities tried, finest first: a finer one needs fewer queries and a larger field. Even, and from 6 on: the
/// bound on lines takes half of them, and at least 3.
const MULTIPLICITIES: [u32; 11] = [100, 50, 30, 24, 20, 16, 14, 12, 10, 8, 6];
/// Prices of a byte that are tried, in units of 100 ns: they span the trade from all time to all size.
const PRICES: [f64; 9] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 70.0, 100.0];
/// How a scheme trades time for size in a small proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Small {
    /// How many times as much size weighs as time.
    pub weight: f64,
    /// What it may cost, in units of the predicted time of a fast proof.
    pub budget: f64,
}

impl Profile {
    /// Bits of work before positions that are tried.
    pub(crate) fn grindings(self) -> &'static [u32] {
        match self {
            Self::Fast => &[10, 13, 15],
            Self::Small => &[15, 17, 19],
        }
    }

    /// What is minimised.
    pub(crate) fn score(self, small: Small, cost: Cost) -> f64 {
        let weight = if self == Self::Fast { 1.3 } else { small.weight };
        cost.time.ln() + weight * cost.bytes.ln()
    }

    /// The best of what `find` gives for a profile and a budget of predicted time; a small proof may cost a few times
    /// what a fast one does, and is the fast one if none costs less.
    pub(crate) fn within_budget<P>(
        self,
        small: Small,
        find: impl Fn(Self, Option<f64>) -> Option<(P, Cost)>,
    ) -> Option<(P, Cost)> {
        let fast = find(Self::Fast, None)?;
        match self {
            Self::Fast => Some(fast),
            Self::Small => find(self, Some(small.budget * fast.1.time)).or(Some(fast)),
        }
    }

    /// The best valid candidate by the profile's score. `candidate` gives one for a regime, the bits that each query term
    /// should have, and a price.
    pub(crate) fn best<P>(
        self,
        small: Small,
        (regimes, bits, budget): (&[Regime], u32, Option<f64>),
        candidates: impl Fn(Regime, f64, &[f64]) -> Vec<(P, Cost)> + Sync,
        valid: impl Fn(&P) -> bool,
    ) -> Option<(P, Cost)>
    where
        P: Send,
    {
        let targets: Vec<(Regime, f64)> = regimes.iter().flat_map(|&r| [(r, 1.2), (r, 2.5)]).collect();
        let of = |&(regime, slack): &(Regime, f64)| candidates(regime, f64::from(bits) + slack, &PRICES);
        let mut found: Vec<(P, Cost)> = targets.par_iter().flat_map_iter(of).collect();
        found.retain(|(_, cost)| budget.is_none_or(|budget| cost.time <= budget));
        // A report costs more than a layout: the best one first, equal ones in their order.
        found.sort_by(|a, b| self.score(small, a.1).total_cmp(&self.score(small, b.1)));
        found.into_iter().find(|(params, _)| valid(params))
    }
}

/// The regimes tried: unique decoding alone, the Johnson ones alone, or all.
pub(crate) fn regimes(unique_decoding: Option<bool>) -> Vec<Regime> {
    let johnson = MULTIPLICITIES.map(|multiplicity| Regime::Johnson { multiplicity });
    let mut regimes = if unique_decoding == Some(true) { Vec::new() } else { johnson.to_vec() };
    if unique_decoding != Some(false) {
        regimes.push(Regime::UniqueDecoding);
    }
    regimes
}
