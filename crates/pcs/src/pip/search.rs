//! Choosing parameters: the layout that costs least among those that prove the wanted bits. (notes: pip-shape)
//!
//! A layout is a path of stages; time and size add up along it, so the cheapest path for a given price of a byte
//! is found by dynamic programming over (variables left, rate of the last stage). A few prices give candidates;
//! the profile picks one by `time * size^weight`. Every candidate's bits are recomputed by the security report.

use super::params::{Inner, Level, MAX_QUERIES, Params};
use crate::fields::Fields;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Code, Policy, Regime};
use std::cell::RefCell;
use std::collections::HashMap;

/// What the user wants of a commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Size weighs 1.3 times as much as time (in orders of magnitude).
    Fast,
    /// Size weighs twelve times as much as time, within about three times the fast profile's work.
    Small,
}

/// What to find parameters for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Data and challenge fields.
    pub fields: Fields,
    /// Hash of trees and transcript.
    pub hash: Hash,
    /// log2 of the number of entries.
    pub log_size: u32,
    /// Number of polynomials.
    pub polynomials: u32,
    /// The most linear forms of one opening.
    pub max_forms: u32,
    /// Openings that stay hidden (0: none).
    pub hidden_openings: u32,
    /// Proven bits to reach.
    pub bits: u32,
    /// The trade between time and size.
    pub profile: Profile,
    /// Fixes the rate of the commitment (log2 of its inverse).
    pub log_inv_rate: Option<u32>,
    /// Fixes the regime: `Some(true)` unique decoding, `Some(false)` Johnson.
    pub unique_decoding: Option<bool>,
}

impl Wanted {
    /// One polynomial, BLAKE3, up to 16 forms, no hiding.
    pub fn new(fields: Fields, log_size: u32, bits: u32, profile: Profile) -> Self {
        let (hash, polynomials, max_forms, hidden_openings) = (Hash::Blake3, 1, 16, 0);
        let (log_inv_rate, unique_decoding) = (None, None);
        Self {
            fields,
            hash,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            bits,
            profile,
            log_inv_rate,
            unique_decoding,
        }
    }
}

/// Multiplicities tried, finest first: a finer one needs fewer queries and a larger field.
const MULTIPLICITIES: [u32; 7] = [100, 40, 20, 10, 7, 5, 3];
/// Prices of a byte that are tried, in units of 100 ns: they span the trade from all time to all size.
const PRICES: [f64; 9] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 70.0, 100.0];
/// A nanosecond of the verifier weighs as many of the prover.
const VERIFIER: f64 = 4.0;
/// What the small profile may spend, in units of the fast profile's predicted time.
const SMALL_BUDGET: f64 = 3.4;
/// Bits that a fold has more than the queries: it is cheap to let it weigh little in the sum of errors.
const FOLD_SLACK: f64 = 3.0;
/// The most work before a fold challenge; there are as many as variables.
const MAX_FOLD_GRINDING: u32 = 16;
/// The last message is sent in clear at or below this size.
const MAX_LOG_FINAL: u32 = 9;

/// The cheapest parameters that prove `wanted.bits`.
pub fn find(wanted: &Wanted) -> Result<Params, ParamError> {
    find_among(&[wanted.fields], wanted)
}

/// The cheapest parameters over one of several challenge fields; `wanted.fields` does not count.
pub fn find_among(fields: &[Fields], wanted: &Wanted) -> Result<Params, ParamError> {
    let over = |&fields: &Fields| within_budget(&Wanted { fields, ..wanted.clone() });
    let found = fields.iter().filter_map(over).min_by(|a, b| wanted.score(a.1).total_cmp(&wanted.score(b.1)));
    found.map(|(params, _)| params).ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(|f| f.name()).collect();
        ParamError(format!(
            "no layout of 2^{} entries over {} proves {} bits: take a larger challenge field or fewer bits",
            wanted.log_size,
            names.join(" or "),
            wanted.bits
        ))
    })
}

/// The best layout; a small proof may cost a few times what a fast one does, and is the fast one if none costs less.
fn within_budget(wanted: &Wanted) -> Option<(Params, Cost)> {
    let fast = best(&Wanted { profile: Profile::Fast, ..wanted.clone() }, None)?;
    match wanted.profile {
        Profile::Fast => Some(fast),
        Profile::Small => best(wanted, Some(SMALL_BUDGET * fast.1.time)).or(Some(fast)),
    }
}

