//! AVX2 with GFNI.

use core::arch::x86_64::*;

use super::gfni;
use super::kernel::{self, Kernel, Sweep};
use super::narrow::Narrow;
use super::pairs::{self, Parts, Words};
use super::tiers::Tier;
use crate::cpu::{self, Features};

pub(super) static TIER: Tier = Tier {
    name: "gfni256",
    vector: 32,
    max_step: Gfni::<true>::MAX_STEP,
    sweep,
    past: None,
    narrow: Some(pairs),
    accumulate,
};

/// Tells whether the instructions are in use.
pub(super) fn available() -> bool {
    cpu::has(Features::AVX2.and(Features::GFNI))
}

#[target_feature(enable = "avx2,gfni")]
unsafe fn sweep(s: &Sweep, transposed: bool) {
    // SAFETY: this function enables AVX2 and GFNI; the runs of `s` are good for `length` bytes, as `Tier` asks of its
    // callers.
    unsafe {
        if s.is_wide() {
            kernel::sweep::<Gfni<true>>(s, transposed)
        } else {
            kernel::sweep::<Gfni<false>>(s, transposed)
        }
    }
}

#[target_feature(enable = "avx2,gfni")]
unsafe fn pairs(n: &Narrow, transposed: bool) {
    // SAFETY: this function enables AVX2 and GFNI; `n.at` is good for `n.bytes` bytes, as `Tier` asks of its callers.
    unsafe {
        match (n.is_wide(), transposed) {
            (false, false) => pairs::pairs::<Gfni<false>, false>(n),
            (false, true) => pairs::pairs::<Gfni<false>, true>(n),
            (true, false) => pairs::pairs::<Gfni<true>, false>(n),
            (true, true) => pairs::pairs::<Gfni<true>, true>(n),
        }
    }
}

#[target_feature(enable = "avx2,gfni")]
unsafe fn accumulate(to: *mut u8, from: *const u8, count: usize, t: u32) {
    // SAFETY: this function enables AVX2 and GFNI; both pointers are good for `count` bytes, as `Tier` asks of its callers.
    unsafe { kernel::accumulate::<Gfni<true>>(to, from, count, t) }
}

/// Vectors of 32 bytes; factors from T2 or from T1.
struct Gfni<const WIDE: bool>;

/// The bytes permuted by the same order in each group of 16.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn permute(v: __m256i, order: [i32; 4]) -> __m256i {
    let [a, b, c, d] = order;
    // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
    unsafe { _mm256_shuffle_epi8(v, _mm256_setr_epi32(a, b, c, d, a, b, c, d)) }
}

/// `i -> i ^ 1`.
const SWAP1: [i32; 4] = [0x0203_0001, 0x0607_0405, 0x0a0b_0809, 0x0e0f_0c0d];
/// `i -> i ^ 2`.
const SWAP2: [i32; 4] = [0x0100_0302, 0x0504_0706, 0x0908_0b0a, 0x0d0c_0f0e];
/// `i -> i ^ 3`.
const SWAP3: [i32; 4] = [0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f];

