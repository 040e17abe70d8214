//! Bandersnatch, the curve inside BLS12-381's scalar field: twisted Edwards form, `a = -5`, cofactor 4.

use std::sync::LazyLock;

use ark_ec::hashing::curve_maps::elligator2::Elligator2Map;
use ark_ec::hashing::map_to_curve_hasher::MapToCurve;
use ark_ec::twisted_edwards::{Affine, TECurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{Field, One};
use ark_serialize::CanonicalDeserialize;

pub use ark_ed_on_bls12_381_bandersnatch::{
    BandersnatchConfig as Config, EdwardsAffine as Point, EdwardsProjective as Projective, Fq, Fr,
};

use crate::Invalid;
use crate::bls12_381::encode;

/// Bits of a scalar.
pub const SCALAR_BITS: usize = 253;

/// 32 bytes: `y` little-endian, the sign of `x` in the highest bit.
#[must_use]
pub fn encode_point(p: &Point) -> [u8; 32] {
    encode(p, true)
}

/// The point of 32 bytes. The identity is a value like others.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup. (The identity, where `x = 0` has no sign, has one encoding.)
pub fn decode_point(bytes: &[u8; 32]) -> Result<Point, Invalid> {
    const NO_POINT: Invalid = Invalid("no point of the subgroup");
    let p = Point::deserialize_compressed_unchecked(&bytes[..]).map_err(|_| NO_POINT)?;
    match (p.is_on_curve() && in_subgroup(&p), encode_point(&p) == *bytes) {
        (false, _) => Err(NO_POINT),
        (true, false) => Err(Invalid("not the encoding of its value")),
        (true, true) => Ok(p),
    }
}

/// Whether a point of the curve is in the subgroup of prime order: whether it is the double of a point. Cost: two powers.
///
/// The curve has three points of order 2 and none of order 4. On `B v^2 = u (u - e) (u - 1/e)`, its Montgomery form, a point is a double if and only
/// if `B u` and `B (u - e)` are squares; with `u = (1 + y) / (1 - y)` and `s^2 = a d` these are, up to squares,
/// `(a - d) (1 - y^2)` and `2 (1 - y) (a - s - (d - s) y)`. (notes: curve-subgroup)
#[must_use]
pub fn in_subgroup(p: &Point) -> bool {
    static ROOT: LazyLock<Fq> = LazyLock::new(|| {
        (Config::COEFF_A * Config::COEFF_D).sqrt().expect("all points of order 2 are rational")
    });
    let (a, d, s, one) = (Config::COEFF_A, Config::COEFF_D, *ROOT, Fq::one());
    let square = |x: Fq| x.legendre().is_qr();
    let second = (one - p.y).double() * (a - s - (d - s) * p.y);
    p.is_zero() || (square((a - d) * (one - p.y.square())) && square(second))
}

/// 32 bytes, little-endian.
#[must_use]
pub fn encode_fr(x: &Fr) -> [u8; 32] {
    encode(x, true)
}

/// The scalar of 32 bytes.
///
/// # Errors
/// If the number is not below the order of the group.
pub fn decode_fr(bytes: &[u8; 32]) -> Result<Fr, Invalid> {
    Fr::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("a scalar that is not reduced"))
}

/// `h, 2h, 4h, ...`: the multiples that the bits of a scalar choose among, `count` of them. One inversion for all.
#[must_use]
pub fn doublings<C: TECurveConfig>(h: &Affine<C>, count: usize) -> Vec<Affine<C>> {
    let first = ark_ec::twisted_edwards::Projective::from(*h);
    let all: Vec<_> = core::iter::successors(Some(first), |p| Some(p.double())).take(count).collect();
    ark_ec::twisted_edwards::Projective::normalize_batch(&all)
}

/// The point of the subgroup that two elements map to, by Elligator 2 and the cofactor: the last steps of RFC 9380's `hash_to_curve`.
///
/// It is the identity for a fraction of about 2^-253 of all pairs. Time depends on the elements.
pub fn map_to_curve(elements: [Fq; 2]) -> Point {
    let [p, q] =
        elements.map(|u| Elligator2Map::<Config>::map_to_curve(u).expect("the map has no exception"));
    (p + q).into_affine().clear_cofactor()
}
