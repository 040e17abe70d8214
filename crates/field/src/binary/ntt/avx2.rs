//! AVX2 without GFNI.

use core::arch::x86_64::*;

use super::kernel::{self, Kernel, Sweep};
use super::nibbles::{Bytes, Nibbles};
use super::tiers::Tier;
use crate::cpu::{self, Features};

pub(super) static TIER: Tier =
    Tier { name: "avx2", vector: 32, max_step: Wide::MAX_STEP, sweep, past: None, narrow: None, accumulate };

/// Tells whether the instructions are in use.
pub(super) fn available() -> bool {
    cpu::has(Features::AVX2)
}

#[target_feature(enable = "avx2")]
unsafe fn sweep(s: &Sweep, transposed: bool) {
    // SAFETY: this function enables AVX2; the runs of `s` are good for `length` bytes, as `Tier` asks of its callers.
    unsafe {
        if s.is_wide() {
            kernel::sweep::<Wide>(s, transposed)
        } else {
            kernel::sweep::<Nibbles<Vector, false>>(s, transposed)
        }
    }
}

#[target_feature(enable = "avx2")]
unsafe fn accumulate(to: *mut u8, from: *const u8, count: usize, t: u32) {
    // SAFETY: this function enables AVX2; both pointers are good for `count` bytes, as `Tier` asks of its callers.
    unsafe { kernel::accumulate::<Wide>(to, from, count, t) }
}

/// Vectors of 32 bytes.
struct Vector;

/// With factors from T2.
type Wide = Nibbles<Vector, true>;

impl Bytes for Vector {
    type V = __m256i;
    const BYTES: usize = 32;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> __m256i {
        // SAFETY: AVX2 was detected before the tier was listed, and 32 bytes at `at` can be read.
        unsafe { _mm256_loadu_si256(at.cast()) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut u8, v: __m256i) {
        // SAFETY: AVX2 was detected before the tier was listed, and 32 bytes at `at` can be written.
        unsafe { _mm256_storeu_si256(at.cast(), v) }
    }

    #[inline(always)]
    unsafe fn xor(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 was detected before the tier was listed; nothing but registers is touched.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    unsafe fn table(table: &[u8; 16]) -> __m256i {
        // SAFETY: AVX2 was detected before the tier was listed; a table is 16 bytes.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn look_up(tables: &[__m256i; 2], v: __m256i) -> __m256i {
        // SAFETY: AVX2 was detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let mask = _mm256_set1_epi8(15);
            let low = _mm256_and_si256(v, mask);
            let high = _mm256_and_si256(_mm256_srli_epi64::<4>(v), mask);
            _mm256_xor_si256(_mm256_shuffle_epi8(tables[0], low), _mm256_shuffle_epi8(tables[1], high))
        }
    }

    #[inline(always)]
    unsafe fn swap(v: __m256i, step: usize) -> __m256i {
        // SAFETY: AVX2 was detected before the tier was listed; nothing but registers is touched.
        unsafe {
            if step == 1 {
                _mm256_or_si256(_mm256_srli_epi16::<8>(v), _mm256_slli_epi16::<8>(v))
            } else {
                _mm256_or_si256(_mm256_srli_epi32::<16>(v), _mm256_slli_epi32::<16>(v))
            }
        }
    }

    #[inline(always)]
    unsafe fn select(a: __m256i, b: __m256i, step: usize) -> __m256i {
        // SAFETY: AVX2 was detected before the tier was listed; nothing but registers is touched.
        unsafe {
            if step == 1 {
                _mm256_blendv_epi8(a, b, _mm256_set1_epi16(-256))
            } else {
                _mm256_blend_epi16::<0xaa>(a, b)
            }
        }
    }
}
