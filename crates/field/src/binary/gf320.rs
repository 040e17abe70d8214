//! GF(2^320) over GF(2^64).

use super::clmul::{self, Kernel, Vector};
use super::gf64::{self, Gf64};
use super::operators::operators;
use super::rounds;
use super::wide::{Base, Sums, Wide};
use crate::Field;
use alloc::vec::Vec;

/// [`Gf64`]\[y\] modulo `y^5 + y^2 + 1`: the coefficients of 1, y, ..., y^4. Irreducible over GF(2), and 5 does not divide 64.
/// (notes: binary-bases)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Gf320(pub [Gf64; 5]);

operators!(Gf320);

/// Products of sums of coefficients in one product of elements: no fewer will do. (notes: binary-bases)
const PRODUCTS: usize = 13;

/// The sums of coefficients that are multiplied, one sum of each factor for each product: of the coefficients
/// 0, 1, 01, 2, 02, 3, 023, 4, 24, 124, 34, 0134, 01234.
#[inline(always)]
fn sums<V: Vector>([a, b, c, d, e]: [V; 5]) -> [V; PRODUCTS] {
    let (ab, ac, ce, de) = (a.xor(b), a.xor(c), c.xor(e), d.xor(e));
    let abde = ab.xor(de);
    [a, b, ab, c, ac, d, ac.xor(d), e, ce, b.xor(ce), de, abde, abde.xor(c)]
}

/// From the products of both factors' [`sums`] to coefficients.
#[inline(always)]
fn coefficients<V: Vector>(p: [V; PRODUCTS]) -> [V; 5] {
    let low = p[0].xor(p[1]).xor(p[2]);
    let middle = p[5].xor(p[7]);
    let high = p[11].xor(p[12]);
    let both = high.xor(p[9]);
    [
        both.xor(p[1]).xor(p[3].xor(p[4])),
        low.xor(middle).xor(p[3].xor(p[8])),
        both.xor(middle).xor(p[10]),
        high.xor(p[0]).xor(p[6].xor(p[7])),
        low.xor(p[6]).xor(p[9].xor(p[12])),
    ]
}

/// Vectors whose lanes have the coefficients in their low words.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn low_words<V: Vector>([a, b, c, d, e]: [Gf64; 5]) -> [V; 5] {
    // SAFETY: by the contract.
    unsafe {
        [
            V::splat(a.0.into()),
            V::splat(b.0.into()),
            V::splat(c.0.into()),
            V::splat(d.0.into()),
            V::splat(e.0.into()),
        ]
    }
}

struct Product(Gf320, Gf320);

