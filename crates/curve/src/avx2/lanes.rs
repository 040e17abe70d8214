//! Arithmetic on four lanes, four streams of them at a time. All functions ask for AVX2 and FMA; those that are inlined are compiled with the
//! instructions of their caller.
//!
//! A number's words are sums of products' halves, each of which is exact: with `h` near `3/2 2^52` units, `h' = h + a b` is rounded to the unit, what was rounded
//! off is `a b - (h' - h)`, and both are what one fused multiply-add gives.
//!
//! Bounds, in units of a word's own weight `2^(48 j)`: words of a *carried* number are below `2^47 + 2^5`; of a *wide* one, a sum or a
//! difference of two carried, below `2^48 + 2^6`. A product has a wide factor at most.

use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::MaybeUninit;

use super::prime::{PRIME, Prime};

/// Four numbers: word `j` of lane `i` in place `i` of vector `j`, times `2^(48 j)`.
pub(super) type Lanes = [__m256d; 8];

/// Products that are made at a time: as many as hide what the steps of a reduction wait for.
pub(super) const STREAMS: usize = 4;

/// `a - b`, wide.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn difference(a: &Lanes, b: &Lanes) -> Lanes {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = *a;
        for j in 0..8 {
            c[j] = _mm256_sub_pd(a[j], b[j]);
        }
        c
    }
}

/// From words below `2^50`, of a number within `3 p` of 0, a carried number within `0.51 p` of 0, the same modulo p.
///
/// The highest word tells the quotient by p but for `2^-40`; products with it are exact, since it has two bits.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn reduce(mut t: Lanes) -> Lanes {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let one = PRIME.round[0];
        let quotient = _mm256_sub_pd(_mm256_fmadd_pd(t[7], PRIME.quotient, one), one);
        for j in 0..8 {
            t[j] = _mm256_fnmadd_pd(quotient, PRIME.p[j], t[j]);
        }
        let mut below = _mm256_setzero_pd();
        for j in 0..7 {
            let carry = _mm256_sub_pd(_mm256_add_pd(t[j], PRIME.round[j + 1]), PRIME.round[j + 1]);
            t[j] = _mm256_add_pd(_mm256_sub_pd(t[j], carry), below);
            below = carry;
        }
        t[7] = _mm256_add_pd(t[7], below);
        t
    }
}

/// Adds `a b`: its high half to `h`, its low half to `l`.
///
/// `h` stays between `2^52` and `2^53` units of the next word, so that it is rounded to units; the low half is at most half of one.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn multiply_add(h: &mut __m256d, l: &mut __m256d, a: __m256d, b: __m256d) {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let sum = _mm256_fmadd_pd(a, b, *h);
        let rest = _mm256_fmadd_pd(a, b, _mm256_sub_pd(*h, sum));
        *h = sum;
        *l = _mm256_add_pd(*l, rest);
    }
}

/// What `a[I]` adds to the columns `K..K + W` of `a b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn row<const W: usize, const K: usize, const I: usize>(
    h: &mut [__m256d; W],
    l: &mut [__m256d; W],
    a: &Lanes,
    b: &Lanes,
) {
    for c in 0..W {
        if K + c >= I && K + c < I + 8 {
            // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
            unsafe { multiply_add(&mut h[c], &mut l[c], a[I], b[K + c - I]) }
        }
    }
}

/// Adds the products of `a b` in the columns `K..K + W` to `l`, and gives what they carry into the columns `K + 1..=K + W`: below `2^50 + 2^9`, as
/// at most eight high halves of a carried and a wide factor are.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn columns<const W: usize, const K: usize>(
    l: &mut [__m256d; W],
    a: &Lanes,
    b: &Lanes,
    prime: &Prime,
) -> [__m256d; W] {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let mut h = [prime.round[0]; W];
        for c in 0..W {
            h[c] = prime.round[K + c + 1];
        }
        // Written out, because the columns stay in registers only if no index is a variable.
        row::<W, K, 0>(&mut h, l, a, b);
        row::<W, K, 1>(&mut h, l, a, b);
        row::<W, K, 2>(&mut h, l, a, b);
        row::<W, K, 3>(&mut h, l, a, b);
        row::<W, K, 4>(&mut h, l, a, b);
        row::<W, K, 5>(&mut h, l, a, b);
        row::<W, K, 6>(&mut h, l, a, b);
        row::<W, K, 7>(&mut h, l, a, b);
        for c in 0..W {
            h[c] = _mm256_sub_pd(h[c], prime.round[K + c + 1]);
        }
        h
    }
}

/// The columns of a product.
type Columns = [__m256d; 16];

/// All columns of `a b`: eight low halves, `2^50`, and what comes from below.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn square_of_products(t: &mut MaybeUninit<Columns>, a: &Lanes, b: &Lanes, prime: &Prime) {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); five columns three times and the last are all sixteen.
    unsafe {
        let to = t.as_mut_ptr().cast::<__m256d>();
        let below = five::<0>(to, _mm256_setzero_pd(), a, b, prime);
        let below = five::<5>(to, below, a, b, prime);
        let below = five::<10>(to, below, a, b, prime);
        to.add(15).write(below);
    }
}

