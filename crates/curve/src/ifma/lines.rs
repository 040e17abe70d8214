//! Lines of Miller's loop over BN254 in lanes: doublings and additions on the twist, the products of a step side by side.
//!
//! ```text
//!   an element of the quadratic extension is two neighbouring lanes; a point (X : Y : Z), x = X/Z, y = Y/Z, is lanes 0 to 5 of a vector
//! ```
//! Lines are those of arkworks up to a factor of the quadratic extension, which the final exponentiation makes one. With `b = 3 / xi` on the twist everything
//! is multiplied by powers of `xi`: then nothing is multiplied by a constant or halved.
//!
//! ```text
//!   u = xi Y^2, c = Z^2       2 T = (2 xi X Y (u - 27 c) : (u + 27 c)^2 - 12 (9 c)^2 : 8 u xi Y Z)       line (-2 xi Y Z, 3 xi X^2, 9 c - u)
//!   t = Y - qy Z, l = X - qx Z, h = l^3 + Z t^2 - 2 X l^2
//!                             T + Q = (l h : t (X l^2 - h) - l^3 Y : Z l^3)                              line (l, -t, t qx - l qy)
//! ```
//! An addition of equal or opposite points, and the double of a point of order 2, have `Z = 0`, which stays to the end.
//!
//! Source: Costello, Lange and Naehrig, "Faster pairing computations on curves with high-degree twists" (2010), section 5. (notes: curve-pairing)

use core::arch::x86_64::*;

use ark_bn254::{Config, Fq, Fq2, G2Affine};
use ark_ec::bn::BnConfig;
use ark_ff::{AdditiveGroup, Field};

use super::eight::Eight;
use super::lanes::{self, Lanes, carry, permuted, splat};
use super::twelve::{PRIME, add_product, montgomery, reduce};

/// Four elements of the quadratic extension.
type Four = Lanes<5>;

/// The lanes of pairs.
const FIRST: __mmask8 = 0b11;
const SECOND: __mmask8 = 0b1100;
const THIRD: __mmask8 = 0b11_0000;
/// Lanes of the first coordinates.
const EVEN: __mmask8 = 0b0101_0101;

