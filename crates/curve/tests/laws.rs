//! Multi-scalar multiplications on every set of lanes against arkworks, through the public API.
//!
//! The crate under test is compiled as a dependency, as in users' builds: `scripts/test` runs these tests in release builds of
//! one and of many codegen units too (docs/codegen-units-1.md).

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_std::UniformRand;
use ark_std::rand::{SeedableRng, rngs::StdRng};
use curve::msm::{self, Curve, FixedBase, Tier};
use curve::{AdditiveGroup, Zero};

/// Sums of some points, among them equal and opposite ones and the identity.
fn sums<C: Curve>() {
    let mut rng = StdRng::seed_from_u64(21);
    for count in [0, 1, 2, 8, 9, 40, 150] {
        let mut points: Vec<Affine<C>> =
            (0..count).map(|_| Projective::<C>::rand(&mut rng).into_affine()).collect();
        let scalars: Vec<C::ScalarField> = (0..count).map(|_| UniformRand::rand(&mut rng)).collect();
        if count > 8 {
            (points[3], points[5], points[7]) = (points[2], -points[4], Affine::identity());
        }
        let expected = Projective::<C>::msm_unchecked(&points, &scalars);
        assert_eq!(msm::sum(&points, &scalars), expected, "{count} points, no tables");
        for tier in Tier::ALL.into_iter().filter(|tier| tier.available::<C>()) {
            let tables = FixedBase::on(&points, 7, tier);
            assert_eq!(tables.sum(&scalars), expected, "{count} points, {tier:?}");
            let zeros = vec![C::ScalarField::ZERO; count];
            assert!(tables.sum(&zeros).is_zero(), "{count} points by zeros, {tier:?}");
        }
    }
}

#[test]
fn sums_over_bls12_381() {
    sums::<ark_bls12_381::g1::Config>();
}

#[test]
fn sums_over_bn254() {
    sums::<ark_bn254::g1::Config>();
}
