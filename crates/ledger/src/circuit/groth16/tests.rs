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

/// A new account and, if there are two, a transfer from it.
fn batch(count: usize) -> Vec<Signed<Transaction>> {
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

type Deviation = fn(&mut Vec<Change<Token>>);

/// What a dishonest prover would like to have proven: each differs in one thing.
fn deviations() -> Vec<Deviation> {
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
fn the_circuit_is_that_of_version_1() {
    let digest: String = circuit(SLOTS).digest()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "453742ab16a386f7");
}

/// Of the other sizes the same is tested by `just ledger-circuit`, for want of seconds.
#[test]
fn the_digest_of_the_smallest_size_is_written_down() {
    assert_eq!(circuit(64).digest(), digest(64));
}

#[test]
#[ignore = "half a minute: `just ledger-circuit`"]
fn the_largest_circuits_have_the_digests_that_are_written_down() {
    let sizes = BatchSize::ALL.map(BatchSize::slots);
    let made = sizes.map(|slots| circuit(slots).digest());
    for digest in &made {
        let [high, low] = [&digest[..16], &digest[16..]]
            .map(|half| half.iter().map(|x| format!("{x:02x}")).collect::<String>());
        println!("[0x{high}, 0x{low}],");
    }
    assert_eq!(made, sizes.map(digest));
}
