//! Definitions against the fields, and every tier of the kernels against the scalar operations.

use super::clmul::Tier;
use super::combine::{Columns, Matrix, Rows};
use super::convert::Tower;
use super::extension::OverTower;
use super::halves::Halves;
use super::rounds::{AddScaled, Bind, Dot, Round, Scale};
use super::tower::Tower128;
use super::wide::{Sums, Wide};
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

/// Elements of a challenge field as the kernels take them, and back.
struct Form<E: OverTower, P> {
    convert: fn(&[E::Tower], &mut [P]),
    of: fn(&[E]) -> Vec<P>,
    back: fn(&[P], &mut [E]),
}

/// Both combinations on every tier, against sums of products. `D` is the degree.
fn combinations<P: Sums, E: OverTower, const D: usize>(form: &Form<E, P>) {
    let mut samples = Samples::new(16);
    let shapes = [(1, 1), (1, 70), (2, 9), (3, 5), (4, 64), (8, 33), (16, 16), (17, 40), (64, 30), (255, 7)];
    for (width, rows) in shapes.into_iter().chain([(256, 6), (257, 5), (300, 9), (1100, 3), (7, 600), (5, 0)])
    {
        let elements = samples.elements::<E::Tower>(width * rows);
        let (across, down) = (samples.elements::<E>(width), samples.elements::<E>(rows));
        let entry = |i: usize, k: usize| elements[i * width + k];
        let columns = values(rows, &|i| down[i] + sum(width, &|k| across[k].scale(entry(i, k))));
        let sums = values(width, &|k| across[k] + sum(rows, &|i| down[i].scale(entry(i, k))));
        let (of_across, of_down) = ((form.of)(&across), (form.of)(&down));
        for tier in Tier::available() {
            let matrix = || Matrix { elements: &elements, width, convert: form.convert };
            // Kernels add to what is there.
            let mut out = of_down.clone();
            tier.run(Columns::<_, P, D> { matrix: matrix(), weights: &of_across, out: &mut out });
            let mut got = vec![E::ZERO; rows];
            (form.back)(&out, &mut got);
            same(&got, &columns, format_args!("columns of {rows} x {width}, {tier:?}"));
            let mut out = of_across.clone();
            tier.run(Rows::<_, P, D> { matrix: matrix(), weights: &of_down, out: &mut out });
            let mut got = vec![E::ZERO; width];
            (form.back)(&out, &mut got);
            same(&got, &sums, format_args!("rows of {rows} x {width}, {tier:?}"));
        }
        // As the field has them, with matrices of fewer rows than there is room for.
        let (mut got, mut more) = (down.clone(), samples.elements::<E>(2));
        E::columns(&elements, &across, &mut got);
        same(&got, &columns, format_args!("columns of {rows} x {width}"));
        let last = more.clone();
        got = [&down[..], &more].concat();
        E::columns(&elements, &across, &mut got);
        same(&got, &[columns, last].concat(), format_args!("columns of {rows} x {width} and room"));
        got = across.clone();
        more.splice(0..0, down.iter().copied());
        E::rows(&elements, &more, &mut got);
        same(&got, &sums, format_args!("rows of {rows} x {width} and weights beyond"));
    }
}

/// The form in which coefficients are elements of the polynomial basis.
fn direct<E: OverTower>() -> Form<E, <E::Tower as Tower>::Poly> {
    Form {
        convert: <E::Tower as Tower>::to_poly,
        of: |values| E::flat(values).to_vec(),
        back: |from, to| E::flat_mut(to).copy_from_slice(from),
    }
}

/// The form in which they are halves.
fn by_halves<E: OverTower<Tower = Tower128>>() -> Form<E, Halves> {
    Form {
        convert: Halves::from_tower,
        of: |values| Halves::from_poly(E::flat(values)),
        back: |from, to| Halves::add_to(from, E::flat_mut(to)),
    }
}

#[test]
fn combinations_of_every_tier() {
    combinations::<Gf128, Gf128, 1>(&direct());
    combinations::<Gf64, Gf192, 3>(&direct());
    combinations::<Gf128, Gf256, 2>(&direct());
    combinations::<Gf64, Gf320, 5>(&direct());
    combinations::<Halves, Gf128, 1>(&by_halves());
    combinations::<Halves, Gf256, 2>(&by_halves());
}
