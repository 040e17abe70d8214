//! Codes over the tower fields: positions are points of the domain, the message holds coefficients of the novel basis.
//! (notes: codes-alphabet, additive-domain)
//!
//! Position `q` of a code of `2^n` positions is the point `w(2^n + q)`: an affine copy of the span of the first `n` basis
//! elements, on which no vanishing polynomial `W_v` with `v <= n` is zero. Coefficients above the message's rows are
//! multiples of some `W_v`, and would not be seen where it vanishes.

use super::domain;
use super::inverse::{decode, weigh};
use super::ntt;
use super::tower::{Tower64, Tower128};
use crate::{Alphabet, BlockShape, Done, ExtensionOf};
use alloc::vec::Vec;

/// A tower field as the bytes that its elements are.
///
/// # Safety
/// The type has the size and the values of an unsigned integer: every string of so many bytes is a value, there is no
/// padding.
pub(super) unsafe trait Bytes: Copy {
    /// The element of the subfield GF(2^32).
    fn of_point(x: u32) -> Self;

    fn bytes(values: &[Self]) -> &[u8] {
        const { assert!(cfg!(target_endian = "little"), "elements are their bytes on little-endian machines") };
        // SAFETY: the elements are plain bytes by the trait's contract, borrowed for as long.
        unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
    }

    /// The elements that bytes are, which were a slice of elements before.
    fn elements(bytes: &[u8]) -> &[Self] {
        // SAFETY: every string of bytes is a value by the trait's contract.
        let (before, elements, after) = unsafe { bytes.align_to() };
        assert!(before.is_empty() && after.is_empty(), "whole elements in their places");
        elements
    }

    fn bytes_mut(values: &mut [Self]) -> &mut [u8] {
        // SAFETY: as in `bytes`; the exclusive borrow passes to the result, and every string of bytes is a value.
        unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
    }
}

// SAFETY: transparent over `u64`.
unsafe impl Bytes for Tower64 {
    fn of_point(x: u32) -> Self {
        Self(x.into())
    }
}

// SAFETY: transparent over `u128`.
unsafe impl Bytes for Tower128 {
    fn of_point(x: u32) -> Self {
        Self(x.into())
    }
}

/// A position with the bit above it set, which says how long the code is.
fn marked(log_domain: usize, position: usize) -> u32 {
    assert!(log_domain <= 31 && position >> log_domain == 0, "a position of the code");
    (1 << log_domain) + position as u32
}

/// The number of a block with the same bit above it.
pub(super) fn marked_block(shape: &BlockShape) -> usize {
    let blocks = 1 << (shape.log_domain - shape.log_rows);
    assert!(shape.block < blocks, "a block of the code");
    blocks + shape.block
}

/// Rows of the smallest piece of a block that is longer.
const LEAST_PIECE: usize = 16;

/// [`Alphabet::encode_block`].
fn encode<B: Bytes>(message: &[B], shape: BlockShape, out: &mut Vec<B>, done: Done<'_, B>) {
    let row_bytes = shape.width * size_of::<B>();
    let length = shape.width << shape.log_rows;
    out.clear();
    out.reserve(length);
    let spare = &mut out.spare_capacity_mut()[..length];
    // SAFETY: uninitialised elements are as many uninitialised bytes; only whole elements are written.
    let bytes = unsafe { core::slice::from_raw_parts_mut(spare.as_mut_ptr().cast(), size_of_val(spare)) };
    let rows = 1 << shape.log_rows;
    // Pieces of very long rows would be shorter than promised: then the block is one piece.
    let pieces = ntt::piece_rows(row_bytes, rows) >= rows.min(LEAST_PIECE);
    ntt::encode_block_uninit(B::bytes(message), row_bytes, marked_block(&shape), bytes, &|first, rows| {
        if pieces {
            done(first, B::elements(rows));
        }
    });
    // SAFETY: encoding has initialised all of it.
    unsafe { out.set_len(length) };
    if !pieces {
        done(0, out);
    }
}

