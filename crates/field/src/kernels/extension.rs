//! Slices of extension elements with a pair in each lane: elements are taken apart into planes of coefficients and put together again.
//!
//! Nothing here knows an extension's polynomial: products by one element are products by its matrix, and sums of products are sums of
//! products of polynomials, whose powers of `X` are taken together at the end.

use super::lanes::{Kernel, LaneShape, Lanes, Vectors};
use crate::cpu::Tier;
use crate::{ExtensionOf, Field};

/// Vectors from which on taking apart is worth it.
const MIN_VECTORS: usize = 4;

/// The number of pairs at the front that go in whole vectors: none if they are few.
pub(super) fn whole<B: Vectors>(tier: Tier, pairs: usize) -> usize {
    let lanes = LaneShape::new::<B>(tier).width;
    if lanes > 1 && pairs >= MIN_VECTORS * lanes { pairs / lanes * lanes } else { 0 }
}

/// `X`, whose powers are the basis: one where the field is its own extension.
pub(super) fn monomial<B: Field, E: ExtensionOf<B>, const D: usize>() -> E {
    let mut coefficients = [B::ZERO; D];
    coefficients[usize::from(D > 1)] = B::ONE;
    E::from_coefficients(&coefficients)
}

/// Row `c` has the factors of the coefficients of `y` in coefficient `c` of `m y`.
fn matrix<B: Field, E: ExtensionOf<B>, const D: usize>(m: E) -> [[B; D]; D] {
    let (mut rows, mut column, x) = ([[B::ZERO; D]; D], m, monomial::<B, E, D>());
    for j in 0..D {
        for (row, &coefficient) in rows.iter_mut().zip(E::flatten(&[column]).iter()) {
            row[j] = coefficient;
        }
        column *= x;
    }
    rows
}

/// [`Field::bind_low`] of an extension of degree `D`.
pub(crate) fn bind_low<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    values: &mut alloc::vec::Vec<E>,
    r: E,
) {
    let half = values.len() / 2;
    let whole = whole::<B>(tier, half);
    if whole > 0 {
        let matrix = &matrix::<B, E, D>(r);
        E::with_flat_mut(&mut values[..2 * whole], |flat| B::run(tier, Bind { flat, matrix }));
    }
    for i in whole..half {
        let (even, odd) = (values[2 * i], values[2 * i + 1]);
        values[i] = even + r * (odd - even);
    }
    values.truncate(half);
}

struct Bind<'a, B, const D: usize> {
    flat: &'a mut [B],
    matrix: &'a [[B; D]; D],
}

impl<B: Vectors, const D: usize> Kernel<B> for Bind<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let Self { flat, matrix } = self;
        let vector = L::WIDTH * D;
        for g in 0..flat.len() / (2 * vector) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let [even, odd] = unsafe { pairs::<B, L, D>(&flat[2 * g * vector..][..2 * vector]) };
            let difference = map2::<B, L, D, SUB>(&odd, &even);
            let out = &mut flat[g * vector..][..vector];
            for (c, row) in matrix.iter().enumerate() {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                put(out, D, c, even[c] + unsafe { by_row(&difference, row) });
            }
        }
    }
}

/// [`Field::scale_slice`] of an extension of degree `D`.
pub(crate) fn scale_slice<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    values: &mut [E],
    by: E,
) {
    let (head, tail) = values.split_at_mut(whole::<B>(tier, values.len()));
    if !head.is_empty() {
        let matrix = &matrix::<B, E, D>(by);
        E::with_flat_mut(head, |flat| B::run(tier, Scale { flat, matrix }));
    }
    for x in tail {
        *x *= by;
    }
}

struct Scale<'a, B, const D: usize> {
    flat: &'a mut [B],
    matrix: &'a [[B; D]; D],
}

impl<B: Vectors, const D: usize> Kernel<B> for Scale<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        for values in self.flat.chunks_exact_mut(L::WIDTH * D) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let x = unsafe { planes::<B, L, D>(values, [1, 0]) };
            for (c, row) in self.matrix.iter().enumerate() {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                put(values, D, c, unsafe { by_row(&x, row) });
            }
        }
    }
}

