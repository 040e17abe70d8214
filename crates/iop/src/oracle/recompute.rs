//! Rows of blocks that were not kept, made again from the message. (notes: codes-oracle)
//!
//! ```text
//!           width                                  width
//!   message |..|xx|..|..| ─► scratch ─► scratch ─► |..|yy|..|..| rows that somebody wants
//!            some columns      encode_rows
//! ```
//! Columns are encoded apart from each other, so some at a time do, and the scratch is a small part of the codeword.

use super::{CommittedCodeword, OracleSpec, SHARED_BYTES};
use crate::code::ReedSolomon;
use crate::error::Invalid;
use crate::hash::Digest;
use crate::merkle;
use alloc::vec::Vec;
use field::{BlockShape, Field, FoldFibres, FoldableCode, parallel};

/// Bytes of a row that are taken at a time, if not all of it: two lines of the cache, which memory gives together.
const LINES: usize = 128;

/// The scratch is this part of the codeword at most, if that is a column or more.
const PART: usize = 8;

/// Bytes of a piece of the message, and of the copy that is folded: both stay in the second-level cache. Tuned.
const PIECE: usize = 1 << 17;

/// Message rows that one task gathers.
const ROWS_PER_TASK: usize = 1 << 10;

impl OracleSpec {
    /// The bytes of [`CommittedCodeword::nodes`].
    pub fn node_bytes(&self) -> usize {
        self.block_node_bytes() << self.code.log_inv_rate
    }

    /// The oracle with these [`CommittedCodeword::nodes`] that keeps no block: rows are made again from the message.
    ///
    /// Cost: the upper layers of the tree.
    ///
    /// # Panics
    /// If it is another number of nodes.
    pub fn oracle_of_nodes<B: FoldableCode>(&self, nodes: Vec<u8>) -> CommittedCodeword<B> {
        assert_eq!(nodes.len(), self.node_bytes(), "number of nodes");
        self.committed(Vec::new(), 1 << self.code.log_inv_rate, nodes)
    }

    /// The leaves at positions, in ascending order, row after row, made again from the message.
    ///
    /// Cost: over binary fields a product for each entry of the message and each run of rows, which stand together; the message is read once. Over
    /// others, as [`CommittedCodeword::open_rows_of`].
    ///
    /// # Panics
    /// If there are no such leaves.
    pub fn leaves_of<B: FoldFibres>(&self, message: &[B], positions: &[usize]) -> Vec<B> {
        let of_leaf = |leaf: &usize| leaf << self.log_fibre..(leaf + 1) << self.log_fibre;
        let positions: Vec<usize> = positions.iter().flat_map(of_leaf).collect();
        let log_piece = (PIECE / (columns_of_piece::<B>(self.width) * size_of::<B>())).ilog2() as usize;
        if B::FOLDS_TO_CODE && self.code.extra == 0 && log_piece < self.code.log_rows {
            return by_pieces(self, message, &positions, log_piece);
        }
        rows(self, message, &positions)
    }

    /// Checks leaves at positions, row after row, with the siblings that open them, against a root.
    ///
    /// # Errors
    /// As [`merkle::verify_opening`].
    pub fn check_leaves<B: Field>(
        &self,
        root: &Digest,
        positions: &[usize],
        (rows, siblings): (&[B], &[u8]),
    ) -> Result<(), Invalid> {
        let leaves = self.leaf().digests(rows);
        merkle::verify_opening(self.hash, self.log_leaves(), root, positions, &leaves, siblings)
    }
}

