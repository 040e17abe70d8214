//! From a block of a codeword back to its message, and the transpose of that. (notes: additive-inverse)
//!
//! A layer of the transform is `L = (1 t; 1 t+1)` on pairs of rows, and `L^T L = (0 1; 1 1) = J` whatever `t` is. No layer mixes rows
//! that differ in a bit of a lower one, so encoding `A` has `A^T A = J ⊗ ... ⊗ J`, and with `K = J^-1 ⊗ ... ⊗ J^-1`
//!
//! ```text
//!   A^-1 = K A^T        A^-T = A K        J^-1 = (1 1; 1 0)
//! ```

use super::foldable::{Code, marked_block};
use super::ntt;
use crate::BlockShape;
use crate::parallel;

/// Bytes that are summed layer by layer: about a first-level cache.
const BASE_BYTES: usize = 1 << 15;
/// Bytes from which on sums are shared among threads.
const SHARED_BYTES: usize = 1 << 18;

/// [`crate::FoldableCode::decode_block`].
pub(super) fn decode<B: Code>(matrix: &mut [B], shape: BlockShape) {
    let row_bytes = checked(matrix, shape);
    ntt::adjoint(B::bytes_mut(matrix), row_bytes, shape.log_rows, marked_block(&shape));
    pairs(matrix, shape.width);
}

/// [`crate::FoldableCode::weigh_block`].
pub(super) fn weigh<B: Code>(weights: &mut [B], shape: BlockShape) {
    let row_bytes = checked(weights, shape);
    pairs(weights, shape.width);
    let place = (marked_block(&shape), 1 << shape.log_rows);
    ntt::encode_in_place(B::bytes_mut(weights), row_bytes, place, &|_, _| {});
}

/// The bytes of a row, if there are as many rows as in a block.
fn checked<B>(matrix: &[B], shape: BlockShape) -> usize {
    assert_eq!(matrix.len(), shape.width << shape.log_rows, "the rows of a block");
    shape.width * size_of::<B>()
}

/// `K` on the rows: `(u, v)` becomes `(u + v, u)` for every bit of their number, two bits at a time. Bits may come in any order.
fn pairs<B: Code>(matrix: &mut [B], width: usize) {
    if size_of_val(matrix) <= BASE_BYTES || matrix.len() < 4 * width {
        return base(matrix, width);
    }
    let (low, high) = matrix.split_at_mut(matrix.len() / 2);
    let ((a, b), (c, d)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    if size_of_val(a) >= SHARED_BYTES {
        let chunk = BASE_BYTES / size_of::<B>();
        let parts = a.chunks_mut(chunk).zip(b.chunks_mut(chunk));
        let parts = parts.zip(c.chunks_mut(chunk).zip(d.chunks_mut(chunk)));
        parallel::for_each(parts, |((a, b), (c, d))| sums([a, b, c, d]));
        return parallel::for_each([a, b, c, d].into_iter(), |part| pairs(part, width));
    }
    sums([a, b, c, d]);
    [a, b, c, d].into_iter().for_each(|part| pairs(part, width));
}

/// [`pairs`] in the cache, lowest bits first.
fn base<B: Code>(matrix: &mut [B], width: usize) {
    let mut run = width;
    while 4 * run <= matrix.len() {
        if run == 1 {
            matrix.as_chunks_mut().0.iter_mut().for_each(|x: &mut [B; 4]| *x = summed(*x));
        } else {
            matrix.chunks_exact_mut(4 * run).for_each(|rows| {
                let (low, high) = rows.split_at_mut(2 * run);
                let ((a, b), (c, d)) = (low.split_at_mut(run), high.split_at_mut(run));
                sums([a, b, c, d]);
            });
        }
        run *= 4;
    }
    if 2 * run == matrix.len() {
        let (u, v) = matrix.split_at_mut(run);
        u.iter_mut().zip(v).for_each(|(u, v)| (*u, *v) = (*u + *v, *u));
    }
}

/// Two bits on four runs of rows.
fn sums<B: Code>([a, b, c, d]: [&mut [B]; 4]) {
    for ((a, b), (c, d)) in a.iter_mut().zip(b).zip(c.iter_mut().zip(d)) {
        [*a, *b, *c, *d] = summed([*a, *b, *c, *d]);
    }
}

/// Two bits on four elements.
fn summed<B: Code>([a, b, c, d]: [B; 4]) -> [B; 4] {
    let (even, both) = (a + c, a + b);
    [both + c + d, even, both, a]
}
