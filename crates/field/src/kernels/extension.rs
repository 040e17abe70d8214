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
fn whole<B: Vectors>(tier: Tier, pairs: usize) -> usize {
    let lanes = LaneShape::new::<B>(tier).width;
    if lanes > 1 && pairs >= MIN_VECTORS * lanes { pairs / lanes * lanes } else { 0 }
}

/// `X`
fn monomial<B: Field, E: ExtensionOf<B>, const D: usize>() -> E {
    let mut coefficients = [B::ZERO; D];
    coefficients[1] = B::ONE;
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
            // SAFETY: the CPU has the instructions of `L` by the contract.
            let [even, odd] = unsafe { pairs::<B, L, D>(&flat[2 * g * vector..][..2 * vector]) };
            let difference = map2::<B, L, D, SUB>(&odd, &even);
            let out = &mut flat[g * vector..][..vector];
            for (c, row) in matrix.iter().enumerate() {
                // SAFETY: as above.
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
            // SAFETY: the CPU has the instructions of `L` by the contract.
            let x = unsafe { planes::<B, L, D>(values, [1, 0]) };
            for (c, row) in self.matrix.iter().enumerate() {
                // SAFETY: as above.
                put(values, D, c, unsafe { by_row(&x, row) });
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
            // SAFETY: the CPU has the instructions of `L` by the contract, here and below.
            let ([u, v], x) = unsafe {
                (pairs::<B, L, D>(&flat[2 * g * vector..][..2 * vector]), L::load(&points[g * L::WIDTH..]))
            };
            let (sum, mut difference) = (map2::<B, L, D, ADD>(&u, &v), map2::<B, L, D, SUB>(&u, &v));
            for d in &mut difference {
                *d = *d * x;
            }
            for c in 0..D {
                // SAFETY: as above.
                put(out, D, c, unsafe { by_row(&sum, &even[c]) + by_row(&difference, &odd[c]) });
            }
        }
    }
}

/// [`Field::product_round`] of an extension of degree `D`.
pub(crate) fn product_round<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    a: &[E],
    b: &[E],
) -> (E, E) {
    let half = a.len().min(b.len()) / 2;
    let whole = whole::<B>(tier, half);
    let (mut constant, mut quadratic) = (E::ZERO, E::ZERO);
    if whole > 0 {
        let (a, b) = (&E::flatten(&a[..2 * whole]), &E::flatten(&b[..2 * whole]));
        let sums = B::run(tier, Round::<B, D> { a, b });
        let (x, mut power) = (monomial::<B, E, D>(), E::ONE);
        for [low, high] in &sums[..2 * D - 1] {
            constant += power.scale(*low);
            quadratic += power.scale(*high);
            power *= x;
        }
    }
    for (a, b) in a[2 * whole..].chunks_exact(2).zip(b[2 * whole..].chunks_exact(2)) {
        constant += a[0] * b[0];
        quadratic += (a[1] - a[0]) * (b[1] - b[0]);
    }
    (constant, quadratic)
}

/// The most coefficients of a product.
const PRODUCT: usize = 16;

/// Returns the coefficients of both sums as polynomials that are not reduced.
struct Round<'a, B, const D: usize> {
    a: &'a [B],
    b: &'a [B],
}

impl<B: Vectors, const D: usize> Kernel<B> for Round<'_, B, D> {
    type Output = [[B; 2]; PRODUCT];

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) -> [[B; 2]; PRODUCT] {
        let vectors = 2 * L::WIDTH * D;
        // SAFETY: the CPU has the instructions of `L` by the contract, here and below.
        let zero = unsafe { L::splat(B::ZERO) };
        let mut sums = [[zero; 2]; PRODUCT];
        for (a, b) in self.a.chunks_exact(vectors).zip(self.b.chunks_exact(vectors)) {
            // SAFETY: as above.
            let ([a0, a1], [b0, b1]) = unsafe { (pairs::<B, L, D>(a), pairs::<B, L, D>(b)) };
            let (a1, b1) = (map2::<B, L, D, SUB>(&a1, &a0), map2::<B, L, D, SUB>(&b1, &b0));
            for (k, sum) in sums[..2 * D - 1].iter_mut().enumerate() {
                sum[0] += coefficient(&a0, &b0, k);
                sum[1] += coefficient(&a1, &b1, k);
            }
        }
        let mut totals = [[B::ZERO; 2]; PRODUCT];
        for (total, sum) in totals.iter_mut().zip(&sums) {
            for (total, sum) in total.iter_mut().zip(sum) {
                for &lane in sum.lanes() {
                    *total += lane;
                }
            }
        }
        totals
    }
}

/// Coefficient `k` of the product of two polynomials.
#[inline(always)]
fn coefficient<B: Vectors, L: Lanes<B>, const D: usize>(a: &[L; D], b: &[L; D], k: usize) -> L {
    let (mut i, end) = (k.saturating_sub(D - 1), k.min(D - 1) + 1);
    let mut sum = a[i] * b[k - i];
    i += 1;
    while i + 4 <= end {
        sum += L::dot(
            &[a[i], a[i + 1], a[i + 2], a[i + 3]],
            &[b[k - i], b[k - i - 1], b[k - i - 2], b[k - i - 3]],
        );
        i += 4;
    }
    if i + 2 <= end {
        sum += L::dot(&[a[i], a[i + 1]], &[b[k - i], b[k - i - 1]]);
        i += 2;
    }
    if i < end {
        sum += a[i] * b[k - i];
    }
    sum
}

/// `sum_j x_j row_j`
///
/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
unsafe fn by_row<B: Vectors, L: Lanes<B>, const D: usize>(x: &[L; D], row: &[B; D]) -> L {
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
            // SAFETY: by the contract.
            sum += x[j] * unsafe { L::splat(row[j]) };
        }
    }
    sum
}

const ADD: bool = true;
const SUB: bool = false;

/// Sums or differences.
#[inline(always)]
fn map2<B: Vectors, L: Lanes<B>, const D: usize, const SUM: bool>(a: &[L; D], b: &[L; D]) -> [L; D] {
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
unsafe fn pairs<B: Vectors, L: Lanes<B>, const D: usize>(flat: &[B]) -> [[L; D]; 2] {
    assert!(flat.len() == 2 * L::WIDTH * D, "as many pairs as lanes");
    // SAFETY: by the contract.
    unsafe { [planes::<B, L, D>(flat, [2, 0]), planes::<B, L, D>(flat, [2, 1])] }
}

/// The coefficients of the elements `first`, `first + step`, ..., as many as there are lanes.
///
/// # Safety
/// The CPU has the instructions of `L`.
#[inline(always)]
unsafe fn planes<B: Vectors, L: Lanes<B>, const D: usize>(flat: &[B], [step, first]: [usize; 2]) -> [L; D] {
    // SAFETY: by the contract.
    let mut out = [unsafe { L::splat(B::ZERO) }; D];
    for (c, plane) in out.iter_mut().enumerate() {
        let mut lanes = [B::ZERO; super::lanes::MAX_LANES];
        for (lane, x) in lanes[..L::WIDTH].iter_mut().enumerate() {
            *x = flat[(step * lane + first) * D + c];
        }
        // SAFETY: by the contract.
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
