//! Vectors of field elements: what the kernels see of the machine.
//!
//! A kernel is written once, over [`Lanes`]. [`Vectors::run`] runs it with the lanes of a tier, inside one function that is compiled
//! with the tier's instructions. So everything between that function and the arithmetic is `#[inline(always)]` and without closures:
//! a closure, or a function of the standard library that is given one, is compiled with the instructions of the whole build, and
//! arithmetic in it becomes calls.

use core::ops::{Add, AddAssign, Mul, Sub};

use crate::Field;
use crate::cpu::Tier;

/// The most elements of any vector.
pub(crate) const MAX_LANES: usize = 16;

/// A field whose kernels have lanes.
pub(crate) trait Vectors: Field {
    /// Runs a kernel with the lanes of a tier, or of the next below that the field has lanes for.
    ///
    /// # Panics
    /// If the tier is not in use ([`Tier::available`]).
    fn run<K: Kernel<Self>>(tier: Tier, kernel: K) -> K::Output;
}

/// A computation over the lanes of any tier.
pub(crate) trait Kernel<F> {
    type Output;

    /// The computation. `#[inline(always)]` and free of closures, so that it is compiled with the instructions of its caller.
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn run<L: Lanes<F>>(self) -> Self::Output;
}

/// What lanes look like from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneShape {
    /// [`Lanes::WIDTH`].
    pub width: usize,
    /// [`Lanes::LEVELS`].
    pub levels: usize,
}

impl LaneShape {
    /// The shape of a tier's lanes.
    pub(crate) fn new<F: Vectors>(tier: Tier) -> Self {
        F::run(tier, Ask)
    }
}

struct Ask;

impl<F> Kernel<F> for Ask {
    type Output = LaneShape;

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) -> LaneShape {
        LaneShape { width: L::WIDTH, levels: L::LEVELS }
    }
}

/// A vector of [`Lanes::WIDTH`] elements (a power of two, at most [`MAX_LANES`]).
///
/// A value exists only where the instructions do: what makes values is unsafe, the rest is safe.
///
/// # Safety
/// The type has the layout and the validity of `[F; WIDTH]`.
pub(crate) unsafe trait Lanes<F>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
    const WIDTH: usize;

    /// Levels of a transform done in one pass, 1 to 3: as many as leave the factors and remainders in registers.
    const LEVELS: usize;

    /// The same element in every lane.
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    unsafe fn splat(x: F) -> Self;

    /// The first [`Lanes::WIDTH`] elements.
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    #[inline(always)]
    unsafe fn load(values: &[F]) -> Self {
        assert!(values.len() >= Self::WIDTH, "as many elements as lanes");
        // SAFETY: the type has the layout of as many elements, which are there by the line above.
        unsafe { values.as_ptr().cast::<Self>().read_unaligned() }
    }

    /// The elements.
    #[inline(always)]
    fn lanes(&self) -> &[F] {
        // SAFETY: the type is an array of `WIDTH` elements.
        unsafe { core::slice::from_raw_parts(core::ptr::from_ref(self).cast(), Self::WIDTH) }
    }

    /// The whole vectors at the front of a slice, and the rest.
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    #[inline(always)]
    unsafe fn split(values: &[F]) -> (&[Self], &[F]) {
        const {
            assert!(
                align_of::<Self>() == align_of::<F>() && size_of::<Self>() == Self::WIDTH * size_of::<F>()
            )
        };
        let count = values.len() / Self::WIDTH;
        let rest = &values[count * Self::WIDTH..];
        // SAFETY: the type is an array of `WIDTH` elements, and `count * WIDTH <= values.len()` of them are borrowed.
        (unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), count) }, rest)
    }

    /// The mutable form of [`Lanes::split`].
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    #[inline(always)]
    unsafe fn split_mut(values: &mut [F]) -> (&mut [Self], &mut [F]) {
        const {
            assert!(
                align_of::<Self>() == align_of::<F>() && size_of::<Self>() == Self::WIDTH * size_of::<F>()
            )
        };
        let count = values.len() / Self::WIDTH;
        let (whole, rest) = values.split_at_mut(count * Self::WIDTH);
        // SAFETY: the type is an array of `WIDTH` elements, and `whole` is `count` of them, borrowed exclusively.
        (unsafe { core::slice::from_raw_parts_mut(whole.as_mut_ptr().cast(), count) }, rest)
    }

    /// Exchanges the odd runs of `run` elements of `self` with the even runs of `other`; `run` is a power of two below the width.
    fn interleave(self, other: Self, run: usize) -> (Self, Self);

    /// `sum_i vectors[i] * factors[i]`, of one to four products.
    fn dot<const N: usize>(vectors: &[Self; N], factors: &[Self; N]) -> Self;

    /// `sum_i vectors[i] * factors[i]` with one factor for all lanes of a vector, of one to four products.
    fn mixed_dot<const N: usize>(vectors: &[Self; N], factors: &[F; N]) -> Self;
}

/// Makes a field its own vector type, in every tier.
macro_rules! scalar_lanes {
    ($F:ty) => {
        impl crate::kernels::lanes::Vectors for $F {
            #[inline]
            fn run<K: crate::kernels::lanes::Kernel<Self>>(_tier: crate::cpu::Tier, kernel: K) -> K::Output {
                // SAFETY: the field itself needs no instructions of its own.
                unsafe { kernel.run::<Self>() }
            }
        }

        // SAFETY: an element is an array of one.
        unsafe impl crate::kernels::lanes::Lanes<$F> for $F {
            const WIDTH: usize = 1;
            const LEVELS: usize = 3;

            #[inline(always)]
            unsafe fn splat(x: $F) -> Self {
                x
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