/// The lines of a point of the curve that is not the identity, and whether it is in the subgroup.
///
/// The loop ends with `[6x + 2] Q + psi(Q) - psi^2(Q)`, which is `-psi^3(Q)` in the subgroup. On the whole twist `psi^2 - t psi + p = 0`, so that the order of a point for
/// which it holds divides the norm of `(6x + 2) + psi - psi^2 + psi^3`, whose greatest common divisor with the cofactor is 1.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) unsafe fn walk(q: &G2Affine) -> (Vec<Four>, bool) {
    let image = |(x, y): (Fq2, Fq2)| {
        let power = |mut x: Fq2| {
            x.frobenius_map_in_place(1);
            x
        };
        (power(x) * Config::TWIST_MUL_BY_Q_X, power(y) * Config::TWIST_MUL_BY_Q_Y)
    };
    let once = image((q.x, q.y));
    let twice = image(once);
    let thrice = image(twice);
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; memory is accessed through references alone.
    unsafe {
        let (positive, negative) = (import(q.x, q.y, Fq2::ZERO), import(q.x, -q.y, Fq2::ZERO));
        let mut t = import(q.x, q.y, Fq2::ONE);
        let mut lines = Vec::with_capacity(2 * Config::ATE_LOOP_COUNT.len());
        for digit in Config::ATE_LOOP_COUNT.iter().rev().skip(1) {
            lines.push(double(&mut t));
            match digit {
                0 => (),
                1 => lines.push(add(&mut t, &positive)),
                _ => lines.push(add(&mut t, &negative)),
            }
        }
        lines.push(add(&mut t, &import(once.0, once.1, Fq2::ZERO)));
        lines.push(add(&mut t, &import(twice.0, -twice.1, Fq2::ZERO)));
        let mut end = [Fq::ZERO; 8];
        Eight::<ark_bn254::FqConfig>(t, core::marker::PhantomData).store(&mut end);
        let [x0, x1, y0, y1, z0, z1, ..] = end;
        let [x, y, z] = [Fq2::new(x0, x1), Fq2::new(y0, y1), Fq2::new(z0, z1)];
        (lines, z != Fq2::ZERO && x == thrice.0 * z && y == -thrice.1 * z)
    }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn import(x: Fq2, y: Fq2, z: Fq2) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`).
    unsafe { Eight::load(&[x.c0, x.c1, y.c0, y.c1, z.c0, z.c1, Fq::ZERO, Fq::ZERO]).0 }
}

/// Pairs of one vector in some order.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn pairs(a: &Four, [i, j, k, l]: [i64; 4]) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let order = _mm512_setr_epi64(2 * i, 2 * i + 1, 2 * j, 2 * j + 1, 2 * k, 2 * k + 1, 2 * l, 2 * l + 1);
        permuted(a, order)
    }
}

/// Pairs of two vectors in some order; those of `b` are numbered from 4 on.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn pairs_of(a: &Four, b: &Four, [i, j, k, l]: [i64; 4]) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let order = _mm512_setr_epi64(2 * i, 2 * i + 1, 2 * j, 2 * j + 1, 2 * k, 2 * k + 1, 2 * l, 2 * l + 1);
        let mut c = *a;
        for j in 0..5 {
            c[j] = _mm512_permutex2var_epi64(a[j], order, b[j]);
        }
        c
    }
}

/// In some lanes wide `a + b`, in others `a`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn plus(a: &Four, lanes: __mmask8, b: &Four) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = *a;
        for j in 0..5 {
            c[j] = _mm512_mask_add_epi64(a[j], lanes, a[j], b[j]);
        }
        c
    }
}

/// In some lanes wide `a - b + k p`, in others `a`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn minus(a: &Four, lanes: __mmask8, b: &Four, k: usize) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let p: Four = splat(&PRIME.multiples[k]);
        let mut c = *a;
        for j in 0..5 {
            c[j] = _mm512_mask_add_epi64(a[j], lanes, _mm512_sub_epi64(a[j], b[j]), p[j]);
        }
        c
    }
}

/// `b` in some lanes, in others `a`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn replaced(a: &Four, lanes: __mmask8, b: &Four) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = *a;
        for j in 0..5 {
            c[j] = _mm512_mask_blend_epi64(lanes, a[j], b[j]);
        }
        c
    }
}

/// The other coordinate of each element.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn swapped(a: &Four) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let mut c = *a;
        for j in 0..5 {
            c[j] = _mm512_shuffle_epi32::<0x4e>(a[j]);
        }
        c
    }
}

/// Four products of elements with coordinates below `2 p`: below `1.1 p`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
unsafe fn products(a: &Four, b: &Four) -> Four {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe {
        let zero = _mm512_setzero_si512();
        let (mut re, mut im) = (*a, *a);
        for j in 0..5 {
            re[j] = _mm512_unpacklo_epi64(a[j], a[j]);
            im[j] = _mm512_unpackhi_epi64(a[j], a[j]);
        }
        // i (b_0 + b_1 i) = -b_1 + b_0 i
        let other = swapped(b);
        let turned = carry(minus(&replaced(&other, EVEN, &[zero; 5]), EVEN, &other, 2));
        let mut t = [[zero; 10]];
        add_product(&mut t[0], &re, b);
        add_product(&mut t[0], &im, &turned);
        let [all] = montgomery(&mut t);
        all
    }
}

/// `xi a`, wide, of coordinates below `2 p`: `9 a_0 - a_1 + 2 p` and `9 a_1 + a_0`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn times_xi(a: &Four) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let (nine, other) = (times_nine(a), swapped(a));
        plus(&minus(&nine, EVEN, &other, 2), !EVEN, &other)
    }
}

/// `9 a`, wide.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn times_nine(a: &Four) -> Four {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe { lanes::wide_sum(a, &lanes::wide_shift::<5, 3>(a)) }
}

/// `T` becomes `2 T`; the line is that of the tangent. Coordinates are below `1.2 p`, as they are then.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn double(t: &mut Four) -> Four {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe {
        // Y^2, Z^2, Y Z, X Y; and these times xi.
        let r = products(&pairs(t, [1, 2, 1, 0]), &pairs(t, [1, 2, 2, 1]));
        let x = pairs(t, [0; 4]);
        let square = products(&x, &x);
        let xi = reduce(times_xi(&r));
        let (u, nine) = (pairs(&xi, [0; 4]), times_nine(&pairs(&r, [1; 4]))); // 1.1, 9.9
        let triple = lanes::wide_sum(&nine, &lanes::wide_shift::<5, 1>(&nine)); // 29.7
        // u - 27 c, u + 27 c, 9 c, u.
        let right = minus(&minus(&u, FIRST, &triple, 16), FIRST, &[_mm512_setzero_si512(); 5], 16);
        let right = reduce(replaced(&plus(&right, SECOND, &triple), THIRD, &nine));
        let left = pairs_of(&xi, &right, [3, 5, 6, 2]);
        let s = products(&left, &right);
        // The line: -2 xi Y Z, 3 xi X^2, 9 c - u.
        let tangent = times_xi(&square); // 12.1
        let tangent = lanes::wide_sum(&tangent, &lanes::wide_shift::<5, 1>(&tangent));
        let yz = lanes::wide_shift::<5, 1>(&pairs(&xi, [2; 4]));
        let line = minus(&replaced(&nine, FIRST, &[_mm512_setzero_si512(); 5]), FIRST, &yz, 3);
        let line = replaced(&minus(&line, THIRD, &u, 2), SECOND, &tangent);
        // 2 s_0, s_1 - 12 s_2, 8 s_3.
        let shifts = _mm512_setr_epi64(1, 1, 0, 0, 3, 3, 3, 3);
        let (mut next, fall) = (pairs(&s, [0, 1, 3, 3]), lanes::wide_shift::<5, 2>(&pairs(&s, [2; 4])));
        for j in 0..5 {
            next[j] = _mm512_sllv_epi64(next[j], shifts);
        }
        let fall = lanes::wide_sum(&fall, &lanes::wide_shift::<5, 1>(&fall)); // 13.2
        *t = reduce(minus(&next, SECOND, &fall, 15));
        reduce(line)
    }
}

/// `T` becomes `T + Q`, for `Q = (qx, qy)` in the first two pairs; the line is that through both. Coordinates are below `1.2 p`, as they are then.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn add(t: &mut Four, q: &Four) -> Four {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe {
        const ALL: __mmask8 = 0xff;
        let r = products(&pairs(t, [2; 4]), &pairs(q, [0, 1, 0, 1]));
        // l, t, l, t.
        let slopes = reduce(minus(&pairs(t, [0, 1, 0, 1]), ALL, &r, 2));
        // l^2, t^2, l qy, t qx.
        let s = products(&slopes, &pairs_of(&slopes, q, [0, 1, 5, 4]));
        // l^3, Z t^2, X l^2.
        let cubes = products(&pairs_of(&slopes, t, [0, 6, 4, 4]), &pairs(&s, [0, 1, 0, 0]));
        let [e, f, g] = [pairs(&cubes, [0; 4]), pairs(&cubes, [1; 4]), pairs(&cubes, [2; 4])];
        let h = minus(&lanes::wide_sum(&e, &f), ALL, &lanes::wide_shift::<5, 1>(&g), 3); // 5.2
        // h, g - h, e, e.
        let right = replaced(&h, SECOND, &minus(&g, ALL, &h, 6));
        let right = reduce(replaced(&right, !(FIRST | SECOND), &e));
        let v = products(&pairs_of(&slopes, t, [0, 1, 5, 6]), &right);
        let line = minus(&pairs(&s, [3; 4]), THIRD, &pairs(&s, [2; 4]), 2);
        let line = replaced(&line, FIRST, &slopes);
        let zero = [_mm512_setzero_si512(); 5];
        let line = minus(&replaced(&line, SECOND, &zero), SECOND, &slopes, 2);
        *t = reduce(minus(&pairs(&v, [0, 1, 3, 3]), SECOND, &pairs(&v, [2; 4]), 2));
        reduce(line)
    }
}
