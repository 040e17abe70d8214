//! Sums of many points, made in Weierstrass form: of chords, which are no other than those of [`msm`]. Six products for each, where an addition in extended
//! coordinates takes eight or more. Not constant time.
//!
//! (notes: curve-bandersnatch)

use ark_ec::twisted_edwards::MontCurveConfig;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ed_on_bls12_381_bandersnatch::SWAffine as Weierstrass;
use ark_ff::{One, Zero, batch_inversion};

use super::weierstrass::CONSTANTS;
use super::{Bandersnatch, Fq, Fr, Point, Projective};
use crate::msm;

/// The multi-scalar multiplication `sum k_i P_i`, of any points of the curve. Not constant time.
pub(super) fn sum(points: &[Point], scalars: &[Fr]) -> Projective {
    let sum = msm::sum(&images(points), scalars).into_affine();
    let Some((x, y)) = sum.xy() else {
        return Projective::zero();
    };
    let ([third, _], b, one) = (CONSTANTS, <Bandersnatch as MontCurveConfig>::COEFF_B, Fq::one());
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
    let [third, over_b] = CONSTANTS;
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
