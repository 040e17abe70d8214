//! ark-vrf's signatures, made again and verified; JAM's tickets verified; what must not be accepted.

use serde_json::Value;

use curve::CurveGroup;
use curve::bandersnatch::{Point, decode_point, encode_fr, encode_point};

use super::{Input, Output, Pedersen, Possession, Secret, Signature, Suite};
use crate::tests::vectors::{hex, key, point};
use crate::tests::{members, setup};
use crate::{Bases, Commitment, Invalid, Key, Params, Proof, Prover, Ring, Verifier};

fn bytes<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().unwrap()
}

fn ark_vrf(suite: &Suite, text: &str) {
    let vectors: Value = serde_json::from_str(text).unwrap();
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 7);
    for vector in vectors {
        let comment = vector["comment"].as_str().unwrap();
        let secret = Secret::decode(&bytes(&vector["sk"])).unwrap();
        assert_eq!(*secret.public(), point(&vector["pk"]), "{comment}");
        let input = suite.input(&hex(&vector["alpha"])).unwrap();
        assert_eq!(*input.point(), point(&vector["h"]), "{comment}");
        let output = secret.output(&input);
        assert_eq!(output.encode(), bytes(&vector["gamma"]), "{comment}");
        assert_eq!(output.hash(suite), bytes(&vector["beta"]), "{comment}");

        let data = hex(&vector["ad"]);
        let (pedersen, blinding) = Pedersen::prove(suite, &secret, &[(input, output)], &data);
        assert_eq!(encode_fr(&blinding), bytes(&vector["blinding"]), "{comment}");
        let parts = ["pk_com", "r", "ok", "s", "sb"].map(|name| hex(&vector[format!("proof_{name}")]));
        assert_eq!(pedersen.encode()[..], parts.concat(), "{comment}");

        let keys: Vec<Key> =
            hex(&vector["ring_pks"]).as_chunks().0.iter().map(|k| Key::decode(k).unwrap()).collect();
        let ring = Ring::with_members(&setup(), suite.bases(), &keys).unwrap();
        assert_eq!(ring.commitment().encode()[..], hex(&vector["ring_pks_com"]), "{comment}");
        let prover = Prover::new(&setup(), &ring).unwrap().without_blinding();
        let signature = Signature::new(suite, (&prover, 3), &secret, &input, &data).unwrap();
        assert_eq!(signature.ring.encode()[..], hex(&vector["ring_proof"]), "{comment}");

        let commitment = Commitment::decode(&hex(&vector["ring_pks_com"])).unwrap();
        let verifier = Verifier::new(ring.params(), setup().key(), &commitment);
        let theirs = Signature {
            output: Output::decode(&bytes(&vector["gamma"])).unwrap(),
            pedersen: Pedersen::decode(parts.concat().as_slice().try_into().unwrap()).unwrap(),
            ring: Proof::decode(&hex(&vector["ring_proof"])).unwrap(),
        };
        assert_eq!(theirs, signature);
        theirs.verify(suite, &verifier, &input, &data).expect(comment);
        assert!(theirs.verify(suite, &verifier, &input, b"other data").is_err());
        assert!(theirs.verify(suite, &verifier, &suite.input(b"other input").unwrap(), &data).is_err());
    }
}

#[test]
fn the_signatures_of_ark_vrf_v1() {
    ark_vrf(Suite::v1(), include_str!("../../vectors/ark-vrf-0.6.1/bandersnatch_sha-512_ell2_ring.json"));
}

#[test]
fn the_signatures_of_ark_vrf_v2() {
    ark_vrf(Suite::v2(), include_str!("../../vectors/ark-vrf-0.6.1/bandersnatch_v2_sha-512_ell2_ring.json"));
}

#[test]
fn the_signatures_of_ark_vrf_shake128() {
    ark_vrf(
        Suite::shake128(),
        include_str!("../../vectors/ark-vrf-0.6.1/bandersnatch_shake128_ell2_ring.json"),
    );
}

