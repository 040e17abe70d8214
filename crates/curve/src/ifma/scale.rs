//! Multiples of eight points by eight scalars: digits of four bits, the multiples from 1 to 8 in a table.
//!
//! Where the curve has an endomorphism, `k P = a P + b psi(P)` with halves `a` and `b`, whose doublings are shared and whose table is
//! the same: `psi(x, y) = (beta x, -y)`.

use core::arch::x86_64::*;

use ark_ec::short_weierstrass::Affine;
use ark_ff::PrimeField;

use super::double::{Jacobian, double};
use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::{Ifma, Point};
use crate::msm::digits::{Recoding, Words};
use crate::msm::{Adder, BATCH, Points, Ref, Single};

/// The multiples of a point in its row of the table.
const ROW: usize = 8;

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
    let recoding = Recoding::new(4, if halved { 128 } else { bits });
    let mut all = Vec::with_capacity(points.len());
    for (i, scalars) in scalars.chunks(8).enumerate() {
        let points = &points[8 * i..8 * i + scalars.len()];
        let numbers: Vec<[Words; 2]> = (0..8)
            .map(|lane| {
                let k = &scalars[lane.min(scalars.len() - 1)];
                match C::halves(k) {
                    Some(halves) => halves.map(|half| recoding.lift(&[half as u64, (half >> 64) as u64])),
                    None => [recoding.lift(k.into_bigint().as_ref()), recoding.lift(&[])],
                }
            })
            .collect();
        let rows = &table[8 * ROW * i..8 * ROW * i + ROW * scalars.len()];
        // SAFETY: the caller's promise.
        match unsafe { eight::<C, L>(rows, &numbers, &recoding, halved) } {
            Some(sums) => all.extend(sums[..scalars.len()].iter().map(Ifma::<C, L>::export)),
            // An addition met equal or opposite points.
            None => all.extend(Single::<C>::scale(points, scalars)),
        }
    }
    all
}

/// `P, 2P, ..., 8P` for each point.
fn rows<C: Limbs<L>, const L: usize>(points: &[Affine<C>]) -> Vec<Point> {
    let doubled = Ifma::<C, L>::multiples(points, 1, 4, false);
    let sum = |i: usize, a: usize, b: usize| [Ref::base(4 * i + a, false), Ref::base(4 * i + b, false)];
    let seven = |i: usize| [Ref::base(4 * i + 3, false), Ref::base(4 * i, true)];
    let pairs: Vec<_> =
        (0..points.len()).flat_map(|i| [sum(i, 1, 0), sum(i, 2, 0), sum(i, 2, 1), seven(i)]).collect();
    let mut sums = vec![Point { x: [0; 8], y: [0; 8] }; pairs.len()];
    for (pairs, sums) in pairs.chunks(BATCH).zip(sums.chunks_mut(BATCH)) {
        Ifma::<C, L>::add(Points { bases: &doubled, sums: &[] }, pairs, sums);
    }
    doubled
        .chunks(4)
        .zip(sums.chunks(4))
        .flat_map(|(d, s)| [d[0], d[1], s[0], d[2], s[1], s[2], s[3], d[3]])
        .collect()
}

