//! Fixtures, counts, and the search for free cells.

mod adversary;
mod differential;

use std::collections::BTreeMap;

use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point};
use curve::{AdditiveGroup, AffineRepr, CurveGroup, Field};
use snark::r1cs::{Assignment, R1cs};
use snark::schnorr::{challenge, challenge_scalar};

use super::*;
use crate::machine::{Machine, Signed};
use crate::signature::{PublicKey, Signature};
use crate::token::{Account, Index, Kind, Operation, Token, Transaction};

pub(crate) type Cells = BTreeMap<Index, Account>;

pub(crate) const TOKEN: Token = Token { chain: 5, issuer: Index(0), fee: 2, contract: None };

/// A number that has no account at first.
pub(crate) const NEW: u32 = 9;

/// The secret of an account, of a key with an even `y`.
fn secret(number: u32) -> Scalar {
    let secret = Scalar::from(number) + Scalar::from(1000u64);
    if PublicKey::from_point(point(secret)).is_ok() { secret } else { -secret }
}

fn point(secret: Scalar) -> Point {
    (Point::generator() * secret).into_affine()
}

pub(super) fn public(number: u32) -> PublicKey {
    PublicKey::from_point(point(secret(number))).unwrap()
}

pub(crate) fn state() -> Cells {
    let account = |(number, balance): (u32, u64)| {
        (Index(number), Account { key: public(number), balance, nonce: 10u32.wrapping_mul(number) })
    };
    [(0, 500), (3, 100), (4, 1000), (u32::MAX, u64::MAX - 5000)].into_iter().map(account).collect()
}

fn sign(secret: Scalar, domain: Fr, words: &[Fr]) -> Signature {
    let key = point(secret);
    let mut nonce = Scalar::from(77u64);
    loop {
        let commitment = (Point::generator() * nonce).into_affine();
        if let Some(c) = challenge(domain, commitment.x, key.x, words) {
            return Signature { challenge: c, response: nonce + challenge_scalar(c) * secret };
        }
        nonce += Scalar::ONE;
    }
}

fn words(transaction: &Transaction) -> Vec<Fr> {
    TOKEN.message(transaction).words().to_vec()
}

pub(super) fn signed(from: u32, nonce: u32, operation: Operation) -> Signed<Transaction> {
    signed_for(&TOKEN, Transaction { from: Index(from), nonce, operation })
}

/// A transaction on a chain with other rules, of which a contract is a part.
pub(crate) fn signed_for(token: &Token, transaction: Transaction) -> Signed<Transaction> {
    let key = secret(transaction.from.0);
    let signature = sign(key, token.domain().element(), &words(&transaction));
    Signed { transaction, signature }
}

pub(crate) fn transfer([from, to]: [u32; 2], amount: u64, nonce: u32) -> Signed<Transaction> {
    signed(from, nonce, Operation::Transfer { to: Index(to), amount, memo: amount ^ 0xabcd })
}

pub(crate) fn create([from, to]: [u32; 2], amount: u64, nonce: u32) -> Signed<Transaction> {
    signed(from, nonce, Operation::Create { to: Index(to), amount, key: public(to) })
}

pub(crate) fn mint([from, to]: [u32; 2], amount: u64, nonce: u32) -> Signed<Transaction> {
    signed(from, nonce, Operation::Mint { to: Index(to), amount, memo: 3 })
}

pub(crate) fn burn(from: u32, amount: u64, nonce: u32) -> Signed<Transaction> {
    signed(from, nonce, Operation::Burn { amount, memo: 4 })
}

/// All kinds: an account that is opened, gets an issue, and pays with both; a transfer to oneself, a burn.
fn batch() -> Vec<Signed<Transaction>> {
    vec![
        create([4, NEW], 50, 40),
        mint([0, NEW], 20, 0),
        transfer([NEW, 3], 68, 0),
        transfer([4, 4], 1, 41),
        burn(3, 100, 30),
    ]
}

/// The batch and a slot of padding.
fn trace() -> Trace {
    Trace::of(&TOKEN, &state(), &batch(), 6).unwrap()
}

