//! KoalaBear on AVX2: eight elements in Montgomery form to the base 2^32, reduced.
//!
//! `vpmuludq` multiplies the even lanes; the odd ones are moved there and take a chain of their own. With `P MU = 1` modulo 2^32, the upper
//! half of `x - (x MU mod 2^32) P` is `x / 2^32` modulo `P`, between `-P` and `P`.

use core::arch::x86_64::*;

use super::lanes;
use crate::KoalaBear;

lanes!(KoalaBears8, KoalaBear as u32, __m256i, 8, 3);

const P: i32 = 0x7f00_0001;
const MU: i32 = 0x8100_0001_u32 as i32;

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: u32) -> __m256i {
    _mm256_set1_epi32(x as i32)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    let sum = _mm256_add_epi32(a, b);
    // Below P the difference wraps around and is the larger one.
    _mm256_min_epu32(sum, _mm256_sub_epi32(sum, _mm256_set1_epi32(P)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: __m256i, b: __m256i) -> __m256i {
    canonical(_mm256_sub_epi32(a, b))
}

/// From between `-P` and `P` (both excluded) to below `P`.
#[inline]
#[target_feature(enable = "avx2")]
fn canonical(x: __m256i) -> __m256i {
    _mm256_min_epu32(x, _mm256_add_epi32(x, _mm256_set1_epi32(P)))
}

/// The odd lanes, in the even ones too.
#[inline]
#[target_feature(enable = "avx2")]
fn odd(x: __m256i) -> __m256i {
    _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(x)))
}

/// The upper halves of 64-bit words: those of `even`, and of `odd` between them.
#[inline]
#[target_feature(enable = "avx2")]
fn upper(even: __m256i, odd_words: __m256i) -> __m256i {
    _mm256_blend_epi32::<0xaa>(odd(even), odd_words)
}

/// The multiple of `P` with the lower half of each 64-bit word.
#[inline]
#[target_feature(enable = "avx2")]
fn multiple(x: __m256i) -> __m256i {
    _mm256_mul_epu32(_mm256_mul_epu32(x, _mm256_set1_epi32(MU)), _mm256_set1_epi32(P))
}

#[inline]
#[target_feature(enable = "avx2")]
fn mul(a: __m256i, b: __m256i) -> __m256i {
    let even = _mm256_mul_epu32(a, b);
    let odd = _mm256_mul_epu32(odd(a), odd(b));
    // The lower halves are equal, so that nothing is borrowed.
    let even = _mm256_sub_epi32(even, multiple(even));
    let odd = _mm256_sub_epi32(odd, multiple(odd));
    canonical(upper(even, odd))
}

/// Reduces 64-bit words below `4 P^2`: their upper halves are below `2 P`.
#[inline]
#[target_feature(enable = "avx2")]
fn reduce(even: __m256i, odd: __m256i) -> __m256i {
    let high = upper(even, odd);
    let high = _mm256_min_epu32(high, _mm256_sub_epi32(high, _mm256_set1_epi32(P)));
    canonical(_mm256_sub_epi32(high, upper(multiple(even), multiple(odd))))
}

#[inline]
#[target_feature(enable = "avx2")]
fn dot<const N: usize>(a: [__m256i; N], b: [__m256i; N]) -> __m256i {
    let (mut evens, mut odds) = (_mm256_mul_epu32(a[0], b[0]), _mm256_mul_epu32(odd(a[0]), odd(b[0])));
    let mut i = 1;
    while i < N {
        evens = _mm256_add_epi64(evens, _mm256_mul_epu32(a[i], b[i]));
        odds = _mm256_add_epi64(odds, _mm256_mul_epu32(odd(a[i]), odd(b[i])));
        i += 1;
    }
    reduce(evens, odds)
}

/// [`dot`] with factors that are the same in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn mixed_dot<const N: usize>(a: [__m256i; N], b: [__m256i; N]) -> __m256i {
    let (mut evens, mut odds) = (_mm256_mul_epu32(a[0], b[0]), _mm256_mul_epu32(odd(a[0]), b[0]));
    let mut i = 1;
    while i < N {
        evens = _mm256_add_epi64(evens, _mm256_mul_epu32(a[i], b[i]));
        odds = _mm256_add_epi64(odds, _mm256_mul_epu32(odd(a[i]), b[i]));
        i += 1;
    }
    reduce(evens, odds)
}

#[inline]
#[target_feature(enable = "avx2")]
fn interleave(a: __m256i, b: __m256i, run: usize) -> (__m256i, __m256i) {
    match run {
        1 => {
            let low = _mm256_castps_si256(_mm256_moveldup_ps(_mm256_castsi256_ps(b)));
            (_mm256_blend_epi32::<0xaa>(a, low), _mm256_blend_epi32::<0xaa>(odd(a), b))
        }
        2 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
        _ => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
    }
}