/// The multiples of eight points, if no addition met a point twice.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn eight<C: Limbs<L>, const L: usize>(
    rows: &[Point],
    numbers: &[[Words; 2]],
    recoding: &Recoding,
    halved: bool,
) -> Option<[Point; 8]> {
    // SAFETY: the instructions are enabled here.
    unsafe {
        let prime = const { &C::PRIME };
        let one: Lanes<L> = lanes::splat(&prime.one);
        let beta: Lanes<L> = lanes::load(&[C::split(&C::BETA); 8]);
        let mut sum: Jacobian<L> = [one; 3];
        let mut empty = 0xff_u8; // the lanes whose sum is still the identity
        for window in (0..recoding.windows).rev() {
            if empty != 0xff {
                for _ in 0..recoding.c {
                    sum = double(&sum, prime);
                }
            }
            for track in 0..1 + usize::from(halved) {
                let digits: [i32; 8] = core::array::from_fn(|i| recoding.digit(&numbers[i][track], window));
                let (x, y, some) = lookup::<L>(rows, &digits, track == 1);
                let factor = if track == 1 { &beta } else { &one };
                let (x, next) = add_mixed(&sum, &x, &y, factor, prime);
                // Kept where the digit is zero; the point itself where there was nothing.
                let fresh = [x, lanes::carry(lanes::wide_sum(&y, &lanes::splat(&prime.multiples[3]))), one];
                for (at, limbs) in sum.iter_mut().enumerate() {
                    for j in 0..L {
                        let added = _mm512_mask_blend_epi64(empty, next[at][j], fresh[at][j]);
                        limbs[j] = _mm512_mask_blend_epi64(some, limbs[j], added);
                    }
                }
                empty &= !some;
            }
        }
        if empty != 0 {
            return None;
        }
        let z: Lanes<L> = lanes::load(&C::invert_lanes(&lanes::unload(&sum[2]))?);
        let zz = lanes::product(&z, &z, prime);
        let [x, zzz] = lanes::products([&sum[0], &z], [&zz; 2], prime);
        let (x, y) = (lanes::unload(&x), lanes::unload(&lanes::product(&sum[1], &zzz, prime)));
        Some(core::array::from_fn(|i| Point { x: x[i], y: y[i] }))
    }
}

/// The multiples that digits name, of which `y` is wide and has the digit's sign or the other one; and the lanes whose digit is not zero.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn lookup<const L: usize>(
    rows: &[Point],
    digits: &[i32; 8],
    opposite: bool,
) -> (Lanes<L>, Lanes<L>, __mmask8) {
    // SAFETY: the caller's promise; a coordinate is 64 bytes, on a boundary of 64.
    unsafe {
        let zero = _mm512_setzero_si512();
        let (mut x, mut y) = ([zero; 8], [zero; 8]);
        let (mut some, mut negative) = (0_u8, 0_u8);
        for i in 0..8 {
            let digit = digits[i];
            let row = i.min(rows.len() / ROW - 1) * ROW;
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
        (x, y, some)
    }
}

/// `factor x`, and the sum of a point in Jacobian coordinates and the affine `(factor x, y)`, `y` wide and within 2.1 p of zero: eleven
/// products. `Z` is zero if the points are equal or opposite.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn add_mixed<const L: usize>(
    [x1, y1, z1]: &Jacobian<L>,
    x: &Lanes<L>,
    y: &Lanes<L>,
    factor: &Lanes<L>,
    prime: &'static Prime<L>,
) -> (Lanes<L>, Jacobian<L>) {
    // SAFETY: the caller's promise.
    unsafe {
        let y2 = lanes::carry(lanes::wide_sum(y, &lanes::splat(&prime.multiples[3]))); // 5.1
        let [x2, zz] = lanes::products([x, z1], [factor, z1], prime); // 1.2, 1.2
        let [u, zzz] = lanes::products([&x2, z1], [&zz; 2], prime); // 1.2, 1.2
        let h = lanes::difference(&u, x1, 16, prime); // 17.2
        let [s, hh] = lanes::products([&y2, &h], [&zzz, &h], prime); // 1.2, 4.6
        let r = lanes::difference(&s, y1, 15, prime); // 16.2
        let [hhh, v] = lanes::products([&h, x1], [&hh; 2], prime); // 2, 2
        let [rr, z3] = lanes::products([&r, z1], [&r, &h], prime); // 4.2, 1.7
        let less = lanes::wide_sum(&hhh, &lanes::wide_shift::<L, 1>(&v));
        let x3 = lanes::difference(&rr, &less, 7, prime); // 11.2
        let run = lanes::difference(&v, &x3, 12, prime); // 14
        let [rise, fall] = lanes::products([&r, y1], [&run, &hhh], prime); // 3.7, 1.4
        (x2, [x3, lanes::difference(&rise, &fall, 2, prime), z3])
    }
}
