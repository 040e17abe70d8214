//! Encodings, and pairings against arkworks.

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, One, PrimeField, UniformRand, Zero};
use ark_std::rand::{Rng, SeedableRng, rngs::StdRng};

use crate::bls12_381::{Fr, G1, G1Projective};
use crate::embedded::{self, Embedded};
use crate::pairing::Pair;
use crate::{Invalid, bandersnatch, bls12_381, bn254, grumpkin, jubjub};

fn rng() -> StdRng {
    StdRng::seed_from_u64(7)
}

/// A value, its encoding, and every encoding that differs in a bit: refused, or that of another value.
fn one_encoding<T: PartialEq + core::fmt::Debug, const N: usize>(
    value: T,
    encode: impl Fn(&T) -> [u8; N],
    decode: impl Fn(&[u8; N]) -> Result<T, Invalid>,
) {
    let bytes = encode(&value);
    assert_eq!(decode(&bytes).as_ref(), Ok(&value));
    for bit in 0..8 * N {
        let mut bad = bytes;
        bad[bit / 8] ^= 1 << (bit % 8);
        if let Ok(other) = decode(&bad) {
            assert_ne!(other, value, "bit {bit}");
            assert_eq!(encode(&other), bad, "bit {bit}");
        }
    }
}

#[test]
fn encodings_of_bls12_381() {
    use bls12_381::*;
    let rng = &mut rng();
    for p in [G1::zero(), G1::generator(), G1Projective::rand(rng).into_affine()] {
        one_encoding(p, encode_g1, decode_g1);
        one_encoding(p, encode_g1_uncompressed, decode_g1_uncompressed);
    }
    for p in [G2::zero(), G2::generator(), G2Projective::rand(rng).into_affine()] {
        one_encoding(p, encode_g2, decode_g2);
        one_encoding(p, encode_g2_uncompressed, decode_g2_uncompressed);
    }
    for x in [Fr::zero(), Fr::one(), -Fr::one(), Fr::rand(rng)] {
        one_encoding(x, encode_fr, decode_fr);
    }
}

#[test]
fn encodings_of_bn254() {
    use bn254::*;
    let rng = &mut rng();
    for p in [G1::zero(), G1::generator(), G1Projective::rand(rng).into_affine()] {
        one_encoding(p, encode_g1, decode_g1);
        one_encoding(p, |p| bls12_381::encode(p, false), decode_g1_uncompressed);
    }
    for p in [G2::zero(), G2::generator(), G2Projective::rand(rng).into_affine()] {
        one_encoding(p, encode_g2, decode_g2);
        one_encoding(p, |p| bls12_381::encode(p, false), decode_g2_uncompressed);
    }
    for x in [Fr::zero(), Fr::one(), -Fr::one(), Fr::rand(rng)] {
        one_encoding(x, encode_fr, decode_fr);
    }
}

#[test]
fn encodings_of_grumpkin() {
    use grumpkin::*;
    let rng = &mut rng();
    let p = Projective::rand(rng).into_affine();
    for p in [Point::zero(), Point::generator(), p] {
        one_encoding(p, encode_point, decode_point);
        assert_eq!(from_coordinates(p.x, p.y).is_ok(), !p.is_zero(), "(0, 0) stands for the identity");
    }
    for x in [Fr::zero(), Fr::one(), -Fr::one(), Fr::rand(rng)] {
        one_encoding(x, encode_fr, decode_fr);
    }
    for x in [Fq::zero(), -Fq::one(), Fq::rand(rng)] {
        one_encoding(x, encode_fq, decode_fq);
    }
    assert!(from_coordinates(p.x, p.y + Fq::one()).is_err(), "not on the curve");
    assert_eq!(
        from_words([1, 2, u64::MAX]),
        Fq::from_le_bytes_mod_order(&[1_u64, 2, u64::MAX].map(u64::to_le_bytes).concat())
    );
    assert_eq!(low_bits(&-Fq::one()) & 0xffff, 0);
}