/// The best layout by the profile's score, within a budget of predicted time.
fn best(wanted: &Wanted, budget: Option<f64>) -> Option<(Params, Cost)> {
    let mut best: Option<(f64, Params, Cost)> = None;
    for (regime, slack) in regimes(wanted).into_iter().flat_map(|r| [(r, 1.2), (r, 2.5)]) {
        let model = Model::new(wanted, regime, f64::from(wanted.bits) + slack);
        for price in PRICES {
            let Some((params, cost)) = model.cheapest(price) else { continue };
            let score = wanted.score(cost);
            let better = best.as_ref().is_none_or(|(s, ..)| score < *s);
            let affordable = budget.is_none_or(|budget| cost.time <= budget);
            if better && affordable && params.validate(&Policy { min_bits: wanted.bits }).is_ok() {
                best = Some((score, params, cost));
            }
        }
    }
    best.map(|(_, params, cost)| (params, cost))
}

/// Predicted cost of a layout: nanoseconds on one core and bytes of proof.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Commit and open together.
    pub time: f64,
    /// Expected proof length.
    pub bytes: f64,
}

impl Cost {
    fn plus(self, other: Self) -> Self {
        Self { time: self.time + other.time, bytes: self.bytes + other.bytes }
    }
}

impl Wanted {
    fn score(&self, cost: Cost) -> f64 {
        let weight = if self.profile == Profile::Fast { 1.3 } else { 12.0 };
        cost.time.ln() + weight * cost.bytes.ln()
    }
}

fn regimes(wanted: &Wanted) -> Vec<Regime> {
    let johnson = MULTIPLICITIES.map(|multiplicity| Regime::Johnson { multiplicity });
    let unique = wanted.unique_decoding.unwrap_or(wanted.hidden_openings > 0);
    let mut regimes = if unique { Vec::new() } else { johnson.to_vec() };
    if unique || wanted.unique_decoding.is_none() {
        regimes.push(Regime::UniqueDecoding);
    }
    regimes
}

fn grindings(wanted: &Wanted) -> &'static [u32] {
    match wanted.profile {
        Profile::Fast => &[10, 13, 15],
        Profile::Small => &[15, 17, 19],
    }
}

/// Costs per operation in nanoseconds, one AVX-512 core: they only steer the choice.
struct Prices {
    base: f64,
    extension: f64,
}

fn prices(fields: Fields) -> Prices {
    let (base, extension) = match fields {
        Fields::KoalaBear4 | Fields::KoalaBear5 => (0.08, 4.0),
        Fields::KoalaBear8 => (0.08, 10.0),
        Fields::Goldilocks1 => (0.25, 1.0),
        Fields::Goldilocks2 => (0.25, 2.5),
        Fields::Goldilocks3 => (0.25, 5.0),
        Fields::Mersenne61x2 => (4.0, 4.0),
        Fields::Bn254 => (15.0, 15.0),
    };
    Prices { base, extension }
}

struct Model<'a> {
    wanted: &'a Wanted,
    regime: Regime,
    /// Bits that each query term should have.
    target: f64,
    /// Bits of one fold over a code, by log2 of its dimension and of its inverse rate.
    line_bits: Vec<[f64; RATES]>,
    /// Bits of one query by log2 of the inverse rate.
    query_bits: [f64; RATES],
    /// [`expected_siblings`] by depth and queries: most of the search would go into its powers.
    siblings: RefCell<HashMap<(u32, u32), f64>>,
}

/// Rates 1 to 2^-12.
const RATES: usize = 13;

type Plan = (Vec<Level>, Cost);

impl<'a> Model<'a> {
    fn new(wanted: &'a Wanted, regime: Regime, target: f64) -> Self {
        let code = |dimension: u32, rate: usize| Code {
            dimension: 1 << dimension,
            log_domain: dimension + rate as u32,
        };
        let line = |k, rate| regime.line_bits(&code(k, rate), wanted.fields.bits());
        Self {
            wanted,
            regime,
            target,
            line_bits: (0..=wanted.log_size).map(|k| core::array::from_fn(|rate| line(k, rate))).collect(),
            query_bits: core::array::from_fn(|rate| regime.query_bits(&code(8, rate), 1)),
            siblings: RefCell::default(),
        }
    }

