//! Carry-less products by integer products: constant time wherever those are.

use super::Vector;

/// One lane in an integer.
#[derive(Clone, Copy)]
pub(super) struct Words(u128);

/// The low 64 bits of the carry-less product: in each factor three of four bits are cleared, so that the at most 16
/// terms of a sum carry into cleared places only (the 16th term of the topmost sum leaves the word).
#[inline]
fn low(a: u64, b: u64) -> u64 {
    const PLACES: [u64; 4] =
        [0x1111_1111_1111_1111, 0x2222_2222_2222_2222, 0x4444_4444_4444_4444, 0x8888_8888_8888_8888];
    let (a, b) = (PLACES.map(|m| a & m), PLACES.map(|m| b & m));
    let place = |k: usize| (0..4).fold(0, |sum, i| sum ^ a[i].wrapping_mul(b[(k + 4 - i) % 4])) & PLACES[k];
    place(0) | place(1) | place(2) | place(3)
}

/// The carry-less product. Reversed factors have the reversed product, so the high half is a low one.
#[inline]
fn mul(a: u64, b: u64) -> u128 {
    let high = low(a.reverse_bits(), b.reverse_bits()).reverse_bits() >> 1;
    u128::from(high) << 64 | u128::from(low(a, b))
}

impl Words {
    #[inline(always)]
    fn new(low: u64, high: u64) -> Self {
        Self(u128::from(high) << 64 | u128::from(low))
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self.0 as u64
    }

    #[inline(always)]
    fn high(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

impl Vector for Words {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn splat(x: u128) -> Self {
        Self(x)
    }

    #[inline(always)]
    unsafe fn load(from: *const u8, _stride: usize) -> Self {
        // SAFETY: the caller vouches for 16 bytes; any bits are an integer.
        Self(u128::from_le(unsafe { from.cast::<u128>().read_unaligned() }))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, _stride: usize) {
        // SAFETY: the caller vouches for 16 bytes.
        unsafe { to.cast::<u128>().write_unaligned(self.0.to_le()) }
    }

    #[inline(always)]
    fn first(self) -> u128 {
        self.0
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn clmul<const WORDS: i32>(self, other: Self) -> Self {
        let a = if WORDS & 1 == 0 { self.low() } else { self.high() };
        let b = if WORDS & 16 == 0 { other.low() } else { other.high() };
        Self(mul(a, b))
    }

    #[inline(always)]
    fn low_words(self, other: Self) -> Self {
        Self::new(self.low(), other.low())
    }

    #[inline(always)]
    fn high_words(self, other: Self) -> Self {
        Self::new(self.high(), other.high())
    }

    #[inline(always)]
    fn swap(self) -> Self {
        Self(self.0.rotate_left(64))
    }

    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        Self::new(self.low() << BITS, self.high() << BITS)
    }

    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        Self::new(self.low() >> BITS, self.high() >> BITS)
    }

    #[inline(always)]
    fn split_lanes(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    #[inline(always)]
    fn split_words(self, other: Self) -> (Self, Self) {
        (self.low_words(other), self.high_words(other))
    }
}
