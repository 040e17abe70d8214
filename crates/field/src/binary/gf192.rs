//! GF(2^192) over GF(2^64).

use super::clmul::{self, Kernel, Vector};
use super::gf64::{self, Gf64};
use super::operators::operators;
use super::rounds;
use super::wide::{Sums, Wide};
use crate::Field;
use alloc::vec::Vec;

/// [`Gf64`]\[y\] modulo `y^3 + y + 1`: the coefficients of 1, y and y^2. Irreducible, as GF(8) is not in GF(2^64).
/// (notes: binary-bases)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Gf192(pub [Gf64; 3]);

operators!(Gf192);

/// From the products of Karatsuba to coefficients: `p[i] = a_i b_i`, then `(a_i + a_j)(b_i + b_j)` for the pairs
/// 01, 02, 12. Uses `y^3 = y + 1` and `y^4 = y^2 + y`.
#[inline(always)]
fn coefficients<V: Vector>(p: [V; 6]) -> [V; 3] {
    let (low, mixed) = (p[0].xor(p[1]), p[0].xor(p[5]));
    [low.xor(p[2]).xor(p[5]), mixed.xor(p[3]), low.xor(p[4])]
}

/// Two coefficients in a lane.
#[inline(always)]
fn lane(low: Gf64, high: Gf64) -> u128 {
    u128::from(high.0) << 64 | u128::from(low.0)
}

struct Product(Gf192, Gf192);

impl Kernel for Product {
    type Output = Gf192;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf192 {
        let ([a, b, c], [d, e, f]) = (self.0.0, self.1.0);
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`.
        let (x, z, u, w) = unsafe {
            (V::splat(lane(a, b)), V::splat(c.0.into()), V::splat(lane(d, e)), V::splat(f.0.into()))
        };
        let (y, v) = (x.swap(), u.swap());
        let [x, y, z] = coefficients([
            x.clmul::<0x00>(u),
            x.clmul::<0x11>(u),
            z.clmul::<0x00>(w),
            x.xor(y).clmul::<0x00>(u.xor(v)),
            x.xor(z).clmul::<0x00>(u.xor(w)),
            y.xor(z).clmul::<0x00>(v.xor(w)),
        ]);
        Gf192([gf64::reduce(x.first()), gf64::reduce(y.first()), gf64::reduce(z.first())])
    }
}

struct Square(Gf192);

impl Kernel for Square {
    type Output = Gf192;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf192 {
        let [a, b, c] = self.0.0;
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`.
        let (x, z) = unsafe { (V::splat(lane(a, b)), V::splat(c.0.into())) };
        let a = gf64::reduce(x.clmul::<0x00>(x).first());
        let b = gf64::reduce(x.clmul::<0x11>(x).first());
        let c = gf64::reduce(z.clmul::<0x00>(z).first());
        // y^2 and y^4 = y^2 + y.
        Gf192([a, c, b + c])
    }
}

impl Gf192 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        clmul::scalar(Product(self, other))
    }
}

impl Gf192 {
    /// The coefficients of each element.
    pub(super) fn arrays(values: &[Self]) -> &[[Gf64; 3]] {
        // SAFETY: `repr(transparent)` over the array, and the borrow is the same.
        unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    }

    /// The mutable form of `arrays`.
    pub(super) fn arrays_mut(values: &mut [Self]) -> &mut [[Gf64; 3]] {
        // SAFETY: as in `arrays`; every array is an element.
        unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
    }
}

impl Field for Gf192 {
    const NAME: &'static str = "gf192";
    const BYTES: usize = 24;
    const ZERO: Self = Self([Gf64(0); 3]);
    const ONE: Self = Self([Gf64(1), Gf64(0), Gf64(0)]);

    fn bits() -> f64 {
        192.0
    }

