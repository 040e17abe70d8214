//! blst's arithmetic whose time does not depend on values.

use core::hint::black_box;
use core::ops::{Add, Mul, Sub};

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ff::{BigInt, Field, PrimeField};
use blst::{blst_fr, blst_p1, blst_p1_affine};
use zeroize::Zeroizing;

use super::{from_fp, to_fp, to_p1};
use crate::limbs;

/// An element of BLS12-381's scalar field, the base field of Bandersnatch: four words, as arkworks has them.
#[derive(Clone, Copy)]
pub(crate) struct Base(blst_fr);

impl From<Fr> for Base {
    fn from(x: Fr) -> Self {
        Self(blst_fr { l: x.0.0 })
    }
}

impl From<Base> for Fr {
    fn from(x: Base) -> Self {
        Self::new_unchecked(BigInt(x.0.l))
    }
}

impl Base {
    pub fn zero() -> Self {
        Self(blst_fr::default())
    }

    pub fn one() -> Self {
        Fr::ONE.into()
    }

    #[inline(always)]
    pub fn words(&self) -> &[u64; 4] {
        &self.0.l
    }

    /// The element of four words, in Montgomery's form and reduced.
    #[inline(always)]
    pub fn from_words(words: [u64; 4]) -> Self {
        Self(blst_fr { l: words })
    }

    pub fn square(self) -> Self {
        let mut square = blst_fr::default();
        // SAFETY: the first can be written, the second read.
        unsafe { blst::blst_fr_sqr(&raw mut square, &self.0) };
        Self(square)
    }

    /// `1/x`, and 0 of 0.
    pub fn inverse(self) -> Self {
        let mut inverse = blst_fr::default();
        // SAFETY: the first can be written, the second read.
        unsafe { blst::blst_fr_inverse(&raw mut inverse, &self.0) };
        Self(inverse)
    }
}

const ORDER: [u64; 4] = Fr::MODULUS.0;

/// A number that is `order` too small if there was a borrow.
#[inline(always)]
fn reduced(words: [u64; 4], borrow: u8) -> Base {
    // What the compiler does not know to be 0 or all ones it cannot turn into a branch.
    let mask = black_box(u64::from(borrow).wrapping_neg());
    Base::from_words(limbs::sum(&words, &ORDER.map(|word| word & mask)).0)
}

/// Inline, in place of calls of blst's, which take longer than the sum.
impl Add for Base {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // Below 2^256: the order has 255 bits.
        let (sum, _) = limbs::sum(self.words(), other.words());
        let (words, borrow) = limbs::difference(&sum, &ORDER);
        reduced(words, borrow)
    }
}

impl Sub for Base {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let (words, borrow) = limbs::difference(self.words(), other.words());
        reduced(words, borrow)
    }
}

impl Mul for Base {
    type Output = Self;

    #[inline(always)]
    fn mul(mut self, other: Self) -> Self {
        let a = self.0;
        // SAFETY: the first can be written, the others read.
        unsafe { blst::blst_fr_mul(&raw mut self.0, &a, &other.0) };
        self
    }
}

/// Jacobian coordinates in both libraries.
fn to_jacobian(p: &G1Projective) -> blst_p1 {
    blst_p1 { x: to_fp(&p.x), y: to_fp(&p.y), z: to_fp(&p.z) }
}

fn from_jacobian(p: &blst_p1) -> G1Projective {
    G1Projective::new_unchecked(from_fp(&p.x), from_fp(&p.y), from_fp(&p.z))
}

/// `k p`, for `p` in the subgroup: blst splits `k` by the endomorphism.
pub(crate) fn g1_times(p: &G1Projective, k: &Fr) -> G1Projective {
    let mut scalar = Zeroizing::new([0; 32]);
    for (bytes, word) in scalar.chunks_exact_mut(8).zip(k.into_bigint().0) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    let mut product = blst_p1::default();
    // SAFETY: the first can be written, the second read, and 255 bits are 32 bytes.
    unsafe { blst::blst_p1_mult(&raw mut product, &to_jacobian(p), scalar.as_ptr(), 255) };
    from_jacobian(&product)
}

/// `p + q` for any two points.
pub(crate) fn g1_add(p: &G1Projective, q: &G1Affine) -> G1Projective {
    let mut sum = blst_p1::default();
    // SAFETY: the first can be written, the others read.
    unsafe { blst::blst_p1_add_or_double_affine(&raw mut sum, &to_jacobian(p), &to_p1(q)) };
    from_jacobian(&sum)
}

/// `p + q` for any two points.
pub(crate) fn g1_sum(p: &G1Projective, q: &G1Projective) -> G1Projective {
    let mut sum = blst_p1::default();
    // SAFETY: the first can be written, the others read.
    unsafe { blst::blst_p1_add_or_double(&raw mut sum, &to_jacobian(p), &to_jacobian(q)) };
    from_jacobian(&sum)
}

/// `p` becomes `2^times p`.
pub(crate) fn g1_double(p: &mut G1Projective, times: usize) {
    let mut double = to_jacobian(p);
    let place = &raw mut double;
    // SAFETY: the point can be read and written, and the summand may be the sum.
    (0..times).for_each(|_| unsafe { blst::blst_p1_double(place, place) });
    *p = from_jacobian(&double);
}

/// The affine forms of points that are not the identity, with one inversion.
pub(crate) fn g1_affine<const N: usize>(points: &[G1Projective; N]) -> [G1Affine; N] {
    let points = points.each_ref().map(to_jacobian);
    let places = points.each_ref().map(|p| p as *const blst_p1);
    let mut affine = [blst_p1_affine::default(); N];
    // SAFETY: so many points can be written, and so many of those whose places come second can be read.
    unsafe { blst::blst_p1s_to_affine(affine.as_mut_ptr(), places.as_ptr(), N) };
    affine.each_ref().map(|p| G1Affine::new_unchecked(from_fp(&p.x), from_fp(&p.y)))
}
