use super::super::tests::{NEW, TOKEN, create, mint, public, state, transfer};
use super::*;
use crate::statement::Change;
use crate::token::Account;
use rand::SeedableRng;
use rand::rngs::StdRng;
use snark::groth16::setup_local;
use std::sync::OnceLock;

pub(crate) const SLOTS: usize = 2;

pub(crate) fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

pub(crate) fn key() -> &'static ProvingKey<Bn254> {
    static KEY: OnceLock<ProvingKey<Bn254>> = OnceLock::new();
    KEY.get_or_init(|| setup_local(&circuit(SLOTS), &mut rng(1)).unwrap())
}

/// With a commitment in place of the digest.
pub(crate) fn committed_key() -> &'static ProvingKey<Bn254> {
    static KEY: OnceLock<ProvingKey<Bn254>> = OnceLock::new();
    KEY.get_or_init(|| setup_local(&circuit_with(SLOTS, Binding::Commitment), &mut rng(1)).unwrap())
}

/// A new account and, if there are two, a transfer from it.
pub(crate) fn batch(count: usize) -> Vec<Signed<Transaction>> {
    vec![create([4, NEW], 98, 40), transfer([NEW, 4], 90, 0)][..count].to_vec()
}

fn proven(count: usize) -> (Statement<Token>, Vec<u8>) {
    let batch = batch(count);
    let proof = prove(key(), &TOKEN, &state(), (&batch, SLOTS), &mut rng(2)).unwrap();
    (Trace::of(&TOKEN, &state(), &batch, SLOTS).unwrap().statement, proof)
}

fn verdict(statement: &Statement<Token>, proof: &[u8]) -> Result<(), Invalid> {
    verify(key().verifying(), &TOKEN, statement, proof)
}