impl Kernel for Product {
    type Output = Gf320;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf320 {
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`.
        let (mut products, factors) = unsafe { (sums::<V>(low_words(self.0.0)), sums(low_words(self.1.0))) };
        for (product, factor) in products.iter_mut().zip(factors) {
            *product = product.clmul::<0x00>(factor);
        }
        Gf320(coefficients(products).map(|x| gf64::reduce(x.first())))
    }
}

struct Square(Gf320);

impl Kernel for Square {
    type Output = Gf320;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Gf320 {
        // SAFETY: the CPU has the instructions of `V`, by the contract of `run`.
        let mut words = unsafe { low_words::<V>(self.0.0) };
        for word in &mut words {
            *word = word.clmul::<0x00>(*word);
        }
        Gf320(words.map(|x| gf64::reduce(x.first()))).y_squared()
    }
}

impl Gf320 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        clmul::scalar(Product(self, other))
    }

    /// The image under the automorphism over GF(2^64) that takes y to y^2, by `y^6 = y^3 + y` and `y^8 = y^3 + y^2 + 1`.
    #[inline(always)]
    fn y_squared(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Self([a + e, d, b + e, d + e, c])
    }
}

impl Gf320 {
    /// The coefficients of each element.
    pub(super) fn arrays(values: &[Self]) -> &[[Gf64; 5]] {
        // SAFETY: `repr(transparent)` over the array, and the borrow is the same.
        unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    }

    /// The mutable form of `arrays`.
    pub(super) fn arrays_mut(values: &mut [Self]) -> &mut [[Gf64; 5]] {
        // SAFETY: as in `arrays`; every array is an element.
        unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
    }
}

impl Field for Gf320 {
    const NAME: &'static str = "gf320";
    const BYTES: usize = 40;
    const ZERO: Self = Self([Gf64(0); 5]);
    const ONE: Self = Self([Gf64(1), Gf64(0), Gf64(0), Gf64(0), Gf64(0)]);

    fn bits() -> f64 {
        320.0
    }

    fn inverse(self) -> Option<Self> {
        // The conjugates over GF(2^64): y goes to y^2, y^4, y^8, y^16. (The Frobenius map y -> y^(2^64) is the last of
        // them: y has order 31, of which 2 has order 5, and 64 = 4 mod 5. The others are its powers.)
        let first = self.y_squared();
        let two = first.product(first.y_squared());
        let conjugates = two.product(two.y_squared().y_squared());
        let norm = self.product(conjugates).0[0];
        norm.inverse().map(|inverse| Self(conjugates.0.map(|x| x * inverse)))
    }

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self([Gf64::from_u64(x), Gf64(0), Gf64(0), Gf64(0), Gf64(0)])
    }

    #[inline]
    fn write(self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "one encoding");
        Gf64::write_slice(&self.0, out);
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = <&[u8; 40]>::try_from(bytes).ok()?;
        let (words, _) = bytes.as_chunks::<8>();
        Some(Self(core::array::from_fn(|i| Gf64(u64::from_le_bytes(words[i])))))
    }

    const UNIFORM_BYTES: usize = 40;

    fn from_uniform(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes).expect("forty uniform bytes")
    }

    #[inline]
    fn square(self) -> Self {
        clmul::scalar(Square(self))
    }

    rounds::slice_methods!();
}

impl Wide for Gf320 {
    /// Lane `l` of plane `c` has the coefficient `c` of the elements `2l` and `2l + 1`.
    type Planes<V: Vector> = [V; 5];
    /// For each coefficient the base's sum: those of the thirteen products would take most registers.
    type Sum<V: Vector> = [[V; 2]; 5];

    #[inline(always)]
    fn per<V: Vector>() -> usize {
        2 * V::LANES
    }

    #[inline(always)]
    unsafe fn load<V: Vector>(from: *const Self) -> [V; 5] {
        let from: *const u8 = from.cast();
        // SAFETY: by the contract; a lane of the five vectors takes 80 bytes, two elements.
        let [v, w, x, y, z] = unsafe {
            [
                V::load(from, 80),
                V::load(from.add(16), 80),
                V::load(from.add(32), 80),
                V::load(from.add(48), 80),
                V::load(from.add(64), 80),
            ]
        };
        // v = (a0, a1), w = (a2, a3), x = (a4, b0), y = (b1, b2), z = (b3, b4).
        [
            v.low_words(x.swap()),
            v.swap().low_words(y),
            w.low_words(y.swap()),
            w.swap().low_words(z),
            x.low_words(z.swap()),
        ]
    }

    #[inline(always)]
    unsafe fn store<V: Vector>([p, q, r, s, t]: [V; 5], to: *mut Self) {
        let to: *mut u8 = to.cast();
        // SAFETY: by the contract, as in `load`.
        unsafe {
            p.low_words(q).store(to, 80);
            r.low_words(s).store(to.add(16), 80);
            t.low_words(p.swap()).store(to.add(32), 80);
            q.high_words(r).store(to.add(48), 80);
            s.high_words(t).store(to.add(64), 80);
        }
    }

    #[inline(always)]
    unsafe fn splat<V: Vector>(self) -> [V; 5] {
        let [a, b, c, d, e] = self.0;
        // SAFETY: by the contract.
        unsafe {
            [
                V::splat(a.lane()),
                V::splat(b.lane()),
                V::splat(c.lane()),
                V::splat(d.lane()),
                V::splat(e.lane()),
            ]
        }
    }

    #[inline(always)]
    fn no_sum<V: Vector>(zero: V) -> [[V; 2]; 5] {
        [[zero; 2]; 5]
    }

    #[inline(always)]
    fn add_planes<V: Vector>(a: [V; 5], b: [V; 5]) -> [V; 5] {
        [a[0].xor(b[0]), a[1].xor(b[1]), a[2].xor(b[2]), a[3].xor(b[3]), a[4].xor(b[4])]
    }

    #[inline(always)]
    fn mac<V: Vector>(mut sum: [[V; 2]; 5], a: [V; 5], b: [V; 5]) -> [[V; 2]; 5] {
        let (a, b) = (sums(a), sums(b));
        let (mut low, mut high) = (a, a);
        for ((low, high), b) in low.iter_mut().zip(&mut high).zip(&b) {
            (*low, *high) = (low.clmul::<0x00>(*b), high.clmul::<0x11>(*b));
        }
        let (low, high) = (coefficients(low), coefficients(high));
        for (sum, (low, high)) in sum.iter_mut().zip(low.iter().zip(&high)) {
            *sum = <Gf64 as Base>::add_sums(*sum, [*low, *high]);
        }
        sum
    }

    #[inline(always)]
    fn reduce<V: Vector>([a, b, c, d, e]: [[V; 2]; 5]) -> [V; 5] {
        let reduce = <Gf64 as Sums>::reduce::<V>;
        [reduce(a), reduce(b), reduce(c), reduce(d), reduce(e)]
    }

    #[inline(always)]
    fn split<V: Vector>(a: [V; 5], b: [V; 5]) -> ([V; 5], [V; 5]) {
        let (mut even, mut odd) = (a, b);
        for (even, odd) in even.iter_mut().zip(&mut odd) {
            (*even, *odd) = even.split_words(*odd);
        }
        (even, odd)
    }
}
