//! Suites that a user defines.

use curve::bandersnatch::Point;
use curve::embedded::{self, Embedded};
use curve::{CurveGroup, Field, PrimeField};

use super::single::as_ark_vrf;
use crate::tests::{setup, setup_on_jubjub};
use crate::vrf::pairs::Pairs;
use crate::vrf::suite::{Hashes, Kind, Purpose};
use crate::vrf::{
    ChallengeHash, Form, HashToCurve, Membership, Pedersen, Possession, Secret, Signature, Suite, SuiteName,
    SuiteParams, Thin, Tiny,
};
use crate::{Error, Invalid, Jubjub, Prover, Ring, Verifier};

const OWN: SuiteParams = SuiteParams::BANDERSNATCH;

#[test]
fn a_user_s_suite_signs_in_rings() {
    fn signs<C: Embedded>(suite: &Suite<C>, setup: &std::sync::Arc<crate::Setup>) {
        let secrets: Vec<_> = (0..3).map(|seed| Secret::from_seed(suite, &[seed; 32])).collect();
        let keys: Vec<_> =
            secrets.iter().map(|s| (s.key(), Possession::prove(suite, s, b"club").unwrap())).collect();
        let mut ring = Ring::new(setup, suite.bases());
        ring.append_proven(setup, suite, &keys, b"club").unwrap();
        let prover = Prover::new(setup, &ring).unwrap();
        let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
        let input = suite.input(b"vote").unwrap();
        let signature = Signature::new(suite, (&prover, 1), &secrets[1], &input, b"yes").unwrap();
        let signature = Signature::decode_in(suite, &signature.encode_in(suite)).unwrap();
        signature.verify(suite, &verifier, &input, b"yes").unwrap();
        assert!(signature.verify(suite, &verifier, &input, b"no").is_err());
        let proof = Membership::new(suite, (&prover, 2), &secrets[2], b"door").unwrap();
        proof.verify(suite, &verifier, b"door").unwrap();
    }
    let shake = SuiteParams { hash: ChallengeHash::Shake128, ..OWN };
    signs(&Suite::define("Club-v1", &shake).unwrap(), &setup());
    let to_curve = HashToCurve::TRY_AND_INCREMENT;
    let weierstrass = SuiteParams { form: Form::WEIERSTRASS, to_curve, ..OWN };
    signs(&Suite::define("Club-v1", &weierstrass).unwrap(), &setup());
    signs(&Suite::<Jubjub>::define("Club-v1", &SuiteParams::JUBJUB).unwrap(), &setup_on_jubjub());
}

/// By a suite with the constants of one of the library's, under its identifier, which no user is given.
#[test]
fn the_constants_of_a_suite_make_its_bytes() {
    fn the_same<C: Embedded>(theirs: &Suite<C>, kind: Kind, to_curve: HashToCurve<C>, form: Form<C>) {
        let (id, bases) = (core::str::from_utf8(theirs.id()).unwrap(), theirs.bases());
        // Derived, but for the seed of the suite in Weierstrass form.
        let seed = (!C::in_subgroup(bases.seed())).then_some(*bases.seed());
        let (hash, blinding, padding) = (ChallengeHash::Sha512, None, None);
        let params = SuiteParams { hash, to_curve, form, blinding, seed, padding };
        let own = Suite::derive(id, Hashes { kind, to_curve }, &params).unwrap();
        assert_eq!(own.bases(), bases);
        assert_ne!(own, *theirs, "a user's suite has no name");
        let secret = Secret::from_seed(theirs, &[1; 32]);
        assert_eq!(secret, Secret::from_seed(&own, &[1; 32]));
        let pair = secret.pair(&theirs.input(b"input").unwrap());
        assert_eq!(own.input(b"input"), Ok(pair.0));
        assert_eq!(pair.1.hash(&own), pair.1.hash(theirs));
        let [a, b] = [theirs, &own].map(|suite| {
            let (pedersen, _) = Pedersen::prove(suite, &secret, &[pair], b"data").unwrap();
            let thin = Thin::prove(suite, &secret, &[pair], b"data").unwrap();
            let tiny = Tiny::prove(suite, &secret, &[pair], b"data").unwrap();
            let possession = Possession::prove(suite, &secret, b"context").unwrap().encode();
            let proofs = [pedersen.encode_in(suite), thin.encode_in(suite), possession.to_vec()];
            (proofs, tiny.encode())
        });
        assert_eq!(a, b);
    }
    the_same(Suite::v1(), Kind::Sha512, HashToCurve::ELLIGATOR2_SHORT, Form::EDWARDS);
    the_same(Suite::v2(), Kind::Sha512, HashToCurve::ELLIGATOR2, Form::EDWARDS);
    the_same(Suite::shake128(), Kind::Shake128, HashToCurve::ELLIGATOR2, Form::EDWARDS);
    the_same(Suite::bandersnatch_sw(), Kind::Sha512, HashToCurve::TRY_AND_INCREMENT, Form::WEIERSTRASS);
    the_same(Suite::jubjub(), Kind::Sha512, HashToCurve::TRY_AND_INCREMENT, Form::EDWARDS);
}