#[test]
fn bandersnatch_in_weierstrass_form() {
    use ark_ed_on_bls12_381_bandersnatch::SWAffine as Image;
    use ark_serialize::CanonicalDeserialize;
    use bandersnatch::{Point, Projective, weierstrass};
    let rng = &mut rng();
    let [p, q] = [(); 2].map(|()| Projective::rand(rng).into_affine());
    for p in [Point::zero(), Point::generator(), p] {
        one_encoding(p, weierstrass::encode_point, weierstrass::decode_point);
    }
    // An isomorphism, into the subgroup that arkworks knows.
    let image = |p: &Point| Image::deserialize_compressed(&weierstrass::encode_point(p)[..]).unwrap();
    assert_eq!(image(&Point::generator()), Image::generator());
    assert_eq!((image(&p) + image(&q)).into_affine(), image(&(p + q).into_affine()));
    // Points of all cosets: those of the subgroup have a value.
    let mut inside = 0;
    for x in 0_u64..200 {
        let Some(p) = Image::get_point_from_x_unchecked(x.into(), false) else { continue };
        let known = p.is_in_correct_subgroup_assuming_on_curve();
        assert_eq!(weierstrass::decode_point(&bls12_381::encode(&p, true)).is_ok(), known, "{x}");
        inside += usize::from(known);
    }
    assert!(inside > 10);
    // Random bytes, in both forms.
    for candidate in [weierstrass::candidate, embedded::candidate] {
        let found: Vec<Point> = (0..64).filter_map(|i| candidate(&[i ^ 0x25; 32])).collect();
        assert!(found.len() > 16 && found.iter().all(|p| p.is_on_curve() && bandersnatch::in_subgroup(p)));
    }
}

#[test]
fn encodings_of_jubjub() {
    use embedded::{decode_point, decode_scalar, encode_point, encode_scalar};
    use jubjub::*;
    let rng = &mut rng();
    for p in [Point::zero(), Point::generator(), Projective::rand(rng).into_affine()] {
        one_encoding(p, encode_point, decode_point);
    }
    for x in [Fr::zero(), Fr::one(), -Fr::one(), Fr::rand(rng)] {
        one_encoding(x, encode_scalar::<Jubjub>, decode_scalar::<Jubjub>);
    }
    // Points of all cosets, the small ones among them: those of the subgroup have a value.
    let (mut all, mut inside) = (0, 0);
    for y in (0_u64..200).map(bls12_381::Fr::from).chain([-bls12_381::Fr::one()]) {
        let Some(p) = Point::get_point_from_y_unchecked(y, false) else { continue };
        let known = p.mul_bigint(Fr::MODULUS).is_zero();
        assert_eq!(decode_point::<Jubjub>(&encode_point(&p)).is_ok(), known, "{y}");
        assert!(Jubjub::in_subgroup(&p.clear_cofactor()));
        all += 1;
        inside += usize::from(known);
    }
    assert!(inside > 3 && 4 * inside < all);
}

#[test]
fn encodings_of_bandersnatch() {
    use bandersnatch::*;
    let rng = &mut rng();
    for p in [Point::zero(), Point::generator(), Projective::rand(rng).into_affine()] {
        one_encoding(p, encode_point, decode_point);
    }
    for x in [Fr::zero(), Fr::one(), -Fr::one(), Fr::rand(rng)] {
        one_encoding(x, encode_fr, decode_fr);
    }
    // The identity with a sign, which arkworks reads.
    let mut bytes = encode_point(&Point::zero());
    bytes[31] |= 0x80;
    assert_eq!(decode_point(&bytes), Err(Invalid("not the encoding of its value")));
    // (0, -1), of order two.
    assert!(decode_point(&encode_point(&Point::new_unchecked(Fq::zero(), -Fq::one()))).is_err());
}

