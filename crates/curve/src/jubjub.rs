//! Jubjub, another curve inside BLS12-381's scalar field: twisted Edwards form, `a = -1`, cofactor 8.

use ark_ec::CurveConfig;
use ark_ec::twisted_edwards::TECurveConfig;
use ark_ed_on_bls12_381::JubjubConfig as Constants;

pub use ark_ed_on_bls12_381::Fr;

use crate::bls12_381::Fr as Fq;
use crate::embedded::{self, Embedded};
use crate::scalar::{self, JubjubOrder};

/// The curve, with the constants of arkworks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jubjub;

/// A point with two coordinates.
pub type Point = embedded::Point<Jubjub>;
/// A point in extended coordinates.
pub type Projective = embedded::Projective<Jubjub>;

impl CurveConfig for Jubjub {
    type BaseField = Fq;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = Constants::COFACTOR;
    const COFACTOR_INV: Fr = Constants::COFACTOR_INV;
}

impl TECurveConfig for Jubjub {
    const COEFF_A: Fq = <Constants as TECurveConfig>::COEFF_A;
    const COEFF_D: Fq = Constants::COEFF_D;
    const GENERATOR: Point =
        Point::new_unchecked(ark_ed_on_bls12_381::GENERATOR_X, ark_ed_on_bls12_381::GENERATOR_Y);
    type MontCurveConfig = Constants;

    fn mul_by_a(x: Fq) -> Fq {
        -x
    }
}

impl Embedded for Jubjub {
    const MINUS_A: u64 = 1;

    fn multiply_add(a: &Fr, b: &Fr, c: &Fr) -> Fr {
        scalar::multiply_add::<_, JubjubOrder>(a, b, c)
    }

    fn reduce(bytes: &[u8]) -> Fr {
        scalar::reduce::<_, JubjubOrder>(bytes)
    }
}
