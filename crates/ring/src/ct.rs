//! Choosing without branching.
//!
//! `subtle` chooses words, so that neither the flow of control nor an address depends on a secret. Below it are arkworks' fields, whose
//! additions and products end in a subtraction that is done or not, by comparison: that is the rest of variable time, and it depends on
//! values that a secret takes part in, not on the secret's bits one by one.
//!
//! (notes: ring-constant-time)

use subtle::{Choice, ConditionallySelectable};

use curve::bandersnatch::{self, Point, Projective};
use curve::bls12_381::{self, Fr, G1, G1Projective};
use curve::{AdditiveGroup, Field, One, PrimeField, Zero};

type Words = <Fr as PrimeField>::BigInt;
type LongWords = <bls12_381::Fq as PrimeField>::BigInt;

/// `b` if so, `a` if not.
pub(crate) fn field(a: &Fr, b: &Fr, so: Choice) -> Fr {
    Fr::new_unchecked(Words::new(core::array::from_fn(|i| u64::conditional_select(&a.0.0[i], &b.0.0[i], so))))
}

fn long_field(a: &bls12_381::Fq, b: &bls12_381::Fq, so: Choice) -> bls12_381::Fq {
    let words = core::array::from_fn(|i| u64::conditional_select(&a.0.0[i], &b.0.0[i], so));
    bls12_381::Fq::new_unchecked(LongWords::new(words))
}

/// 1 or 0.
pub(crate) fn bit(so: Choice) -> Fr {
    field(&Fr::zero(), &Fr::one(), so)
}

/// `b` if so, `a` if not.
pub(crate) fn point(a: &Point, b: &Point, so: Choice) -> Point {
    Point::new_unchecked(field(&a.x, &b.x, so), field(&a.y, &b.y, so))
}

/// `b` if so, `a` if not.
pub(crate) fn projective(a: &Projective, b: &Projective, so: Choice) -> Projective {
    let one = |of: fn(&Projective) -> &Fr| field(of(a), of(b), so);
    Projective::new_unchecked(one(|p| &p.x), one(|p| &p.y), one(|p| &p.t), one(|p| &p.z))
}

/// `b` if so, `a` if not. Neither is the identity.
pub(crate) fn g1(a: &G1, b: &G1, so: Choice) -> G1 {
    G1::new_unchecked(long_field(&a.x, &b.x, so), long_field(&a.y, &b.y, so))
}

/// `b` if so, `a` if not.
pub(crate) fn g1_projective(a: &G1Projective, b: &G1Projective, so: Choice) -> G1Projective {
    let one = |of: fn(&G1Projective) -> &bls12_381::Fq| long_field(of(a), of(b), so);
    G1Projective::new_unchecked(one(|p| &p.x), one(|p| &p.y), one(|p| &p.z))
}

/// The bits of a scalar of Bandersnatch, the lowest first.
pub(crate) fn bits(scalar: &bandersnatch::Fr) -> impl DoubleEndedIterator<Item = Choice> + use<> {
    let words = scalar.into_bigint().0;
    (0..crate::domain::SCALAR_BITS).map(move |i| Choice::from((words[i / 64] >> (i % 64) & 1) as u8))
}

/// `scalar p`: as many doublings and additions for every scalar. `p` is in the subgroup, where the formula of arkworks has no exception.
pub(crate) fn times(p: &Projective, scalar: &bandersnatch::Fr) -> Projective {
    bits(scalar).rev().fold(Projective::zero(), |sum, bit| {
        let double = sum.double();
        projective(&double, &(double + p), bit)
    })
}

/// `1/x`, by a power that everybody knows. The inverse of 0 is 0.
pub(crate) fn inverse(x: &Fr) -> Fr {
    let mut exponent = Fr::MODULUS;
    exponent.0[0] -= 2; // Its lowest word is ffffffff00000001: nothing is borrowed.
    x.pow(exponent)
}

/// Affine forms of points, with one inversion.
pub(crate) fn affine(points: &[Projective]) -> Vec<Point> {
    let mut before = Vec::with_capacity(points.len());
    let mut product = Fr::one();
    for p in points {
        before.push(product);
        product *= p.z;
    }
    let mut inverse = inverse(&product);
    let mut all: Vec<Point> = points
        .iter()
        .zip(before)
        .rev()
        .map(|(p, before)| {
            let z = inverse * before;
            inverse *= p.z;
            Point::new_unchecked(p.x * z, p.y * z)
        })
        .collect();
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use curve::{AffineRepr, CurveGroup};

    use super::*;

    #[test]
    fn multiples_are_those_of_arkworks() {
        let g = G1::generator();
        let p = Point::generator();
        let mut k = Fr::from(3_u64);
        for i in 2..40_u64 {
            k = k.square() - Fr::from(i);
            assert_eq!(bls12_381::times_secret(&g, &k), g * k);
            let short =
                bandersnatch::Fr::from_le_bytes_mod_order(&k.into_bigint().0.map(u64::to_le_bytes).concat());
            assert_eq!(times(&p.into(), &short), p * short);
        }
        for k in [2_u64, 3, 5, u64::MAX] {
            assert_eq!(bls12_381::times_secret(&g, &Fr::from(k)), g * Fr::from(k));
            assert_eq!(bls12_381::times_secret(&g, &-Fr::from(k)), g * -Fr::from(k));
        }
        for k in [0_u64, 1, 2, u64::MAX] {
            assert_eq!(times(&p.into(), &bandersnatch::Fr::from(k)), p * bandersnatch::Fr::from(k));
        }
    }

    #[test]
    fn affine_forms_and_inverses_are_those_of_arkworks() {
        let p = Point::generator();
        let points: Vec<Projective> = (0..7_u64).map(|k| p * bandersnatch::Fr::from(k)).collect();
        assert_eq!(affine(&points), Projective::normalize_batch(&points));
        let x = Fr::from(12345_u64);
        assert_eq!(inverse(&x) * x, Fr::one());
        assert_eq!(inverse(&Fr::zero()), Fr::zero());
    }

    #[test]
    fn choices_choose() {
        let [a, b] = [Point::generator(), -Point::generator()];
        let g = G1::generator();
        for so in [0, 1] {
            let so_choice = Choice::from(so);
            assert_eq!(point(&a, &b, so_choice), if so == 1 { b } else { a });
            assert_eq!(g1(&g, &-g, so_choice), if so == 1 { -g } else { g });
            let [g, h] = [G1Projective::from(g), g + g];
            assert_eq!(g1_projective(&g, &h, so_choice), if so == 1 { h } else { g });
            assert_eq!(bit(so_choice), Fr::from(so));
        }
    }
}
