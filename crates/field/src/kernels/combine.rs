//! Combinations of the columns or rows of a base-field matrix with extension-field weights, and sums of powers.
//!
//! A vector runs over the base field; extension elements are taken apart into their coefficients, one
//! accumulator per coefficient. Products are summed before they are reduced where the library can.

use super::lanes::{Lanes, Vectors};
use crate::ExtensionOf;
use alloc::vec::Vec;

/// Products summed before one reduction.
const N: usize = 4;
/// The widest vector of any build.
const MAX_LANES: usize = 16;

/// [`ExtensionOf::combine_columns`] with vectors along the columns.
pub(crate) fn columns<B: Vectors, E: ExtensionOf<B>>(matrix: &[B], weights: &[E], out: &mut [E]) {
    let (width, lanes) = (weights.len(), <B::Lanes as Lanes<B>>::WIDTH);
    if width < lanes || lanes > MAX_LANES {
        return scalar_columns(matrix, weights, out);
    }
    let degree = E::DEGREE;
    let whole = width / lanes * lanes;
    let planes = planes::<B, E>(&weights[..whole]);
    let per_plane = whole / lanes;
    let rows_before = out.len() / lanes * lanes;
    let (head, tail) = out.split_at_mut(rows_before);
    E::with_flat_mut(head, |flat| {
        for (block, out) in matrix.chunks_exact(width * lanes).zip(flat.chunks_exact_mut(degree * lanes)) {
            for c in 0..degree {
                let plane = &planes[c * per_plane..][..per_plane];
                let mut sums = [B::Lanes::splat(B::ZERO); MAX_LANES];
                for (sum, row) in sums.iter_mut().zip(block.chunks_exact(width)) {
                    *sum = dot::<B>(B::Lanes::split(&row[..whole]).0, plane);
                }
                let sums = transposed_sums::<B>(sums);
                for (o, &x) in out.iter_mut().skip(c).step_by(degree).zip(sums.lanes()) {
                    *o += x;
                }
            }
        }
    });
    scalar_columns(&matrix[rows_before * width..], weights, tail);
    if whole < width {
        for (row, o) in matrix.chunks_exact(width).zip(head.iter_mut()) {
            *o += row[whole..].iter().zip(&weights[whole..]).map(|(&x, &w)| w.scale(x)).sum();
        }
    }
}

fn scalar_columns<B: Vectors, E: ExtensionOf<B>>(matrix: &[B], weights: &[E], out: &mut [E]) {
    for (row, o) in matrix.chunks_exact(weights.len().max(1)).zip(out) {
        *o += row.iter().zip(weights).map(|(&x, &w)| w.scale(x)).sum();
    }
}

/// The coefficients of the weights, one plane of vectors after another.
fn planes<B: Vectors, E: ExtensionOf<B>>(weights: &[E]) -> Vec<B::Lanes> {
    let flat: &[B] = &E::flatten(weights);
    let (degree, lanes) = (E::DEGREE, <B::Lanes as Lanes<B>>::WIDTH);
    let vector = |c: usize, k: usize| B::Lanes::from_fn(|lane| flat[(k * lanes + lane) * degree + c]);
    (0..degree).flat_map(|c| (0..weights.len() / lanes).map(move |k| vector(c, k))).collect()
}

#[inline(always)]
fn dot<B: Vectors>(a: &[B::Lanes], b: &[B::Lanes]) -> B::Lanes {
    let (a, a_rest) = a.as_chunks::<N>();
    let (b, b_rest) = b.as_chunks::<N>();
    let mut sum = B::Lanes::splat(B::ZERO);
    for (a, b) in a.iter().zip(b) {
        sum += B::Lanes::dot(a, b);
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        sum += a * b;
    }
    sum
}

/// The vector whose lane `i` is the sum over the lanes of `vectors[i]`.
#[inline(always)]
fn transposed_sums<B: Vectors>(mut vectors: [B::Lanes; MAX_LANES]) -> B::Lanes {
    let lanes = <B::Lanes as Lanes<B>>::WIDTH;
    let mut run = 1;
    while run < lanes {
        for i in 0..lanes / (2 * run) {
            let (x, y) = vectors[2 * i].interleave(vectors[2 * i + 1], run);
            vectors[i] = x + y;
        }
        run *= 2;
    }
    vectors[0]
}

