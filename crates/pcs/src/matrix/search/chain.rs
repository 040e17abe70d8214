//! The cost of fold chains.

use crate::matrix::Inner;
use crate::matrix::RoundParams;
use crate::matrix::search::{Cost, MAX_LOG_FINAL, Model};

/// Variables that the first fold of a chain may bind: each doubles the opened rows of the commitment.
const FIRST: core::ops::RangeInclusive<u32> = 0..=2;
/// Variables that each later fold may bind.
const STEP: core::ops::RangeInclusive<u32> = 1..=4;

/// The cheapest chain below a commitment whose fragments have `2^log_rows` entries: the first fold, then equal ones.
pub(super) fn chain(model: &Model, level: RoundParams, log_rows: u32, price: f64) -> Option<(Inner, Cost)> {
    // What hides has a random row for each that is opened.
    let most = if model.job.hidden_openings > 0 { 0 } else { log_rows };
    let shapes = FIRST.filter(|&first| first <= most).flat_map(|first| {
        let steps = STEP.flat_map(move |step| (0..=(log_rows - first) / step).map(move |n| (step, n)));
        steps.map(move |(step, n)| (first, step, n, log_rows - first - n * step))
    });
    let short = shapes.filter(|&(.., left)| left <= MAX_LOG_FINAL);
    let costs = short.map(|(first, step, n, left)| {
        let steps: Vec<u32> = core::iter::once(first).chain((0..n).map(|_| step)).collect();
        let words = words(model, level, log_rows, &steps);
        (steps, words.plus(model.in_clear(left, level.queries)))
    });
    let score = |cost: &Cost| cost.time + 100.0 * price * cost.bytes;
    let best = costs.min_by(|a, b| score(&a.1).total_cmp(&score(&b.1)));
    best.map(|(steps, cost)| (Inner::Chain(steps), cost))
}

/// The two chains, which have one shape only.
pub(super) fn two_chains(model: &Model, level: RoundParams, log_rows: u32) -> Option<(Inner, Cost)> {
    let words = words(model, level, log_rows, &vec![1; log_rows as usize]);
    let first = opened(model, level, log_rows, 1);
    // Both chains have all words; rows of the commitment are opened for both at once.
    let inner = Cost { time: 2.0 * words.time, bytes: 2.0 * words.bytes - first.bytes };
    (log_rows >= 1).then_some((Inner::TwoChains, inner))
}

/// The words of a chain, the rows that the first fold opens beyond one for each query, and the rounds.
fn words(model: &Model, level: RoundParams, log_rows: u32, steps: &[u32]) -> Cost {
    let degree = f64::from(model.job.degree);
    let quiet = RoundParams { grinding: 0, fold_grinding: 0, log_columns: 0, ..level };
    let mut cost = opened(model, level, log_rows, steps.first().copied().unwrap_or(0));
    let mut left = log_rows;
    for (i, &step) in steps.iter().enumerate() {
        if i > 0 {
            // A leaf is as wide as a row of so many columns would be.
            let (width, rows) = (degree * f64::from(1 << step), left - step);
            let encode =
                Cost { time: model.encode(width, rows, level.log_inv_rate), bytes: model.job.digest as f64 };
            cost = cost.plus(encode).plus(model.openings(width, quiet, rows));
        }
        let rounds = f64::from(left).exp2() * 4.0 * model.job.prices.extension;
        let work = f64::from(step) * f64::from(level.fold_grinding).exp2() * 9.0;
        let bytes = f64::from(step) * (2.0 * model.job.bytes as f64 + 8.0);
        cost = cost.plus(Cost { time: rounds + work, bytes });
        left -= step;
    }
    cost
}

/// What opening whole fibres of the commitment costs more than opening single rows.
fn opened(model: &Model, level: RoundParams, log_rows: u32, first: u32) -> Cost {
    let depth = log_rows + level.log_inv_rate;
    let further = f64::from(level.queries) * (f64::from(1 << first) - 1.0);
    let row = model.width(level) * model.job.base_bytes as f64;
    let siblings = model.siblings(depth - first, level.queries) - model.siblings(depth, level.queries);
    let siblings = f64::from(model.job.commitments) * siblings;
    Cost { time: further * row * 3.0, bytes: further * row + model.job.digest as f64 * siblings }
}
