//! Grumpkin, the curve over BN254's scalar field: `y^2 = x^3 - 17`, of prime order, BN254's base field being its scalars.
//!
//! A decoder accepts one encoding for each value, of a point on the curve. The order is prime, so that every point but the identity generates the
//! group: there is no subgroup to check.

pub mod ct;

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{BigInt, Field, PrimeField};
use ark_serialize::CanonicalDeserialize;

pub use ark_grumpkin::{Affine as Point, Fq, Fr, GrumpkinConfig as Config, Projective};

use crate::Invalid;
use crate::bls12_381::encode;

const NO_POINT: Invalid = Invalid("no point of the curve");

/// 32 bytes: compressed as arkworks has it, `x` little-endian with flags in the last byte.
#[must_use]
pub fn encode_point(p: &Point) -> [u8; 32] {
    encode(p, true)
}

/// The point of a compressed encoding. The identity is a value like others. Cost: a square root.
///
/// # Errors
/// If the bytes are not the encoding of a point of the curve.
pub fn decode_point(bytes: &[u8; 32]) -> Result<Point, Invalid> {
    let p = Point::deserialize_compressed_unchecked(&bytes[..]).map_err(|_| NO_POINT)?;
    match (p.is_zero() || on_curve(&p.x, &p.y), encode_point(&p) == *bytes) {
        (false, _) => Err(NO_POINT),
        (true, false) => Err(Invalid("not the encoding of its value")),
        (true, true) => Ok(p),
    }
}

/// The point of two coordinates, which the identity does not have. Cost: four products.
///
/// # Errors
/// If there is no such point on the curve.
pub fn from_coordinates(x: Fq, y: Fq) -> Result<Point, Invalid> {
    if on_curve(&x, &y) { Ok(Point::new_unchecked(x, y)) } else { Err(NO_POINT) }
}

/// `(0, 0)`, which stands for the identity in memory, is not on the curve.
fn on_curve(x: &Fq, y: &Fq) -> bool {
    y.square() == x.square() * x + Config::COEFF_B
}

/// 32 bytes, little-endian.
#[must_use]
pub fn encode_fq(x: &Fq) -> [u8; 32] {
    encode(x, true)
}

/// The coordinate of 32 bytes.
///
/// # Errors
/// If the number is not below the number of elements of the base field.
pub fn decode_fq(bytes: &[u8; 32]) -> Result<Fq, Invalid> {
    Fq::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("a coordinate that is not reduced"))
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

/// The coordinate of three words, the lowest first: of 192 bits.
#[must_use]
pub fn from_words([low, middle, high]: [u64; 3]) -> Fq {
    Fq::from_bigint(BigInt([low, middle, high, 0])).expect("a number below 2^192 is reduced")
}

/// The low 128 bits of a coordinate.
#[must_use]
pub fn low_bits(x: &Fq) -> u128 {
    let words = x.into_bigint().0;
    u128::from(words[0]) | u128::from(words[1]) << 64
}
