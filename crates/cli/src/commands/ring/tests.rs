//! Encodings, each exact; and every byte of a signature file counts.

use super::members::Opened;
use super::params::domain_for;
use super::prove::Signer;
use super::setup::{Powers, ZCASH_SHA256};
use super::{Committed, Member, Members, Params, PublicKey, SecretKey, Signed};
use crate::args::Common;
use crate::args::ring::{SetupArgs, SuiteChoice};
use crate::units::hex;
use curve::srs::Srs;
use ring_proof::vrf::Secret;
use ring_proof::{Domain, Verifier};
use sha2::{Digest, Sha256};

fn common() -> Common {
    Common { quiet: true, ..Common::default() }
}

fn key(seed: u8) -> SecretKey {
    let suite = SuiteChoice::V1;
    SecretKey { suite, secret: Secret::from_seed(suite.suite(), &[seed; 32]) }
}

fn params() -> Params {
    Params { suite: SuiteChoice::V1, domain: Domain::new(512).unwrap(), setup: [7; 32] }
}

/// That these bytes are read, and none shorter, longer or with a bit changed is read as something that is written otherwise.
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
    for suite in [SuiteChoice::V1, SuiteChoice::V2, SuiteChoice::Shake128, SuiteChoice::Jam] {
        for size in [512, 65_536] {
            let params = Params { suite, domain: Domain::new(size).unwrap(), setup: [3; 32] };
            is_exact(&params.encode(), Params::decode, Params::encode);
            assert_eq!(Params::decode(&params.encode()), Some(params));
        }
        assert_eq!(SuiteChoice::from_number(suite.number()), Some(suite));
    }
    assert_eq!(SuiteChoice::from_number(4), None);
    is_exact(&key(1).encode(), |b| SecretKey::decode(b).ok(), |k| k.encode().to_vec());
    let public = key(1).public();
    is_exact(&public.encode(), |b| PublicKey::decode(b).ok(), PublicKey::encode);
    let bare = PublicKey { member: Member { possession: None, ..public.member.clone() }, ..public.clone() };
    is_exact(&bare.encode(), |b| PublicKey::decode(b).ok(), PublicKey::encode);
    let slots = vec![Some(public.member), None, Some(bare.member)];
    let members = Members { params: params(), slots, commitment: [5; 144] };
    is_exact(&members.encode(), |b| Members::decode(b).ok(), Members::encode);
    let committed = members.committed();
    assert_eq!((committed.slots, committed.members), (3, 2));
    is_exact(&committed.encode(), |b| Committed::decode(b).ok(), Committed::encode);
    let signed = Signed {
        params: params(),
        ring: [6; 32],
        context: b"context".to_vec(),
        message: vec![],
        signature: [9; 784],
    };
    is_exact(&signed.encode(), |b| Signed::decode(b).ok(), Signed::encode);
    let more = Committed { members: 4, ..committed };
    assert!(Committed::decode(&more.encode()).is_err(), "more members than slots");
    let beyond = Committed { members: 0, slots: 256, ..committed };
    assert!(Committed::decode(&beyond.encode()).is_err(), "more slots than there is room for");
    let beyond = Members { slots: vec![None; 256], ..members };
    assert!(Members::decode(&beyond.encode()).is_err(), "more slots than there is room for");
    let long = Signed { message: vec![0; (1 << 16) + 1], ..signed };
    assert!(Signed::decode(&long.encode()).is_err(), "a message that is too long");
}

#[test]
fn the_setup_that_ships_has_the_digest_that_files_name() {
    let digest: [u8; 32] = Sha256::digest(Srs::zcash().write()).into();
    assert_eq!(hex(&digest), ZCASH_SHA256);
    assert_eq!(Powers::open(&SetupArgs::default(), 2, &common()).unwrap().sha256, digest);
}

#[test]
fn a_secret_key_is_not_printed() {
    let key = key(1);
    let secret = key.secret.encode();
    let text = format!("{key:?}");
    assert!(!text.contains(&format!("{}, {}", secret[0], secret[1])) && text.contains("public"), "{text}");
}

/// A ring of three over the setup that ships.
fn ring() -> Opened {
    let domain = domain_for(3).unwrap();
    let powers = Powers::open(&SetupArgs::default(), domain.powers(), &common()).unwrap();
    let params = Params { suite: SuiteChoice::V1, domain, setup: powers.sha256 };
    let mut ring = Opened::empty(params, powers, &common()).unwrap();
    let candidate =
        |i: u8| super::keys::Candidate { member: key(i).public().member, from: format!("key {i}") };
    ring.add(&[1, 2, 3].map(candidate), false).unwrap();
    ring
}

#[test]
fn every_byte_of_a_signature_file_counts() {
    let ring = ring();
    let signer = Signer::new(&ring).unwrap();
    let bytes = signer.sign(&key(2).secret, b"context", b"message").unwrap().encode();
    let committed = ring.file().committed();
    let verifier = Verifier::new(&ring.params.shared(), ring.setup.key(), &committed.points().unwrap());
    let valid = |bytes: &[u8]| Signed::decode(bytes).and_then(|s| s.verify(&committed, &verifier)).is_ok();
    assert!(valid(&bytes));
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        assert!(!valid(&other), "byte {at}");
    }
    assert!(signer.sign(&key(9).secret, b"context", b"").is_err(), "no member");
}

/// A ring that is read again is the same one, and one that changed is what it would be if it were made so.
#[test]
fn rings_are_read_as_they_were_written() {
    let mut ring = ring();
    ring.remove(1).unwrap();
    let file = ring.file();
    let again =
        Opened::of(Members::decode(&file.encode()).unwrap(), &SetupArgs::default(), &common()).unwrap();
    assert_eq!(again.file(), file);
    assert_eq!(again.slot_of(&key(3).public().member.key), Some(2));
    assert_eq!(again.slot_of(&key(2).public().member.key), None);
    assert!(ring.remove(1).is_err() && ring.remove(3).is_err());
    assert_eq!(ring.file(), file, "what is refused changes nothing");
}