/// [`Alphabet::encode_in_place`].
fn encode_in_place<B: Bytes>(matrix: &mut Vec<B>, shape: BlockShape, done: Done<'_, B>) {
    let (row_bytes, rows) = (shape.width * size_of::<B>(), 1 << shape.log_rows);
    let (bytes, place) = (B::bytes_mut(matrix), (marked_block(&shape), rows));
    let pieces = ntt::piece_rows(row_bytes, rows) >= rows.min(LEAST_PIECE);
    ntt::encode_in_place(bytes, row_bytes, place, &|first, rows| {
        if pieces {
            done(first, B::elements(rows));
        }
    });
    matrix.truncate(shape.width << shape.log_rows);
    if !pieces {
        done(0, matrix);
    }
}

/// [`Alphabet::encode_rows`].
fn encode_rows<B: Bytes>(matrix: &mut Vec<B>, shape: BlockShape, rows: &[usize]) {
    let row_bytes = shape.width * size_of::<B>();
    let bytes = B::bytes_mut(matrix);
    ntt::encode_rows(bytes, row_bytes, (marked_block(&shape), 1 << shape.log_rows), rows);
    matrix.truncate(shape.width << shape.log_rows);
}

/// The shortest message that the transform is used for; below, one by one, rows cost less than its calls do.
const LEAST_TRANSFORMED: usize = 16;

fn is_transformed(length: usize) -> bool {
    length >= LEAST_TRANSFORMED && length.is_power_of_two()
}

/// Points in ascending order, each with its number among them. With the bit above it that says how long the code is, a position
/// names its block among those of all codes: points of several codes take turns, block by block.
fn ordered(points: &[u32]) -> Vec<(u32, usize)> {
    let mut places: Vec<(u32, usize)> = points.iter().copied().zip(0..).collect();
    places.sort_unstable();
    places
}

/// The parts of ordered points that lie in one block of `2^log_rows` positions: its number, the row of each point, and its number
/// among all points. One block at a time needs no more memory than a message.
fn blocks(places: &[(u32, usize)], log_rows: u32) -> impl Iterator<Item = (usize, Vec<(usize, usize)>)> {
    places.chunk_by(move |a, b| a.0 >> log_rows == b.0 >> log_rows).map(move |block| {
        let row = |point: u32| point as usize & ((1 << log_rows) - 1);
        ((block[0].0 >> log_rows) as usize, block.iter().map(|&(point, i)| (row(point), i)).collect())
    })
}

