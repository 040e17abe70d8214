//! Goldilocks on AVX2: four elements as any 64-bit words; formulas as on AVX-512.
//!
//! AVX2 compares signed words alone: `x'` is `x - 2^63`, whose signed order is the unsigned one of `x`.

use core::arch::x86_64::*;

use super::lanes;
use crate::Goldilocks;

lanes!(Goldilocks4, Goldilocks as u64, __m256i, 4, 1);

const P: i64 = 0xffff_ffff_0000_0001_u64 as i64;
/// `2^64 - P`.
const EPSILON: i64 = 0xffff_ffff;

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: u64) -> __m256i {
    _mm256_set1_epi64x(x as i64)
}

/// From `x` to `x'`, and back.
#[inline]
#[target_feature(enable = "avx2")]
fn shift(x: __m256i) -> __m256i {
    _mm256_xor_si256(x, _mm256_set1_epi64x(i64::MIN))
}

/// [`EPSILON`] where the mask is set.
#[inline]
#[target_feature(enable = "avx2")]
fn epsilon_where(mask: __m256i) -> __m256i {
    _mm256_srli_epi64::<32>(mask)
}

/// `x'` of the same number below `P`.
#[inline]
#[target_feature(enable = "avx2")]
fn canonical_shifted(x: __m256i) -> __m256i {
    let x = shift(x);
    let below = _mm256_cmpgt_epi64(_mm256_set1_epi64x(P ^ i64::MIN), x);
    _mm256_add_epi64(x, _mm256_andnot_si256(below, _mm256_set1_epi64x(EPSILON)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    let b = canonical_shifted(b);
    let sum = _mm256_add_epi64(a, b);
    let carry = _mm256_cmpgt_epi64(b, sum);
    shift(_mm256_add_epi64(sum, epsilon_where(carry)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: __m256i, b: __m256i) -> __m256i {
    let (a, b) = (shift(a), canonical_shifted(b));
    let borrow = _mm256_cmpgt_epi64(b, a);
    _mm256_sub_epi64(_mm256_sub_epi64(a, b), epsilon_where(borrow))
}

/// `(a + b)'` from `a'`, with `b` at most `2^64 - 2^32`.
#[inline]
#[target_feature(enable = "avx2")]
fn add_small(a: __m256i, b: __m256i) -> __m256i {
    let sum = _mm256_add_epi64(a, b);
    // Upper halves decide: if they are equal, then that of b is B - 1 and its lower one zero, by the bound, and nothing is carried.
    let carry = _mm256_cmpgt_epi32(a, sum);
    _mm256_add_epi64(sum, epsilon_where(carry))
}

/// `(a - b)'` from `a'`, with `b` at most `2^64 - 2^32`.
#[inline]
#[target_feature(enable = "avx2")]
fn sub_small(a: __m256i, b: __m256i) -> __m256i {
    let difference = _mm256_sub_epi64(a, b);
    let borrow = _mm256_cmpgt_epi32(difference, a);
    _mm256_sub_epi64(difference, epsilon_where(borrow))
}

#[inline]
#[target_feature(enable = "avx2")]
fn upper(x: __m256i) -> __m256i {
    _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(x)))
}

/// The upper and the lower word of each product.
#[inline]
#[target_feature(enable = "avx2")]
fn product(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (a1, b1) = (upper(a), upper(b));
    let (p00, p01) = (_mm256_mul_epu32(a, b), _mm256_mul_epu32(a, b1));
    let (p10, p11) = (_mm256_mul_epu32(a1, b), _mm256_mul_epu32(a1, b1));
    // None of these sums has a carry.
    let t = _mm256_add_epi64(p10, _mm256_srli_epi64::<32>(p00));
    let u = _mm256_add_epi64(p01, _mm256_and_si256(t, _mm256_set1_epi64x(EPSILON)));
    let high = _mm256_add_epi64(p11, _mm256_srli_epi64::<32>(t));
    let high = _mm256_add_epi64(high, _mm256_srli_epi64::<32>(u));
    let low = _mm256_castps_si256(_mm256_moveldup_ps(_mm256_castsi256_ps(u)));
    (high, _mm256_blend_epi32::<0xaa>(p00, low))
}

#[inline]
#[target_feature(enable = "avx2")]
fn mul(a: __m256i, b: __m256i) -> __m256i {
    let (high, low) = product(a, b);
    let low = sub_small(shift(low), _mm256_srli_epi64::<32>(high));
    // `(B - 1)^2 = B^2 - 2 B + 1`, within the bound.
    shift(add_small(low, _mm256_mul_epu32(high, _mm256_set1_epi64x(EPSILON))))
}

#[inline]
#[target_feature(enable = "avx2")]
fn dot<const N: usize>(a: [__m256i; N], b: [__m256i; N]) -> __m256i {
    let epsilon = _mm256_set1_epi64x(EPSILON);
    let (high, low) = product(a[0], b[0]);
    let mut low = shift(low);
    let (mut middle, mut top) = (_mm256_and_si256(high, epsilon), _mm256_srli_epi64::<32>(high));
    let mut i = 1;
    while i < N {
        let (high, next) = product(a[i], b[i]);
        let before = low;
        low = _mm256_add_epi64(low, next);
        let carry = _mm256_cmpgt_epi64(before, low);
        middle = _mm256_add_epi64(middle, _mm256_and_si256(high, epsilon));
        middle = _mm256_sub_epi64(middle, carry);
        top = _mm256_add_epi64(top, _mm256_srli_epi64::<32>(high));
        i += 1;
    }
    // `low + middle B^2 + top B^3`; the upper half of `middle` has the weight of `top`.
    let minus = _mm256_add_epi64(top, _mm256_srli_epi64::<32>(middle));
    shift(add_small(sub_small(low, minus), _mm256_mul_epu32(middle, epsilon)))
}

/// [`dot`] with factors that are the same in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn mixed_dot<const N: usize>(a: [__m256i; N], b: [__m256i; N]) -> __m256i {
    dot(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn interleave(a: __m256i, b: __m256i, run: usize) -> (__m256i, __m256i) {
    match run {
        1 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
        _ => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
    }
}
