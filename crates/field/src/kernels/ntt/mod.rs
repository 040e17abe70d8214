//! Evaluation of the columns of a matrix on a coset. (notes: codes-encode)
//!
//! The fast path walks the binary tree of remainders. The root holds the message as a polynomial modulo
//! `X^rows - shift^rows`; a node that holds one modulo `X^(2k) - t^2`, its low half `a` and its high half
//! `b`, passes `a + t b` (modulo `X^k - t`) to the left and `a - t b` (modulo `X^k + t`) to the right; a leaf
//! is a value. One factor serves a whole node, so that
//! - rows and columns form one run of memory and vectors run over both;
//! - the shift costs nothing, as it is part of the factors;
//! - a message of `2^d` times fewer rows than the result is its own remainder for the first `d` levels,
//!   which are skipped.
//!
//! Nodes are numbered as in a heap: the root is 1, the children of `x` are `2x` and `2x + 1`. One to three
//! levels are done in one pass over a node (its first pass reads the message itself), and nodes beyond
//! the first-level cache are done depth first.

mod pass;

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::lanes::{LaneShape, Vectors};
use super::roots::Roots;
use crate::TwoAdic;
use crate::cpu::Tier;
use pass::{Base, First, Scale, Step};

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

/// Bytes of a node that is done level by level: a half of a small first-level cache.
const BASE_BYTES: usize = 1 << 14;

/// What a transform has beside its data: the number of columns, the field's tables, and the lanes.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a, F> {
    pub tier: Tier,
    pub width: usize,
    pub roots: &'a Roots<F>,
}

/// The fast form of [`scalar`].
pub(crate) fn fast<F: TwoAdic + Vectors>(plan: Plan<'_, F>, message: &[F], shift: F, out: &mut [F]) {
    let width = plan.width;
    let log_rows = check(message.len(), width, out.len()).ilog2() as usize;
    let message_rows = message.len() / width;
    let tree = Tree::new(message.len(), &plan, log_rows, shift);
    if message_rows > 1 << log_rows {
        wrap(message, shift.pow(1 << log_rows), out);
        return tree.descend(out, 1, log_rows);
    }
    if tree.reads(message_rows) {
        // SAFETY: an initialised element is a valid `MaybeUninit`, and `grow` writes nothing but elements.
        let out = unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
        return tree.grow(message, log_rows, out);
    }
    let levels = message_rows.next_power_of_two().ilog2() as usize;
    let first = 1 << (log_rows - levels);
    for (k, block) in out.chunks_exact_mut(width << levels).enumerate() {
        let (copy, rest) = block.split_at_mut(message.len());
        copy.copy_from_slice(message);
        rest.fill(F::ZERO);
        tree.descend(block, first + k, levels);
    }
}

/// The form of [`fast`] that makes the result's vector.
pub(crate) fn fast_into<F: TwoAdic + Vectors>(
    plan: Plan<'_, F>,
    message: &[F],
    rows: usize,
    shift: F,
    out: &mut Vec<F>,
) {
    let length = rows * plan.width;
    let log_rows = check(message.len(), plan.width, length).ilog2() as usize;
    let tree = Tree::new(message.len(), &plan, log_rows, shift);
    out.clear();
    if message.len() > length || !tree.reads(message.len() / plan.width) {
        out.resize(length, F::ZERO);
        return fast(plan, message, shift, out);
    }
    out.reserve_exact(length);
    tree.grow(message, log_rows, &mut out.spare_capacity_mut()[..length]);
    // SAFETY: the capacity was reserved, and `grow` has written each of the first `length` elements.
    unsafe { out.set_len(length) };
}

/// Reduces the message modulo `X^rows - c`, by Horner's rule.
fn wrap<F: TwoAdic>(message: &[F], c: F, out: &mut [F]) {
    let top = message.len().next_multiple_of(out.len()) - out.len();
    let (low, high) = message.split_at(top);
    out[..high.len()].copy_from_slice(high);
    out[high.len()..].fill(F::ZERO);
    for part in low.rchunks_exact(out.len()) {
        for (o, &x) in out.iter_mut().zip(part) {
            *o = *o * c + x;
        }
    }
}

