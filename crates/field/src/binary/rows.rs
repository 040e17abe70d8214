//! Sums of the rows of a code over a tower field, and messages at points of it: by transforms of all positions, where that is
//! cheaper. (notes: additive-adjoint)

use super::alphabet::{Code, encode};
use super::ntt;
#[cfg(doc)]
use crate::Alphabet;
use crate::{BlockShape, ExtensionOf};
use alloc::vec::Vec;
#[cfg(any(unix, windows))]
use rayon::prelude::*;

/// Rows that one task adds to.
#[cfg(any(unix, windows))]
const ROWS_AT_ONCE: usize = 1 << 10;

/// Whether one transform over all positions of a code is cheaper than so many rows of `length` entries, one by one. It is
/// never much larger than they are, whatever the code.
fn prefers_transform(log_domain: usize, rows: usize, length: usize) -> bool {
    length >= 16 && length.is_power_of_two() && (1 << log_domain) <= rows.saturating_mul(length) / 8
}

/// log2 of the length of the code that a point belongs to.
fn log_domain(point: u32) -> usize {
    point.ilog2() as usize
}

/// [`Alphabet::accumulate_rows`]: for the points of each code the adjoint of encoding, on a word that is zero but there.
pub(super) fn accumulate<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], out: &mut [E]) {
    for n in 0..=B::MAX_LOG_DOMAIN {
        let here = points.iter().zip(scalars).filter(|(point, _)| log_domain(**point) == n);
        let (points, scalars): (Vec<u32>, Vec<E>) = here.unzip();
        if points.is_empty() {
            continue;
        }
        if prefers_transform(n, points.len(), out.len()) {
            accumulate_code(n, &points, &scalars, out);
        } else {
            accumulate_each::<B, E>(&points, &scalars, out);
        }
    }
}

/// The rows of points one by one.
fn accumulate_each<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], out: &mut [E]) {
    let variables = out.len().next_power_of_two().ilog2() as usize;
    let mut row = Vec::with_capacity(out.len());
    for (&point, &scalar) in points.iter().zip(scalars) {
        let factors: Vec<B> = (0..variables).map(|v| B::factor(point >> v)).collect();
        row.clear();
        row.push(scalar);
        for factor in E::lift_slice(&factors) {
            let half = row.len();
            row.extend_from_within(..);
            row[half..].iter_mut().for_each(|w| *w *= factor);
        }
        out.iter_mut().zip(&row).for_each(|(o, &w)| *o += w);
    }
}

fn accumulate_code<B: Code, E: ExtensionOf<B>>(n: usize, points: &[u32], scalars: &[E], out: &mut [E]) {
    let log_rows = out.len().ilog2() as usize;
    let scalars = E::flatten(scalars);
    let blocks: Vec<_> = by_block(n, log_rows, points).collect();
    let sum = adjoint_sum(E::DEGREE, (n, log_rows), &blocks, &scalars);
    add_flat(&sum, out);
}

/// The sum of the adjoints of blocks, `degree` elements for each row; one block at a time needs no more memory than a message.
fn adjoint_sum<B: Code>(
    degree: usize,
    (n, log_rows): (usize, usize),
    blocks: &[(usize, Vec<(usize, usize)>)],
    scalars: &[B],
) -> Vec<B> {
    let (mut sum, mut word) = (Vec::new(), Vec::new());
    for (block, points) in blocks {
        word.clear();
        word.resize(degree << log_rows, B::ZERO);
        for (row, i) in points {
            // The same point twice counts twice.
            let place = word[row * degree..][..degree].iter_mut();
            place.zip(&scalars[i * degree..]).for_each(|(x, &s)| *x += s);
        }
        let rows: Vec<usize> = points.iter().map(|&(row, _)| row).collect();
        let (bytes, block) = (B::bytes_mut(&mut word), (1 << (n - log_rows)) + block);
        ntt::adjoint_of_rows(bytes, degree * size_of::<B>(), block, &rows);
        if sum.is_empty() {
            core::mem::swap(&mut sum, &mut word);
        } else {
            sum.iter_mut().zip(&word).for_each(|(sum, &x)| *sum += x);
        }
    }
    sum
}

