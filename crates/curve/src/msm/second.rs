//! What sums take of the second groups of BN254 and of BLS12-381, whose coordinates are pairs of the base field.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{AdditiveGroup, Field};

use super::{Curve, Lanes, Single};

impl Curve for ark_bn254::g2::Config {}
impl Curve for ark_bls12_381::g2::Config {}

/// Implements [`Lanes`] for a second group: limbs of 52 bits of a coordinate of the base field, and the name in files.
macro_rules! second_group {
    ($config:ty, $limbs:literal, $name:literal) => {
        impl Lanes for $config {
            #[cfg(target_arch = "x86_64")]
            type Vector = crate::ifma::Quadratic<Self, $limbs>;
            #[cfg(not(target_arch = "x86_64"))]
            type Vector = Single<Self>;
            type Middle = Single<Self>;

            const NAME: [u8; 8] = *$name;
            const BETA: Self::BaseField = Self::BaseField::ONE;

            fn invert(x: &Self::BaseField) -> Self::BaseField {
                x.inverse().expect("not zero")
            }

            #[inline(always)]
            fn product(out: &mut Self::BaseField, a: &Self::BaseField, b: &Self::BaseField) {
                *out = *a * b;
            }

            #[inline(always)]
            fn square(out: &mut Self::BaseField, a: &Self::BaseField) {
                *out = Field::square(a);
            }

            #[inline(always)]
            fn word(x: &Self::BaseField) -> u64 {
                x.c0.0.0[0] ^ x.c1.0.0[0].rotate_left(32)
            }

            fn double(p: &mut Projective<Self>, times: usize) {
                (0..times).for_each(|_| {
                    p.double_in_place();
                });
            }

            fn times(p: &Affine<Self>, k: &Self::ScalarField) -> Projective<Self> {
                *p * k
            }

            fn halves(_: &Self::ScalarField) -> Option<[u128; 2]> {
                None
            }
        }
    };
}

second_group!(ark_bn254::g2::Config, 5, b"bn254 G2");
second_group!(ark_bls12_381::g2::Config, 8, b"bls381G2");
