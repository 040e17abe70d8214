//! Sums of the rows of a code over a tower field, and messages at points of it: by transforms of the blocks that they lie in.
//! (notes: additive-adjoint)

use super::foldable::Code;
use super::ntt;
#[cfg(doc)]
use crate::FoldableCode;
use crate::{ExtensionOf, parallel};
use alloc::vec::Vec;

/// Rows that one task adds to.
const ROWS_AT_ONCE: usize = 1 << 10;

/// The shortest message that the transform is used for; below, one by one, rows cost less than its calls do.
const LEAST_TRANSFORMED: usize = 16;

fn is_transformed(length: usize) -> bool {
    length >= LEAST_TRANSFORMED && length.is_power_of_two()
}

/// A block's number, and of each point in it the row and its number among all points.
type Block = (usize, Vec<(usize, usize)>);

/// Points in ascending order, each with its number among them. With the bit above it that says how long the code is, a position
/// names its block among those of all codes: points of several codes take turns, block by block.
fn ordered(points: &[u32]) -> Vec<(u32, usize)> {
    let mut places: Vec<(u32, usize)> = points.iter().copied().zip(0..).collect();
    places.sort_unstable();
    places
}

/// The parts of ordered points that lie in one block of `2^log_rows` positions. One block at a time needs no more memory than a
/// message.
fn blocks(places: &[(u32, usize)], log_rows: u32) -> impl Iterator<Item = Block> {
    places.chunk_by(move |a, b| a.0 >> log_rows == b.0 >> log_rows).map(move |block| {
        let row = |point: u32| point as usize & ((1 << log_rows) - 1);
        ((block[0].0 >> log_rows) as usize, block.iter().map(|&(point, i)| (row(point), i)).collect())
    })
}

/// [`FoldableCode::accumulate_rows`]: for the points of each block the adjoint of encoding, on a word that is zero but there.
pub(super) fn accumulate<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], out: &mut [E]) {
    if !is_transformed(out.len()) {
        return accumulate_each::<B, E>(points, scalars, out);
    }
    let (log_rows, places) = (out.len().ilog2(), ordered(points));
    let scalars = E::flatten(scalars);
    E::with_flat_mut(out, |out| add_adjoints(E::DEGREE, blocks(&places, log_rows), &scalars, out));
}

/// Adds the adjoints of blocks, `degree` elements for each row.
fn add_adjoints<B: Code>(
    degree: usize,
    blocks: impl IntoIterator<Item = Block>,
    scalars: &[B],
    out: &mut [B],
) {
    let mut word = Vec::new();
    for (block, points) in blocks {
        word.clear();
        word.resize(out.len(), B::ZERO);
        for (row, i) in &points {
            // The same point twice counts twice.
            let place = word[row * degree..][..degree].iter_mut();
            place.zip(&scalars[i * degree..]).for_each(|(x, &s)| *x += s);
        }
        let rows: Vec<usize> = points.iter().map(|&(row, _)| row).collect();
        ntt::adjoint_of_rows(B::bytes_mut(&mut word), degree * size_of::<B>(), block, &rows);
        out.iter_mut().zip(&word).for_each(|(o, &sum)| *o += sum);
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
            E::scale_slice(&mut row[half..], factor);
        }
        out.iter_mut().zip(&row).for_each(|(o, &w)| *o += w);
    }
}

/// [`FoldableCode::accumulate_rows_parallel`]: blocks apart from each other, a word and a sum for each thread.
pub(super) fn accumulate_parallel<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], out: &mut [E]) {
    let threads = parallel::threads();
    if threads == 1 || points.is_empty() || !is_transformed(out.len()) {
        return accumulate::<B, E>(points, scalars, out);
    }
    let (degree, places) = (E::DEGREE, ordered(points));
    let scalars = E::flatten(scalars);
    let blocks: Vec<Block> = blocks(&places, out.len().ilog2()).collect();
    let length = out.len() * degree;
    let sums: Vec<Vec<B>> = parallel::map(blocks.chunks(blocks.len().div_ceil(threads)), |blocks| {
        let mut sum = vec![B::ZERO; length];
        add_adjoints(degree, blocks.iter().cloned(), &scalars, &mut sum);
        sum
    });
    parallel::for_each(out.chunks_mut(ROWS_AT_ONCE).enumerate(), |(k, out)| {
        let first = k * ROWS_AT_ONCE * degree;
        E::with_flat_mut(out, |out| {
            for sum in &sums {
                out.iter_mut().zip(&sum[first..]).for_each(|(o, &x)| *o += x);
            }
        });
    });
}

/// [`FoldableCode::bind_rows`], with the factors of all points carried over at once.
pub(super) fn bind<B: Code, E: ExtensionOf<B>>(points: &mut [u32], scalars: &mut [E], r: E) {
    let factors: Vec<B> = points.iter().map(|&point| B::factor(point) - B::ONE).collect();
    let mut factors = E::lift_slice(&factors);
    E::scale_slice(&mut factors, r);
    factors.iter_mut().for_each(|factor| *factor += E::ONE);
    E::multiply_slice(scalars, &factors);
    points.iter_mut().for_each(|point| *point >>= 1);
}

/// [`FoldableCode::evaluate_many`]: of the transform of each block with points in it the layers that lead to them, where one
/// instruction multiplies 64 bytes of the message.
pub(super) fn evaluate<B: Code, E: ExtensionOf<B>>(message: &[E], points: &[u32]) -> Vec<E> {
    if !is_transformed(message.len()) {
        return points.iter().map(|&point| B::evaluate(message, point)).collect();
    }
    let (degree, log_rows, places) = (E::DEGREE, message.len().ilog2(), ordered(points));
    let flat = E::flatten(message);
    let (mut word, mut values) = (Vec::with_capacity(flat.len()), vec![B::ZERO; points.len() * degree]);
    for (block, points) in blocks(&places, log_rows) {
        word.clear();
        word.extend_from_slice(&flat);
        let rows: Vec<usize> = points.iter().map(|&(row, _)| row).collect();
        let place = (block, message.len());
        ntt::encode_rows(B::bytes_mut(&mut word), degree * size_of::<B>(), place, &rows);
        for (row, i) in points {
            values[i * degree..][..degree].copy_from_slice(&word[row * degree..][..degree]);
        }
    }
    let mut out = vec![E::ZERO; points.len()];
    E::with_flat_mut(&mut out, |flat| flat.copy_from_slice(&values));
    out
}

/// [`FoldableCode::apply_rows`], by the values at the points.
pub(super) fn apply<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], message: &[E]) -> E {
    E::inner_product(&evaluate::<B, E>(message, points), scalars)
}
