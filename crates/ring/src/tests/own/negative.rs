//! `negative.json`: what must not be accepted, each with a reason. A case says what of the scene it changes.

mod judge;
mod points;

use serde_json::{Value, json};

use super::super::adversaries::deviating;
use super::super::scalar;
use super::{From, file, keys, name, secret, text};
use crate::adversary::Deviation;
use crate::vrf::{Possession, Signature, Suite};
use crate::{Key, Proof, Prover, Ring};
use curve::bandersnatch::{self, Point, encode_fr, encode_point};
use curve::bls12_381::{Fr, G1, encode_fr as encode_scalar, encode_g1};
use curve::{AffineRepr, CurveGroup, One, PrimeField};
use points::{beyond, nowhere, nowhere_in, outside, outside_in};

const ROWS: usize = 512;
const FIRST: u64 = 2;
const COUNT: usize = 5;
const INDEX: usize = 2;
/// What an opening that does not hold is refused with.
const FALSE: &str = "an opening is false";
const NO_OUTPUT: &str = "not a signature on this message in this context, or not by the key that it hides";
/// Where the points and the scalars of a proof are.
const POINTS: [(usize, &str); 7] = [
    (0, "b"),
    (48, "ip"),
    (96, "x"),
    (144, "y"),
    (416, "q"),
    (496, "the opening"),
    (544, "the shifted opening"),
];
const SCALARS: [(usize, &str); 8] = [
    (192, "px"),
    (224, "py"),
    (256, "s"),
    (288, "b"),
    (320, "ip"),
    (352, "x"),
    (384, "y"),
    (464, "the linear part"),
];

/// A ring, a proof and a signature of the member in slot [`INDEX`].
struct Scene {
    ring: Ring,
    prover: Prover,
    result: Point,
    proof: Proof,
    signature: Signature,
}

impl Scene {
    fn new() -> Self {
        let setup = From::Zcash.setup(ROWS);
        let suite = Suite::v1();
        let ring = Ring::with_members(&setup, suite.bases(), &keys(FIRST, COUNT)).unwrap();
        let prover = Prover::new(&setup, &ring).unwrap().without_blinding();
        let (result, proof) = prover.prove(INDEX, &scalar(7)).unwrap();
        let input = suite.input(b"context").unwrap();
        let member = secret(FIRST + INDEX as u64);
        let signature = Signature::new(suite, (&prover, INDEX), &member, &input, b"data").unwrap();
        Self { ring, prover, result, proof, signature }
    }

    fn json(&self) -> Value {
        let possession = Possession::prove(Suite::v1(), &secret(FIRST), b"ring").unwrap();
        json!({
            "suite": name(Suite::v1()), "rows": ROWS, "setup": From::Zcash.json(),
            "members": { "first": FIRST, "count": COUNT },
            "commitment": text(&self.ring.commitment().encode()),
            "verifier_key": text(&self.ring.verifier_key().encode()),
            "result": text(&encode_point(&self.result)), "proof": text(&self.proof.encode()),
            "input": "context", "data": "data", "signature": text(&self.signature.encode()),
            "key": text(&keys(FIRST, 1)[0].encode()), "context": "ring", "possession": text(&possession.encode()),
        })
    }
}

/// A case: why it is refused, with which words here, and what is changed.
fn case(reason: impl Into<String>, error: &str, mut changes: Value) -> Value {
    changes["reason"] = json!(reason.into());
    changes["error"] = json!(error);
    changes
}

/// `bytes` with others from `at` on.
fn with(bytes: &[u8], at: usize, piece: &[u8]) -> String {
    let mut all = bytes.to_vec();
    all[at..at + piece.len()].copy_from_slice(piece);
    text(&all)
}

/// Proofs that are none, before anything is computed.
fn malformed_proofs(scene: &Scene) -> Vec<Value> {
    let bytes = scene.proof.encode();
    let proof = |reason: &str, error: &str, proof: String| case(reason, error, json!({ "proof": proof }));
    let mut identity = [0; 48];
    identity[0] = 0xe0;
    let mut plain = encode_g1(&scene.proof.columns[0]);
    plain[0] &= 0x7f;
    let first: [u8; 32] = bytes[192..224].try_into().unwrap();
    let modulus = Fr::MODULUS.0.map(u64::to_le_bytes);
    let length = "a proof has 592 bytes";
    let mut all = vec![
        proof("a byte too many", length, text(&bytes) + "00"),
        proof("a byte too few", length, text(&bytes[..591])),
        proof("no byte", length, String::new()),
        proof(
            "the first scalar is the modulus",
            "a scalar that is not reduced",
            with(&bytes, 192, modulus.as_flattened()),
        ),
        proof(
            "the first scalar and the modulus: a second encoding",
            "a scalar that is not reduced",
            with(&bytes, 192, &points::plus(&first, &Fr::MODULUS.0)),
        ),
        proof("the identity with a sign", "no point of the curve", with(&bytes, 0, &identity)),
        proof("a point without the flag of compression", "no point of the curve", with(&bytes, 0, &plain)),
        proof("x is not reduced: a second encoding", "no point of the curve", with(&bytes, 0, &beyond())),
    ];
    for (at, what) in [POINTS[0], POINTS[6]] {
        all.push(proof(
            &format!("{what}: a point that is not on the curve"),
            "no point of the curve",
            with(&bytes, at, &nowhere()),
        ));
        all.push(proof(
            &format!("{what}: a point outside the subgroup"),
            "the point is outside the subgroup",
            with(&bytes, at, &outside()),
        ));
    }
    all
}

