//! VPCLMULQDQ on 512 bits, with AVX-512F: four lanes.

use core::arch::x86_64::*;

use super::{Kernel, Vector};

/// Four lanes in a vector register.
#[derive(Clone, Copy)]
pub(super) struct Lanes4(__m512i);

/// Runs a kernel.
///
/// # Safety
/// The CPU has VPCLMULQDQ and AVX-512F.
#[target_feature(enable = "vpclmulqdq,avx512f")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: this function is called only where the instructions exist.
    unsafe { kernel.run::<Lanes4>() }
}

impl Vector for Lanes4 {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(x: u128) -> Self {
        // SAFETY: the caller vouches for the instructions.
        Self(unsafe { _mm512_broadcast_i32x4(_mm_set_epi64x((x >> 64) as i64, x as i64)) })
    }

    #[inline(always)]
    unsafe fn load(from: *const u8, stride: usize) -> Self {
        // SAFETY: the caller vouches for the instructions and for 16 bytes at the four places.
        unsafe {
            if stride == 16 {
                return Self(_mm512_loadu_si512(from.cast()));
            }
            let mut all = _mm512_castsi128_si512(_mm_loadu_si128(from.cast()));
            all = _mm512_inserti32x4::<1>(all, _mm_loadu_si128(from.add(stride).cast()));
            all = _mm512_inserti32x4::<2>(all, _mm_loadu_si128(from.add(2 * stride).cast()));
            Self(_mm512_inserti32x4::<3>(all, _mm_loadu_si128(from.add(3 * stride).cast())))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, stride: usize) {
        // SAFETY: the caller vouches for 16 bytes at the four places.
        unsafe {
            if stride == 16 {
                return _mm512_storeu_si512(to.cast(), self.0);
            }
            _mm_storeu_si128(to.cast(), _mm512_extracti32x4_epi32::<0>(self.0));
            _mm_storeu_si128(to.add(stride).cast(), _mm512_extracti32x4_epi32::<1>(self.0));
            _mm_storeu_si128(to.add(2 * stride).cast(), _mm512_extracti32x4_epi32::<2>(self.0));
            _mm_storeu_si128(to.add(3 * stride).cast(), _mm512_extracti32x4_epi32::<3>(self.0));
        }
    }

    #[inline(always)]
    fn first(self) -> u128 {
        // SAFETY: four lanes of 128 bits, the low word of each first.
        unsafe { core::mem::transmute::<__m512i, [u128; 4]>(self.0)[0] }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has AVX-512F.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn clmul<const WORDS: i32>(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has VPCLMULQDQ.
        Self(unsafe { _mm512_clmulepi64_epi128::<WORDS>(self.0, other.0) })
    }

    #[inline(always)]
    fn low_words(self, other: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm512_unpacklo_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_words(self, other: Self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm512_unpackhi_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: as in `xor`.
        Self(unsafe { _mm512_shuffle_epi32::<0x4e>(self.0) })
    }

    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        // SAFETY: as in `xor`. (The form with an immediate has a count of another type.)
        Self(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(BITS)) })
    }

    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        // SAFETY: as in `left`.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(BITS)) })
    }

    #[inline(always)]
    fn split_lanes(self, other: Self) -> (Self, Self) {
        // SAFETY: as in `xor`.
        unsafe {
            let even = _mm512_shuffle_i64x2::<0x88>(self.0, other.0);
            (Self(even), Self(_mm512_shuffle_i64x2::<0xdd>(self.0, other.0)))
        }
    }

    #[inline(always)]
    fn split_words(self, other: Self) -> (Self, Self) {
        // SAFETY: as in `xor`.
        unsafe {
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            let even = _mm512_permutex2var_epi64(self.0, even, other.0);
            (Self(even), Self(_mm512_permutex2var_epi64(self.0, odd, other.0)))
        }
    }
}
