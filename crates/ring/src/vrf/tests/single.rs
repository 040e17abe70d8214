//! Thin and tiny proofs: what must and what must not be accepted.

use serde_json::Value;

use curve::bandersnatch::{Bandersnatch, Fr, Point};
use curve::embedded::{Embedded, encode_point, encode_scalar};
use curve::{CurveGroup, One, PrimeField};

use crate::tests::scalar;
use crate::tests::timing::quiet;
use crate::tests::vectors::hex;
use crate::vrf::pairs::{Equation, Pairs};
use crate::vrf::single::encode_challenge;
use crate::vrf::suite::Purpose;
use crate::vrf::{Input, Output, Secret, Suite, Thin, Tiny};
use crate::{Error, Invalid, Key};

const NOT_OF_THE_KEY: Invalid = Invalid("not a proof of these outputs with these data, or not by this key");
const IDENTITY: Invalid = Invalid("the identity says nothing");

pub(super) type Pair<C = Bandersnatch> = (Input<C>, Output<C>);

pub(super) fn pairs<C: Embedded>(suite: &Suite<C>, secret: &Secret<C>, messages: &[&[u8]]) -> Vec<Pair<C>> {
    messages.iter().map(|message| secret.pair(&suite.input(message).unwrap())).collect()
}

/// Both proofs of what a prover answers by `secret` for `key`, honest but for these.
fn answered<C: Embedded>(
    suite: &Suite<C>,
    secret: &Secret<C>,
    key: &Key<C>,
    pairs: &[Pair<C>],
    data: &[u8],
) -> (Thin<C>, Tiny<C>) {
    let of = |purpose| Pairs::of_signer(suite, purpose, key, pairs, data).unwrap();
    (Thin::answer(suite, secret, &of(Purpose::Thin)), Tiny::answer(suite, secret, &of(Purpose::Tiny)))
}

/// Proofs that ark-vrf made of the key of seed `[3; 32]` for the messages `a`, `b`, `c`, the first `n` of them for `n = 0 .. 3`, and `data`.
pub(super) fn as_ark_vrf<C: Embedded>(suite: &Suite<C>) {
    const FILE: &str = include_str!("../../../vectors/by-ark-vrf-0.6.1/one_signer.json");
    let file: Value = serde_json::from_str(FILE).unwrap();
    let vector = file.as_array().unwrap().iter().find(|v| v["suite"] == suite.to_string()).unwrap();
    let secret = Secret::from_seed(suite, &[3; 32]);
    assert_eq!(secret.key().encode_in(suite), hex(&vector["pk"]), "{suite}");
    for (name, point) in
        [&b"pedersen-blinding"[..], b"ring-accumulator", b"ring-padding"].iter().zip([0, 1, 2])
    {
        assert_eq!(suite.input(name).unwrap().encode_in(suite), hex(&vector["points"][point]), "{suite}");
    }
    let all = pairs(suite, &secret, &[b"a", b"b", b"c"]);
    for count in 0..=3 {
        let thin = Thin::prove(suite, &secret, &all[..count], b"data").unwrap();
        let tiny = Tiny::prove(suite, &secret, &all[..count], b"data").unwrap();
        assert_eq!(thin.encode_in(suite), hex(&vector["thin"][count]), "{suite}, {count}");
        assert_eq!(tiny.encode()[..], hex(&vector["tiny"][count]), "{suite}, {count}");
    }
}

#[test]
fn several_inputs_are_proven_as_ark_vrf_does() {
    for suite in [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::bandersnatch_sw()] {
        as_ark_vrf(suite);
    }
    as_ark_vrf(Suite::jubjub());
}

#[test]
fn proofs_of_one_signer_are_for_one_statement() {
    for suite in [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::bandersnatch_sw()] {
        is_for_one_statement(suite);
    }
    is_for_one_statement(Suite::jubjub());
}