#[test]
fn the_points_of_suites_are_hashes_of_their_names() {
    let names: [&[u8]; 3] = [b"pedersen-blinding", b"ring-accumulator", b"ring-padding"];
    let old: [&[u8]; 3] = [
        b"basis caecans lucis occultae quae mentem fugit et tenebras iis qui vident creat",
        b"substratum accumulatoris quod in silentio temporis arcanum absconditum custodit",
        b"umbra quae vacuum implet ab animabus perditis relictum inter tenebras resonans",
    ];
    for (suite, names) in
        [(Suite::v1(), names), (Suite::v2(), names), (Suite::shake128(), names), (Suite::jam(), old)]
    {
        let bases = suite.bases();
        for (name, expected) in names.into_iter().zip([bases.blinding(), bases.seed(), bases.padding()]) {
            assert_eq!(
                suite.input(name).unwrap().point(),
                expected,
                "{:?}",
                core::str::from_utf8(suite.id())
            );
        }
    }
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
        include_str!("../../vectors/jam-test-vectors/publish-tickets-no-mark-2.json"),
        include_str!("../../vectors/jam-test-vectors/publish-tickets-no-mark-6.json"),
        include_str!("../../vectors/jam-test-vectors/publish-tickets-with-mark-1.json"),
        include_str!("../../vectors/jam-test-vectors/publish-tickets-with-mark-2.json"),
        include_str!("../../vectors/jam-test-vectors/publish-tickets-with-mark-3.json"),
    ];
    let counts = all_valid.map(jam);
    // The last block's tickets are too many: those with the greatest ids are not kept.
    assert_eq!(counts.map(|(valid, _)| valid), [3, 3, 2, 3, 3]);
    assert_eq!(counts[..4].iter().map(|(_, known)| known).sum::<usize>(), 11);
    let (valid, _) = jam(include_str!("../../vectors/jam-test-vectors/publish-tickets-no-mark-5.json"));
    assert!(valid < 3, "one of them has a false proof");
}

#[test]
fn signatures_of_every_suite_and_no_others() {
    for suite in [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::jam()] {
        let secrets: Vec<Secret> = (0..4).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
        let keys: Vec<Key> = secrets.iter().map(Secret::key).collect();
        let ring = Ring::with_members(&setup(), suite.bases(), &keys).unwrap();
        let prover = Prover::new(&setup(), &ring).unwrap();
        let verifier = Verifier::new(ring.params(), setup().key(), &ring.commitment());
        let input = suite.input(b"a vote").unwrap();
        let signature = Signature::new(suite, (&prover, 2), &secrets[2], &input, b"yes").unwrap();
        let bytes = signature.encode();
        let decoded = Signature::decode(&bytes).unwrap();
        decoded.verify(suite, &verifier, &input, b"yes").unwrap();
        assert!(decoded.verify(suite, &verifier, &input, b"no").is_err());
        assert!(Signature::new(suite, (&prover, 1), &secrets[2], &input, b"yes").is_err(), "another slot");
        assert!(Signature::new(suite, (&prover, 9), &secrets[2], &input, b"yes").is_err(), "no slot");
        // The tag is of key and input alone, and another member's is another.
        let again = Signature::new(suite, (&prover, 2), &secrets[2], &input, b"no").unwrap();
        assert_eq!(again.output, signature.output);
        let other = Signature::new(suite, (&prover, 1), &secrets[1], &input, b"yes").unwrap();
        assert_ne!(other.output, signature.output);
        let stolen = Signature { output: other.output, ..signature.clone() };
        assert!(stolen.verify(suite, &verifier, &input, b"yes").is_err());
        let mixed = Signature { ring: other.ring, ..signature };
        assert!(
            mixed.verify(suite, &verifier, &input, b"yes").is_err(),
            "a ring proof for another blinded key"
        );
    }
}