/// [`Alphabet::accumulate_rows`]: for the points of each block the adjoint of encoding, on a word that is zero but there.
fn accumulate<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], out: &mut [E]) {
    if !is_transformed(out.len()) {
        return accumulate_each::<B, E>(points, scalars, out);
    }
    let (degree, log_rows, places) = (E::DEGREE, out.len().ilog2(), ordered(points));
    let scalars = E::flatten(scalars);
    let mut word = Vec::new();
    E::with_flat_mut(out, |out| {
        for (block, points) in blocks(&places, log_rows) {
            word.clear();
            word.resize(degree << log_rows, B::ZERO);
            for (row, i) in &points {
                // The same point twice counts twice.
                let place = word[row * degree..][..degree].iter_mut();
                place.zip(&scalars[i * degree..]).for_each(|(x, &s)| *x += s);
            }
            let rows: Vec<usize> = points.iter().map(|&(row, _)| row).collect();
            ntt::adjoint_of_rows(B::bytes_mut(&mut word), degree * size_of::<B>(), block, &rows);
            out.iter_mut().zip(&word).for_each(|(o, &sum)| *o += sum);
        }
    });
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

/// [`Alphabet::bind_rows`], with the factors of all points carried over at once.
fn bind<B: Code, E: ExtensionOf<B>>(points: &mut [u32], scalars: &mut [E], r: E) {
    let factors: Vec<B> = points.iter().map(|&point| B::factor(point) - B::ONE).collect();
    for ((point, scalar), factor) in points.iter_mut().zip(scalars).zip(E::lift_slice(&factors)) {
        *scalar *= E::ONE + r * factor;
        *point >>= 1;
    }
}

/// [`Alphabet::evaluate_many`]: of the transform of each block with points in it the layers that lead to them, where one
/// instruction multiplies 64 bytes of the message.
fn evaluate<B: Code, E: ExtensionOf<B>>(message: &[E], points: &[u32]) -> Vec<E> {
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

/// [`Alphabet::apply_rows`], by the values at the points.
fn apply<B: Code, E: ExtensionOf<B>>(points: &[u32], scalars: &[E], message: &[E]) -> E {
    evaluate::<B, E>(message, points).iter().zip(scalars).map(|(&value, &scalar)| scalar * value).sum()
}

/// What the functions above ask of a tower field.
pub(super) trait Code: Alphabet<Point = u32> + Bytes {}
impl Code for Tower64 {}
impl Code for Tower128 {}

impl Alphabet for Tower64 {
    type Point = u32;
    const MAX_LOG_DOMAIN: usize = 31;

    fn point(log_domain: usize, position: usize) -> u32 {
        marked(log_domain, position)
    }

    fn factor(point: u32) -> Self {
        Self::of_point(domain::point(point))
    }

    fn halved(point: u32) -> u32 {
        point >> 1
    }

    fn encode_block(message: &[Self], shape: BlockShape, out: &mut Vec<Self>, done: Done<'_, Self>) {
        encode(message, shape, out, done);
    }

    fn encode_in_place(matrix: &mut Vec<Self>, shape: BlockShape, done: Done<'_, Self>) {
        encode_in_place(matrix, shape, done);
    }

    fn decode_block(matrix: &mut [Self], shape: BlockShape) {
        decode(matrix, shape);
    }

    fn weigh_block(weights: &mut [Self], shape: BlockShape) {
        weigh(weights, shape);
    }

    fn encode_rows(matrix: &mut Vec<Self>, shape: BlockShape, rows: &[usize]) {
        encode_rows(matrix, shape, rows);
    }

    fn accumulate_rows<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], out: &mut [E]) {
        accumulate::<Self, E>(points, scalars, out);
    }

    fn bind_rows<E: ExtensionOf<Self>>(points: &mut [u32], scalars: &mut [E], r: E) {
        bind::<Self, E>(points, scalars, r);
    }

    fn apply_rows<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], message: &[E]) -> E {
        apply::<Self, E>(points, scalars, message)
    }

    fn evaluate_many<E: ExtensionOf<Self>>(message: &[E], points: &[u32]) -> Vec<E> {
        evaluate::<Self, E>(message, points)
    }
}

impl Alphabet for Tower128 {
    type Point = u32;
    const MAX_LOG_DOMAIN: usize = 31;

    fn point(log_domain: usize, position: usize) -> u32 {
        marked(log_domain, position)
    }

    fn factor(point: u32) -> Self {
        Self::of_point(domain::point(point))
    }

    fn halved(point: u32) -> u32 {
        point >> 1
    }

    fn encode_block(message: &[Self], shape: BlockShape, out: &mut Vec<Self>, done: Done<'_, Self>) {
        encode(message, shape, out, done);
    }

    fn encode_in_place(matrix: &mut Vec<Self>, shape: BlockShape, done: Done<'_, Self>) {
        encode_in_place(matrix, shape, done);
    }

    fn decode_block(matrix: &mut [Self], shape: BlockShape) {
        decode(matrix, shape);
    }

    fn weigh_block(weights: &mut [Self], shape: BlockShape) {
        weigh(weights, shape);
    }

    fn encode_rows(matrix: &mut Vec<Self>, shape: BlockShape, rows: &[usize]) {
        encode_rows(matrix, shape, rows);
    }

    fn accumulate_rows<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], out: &mut [E]) {
        accumulate::<Self, E>(points, scalars, out);
    }

    fn bind_rows<E: ExtensionOf<Self>>(points: &mut [u32], scalars: &mut [E], r: E) {
        bind::<Self, E>(points, scalars, r);
    }

    fn apply_rows<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], message: &[E]) -> E {
        apply::<Self, E>(points, scalars, message)
    }

    fn evaluate_many<E: ExtensionOf<Self>>(message: &[E], points: &[u32]) -> Vec<E> {
        evaluate::<Self, E>(message, points)
    }
}