/// The order and what is above, little-endian.
#[test]
fn scalars_that_are_not_reduced_are_refused() {
    let mut order = [0; 32];
    for (to, word) in order.chunks_mut(8).zip(bls12_381::Fr::MODULUS.0) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    assert!(bls12_381::decode_fr(&order).is_err());
    assert!(bls12_381::decode_fr(&[0xff; 32]).is_err());
    assert!(bn254::decode_fr(&order).is_err());
    assert!(bandersnatch::decode_fr(&order).is_err());
}

/// A point of the curve, in all likelihood outside the subgroup.
fn any_point<C: SWCurveConfig>(rng: &mut StdRng) -> Affine<C> {
    loop {
        if let Some(p) = Affine::<C>::get_point_from_x_unchecked(C::BaseField::rand(rng), rng.gen_bool(0.5)) {
            return p;
        }
    }
}

#[test]
fn points_outside_the_subgroup_are_refused() {
    let rng = &mut rng();
    let outside = Invalid("the point is outside the subgroup");
    let p = any_point::<ark_bls12_381::g1::Config>(rng);
    assert_eq!(bls12_381::decode_g1(&bls12_381::encode_g1(&p)), Err(outside));
    assert_eq!(bls12_381::decode_g1_uncompressed(&bls12_381::encode_g1_uncompressed(&p)), Err(outside));
    let p = any_point::<ark_bls12_381::g2::Config>(rng);
    assert_eq!(bls12_381::decode_g2(&bls12_381::encode_g2(&p)), Err(outside));
    assert_eq!(bls12_381::decode_g2_uncompressed(&bls12_381::encode_g2_uncompressed(&p)), Err(outside));
    let p = any_point::<ark_bn254::g2::Config>(rng);
    assert!(bn254::decode_g2(&bls12_381::encode(&p, true)).is_err());
    assert_eq!(bn254::decode_g2_uncompressed(&bls12_381::encode(&p, false)), Err(outside));
}

/// arkworks reads uncompressed points of BLS12-381 without a look at the curve.
#[test]
fn points_off_the_curve_are_refused() {
    let p = bls12_381::G1::new_unchecked(bls12_381::Fq::from(1), bls12_381::Fq::from(2));
    let off = Invalid("no point of the curve");
    assert_eq!(bls12_381::decode_g1_uncompressed(&bls12_381::encode_g1_uncompressed(&p)), Err(off));
    let p = bls12_381::G2::new_unchecked(bls12_381::Fq2::from(1), bls12_381::Fq2::from(2));
    assert_eq!(bls12_381::decode_g2_uncompressed(&bls12_381::encode_g2_uncompressed(&p)), Err(off));
    let p = bn254::G1::new_unchecked(bn254::Fq::from(2), bn254::Fq::from(2));
    assert_eq!(bn254::decode_g1_uncompressed(&bls12_381::encode(&p, false)), Err(off));
}

#[test]
fn subgroups_are_those_of_arkworks() {
    let rng = &mut rng();
    for _ in 0..8 {
        let p = any_point::<ark_bls12_381::g1::Config>(rng);
        let q = any_point::<ark_bls12_381::g2::Config>(rng);
        for p in [p, p.clear_cofactor()] {
            assert_eq!(crate::ffi::g1_in_subgroup(&p), p.is_in_correct_subgroup_assuming_on_curve());
        }
        for q in [q, q.clear_cofactor()] {
            assert_eq!(crate::ffi::g2_in_subgroup(&q), q.is_in_correct_subgroup_assuming_on_curve());
        }
        let x = p.x;
        assert_eq!(crate::ffi::invert(&x) * x, bls12_381::Fq::one());
    }
}

#[test]
fn products_of_pairings() {
    use bls12_381::*;
    let rng = &mut rng();
    let (a, b) = (Fr::rand(rng), Fr::rand(rng));
    let (p, q) = (G1Projective::rand(rng), G2Projective::rand(rng));
    let pair = Pair::new(&q.into_affine(), &(q * a).into_affine()).expect("no identity");
    let left = (p * (a * b)).into_affine();
    let right = (-p * b).into_affine();
    assert!(pair.is_one(&left, &right));
    assert!(!pair.is_one(&left, &-right));
    assert!(!pair.is_one(&left, &left));
    assert!(pair.is_one(&G1::zero(), &G1::zero()));
    assert!(!pair.is_one(&left, &G1::zero()) && !pair.is_one(&G1::zero(), &right));
    assert!(Engine::multi_pairing([left, right], [q.into_affine(), (q * a).into_affine()]).is_zero());
    for (q, s) in [(G2::zero(), q.into_affine()), (q.into_affine(), G2::zero())] {
        assert!(Pair::new(&q, &s).is_err());
    }
}

