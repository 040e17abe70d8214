//! Proofs, commitments and keys that were changed on their way.

use curve::bls12_381::{Fr, G1, encode_g1};
use curve::srs::Srs;
use curve::{AffineRepr, BigInteger, CurveGroup, PrimeField};

use super::{Scene, bases, members, setup};
use crate::{Commitment, Domain, Invalid, Params, Proof, Ring, Setup, Verifier, VerifierKey};

/// Where the points of a proof are, and its scalars.
const POINTS: [usize; 7] = [0, 48, 96, 144, 416, 496, 544];
const SCALARS: [usize; 8] = [192, 224, 256, 288, 320, 352, 384, 464];

fn accepted(scene: &Scene, bytes: &[u8]) -> bool {
    Proof::decode(bytes).and_then(|proof| scene.verifier.verify(&scene.result, &proof)).is_ok()
}

#[test]
fn every_byte_counts() {
    let scene = Scene::new(setup(), &members(3), 1);
    let bytes = scene.proof.encode();
    assert!(accepted(&scene, &bytes));
    for at in 0..bytes.len() {
        let mut other = bytes;
        other[at] ^= 1 << (at % 8);
        assert!(!accepted(&scene, &other), "byte {at}");
    }
    let refused = Err(Invalid("a proof has 592 bytes"));
    for length in [0, 1, 47, 48, 591] {
        assert_eq!(Proof::decode(&bytes[..length]), refused);
    }
    assert_eq!(Proof::decode(&[&bytes[..], &[0]].concat()), refused);
}

/// Compressed points: one of the curve outside of the subgroup, and one that is none.
fn bad_points() -> [[u8; 48]; 2] {
    let mut found = [None, None];
    let mut x = 1_u8;
    while found.iter().any(Option::is_none) {
        let mut bytes = [0; 48];
        bytes[0] = 0x80;
        bytes[47] = x;
        let on_curve = G1::get_point_from_x_unchecked(x.into(), false);
        let slot = usize::from(on_curve.is_none());
        if on_curve.is_none_or(|p| !p.is_in_correct_subgroup_assuming_on_curve()) {
            found[slot] = Some(bytes);
        }
        x += 1;
    }
    found.map(Option::unwrap)
}

#[test]
fn no_point_of_a_proof_is_another_the_identity_or_a_false_one() {
    let scene = Scene::new(setup(), &members(3), 1);
    let bytes = scene.proof.encode();
    let mut identity = [0; 48];
    identity[0] = 0xc0;
    let mut signed_identity = identity;
    signed_identity[0] |= 0x20;
    for at in POINTS {
        let with = |point: &[u8; 48]| {
            let mut other = bytes;
            other[at..at + 48].copy_from_slice(point);
            other
        };
        assert!(!accepted(&scene, &with(&identity)));
        assert!(Proof::decode(&with(&identity)).is_ok(), "it is a point");
        assert!(!accepted(&scene, &with(&encode_g1(&G1::generator()))));
        assert!(Proof::decode(&with(&signed_identity)).is_err());
        for bad in bad_points() {
            assert!(Proof::decode(&with(&bad)).is_err());
        }
        let mut negative = bytes;
        negative[at] ^= 0x20;
        assert!(!accepted(&scene, &negative));
    }
}

#[test]
fn scalars_are_reduced() {
    let scene = Scene::new(setup(), &members(3), 1);
    let bytes = scene.proof.encode();
    let modulus: [u8; 32] = Fr::MODULUS.to_bytes_le().try_into().unwrap();
    for at in SCALARS {
        let mut other = bytes;
        other[at..at + 32].copy_from_slice(&modulus);
        assert!(Proof::decode(&other).is_err(), "the modulus");
        // The same value, one modulus higher, where it fits in 32 bytes.
        let mut value = <Fr as PrimeField>::BigInt::new([0; 4]);
        for (word, chunk) in value.0.iter_mut().zip(bytes[at..at + 32].chunks_exact(8)) {
            *word = u64::from_le_bytes(chunk.try_into().unwrap());
        }
        assert!(!value.add_with_carry(&Fr::MODULUS));
        other[at..at + 32].copy_from_slice(&value.to_bytes_le());
        assert!(Proof::decode(&other).is_err(), "at {at}");
        other[at..at + 32].fill(0);
        assert!(!accepted(&scene, &other));
    }
}

#[test]
fn a_proof_is_for_one_ring_one_domain_one_setup_and_one_key() {
    let scene = Scene::new(setup(), &members(3), 1);
    let setup = setup();
    let refuses = |verifier: &Verifier, what: &str| {
        assert!(verifier.verify(&scene.result, &scene.proof).is_err(), "{what}");
    };
    let ring = |keys: &[_]| Ring::with_members(&setup, bases(), keys).unwrap();
    let other = ring(&members(4));
    refuses(&Verifier::new(other.params(), setup.key(), &other.commitment()), "another ring");
    let mut order = members(3);
    order.swap(0, 2);
    let other = ring(&order);
    refuses(&Verifier::new(other.params(), setup.key(), &other.commitment()), "another order");
    let key = scene.ring.verifier_key();
    for size in [1024, 65_536] {
        let params = Params { domain: Domain::new(size).unwrap(), ..scene.ring.params().clone() };
        refuses(&Verifier::new(&params, setup.key(), &key.commitment), "another domain");
    }
    let mut params = scene.ring.params().clone();
    params.bases = crate::vrf::Suite::v2().bases().clone();
    refuses(&Verifier::new(&params, setup.key(), &key.commitment), "other bases");
    let srs = Srs::insecure_from_tau(5_u64.into(), setup.domain().powers());
    let insecure = Setup::new(&srs, setup.domain()).unwrap();
    refuses(&Verifier::new(scene.ring.params(), insecure.key(), &key.commitment), "another setup");
    let double = (scene.result + scene.result).into_affine();
    assert!(scene.verifier.verify(&double, &scene.proof).is_err(), "another key");
    assert!(scene.verifier.verify(&curve::bandersnatch::Point::zero(), &scene.proof).is_err());
    let off = curve::bandersnatch::Point::new_unchecked(scene.result.x, scene.result.x);
    assert!(scene.verifier.verify(&off, &scene.proof).is_err());
}

#[test]
fn commitments_and_keys_have_one_encoding() {
    let scene = Scene::new(setup(), &members(3), 1);
    let key = scene.ring.verifier_key();
    let bytes = key.encode();
    assert_eq!(VerifierKey::decode(&bytes).unwrap(), key);
    assert_eq!(Commitment::decode(&bytes[240..]).unwrap(), key.commitment);
    for at in 0..bytes.len() {
        let mut other = bytes;
        other[at] ^= 1 << (at % 8);
        let verifier = VerifierKey::decode(&other)
            .map_err(crate::Error::from)
            .and_then(|key| Verifier::from_key(scene.ring.params(), scene.setup.key(), &key));
        let valid = verifier.is_ok_and(|verifier| verifier.verify(&scene.result, &scene.proof).is_ok());
        assert!(!valid, "byte {at}");
    }
    for length in [0, 143, 239, 240, 383] {
        assert!(VerifierKey::decode(&bytes[..length]).is_err());
    }
    assert!(VerifierKey::decode(&[&bytes[..], &[0]].concat()).is_err());
    assert!(Commitment::decode(&bytes[239..]).is_err() && Commitment::decode(&bytes[241..]).is_err());
    for bad in bad_points() {
        for at in [240, 288, 336] {
            let mut other = bytes;
            other[at..at + 48].copy_from_slice(&bad);
            assert!(VerifierKey::decode(&other).is_err());
        }
    }
}
