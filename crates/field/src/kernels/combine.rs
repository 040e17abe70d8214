//! Combinations of the columns or rows of a base-field matrix with extension-field weights, and sums of powers.
//!
//! A vector runs over the base field; extension elements are taken apart into their coefficients, one
//! accumulator per coefficient. Products are summed before they are reduced where the lanes can.

use super::lanes::{Kernel, LaneShape, Lanes, MAX_LANES, Vectors};
use crate::cpu::Tier;
use crate::{ExtensionOf, Field};
use alloc::vec::Vec;

/// Products summed before one reduction.
const N: usize = 4;
/// The highest degree of an extension.
const MAX_DEGREE: usize = 8;

/// [`ExtensionOf::combine_columns`] with vectors along the columns.
pub(crate) fn columns<B: Vectors, E: ExtensionOf<B>>(tier: Tier, matrix: &[B], weights: &[E], out: &mut [E]) {
    let (width, lanes, degree) = (weights.len(), LaneShape::new::<B>(tier).width, E::DEGREE);
    if width < lanes {
        return scalar_columns(matrix, weights, out);
    }
    let whole = width / lanes * lanes;
    let weights_in_planes = &planes::<B, E>(&weights[..whole]);
    let rows_before = out.len() / lanes * lanes;
    let (head, tail) = out.split_at_mut(rows_before);
    E::with_flat_mut(head, |out| {
        let weights = weights_in_planes;
        B::run(tier, Columns(Combination { matrix, width, weights, degree, out }));
    });
    scalar_columns(&matrix[rows_before * width..], weights, tail);
    if whole < width {
        for (row, o) in matrix.chunks_exact(width).zip(head.iter_mut()) {
            *o += row[whole..].iter().zip(&weights[whole..]).map(|(&x, &w)| w.scale(x)).sum();
        }
    }
}

fn scalar_columns<B: Field, E: ExtensionOf<B>>(matrix: &[B], weights: &[E], out: &mut [E]) {
    for (row, o) in matrix.chunks_exact(weights.len().max(1)).zip(out) {
        *o += row.iter().zip(weights).map(|(&x, &w)| w.scale(x)).sum();
    }
}

/// The coefficients of the weights, one plane after another: all the first ones, all the second ones.
fn planes<B: Field, E: ExtensionOf<B>>(weights: &[E]) -> Vec<B> {
    let flat: &[B] = &E::flatten(weights);
    let mut planes = Vec::with_capacity(flat.len());
    for c in 0..E::DEGREE {
        planes.extend(flat.iter().skip(c).step_by(E::DEGREE));
    }
    planes
}

/// A row-major matrix, the coefficients of its weights, and those of the combinations.
struct Combination<'a, B> {
    matrix: &'a [B],
    width: usize,
    weights: &'a [B],
    degree: usize,
    out: &'a mut [B],
}

/// As many rows as there are lanes at a time; the weights are in planes.
struct Columns<'a, B>(Combination<'a, B>);

impl<B: Vectors> Kernel<B> for Columns<'_, B> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let Combination { matrix, width, weights: planes, degree, out } = self.0;
        let (whole, lanes) = (planes.len() / degree, L::WIDTH);
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let zero = unsafe { L::splat(B::ZERO) };
        for (block, out) in matrix.chunks_exact(width * lanes).zip(out.chunks_exact_mut(degree * lanes)) {
            for c in 0..degree {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                let (plane, _) = unsafe { L::split(&planes[c * whole..][..whole]) };
                let mut sums = [zero; MAX_LANES];
                for i in 0..lanes {
                    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                    let (row, _) = unsafe { L::split(&block[i * width..][..whole]) };
                    sums[i] = dot(zero, row, plane);
                }
                let sums = transposed_sums(&mut sums);
                for i in 0..lanes {
                    out[i * degree + c] += sums.lanes()[i];
                }
            }
        }
    }
}

#[inline(always)]
fn dot<B: Vectors, L: Lanes<B>>(zero: L, a: &[L], b: &[L]) -> L {
    let (a, a_rest) = a.as_chunks::<N>();
    let (b, b_rest) = b.as_chunks::<N>();
    let mut sum = zero;
    for (a, b) in a.iter().zip(b) {
        sum += L::dot(a, b);
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        sum += a * b;
    }
    sum
}

/// The vector whose lane `i` is the sum over the lanes of `vectors[i]`.
#[inline(always)]
fn transposed_sums<B: Vectors, L: Lanes<B>>(vectors: &mut [L; MAX_LANES]) -> L {
    let mut run = 1;
    while run < L::WIDTH {
        for i in 0..L::WIDTH / (2 * run) {
            let (x, y) = vectors[2 * i].interleave(vectors[2 * i + 1], run);
            vectors[i] = x + y;
        }
        run *= 2;
    }
    vectors[0]
}

