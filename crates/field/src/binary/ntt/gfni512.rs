//! AVX-512 with GFNI.

use core::arch::x86_64::*;

use super::gfni;
use super::kernel::{self, Kernel, Sweep};
use super::narrow::Narrow;
use super::pairs::{self, Parts, Words};
use super::tiers::Tier;
use crate::cpu::{self, Features};

pub(super) static TIER: Tier = Tier {
    name: "gfni512",
    vector: 64,
    max_step: Gfni::<true>::MAX_STEP,
    sweep,
    past: Some(past),
    narrow: Some(pairs),
    accumulate,
};

/// Tells whether the instructions are in use.
pub(super) fn available() -> bool {
    cpu::has(Features::AVX512F.and(Features::AVX512BW).and(Features::GFNI))
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
unsafe fn sweep(s: &Sweep, transposed: bool) {
    // SAFETY: this function enables AVX-512 F, BW and GFNI; the runs of `s` are good for `length` bytes, as `Tier` asks of
    // its callers.
    unsafe {
        if s.is_wide() {
            kernel::sweep::<Gfni<true>>(s, transposed)
        } else {
            kernel::sweep::<Gfni<false>>(s, transposed)
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
unsafe fn past(s: &Sweep, here: Option<usize>) {
    let wide = s.is_wide() || here.is_some_and(|node| Sweep { node, ..*s }.is_wide());
    // SAFETY: this function enables AVX-512 F, BW and GFNI; the runs of `s`, and with a node `here` the input for writing,
    // are good for `length` bytes, as `Tier` asks of its callers.
    unsafe {
        match (wide, here) {
            (false, None) => kernel::past::<Gfni<false>, false>(s, 0),
            (false, Some(node)) => kernel::past::<Gfni<false>, true>(s, node),
            (true, None) => kernel::past::<Gfni<true>, false>(s, 0),
            (true, Some(node)) => kernel::past::<Gfni<true>, true>(s, node),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
unsafe fn pairs(n: &Narrow, transposed: bool) {
    // SAFETY: this function enables AVX-512 F, BW and GFNI; `n.at` is good for `n.bytes` bytes, as `Tier` asks of its
    // callers.
    unsafe {
        match (n.is_wide(), transposed) {
            (false, false) => pairs::pairs::<Gfni<false>, false>(n),
            (false, true) => pairs::pairs::<Gfni<false>, true>(n),
            (true, false) => pairs::pairs::<Gfni<true>, false>(n),
            (true, true) => pairs::pairs::<Gfni<true>, true>(n),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
unsafe fn accumulate(to: *mut u8, from: *const u8, count: usize, t: u32) {
    // SAFETY: this function enables AVX-512 F, BW and GFNI; both pointers are good for `count` bytes, as `Tier` asks of its
    // callers.
    unsafe { kernel::accumulate::<Gfni<true>>(to, from, count, t) }
}

/// Vectors of 64 bytes; factors from T2 or from T1.
struct Gfni<const WIDE: bool>;

#[inline(always)]
fn mask(count: usize) -> u64 {
    (1 << count) - 1
}

/// The bytes permuted by `i -> i ^ 1` in each group of two.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn swap1(v: __m512i) -> __m512i {
    // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
    unsafe {
        let order = _mm512_set4_epi32(0x0e0f_0c0d, 0x0a0b_0809, 0x0607_0405, 0x0203_0001);
        _mm512_shuffle_epi8(v, order)
    }
}

impl<const WIDE: bool> Kernel for Gfni<WIDE> {
    type V = __m512i;
    type F = [__m512i; 4];
    const BYTES: usize = 64;
    const MAX_STEP: usize = 3;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> __m512i {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed, and 64 bytes at `at` can be read.
        unsafe { _mm512_loadu_si512(at.cast()) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut u8, v: __m512i) {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed, and 64 bytes at `at` can be written.
        unsafe { _mm512_storeu_si512(at.cast(), v) }
    }

    #[inline(always)]
    unsafe fn stream(at: *mut u8, v: __m512i) {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed, and 64 bytes at `at` can be written; the
        // store that asks for a whole line gets one.
        unsafe {
            if at.cast::<__m512i>().is_aligned() {
                _mm512_stream_si512(at.cast(), v);
            } else {
                _mm512_storeu_si512(at.cast(), v);
            }
        }
    }

    #[inline(always)]
    unsafe fn settle() {
        // SAFETY: orders stores, and does nothing else.
        unsafe { _mm_sfence() }
    }

    #[inline(always)]
    unsafe fn load_part(at: *const u8, count: usize) -> __m512i {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; the `count` bytes at `at` can be read,
        // and no byte outside the mask is touched.
        unsafe { _mm512_maskz_loadu_epi8(mask(count), at.cast()) }
    }

    #[inline(always)]
    unsafe fn store_part(at: *mut u8, v: __m512i, count: usize) {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; the `count` bytes at `at` can be
        // written, and no byte outside the mask is touched.
        unsafe { _mm512_mask_storeu_epi8(at.cast(), mask(count), v) }
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
    unsafe fn add(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    unsafe fn factor(t: u32) -> [__m512i; 4] {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            if WIDE {
                let [a, b, c, d] = gfni::wide(t);
                [
                    _mm512_set1_epi32(a as i32),
                    _mm512_set1_epi32(b as i32),
                    _mm512_set1_epi32(c as i32),
                    _mm512_set1_epi32(d as i32),
                ]
            } else {
                let [a, b] = gfni::narrow(t);
                let zero = _mm512_setzero_si512();
                [_mm512_set1_epi32(a as i32), _mm512_set1_epi32(b as i32), zero, zero]
            }
        }
    }

    #[inline(always)]
    unsafe fn factor_at(q: u32) -> [__m512i; 4] {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let all = _mm512_broadcast_i32x4(gfni::at(q));
            let (a, b) = (_mm512_shuffle_epi32::<0x00>(all), _mm512_shuffle_epi32::<0x55>(all));
            if WIDE {
                [a, b, _mm512_shuffle_epi32::<0xaa>(all), _mm512_shuffle_epi32::<0xff>(all)]
            } else {
                [a, b, _mm512_setzero_si512(), _mm512_setzero_si512()]
            }
        }
    }

    #[inline(always)]
    unsafe fn add_factors(s: &[__m512i; 4], t: &[__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            [
                _mm512_xor_si512(s[0], t[0]),
                _mm512_xor_si512(s[1], t[1]),
                _mm512_xor_si512(s[2], t[2]),
                _mm512_xor_si512(s[3], t[3]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn add_product(u: __m512i, v: __m512i, t: &[__m512i; 4]) -> __m512i {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let swapped = swap1(v);
            let (p, q) = (_mm512_gf2p8mul_epi8(v, t[0]), _mm512_gf2p8mul_epi8(swapped, t[1]));
            let sum = _mm512_ternarylogic_epi64::<0x96>(u, p, q);
            if !WIDE {
                return sum;
            }
            let p = _mm512_gf2p8mul_epi8(_mm512_rol_epi32::<16>(v), t[2]);
            let q = _mm512_gf2p8mul_epi8(_mm512_rol_epi32::<16>(swapped), t[3]);
            _mm512_ternarylogic_epi64::<0x96>(sum, p, q)
        }
    }
}

impl<const WIDE: bool> Parts for Gfni<WIDE> {
    #[inline(always)]
    unsafe fn factors(words: &Words) -> [__m512i; 4] {
        let [a, b, c, d] = words;
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; an array of words is as long as a
        // vector.
        unsafe {
            [
                _mm512_loadu_si512(a.as_ptr().cast()),
                _mm512_loadu_si512(b.as_ptr().cast()),
                _mm512_loadu_si512(c.as_ptr().cast()),
                _mm512_loadu_si512(d.as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    unsafe fn add_factor_at(t: &[__m512i; 4], low: u8) -> [__m512i; 4] {
        let [a, b, c, d] = gfni::below_256(low).map(|constant| constant as i32);
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            let (a, b) =
                (_mm512_xor_si512(t[0], _mm512_set1_epi32(a)), _mm512_xor_si512(t[1], _mm512_set1_epi32(b)));
            if WIDE {
                [
                    a,
                    b,
                    _mm512_xor_si512(t[2], _mm512_set1_epi32(c)),
                    _mm512_xor_si512(t[3], _mm512_set1_epi32(d)),
                ]
            } else {
                [a, b, t[2], t[3]]
            }
        }
    }

    #[inline(always)]
    unsafe fn interleave(x: __m512i, y: __m512i, run: usize) -> (__m512i, __m512i) {
        // SAFETY: AVX-512 F, BW and GFNI were detected before the tier was listed; nothing but registers is touched.
        unsafe {
            match run {
                8 => (_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y)),
                16 => (
                    _mm512_permutex2var_epi64(x, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), y),
                    _mm512_permutex2var_epi64(x, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), y),
                ),
                _ => (_mm512_shuffle_i64x2::<0x44>(x, y), _mm512_shuffle_i64x2::<0xee>(x, y)),
            }
        }
    }
}
