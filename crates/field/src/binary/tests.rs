//! Definitions against the fields, and every tier of the kernels against the scalar operations.

use super::clmul::Tier;
use super::combine::{Columns, Matrix, Rows};
use super::convert::Tower;
use super::extension::OverTower;
use super::rounds::{AddScaled, Bind, Dot, Round, Scale};
use super::wide::{Base, Wide};
use crate::laws::Samples;
use crate::laws::plain::{products, same, sum, times, values};
use crate::{ExtensionOf, Gf64, Gf128, Gf192, Gf256, Gf320};

/// The product modulo `x^bits + low`, one bit after another.
fn remainder(a: u128, b: u128, bits: u32, low: u128) -> u128 {
    (0..bits).rev().fold(0, |sum, i| {
        let carry = if sum >> (bits - 1) & 1 == 1 { low } else { 0 };
        let doubled = (sum << 1 ^ carry) & (u128::MAX >> (128 - bits));
        doubled ^ if b >> i & 1 == 1 { a } else { 0 }
    })
}

#[test]
fn products_by_definition() {
    let mut samples = Samples::new(12);
    for _ in 0..200 {
        let (a, b) = (samples.element::<Gf64>(), samples.element::<Gf64>());
        assert_eq!(u128::from((a * b).0), remainder(a.0.into(), b.0.into(), 64, 0x1b));
        let (a, b) = (samples.element::<Gf128>(), samples.element::<Gf128>());
        assert_eq!((a * b).0, remainder(a.0, b.0, 128, 0x87));
    }
}

fn rounds<F: Wide>() {
    let mut samples = Samples::new(13);
    for length in [0, 1, 2, 3, 8, 9, 15, 16, 17, 32, 34, 48, 63, 64, 66, 130, 1000] {
        let (a, b) = (samples.elements::<F>(length), samples.elements::<F>(length));
        let r = samples.element::<F>();
        let half = length / 2;
        let every = |x: &[F], odd: usize| values(half, &|i| x[2 * i + odd]);
        let steps = |x: &[F]| values(half, &|i| x[2 * i] + x[2 * i + 1]);
        let bound = values(half, &|i| a[2 * i] + times(r, a[2 * i] + a[2 * i + 1]));
        let round = (products(&every(&a, 0), &every(&b, 0)), products(&steps(&a), &steps(&b)));
        for tier in Tier::available() {
            let mut out = a.clone();
            tier.run(Bind { values: &mut out, r });
            same(&out[..half], &bound, format_args!("{} of {length}, {tier:?}", F::NAME));
            assert_eq!(tier.run(Round { a: &a, b: &b }), round, "{} of {length}, {tier:?}", F::NAME);
        }
    }
}

/// Multiples and inner products on every tier, against scalar products.
fn multiples<F: Wide>() {
    let mut samples = Samples::new(17);
    for length in (0..18).chain([31, 32, 33, 100]) {
        let (a, b) = (samples.elements::<F>(length), samples.elements::<F>(length));
        let r = samples.element::<F>();
        let multiple = values(length, &|i| times(r, a[i]));
        let added = values(length, &|i| multiple[i] + b[i]);
        let inner = products(&a, &b);
        for tier in Tier::available() {
            let told = format!("{} of {length}, {tier:?}", F::NAME);
            let mut out = a.clone();
            tier.run(Scale { values: &mut out, by: r });
            same(&out, &multiple, format_args!("scaled, {told}"));
            let mut out = b.clone();
            tier.run(AddScaled { values: &a, by: r, out: &mut out });
            same(&out, &added, format_args!("added, {told}"));
            assert_eq!(tier.run(Dot { a: &a, b: &b }), inner, "{told}");
        }
    }
}

#[test]
fn multiples_of_every_tier() {
    multiples::<Gf64>();
    multiples::<Gf128>();
    multiples::<Gf192>();
    multiples::<Gf256>();
    multiples::<Gf320>();
}

#[test]
fn rounds_of_every_tier() {
    rounds::<Gf64>();
    rounds::<Gf128>();
    rounds::<Gf192>();
    rounds::<Gf256>();
    rounds::<Gf320>();
}

/// Both combinations on every tier, against sums of products. `D` is the degree.
fn combinations<P: Base, E: OverTower, const D: usize>()
where
    E::Tower: Tower<Poly = P>,
{
    let mut samples = Samples::new(16);
    let shapes = [(1, 1), (1, 70), (2, 9), (3, 5), (4, 64), (8, 33), (16, 16), (17, 40), (64, 30), (255, 7)];
    for (width, rows) in shapes.into_iter().chain([(256, 6), (257, 5), (300, 9), (1100, 3), (7, 600), (5, 0)])
    {
        let elements = samples.elements::<E::Tower>(width * rows);
        let (across, down) = (samples.elements::<E>(width), samples.elements::<E>(rows));
        let entry = |i: usize, k: usize| elements[i * width + k];
        let columns = values(rows, &|i| down[i] + sum(width, &|k| across[k].scale(entry(i, k))));
        let sums = values(width, &|k| across[k] + sum(rows, &|i| down[i].scale(entry(i, k))));
        for tier in Tier::available() {
            let matrix = || Matrix { elements: &elements, width, convert: <E::Tower as Tower>::to_poly };
            let mut out = down.clone();
            let weights = E::flat(&across);
            tier.run(Columns::<_, P, D> { matrix: matrix(), weights, out: E::flat_mut(&mut out) });
            same(&out, &columns, format_args!("columns of {rows} x {width}, {tier:?}"));
            let mut out = across.clone();
            let weights = E::flat(&down);
            tier.run(Rows::<_, P, D> { matrix: matrix(), weights, out: E::flat_mut(&mut out) });
            same(&out, &sums, format_args!("rows of {rows} x {width}, {tier:?}"));
        }
    }
}

#[test]
fn combinations_of_every_tier() {
    combinations::<Gf128, Gf128, 1>();
    combinations::<Gf64, Gf192, 3>();
    combinations::<Gf128, Gf256, 2>();
    combinations::<Gf64, Gf320, 5>();
}