fn is_for_one_statement<C: Embedded>(suite: &Suite<C>) {
    let [secret, other] = [1, 2].map(|seed| Secret::from_seed(suite, &[seed; 32]));
    let all = pairs(suite, &secret, &[b"a", b"b", b"c"]);
    let [a, b, c] = all[..] else { unreachable!() };
    let key = secret.key();
    for count in 0..=3 {
        let own = &all[..count];
        let thin = Thin::prove(suite, &secret, own, b"data").unwrap();
        let tiny = Tiny::prove(suite, &secret, own, b"data").unwrap();
        let both = |key: &Key<C>, pairs: &[Pair<C>], data: &[u8]| {
            [thin.verify(suite, key, pairs, data), tiny.verify(suite, key, pairs, data)]
        };
        assert_eq!(both(&key, own, b"data"), [Ok(()), Ok(())]);
        let refused = [Err(NOT_OF_THE_KEY), Err(NOT_OF_THE_KEY)];
        assert_eq!(both(&key, own, b"date"), refused, "other data");
        assert_eq!(both(&other.key(), own, b"data"), refused, "another key");
        for wrong in [&[][..], &[a], &[b], &[b, a], &[a, b], &[a, c], &[a, b, c], &[a, b, c, c], &[c, b, a]] {
            if wrong != own {
                assert_eq!(both(&key, wrong, b"data"), refused, "{count}, other pairs");
            }
        }
        if let [.., last] = own {
            let input = suite.input(b"d").unwrap();
            for pair in [(input, last.1), (last.0, other.output(&last.0)), secret.pair(&input)] {
                let mut wrong = own.to_vec();
                wrong[count - 1] = pair;
                assert_eq!(both(&key, &wrong, b"data"), refused, "{count}, input or output");
            }
        }
    }
}

#[test]
fn every_byte_of_a_proof_of_one_signer_counts() {
    fn counts<C: Embedded>(suite: &Suite<C>) {
        let secret = Secret::from_seed(suite, &[1; 32]);
        let (key, own) = (secret.key(), pairs(suite, &secret, &[b"a"]));
        let thin = Thin::prove(suite, &secret, &own, b"data").unwrap().encode_in(suite);
        let tiny = Tiny::prove(suite, &secret, &own, b"data").unwrap().encode();
        for flip in [1, 0x40, 0x80] {
            for at in 0..thin.len() {
                let mut bytes = thin.clone();
                bytes[at] ^= flip;
                let valid = Thin::decode_in(suite, &bytes).and_then(|p| p.verify(suite, &key, &own, b"data"));
                assert!(valid.is_err(), "{suite}, byte {at}");
            }
            for at in 0..tiny.len() {
                let mut bytes = tiny;
                bytes[at] ^= flip;
                let valid = Tiny::decode(&bytes).and_then(|p| p.verify(suite, &key, &own, b"data"));
                assert!(valid.is_err(), "{suite}, byte {at}");
            }
        }
    }
    counts(Suite::v1());
    counts(Suite::bandersnatch_sw());
    counts(Suite::jubjub());
}

/// Neither a proof of another suite, nor one kind of proof as the other. (The tiny one's `R` is that of its equation.)
#[test]
fn a_proof_is_of_one_suite_and_kind() {
    let suites = [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::bandersnatch_sw()];
    let secret = Secret::from_seed(Suite::v1(), &[1; 32]);
    let (key, own) = (secret.key(), pairs(Suite::v1(), &secret, &[b"a"]));
    for suite in suites {
        let thin = Thin::prove(suite, &secret, &own, b"data").unwrap();
        let tiny = Tiny::prove(suite, &secret, &own, b"data").unwrap();
        for other in suites {
            let expected = if other == suite { Ok(()) } else { Err(NOT_OF_THE_KEY) };
            assert_eq!(thin.verify(other, &key, &own, b"data"), expected);
            assert_eq!(tiny.verify(other, &key, &own, b"data"), expected);
        }
        let Equation { pairs, challenge } = tiny.equation(suite, &key, &own, b"data").unwrap();
        let as_thin = Thin { part: pairs.commitment(tiny.response, challenge), response: tiny.response };
        assert_eq!(as_thin.verify(suite, &key, &own, b"data"), Err(NOT_OF_THE_KEY));
        let challenge = thin.equation(suite, &key, &own, b"data").unwrap().challenge;
        let challenge = encode_challenge::<Bandersnatch>(&challenge);
        let as_tiny = Tiny { part: challenge, response: thin.response };
        assert_eq!(as_tiny.verify(suite, &key, &own, b"data"), Err(NOT_OF_THE_KEY));
    }
}

