//! Arithmetic on eight lanes. All functions ask for AVX-512 F, DQ and IFMA; they are always inlined, so that they are compiled with
//! the instructions of their caller.

use core::arch::x86_64::*;

use super::prime::Prime;

/// Eight numbers.
pub(super) type Lanes<const L: usize> = [__m512i; L];

/// `2^52 - 1` in every word.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn mask() -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_set1_epi64((1 << 52) - 1) }
}

/// The same number in every lane.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn splat<const L: usize>(limbs: &[u64; L]) -> Lanes<L> {
    // SAFETY: the caller's promise.
    core::array::from_fn(|j| unsafe { _mm512_set1_epi64(limbs[j] as i64) })
}

/// The carries of wide limbs propagated. The number is not negative.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn carry<const L: usize>(mut t: Lanes<L>) -> Lanes<L> {
    // SAFETY: the caller's promise.
    unsafe {
        for j in 0..L - 1 {
            t[j + 1] = _mm512_add_epi64(t[j + 1], _mm512_srai_epi64::<52>(t[j]));
            t[j] = _mm512_and_si512(t[j], mask());
        }
        t
    }
}

/// Wide `a + b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn wide_sum<const L: usize>(a: &Lanes<L>, b: &Lanes<L>) -> Lanes<L> {
    // SAFETY: the caller's promise.
    core::array::from_fn(|j| unsafe { _mm512_add_epi64(a[j], b[j]) })
}

/// Wide `a - b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn wide_difference<const L: usize>(a: &Lanes<L>, b: &Lanes<L>) -> Lanes<L> {
    // SAFETY: the caller's promise.
    core::array::from_fn(|j| unsafe { _mm512_sub_epi64(a[j], b[j]) })
}

/// Wide `2^S a`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn wide_shift<const L: usize, const S: u32>(a: &Lanes<L>) -> Lanes<L> {
    // SAFETY: the caller's promise.
    core::array::from_fn(|j| unsafe { _mm512_slli_epi64::<S>(a[j]) })
}

/// `a - b + k p`, which is not negative.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn difference<const L: usize>(
    a: &Lanes<L>,
    b: &Lanes<L>,
    k: usize,
    prime: &'static Prime<L>,
) -> Lanes<L> {
    // SAFETY: the caller's promise.
    unsafe { carry(wide_sum(&wide_difference(a, b), &splat(&prime.multiples[k]))) }
}

/// From a wide number between `-5 p` and `3 p` one that is the same modulo p, between `0.9 p` and `2.1 p`.
///
/// The highest limb tells the quotient by p, rounded down or one off.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn reduce<const L: usize>(t: Lanes<L>, prime: &'static Prime<L>) -> Lanes<L> {
    // SAFETY: the caller's promise; a row of the table is eight words.
    unsafe {
        let top = _mm512_add_epi64(t[L - 1], _mm512_set1_epi64(prime.offset as i64));
        let quotient = _mm512_set1_epi64(prime.quotient as i64);
        let index = _mm512_madd52hi_epu64(_mm512_setzero_si512(), top, quotient);
        carry(core::array::from_fn(|j| {
            let row = _mm512_loadu_si512(prime.table[j].as_ptr().cast());
            _mm512_add_epi64(t[j], _mm512_permutexvar_epi64(index, row))
        }))
    }
}

/// Montgomery's reduction of the columns of a product, `C = 2 L`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn montgomery<const L: usize, const C: usize>(
    mut t: [__m512i; C],
    prime: &'static Prime<L>,
) -> Lanes<L> {
    // SAFETY: the caller's promise.
    unsafe {
        let inverse = _mm512_set1_epi64(prime.inverse as i64);
        let p: Lanes<L> = splat(&prime.p);
        for i in 0..L {
            let m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[i], inverse);
            // The lowest product makes the low bits zero: what it carries is known without it.
            let carry = _mm512_srli_epi64::<52>(_mm512_add_epi64(t[i], mask()));
            t[i + 1] = _mm512_add_epi64(t[i + 1], carry);
            for j in 1..L {
                t[i + j] = _mm512_madd52lo_epu64(t[i + j], m, p[j]);
                t[i + j] = _mm512_madd52hi_epu64(t[i + j], m, p[j - 1]);
            }
            t[i + L] = _mm512_madd52hi_epu64(t[i + L], m, p[L - 1]);
        }
        carry(core::array::from_fn(|j| t[L + j]))
    }
}

