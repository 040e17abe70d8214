//! `updates.json`: what a commitment becomes when members come, change and go, and what is refused.

use serde_json::{Value, json};

use super::{From, file, hex, keys, name, rows, setup_of, suite, text};
use crate::tests::vectors::point;
use crate::vrf::Suite;
use crate::{Error, Key, KeyError, Ring, Setup};
use curve::bandersnatch::{Point, encode_point};

const ROWS: usize = 512;

/// A step as a vector has it.
fn step(op: &str, slot: Option<usize>, keys: &[Point]) -> Value {
    let keys: Vec<String> = keys.iter().map(|key| text(&encode_point(key))).collect();
    match slot {
        None => json!({ "op": op, "keys": keys }),
        Some(slot) if keys.is_empty() => json!({ "op": op, "slot": slot }),
        Some(slot) => json!({ "op": op, "slot": slot, "key": keys[0] }),
    }
}

fn apply(ring: &mut Ring, setup: &Setup, step: &Value) -> Result<(), Error> {
    let slot = || step["slot"].as_u64().unwrap() as usize;
    match step["op"].as_str().unwrap() {
        "append" => {
            let keys: Vec<Point> = step["keys"].as_array().unwrap().iter().map(point).collect();
            ring.append(setup, &Key::all(&keys)?)
        }
        "replace" => ring.replace(setup, slot(), &Key::all(&[point(&step["key"])])?[0]),
        "remove" => ring.remove(setup, slot()),
        op => panic!("{op}"),
    }
}

fn steps() -> Vec<Value> {
    let key: Vec<Point> = keys(2, 260).iter().map(|key| *key.point()).collect();
    let refused = |mut step: Value, reason: &str| {
        step["refused"] = json!(reason);
        step
    };
    let bases = Suite::v1().bases();
    vec![
        step("append", None, &key[..3]),
        step("append", None, &key[3..8]),
        step("replace", Some(0), &key[8..9]),
        step("remove", Some(3), &[]),
        refused(step("remove", Some(3), &[]), "no member in slot 3"),
        refused(step("append", None, &[key[9], key[4]]), "key 1: a member has it already"),
        refused(step("append", None, &[key[9], key[9]]), "key 1: a member has it already"),
        refused(step("replace", Some(1), &key[4..5]), "key 1: a member has it already"),
        refused(step("replace", Some(8), &key[9..10]), "no member in slot 8"),
        refused(step("append", None, &[*bases.seed()]), "key 0: the seed of the accumulator"),
        refused(step("append", None, &[*bases.padding()]), "key 0: the padding point"),
        refused(step("append", None, &[*bases.blinding()]), "key 0: the base of the blinding"),
        refused(step("append", None, &[Point::default()]), "key 0: the identity"),
        // The key that left comes back, the key that was replaced too.
        step("replace", Some(3), &key[3..4]),
        step("append", None, &key[..1]),
        step("remove", Some(8), &[]),
    ]
}

#[test]
fn own_updates() {
    let suite_made = Suite::v1();
    let setup = From::Zcash.setup(ROWS);
    let mut ring = Ring::new(&setup, suite_made.bases());
    let empty = text(&ring.commitment().encode());
    let mut steps = steps();
    for step in &mut steps {
        let done = apply(&mut ring, &setup, step);
        assert_eq!(done.err().map(|e| e.to_string()).as_deref(), step["refused"].as_str(), "{step}");
        step["commitment"] = json!(text(&ring.commitment().encode()));
    }
    let made = json!({ "suite": name(suite_made), "rows": ROWS, "setup": From::Zcash.json(),
        "empty": empty, "steps": steps });
    let read = file("updates.json", &made);

    let (suite, setup) = (suite(&read["suite"]), setup_of(&read["setup"], rows(&read)));
    let mut ring = Ring::new(&setup, suite.bases());
    assert_eq!(ring.commitment().encode()[..], hex(&read["empty"]));
    for step in read["steps"].as_array().unwrap() {
        let done = apply(&mut ring, &setup, step);
        assert_eq!(done.is_err(), step["refused"].is_string());
        assert_eq!(ring.commitment().encode()[..], hex(&step["commitment"]), "{step}");
        // The slots alone say the commitment, not how they came about.
        let mut anew = Ring::new(&setup, suite.bases());
        anew.append_slots(&setup, ring.slots()).unwrap();
        assert_eq!(anew.commitment(), ring.commitment());
    }
    // A ring that is full.
    let mut full = Ring::with_members(&setup, suite.bases(), &keys(2, 255)).unwrap();
    let over = full.append(&setup, &keys(400, 1)).unwrap_err();
    assert_eq!(over, Error::Capacity { wanted: 256, capacity: 255 });
    assert_eq!(KeyError::Duplicate.to_string(), "a member has it already");
}
