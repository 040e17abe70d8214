//! Every suite has the same files; what is of one suite is nothing to another.

use super::*;
use crate::{Segment, SegmentKey};
use curve::PrimeField;
use curve::bls12_381::Fr;

fn key_of(suite: SuiteId, seed: u8) -> SecretKey {
    SecretKey::from_seed(suite, &[seed; 32])
}

fn setup_of(suite: SuiteId) -> Arc<Setup> {
    if suite == SuiteId::Jubjub { setup_on_jubjub() } else { setup() }
}

/// The ring of the keys 1, 2 and 3.
pub(super) fn ring_of(suite: SuiteId) -> Membership {
    let mut ring = Membership::empty(params_of(suite), setup_of(suite));
    ring.add(&[1, 2, 3].map(|seed| key_of(suite, seed).public().unwrap().member)).unwrap();
    ring
}

pub(super) fn signed_by(ring: &Membership, seed: u8, message: &[u8]) -> Signed {
    Signer::new(ring).unwrap().sign(&key_of(ring.params().suite, seed), b"vote", message).unwrap()
}

/// A file whose parameters begin with another suite's number, with digests that fit where there can be such a file.
fn renumbered(bytes: &[u8], number: u8) -> Vec<u8> {
    let mut file = File::decode(bytes).unwrap();
    file.params[0] = number;
    let label = if file.params.len() == 1 { "tenfold ring key v1" } else { "tenfold ring params v1" };
    file.params_digest = crate::file::HASH.digest(label, &[&file.params]).head();
    file.encode()
}

/// Digests of a secret key, a public key, a ring, its commitment and a signature, of the suites 0 to 3: their bytes are fixed.
#[test]
fn files_of_the_first_suites_stay_what_they_are() {
    for (suite, expected) in SuiteId::ALL.into_iter().zip([
        "d8c93f1d2504e79c7d375b76775727c16063691a9fc00571020577b0f07799a6",
        "f7d736011eb3b22776e2718092128bd0cc54bad9f6b982855955433c5d62f748",
        "0607a60065b295ad31091feee1f61c1581b0934e059ff8298fa073ed1dd653db",
        "099617cd3beb35353e1c4f887d037c602188bc8269ac880be40b39d96c959903",
    ]) {
        let key = key_of(suite, 1);
        let public = key.public().unwrap();
        let bare = Member { possession: None, ..public.member.clone() };
        let params = params_of(suite);
        let slots = vec![Some(public.member.clone()), None, Some(bare)];
        let members = Members { params, slots, commitment: [5; 144] };
        let (context, message) = (b"context".to_vec(), b"message".to_vec());
        let signed = Signed { params, ring: [6; 32], context, message, signature: vec![9; 784] };
        let all = [
            key.encode().to_vec(),
            public.encode(),
            members.encode(),
            members.committed().encode(),
            signed.encode(),
        ];
        assert_eq!(blake3::hash(&all.concat()).to_hex().as_str(), expected, "{}", suite.name());
    }
}

