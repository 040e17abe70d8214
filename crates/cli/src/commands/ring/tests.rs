//! Rings as the commands hold them; and every byte of a signature file counts.

use super::members::Opened;
use super::setup::{Powers, Source, domain_for};
use crate::args::Common;
use crate::args::ring::SetupArgs;
use ring_proof::file::{Members, Params, SecretKey, Signed, Signer, SuiteId};

fn common() -> Common {
    Common { quiet: true, ..Common::default() }
}

fn key(seed: u8) -> SecretKey {
    SecretKey::from_seed(SuiteId::V1, &[seed; 32])
}

/// A ring of three over the setup that ships.
fn ring() -> Opened {
    let domain = domain_for(SuiteId::V1, 3).unwrap();
    let powers = Powers::shipped(domain.powers()).unwrap();
    let params = Params { suite: SuiteId::V1, domain, setup: powers.sha256() };
    let mut ring = Opened::empty(params, powers, &common()).unwrap();
    let candidate =
        |i: u8| super::keys::Candidate { member: key(i).public().unwrap().member, from: format!("key {i}") };
    ring.add(&[1, 2, 3].map(candidate), false).unwrap();
    ring
}

#[test]
fn every_byte_of_a_signature_file_counts() {
    let ring = ring();
    let signer = Signer::new(&ring.ring).unwrap();
    let bytes = signer.sign(&key(2), b"context", b"message").unwrap().encode();
    let verifier = ring.ring.verifier().unwrap();
    let valid = |bytes: &[u8]| Signed::decode(bytes).is_ok_and(|s| s.verify(&verifier).is_ok());
    assert!(valid(&bytes));
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        assert!(!valid(&other), "byte {at}");
    }
    assert!(signer.sign(&key(9), b"context", b"").is_err(), "no member");
}

/// A ring that is read again is the same one, and one that changed is what it would be if it were made so.
#[test]
fn rings_are_read_as_they_were_written() {
    let mut ring = ring().ring;
    ring.remove(1).unwrap();
    let file = ring.file();
    assert_eq!((file.slots.len(), file.slots.iter().flatten().count()), (3, 2));
    let read = Members::decode(&file.encode()).unwrap();
    let args = SetupArgs::default();
    let again = Opened::from_file(read, &Source::read(&args, &common()).unwrap(), &common()).unwrap().ring;
    assert_eq!(again.file(), file);
    assert_eq!(again.slot_of(&key(3).public().unwrap().member.key), Some(2));
    assert_eq!(again.slot_of(&key(2).public().unwrap().member.key), None);
    assert!(ring.remove(1).is_err() && ring.remove(3).is_err());
    assert_eq!(ring.file(), file, "what is refused changes nothing");
    // Slots behind the last member are unused again: the file has one form.
    ring.remove(2).unwrap();
    let file = ring.file();
    assert_eq!(file.slots.len(), 1);
    assert_eq!(Members::decode(&file.encode()), Ok(file));
}
