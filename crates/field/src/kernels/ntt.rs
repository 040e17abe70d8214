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

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::lanes::{Lanes, Vectors};
use super::roots::Roots;
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

/// Bytes of a node that is done level by level: a half of a small first-level cache.
const BASE_BYTES: usize = 1 << 14;

/// The fast form of [`scalar`].
pub(crate) fn fast<F: TwoAdic + Vectors>(
    message: &[F],
    width: usize,
    shift: F,
    roots: &Roots<F>,
    out: &mut [F],
) {
    let log_rows = check(message.len(), width, out.len()).ilog2() as usize;
    let message_rows = message.len() / width;
    let tree = Tree::new(message.len(), (width, log_rows), shift, roots);
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
    message: &[F],
    (width, rows): (usize, usize),
    shift: F,
    roots: &Roots<F>,
    out: &mut Vec<F>,
) {
    let length = rows * width;
    let log_rows = check(message.len(), width, length).ilog2() as usize;
    let tree = Tree::new(message.len(), (width, log_rows), shift, roots);
    out.clear();
    if message.len() > length || !tree.reads(message.len() / width) {
        out.resize(length, F::ZERO);
        return fast(message, width, shift, roots, out);
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
fn factors<F: TwoAdic + Vectors>(shift: F, log_rows: usize, levels: usize, table: &[F]) -> Vec<F> {
    let mut factors = vec![F::ONE; 1 << levels];
    let mut power = shift;
    for level in (0..log_rows).rev() {
        if level < levels {
            let (vectors, rest) = F::Lanes::split_mut(&mut factors[1 << level..2 << level]);
            let (from, from_rest) = F::Lanes::split(&table[..1 << level]);
            let splat = F::Lanes::splat(power);
            vectors.iter_mut().zip(from).for_each(|(x, &root)| *x = splat * root);
            rest.iter_mut().zip(from_rest).for_each(|(x, &root)| *x = power * root);
        }
        power = power.square();
    }
    factors
}

/// What every node needs to know.
struct Tree<'a, F> {
    /// The factor of each node but those of the `last` levels; the entry 0 is unused.
    factors: Vec<F>,
    width: usize,
    table: &'a [F],
    shift: F,
    /// The number of last levels whose nodes are no longer than a vector.
    last: usize,
}

impl<'a, F: TwoAdic + Vectors> Tree<'a, F> {
    fn new(message: usize, (width, log_rows): (usize, usize), shift: F, roots: &'a Roots<F>) -> Self {
        // Small and odd shapes of narrow matrices leave no whole vectors in the last levels.
        let lanes = <F::Lanes as Lanes<F>>::WIDTH;
        let narrow = width < lanes && width.is_power_of_two() && message.min(width << log_rows) >= 2 * lanes;
        let last = if narrow { (lanes / width).ilog2() as usize } else { 0 };
        let table = roots.table(log_rows.saturating_sub(1));
        let factors = factors(shift, log_rows, log_rows - last.min(log_rows), table);
        Self { factors, width, table, shift, last }
    }

    /// Whether the first pass over a message of so many rows can read it where it stands.
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
        let step = (levels - self.last).min(F::Lanes::LEVELS);
        match step {
            1 => copy_pass::<F, 2>(message, block, self.pass(node)),
            2 => copy_pass::<F, 4>(message, block, self.pass(node)),
            _ => copy_pass::<F, 8>(message, block, self.pass(node)),
        }
        // SAFETY: the pass has written all runs, and the runs make up the block.
        let block = unsafe { block.assume_init_mut() };
        // The narrow levels take two vectors at a time, which a small node's children do not hold.
        if size_of_val(block) <= BASE_BYTES {
            return self.base(block, node, levels, step);
        }
        for (k, child) in block.chunks_exact_mut(block.len() >> step).enumerate() {
            self.descend(child, (node << step) + k, levels - step);
        }
    }

    /// All `levels` levels of a node; a leaf is one row, which may be longer than the cache.
    fn descend(&self, block: &mut [F], node: usize, levels: usize) {
        if levels <= self.last || size_of_val(block) <= BASE_BYTES {
            return self.base(block, node, levels, 0);
        }
        let step = self.step(block, node, levels);
        for (k, child) in block.chunks_exact_mut(block.len() >> step).enumerate() {
            self.descend(child, (node << step) + k, levels - step);
        }
    }

    /// All levels of a node in the cache but the `done` first ones, level by level.
    fn base(&self, block: &mut [F], node: usize, levels: usize, mut done: usize) {
        while levels - done > self.last {
            let size = block.len() >> done;
            let mut step = 0;
            for (k, child) in block.chunks_exact_mut(size).enumerate() {
                step = self.step(child, (node << done) + k, levels - done);
            }
            done += step;
        }
        if self.last > 0 && levels > 0 {
            self.narrow(block, node);
        }
    }

    /// One pass over a node; returns the number of levels that it does.
    #[inline]
    fn step(&self, block: &mut [F], node: usize, levels: usize) -> usize {
        let left = levels - self.last;
        // Four levels go as two and two.
        let step = if left == 4 { 2 } else { left }.min(F::Lanes::LEVELS);
        match step {
            1 => pass::<F, 2>(block, self.pass(node)),
            2 => pass::<F, 4>(block, self.pass(node)),
            _ => pass::<F, 8>(block, self.pass(node)),
        }
        step
    }

    /// The factors of a node and the levels below it, in heap order; the entry 0 is unused.
    #[inline]
    fn pass<const R: usize>(&self, node: usize) -> [F; R] {
        core::array::from_fn(|q| {
            let level = q.max(1).ilog2();
            self.factors[(node << level) + (q.max(1) - (1 << level))]
        })
    }

    /// The last levels, whose nodes are no longer than a vector, for two vectors at a time.
    fn narrow(&self, block: &mut [F], node: usize) {
        let width = <F::Lanes as Lanes<F>>::WIDTH;
        let level = node.ilog2();
        let offset = (node - (1 << level)) * block.len() / (2 * width);
        let (vectors, _) = F::Lanes::split_mut(block);
        let mut factors = [F::Lanes::splat(F::ONE); 8];
        for (k, f) in factors[..self.last].iter_mut().enumerate() {
            *f = self.narrow_factors(width >> (k + 1));
        }
        for (p, pair) in vectors.chunks_exact_mut(2).enumerate() {
            let (mut x, mut y) = (pair[0], pair[1]);
            for (k, &f) in factors[..self.last].iter().enumerate() {
                let factor = f * F::Lanes::splat(self.table[(offset + p) << (k + 1)]);
                let (a, b) = x.interleave(y, width >> (k + 1));
                let b = b * factor;
                (x, y) = (a + b).interleave(a - b, width >> (k + 1));
            }
            (pair[0], pair[1]) = (x, y);
        }
    }

    /// The factors of the first two vectors of a level with halves of `run` elements, as `interleave`
    /// places the nodes. Those of the `p`-th two are `table[p * nodes]` times these, as
    /// `table[i + j] = table[i] table[j]` when `i` and `j` have no bit in common.
    fn narrow_factors(&self, run: usize) -> F::Lanes {
        let nodes = <F::Lanes as Lanes<F>>::WIDTH / run;
        let power = self.shift.pow((run / self.width) as u64);
        F::Lanes::from_fn(|lane| {
            let group = lane / run;
            power * self.table[group / 2 + (group % 2) * nodes / 2]
        })
    }
}

