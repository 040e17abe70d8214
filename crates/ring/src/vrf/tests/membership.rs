//! Membership without a tag; and what a ring proof alone does not show.

use curve::CurveGroup;
use curve::bandersnatch::Point;

use crate::tests::{members, scalar, setup};
use crate::vrf::{Input, Membership, Pedersen, Secret, Suite, SuiteName};
use crate::{Bases, Error, Invalid, Key, Params, Prover, Ring, Verifier};

#[test]
fn membership_of_every_suite_and_nothing_that_links_two_proofs() {
    for suite in [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::bandersnatch_sw()] {
        let secrets: Vec<Secret> = (0..3).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
        let keys: Vec<Key> = secrets.iter().map(Secret::key).collect();
        let ring = Ring::with_members(&setup(), suite.bases(), &keys).unwrap();
        let prover = Prover::new(&setup(), &ring).unwrap();
        let verifier = Verifier::new(ring.params(), setup().key(), &ring.commitment());
        let [a, b] = [(); 2].map(|()| Membership::new(suite, (&prover, 1), &secrets[1], b"door").unwrap());
        for proof in [&a, &b] {
            proof.verify(suite, &verifier, b"door").unwrap();
            assert!(proof.verify(suite, &verifier, b"other door").is_err());
        }
        assert_ne!(a.pedersen.blinded(), b.pedersen.blinded(), "one blinded key for two proofs");
        let bytes = a.encode();
        assert_eq!(Membership::decode(&bytes), Ok(a.clone()));
        assert!(Membership::<crate::Bandersnatch>::decode(&bytes[1..]).is_err());
        assert!(Membership::<crate::Bandersnatch>::decode(&[&bytes[..], &[0]].concat()).is_err());
        let written = a.encode_in(suite);
        assert_eq!(Membership::decode_in(suite, &written), Ok(a.clone()));
        assert!(Membership::decode_in(suite, &written[1..]).is_err());
        assert!(Membership::decode_in(suite, &[&written[..], &[0]].concat()).is_err());
        let mixed = Membership { ring: b.ring, ..a };
        assert!(mixed.verify(suite, &verifier, b"door").is_err());
        let stranger = Secret::from_seed(suite, &[9; 32]);
        let refused = Membership::new(suite, (&prover, 1), &stranger, b"door");
        assert_eq!(refused, Err(Error::Mismatch("the key in this slot is another")));
    }
    let (suite, ring) =
        (Suite::jam(), Ring::with_members(&setup(), Suite::jam().bases(), &members(2)).unwrap());
    let prover = Prover::new(&setup(), &ring).unwrap();
    let refused = Membership::new(suite, (&prover, 0), &Secret::from_seed(suite, &[1; 32]), b"");
    assert!(
        matches!(refused, Err(Error::Invalid(Invalid("this suite has one input and one output")))),
        "{refused:?}"
    );
}

/// Another suite is refused, and other points under its name, which no transcript tells apart.
#[test]
fn membership_is_of_one_suite() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let rings =
        [suite, Suite::v2()].map(|s| Ring::with_members(&setup(), s.bases(), &[secret.key()]).unwrap());
    let [own, foreign] = rings.each_ref().map(|ring| Prover::new(&setup(), ring).unwrap());
    let refused = Membership::new(suite, (&foreign, 0), &secret, b"door");
    assert_eq!(refused, Err(Error::Mismatch("a prover of another suite")));
    let proof = Membership::new(suite, (&own, 0), &secret, b"door").unwrap();
    let (bases, padding) = (suite.bases(), *Suite::v2().bases().padding());
    let bases = Bases::new(suite.id(), *bases.blinding(), *bases.seed(), padding).unwrap();
    let params = Params { bases, ..rings[0].params().clone() };
    let verifier = Verifier::new(&params, setup().key(), &rings[0].commitment());
    verifier.verify(proof.pedersen.blinded(), &proof.ring).expect("the same ring proof");
    assert_eq!(proof.verify(suite, &verifier, b"door"), Err(Invalid("a verifier of another suite")));
}

/// **What a ring proof alone does not show**: for the padding of an empty slot everybody makes one that verifies. The prover makes none, and the second
/// proof, that a secret is known, is nobody's: that of another blinded key does not fit.
#[test]
fn the_padding_of_an_empty_slot_is_no_member() {
    let suite = Suite::v1();
    let secrets: Vec<Secret> = (0..3).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
    let keys: Vec<Key> = secrets.iter().map(Secret::key).collect();
    let ring = Ring::with_members(&setup(), suite.bases(), &keys).unwrap();
    let mut prover = Prover::new(&setup(), &ring).unwrap();
    let verifier = Verifier::new(ring.params(), setup().key(), &ring.commitment());
    for slot in [3, 254] {
        assert_eq!(prover.prove(slot, &scalar(5)).err(), Some(Error::Index));
    }
    prover.take_every_slot();
    let (result, proof) = prover.prove(3, &scalar(5)).unwrap();
    let expected: Point = (*suite.bases().blinding() * scalar(5) + suite.bases().padding()).into_affine();
    assert_eq!(result, expected);
    verifier.verify(&result, &proof).expect("as the documentation says");
    // Signed with a secret of the prover's choice, the blinded key is another one.
    let (pedersen, _) = Pedersen::prove(suite, &secrets[0], &[], b"door").unwrap();
    let stolen = Membership { pedersen, ring: proof.clone() };
    assert!(stolen.verify(suite, &verifier, b"door").is_err());
    // With the padding's blinded key in its place, nobody has responses.
    let mut bytes = stolen.encode();
    bytes[..32].copy_from_slice(&curve::bandersnatch::encode_point(&result));
    let stolen = Membership::decode(&bytes).unwrap();
    assert_eq!(stolen.verify(suite, &verifier, b"door"), Err(Invalid("the blinded key is not known")));
}

#[test]
fn suites_have_names() {
    for name in SuiteName::ALL {
        assert_eq!(name.to_string().parse(), Ok(name));
        let ids =
            [name.bandersnatch().map(|s| (s.id(), s.name())), name.jubjub().map(|s| (s.id(), s.name()))];
        let [id] = ids.into_iter().flatten().collect::<Vec<_>>()[..] else { panic!("one suite: {name}") };
        assert_eq!(id, (name.as_str().as_bytes(), Some(name)));
    }
    for wrong in ["", "v1", "Bandersnatch-SHA512-ELL2-v3", "bandersnatch-sha512-ell2-v1"] {
        assert_eq!(wrong.parse::<SuiteName>(), Err(Invalid("no suite of this name")));
    }
}

#[test]
fn inputs_have_one_encoding() {
    for suite in [Suite::v1(), Suite::bandersnatch_sw()] {
        let input = suite.input(b"context").unwrap();
        assert_eq!(Input::decode_trusted(&input.encode()), Ok(input));
        let bytes = input.encode_in(suite);
        assert_eq!(Input::decode_trusted_in(suite, &bytes), Ok(input));
        assert!(Input::decode_trusted_in(suite, &bytes[1..]).is_err());
        assert!(Input::decode_trusted_in(suite, &[&bytes[..], &[0]].concat()).is_err());
    }
    let identity = curve::bandersnatch::encode_point(&Point::zero());
    assert_eq!(
        Input::<crate::Bandersnatch>::decode_trusted(&identity),
        Err(Invalid("the input is the identity"))
    );
}
