//! GF(2^128) in a polynomial basis.

use super::clmul::{self, Kernel, Vector};
use super::operators::{itoh_tsujii, operators};
use super::rounds;
use super::wide::{Base, Sums, sums_of_words};
use crate::Field;
use alloc::vec::Vec;

/// GF(2)\[x\] modulo `x^128 + x^7 + x^2 + x + 1`, the polynomial of GHASH, in plain order: bit `i` is the coefficient
/// of `x^i`. All 2^128 values are elements. (notes: binary-bases)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Gf128(pub u128);

operators!(Gf128);

/// `x^7 + x^2 + x + 1`, the remainder of `x^128`.
const LOW_TERMS: u128 = 0x87;

struct Product(Gf128, Gf128);

impl Kernel for Product {
    type Output = Gf128;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf128 {
        // SAFETY: by the contract of `run`.
        let (zero, a, b) = unsafe { (V::splat(0), V::splat(self.0.0), V::splat(self.1.0)) };
        Gf128(Gf128::reduce(Gf128::mac(Gf128::no_sum(zero), a, b)).first())
    }
}

struct Square(Gf128);

impl Kernel for Square {
    type Output = Gf128;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf128 {
        // SAFETY: by the contract of `run`.
        let a = unsafe { V::splat(self.0.0) };
        let (low, high) = (a.clmul::<0x00>(a), a.clmul::<0x11>(a));
        // Squares have no mixed terms: the middle sum is that of both others.
        Gf128(Gf128::reduce([low, low.xor(high), high]).first())
    }
}

impl Gf128 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        clmul::scalar(Product(self, other))
    }
}

impl Field for Gf128 {
    const NAME: &'static str = "gf128";
    const BYTES: usize = 16;
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);

    fn bits() -> f64 {
        128.0
    }

    fn inverse(self) -> Option<Self> {
        (self.0 != 0).then(|| itoh_tsujii(self, 128))
    }

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self(u128::from(x & 1))
    }

    #[inline]
    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&self.0.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(u128::from_le_bytes(bytes.try_into().ok()?)))
    }

    const UNIFORM_BYTES: usize = 16;

    fn from_uniform(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes).expect("sixteen uniform bytes")
    }

    #[inline]
    fn square(self) -> Self {
        clmul::scalar(Square(self))
    }

    rounds::slice_methods!();
}

impl Sums for Gf128 {
    sums_of_words!();

    #[inline(always)]
    fn reduce<V: Vector>([low, mixed, high]: [V; 3]) -> V {
        let terms = low.same(LOW_TERMS);
        let zero = low.same(0);
        let middle = mixed.xor(low.xor(high));
        // The words have weights x^0 to x^192. The topmost goes to those at x^64 and x^128, then that at x^128 down.
        let middle = middle.xor(high.clmul::<0x01>(terms));
        let top = high.xor(middle.high_words(zero));
        low.xor(zero.low_words(middle)).xor(top.clmul::<0x00>(terms))
    }
}

impl Base for Gf128 {
    #[inline(always)]
    fn add_sums<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
        [a[0].xor(b[0]), a[1].xor(b[1]), a[2].xor(b[2])]
    }

    #[inline(always)]
    fn split<V: Vector>(a: V, b: V) -> (V, V) {
        a.split_lanes(b)
    }
}