/// The factors of the nodes of the first `levels` levels.
fn factors<F: TwoAdic + Vectors>(
    tier: Tier,
    shift: F,
    log_rows: usize,
    levels: usize,
    table: &[F],
) -> Vec<F> {
    let mut factors = vec![F::ONE; 1 << levels];
    let mut power = shift;
    for level in (0..log_rows).rev() {
        if level < levels {
            let to = &mut factors[1 << level..2 << level];
            F::run(tier, Scale { from: &table[..1 << level], by: power, to });
        }
        power = power.square();
    }
    factors
}

/// What every node needs to know.
struct Tree<'a, F> {
    tier: Tier,
    lanes: LaneShape,
    /// The factor of each node but those of the `last` levels; the entry 0 is unused.
    factors: Vec<F>,
    width: usize,
    table: &'a [F],
    shift: F,
    /// The number of last levels whose nodes are no longer than a vector.
    last: usize,
}

impl<'a, F: TwoAdic + Vectors> Tree<'a, F> {
    fn new(message: usize, plan: &Plan<'a, F>, log_rows: usize, shift: F) -> Self {
        let Plan { tier, width, roots } = *plan;
        let lanes = LaneShape::new::<F>(tier);
        // Small and odd shapes of narrow matrices leave no whole vectors in the last levels.
        let narrow = width < lanes.width
            && width.is_power_of_two()
            && message.min(width << log_rows) >= 2 * lanes.width;
        let last = if narrow { (lanes.width / width).ilog2() as usize } else { 0 };
        let table = roots.table(log_rows.saturating_sub(1));
        let factors = factors(tier, shift, log_rows, log_rows - last.min(log_rows), table);
        Self { tier, lanes, factors, width, table, shift, last }
    }

    /// Tells whether the first pass over a message of so many rows can read it where it stands.
    fn reads(&self, message_rows: usize) -> bool {
        message_rows.is_power_of_two() && message_rows > 1 << self.last
    }

    /// All levels from the message, for which [`Tree::reads`] holds; writes every element of `out`.
    fn grow(&self, message: &[F], log_rows: usize, out: &mut [MaybeUninit<F>]) {
        let levels = (message.len() / self.width).ilog2() as usize;
        let first = 1 << (log_rows - levels);
        for (k, block) in out.chunks_exact_mut(message.len()).enumerate() {
            self.first(message, block, first + k, levels);
        }
    }

    /// The first pass over a node, from the message, and all levels below.
    fn first(&self, message: &[F], block: &mut [MaybeUninit<F>], node: usize, levels: usize) {
        let step = (levels - self.last).min(self.lanes.levels);
        F::run(self.tier, First { tree: self, message, block, node, step });
        // SAFETY: the pass has written all runs, and the runs make up the block.
        let block = unsafe { block.assume_init_mut() };
        // The narrow levels take two vectors at a time, which a small node's children do not hold.
        if size_of_val(block) <= BASE_BYTES {
            return F::run(self.tier, Base { tree: self, block, node, levels, done: step });
        }
        for (k, child) in block.chunks_exact_mut(block.len() >> step).enumerate() {
            self.descend(child, (node << step) + k, levels - step);
        }
    }

    /// All `levels` levels of a node; a leaf is one row, which may be longer than the cache.
    fn descend(&self, block: &mut [F], node: usize, levels: usize) {
        if levels <= self.last || size_of_val(block) <= BASE_BYTES {
            return F::run(self.tier, Base { tree: self, block, node, levels, done: 0 });
        }
        let step = self.step(levels);
        F::run(self.tier, Step { tree: self, block, node, step });
        for (k, child) in block.chunks_exact_mut(block.len() >> step).enumerate() {
            self.descend(child, (node << step) + k, levels - step);
        }
    }

    /// The number of levels that one pass over a node with so many does.
    #[inline(always)]
    fn step(&self, levels: usize) -> usize {
        let left = levels - self.last;
        // Four levels go as two and two.
        if left == 4 { self.lanes.levels.min(2) } else { self.lanes.levels.min(left) }
    }
}
