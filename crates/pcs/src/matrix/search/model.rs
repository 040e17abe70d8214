//! The cost model, and the cheapest path through it.

use crate::matrix::RoundParams;
use crate::matrix::round_params::MAX_QUERIES;
use iop::security::{Code, Regime, Theorems};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// A nanosecond of the verifier weighs as many of the prover.
const VERIFIER: f64 = 4.0;
/// The most work before a fold challenge; there are as many as variables.
const MAX_FOLD_GRINDING: u32 = 16;
/// The last message is sent in clear at or below this size.
pub(crate) const MAX_LOG_FINAL: u32 = 9;

/// Predicted cost of a layout: nanoseconds on one core and bytes of proof.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Cost {
    /// Commit and open together.
    pub time: f64,
    /// Expected proof length.
    pub bytes: f64,
}

impl Cost {
    pub fn plus(self, other: Self) -> Self {
        Self { time: self.time + other.time, bytes: self.bytes + other.bytes }
    }
}

/// Costs per operation in nanoseconds, one AVX-512 core: they only steer the choice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CostTable {
    /// A data element in one combination, for each coefficient of a challenge.
    pub base: f64,
    /// A data element in one layer of the transform.
    pub layer: f64,
    /// How many layers the passes over memory are worth: always, and for each doubling of a block beyond 4 MiB.
    pub memory: [f64; 2],
    /// A product of challenges.
    pub extension: f64,
    /// An entry of a message in its weights and its sumcheck, and in the batching of one opened row.
    pub entry: f64,
    pub row: f64,
    /// A position of the code in the batching of its opened rows, however many.
    pub position: f64,
    /// A byte of a leaf; a leaf beside its bytes, with the nodes above it; a trial of a proof of work.
    pub hash: [f64; 3],
}

/// Nanoseconds of a digest of a path, for a verifier.
const PATH: f64 = 80.0;

/// What the model knows of a field and of a job.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub log_size: u32,
    pub polynomials: u32,
    /// Trees that hold the columns of the commitment.
    pub commitments: u32,
    pub hidden_openings: u32,
    /// True over binary fields.
    pub binary: bool,
    /// log2 of the size of the challenge field, its degree over the data field, and the bytes of both.
    pub field_bits: f64,
    pub degree: u32,
    pub bytes: usize,
    pub base_bytes: usize,
    pub prices: CostTable,
    /// Bytes of a digest.
    pub digest: usize,
    /// Base columns that hold one entry of the data.
    pub entry_columns: u32,
    pub regime: Regime,
    pub theorems: Theorems,
    /// Bits that each query term should have.
    pub target: f64,
    /// Bits that each term should have without work.
    pub interactive: f64,
    /// Bits that a fold has more: where that is cheap, it should weigh little in the sum of errors.
    pub fold_slack: f64,
    /// log2 of the inverse rates of the commitment that are tried.
    pub rates: core::ops::RangeInclusive<u32>,
    /// log2 of the columns of the commitment that are tried.
    pub columns: core::ops::RangeInclusive<u32>,
    /// Bits of work before positions that are tried.
    pub grindings: &'static [u32],
}

pub(crate) struct Model {
    pub job: Job,
    /// Bits of one fold over a code, by log2 of its dimension and of its inverse rate.
    line_bits: Vec<[OnceCell<f64>; RATES]>,
    /// Bits of one query by log2 of the inverse rate.
    query_bits: [f64; RATES],
}

/// Rates 1 to 2^-12.
pub(super) const RATES: usize = 13;

impl Model {
    pub fn new(job: Job) -> Self {
        let code = |dimension: u32, rate: usize| Code {
            dimension: 1 << dimension,
            log_domain: dimension + rate as u32,
        };
        Self {
            line_bits: (0..=job.log_size).map(|_| Default::default()).collect(),
            query_bits: core::array::from_fn(|rate| job.regime.query_bits(&code(8, rate), 1)),
            job,
        }
    }

    /// Bits of one fold over a code of dimension `2^log_rows`.
    fn line_bits(&self, log_rows: u32, log_inv_rate: u32) -> f64 {
        let code = Code { dimension: 1 << log_rows, log_domain: log_rows + log_inv_rate };
        let bits = || self.job.regime.line_bits(&code, self.job.field_bits, self.job.theorems);
        *self.line_bits[log_rows as usize][log_inv_rate as usize].get_or_init(bits)
    }