/// A file that changes by a segment is the one that changes by the setup; and what is refused.
#[test]
fn ring_files_of_every_suite_change_without_the_setup() {
    let key = SegmentKey::new(Srs::zcash(), 512).unwrap();
    for suite in SuiteId::ALL {
        let setup = setup_of(suite);
        let mut whole = ring_of(suite);
        let file = Members::decode(&whole.file().encode()).unwrap();
        let bytes = setup.segment(0..file.slots.len() + 1).unwrap().encode();
        let segment = Arc::new(Segment::decode(&bytes, &key).unwrap());
        let resume = |file: Members, key| Membership::resume(file, key, segment.clone());
        let mut ring = resume(file.clone(), &key).unwrap();
        assert_eq!(ring.file(), file);
        let member = |seed| SecretKey::from_seed(suite, &[seed; 32]).public().unwrap().member;
        whole.add(&[member(77)]).unwrap();
        ring.add(&[member(77)]).unwrap();
        whole.remove(0).unwrap();
        ring.remove(0).unwrap();
        assert_eq!(ring.file().encode(), whole.file().encode());
        whole.replace(0, &member(78)).unwrap();
        ring.replace(0, &member(78)).unwrap();
        assert_eq!(ring.committed().encode(), whole.committed().encode());
        let slots = file.slots.len() + 1;
        let lacks = Error::Rows { wanted: [slots, slots + 1], present: [0, slots] };
        assert_eq!(ring.add(&[member(79)]), Err(FileError::Ring(lacks)));
        assert_eq!(ring.file().encode(), whole.file().encode(), "what is refused changes nothing");
        let larger = SegmentKey::new(Srs::zcash(), 1024).unwrap();
        assert!(matches!(resume(file.clone(), &larger), Err(FileError::Ring(Error::Mismatch(_)))));
        // A key with another point in the place of tau^N G1, and the same for verifiers.
        let mut bytes = key.encode();
        bytes[244] ^= 0x20;
        let other = SegmentKey::decode(&bytes).unwrap();
        assert!(matches!(resume(file.clone(), &other), Err(FileError::Ring(Error::Mismatch(_)))));
        let mut points = file.clone();
        points.commitment[0] ^= 0x80;
        assert!(matches!(resume(points, &key), Err(FileError::Points(_))));
        // Another point is taken as it is, as the documentation says; who has the setup sees it.
        let mut other = file.clone();
        other.commitment[0] ^= 0x20;
        assert_eq!(resume(other.clone(), &key).unwrap().file(), other);
        assert_eq!(Membership::of(other, setup).map(drop).unwrap_err(), FileError::Commitment);
        let mut possession = file;
        possession.slots[0].as_mut().unwrap().possession = member(77).possession;
        assert!(matches!(resume(possession, &key), Err(FileError::Slot { slot: 0, .. })));
    }
}

/// From keys to verdicts, in both forms of points and on both curves; then all in one batch.
#[test]
fn every_suite_signs_and_verifies() {
    let rings = SuiteId::ALL.map(ring_of);
    let verifiers = rings.each_ref().map(|ring| ring.verifier().unwrap());
    let mut all = Vec::new();
    for (ring, verifier) in rings.iter().zip(&verifiers) {
        let suite = ring.params().suite;
        let file = ring.file();
        let read = Members::decode(&file.encode()).unwrap();
        assert_eq!(Membership::of(read, setup_of(suite)).unwrap().file(), file);
        let yes = signed_by(ring, 2, b"yes");
        let valid = Signed::decode(&yes.encode()).unwrap().verify(verifier).unwrap();
        assert_eq!((valid.tag.len(), &valid.tag[..]), (suite.point_bytes(), yes.tag()));
        assert_eq!(yes.signature.len(), suite.signature_bytes());
        let body = File::decode(&yes.encode()).unwrap().body.len();
        let bytes = yes.encode();
        let shown = parts(&File::decode(&bytes).unwrap()).unwrap();
        assert_eq!(shown.iter().map(|(length, _)| length).sum::<usize>(), body);
        let longer = Signed { signature: [&yes.signature[..], &[0]].concat(), ..yes.clone() };
        assert!(matches!(longer.verify(verifier), Err(SignatureError::Malformed(_))), "a byte too many");
        all.push(yes);
    }
    let no = signed_by(&rings[5], 2, b"no");
    assert_eq!((no.tag() == all[5].tag(), no.tag() == all[4].tag()), (true, false), "one member, one tag");
    all.push(no);
    let batch = |all: &[Signed]| {
        let mut batch = SignedBatch::new(&verifiers).unwrap();
        all.iter().for_each(|signed| batch.push(signed).unwrap());
        batch.verify()
    };
    assert_eq!(batch(&all), Ok(()));
    // The ring proof of another signature: of a Bandersnatch ring, of one in Weierstrass form, of one on Jubjub.
    let stolen = |all: &mut [Signed], at: usize, from: usize| {
        let proof = all[from].signature[all[from].signature.len() - 592..].to_vec();
        let start = all[at].signature.len() - 592;
        all[at].signature[start..].copy_from_slice(&proof);
    };
    for invalid in [vec![5], vec![4, 5], vec![0, 4, 6]] {
        let mut forged = all.clone();
        invalid.iter().for_each(|at| stolen(&mut forged, *at, 1));
        assert_eq!(batch(&forged), Err(Rejected::Items(invalid)));
    }
}

