//! BN254's target field in lanes: the twelve coordinates of an element side by side.
//!
//! ```text
//!   f = sum over k < 6 of (a_k + b_k u) w^k,  u^2 = -1,  w^6 = xi = 9 + u      lane k of `re` is a_k, lane k of `im` is b_k
//! ```
//! A product is the sum of six multiples of `w^i f`, and `w^i f` is a window of `xi f, f` in memory: so nothing is permuted, the sums of products are wide
//! columns, and there is one reduction for each vector. Coordinates are below `2 p`, those of a product below `1.6 p`. Lanes 6 and 7 have numbers in the same
//! bounds, which nobody reads.
//!
//! Source of the squaring in the cyclotomic subgroup: Granger and Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions" (2010).

use core::arch::x86_64::*;
use core::marker::PhantomData;

use ark_bn254::{Fq, Fq2, Fq6, Fq12, FqConfig};
use ark_ff::AdditiveGroup;

use super::eight::Eight;
use super::lanes::{self, Lanes, carry, mask, splat};
use super::prime::Prime;

pub(super) const PRIME: &Prime<5> = &<ark_bn254::g1::Config as super::prime::Limbs<5>>::PRIME;

/// Words of a vector by limb, for reading single lanes.
type Words = [[u64; 8]; 5];

/// `2^260 - p`
const MINUS: [u64; 5] = {
    let mut limbs = [0; 5];
    let mut j = 0;
    while j < 5 {
        limbs[j] = (1 << 52) - 1 - PRIME.p[j] + (j == 0) as u64;
        j += 1;
    }
    limbs
};

/// `2^60` divided by the highest limb of p, rounded down.
const QUOTIENT: u64 = (1 << 60) / (PRIME.p[4] + 1);

/// An element. There is one only where the CPU has AVX-512 F, DQ and IFMA.
#[derive(Clone, Copy)]
pub(super) struct Twelve {
    re: Lanes<5>,
    im: Lanes<5>,
}

/// `xi f` and behind it `f`, from word 6 on, limb by limb; and the same of `-b`.
#[repr(align(64))]
struct Windows {
    re: [[u64; 16]; 5],
    im: [[u64; 16]; 5],
    minus: [[u64; 16]; 5],
}

/// A wide number between 0 and `80 p` made smaller than `1.1 p`: the quotient by p is told by the highest bits, or one less.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn reduce(t: Lanes<5>) -> Lanes<5> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut t = carry(t);
        let top = _mm512_srli_epi64::<40>(t[4]);
        let q = _mm512_srli_epi64::<20>(_mm512_mul_epu32(top, _mm512_set1_epi64(QUOTIENT as i64)));
        let minus: Lanes<5> = splat(&MINUS);
        for j in 0..5 {
            t[j] = _mm512_madd52lo_epu64(t[j], q, minus[j]);
            if j < 4 {
                t[j + 1] = _mm512_madd52hi_epu64(t[j + 1], q, minus[j]);
            }
        }
        let mut t = carry(t);
        t[4] = _mm512_and_si512(t[4], mask());
        t
    }
}

/// Columns of sums of products, at most `2^60` each, over `2^260`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn montgomery<const N: usize>(t: &mut [[__m512i; 10]; N]) -> [Lanes<5>; N] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let zero = _mm512_setzero_si512();
        let p: Lanes<5> = splat(&PRIME.p);
        let inverse = _mm512_set1_epi64(PRIME.inverse as i64);
        for i in 0..5 {
            for s in 0..N {
                let m = _mm512_madd52lo_epu64(zero, t[s][i], inverse);
                for j in 0..5 {
                    t[s][i + j] = _mm512_madd52lo_epu64(t[s][i + j], m, p[j]);
                    t[s][i + j + 1] = _mm512_madd52hi_epu64(t[s][i + j + 1], m, p[j]);
                }
                t[s][i + 1] = _mm512_add_epi64(t[s][i + 1], _mm512_srli_epi64::<52>(t[s][i]));
            }
        }
        let mut all = [[zero; 5]; N];
        for s in 0..N {
            all[s].copy_from_slice(&t[s][5..]);
            all[s] = carry(all[s]);
        }
        all
    }
}

