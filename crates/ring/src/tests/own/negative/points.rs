//! Encodings that are none, or are of points that are none: found by search, always the same.

use curve::bandersnatch::{Point, encode_point};
use curve::bls12_381::{Fq, Fr, G1, encode_g1};
use curve::{AffineRepr, BigInteger, CurveGroup, One, PrimeField};

use super::{FIRST, keys};

/// A number of 32 bytes, little-endian, and another one of which it does not exceed 2^256 with.
pub(super) fn plus(bytes: &[u8; 32], other: &[u64; 4]) -> [u8; 32] {
    let mut sum = <Fr as PrimeField>::BigInt::new(*other);
    let mut number = <Fr as PrimeField>::BigInt::new([0; 4]);
    for (word, chunk) in number.0.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*chunk);
    }
    assert!(!sum.add_with_carry(&number), "too large for a second encoding");
    let mut bytes = [0; 32];
    bytes.copy_from_slice(sum.0.map(u64::to_le_bytes).as_flattened());
    bytes
}

/// The first `x` such that there is, or is not, a point of BLS12-381 with it, outside the subgroup.
fn first(on_curve: bool) -> [u8; 48] {
    let found = (1_u8..).find(|x| match G1::get_point_from_x_unchecked((*x).into(), false) {
        Some(point) => on_curve && !point.is_in_correct_subgroup_assuming_on_curve(),
        None => !on_curve,
    });
    let mut bytes = [0; 48];
    bytes[0] = 0x80;
    bytes[47] = found.unwrap();
    bytes
}

/// No point of BLS12-381.
pub(super) fn nowhere() -> [u8; 48] {
    first(false)
}

/// A point of BLS12-381 outside the subgroup.
pub(super) fn outside() -> [u8; 48] {
    first(true)
}

/// A point of the subgroup whose `x` is written with the modulus added.
pub(super) fn beyond() -> [u8; 48] {
    let mut point = G1::generator();
    loop {
        let mut x = point.x.into_bigint();
        assert!(!x.add_with_carry(&Fq::MODULUS));
        let bytes = x.to_bytes_be();
        if bytes[0] < 0x20 {
            let flags = encode_g1(&point)[0] & 0xe0;
            let mut all: [u8; 48] = bytes.try_into().unwrap();
            all[0] |= flags;
            return all;
        }
        point = (point + G1::generator()).into_affine();
    }
}

/// `(0, -1)` of Bandersnatch.
pub(super) fn order_two() -> Point {
    Point::new_unchecked(Fr::from(0_u64), -Fr::one())
}

/// A key and the point of order 2.
pub(super) fn outside_in() -> [u8; 32] {
    encode_point(&(*keys(FIRST, 1)[0].point() + order_two()).into_affine())
}

/// The first `y` that no point of Bandersnatch has.
pub(super) fn nowhere_in() -> [u8; 32] {
    let found = (2_u64..).find(|y| Point::get_point_from_y_unchecked((*y).into(), false).is_none());
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&found.unwrap().to_le_bytes());
    bytes
}

/// A key whose `y` is written with the modulus added.
pub(super) fn beyond_in() -> [u8; 32] {
    let found = (FIRST..).find_map(|first| {
        let point = *keys(first, 1)[0].point();
        let mut y = point.y.into_bigint();
        let carry = y.add_with_carry(&Fr::MODULUS);
        (!carry && y.0[3] >> 63 == 0).then_some((point, y))
    });
    let (point, y) = found.unwrap();
    let mut bytes = [0; 32];
    bytes.copy_from_slice(y.0.map(u64::to_le_bytes).as_flattened());
    bytes[31] |= encode_point(&point)[31] & 0x80;
    bytes
}
