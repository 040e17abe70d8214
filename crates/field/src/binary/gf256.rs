//! GF(2^256) over GF(2^128).

use super::clmul::{self, Kernel, Vector};
use super::gf128::Gf128;
use super::operators::operators;
use super::rounds;
use super::wide::{Base, Sums, Wide};
use crate::Field;
use alloc::vec::Vec;

/// [`Gf128`]\[y\] modulo `y^2 + y + x^121`: the coefficients of 1 and y. The constant is the smallest power of x of
/// trace one, so the polynomial is irreducible. (notes: binary-bases)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Gf256(pub [Gf128; 2]);

operators!(Gf256);

/// The value of `y^2 + y`.
const CONSTANT: Gf128 = Gf128(1 << 121);

struct Product(Gf256, Gf256);

impl Kernel for Product {
    type Output = Gf256;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf256 {
        // SAFETY: by the contract of `run`.
        let (a, b, zero) = unsafe { (self.0.splat::<V>(), self.1.splat::<V>(), V::splat(0)) };
        let [x, y] = Gf256::reduce(Gf256::mac(Gf256::no_sum(zero), a, b));
        Gf256([Gf128(x.first()), Gf128(y.first())])
    }
}

struct Square(Gf256);

impl Kernel for Square {
    type Output = Gf256;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf256 {
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`.
        let ([a, b], zero) = unsafe { (self.0.splat::<V>(), V::splat(0)) };
        // (a + b y)^2 = a^2 + b^2 (y + c).
        let none = <Gf128 as Sums>::no_sum(zero);
        let b = <Gf128 as Sums>::reduce(<Gf128 as Sums>::mac(none, b, b));
        let first = <Gf128 as Sums>::mac(<Gf128 as Sums>::mac(none, a, a), b, zero.same(CONSTANT.0));
        Gf256([Gf128(<Gf128 as Sums>::reduce(first).first()), Gf128(b.first())])
    }
}

impl Gf256 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        clmul::scalar(Product(self, other))
    }
}

impl Gf256 {
    /// The coefficients of each element.
    pub(super) fn arrays(values: &[Self]) -> &[[Gf128; 2]] {
        // SAFETY: `repr(transparent)` over the array, and the borrow is the same.
        unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    }

    /// The mutable form of `arrays`.
    pub(super) fn arrays_mut(values: &mut [Self]) -> &mut [[Gf128; 2]] {
        // SAFETY: as in `arrays`; every array is an element.
        unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
    }
}

impl Field for Gf256 {
    const NAME: &'static str = "gf256";
    const BYTES: usize = 32;
    const ZERO: Self = Self([Gf128(0); 2]);
    const ONE: Self = Self([Gf128(1), Gf128(0)]);

    fn bits() -> f64 {
        256.0
    }

    fn inverse(self) -> Option<Self> {
        // The conjugate over GF(2^128): y goes to y + 1.
        let [a, b] = self.0;
        let norm = a * (a + b) + b.square() * CONSTANT;
        norm.inverse().map(|inverse| Self([(a + b) * inverse, b * inverse]))
    }

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self([Gf128::from_u64(x), Gf128(0)])
    }

    #[inline]
    fn write(self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "one encoding");
        Gf128::write_slice(&self.0, out);
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = <&[u8; 32]>::try_from(bytes).ok()?;
        let (halves, _) = bytes.as_chunks::<16>();
        Some(Self(core::array::from_fn(|i| Gf128(u128::from_le_bytes(halves[i])))))
    }

    const UNIFORM_BYTES: usize = 32;

    fn from_uniform(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes).expect("thirty-two uniform bytes")
    }

    #[inline]
    fn square(self) -> Self {
        clmul::scalar(Square(self))
    }

    rounds::slice_methods!();
}

impl Wide for Gf256 {
    /// Lane `l` of plane `c` has the coefficient `c` of element `l`.
    type Planes<V: Vector> = [V; 2];
    /// For `a = a0 + a1 y` and `b`: the sums of `a0 b0`, of `(a0 + a1)(b0 + b1)` and of `a1 b1` (Karatsuba).
    type Sum<V: Vector> = [[V; 3]; 3];

    #[inline(always)]
    fn per<V: Vector>() -> usize {
        V::LANES
    }

    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const Self) -> [V; 2] {
        let from: *const u8 = from.cast();
        // SAFETY: by the contract; a lane of both vectors takes 32 bytes, one element.
        unsafe { [V::load(from, 32), V::load(from.add(16), 32)] }
    }

    #[inline(always)]
    unsafe fn store<V: Vector>(planes: [V; 2], to: *mut Self) {
        let to: *mut u8 = to.cast();
        // SAFETY: by the contract, as in `load`.
        unsafe {
            planes[0].store(to, 32);
            planes[1].store(to.add(16), 32);
        }
    }

    #[inline(always)]
    unsafe fn splat<V: Vector>(self) -> [V; 2] {
        // SAFETY: by the contract.
        unsafe { [V::splat(self.0[0].0), V::splat(self.0[1].0)] }
    }

    #[inline(always)]
    fn no_sum<V: Vector>(zero: V) -> [[V; 3]; 3] {
        [[zero; 3]; 3]
    }

    #[inline(always)]
    fn add_planes<V: Vector>(a: [V; 2], b: [V; 2]) -> [V; 2] {
        [a[0].xor(b[0]), a[1].xor(b[1])]
    }

    #[inline(always)]
    fn mac<V: Vector>(s: [[V; 3]; 3], [a, b]: [V; 2], [c, d]: [V; 2]) -> [[V; 3]; 3] {
        [
            <Gf128 as Sums>::mac(s[0], a, c),
            <Gf128 as Sums>::mac(s[1], a.xor(b), c.xor(d)),
            <Gf128 as Sums>::mac(s[2], b, d),
        ]
    }

    #[inline(always)]
    fn reduce<V: Vector>([low, mixed, high]: [[V; 3]; 3]) -> [V; 2] {
        let high = <Gf128 as Sums>::reduce(high);
        let constant = high.same(CONSTANT.0);
        let first = <Gf128 as Sums>::mac(low, high, constant);
        [<Gf128 as Sums>::reduce(first), <Gf128 as Sums>::reduce(<Gf128 as Base>::add_sums(low, mixed))]
    }

    #[inline(always)]
    fn split<V: Vector>(a: [V; 2], b: [V; 2]) -> ([V; 2], [V; 2]) {
        let (x, y) = (a[0].split_lanes(b[0]), a[1].split_lanes(b[1]));
        ([x.0, y.0], [x.1, y.1])
    }
}
