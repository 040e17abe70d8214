//! Bandersnatch, the curve inside BLS12-381's scalar field: twisted Edwards form, `a = -5`, cofactor 4.

use ark_ec::twisted_edwards::{Affine, TECurveConfig};
use ark_ec::{AdditiveGroup, CurveGroup};
use ark_serialize::CanonicalDeserialize;

pub use ark_ed_on_bls12_381_bandersnatch::{
    BandersnatchConfig as Config, EdwardsAffine as Point, EdwardsProjective as Projective, Fq, Fr,
};

use crate::Invalid;
use crate::bls12_381::encode;

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
    let p = Point::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("no point of the subgroup"))?;
    if encode_point(&p) == *bytes { Ok(p) } else { Err(Invalid("not the encoding of its value")) }
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