#[test]
fn what_is_of_one_suite_is_nothing_to_another() {
    let suites = [SuiteId::V1, SuiteId::BandersnatchSw, SuiteId::Jubjub];
    let rings = suites.map(ring_of);
    for ours in &rings {
        let suite = ours.params().suite;
        let (signer, verifier) = (Signer::new(ours).unwrap(), ours.verifier().unwrap());
        for theirs in rings.iter().filter(|ring| ring.params().suite != suite) {
            let other = theirs.params().suite;
            let refused = signer.sign(&key_of(other, 2), b"vote", b"").unwrap_err();
            assert_eq!(refused, SignError::Suite { key: other.name(), ring: suite.name() });
            let signed = signed_by(theirs, 2, b"yes");
            let named = SignatureError::Suite { signature: other.name(), ring: suite.name() };
            assert_eq!(signed.verify(&verifier), Err(named.clone()));
            // Under the other number a signature has another length, or other points.
            let bytes = renumbered(&signed.encode(), suite.number());
            match Signed::decode(&bytes) {
                Err(error) => {
                    assert_eq!(error, FileError::Malformed("signature"));
                    assert_ne!(suite.signature_bytes(), other.signature_bytes());
                }
                Ok(renumbered) => {
                    let renumbered = Signed { ring: ours.committed().digest(), ..renumbered };
                    let refused = renumbered.verify(&verifier).unwrap_err();
                    let expected =
                        matches!(refused, SignatureError::Malformed(_) | SignatureError::Rejected(_));
                    assert!(expected, "{refused:?}");
                }
            }
            // So has a ring's commitment another verifier.
            let committed = Committed::decode(&renumbered(&theirs.committed().encode(), suite.number()));
            let committed = committed.unwrap();
            let mixed = RingVerifier::new(committed.clone(), setup().key()).unwrap();
            let genuine = signed_by(ours, 2, b"yes");
            let claimed = Signed { ring: committed.digest(), ..genuine };
            assert!(matches!(claimed.verify(&mixed), Err(SignatureError::Rejected(_))));
            // And members that are none.
            let ring = Members::decode(&renumbered(&theirs.file().encode(), suite.number()));
            let refused = ring.and_then(|file| Membership::of(file, setup_of(suite)).map(drop)).unwrap_err();
            let expected = match suite.point_bytes() == other.point_bytes() {
                true => matches!(refused, FileError::Slot { slot: 0, .. }),
                false => refused == FileError::Malformed("list of members"),
            };
            assert!(expected, "{refused:?}");
        }
    }
}

/// Keys of Jubjub whose files say that they are of Bandersnatch, and the other way around: none is a point of the subgroup there, because `1 - y^2` is a
/// square for Jubjub's and none for Bandersnatch's. The suites on Bandersnatch have the same points, and in one form the same bytes: their proofs of
/// possession tell them apart.
#[test]
fn keys_under_another_suites_number_are_refused() {
    let claimed = |from: SuiteId, to: SuiteId, seed: u8| {
        let public = key_of(from, seed).public().unwrap();
        let claimed = PublicKey::decode(&renumbered(&public.encode(), to.number()))?;
        assert_eq!((claimed.suite, &claimed.member), (to, &public.member));
        let mut ring = Membership::empty(params_of(to), setup_of(to));
        ring.add(&[claimed.member])
    };
    let [v1, v2, sw, jubjub] = [SuiteId::V1, SuiteId::V2, SuiteId::BandersnatchSw, SuiteId::Jubjub];
    for (from, to, seed) in (0..16).flat_map(|seed| [(jubjub, v1, seed), (v1, jubjub, seed)]) {
        let expected = FileError::Slot { slot: 0, why: MemberError::Key(KeyError::Encoding) };
        assert_eq!(claimed(from, to, seed), Err(expected), "{seed}");
    }
    let refused = claimed(v2, v1, 1).unwrap_err();
    assert!(matches!(refused, FileError::Slot { why: MemberError::Possession(_), .. }), "{refused:?}");
    for (from, to) in [(sw, v1), (v1, sw), (sw, jubjub), (jubjub, sw)] {
        assert_eq!(claimed(from, to, 1), Err(FileError::Malformed("key")));
    }
    // The same point in the other encoding, with the proof of possession of the suite that it is from.
    let [mut member, same] = [v1, sw].map(|suite| key_of(suite, 1).public().unwrap().member);
    let point = crate::Key::decode_in(Suite::v1(), &member.key).unwrap();
    member.key = point.encode_in(Suite::bandersnatch_sw());
    assert_eq!(member.key.len(), same.key.len());
    let refused = member.check(Suite::bandersnatch_sw()).unwrap_err();
    assert!(matches!(refused, MemberError::Possession(_)), "{refused:?}");
}

