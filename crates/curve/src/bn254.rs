//! BN254: elements, and encodings as arkworks writes them (little-endian, flags in the last byte).
//!
//! A decoder accepts one encoding for each value, of a point on the curve and in the subgroup. The identity is a value like others.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

pub use ark_bn254::{
    Bn254 as Engine, Fq, Fq2, Fr, G1Affine as G1, G1Projective, G2Affine as G2, G2Projective,
};

use crate::Invalid;
use crate::bls12_381::{encode, on_curve};

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

/// `1/x`; `None` of 0. Not constant time: for a prover's witness, whose time is not hidden.
#[must_use]
pub fn inverse(x: &Fr) -> Option<Fr> {
    crate::inverse::inverse(x)
}

/// 32 bytes: compressed.
#[must_use]
pub fn encode_g1(p: &G1) -> [u8; 32] {
    encode(p, true)
}

/// 64 bytes: compressed.
#[must_use]
pub fn encode_g2(p: &G2) -> [u8; 64] {
    encode(p, true)
}

/// The point of a compressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the curve.
pub fn decode_g1(bytes: &[u8; 32]) -> Result<G1, Invalid> {
    compressed(bytes)
}

/// The point of a compressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g2(bytes: &[u8; 64]) -> Result<G2, Invalid> {
    compressed(bytes)
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the curve.
pub fn decode_g1_uncompressed(bytes: &[u8; 64]) -> Result<G1, Invalid> {
    uncompressed(bytes)
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g2_uncompressed(bytes: &[u8; 128]) -> Result<G2, Invalid> {
    uncompressed(bytes)
}

fn compressed<C: SWCurveConfig, const N: usize>(bytes: &[u8; N]) -> Result<Affine<C>, Invalid> {
    let p =
        Affine::<C>::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("no point of the subgroup"))?;
    canonical(p, &encode(&p, true), bytes)
}

fn uncompressed<C: SWCurveConfig, const N: usize>(bytes: &[u8; N]) -> Result<Affine<C>, Invalid> {
    let p = on_curve::<C>(bytes)?;
    if !p.is_in_correct_subgroup_assuming_on_curve() {
        return Err(Invalid("the point is outside the subgroup"));
    }
    canonical(p, &encode(&p, false), bytes)
}

fn canonical<P: CanonicalSerialize, const N: usize>(
    p: P,
    again: &[u8; N],
    bytes: &[u8; N],
) -> Result<P, Invalid> {
    if again == bytes { Ok(p) } else { Err(Invalid("not the encoding of its value")) }
}
