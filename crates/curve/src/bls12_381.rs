//! BLS12-381: elements, and encodings as the ring proofs use them.
//!
//! Points of both groups are encoded in Zcash's form, big-endian with flags in the first byte; scalars are 32 bytes, little-endian. A
//! decoder accepts one encoding for each value, of a point on the curve and in the subgroup. The identity is a
//! value like others: who may not accept it asks [`is_zero`](ark_ec::AffineRepr::is_zero).

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{Field, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
#[cfg(feature = "prover")]
use field::parallel;

pub use ark_bls12_381::{
    Bls12_381 as Engine, Fq, Fq2, Fr, G1Affine as G1, G1Projective, G2Affine as G2, G2Projective,
};

use crate::{Invalid, decode, ffi};

pub(crate) const NO_POINT: Invalid = Invalid("no point of the curve");
const NOT_IN_SUBGROUP: Invalid = Invalid("the point is outside the subgroup");
const NOT_CANONICAL: Invalid = Invalid("not the encoding of its value");

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

/// `1/x`; `None` of 0. Not constant time: for a verifier.
#[must_use]
pub fn inverse(x: &Fr) -> Option<Fr> {
    crate::inverse::inverse(x)
}

/// 48 bytes: compressed.
#[must_use]
pub fn encode_g1(p: &G1) -> [u8; 48] {
    encode(p, true)
}

/// 96 bytes: compressed.
#[must_use]
pub fn encode_g2(p: &G2) -> [u8; 96] {
    encode(p, true)
}

/// 96 bytes: uncompressed.
#[must_use]
pub fn encode_g1_uncompressed(p: &G1) -> [u8; 96] {
    encode(p, false)
}

/// 192 bytes: uncompressed.
#[must_use]
pub fn encode_g2_uncompressed(p: &G2) -> [u8; 192] {
    encode(p, false)
}

/// The point of a compressed encoding. Cost: a square root and a check of the subgroup, about 40 µs.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g1(bytes: &[u8; 48]) -> Result<G1, Invalid> {
    let p = ffi::g1_uncompress(bytes).ok_or(NO_POINT)?;
    checked_g1(p, encode_g1(&p) == *bytes, ffi::g1_in_subgroup(&p))
}

/// What [`decode_g1`] gives for each of some encodings. Cost: with AVX-512 IFMA, eight are about two.
pub fn decode_g1_each<const N: usize>(encodings: [&[u8; 48]; N]) -> [Result<G1, Invalid>; N] {
    let mut results = [Err(NO_POINT); N];
    decode::decode(&encodings, &mut results);
    results
}

/// Tells whether all points are on the curve and in the subgroup of prime order. Each point is checked by itself, on all threads of the current
/// pool: a random linear combination of them would miss a point of order 3 in one case out of three.
///
/// Cost: some 30 µs for each point, with AVX-512 IFMA about 5 µs.
#[cfg(feature = "prover")]
#[must_use]
pub fn in_subgroup(points: &[G1]) -> bool {
    let right = |eight: &[G1]| eight.iter().all(G1::is_on_curve) && decode::in_subgroup(eight);
    parallel::map(points.chunks(8), right).into_iter().all(|right| right)
}

/// The point of a compressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g2(bytes: &[u8; 96]) -> Result<G2, Invalid> {
    let p = ffi::g2_uncompress(bytes).ok_or(NO_POINT)?;
    checked_g2(p, encode_g2(&p) == *bytes)
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g1_uncompressed(bytes: &[u8; 96]) -> Result<G1, Invalid> {
    let p = on_curve(bytes)?;
    checked_g1(p, encode_g1_uncompressed(&p) == *bytes, ffi::g1_in_subgroup(&p))
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g2_uncompressed(bytes: &[u8; 192]) -> Result<G2, Invalid> {
    let p = on_curve(bytes)?;
    checked_g2(p, encode_g2_uncompressed(&p) == *bytes)
}

/// The affine forms of points, with one inversion.
pub fn affine<const N: usize>(points: [G1Projective; N]) -> [G1; N] {
    let mut product = Fq::ONE;
    let before = points.map(|p| {
        let before = product;
        product *= if p.is_zero() { Fq::ONE } else { p.z };
        before
    });
    let mut rest = ffi::invert(&product);
    let mut all = [G1::zero(); N];
    for ((affine, p), before) in
        all.iter_mut().zip(&points).zip(&before).rev().filter(|((_, p), _)| !p.is_zero())
    {
        let inverse = rest * before;
        rest *= p.z;
        let square = inverse.square();
        *affine = G1::new_unchecked(p.x * square, p.y * square * inverse);
    }
    all
}

/// What uncompressed bytes say, if it is a point of the curve: arkworks does not look.
pub(crate) fn on_curve<C: SWCurveConfig>(bytes: &[u8]) -> Result<Affine<C>, Invalid> {
    let p = Affine::<C>::deserialize_uncompressed_unchecked(bytes).map_err(|_| NO_POINT)?;
    if p.is_on_curve() { Ok(p) } else { Err(NO_POINT) }
}

pub(crate) fn checked_g1(p: G1, canonical: bool, inside: bool) -> Result<G1, Invalid> {
    match (canonical, inside) {
        (false, _) => Err(NOT_CANONICAL),
        (true, false) => Err(NOT_IN_SUBGROUP),
        (true, true) => Ok(p),
    }
}

fn checked_g2(p: G2, canonical: bool) -> Result<G2, Invalid> {
    match (canonical, ffi::g2_in_subgroup(&p)) {
        (false, _) => Err(NOT_CANONICAL),
        (true, false) => Err(NOT_IN_SUBGROUP),
        (true, true) => Ok(p),
    }
}

/// The bytes of a value that has `N` of them.
pub(crate) fn encode<const N: usize>(value: &impl CanonicalSerialize, compressed: bool) -> [u8; N] {
    let mut bytes = [0; N];
    let done = if compressed {
        value.serialize_compressed(&mut bytes[..])
    } else {
        value.serialize_uncompressed(&mut bytes[..])
    };
    done.expect("a buffer of the right length");
    bytes
}
