use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, One, PrimeField, UniformRand, Zero};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use ark_std::rand::{SeedableRng, rngs::StdRng};

use super::{Srs, ZCASH, ZCASH_DIGEST};
use crate::Invalid;
use crate::bls12_381::{Fr, G1, G2};

fn small() -> Srs {
    Srs::insecure_from_tau(Fr::rand(&mut StdRng::seed_from_u64(1)), 20)
}

#[test]
fn the_shipped_setup_is_powers_of_a_secret() {
    assert_eq!(blake3::hash(ZCASH).to_hex().as_str(), ZCASH_DIGEST);
    let srs = Srs::read(ZCASH).expect("the file");
    assert_eq!((srs.len(), srs.powers(1)), (6145, Some(&[G1::generator()][..])));
    assert_eq!(srs.g2()[0], G2::generator());
    assert_eq!(&srs, Srs::zcash());
    assert_eq!(srs.write(), ZCASH);
}

#[test]
fn another_file_is_not_the_pinned_one() {
    let mut bytes = small().write();
    let digest = blake3::hash(&bytes).to_hex();
    assert_eq!(Srs::read_pinned(&bytes, &digest), Ok(small()));
    bytes[100] ^= 1;
    assert!(Srs::read_pinned(&bytes, &digest).is_err());
}

#[test]
fn files_of_another_length_are_refused() {
    let bytes = small().write();
    assert_eq!(Srs::read(&bytes), Ok(small()));
    for length in 0..bytes.len() {
        assert!(Srs::read(&bytes[..length]).is_err(), "{length} bytes");
    }
    let mut more = bytes.clone();
    more.push(0);
    assert!(Srs::read(&more).is_err());
    for count in [0, 1, 19, 21, u64::MAX, 1 << 60] {
        let mut other = bytes.clone();
        other[..8].copy_from_slice(&count.to_le_bytes());
        assert!(Srs::read(&other).is_err(), "{count} powers");
    }
}

