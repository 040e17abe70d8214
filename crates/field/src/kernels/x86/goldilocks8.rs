//! Goldilocks on AVX-512: eight elements as any 64-bit words. With `B = 2^32`, `P = B^2 - B + 1`: `B^2 = B - 1` and `B^3 = -1`.

use core::arch::x86_64::*;

use super::{lanes, merge_halves};
use crate::Goldilocks;

lanes!(Goldilocks8, Goldilocks as u64, __m512i, 8, 1);

const P: i64 = 0xffff_ffff_0000_0001_u64 as i64;
/// `2^64 - P`.
const EPSILON: i64 = 0xffff_ffff;

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u64) -> __m512i {
    _mm512_set1_epi64(x as i64)
}

/// `a + b`, which is below `2^64 + P`.
#[inline]
#[target_feature(enable = "avx512f")]
fn add_once(a: __m512i, b: __m512i) -> __m512i {
    let sum = _mm512_add_epi64(a, b);
    let carry = _mm512_cmplt_epu64_mask(sum, b);
    _mm512_mask_sub_epi64(sum, carry, sum, _mm512_set1_epi64(P))
}

/// `a - b`, which is at least `-P`.
#[inline]
#[target_feature(enable = "avx512f")]
fn sub_once(a: __m512i, b: __m512i) -> __m512i {
    let borrow = _mm512_cmplt_epu64_mask(a, b);
    let difference = _mm512_sub_epi64(a, b);
    _mm512_mask_add_epi64(difference, borrow, difference, _mm512_set1_epi64(P))
}

/// The same number below `P`.
#[inline]
#[target_feature(enable = "avx512f")]
fn canonical(x: __m512i) -> __m512i {
    let p = _mm512_set1_epi64(P);
    _mm512_mask_sub_epi64(x, _mm512_cmpge_epu64_mask(x, p), x, p)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: __m512i, b: __m512i) -> __m512i {
    add_once(a, canonical(b))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sub(a: __m512i, b: __m512i) -> __m512i {
    sub_once(a, canonical(b))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn upper(x: __m512i) -> __m512i {
    // On the port of shuffles: that of shifts is the one of products.
    _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(x)))
}

/// The upper and the lower word of each product.
#[inline]
#[target_feature(enable = "avx512f")]
fn product(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    let (a1, b1) = (upper(a), upper(b));
    let (p00, p01) = (_mm512_mul_epu32(a, b), _mm512_mul_epu32(a, b1));
    let (p10, p11) = (_mm512_mul_epu32(a1, b), _mm512_mul_epu32(a1, b1));
    // None of these sums has a carry.
    let t = _mm512_add_epi64(p10, _mm512_srli_epi64::<32>(p00));
    let u = _mm512_add_epi64(p01, _mm512_and_si512(t, _mm512_set1_epi64(EPSILON)));
    let high = _mm512_add_epi64(p11, _mm512_srli_epi64::<32>(t));
    let high = _mm512_add_epi64(high, _mm512_srli_epi64::<32>(u));
    (high, merge_halves::<false>(p00, u, 0xaaaa))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul(a: __m512i, b: __m512i) -> __m512i {
    let (high, low) = product(a, b);
    let low = sub_once(low, _mm512_srli_epi64::<32>(high));
    // `(B - 1)^2 < P`.
    add_once(low, _mm512_mul_epu32(high, _mm512_set1_epi64(EPSILON)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn dot<const N: usize>(a: [__m512i; N], b: [__m512i; N]) -> __m512i {
    let epsilon = _mm512_set1_epi64(EPSILON);
    let (high, mut low) = product(a[0], b[0]);
    let (mut middle, mut top) = (_mm512_and_si512(high, epsilon), _mm512_srli_epi64::<32>(high));
    let mut i = 1;
    while i < N {
        let (high, next) = product(a[i], b[i]);
        low = _mm512_add_epi64(low, next);
        let carry = _mm512_cmplt_epu64_mask(low, next);
        middle = _mm512_add_epi64(middle, _mm512_and_si512(high, epsilon));
        middle = _mm512_mask_add_epi64(middle, carry, middle, _mm512_set1_epi64(1));
        top = _mm512_add_epi64(top, _mm512_srli_epi64::<32>(high));
        i += 1;
    }
    // `low + middle B^2 + top B^3`; the upper half of `middle` has the weight of `top`.
    let minus = _mm512_add_epi64(top, _mm512_srli_epi64::<32>(middle));
    add_once(sub_once(low, minus), _mm512_mul_epu32(middle, epsilon))
}

/// [`dot`] with factors that are the same in all lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn mixed_dot<const N: usize>(a: [__m512i; N], b: [__m512i; N]) -> __m512i {
    dot(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn interleave(a: __m512i, b: __m512i, run: usize) -> (__m512i, __m512i) {
    match run {
        1 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
        2 => {
            let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            (_mm512_permutex2var_epi64(a, even, b), _mm512_permutex2var_epi64(a, odd, b))
        }
        _ => (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b)),
    }
}
