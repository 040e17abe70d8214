//! The examples of the notes' chapter on the transcript are what this code computes.

use super::*;
use field::Gf320;
use std::fmt::Write as _;

/// A state after the statement, and challenges `c`, as the chapter writes them: in hex, an element or a state a word.
fn example<E: Field>(hash: Hash, count: usize) -> Vec<String> {
    let [zeros, ones] = [0, 1].map(|byte| vec![byte; hash.bytes()]);
    let mut tape = Domain::new(hash, "example", &zeros).statement(&ones).prover();
    let state = tape.chain().state().to_vec();
    let encoded = tape.challenges::<E>("c", count).into_iter().map(|challenge| {
        let mut bytes = vec![0; E::BYTES];
        E::write_slice(&[challenge], &mut bytes);
        bytes
    });
    let hex = |bytes: Vec<u8>| {
        bytes.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes all");
            hex
        })
    };
    core::iter::once(state).chain(encoded).map(hex).collect()
}

#[test]
fn the_examples_of_the_notes_are_what_is_computed() {
    let chapter = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../notes/src/transcript.md");
    let chapter = std::fs::read_to_string(chapter).expect("the notes stand beside the crates");
    let is_hex = |word: &&str| word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = chapter.split(|c: char| !c.is_ascii_alphanumeric());
    let written: Vec<&str> = words.filter(is_hex).collect();
    let computed = [example::<KoalaBear5>(Hash::Blake3, 1), example::<Gf320>(Hash::Sha3_512, 2)].concat();
    assert_eq!(written, computed, "in the chapter's order, and no others");
}