/// The tag, `Yb`, `R` and `Ok` of a signature in Weierstrass form, each in other bytes for the same point, or with flags that are none.
#[test]
fn points_of_signatures_have_one_encoding() {
    let ring = ring_of(SuiteId::BandersnatchSw);
    let (verifier, signed) = (ring.verifier().unwrap(), signed_by(&ring, 3, b"yes"));
    assert!(signed.verify(&verifier).is_ok());
    for at in [0, 33, 66, 99] {
        let changed = |edit: &dyn Fn(&mut [u8])| {
            let mut other = signed.clone();
            edit(&mut other.signature[at..at + 33]);
            other.verify(&verifier).unwrap_err()
        };
        let malformed = |error| matches!(error, SignatureError::Malformed(_));
        for flags in [0x01, 0x40, 0x81, 0xc0] {
            assert!(malformed(changed(&|point| point[32] ^= flags)), "{flags} at {at}");
        }
        let unreduced = |point: &mut [u8]| {
            let sum = plus_modulus(&point[..32]).expect("255 bits each");
            point[..32].copy_from_slice(&sum);
        };
        assert!(malformed(changed(&unreduced)), "X + r at {at}");
        // The opposite point is one, and not the member's.
        assert!(matches!(changed(&|point| point[32] ^= 0x80), SignatureError::Rejected(_)), "{at}");
    }
}

/// A secret under another suite's number, with a checksum that fits, is another key or none: a number that is not below the order of the other curve.
#[test]
fn secrets_under_another_suites_number_are_nobodys() {
    let claimed = |from: SuiteId, number: u8, seed: u8| {
        let mut bytes = key_of(from, seed).encode()[..39].to_vec();
        bytes[6] = number;
        bytes.extend(blake3::hash(&bytes).as_bytes());
        SecretKey::decode(&bytes)
    };
    let jubjub = SuiteId::Jubjub.number();
    let refused = (0..64).find_map(|seed| claimed(SuiteId::V1, jubjub, seed).err());
    assert!(matches!(refused, Some(SecretKeyError::Secret(_))), "{refused:?}");
    let (ring, other) = (ring_of(SuiteId::V1), claimed(SuiteId::Jubjub, 0, 2).unwrap());
    assert_ne!(other.key(), key_of(SuiteId::Jubjub, 2).key());
    let refused = Signer::new(&ring).unwrap().sign(&other, b"vote", b"").unwrap_err();
    assert_eq!(refused, SignError::NoMember(other.key()));
    assert_eq!(claimed(SuiteId::V1, 6, 1).err(), Some(SecretKeyError::Suite(6)));
}

/// A number and the modulus of the base field, if their sum has 256 bits; little-endian.
fn plus_modulus(bytes: &[u8]) -> Option<Vec<u8>> {
    let modulus = Fr::MODULUS.0.iter().flat_map(|limb| limb.to_le_bytes());
    let mut carry = 0;
    let sum = bytes.iter().zip(modulus).map(|(a, b)| {
        carry += u16::from(*a) + u16::from(b);
        let byte = carry as u8;
        carry >>= 8;
        byte
    });
    let sum = sum.collect();
    (carry == 0).then_some(sum)
}