/// Writes five columns of `a b`, and gives what goes to the next.
///
/// # Safety
/// The CPU has the instructions, and there are so many columns.
#[inline(always)]
unsafe fn five<const K: usize>(
    to: *mut __m256d,
    below: __m256d,
    a: &Lanes,
    b: &Lanes,
    prime: &Prime,
) -> __m256d {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); `to` has the columns `K` to `K + 4`.
    unsafe {
        let zero = _mm256_setzero_pd();
        let mut l = [below, zero, zero, zero, zero];
        let h = columns::<5, K>(&mut l, a, b, prime);
        to.add(K).write(l[0]);
        for c in 1..5 {
            to.add(K + c).write(_mm256_add_pd(l[c], h[c - 1]));
        }
        h[4]
    }
}

/// Word `K` of the multiple of p that makes the lower half of the columns zero, for every stream; `carry` goes from column to column.
///
/// A column is below `2^51`, with seven low halves of products by p and what is carried below `2^52`: all sums are exact, and its product with
/// the inverse is below `2^51` units of the next word, so that it is rounded to those.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn word<const K: usize>(
    t: &[Columns; STREAMS],
    m: &mut [Lanes; STREAMS],
    carry: &mut [__m256d; STREAMS],
) {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let prime = black_box(&PRIME);
        for s in 0..STREAMS {
            let (mut h, mut l) = (prime.round[K + 1], t[s][K]);
            for i in 0..K.saturating_sub(1) {
                multiply_add(&mut h, &mut l, m[s][i], prime.p[K - i]);
            }
            // What the step before decided comes last.
            l = _mm256_add_pd(l, carry[s]);
            if K > 0 {
                multiply_add(&mut h, &mut l, m[s][K - 1], prime.p[1]);
            }
            let high = _mm256_fmadd_pd(l, prime.inverse, prime.round[K + 1]);
            let word = _mm256_fmadd_pd(l, prime.inverse, _mm256_sub_pd(prime.round[K + 1], high));
            m[s][K] = word;
            // A multiple of the next word's unit, below 2^47 of them: exact.
            let up = _mm256_fmadd_pd(word, prime.p[0], l);
            carry[s] = _mm256_add_pd(up, _mm256_sub_pd(h, prime.round[K + 1]));
        }
    }
}

/// The upper half of the columns of `a b + m p`, carried, as a number: over `2^384`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn upper(t: &Columns, m: &Lanes, carry: __m256d, prime: &Prime) -> Lanes {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let mut l = [_mm256_add_pd(t[8], carry), t[9], t[10], t[11]];
        let h = columns::<4, 8>(&mut l, m, &prime.p, prime);
        let mut k = [_mm256_add_pd(t[12], h[3]), t[13], t[14]];
        let g = columns::<3, 12>(&mut k, m, &prime.p, prime);
        let all = [
            l[0],
            _mm256_add_pd(l[1], h[0]),
            _mm256_add_pd(l[2], h[1]),
            _mm256_add_pd(l[3], h[2]),
            k[0],
            _mm256_add_pd(k[1], g[0]),
            _mm256_add_pd(k[2], g[1]),
            _mm256_add_pd(t[15], g[2]),
        ];
        let (mut c, mut below) = (all, _mm256_setzero_pd());
        for j in 0..7 {
            // Columns are below 2^52: 2^4 are carried.
            let round = prime.round[j + 1];
            let up = _mm256_sub_pd(_mm256_fmadd_pd(all[j], prime.scale, round), round);
            c[j] = _mm256_add_pd(_mm256_fmsub_pd(all[j], prime.scale, up), below);
            below = up;
        }
        c[7] = _mm256_fmadd_pd(all[7], prime.scale, below);
        c
    }
}

/// `a b / 2^384`, carried: for factors within `a p` and `b p` of 0, of which one may be wide, within `(0.501 + ab/9.85) p`.
///
/// # Safety
/// The CPU has AVX2 and FMA.
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn products(a: [&Lanes; STREAMS], b: [&Lanes; STREAMS]) -> [Lanes; STREAMS] {
    // SAFETY: this function enables AVX2 and FMA; the first loop writes all sixteen columns of every stream before they are
    // read.
    unsafe {
        // What the compiler knows to stay the same it would copy to the stack; it does not know what is behind `black_box`.
        let mut t = [const { MaybeUninit::<Columns>::uninit() }; STREAMS];
        for s in 0..STREAMS {
            square_of_products(&mut t[s], black_box(a[s]), black_box(b[s]), black_box(&PRIME));
        }
        let t = &*(&raw const t).cast::<[Columns; STREAMS]>();
        let zero = _mm256_setzero_pd();
        let (mut m, mut carry) = ([[zero; 8]; STREAMS], [zero; STREAMS]);
        word::<0>(t, &mut m, &mut carry);
        word::<1>(t, &mut m, &mut carry);
        word::<2>(t, &mut m, &mut carry);
        word::<3>(t, &mut m, &mut carry);
        word::<4>(t, &mut m, &mut carry);
        word::<5>(t, &mut m, &mut carry);
        word::<6>(t, &mut m, &mut carry);
        word::<7>(t, &mut m, &mut carry);
        let mut c = [[zero; 8]; STREAMS];
        for s in 0..STREAMS {
            c[s] = upper(&t[s], black_box(&m[s]), carry[s], black_box(&PRIME));
        }
        c
    }
}

/// Words of four rows to vectors of a word each, and back: it is its own inverse, for each half.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn transpose([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let (ab, cd) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
        let (ba, dc) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab, cd),
            _mm256_permute2f128_pd::<0x20>(ba, dc),
            _mm256_permute2f128_pd::<0x31>(ab, cd),
            _mm256_permute2f128_pd::<0x31>(ba, dc),
        ]
    }
}
