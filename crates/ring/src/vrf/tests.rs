//! What must and what must not be accepted; vectors of others.

mod batch;
mod define;
mod membership;
mod single;
mod thin_batch;
mod vectors;

use std::sync::Arc;

use curve::CurveGroup;
use curve::bandersnatch::{Bandersnatch, Point, decode_point, encode_fr, encode_point};
use curve::embedded::Embedded;
use curve::jubjub::Jubjub;

use super::{Input, Membership, Output, Pedersen, Possession, Secret, Signature, Suite};
use crate::tests::{members, setup, setup_on_jubjub};
use crate::{
    Bases, Batch, Domain, Error, Invalid, Key, KeyError, Params, Prover, Rejected, Ring, Setup, Verifier,
};

fn suites() -> [&'static Suite; 5] {
    [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::bandersnatch_sw(), Suite::jam()]
}

#[test]
fn the_points_of_suites_are_hashes_of_their_names() {
    fn are_hashes<C: Embedded>(suite: &Suite<C>, names: [&[u8]; 3]) {
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
    let names: [&[u8]; 3] = [b"pedersen-blinding", b"ring-accumulator", b"ring-padding"];
    let old: [&[u8]; 3] = [
        b"basis caecans lucis occultae quae mentem fugit et tenebras iis qui vident creat",
        b"substratum accumulatoris quod in silentio temporis arcanum absconditum custodit",
        b"umbra quae vacuum implet ab animabus perditis relictum inter tenebras resonans",
    ];
    for suite in [Suite::v1(), Suite::v2(), Suite::shake128()] {
        are_hashes(suite, names);
    }
    are_hashes(Suite::jam(), old);
    are_hashes(Suite::jubjub(), names);
}

/// The seed of the suite in Weierstrass form is a hash and the first point, by `X`, that is outside of the subgroup: `X = 0`.
#[test]
fn the_points_of_the_suite_in_weierstrass_form() {
    const OUTSIDE: &str = "29870564530691725960104983716673293929719207405660860235233811770612192692323";
    let (suite, bases) = (Suite::bandersnatch_sw(), Suite::bandersnatch_sw().bases());
    let hash = |name: &[u8]| *suite.input(name).unwrap().point();
    assert_eq!([bases.blinding(), bases.padding()], [&hash(b"pedersen-blinding"), &hash(b"ring-padding")]);
    let outside = Point::get_point_from_y_unchecked(OUTSIDE.parse().unwrap(), false).unwrap();
    assert_eq!(*bases.seed(), (outside + hash(b"ring-accumulator")).into_affine());
    // It fits, and the seeds at whose cosets equal `x` and `y` up to both signs could meet do not.
    let two = Point::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    for seed in [hash(b"ring-accumulator"), *bases.seed(), (*bases.seed() + two).into_affine()] {
        assert!(Bandersnatch::fits_seed(&seed));
    }
    assert!(!Bandersnatch::fits_seed(&(hash(b"ring-accumulator") + two).into_affine()));
    assert!(!Bandersnatch::in_subgroup(bases.seed()));
}

#[test]
fn signatures_of_every_suite_and_no_others() {
    for suite in suites() {
        signs_and_refuses(suite, &setup());
    }
    signs_and_refuses(Suite::jubjub(), &setup_on_jubjub());
}

fn signs_and_refuses<C: Embedded>(suite: &Suite<C>, setup: &Arc<Setup>) {
    let secrets: Vec<Secret<C>> = (0..4).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
    let keys: Vec<Key<C>> = secrets.iter().map(Secret::key).collect();
    let ring = Ring::with_members(setup, suite.bases(), &keys).unwrap();
    let prover = Prover::new(setup, &ring).unwrap();
    let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
    let input = suite.input(b"a vote").unwrap();
    let signature = Signature::new(suite, (&prover, 2), &secrets[2], &input, b"yes").unwrap();
    let bytes = signature.encode();
    assert_eq!(Signature::decode(&bytes).unwrap(), signature);
    let bytes = signature.encode_in(suite);
    let decoded = Signature::decode_in(suite, &bytes).unwrap();
    assert!(Signature::decode_in(suite, &bytes[1..]).is_err());
    assert!(Signature::decode_in(suite, &[&bytes[..], &[0]].concat()).is_err());
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
    assert!(mixed.verify(suite, &verifier, &input, b"yes").is_err(), "a ring proof for another blinded key");
}

#[test]
fn no_part_of_a_signature_can_be_another() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[7; 32]);
    let input = suite.input(b"input").unwrap();
    let output = secret.output(&input);
    let (proof, _) = Pedersen::prove(suite, &secret, &[(input, output)], b"data").unwrap();
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
    assert!(Output::<Bandersnatch>::decode(&identity.encode()).is_err());
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
    let (proof, blinding) = Pedersen::answer(suite, &zero, &[(input, output)], [b"", b""]);
    assert_eq!(*proof.blinded(), (*suite.bases().blinding() * *blinding).into_affine());
    assert!(proof.verify(suite, &[(input, output)], b"").is_err());
    // Without the output the same proof is a good one: the check of the identity is all that stands in its way.
    let (proof, _) = Pedersen::answer(suite, &zero, &[], [b"", b""]);
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
    let forged = Pedersen::decode(bytes.as_slice().try_into().unwrap()).unwrap();
    assert_eq!(forged.verify(suite, &[], b""), Err(IDENTITY));
    let secret = Secret::from_seed(suite, &[1; 32]);
    let input = suite.input(b"input").unwrap();
    let none = [(Input(Point::zero()), secret.output(&input))];
    let (proof, _) = Pedersen::answer(suite, &secret, &none, [b"", b""]);
    assert_eq!(proof.verify(suite, &none, b""), Err(IDENTITY));
}