/// Suites of these identifiers, with SHAKE128, that were defined over ark-vrf 0.6.1: their points and proofs of one signer.
#[test]
fn a_user_s_suite_is_that_of_ark_vrf() {
    const SHAKE: ChallengeHash = ChallengeHash::Shake128;
    let to_curve = HashToCurve::TRY_AND_INCREMENT;
    let weierstrass = SuiteParams { hash: SHAKE, form: Form::WEIERSTRASS, to_curve, ..OWN };
    let jubjub = SuiteParams { hash: SHAKE, ..SuiteParams::JUBJUB };
    let [club, sw] =
        [("Club-Votes-v1", SuiteParams { hash: SHAKE, ..OWN }), ("Club-Votes-SW-v1", weierstrass)]
            .map(|(name, params)| Suite::define(name, &params).unwrap());
    as_ark_vrf(&club);
    as_ark_vrf(&sw);
    as_ark_vrf(&Suite::define("Club-Votes-JubJub-v1", &jubjub).unwrap());
    let bases = club.bases();
    for (name, point) in [
        (&b"pedersen-blinding"[..], bases.blinding()),
        (b"ring-accumulator", bases.seed()),
        (b"ring-padding", bases.padding()),
    ] {
        assert_eq!(club.input(name).unwrap().point(), point);
    }
}

/// Names of which one begins with the other, and equal constants: no signature or proof of one is one of the other.
#[test]
fn two_identifiers_accept_nothing_of_each_other() {
    let names = ["Club-v1", "Club-v10", "Club-v1.0", "club-v1"];
    let first = Suite::define(names[0], &OWN).unwrap();
    let (h, s, p) = (*first.bases().blinding(), *first.bases().seed(), *first.bases().padding());
    let params = SuiteParams { blinding: Some(h), seed: Some(s), padding: Some(p), ..OWN };
    let suites: Vec<Suite> = names.map(|name| Suite::define(name, &params).unwrap()).to_vec();
    assert_eq!(suites[0], first, "the points are the derived ones");
    let secret = Secret::from_seed(&first, &[1; 32]);
    let (key, pair) = (secret.key(), secret.pair(&first.input(b"input").unwrap()));
    let rings = suites.iter().map(|s| Ring::with_members(&setup(), s.bases(), &[key]).unwrap());
    let rings: Vec<Ring> = rings.collect();
    let verifiers: Vec<_> =
        rings.iter().map(|r| Verifier::new(r.params(), setup().key(), &r.commitment())).collect();
    for (i, suite) in suites.iter().enumerate() {
        let prover = Prover::new(&setup(), &rings[i]).unwrap();
        let signature = Signature::new(suite, (&prover, 0), &secret, &pair.0, b"d").unwrap();
        let thin = Thin::prove(suite, &secret, &[pair], b"d").unwrap();
        let tiny = Tiny::prove(suite, &secret, &[pair], b"d").unwrap();
        let possession = Possession::prove(suite, &secret, b"c").unwrap();
        for (j, other) in suites.iter().enumerate() {
            let verdicts = [
                signature.pedersen.verify(other, &[pair], b"d"),
                verifiers[j].verify(signature.pedersen.blinded(), &signature.ring),
                signature.verify(other, &verifiers[j], &pair.0, b"d"),
                thin.verify(other, &key, &[pair], b"d"),
                tiny.verify(other, &key, &[pair], b"d"),
                possession.verify(other, &key, b"c"),
            ];
            assert!(verdicts.iter().all(|verdict| verdict.is_ok() == (i == j)), "{i} {j} {verdicts:?}");
            let foreign = signature.verify(other, &verifiers[i], &pair.0, b"d");
            assert_eq!(foreign, if i == j { Ok(()) } else { Err(Invalid("a verifier of another suite")) });
            assert_eq!(suite == other, i == j);
            assert_eq!(suite.input(b"x") == other.input(b"x"), i == j);
        }
    }
}

