//! `proofs.json`: proofs and signatures without random rows, for more rows than the vectors of others have.

use serde_json::{Value, json};

use super::super::scalar;
use super::{From, file, hex, key_of, keys, keys_of, name, rows, secret, setup_of, suite, text};
use crate::tests::vectors::point;
use crate::vrf::{Signature, Suite};
use crate::{Proof, Prover, Ring, Verifier, VerifierKey};
use curve::bandersnatch::{decode_fr, encode_fr, encode_point};

/// The first member is `FIRST G`.
const FIRST: u64 = 2;
const TAU: u64 = 0x7465_6e66_6f6c_6421;

struct Case {
    comment: &'static str,
    suite: &'static Suite,
    from: From,
    rows: usize,
    /// How many members, and who proves.
    members: (usize, usize),
    /// Input and data of a signature.
    signed: Option<(&'static str, &'static str)>,
}

fn cases() -> [Case; 4] {
    let plain = |comment, members| {
        let (suite, from, signed) = (Suite::v1(), From::Zcash, None);
        Case { comment, suite, from, rows: 2048, members, signed }
    };
    [
        plain("a full ring", (1791, 617)),
        Case { signed: Some(("context", "data")), ..plain("empty slots, and a signature", (1000, 0)) },
        Case {
            suite: Suite::shake128(),
            signed: Some(("", "")),
            ..plain("another suite, a small ring", (3, 2))
        },
        Case { from: From::Tau(TAU), rows: 4096, ..plain("a setup whose secret is known", (2000, 1999)) },
    ]
}

fn make(case: &Case) -> Value {
    let Case { suite, from, rows, members: (count, index), .. } = *case;
    let setup = from.setup(rows);
    let ring = Ring::with_members(&setup, suite.bases(), &keys(FIRST, count)).unwrap();
    let prover = Prover::new(&setup, &ring).unwrap().without_blinding();
    let blinding = scalar(rows as u64);
    let (result, proof) = prover.prove(index, &blinding).unwrap();
    let mut value = json!({
        "comment": case.comment, "suite": name(suite), "rows": rows, "setup": from.json(),
        "members": { "first": FIRST, "count": count }, "index": index, "blinding": text(&encode_fr(&blinding)),
        "verifier_key": text(&ring.verifier_key().encode()),
        "result": text(&encode_point(&result)), "proof": text(&proof.encode()),
    });
    if let Some((input, data)) = case.signed {
        let secret = secret(FIRST + index as u64);
        let hashed = suite.input(input.as_bytes()).unwrap();
        let signature = Signature::new(suite, (&prover, index), &secret, &hashed, data.as_bytes()).unwrap();
        value["signature"] = json!({ "input": input, "data": data, "signature": text(&signature.encode()) });
    }
    value
}

#[test]
fn own_proofs() {
    let made: Vec<Value> = cases().iter().map(make).collect();
    let read = file("proofs.json", &json!({ "cases": made }));
    for case in read["cases"].as_array().unwrap() {
        let (suite, rows) = (suite(&case["suite"]), rows(case));
        let setup = setup_of(&case["setup"], rows);
        let ring = Ring::with_members(&setup, suite.bases(), &keys_of(&case["members"])).unwrap();
        let key = VerifierKey::decode(&hex(&case["verifier_key"])).unwrap();
        assert_eq!(key, ring.verifier_key());
        let verifier = Verifier::from_key(ring.params(), &key_of(&case["setup"]), &key).unwrap();
        let (result, bytes) = (point(&case["result"]), hex(&case["proof"]));
        verifier.verify(&result, &Proof::decode(&bytes).unwrap()).unwrap();
        // With random rows: another proof of the same.
        let blinding = decode_fr(&hex(&case["blinding"]).try_into().unwrap()).unwrap();
        let prover = Prover::new(&setup, &ring).unwrap();
        let (again, proof) = prover.prove(case["index"].as_u64().unwrap() as usize, &blinding).unwrap();
        assert!(again == result && proof.encode()[..] != bytes);
        let signed = &case["signature"];
        if signed.is_object() {
            let part = |name: &str| signed[name].as_str().unwrap().as_bytes();
            let signature = Signature::decode(&hex(&signed["signature"])).unwrap();
            signature.verify(suite, &verifier, &suite.input(part("input")).unwrap(), part("data")).unwrap();
        }
    }
}
