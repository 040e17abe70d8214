//! The loops of a transform, over the lanes of any tier.

use core::mem::MaybeUninit;
use core::ops::{Add, Mul, Sub};

use super::Tree;
use crate::TwoAdic;
use crate::kernels::lanes::{Kernel, Lanes, MAX_LANES, Vectors};

/// `to = by * from`; the slices have one length.
pub(super) struct Scale<'a, F> {
    pub from: &'a [F],
    pub by: F,
    pub to: &'a mut [F],
}

impl<F: TwoAdic> Kernel<F> for Scale<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) {
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let (by, (from, from_rest), (to, to_rest)) =
            unsafe { (L::splat(self.by), L::split(self.from), L::split_mut(self.to)) };
        for (to, &from) in to.iter_mut().zip(from) {
            *to = by * from;
        }
        for (to, &from) in to_rest.iter_mut().zip(from_rest) {
            *to = self.by * from;
        }
    }
}

/// One pass of `step` levels over a node, from a message: writes every element of the block.
pub(super) struct First<'a, F> {
    pub tree: &'a Tree<'a, F>,
    pub message: &'a [F],
    pub block: &'a mut [MaybeUninit<F>],
    pub node: usize,
    pub step: usize,
}

impl<F: TwoAdic + Vectors> Kernel<F> for First<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) {
        let Self { tree, message, block, node, step } = self;
        assert!(message.len() == block.len() && block.len().is_multiple_of(1 << step), "runs of one length");
        let place = Place { from: message.as_ptr(), to: block.as_mut_ptr().cast(), length: block.len() };
        // SAFETY: the CPU has the instructions of `L` by the contract of this function; both places are borrowed for as many elements, apart
        // from each other.
        unsafe { levels::<F, L>(tree, place, node, step) };
    }
}

/// One pass of `step` levels over a node.
pub(super) struct Step<'a, F> {
    pub tree: &'a Tree<'a, F>,
    pub block: &'a mut [F],
    pub node: usize,
    pub step: usize,
}

impl<F: TwoAdic + Vectors> Kernel<F> for Step<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) {
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        unsafe { in_place::<F, L>(self.tree, self.block, self.node, self.step) };
    }
}

/// All `levels` levels of a node in the cache but the `done` first ones, level by level.
pub(super) struct Base<'a, F> {
    pub tree: &'a Tree<'a, F>,
    pub block: &'a mut [F],
    pub node: usize,
    pub levels: usize,
    pub done: usize,
}

impl<F: TwoAdic + Vectors> Kernel<F> for Base<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) {
        let Self { tree, block, node, levels, mut done } = self;
        while levels - done > tree.last {
            let (size, step) = (block.len() >> done, tree.step(levels - done));
            for (k, child) in block.chunks_exact_mut(size).enumerate() {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                unsafe { in_place::<F, L>(tree, child, (node << done) + k, step) };
            }
            done += step;
        }
        if tree.last > 0 && levels > 0 {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            unsafe { narrow::<F, L>(tree, block, node) };
        }
    }
}

/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
unsafe fn in_place<F: TwoAdic + Vectors, L: Lanes<F>>(
    tree: &Tree<'_, F>,
    block: &mut [F],
    node: usize,
    step: usize,
) {
    let to = block.as_mut_ptr();
    // SAFETY: the CPU has the instructions of `L` by the contract of this function; the block is borrowed exclusively for `length` elements.
    unsafe { levels::<F, L>(tree, Place { from: to, to, length: block.len() }, node, step) };
}

/// Where a pass reads and writes.
struct Place<F> {
    from: *const F,
    to: *mut F,
    length: usize,
}

/// `step` levels of a node, 1 to 3.
///
/// # Safety
/// The CPU has the instructions of `L`; `length` elements can be read and written at the two places, which are one or apart.
#[inline(always)]
unsafe fn levels<F: TwoAdic + Vectors, L: Lanes<F>>(
    tree: &Tree<'_, F>,
    place: Place<F>,
    node: usize,
    step: usize,
) {
    // SAFETY: `pass` has the contract of this function.
    unsafe {
        match step {
            1 => pass::<F, L, 2>(place, &node_factors(tree, node)),
            2 => pass::<F, L, 4>(place, &node_factors(tree, node)),
            _ => pass::<F, L, 8>(place, &node_factors(tree, node)),
        }
    }
}

/// The factors of a node and the levels below it, in heap order; the entry 0 is unused.
#[inline(always)]
fn node_factors<F: TwoAdic, const R: usize>(tree: &Tree<'_, F>, node: usize) -> [F; R] {
    let (mut factors, mut q, mut level) = ([F::ONE; R], 1, 0);
    while q < R {
        let first = 1 << level;
        factors[q] = tree.factors[(node << level) + (q - first)];
        q += 1;
        level += usize::from(q == 2 * first);
    }
    factors
}