/// [`Field::multiply_slice`] of an extension of degree `D`.
pub(crate) fn multiply_slice<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    values: &mut [E],
    factors: &[E],
) {
    assert_eq!(values.len(), factors.len(), "slices of one length");
    let (head, tail) = values.split_at_mut(whole::<B>(tier, factors.len()));
    let (factors, rest) = factors.split_at(head.len());
    if !head.is_empty() {
        let (factors, reduction) = (&E::flatten(factors), &reduction::<B, E, D>());
        E::with_flat_mut(head, |flat| B::run(tier, Multiply { flat, factors, reduction }));
    }
    for (x, &factor) in tail.iter_mut().zip(rest) {
        *x *= factor;
    }
}

/// Column `k` has the coefficients of `X^(D + k)`: row `c` what the upper coefficients of a product add to coefficient `c`.
fn reduction<B: Field, E: ExtensionOf<B>, const D: usize>() -> [[B; D]; D] {
    let x = monomial::<B, E, D>();
    let top = E::flatten(&[x.pow(D as u64)]).to_vec();
    matrix::<B, E, D>(E::from_coefficients(&top))
}

struct Multiply<'a, B, const D: usize> {
    flat: &'a mut [B],
    factors: &'a [B],
    reduction: &'a [[B; D]; D],
}

impl<B: Vectors, const D: usize> Kernel<B> for Multiply<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let vector = L::WIDTH * D;
        for (values, factors) in self.flat.chunks_exact_mut(vector).zip(self.factors.chunks_exact(vector)) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let (x, y) = unsafe { (planes::<B, L, D>(values, [1, 0]), planes::<B, L, D>(factors, [1, 0])) };
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let mut upper = [unsafe { L::splat(B::ZERO) }; D];
            for (k, upper) in upper[..D - 1].iter_mut().enumerate() {
                *upper = super::sums::coefficient(&x, &y, D + k);
            }
            for (c, row) in self.reduction.iter().enumerate() {
                let mut sum = super::sums::coefficient(&x, &y, c);
                if D > 1 {
                    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                    sum += unsafe { by_row(&upper, row) };
                }
                put(values, D, c, sum);
            }
        }
    }
}

/// [`Field::add_scaled`] of an extension of degree `D`.
pub(crate) fn add_scaled<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    values: &[E],
    by: E,
    out: &mut [E],
) {
    assert_eq!(values.len(), out.len(), "slices of one length");
    let whole = whole::<B>(tier, values.len());
    let (head, tail) = out.split_at_mut(whole);
    if whole > 0 {
        let (flat, matrix) = (&E::flatten(&values[..whole]), &matrix::<B, E, D>(by));
        E::with_flat_mut(head, |out| B::run(tier, AddScaled { flat, matrix, out }));
    }
    for (o, &x) in tail.iter_mut().zip(&values[whole..]) {
        *o += by * x;
    }
}

struct AddScaled<'a, B, const D: usize> {
    flat: &'a [B],
    matrix: &'a [[B; D]; D],
    out: &'a mut [B],
}

impl<B: Vectors, const D: usize> Kernel<B> for AddScaled<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let vector = L::WIDTH * D;
        for (values, out) in self.flat.chunks_exact(vector).zip(self.out.chunks_exact_mut(vector)) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let (x, sums) = unsafe { (planes::<B, L, D>(values, [1, 0]), planes::<B, L, D>(out, [1, 0])) };
            for (c, row) in self.matrix.iter().enumerate() {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                put(out, D, c, sums[c] + unsafe { by_row(&x, row) });
            }
        }
    }
}

/// [`ExtensionOf::fold_pairs`] of an extension of degree `D`.
pub(crate) fn fold_pairs<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    (values, points): (&[E], &[B]),
    weights: [E; 2],
    out: &mut [E],
) {
    super::fold::check(values.len(), points.len(), out.len());
    let whole = whole::<B>(tier, out.len());
    if whole > 0 {
        let matrices = &super::fold::halves(weights).map(matrix::<B, E, D>);
        let flat = &E::flatten(&values[..2 * whole]);
        E::with_flat_mut(&mut out[..whole], |out| B::run(tier, Fold { flat, points, matrices, out }));
    }
    super::fold::scalar(&values[2 * whole..], &points[whole..], weights, &mut out[whole..]);
}

