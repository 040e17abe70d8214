//! Files that an adversary made: one part of a true one exchanged, lengths beyond the file, and no file at all.

use super::bench::{Bench, FIVE};
use field::{ExtensionOf, TwoAdic};
use pcs::file::{File, Opening};
use pcs::pip::Params;
use pcs::with_fields;
use tenfold::statement::ColumnDescription;

/// A true proof file with one part of its statement exchanged, with or without the header's digest made to fit.
fn edited<B: TwoAdic, E: ExtensionOf<B>>(file: &File, part: usize, fit: bool) -> Vec<u8> {
    let mut opening = Opening::<E>::decode(&file.body).unwrap();
    let claims = &mut opening.claims;
    let mut subject = ColumnDescription::decode(&claims.context).unwrap();
    match part {
        0 => claims.values.swap(0, 1),
        1 => claims.forms.swap(0, 1),
        2 => subject.name = "count".into(),
        3 => subject.scale = 0,
        4 => subject.rows = 4,
        5 => subject.source = [0; 32],
        _ => opening.commitment[0] ^= 1,
    }
    claims.context = subject.encode();
    let mut file = file.clone();
    if fit {
        let hash = Params::decode(file.scheme, &file.params).unwrap().hash;
        file.statement = claims.digest(hash, &opening.commitment).head();
    }
    file.body = opening.encode().into();
    file.encode()
}

/// A label alone, a value alone, a form alone: each is bound into the challenges, and the header's digest is no defence.
#[test]
fn every_part_of_a_statement_is_bound() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2", "--row", "0"]);
    let whole = bench.read("data.proof");
    let file = File::decode(&whole).unwrap();
    let fields = Params::decode(file.scheme, &file.params).unwrap().fields;
    for part in 0..7 {
        for fit in [false, true] {
            bench.write("edited.proof", &with_fields!(fields, B, E => edited::<B, E>(&file, part, fit)));
            let refused = bench.run(&["verify", "edited.proof", "--commitment", "data.commitment"]);
            let stale = "the statement digest in the header";
            refused.is(1, &["invalid:", if fit { "" } else { stale }]);
            assert!(!fit || !refused.err.contains(stale), "part {part}: {refused:?}");
        }
    }
}

/// The places of both files that hold a length of eight bytes.
fn lengths(commitment: &[u8], proof: &[u8]) -> [Vec<usize>; 2] {
    let at = |bytes: &[u8], i: usize| u64::from_le_bytes(bytes[i..i + 8].try_into().unwrap()) as usize;
    // Behind magic, version, kind and scheme: parameters with their length, two digests, the body with its length.
    let body = 16 + at(commitment, 8) + 64;
    let described = at(commitment, body + 8);
    let of_commitment = vec![8, body, body + 8, body + 16, body + 16 + described];
    let committed = at(proof, body + 8);
    let end = body + 24 + committed + at(proof, body + 16 + committed);
    // The claims end with their context, which is the description.
    let of_proof = vec![8, body, body + 8, body + 16 + committed, end - described - 8, end - described, end];
    [of_commitment, of_proof]
}

#[test]
fn a_length_beyond_the_file_is_refused() {
    let bench = Bench::committed(FIVE, &[]);
    bench.open(&["--row", "2"]);
    let names = ["data.commitment", "data.proof"];
    let whole = names.map(|name| bench.read(name));
    let places = lengths(&whole[0], &whole[1]);
    for ((name, whole), places) in names.into_iter().zip(&whole).zip(places) {
        for at in places {
            for length in [1u64 << 60, u64::MAX] {
                let mut bytes = whole.clone();
                let old = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
                assert!(old > 0 && old < whole.len() as u64, "{at} is the place of a length");
                bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
                bench.write("long", &bytes);
                let ran = match name {
                    "data.proof" => bench.run(&["verify", "long"]),
                    _ => bench.run(&["verify", "data.proof", "--commitment", "long"]),
                };
                assert!(
                    ran.code() == Some(2) || ran.err.contains("digest in the header"),
                    "{name} {at}: {ran:?}"
                );
            }
        }
    }
}

/// What they are, their first bytes say. How much memory that takes is told by `tests/memory.rs`.
#[test]
fn endless_files_are_not_read() {
    let bench = Bench::committed(FIVE, &[]);
    bench.sparse("endless", 4 << 30);
    bench.open(&["--row", "2"]);
    bench.run(&["verify", "endless"]).is(2, &["not a Tenfold file", "hint:"]);
    bench.run(&["inspect", "endless"]).is(2, &["not a Tenfold file", "hint:"]);
    bench.run(&["verify", "data.proof", "--commitment", "endless"]).is(2, &["not a Tenfold file", "hint:"]);
    // The length in the header is that of the file, and more than its parameters give.
    for name in ["data.proof", "data.commitment"] {
        let mut long = bench.read(name);
        let body = 16 + u64::from_le_bytes(long[8..16].try_into().unwrap()) as usize + 64;
        long[body..body + 8].copy_from_slice(&(1u64 << 32).to_le_bytes());
        bench.write("long", &long);
        let file = std::fs::OpenOptions::new().write(true).open(bench.path("long")).unwrap();
        file.set_len(body as u64 + 8 + (1 << 32)).unwrap();
        bench.run(&["inspect", "long"]).is(2, &["longer than any with its parameters", "hint:"]);
    }
}

/// What no parameters can prove is no fault of the proof.
#[test]
fn a_policy_beyond_the_hash() {
    let bench = Bench::committed(FIVE, &[]);
    let said = ["the parameters are refused", "200 bits are required", "128", "collisions"];
    bench.try_open(&["--row", "2", "--min-bits", "200"]).is(1, &[&said[..], &["hint:"]].concat());
    bench.open(&["--row", "2"]);
    bench.run(&["verify", "data.proof", "--min-bits", "200"]).is(1, &said);
}
