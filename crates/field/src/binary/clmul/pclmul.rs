//! PCLMULQDQ: one lane. (Everything else is in SSE2, which every x86-64 has.)

use core::arch::x86_64::*;

use super::{Kernel, Vector};

/// One lane in a vector register.
#[derive(Clone, Copy)]
pub(super) struct Lane(__m128i);

/// Runs a kernel.
///
/// # Safety
/// The CPU has PCLMULQDQ.
#[target_feature(enable = "pclmulqdq")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: this function is called only where the instructions exist.
    unsafe { kernel.run::<Lane>() }
}

impl Vector for Lane {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn splat(x: u128) -> Self {
        // SAFETY: both are 128 bits, the low word first. (Word by word, the compiler goes through memory.)
        Self(unsafe { core::mem::transmute::<u128, __m128i>(x) })
    }

    #[inline(always)]
    unsafe fn load(from: *const u8, _stride: usize) -> Self {
        // SAFETY: the caller vouches for 16 bytes.
        Self(unsafe { _mm_loadu_si128(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, _stride: usize) {
        // SAFETY: the caller vouches for 16 bytes.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }

    #[inline(always)]
    fn first(self) -> u128 {
        // SAFETY: as in `splat`.
        unsafe { core::mem::transmute::<__m128i, u128>(self.0) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: SSE2.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn clmul<const WORDS: i32>(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has PCLMULQDQ.
        Self(unsafe { _mm_clmulepi64_si128::<WORDS>(self.0, other.0) })
    }

    #[inline(always)]
    fn low_words(self, other: Self) -> Self {
        // SAFETY: SSE2.
        Self(unsafe { _mm_unpacklo_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_words(self, other: Self) -> Self {
        // SAFETY: SSE2.
        Self(unsafe { _mm_unpackhi_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: SSE2.
        Self(unsafe { _mm_shuffle_epi32::<0x4e>(self.0) })
    }

    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        // SAFETY: SSE2.
        Self(unsafe { _mm_slli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        // SAFETY: SSE2.
        Self(unsafe { _mm_srli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn split_lanes(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    #[inline(always)]
    fn split_words(self, other: Self) -> (Self, Self) {
        (self.low_words(other), self.high_words(other))
    }
}