/// Proofs whose parts are changed after they were made.
fn changed_proofs(scene: &Scene) -> Vec<Value> {
    let bytes = scene.proof.encode();
    let proof = |reason: String, proof: String| case(reason, FALSE, json!({ "proof": proof }));
    let mut identity = [0; 48];
    identity[0] = 0xc0;
    let mut all = Vec::new();
    for (at, what) in POINTS {
        all.push(proof(format!("{what} is the identity"), with(&bytes, at, &identity)));
    }
    let values = scene.proof.values.iter().chain([&scene.proof.shifted]);
    for ((at, what), value) in SCALARS.into_iter().zip(values) {
        let other = encode_scalar(&(*value + Fr::one()));
        all.push(proof(format!("the value of {what} is another"), with(&bytes, at, &other)));
    }
    let moved = (scene.proof.quotient + G1::generator()).into_affine();
    all.push(proof("the quotient is another".into(), with(&bytes, 416, &encode_g1(&moved))));
    let mut negative = bytes;
    negative[496] ^= 0x20;
    all.push(proof("the opening is its negative".into(), text(&negative)));
    let swap = |a: usize, b: usize| {
        let mut other = bytes;
        other[a..a + 48].copy_from_slice(&bytes[b..b + 48]);
        other[b..b + 48].copy_from_slice(&bytes[a..a + 48]);
        text(&other)
    };
    all.push(proof("the openings are exchanged".into(), swap(496, 544)));
    all.push(proof("the columns x and y are exchanged".into(), swap(96, 144)));
    all
}

/// A good proof for something else.
fn proofs_for_others(scene: &Scene) -> Vec<Value> {
    let setup = From::Zcash.setup(ROWS);
    let commitment = |keys: &[Key]| {
        let ring = Ring::with_members(&setup, Suite::v1().bases(), keys).unwrap();
        text(&ring.commitment().encode())
    };
    let mut members = keys(FIRST, COUNT);
    let fewer = commitment(&members[..COUNT - 1]);
    let more = commitment(&keys(FIRST, COUNT + 1));
    members.swap(0, 4);
    let result = |point: Point| json!({ "result": text(&encode_point(&point)) });
    let moved = (scene.result + Point::generator()).into_affine();
    let about = |reason: &str, changes: Value| case(reason, FALSE, changes);
    vec![
        about("the ring has a member less", json!({ "commitment": fewer })),
        about("the ring has a member more", json!({ "commitment": more })),
        about("the ring has its members in another order", json!({ "commitment": commitment(&members) })),
        about("the ring has more rows", json!({ "rows": 1024 })),
        about("the ring is of another suite", json!({ "suite": name(Suite::v2()) })),
        about("the setup is another", json!({ "setup": From::Tau(5).json() })),
        about("the blinded key is another", result(moved)),
        about("the blinded key is the identity", result(Point::zero())),
        about("the blinded key is its negative", result(-scene.result)),
    ]
}

/// Provers who are honest but for one deviation: all that follows is consistent with it.
fn deviations(scene: &Scene) -> Vec<Value> {
    let mut all = Vec::new();
    let proof = |deviation: Deviation| scene.prover.prove_unchecked(INDEX, &scalar(7), &deviation).unwrap().1;
    let single = [
        (Deviation::Quotient, "the quotient that is committed to is off by a constant".to_owned()),
        (Deviation::Shifted, "the value of the linear part is off by one".into()),
        (Deviation::Opening, "the opening is off by a point".into()),
        (Deviation::ShiftedOpening, "the shifted opening is off by a point".into()),
    ];
    let values =
        (0..7).map(|i| (Deviation::Value(i), format!("the value of {} is off by one", SCALARS[i].1)));
    for (deviation, what) in single.into_iter().chain(values) {
        let proof = text(&proof(deviation).encode());
        all.push(case(format!("honest but that {what}"), FALSE, json!({ "proof": proof })));
    }
    // Their ring has other members than the scene's.
    for (what, commitment, result, proof) in deviating() {
        let [commitment, proof] = [text(&commitment.encode()), text(&proof.encode())];
        let changes =
            json!({ "commitment": commitment, "result": text(&encode_point(&result)), "proof": proof });
        all.push(case(format!("honest but that {what}"), FALSE, changes));
    }
    all
}