#[test]
fn doublings_of_a_point() {
    let h = bandersnatch::Point::generator();
    let all = bandersnatch::doublings(&h, 253);
    assert_eq!(all.len(), 253);
    assert_eq!(all[0], h);
    let mut two = bandersnatch::Fr::one();
    for p in &all {
        assert_eq!(*p, (h * two).into_affine());
        two.double_in_place();
    }
}

/// One point that is outside, in every place of lists of every length: each point is checked by itself, those of small order, the identity and those off the
/// curve too.
#[test]
fn no_list_hides_a_point_outside_of_the_subgroup() {
    use bls12_381::*;
    let rng = &mut rng();
    let inside =
        |i| if i % 5 == 4 { G1::zero() } else { (G1::generator() * Fr::from(i * i + 1)).into_affine() };
    let inside: Vec<G1> = (0..17).map(inside).collect();
    let mut outside = vec![any_point::<ark_bls12_381::g1::Config>(rng)];
    for prime in [3_u64, 11, 10_177, 859_267, 52_437_899] {
        let part = 0xd201_0000_0001_0001_u64 / prime;
        let small = core::iter::repeat_with(|| {
            let p = any_point::<ark_bls12_381::g1::Config>(rng).mul_bigint(Fr::MODULUS);
            p.mul_bigint([part]).into_affine()
        });
        let small = small.take(40).find(|p| !p.is_zero()).expect("a point of small order");
        assert!(small.mul_bigint([prime]).is_zero());
        outside.extend([small, -small, (small + G1::generator()).into_affine()]);
    }
    // Of another curve of the family, where the arithmetic of this one goes on.
    let twisted = G1::new_unchecked(Fq::from(1), Fq::from(1));
    assert!(!twisted.is_on_curve());
    outside.push(twisted);
    for count in [0, 1, 2, 7, 8, 9, 17] {
        assert!(in_subgroup(&inside[..count]), "{count} points");
        for (place, bad) in (0..count).flat_map(|place| outside.iter().map(move |bad| (place, bad))) {
            let mut points = inside[..count].to_vec();
            points[place] = *bad;
            assert!(!in_subgroup(&points), "{bad} in place {place} of {count}");
        }
    }
}

/// All four cosets of the subgroup, against the multiple by the order.
#[test]
fn the_subgroup_of_bandersnatch() {
    use bandersnatch::*;
    let mut seen = [0; 2];
    for y in 0..120_u64 {
        let found = Point::get_point_from_y_unchecked(Fq::from(y * y + 3 * y), y % 2 == 0);
        let Some(p) = found else { continue };
        let two = Point::new_unchecked(Fq::zero(), -Fq::one());
        for p in
            [p, -p, (p + two).into_affine(), p.clear_cofactor(), (p.clear_cofactor() + two).into_affine()]
        {
            let expected = p.is_in_correct_subgroup_assuming_on_curve();
            assert_eq!(in_subgroup(&p), expected, "{p}");
            seen[usize::from(expected)] += 1;
        }
        assert_eq!(decode_point(&encode_point(&p)).is_ok(), in_subgroup(&p));
    }
    assert!(seen[0] > 80 && seen[1] > 50, "{seen:?}");
    assert!(in_subgroup(&Point::zero()));
    assert!(!in_subgroup(&Point::new_unchecked(Fq::zero(), -Fq::one())));
}

