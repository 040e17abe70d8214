//! Bandersnatch as `Y^2 = X^3 + a X + b`: the bytes of suites that write points in this form. Arithmetic is in twisted Edwards form, but for sums of many points.
//!
//! ```text
//!   u = (1 + y) / (1 - y)     v = u / x         B v^2 = u^3 + A u^2 + u, Montgomery's form
//!   X = (u + A/3) / B         Y = v / B
//! ```
//! An encoding is `X`, little-endian, and a byte of flags: 0x80 if `Y` is the greater of its two values, 0x40 for the identity, whose `X` is 0.
//! Nothing here is constant time.
//!
//! (notes: curve-bandersnatch)

use ark_ec::AffineRepr;
use ark_ec::twisted_edwards::MontCurveConfig;
use ark_ed_on_bls12_381_bandersnatch::SWAffine as Weierstrass;
use ark_ff::{Field, MontFp, One};
use ark_serialize::CanonicalDeserialize;

use super::{Bandersnatch, Fq, Point, in_subgroup};
use crate::Invalid;
use crate::bls12_381::encode;

/// Bytes of a point.
pub const BYTES: usize = 33;

/// 33 bytes of a point of the subgroup. Cost: an inversion.
#[must_use]
pub fn encode_point(p: &Point) -> [u8; BYTES] {
    encode(&to(p), true)
}

/// The point of 33 bytes. The identity is a value like others.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_point(bytes: &[u8; BYTES]) -> Result<Point, Invalid> {
    const NO_POINT: Invalid = Invalid("no point of the subgroup");
    let p = Weierstrass::deserialize_compressed_unchecked(&bytes[..]).map_err(|_| NO_POINT)?;
    let p = from(&p).ok_or(NO_POINT)?;
    match (p.is_on_curve() && in_subgroup(&p), encode_point(&p) == *bytes) {
        (false, _) => Err(NO_POINT),
        (true, false) => Err(Invalid("not the encoding of its value")),
        (true, true) => Ok(p),
    }
}

/// Four times the point that 32 random bytes name in this form, as arkworks reads them: `None` for about half of all bytes. With 32 bytes the
/// flags are 0, and `Y` is the greater of its two values.
#[must_use]
pub fn candidate(bytes: &[u8; 32]) -> Option<Point> {
    from(&Weierstrass::from_random_bytes(bytes)?.clear_cofactor())
}

/// `A/3` and `1/B`.
pub(super) const CONSTANTS: [Fq; 2] = [
    MontFp!("9992940898322946442093665462003920523391277922024982836398934612730118446984"),
    MontFp!("41180284393978236561320365279764246793818536543197771097409483252169927600582"),
];

/// The image of a point of the subgroup.
fn to(p: &Point) -> Weierstrass {
    let one = Fq::one();
    // Only points of order 1 and 2 have x = 0 or y = 1, and of these the subgroup has the identity.
    let Some(inverse) = (p.x * (one - p.y)).inverse() else {
        return Weierstrass::identity();
    };
    let [third, over_b] = CONSTANTS;
    let v = (one + p.y) * inverse;
    Weierstrass::new_unchecked((v * p.x + third) * over_b, v * over_b)
}

/// The point with this image. `None` for points of order 2 and those whose double is one, which have no image or are in no subgroup of
/// odd order.
fn from(p: &Weierstrass) -> Option<Point> {
    let Some((x, y)) = p.xy() else {
        return Some(Point::zero());
    };
    let ([third, _], b, one) = (CONSTANTS, <Bandersnatch as MontCurveConfig>::COEFF_B, Fq::one());
    let (u, v) = (b * x - third, b * y);
    let inverse = (v * (u + one)).inverse()?;
    Some(Point::new_unchecked(u * (u + one) * inverse, (u - one) * v * inverse))
}