struct Fold<'a, B, const D: usize> {
    flat: &'a [B],
    points: &'a [B],
    matrices: &'a [[[B; D]; D]; 2],
    out: &'a mut [B],
}

impl<B: Vectors, const D: usize> Kernel<B> for Fold<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let Self { flat, points, matrices: [even, odd], out } = self;
        let vector = L::WIDTH * D;
        for (g, out) in out.chunks_exact_mut(vector).enumerate() {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let ([u, v], x) = unsafe {
                (pairs::<B, L, D>(&flat[2 * g * vector..][..2 * vector]), L::load(&points[g * L::WIDTH..]))
            };
            let (sum, mut difference) = (map2::<B, L, D, ADD>(&u, &v), map2::<B, L, D, SUB>(&u, &v));
            for d in &mut difference {
                *d = *d * x;
            }
            for c in 0..D {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                put(out, D, c, unsafe { by_row(&sum, &even[c]) + by_row(&difference, &odd[c]) });
            }
        }
    }
}

/// `sum_j x_j row_j`
///
/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
unsafe fn by_row<B: Vectors, L: Lanes<B>, const D: usize>(x: &[L; D], row: &[B; D]) -> L {
    if D == 1 {
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        return x[0] * unsafe { L::splat(row[0]) };
    }
    if D == 2 {
        return L::mixed_dot(&[x[0], x[1]], &[row[0], row[1]]);
    }
    if D == 3 {
        return L::mixed_dot(&[x[0], x[1], x[2]], &[row[0], row[1], row[2]]);
    }
    let mut sum = L::mixed_dot(&[x[0], x[1], x[2], x[3]], &[row[0], row[1], row[2], row[3]]);
    if D == 8 {
        sum += L::mixed_dot(&[x[4], x[5], x[6], x[7]], &[row[4], row[5], row[6], row[7]]);
    } else {
        for j in 4..D {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            sum += x[j] * unsafe { L::splat(row[j]) };
        }
    }
    sum
}

pub(super) const ADD: bool = true;
pub(super) const SUB: bool = false;

/// Sums or differences.
#[inline(always)]
pub(super) fn map2<B: Vectors, L: Lanes<B>, const D: usize, const SUM: bool>(
    a: &[L; D],
    b: &[L; D],
) -> [L; D] {
    let mut out = *a;
    for (o, &b) in out.iter_mut().zip(b) {
        *o = if SUM { *o + b } else { *o - b };
    }
    out
}

/// The coefficients of as many pairs as there are lanes: those of the first elements, and of the second ones.
///
/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn pairs<B: Vectors, L: Lanes<B>, const D: usize>(flat: &[B]) -> [[L; D]; 2] {
    assert!(flat.len() == 2 * L::WIDTH * D, "as many pairs as lanes");
    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
    unsafe { [planes::<B, L, D>(flat, [2, 0]), planes::<B, L, D>(flat, [2, 1])] }
}

/// The coefficients of the elements `first`, `first + step`, ..., as many as there are lanes.
///
/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn planes<B: Vectors, L: Lanes<B>, const D: usize>(
    flat: &[B],
    [step, first]: [usize; 2],
) -> [L; D] {
    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
    let mut out = [unsafe { L::splat(B::ZERO) }; D];
    for (c, plane) in out.iter_mut().enumerate() {
        let mut lanes = [B::ZERO; super::lanes::MAX_LANES];
        for (lane, x) in lanes[..L::WIDTH].iter_mut().enumerate() {
            *x = flat[(step * lane + first) * D + c];
        }
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        *plane = unsafe { L::load(&lanes) };
    }
    out
}

/// Puts coefficient `c` of elements of degree `degree` in its place.
#[inline(always)]
fn put<B: Vectors, L: Lanes<B>>(out: &mut [B], degree: usize, c: usize, values: L) {
    for (lane, &x) in values.lanes().iter().enumerate() {
        out[lane * degree + c] = x;
    }
}
