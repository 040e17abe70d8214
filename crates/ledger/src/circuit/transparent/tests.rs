use std::sync::OnceLock;

use super::super::groth16::tests::{SLOTS, batch, deviations};
use super::super::tests::{TOKEN, state};
use super::*;
use crate::circuit::groth16;

fn of_tests() -> &'static Scheme {
    static SCHEME: OnceLock<Scheme> = OnceLock::new();
    SCHEME.get_or_init(|| scheme_with(SLOTS, &Policy::at_least(BITS), Profile::Fast).unwrap())
}

fn proven(count: usize) -> (Statement<Token>, Vec<u8>) {
    let batch = batch(count);
    let proof = prove(of_tests(), &TOKEN, &state(), (&batch, SLOTS)).unwrap();
    (Trace::of(&TOKEN, &state(), &batch, SLOTS).unwrap().statement, proof)
}

fn verdict(statement: &Statement<Token>, proof: &[u8]) -> Result<(), Invalid> {
    verify(of_tests(), &TOKEN, statement, proof)
}

#[test]
fn proofs_of_batches_hold_and_no_other_statement_or_byte_does() {
    let (statement, proof) = proven(2);
    assert_eq!(verdict(&statement, &proof), Ok(()));
    for end in [0, 1, 2, 3, 4, 34, 35, 36, proof.len() / 2, proof.len() - 1] {
        assert!(verdict(&statement, &proof[..end]).is_err(), "{end} bytes");
    }
    assert!(verdict(&statement, &[&proof[..], &[0]].concat()).is_err());
    for at in (0..100).chain((100..proof.len()).step_by(1999)) {
        let mut bad = proof.clone();
        bad[at] ^= 1;
        assert!(verdict(&statement, &bad).is_err(), "byte {at}");
    }
    for (at, change) in deviations().into_iter().enumerate() {
        let mut other = statement.clone();
        change(&mut other.cells);
        assert!(verdict(&other, &proof).is_err(), "deviation {at}");
    }
    let other = Token { chain: TOKEN.chain + 1, ..TOKEN };
    assert_eq!(
        verify(of_tests(), &other, &statement, &proof),
        Err(Invalid("a statement about another chain"))
    );
    let moved = Statement { domain: other.domain(), ..statement };
    assert!(verify(of_tests(), &other, &moved, &proof).is_err(), "the domain is a public input");
}

/// Padding takes part, and a time is a hint that the proof has to fit, in its shortest encoding.
#[test]
fn a_batch_with_padding_is_proven_and_its_times_are_its_own() {
    let (statement, proof) = proven(1);
    assert_eq!(verdict(&statement, &proof), Ok(()));
    assert!(verdict(&proven(2).0, &proof).is_err());
    let mut late = proof.clone();
    late[0] += 1;
    assert!(verdict(&statement, &late).is_err());
    let longer = [&[proof[0] | 0x80, 0], &proof[1..]].concat();
    assert!(verdict(&statement, &longer).is_err());
}

/// The challenge is of the commitment to the cells. A prover who draws it from another one, and could so choose cells in view of it, has a proof of other public inputs.
#[test]
fn a_challenge_that_is_not_of_the_proof_s_own_commitment_is_refused() {
    let batch = batch(2);
    let trace = Trace::of(&TOKEN, &state(), &batch, SLOTS).unwrap();
    type Binding = fn(&[u8]) -> [Word; 2];
    let forge = |words: Binding| {
        let committed = of_tests().commit(&trace.committed()).unwrap();
        let public = trace.claim().public(&words(&committed.commitment())).unwrap();
        let circuit = TokenCircuit { binding: super::Binding::Commitment, public, slots: &trace.slots };
        let proof = of_tests().prove_committed(committed, &Assignment::of(&circuit)).unwrap();
        assert!(of_tests().verify(&public.elements(), &proof).is_ok(), "a proof of its own public inputs");
        let times = [trace.padding_time].into_iter().chain(trace.times.iter().copied());
        [times.map(|time| time as u8).collect(), proof].concat()
    };
    assert_eq!(verdict(&trace.statement, &forge(binding_words)), Ok(()));
    let others: [Binding; 3] = [
        |_| binding_words(&[]),
        // The root alone, without the values that leave one message of its list.
        |commitment| binding_words(&commitment[..32]),
        |commitment| [binding_words(commitment)[0], [0; 32]],
    ];
    for (at, words) in others.into_iter().enumerate() {
        assert!(verdict(&trace.statement, &forge(words)).is_err(), "binding {at}");
    }
}

/// Proofs of one system are none of the other.
#[test]
fn proof_systems_do_not_take_one_another_s_proofs() {
    let (statement, proof) = proven(2);
    let key = groth16::tests::committed_key();
    assert!(groth16::verify(key.verifying(), &TOKEN, &statement, &proof).is_err());
    let batch = batch(2);
    let other = key.prove_batch(&TOKEN, &state(), (&batch, SLOTS)).unwrap();
    assert!(groth16::verify(key.verifying(), &TOKEN, &statement, &other).is_ok());
    assert!(verdict(&statement, &other).is_err());
}

#[test]
fn verifiers_take_the_sizes_that_they_were_made_for() {
    let verifier = TransparentVerifier::new(TOKEN, &[]).unwrap();
    let (statement, proof) = proven(1);
    let refused = Err(Invalid("no scheme for batches of this size"));
    assert_eq!(verifier.verify(&statement, BatchSize::B64, &proof), refused);
    assert!(!verifier.takes(BatchSize::B64));
    let other = TransparentVerifier::new(TOKEN, &[BatchSize::B64]).unwrap();
    assert!(other.takes(BatchSize::B64) && !other.takes(BatchSize::B256));
    assert_ne!(other.keys(), verifier.keys());
    assert!(other.verify(&statement, BatchSize::B64, &proof).is_err(), "a proof with two slots");
}

fn check(size: BatchSize, entries: [usize; 2]) {
    let found = scheme(size).unwrap();
    assert!(found.report().proven_bits() >= f64::from(BITS), "{size:?}");
    assert_eq!(found.matrix_entries(), entries, "{size:?}");
}

/// A circuit that changes has other places: parameters are found anew then, by the example `transparent`.
#[test]
fn the_parameters_written_down_are_of_the_smallest_circuit() {
    check(BatchSize::B64, [16_840, 924]);
}

#[test]
#[ignore = "takes seconds, and 1 GB of memory: `just ledger-circuit`"]
fn the_largest_circuits_have_the_parameters_that_are_written_down() {
    check(BatchSize::B256, [16_860, 2_076]);
    check(BatchSize::B1024, [16_880, 6_684]);
}