/// Adds values given as their coefficients.
fn add_flat<B: Code, E: ExtensionOf<B>>(flat: &[B], out: &mut [E]) {
    let mut values = vec![E::ZERO; out.len()];
    E::unflatten(flat, &mut values);
    out.iter_mut().zip(values).for_each(|(o, x)| *o += x);
}

/// [`Alphabet::accumulate_rows_parallel`]: blocks apart from each other, a word and a sum for each thread.
#[cfg(any(unix, windows))]
pub(super) fn accumulate_parallel<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], out: &mut [E]) {
    let n = points.first().map_or(0, |&point| log_domain(point));
    let threads = rayon::current_num_threads();
    let one_code = points.iter().all(|&point| log_domain(point) == n);
    if threads == 1 || !one_code || !prefers_transform(n, points.len(), out.len()) {
        return accumulate::<B, E>(points, scalars, out);
    }
    let (degree, log_rows) = (E::DEGREE, out.len().ilog2() as usize);
    let scalars = E::flatten(scalars);
    let blocks: Vec<_> = by_block(n, log_rows, points).collect();
    let sums: Vec<Vec<B>> = blocks
        .par_chunks(blocks.len().div_ceil(threads))
        .map(|blocks| adjoint_sum(degree, (n, log_rows), blocks, &scalars))
        .collect();
    out.par_chunks_mut(ROWS_AT_ONCE).enumerate().for_each(|(k, out)| {
        let mut sums = sums.iter().map(|sum| &sum[k * ROWS_AT_ONCE * degree..][..out.len() * degree]);
        let mut sum = sums.next().expect("a point has a block").to_vec();
        sums.for_each(|other| sum.iter_mut().zip(other).for_each(|(sum, &x)| *sum += x));
        add_flat(&sum, out);
    });
}

/// Points of a code of `2^n` positions by the block of `2^log_rows` positions that they lie in, in order: each with its row there
/// and its place among the points.
fn by_block(n: usize, log_rows: usize, points: &[u32]) -> impl Iterator<Item = (usize, Vec<(usize, usize)>)> {
    let place = move |(i, &point): (usize, &u32)| (point as usize - (1 << n), i);
    let mut places: Vec<(usize, usize)> = points.iter().enumerate().map(place).collect();
    places.sort_unstable();
    let blocks: Vec<(usize, Vec<(usize, usize)>)> = places
        .chunk_by(|a, b| a.0 >> log_rows == b.0 >> log_rows)
        .map(|block| {
            let rows = block.iter().map(|&(position, i)| (position & ((1 << log_rows) - 1), i));
            (block[0].0 >> log_rows, rows.collect())
        })
        .collect();
    blocks.into_iter()
}

/// [`Alphabet::bind_rows`], with the factors of all points carried over at once.
pub(super) fn bind<B: Code, E: ExtensionOf<B>>(points: &mut [u32], scalars: &mut [E], r: E) {
    let factors: Vec<B> = points.iter().map(|&point| B::factor(point) - B::ONE).collect();
    for ((point, scalar), factor) in points.iter_mut().zip(scalars).zip(E::lift_slice(&factors)) {
        *scalar *= E::ONE + r * factor;
        *point >>= 1;
    }
}

/// [`Alphabet::evaluate_many`]: all positions of the code by one transform, if that is cheaper.
pub(super) fn evaluate<B: Code, E: ExtensionOf<B>>(message: &[E], points: &[u32]) -> Vec<E> {
    let n = points.first().map_or(0, |&point| log_domain(point));
    if !prefers_transform(n, points.len(), message.len())
        || points.iter().any(|&point| log_domain(point) != n)
    {
        return points.iter().map(|&point| B::evaluate(message, point)).collect();
    }
    let (degree, log_rows) = (E::DEGREE, message.len().ilog2() as usize);
    let flat = E::flatten(message);
    let (mut word, mut values) = (Vec::new(), vec![B::ZERO; points.len() * degree]);
    for (block, points) in by_block(n, log_rows, points) {
        let shape = BlockShape { width: degree, log_rows, log_domain: n, block };
        encode(&flat, shape, &mut word, &|_, _| {});
        for (row, i) in points {
            values[i * degree..][..degree].copy_from_slice(&word[row * degree..][..degree]);
        }
    }
    let mut out = vec![E::ZERO; points.len()];
    E::unflatten(&values, &mut out);
    out
}