/// Whatever else names the point of a key is refused, before the point is anybody's.
#[test]
fn keys_have_one_encoding() {
    let refused = |suite: SuiteId, key: Vec<u8>| {
        let member = Member { key, possession: None };
        let mut ring = Membership::empty(params_of(suite), setup_of(suite));
        match ring.add(&[member]).unwrap_err() {
            FileError::Slot { why: MemberError::Key(why), .. } => why,
            other => panic!("{other:?}"),
        }
    };
    // Weierstrass: `X` that is not reduced, flags that are none, the identity with an `X`, a byte too many or too few.
    let (sw, key) = (SuiteId::BandersnatchSw, key_of(SuiteId::BandersnatchSw, 1).key());
    let mut unreduced = plus_modulus(&key[..32]).expect("255 bits each");
    unreduced.push(key[32]);
    assert_eq!(refused(sw, unreduced), KeyError::Encoding);
    for flags in [0x01, 0x20, 0x40, 0x81, 0xc0] {
        assert_eq!(refused(sw, [&key[..32], &[key[32] ^ flags]].concat()), KeyError::Encoding, "{flags}");
    }
    assert_eq!(refused(sw, key[..32].to_vec()), KeyError::Encoding);
    assert_eq!(refused(sw, [&key[..], &[0]].concat()), KeyError::Encoding);
    assert_eq!(refused(sw, [&[0; 32][..], &[0x40]].concat()), KeyError::Identity);
    // `X = 0` is a point outside of the subgroup.
    assert_eq!(refused(sw, vec![0; 33]), KeyError::Encoding);
    // Jubjub: `y` that is not reduced, the identity and its second encoding, a point of order 2.
    let jubjub = SuiteId::Jubjub;
    let small = (0..200).map(|seed| key_of(jubjub, seed).key()).find_map(|key| {
        let (sign, mut y) = (key[31] & 0x80, key);
        y[31] &= 0x7f;
        let mut sum = plus_modulus(&y).filter(|sum| sum[31] < 0x80)?;
        sum[31] |= sign;
        Some(sum)
    });
    assert_eq!(refused(jubjub, small.expect("a small y")), KeyError::Encoding);
    let mut identity = vec![0; 32];
    identity[0] = 1;
    assert_eq!(refused(jubjub, identity.clone()), KeyError::Identity);
    identity[31] = 0x80;
    assert_eq!(refused(jubjub, identity), KeyError::Encoding);
    let minus_one: Vec<u8> = {
        use curve::One;
        (-Fr::one()).into_bigint().0.iter().flat_map(|limb| limb.to_le_bytes()).collect()
    };
    assert_eq!(refused(jubjub, minus_one), KeyError::Encoding);
}

#[test]
fn unknown_suites_are_named() {
    let ring = ring_of(SuiteId::V1);
    let signed = signed_by(&ring, 1, b"");
    let unknown = |bytes: &[u8]| renumbered(bytes, 6);
    let expected = FileError::Suite(6);
    let error = Some(expected);
    assert_eq!(PublicKey::decode(&unknown(&key(1).public().unwrap().encode())).err(), error);
    assert_eq!(Members::decode(&unknown(&ring.file().encode())).err(), error);
    assert_eq!(Committed::decode(&unknown(&ring.committed().encode())).err(), error);
    let bytes = unknown(&signed.encode());
    assert_eq!(Signed::decode(&bytes).err(), error);
    assert_eq!(parts(&File::decode(&bytes).unwrap()).err(), error);
    assert_eq!(max_length(&Header::decode(&unknown(&ring.file().encode())).unwrap()).err(), error);
    assert_eq!(expected.to_string(), "the file is of suite number 6, which this build does not know");
}

/// Whoever makes parameters by hand, with the rows of the other curve, has an error.
#[test]
fn domains_and_setups_are_of_the_suites_curve() {
    let [v1, jubjub] = [SuiteId::V1, SuiteId::Jubjub].map(|suite| ring_of(suite).file());
    let swapped = Params { domain: v1.params.domain, ..jubjub.params };
    let mut committed = jubjub.committed();
    committed.params = swapped;
    let refused = RingVerifier::new(committed, setup().key()).map(drop);
    assert_eq!(refused, Err(FileError::Ring(Error::Mismatch("a domain for keys on another curve"))));
    for (file, setup) in [
        (v1, setup_on_jubjub()),
        (jubjub.clone(), setup()),
        (Members { params: swapped, ..jubjub.clone() }, setup()),
        (Members { params: swapped, ..jubjub }, setup_on_jubjub()),
    ] {
        assert!(matches!(
            Membership::of(file, setup).map(drop),
            Err(FileError::Ring(Error::Mismatch(
                "a setup for another domain" | "a setup for keys on another curve"
            )))
        ));
    }
}