/// A hash goes on behind the identifier with a byte that no identifier has, so that none is the beginning of another one's.
#[test]
fn what_follows_an_identifier_is_in_none() {
    use Purpose::{Input, Output, Pedersen, Possession, Thin, Tiny};
    for purpose in [Tiny, Thin, Pedersen, Output, Input, Possession] {
        let byte = purpose as u8;
        assert!(!(byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)), "{purpose:?}");
    }
    // The label of the transcript of ring proofs is followed by its length, in four bytes, of which the first is 0.
}

#[test]
fn identifiers_are_checked() {
    let define = |name: &str| Suite::define(name, &OWN).map(|suite| suite.to_string());
    assert_eq!(define("A"), Ok("A".to_string()));
    assert_eq!(define(&"a".repeat(128)), Ok("a".repeat(128)));
    const LENGTH: Error = Error::Identifier("1 to 128 bytes are expected");
    const ALPHABET: Error =
        Error::Identifier("letters, digits, '-', '_' and '.' are expected, and nothing else");
    const TAKEN: Error = Error::Identifier("a suite of this library has it: choose another one");
    assert_eq!(define(""), Err(LENGTH));
    assert_eq!(define(&"a".repeat(129)), Err(LENGTH));
    for wrong in ["Club v1", "Club\0", "Club`", "Club@", "Clüb", "\u{1}", " "] {
        assert_eq!(define(wrong), Err(ALPHABET), "{wrong:?}");
    }
    for name in SuiteName::ALL {
        assert_eq!(define(name.as_str()), Err(TAKEN));
        let jubjub = Suite::<Jubjub>::define(name.as_str(), &SuiteParams::JUBJUB);
        assert_eq!(jubjub, Err(TAKEN), "on every curve");
    }
}

#[test]
fn points_of_a_suite_are_checked() {
    const OFF: Error = Error::Bases("a point is not on the curve, or the identity");
    const OUTSIDE: Error = Error::Bases("a point is outside the subgroup");
    const SAME: Error = Error::Bases("two points are the same");
    const OPPOSITE: Error = Error::Bases("two points are opposites");
    const GENERATOR: Error = Error::Bases("a point is the generator or its opposite");
    let suite = Suite::define("Club-v1", &OWN).unwrap();
    let two = Point::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    let good = *suite.input(b"point").unwrap().point();
    let off = Point::new_unchecked(good.x, good.x);
    let g = suite.generator();
    let outside = (good + two).into_affine();
    let cases = [
        (Point::zero(), OFF),
        (off, OFF),
        (two, OUTSIDE),
        (outside, OUTSIDE),
        (g, GENERATOR),
        (-g, GENERATOR),
    ];
    for (point, expected) in cases {
        for at in 0..3 {
            let mut params = OWN;
            *[&mut params.blinding, &mut params.seed, &mut params.padding][at] = Some(point);
            assert_eq!(Suite::define("Club-v1", &params), Err(expected), "{at}");
        }
    }
    let all = [suite.bases().blinding(), suite.bases().seed(), suite.bases().padding()];
    for (at, taken) in [(0, all[1]), (0, all[2]), (1, all[0]), (1, all[2]), (2, all[0]), (2, all[1])] {
        let mut params = OWN;
        *[&mut params.blinding, &mut params.seed, &mut params.padding][at] = Some(*taken);
        assert_eq!(Suite::define("Club-v1", &params), Err(SAME));
    }
    for (at, taken) in [(0, all[1]), (0, all[2]), (1, all[0]), (1, all[2]), (2, all[0]), (2, all[1])] {
        let mut params = OWN;
        *[&mut params.blinding, &mut params.seed, &mut params.padding][at] = Some(-*taken);
        assert_eq!(Suite::define("Club-v1", &params), Err(OPPOSITE));
    }
    // The same for the part in the subgroup of a seed that is outside.
    const NO_SUM: Error = Error::Bases("the seed has no sum with another point");
    let sw = Suite::bandersnatch_sw();
    let half = curve::bandersnatch::Fr::from(2_u64).inverse().unwrap();
    let part = ((*sw.bases().seed() + sw.bases().seed()) * half).into_affine();
    for point in [part, -part] {
        for at in 0..2 {
            let mut params = SuiteParams { seed: Some(*sw.bases().seed()), ..OWN };
            *[&mut params.blinding, &mut params.padding][at] = Some(point);
            assert_eq!(Suite::define("Club-v1", &params), Err(NO_SUM), "{at}");
        }
    }
    let params = SuiteParams { padding: Some(good), ..OWN };
    let own = Suite::define("Club-v1", &params).unwrap();
    assert_eq!([own.bases().padding(), own.bases().seed()], [&good, all[1]]);
    let two: embedded::Point<Jubjub> =
        embedded::Point::<Jubjub>::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    let params = SuiteParams { seed: Some(two), ..SuiteParams::JUBJUB };
    assert_eq!(Suite::define("Club-v1", &params), Err(OUTSIDE));
}

