//! Evaluation of the columns of a matrix on a coset: the reference.

use crate::TwoAdic;

/// The meaning of [`TwoAdic::ntt_rows`]: decimation in frequency, one layer at a time, any field.
pub(crate) fn scalar<F: TwoAdic>(message: &[F], width: usize, shift: F, out: &mut [F]) {
    let rows = check(message.len(), width, out.len());
    out.fill(F::ZERO);
    let mut power = F::ONE;
    for (i, row) in message.chunks_exact(width).enumerate() {
        let slot = (i & (rows - 1)) * width;
        for (o, &c) in out[slot..slot + width].iter_mut().zip(row) {
            *o += c * power;
        }
        power *= shift;
    }
    let mut span = rows;
    while span > 1 {
        let root = F::root_of_unity(span.trailing_zeros() as usize);
        for block in out.chunks_exact_mut(span * width) {
            let (low, high) = block.split_at_mut(span / 2 * width);
            let mut twiddle = F::ONE;
            for (low, high) in low.chunks_exact_mut(width).zip(high.chunks_exact_mut(width)) {
                for (x, y) in low.iter_mut().zip(high) {
                    (*x, *y) = (*x + *y, (*x - *y) * twiddle);
                }
                twiddle *= root;
            }
        }
        span /= 2;
    }
}

/// Checks the shape of a call of [`TwoAdic::ntt_rows`] and returns the number of rows of the result.
pub(crate) fn check(message: usize, width: usize, out: usize) -> usize {
    assert!(width > 0, "a matrix has at least one column");
    assert!(message.is_multiple_of(width), "the message is not whole rows");
    assert!(out.is_multiple_of(width), "the output is not whole rows");
    let rows = out / width;
    assert!(rows.is_power_of_two(), "the number of evaluation points is not a power of two");
    rows
}
