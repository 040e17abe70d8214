//! A factor's products with the four byte coordinates of T2.

use crate::binary::tower::mul8_d;

/// The product with `Y_0` of both halves.
#[inline(always)]
pub(super) const fn times_y0(x: u32) -> u32 {
    let [a, b, c, d] = x.to_le_bytes();
    u32::from_le_bytes([mul8_d(b), a ^ b, mul8_d(d), c ^ d])
}

/// The product with `Y_1`.
#[inline(always)]
const fn times_y1(x: u32) -> u32 {
    let (low, high) = (x & 0xffff, x >> 16);
    // d_1 high = d_0 (Y_0 high)
    let [a, b, ..] = times_y0(high).to_le_bytes();
    u32::from_le_bytes([mul8_d(a), mul8_d(b), 0, 0]) | (low ^ high) << 16
}

/// The products of `t` with `1, Y_0, Y_1, Y_0 Y_1`.
#[inline(always)]
pub(super) const fn columns(t: u32) -> [u32; 4] {
    [t, times_y0(t), times_y1(t), times_y1(times_y0(t))]
}
