//! F_{p^2} for the Mersenne prime p = 2^61 - 1, as F_p\[i\] with i^2 = -1.
//!
//! p + 1 = 2^61, so the multiplicative group has order 2^62 (2^60 - 1) and holds the two-power
//! subgroups that F_p itself lacks.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::{Field, TwoAdic};

const P: u64 = (1 << 61) - 1;

/// `re + im i`, both coordinates reduced modulo p = 2^61 - 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Mersenne61x2 {
    re: u64,
    im: u64,
}

/// Reduces a number below 2p.
#[inline]
const fn reduce_once(x: u64) -> u64 {
    if x >= P { x - P } else { x }
}

/// Reduces any 64-bit number.
#[inline]
const fn reduce64(x: u64) -> u64 {
    reduce_once((x & P) + (x >> 61))
}

/// Reduces a number below 2^125.
#[inline]
const fn reduce128(x: u128) -> u64 {
    // Both summands are below 2^61 and 2^64: folding the high part again keeps the sum in 64 bits.
    let (low, high) = (x as u64 & P, (x >> 61) as u64);
    reduce_once(reduce64(high) + low)
}

#[inline]
const fn wide(a: u64, b: u64) -> u128 {
    a as u128 * b as u128
}

impl Mersenne61x2 {
    /// `re + im i`, both reduced modulo p.
    #[must_use]
    pub const fn new(re: u64, im: u64) -> Self {
        Self { re: reduce64(re), im: reduce64(im) }
    }

    #[inline]
    const fn product(self, other: Self) -> Self {
        // The products are below 2^122; adding p^2 keeps the difference positive.
        let re = wide(self.re, other.re) + wide(P, P) - wide(self.im, other.im);
        let im = wide(self.re, other.im) + wide(self.im, other.re);
        Self { re: reduce128(re), im: reduce128(im) }
    }
}

/// `ROOTS[k]` generates the subgroup of order `2^k`.
///
/// The odd part of the group order is `2^60 - 1`, so `g^(2^60 - 1)` generates the subgroup of order
/// 2^62 when g is no square; g = 4 + i is none, as its norm 17 is a non-residue modulo p.
const ROOTS: [Mersenne61x2; 63] = {
    let base = Mersenne61x2::new(4, 1);
    let mut root = base;
    let mut i = 1;
    while i < 60 {
        root = root.product(root).product(base);
        i += 1;
    }
    let mut roots = [root; 63];
    let mut k = 62;
    while k > 0 {
        roots[k - 1] = roots[k].product(roots[k]);
        k -= 1;
    }
    roots
};

impl Add for Mersenne61x2 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { re: reduce_once(self.re + other.re), im: reduce_once(self.im + other.im) }
    }
}

impl Sub for Mersenne61x2 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { re: reduce_once(self.re + P - other.re), im: reduce_once(self.im + P - other.im) }
    }
}

impl Mul for Mersenne61x2 {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.product(other)
    }
}

impl Neg for Mersenne61x2 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl AddAssign for Mersenne61x2 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Mersenne61x2 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Mersenne61x2 {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Sum for Mersenne61x2 {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}

impl Field for Mersenne61x2 {
    const NAME: &'static str = "mersenne61x2";
    const BYTES: usize = 16;
    const ZERO: Self = Self::new(0, 0);
    const ONE: Self = Self::new(1, 0);

    fn bits() -> f64 {
        2.0 * libm::log2(P as f64)
    }

    fn inverse(self) -> Option<Self> {
        // 1/(a + bi) = (a - bi)/(a^2 + b^2); the norm is zero only for zero, as -1 is no square.
        let norm = reduce128(wide(self.re, self.re) + wide(self.im, self.im));
        let inverse = Self::new(norm, 0).pow(P - 2);
        let conjugate = Self::new(self.re, P - self.im);
        (norm != 0).then(|| conjugate * inverse)
    }

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self::new(x, 0)
    }

    #[inline]
    fn write(self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "one encoding");
        out[..8].copy_from_slice(&self.re.to_le_bytes());
        out[8..].copy_from_slice(&self.im.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let integer = u128::from_le_bytes(bytes.try_into().ok()?);
        let (re, im) = (integer as u64, (integer >> 64) as u64);
        (re < P && im < P).then_some(Self { re, im })
    }

    const UNIFORM_BYTES: usize = 32;

    fn from_uniform(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), Self::UNIFORM_BYTES, "sixteen uniform bytes per coordinate");
        let coordinate = |bytes: &[u8]| {
            let integer = u128::from_le_bytes(bytes.try_into().expect("sixteen bytes"));
            (integer % u128::from(P)) as u64
        };
        Self { re: coordinate(&bytes[..16]), im: coordinate(&bytes[16..]) }
    }
}

impl TwoAdic for Mersenne61x2 {
    const TWO_ADICITY: usize = 62;
    // The order of 3 divides p - 1 = 2 (2^60 - 1) and is no power of two, as 3 is neither 1 nor -1.
    const GENERATOR: Self = Self::new(3, 0);

    fn root_of_unity(log_order: usize) -> Self {
        assert!(log_order <= Self::TWO_ADICITY, "no such root of unity");
        ROOTS[log_order]
    }

    fn ntt_rows(message: &[Self], width: usize, shift: Self, out: &mut [Self]) {
        static ROOTS: crate::kernels::roots::Roots<Mersenne61x2> = crate::kernels::roots::Roots::new();
        let plan = crate::kernels::ntt::Plan { tier: crate::cpu::Tier::Portable, width, roots: &ROOTS };
        crate::kernels::ntt::fast(plan, message, shift, out);
    }
}

super::extension_of_itself!(Mersenne61x2);
crate::kernels::lanes::scalar_lanes!(Mersenne61x2);
