//! `batches.json`: proofs that are verified together, and which of them are invalid.

use serde_json::{Value, json};

use super::super::scalar;
use super::{From, file, hex, key_of, keys, name, rows, suite, text};
use crate::tests::vectors::point;
use crate::vrf::Suite;
use crate::{Batch, Commitment, Domain, Params, Proof, Prover, Rejected, Ring, Verifier};
use curve::bandersnatch::{Point, encode_point};
use curve::bls12_381::{Fr, G1};
use curve::{AffineRepr, CurveGroup, One};

/// Rings of a few members, one of more rows.
const RINGS: [(usize, u64, usize); 3] = [(512, 2, 5), (512, 3, 5), (1024, 2, 5)];

struct Item {
    ring: usize,
    result: Point,
    proof: Proof,
}

fn prove(ring: usize, index: usize) -> Item {
    let (rows, first, count) = RINGS[ring];
    let setup = From::Zcash.setup(rows);
    let members = Ring::with_members(&setup, Suite::v1().bases(), &keys(first, count)).unwrap();
    let prover = Prover::new(&setup, &members).unwrap().without_blinding();
    let (result, proof) = prover.prove(index, &scalar((10 * ring + index) as u64)).unwrap();
    Item { ring, result, proof }
}

/// Four that are valid; one with a false value; one for another key; two whose openings are off by opposite errors.
fn items() -> Vec<Item> {
    let mut items = vec![prove(0, 1), prove(0, 4), prove(1, 0), prove(2, 2)];
    let copy = |item: &Item| Item { ring: item.ring, result: item.result, proof: item.proof.clone() };
    let mut value = copy(&items[0]);
    value.proof.values[3] += Fr::one();
    let mut key = copy(&items[2]);
    key.result = (key.result + Point::generator()).into_affine();
    let e = G1::generator() * Fr::from(0xdead_beef_u64);
    let [mut plus, mut minus] = [copy(&items[1]), copy(&items[1])];
    plus.proof.opening = (plus.proof.opening + e).into_affine();
    minus.proof.opening = (minus.proof.opening - e).into_affine();
    items.extend([value, key, plus, minus]);
    items
}

fn made() -> Value {
    let rings = RINGS.map(|(rows, first, count)| {
        let setup = From::Zcash.setup(rows);
        let ring = Ring::with_members(&setup, Suite::v1().bases(), &keys(first, count)).unwrap();
        json!({ "suite": name(Suite::v1()), "rows": rows, "setup": From::Zcash.json(),
            "members": { "first": first, "count": count }, "commitment": text(&ring.commitment().encode()) })
    });
    let one = |Item { ring, result, proof }: &Item| json!({ "ring": ring, "result": text(&encode_point(result)), "proof": text(&proof.encode()) });
    let items: Vec<Value> = items().iter().map(one).collect();
    let case = |comment: &str, items: &[usize], invalid: &[usize]| json!({ "comment": comment, "items": items, "invalid": invalid });
    let cases = [
        case("nothing", &[], &[]),
        case("one", &[0], &[]),
        case("several rings and numbers of rows", &[0, 1, 2, 3], &[]),
        case("the same proof twice", &[0, 0], &[]),
        case("one value is false", &[0, 1, 4, 3], &[2]),
        case("one blinded key is another", &[5, 1, 2], &[0]),
        case("errors that cancel under equal weights", &[6, 7], &[0, 1]),
        case("the same among valid proofs", &[0, 6, 2, 3, 7], &[1, 4]),
        case("all are invalid", &[4, 5, 6, 7], &[0, 1, 2, 3]),
    ];
    json!({ "rings": rings, "items": items, "cases": cases })
}

#[test]
fn own_batches() {
    let read = file("batches.json", &made());
    let verifier = |ring: &Value| {
        let domain = Domain::new(rows(ring)).unwrap();
        let params = Params { bases: suite(&ring["suite"]).bases().clone(), domain };
        let commitment = Commitment::decode(&hex(&ring["commitment"])).unwrap();
        Verifier::new(&params, &key_of(&ring["setup"]), &commitment)
    };
    let verifiers: Vec<Verifier> = read["rings"].as_array().unwrap().iter().map(verifier).collect();
    let batch = |numbers: &[usize]| {
        let mut batch = Batch::new(&verifiers[0].key().kzg);
        for number in numbers {
            let item = &read["items"][number];
            let verifier = &verifiers[item["ring"].as_u64().unwrap() as usize];
            let proof = Proof::decode(&hex(&item["proof"])).unwrap();
            batch.push(verifier, &point(&item["result"]), &proof).unwrap();
        }
        batch
    };
    let numbers = |value: &Value| -> Vec<usize> {
        value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
    };
    for case in read["cases"].as_array().unwrap() {
        let invalid = numbers(&case["invalid"]);
        let expected = if invalid.is_empty() { Ok(()) } else { Err(Rejected::Items(invalid)) };
        assert_eq!(batch(&numbers(&case["items"])).verify(), expected, "{}", case["comment"]);
    }
    // The two do cancel if their weights are equal, and neither is valid.
    let equal = vec![[Fr::from(3_u64), Fr::from(5_u64)]; 2];
    let pair = batch(&[6, 7]);
    assert!(pair.holds(&[0, 1], &equal) && !pair.holds(&[0], &equal) && !pair.holds(&[1], &equal));
}
