//! ark-vrf's signatures, made again and verified, and JAM's tickets.

use std::sync::Arc;

use serde_json::Value;

use curve::embedded::{Embedded, encode_scalar};

use crate::tests::vectors::{hex, key};
use crate::tests::{setup, setup_on_jubjub};
use crate::vrf::{Input, Output, Pedersen, Secret, Signature, Suite, Thin, Tiny};
use crate::{Commitment, Key, Proof, Prover, Ring, Setup, Verifier};

fn bytes<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().unwrap()
}

/// What is in every vector: a key and its output, made again.
struct Signer<C: Embedded> {
    secret: Secret<C>,
    input: Input<C>,
    output: Output<C>,
    data: Vec<u8>,
}

fn signer<C: Embedded>(suite: &Suite<C>, vector: &Value) -> Signer<C> {
    let comment = vector["comment"].as_str().unwrap();
    let secret = Secret::decode(&bytes(&vector["sk"])).unwrap();
    assert_eq!(secret.key().encode_in(suite), hex(&vector["pk"]), "{comment}");
    let input = suite.input(&hex(&vector["alpha"])).unwrap();
    assert_eq!(suite.encode_point(input.point()), hex(&vector["h"]), "{comment}");
    let output = secret.output(&input);
    assert_eq!(output.encode_in(suite), hex(&vector["gamma"]), "{comment}");
    assert_eq!(Output::decode_in(suite, &hex(&vector["gamma"])), Ok(output), "{comment}");
    assert_eq!(output.hash(suite), bytes(&vector["beta"]), "{comment}");
    Signer { secret, input, output, data: hex(&vector["ad"]) }
}

fn pedersen<C: Embedded>(suite: &Suite<C>, vector: &Value) -> (Signer<C>, Pedersen<C>) {
    let comment = vector["comment"].as_str().unwrap();
    let signer = signer(suite, vector);
    let pairs = [(signer.input, signer.output)];
    let (proof, blinding) = Pedersen::prove(suite, &signer.secret, &pairs, &signer.data).unwrap();
    assert_eq!(encode_scalar::<C>(&blinding), bytes(&vector["blinding"]), "{comment}");
    let parts = ["pk_com", "r", "ok", "s", "sb"].map(|name| hex(&vector[format!("proof_{name}")])).concat();
    assert_eq!(proof.encode_in(suite), parts, "{comment}");
    let theirs = Pedersen::decode_in(suite, &parts).unwrap();
    assert_eq!(theirs, proof, "{comment}");
    theirs.verify(suite, &pairs, &signer.data).expect(comment);
    (signer, proof)
}

/// The proofs of one signer, each made again and verified.
fn single_signer<C: Embedded>(suite: &Suite<C>, [thin, tiny]: &[String; 2]) {
    let vectors = |text: &String| serde_json::from_str::<Vec<Value>>(text).unwrap();
    let (thin, tiny) = (vectors(thin), vectors(tiny));
    assert_eq!([thin.len(), tiny.len()], [7, 7]);
    for (thin, tiny) in thin.iter().zip(&tiny) {
        let comment = thin["comment"].as_str().unwrap();
        let theirs = [&thin["proof_r"], &thin["proof_s"]].map(hex).concat();
        let Signer { secret, input, output, data } = signer(suite, thin);
        let (key, pairs) = (secret.key(), [(input, output)]);
        let proof = Thin::prove(suite, &secret, &pairs, &data).unwrap();
        assert_eq!(proof.encode_in(suite), theirs, "{comment}");
        assert_eq!(Thin::decode_in(suite, &theirs).as_ref(), Ok(&proof), "{comment}");
        assert_eq!(Thin::decode(&proof.encode()).as_ref(), Ok(&proof), "{comment}");
        proof.verify(suite, &key, &pairs, &data).expect(comment);
        assert!(proof.verify(suite, &key, &pairs, b"other data").is_err());

        let comment = tiny["comment"].as_str().unwrap();
        let theirs = [&tiny["proof_c"], &tiny["proof_s"]].map(hex).concat();
        let Signer { secret, input, output, data } = signer(suite, tiny);
        let (key, pairs) = (secret.key(), [(input, output)]);
        let proof = Tiny::prove(suite, &secret, &pairs, &data).unwrap();
        assert_eq!(proof.encode()[..], theirs, "{comment}");
        assert_eq!(Tiny::decode(&proof.encode()).as_ref(), Ok(&proof), "{comment}");
        proof.verify(suite, &key, &pairs, &data).expect(comment);
        assert!(proof.verify(suite, &key, &pairs, b"other data").is_err());
    }
}

#[test]
fn the_thin_and_the_tiny_proofs_of_ark_vrf() {
    let texts = |name: &str| {
        ["thin", "tiny"].map(|kind| {
            let path = format!("{}/vectors/ark-vrf-0.6.1/{name}_{kind}.json", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).unwrap()
        })
    };
    single_signer(Suite::v1(), &texts("bandersnatch_sha-512_ell2"));
    single_signer(Suite::v2(), &texts("bandersnatch_v2_sha-512_ell2"));
    single_signer(Suite::shake128(), &texts("bandersnatch_shake128_ell2"));
    single_signer(Suite::bandersnatch_sw(), &texts("bandersnatch_sw_sha-512_tai"));
    single_signer(Suite::jubjub(), &texts("jubjub_sha-512_tai"));
}

