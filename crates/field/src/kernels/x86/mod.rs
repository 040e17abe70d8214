//! Lanes of prime fields on AVX2 and AVX-512.
//!
//! Arithmetic is in functions with `#[target_feature]`, which are inlined into the function that runs a kernel. Their formulas are
//! those of Plonky3, whose own vectors are chosen when a program is compiled. (notes: fields-lanes)

mod goldilocks4;
mod goldilocks8;
mod koala_bear16;
mod koala_bear8;

use core::arch::asm;
use core::arch::x86_64::{__m512i, __mmask16};

use super::lanes::{Kernel, Lanes};
pub(crate) use goldilocks4::Goldilocks4;
pub(crate) use goldilocks8::Goldilocks8;
pub(crate) use koala_bear8::KoalaBears8;
pub(crate) use koala_bear16::KoalaBears16;

/// Runs a kernel with the instructions of [`Tier::Avx2`](crate::cpu::Tier::Avx2).
///
/// # Safety
/// The tier is in use.
#[target_feature(enable = "avx2,bmi2")]
pub(crate) unsafe fn run_avx2<F, L: Lanes<F>, K: Kernel<F>>(kernel: K) -> K::Output {
    // SAFETY: `L` is of this tier, whose instructions the CPU has by the contract of this function.
    unsafe { kernel.run::<L>() }
}

/// Runs a kernel with the instructions of [`Tier::Avx512`](crate::cpu::Tier::Avx512).
///
/// # Safety
/// The tier is in use.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi2")]
pub(crate) unsafe fn run_avx512<F, L: Lanes<F>, K: Kernel<F>>(kernel: K) -> K::Output {
    // SAFETY: `L` is of this tier, whose instructions the CPU has by the contract of this function.
    unsafe { kernel.run::<L>() }
}

/// Copies the upper (`UPPER`) or the lower halves of the 64-bit words of `from` over those halves of `into` that `mask` has.
///
/// One instruction: where the build is not tuned for AVX-512, the compiler makes two shuffles of the intrinsic.
#[inline]
#[target_feature(enable = "avx512f")]
fn merge_halves<const UPPER: bool>(mut into: __m512i, from: __m512i, mask: __mmask16) -> __m512i {
    // SAFETY: the instructions are of AVX-512 F, which this function needs; they change one register and nothing else.
    unsafe {
        if UPPER {
            asm!("vmovshdup {0}{{{1}}}, {2}", inout(zmm_reg) into, in(kreg) mask, in(zmm_reg) from,
                options(pure, nomem, nostack, preserves_flags));
        } else {
            asm!("vmovsldup {0}{{{1}}}, {2}", inout(zmm_reg) into, in(kreg) mask, in(zmm_reg) from,
                options(pure, nomem, nostack, preserves_flags));
        }
    }
    into
}

/// Makes `$Lanes([$F; $width])` a vector by the functions `splat`, `add`, `sub`, `mul`, `dot`, `mixed_dot` and `interleave` of its module.
macro_rules! lanes {
    ($Lanes:ident, $F:ty as $word:ty, $V:ty, $width:literal, $levels:literal) => {
        #[doc = concat!(stringify!($width), " elements.")]
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $Lanes([$F; $width]);

        impl $Lanes {
            #[inline(always)]
            const fn vector(self) -> $V {
                // SAFETY: both are as many bytes without invalid values.
                unsafe { core::mem::transmute::<[$F; $width], $V>(self.0) }
            }

            /// # Safety
            /// Every lane is a valid element, as the functions of this module return them.
            #[inline(always)]
            const unsafe fn new(vector: $V) -> Self {
                // SAFETY: both are as many bytes; the lanes are elements by the contract.
                Self(unsafe { core::mem::transmute::<$V, [$F; $width]>(vector) })
            }
        }

        impl core::ops::Add for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: a value exists, so the CPU has the instructions; sums of elements are elements.
                unsafe { Self::new(add(self.vector(), other.vector())) }
            }
        }

        impl core::ops::AddAssign for $Lanes {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl core::ops::Sub for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: a value exists, so the CPU has the instructions; what comes out of arithmetic on elements is elements.
                unsafe { Self::new(sub(self.vector(), other.vector())) }
            }
        }

        impl core::ops::Mul for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: a value exists, so the CPU has the instructions; what comes out of arithmetic on elements is elements.
                unsafe { Self::new(mul(self.vector(), other.vector())) }
            }
        }

        // SAFETY: the type is a transparent array of `WIDTH` elements.
        unsafe impl crate::kernels::lanes::Lanes<$F> for $Lanes {
            const WIDTH: usize = $width;
            const LEVELS: usize = $levels;

            #[inline(always)]
            unsafe fn splat(x: $F) -> Self {
                // SAFETY: the CPU has the instructions by the contract; every lane is an element.
                unsafe { Self::new(splat(core::mem::transmute::<$F, $word>(x))) }
            }

            #[inline(always)]
            fn interleave(self, other: Self, run: usize) -> (Self, Self) {
                // SAFETY: a value exists, so the CPU has the instructions; the lanes are those of the arguments.
                unsafe {
                    let (a, b) = interleave(self.vector(), other.vector(), run);
                    (Self::new(a), Self::new(b))
                }
            }

            #[inline(always)]
            fn dot<const N: usize>(vectors: &[Self; N], factors: &[Self; N]) -> Self {
                const { assert!(N >= 1 && N <= 4, "one to four products") };
                let (mut a, mut b) = ([vectors[0].vector(); N], [factors[0].vector(); N]);
                let mut i = 1;
                while i < N {
                    (a[i], b[i]) = (vectors[i].vector(), factors[i].vector());
                    i += 1;
                }
                // SAFETY: a value exists, so the CPU has the instructions; sums of products of elements are elements.
                unsafe { Self::new(dot(a, b)) }
            }

            #[inline(always)]
            fn mixed_dot<const N: usize>(vectors: &[Self; N], factors: &[$F; N]) -> Self {
                const { assert!(N >= 1 && N <= 4, "one to four products") };
                // SAFETY: a value exists, so the CPU has the instructions; sums of products of elements are elements, and a word of a
                // factor is the factor.
                unsafe {
                    let mut a = [vectors[0].vector(); N];
                    let mut b = [splat(core::mem::transmute::<$F, $word>(factors[0])); N];
                    let mut i = 1;
                    while i < N {
                        a[i] = vectors[i].vector();
                        b[i] = splat(core::mem::transmute::<$F, $word>(factors[i]));
                        i += 1;
                    }
                    Self::new(mixed_dot(a, b))
                }
            }
        }
    };
}
use lanes;
