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
pub(super) unsafe fn mask() -> __m512i {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe { _mm512_set1_epi64((1 << 52) - 1) }
}

/// The same number in every lane.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn splat<const L: usize>(limbs: &[u64; L]) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut a = [_mm512_setzero_si512(); L];
        for j in 0..L {
            a[j] = _mm512_set1_epi64(limbs[j] as i64);
        }
        a
    }
}

/// The carries of wide limbs propagated. The number is not negative.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn carry<const L: usize>(mut t: Lanes<L>) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
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
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = [_mm512_setzero_si512(); L];
        for j in 0..L {
            c[j] = _mm512_add_epi64(a[j], b[j]);
        }
        c
    }
}

/// Wide `a - b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn wide_difference<const L: usize>(a: &Lanes<L>, b: &Lanes<L>) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = [_mm512_setzero_si512(); L];
        for j in 0..L {
            c[j] = _mm512_sub_epi64(a[j], b[j]);
        }
        c
    }
}

/// Wide `2^S a`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn wide_shift<const L: usize, const S: u32>(a: &Lanes<L>) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = [_mm512_setzero_si512(); L];
        for j in 0..L {
            c[j] = _mm512_slli_epi64::<S>(a[j]);
        }
        c
    }
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
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe { carry(wide_sum(&wide_difference(a, b), &splat(&prime.multiples[k]))) }
}

/// From a wide number between `-4.9 p` and `2.9 p` one that is the same modulo p, between `0.9 p` and `2.1 p`.
///
/// The highest limb tells the quotient by p, rounded down or one off.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn reduce<const L: usize>(mut t: Lanes<L>, prime: &'static Prime<L>) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a row of the table is eight words.
    unsafe {
        let top = _mm512_add_epi64(t[L - 1], _mm512_set1_epi64(prime.offset as i64));
        let quotient = _mm512_set1_epi64(prime.quotient as i64);
        let index = _mm512_madd52hi_epu64(_mm512_setzero_si512(), top, quotient);
        for j in 0..L {
            let row = _mm512_loadu_si512(prime.table[j].as_ptr().cast());
            t[j] = _mm512_add_epi64(t[j], _mm512_permutexvar_epi64(index, row));
        }
        carry(t)
    }
}

/// The first `L` rows of eight rows and columns exchanged.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn transpose<const L: usize>(r: &[__m512i; 8]) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        // Words of the even and of the odd columns; then quarters 0 and 2, or 1 and 3, of two registers, twice.
        let mut all = [_mm512_setzero_si512(); 8];
        for odd in 0..2 {
            let mut pairs = [r[0]; 4];
            for i in 0..4 {
                let (a, b) = (r[2 * i], r[2 * i + 1]);
                pairs[i] = if odd == 0 { _mm512_unpacklo_epi64(a, b) } else { _mm512_unpackhi_epi64(a, b) };
            }
            let [a, b, c, d] = pairs;
            let (low, high) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d));
            all[odd] = _mm512_shuffle_i64x2::<0x88>(low, high);
            all[odd + 4] = _mm512_shuffle_i64x2::<0xdd>(low, high);
            let (low, high) = (_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d));
            all[odd + 2] = _mm512_shuffle_i64x2::<0x88>(low, high);
            all[odd + 6] = _mm512_shuffle_i64x2::<0xdd>(low, high);
        }
        let mut columns = [all[0]; L];
        columns.copy_from_slice(&all[..L]);
        columns
    }
}

/// The lanes, one vector of limbs for each.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn rows<const L: usize>(a: &Lanes<L>) -> Lanes<8> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut limbs = [_mm512_setzero_si512(); 8];
        limbs[..L].copy_from_slice(a);
        transpose(&limbs)
    }
}

/// The words of the lanes, one array for each lane.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn unload<const L: usize>(a: &Lanes<L>) -> [[u64; 8]; 8] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); both types are 64 words.
    unsafe { core::mem::transmute::<[__m512i; 8], [[u64; 8]; 8]>(rows(a)) }
}

/// The reverse of [`unload`].
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn load<const L: usize>(lanes: &[[u64; 8]; 8]) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); each array is eight words.
    unsafe {
        let mut rows = [_mm512_setzero_si512(); 8];
        for i in 0..8 {
            rows[i] = _mm512_loadu_si512(lanes[i].as_ptr().cast());
        }
        transpose(&rows)
    }
}

/// Lanes in another order: lane `k` is lane `order[k]`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn permuted<const L: usize>(a: &Lanes<L>, order: __m512i) -> Lanes<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut b = *a;
        for j in 0..L {
            b[j] = _mm512_permutexvar_epi64(order, a[j]);
        }
        b
    }
}
