//! Sums over many bases, multiples of one point, and the second groups.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field};

use super::tests::{Bls, Bn, any_pairs, points, scalars, tiers};
use super::{Curve, Lanes, Single, Tier};

type Bn2 = ark_bn254::g2::Config;
type Bls2 = ark_bls12_381::g2::Config;

/// Scalars of every kind that sums over many bases keep apart.
fn mixed<C: Curve>(n: usize) -> Vec<C::ScalarField> {
    let mut all = scalars::<C>(n, 41);
    for (i, k) in all.iter_mut().enumerate() {
        let small = C::ScalarField::from(i as u64 / 6 % 11);
        match i % 6 {
            0 => *k = small,
            1 => *k = -small,
            2 => *k = C::ScalarField::from((i % 4 / 2) as u64),
            _ => {}
        }
    }
    all
}

/// Bases with equal and opposite points and the identity among them, and multiples of one point.
fn many_bases<C: Curve>(n: usize) {
    let mut points = points::<C>(n, 42);
    (points[3], points[5], points[7]) = (points[2], -points[4], Affine::zero());
    for (what, scalars) in [
        ("any", scalars::<C>(n, 43)),
        ("mixed", mixed::<C>(n)),
        ("zeros", vec![C::ScalarField::ZERO; n]),
        ("ones", vec![C::ScalarField::ONE; n]),
    ] {
        let one_by_one: Vec<Projective<C>> = points.iter().zip(&scalars).map(|(p, k)| *p * k).collect();
        let expected: Projective<C> = one_by_one.iter().sum();
        for tier in tiers::<C>() {
            let bases = super::Bases::on(&points, tier);
            assert_eq!(bases.sum(&scalars), expected, "{what}, {tier:?}");
            assert_eq!((bases.point(2), bases.point(7)), (points[2], Affine::zero()));
        }
        assert_eq!(super::scale(&points, &scalars), Projective::normalize_batch(&one_by_one), "{what}");
        let multiples = super::multiples(&points[0], &scalars);
        assert!(multiples.iter().zip(&scalars).all(|(p, k)| *p == (points[0] * k).into_affine()), "{what}");
    }
}

#[test]
fn sums_over_many_bases() {
    many_bases::<Bls>(60);
    many_bases::<Bn>(2100);
    many_bases::<Bn2>(300);
    many_bases::<Bls2>(60);
}

/// Lists there and back in every form, sums of digits, and what is refused: pieces, no points, and what is not accepted.
#[test]
fn bases_are_read_as_they_are_made() {
    let mut points = points::<Bn>(600, 44);
    points[7] = Affine::zero();
    let mut bytes = Vec::new();
    crate::points::write(&points, &mut bytes);
    let digits: Vec<u16> = (0..600).map(|i| (i * 4241_u32 % 8192) as u16).collect();
    let scalars: Vec<_> = digits.iter().map(|k| <Bn as ark_ec::CurveConfig>::ScalarField::from(*k)).collect();
    for tier in tiers::<Bn>() {
        let read = |bytes: &[u8], not: usize| {
            let refused = points[not];
            super::Bases::<Bn>::read_on(bytes, |list| !list.contains(&refused), tier).map_err(|e| e.0)
        };
        let bases = super::Bases::<Bn>::read_on(&bytes, |_| true, tier).unwrap();
        assert!((0..600).all(|i| bases.point(i) == points[i]), "{tier:?}");
        assert_eq!(bases.sum_of_digits(&digits, 13), super::Bases::on(&points, tier).sum(&scalars));
        for not in [0, 511, 512, 599] {
            assert_eq!(read(&bytes, not).err(), Some("a point outside the subgroup"), "{not}");
        }
        assert!(read(&bytes[..bytes.len() - 1], 0).is_err());
        for at in [0, 511, 512, 599] {
            let mut bad = bytes.clone();
            bad[64 * at] ^= 1;
            assert!(super::Bases::<Bn>::read_on(&bad, |_| true, tier).is_err(), "{at}");
        }
        assert!(super::Bases::<Bn>::read_on(&[], |_| true, tier).unwrap().is_empty());
    }
}

/// Every pair of the second groups: chords, equal and opposite points, the identity.
#[test]
fn pairs_of_the_second_groups() {
    any_pairs::<Single<Bn2>>(44);
    if Tier::Avx512Ifma.available::<Bn2>() {
        any_pairs::<<Bn2 as Lanes>::Vector>(45);
        any_pairs::<<Bls2 as Lanes>::Vector>(46);
    }
}
