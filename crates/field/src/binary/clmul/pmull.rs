//! PMULL of the AES extension of AArch64: one lane.

use core::arch::aarch64::*;

use super::{Kernel, Vector};

/// One lane in a vector register.
#[derive(Clone, Copy)]
pub(super) struct Lane(uint64x2_t);

/// Runs a kernel.
///
/// # Safety
/// The CPU has NEON and the AES extension.
#[target_feature(enable = "neon,aes")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: this function is called only where the instructions exist.
    unsafe { kernel.run::<Lane>() }
}

/// The product itself: the intrinsics are inlined only into functions that have their instructions.
#[inline]
#[target_feature(enable = "neon,aes")]
fn mull(a: u64, b: u64) -> uint64x2_t {
    vreinterpretq_u64_p128(vmull_p64(a, b))
}

impl Vector for Lane {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn splat(x: u128) -> Self {
        // SAFETY: NEON is in every AArch64 that has this type.
        Self(unsafe { vcombine_u64(vcreate_u64(x as u64), vcreate_u64((x >> 64) as u64)) })
    }

    #[inline(always)]
    unsafe fn load(from: *const u8, _stride: usize) -> Self {
        // SAFETY: the caller vouches for 16 bytes.
        Self(unsafe { vreinterpretq_u64_u8(vld1q_u8(from)) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, _stride: usize) {
        // SAFETY: the caller vouches for 16 bytes.
        unsafe { vst1q_u8(to, vreinterpretq_u8_u64(self.0)) }
    }

    #[inline(always)]
    fn first(self) -> u128 {
        // SAFETY: NEON.
        let (low, high) = unsafe { (vgetq_lane_u64::<0>(self.0), vgetq_lane_u64::<1>(self.0)) };
        u128::from(high) << 64 | u128::from(low)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: NEON.
        Self(unsafe { veorq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn clmul<const WORDS: i32>(self, other: Self) -> Self {
        // SAFETY: a value exists, so the CPU has the AES extension.
        unsafe {
            let a = if WORDS & 1 == 0 { vgetq_lane_u64::<0>(self.0) } else { vgetq_lane_u64::<1>(self.0) };
            let b = if WORDS & 16 == 0 { vgetq_lane_u64::<0>(other.0) } else { vgetq_lane_u64::<1>(other.0) };
            Self(mull(a, b))
        }
    }

    #[inline(always)]
    fn low_words(self, other: Self) -> Self {
        // SAFETY: NEON.
        Self(unsafe { vtrn1q_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_words(self, other: Self) -> Self {
        // SAFETY: NEON.
        Self(unsafe { vtrn2q_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: NEON.
        Self(unsafe { vextq_u64::<1>(self.0, self.0) })
    }

    #[inline(always)]
    fn left<const BITS: i32>(self) -> Self {
        // SAFETY: NEON.
        Self(unsafe { vshlq_n_u64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn right<const BITS: i32>(self) -> Self {
        // SAFETY: NEON.
        Self(unsafe { vshrq_n_u64::<BITS>(self.0) })
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
