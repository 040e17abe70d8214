//! Sums in Weierstrass form against those of arkworks in Edwards form, on the instructions that `TENFOLD_CPU` leaves.

use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, Field, One, UniformRand, Zero};
use ark_std::rand::{SeedableRng, rngs::StdRng};

use super::{Bandersnatch, Fq, Fr, Point, Projective, in_subgroup};
use crate::embedded::sum;

fn points(count: usize, rng: &mut StdRng) -> Vec<Point> {
    Projective::normalize_batch(&(0..count).map(|_| Projective::rand(rng)).collect::<Vec<_>>())
}

/// The sum is that of arkworks' multiples, one by one, and that of arkworks' sum.
fn agree(points: &[Point], scalars: &[Fr], what: &str) {
    let expected: Projective = points.iter().zip(scalars).map(|(p, k)| *p * k).sum();
    assert_eq!(sum::<Bandersnatch>(points, scalars), expected, "{what}");
    assert_eq!(Projective::msm_unchecked(points, scalars), expected, "{what}");
}

#[test]
fn sums_of_any_length() {
    let rng = &mut StdRng::seed_from_u64(51);
    for count in [0, 1, 2, 7, 16, 17, 33, 300, 1100] {
        let points = points(count, rng);
        let random: Vec<Fr> = points.iter().map(|_| Fr::rand(rng)).collect();
        agree(&points, &random, &format!("{count} points"));
        // Weights of a batch, and their products by challenges.
        let weights: Vec<Fr> = random.iter().enumerate().map(|(i, k)| weight(i, k)).collect();
        agree(&points, &weights, &format!("{count} points and weights"));
    }
}

/// Every other scalar has 128 bits.
fn weight(i: usize, k: &Fr) -> Fr {
    use ark_ff::PrimeField;
    let [low, high, ..] = k.into_bigint().0;
    if i.is_multiple_of(2) { Fr::from(u128::from(high) << 64 | u128::from(low)) } else { *k }
}

#[test]
fn sums_that_meet_equal_points_and_end_in_the_identity() {
    let rng = &mut StdRng::seed_from_u64(52);
    let [p, q] = points(2, rng)[..] else { unreachable!("two points") };
    let (k, one) = (Fr::rand(rng), Fr::one());
    let beyond = Fr::from(2_u64).pow([128]);
    let corners = [
        Fr::ZERO,
        one,
        -one,
        one.double(),
        -one.double(),
        k,
        -k,
        beyond,
        beyond - one,
        beyond + one,
        -beyond,
    ];
    for some in [vec![p; 40], vec![p, -p, q, Point::zero(), p], vec![p, -p], vec![Point::zero(); 5]] {
        for k in corners {
            agree(&some, &vec![k; some.len()], "equal scalars");
        }
        let cycle: Vec<Fr> = (0..some.len()).map(|i| corners[i % corners.len()]).collect();
        agree(&some, &cycle, "corners of the scalars");
    }
    assert!(sum::<Bandersnatch>(&[p, p, -p], &[k, k, k.double()]).is_zero());
    assert!(!sum::<Bandersnatch>(&[p, p, -p], &[k, k, k]).is_zero());
    assert!(sum::<Bandersnatch>(&[], &[]).is_zero());
}

/// Points outside of the subgroup too, so that no sum of theirs is taken for the identity.
#[test]
fn sums_of_points_of_all_cosets() {
    let rng = &mut StdRng::seed_from_u64(53);
    let two = Point::new_unchecked(Fq::zero(), -Fq::one());
    let [p, q] = points(2, rng)[..] else { unreachable!("two points") };
    let (one, k) = (Fr::one(), Fr::rand(rng));
    for (points, scalars) in [
        (vec![two], vec![one]),
        (vec![two], vec![one.double()]),
        (vec![two, two, two], vec![one, one, one]),
        (vec![(p + two).into_affine(), -p], vec![one, one]),
        (vec![(p + two).into_affine(), p, q], vec![k, -k, one]),
        (vec![two, p, (q + two).into_affine()], vec![k, k, one]),
    ] {
        agree(&points, &scalars, "a point of order 2");
    }
    let all =
        (0..200_u64).filter_map(|y| Point::get_point_from_y_unchecked(Fq::from(y * y + 3 * y), y % 2 == 0));
    let all: Vec<Point> = all.filter(|p| !p.is_zero()).collect();
    assert!(all.iter().any(in_subgroup) && !all.iter().all(in_subgroup));
    for p in &all {
        agree(&[*p, q, -*p], &[one, k, one.double()], "any coset");
    }
    let scalars: Vec<Fr> = all.iter().map(|_| Fr::rand(rng)).collect();
    agree(&all, &scalars, "all cosets");
    // The sum is one of the two points of order 2 at infinity, which have no encoding: it is not the identity, and its double is.
    let outside = all.iter().find(|p| !in_subgroup(p) && !in_subgroup(&(**p + two).into_affine()));
    let outside = outside.expect("a point of such a coset");
    let order = -one;
    let end = sum::<Bandersnatch>(&[*outside, *outside], &[order, one]);
    assert!(!end.is_zero() && end.z.is_zero());
}

#[test]
#[should_panic(expected = "as many scalars as points")]
fn fewer_scalars_than_points() {
    let _ = sum::<Bandersnatch>(&[Point::generator(); 2], &[Fr::one()]);
}

/// The constants that are written out are what they are said to be.
#[test]
fn constants_are_what_they_are_said_to_be() {
    use ark_ec::twisted_edwards::{MontCurveConfig, TECurveConfig};
    let [third, over_b] = super::weierstrass::CONSTANTS;
    assert_eq!(third * Fq::from(3_u64), <Bandersnatch as MontCurveConfig>::COEFF_A);
    assert_eq!(over_b * <Bandersnatch as MontCurveConfig>::COEFF_B, Fq::one());
    let product = <Bandersnatch as TECurveConfig>::COEFF_A * Bandersnatch::COEFF_D;
    assert_eq!(super::ROOT.square(), product);
}