/// `a b / 2^(52 L)`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn product<const L: usize>(
    a: &Lanes<L>,
    b: &Lanes<L>,
    prime: &'static Prime<L>,
) -> Lanes<L> {
    // SAFETY: the caller's promise.
    unsafe {
        match L {
            8 => montgomery(columns::<L, 16>(a, b), prime),
            _ => montgomery(columns::<L, 10>(a, b), prime),
        }
    }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn columns<const L: usize, const C: usize>(a: &Lanes<L>, b: &Lanes<L>) -> [__m512i; C] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut t = [_mm512_setzero_si512(); C];
        for i in 0..L {
            for j in 0..L {
                t[i + j] = _mm512_madd52lo_epu64(t[i + j], a[i], b[j]);
            }
            for j in 0..L {
                t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a[i], b[j]);
            }
        }
        t
    }
}

/// `a^2 / 2^(52 L)`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn square<const L: usize>(a: &Lanes<L>, prime: &'static Prime<L>) -> Lanes<L> {
    // SAFETY: the caller's promise.
    unsafe {
        match L {
            8 => montgomery(square_columns::<L, 16>(a), prime),
            _ => montgomery(square_columns::<L, 10>(a), prime),
        }
    }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn square_columns<const L: usize, const C: usize>(a: &Lanes<L>) -> [__m512i; C] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut t = [_mm512_setzero_si512(); C];
        for i in 0..L {
            for j in i + 1..L {
                t[i + j] = _mm512_madd52lo_epu64(t[i + j], a[i], a[j]);
            }
            for j in i + 1..L {
                t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a[i], a[j]);
            }
        }
        for column in &mut t {
            *column = _mm512_add_epi64(*column, *column);
        }
        for i in 0..L {
            t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a[i], a[i]);
            t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a[i], a[i]);
        }
        t
    }
}

/// The first `L` rows of eight rows and columns exchanged.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn transpose<const L: usize>(r: &[__m512i; 8]) -> Lanes<L> {
    // SAFETY: the caller's promise.
    unsafe {
        let pair = |i: usize| (_mm512_unpacklo_epi64(r[i], r[i + 1]), _mm512_unpackhi_epi64(r[i], r[i + 1]));
        let ((a0, a1), (b0, b1), (c0, c1), (d0, d1)) = (pair(0), pair(2), pair(4), pair(6));
        // Quarters 0 and 2, and 1 and 3, of two registers each; then the same again.
        let even = |x, y| _mm512_shuffle_i64x2::<0x88>(x, y);
        let odd = |x, y| _mm512_shuffle_i64x2::<0xdd>(x, y);
        let all = [
            even(even(a0, b0), even(c0, d0)),
            even(even(a1, b1), even(c1, d1)),
            even(odd(a0, b0), odd(c0, d0)),
            even(odd(a1, b1), odd(c1, d1)),
            odd(even(a0, b0), even(c0, d0)),
            odd(even(a1, b1), even(c1, d1)),
            odd(odd(a0, b0), odd(c0, d0)),
            odd(odd(a1, b1), odd(c1, d1)),
        ];
        core::array::from_fn(|j| all[j])
    }
}

/// The words of the lanes, one array for each lane.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn unload<const L: usize>(a: &Lanes<L>) -> [[u64; 8]; 8] {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = _mm512_setzero_si512();
        let rows: Lanes<8> = transpose(&core::array::from_fn(|j| if j < L { a[j] } else { zero }));
        // SAFETY: both are 512 bytes of words.
        core::mem::transmute::<[__m512i; 8], [[u64; 8]; 8]>(rows)
    }
}

/// The reverse of [`unload`].
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn load<const L: usize>(lanes: &[[u64; 8]; 8]) -> Lanes<L> {
    // SAFETY: the caller's promise; each array is eight words.
    unsafe { transpose(&core::array::from_fn(|i| _mm512_loadu_si512(lanes[i].as_ptr().cast()))) }
}