    fn inverse(self) -> Option<Self> {
        // The conjugates over GF(2^64): y goes to y^(2^64) = y^2, as GF(8) has three automorphisms and 64 = 1 mod 3.
        let [a, b, c] = self.0;
        let conjugates = Self([a, c, b + c]).product(Self([a, b + c, b]));
        let norm = self.product(conjugates).0[0];
        norm.inverse().map(|inverse| Self(conjugates.0.map(|x| x * inverse)))
    }

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self([Gf64::from_u64(x), Gf64(0), Gf64(0)])
    }

    #[inline]
    fn write(self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "one encoding");
        Gf64::write_slice(&self.0, out);
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = <&[u8; 24]>::try_from(bytes).ok()?;
        let (words, _) = bytes.as_chunks::<8>();
        Some(Self(core::array::from_fn(|i| Gf64(u64::from_le_bytes(words[i])))))
    }

    const UNIFORM_BYTES: usize = 24;

    fn from_uniform(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes).expect("twenty-four uniform bytes")
    }

    #[inline]
    fn square(self) -> Self {
        clmul::scalar(Square(self))
    }

    rounds::slice_methods!();
}

impl Wide for Gf192 {
    /// Lane `l` of plane `c` has the coefficient `c` of the elements `2l` and `2l + 1`.
    type Planes<V: Vector> = [V; 3];
    type Sum<V: Vector> = [[V; 2]; 6];

    #[inline(always)]
    fn per<V: Vector>() -> usize {
        2 * V::LANES
    }

    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const Self) -> [V; 3] {
        let from: *const u8 = from.cast();
        // SAFETY: by the contract; a lane of the three vectors takes 48 bytes, two elements.
        let (x, y, z) = unsafe { (V::load(from, 48), V::load(from.add(16), 48), V::load(from.add(32), 48)) };
        // x = (a0, a1), y = (a2, b0), z = (b1, b2).
        [x.low_words(y.swap()), x.swap().low_words(z), y.low_words(z.swap())]
    }

    #[inline(always)]
    unsafe fn store<V: Vector>([p, q, r]: [V; 3], to: *mut Self) {
        let to: *mut u8 = to.cast();
        // SAFETY: by the contract, as in `load`.
        unsafe {
            p.low_words(q).store(to, 48);
            r.low_words(p.swap()).store(to.add(16), 48);
            q.high_words(r).store(to.add(32), 48);
        }
    }

    #[inline(always)]
    unsafe fn splat<V: Vector>(self) -> [V; 3] {
        // SAFETY: by the contract.
        unsafe { [V::splat(self.0[0].lane()), V::splat(self.0[1].lane()), V::splat(self.0[2].lane())] }
    }

    #[inline(always)]
    fn no_sum<V: Vector>(zero: V) -> [[V; 2]; 6] {
        [[zero; 2]; 6]
    }

    #[inline(always)]
    fn add_planes<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 3] {
        [a[0].xor(b[0]), a[1].xor(b[1]), a[2].xor(b[2])]
    }

    #[inline(always)]
    fn mac<V: Vector>(s: [[V; 2]; 6], [a, b, c]: [V; 3], [d, e, f]: [V; 3]) -> [[V; 2]; 6] {
        [
            <Gf64 as Sums>::mac(s[0], a, d),
            <Gf64 as Sums>::mac(s[1], b, e),
            <Gf64 as Sums>::mac(s[2], c, f),
            <Gf64 as Sums>::mac(s[3], a.xor(b), d.xor(e)),
            <Gf64 as Sums>::mac(s[4], a.xor(c), d.xor(f)),
            <Gf64 as Sums>::mac(s[5], b.xor(c), e.xor(f)),
        ]
    }

    #[inline(always)]
    fn reduce<V: Vector>(sum: [[V; 2]; 6]) -> [V; 3] {
        let [p, q, r, s, t, u] = sum;
        let low = coefficients([p[0], q[0], r[0], s[0], t[0], u[0]]);
        let high = coefficients([p[1], q[1], r[1], s[1], t[1], u[1]]);
        [
            <Gf64 as Sums>::reduce([low[0], high[0]]),
            <Gf64 as Sums>::reduce([low[1], high[1]]),
            <Gf64 as Sums>::reduce([low[2], high[2]]),
        ]
    }

    #[inline(always)]
    fn split<V: Vector>(a: [V; 3], b: [V; 3]) -> ([V; 3], [V; 3]) {
        let (x, y, z) = (a[0].split_words(b[0]), a[1].split_words(b[1]), a[2].split_words(b[2]));
        ([x.0, y.0, z.0], [x.1, y.1, z.1])
    }
}
