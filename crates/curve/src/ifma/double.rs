//! Tables: `2^(cj) P` for eight points at a time, in Jacobian coordinates, and their affine form at the end.

use ark_ec::short_weierstrass::Affine;

use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::product;
use super::{Ifma, Point};
use crate::msm::Adder;

/// `x = X/Z^2`, `y = Y/Z^3`. Below 15.6, 14.1 and 3 times p, which [`double`] keeps to: a product of `a p` and `b p` is below
/// `p (1 + ab/84)`, where BN254 has R = 84.6 p and BLS12-381 far more.
pub(super) type Jacobian<const L: usize> = [Lanes<L>; 3];

/// Writes `2^(cj) P_i`, for points of odd order: a row of `windows` for each point, and behind it, if there is room for twice as many in
/// all, the same with `beta x` in the place of `x`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
pub(super) unsafe fn multiples<C: Limbs<L>, const L: usize>(
    points: &[Affine<C>],
    c: usize,
    windows: usize,
    rows: &mut [Point],
) {
    let points = Ifma::<C, L>::import(points);
    let row = if rows.len() > points.len() * windows { 2 * windows } else { windows };
    assert_eq!(rows.len(), points.len() * row, "a row for each point");
    for (points, rows) in points.chunks(16).zip(rows.chunks_mut(16 * row)) {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`), as the contract of this function repeats.
        unsafe { multiples_of_sixteen::<C, L>(points, c, windows, rows) }
    }
}

/// Fills the rows of at most sixteen points.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn multiples_of_sixteen<C: Limbs<L>, const L: usize>(
    points: &[Point],
    c: usize,
    windows: usize,
    all: &mut [Point],
) {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; points are read and written through slices.
    unsafe {
        let prime = const { &C::PRIME };
        let lane = |s: usize, i: usize| points[(8 * s + i).min(points.len() - 1)];
        let one = lanes::splat(&prime.one);
        let group = |s: usize| -> Jacobian<L> {
            let (x, y) = (core::array::from_fn(|i| lane(s, i).x), core::array::from_fn(|i| lane(s, i).y));
            [lanes::load(&x), lanes::load(&y), one]
        };
        let mut p = [group(0), group(1)];
        let beta: Lanes<L> = lanes::load(&[C::split(&C::BETA); 8]);
        let row = all.len() / points.len();
        let mut chain = Vec::with_capacity(windows);
        let mut product = [one; 2];
        for j in 0..windows {
            chain.push((p, product));
            product = product::products(product.each_ref(), [&p[0][2], &p[1][2]], prime);
            for _ in 0..if j + 1 < windows { c } else { 0 } {
                double(&mut p, prime);
            }
        }
        let both = product::product(&product[0], &product[1], prime);
        let inverse = C::invert_lanes(&lanes::unload(&both)).expect("multiples of points of odd order");
        let mut rest = product::products([&lanes::load(&inverse); 2], [&product[1], &product[0]], prime);
        for (j, (p, before)) in chain.iter().enumerate().rev() {
            let inverse = product::products(rest.each_ref(), before.each_ref(), prime);
            rest = product::products(rest.each_ref(), [&p[0][2], &p[1][2]], prime);
            let [x, y] = affine(p, &inverse, prime);
            let other = product::products(x.each_ref(), [&beta; 2], prime);
            for s in 0..2 {
                let (x, y, other) = (lanes::unload(&x[s]), lanes::unload(&y[s]), lanes::unload(&other[s]));
                for (i, row) in all.chunks_mut(row).skip(8 * s).take(8).enumerate() {
                    row[j] = Point { x: x[i], y: y[i] };
                    if let Some(second) = row.get_mut(windows + j) {
                        *second = Point { x: other[i], y: y[i] };
                    }
                }
            }
        }
    }
}

/// `x` and `y` of two groups of points, from the inverses of their `Z`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn affine<const L: usize>(
    [p, q]: &[Jacobian<L>; 2],
    z: &[Lanes<L>; 2],
    prime: &'static Prime<L>,
) -> [[Lanes<L>; 2]; 2] {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let zz = product::squares(z.each_ref(), prime);
        let zzz = product::products(zz.each_ref(), z.each_ref(), prime);
        let x = product::products([&p[0], &q[0]], zz.each_ref(), prime);
        [x, product::products([&p[1], &q[1]], zzz.each_ref(), prime)]
    }
}

/// `2 P`, of two groups of points of odd order: three products and four squares. With `B = Y^2`, `M = X B` and `E = 3 X^2`:
/// `X' = E^2 - 8 M`, `Y' = E (4 M - X') - 8 B^2`, `Z' = 2 Y Z`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline]
pub(super) unsafe fn double<const L: usize>(p: &mut [Jacobian<L>; 2], prime: &'static Prime<L>) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let with = |a: &Lanes<L>, b: &Lanes<L>, k: usize| lanes::difference(a, b, k, prime);
        let ([x0, y0, z0], [x1, y1, z1]) = (&p[0], &p[1]);
        let a = product::squares([x0, x1], prime); // 3.9
        let b = product::squares([y0, y1], prime); // 3.4
        let m = product::products([x0, x1], b.each_ref(), prime); // 1.62
        let c = product::squares(b.each_ref(), prime); // 1.2
        let yz = product::products([y0, y1], [z0, z1], prime); // 1.5
        let triple = |a: &Lanes<L>| lanes::carry(lanes::wide_sum(a, &lanes::wide_shift::<L, 1>(a))); // 11.7
        let e = [triple(&a[0]), triple(&a[1])];
        let f = product::squares(e.each_ref(), prime); // 2.6
        let x3 = |s: usize| with(&f[s], &lanes::wide_shift::<L, 3>(&m[s]), 13); // 8m < 13, 15.6
        let x3 = [x3(0), x3(1)];
        let run = |s: usize| with(&lanes::wide_shift::<L, 2>(&m[s]), &x3[s], 16); // 22.5
        let rise = product::products(e.each_ref(), [&run(0), &run(1)], prime);
        for s in 0..2 {
            let y3 = with(&rise[s], &lanes::wide_shift::<L, 3>(&c[s]), 10); // 8c < 10, 14.1
            p[s] = [x3[s], y3, lanes::carry(lanes::wide_shift::<L, 1>(&yz[s]))];
        }
    }
}
