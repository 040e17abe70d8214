//! What both forms do alike, block by block. Always inlined: it is compiled with the instructions of its caller.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not inlined into functions with other instructions"
)]

use super::Number;

/// Where block `i` of `n` goes before the layers.
pub(crate) fn reversed(i: usize, n: usize) -> usize {
    i.reverse_bits() >> (usize::BITS - n.trailing_zeros())
}

/// The layers of a transform of `2^k` blocks in reversed order; `roots` are the powers of the root, half as many.
#[inline(always)]
pub(crate) fn layers<F: Number>(values: &mut [F], roots: &[F]) {
    let n = values.len();
    for pair in values.chunks_exact_mut(2) {
        (pair[0], pair[1]) = (pair[0] + pair[1], pair[0] - pair[1]);
    }
    let mut half = 2;
    while half < n {
        let step = n / (2 * half);
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for i in 0..half {
                let t = high[i] * roots[i * step];
                (low[i], high[i]) = (low[i] + t, low[i] - t);
            }
        }
        half *= 2;
    }
}

/// `sum k_j c_j` in the place of `sum`.
#[inline(always)]
pub(crate) fn accumulate<F: Number>(sum: &mut [F], k: F, column: &[F]) {
    for i in 0..column.len().min(sum.len()) {
        sum[i] = sum[i] + k * column[i];
    }
}

/// `sum c_i x^i`, beginning with `zero`.
#[inline(always)]
pub(crate) fn horner<F: Number>(coefficients: &[F], x: F, zero: F) -> F {
    let mut sum = zero;
    for i in (0..coefficients.len()).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}
