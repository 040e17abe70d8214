//! Codes over the tower fields: positions are points of the domain, the message holds coefficients of the novel basis.
//! (notes: codes-alphabet, additive-domain)
//!
//! Position `q` of a code of `2^n` positions is the point `w(2^n + q)`: an affine copy of the span of the first `n` basis
//! elements, on which no vanishing polynomial `W_v` with `v <= n` is zero. Coefficients above the message's rows are
//! multiples of some `W_v`, and would not be seen where it vanishes.

use super::domain;
use super::inverse::{decode, weigh};
use super::ntt;
use super::rows;
use super::tower::{Tower64, Tower128};
use crate::{BlockShape, Done, ExtensionOf, FoldableCode};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

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

/// Room for so many elements in a vector that is emptied, as bytes.
fn room<B: Bytes>(out: &mut Vec<B>, length: usize) -> &mut [MaybeUninit<u8>] {
    out.clear();
    out.reserve(length);
    let spare = &mut out.spare_capacity_mut()[..length];
    // SAFETY: uninitialised elements are as many uninitialised bytes; only whole elements are written.
    unsafe { core::slice::from_raw_parts_mut(spare.as_mut_ptr().cast(), size_of_val(spare)) }
}

/// [`FoldableCode::encode_block`].
fn encode<B: Bytes>(message: &[B], shape: BlockShape, out: &mut Vec<B>, done: Done<'_, B>) {
    let row_bytes = shape.width * size_of::<B>();
    let length = shape.width << shape.log_rows;
    let bytes = room(out, length);
    ntt::encode_block_uninit(B::bytes(message), row_bytes, marked_block(&shape), bytes, &|first, rows| {
        done(first, B::elements(rows));
    });
    // SAFETY: encoding has initialised all of it.
    unsafe { out.set_len(length) };
}

/// [`FoldableCode::encode_in_place`].
fn encode_in_place<B: Bytes>(matrix: &mut Vec<B>, shape: BlockShape, done: Done<'_, B>) {
    let (row_bytes, rows) = (shape.width * size_of::<B>(), 1 << shape.log_rows);
    let (bytes, place) = (B::bytes_mut(matrix), (marked_block(&shape), rows));
    ntt::encode_in_place(bytes, row_bytes, place, &|first, rows| done(first, B::elements(rows)));
    matrix.truncate(shape.width << shape.log_rows);
}

/// [`FoldableCode::encode_two`].
fn encode_two<B: Bytes>(
    matrix: &mut Vec<B>,
    shape: BlockShape,
    (other, out): (usize, &mut Vec<B>),
    dones: [Done<'_, B>; 2],
) {
    let row_bytes = shape.width * size_of::<B>();
    let second = BlockShape { block: other, ..shape };
    let place = (row_bytes, [marked_block(&shape), marked_block(&second)]);
    let length = shape.width << shape.log_rows;
    let bytes = room(out, length);
    let [here, there] = dones;
    let dones: [ntt::Done; 2] =
        [&|first, rows| here(first, B::elements(rows)), &|first, rows| there(first, B::elements(rows))];
    ntt::encode_two(B::bytes_mut(matrix), bytes, place, dones);
    // SAFETY: encoding has initialised all of it.
    unsafe { out.set_len(length) };
    matrix.truncate(length);
}

/// [`FoldableCode::encode_rows`].
fn encode_rows<B: Bytes>(matrix: &mut Vec<B>, shape: BlockShape, rows: &[usize]) {
    let row_bytes = shape.width * size_of::<B>();
    let bytes = B::bytes_mut(matrix);
    ntt::encode_rows(bytes, row_bytes, (marked_block(&shape), 1 << shape.log_rows), rows);
    matrix.truncate(shape.width << shape.log_rows);
}

/// What the functions here ask of a tower field.
pub(super) trait Code: FoldableCode<Point = u32> + Bytes {}
impl Code for Tower64 {}
impl Code for Tower128 {}

impl FoldableCode for Tower64 {
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

    fn encode_two(
        matrix: &mut Vec<Self>,
        shape: BlockShape,
        other: (usize, &mut Vec<Self>),
        dones: [Done<'_, Self>; 2],
    ) {
        encode_two(matrix, shape, other, dones);
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
        rows::accumulate::<Self, E>(points, scalars, out);
    }

    fn accumulate_rows_parallel<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], out: &mut [E]) {
        rows::accumulate_parallel::<Self, E>(points, scalars, out);
    }

    fn bind_rows<E: ExtensionOf<Self>>(points: &mut [u32], scalars: &mut [E], r: E) {
        rows::bind::<Self, E>(points, scalars, r);
    }

    fn apply_rows<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], message: &[E]) -> E {
        rows::apply::<Self, E>(points, scalars, message)
    }

    fn evaluate_many<E: ExtensionOf<Self>>(message: &[E], points: &[u32]) -> Vec<E> {
        rows::evaluate::<Self, E>(message, points)
    }
}

impl FoldableCode for Tower128 {
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

    fn encode_two(
        matrix: &mut Vec<Self>,
        shape: BlockShape,
        other: (usize, &mut Vec<Self>),
        dones: [Done<'_, Self>; 2],
    ) {
        encode_two(matrix, shape, other, dones);
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
        rows::accumulate::<Self, E>(points, scalars, out);
    }

    fn accumulate_rows_parallel<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], out: &mut [E]) {
        rows::accumulate_parallel::<Self, E>(points, scalars, out);
    }

    fn bind_rows<E: ExtensionOf<Self>>(points: &mut [u32], scalars: &mut [E], r: E) {
        rows::bind::<Self, E>(points, scalars, r);
    }

    fn apply_rows<E: ExtensionOf<Self>>(points: &[u32], scalars: &[E], message: &[E]) -> E {
        rows::apply::<Self, E>(points, scalars, message)
    }

    fn evaluate_many<E: ExtensionOf<Self>>(message: &[E], points: &[u32]) -> Vec<E> {
        rows::evaluate::<Self, E>(message, points)
    }
}
