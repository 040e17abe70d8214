//! Multiples of sixteen points by sixteen scalars: digits of five bits, the multiples from 1 to 16 in a table.
//!
//! Where the curve has an endomorphism, `k P = a P + b psi(P)` with halves `a` and `b`, whose doublings are shared and whose table is
//! the same: `psi(x, y) = (beta x, -y)`.

use core::arch::x86_64::*;

use ark_ec::short_weierstrass::Affine;
use ark_ff::PrimeField;

use super::double::{Jacobian, affine, double};
use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::product;
use super::{Ifma, Point};
use crate::msm::digits::{Recoding, Words};
use crate::msm::{Adder, BATCH, Points, Ref, Single};

/// The multiples of a point in its row of the table.
const ROW: usize = 16;

/// `k_i P_i`, for points of the subgroup that are not the identity.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
pub(super) unsafe fn scale<C: Limbs<L>, const L: usize>(
    points: &[Affine<C>],
    scalars: &[C::ScalarField],
) -> Vec<Affine<C>> {
    let table = rows::<C, L>(points);
    let bits = C::ScalarField::MODULUS_BIT_SIZE as usize;
    let halved = C::halves(&scalars[0]).is_some();
    let recoding = Recoding::new(5, if halved { 128 } else { bits });
    let mut all = Vec::with_capacity(points.len());
    for (i, scalars) in scalars.chunks(16).enumerate() {
        let points = &points[16 * i..16 * i + scalars.len()];
        let numbers: Vec<[Words; 2]> = (0..16)
            .map(|lane| {
                let k = &scalars[lane.min(scalars.len() - 1)];
                match C::halves(k) {
                    Some(halves) => halves.map(|half| recoding.lift(&[half as u64, (half >> 64) as u64])),
                    None => [recoding.lift(k.into_bigint().as_ref()), recoding.lift(&[])],
                }
            })
            .collect();
        let rows = &table[16 * ROW * i..16 * ROW * i + ROW * scalars.len()];
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`), as the contract of this function repeats.
        match unsafe { sixteen::<C, L>(rows, &numbers, &recoding, halved) } {
            Some(sums) => all.extend(sums[..scalars.len()].iter().map(Ifma::<C, L>::export)),
            // An addition met equal or opposite points, or a scalar is zero.
            None => all.extend(Single::<C>::scale(points, scalars)),
        }
    }
    all
}

/// `P, 2P, ..., 16P` for each point.
fn rows<C: Limbs<L>, const L: usize>(points: &[Affine<C>]) -> Vec<Point> {
    let zero = Point { x: [0; 8], y: [0; 8] };
    let mut doubled = vec![zero; 5 * points.len()];
    Ifma::<C, L>::multiples(points, 1, 5, &mut doubled);
    let sums_of = |first: &[Point], pairs: &[[Ref; 2]]| {
        let mut sums = vec![zero; pairs.len()];
        for (pairs, sums) in pairs.chunks(BATCH).zip(sums.chunks_mut(BATCH)) {
            Ifma::<C, L>::add(Points { bases: &doubled, sums: first }, pairs, sums);
        }
        sums
    };
    let sum = |i: usize, a: usize, b: usize| [Ref::base(5 * i + a, false), Ref::base(5 * i + b, false)];
    let difference = |i: usize, a: usize, b: usize| [Ref::base(5 * i + a, false), Ref::base(5 * i + b, true)];
    // 3, 5, 6, 7, 9, 10, 12, 14 and 15 from powers of two; 11 and 13 from 3 and 12.
    let nine = |i: usize| {
        let [a, b, c] = [sum(i, 1, 0), sum(i, 2, 0), sum(i, 2, 1)];
        let [d, e, f] = [sum(i, 3, 0), sum(i, 3, 1), sum(i, 3, 2)];
        [a, b, c, difference(i, 3, 0), d, e, f, difference(i, 4, 1), difference(i, 4, 0)]
    };
    let first = sums_of(&[], &(0..points.len()).flat_map(nine).collect::<Vec<_>>());
    let two = |i: usize| {
        [[Ref::sum(9 * i), Ref::base(5 * i + 3, false)], [Ref::sum(9 * i + 6), Ref::base(5 * i, false)]]
    };
    let second = sums_of(&first, &(0..points.len()).flat_map(two).collect::<Vec<_>>());
    let all = doubled.chunks(5).zip(first.chunks(9)).zip(second.chunks(2));
    all.flat_map(|((d, s), t)| {
        [d[0], d[1], s[0], d[2], s[1], s[2], s[3], d[3], s[4], s[5], t[0], s[6], t[1], s[7], s[8], d[4]]
    })
    .collect()
}

/// The multiples of sixteen points, if no addition met a point twice and no scalar is zero.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn sixteen<C: Limbs<L>, const L: usize>(
    rows: &[Point],
    numbers: &[[Words; 2]],
    recoding: &Recoding,
    halved: bool,
) -> Option<[Point; 16]> {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; points are read and written through slices.
    unsafe {
        let prime = const { &C::PRIME };
        let one: Lanes<L> = lanes::splat(&prime.one);
        let beta: Lanes<L> = lanes::load(&[C::split(&C::BETA); 8]);
        let mut sum: [Jacobian<L>; 2] = [[one; 3]; 2];
        let mut empty = [0xff_u8; 2]; // the lanes whose sum is still the identity
        for window in (0..recoding.windows).rev() {
            if empty != [0xff; 2] {
                for _ in 0..recoding.c {
                    double(&mut sum, prime);
                }
            }
            for track in 0..1 + usize::from(halved) {
                let found = |s: usize| {
                    let digits = core::array::from_fn(|i| recoding.digit(&numbers[8 * s + i][track], window));
                    lookup::<L>(rows, 8 * s, &digits, track == 1)
                };
                let found = [found(0), found(1)];
                add_mixed(&mut sum, &found, &mut empty, (track == 1).then_some(&beta), prime);
            }
        }
        if empty != [0; 2] {
            return None;
        }
        let both = product::product(&sum[0][2], &sum[1][2], prime);
        let inverse: Lanes<L> = lanes::load(&C::invert_lanes(&lanes::unload(&both))?);
        let z = product::products([&inverse; 2], [&sum[1][2], &sum[0][2]], prime);
        let [x, y] = affine(&sum, &z, prime);
        let x = [lanes::unload(&x[0]), lanes::unload(&x[1])];
        let y = [lanes::unload(&y[0]), lanes::unload(&y[1])];
        Some(core::array::from_fn(|i| Point { x: x[i / 8][i % 8], y: y[i / 8][i % 8] }))
    }
}

/// What a digit names, in eight lanes.
struct Found<const L: usize> {
    x: Lanes<L>,
    /// Wide, with the digit's sign or the other one.
    y: Lanes<L>,
    /// The lanes whose digit is not zero.
    some: __mmask8,
}

/// The multiples that digits name, of the points from `first` on.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn lookup<const L: usize>(
    rows: &[Point],
    first: usize,
    digits: &[i32; 8],
    opposite: bool,
) -> Found<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a coordinate is eight words in a `Point` aligned to
    // 64 bytes.
    unsafe {
        let zero = _mm512_setzero_si512();
        let (mut x, mut y) = ([zero; 8], [zero; 8]);
        let (mut some, mut negative) = (0_u8, 0_u8);
        for i in 0..8 {
            let digit = digits[i];
            let row = (first + i).min(rows.len() / ROW - 1) * ROW;
            let point = &rows[row + (digit.unsigned_abs() as usize).max(1) - 1];
            x[i] = _mm512_load_si512(point.x.as_ptr().cast());
            y[i] = _mm512_load_si512(point.y.as_ptr().cast());
            some |= u8::from(digit != 0) << i;
            negative |= u8::from((digit < 0) != opposite) << i;
        }
        let (x, mut y): (Lanes<L>, Lanes<L>) = (lanes::transpose(&x), lanes::transpose(&y));
        for j in 0..L {
            y[j] = _mm512_mask_sub_epi64(y[j], negative, zero, y[j]);
        }
        Found { x, y, some }
    }
}

/// Adds the affine `(factor x, y)` to points in Jacobian coordinates, where something was found: eleven products, and that by a
/// factor. `Z` becomes zero if the points are equal or opposite; where a sum is empty it becomes what was found.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline]
unsafe fn add_mixed<const L: usize>(
    p: &mut [Jacobian<L>; 2],
    found: &[Found<L>; 2],
    empty: &mut [__mmask8; 2],
    factor: Option<&Lanes<L>>,
    prime: &'static Prime<L>,
) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let with = |a: &Lanes<L>, b: &Lanes<L>, k: usize| lanes::difference(a, b, k, prime);
        let positive = |y: &Lanes<L>| lanes::carry(lanes::wide_sum(y, &lanes::splat(&prime.multiples[3])));
        let y2 = [positive(&found[0].y), positive(&found[1].y)]; // 5.1
        let ([px, py, pz], [qx, qy, qz]) = (&p[0], &p[1]);
        let x2 = match factor {
            Some(factor) => product::products([&found[0].x, &found[1].x], [factor; 2], prime),
            None => [found[0].x, found[1].x],
        }; // 2.1
        let zz = product::squares([pz, qz], prime); // 1.2
        let u = product::products(x2.each_ref(), zz.each_ref(), prime); // 1.2
        let zzz = product::products(zz.each_ref(), [pz, qz], prime); // 1.2
        let s = product::products(y2.each_ref(), zzz.each_ref(), prime); // 1.2
        let h = [with(&u[0], px, 16), with(&u[1], qx, 16)]; // 17.2
        let r = [with(&s[0], py, 15), with(&s[1], qy, 15)]; // 16.2
        let hh = product::squares(h.each_ref(), prime); // 4.6
        let z3 = product::products([pz, qz], h.each_ref(), prime); // 1.7
        let hhh = product::products(h.each_ref(), hh.each_ref(), prime); // 2
        let v = product::products([px, qx], hh.each_ref(), prime); // 2
        let rr = product::squares(r.each_ref(), prime); // 4.2
        let fall = product::products([py, qy], hhh.each_ref(), prime); // 1.4
        let x3 = |s: usize| {
            let less = lanes::wide_sum(&hhh[s], &lanes::wide_shift::<L, 1>(&v[s]));
            with(&rr[s], &less, 7) // 11.2
        };
        let x3 = [x3(0), x3(1)];
        let run = [with(&v[0], &x3[0], 12), with(&v[1], &x3[1], 12)]; // 14
        let rise = product::products(r.each_ref(), run.each_ref(), prime); // 3.7
        let one = lanes::splat(&prime.one);
        for s in 0..2 {
            let next = [x3[s], with(&rise[s], &fall[s], 2), z3[s]];
            let fresh = [x2[s], y2[s], one];
            for (at, limbs) in p[s].iter_mut().enumerate() {
                for j in 0..L {
                    let added = _mm512_mask_blend_epi64(empty[s], next[at][j], fresh[at][j]);
                    limbs[j] = _mm512_mask_blend_epi64(found[s].some, limbs[j], added);
                }
            }
            empty[s] &= !found[s].some;
        }
    }
}
