//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)
//!
//! A layout is a path of stages; time and size add up along it, so the cheapest path for a given price of a byte
//! is found by dynamic programming over (variables left, rate of the last stage), for some prices at once. They give candidates;
//! the profile picks one by `time * size^weight`. Every candidate's bits are recomputed by the security report.

pub(crate) mod found;
mod front;
mod model;
mod path;

pub use front::Candidate;
pub(crate) use front::{Source, all, front};
pub(crate) use model::{Cost, CostTable, Job, MAX_LOG_FINAL, Model};

use crate::matrix::RoundParams;
use field::parallel;
use iop::error::ParamError;
use iop::security::Regime;

/// What the user wants of a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Size weighs 1.3 or 1.4 times as much as time (in orders of magnitude).
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
/// How a scheme trades time for size, and how far above the wanted bits its search aims.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trade {
    /// How many times as much size weighs as time in a fast proof.
    pub fast: f64,
    /// The same in a small one.
    pub small: f64,
    /// What a small proof may cost, in units of the predicted time of a fast one.
    pub budget: f64,
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

    /// The best of what `find` gives for a profile and a budget of predicted time; a small proof may cost a few times
    /// what a fast one does, and is the fast one if none costs less.
    pub(crate) fn within_budget<P>(
        self,
        trade: Trade,
        find: impl Fn(Self, Option<f64>) -> Option<(P, Cost)>,
    ) -> Option<(P, Cost)> {
        let fast = find(Self::Fast, None)?;
        match self {
            Self::Fast => Some(fast),
            Self::Small => find(self, Some(trade.budget * fast.1.time)).or(Some(fast)),
        }
    }

    /// The best valid candidate by the profile's score. `candidates` gives them for a regime, an aim and prices.
    pub(crate) fn best<P>(
        self,
        trade: Trade,
        (regimes, budget): (&[Regime], Option<f64>),
        candidates: impl Fn(Regime, Aim, &[f64]) -> Vec<(P, Cost)> + Sync,
        valid: impl Fn(&P) -> bool,
    ) -> Option<(P, Cost)>
    where
        P: Send,
    {
        let targets: Vec<(Regime, Aim)> = trade.targets(regimes).collect();
        let of = |&(regime, aim): &(Regime, Aim)| candidates(regime, aim, &PRICES);
        let mut found: Vec<(P, Cost)> = parallel::map(targets.iter(), of).into_iter().flatten().collect();
        found.retain(|(_, cost)| budget.is_none_or(|budget| cost.time <= budget));
        // A report costs more than a layout: the best one first, equal ones in their order.
        found.sort_by(|a, b| self.score(trade, a.1).total_cmp(&self.score(trade, b.1)));
        found.into_iter().find(|(params, _)| valid(params))
    }
}

/// Parameters over a matrix, as far as a search looks at them.
pub(crate) trait Layered: Clone {
    /// The committed matrix, then those of the recursion; none behind the last.
    fn level(&mut self, i: usize) -> Option<&mut RoundParams>;
    /// Expected bytes of an opening of one form.
    fn bytes(&self) -> f64;
}

/// Takes as few positions, then as little work before folds and before positions as the bits need, outermost matrix first: the
/// search aims above them, since errors add up. A trial of a proof of work takes so many nanoseconds.
pub(crate) fn trimmed<P: Layered>(found: (P, Cost), trial: f64, valid: impl Fn(&P) -> bool) -> (P, Cost) {
    let (mut params, mut cost) = found;
    cost.bytes -= params.bytes();
    let numbers: [fn(&mut RoundParams) -> &mut u32; 3] =
        [|level| &mut level.queries, |level| &mut level.fold_grinding, |level| &mut level.grinding];
    for number in numbers {
        for i in 0.. {
            let Some(before) = params.level(i).copied() else { break };
            let fewer = |params: &P| {
                let mut fewer = params.clone();
                let number = number(fewer.level(i)?);
                *number = number.checked_sub(1)?;
                Some(fewer)
            };
            while let Some(fewer) = fewer(&params).filter(&valid) {
                params = fewer;
            }
            let after = params.level(i).map_or(before, |level| *level);
            cost.time -= trial * (model::work(before) - model::work(after));
        }
    }
    cost.bytes += params.bytes();
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
