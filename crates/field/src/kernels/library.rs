//! The vectors of the outside library, of the instructions that the whole build is for: on x86-64 usually one element, on aarch64 those of NEON.

use core::array::from_fn;
use core::ops::{Add, AddAssign, Mul, Sub};

use p3_field::{Algebra, PackedFieldPow2, PackedValue, PrimeCharacteristicRing};

use super::lanes::Lanes;

/// A vector of Plonky3.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Library<F: p3_field::Field>(F::Packing);

impl<F: p3_field::Field> Add for Library<F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<F: p3_field::Field> AddAssign for Library<F> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<F: p3_field::Field> Sub for Library<F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<F: p3_field::Field> Mul for Library<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

// SAFETY: a vector of Plonky3 is a transparent array of `WIDTH` elements.
unsafe impl<F: p3_field::Field> Lanes<F> for Library<F>
where
    F::Packing: PackedFieldPow2,
{
    const WIDTH: usize = <F::Packing as PackedValue>::WIDTH;
    // A product of 64-bit elements takes a dozen registers: measured, 1.2 times faster than three levels.
    const LEVELS: usize = if size_of::<F>() == 4 { 3 } else { 1 };

    #[inline(always)]
    unsafe fn splat(x: F) -> Self {
        Self(x.into())
    }

    #[inline(always)]
    fn interleave(self, other: Self, run: usize) -> (Self, Self) {
        let (a, b) = self.0.interleave(other.0, run);
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn dot<const N: usize>(vectors: &[Self; N], factors: &[Self; N]) -> Self {
        Self(F::Packing::dot_product(&from_fn::<_, N, _>(|i| vectors[i].0), &from_fn(|i| factors[i].0)))
    }

    #[inline(always)]
    fn mixed_dot<const N: usize>(vectors: &[Self; N], factors: &[F; N]) -> Self {
        Self(<F::Packing as Algebra<F>>::mixed_dot_product(&from_fn::<_, N, _>(|i| vectors[i].0), factors))
    }
}