/// V2 alone: the challenge is of the false output, and the blinded key is honest.
#[test]
fn a_tag_of_another_secret_is_refused_for_itself() {
    const FALSE: Invalid =
        Invalid("not a signature on this message in this context, or not by the key that it hides");
    for suite in suites() {
        let [a, b] = [1, 2].map(|i| Secret::from_seed(suite, &[i; 32]));
        let input = suite.input(b"x").unwrap();
        let forged = [(input, b.output(&input))];
        let (proof, _) = Pedersen::answer(suite, &a, &forged, [b"d", b""]);
        assert_eq!(proof.verify(suite, &forged, b"d"), Err(FALSE));
    }
    // Outputs of the right secret for each other's inputs: without factors their sums are right.
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let inputs = [&b"i"[..], b"j", b"k"].map(|message| suite.input(message).unwrap());
    for swapped in [&[1, 0][..], &[1, 0, 2], &[0, 2, 1], &[2, 1, 0]] {
        let pair = |(i, j): (&Input, &usize)| (*i, secret.output(&inputs[*j]));
        let forged: Vec<_> = inputs.iter().zip(swapped).map(pair).collect();
        let (proof, _) = Pedersen::answer(suite, &secret, &forged, [b"d", b""]);
        assert_eq!(proof.verify(suite, &forged, b"d"), Err(FALSE));
    }
}