/// The reason that a trace has no proof, with a claim that a verifier does not refuse by itself.
fn verdict(trace: &Trace) -> Result<(), &'static str> {
    let circuit = TokenCircuit::with_digest(trace).map_err(|invalid| invalid.0)?;
    // The digest only repeats the committed cells: checked where matrices are.
    let circuit = TokenCircuit { binding: Binding::Commitment, ..circuit };
    Assignment::of(&circuit).violated.map_or(Ok(()), |violated| Err(violated.label))
}

#[test]
fn batches_are_proved_without_free_cells() {
    let trace = trace();
    let kinds = trace.slots.iter().map(|slot| slot.selectors);
    assert_eq!(kinds.collect::<std::collections::HashSet<_>>().len(), 5, "all kinds and padding");
    for binding in [Binding::Commitment, Binding::Sponge] {
        let circuit = TokenCircuit::with_digest(&trace).unwrap();
        let circuit = TokenCircuit { binding, ..circuit };
        let (system, assignment) = (R1cs::of(&circuit), Assignment::of(&circuit));
        assert_eq!(system.is_satisfied(&assignment), Ok(()));
        assert!(system.free_cells(&assignment, Fr::from(0x1234_5678u64)).is_empty());
        let public =
            Public { digest: circuit.public.digest.filter(|_| binding == Binding::Sponge), ..circuit.public };
        assert_eq!(assignment.public, public.elements());
        assert_eq!(assignment.committed, trace.committed());
    }
}

/// Those that all slots share, and those of a slot: a time has as many bits as numbers below twice the number of slots.
fn counted(binding: Binding, slots: usize) -> usize {
    let commitment = 102 + GAMMA_SQUARINGS + slots * (1842 + 2 * time_bits(slots));
    match binding {
        Binding::Commitment => commitment,
        Binding::Sponge => commitment + 612 * (10 * slots).div_ceil(16) - 3 + 1,
    }
}

#[test]
fn constraint_counts() {
    let count = |binding, slots| {
        let slots = vec![Slot::default(); slots];
        R1cs::of(&TokenCircuit { binding, public: Public::default(), slots: &slots }).constraints()
    };
    for (binding, slots) in [(Binding::Commitment, 1), (Binding::Commitment, 4), (Binding::Sponge, 3)] {
        assert_eq!(count(binding, slots), counted(binding, slots), "{binding:?} {slots}");
    }
    let each = |binding| [64, 256, 1024].map(|slots| counted(binding, slots).div_ceil(slots));
    assert_eq!(each(Binding::Commitment), [1858, 1861, 1865]);
    assert_eq!(each(Binding::Sponge), [2241, 2243, 2247]);
}

/// The largest circuit: `just ledger-circuit`.
#[test]
#[ignore = "memory of 1024 slots"]
fn the_largest_circuit_is_built_and_satisfied() {
    use crate::token::{Mix, Workload};
    let mix = Mix { creates: 8, mints: 4, burns: 4 };
    let mut workload = Workload::new(3, 200, 1).with_mix(mix);
    let genesis = workload.genesis(crate::chain::Params { lanes: 1, timeout: 0, plain: 1 });
    let cells: Cells = genesis.cells.iter().cloned().collect();
    let batch: Vec<_> = (0..1024).map(|_| workload.transaction()).collect();
    let start = std::time::Instant::now();
    let trace = Trace::of(&genesis.machine, &cells, &batch, 1024).unwrap();
    let circuit = TokenCircuit::with_digest(&trace).unwrap();
    let assignment = Assignment::of(&circuit);
    println!("assignment {:.2?}", start.elapsed());
    assert_eq!(assignment.violated, None);
    let start = std::time::Instant::now();
    let system = groth16::circuit_with(1024, Binding::Sponge);
    println!("matrices {:.2?}, {} constraints", start.elapsed(), system.constraints());
    assert_eq!(system.constraints(), counted(Binding::Sponge, 1024));
    assert_eq!(system.is_satisfied(&assignment), Ok(()));
}