#[test]
fn no_part_of_a_signature_can_be_another() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[7; 32]);
    let input = suite.input(b"input").unwrap();
    let output = secret.output(&input);
    let (proof, _) = Pedersen::prove(suite, &secret, &[(input, output)], b"data");
    proof.verify(suite, &[(input, output)], b"data").unwrap();
    let bytes = proof.encode();
    for at in 0..bytes.len() {
        for flip in [1, 0x80] {
            let mut other = bytes;
            other[at] ^= flip;
            let valid = Pedersen::decode(&other).and_then(|p| p.verify(suite, &[(input, output)], b"data"));
            assert!(valid.is_err(), "byte {at}");
        }
    }
    let identity = Output(Point::zero());
    assert!(Output::decode(&identity.encode()).is_err());
    assert!(proof.verify(suite, &[(input, identity)], b"data").is_err());
    assert!(proof.verify(suite, &[], b"data").is_err());
    assert!(proof.verify(suite, &[(input, output), (input, output)], b"data").is_err());
}

/// A member who blinds nothing and takes the identity for an output can answer each challenge.
#[test]
fn the_identity_is_nobodys_key_or_output() {
    let suite = Suite::v1();
    let zero = Secret::from_seed(suite, &[1; 32]).zeroed();
    let input = suite.input(b"input").unwrap();
    let output = Output(Point::zero());
    let (proof, blinding) = Pedersen::prove(suite, &zero, &[(input, output)], b"");
    assert_eq!(*proof.blinded(), (*suite.bases().blinding() * *blinding).into_affine());
    assert!(proof.verify(suite, &[(input, output)], b"").is_err());
    // Without the output the same proof is a good one: the check of the identity is all that stands in its way.
    let (proof, _) = Pedersen::prove(suite, &zero, &[], b"");
    proof.verify(suite, &[], b"").unwrap();
}

/// V1 alone: a blinded key that is the identity, opened by 0 and 0 as everybody can.
#[test]
fn the_identity_is_refused_for_itself() {
    const IDENTITY: Invalid = Invalid("the identity says nothing");
    let suite = Suite::v1();
    let zero = encode_point(&Point::zero());
    let nonce = encode_point(&(suite.generator() + *suite.bases().blinding()).into_affine());
    let one = encode_fr(&1_u64.into());
    let bytes = [zero, nonce, zero, one, one].concat();
    let lie = Pedersen::decode(bytes.as_slice().try_into().unwrap()).unwrap();
    assert_eq!(lie.verify(suite, &[], b""), Err(IDENTITY));
    let secret = Secret::from_seed(suite, &[1; 32]);
    let input = suite.input(b"input").unwrap();
    let none = [(Input(Point::zero()), secret.output(&input))];
    let (proof, _) = Pedersen::prove(suite, &secret, &none, b"");
    assert_eq!(proof.verify(suite, &none, b""), Err(IDENTITY));
}

/// V2 alone: the challenge is of the false output, and the blinded key is honest.
#[test]
fn a_tag_of_another_secret_is_refused_for_itself() {
    const FALSE: Invalid = Invalid("the output is not of the blinded key");
    for suite in [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::jam()] {
        let [a, b] = [1, 2].map(|i| Secret::from_seed(suite, &[i; 32]));
        let input = suite.input(b"x").unwrap();
        let lie = [(input, b.output(&input))];
        let (proof, _) = Pedersen::prove(suite, &a, &lie, b"d");
        assert_eq!(proof.verify(suite, &lie, b"d"), Err(FALSE));
    }
    // Outputs of the right secret for each other's inputs: without factors their sums are right.
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let inputs = [&b"i"[..], b"j", b"k"].map(|message| suite.input(message).unwrap());
    for swapped in [&[1, 0][..], &[1, 0, 2], &[0, 2, 1], &[2, 1, 0]] {
        let pair = |(i, j): (&Input, &usize)| (*i, secret.output(&inputs[*j]));
        let lie: Vec<_> = inputs.iter().zip(swapped).map(pair).collect();
        let (proof, _) = Pedersen::prove(suite, &secret, &lie, b"d");
        assert_eq!(proof.verify(suite, &lie, b"d"), Err(FALSE));
    }
}