/// Keys, outputs and proofs in a form of 33 bytes: whole, and the encodings of points of the subgroup.
#[test]
fn bytes_in_weierstrass_form_are_checked() {
    let suite = Suite::bandersnatch_sw();
    let secret = Secret::from_seed(suite, &[4; 32]);
    let input = suite.input(b"input").unwrap();
    let pair = (input, secret.output(&input));
    let (proof, _) = Pedersen::prove(suite, &secret, &[pair], b"data").unwrap();
    let (key, output, bytes) =
        (secret.key().encode_in(suite), pair.1.encode_in(suite), proof.encode_in(suite));
    assert_eq!([key.len(), output.len(), bytes.len()], [33, 33, 163]);
    assert_eq!(Key::decode_in(suite, &key), Ok(secret.key()));
    assert_eq!(Output::decode_in(suite, &output), Ok(pair.1));
    assert_eq!(Pedersen::decode_in(suite, &bytes), Ok(proof));
    for length in [0, 32, 34] {
        let other = vec![1; length];
        assert!(Key::decode_in(suite, &other).is_err() && Output::decode_in(suite, &other).is_err());
        assert!(Pedersen::decode_in(suite, &bytes[..128 + length]).is_err());
    }
    let longer = |bytes: &[u8]| [bytes, &[0]].concat();
    assert_eq!(Key::decode_in(suite, &longer(&key)), Err(KeyError::Encoding));
    assert_eq!(Output::decode_in(suite, &longer(&output)), Err(Invalid("too many bytes")));
    assert_eq!(Pedersen::decode_in(suite, &longer(&bytes)), Err(Invalid("too many bytes")));
    let mut identity = [0; 33];
    identity[32] = 0x40;
    assert_eq!(Key::decode_in(suite, &identity), Err(KeyError::Identity));
    assert_eq!(Output::decode_in(suite, &identity), Err(Invalid("the output is the identity")));
    for at in 0..bytes.len() {
        for flip in [1, 0x40, 0x80] {
            let mut other = bytes.clone();
            other[at] ^= flip;
            let valid = Pedersen::decode_in(suite, &other).and_then(|p| p.verify(suite, &[pair], b"data"));
            assert!(valid.is_err(), "byte {at}");
        }
    }
}

/// The challenge of RFC 9381 does not bind the number of pairs.
#[test]
fn the_suite_of_jam_takes_one_pair() {
    let suite = Suite::jam();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let input = suite.input(b"x").unwrap();
    let pair = (input, secret.output(&input));
    let (proof, _) = Pedersen::prove(suite, &secret, &[pair], b"d").unwrap();
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
    let (proof, _) = Pedersen::prove(suite, &secret, &pairs, b"data").unwrap();
    proof.verify(suite, &pairs, b"data").unwrap();
    let swapped = [(pairs[0].0, pairs[1].1), (pairs[1].0, pairs[0].1), pairs[2]];
    assert!(proof.verify(suite, &swapped, b"data").is_err());
    let [a, b, c] = pairs;
    assert!(proof.verify(suite, &[b, a, c], b"data").is_err());
}

/// Nonces do not depend on chance: what a fault makes wrong must not be seen, or two responses for one nonce give the secret.
#[test]
fn what_a_fault_makes_wrong_is_not_given_out() {
    let suite = Suite::v1();
    let [secret, other] = [0, 1].map(|i| Secret::from_seed(suite, &[i; 32]));
    let ring = Ring::with_members(&setup(), suite.bases(), &[secret.key(), other.key()]).unwrap();
    let prover = Prover::new(&setup(), &ring).unwrap();
    let input = suite.input(b"a vote").unwrap();
    let all = |secret: &Secret, slot: usize| {
        [
            Pedersen::prove(suite, secret, &[secret.pair(&input)], b"d").err(),
            Possession::prove(suite, secret, b"c").err(),
            Signature::new(suite, (&prover, slot), secret, &input, b"d").err(),
            Membership::new(suite, (&prover, slot), secret, b"d").err(),
        ]
    };
    assert_eq!(all(&secret, 0).map(|refused| refused.map(|e| e.to_string())), [const { None }; 4]);
    // The ring proof is of the key in the slot, and holds.
    let refused = all(&secret.faulty(&other), 1);
    assert!(refused.iter().all(|e| matches!(e, Some(Error::Invalid(_)))), "{refused:?}");
    // Outputs of another secret, and a number of pairs that the suite has not, are errors too.
    let [secret, other] = [0, 1].map(|i| Secret::from_seed(suite, &[i; 32]));
    assert!(Pedersen::prove(suite, &secret, &[other.pair(&input)], b"d").is_err());
    let jam = Suite::jam();
    assert!(Pedersen::prove(jam, &Secret::from_seed(jam, &[1; 32]), &[], b"d").is_err());
}

