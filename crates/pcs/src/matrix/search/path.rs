//! The cheapest path through the model, for all prices of a byte at once: what a stage costs does not depend on them.
//!
//! ```text
//!  (variables, rate before) ── columns, rate ──► (fewer variables, that rate) ── ... ──► in clear
//!       node                       step                 node
//! ```

use super::PRICES;
use super::model::{Cost, MAX_LOG_FINAL, Model, RATES};
use crate::matrix::RoundParams;

/// log2 of the columns of a deeper matrix that are tried.
const COLUMNS: core::ops::RangeInclusive<u32> = 2..=6;

/// A number for each price.
type CostTable<T> = [T; PRICES.len()];

/// The cheapest way from a node on, at one price.
#[derive(Clone, Copy)]
struct Way {
    cost: Cost,
    /// What the price makes of the cost.
    value: f64,
    /// The stage that comes next, and the node behind it; none if the message is sent in clear.
    next: Option<(RoundParams, usize)>,
}

/// A stage, whatever came before it: what encoding takes, and for each price the best queries with their openings.
#[derive(Clone, Copy)]
struct Step {
    /// The first of its levels, whose queries stand for all in the node behind it.
    first: RoundParams,
    encode: f64,
    best: CostTable<(RoundParams, Cost)>,
}

struct Paths<'a> {
    model: &'a Model,
    /// Nanoseconds for a byte.
    prices: &'a [f64],
    nodes: Vec<CostTable<Way>>,
    /// The node of so many variables after a matrix of that rate, if it was looked for, and there is one.
    known: Vec<Option<Option<usize>>>,
    steps: Vec<Option<Option<Step>>>,
}

impl Model {
    /// The cheapest commitment and the levels of the recursion below it, for each of some prices of a byte, in units of 100 ns.
    ///
    /// Cost: some thousand products for each price.
    pub fn layouts(&self, prices: &[f64]) -> Vec<(RoundParams, Vec<RoundParams>, Cost)> {
        assert!(prices.len() <= PRICES.len(), "prices");
        let prices: Vec<f64> = prices.iter().map(|price| 100.0 * price).collect();
        let variables = self.job.log_size as usize + 1;
        let mut paths = Paths {
            model: self,
            prices: &prices,
            nodes: Vec::new(),
            known: vec![None; variables * RATES],
            steps: vec![None; variables * RATES * 8],
        };
        let mut best: CostTable<Option<(f64, RoundParams, usize, Cost)>> = [None; PRICES.len()];
        for log_inv_rate in self.job.rates.clone() {
            for log_columns in self.job.columns.clone() {
                let log_rows = self.job.log_size - log_columns;
                for level in self.levels(log_columns, log_rows, log_inv_rate) {
                    let Some(node) = paths.node(log_rows, level) else { continue };
                    let commitment = self.commitment(level, log_rows);
                    for ((price, best), way) in prices.iter().zip(&mut best).zip(&paths.nodes[node]) {
                        let cost = way.cost.plus(commitment);
                        let score = cost.time + price * cost.bytes;
                        if best.is_none_or(|(s, ..)| score < s) {
                            *best = Some((score, level, node, cost));
                        }
                    }
                }
            }
        }
        let found = best.iter().enumerate().filter_map(|(price, best)| best.map(|best| (price, best)));
        found.map(|(price, (_, level, node, cost))| (level, paths.levels(node, price), cost)).collect()
    }
}

impl Paths<'_> {
    /// The cheapest ways to prove a message of `2^log_m` entries whose rows are opened as `before` says.
    fn node(&mut self, log_m: u32, before: RoundParams) -> Option<usize> {
        let at = log_m as usize * RATES + before.log_inv_rate as usize;
        if let Some(node) = self.known[at] {
            return node;
        }
        let nothing = Way { cost: Cost::default(), value: f64::INFINITY, next: None };
        let mut ways = [nothing; PRICES.len()];
        if log_m <= MAX_LOG_FINAL {
            let cost = self.model.in_clear(log_m, before.queries);
            for (way, price) in ways.iter_mut().zip(self.prices) {
                *way = Way { cost, value: cost.time + price * cost.bytes, next: None };
            }
        }
        for log_columns in COLUMNS.filter(|&c| c <= log_m) {
            for shrink in 1..=3 {
                let log_rows = log_m - log_columns;
                let log_inv_rate = (log_m + before.log_inv_rate).checked_sub(log_rows + shrink);
                let Some(log_inv_rate) = log_inv_rate.filter(|rate| (1..=12).contains(rate)) else {
                    continue;
                };
                let Some(step) = self.step(log_columns, log_m, log_inv_rate) else { continue };
                let Some(node) = self.node(log_rows, step.first) else { continue };
                let between = self.model.between(log_m, step.encode, before);
                let behind = self.prices.iter().zip(&self.nodes[node]).zip(&step.best);
                for (way, ((price, rest), &(level, openings))) in ways.iter_mut().zip(behind) {
                    let stage = Cost { time: between, bytes: self.model.messages(level) }.plus(openings);
                    let cost = rest.cost.plus(stage);
                    let value = cost.time + price * cost.bytes;
                    if value < way.value {
                        *way = Way { cost, value, next: Some((level, node)) };
                    }
                }
            }
        }
        let node = ways[0].value.is_finite().then(|| {
            self.nodes.push(ways);
            self.nodes.len() - 1
        });
        self.known[at] = Some(node);
        node
    }

    /// A stage over a message of `2^log_m` entries; none if no affordable work makes up for the challenge field.
    fn step(&mut self, log_columns: u32, log_m: u32, log_inv_rate: u32) -> Option<Step> {
        let at = (log_m as usize * RATES + log_inv_rate as usize) * 8 + log_columns as usize;
        if let Some(step) = self.steps[at] {
            return step;
        }
        let (model, log_rows) = (self.model, log_m - log_columns);
        let width = f64::from(model.job.degree) * f64::from(1 << log_columns);
        let mut step: Option<Step> = None;
        for level in model.levels(log_columns, log_rows, log_inv_rate) {
            let openings = model.openings(width, level, log_rows);
            let encode = || model.encode(width, log_rows, log_inv_rate);
            let of_first =
                || Step { first: level, encode: encode(), best: [(level, openings); PRICES.len()] };
            let step = step.get_or_insert_with(of_first);
            for (best, price) in step.best.iter_mut().zip(self.prices) {
                let value = |cost: &Cost| cost.time + price * cost.bytes;
                if value(&openings) < value(&best.1) {
                    *best = (level, openings);
                }
            }
        }
        self.steps[at] = Some(step);
        step
    }

    /// The levels of the way from a node on.
    fn levels(&self, node: usize, price: usize) -> Vec<RoundParams> {
        let next = |&(_, node): &(RoundParams, usize)| self.nodes[node][price].next;
        core::iter::successors(self.nodes[node][price].next, next).map(|(level, _)| level).collect()
    }
}

#[cfg(test)]
mod tests;