/// Adds the columns of `a b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn add_product(t: &mut [__m512i; 10], a: &Lanes<5>, b: &Lanes<5>) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        for i in 0..5 {
            for j in 0..5 {
                t[i + j] = _mm512_madd52lo_epu64(t[i + j], a[i], b[j]);
                t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a[i], b[j]);
            }
        }
    }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn words(a: &Lanes<5>) -> Words {
    // SAFETY: both types are 40 words.
    unsafe { core::mem::transmute::<Lanes<5>, Words>(*a) }
}

/// `2^S a + b`, by limbs.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn shifted_sum<const S: u32>(a: &Lanes<5>, b: &Lanes<5>) -> Lanes<5> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe { lanes::wide_sum(&lanes::wide_shift::<5, S>(a), b) }
}

/// `xi (a + b u)`, wide: `9 a - b + 3 p` and `a + 9 b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn times_xi(a: &Lanes<5>, b: &Lanes<5>) -> [Lanes<5>; 2] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let fall = lanes::wide_difference(&splat(&PRIME.multiples[3]), b);
        let re = lanes::wide_sum(&shifted_sum::<3>(a, a), &fall);
        [re, lanes::wide_sum(&shifted_sum::<3>(b, b), a)]
    }
}

impl Windows {
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn new(f: &Twelve) -> Self {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); vectors of eight words are written to words 0 to 13 of 16.
        unsafe {
            let [re, im] = times_xi(&f.re, &f.im);
            let (re, im) = (reduce(re), reduce(im));
            let two = &PRIME.multiples[2];
            let minus = carry(lanes::wide_difference(&splat(two), &im));
            let less = carry(lanes::wide_difference(&splat(two), &f.im));
            let mut all = Self { re: [[0; 16]; 5], im: [[0; 16]; 5], minus: [[0; 16]; 5] };
            for j in 0..5 {
                _mm512_storeu_si512(all.re[j].as_mut_ptr().cast(), re[j]);
                _mm512_storeu_si512(all.im[j].as_mut_ptr().cast(), im[j]);
                _mm512_storeu_si512(all.minus[j].as_mut_ptr().cast(), minus[j]);
                _mm512_storeu_si512(all.re[j].as_mut_ptr().add(6).cast(), f.re[j]);
                _mm512_storeu_si512(all.im[j].as_mut_ptr().add(6).cast(), f.im[j]);
                _mm512_storeu_si512(all.minus[j].as_mut_ptr().add(6).cast(), less[j]);
            }
            all
        }
    }

    /// Coordinates of `w^power f`.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn window(from: &[[u64; 16]; 5], power: usize) -> Lanes<5> {
        // SAFETY: eight words from word `6 - power` on, which is at most 6, of 16.
        unsafe {
            let mut a = [_mm512_setzero_si512(); 5];
            for j in 0..5 {
                a[j] = _mm512_loadu_si512(from[j][6 - power..][..8].as_ptr().cast());
            }
            a
        }
    }

    /// `f` times the sum of `(re + im u) w^power` over terms, whose coordinates are in lanes of two vectors.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn times<const N: usize>(
        &self,
        terms: [(usize, usize, usize); N],
        re: &Words,
        im: &Words,
    ) -> Twelve {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
        unsafe {
            let mut t = [[_mm512_setzero_si512(); 10]; 2];
            for (power, a, b) in terms {
                let c = Self::window(&self.re, power);
                let minus = Self::window(&self.minus, power);
                let [re_sum, im_sum] = &mut t;
                accumulate(re_sum, (&c, re, a), (&minus, im, b));
                let d = Self::window(&self.im, power);
                accumulate(im_sum, (&d, re, a), (&c, im, b));
            }
            let [re, im] = montgomery(&mut t);
            Twelve { re, im }
        }
    }
}

