//! GF(2^128) as pairs over the polynomial form of GF(2^64), for combinations of many tower elements.
//!
//! ```text
//!   lo + hi Y in the tower  ─►  (image of lo, image of hi)     Y^2 = Y + d, as there
//! ```
//! The image of a half takes 8 affine instructions for 8 words, half as many for an element as its image in the polynomial basis of
//! GF(2^128), and products are those of words in both. Weights and sums, which are fewer than the elements, change between the two.
//! (notes: binary-halves)

use core::ops::AddAssign;

use super::clmul::Vector;
use super::convert::{self, Word};
use super::tower::Tower128;
use super::wide::{Sums, sums_of_words};
use crate::{Gf64, Gf128};
use alloc::vec::Vec;

/// An element `lo + hi Y`: the image of `lo` in GF(2^64) in the low word, that of `hi` in the high one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Halves(u128);

/// The image of the constant `d` in `Y^2 = Y + d`.
const CONSTANT: u64 = 0x717c_ab78_bd3a_f927;

// SAFETY: `repr(transparent)` over `u128`, of which all values are elements.
unsafe impl Word for Halves {
    fn integer(self) -> u128 {
        self.0
    }

    fn from_integer(x: u128) -> Self {
        Self(x)
    }
}

impl AddAssign for Halves {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = self.sum(other);
    }
}

impl Halves {
    #[inline]
    fn sum(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// The images of tower elements; the slices have one length.
    pub fn from_tower(from: &[Tower128], to: &mut [Self]) {
        convert::images_of_halves(from, to);
    }

    /// The elements that these are in the polynomial basis.
    pub fn from_poly(values: &[Gf128]) -> Vec<Self> {
        let mut halves = vec![Self::default(); values.len()];
        convert::poly_to_halves(values, &mut halves);
        halves
    }

    /// Adds sums to elements in the polynomial basis.
    pub fn add_to(sums: &[Self], out: &mut [Gf128]) {
        let mut values = vec![Gf128::default(); sums.len()];
        convert::halves_to_poly(sums, &mut values);
        out.iter_mut().zip(values).for_each(|(out, value)| *out += value);
    }
}

impl Sums for Halves {
    sums_of_words!();

    #[inline(always)]
    fn reduce<V: Vector>([low, mixed, high]: [V; 3]) -> V {
        // low + (mixed - low - high) Y + high (Y + d)
        let image = Gf64::reduce([high, high]);
        let low_and_constant = low.xor(image.clmul::<0x00>(image.same(CONSTANT.into())));
        Gf64::reduce([low_and_constant, mixed.xor(low)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::tower::{D0, Tower64};

    #[test]
    fn the_constant_is_the_image_of_the_towers() {
        assert_eq!(Gf64::from(Tower64(u64::from(D0) << 56)), Gf64(CONSTANT));
    }
}
