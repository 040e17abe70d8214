//! Combinations of the columns or rows of a matrix, from any source of base elements.
//!
//! The matrix passes through a buffer that stays in the first-level cache: a block of it is converted, then multiplied
//! by the weights, coefficient by coefficient; sums are reduced once. (notes: binary-kernels)

use super::clmul::{Kernel, Vector};
use super::wide::Sums;
use alloc::vec::Vec;

/// The most columns of a block: four rows of them fit the buffer.
const COLUMNS: usize = 256;
/// Elements of a block.
const BLOCK: usize = 4 * COLUMNS;
/// The most elements of a vector: a load may run so far over the end of a row.
const MOST: usize = 8;

/// A row-major matrix, and how its elements become those of `P`.
pub(super) struct Matrix<'a, T, P> {
    pub(super) elements: &'a [T],
    pub(super) width: usize,
    pub(super) convert: fn(&[T], &mut [P]),
}

impl<T, P: Sums> Matrix<'_, T, P> {
    /// Fills the buffer with the columns `from..from + columns` of some rows.
    #[inline]
    fn block(&self, rows: core::ops::Range<usize>, from: usize, columns: usize, buffer: &mut [P]) {
        let buffer = &mut buffer[..rows.len() * columns];
        if columns == self.width {
            return (self.convert)(&self.elements[rows.start * columns..rows.end * columns], buffer);
        }
        for (i, part) in rows.zip(buffer.chunks_exact_mut(columns)) {
            (self.convert)(&self.elements[i * self.width + from..][..columns], part);
        }
    }
}

/// The kernel of `combine_columns`: `weights` has `D` coefficients for each column, `out` for each row.
pub(super) struct Columns<'a, T, P, const D: usize> {
    pub(super) matrix: Matrix<'a, T, P>,
    pub(super) weights: &'a [P],
    pub(super) out: &'a mut [P],
}

impl<T, P: Sums, const D: usize> Kernel for Columns<'_, T, P, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let (width, rows) = (self.matrix.width, self.out.len() / D);
        let mut buffer = vec![P::default(); BLOCK.min(rows * width) + MOST];
        for from in (0..width).step_by(COLUMNS) {
            let columns = COLUMNS.min(width - from);
            let planes = planes::<P, D>(&self.weights[from * D..][..columns * D]);
            for start in (0..rows).step_by(BLOCK / columns) {
                let end = rows.min(start + BLOCK / columns);
                self.matrix.block(start..end, from, columns, &mut buffer);
                let out = &mut self.out[start * D..end * D];
                // SAFETY: the contract of `run`.
                unsafe { dots::<V, P, D>(&buffer, columns, &planes, out) };
            }
        }
    }
}

/// Returns the coefficients of the weights, one plane after another, each followed by `MOST` zeros.
///
/// A function of its own, a plane at a time, as LLVM 22 miscompiles the loop over weights with an indexed store for each
/// coefficient where it is inlined into the loop over blocks of columns (docs/codegen-units-1.md).
#[inline(never)]
fn planes<P: Sums, const D: usize>(weights: &[P]) -> Vec<P> {
    let (weights, _) = weights.as_chunks::<D>();
    let length = weights.len() + MOST;
    let mut planes = vec![P::default(); D * length];
    for (c, plane) in planes.chunks_exact_mut(length).enumerate() {
        for (place, weight) in plane.iter_mut().zip(weights) {
            *place = weight[c];
        }
    }
    planes
}

