//! Tables: `2^(cj) P` for eight points at a time, in Jacobian coordinates, and their affine form at the end.

use ark_ec::short_weierstrass::Affine;

use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::{Ifma, Point};
use crate::msm::Adder;

/// `x = X/Z^2`, `y = Y/Z^3`. Below 16, 14 and 3 times p.
pub(super) type Jacobian<const L: usize> = [Lanes<L>; 3];

/// `2^(cj) P_i`, for points of odd order: a row of `windows` for each point, and behind it, if `twice`, the same with `beta x`
/// in the place of `x`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
pub(super) unsafe fn multiples<C: Limbs<L>, const L: usize>(
    points: &[Affine<C>],
    c: usize,
    windows: usize,
    twice: bool,
) -> Vec<Point> {
    let points = Ifma::<C, L>::import(points);
    let row = windows * (1 + usize::from(twice));
    let mut all = vec![Point { x: [0; 8], y: [0; 8] }; points.len() * row];
    for (points, all) in points.chunks(8).zip(all.chunks_mut(8 * row)) {
        // SAFETY: the caller's promise.
        unsafe { multiples_of_eight::<C, L>(points, c, windows, all) }
    }
    all
}

/// Fills the rows of at most eight points.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn multiples_of_eight<C: Limbs<L>, const L: usize>(
    points: &[Point],
    c: usize,
    windows: usize,
    all: &mut [Point],
) {
    // SAFETY: the instructions are enabled here.
    unsafe {
        let prime = const { &C::PRIME };
        let lane = |i: usize| points[i.min(points.len() - 1)];
        let (x, y) = (core::array::from_fn(|i| lane(i).x), core::array::from_fn(|i| lane(i).y));
        let mut p: Jacobian<L> = [lanes::load(&x), lanes::load(&y), lanes::splat(&prime.one)];
        let beta: Lanes<L> = lanes::load(&[C::split(&C::BETA); 8]);
        let row = all.len() / points.len();
        let mut chain = Vec::with_capacity(windows);
        let mut product = p[2];
        for _ in 0..windows {
            chain.push((p, product));
            product = lanes::product(&product, &p[2], prime);
            for _ in 0..c {
                p = double(&p, prime);
            }
        }
        let inverse = C::invert_lanes(&lanes::unload(&product)).expect("multiples of points of odd order");
        let mut rest: Lanes<L> = lanes::load(&inverse);
        for (j, (p, before)) in chain.iter().enumerate().rev() {
            let [z, next] = lanes::products([&rest; 2], [before, &p[2]], prime);
            rest = next;
            let zz = lanes::product(&z, &z, prime);
            let [x, zzz] = lanes::products([&p[0], &z], [&zz; 2], prime);
            let [y, beta_x] = lanes::products([&p[1], &x], [&zzz, &beta], prime);
            let (x, y, beta_x) = (lanes::unload(&x), lanes::unload(&y), lanes::unload(&beta_x));
            for (i, row) in all.chunks_mut(row).enumerate() {
                row[j] = Point { x: x[i], y: y[i] };
                if let Some(other) = row.get_mut(windows + j) {
                    *other = Point { x: beta_x[i], y: y[i] };
                }
            }
        }
    }
}

/// `2 P`, of a point of odd order: three products and four squares. With `B = Y^2`, `M = X B` and `E = 3 X^2`:
/// `X' = E^2 - 8 M`, `Y' = E (4 M - X') - 8 B^2`, `Z' = 2 Y Z`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
pub(super) unsafe fn double<const L: usize>(
    [x, y, z]: &Jacobian<L>,
    prime: &'static Prime<L>,
) -> Jacobian<L> {
    // SAFETY: the caller's promise.
    unsafe {
        let with = |a: &Lanes<L>, b: &Lanes<L>, k: usize| lanes::difference(a, b, k, prime);
        let [a, b] = lanes::products([x, y], [x, y], prime); // 3.9, 3.1
        let [m, c] = lanes::products([x, &b], [&b; 2], prime); // 1.6, 1.2
        let e = lanes::carry(lanes::wide_sum(&a, &lanes::wide_shift::<L, 1>(&a))); // 11.7
        let [f, yz] = lanes::products([&e, y], [&e, z], prime); // 2.7, 1.5
        let x3 = with(&f, &lanes::wide_shift::<L, 3>(&m), 13); // 15.7
        let run = with(&lanes::wide_shift::<L, 2>(&m), &x3, 16); // 22.4
        let y3 = with(&lanes::product(&e, &run, prime), &lanes::wide_shift::<L, 3>(&c), 10); // 14
        [x3, y3, lanes::carry(lanes::wide_shift::<L, 1>(&yz))]
    }
}