/// Provers who are honest but for one deviation, which each takes into the challenge.
#[test]
fn malicious_signers_are_refused() {
    let suite = Suite::v1();
    let [secret, other] = [1, 2].map(|seed| Secret::from_seed(suite, &[seed; 32]));
    let (key, own) = (secret.key(), pairs(suite, &secret, &[b"a", b"b"]));
    let (a, b) = (own[0], own[1]);
    let refused = |proofs: (Thin, Tiny), key: &Key, pairs: &[Pair], what: &str| {
        assert_eq!(proofs.0.verify(suite, key, pairs, b"d"), Err(NOT_OF_THE_KEY), "thin, {what}");
        assert_eq!(proofs.1.verify(suite, key, pairs, b"d"), Err(NOT_OF_THE_KEY), "tiny, {what}");
    };
    let honest = answered(suite, &secret, &key, &own, b"d");
    honest.0.verify(suite, &key, &own, b"d").unwrap();
    honest.1.verify(suite, &key, &own, b"d").unwrap();
    let statements: [(&str, &Secret, Key, Vec<Pair>); 5] = [
        ("an output of another key", &secret, key, vec![a, (b.0, other.output(&b.0))]),
        ("outputs and answers of another key", &other, key, pairs(suite, &other, &[b"a", b"b"])),
        ("the key of another signer", &secret, other.key(), own.clone()),
        ("an output for another input", &secret, key, vec![a, (suite.input(b"c").unwrap(), b.1)]),
        ("outputs for each other's inputs, whose sums are right", &secret, key, vec![(a.0, b.1), (b.0, a.1)]),
    ];
    for (what, by, key, wrong) in statements {
        refused(answered(suite, by, &key, &wrong, b"d"), &key, &wrong, what);
    }
    let one = Fr::one();
    let (thin, tiny) = honest.clone();
    let moved = (
        Thin { response: thin.response + one, ..thin.clone() },
        Tiny { response: tiny.response + one, ..tiny.clone() },
    );
    refused(moved, &key, &own, "another response");
    // A challenge of the prover's choice, answered well.
    let merged = |purpose| Pairs::of_signer(suite, purpose, &key, &own, b"d").unwrap();
    let (k, c) = (scalar(3), Fr::from(7_u64));
    let chosen = (
        Thin { part: (merged(Purpose::Thin).input() * k).into_affine(), response: k + c * secret.scalar() },
        Tiny { part: encode_challenge::<Bandersnatch>(&c), response: k + c * secret.scalar() },
    );
    refused(chosen, &key, &own, "another challenge");
    // Without a secret: R = s I - c O holds for each c, which is then not the hash of R.
    let (s, pairs) = (scalar(5), merged(Purpose::Thin));
    let simulated = Thin { part: pairs.commitment(s, c), response: s };
    let simulated = (simulated, Tiny { part: encode_challenge::<Bandersnatch>(&c), response: s });
    refused(simulated, &key, &own, "a simulated proof");
    let apart = Thin { part: (thin.part + suite.generator()).into_affine(), ..thin };
    assert_eq!(apart.verify(suite, &key, &own, b"d"), Err(NOT_OF_THE_KEY), "another commitment");
}

/// **Why inputs are hashes**: of an input whose logarithm is known every point is an output. With `I = h G` and `O = o G` the combinations are of one scalar, which the
/// prover computes.
#[test]
fn an_input_of_known_logarithm_has_every_output() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let [h, o]: [Fr; 2] = [scalar(3), scalar(5)];
    let [input, output] = [h, o].map(|k| (suite.generator() * k).into_affine());
    let (key, chosen) = (secret.key(), [(Input(input), Output(output))]);
    assert_ne!(secret.output(&chosen[0].0), chosen[0].1);
    let pairs = Pairs::of_signer(suite, Purpose::Thin, &key, &chosen, b"d").unwrap();
    let z = pairs.factors[1];
    let combined = (*secret.scalar() + z * o) / (Fr::one() + z * h);
    let combined = Secret::decode(&encode_scalar::<Bandersnatch>(&combined)).unwrap();
    Thin::answer(suite, &combined, &pairs)
        .verify(suite, &key, &chosen, b"d")
        .expect("as the documentation says");
}

#[test]
fn no_identity_and_no_point_of_small_order() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let (key, own) = (secret.key(), pairs(suite, &secret, &[b"a"]));
    let thin = Thin::prove(suite, &secret, &own, b"d").unwrap();
    let tiny = Tiny::prove(suite, &secret, &own, b"d").unwrap();
    let zero = Point::zero();
    for wrong in [(Input(zero), own[0].1), (own[0].0, Output(zero)), (Input(zero), Output(zero))] {
        for wrong in [vec![wrong], vec![own[0], wrong]] {
            assert_eq!(thin.verify(suite, &key, &wrong, b"d"), Err(IDENTITY));
            assert_eq!(tiny.verify(suite, &key, &wrong, b"d"), Err(IDENTITY));
            assert_eq!(Thin::prove(suite, &secret, &wrong, b"d"), Err(Error::Invalid(IDENTITY)));
        }
    }
    // Keys, inputs and outputs are never the identity, nor outside of the subgroup: see their tests. R is inside.
    let two = Point::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    let mut bytes = thin.encode();
    bytes[..32].copy_from_slice(&encode_point(&(thin.part + two).into_affine()));
    assert_eq!(Thin::<Bandersnatch>::decode(&bytes), Err(Invalid("no point of the subgroup")));
    bytes[..32].copy_from_slice(&encode_point(&two));
    assert_eq!(Thin::<Bandersnatch>::decode(&bytes), Err(Invalid("no point of the subgroup")));
}

