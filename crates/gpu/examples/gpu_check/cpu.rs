//! What the CPU computes, and how long it takes.

use super::median;
use field::parallel;
use gpu::{Challenge, Entry};
use iop::oracle::{CommittedCodeword, OracleSpec};
use serde_json::{Value, json};

/// Rows that one task combines.
const ROWS_PER_TASK: usize = 1 << 11;

/// The name of the processor.
pub fn model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("model name")).unwrap_or("unknown");
    line.rsplit(": ").next().unwrap_or("unknown").to_owned()
}

/// Threads of the machine.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// The commitment and both combinations.
pub struct Expected<B, E> {
    pub codeword: CommittedCodeword<B>,
    pub rows: Vec<E>,
    pub columns: Vec<E>,
}

impl<B: Entry, E: Challenge<B>> Expected<B, E> {
    pub fn new(spec: &OracleSpec, message: &[B], row_weights: &[E], column_weights: &[E]) -> Self {
        let codeword = spec.commit(message, Vec::new());
        let (rows, columns) =
            (combine_rows(message, spec.width, row_weights), combine_columns(message, column_weights));
        Self { codeword, rows, columns }
    }
}

fn combine_rows<B: Entry, E: Challenge<B>>(message: &[B], width: usize, weights: &[E]) -> Vec<E> {
    let parts = message.chunks(ROWS_PER_TASK * width).zip(weights.chunks(ROWS_PER_TASK));
    let sums = parallel::map(parts, |(rows, weights)| {
        let mut out = vec![E::ZERO; width];
        E::combine_rows(rows, weights, &mut out);
        out
    });
    let mut total = vec![E::ZERO; width];
    for sum in sums {
        total.iter_mut().zip(sum).for_each(|(total, x)| *total += x);
    }
    total
}

fn combine_columns<B: Entry, E: Challenge<B>>(message: &[B], weights: &[E]) -> Vec<E> {
    let mut out = vec![E::ZERO; message.len() / weights.len()];
    let parts = message.chunks(ROWS_PER_TASK * weights.len()).zip(out.chunks_mut(ROWS_PER_TASK));
    parallel::for_each(parts, |(rows, out)| E::combine_columns(rows, weights, out));
    out
}

/// Milliseconds on so many threads, in memory that was used before: medians.
pub fn times<B: Entry, E: Challenge<B>>(
    threads: usize,
    spec: &OracleSpec,
    message: &[B],
    row_weights: &[E],
    column_weights: &[E],
) -> Value {
    let repeats = if message.len() > 1 << 22 { 3 } else { 7 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let count = 1 << spec.code.log_inv_rate;
        let mut blocks: Vec<Vec<B>> = (0..count).map(|_| Vec::new()).collect();
        let (encode, ()) = median(repeats, || {
            for (c, block) in blocks.iter_mut().enumerate() {
                B::encode_block(message, spec.block(c), block, &|_, _| {});
            }
        });
        let mut blocks = Some(blocks);
        let (commit, ()) = median(repeats, || {
            let codeword = spec.commit(message, blocks.take().unwrap_or_default());
            blocks = Some(codeword.into_blocks());
        });
        let (rows, _) = median(repeats, || combine_rows(message, spec.width, row_weights));
        let (columns, _) = median(repeats, || combine_columns(message, column_weights));
        json!({ "encode": encode, "commit": commit, "combine_rows": rows, "combine_columns": columns })
    })
}
