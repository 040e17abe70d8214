//! Four states in the lanes of AVX2.

use core::arch::x86_64::*;

use super::rounds::{self, Word};

#[derive(Clone, Copy)]
struct Words(__m256i);

/// Permutes four states.
///
/// # Safety
/// The tier of this module is in use; `four` words can be read and written in 25 rows.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn permute(words: *mut u64) {
    // SAFETY: the instructions are enabled here; the rest is the contract of this function.
    unsafe { rounds::permute::<Words>(words) }
}

impl Word for Words {
    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: by the contract.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: by the contract.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    fn add_constant(self, x: u64) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions; here and below.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(x as i64)) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor3(self, a: Self, b: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm256_xor_si256(_mm256_xor_si256(self.0, a.0), b.0) })
    }

    #[inline(always)]
    fn rotate<const BITS: i32>(self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        unsafe {
            let right = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(64 - BITS));
            Self(_mm256_or_si256(_mm256_sll_epi64(self.0, _mm_cvtsi32_si128(BITS)), right))
        }
    }

    #[inline(always)]
    fn chi(self, a: Self, b: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_andnot_si256(a.0, b.0)) })
    }
}