fn ark_vrf<C: Embedded>(suite: &Suite<C>, setup: &Arc<Setup>, text: &str) {
    let vectors: Value = serde_json::from_str(text).unwrap();
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 7);
    for vector in vectors {
        let comment = vector["comment"].as_str().unwrap();
        let (Signer { secret, input, output, data }, proof) = pedersen(suite, vector);
        let keys = hex(&vector["ring_pks"]);
        let keys = keys.chunks_exact(keys.len() / 8);
        let keys: Vec<Key<C>> = keys.map(|k| Key::decode_in(suite, k).unwrap()).collect();
        let ring = Ring::with_members(setup, suite.bases(), &keys).unwrap();
        assert_eq!(ring.commitment().encode()[..], hex(&vector["ring_pks_com"]), "{comment}");
        let prover = Prover::new(setup, &ring).unwrap().without_blinding();
        let signature = Signature::new(suite, (&prover, 3), &secret, &input, &data).unwrap();
        assert_eq!(signature.ring.encode()[..], hex(&vector["ring_proof"]), "{comment}");

        let commitment = Commitment::decode(&hex(&vector["ring_pks_com"])).unwrap();
        let verifier = Verifier::new(ring.params(), setup.key(), &commitment);
        let ring = Proof::decode(&hex(&vector["ring_proof"])).unwrap();
        let theirs = Signature { output, pedersen: proof, ring };
        assert_eq!(theirs, signature);
        let whole =
            [output.encode_in(suite), theirs.pedersen.encode_in(suite), hex(&vector["ring_proof"])].concat();
        assert_eq!(signature.encode_in(suite), whole);
        assert_eq!(Signature::decode_in(suite, &whole).as_ref(), Ok(&theirs));
        theirs.verify(suite, &verifier, &input, &data).expect(comment);
        assert!(theirs.verify(suite, &verifier, &input, b"other data").is_err());
        assert!(theirs.verify(suite, &verifier, &suite.input(b"other input").unwrap(), &data).is_err());
    }
}

#[test]
fn the_signatures_of_ark_vrf_v1() {
    ark_vrf(
        Suite::v1(),
        &setup(),
        include_str!("../../../vectors/ark-vrf-0.6.1/bandersnatch_sha-512_ell2_ring.json"),
    );
}

#[test]
fn the_signatures_of_ark_vrf_v2() {
    ark_vrf(
        Suite::v2(),
        &setup(),
        include_str!("../../../vectors/ark-vrf-0.6.1/bandersnatch_v2_sha-512_ell2_ring.json"),
    );
}

#[test]
fn the_signatures_of_ark_vrf_shake128() {
    ark_vrf(
        Suite::shake128(),
        &setup(),
        include_str!("../../../vectors/ark-vrf-0.6.1/bandersnatch_shake128_ell2_ring.json"),
    );
}

#[test]
fn the_signatures_of_ark_vrf_in_weierstrass_form() {
    ark_vrf(
        Suite::bandersnatch_sw(),
        &setup(),
        include_str!("../../../vectors/ark-vrf-0.6.1/bandersnatch_sw_sha-512_tai_ring.json"),
    );
}

#[test]
fn the_signatures_of_ark_vrf_on_jubjub() {
    ark_vrf(
        Suite::jubjub(),
        &setup_on_jubjub(),
        include_str!("../../../vectors/ark-vrf-0.6.1/jubjub_sha-512_tai_ring.json"),
    );
}

/// Tickets of a file, their ids, and whether all of them are valid.
fn jam(text: &str) -> (usize, usize) {
    let suite = Suite::jam();
    let file: Value = serde_json::from_str(text).unwrap();
    let state = &file["pre_state"];
    let keys: Vec<Key> =
        state["gamma_k"].as_array().unwrap().iter().map(|v| key(&v["bandersnatch"])).collect();
    let ring = Ring::with_members(&setup(), suite.bases(), &keys).unwrap();
    let commitment = Commitment::decode(&hex(&state["gamma_z"])).unwrap();
    assert_eq!(ring.commitment(), commitment);
    let verifier = Verifier::new(ring.params(), setup().key(), &commitment);
    let accumulated = serde_json::to_string(&file["post_state"]["gamma_a"]).unwrap();
    let (mut valid, mut known) = (0, 0);
    for ticket in file["input"]["extrinsic"].as_array().unwrap() {
        let attempt = ticket["attempt"].as_u64().unwrap() as u8;
        let message = [b"jam_ticket_seal", &hex(&state["eta"][2])[..], &[attempt]].concat();
        let input = suite.input(&message).unwrap();
        let bytes = hex(&ticket["signature"]);
        let Ok(signature) = Signature::decode(&bytes) else { continue };
        assert_eq!(signature.encode()[..], bytes);
        if signature.verify(suite, &verifier, &input, b"").is_ok() {
            valid += 1;
            let id: String = signature.output.hash(suite).iter().map(|b| format!("{b:02x}")).collect();
            known += usize::from(accumulated.contains(&id));
        }
    }
    (valid, known)
}

#[test]
fn the_tickets_of_jam() {
    let all_valid = [
        include_str!("../../../vectors/jam-test-vectors/publish-tickets-no-mark-2.json"),
        include_str!("../../../vectors/jam-test-vectors/publish-tickets-no-mark-6.json"),
        include_str!("../../../vectors/jam-test-vectors/publish-tickets-with-mark-1.json"),
        include_str!("../../../vectors/jam-test-vectors/publish-tickets-with-mark-2.json"),
        include_str!("../../../vectors/jam-test-vectors/publish-tickets-with-mark-3.json"),
    ];
    let counts = all_valid.map(jam);
    // The last block's tickets are too many: those with the greatest ids are not kept.
    assert_eq!(counts.map(|(valid, _)| valid), [3, 3, 2, 3, 3]);
    assert_eq!(counts[..4].iter().map(|(_, known)| known).sum::<usize>(), 11);
    let (valid, _) = jam(include_str!("../../../vectors/jam-test-vectors/publish-tickets-no-mark-5.json"));
    assert!(valid < 3, "one of them has a false proof");
}
