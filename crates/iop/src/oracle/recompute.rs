//! Rows of blocks that were not kept, made again from the message. (notes: codes-oracle)
//!
//! ```text
//!           width                                  width
//!   message |..|xx|..|..| ─► scratch ─► scratch ─► |..|yy|..|..| rows that somebody wants
//!            some columns      encode_rows
//! ```
//! Columns are encoded apart from each other, so some at a time do, and the scratch is a small part of the codeword.

use super::{CommittedCodeword, OracleSpec, SHARED_BYTES};
use alloc::vec::Vec;
use field::{BlockShape, FoldableCode, parallel};

/// Bytes of a row that are taken at a time, if not all of it: two lines of the cache, which memory gives together.
const LINES: usize = 128;

/// The scratch is this part of the codeword at most, if that is a column or more.
const PART: usize = 8;

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

    /// Some of the [`CommittedCodeword::nodes`], by their numbers in ascending order, made again from the message.
    ///
    /// Cost: as [`CommittedCodeword::open_rows_of`] of the rows below them.
    ///
    /// # Panics
    /// If there are no such nodes, or none is asked for.
    pub fn nodes_of<B: FoldableCode>(&self, message: &[B], numbers: &[usize]) -> Vec<u8> {
        let height = self.twig_height() + self.log_fibre;
        let below = numbers.iter().flat_map(|number| number << height..(number + 1) << height);
        let rows = rows(self, message, &below.collect::<Vec<usize>>());
        let mut nodes = vec![0; numbers.len() * self.hash.bytes()];
        self.leaf().hash_nodes(&rows, &mut nodes);
        nodes
    }
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