/// The rows at positions, in ascending order, from pieces of the message that stay in the cache.
///
/// ```text
///   piece j of 2^k rows ─► its codeword, at the positions q ──┐
///                                                             ├─► for each run of equal q >> k: row j of a message, at q >> k
///   piece j + 1 ───────────────────────────────────────────┘
/// ```
/// The weight of coefficient `2^k j + i` at a position is that of `i`, times that of `j` at the position `q >> k` of the domain that is folded `k` times.
fn by_pieces<B: FoldFibres>(
    shape: &OracleSpec,
    message: &[B],
    positions: &[usize],
    log_piece: usize,
) -> Vec<B> {
    let (width, ReedSolomon { log_rows, .. }) = (shape.width, shape.code);
    let log_domain = shape.code.log_domain();
    let runs: Vec<&[usize]> = positions.chunk_by(|a, b| a >> log_piece == b >> log_piece).collect();
    let values = parallel::map(message.chunks_exact(width << log_piece), |piece| {
        let mut values = vec![B::ZERO; positions.len() * width];
        let (mut part, mut scratch) = (Vec::new(), Vec::new());
        for start in (0..width).step_by(columns_of_piece::<B>(width)) {
            let columns = columns_of_piece::<B>(width).min(width - start);
            gather(piece, (width, start, columns), &mut part);
            let mut rows_of_values = values.chunks_exact_mut(width);
            for run in &runs {
                scratch.clear();
                scratch.extend_from_slice(&part);
                let block = run[0] >> log_piece;
                let block = BlockShape { width: columns, log_rows: log_piece, log_domain, block };
                let rows: Vec<usize> = run.iter().map(|row| row & ((1 << log_piece) - 1)).collect();
                B::encode_rows(&mut scratch, block, &rows);
                for (row, to) in rows.iter().zip(rows_of_values.by_ref()) {
                    to[start..start + columns].copy_from_slice(&scratch[row * columns..][..columns]);
                }
            }
        }
        values
    });
    let (log_rows, log_domain) = (log_rows - log_piece, log_domain - log_piece);
    let mut end = 0;
    let ends = runs.iter().map(|run| {
        end += run.len() * width;
        (run, end)
    });
    let rows = parallel::map(ends.collect::<Vec<_>>().into_iter(), |(run, end)| {
        let (width, position) = (run.len() * width, run[0] >> log_piece);
        let mut matrix = Vec::with_capacity(values.len() * width);
        values.iter().for_each(|piece| matrix.extend_from_slice(&piece[end - width..end]));
        let (block, row) = (position >> log_rows, position & ((1 << log_rows) - 1));
        B::encode_rows(&mut matrix, BlockShape { width, log_rows, log_domain, block }, &[row]);
        matrix[row * width..][..width].to_vec()
    });
    rows.concat()
}

/// Columns of a piece that are taken at a time.
fn columns_of_piece<B>(width: usize) -> usize {
    (LINES / size_of::<B>()).clamp(1, width)
}

/// The rows at positions, in ascending order, one behind the other.
///
/// Cost: for each block with such rows the first layers of its transform, and the others as far as the rows need them.
pub(super) fn rows<B: FoldableCode>(shape: &OracleSpec, message: &[B], positions: &[usize]) -> Vec<B> {
    let mut out = vec![B::ZERO; positions.len() * shape.width];
    let (mut left, mut blocks) = (&mut out[..], Vec::new());
    for positions in positions.chunk_by(|a, b| a >> shape.code.log_rows == b >> shape.code.log_rows) {
        let rows;
        (rows, left) = left.split_at_mut(positions.len() * shape.width);
        blocks.push((positions, rows));
    }
    let columns = columns::<B>(shape);
    let small = shape.code.dimension() * columns * size_of::<B>() < SHARED_BYTES;
    let tasks = if small { parallel::threads() } else { 1 };
    let per_task = blocks.len().div_ceil(tasks).max(1);
    parallel::for_each(blocks.chunks_mut(per_task), |blocks| {
        let mut scratch = Vec::new();
        for (positions, rows) in blocks {
            of_block(shape, message, (positions, rows), (columns, &mut scratch));
        }
    });
    out
}

/// Rows of one block, some columns at a time.
fn of_block<B: FoldableCode>(
    shape: &OracleSpec,
    message: &[B],
    (positions, out): (&[usize], &mut [B]),
    (columns, scratch): (usize, &mut Vec<B>),
) {
    let (width, log_rows, log_domain) = (shape.width, shape.code.log_rows, shape.code.log_domain());
    let rows: Vec<usize> = positions.iter().map(|position| position & ((1 << log_rows) - 1)).collect();
    for start in (0..width).step_by(columns) {
        let columns = columns.min(width - start);
        gather(message, (width, start, columns), scratch);
        let block = positions[0] >> log_rows;
        B::encode_rows(scratch, BlockShape { width: columns, log_rows, log_domain, block }, &rows);
        for (to, &row) in out.chunks_exact_mut(width).zip(&rows) {
            to[start..start + columns].copy_from_slice(&scratch[row * columns..][..columns]);
        }
    }
}

/// Some columns of a matrix from a column on, as a matrix.
fn gather<B: FoldableCode>(matrix: &[B], (width, start, columns): (usize, usize, usize), out: &mut Vec<B>) {
    // What stands there is written over, so that it need not be cleared.
    out.resize(matrix.len() / width * columns, B::ZERO);
    let to = out.chunks_mut(ROWS_PER_TASK * columns);
    parallel::for_each(to.zip(matrix.chunks(ROWS_PER_TASK * width)), |(to, from)| {
        if columns == width {
            return to.copy_from_slice(from);
        }
        for (to, from) in to.chunks_exact_mut(columns).zip(from.chunks_exact(width)) {
            to.copy_from_slice(&from[start..start + columns]);
        }
    });
}

/// Columns that are encoded at a time: all, or about two lines of the cache.
fn columns<B>(shape: &OracleSpec) -> usize {
    let most = (shape.width << shape.code.log_inv_rate) / PART;
    if most >= shape.width { shape.width } else { (LINES / size_of::<B>()).min(most).max(1) }
}