    /// The cheapest commitment together with the inner argument that `below` returns for it, with its cost, from the commitment's level and the number of
    /// variables of a fragment. `price`: hundredths of a nanosecond for each byte of a proof.
    pub fn cheapest<T>(
        &self,
        price: f64,
        mut below: impl FnMut(RoundParams, u32) -> Option<(T, Cost)>,
    ) -> Option<(RoundParams, T, Cost)> {
        let mut best: Option<(f64, RoundParams, T, Cost)> = None;
        for log_inv_rate in self.job.rates.clone() {
            for log_columns in self.job.columns.clone() {
                let log_rows = self.job.log_size - log_columns;
                let levels = self.levels(log_columns, log_rows, log_inv_rate);
                for level in levels.filter(|level| self.has_room(level, log_rows)) {
                    let Some((inner, rest)) = below(level, log_rows) else { continue };
                    let cost = rest.plus(self.commitment(level, log_rows));
                    let score = cost.time + 100.0 * price * cost.bytes;
                    if best.as_ref().is_none_or(|(s, ..)| score < *s) {
                        best = Some((score, level, inner, cost));
                    }
                }
            }
        }
        best.map(|(_, level, inner, cost)| (level, inner, cost))
    }

    /// Returns false if the matrix is too narrow to hide, or has fewer rows than a binary code takes random ones.
    fn has_room(&self, level: &RoundParams, log_rows: u32) -> bool {
        let job = &self.job;
        let columns = u64::from(job.polynomials * job.entry_columns) << level.log_columns;
        let row = columns * job.base_bytes as u64;
        let tail = u64::from(job.hidden_openings) * u64::from(level.queries) + 1;
        let short = !job.binary || tail <= 1 << log_rows;
        job.hidden_openings == 0 || (short && row >= 24.max(job.digest as u64 / 2))
    }

    /// Matrices with the queries and the grinding that their terms need; none if no affordable work makes up for the
    /// challenge field.
    pub fn levels(
        &self,
        log_columns: u32,
        log_rows: u32,
        log_inv_rate: u32,
    ) -> impl Iterator<Item = RoundParams> {
        let fold = self.line_bits(log_rows, log_inv_rate) - f64::from(log_columns.max(1)).log2();
        let fold_grinding = (self.job.target + self.job.fold_slack - fold).ceil().max(0.0) as u32;
        let level = move |&grinding: &u32| {
            let queries = self.queries(log_rows, log_inv_rate, grinding)?;
            Some(RoundParams { log_columns, log_inv_rate, queries, grinding, fold_grinding })
        };
        let affordable = fold_grinding <= MAX_FOLD_GRINDING && fold >= self.job.interactive;
        self.job.grindings.iter().filter(move |_| affordable).filter_map(level)
    }

    /// Positions to draw so that this stage's term reaches the target, with the work and without; `None` if the code proves nothing.
    fn queries(&self, log_rows: u32, log_inv_rate: u32, grinding: u32) -> Option<u32> {
        let needed = |per_query: f64| {
            let bits = (self.job.target - f64::from(grinding)).max(self.job.interactive);
            let queries = (bits / per_query).ceil().max(1.0);
            (per_query > 0.0 && queries <= f64::from(MAX_QUERIES)).then_some(queries as u32)
        };
        if self.job.hidden_openings == 0 {
            return needed(self.query_bits[log_inv_rate as usize]);
        }
        // Hiding lengthens the code, which lowers the bits of a query: settle by iteration.
        let mut code = Code { dimension: 1 << log_rows, log_domain: log_rows + log_inv_rate };
        for _ in 0..8 {
            let queries = needed(self.job.regime.query_bits(&code, 1))?;
            let dimension = (1 << log_rows) + u64::from(self.job.hidden_openings) * u64::from(queries + 1);
            if code.dimension >= dimension {
                return Some(queries);
            }
            code.dimension = dimension;
        }
        None
    }

    /// Commitment, its combination passes and its opened rows.
    pub fn commitment(&self, level: RoundParams, log_rows: u32) -> Cost {
        let w = &self.job;
        let columns = f64::from(w.polynomials * w.entry_columns) * f64::from(1 << level.log_columns);
        let degree = f64::from(w.degree);
        let width = self.width(level);
        let base = w.prices.base;
        let data = columns * two(log_rows);
        // Combination, the form's and each commitment's out-of-domain partial evaluations.
        let passes = f64::from(2 + w.commitments) * data * degree * base * 1.3;
        let messages = f64::from(2 * level.log_columns) * w.bytes as f64;
        let time = passes + self.encode(width, log_rows, level.log_inv_rate);
        let further = f64::from(w.commitments.saturating_sub(1))
            * self.siblings(log_rows + level.log_inv_rate, level.queries);
        let paths = Cost { time: VERIFIER * PATH * further, bytes: w.digest as f64 * further };
        Cost { time, bytes: messages }.plus(self.openings(width, level, log_rows)).plus(paths)
    }

