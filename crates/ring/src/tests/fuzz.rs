//! Any bytes into any decoder: an answer, and bytes that were accepted are the encoding of what they say.

use proptest::prelude::*;

use super::{Scene, members, segments, setup};
use crate::vrf::{Output, Pedersen, Possession, Secret, Signature, Suite, Thin, Tiny};
use crate::{Bandersnatch, Commitment, Embedded, Jubjub, Key, Proof, Segment, SegmentKey, VerifierKey};

/// Good bytes of each kind, for changes that get further than random bytes do.
fn good() -> [Vec<u8>; 4] {
    let scene = Scene::new(setup(), &members(2), 0);
    let segment = setup().segment(3..5).unwrap().encode();
    let ring = scene.ring.verifier_key();
    [scene.proof.encode().to_vec(), ring.encode().to_vec(), segment, segments::key().encode()]
}

fn decode_all(bytes: &[u8]) {
    if let Ok(proof) = Proof::decode(bytes) {
        assert_eq!(proof.encode()[..], *bytes);
    }
    if let Ok(key) = VerifierKey::decode(bytes) {
        assert_eq!(key.encode()[..], *bytes);
    }
    if let Ok(commitment) = Commitment::decode(bytes) {
        assert_eq!(commitment.encode()[..], *bytes);
    }
    if let Ok(segment) = Segment::decode(bytes, segments::key()) {
        assert_eq!(segment.encode(), bytes);
    }
    if let Ok(key) = SegmentKey::decode(bytes) {
        assert_eq!(key.encode(), bytes);
    }
    decode_on::<Bandersnatch>(bytes);
    decode_on::<Jubjub>(bytes);
    let suite = Suite::bandersnatch_sw();
    if let Ok(signature) = Signature::decode_in(suite, bytes) {
        assert_eq!(signature.encode_in(suite), bytes);
    }
    if let Ok(thin) = Thin::decode_in(suite, bytes) {
        assert_eq!(thin.encode_in(suite), bytes);
    }
    if let Some(Ok(key)) = bytes.get(..33).map(|bytes| Key::decode_in(suite, bytes)) {
        assert_eq!(key.encode_in(suite), bytes[..33]);
    }
}

fn decode_on<C: Embedded>(bytes: &[u8]) {
    if let Ok(signature) = Signature::<C>::decode(bytes) {
        assert_eq!(signature.encode()[..], *bytes);
    }
    if let Some(Ok(pedersen)) = bytes.first_chunk().map(Pedersen::<C>::decode) {
        assert_eq!(pedersen.encode()[..], bytes[..Pedersen::BYTES]);
    }
    if let Some(Ok(possession)) = bytes.first_chunk().map(Possession::<C>::decode) {
        assert_eq!(possession.encode()[..], bytes[..Possession::BYTES]);
    }
    if let Some(Ok(thin)) = bytes.first_chunk().map(Thin::<C>::decode) {
        assert_eq!(thin.encode()[..], bytes[..Thin::BYTES]);
    }
    if let Some(Ok(tiny)) = bytes.first_chunk().map(Tiny::<C>::decode) {
        assert_eq!(tiny.encode()[..], bytes[..Tiny::BYTES]);
    }
    if let Some(Ok(output)) = bytes.first_chunk().map(Output::<C>::decode) {
        assert_eq!(output.encode()[..], bytes[..32]);
    }
    if let Some(Ok(secret)) = bytes.first_chunk().map(Secret::<C>::decode) {
        assert_eq!(secret.encode()[..], bytes[..32]);
    }
}

#[test]
fn fuzz_decoders() {
    let good = good();
    let strategy = (0..5_usize, prop::collection::vec(any::<u8>(), 0..1000), 0..600_usize, 0..600_usize);
    proptest!(ProptestConfig::with_cases(400), |((kind, random, from, length) in strategy)| {
        let Some(start) = good.get(kind) else {
            decode_all(&random);
            return Ok(());
        };
        // A window of good bytes with random ones in front or in the middle.
        let mut bytes = start.clone();
        let from = from.min(bytes.len());
        let length = length.min(random.len()).min(bytes.len() - from).min(8);
        bytes[from..from + length].copy_from_slice(&random[..length]);
        decode_all(&bytes);
        decode_all(&bytes[from..]);
    });
}