    /// The cheapest layout when a byte costs `price` nanoseconds, times one hundred.
    fn cheapest(&self, price: f64) -> Option<(Params, Cost)> {
        let wanted = self.wanted;
        let mut best: Option<(f64, Params, Cost)> = None;
        let rates = wanted.log_inv_rate.map_or(1..=4, |r| r..=r);
        let mut memo = HashMap::new();
        for log_inv_rate in rates {
            for log_columns in 0..=wanted.log_size.min(12) {
                let log_rows = wanted.log_size - log_columns;
                for level in self.levels(log_columns, log_rows, log_inv_rate) {
                    let Some((levels, rest)) = self.deeper(log_rows, level, price, &mut memo) else {
                        continue;
                    };
                    let cost = rest.plus(self.commitment(level, log_rows));
                    let score = cost.time + 100.0 * price * cost.bytes;
                    if best.as_ref().is_none_or(|(s, ..)| score < *s) {
                        best = Some((score, self.params(level, levels), cost));
                    }
                }
            }
        }
        best.map(|(_, params, cost)| (params, cost))
    }

    fn params(&self, level: Level, levels: Vec<Level>) -> Params {
        let w = self.wanted;
        Params {
            fields: w.fields,
            hash: w.hash,
            regime: self.regime,
            log_size: w.log_size,
            polynomials: w.polynomials,
            max_forms: w.max_forms,
            hidden_openings: w.hidden_openings,
            level,
            inner: Inner::Recursion(levels),
        }
    }

    /// Matrices with the queries and the grinding that their terms need; none if no affordable work makes up for the
    /// challenge field.
    fn levels(&self, log_columns: u32, log_rows: u32, log_inv_rate: u32) -> impl Iterator<Item = Level> {
        let fold =
            self.line_bits[log_rows as usize][log_inv_rate as usize] - f64::from(log_columns.max(1)).log2();
        let fold_grinding = (self.target + FOLD_SLACK - fold).ceil().max(0.0) as u32;
        let level = move |&grinding: &u32| {
            let queries = self.queries(log_rows, log_inv_rate, grinding)?;
            Some(Level { log_columns, log_inv_rate, queries, grinding, fold_grinding })
        };
        let affordable = fold_grinding <= MAX_FOLD_GRINDING;
        grindings(self.wanted).iter().filter(move |_| affordable).filter_map(level)
    }

    /// Positions to draw so that this stage's term reaches the target; `None` if the code proves nothing.
    fn queries(&self, log_rows: u32, log_inv_rate: u32, grinding: u32) -> Option<u32> {
        let needed = |per_query: f64| {
            let queries = ((self.target - f64::from(grinding)) / per_query).ceil().max(1.0);
            (per_query > 0.0 && queries <= f64::from(MAX_QUERIES)).then_some(queries as u32)
        };
        if self.wanted.hidden_openings == 0 {
            return needed(self.query_bits[log_inv_rate as usize]);
        }
        // Hiding lengthens the code, which lowers the bits of a query: settle by iteration.
        let mut code = Code { dimension: 1 << log_rows, log_domain: log_rows + log_inv_rate };
        for _ in 0..8 {
            let queries = needed(self.regime.query_bits(&code, 1))?;
            let dimension = (1 << log_rows) + u64::from(self.wanted.hidden_openings) * u64::from(queries + 1);
            if code.dimension >= dimension {
                return Some(queries);
            }
            code.dimension = dimension;
        }
        None
    }

    /// Commitment, its combination passes and its opened rows.
    fn commitment(&self, level: Level, log_rows: u32) -> Cost {
        let w = self.wanted;
        let columns = f64::from(w.polynomials) * f64::from(1 << level.log_columns);
        let degree = w.fields.degree() as f64;
        let width = columns + degree * f64::from(w.hidden_openings);
        let base = prices(w.fields).base;
        let data = columns * f64::from(log_rows).exp2();
        // Combination, the form's and the out-of-domain value's partial evaluations.
        let passes = 3.0 * data * degree * base * 1.3;
        let messages = f64::from(2 * level.log_columns) * w.fields.bytes() as f64;
        let time = passes + self.encode(width, log_rows, level.log_inv_rate);
        Cost { time, bytes: messages }.plus(self.openings(width, level, log_rows))
    }

    /// Transform and hash of a matrix of `width` base columns.
    fn encode(&self, width: f64, log_rows: u32, log_inv_rate: u32) -> f64 {
        let elements = width * f64::from(log_rows + log_inv_rate).exp2();
        let butterflies =
            elements * (0.5 * f64::from(log_rows) + 1.0) * prices(self.wanted.fields).base * 1.6;
        let row_bytes = width * self.wanted.fields.base_bytes() as f64;
        // Leaves are padded to whole blocks.
        let hashing = (row_bytes / 64.0).ceil() * 64.0 * 0.13 + 14.0;
        butterflies + hashing * f64::from(log_rows + log_inv_rate).exp2()
    }

