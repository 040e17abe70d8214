use std::sync::LazyLock;

use super::super::groth16::tests::{SLOTS, batch, deviations};
use super::super::tests::{NEW, TOKEN, mint, state};
use super::*;
use crate::circuit::groth16;
use snark::groth16::ProveError;

const POLICY: Policy = Policy::at_least(BITS);

static SCHEME: LazyLock<Scheme> = LazyLock::new(|| scheme_with(SLOTS, &POLICY, Profile::Fast).unwrap());

/// A statement of two transactions with its proof, and the bytes of the times before it.
static PROVEN: LazyLock<(Statement<Token>, Vec<u8>, usize)> = LazyLock::new(|| {
    let trace = Trace::of(&TOKEN, &state(), &batch(2), SLOTS).unwrap();
    let proof = prove(&SCHEME, &TOKEN, &state(), (&batch(2), SLOTS)).unwrap();
    (trace.statement, proof, 1 + trace.times.len())
});

fn verdict(statement: &Statement<Token>, proof: &[u8]) -> Result<(), Invalid> {
    verify(&SCHEME, &TOKEN, statement, proof)
}

#[test]
fn proofs_of_batches_hold_and_no_other_statement_or_byte_does() {
    let (statement, proof, times) = &*PROVEN;
    assert_eq!(verdict(statement, proof), Ok(()));
    assert!(proof.len() <= times + SCHEME.max_bytes());
    for end in (0..*times + 33).chain((0..proof.len()).step_by(4999)) {
        assert!(verdict(statement, &proof[..end]).is_err(), "{end} bytes");
    }
    assert!(verdict(statement, &[&proof[..], &[0]].concat()).is_err());
    for at in (0..*times + 33).chain((0..proof.len()).step_by(4999)) {
        let mut bad = proof.clone();
        bad[at] ^= 1;
        assert!(verdict(statement, &bad).is_err(), "byte {at}");
    }
    for (at, change) in deviations().into_iter().enumerate() {
        let mut other = statement.clone();
        change(&mut other.cells);
        assert!(verdict(&other, proof).is_err(), "deviation {at}");
    }
    let other = Token { chain: TOKEN.chain + 1, ..TOKEN };
    let chain = Invalid("a statement about another chain");
    assert_eq!(verify(&SCHEME, &other, statement, proof), Err(chain));
    let moved = Statement { domain: other.domain(), ..statement.clone() };
    assert!(verify(&SCHEME, &other, &moved, proof).is_err(), "the domain is a public input");
    let dearer = Token { fee: TOKEN.fee + 1, ..TOKEN };
    let of_dearer = Statement { domain: dearer.domain(), ..statement.clone() };
    assert!(verify(&SCHEME, &dearer, &of_dearer, proof).is_err(), "another fee");
}

/// One encoding of a time, of 32 bits at most.
#[test]
fn times_have_one_encoding() {
    let (statement, proof, _) = &*PROVEN;
    for (time, refused) in [
        (vec![proof[0] | 0x80, 0], None),
        (vec![0x80, 0x80, 0x80, 0x80, 0x10], Some(Invalid("a time of more than 32 bits"))),
    ] {
        let found = verdict(statement, &[&time[..], &proof[1..]].concat());
        assert!(found.is_err() && refused.is_none_or(|refused| found == Err(refused)), "{found:?}");
    }
}

/// Root and sample, to the last byte; and no words of another proof system.
#[test]
fn challenges_depend_on_every_byte_of_the_commitment() {
    let (_, proof, times) = &*PROVEN;
    let commitment = SCHEME.commitment(&proof[*times..]).unwrap();
    let words = binding_words(commitment);
    assert_ne!(words[1], [0; 32], "the second word beside a digest");
    assert_eq!(words[1][0], 0xff, "a coordinate, whose highest byte is at most 0x30");
    for at in 0..commitment.len() {
        let mut other = commitment.to_vec();
        other[at] ^= 1;
        assert_ne!(binding_words(&other)[0], words[0], "byte {at}");
    }
    assert_ne!(binding_words(&commitment[..commitment.len() - 1])[0], words[0]);
}

/// V3: a prover that draws the challenge from words of its own choice, or from those of another commitment.
#[test]
fn challenges_that_are_not_of_the_commitment_are_refused() {
    let trace = Trace::of(&TOKEN, &state(), &batch(2), SLOTS).unwrap();
    let with = |words: &dyn Fn(&[u8]) -> [Word; 2]| {
        let committed = SCHEME.commit(&trace.committed()).unwrap();
        let public = trace.claim().public(&words(&committed.commitment())).unwrap();
        let circuit = TokenCircuit { binding: Binding::Commitment, public, slots: &trace.slots };
        let proof = SCHEME.prove_committed(committed, &Assignment::of(&circuit)).unwrap();
        let times: Vec<u8> =
            [trace.padding_time].iter().chain(&trace.times).map(|&time| time as u8).collect();
        (public, [times, proof].concat())
    };
    let (public, proof) = with(&binding_words);
    assert_eq!(verdict(&trace.statement, &proof), Ok(()));
    for words in [
        (&|_: &[u8]| [[7; 32], *TAG]) as &dyn Fn(&[u8]) -> [Word; 2],
        &|commitment| [keccak(commitment), [0; 32]],
        &|commitment| [keccak(&commitment[..commitment.len() - 1]), *TAG],
    ] {
        let (other, proof) = with(words);
        let times = 1 + trace.times.len();
        assert_ne!(other.challenge, public.challenge);
        assert_eq!(
            SCHEME.verify(&other.elements(), &proof[times..]),
            Ok(()),
            "of the public inputs it is about"
        );
        assert!(verdict(&trace.statement, &proof).is_err());
    }
}