#[test]
fn proofs_of_one_signer_have_one_encoding() {
    fn order<C: Embedded>(response: &[u8]) -> Vec<u8> {
        let modulus = C::ScalarField::MODULUS.0;
        let mut carry = 0;
        let words = response.as_chunks::<8>().0.iter().zip(modulus).map(|(word, m)| {
            let sum = u128::from(u64::from_le_bytes(*word)) + u128::from(m) + carry;
            carry = sum >> 64;
            (sum as u64).to_le_bytes()
        });
        words.collect::<Vec<_>>().concat()
    }
    fn one_encoding<C: Embedded>(suite: &Suite<C>) {
        const SCALAR: Invalid = Invalid("a scalar that is not reduced");
        let secret = Secret::from_seed(suite, &[1; 32]);
        let own = pairs(suite, &secret, &[b"a"]);
        let mut thin = Thin::prove(suite, &secret, &own, b"d").unwrap().encode_in(suite);
        let mut tiny = Tiny::prove(suite, &secret, &own, b"d").unwrap().encode();
        assert!(Thin::decode_in(suite, &thin[..thin.len() - 1]).is_err());
        let longer = [&thin[..], &[0]].concat();
        assert_eq!(Thin::decode_in(suite, &longer), Err(Invalid("too many bytes")));
        // A commitment that is the identity, as the encoding has it and with a sign.
        let mut identity = thin.clone();
        let point = suite.encode_point(&curve::embedded::Point::<C>::zero());
        identity[..point.len()].copy_from_slice(&point);
        let decoded = Thin::decode_in(suite, &identity).unwrap();
        assert_eq!(decoded.verify(suite, &secret.key(), &own, b"d"), Err(NOT_OF_THE_KEY));
        identity[point.len() - 1] |= 0x80;
        assert!(Thin::decode_in(suite, &identity).is_err());
        let at = thin.len() - 32;
        let more = order::<C>(&thin[at..]);
        thin[at..].copy_from_slice(&more);
        assert_eq!(Thin::decode_in(suite, &thin), Err(SCALAR));
        let more = order::<C>(&tiny[16..]);
        tiny[16..].copy_from_slice(&more);
        assert_eq!(Tiny::<C>::decode(&tiny), Err(SCALAR));
    }
    one_encoding(Suite::v1());
    one_encoding(Suite::bandersnatch_sw());
    one_encoding(Suite::jubjub());
}

#[test]
fn what_a_signer_is_not_given_proofs_of() {
    let suite = Suite::v1();
    let [secret, other] = [1, 2].map(|seed| Secret::from_seed(suite, &[seed; 32]));
    let foreign = pairs(suite, &other, &[b"a"]);
    let refused = Error::Invalid(NOT_OF_THE_KEY);
    assert_eq!(Thin::prove(suite, &secret, &foreign, b"d"), Err(refused));
    assert_eq!(Tiny::prove(suite, &secret, &foreign, b"d"), Err(refused));
    let none = Invalid("this suite has no thin and no tiny proofs");
    let own = pairs(Suite::jam(), &secret, &[b"a"]);
    assert_eq!(Thin::prove(Suite::jam(), &secret, &own, b"d"), Err(Error::Invalid(none)));
    assert_eq!(Tiny::prove(Suite::jam(), &secret, &own, b"d"), Err(Error::Invalid(none)));
    let (thin, tiny) =
        (Thin::prove(suite, &secret, &[], b"d").unwrap(), Tiny::prove(suite, &secret, &[], b"d").unwrap());
    assert_eq!(thin.verify(Suite::jam(), &secret.key(), &[], b"d"), Err(none));
    assert_eq!(tiny.verify(Suite::jam(), &secret.key(), &[], b"d"), Err(none));
}

/// What is computed on the secret. (The prover's own check is not: its time depends on the proof, which is public.)
#[test]
#[ignore = "alone: scripts/test has a step for it"]
fn timing_of_the_answer_of_one_signer() {
    let suite = Suite::v1();
    let draw = || Secret::generate(suite).unwrap();
    let one = Secret::decode(&encode_scalar::<Bandersnatch>(&Fr::one())).unwrap();
    let input = [draw().pair(&suite.input(b"timing").unwrap())];
    let pairs = Pairs::of_signer(suite, Purpose::Thin, &draw().key(), &input, b"data").unwrap();
    for (name, fixed) in [("one", one), ("always the same", draw())] {
        quiet(&format!("answer of one signer, secret {name} or any"), &fixed, draw, |secret| {
            Thin::answer(suite, secret, &pairs)
        });
    }
}
