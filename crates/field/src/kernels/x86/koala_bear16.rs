//! KoalaBear on AVX-512: sixteen elements in Montgomery form to the base 2^32, reduced; formulas as on AVX2.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{lanes, merge_halves};
use crate::KoalaBear;

lanes!(KoalaBears16, KoalaBear as u32, __m512i, 16, 3);

const P: i32 = 0x7f00_0001;
const MU: i32 = 0x8100_0001_u32 as i32;
const EVEN: __mmask16 = 0x5555;
const ODD: __mmask16 = 0xaaaa;

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u32) -> __m512i {
    _mm512_set1_epi32(x as i32)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: __m512i, b: __m512i) -> __m512i {
    let sum = _mm512_add_epi32(a, b);
    // Below P the difference wraps around and is the larger one.
    _mm512_min_epu32(sum, _mm512_sub_epi32(sum, _mm512_set1_epi32(P)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sub(a: __m512i, b: __m512i) -> __m512i {
    let difference = _mm512_sub_epi32(a, b);
    _mm512_min_epu32(difference, _mm512_add_epi32(difference, _mm512_set1_epi32(P)))
}

/// The odd lanes, in the even ones too.
#[inline]
#[target_feature(enable = "avx512f")]
fn odd(x: __m512i) -> __m512i {
    _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(x)))
}

/// The upper halves of 64-bit words: those of `even`, and of `odd` between them.
#[inline]
#[target_feature(enable = "avx512f")]
fn upper(even: __m512i, odd: __m512i) -> __m512i {
    merge_halves::<true>(odd, even, EVEN)
}

/// The product of the lower half of each 64-bit word and `MU`, of which the lower half counts.
#[inline]
#[target_feature(enable = "avx512f")]
fn quotient(x: __m512i) -> __m512i {
    let mut q = _mm512_mul_epu32(x, _mm512_set1_epi32(MU));
    // SAFETY: nothing is executed. The compiler must not know where `q` comes from: it would join the two products into `vpmullq`, which
    // takes three times as long.
    unsafe { asm!("/* {0} */", inout(zmm_reg) q, options(pure, nomem, nostack, preserves_flags)) };
    q
}

/// `high - q P / 2^32`, the quotients those of the words whose upper halves `high` are, below `P`.
#[inline]
#[target_feature(enable = "avx512f")]
fn reduce(high: __m512i, even: __m512i, odd: __m512i) -> __m512i {
    let p = _mm512_set1_epi32(P);
    let multiple = upper(_mm512_mul_epu32(quotient(even), p), _mm512_mul_epu32(quotient(odd), p));
    let difference = _mm512_sub_epi32(high, multiple);
    // By a mask: a minimum would go to the port that the products wait for.
    let below = _mm512_cmplt_epu32_mask(high, multiple);
    _mm512_mask_add_epi32(difference, below, difference, p)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul(a: __m512i, b: __m512i) -> __m512i {
    let even = _mm512_mul_epu32(a, b);
    let odd = _mm512_mul_epu32(odd(a), odd(b));
    reduce(upper(even, odd), even, odd)
}

/// Reduces 64-bit words below `4 P^2`: their upper halves are below `2 P`.
#[inline]
#[target_feature(enable = "avx512f")]
fn reduce_sum(even: __m512i, odd: __m512i) -> __m512i {
    let (high, p) = (upper(even, odd), _mm512_set1_epi32(P));
    let over = _mm512_cmple_epu32_mask(p, high);
    reduce(_mm512_mask_sub_epi32(high, over, high, p), even, odd)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn dot<const N: usize>(a: [__m512i; N], b: [__m512i; N]) -> __m512i {
    let (mut evens, mut odds) = (_mm512_mul_epu32(a[0], b[0]), _mm512_mul_epu32(odd(a[0]), odd(b[0])));
    let mut i = 1;
    while i < N {
        evens = _mm512_add_epi64(evens, _mm512_mul_epu32(a[i], b[i]));
        odds = _mm512_add_epi64(odds, _mm512_mul_epu32(odd(a[i]), odd(b[i])));
        i += 1;
    }
    reduce_sum(evens, odds)
}

/// [`dot`] with factors that are the same in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn mixed_dot<const N: usize>(a: [__m512i; N], b: [__m512i; N]) -> __m512i {
    let (mut evens, mut odds) = (_mm512_mul_epu32(a[0], b[0]), _mm512_mul_epu32(odd(a[0]), b[0]));
    let mut i = 1;
    while i < N {
        evens = _mm512_add_epi64(evens, _mm512_mul_epu32(a[i], b[i]));
        odds = _mm512_add_epi64(odds, _mm512_mul_epu32(odd(a[i]), b[i]));
        i += 1;
    }
    reduce_sum(evens, odds)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn interleave(a: __m512i, b: __m512i, run: usize) -> (__m512i, __m512i) {
    if run > 1 {
        return super::goldilocks8::interleave(a, b, run / 2);
    }
    (merge_halves::<false>(a, b, ODD), merge_halves::<true>(b, a, EVEN))
}