/// Of a file's points verifying takes four, which are checked; the others are counted.
#[test]
fn the_start_of_a_file_is_that_of_its_setup() {
    let (srs, bytes) = (small(), small().write());
    let start = Srs::read_start(&bytes).unwrap();
    assert_eq!((start.powers(3), start.powers(2), start.g2()), (None, srs.powers(2), srs.g2()));
    assert_eq!(Srs::read(&start.write()), Ok(start.clone()));
    for length in 0..bytes.len() {
        assert!(Srs::read_start(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Srs::read_start(&[&bytes[..], &[0]].concat()).is_err());
    let skipped = 8 + 2 * 96..8 + 20 * 96;
    for at in (0..bytes.len()).filter(|at| !skipped.contains(at) || at % 96 == 50) {
        let mut bad = bytes.clone();
        bad[at] ^= 1 << (at % 8);
        let expected = skipped.contains(&at).then(|| start.clone());
        assert_eq!(Srs::read_start(&bad).ok(), expected, "byte {at}");
    }
    let mut srs = small();
    srs.powers[1] = (srs.powers[1] + G1::generator()).into_affine();
    assert_eq!(Srs::read_start(&srs.write()), Err(Invalid("not powers of one secret")));
}

#[test]
fn every_flipped_byte_is_refused() {
    let bytes = small().write();
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(Srs::read(&bad).is_err(), "byte {at}");
    }
}

/// Points of the subgroup that are not the powers.
#[test]
fn false_powers_are_refused() {
    let not_powers = Err(Invalid("not powers of one secret"));
    for at in [0, 1, 2, 10, 19] {
        let mut srs = small();
        srs.powers[at] = (srs.powers[at] + G1::generator()).into_affine();
        assert_eq!(Srs::read(&srs.write()), not_powers, "power {at}");
    }
    let mut srs = small();
    srs.powers.swap(3, 4);
    assert_eq!(Srs::read(&srs.write()), not_powers);
    let mut srs = small();
    srs.g2[1] = (srs.g2[1] + G2::generator()).into_affine();
    assert_eq!(Srs::read(&srs.write()), not_powers);
    for at in [0, 1] {
        let mut srs = small();
        srs.g2[at] = G2::zero();
        assert!(Srs::read(&srs.write()).is_err());
    }
    let mut srs = small();
    srs.powers.truncate(1);
    assert_eq!(Srs::read(&srs.write()), Err(Invalid("a setup of less than two powers")));
    let mut srs = small();
    srs.powers.fill(G1::zero());
    assert_eq!(Srs::read(&srs.write()), Err(Invalid("a setup on the identity")));
}

/// Powers with a part of another order, which no pairing sees.
#[test]
fn powers_outside_of_the_subgroup_are_refused() {
    let outside = Err(Invalid("the point is outside the subgroup"));
    let three = G1::new_unchecked(0.into(), 2.into());
    assert!(three.is_on_curve() && (three + three + three).is_zero());
    for at in [0, 1, 19] {
        let mut srs = small();
        srs.powers[at] = (srs.powers[at] + three).into_affine();
        assert_eq!(Srs::read(&srs.write()), outside, "power {at}");
    }
    let any = (1_u64..).find_map(|x| G2::get_point_from_x_unchecked(x.into(), false)).expect("half of all");
    let part = any.mul_bigint(Fr::MODULUS);
    assert!(!part.is_zero());
    for at in [0, 1] {
        let mut srs = small();
        srs.g2[at] = (srs.g2[at] + part).into_affine();
        assert_eq!(Srs::read(&srs.write()), outside, "point {at} of the second group");
    }
}

#[test]
fn lagrange_polynomials_at_the_secret() {
    let tau = Fr::rand(&mut StdRng::seed_from_u64(2));
    let srs = Srs::insecure_from_tau(tau, 64);
    for n in [1, 2, 4, 64] {
        let domain = Radix2EvaluationDomain::<Fr>::new(n).expect("a domain");
        let expected: Vec<G1> = domain
            .evaluate_all_lagrange_coefficients(tau)
            .iter()
            .map(|l| (G1::generator() * l).into_affine())
            .collect();
        let single = super::lagrange::transform::<_, crate::msm::Single<_>>(&srs.powers[..n]);
        assert_eq!(single, expected, "{n} points, one by one");
        assert_eq!(srs.lagrange(n), Some(expected), "{n} points");
    }
    assert_eq!(srs.lagrange(3), None);
    assert_eq!(srs.lagrange(128), None);
    assert_eq!(srs.powers(65), None);
    assert_eq!(tau.pow([0]), Fr::one());
}

/// On a domain of three times a power of two: `L_i(x) = w^i (x^n - 1) / (n (x - w^i))`.
#[test]
fn lagrange_polynomials_of_three_times_a_power_of_two() {
    let (tau, n) = (Fr::from(77_u64), 96);
    let srs = Srs::insecure_from_tau(tau, n);
    let w = <Fr as ark_ff::FftField>::get_root_of_unity(n as u64).expect("a root of unity");
    let expected = core::iter::successors(Some(Fr::one()), |x| Some(*x * w)).take(n).map(|x| {
        let value = x * (tau.pow([n as u64]) - Fr::one()) / (Fr::from(n as u64) * (tau - x));
        (G1::generator() * value).into_affine()
    });
    assert_eq!(super::lagrange(&srs.powers), expected.collect::<Vec<_>>());
}

#[test]
#[should_panic(expected = "two powers of a secret")]
fn a_setup_has_two_powers() {
    let _ = Srs::insecure_from_tau(Fr::from(5_u64), 1);
}

#[test]
#[should_panic(expected = "a secret that is not 0")]
fn a_secret_is_not_zero() {
    let _ = Srs::insecure_from_tau(Fr::zero(), 3);
}
