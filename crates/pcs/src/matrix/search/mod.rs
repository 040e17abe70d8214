//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)
//!
//! A layout is a path of stages; time and size add up along it, so the cheapest path for a given price of a byte
//! is found by dynamic programming over (variables left, rate of the last stage), for some prices at once. They give candidates;
//! the profile picks one by `time * size^weight`. Every candidate's bits are recomputed by the security report.

mod chain;
mod find;
pub(crate) mod found;
mod front;
mod model;
mod path;
mod ranks;
mod target;

pub(crate) use find::find_among;
#[cfg(test)]
pub(crate) use find::found_among;
pub use front::Candidate;
pub(crate) use front::pareto;
pub(crate) use model::{Cost, CostTable, Job, MAX_LOG_FINAL, Model};
pub use ranks::Division;
pub(crate) use ranks::for_ranks;
pub(crate) use target::Preferences;
pub use target::{Budget, MAX_LOG_COLUMNS, SearchTarget};

use crate::matrix::{Inner, Params, RoundParams};
use field::parallel;
use iop::security::Regime;

/// What the user wants of a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Size weighs 1.3 or 1.4 times as much as time (in orders of magnitude).
    Fast,
    /// Size weighs five times as much as time or more, within two or three times a fast proof's work.
    Small,
}

/// Multiplicities tried, finest first: a finer one needs fewer queries and a larger field. Even, and from 6 on: the
/// bound on lines takes half of them, and at least 3.
const MULTIPLICITIES: [u32; 11] = [100, 50, 30, 24, 20, 16, 14, 12, 10, 8, 6];
/// Prices of a byte that are tried, in units of 100 ns: they span the trade from all time to all size.
const PRICES: [f64; 9] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 70.0, 100.0];
/// The price of a byte, in units of 100 ns, for the fastest layout, ...
const FASTEST: f64 = 0.5;
/// ... which is a measure of time only, so that its terms aim no higher than the bits.
const EXACT: Aim = Aim { queries: 0.0, folds: 1.0 };
/// How a scheme trades time for size, and how far above the wanted bits its search aims.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trade {
    /// How many times as much size weighs as time in a fast proof.
    pub fast: f64,
    /// The same in a small one.
    pub small: f64,
    /// What is tried.
    pub aims: &'static [Aim],
}

/// Bits that single terms have above those of their sum. What the sum has to spare in the end is [`trimmed`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aim {
    /// Each query term's.
    pub queries: f64,
    /// What a fold has beyond a query term: where that is cheap, it should weigh little in the sum of errors.
    pub folds: f64,
}

impl Trade {
    /// All regimes with all aims.
    fn targets(self, regimes: &[Regime]) -> impl Iterator<Item = (Regime, Aim)> {
        regimes.iter().flat_map(move |&regime| self.aims.iter().map(move |&aim| (regime, aim)))
    }
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
    pub(crate) fn score(self, trade: Trade, cost: Cost) -> f64 {
        let weight = if self == Self::Fast { trade.fast } else { trade.small };
        cost.time.ln() + weight * cost.bytes.ln()
    }

    /// The best valid candidate by the profile's score. `candidates` gives them for a regime, an aim and prices.
    fn best(
        self,
        trade: Trade,
        (regimes, budget): (&[Regime], Option<f64>),
        candidates: impl Fn(Regime, Aim, &[f64]) -> Vec<(Params, Cost)> + Sync,
        valid: impl Fn(&Params) -> bool,
    ) -> Option<(Params, Cost)> {
        let targets: Vec<(Regime, Aim)> = trade.targets(regimes).collect();
        let of = |&(regime, aim): &(Regime, Aim)| candidates(regime, aim, &PRICES);
        let mut found: Vec<(Params, Cost)> =
            parallel::map(targets.iter(), of).into_iter().flatten().collect();
        found.retain(|(_, cost)| budget.is_none_or(|budget| cost.time <= budget));
        // A report costs more than a layout: the best one first, equal ones in their order.
        found.sort_by(|a, b| self.score(trade, a.1).total_cmp(&self.score(trade, b.1)));
        found.into_iter().find(|(params, _)| valid(params))
    }
}

impl Params {
    /// The committed matrix, then those of the recursion; none behind the last.
    fn level_mut(&mut self, i: usize) -> Option<&mut RoundParams> {
        match (&mut self.inner, i.checked_sub(1)) {
            (_, None) => Some(&mut self.level),
            (Inner::Recursion(levels), Some(i)) => levels.get_mut(i),
            _ => None,
        }
    }
}

/// Takes as few positions, then as little work before folds and before positions as the bits need, outermost matrix first: the
/// search aims above them, since errors add up.
fn trimmed(found: (Params, Cost), target: &SearchTarget) -> (Params, Cost) {
    let (trial, valid) = (target.preferences().trial, |params: &Params| target.validate(params).is_ok());
    let (mut params, mut cost) = found;
    cost.bytes -= target.size(&params).expected();
    let numbers: [fn(&mut RoundParams) -> &mut u32; 3] =
        [|level| &mut level.queries, |level| &mut level.fold_grinding, |level| &mut level.grinding];
    for number in numbers {
        for i in 0.. {
            let Some(before) = params.level_mut(i).copied() else { break };
            let fewer = |params: &Params| {
                let mut fewer = params.clone();
                let number = number(fewer.level_mut(i)?);
                *number = number.checked_sub(1)?;
                Some(fewer)
            };
            while let Some(fewer) = fewer(&params).filter(valid) {
                params = fewer;
            }
            let after = params.level_mut(i).map_or(before, |level| *level);
            cost.time -= trial * (model::work(before) - model::work(after));
        }
    }
    cost.bytes += target.size(&params).expected();
    (params, cost)
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