    /// Opened rows and paths of a stage, and its grinding.
    fn openings(&self, width: f64, level: Level, log_rows: u32) -> Cost {
        let queries = f64::from(level.queries);
        let rows = queries * width * self.wanted.fields.base_bytes() as f64;
        let tree = (log_rows + level.log_inv_rate, level.queries);
        let siblings = *self
            .siblings
            .borrow_mut()
            .entry(tree)
            .or_insert_with(|| expected_siblings(tree.0, f64::from(tree.1)));
        let combine = queries * width * self.wanted.fields.degree() as f64;
        let verify = combine + rows * 0.7 + siblings * 80.0;
        let work = f64::from(level.grinding).exp2()
            + f64::from(level.log_columns) * f64::from(level.fold_grinding).exp2();
        let time = work * 9.0 + VERIFIER * verify;
        Cost { time, bytes: rows + 32.0 * siblings }
    }

    /// The cheapest stages below a message of `2^log_m` entries whose rows are opened as `before` says.
    fn deeper(
        &self,
        log_m: u32,
        before: Level,
        price: f64,
        memo: &mut HashMap<(u32, u32), Option<Plan>>,
    ) -> Option<Plan> {
        if let Some(plan) = memo.get(&(log_m, before.log_inv_rate)) {
            return plan.clone();
        }
        let value = |c: &Cost| c.time + 100.0 * price * c.bytes;
        let mut best: Option<Plan> =
            (log_m <= MAX_LOG_FINAL).then(|| (Vec::new(), self.in_clear(log_m, before.queries)));
        for log_columns in 2..=log_m.min(6) {
            for shrink in 1..=3 {
                let log_rows = log_m - log_columns;
                let Some(log_inv_rate) = (log_m + before.log_inv_rate).checked_sub(log_rows + shrink) else {
                    continue;
                };
                if !(1..=12).contains(&log_inv_rate) {
                    continue;
                }
                for level in self.levels(log_columns, log_rows, log_inv_rate) {
                    let Some((mut levels, rest)) = self.deeper(log_rows, level, price, memo) else {
                        continue;
                    };
                    let cost = rest.plus(self.stage(level, log_m, before.queries));
                    if best.as_ref().is_none_or(|(_, c)| value(&cost) < value(c)) {
                        levels.insert(0, level);
                        best = Some((levels, cost));
                    }
                }
            }
        }
        memo.insert((log_m, before.log_inv_rate), best.clone());
        best
    }

    /// The final message: the verifier evaluates every claim and every opened row on it.
    fn in_clear(&self, log_m: u32, queries: u32) -> Cost {
        let length = f64::from(log_m).exp2();
        let verify = length * f64::from(2 * queries) * prices(self.wanted.fields).extension;
        Cost { time: VERIFIER * verify, bytes: length * self.wanted.fields.bytes() as f64 }
    }

    /// One stage of the recursion: encode, batch the claims of the stage before, sumcheck, open.
    fn stage(&self, level: Level, log_m: u32, queries_before: u32) -> Cost {
        let Prices { base, extension } = prices(self.wanted.fields);
        let (degree, m) = (self.wanted.fields.degree() as f64, f64::from(log_m).exp2());
        let width = degree * f64::from(1 << level.log_columns);
        let log_rows = log_m - level.log_columns;
        let batch = f64::from(queries_before) * m * (degree + 1.0) * base * 1.3;
        let time = self.encode(width, log_rows, level.log_inv_rate) + batch + 10.0 * m * extension;
        let messages = f64::from(2 * level.log_columns + 1) * self.wanted.fields.bytes() as f64 + 40.0;
        Cost { time, bytes: messages }.plus(self.openings(width, level, log_rows))
    }
}

/// Expected digests of a deduplicated opening of `queries` uniform leaves of a tree of depth `log_leaves`.
/// (notes: pip-size)
pub fn expected_siblings(log_leaves: u32, queries: f64) -> f64 {
    let occupied = |depth: u32| {
        let n = f64::from(depth).exp2();
        n * (1.0 - (1.0 - 1.0 / n).powf(queries))
    };
    (1..=log_leaves).map(|depth| 2.0 * occupied(depth - 1) - occupied(depth)).sum()
}
