//! GF(2^64) in a polynomial basis.

use super::clmul::{self, Vector};
use super::operators::{itoh_tsujii, operators};
use super::rounds;
use super::wide::{Base, Sums, lane_sums};
use crate::Field;
use alloc::vec::Vec;

/// GF(2)\[x\] modulo `x^64 + x^4 + x^3 + x + 1`; bit `i` is the coefficient of `x^i`. All 2^64 values are elements.
/// (notes: binary-bases)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Gf64(pub u64);

operators!(Gf64);

/// The remainder of 128 bits.
#[inline(always)]
pub(super) fn reduce(wide: u128) -> Gf64 {
    let high = (wide >> 64) as u64;
    // x^64 = x^4 + x^3 + x + 1; what the shifts push out of the word, at most four bits, goes round once more.
    let high = high ^ (high >> 63) ^ (high >> 61) ^ (high >> 60);
    Gf64(wide as u64 ^ high ^ (high << 1) ^ (high << 3) ^ (high << 4))
}

impl Gf64 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        reduce(clmul::mul64(self.0, other.0))
    }
}

impl Field for Gf64 {
    const NAME: &'static str = "gf64";
    const BYTES: usize = 8;
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);

    fn bits() -> f64 {
        64.0
    }

    fn inverse(self) -> Option<Self> {
        (self.0 != 0).then(|| itoh_tsujii(self, 64))
    }

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self(x & 1)
    }

    #[inline]
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.0.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(u64::from_le_bytes(bytes.try_into().ok()?)))
    }

    const UNIFORM_BYTES: usize = 8;

    fn from_uniform(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes).expect("eight uniform bytes")
    }

    rounds::slice_methods!();
}

impl Sums for Gf64 {
    /// The products of the low words, and those of the high words.
    type Sum<V: Vector> = [V; 2];

    #[inline(always)]
    fn lane(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.0)
    }

    #[inline(always)]
    fn no_sum<V: Vector>(zero: V) -> [V; 2] {
        [zero; 2]
    }

    #[inline(always)]
    fn mac<V: Vector>([low, high]: [V; 2], a: V, b: V) -> [V; 2] {
        [low.xor(a.clmul::<0x00>(b)), high.xor(a.clmul::<0x11>(b))]
    }

    #[inline(always)]
    fn reduce<V: Vector>([first, second]: [V; 2]) -> V {
        let (low, high) = (first.low_words(second), first.high_words(second));
        // As in the scalar `reduce`.
        let high = high.xor(high.right::<63>()).xor(high.right::<61>().xor(high.right::<60>()));
        low.xor(high).xor(high.left::<1>()).xor(high.left::<3>().xor(high.left::<4>()))
    }

    #[inline(always)]
    fn totals<V: Vector>(sums: [[V; 2]; 4]) -> V {
        let mut lanes = [sums[0][0]; 4];
        for (lane, [low, high]) in lanes.iter_mut().zip(sums) {
            *lane = low.xor(high);
        }
        let sum = lane_sums(lanes);
        Self::reduce([sum, sum])
    }
}

impl Base for Gf64 {
    #[inline(always)]
    fn add_sums<V: Vector>(a: [V; 2], b: [V; 2]) -> [V; 2] {
        [a[0].xor(b[0]), a[1].xor(b[1])]
    }

    #[inline(always)]
    fn split<V: Vector>(a: V, b: V) -> (V, V) {
        a.split_words(b)
    }
}
