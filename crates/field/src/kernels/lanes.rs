//! Vectors of field elements: what the kernels see of the machine.

use core::mem::MaybeUninit;
use core::ops::{Add, AddAssign, Mul, Sub};

use crate::Field;

/// A field with a vector type: that of its library, or the field itself.
pub(crate) trait Vectors: Field {
    /// [`Lanes::WIDTH`] elements, added and multiplied at once.
    type Lanes: Lanes<Self>;
}

/// A vector of [`Lanes::WIDTH`] elements (a power of two), laid out as an array of them.
pub(crate) trait Lanes<F>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
    const WIDTH: usize;

    /// Levels of a transform done in one pass, 1 to 3: as many as leave the factors and remainders in registers.
    const LEVELS: usize;

    fn splat(x: F) -> Self;

    fn from_fn(f: impl FnMut(usize) -> F) -> Self;

    fn lanes(&self) -> &[F];

    /// The whole vectors at the front of a slice, and the rest.
    fn split(values: &[F]) -> (&[Self], &[F]);

    /// The mutable form of [`Lanes::split`].
    fn split_mut(values: &mut [F]) -> (&mut [Self], &mut [F]);

    /// The form of [`Lanes::split_mut`] for memory that holds no values yet.
    fn split_uninit(values: &mut [MaybeUninit<F>]) -> (&mut [MaybeUninit<Self>], &mut [MaybeUninit<F>]);

    /// Exchanges the odd runs of `run` elements of `self` with the even runs of `other`.
    fn interleave(self, other: Self, run: usize) -> (Self, Self);

    /// `sum_i vectors[i] * factors[i]`.
    fn dot<const N: usize>(vectors: &[Self; N], factors: &[Self; N]) -> Self;

    /// `sum_i vectors[i] * factors[i]` with one factor for all lanes of a vector.
    fn mixed_dot<const N: usize>(vectors: &[Self; N], factors: &[F; N]) -> Self;
}

/// Makes a field its own vector type.
macro_rules! scalar_lanes {
    ($F:ty) => {
        impl crate::kernels::lanes::Vectors for $F {
            type Lanes = Self;
        }

        impl crate::kernels::lanes::Lanes<$F> for $F {
            const WIDTH: usize = 1;
            const LEVELS: usize = 3;

            #[inline(always)]
            fn splat(x: $F) -> Self {
                x
            }

            #[inline(always)]
            fn from_fn(mut f: impl FnMut(usize) -> $F) -> Self {
                f(0)
            }

            #[inline(always)]
            fn lanes(&self) -> &[$F] {
                core::slice::from_ref(self)
            }

            #[inline(always)]
            fn split(values: &[$F]) -> (&[Self], &[$F]) {
                (values, &[])
            }

            #[inline(always)]
            fn split_mut(values: &mut [$F]) -> (&mut [Self], &mut [$F]) {
                (values, &mut [])
            }

            #[inline(always)]
            fn split_uninit(
                values: &mut [core::mem::MaybeUninit<$F>],
            ) -> (&mut [core::mem::MaybeUninit<Self>], &mut [core::mem::MaybeUninit<$F>]) {
                (values, &mut [])
            }

            #[inline(always)]
            fn interleave(self, other: Self, _run: usize) -> (Self, Self) {
                (self, other)
            }

            #[inline(always)]
            fn dot<const N: usize>(vectors: &[Self; N], factors: &[Self; N]) -> Self {
                vectors.iter().zip(factors).map(|(&v, &f)| v * f).sum()
            }

            #[inline(always)]
            fn mixed_dot<const N: usize>(vectors: &[Self; N], factors: &[$F; N]) -> Self {
                Self::dot(vectors, factors)
            }
        }
    };
}
pub(crate) use scalar_lanes;
