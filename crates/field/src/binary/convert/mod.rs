//! The isomorphisms between the tower and the polynomial bases, as bit matrices.
//!
//! (notes: binary-isomorphisms)

#[cfg(target_arch = "x86_64")]
mod gfni256;
#[cfg(target_arch = "x86_64")]
mod gfni512;
mod matrix;

use super::tower::{Tower64, Tower128};
use super::wide::Base;
use crate::{Field, Gf64, Gf128, Once};
use alloc::vec::Vec;
pub(super) use matrix::{Matrix, Tier, Word};

/// The images of the generator `x` of GF(2^8) and of `Y_0`, `Y_1`, ...: at each step the root of the smallest integer
/// value, which the tests derive.
const IMAGES64: [u64; 4] =
    [0x033c_e8be_ddc8_a656, 0xe301_b28c_bcf1_9872, 0xef36_9fbb_b3bd_406e, 0xbf60_38aa_457c_e224];
const IMAGES128: [u128; 5] = [
    0x053d_8555_a997_9a1c_a13f_e8ac_5560_ce0d,
    0x8312_9489_0089_3ae7_751f_fc33_c7ed_2178,
    0x867e_1f74_850b_c7a1_4cec_07b3_4c9c_7c7a,
    0x1107_3d18_bbd3_640c_52c1_dc09_2088_b570,
    0xb2bd_f609_9437_2939_74e0_db13_3367_1c5e,
];

/// The images of the bits of a tower element: `x^i` times the generators `Y_k` for the bits `k` of the byte's number.
fn columns<P: Field>(images: &[P]) -> Vec<P> {
    let (&x, generators) = images.split_first().expect("the generator of GF(2^8)");
    let mut columns: Vec<P> = (0..8).map(|i| x.pow(i)).collect();
    for &y in generators {
        let upper: Vec<P> = columns.iter().map(|&column| column * y).collect();
        columns.extend(upper);
    }
    columns
}

/// Both directions: to the polynomial basis, and back to what is converted to it, the tower mostly.
struct Pair {
    to_poly: Matrix,
    to_tower: Matrix,
}

impl Pair {
    fn new(columns: &[u128]) -> Self {
        Self { to_poly: Matrix::new(columns), to_tower: Matrix::new(&matrix::inverse(columns)) }
    }
}

fn pair64() -> &'static Pair {
    static PAIR: Once<Pair> = Once::new();
    PAIR.get(|| {
        let columns = columns(&IMAGES64.map(Gf64));
        Pair::new(&columns.iter().map(|x| x.0.into()).collect::<Vec<_>>())
    })
}

fn pair128() -> &'static Pair {
    static PAIR: Once<Pair> = Once::new();
    PAIR.get(|| {
        let columns = columns(&IMAGES128.map(Gf128));
        Pair::new(&columns.iter().map(|x| x.0).collect::<Vec<_>>())
    })
}

/// From pairs over the polynomial form of GF(2^64) to the polynomial basis of GF(2^128), and back.
fn pair_of_halves() -> &'static Pair {
    static PAIR: Once<Pair> = Once::new();
    PAIR.get(|| {
        let image = |bit: usize| {
            let half = pair64().to_tower.apply(1 << (bit % 64));
            pair128().to_poly.apply(half << (bit / 64 * 64))
        };
        Pair::new(&(0..128).map(image).collect::<Vec<_>>())
    })
}

/// The images in GF(2^64) of both halves of tower elements; the slices have one length.
pub(super) fn images_of_halves<T: Word>(from: &[Tower128], to: &mut [T]) {
    pair64().to_poly.apply_words(from, to);
}

/// Pairs of such images for elements in the polynomial basis; the slices have one length.
pub(super) fn poly_to_halves<T: Word>(from: &[Gf128], to: &mut [T]) {
    pair_of_halves().to_tower.apply_words(from, to);
}

/// The inverse of [`poly_to_halves`].
pub(super) fn halves_to_poly<S: Word>(from: &[S], to: &mut [Gf128]) {
    pair_of_halves().to_poly.apply_words(from, to);
}

/// A field of the tower, and its polynomial form.
pub trait Tower: Field {
    type Poly: Base;

    /// One element.
    fn poly(self) -> Self::Poly;

    /// Elements side by side; the slices have one length.
    fn to_poly(from: &[Self], to: &mut [Self::Poly]);

    /// The inverse of [`Tower::to_poly`].
    fn to_tower(from: &[Self::Poly], to: &mut [Self]);
}

impl Tower for Tower64 {
    type Poly = Gf64;

    #[inline]
    fn poly(self) -> Gf64 {
        Gf64(pair64().to_poly.apply(self.0.into()) as u64)
    }

    fn to_poly(from: &[Self], to: &mut [Gf64]) {
        pair64().to_poly.apply_words(from, to);
    }

    fn to_tower(from: &[Gf64], to: &mut [Self]) {
        pair64().to_tower.apply_words(from, to);
    }
}

impl Tower for Tower128 {
    type Poly = Gf128;

    #[inline]
    fn poly(self) -> Gf128 {
        Gf128(pair128().to_poly.apply(self.0))
    }

    fn to_poly(from: &[Self], to: &mut [Gf128]) {
        pair128().to_poly.apply_words(from, to);
    }

    fn to_tower(from: &[Gf128], to: &mut [Self]) {
        pair128().to_tower.apply_words(from, to);
    }
}

impl Gf64 {
    /// The images of tower elements under the isomorphism. A table look-up for each four bits, or 8 affine
    /// instructions for 8 elements.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn from_tower(from: &[Tower64], to: &mut [Self]) {
        Tower64::to_poly(from, to);
    }

    /// The inverse of [`Gf64::from_tower`].
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn to_tower(from: &[Self], to: &mut [Tower64]) {
        Tower64::to_tower(from, to);
    }
}

impl From<Tower64> for Gf64 {
    fn from(x: Tower64) -> Self {
        x.poly()
    }
}

impl From<Gf64> for Tower64 {
    fn from(x: Gf64) -> Self {
        Self(pair64().to_tower.apply(x.0.into()) as u64)
    }
}

impl Gf128 {
    /// The images of tower elements under the isomorphism. A table look-up for each four bits, or 32 affine
    /// instructions for 8 elements.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn from_tower(from: &[Tower128], to: &mut [Self]) {
        Tower128::to_poly(from, to);
    }

    /// The inverse of [`Gf128::from_tower`].
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn to_tower(from: &[Self], to: &mut [Tower128]) {
        Tower128::to_tower(from, to);
    }
}

impl From<Tower128> for Gf128 {
    fn from(x: Tower128) -> Self {
        x.poly()
    }
}

impl From<Gf128> for Tower128 {
    fn from(x: Gf128) -> Self {
        Self(pair128().to_tower.apply(x.0))
    }
}

#[cfg(test)]
mod tests;