/// `Yb, R, Ok, s, sb` are in a signature from 32 on.
fn signatures(scene: &Scene) -> Vec<Value> {
    let suite = Suite::v1();
    let bytes = scene.signature.encode();
    let signature =
        |reason: &str, error: &str, bytes: String| case(reason, error, json!({ "signature": bytes }));
    let input = suite.input(b"context").unwrap();
    let other_tag = secret(FIRST).output(&input).encode();
    let identity = encode_point(&Point::zero());
    let scalar_at = |at: usize| -> [u8; 32] { bytes[at..at + 32].try_into().unwrap() };
    let order = bandersnatch::Fr::MODULUS.0;
    // R and Ok for a challenge of 0: then nothing is said of Yb or the output.
    let [s, sb] = [scalar(21), scalar(22)];
    let r = (suite.generator() * s + *suite.bases().blinding() * sb).into_affine();
    let ok = (*input.point() * s).into_affine();
    let zero = [other_tag, scalar_at(32), encode_point(&r), encode_point(&ok), encode_fr(&s), encode_fr(&sb)];
    let member = secret(FIRST + INDEX as u64);
    let second = Signature::new(suite, (&scene.prover, INDEX), &member, &input, b"other").unwrap();
    let mixed = Signature { ring: second.ring, ..scene.signature.clone() };
    let sb_other = scalar(23);
    let reduced = "a scalar that is not reduced";
    vec![
        signature("the output is the identity", "the output is the identity", with(&bytes, 0, &identity)),
        signature("the output is another member's", NO_OUTPUT, with(&bytes, 0, &other_tag)),
        signature(
            "the output is outside the subgroup",
            "no point of the subgroup",
            with(&bytes, 0, &outside_in()),
        ),
        signature(
            "the blinded key is the identity",
            "the identity says nothing",
            with(&bytes, 32, &identity),
        ),
        signature("R is not on the curve", "no point of the subgroup", with(&bytes, 64, &nowhere_in())),
        signature(
            "s is not reduced: a second encoding",
            reduced,
            with(&bytes, 128, &points::plus(&scalar_at(128), &order)),
        ),
        signature(
            "sb is not reduced: a second encoding",
            reduced,
            with(&bytes, 160, &points::plus(&scalar_at(160), &order)),
        ),
        signature(
            "sb is another: the blinded key is not opened",
            "the blinded key is not known",
            with(&bytes, 160, &encode_fr(&sb_other)),
        ),
        signature(
            "R and Ok are right for a challenge of 0 alone",
            NO_OUTPUT,
            with(&bytes, 0, zero.as_flattened()),
        ),
        signature(
            "the ring proof is for another blinded key of the same member",
            FALSE,
            text(&mixed.encode()),
        ),
        signature("a byte too many", "a proof has 592 bytes", text(&bytes) + "00"),
        signature("a byte too few", "a proof has 592 bytes", text(&bytes[..783])),
        signature("an output and nothing else", "too few bytes", text(&bytes[..32])),
        case("the input is another", NO_OUTPUT, json!({ "input": "another context" })),
        case("the data are others", NO_OUTPUT, json!({ "data": "" })),
        case("the suite is another", NO_OUTPUT, json!({ "suite": name(Suite::shake128()) })),
        case("the ring has more rows", FALSE, json!({ "rows": 2048 })),
        case("the setup is another", FALSE, json!({ "setup": From::Tau(5).json() })),
    ]
}

fn made_keys() -> Vec<Value> {
    let bases = Suite::v1().bases();
    let key = |reason: &str, error: &str, key: [u8; 32]| case(reason, error, json!({ "key": text(&key) }));
    let none = "no point of the subgroup";
    let mut signed = encode_point(&Point::zero());
    signed[31] |= 0x80;
    vec![
        key("the identity", "the identity", encode_point(&Point::zero())),
        key("the identity with a sign: a second encoding", "not the encoding of its value", signed),
        key("not on the curve", none, nowhere_in()),
        key("outside the subgroup, of order 2", none, encode_point(&points::order_two())),
        key("outside the subgroup: a member's key and the point of order 2", none, outside_in()),
        key("y is not reduced: a second encoding", none, points::beyond_in()),
        key("the seed of the accumulator", "the seed of the accumulator", encode_point(bases.seed())),
        key("the padding of empty slots", "the padding point", encode_point(bases.padding())),
        key("the base of the blinding", "the base of the blinding", encode_point(bases.blinding())),
    ]
}

