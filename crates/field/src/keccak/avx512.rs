//! Eight states in the lanes of AVX-512: rotations, and sums of three words, are one instruction each.

use core::arch::x86_64::*;

use super::rounds::{self, Word};

#[derive(Clone, Copy)]
struct Words(__m512i);

/// Permutes eight states.
///
/// # Safety
/// The tier of this module is in use; `eight` words can be read and written in 25 rows.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn permute(words: *mut u64) {
    // SAFETY: the instructions are enabled here; the rest is the contract of this function.
    unsafe { rounds::permute::<Words>(words) }
}

impl Word for Words {
    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: by the contract.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: by the contract.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    fn add_constant(self, x: u64) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions; here and below.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(x as i64)) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor3(self, a: Self, b: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_ternarylogic_epi64::<0x96>(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn rotate<const BITS: i32>(self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_rol_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn chi(self, a: Self, b: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the instructions.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xd2>(self.0, a.0, b.0) })
    }
}
