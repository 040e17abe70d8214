//! The five proofs of w3f-ring-proof 0.0.11, byte for byte.

use std::sync::Arc;

use serde_json::Value;

use crate::{Bases, Batch, Domain, Key, Proof, Prover, Ring, Setup, Verifier, VerifierKey};
use curve::bandersnatch::{self, Point};
use curve::bls12_381;
use curve::srs::Srs;

const W3F: &str = include_str!("../../vectors/w3f-ring-proof-0.0.11/vectors.json");

pub(crate) fn hex(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    let text = text.strip_prefix("0x").unwrap_or(text);
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

pub(crate) fn point(value: &Value) -> Point {
    bandersnatch::decode_point(&hex(value).try_into().unwrap()).unwrap()
}

pub(crate) fn key(value: &Value) -> Key {
    Key::decode(&hex(value).try_into().unwrap()).unwrap()
}

struct Case {
    bases: Bases,
    setup: Arc<Setup>,
    keys: Vec<Key>,
    index: usize,
    blinding: bandersnatch::Fr,
    outputs: Value,
    comment: String,
}

fn cases() -> Vec<Case> {
    let vectors: Value = serde_json::from_str(W3F).unwrap();
    let one = |vector: &Value| {
        let inputs = &vector["inputs"];
        let domain = Domain::new(inputs["domain_size"].as_u64().unwrap() as usize).unwrap();
        let tau = bls12_381::decode_fr(&hex(&inputs["srs_tau"]).try_into().unwrap()).unwrap();
        let srs = Srs::insecure_from_tau(tau, domain.powers());
        let label = inputs["transcript_label"].as_str().unwrap().as_bytes().to_vec();
        let of = |name: &str| point(&inputs[name]);
        Case {
            bases: Bases::new(label, of("h"), of("seed"), of("padding")).unwrap(),
            setup: Arc::new(Setup::new(&srs, domain).unwrap()),
            keys: inputs["ring"].as_array().unwrap().iter().map(key).collect(),
            index: inputs["prover_index"].as_u64().unwrap() as usize,
            blinding: bandersnatch::decode_fr(&hex(&inputs["blinding"]).try_into().unwrap()).unwrap(),
            outputs: vector["outputs"].clone(),
            comment: vector["comment"].as_str().unwrap().to_string(),
        }
    };
    vectors.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn the_vectors_of_w3f_are_verified_and_made_again() {
    let cases = cases();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let comment = &case.comment;
        let expected = |name: &str| hex(&case.outputs[name]);
        let ring = Ring::with_members(&case.setup, &case.bases, &case.keys).unwrap();
        assert_eq!(ring.verifier_key().encode()[..], expected("verifier_key"), "{comment}");
        let key = VerifierKey::decode(&expected("verifier_key")).unwrap();
        assert_eq!(key, ring.verifier_key());

        let verifier = Verifier::from_key(ring.params(), case.setup.key(), &key).unwrap();
        let result = point(&case.outputs["result"]);
        let proof = Proof::decode(&expected("proof")).unwrap();
        assert_eq!(proof.encode()[..], expected("proof"));
        verifier.verify(&result, &proof).expect(comment);
        Batch::verify_all(case.setup.key(), &[&verifier], &[result], &[proof]).expect(comment);

        let prover = Prover::new(&case.setup, &ring).unwrap();
        let (again, proof) = prover.prove(case.index, &case.blinding).unwrap();
        assert_eq!(again, result);
        assert_ne!(proof.encode()[..], expected("proof"), "{comment}: a proof without random rows");
        verifier.verify(&result, &proof).expect(comment);
        let (again, proof) = prover.without_blinding().prove(case.index, &case.blinding).unwrap();
        assert_eq!(again, result);
        assert_eq!(proof.encode()[..], expected("proof"), "{comment}");
    }
}