/// [`ExtensionOf::combine_rows`] with vectors along the columns.
pub(crate) fn rows<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    matrix: &[B],
    weights: &[E],
    out: &mut [E],
) {
    const { assert!(D == E::DEGREE, "the degree of the extension") };
    let (width, lanes, degree) = (out.len(), LaneShape::new::<B>(tier).width, D);
    let whole = width / lanes * lanes;
    let grouped = weights.len() / N * N;
    let mut sums = vec![B::ZERO; whole * degree];
    let factors = &E::flatten(&weights[..grouped]);
    B::run(tier, Rows::<B, D>(Combination { matrix, width, weights: factors, degree, out: &mut sums }));
    E::with_flat_mut(out, |flat| {
        for (k, sums) in sums.chunks_exact(lanes * degree).enumerate() {
            for (c, sum) in sums.chunks_exact(lanes).enumerate() {
                for (lane, &x) in sum.iter().enumerate() {
                    flat[(k * lanes + lane) * degree + c] += x;
                }
            }
        }
    });
    for (i, (row, &w)) in matrix.chunks_exact(width.max(1)).zip(weights).enumerate() {
        let from = if i < grouped { whole } else { 0 };
        for (o, &x) in out[from..].iter_mut().zip(&row[from..]) {
            *o += w.scale(x);
        }
    }
}

/// [`N`] rows at a time: the combinations have a vector for each coefficient of each vector of columns.
struct Rows<'a, B, const D: usize>(Combination<'a, B>);

impl<B: Vectors, const D: usize> Kernel<B> for Rows<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let Combination { matrix, width, weights: factors, out: sums, .. } = self.0;
        let whole = sums.len() / D;
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let (sums, _) = unsafe { L::split_mut(sums) };
        if width == 0 {
            return;
        }
        for (block, factors) in matrix.chunks_exact(N * width).zip(factors.chunks_exact(N * D)) {
            let mut rows: [&[L]; N] = [&[]; N];
            for i in 0..N {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                rows[i] = unsafe { L::split(&block[i * width..][..whole]) }.0;
            }
            let mut planes = [[B::ZERO; N]; D];
            for (c, plane) in planes.iter_mut().enumerate() {
                *plane = coefficients(factors, D, c);
            }
            for (k, sums) in sums.as_chunks_mut::<D>().0.iter_mut().enumerate() {
                let mut vectors = [rows[0][k]; N];
                for i in 1..N {
                    vectors[i] = rows[i][k];
                }
                for (sum, plane) in sums.iter_mut().zip(&planes) {
                    *sum += L::mixed_dot(&vectors, plane);
                }
            }
        }
    }
}

/// Coefficient `c` of the first [`N`] elements.
#[inline(always)]
fn coefficients<B: Field>(flat: &[B], degree: usize, c: usize) -> [B; N] {
    let mut all = [B::ZERO; N];
    for i in 0..N {
        all[i] = flat[i * degree + c];
    }
    all
}

/// [`ExtensionOf::accumulate_powers`] with vectors along the powers.
pub(crate) fn powers<B: Vectors, E: ExtensionOf<B>>(
    tier: Tier,
    points: &[B],
    coefficients: &[E],
    out: &mut [E],
) {
    let (lanes, degree) = (LaneShape::new::<B>(tier).width, E::DEGREE);
    let padded = points.len().next_multiple_of(N);
    let mut factors = E::flatten(coefficients).into_owned();
    factors.resize(padded * degree, B::ZERO);
    let (mut now, mut steps) = (Vec::with_capacity(padded * lanes), Vec::with_capacity(padded));
    for j in 0..padded {
        let (x, mut power) = (points.get(j).copied().unwrap_or(B::ZERO), B::ONE);
        for _ in 0..lanes {
            now.push(power);
            power *= x;
        }
        steps.push(power);
    }
    E::with_flat_mut(out, |out| {
        B::run(tier, Powers { now: &mut now, steps: &steps, factors: &factors, degree, out });
    });
}

/// A vector of powers of each point, and what takes it to the next powers.
struct Powers<'a, B> {
    now: &'a mut [B],
    steps: &'a [B],
    factors: &'a [B],
    degree: usize,
    out: &'a mut [B],
}

impl<B: Vectors> Kernel<B> for Powers<'_, B> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let Self { now, steps, factors, degree, out } = self;
        assert!(degree <= MAX_DEGREE, "a degree that there is");
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let (zero, (now, _)) = unsafe { (L::splat(B::ZERO), L::split_mut(now)) };
        for block in out.chunks_mut(L::WIDTH * degree) {
            let mut sums = [zero; MAX_DEGREE];
            let groups = now.as_chunks_mut::<N>().0.iter_mut().zip(steps.as_chunks::<N>().0);
            for ((group, steps), factors) in groups.zip(factors.chunks_exact(N * degree)) {
                for (c, sum) in sums[..degree].iter_mut().enumerate() {
                    *sum += L::mixed_dot(group, &coefficients(factors, degree, c));
                }
                for i in 0..N {
                    // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                    group[i] = group[i] * unsafe { L::splat(steps[i]) };
                }
            }
            for (c, sum) in sums[..degree].iter().enumerate() {
                for (o, &x) in block.iter_mut().skip(c).step_by(degree).zip(sum.lanes()) {
                    *o += x;
                }
            }
        }
    }
}
