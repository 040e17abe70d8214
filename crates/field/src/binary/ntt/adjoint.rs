//! The transpose of encoding: layers in the opposite order, and the sum of the blocks; or one block of few values that are
//! not zero.

use super::partial::Partial;
use super::plan::{Plan, each_piece};
use super::tiers::Tier;

/// The meaning of [`super::adjoint`], with the instruction set given.
pub(super) fn run(
    tier: &'static Tier,
    values: &mut [u8],
    element_bytes: usize,
    (log_rows, first_block): (usize, usize),
) {
    assert!(
        element_bytes > 0 && element_bytes.is_multiple_of(8),
        "an element is a positive multiple of 8 bytes"
    );
    assert!(values.len().is_multiple_of(element_bytes), "the values are not whole elements");
    let positions = values.len() / element_bytes;
    assert!(positions.is_power_of_two(), "positions are a power of two");
    let end = ((first_block as u128) << log_rows) + positions as u128;
    assert!(end <= 1 << 32, "a position is below 2^32");
    assert!(log_rows <= positions.ilog2() as usize, "a block is part of the code");
    let plan = Plan::new(tier, element_bytes, 1 << log_rows);
    let size = element_bytes << log_rows;
    let gather = |(c, block): (usize, &mut [u8])| {
        if log_rows > 0 {
            plan.gather(block, (first_block + c) << log_rows, log_rows);
        }
    };
    each_piece(values, size, gather);
    let (first, others) = values.split_at_mut(size);
    for block in others.chunks_exact(size) {
        for (sum, &x) in first.iter_mut().zip(block) {
            *sum ^= x;
        }
    }
}

/// The meaning of [`super::adjoint_of_rows`], with the instruction set given.
pub(super) fn rows(
    tier: &'static Tier,
    values: &mut [u8],
    (element_bytes, block): (usize, usize),
    rows: &[usize],
) {
    assert!(
        element_bytes > 0 && element_bytes.is_multiple_of(8),
        "an element is a positive multiple of 8 bytes"
    );
    let count = values.len() / element_bytes;
    assert!(count.is_power_of_two() && values.len() == count * element_bytes, "a power of two of elements");
    assert!((block as u128 + 1) * count as u128 <= 1 << 32, "a position is below 2^32");
    let partial = Partial { plan: Plan::new(tier, element_bytes, count), first: block * count, rows };
    partial.ascend(values, partial.first, count.ilog2() as usize);
}
