//! Bandersnatch as `Y^2 = X^3 + a X + b`: the bytes of suites that write points in this form, and sums of many points. All other arithmetic is in twisted
//! Edwards form.
//!
//! ```text
//!   u = (1 + y) / (1 - y)     v = u / x         B v^2 = u^3 + A u^2 + u, Montgomery's form
//!   X = (u + A/3) / B         Y = v / B
//! ```
//! A sum of many points is made of chords, which are no other than those of [`msm`]: six products for each, where an addition in extended coordinates takes
//! eight or more.
//!
//! An encoding is `X`, little-endian, and a byte of flags: 0x80 if `Y` is the greater of its two values, 0x40 for the identity, whose `X` is 0.
//! Nothing here is constant time.
//!
//! (notes: curve-bandersnatch)

use std::sync::LazyLock;

use ark_ec::twisted_edwards::MontCurveConfig;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ed_on_bls12_381_bandersnatch::SWAffine as Weierstrass;
use ark_ff::{Field, One, Zero, batch_inversion};
use ark_serialize::CanonicalDeserialize;

use super::{Bandersnatch, Fq, Fr, Point, Projective, in_subgroup};
use crate::bls12_381::encode;
use crate::{Invalid, msm};

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
static CONSTANTS: LazyLock<[Fq; 2]> = LazyLock::new(|| {
    let inverse = |x: Fq| x.inverse().expect("not zero");
    [
        <Bandersnatch as MontCurveConfig>::COEFF_A * inverse(Fq::from(3_u64)),
        inverse(<Bandersnatch as MontCurveConfig>::COEFF_B),
    ]
});

/// The image of a point of the subgroup.
fn to(p: &Point) -> Weierstrass {
    let one = Fq::one();
    // Only points of order 1 and 2 have x = 0 or y = 1, and of these the subgroup has the identity.
    let Some(inverse) = (p.x * (one - p.y)).inverse() else {
        return Weierstrass::identity();
    };
    let [third, over_b] = *CONSTANTS;
    let v = (one + p.y) * inverse;
    Weierstrass::new_unchecked((v * p.x + third) * over_b, v * over_b)
}

/// The multi-scalar multiplication `sum k_i P_i`, of any points of the curve. Not constant time.
pub(crate) fn sum(points: &[Point], scalars: &[Fr]) -> Projective {
    let sum = msm::sum(&images(points), scalars).into_affine();
    let Some((x, y)) = sum.xy() else {
        return Projective::zero();
    };
    let ([third, _], b, one) = (*CONSTANTS, <Bandersnatch as MontCurveConfig>::COEFF_B, Fq::one());
    let (u, v) = (b * x - third, b * y);
    if u.is_zero() {
        return Projective::from(order_two());
    }
    // x = u / v and y = (u - 1) / (u + 1). Of the two points of order 2 at infinity v is 0, and with it the third coordinate.
    let (above, below) = (u - one, u + one);
    Projective::new_unchecked(u * below, above * v, u * above, v * below)
}

/// The images of points, with one inversion.
fn images(points: &[Point]) -> Vec<Weierstrass> {
    let one = Fq::one();
    let mut inverses: Vec<Fq> = points.iter().map(|p| p.x * (one - p.y)).collect();
    // 0 stays 0: that of the identity, and that of the point of order 2, whose u and v are 0.
    batch_inversion(&mut inverses);
    let [third, over_b] = *CONSTANTS;
    let image = |(p, inverse): (&Point, Fq)| {
        let v = (one + p.y) * inverse;
        let image = Weierstrass::new_unchecked((v * p.x + third) * over_b, v * over_b);
        if p.is_zero() { Weierstrass::zero() } else { image }
    };
    points.iter().zip(inverses).map(image).collect()
}

/// The point of order 2 that has two coordinates.
fn order_two() -> Point {
    Point::new_unchecked(Fq::zero(), -Fq::one())
}

/// The point with this image. `None` for points of order 2 and those whose double is one, which have no image or are in no subgroup of
/// odd order.
fn from(p: &Weierstrass) -> Option<Point> {
    let Some((x, y)) = p.xy() else {
        return Some(Point::zero());
    };
    let ([third, _], b, one) = (*CONSTANTS, <Bandersnatch as MontCurveConfig>::COEFF_B, Fq::one());
    let (u, v) = (b * x - third, b * y);
    let inverse = (v * (u + one)).inverse()?;
    Some(Point::new_unchecked(u * (u + one) * inverse, (u - one) * v * inverse))
}