/// `log2(R)` levels of a node on the remainders `x`, in place; `t[q]` is the factor of the `q`-th node. Every index is
/// written out, so that the remainders stay in registers: a loop over nodes is not unrolled and costs twice the time.
#[inline(always)]
fn butterflies<T, const R: usize>(x: &mut [T; R], t: &[T; R])
where
    T: Copy + core::ops::Add<Output = T> + core::ops::Sub<Output = T> + core::ops::Mul<Output = T>,
{
    let one = |x: &mut [T; R], i: usize, j: usize, q: usize| {
        let b = x[j] * t[q];
        (x[i], x[j]) = (x[i] + b, x[i] - b);
    };
    match R {
        2 => one(x, 0, 1, 1),
        4 => {
            one(x, 0, 2, 1);
            one(x, 1, 3, 1);
            one(x, 0, 1, 2);
            one(x, 2, 3, 3);
        }
        8 => {
            one(x, 0, 4, 1);
            one(x, 1, 5, 1);
            one(x, 2, 6, 1);
            one(x, 3, 7, 1);
            one(x, 0, 2, 2);
            one(x, 1, 3, 2);
            one(x, 4, 6, 3);
            one(x, 5, 7, 3);
            one(x, 0, 1, 4);
            one(x, 2, 3, 5);
            one(x, 4, 5, 6);
            one(x, 6, 7, 7);
        }
        _ => unreachable!("two, four or eight remainders"),
    }
}

