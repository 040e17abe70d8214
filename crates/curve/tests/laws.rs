//! Multi-scalar multiplications, one of them in a second group, and transforms on every set of lanes against arkworks, through the public API.
//!
//! The crate under test is compiled as a dependency, as in users' builds: `scripts/test` runs these tests in release builds of
//! one and of many codegen units too (docs/codegen-units-1.md).

use ark_ec::CurveGroup;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_std::UniformRand;
use ark_std::rand::{SeedableRng, rngs::StdRng};
use curve::fft::{Domain, Scalar};
use curve::msm::{self, Bases, Curve, FixedBase, Tier};
use curve::{AdditiveGroup, Zero};

/// Some points, among them equal and opposite ones and the identity; scalars, among them small ones, 0, 1 and -1; and the sum of their products, one by one.
struct Case<C: Curve> {
    points: Vec<Affine<C>>,
    scalars: Vec<C::ScalarField>,
    sum: Projective<C>,
}

impl<C: Curve> Case<C> {
    fn new(count: usize) -> Self {
        let mut rng = StdRng::seed_from_u64(21);
        let mut points = Vec::with_capacity(count);
        let mut scalars = Vec::with_capacity(count);
        for i in 0..count {
            points.push(Projective::<C>::rand(&mut rng).into_affine());
            let small = C::ScalarField::from(i as u64 % 9);
            scalars.push(match i % 6 {
                4 => small,
                5 => -small,
                _ => UniformRand::rand(&mut rng),
            });
        }
        if count > 8 {
            (points[3], points[5], points[7]) = (points[2], -points[4], Affine::identity());
        }
        let sum = points.iter().zip(&scalars).map(|(p, k)| *p * k).sum();
        Self { points, scalars, sum }
    }
}

fn tiers<C: Curve>() -> impl Iterator<Item = Tier> {
    Tier::ALL.into_iter().filter(|tier| tier.available::<C>())
}

/// Sums with tables, and of few points without.
fn fixed_bases<C: Curve>() {
    for count in [0, 1, 2, 8, 9, 40, 150] {
        let case = Case::<C>::new(count);
        let expected = case.sum;
        assert_eq!(msm::sum(&case.points, &case.scalars), expected, "{count} points, no tables");
        for tier in tiers::<C>() {
            let tables = FixedBase::on(&case.points, 7, tier);
            assert_eq!(tables.sum(&case.scalars), expected, "{count} points, {tier:?}");
            let zeros = vec![C::ScalarField::ZERO; count];
            assert!(tables.sum(&zeros).is_zero(), "{count} points by zeros, {tier:?}");
        }
    }
}

/// Sums over many bases.
fn many_bases<C: Curve>() {
    for count in [0, 1, 9, 70] {
        let case = Case::<C>::new(count);
        for tier in tiers::<C>() {
            let bases = Bases::on(&case.points, tier);
            assert_eq!(bases.sum(&case.scalars), case.sum, "{count} bases, {tier:?}");
        }
    }
}

#[test]
fn sums_over_bls12_381() {
    fixed_bases::<ark_bls12_381::g1::Config>();
}

#[test]
fn sums_over_bn254() {
    fixed_bases::<ark_bn254::g1::Config>();
    many_bases::<ark_bn254::g1::Config>();
}

#[test]
fn sums_over_bandersnatch() {
    fixed_bases::<curve::bandersnatch::ArkworksConfig>();
    many_bases::<curve::bandersnatch::ArkworksConfig>();
}

#[test]
fn sums_in_a_second_group() {
    many_bases::<ark_bls12_381::g2::Config>();
}

/// Values on the domain to values on its coset: those of arkworks' polynomial; and back.
fn transforms<F: Scalar>() {
    let mut rng = StdRng::seed_from_u64(22);
    for size in [2, 64, 256, 384, 1024] {
        let domain = Domain::<F>::new(size).expect("a length of transforms");
        let coefficients: Vec<F> = (0..size).map(|_| F::rand(&mut rng)).collect();
        let at = |x: F| coefficients.iter().rev().fold(F::ZERO, |value, c| value * x + c);
        let mut values = Vec::with_capacity(size);
        let mut point = F::ONE;
        for _ in 0..size {
            values.push(at(point));
            point *= domain.root();
        }
        let before = values.clone();
        domain.to_coset(&mut values);
        for k in [0, 1, size / 2, size - 1] {
            let expected = at(domain.shift() * domain.root().pow([k as u64]));
            assert_eq!(values[k], expected, "value {k} of {size}");
        }
        domain.back_from_coset(&mut values);
        assert_eq!(values, before, "{size} values, there and back");
    }
}

#[test]
fn transforms_over_a_scalar_field() {
    transforms::<ark_bn254::Fr>();
}