    /// Base columns of the commitment, masks included.
    pub fn width(&self, level: RoundParams) -> f64 {
        let w = &self.job;
        let columns = f64::from(w.polynomials * w.entry_columns) * f64::from(1 << level.log_columns);
        columns + f64::from(w.degree) * f64::from(w.hidden_openings)
    }

    /// Transform and hash of a matrix of `width` base columns.
    pub fn encode(&self, width: f64, log_rows: u32, log_inv_rate: u32) -> f64 {
        let CostTable { layer, memory, hash: [byte, leaf, _], .. } = self.job.prices;
        let rows = two(log_rows + log_inv_rate);
        let row_bytes = width * self.job.base_bytes as f64;
        let beyond = (row_bytes.log2() + f64::from(log_rows) - 22.0).max(0.0);
        let transform = width * (f64::from(log_rows) + memory[0] + memory[1] * beyond) * layer;
        // Leaves are padded to whole blocks.
        let hashing = (row_bytes / 64.0).ceil() * 64.0 * byte + leaf;
        (transform + hashing) * rows
    }

    /// Opened rows and paths of a stage, and its grinding.
    pub fn openings(&self, width: f64, level: RoundParams, log_rows: u32) -> Cost {
        let queries = f64::from(level.queries);
        let rows = queries * width * self.job.base_bytes as f64;
        let siblings = self.siblings(log_rows + level.log_inv_rate, level.queries);
        let combine = queries * width * f64::from(self.job.degree);
        let verify = combine + rows * 0.7 + siblings * PATH;
        let time = work(level) * self.job.prices.hash[2] + VERIFIER * verify;
        Cost { time, bytes: rows + self.job.digest as f64 * siblings }
    }

    /// Expected digests of an opening.
    pub fn siblings(&self, log_leaves: u32, queries: u32) -> f64 {
        SIBLINGS.with_borrow_mut(|known| expected_siblings(known, log_leaves, queries))
    }

    /// The final message: the verifier evaluates every claim and every opened row on it.
    pub fn in_clear(&self, log_m: u32, queries: u32) -> Cost {
        let length = two(log_m);
        let verify = length * f64::from(2 * queries) * self.job.prices.extension;
        Cost { time: VERIFIER * verify, bytes: length * self.job.bytes as f64 }
    }

    /// What a stage over a message of `2^log_m` entries takes but for its openings, if its encoding takes `encode`: batching the
    /// claims of the stage before, and the sumcheck.
    pub fn between(&self, log_m: u32, encode: f64, before: RoundParams) -> f64 {
        let CostTable { entry, row, position, .. } = self.job.prices;
        let m = two(log_m);
        let positions = two(log_m + before.log_inv_rate);
        let batch = f64::from(before.queries) * m * row + positions * position;
        encode + batch + m * entry
    }

    /// Bytes of a stage's messages.
    pub fn messages(&self, level: RoundParams) -> f64 {
        f64::from(2 * level.log_columns + 1) * self.job.bytes as f64 + 40.0
    }
}

/// Expected trials of a matrix's proofs of work.
pub(super) fn work(level: RoundParams) -> f64 {
    two(level.grinding) + f64::from(level.log_columns) * two(level.fold_grinding)
}

/// `2^n`, exactly.
fn two(n: u32) -> f64 {
    f64::from_bits((1023 + u64::from(n)) << 52)
}

thread_local! {
    /// By queries and depth: most of a search would go into powers.
    static SIBLINGS: RefCell<HashMap<u32, Vec<f64>>> = RefCell::default();
}

/// Expected digests of a deduplicated opening of `queries` uniform leaves of a tree of depth `log_leaves`.
/// (notes: pip-size)
fn expected_siblings(known: &mut HashMap<u32, Vec<f64>>, log_leaves: u32, queries: u32) -> f64 {
    let occupied = |depth: u32| {
        let n = two(depth);
        n * (1.0 - (1.0 - 1.0 / n).powf(f64::from(queries)))
    };
    let sums = known.entry(queries).or_insert_with(|| vec![0.0]);
    while sums.len() <= log_leaves as usize {
        let depth = sums.len() as u32;
        let siblings = 2.0 * occupied(depth - 1) - occupied(depth);
        sums.push(sums[sums.len() - 1] + siblings);
    }
    sums[log_leaves as usize]
}
