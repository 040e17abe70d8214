//! VPCLMULQDQ on 256 bits, with AVX2: two lanes.

use core::arch::x86_64::*;

use super::{Kernel, Vector};

/// Two lanes in a vector register.
#[derive(Clone, Copy)]
pub(super) struct Lanes2(__m256i);

/// Runs a kernel.
///
/// # Safety
/// The CPU has VPCLMULQDQ and AVX2.
#[target_feature(enable = "vpclmulqdq,avx2")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: this function is called only where the instructions exist.
    unsafe { kernel.run::<Lanes2>() }
}

impl Vector for Lanes2 {
    const LANES: usize = 2;

    #[inline(always)]
    unsafe fn splat(x: u128) -> Self {
        let (low, high) = (x as i64, (x >> 64) as i64);
        // SAFETY: the caller vouches for the instructions.
        Self(unsafe { _mm256_set_epi64x(high, low, high, low) })
    }

    #[inline(always)]
    unsafe fn load(from: *const u8, stride: usize) -> Self {
        // SAFETY: the caller vouches for the instructions and for 16 bytes at both places.
        Self(unsafe { _mm256_loadu2_m128i(from.add(stride).cast(), from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, stride: usize) {
        // SAFETY: the caller vouches for 16 bytes at both places.
        unsafe { _mm256_storeu2_m128i(to.add(stride).cast(), to.cast(), self.0) }
    }

    #[inline(always)]
    fn first(self) -> u128 {
        // SAFETY: two lanes of 128 bits, the low word of each first.
        unsafe { core::mem::transmute::<__m256i, [u128; 2]>(self.0)[0] }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn clmul<const WORDS: i32>(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has VPCLMULQDQ.
        Self(unsafe { _mm256_clmulepi64_epi128::<WORDS>(self.0, other.0) })
    }

    #[inline(always)]
    fn low_words(self, other: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm256_unpacklo_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_words(self, other: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm256_unpackhi_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm256_shuffle_epi32::<0x4e>(self.0) })
    }

    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm256_slli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm256_srli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn split_lanes(self, other: Self) -> (Self, Self) {
        // SAFETY: as in `xor`.
        unsafe {
            let even = _mm256_permute2x128_si256::<0x20>(self.0, other.0);
            (Self(even), Self(_mm256_permute2x128_si256::<0x31>(self.0, other.0)))
        }
    }

    #[inline(always)]
    fn split_words(self, other: Self) -> (Self, Self) {
        // SAFETY: as in `xor`.
        unsafe {
            let even = _mm256_permute4x64_epi64::<0xd8>(self.low_words(other).0);
            (Self(even), Self(_mm256_permute4x64_epi64::<0xd8>(self.high_words(other).0)))
        }
    }
}