impl<const WIDE: bool> Kernel for Gfni<WIDE> {
    type V = __m256i;
    type F = [__m256i; 4];
    const BYTES: usize = 32;
    const MAX_STEP: usize = 3;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> __m256i {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed, and 32 bytes at `at` can be read.
        unsafe { _mm256_loadu_si256(at.cast()) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut u8, v: __m256i) {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed, and 32 bytes at `at` can be written.
        unsafe { _mm256_storeu_si256(at.cast(), v) }
    }

    #[inline(always)]
    unsafe fn load_part(at: *const u8, count: usize) -> __m256i {
        let mut bytes = [0; 32];
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; `count < 32` bytes at `at` can be read, and
        // `bytes` holds a vector.
        unsafe {
            core::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), count);
            Self::load(bytes.as_ptr())
        }
    }

    #[inline(always)]
    unsafe fn store_part(at: *mut u8, v: __m256i, count: usize) {
        let mut bytes = [0; 32];
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; `count < 32` bytes at `at` can be written, and
        // `bytes` holds a vector.
        unsafe {
            Self::store(bytes.as_mut_ptr(), v);
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), at, count);
        }
    }

    #[inline(always)]
    unsafe fn ask(at: *const u8, once: bool) {
        // SAFETY: a hint reads nothing.
        unsafe {
            if once {
                _mm_prefetch::<_MM_HINT_NTA>(at.cast());
            } else {
                _mm_prefetch::<_MM_HINT_T0>(at.cast());
            }
        }
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    unsafe fn factor(t: u32) -> [__m256i; 4] {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            if WIDE {
                let [a, b, c, d] = gfni::wide(t);
                [
                    _mm256_set1_epi32(a as i32),
                    _mm256_set1_epi32(b as i32),
                    _mm256_set1_epi32(c as i32),
                    _mm256_set1_epi32(d as i32),
                ]
            } else {
                let [a, b] = gfni::narrow(t);
                let zero = _mm256_setzero_si256();
                [_mm256_set1_epi32(a as i32), _mm256_set1_epi32(b as i32), zero, zero]
            }
        }
    }

    #[inline(always)]
    unsafe fn factor_at(q: u32) -> [__m256i; 4] {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let all = _mm256_broadcastsi128_si256(gfni::at(q));
            let (a, b) = (_mm256_shuffle_epi32::<0x00>(all), _mm256_shuffle_epi32::<0x55>(all));
            if WIDE {
                [a, b, _mm256_shuffle_epi32::<0xaa>(all), _mm256_shuffle_epi32::<0xff>(all)]
            } else {
                [a, b, _mm256_setzero_si256(), _mm256_setzero_si256()]
            }
        }
    }

    #[inline(always)]
    unsafe fn add_factors(s: &[__m256i; 4], t: &[__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            [Self::add(s[0], t[0]), Self::add(s[1], t[1]), Self::add(s[2], t[2]), Self::add(s[3], t[3])]
        }
    }

    #[inline(always)]
    unsafe fn add_product(u: __m256i, v: __m256i, t: &[__m256i; 4]) -> __m256i {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let (p, q) = (_mm256_gf2p8mul_epi8(v, t[0]), _mm256_gf2p8mul_epi8(permute(v, SWAP1), t[1]));
            let sum = Self::add(u, Self::add(p, q));
            if !WIDE {
                return sum;
            }
            let p = _mm256_gf2p8mul_epi8(permute(v, SWAP2), t[2]);
            let q = _mm256_gf2p8mul_epi8(permute(v, SWAP3), t[3]);
            Self::add(sum, Self::add(p, q))
        }
    }
}

impl<const WIDE: bool> Parts for Gfni<WIDE> {
    #[inline(always)]
    unsafe fn factors(words: &Words) -> [__m256i; 4] {
        let [a, b, c, d] = words;
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; an array of words is as long as a vector.
        unsafe {
            [
                Self::load(a.as_ptr().cast()),
                Self::load(b.as_ptr().cast()),
                Self::load(c.as_ptr().cast()),
                Self::load(d.as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    unsafe fn add_factor_at(t: &[__m256i; 4], low: u8) -> [__m256i; 4] {
        let [a, b, c, d] = gfni::below_256(low).map(|constant| constant as i32);
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let (a, b) =
                (_mm256_xor_si256(t[0], _mm256_set1_epi32(a)), _mm256_xor_si256(t[1], _mm256_set1_epi32(b)));
            if WIDE {
                [
                    a,
                    b,
                    _mm256_xor_si256(t[2], _mm256_set1_epi32(c)),
                    _mm256_xor_si256(t[3], _mm256_set1_epi32(d)),
                ]
            } else {
                [a, b, t[2], t[3]]
            }
        }
    }

    #[inline(always)]
    unsafe fn interleave(x: __m256i, y: __m256i, run: usize) -> (__m256i, __m256i) {
        // SAFETY: AVX2 and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            match run {
                8 => (_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y)),
                _ => (_mm256_permute2x128_si256::<0x20>(x, y), _mm256_permute2x128_si256::<0x31>(x, y)),
            }
        }
    }
}