/// Adds the columns of two products with one lane's number each.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn accumulate(
    t: &mut [__m512i; 10],
    (c, x, a): (&Lanes<5>, &Words, usize),
    (d, y, b): (&Lanes<5>, &Words, usize),
) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        for i in 0..5 {
            let (x, y) = (_mm512_set1_epi64(x[i][a] as i64), _mm512_set1_epi64(y[i][b] as i64));
            for j in 0..5 {
                t[i + j] = _mm512_madd52lo_epu64(t[i + j], x, c[j]);
                t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], x, c[j]);
            }
            for j in 0..5 {
                t[i + j] = _mm512_madd52lo_epu64(t[i + j], y, d[j]);
                t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], y, d[j]);
            }
        }
    }
}

impl Twelve {
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    pub(super) unsafe fn import(f: &Fq12) -> Self {
        let all = [f.c0.c0, f.c1.c0, f.c0.c1, f.c1.c1, f.c0.c2, f.c1.c2];
        let part = |of: fn(&Fq2) -> Fq| core::array::from_fn(|k| all.get(k).map_or(Fq::ZERO, of));
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`).
        unsafe { Self { re: Eight::load(&part(|x| x.c0)).0, im: Eight::load(&part(|x| x.c1)).0 } }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn export(&self) -> Fq12 {
        let (mut re, mut im) = ([Fq::ZERO; 8], [Fq::ZERO; 8]);
        Eight::<FqConfig>(self.re, PhantomData).store(&mut re);
        Eight::<FqConfig>(self.im, PhantomData).store(&mut im);
        let at = |k: usize| Fq2::new(re[k], im[k]);
        Fq12::new(Fq6::new(at(0), at(2), at(4)), Fq6::new(at(1), at(3), at(5)))
    }

    /// # Safety
    /// The CPU has AVX-512 F, DQ and IFMA.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    #[inline(never)]
    pub(super) unsafe fn product(&self, other: &Self) -> Self {
        // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
        unsafe {
            let terms = core::array::from_fn::<_, 6, _>(|k| (k, k, k));
            Windows::new(self).times(terms, &words(&other.re), &words(&other.im))
        }
    }

    /// The product with `l_0 + l_1 w + l_3 w^3`, a line: lane `2 i` of a vector is the first coordinate of the `i`-th of them, lane `2 i + 1` the second.
    ///
    /// # Safety
    /// The CPU has AVX-512 F, DQ and IFMA.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    #[inline(never)]
    pub(super) unsafe fn times_line(&self, line: &Lanes<5>) -> Self {
        // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
        unsafe {
            let line = words(line);
            Windows::new(self).times([(0, 0, 1), (1, 2, 3), (3, 4, 5)], &line, &line)
        }
    }

    /// The power by `p^6`: the inverse in the cyclotomic subgroup. Of coordinates below `2 p`, as they are then.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    pub(super) unsafe fn conjugate(&self) -> Self {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
        unsafe {
            let two: Lanes<5> = splat(&PRIME.multiples[2]);
            let mut all = *self;
            for part in [&mut all.re, &mut all.im] {
                let minus = carry(lanes::wide_difference(&two, part));
                for j in 0..5 {
                    part[j] = _mm512_mask_blend_epi64(0b10_1010, part[j], minus[j]);
                }
            }
            all
        }
    }

    /// The square of an element of the cyclotomic subgroup. Coordinates are below `1.1 p`.
    ///
    /// With `s = w^3` and `f = A + B w + C w^2` over `s`: `3 A^2 - 2 A' + (3 s C^2 + 2 B') w + (3 B^2 - 2 C') w^2`, where `'` changes the sign of `s`.
    /// The pairs are lanes k and k + 3: `(g + h s)^2 = g^2 + xi h^2 + 2 g h s`.
    ///
    /// # Safety
    /// The CPU has AVX-512 F, DQ and IFMA.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    #[inline(never)]
    pub(super) unsafe fn cyclotomic_square(&self) -> Self {
        // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
        unsafe {
            let zero = _mm512_setzero_si512();
            let (a, b) = (&self.re, &self.im);
            let two: Lanes<5> = splat(&PRIME.multiples[2]);
            let (sum, run) =
                (carry(lanes::wide_sum(a, b)), carry(lanes::wide_sum(a, &lanes::wide_difference(&two, b))));
            let minus = carry(lanes::wide_difference(&two, b));
            // Lane k + 3 in lane k, and the other way about.
            let swap = _mm512_setr_epi64(3, 4, 5, 0, 1, 2, 6, 7);
            let (ra, rb) = (lanes::permuted(a, swap), lanes::permuted(b, swap));
            let mut t = [[zero; 10]; 4];
            add_product(&mut t[0], &sum, &run);
            add_product(&mut t[1], a, b);
            add_product(&mut t[2], a, &ra);
            add_product(&mut t[2], &minus, &rb);
            add_product(&mut t[3], a, &rb);
            add_product(&mut t[3], b, &ra);
            let [square_re, half, cross_re, cross_im] = montgomery(&mut t); // all below 1.3 p
            let square_im = carry(lanes::wide_shift::<5, 1>(&half)); // 2.6
            // Lanes 0 to 2: g^2 + xi h^2; lanes 3 to 5: 2 g h, and xi times that.
            let [xi_re, xi_im] =
                times_xi(&lanes::permuted(&square_re, swap), &lanes::permuted(&square_im, swap));
            let even_re = lanes::wide_sum(&square_re, &xi_re);
            let even_im = lanes::wide_sum(&square_im, &xi_im);
            let odd_re = carry(lanes::wide_shift::<5, 1>(&cross_re));
            let odd_im = carry(lanes::wide_shift::<5, 1>(&cross_im));
            let [xi_odd_re, xi_odd_im] = times_xi(&odd_re, &odd_im);
            Self {
                re: collected(&even_re, &odd_re, &xi_odd_re, a),
                im: collected(&even_im, &odd_im, &xi_odd_im, b),
            }
        }
    }
}

/// The last step of a cyclotomic square, of one coordinate. Even lanes of the squares of `A, B, C` are in lanes 0, 1, 2, odd ones anywhere from there on.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn collected(even: &Lanes<5>, odd: &Lanes<5>, xi_odd: &Lanes<5>, f: &Lanes<5>) -> Lanes<5> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        // Coordinates by power of w: A^2 even, (s C^2) even = xi odd(C), B^2 even; A^2 odd, (s C^2) odd = even(C), B^2 odd.
        let mut wide = [_mm512_setzero_si512(); 5];
        // Lane k of the result takes lane `from[k]` of (even | odd), but lane 1 that of `xi_odd`.
        let from = _mm512_setr_epi64(0, 0, 1, 8, 2, 9, 0, 0);
        let from_xi = _mm512_setr_epi64(0, 2, 0, 0, 0, 0, 0, 0);
        for j in 0..5 {
            let both = _mm512_permutex2var_epi64(even[j], from, odd[j]);
            let xi = _mm512_permutexvar_epi64(from_xi, xi_odd[j]);
            wide[j] = _mm512_mask_blend_epi64(0b10, both, xi);
        }
        let triple = shifted_sum::<1>(&wide, &wide);
        let twice = lanes::wide_shift::<5, 1>(f);
        // Signs of 2 f: minus for A and C, plus for B, and the other one for the odd part: + in lanes 1, 3, 5.
        let plus = lanes::wide_sum(&triple, &twice);
        let minus = lanes::wide_sum(&triple, &lanes::wide_difference(&splat(&PRIME.multiples[4]), &twice));
        let mut all = plus;
        for j in 0..5 {
            all[j] = _mm512_mask_blend_epi64(0b10_1010, minus[j], plus[j]);
        }
        reduce(all)
    }
}
