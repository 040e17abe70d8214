//! Every part of a proof, by the calls of its transcript: replaced, the proof is refused, and every challenge behind a message is another.

use crate::matrix::battery::parts;
use field::Goldilocks;
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::to_bytes;
use iop::transcript::{Call, Challenger, Domain, Kind};

/// A proof, and the calls of its transcript.
pub(crate) type Proved = (Vec<u8>, Vec<Call>);

/// Replaces each part of a proof by the one of an honest proof of another statement, which is well-formed, and by itself with its first or
/// last bit changed. `script` is the verifier of the proof's statement.
///
/// All but rows and paths enters the transcript, which changes every challenge behind it; those are fixed by a root that did. A published
/// prover left its round polynomials out. The challenges that are compared are those of the script's calls on a tape.
pub(crate) fn every_message_counts(
    script: impl Fn(&[u8]) -> Result<Vec<Call>, Invalid>,
    proof: &[u8],
    (other, calls_of_other): &Proved,
) {
    let calls = script(proof).expect("an honest proof");
    let (own, others) = (parts(calls.clone()), parts(calls_of_other.clone()));
    assert_eq!(
        own.iter().map(|(call, _)| call.length).sum::<usize>(),
        proof.len(),
        "each byte has a meaning"
    );
    assert_eq!(own.len(), others.len(), "proofs of one shape");
    let drawn = draws(&calls, proof);
    let mut replaced = 0;
    for (part, ((call, at), (like, there))) in own.iter().zip(&others).enumerate() {
        assert_eq!((call.kind, call.label), (like.kind, like.label));
        let hint = call.kind == Kind::Hint;
        assert!(
            !hint || ["rows", "paths"].contains(&call.label),
            "{} stays out of the transcript",
            call.label
        );
        let (old, new) = (&proof[*at..at + call.length], &other[*there..there + like.length]);
        for new in [new.to_vec(), flipped(old, 0), flipped(old, call.length.wrapping_sub(1))] {
            if old == new {
                continue;
            }
            let changed = [&proof[..*at], &new, &proof[at + call.length..]].concat();
            assert!(script(&changed).is_err(), "part {part}, {}", call.label);
            if old.len() == new.len() {
                let now = draws(&calls, &changed);
                for ((before, draw), (_, another)) in drawn.iter().zip(&now) {
                    assert_eq!(draw == another, hint || *before <= part, "part {part}, {}", call.label);
                }
                replaced += 1;
            }
        }
    }
    assert!(replaced >= own.len(), "{replaced} parts of {}", own.len());
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    if let Some(byte) = changed.get_mut(at) {
        *byte ^= if at == 0 { 1 } else { 128 };
    }
    changed
}

/// What a tape draws in these calls from these bytes, and the number of parts of the proof before each draw.
fn draws(calls: &[Call], proof: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut tape = Domain::new(Hash::Blake3, "calls", &[]).statement(&[]).verifier(proof);
    let (mut parts, mut drawn) = (0, Vec::new());
    for &Call { kind, label, length } in calls {
        match kind {
            Kind::Statement | Kind::Public | Kind::Grind => tape.public(label, &length.to_le_bytes()),
            Kind::Send | Kind::Nonce => drop(tape.receive_bytes(label, length).expect("a message")),
            Kind::Hint => drop(tape.hint_bytes(label, length).expect("a hint")),
            Kind::Challenge if length > 0 => {
                let elements = tape.challenges::<Goldilocks>(label, length);
                drawn.push((parts, to_bytes(&elements)));
            }
            Kind::Challenge => drop(tape.challenges::<Goldilocks>(label, 0)),
            Kind::Positions => {
                let positions = tape.positions(label, 60, length);
                drawn.push((parts, positions.into_iter().flat_map(usize::to_le_bytes).collect()));
            }
        }
        parts += usize::from(matches!(kind, Kind::Send | Kind::Nonce | Kind::Hint));
    }
    tape.finish().expect("all bytes are read");
    drawn
}