/// `log2(R)` levels of a node in one pass.
#[inline]
fn pass<F: TwoAdic + Vectors, const R: usize>(block: &mut [F], t: [F; R]) {
    let run = block.len() / R;
    let mut runs = block.chunks_exact_mut(run);
    let runs: [_; R] = core::array::from_fn(|_| runs.next().expect("R runs"));
    let mut vectors: [&mut [F::Lanes]; R] = core::array::from_fn(|_| Default::default());
    let mut rest: [&mut [F]; R] = core::array::from_fn(|_| Default::default());
    for (k, run) in runs.into_iter().enumerate() {
        (vectors[k], rest[k]) = F::Lanes::split_mut(run);
    }
    in_place(&mut vectors, &t.map(F::Lanes::splat));
    in_place(&mut rest, &t);
}

#[inline(always)]
fn in_place<T, const R: usize>(runs: &mut [&mut [T]; R], t: &[T; R])
where
    T: Copy + core::ops::Add<Output = T> + core::ops::Sub<Output = T> + core::ops::Mul<Output = T>,
{
    let length = runs[0].len();
    assert!(runs.iter().all(|run| run.len() == length));
    for i in 0..length {
        let mut x: [T; R] = core::array::from_fn(|k| runs[k][i]);
        butterflies(&mut x, t);
        runs.iter_mut().zip(x).for_each(|(run, x)| run[i] = x);
    }
}

/// The form of [`pass`] that reads another place than it writes. Message and block are `R` runs of equal length, and
/// every element of the block is written.
#[inline]
fn copy_pass<F: TwoAdic + Vectors, const R: usize>(message: &[F], block: &mut [MaybeUninit<F>], t: [F; R]) {
    assert!(message.len() == block.len() && block.len().is_multiple_of(R));
    let run = block.len() / R;
    let mut sources: [(&[F::Lanes], &[F]); R] = [(&[], &[]); R];
    for (source, run) in sources.iter_mut().zip(message.chunks_exact(run)) {
        *source = F::Lanes::split(run);
    }
    let mut vectors: [&mut [MaybeUninit<F::Lanes>]; R] = core::array::from_fn(|_| Default::default());
    let mut rest: [&mut [MaybeUninit<F>]; R] = core::array::from_fn(|_| Default::default());
    for (k, run) in block.chunks_exact_mut(run).enumerate() {
        (vectors[k], rest[k]) = F::Lanes::split_uninit(run);
    }
    across(&sources.map(|source| source.0), &mut vectors, &t.map(F::Lanes::splat));
    across(&sources.map(|source| source.1), &mut rest, &t);
}

#[inline(always)]
fn across<T, const R: usize>(from: &[&[T]; R], runs: &mut [&mut [MaybeUninit<T>]; R], t: &[T; R])
where
    T: Copy + core::ops::Add<Output = T> + core::ops::Sub<Output = T> + core::ops::Mul<Output = T>,
{
    let length = runs[0].len();
    assert!(runs.iter().all(|run| run.len() == length));
    assert!(from.iter().all(|run| run.len() == length));
    for i in 0..length {
        let mut x: [T; R] = core::array::from_fn(|k| from[k][i]);
        butterflies(&mut x, t);
        for (run, x) in runs.iter_mut().zip(x) {
            run[i].write(x);
        }
    }
}