#[test]
fn proofs_of_batches_hold_and_no_other_statement_or_byte_does() {
    let (statement, proof) = proven(2);
    assert_eq!(verdict(&statement, &proof), Ok(()));
    assert_eq!(proof.len(), 32 + 128 + 1 + 2, "two cells, accessed at times below 128");
    for end in 0..proof.len() {
        assert!(verdict(&statement, &proof[..end]).is_err(), "{end} bytes");
    }
    assert_eq!(verdict(&statement, &[&proof[..], &[0]].concat()), Err(LENGTH));
    for at in (0..proof.len()).step_by(9).chain(160..proof.len()) {
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
    assert!(verify(key().verifying(), &other, &statement, &proof).is_err());
    let moved = Statement { domain: other.domain(), ..statement };
    assert!(verify(key().verifying(), &other, &moved, &proof).is_err(), "the domain is a public input");
}

pub(crate) type Deviation = fn(&mut Vec<Change<Token>>);

/// What a dishonest prover would like to have proven: each differs in one thing.
pub(crate) fn deviations() -> Vec<Deviation> {
    fn after(change: &mut Change<Token>) -> &mut Account {
        change.after.as_mut().unwrap()
    }
    fn before(change: &mut Change<Token>) -> &mut Account {
        change.before.as_mut().unwrap()
    }
    vec![
        |cells| after(&mut cells[0]).balance += 1,
        |cells| after(&mut cells[1]).nonce += 1,
        |cells| before(&mut cells[0]).balance += 1,
        |cells| {
            before(&mut cells[0]).balance += 1;
            after(&mut cells[0]).balance += 1;
        },
        |cells| before(&mut cells[0]).nonce -= 1,
        |cells| after(&mut cells[1]).key = public(8),
        |cells| cells[1].before = Some(Account { key: public(NEW), balance: 0, nonce: 0 }),
        |cells| cells[1].key.0 += 1,
        |cells| cells.swap(0, 1),
        |cells| cells.truncate(1),
        |cells| cells[0].before = None,
        |cells| cells[0].after = None,
        |cells| {
            let key = after(&mut cells[1]).key;
            after(&mut cells[0]).key = key;
        },
        |cells| {
            let key = after(&mut cells[1]).key;
            after(&mut cells[0]).key = key;
            before(&mut cells[0]).key = key;
        },
    ]
}

#[test]
fn a_batch_with_padding_is_proven_and_its_proof_is_of_no_other_batch() {
    let (statement, proof) = proven(1);
    assert_eq!(verdict(&statement, &proof), Ok(()));
    let (other, _) = proven(2);
    assert!(verdict(&other, &proof).is_err());
}

/// Keys are of the circuit of their size, and of a ceremony unless somebody says that they need not be.
#[test]
fn verifiers_take_keys_of_their_circuits_from_ceremonies() {
    let keys = || vec![(BatchSize::B64, key().verifying().clone())];
    let local = Groth16Verifier::new(TOKEN, keys()).map(|_| ());
    assert_eq!(local, Err(Invalid("a key of a local setup: whoever made it can prove anything")));
    let other = Groth16Verifier::insecure(TOKEN, keys()).map(|_| ());
    assert_eq!(other, Err(Invalid("a key of another circuit than that of its batches")));
    let (statement, proof) = proven(1);
    let none = Groth16Verifier::new(TOKEN, vec![]).unwrap();
    let missing = none.verify(&statement, BatchSize::B64, &proof);
    assert_eq!(missing, Err(Invalid("no key for batches of this size")));
}

/// Slots of padding alone satisfy the circuit: what keeps such a proof from being shown again and again is that a statement has to change something.
#[test]
fn a_batch_without_a_change_is_refused() {
    let nothing = prove(key(), &TOKEN, &state(), (&[], SLOTS), &mut rng(4));
    assert!(matches!(nothing, Err(ProofError::Refused(_))));
    let mut trace = Trace::of(&TOKEN, &state(), &batch(1), SLOTS).unwrap();
    assert!(TokenCircuit::with_digest(&trace).is_ok());
    let idle = (crate::token::Index(u32::MAX), state().remove(&crate::token::Index(u32::MAX)).unwrap());
    trace.statement.cells.push(Change { key: idle.0, before: Some(idle.1.clone()), after: Some(idle.1) });
    trace.times.push(0);
    assert!(TokenCircuit::with_digest(&trace).is_err(), "a cell that no transfer touches");
}

#[test]
fn what_has_no_proof_gets_none() {
    let attempt = |batch: &[Signed<Transaction>]| {
        prove(key(), &TOKEN, &state(), (batch, SLOTS), &mut rng(3)).map(|proof| proof.len())
    };
    let mut forged = batch(1);
    forged[0].signature = batch(2)[1].signature;
    assert!(matches!(attempt(&forged), Err(ProofError::Prove(_))), "a wrong signature");
    let three = [batch(2), batch(1)].concat();
    assert!(matches!(attempt(&three), Err(ProofError::Unprovable(Unprovable::TooMany { .. }))));
    let minted = attempt(&[mint([3, 4], 1, 30)]);
    assert!(matches!(minted, Err(ProofError::Unprovable(Unprovable::Refused { position: 0, .. }))));
    let three = prove(key(), &TOKEN, &state(), (&batch(2), SLOTS + 1), &mut rng(3));
    assert!(matches!(three, Err(ProofError::Prove(ProveError::OtherCircuit))));
}

/// The digests that keys are read for: another one is another circuit, whose keys of before are of no use.
#[test]
fn the_circuit_is_that_of_version_2() {
    let digests = Binding::ALL.map(|binding| {
        let digest = circuit_with(SLOTS, binding).digest();
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    });
    assert_eq!(digests, ["c67b88555d3b942e", "0e26c0635e50e738"]);
}

/// Of the other sizes the same is tested by `just ledger-circuit`, for want of seconds.
#[test]
fn the_digest_of_the_smallest_size_is_written_down() {
    assert_eq!(circuit(64).digest(), digest(64));
    assert_eq!(digest(64), digest_with(64, Binding::Sponge));
    assert_eq!([256, 1024].map(digest), [256, 1024].map(|slots| digest_with(slots, Binding::Commitment)));
}

#[test]
#[ignore = "half a minute: `just ledger-circuit`"]
fn the_largest_circuits_have_the_digests_that_are_written_down() {
    let sizes = BatchSize::ALL.map(BatchSize::slots);
    let made = sizes.map(|slots| Binding::ALL.map(|binding| circuit_with(slots, binding).digest()));
    for digest in made.as_flattened() {
        let [high, low] = [&digest[..16], &digest[16..]]
            .map(|half| half.iter().map(|x| format!("{x:02x}")).collect::<String>());
        println!("[0x{high}, 0x{low}],");
    }
    assert_eq!(made, sizes.map(|slots| Binding::ALL.map(|binding| digest_with(slots, binding))));
}

/// With a commitment: the same statements hold and the same deviations fail, and a proof is of one kind of key.
#[test]
fn batches_are_proven_with_a_commitment_in_place_of_the_digest() {
    let key = committed_key();
    let proven = |batch: &[Signed<Transaction>], seed| {
        prove(key, &TOKEN, &state(), (batch, SLOTS), &mut rng(seed)).unwrap()
    };
    let statement = Trace::of(&TOKEN, &state(), &batch(2), SLOTS).unwrap().statement;
    let proof = proven(&batch(2), 5);
    let verdict =
        |statement: &Statement<Token>, proof: &[u8]| verify(key.verifying(), &TOKEN, statement, proof);
    assert_eq!(verdict(&statement, &proof), Ok(()));
    assert_eq!(proof.len(), 160 + 1 + 2);
    assert!(verdict(&statement, &proven(&batch(1), 6)).is_err(), "of another batch");
    for at in (0..proof.len()).step_by(13).chain(160..proof.len()) {
        let mut bad = proof.clone();
        bad[at] ^= 1;
        assert!(verdict(&statement, &bad).is_err(), "byte {at}");
    }
    for end in [0, 32, 128, 159, 160, proof.len() - 1] {
        assert!(verdict(&statement, &proof[..end]).is_err(), "{end} bytes");
    }
    assert_eq!(verdict(&statement, &[&proof[..], &[0]].concat()), Err(LENGTH));
    for (at, change) in deviations().into_iter().enumerate() {
        let mut other = statement.clone();
        change(&mut other.cells);
        assert!(verdict(&other, &proof).is_err(), "deviation {at}");
    }
    // The commitment of another proof of the same batch.
    let again = proven(&batch(2), 7);
    let mixed = [&proof[..128], &again[128..160], &proof[160..]].concat();
    assert!(verdict(&statement, &mixed).is_err());
    // Keys of the two kinds.
    let (_, other) = self::proven(2);
    assert!(verdict(&statement, &other).is_err());
    assert!(self::verdict(&statement, &proof).is_err());
}

/// A prover who knows the challenge before committing: it is `α` of any other claim, and the verifier's is that of this one.
#[test]
fn a_challenge_that_is_no_hash_of_the_claim_and_the_commitment_is_refused() {
    let key = committed_key();
    let trace = Trace::of(&TOKEN, &state(), &batch(2), SLOTS).unwrap();
    let committed = key.commit(&trace.committed(), &mut rng(8)).unwrap();
    let honest = TokenCircuit::with_commitment(&trace, committed.commitment()).unwrap();
    // Everything is satisfied at any challenge, if the statement is true: the verifier refuses it because it is not the hash.
    let words = [[1; 32], [2; 32]];
    let public = trace.claim().public(&words).unwrap();
    let circuit = TokenCircuit { public, ..honest };
    assert_ne!(public.challenge, honest.public.challenge);
    let proof = key.prove_committed(committed, &Assignment::of(&circuit), &mut rng(9)).unwrap();
    assert_eq!(key.verifying().verify(&public.elements(), &proof), Ok(()), "a proof of that challenge");
    assert!(key.verifying().verify(&honest.public.elements(), &proof).is_err());
    // What the challenge is a hash of, one at a time.
    let mut seen = vec![honest.public.challenge, public.challenge];
    let changes: [fn(&mut Trace); 6] = [
        |t| t.context[0] ^= 1,
        |t| t.fee += 1,
        |t| t.issuer.0 += 1,
        |t| t.statement.domain.0[0] ^= 1,
        |t| t.times[0] += 1,
        |t| t.padding_time += 1,
    ];
    for change in changes {
        let mut other = trace.clone();
        change(&mut other);
        let challenge = other.claim().public(&proof.commitment().unwrap().words()).unwrap().challenge;
        assert!(!seen.contains(&challenge));
        seen.push(challenge);
    }
}

#[test]
fn more_cells_than_a_batch_touches_are_refused() {
    let mut statement = Trace::of(&TOKEN, &state(), &batch(2), SLOTS).unwrap().statement;
    let change = statement.cells[0].clone();
    statement.cells = (0..2049).map(|i| Change { key: crate::token::Index(i), ..change.clone() }).collect();
    let times = vec![1; statement.cells.len()];
    let (fee, issuer) = (TOKEN.fee, TOKEN.issuer);
    let claim =
        Claim { statement: &statement, fee, issuer, times: &times, padding_time: 0, context: [0; 32] };
    let refused = claim.public(&[[0; 32]; 2]).map(|_| ());
    assert_eq!(refused, Err(Invalid("more touched cells than a batch has")));
}