/// Points from many encodings at once, in every place: what one by one gives, and says.
#[test]
fn points_are_decoded_together_as_one_by_one() {
    use bls12_381::*;
    let rng = &mut rng();
    let mut encodings: Vec<[u8; 48]> =
        (0..40).map(|_| encode_g1(&G1Projective::rand(rng).into_affine())).collect();
    encodings.push(encode_g1(&-G1::generator()));
    let with = |flags: u8, last: u8| {
        let mut bytes = [0; 48];
        (bytes[0], bytes[47]) = (flags, last);
        bytes
    };
    // The identity, also with a sign or more; uncompressed; x = 0 of order 3, both signs; some small x, of which few are points and none of the subgroup.
    for flags in [0xc0, 0xe0, 0x40, 0x00, 0x80, 0xa0] {
        encodings.extend([with(flags, 0), with(flags, 1)]);
    }
    encodings.extend((2..40).map(|x| with(0x80 | (x & 1) << 5, x)));
    // The cofactor is `(z - 1)^2 / 3`: points of its prime factors' orders, which a chain of additions meets again.
    for prime in [3_u64, 11, 10_177, 859_267, 52_437_899] {
        let part = 0xd201_0000_0001_0001_u64 / prime;
        let p = any_point::<ark_bls12_381::g1::Config>(rng).mul_bigint(Fr::MODULUS).mul_bigint([part]);
        encodings.push(encode_g1(&p.into_affine()));
    }
    let modulus: Vec<u8> = Fq::MODULUS.0.iter().rev().flat_map(|word| word.to_be_bytes()).collect();
    for add in [-1, 0, 1, 4] {
        let mut bytes: [u8; 48] = modulus.clone().try_into().expect("48 bytes");
        bytes[47] = bytes[47].wrapping_add_signed(add);
        bytes[0] |= 0x80;
        encodings.push(bytes);
    }
    for bit in 0..384 {
        let mut bytes = encodings[0];
        bytes[bit / 8] ^= 1 << (bit % 8);
        encodings.push(bytes);
    }
    let expected: Vec<_> = encodings.iter().map(decode_g1).collect();
    for wrong in ["no point of the curve", "the point is outside the subgroup"] {
        assert!(expected.contains(&Err(Invalid(wrong))), "{wrong}");
    }
    for start in 0..encodings.len() - 9 {
        let some: [&[u8; 48]; 9] = core::array::from_fn(|i| &encodings[start + i]);
        assert_eq!(decode_g1_each(some), expected[start..start + 9], "from {start}");
    }
    assert_eq!(decode_g1_each([&encodings[3]]), [expected[3]]);
    assert_eq!(decode_g1_each([]), []);
}

#[test]
fn affine_forms_with_one_inversion() {
    use bls12_381::*;
    let rng = &mut rng();
    let [p, q] = [G1Projective::rand(rng), G1Projective::rand(rng)];
    let zero = G1Projective::zero();
    for points in [[p, q, p + q], [zero, p, q], [p, zero, q], [p, q, zero], [zero; 3]] {
        assert_eq!(affine(points), points.map(|p| p.into_affine()));
    }
}

/// Sums of verifiers without the standard library are those of all others: of no point, of the identity, of equal and opposite points, of scalars that are 0 or 1.
#[test]
fn sums_of_few_terms_are_those_of_many() {
    let rng = &mut StdRng::seed_from_u64(77);
    let p = G1Projective::rand(rng).into_affine();
    let q = G1Projective::rand(rng).into_affine();
    let points = [p, -p, p, G1::zero(), q, q, p];
    let scalars: [Fr; 7] = [
        Fr::rand(rng),
        Fr::rand(rng),
        Fr::from(1_u64),
        Fr::rand(rng),
        Fr::from(0_u64),
        -Fr::from(1_u64),
        Fr::rand(rng),
    ];
    for count in 0..=7 {
        let terms = (&points[..count], &scalars[..count]);
        let rest = (&points[count..], &scalars[count..]);
        let few = crate::few_terms::sums([terms, rest]);
        assert_eq!(few, crate::msm::sums([terms, rest]), "{count}");
    }
}