#[test]
fn what_has_no_proof_gets_none() {
    let attempt = |batch: &[Signed<Transaction>]| {
        prove(&SCHEME, &TOKEN, &state(), (batch, SLOTS)).map(|proof| proof.len())
    };
    let mut forged = batch(1);
    forged[0].signature = batch(2)[1].signature;
    assert!(matches!(attempt(&forged), Err(ProofError::Prove(_))), "a wrong signature");
    assert!(matches!(attempt(&[]), Err(ProofError::Refused(_))), "no change");
    assert!(matches!(attempt(&[mint([3, 4], 1, 30)]), Err(ProofError::Unprovable(_))));
    assert!(matches!(attempt(&[batch(2), batch(1)].concat()), Err(ProofError::Unprovable(_))));
    let three = prove(&SCHEME, &TOKEN, &state(), (&batch(2), SLOTS + 1));
    assert!(matches!(three, Err(ProofError::Prove(ProveError::OtherCircuit))));
    assert_eq!(batch(1)[0].transaction.operation, batch(2)[0].transaction.operation, "account {NEW}");
}

/// Proofs are of a scheme with the circuit's commitment, and of its size.
#[test]
fn schemes_of_other_circuits_take_no_proof() {
    let (statement, proof, _) = &*PROVEN;
    let sponge = Scheme::new(&circuit_with(SLOTS, Binding::Sponge), &POLICY, Profile::Fast).unwrap();
    let none = Invalid("a circuit without committed cells");
    assert_eq!(verify(&sponge, &TOKEN, statement, proof), Err(none));
    let three = scheme_with(SLOTS + 1, &POLICY, Profile::Fast).unwrap();
    assert!(verify(&three, &TOKEN, statement, proof).is_err());
}

#[test]
fn verifiers_take_the_sizes_that_they_have_schemes_for() {
    let (statement, proof, _) = &*PROVEN;
    let verifier = |bits: u32| {
        let scheme = scheme_with(SLOTS, &Policy::at_least(bits), Profile::Fast).unwrap();
        TransparentVerifier { machine: TOKEN, schemes: vec![(BatchSize::B64, scheme)] }
    };
    let own = verifier(128);
    assert_eq!(own.verify(statement, BatchSize::B64, proof), Ok(()));
    assert_eq!(BatchSize::ALL.map(|size| own.takes(size)), [true, false, false]);
    let missing = Err(Invalid("no scheme for batches of this size"));
    assert_eq!(own.verify(statement, BatchSize::B256, proof), missing);
    let none = TransparentVerifier::new(TOKEN, &[]).unwrap();
    assert!(!none.takes(BatchSize::B64) && none.keys() != own.keys());
    assert_eq!(own.keys(), verifier(128).keys());
    // Of digests of 32, 48 and 64 bytes.
    let keys = [128, 130, 160, 200].map(|bits| verifier(bits).keys());
    for (i, one) in keys.iter().enumerate() {
        assert!(keys[..i].iter().all(|other| other != one), "the keys of {i} are those of another policy");
    }
}

/// Padding takes part, and times are hints that the proof has to fit.
#[test]
fn a_batch_with_padding_is_proven_and_its_times_are_its_own() {
    let statement = Trace::of(&TOKEN, &state(), &batch(1), SLOTS).unwrap().statement;
    let proof = prove(&SCHEME, &TOKEN, &state(), (&batch(1), SLOTS)).unwrap();
    assert_eq!(verdict(&statement, &proof), Ok(()));
    assert!(verdict(&PROVEN.0, &proof).is_err(), "of another batch");
    let mut late = proof;
    late[0] += 1;
    assert!(verdict(&statement, &late).is_err());
}

/// Proofs of one system are none of the other.
#[test]
fn proof_systems_do_not_take_one_another_s_proofs() {
    let (statement, proof, _) = &*PROVEN;
    let key = groth16::tests::committed_key();
    assert!(groth16::verify(key.verifying(), &TOKEN, statement, proof).is_err());
    let batch = batch(2);
    let other = key.prove_batch(&TOKEN, &state(), (&batch, SLOTS)).unwrap();
    assert!(groth16::verify(key.verifying(), &TOKEN, statement, &other).is_ok());
    assert!(verdict(statement, &other).is_err());
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
