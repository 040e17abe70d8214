//! Bandersnatch, the curve inside BLS12-381's scalar field: twisted Edwards form, `a = -5`, cofactor 4.

#[cfg(feature = "prover")]
mod sum;
#[cfg(test)]
mod tests;
pub mod weierstrass;

use ark_ec::hashing::curve_maps::elligator2::{Elligator2Config, Elligator2Map};
use ark_ec::hashing::map_to_curve_hasher::MapToCurve;
use ark_ec::twisted_edwards::{MontCurveConfig, TECurveConfig};
use ark_ec::{AffineRepr, CurveConfig, CurveGroup};
use ark_ed_on_bls12_381_bandersnatch as constants;
use ark_ff::{AdditiveGroup, Field, MontFp, One, PrimeField};
use crypto_bigint::{JacobiSymbol, Odd, U256};

pub use ark_ed_on_bls12_381_bandersnatch::{
    BandersnatchConfig as ArkworksConfig, EdwardsAffine as ArkworksPoint, Fq, Fr,
};

use crate::Invalid;
use crate::embedded::{self, Embedded};
use crate::scalar::{self, Order, number};

pub use crate::embedded::doublings;

/// The curve, with the constants of arkworks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bandersnatch;

/// A point with two coordinates.
pub type Point = embedded::Point<Bandersnatch>;
/// A point in extended coordinates.
pub type Projective = embedded::Projective<Bandersnatch>;

/// Bits of a scalar.
pub const SCALAR_BITS: usize = embedded::scalar_bits::<Bandersnatch>();

impl CurveConfig for Bandersnatch {
    type BaseField = Fq;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = ArkworksConfig::COFACTOR;
    const COFACTOR_INV: Fr = ArkworksConfig::COFACTOR_INV;
}

impl TECurveConfig for Bandersnatch {
    const COEFF_A: Fq = <ArkworksConfig as TECurveConfig>::COEFF_A;
    const COEFF_D: Fq = ArkworksConfig::COEFF_D;
    const GENERATOR: Point = Point::new_unchecked(constants::TE_GENERATOR_X, constants::TE_GENERATOR_Y);
    type MontCurveConfig = Self;

    fn mul_by_a(x: Fq) -> Fq {
        -(x.double().double() + x)
    }
}

impl MontCurveConfig for Bandersnatch {
    const COEFF_A: Fq = <ArkworksConfig as MontCurveConfig>::COEFF_A;
    const COEFF_B: Fq = <ArkworksConfig as MontCurveConfig>::COEFF_B;
    type TECurveConfig = Self;
}

impl Elligator2Config for Bandersnatch {
    const Z: Fq = ArkworksConfig::Z;
    const ONE_OVER_COEFF_B_SQUARE: Fq = ArkworksConfig::ONE_OVER_COEFF_B_SQUARE;
    const COEFF_A_OVER_COEFF_B: Fq = ArkworksConfig::COEFF_A_OVER_COEFF_B;
}

impl Embedded for Bandersnatch {
    const MINUS_A: u64 = 5;

    fn in_subgroup(p: &Point) -> bool {
        in_subgroup(p)
    }

    /// The subgroup, and the cosets of the two points of order 2 that have no affine coordinates: neither `p` nor `p + (0, -1)` is in the subgroup.
    fn fits_seed(p: &Point) -> bool {
        in_subgroup(p) || !in_subgroup(&Point::new_unchecked(-p.x, -p.y))
    }

    #[cfg(feature = "prover")]
    fn sum(points: &[Point], scalars: &[Fr]) -> Projective {
        sum::sum(points, scalars)
    }

    fn multiply_add(a: &Fr, b: &Fr, c: &Fr) -> Fr {
        scalar::multiply_add::<_, Order>(a, b, c)
    }

    fn reduce(bytes: &[u8]) -> Fr {
        scalar::reduce::<_, Order>(bytes)
    }
}

/// 32 bytes: `y` little-endian, the sign of `x` in the highest bit.
#[must_use]
pub fn encode_point(p: &Point) -> [u8; 32] {
    embedded::encode_point(p)
}

/// The point of 32 bytes. The identity is a value like others.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup. (The identity, where `x = 0` has no sign, has one encoding.)
pub fn decode_point(bytes: &[u8; 32]) -> Result<Point, Invalid> {
    embedded::decode_point(bytes)
}

/// A root of `a d`: all points of order 2 are rational.
const ROOT: Fq = MontFp!("29924693612830282643192990051342527749946520585867904372215307804401274016651");

/// Whether a point of the curve is in the subgroup of prime order: whether it is the double of a point. Cost: two Jacobi symbols. Time depends
/// on the point.
///
/// The curve has three points of order 2 and none of order 4. On `B v^2 = u (u - e) (u - 1/e)`, its Montgomery form, a point is a double if and only
/// if `B u` and `B (u - e)` are squares; with `u = (1 + y) / (1 - y)` and `s^2 = a d` these are, up to squares,
/// `(a - d) (1 - y^2)` and `2 (1 - y) (a - s - (d - s) y)`. (notes: curve-subgroup)
#[must_use]
pub fn in_subgroup(p: &Point) -> bool {
    type Config = Bandersnatch;
    const A: Fq = <Config as TECurveConfig>::COEFF_A;
    let (a, d, s, one) = (A, Config::COEFF_D, ROOT, Fq::one());
    let second = (one - p.y).double() * (a - s - (d - s) * p.y);
    p.is_zero() || (is_square(&((a - d) * (one - p.y.square()))) && is_square(&second))
}

/// Whether `x` is a square other than 0. Its words are those of `2^256 x`, and `2^256` is a square.
fn is_square(x: &Fq) -> bool {
    const ORDER: Odd<U256> = number(&Fq::MODULUS.0).to_odd().expect_copied("a prime");
    number(&x.0.0).jacobi_symbol_vartime(&ORDER) == JacobiSymbol::One
}

/// The same point in arkworks' own type for this curve, which others who use it have.
pub fn to_arkworks(p: &Point) -> ArkworksPoint {
    ArkworksPoint::new_unchecked(p.x, p.y)
}

/// 32 bytes, little-endian.
#[must_use]
pub fn encode_fr(x: &Fr) -> [u8; 32] {
    embedded::encode_scalar::<Bandersnatch>(x)
}

/// The scalar of 32 bytes.
///
/// # Errors
/// If the number is not below the order of the group.
pub fn decode_fr(bytes: &[u8; 32]) -> Result<Fr, Invalid> {
    embedded::decode_scalar::<Bandersnatch>(bytes)
}

/// The point of the subgroup that two elements map to, by Elligator 2 and the cofactor: the last steps of RFC 9380's `hash_to_curve`.
///
/// It is the identity for a fraction of about 2^-253 of all pairs. Time depends on the elements.
pub fn map_to_curve(elements: [Fq; 2]) -> Point {
    let [p, q] =
        elements.map(|u| Elligator2Map::<Bandersnatch>::map_to_curve(u).expect("the map has no exception"));
    (p + q).into_affine().clear_cofactor()
}