/// Adds the product of each row of a block and the weights. What a vector holds beyond a row meets the zeros.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn dots<V: Vector, P: Sums, const D: usize>(block: &[P], columns: usize, planes: &[P], out: &mut [P]) {
    let (rows, length, per) = (out.len() / D, planes.len() / D, P::per::<V>());
    assert!(per <= MOST && length == columns + MOST && block.len() >= rows * columns + MOST);
    for first in (0..rows).step_by(V::LANES) {
        // The last rows may be fewer than lanes: one of them is then done again.
        let rows: [usize; 4] = core::array::from_fn(|l| (first + l).min(rows - 1));
        // SAFETY: the instructions by the contract. k < columns, so that a vector ends within `MOST` elements of the end of
        // a row (in the block) and of the weights (in their plane).
        let totals = unsafe {
            let mut sums = [[P::no_sum(V::splat(0)); 4]; D];
            for k in (0..columns).step_by(per) {
                for l in 0..V::LANES {
                    let x = V::load(block.as_ptr().add(rows[l] * columns + k).cast(), 16);
                    for (c, sums) in sums.iter_mut().enumerate() {
                        let weights = V::load(planes.as_ptr().add(c * length + k).cast(), 16);
                        sums[l] = P::mac(sums[l], x, weights);
                    }
                }
            }
            let mut totals = [V::splat(0); D];
            for (total, sums) in totals.iter_mut().zip(&sums) {
                *total = P::totals(*sums);
            }
            totals
        };
        let mut elements = [[P::default(); MOST]; D];
        for (total, elements) in totals.iter().zip(&mut elements) {
            // SAFETY: a vector of `V` has `per` elements, and `per <= MOST` was checked.
            unsafe { total.store(elements.as_mut_ptr().cast(), 16) };
        }
        let (out, _) = out[first * D..].as_chunks_mut::<D>();
        for (l, out) in out.iter_mut().take(V::LANES).enumerate() {
            for (o, elements) in out.iter_mut().zip(&elements) {
                *o += elements[l * (per / V::LANES)];
            }
        }
    }
}

/// The kernel of `combine_rows`: `weights` has `D` coefficients for each row, `out` for each column.
pub(super) struct Rows<'a, T, P, const D: usize> {
    pub(super) matrix: Matrix<'a, T, P>,
    pub(super) weights: &'a [P],
    pub(super) out: &'a mut [P],
}

impl<T, P: Sums, const D: usize> Kernel for Rows<'_, T, P, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Vector>(self) {
        let (width, per) = (self.matrix.width, P::per::<V>());
        let rows = self.weights.len() / D;
        let mut buffer = vec![P::default(); BLOCK.min(rows * width) + MOST];
        for from in (0..width).step_by(COLUMNS) {
            let columns = COLUMNS.min(width - from);
            // SAFETY: the contract of `run`.
            let zero = [P::no_sum(unsafe { V::splat(0) }); D];
            let mut sums = vec![zero; columns.div_ceil(per)];
            for start in (0..rows).step_by(BLOCK / columns) {
                let end = rows.min(start + BLOCK / columns);
                self.matrix.block(start..end, from, columns, &mut buffer);
                let weights = &self.weights[start * D..end * D];
                // SAFETY: the contract of `run`.
                unsafe { add_rows::<V, P, D>(&buffer, columns, weights, &mut sums) };
            }
            let out = &mut self.out[from * D..][..columns * D];
            for (sums, out) in sums.iter().zip(out.chunks_mut(per * D)) {
                let mut elements = [[P::default(); MOST]; D];
                for (sum, elements) in sums.iter().zip(&mut elements) {
                    // SAFETY: a vector of `V` has `per` elements; `add_rows` has checked `per <= MOST`.
                    unsafe { P::reduce(*sum).store(elements.as_mut_ptr().cast(), 16) };
                }
                for (k, out) in out.as_chunks_mut::<D>().0.iter_mut().enumerate() {
                    for (o, elements) in out.iter_mut().zip(&elements) {
                        *o += elements[k];
                    }
                }
            }
        }
    }
}

/// Adds the weighted rows of a block, a vector of columns at a time. What the last vector of a row holds beyond it
/// goes to sums that nobody reads.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn add_rows<V: Vector, P: Sums, const D: usize>(
    block: &[P],
    columns: usize,
    weights: &[P],
    sums: &mut [[P::Sum<V>; D]],
) {
    let (weights, _) = weights.as_chunks::<D>();
    let per = P::per::<V>();
    assert!(per <= MOST && block.len() >= weights.len() * columns + MOST && sums.len() * per < columns + per);
    for (g, sums) in sums.iter_mut().enumerate() {
        let mut now = *sums;
        for (i, weight) in weights.iter().enumerate() {
            // SAFETY: the instructions by the contract; g * per < columns, so that the vector ends within `MOST` elements of
            // the end of the row, and so many follow the last.
            unsafe {
                let x = V::load(block.as_ptr().add(i * columns + g * per).cast(), 16);
                for (sum, w) in now.iter_mut().zip(weight) {
                    *sum = P::mac(*sum, x, V::splat(w.lane()));
                }
            }
        }
        *sums = now;
    }
}
