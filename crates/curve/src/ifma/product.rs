//! Products of eight lanes, two streams side by side: each step of a reduction waits for the one before.
//!
//! A product is some 600 instructions. Where many stand one behind another they do not fit into the cache of decoded instructions, nor into that of
//! code: so [`products`] and [`squares`] are functions that are called.

use core::arch::x86_64::*;

use super::lanes::{Lanes, carry, mask, splat};
use super::prime::Prime;

/// The columns of two products that are not done: `L + 1` of them.
type Window = [[__m512i; 9]; 2];

/// The first half of a step of two reductions: the lowest columns leave with their carries, and what they ask for comes back, multiples of p.
///
/// The streams take turns, and what the next step waits for, the lowest column, is done first.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn shift<const L: usize>(t: &mut Window, prime: &'static Prime<L>) -> [__m512i; 2] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let zero = _mm512_setzero_si512();
        let mut m = [zero; 2];
        for s in 0..2 {
            m[s] = _mm512_madd52lo_epu64(zero, t[s][0], _mm512_set1_epi64(prime.inverse as i64));
            // The lowest product makes the low bits zero: what it carries is known without it.
            let carry = _mm512_srli_epi64::<52>(_mm512_add_epi64(t[s][0], mask()));
            t[s][1] = _mm512_add_epi64(t[s][1], carry);
            for j in 0..L {
                t[s][j] = t[s][j + 1];
            }
            t[s][L] = zero;
        }
        m
    }
}

/// The second half: the multiples of p are added.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn fold<const L: usize>(t: &mut Window, m: [__m512i; 2], prime: &'static Prime<L>) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let p: Lanes<L> = splat(&prime.p);
        for s in 0..2 {
            let high = _mm512_madd52hi_epu64(_mm512_setzero_si512(), m[s], p[0]);
            t[s][0] = _mm512_add_epi64(_mm512_madd52lo_epu64(t[s][0], m[s], p[1]), high);
        }
        for s in 0..2 {
            for j in 1..L - 1 {
                t[s][j] = _mm512_madd52lo_epu64(t[s][j], m[s], p[j + 1]);
            }
            for j in 1..L {
                t[s][j] = _mm512_madd52hi_epu64(t[s][j], m[s], p[j]);
            }
        }
    }
}

/// Row `i` of two products: the high halves of row `i` and the low ones of row `i + 1`, in a step of the reduction.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn row<const L: usize>(
    i: usize,
    t: &mut Window,
    a: [&Lanes<L>; 2],
    b: [&Lanes<L>; 2],
    prime: &'static Prime<L>,
) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let m = shift(t, prime);
        for s in 0..2 {
            for j in 0..L {
                t[s][j] = _mm512_madd52hi_epu64(t[s][j], a[s][i], b[s][j]);
            }
            if i + 1 < L {
                for j in 0..L {
                    t[s][j] = _mm512_madd52lo_epu64(t[s][j], a[s][i + 1], b[s][j]);
                }
            }
        }
        fold(t, m, prime);
    }
}

/// A number and its double, of which row `i` of the square takes what is above limb `i`.
struct Twice<'a, const L: usize> {
    number: &'a Lanes<L>,
    /// The limbs of the double, and without what the limb below carries.
    double: Lanes<L>,
    even: Lanes<L>,
}

impl<'a, const L: usize> Twice<'a, L> {
    /// Of a number whose double has `L` limbs.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn new(number: &'a Lanes<L>) -> Self {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is
        // touched.
        unsafe {
            let (mut double, mut even) = (*number, *number);
            for j in 1..L {
                even[j] = _mm512_and_si512(_mm512_slli_epi64::<1>(number[j]), mask());
                double[j] = _mm512_or_si512(even[j], _mm512_srli_epi64::<51>(number[j - 1]));
            }
            Self { number, double, even }
        }
    }

    /// What limb `i` is multiplied by at limb `j >= i`.
    #[inline(always)]
    fn limb(&self, i: usize, j: usize) -> __m512i {
        if j == i {
            self.number[j]
        } else if j == i + 1 {
            self.even[j]
        } else {
            self.double[j]
        }
    }
}

/// [`row`] of two squares: a product of different limbs is there once, doubled.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn square_row<const L: usize>(i: usize, t: &mut Window, a: &[Twice<L>; 2], prime: &'static Prime<L>) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let m = shift(t, prime);
        for s in 0..2 {
            for j in i..L {
                t[s][j] = _mm512_madd52hi_epu64(t[s][j], a[s].number[i], a[s].limb(i, j));
            }
            for j in i + 1..L {
                t[s][j] = _mm512_madd52lo_epu64(t[s][j], a[s].number[i + 1], a[s].limb(i + 1, j));
            }
        }
        fold(t, m, prime);
    }
}

/// `a^2 / 2^(52 L)`, of two streams, for numbers whose doubles have `L` limbs.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
pub(super) unsafe fn squares<const L: usize>(a: [&Lanes<L>; 2], prime: &'static Prime<L>) -> [Lanes<L>; 2] {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe {
        let zero = _mm512_setzero_si512();
        let a = [Twice::new(a[0]), Twice::new(a[1])];
        let mut t = [[zero; 9]; 2];
        for s in 0..2 {
            for j in 0..L {
                t[s][j] = _mm512_madd52lo_epu64(zero, a[s].number[0], a[s].limb(0, j));
            }
        }
        square_row(0, &mut t, &a, prime);
        square_row(1, &mut t, &a, prime);
        square_row(2, &mut t, &a, prime);
        square_row(3, &mut t, &a, prime);
        square_row(4, &mut t, &a, prime);
        if L == 8 {
            square_row(5, &mut t, &a, prime);
            square_row(6, &mut t, &a, prime);
            square_row(7, &mut t, &a, prime);
        }
        finish(&t)
    }
}

/// The columns that are left, as limbs.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn finish<const L: usize>(t: &Window) -> [Lanes<L>; 2] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = [[_mm512_setzero_si512(); L]; 2];
        for s in 0..2 {
            c[s].copy_from_slice(&t[s][..L]);
            c[s] = carry(c[s]);
        }
        c
    }
}

/// [`products`] as a part of its caller: for a loop that is short, and waits for memory too.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn products_here<const L: usize>(
    a: [&Lanes<L>; 2],
    b: [&Lanes<L>; 2],
    prime: &'static Prime<L>,
) -> [Lanes<L>; 2] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let zero = _mm512_setzero_si512();
        let mut t = [[zero; 9]; 2];
        for s in 0..2 {
            for j in 0..L {
                t[s][j] = _mm512_madd52lo_epu64(zero, a[s][0], b[s][j]);
            }
        }
        // Written out, because the columns stay in registers only if no index is a variable.
        row(0, &mut t, a, b, prime);
        row(1, &mut t, a, b, prime);
        row(2, &mut t, a, b, prime);
        row(3, &mut t, a, b, prime);
        row(4, &mut t, a, b, prime);
        if L == 8 {
            row(5, &mut t, a, b, prime);
            row(6, &mut t, a, b, prime);
            row(7, &mut t, a, b, prime);
        }
        finish(&t)
    }
}

/// `a b / 2^(52 L)`, of two streams.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
pub(super) unsafe fn products<const L: usize>(
    a: [&Lanes<L>; 2],
    b: [&Lanes<L>; 2],
    prime: &'static Prime<L>,
) -> [Lanes<L>; 2] {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe { products_here(a, b, prime) }
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
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    let [c, _] = unsafe { products_here([a, a], [b, b], prime) };
    c
}