/// The challenge of RFC 9381 does not bind the number of pairs.
#[test]
fn the_suite_of_jam_takes_one_pair() {
    let suite = Suite::jam();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let input = suite.input(b"x").unwrap();
    let pair = (input, secret.output(&input));
    let (proof, _) = Pedersen::prove(suite, &secret, &[pair], b"d");
    proof.verify(suite, &[pair], b"d").unwrap();
    for pairs in [&[][..], &[pair, pair]] {
        let refused = proof.verify(suite, pairs, b"d");
        assert_eq!(refused, Err(Invalid("this suite has one input and one output")));
    }
}

#[test]
fn several_inputs_are_proven_together() {
    let suite = Suite::v2();
    let secret = Secret::from_seed(suite, &[3; 32]);
    let pair = |message: &[u8]| {
        let input = suite.input(message).unwrap();
        (input, secret.output(&input))
    };
    let pairs = [pair(b"a"), pair(b"b"), pair(b"c")];
    let (proof, _) = Pedersen::prove(suite, &secret, &pairs, b"data");
    proof.verify(suite, &pairs, b"data").unwrap();
    let swapped = [(pairs[0].0, pairs[1].1), (pairs[1].0, pairs[0].1), pairs[2]];
    assert!(proof.verify(suite, &swapped, b"data").is_err());
    let [a, b, c] = pairs;
    assert!(proof.verify(suite, &[b, a, c], b"data").is_err());
}

#[test]
fn possession_is_of_one_key_in_one_context() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[5; 32]);
    let proof = Possession::prove(suite, &secret, b"ring 1");
    let proof = Possession::decode(&proof.encode()).unwrap();
    proof.verify(suite, &secret.key(), b"ring 1").unwrap();
    assert!(proof.verify(suite, &secret.key(), b"ring 2").is_err());
    assert!(proof.verify(Suite::v2(), &secret.key(), b"ring 1").is_err());
    assert!(proof.verify(suite, &members(1)[0], b"ring 1").is_err());
    let padding = Key::new(*suite.bases().padding()).unwrap();
    assert_eq!(proof.verify(suite, &padding, b"ring 1"), Err(Invalid("no key of a ring")));
    let bytes = proof.encode();
    for at in 0..bytes.len() {
        let mut other = bytes;
        other[at] ^= 1;
        assert!(Possession::decode(&other).and_then(|p| p.verify(suite, &secret.key(), b"ring 1")).is_err());
    }
}

#[test]
fn a_verifier_of_another_suite_is_refused() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let ring = Ring::with_members(&setup(), suite.bases(), &[secret.key()]).unwrap();
    let prover = Prover::new(&setup(), &ring).unwrap();
    let input = suite.input(b"input").unwrap();
    let signature = Signature::new(suite, (&prover, 0), &secret, &input, b"").unwrap();
    let bases =
        Bases::new(b"label", *suite.bases().blinding(), *suite.bases().seed(), *suite.bases().padding())
            .unwrap();
    let params = Params { bases, domain: setup().domain() };
    let verifier = Verifier::new(&params, setup().key(), &ring.commitment());
    assert!(signature.verify(suite, &verifier, &input, b"").is_err());
    assert!(Signature::new(Suite::v2(), (&prover, 0), &secret, &input, b"").is_err());
}

#[test]
fn secrets_and_outputs_have_one_encoding() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[2; 32]);
    assert_eq!(Secret::decode(&secret.encode()).unwrap(), secret);
    assert!(Secret::decode(&[0; 32]).is_err());
    assert!(Secret::decode(&[0xff; 32]).is_err());
    assert_ne!(secret, Secret::generate(suite).unwrap());
    assert!(!format!("{secret:?}").contains(&format!("{}", secret.scalar())));
    let mut alias = encode_point(&Point::zero());
    assert!(decode_point(&alias).is_ok());
    alias[31] |= 0x80;
    assert!(decode_point(&alias).is_err(), "the identity has no sign");
    let _: Input = suite.input(b"").unwrap();
}