/// [`ExtensionOf::combine_rows`] with vectors along the columns.
pub(crate) fn rows<B: Vectors, E: ExtensionOf<B>>(matrix: &[B], weights: &[E], out: &mut [E]) {
    let (width, lanes, degree) = (out.len(), <B::Lanes as Lanes<B>>::WIDTH, E::DEGREE);
    let whole = width / lanes * lanes;
    let per_row = whole / lanes;
    let mut sums = vec![B::Lanes::splat(B::ZERO); per_row * degree];
    let flat: &[B] = &E::flatten(weights);
    let groups = weights.len() / N;
    for g in 0..groups {
        let block = &matrix[g * N * width..][..N * width];
        let factors = &flat[g * N * degree..][..N * degree];
        let rows: [&[B::Lanes]; N] =
            core::array::from_fn(|i| B::Lanes::split(&block[i * width..][..whole]).0);
        for (k, sums) in sums.chunks_exact_mut(degree).enumerate() {
            let vectors: [B::Lanes; N] = core::array::from_fn(|i| rows[i][k]);
            for (c, sum) in sums.iter_mut().enumerate() {
                let factors: [B; N] = core::array::from_fn(|i| factors[i * degree + c]);
                *sum += B::Lanes::mixed_dot(&vectors, &factors);
            }
        }
    }
    E::with_flat_mut(out, |flat| {
        for (k, sums) in sums.chunks_exact(degree).enumerate() {
            for (c, sum) in sums.iter().enumerate() {
                for (lane, &x) in sum.lanes().iter().enumerate() {
                    flat[(k * lanes + lane) * degree + c] += x;
                }
            }
        }
    });
    for (i, (row, &w)) in matrix.chunks_exact(width.max(1)).zip(weights).enumerate() {
        let from = if i < groups * N { whole } else { 0 };
        for (o, &x) in out[from..].iter_mut().zip(&row[from..]) {
            *o += w.scale(x);
        }
    }
}

/// [`ExtensionOf::accumulate_powers`] with vectors along the powers.
pub(crate) fn powers<B: Vectors, E: ExtensionOf<B>>(points: &[B], coefficients: &[E], out: &mut [E]) {
    let (lanes, degree) = (<B::Lanes as Lanes<B>>::WIDTH, E::DEGREE);
    let padded = points.len().next_multiple_of(N);
    let mut flat = E::flatten(coefficients).into_owned();
    flat.resize(padded * degree, B::ZERO);
    let point = |j: usize| points.get(j).copied().unwrap_or(B::ZERO);
    let start = |j: usize| {
        let (x, mut power) = (point(j), B::ONE);
        B::Lanes::from_fn(|_| {
            let now = power;
            power *= x;
            now
        })
    };
    let mut now: Vec<B::Lanes> = (0..padded).map(start).collect();
    let steps: Vec<B::Lanes> = (0..padded).map(|j| B::Lanes::splat(point(j).pow(lanes as u64))).collect();
    let mut sums = vec![B::Lanes::splat(B::ZERO); degree];
    E::with_flat_mut(out, |out| {
        for block in out.chunks_mut(lanes * degree) {
            sums.fill(B::Lanes::splat(B::ZERO));
            let groups = now.as_chunks_mut::<N>().0.iter_mut().zip(steps.as_chunks::<N>().0);
            for ((group, steps), factors) in groups.zip(flat.chunks_exact(N * degree)) {
                for (c, sum) in sums.iter_mut().enumerate() {
                    let factors: [B; N] = core::array::from_fn(|i| factors[i * degree + c]);
                    *sum += B::Lanes::mixed_dot(group, &factors);
                }
                group.iter_mut().zip(steps).for_each(|(power, &step)| *power = *power * step);
            }
            for (c, sum) in sums.iter().enumerate() {
                block.iter_mut().skip(c).step_by(degree).zip(sum.lanes()).for_each(|(o, &x)| *o += x);
            }
        }
    });
}
