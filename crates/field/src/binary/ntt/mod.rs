//! The additive transform: values of polynomials in the novel basis on the points of [`domain`](super::domain).
//! (notes: additive-encode)
//!
//! ```text
//!   message  2^m rows of row_bytes            codeword   blocks 0, 1, 2, ... of 2^m rows each
//!   row i: coefficient of X_i = prod W_b      block c: positions c 2^m .. (c+1) 2^m
//!
//!   layer s = m-1, ..., 0 of a block: rows u (bit s of the position clear) and v (set)
//!       u += t v;  v += u;        t = w(start >> s), start = the position of u without its bits below s+1
//! ```
//! All bytes of a row share `t`, an element of T1 below position 2^16 and of T2 above: a row is any number
//! of elements of any field of the tower from T2 on, or from T1 on when the code has at most 2^16 positions.
//! A block is the message itself for the layers above `m`, so that blocks are made one by one.
//!
//! A pass over memory does up to three layers in registers; parts that fit the cache are finished depth
//! first and handed to the caller while they are hot. Novel basis and transform: Lin, Chung and Han, "Novel polynomial
//! basis and its application to Reed-Solomon erasure codes" (2014).

mod adjoint;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod encode;
mod factor;
#[cfg(target_arch = "x86_64")]
mod gfni;
#[cfg(target_arch = "x86_64")]
mod gfni256;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod kernel;
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only GFNI has constants by byte"))]
mod narrow;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod nibbles;
#[cfg(target_arch = "x86_64")]
mod pairs;
mod partial;
mod plan;
mod portable;
#[cfg(test)]
mod reference;
mod runs;
#[cfg(test)]
mod tests;
mod tiers;

use core::mem::MaybeUninit;

/// Callback for a piece of finished rows: the index in the block of the first one, and their bytes. A piece is an aligned run of a power of two of
/// rows: at most 2^18 bytes, or 16 rows (all of a block of fewer) where these are longer.
pub type Done<'a> = &'a (dyn Fn(usize, &[u8]) + Sync);

/// Encodes block number `block` of the codeword of a message.
///
/// `out` is the block: `2^m` rows of `row_bytes` bytes. `message` is at least so many rows and at most twice as many:
/// coefficients from `2^m` on count too. What `out` held before does not matter, and all of it is written.
/// `done` is called once for each finished piece of consecutive rows, from any thread of the current pool, while
/// the piece is in the cache. The bytes do not depend on the machine or on threads. (notes: additive-encode)
///
/// Cost: `m/2` products and `m` sums for each row.
///
/// # Panics
/// If `row_bytes` is no positive multiple of 8, `out` is not a power of two of rows, the message is shorter
/// than `out` or longer than twice that or not whole rows, or a position is 2^32 or more.
pub fn encode_block(message: &[u8], row_bytes: usize, block: usize, out: &mut [u8], done: Done) {
    // SAFETY: an initialised byte is a valid `MaybeUninit`, and encoding writes nothing but bytes.
    let out = unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
    encode_block_uninit(message, row_bytes, block, out, done);
}

/// [`encode_block`] into memory that was never written, all of which it initialises.
///
/// # Panics
/// As [`encode_block`].
pub fn encode_block_uninit(
    message: &[u8],
    row_bytes: usize,
    block: usize,
    out: &mut [MaybeUninit<u8>],
    done: Done,
) {
    encode::block(tiers::best(), message, (row_bytes, block), out, done);
}

/// [`encode_block`] where the message stands: its first `count` rows become block number `block` of as many rows.
///
/// # Panics
/// As [`encode_block`].
pub fn encode_in_place(matrix: &mut [u8], row_bytes: usize, (block, count): (usize, usize), done: Done) {
    encode::in_place(tiers::best(), matrix, (row_bytes, block, count), done);
}

/// [`encode_in_place`] for the first of two blocks, whose rows the matrix is, and [`encode_block_uninit`] for the second: of large blocks
/// with one pass over the message for both, and then side by side.
///
/// # Panics
/// As [`encode_block`].
pub fn encode_two(
    matrix: &mut [u8],
    out: &mut [MaybeUninit<u8>],
    (row_bytes, blocks): (usize, [usize; 2]),
    dones: [Done; 2],
) {
    encode::two(tiers::best(), matrix, out, (row_bytes, blocks), dones);
}

/// Encodes a message where it stands, as far as some rows of a block need it.
///
/// `matrix` is a message as for [`encode_block`], for block number `block` of `count` rows. Afterwards those of its first `count`
/// rows that `rows` counts, in ascending order, are the rows of the block; the others are not specified.
///
/// Cost: that of [`encode_block`] for the layers whose nodes all have such rows below them, and for the layers below,
/// `log2(nodes)` products for each node that has.
///
/// # Panics
/// As [`encode_block`].
pub fn encode_rows(matrix: &mut [u8], row_bytes: usize, (block, count): (usize, usize), rows: &[usize]) {
    encode::rows(tiers::best(), matrix, (row_bytes, block, count), rows);
}

/// The transpose of encoding, in place: from a value for each position to their sums against the rows of the code.
///
/// `values` is `2^(m+r)` elements of `element_bytes` bytes, for the positions `first_block 2^m` and on. Afterwards the first `2^m` are
/// `a_i = sum_q values[q] X_i(w(q))`, so that `sum_i a_i c_i = sum_q values[q] Enc(c)[q]`; the others are
/// not specified. Elements are of T2 or above (of T1 up to 2^16 positions). (notes: additive-adjoint)
///
/// Cost: `m/2` products and `m` sums for each position.
///
/// # Panics
/// If `element_bytes` is no positive multiple of 8, or `values` is not a power of two of elements, at least
/// `2^log_rows` and at most 2^32 of them.
pub fn adjoint(values: &mut [u8], element_bytes: usize, log_rows: usize, first_block: usize) {
    adjoint::run(tiers::best(), values, element_bytes, (log_rows, first_block));
}

/// [`adjoint`] of one block, of which only the values that `rows` counts, in ascending order, may be other than zero.
///
/// Cost: that of [`adjoint`] for the layers whose nodes all have such values below them, and for the layers below,
/// `log2(nodes)` products for each node that has.
///
/// # Panics
/// As [`adjoint`].
pub fn adjoint_of_rows(values: &mut [u8], element_bytes: usize, block: usize, rows: &[usize]) {
    adjoint::rows(tiers::best(), values, (element_bytes, block), rows);
}
