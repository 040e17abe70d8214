//! Codes over the tower fields: positions are points of the domain, the message holds coefficients of the novel basis.
//! (notes: codes-alphabet, additive-domain)
//!
//! Position `q` of a code of `2^n` positions is the point `w(2^n + q)`: an affine copy of the span of the first `n` basis
//! elements, on which no vanishing polynomial `W_v` with `v <= n` is zero. Coefficients above the message's rows are
//! multiples of some `W_v`, and would not be seen where it vanishes.

use super::domain;
use super::ntt;
use super::tower::{Tower64, Tower128};
use crate::{Alphabet, BlockShape, Done, ExtensionOf};

/// A tower field as the bytes that its elements are.
///
/// # Safety
/// The type has the size and the values of an unsigned integer: every string of so many bytes is a value, there is no
/// padding.
unsafe trait Bytes: Copy {
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
fn marked_block(shape: &BlockShape) -> usize {
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

/// Messages shorter than this are weighted row by row.
const SHORT: usize = 64;

/// [`Alphabet::accumulate_rows_parallel`]: the adjoint of encoding, on a word that is zero but at the points.
fn accumulate<B: Alphabet<Point = u32> + Bytes, E: ExtensionOf<B>>(
    points: &[u32],
    scalars: &[E],
    out: &mut [E],
) {
    let Some(&some) = points.first().filter(|_| out.len() >= SHORT) else {
        return B::accumulate_rows(points, scalars, out);
    };
    let (log_domain, log_rows) = (some.ilog2() as usize, out.len().ilog2() as usize);
    let degree = E::DEGREE;
    let mut word = vec![B::ZERO; degree << log_domain];
    for (&point, scalar) in points.iter().zip(E::flatten(scalars).chunks_exact(degree)) {
        assert_eq!(point.ilog2() as usize, log_domain, "points of one code");
        let place = &mut word[(point as usize - (1 << log_domain)) * degree..][..degree];
        // The same point twice counts twice.
        place.iter_mut().zip(scalar).for_each(|(x, &s)| *x += s);
    }
    ntt::adjoint(B::bytes_mut(&mut word), degree * size_of::<B>(), log_rows, 1 << (log_domain - log_rows));
    let mut sums = vec![E::ZERO; out.len()];
    E::with_flat_mut(&mut sums, |flat| flat.copy_from_slice(&word[..flat.len()]));
    out.iter_mut().zip(sums).for_each(|(o, sum)| *o += sum);
}

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

    fn accumulate_rows_parallel<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], out: &mut [E]) {
        accumulate::<Self, E>(points, scalars, out);
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

    fn accumulate_rows_parallel<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], out: &mut [E]) {
        accumulate::<Self, E>(points, scalars, out);
    }
}