#[test]
fn suites_are_equal_if_all_of_them_is() {
    let suite = |params: &SuiteParams| Suite::define("Club-v1", params).unwrap();
    let own = suite(&OWN);
    assert_eq!(own, suite(&OWN));
    assert_ne!(own, Suite::define("Club-v2", &OWN).unwrap());
    assert_ne!(own, suite(&SuiteParams { hash: ChallengeHash::Shake128, ..OWN }));
    assert_ne!(own, suite(&SuiteParams { to_curve: HashToCurve::TRY_AND_INCREMENT, ..OWN }));
    assert_ne!(own, suite(&SuiteParams { form: Form::WEIERSTRASS, ..OWN }));
    let padding = Some(*own.input(b"point").unwrap().point());
    assert_ne!(own, suite(&SuiteParams { padding, ..OWN }));
    assert_eq!(own.name(), None);
    let text = format!("{own:?}");
    let start = "Suite { id: Club-v1, hash: Sha512, to_curve: ELLIGATOR2, form: EDWARDS, bases: ";
    assert!(text.starts_with(start), "{text}");
}

/// **Why an identifier has one set of points**: a blinding depends on the secret and on what is signed, not on `H`. Who is given `H` and `2 H` under one identifier
/// subtracts the blinded keys, and has the key.
#[test]
fn two_blinding_bases_of_one_identifier_show_the_signer() {
    let suite = Suite::define("Club-v1", &OWN).unwrap();
    let twice = (*suite.bases().blinding() + suite.bases().blinding()).into_affine();
    let other = Suite::define("Club-v1", &SuiteParams { blinding: Some(twice), ..OWN }).unwrap();
    let secret = Secret::from_seed(&suite, &[1; 32]);
    let pair = secret.pair(&suite.input(b"vote").unwrap());
    let [one, two] =
        [&suite, &other].map(|suite| Pedersen::prove(suite, &secret, &[pair], b"yes").unwrap().0);
    let shown = (*one.blinded() + one.blinded() - two.blinded()).into_affine();
    assert_eq!(shown, *secret.public(), "as the documentation says");
}

/// `expand_message_xof` has the message in front of the identifier, so that a message can be what a suite hashes for another purpose: here the factors of pairs, of an identifier whose tag has
/// as many bytes as the number that factors end with.
#[test]
fn messages_stand_in_front_of_the_identifier_in_one_hash() {
    let params = SuiteParams { hash: ChallengeHash::Shake128, ..OWN };
    let suite = Suite::define("Club-v1", &params).unwrap();
    let long = Suite::define(&"a".repeat(0x30 - 1), &params).unwrap();
    let point = *suite.input(b"a").unwrap().point();
    let behind = [&[0, 96], long.id(), &[Purpose::Input as u8]].concat();
    let pairs = Pairs::new(&suite, Purpose::Pedersen, [[point, point]; 7].into_iter(), &behind);
    let mut message = [suite.id(), &[Purpose::Pedersen as u8], &7_u64.to_le_bytes()].concat();
    message.extend(suite.encode_point(&point).repeat(14));
    message.extend((behind.len() as u64).to_le_bytes());
    let factors = pairs.factors[1..].iter().map(embedded::encode_scalar::<curve::bandersnatch::Bandersnatch>);
    let bytes: Vec<u8> = factors.flat_map(|bytes| bytes[..16].to_vec()).collect();
    let elements = [&bytes[..48], &bytes[48..]].map(curve::bls12_381::Fr::from_be_bytes_mod_order);
    let expected = curve::bandersnatch::map_to_curve(elements);
    assert_eq!(*long.input(&message).unwrap().point(), expected);
}