fn possessions() -> Vec<Value> {
    let suite = Suite::v1();
    let bytes = Possession::prove(suite, &secret(FIRST), b"ring").unwrap().encode();
    let possession =
        |reason: &str, error: &str, bytes: String| case(reason, error, json!({ "possession": bytes }));
    let response: [u8; 32] = bytes[32..].try_into().unwrap();
    let s = scalar(24);
    let nonce = encode_point(&(suite.generator() * s).into_affine());
    let unknown = "the secret of the key is not known";
    let key = |point: &Point| json!({ "key": text(&encode_point(point)) });
    vec![
        case("for another context", unknown, json!({ "context": "another ring" })),
        case("of another key", unknown, key(keys(FIRST + 1, 1)[0].point())),
        case("of the negative key", unknown, key(&-*keys(FIRST, 1)[0].point())),
        case("of the identity", "no key of a ring", key(&Point::zero())),
        case("of the seed", "no key of a ring", key(Suite::v1().bases().seed())),
        case("in another suite", unknown, json!({ "suite": name(Suite::v2()) })),
        possession("right for a challenge of 0 alone", unknown, text(&[nonce, encode_fr(&s)].concat())),
        possession(
            "the nonce is outside the subgroup",
            "no point of the subgroup",
            with(&bytes, 0, &outside_in()),
        ),
        possession(
            "the response is not reduced: a second encoding",
            "a scalar that is not reduced",
            with(&bytes, 32, &points::plus(&response, &bandersnatch::Fr::MODULUS.0)),
        ),
    ]
}

fn commitments(scene: &Scene) -> Vec<Value> {
    let bytes = scene.ring.commitment().encode();
    let commitment =
        |reason: &str, error: &str, bytes: String| case(reason, error, json!({ "commitment": bytes }));
    vec![
        commitment("a byte too many", "too many bytes", text(&bytes) + "00"),
        commitment("a byte too few", "too few bytes", text(&bytes[..143])),
        commitment("px is not on the curve", "no point of the curve", with(&bytes, 0, &nowhere())),
        commitment(
            "py is outside the subgroup",
            "the point is outside the subgroup",
            with(&bytes, 48, &outside()),
        ),
        commitment("the selector's x is not reduced", "no point of the curve", with(&bytes, 96, &beyond())),
    ]
}

fn verifier_keys(scene: &Scene) -> Vec<Value> {
    let bytes = scene.ring.verifier_key().encode();
    let key =
        |reason: &str, error: &str, bytes: String| case(reason, error, json!({ "verifier_key": bytes }));
    let mut identity = [0; 96];
    identity[0] = 0xc0;
    let none = "a pairing with the identity says nothing";
    let other =
        Ring::with_members(&From::Tau(5).setup(ROWS), Suite::v1().bases(), &keys(FIRST, COUNT)).unwrap();
    vec![
        key("a byte too many", "too many bytes", text(&bytes) + "00"),
        key("a byte too few", "too few bytes", text(&bytes[..383])),
        key("G1 is the identity", "a setup on the identity", with(&bytes, 0, &identity[..48])),
        key("G2 is the identity", none, with(&bytes, 48, &identity)),
        key("tau G2 is the identity", none, with(&bytes, 144, &identity)),
        key(
            "the key of another setup than the one that is trusted",
            "a key of another setup",
            text(&other.verifier_key().encode()),
        ),
    ]
}

#[test]
fn own_negative() {
    let scene = Scene::new();
    let proofs =
        [malformed_proofs(&scene), changed_proofs(&scene), proofs_for_others(&scene), deviations(&scene)]
            .concat();
    let made = json!({
        "scene": scene.json(), "proofs": proofs, "signatures": signatures(&scene), "keys": made_keys(),
        "possessions": possessions(), "commitments": commitments(&scene), "verifier_keys": verifier_keys(&scene),
    });
    let read = file("negative.json", &made);
    let mut wrong = Vec::new();
    for kind in judge::KINDS {
        judge::of(kind, &read["scene"], &json!({})).expect("the scene itself is good");
        let cases = read[kind].as_array().unwrap();
        assert!(cases.len() > 4);
        for case in cases {
            let refused = judge::of(kind, &read["scene"], case).err().unwrap_or("accepted".into());
            if refused != case["error"].as_str().unwrap() {
                wrong.push(format!("{kind}: {}: {refused}", case["reason"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