/// `log2(R)` levels of a node in one pass.
///
/// # Safety
/// As for [`levels`].
#[inline(always)]
unsafe fn pass<F: TwoAdic, L: Lanes<F>, const R: usize>(place: Place<F>, t: &[F; R]) {
    let Place { from, to, length } = place;
    let run = length / R;
    let whole = run / L::WIDTH * L::WIDTH;
    // SAFETY: the CPU has the instructions; `i + WIDTH <= run`, so that run `k` from `i` on is within the `R run <= length` elements
    // of both places; where they are one, elements are read before they are written.
    unsafe {
        let mut factors = [L::splat(t[0]); R];
        let mut q = 1;
        while q < R {
            factors[q] = L::splat(t[q]);
            q += 1;
        }
        let mut i = 0;
        while i < whole {
            let mut x = [factors[0]; R];
            let mut k = 0;
            while k < R {
                x[k] = from.add(k * run + i).cast::<L>().read();
                k += 1;
            }
            butterflies(&mut x, &factors);
            let mut k = 0;
            while k < R {
                to.add(k * run + i).cast::<L>().write(x[k]);
                k += 1;
            }
            i += L::WIDTH;
        }
        while i < run {
            let mut x = [F::ZERO; R];
            let mut k = 0;
            while k < R {
                x[k] = from.add(k * run + i).read();
                k += 1;
            }
            butterflies(&mut x, t);
            let mut k = 0;
            while k < R {
                to.add(k * run + i).write(x[k]);
                k += 1;
            }
            i += 1;
        }
    }
}

/// What a butterfly computes with.
trait Ring: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Ring for T {}

#[inline(always)]
fn butterfly<T: Ring, const R: usize>(x: &mut [T; R], t: &[T; R], i: usize, j: usize, q: usize) {
    let b = x[j] * t[q];
    (x[i], x[j]) = (x[i] + b, x[i] - b);
}

/// `log2(R)` levels of a node on the remainders `x`, in place; `t[q]` is the factor of the `q`-th node. Every index is
/// written out, so that the remainders stay in registers: a loop over nodes is not unrolled and costs twice the time.
#[inline(always)]
fn butterflies<T: Ring, const R: usize>(x: &mut [T; R], t: &[T; R]) {
    match R {
        2 => butterfly(x, t, 0, 1, 1),
        4 => {
            butterfly(x, t, 0, 2, 1);
            butterfly(x, t, 1, 3, 1);
            butterfly(x, t, 0, 1, 2);
            butterfly(x, t, 2, 3, 3);
        }
        8 => {
            butterfly(x, t, 0, 4, 1);
            butterfly(x, t, 1, 5, 1);
            butterfly(x, t, 2, 6, 1);
            butterfly(x, t, 3, 7, 1);
            butterfly(x, t, 0, 2, 2);
            butterfly(x, t, 1, 3, 2);
            butterfly(x, t, 4, 6, 3);
            butterfly(x, t, 5, 7, 3);
            butterfly(x, t, 0, 1, 4);
            butterfly(x, t, 2, 3, 5);
            butterfly(x, t, 4, 5, 6);
            butterfly(x, t, 6, 7, 7);
        }
        _ => unreachable!("two, four or eight remainders"),
    }
}

/// The last levels, whose nodes are no longer than a vector, for two vectors at a time.
///
/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
unsafe fn narrow<F: TwoAdic + Vectors, L: Lanes<F>>(tree: &Tree<'_, F>, block: &mut [F], node: usize) {
    let level = node.ilog2();
    let offset = (node - (1 << level)) * block.len() / (2 * L::WIDTH);
    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
    let (vectors, _) = unsafe { L::split_mut(block) };
    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
    let mut factors = [unsafe { L::splat(F::ONE) }; MAX_LANES.ilog2() as usize];
    for (k, factor) in factors[..tree.last].iter_mut().enumerate() {
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        *factor = unsafe { L::load(&narrow_factors(tree, L::WIDTH >> (k + 1), L::WIDTH)) };
    }
    for (p, pair) in vectors.chunks_exact_mut(2).enumerate() {
        let (mut x, mut y) = (pair[0], pair[1]);
        for (k, &first) in factors[..tree.last].iter().enumerate() {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let root = unsafe { L::splat(tree.table[(offset + p) << (k + 1)]) };
            let factor = first * root;
            let (a, b) = x.interleave(y, L::WIDTH >> (k + 1));
            let b = b * factor;
            (x, y) = (a + b).interleave(a - b, L::WIDTH >> (k + 1));
        }
        (pair[0], pair[1]) = (x, y);
    }
}

/// The factors of the first two vectors of a level with halves of `run` elements, as `interleave`
/// places the nodes. Those of the `p`-th two are `table[p * nodes]` times these, as
/// `table[i + j] = table[i] table[j]` when `i` and `j` have no bit in common.
fn narrow_factors<F: TwoAdic>(tree: &Tree<'_, F>, run: usize, lanes: usize) -> [F; MAX_LANES] {
    let nodes = lanes / run;
    let power = tree.shift.pow((run / tree.width) as u64);
    let mut factors = [F::ONE; MAX_LANES];
    for (lane, factor) in factors[..lanes].iter_mut().enumerate() {
        let group = lane / run;
        *factor = power * tree.table[group / 2 + (group % 2) * nodes / 2];
    }
    factors
}