#[test]
fn possession_is_of_one_key_in_one_context() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[5; 32]);
    let proof = Possession::prove(suite, &secret, b"ring 1").unwrap();
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
    assert_eq!(signature.verify(suite, &verifier, &input, b""), Err(Invalid("a verifier of another suite")));
    let other = Signature::new(Suite::v2(), (&prover, 0), &secret, &input, b"");
    assert_eq!(other, Err(Error::Mismatch("a prover of another suite")));
}

#[test]
fn secrets_and_outputs_have_one_encoding() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[2; 32]);
    assert_eq!(Secret::decode(&secret.encode()).unwrap(), secret);
    assert!(Secret::<Bandersnatch>::decode(&[0; 32]).is_err());
    assert!(Secret::<Bandersnatch>::decode(&[0xff; 32]).is_err());
    assert_ne!(secret, Secret::generate(suite).unwrap());
    assert!(!format!("{secret:?}").contains(&format!("{}", secret.scalar())));
    let mut alias = encode_point(&Point::zero());
    assert!(decode_point(&alias).is_ok());
    alias[31] |= 0x80;
    assert!(decode_point(&alias).is_err(), "the identity has no sign");
    let _: Input = suite.input(b"").unwrap();
}

/// Rings on two curves over one setup: one batch, and no proof of one for the other.
#[test]
fn rings_on_two_curves_in_one_batch() {
    fn one<C: Embedded>(suite: &Suite<C>, setup: &Arc<Setup>) -> (Verifier<C>, Signature<C>) {
        let secret = Secret::from_seed(suite, &[6; 32]);
        let ring = Ring::with_members(setup, suite.bases(), &[secret.key()]).unwrap();
        let prover = Prover::new(setup, &ring).unwrap();
        let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
        let input = suite.input(b"input").unwrap();
        let signature = Signature::new(suite, (&prover, 0), &secret, &input, b"").unwrap();
        signature.verify(suite, &verifier, &input, b"").unwrap();
        (verifier, signature)
    }
    let (v, a) = one(Suite::v1(), &setup());
    let (w, b) = one(Suite::jubjub(), &setup_on_jubjub());
    let mut batch = Batch::new(setup().key());
    batch.push(&v, a.pedersen.blinded(), &a.ring).unwrap();
    batch.push(&w, b.pedersen.blinded(), &b.ring).unwrap();
    batch.verify().unwrap();
    batch.push(&v, a.pedersen.blinded(), &b.ring).unwrap();
    batch.push(&w, b.pedersen.blinded(), &a.ring).unwrap();
    assert_eq!(batch.verify(), Err(Rejected::Items(vec![2, 3])));
}

#[test]
fn a_setup_is_for_scalars_of_one_length() {
    let [here, there] = [setup(), setup_on_jubjub()];
    assert_eq!([here.domain().capacity(), there.domain().capacity()], [255, 256]);
    assert_ne!(here.domain(), there.domain());
    let (bytes, srs) = (there.write(), curve::srs::Srs::zcash());
    assert!(Setup::read_trusted(&bytes, srs, here.domain()).is_err());
    let read = Setup::read(&bytes, srs, Domain::on::<Jubjub>(512).unwrap()).unwrap();
    assert_eq!(read.write(), bytes);
    let wrong = Ring::with_members(&here, Suite::jubjub().bases(), &[]);
    assert_eq!(wrong.err(), Some(Error::Mismatch("a setup for keys on another curve")));
}

#[test]
#[should_panic(expected = "a setup for keys on another curve")]
fn an_empty_ring_is_of_a_setup_for_its_curve() {
    let _ = Ring::new(&setup(), Suite::jubjub().bases());
}
