//! Every encoding is exact; a ring file is the ring of its members; a signature file is about one ring.

use super::{
    Committed, FileError, Member, MemberError, Members, Membership, POSSESSION_CONTEXT, Params, Powers,
    PublicKey, RingVerifier, SecretKey, SecretKeyError, SignError, SignatureError, Signed, SignedBatch,
    Signer, SuiteId, is_ring, max_length, parts,
};
use crate::tests::{setup, setup_on_jubjub};
use crate::vrf::{Possession, Secret, Suite};
use crate::{Domain, Error, KeyError, Rejected, Setup, Srs};
use pcs::file::{File, Header};
use std::sync::Arc;

mod suites;
mod verdicts;

fn key(seed: u8) -> SecretKey {
    SecretKey::from_seed(SuiteId::V1, &[seed; 32])
}

/// The secret of [`key`].
fn secret(seed: u8) -> Secret {
    Secret::from_seed(Suite::v1(), &[seed; 32])
}

fn params() -> Params {
    params_of(SuiteId::V1)
}

fn params_of(suite: SuiteId) -> Params {
    Params { suite, domain: suite.domain(512).unwrap(), setup: [7; 32] }
}

/// Checks that these bytes are read, and that none shorter, longer or with a bit changed has a second encoding.
fn is_exact<T>(bytes: &[u8], read: impl Fn(&[u8]) -> Option<T>, write: impl Fn(&T) -> Vec<u8>) {
    assert_eq!(write(&read(bytes).expect("what was written")), bytes);
    assert!((0..bytes.len()).all(|n| read(&bytes[..n]).is_none()), "a shorter file");
    assert!(read(&[bytes, &[0]].concat()).is_none(), "a longer file");
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut other = bytes.to_vec();
            other[at] ^= 1 << bit;
            assert!(read(&other).is_none_or(|value| write(&value) == other), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn the_encodings_are_exact() {
    for (number, suite) in (0..).zip(SuiteId::ALL) {
        assert_eq!((suite.number(), SuiteId::from_number(number)), (number, Some(suite)));
        for size in [512, 65_536] {
            let params = Params { suite, domain: suite.domain(size).unwrap(), setup: [3; 32] };
            is_exact(&params.encode(), |b| Params::decode(b).ok(), Params::encode);
            assert_eq!(Params::decode(&params.encode()), Ok(params));
        }
    }
    assert_eq!(SuiteId::from_number(6), None);
    // One for each form of points and each curve.
    for suite in [SuiteId::V1, SuiteId::BandersnatchSw, SuiteId::Jubjub] {
        files_are_exact(suite);
    }
}

fn files_are_exact(suite: SuiteId) {
    let key = SecretKey::from_seed(suite, &[1; 32]);
    is_exact(&key.encode(), |b| SecretKey::decode(b).ok(), |k| k.encode().to_vec());
    let public = key.public().unwrap();
    assert_eq!((public.member.key.len(), &public.member.key), (suite.point_bytes(), &key.key()));
    is_exact(&public.encode(), |b| PublicKey::decode(b).ok(), PublicKey::encode);
    let bare = PublicKey { member: Member { possession: None, ..public.member.clone() }, ..public.clone() };
    is_exact(&bare.encode(), |b| PublicKey::decode(b).ok(), PublicKey::encode);
    let params = params_of(suite);
    let slots = vec![Some(public.member), None, Some(bare.member)];
    let members = Members { params, slots, commitment: [5; 144] };
    is_exact(&members.encode(), |b| Members::decode(b).ok(), Members::encode);
    let committed = members.committed();
    assert_eq!((committed.slots, committed.members), (3, 2));
    is_exact(&committed.encode(), |b| Committed::decode(b).ok(), Committed::encode);
    let signature = vec![9; suite.signature_bytes()];
    let signed = Signed { params, ring: [6; 32], context: b"context".to_vec(), message: vec![], signature };
    is_exact(&signed.encode(), |b| Signed::decode(b).ok(), Signed::encode);
    let capacity = params.domain.capacity();
    assert_eq!(capacity, if suite == SuiteId::Jubjub { 256 } else { 255 });
    let more = Committed { members: 4, ..committed };
    assert!(Committed::decode(&more.encode()).is_err(), "more members than slots");
    let beyond = Committed { members: 0, slots: capacity as u32 + 1, ..committed };
    assert!(Committed::decode(&beyond.encode()).is_err(), "more slots than there is room for");
    let beyond = Members { slots: vec![members.slots[0].clone(); capacity + 1], ..members };
    assert!(Members::decode(&beyond.encode()).is_err(), "more slots than there is room for");
    let long = Signed { message: vec![0; (1 << 16) + 1], ..signed.clone() };
    assert!(Signed::decode(&long.encode()).is_err(), "a message that is too long");
    // A byte more or less than the suite's signatures have, and than its keys have.
    for length in [suite.signature_bytes() - 1, suite.signature_bytes() + 1] {
        let other = Signed { signature: vec![9; length], ..signed.clone() };
        assert_eq!(Signed::decode(&other.encode()), Err(FileError::Malformed("signature")));
    }
    for length in [suite.point_bytes() - 1, suite.point_bytes() + 1] {
        let member = Member { key: vec![1; length], possession: None };
        let other = PublicKey { suite, member: member.clone() };
        assert_eq!(PublicKey::decode(&other.encode()), Err(FileError::Malformed("key")));
        let other = Members { params, slots: vec![Some(member)], commitment: [5; 144] };
        assert_eq!(Members::decode(&other.encode()), Err(FileError::Malformed("list of members")));
    }
}

#[test]
fn a_secret_key_is_not_printed() {
    let key = key(1);
    let secret = secret(1).encode();
    let text = format!("{key:?}");
    assert!(!text.contains(&format!("{}, {}", secret[0], secret[1])) && text.contains("public"), "{text}");
}

/// A ring of the keys 1, 2 and 3, with slot 1 empty.
fn members(setup: &Arc<Setup>) -> Members {
    let mut ring = Membership::empty(params(), setup.clone());
    ring.add(&[1, 2, 3].map(|seed| key(seed).public().unwrap().member)).unwrap();
    ring.remove(1).unwrap();
    ring.file()
}

/// Release 0.1.0 left empty slots behind the last member when that was removed: such a ring is the same until it changes, its commitment file and
/// what was signed for it stay valid, and the first change drops them.
#[test]
fn a_ring_file_may_end_with_empty_slots() {
    let setup = setup();
    let file = members(&setup);
    let old = Members { slots: [&file.slots[..], &[None, None]].concat(), ..file.clone() };
    assert_eq!(Members::decode(&old.encode()), Ok(old.clone()));
    assert_eq!((old.committed().slots, old.committed().members), (5, 2));
    let mut ring = Membership::of(old.clone(), setup.clone()).unwrap();
    assert_eq!(ring.file(), old);
    let signer = Signer::new(&ring).unwrap();
    let signed = signer.sign(&key(1), b"context", b"message").unwrap();
    assert_eq!(signed.ring, old.committed().digest());
    signed.verify(&RingVerifier::new(old.committed(), setup.key()).unwrap()).unwrap();
    let slots = |ring: &Membership| ring.file().slots.iter().map(Option::is_some).collect::<Vec<_>>();
    ring.replace(1, &key(2).public().unwrap().member).unwrap();
    assert_eq!(slots(&ring), [true; 3]);
    assert!(Membership::of(ring.file(), setup.clone()).is_ok());
    // New members come behind all slots that were used.
    let mut ring = Membership::of(old, setup).unwrap();
    ring.add(&[key(4).public().unwrap().member]).unwrap();
    assert_eq!(slots(&ring), [true, false, true, false, false, true]);
    ring.remove(5).unwrap();
    assert_eq!(ring.file(), file);
}

/// Whoever made the file deviates in one thing: each has its refusal.
#[test]
fn a_ring_file_is_the_ring_of_its_members() {
    let setup = setup();
    let file = members(&setup);
    assert_eq!(Membership::of(file.clone(), setup.clone()).unwrap().file(), file);
    let refused = |change: &dyn Fn(&mut Members)| {
        let mut other = file.clone();
        change(&mut other);
        Membership::of(other, setup.clone()).map(drop).unwrap_err()
    };
    let member = |slot: &mut Option<Member>| slot.as_mut().unwrap().clone();
    // The members of another ring.
    assert_eq!(refused(&|file| file.slots.swap(0, 2)), FileError::Commitment);
    assert_eq!(refused(&|file| file.slots[0] = None), FileError::Commitment);
    assert_eq!(refused(&|file| file.slots.truncate(1)), FileError::Commitment);
    // A commitment of nobody's.
    assert_eq!(refused(&|file| file.commitment[143] ^= 1), FileError::Commitment);
    // Keys that are none, in a slot that is named.
    let slot = |why| FileError::Slot { slot: 2, why };
    let encoding = refused(&|file| file.slots[2] = Some(Member { key: vec![0xff; 32], possession: None }));
    assert_eq!(encoding, slot(MemberError::Key(KeyError::Encoding)));
    let padding = crate::Key::new(*Suite::v1().bases().padding()).unwrap().encode().to_vec();
    let filler = refused(&|file| file.slots[2] = Some(Member { key: padding.clone(), possession: None }));
    assert_eq!(filler, slot(MemberError::Key(KeyError::Padding)));
    // The proof of another key, and of another context.
    let stolen = refused(&|file| {
        let possession = member(&mut file.slots[0]).possession;
        file.slots[2].as_mut().unwrap().possession = possession;
    });
    assert!(matches!(stolen, FileError::Slot { slot: 2, why: MemberError::Possession(_) }), "{stolen:?}");
    let elsewhere = Possession::prove(Suite::v1(), &secret(3), b"elsewhere").unwrap().encode();
    let foreign = refused(&|file| file.slots[2].as_mut().unwrap().possession = Some(elsewhere));
    assert!(matches!(foreign, FileError::Slot { slot: 2, why: MemberError::Possession(_) }), "{foreign:?}");
    // One member twice.
    assert!(matches!(refused(&|file| file.slots[2] = file.slots[0].clone()), FileError::Ring(_)));
    assert_eq!(POSSESSION_CONTEXT, b"tenfold ring key v1");
}

#[test]
fn a_signature_file_is_about_one_ring() {
    let setup = setup();
    let file = members(&setup);
    let ring = Membership::of(file.clone(), setup.clone()).unwrap();
    let committed = file.committed();
    let verifier = RingVerifier::new(committed.clone(), setup.key()).unwrap();
    let signed = Signer::new(&ring).unwrap().sign(&key(3), b"vote", b"yes").unwrap();
    assert!(is_ring(&signed.encode()) && signed.verify(&verifier).is_ok());
    let refused = |change: &dyn Fn(&mut Signed)| {
        let mut other = signed.clone();
        change(&mut other);
        other.verify(&verifier).map(drop).unwrap_err()
    };
    let suites = refused(&|signed| signed.params.suite = SuiteId::V2);
    assert!(matches!(suites, SignatureError::Suite { .. }), "{suites:?}");
    assert_eq!(refused(&|signed| signed.params.setup[0] ^= 1), SignatureError::Setup);
    assert_eq!(refused(&|signed| signed.ring[0] ^= 1), SignatureError::Ring);
    assert_eq!(refused(&|signed| signed.params.domain = Domain::new(1024).unwrap()), SignatureError::Ring);
    let rejected = |change: &dyn Fn(&mut Signed)| matches!(refused(change), SignatureError::Rejected(_));
    assert!(rejected(&|signed| signed.context.push(b' ')));
    assert!(rejected(&|signed| signed.message.clear()));
    assert!(matches!(refused(&|signed| signed.signature[160..192].fill(0xff)), SignatureError::Malformed(_)));
    // What was signed is not what is expected: valid, and about something else.
    let [other, none] = [Some(&b"no"[..]), None];
    assert_eq!(
        signed.check_expected(Some(b"vote"), Some(b"yes")).and(signed.check_expected(none, none)),
        Ok(())
    );
    let context = signed.check_expected(other, Some(b"yes")).unwrap_err();
    assert_eq!(context.to_string(), "the signature is for the context \"vote\"");
    let message = signed.check_expected(none, other).unwrap_err();
    assert_eq!(message.to_string(), "the signature is on \"yes\"");
    // A ring that changed has another digest.
    let changed = Committed { members: 1, ..committed };
    let changed = RingVerifier::new(changed, setup.key()).unwrap();
    assert_eq!(signed.verify(&changed).map(drop).unwrap_err(), SignatureError::Ring);
}

/// A member of one ring signs, and says that it was another ring: neither accepts it, since a commitment file and its verifier are one value.
#[test]
fn a_signature_of_another_ring_is_refused() {
    let setup = setup();
    let ours = members(&setup);
    let mut ring = Membership::empty(ours.params, setup.clone());
    ring.add(&[key(9).public().unwrap().member]).unwrap();
    let theirs = ring.file();
    let made = Signer::new(&ring).unwrap().sign(&key(9), b"vote", b"yes").unwrap();
    let signed = |ring| Signed { ring, ..made.clone() };
    let [ours, theirs] = [ours, theirs].map(|file| RingVerifier::new(file.committed(), setup.key()).unwrap());
    let [about_ours, about_theirs] = [&ours, &theirs].map(|ring| signed(ring.committed().digest()));
    assert!(about_theirs.verify(&theirs).is_ok());
    assert_eq!(about_theirs.verify(&ours).map(drop).unwrap_err(), SignatureError::Ring);
    assert_eq!(about_ours.verify(&theirs).map(drop).unwrap_err(), SignatureError::Ring);
    let rejected = about_ours.verify(&ours).map(drop).unwrap_err();
    assert!(matches!(rejected, SignatureError::Rejected(_)), "{rejected:?}");
    // The commitment of the one under the name of the other gives no verifier but its own.
    let mixed = Committed { commitment: theirs.committed().commitment, ..ours.committed().clone() };
    let mixed = RingVerifier::new(mixed, setup.key()).unwrap();
    assert_eq!(about_ours.verify(&mixed).map(drop).unwrap_err(), SignatureError::Ring);
}

#[test]
fn each_fault_of_a_secret_key_file_has_its_error() {
    let edited = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = key(1).encode().to_vec();
        edit(&mut bytes);
        SecretKey::decode(&bytes).unwrap_err()
    };
    assert_eq!(edited(&|b| b[0] = b'X'), SecretKeyError::Magic);
    assert_eq!(edited(&|b| b[4] = 2), SecretKeyError::Version(2));
    assert_eq!(edited(&|b| b.truncate(70)), SecretKeyError::Length);
    assert_eq!(edited(&|b| b.truncate(5)), SecretKeyError::Length);
    assert_eq!(edited(&|b| b.push(0)), SecretKeyError::Length);
    assert_eq!(edited(&|b| b[6] = 9), SecretKeyError::Suite(9));
    assert!(matches!(edited(&|b| b[7..39].fill(0)), SecretKeyError::Secret(_)));
    assert_eq!(edited(&|b| b[70] ^= 1), SecretKeyError::Checksum);
    assert_eq!(edited(&|b| b[6] = 1), SecretKeyError::Checksum);
}

/// A file of another kind is named in the refusal.
#[test]
fn files_of_other_kinds_are_named() {
    let public = key(1).public().unwrap().encode();
    let error = Members::decode(&public).unwrap_err();
    assert_eq!(error, FileError::Kind { wanted: "a ring file", found: "a public key" });
    assert!(matches!(Signed::decode(b"price"), Err(FileError::Container { wanted: "a ring signature", .. })));
}

#[test]
fn the_setup_that_ships_has_the_digest_that_files_name() {
    let file = Srs::zcash().write();
    assert_eq!(Powers::zcash().sha256, Powers::digest(&file));
    let read = Powers::read(&file).unwrap();
    assert_eq!((read.sha256, &*read.srs), (Powers::zcash().sha256, Srs::zcash()));
    let start = Powers::read_start(&file).unwrap();
    assert_eq!((start.sha256, start.key(), start.srs.len()), (read.sha256, read.key(), 2));
}

/// What verifiers have of the setup that ships is what its file says.
#[test]
fn the_key_of_the_ceremony_is_that_of_its_powers() {
    let key = Powers::zcash().key().expect("a key");
    assert_eq!(key, super::zcash_key());
}
