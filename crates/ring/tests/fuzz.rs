//! Any bytes into the readers of files about rings: they return, never panic, and stay within their memory.

#[path = "../../tenfold/tests/fuzz/driver.rs"]
mod driver;

use driver::{input, run};
use ring_proof::file::{Committed, Member, Members, Params, PublicKey, SecretKey, Signed, SuiteId, is_ring};

/// The files about rings, from a stranger: keys, a ring, its commitment, a signature; in both forms of points, on both curves.
#[test]
fn fuzz_ring_files() {
    let files: Vec<_> =
        [SuiteId::V1, SuiteId::BandersnatchSw, SuiteId::Jubjub].into_iter().flat_map(files_of).collect();
    let valid: Vec<_> = files.iter().map(|file| &file[..]).collect();
    run("fuzz_ring_files", |rng| {
        let bytes = input(rng, &valid);
        let encodings = [
            SecretKey::decode(&bytes).ok().map(|key| key.encode().to_vec()),
            PublicKey::decode(&bytes).ok().map(|key| key.encode()),
            Members::decode(&bytes).ok().map(|ring| ring.encode()),
            Committed::decode(&bytes).ok().map(|committed| committed.encode()),
            Signed::decode(&bytes).ok().map(|signed| signed.encode()),
        ];
        let read: Vec<_> = encodings.iter().flatten().collect();
        assert!(read.len() < 2 && read.iter().all(|again| **again == bytes), "two readings of one file");
        assert!(read.is_empty() || is_ring(&bytes) || encodings[0].is_some());
        !read.is_empty()
    });
}

fn files_of(suite: SuiteId) -> [Vec<u8>; 5] {
    let key = SecretKey::from_seed(suite, &[7; 32]);
    let (secret, public) = (key.encode(), key.public().unwrap());
    let params = Params { suite, domain: suite.domain(512).unwrap(), setup: [3; 32] };
    let bare = Member { possession: None, ..public.member.clone() };
    let slots = vec![Some(public.member.clone()), None, Some(bare)];
    let members = Members { params, slots, commitment: [5; 144] };
    let (ring, context, message) = ([6; 32], b"context".to_vec(), vec![]);
    let signed = Signed { params, ring, context, message, signature: vec![9; suite.signature_bytes()] };
    [secret.to_vec(), public.encode(), members.encode(), members.committed().encode(), signed.encode()]
}
