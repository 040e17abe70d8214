use std::collections::BTreeMap;

use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point};
use curve::{AdditiveGroup, AffineRepr, CurveGroup, Field, PrimeField};
use snark::r1cs::{Assignment, R1cs};
use snark::schnorr::{challenge, challenge_scalar};

use super::*;
use crate::machine::{Machine, Signed, Touched};
use crate::signature::{PublicKey, Signature};
use crate::statement::Change;
use crate::token::{Account, Index, Operation, Token, Transaction};

pub(super) type Cells = BTreeMap<Index, Account>;

pub(super) const TOKEN: Token = Token { chain: 5, issuer: Index(0), fee: 2, contract: None };

fn secret(number: u32) -> Scalar {
    Scalar::from(number) + Scalar::from(1000u64)
}

pub(super) fn state() -> Cells {
    let account = |(number, balance): (u32, u64)| {
        let key = (Point::generator() * secret(number)).into_affine();
        (
            Index(number),
            Account { key: PublicKey::from_point(key).unwrap(), balance, nonce: 10u32.wrapping_mul(number) },
        )
    };
    [(0, 0), (3, 100), (4, 1000), (u32::MAX, u64::MAX - 5000)].into_iter().map(account).collect()
}

fn sign(secret: Scalar, domain: Fr, words: &[Fr]) -> Signature {
    let key = (Point::generator() * secret).into_affine();
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

pub(super) fn signed(transaction: Transaction) -> Signed<Transaction> {
    let signature = sign(secret(transaction.from.0), TOKEN.domain().element(), &words(&transaction));
    Signed { transaction, signature }
}

pub(super) fn transfer([from, to]: [u32; 2], amount: u64, nonce: u32) -> Signed<Transaction> {
    let operation = Operation::Transfer { to: Index(to), amount, memo: amount ^ 0xabcd };
    signed(Transaction { from: Index(from), nonce, operation })
}

/// Three transfers, one of them to oneself and one of what was just received.
fn batch() -> Vec<Signed<Transaction>> {
    vec![transfer([3, 4], 98, 30), transfer([4, 4], 1, 40), transfer([4, 3], 1093, 41)]
}

fn trace(slots: usize) -> Trace {
    Trace::of(&TOKEN, &state(), &batch(), slots).unwrap()
}

/// The reason that a trace has no proof, with a claim that a verifier does not refuse by itself.
fn verdict(trace: &Trace) -> Result<(), &'static str> {
    let circuit = TokenCircuit::with_digest(trace, TOKEN.fee).map_err(|invalid| invalid.0)?;
    // The digest only repeats the committed cells: checked where matrices are.
    let circuit = TokenCircuit { binding: Binding::Commitment, ..circuit };
    Assignment::of(&circuit).violated.map_or(Ok(()), |violated| Err(violated.label))
}

#[test]
fn batches_are_proved_without_free_cells() {
    for (binding, slots) in [(Binding::Commitment, 4), (Binding::Sponge, 3)] {
        let trace = trace(slots);
        let circuit = TokenCircuit::with_digest(&trace, TOKEN.fee).unwrap();
        let circuit = TokenCircuit { binding, ..circuit };
        let (system, assignment) = (R1cs::of(&circuit), Assignment::of(&circuit));
        assert_eq!(system.is_satisfied(&assignment), Ok(()));
        assert_eq!(system.free_cells(&assignment, Fr::from(0x1234_5678u64)), []);
        let public =
            Public { digest: circuit.public.digest.filter(|_| binding == Binding::Sponge), ..circuit.public };
        assert_eq!(assignment.public, public.elements());
        assert_eq!(assignment.committed, trace.committed(TOKEN.fee));
    }
}

#[test]
fn constraint_counts() {
    let count = |binding, slots| {
        let slots = vec![trace(3).slots[0]; slots];
        R1cs::of(&TokenCircuit { binding, public: Public::default(), slots: &slots }).constraints()
    };
    // Six are shared by all slots; a time has as many bits as numbers below twice the number of slots.
    let commitment = |slots: usize| 6 + slots * (1834 + 2 * time_bits(slots));
    for slots in [1, 2, 4] {
        assert_eq!(count(Binding::Commitment, slots), commitment(slots), "{slots}");
    }
    let sponge = |slots: usize| commitment(slots) + 612 * (10 * slots).div_ceil(16) - 3 + 1;
    for slots in [2, 3] {
        assert_eq!(count(Binding::Sponge, slots), sponge(slots), "{slots}");
    }
    assert_eq!([64, 256, 1024].map(|slots| commitment(slots).div_ceil(slots)), [1849, 1853, 1857]);
    assert_eq!([64, 256, 1024].map(|slots| sponge(slots).div_ceil(slots)), [2231, 2235, 2239]);
}

/// What happens if nobody checks anything: the slots and the cells of a batch by arithmetic in the field.
fn forced(batch: &[Signed<Transaction>], slots: usize) -> Trace {
    let state = state();
    let base = Point::generator();
    let none = Found { balance: Fr::ZERO, nonce: Fr::ZERO, key: (base.x, base.y), time: 0 };
    let mut cells: BTreeMap<Index, Found> = BTreeMap::new();
    let mut trace = Trace::of(&TOKEN, &state, &[], slots).unwrap();
    match trace.slots.get_mut(batch.len()) {
        Some(first) => first.sender.time = 0,
        None => trace.padding_time = 0,
    }
    for (i, Signed { transaction, signature }) in batch.iter().enumerate() {
        let Operation::Transfer { to, amount, memo } = transaction.operation else { panic!("no transfer") };
        let mut access = |index: Index, time: u64, debit: Fr, nonces: u64| {
            let before = state.get(&index).map_or(none, |account| Found {
                balance: Fr::from(account.balance),
                nonce: Fr::from(account.nonce),
                key: (account.key.x(), account.key.y()),
                time: 0,
            });
            let found = *cells.get(&index).unwrap_or(&before);
            let (balance, nonce) = (found.balance - debit, found.nonce + Fr::from(nonces));
            cells.insert(index, Found { balance, nonce, time, ..found });
            found
        };
        let time = 2 * i as u64 + 1;
        let sender = access(transaction.from, time, Fr::from(amount) + Fr::from(TOKEN.fee), 1);
        let recipient = access(to, time + 1, -Fr::from(amount), 0);
        let [from, to] = [transaction.from, to].map(|index| Fr::from(index.0));
        let (amount, memo) = (Fr::from(amount), Fr::from(memo));
        let signature = (signature.challenge, signature.response);
        trace.slots[i] = Slot { padding: false, from, to, amount, memo, sender, recipient, signature };
    }
    let low = |x: Fr| x.into_bigint().0[0];
    let change = |(&key, found): (&Index, &Found)| {
        let before = state.get(&key)?.clone();
        let after = Account { balance: low(found.balance), nonce: low(found.nonce) as u32, ..before.clone() };
        Some(Change { key, before: Some(before), after: Some(after) })
    };
    trace.statement.cells = cells.iter().filter_map(change).collect();
    let known = cells.iter().filter(|(key, _)| state.contains_key(key));
    trace.times = known.map(|(_, found)| found.time as u32).collect();
    trace
}

/// Re-execution: signatures and rules, one transaction after the other.
fn executed(batch: &[Signed<Transaction>]) -> bool {
    let state = state();
    let mut touched: Touched<Token> = Touched::default();
    batch.iter().all(|Signed { transaction, signature }| {
        let keys = TOKEN.cells(transaction);
        let Ok(key) = TOKEN.signer(transaction, &touched.read(&state, &keys)) else { return false };
        let right = key.verify(&TOKEN.domain(), &TOKEN.message(transaction), signature).is_ok();
        right && touched.apply(&TOKEN, &state, transaction).is_ok()
    })
}

#[test]
fn the_circuit_accepts_what_re_execution_accepts() {
    let mut accepted = 0;
    let cases = 24;
    for seed in 0..cases {
        let mut numbers = blake3::Hasher::new().update(&[seed]).finalize_xof();
        let mut draw = |n: usize| {
            let mut bytes = [0; 8];
            numbers.fill(&mut bytes);
            (u64::from_le_bytes(bytes) % n as u64) as usize
        };
        let mut nonces: BTreeMap<u32, u32> = BTreeMap::new();
        let batch: Vec<_> = (0..1 + seed % 3)
            .map(|_| {
                let from = [3, 4, u32::MAX - 1, 3, 4, 4][draw(6)];
                let to = [3, 4, 0, u32::MAX, 77, 3, 4][draw(7)];
                let amount = [1, 2, 40, 98, 1, 3, 0, u64::MAX][draw(8)];
                let used = nonces.entry(from).or_insert(0);
                let nonce = 10u32.wrapping_mul(from).wrapping_add(*used);
                *used += 1;
                let mut transfer =
                    transfer([from, to], amount, if draw(12) == 0 { nonce ^ 1 } else { nonce });
                if draw(12) == 0 {
                    transfer.signature.response += Scalar::ONE;
                }
                transfer
            })
            .collect();
        let verdict = verdict(&forced(&batch, 3));
        let held = verdict == Err("the touched accounts together hold 2^64 or more");
        assert!(!held, "the accounts of these tests hold less together");
        assert_eq!(verdict.is_ok(), executed(&batch), "seed {seed}: {verdict:?}, {batch:?}");
        accepted += usize::from(verdict.is_ok());
    }
    assert!((2..20).contains(&accepted), "{accepted} of {cases} batches are accepted");
}

#[test]
fn transfers_that_the_rules_refuse_have_no_proof() {
    let cases = [
        (transfer([3, 3], 0, 30), "transfer: amount is not 0"),
        (transfer([3, 4], 99, 30), "memory: products"),
        (transfer([3, 4], 1, 31), "schnorr: challenge"),
        (transfer([3, 77], 1, 30), "memory: products"),
        (transfer([77, 3], 1, 0), "schnorr: challenge"),
        (
            Signed { transaction: transfer([3, 0], 1, 30).transaction, ..transfer([3, 4], 1, 30) },
            "schnorr: challenge",
        ),
    ];
    for (refused, label) in cases {
        assert!(!executed(std::slice::from_ref(&refused)));
        assert_eq!(verdict(&forced(core::slice::from_ref(&refused), 2)), Err(label), "{refused:?}");
    }
    // A transaction twice, and two in the wrong order.
    for batch in [vec![batch()[0].clone(), batch()[0].clone()], vec![batch()[2].clone(), batch()[1].clone()]]
    {
        assert!(!executed(&batch));
        assert!(verdict(&forced(&batch, 2)).is_err());
    }
}

fn changed(change: impl Fn(&mut Trace)) -> Result<(), &'static str> {
    let mut trace = trace(4);
    change(&mut trace);
    verdict(&trace)
}

#[test]
fn malicious_provers_are_stopped() {
    assert_eq!(changed(|_| ()), Ok(()));
    let products = Err("memory: products");
    // The recipient's account as it was before the batch, although it has sent since; and a balance that is not there.
    assert_eq!(
        changed(|t| t.slots[1].sender = Found { time: 0, balance: Fr::from(1000u64), ..t.slots[1].sender }),
        products
    );
    assert_eq!(changed(|t| t.slots[2].sender.balance += Fr::ONE), products);
    assert_eq!(changed(|t| t.slots[0].recipient.nonce += Fr::ONE), products);
    // A memo, a recipient and an amount that were not signed.
    let unsigned = Err("schnorr: challenge");
    assert_eq!(changed(|t| t.slots[0].memo += Fr::ONE), unsigned);
    assert_eq!(changed(|t| t.slots[0].to += Fr::ONE), unsigned);
    assert_eq!(changed(|t| t.slots[0].amount += Fr::ONE), unsigned);
    // A slot that is passed off as padding, which needs no right signature of its account's key; it still is no padding account.
    assert_eq!(changed(|t| t.slots[0].padding = true), unsigned);
    assert_eq!(
        changed(|t| {
            let padding = t.slots[3];
            t.slots[0] = Slot {
                from: t.slots[0].from,
                to: t.slots[0].to,
                sender: Found { time: 0, ..t.slots[0].sender },
                ..padding
            };
        }),
        unsigned
    );
    // A transfer from the padding account, whose secret is known to all: the signature is right.
    let from_padding = |t: &mut Trace| {
        let transaction = Transaction {
            from: Index(0),
            nonce: 0,
            operation: Operation::Transfer { to: Index(3), amount: 5, memo: 0 },
        };
        let words = words(&transaction);
        let signature = sign(Scalar::ONE, TOKEN.domain().element(), &words);
        let slot = &mut t.slots[3];
        (slot.padding, slot.to, slot.amount) = (false, Fr::from(3u64), Fr::from(5u64));
        slot.signature = (signature.challenge, signature.response);
    };
    assert_eq!(changed(from_padding), products);
    // More than there is, as a negative amount in the other direction.
    let negative = |t: &mut Trace| t.slots[0].amount = -Fr::from(5u64);
    assert_eq!(changed(negative), unsigned);
}

#[test]
fn claims_are_bound_and_checked() {
    let products = Err("memory: products");
    let account =
        |change: &mut Option<Account>, with: fn(&mut Account)| with(change.as_mut().expect("an account"));
    assert_eq!(changed(|t| account(&mut t.statement.cells[0].after, |a| a.balance += 1)), products);
    assert_eq!(changed(|t| account(&mut t.statement.cells[1].after, |a| a.nonce += 1)), products);
    assert_eq!(changed(|t| account(&mut t.statement.cells[0].before, |a| a.balance += 1)), products);
    assert_eq!(changed(|t| t.statement.cells[1].key.0 += 1), products);
    assert_eq!(changed(|t| t.times[0] += 1), products);
    assert_eq!(changed(|t| t.padding_time = 0), products);
    assert_eq!(changed(|t| t.statement.domain.0[0] ^= 1), Err("schnorr: challenge"));
    assert_eq!(
        changed(|t| {
            t.statement.cells.pop();
            t.times.pop();
        }),
        products
    );
    let invalid = |change: fn(&mut Trace)| changed(change).expect_err("the claim is refused");
    assert_eq!(invalid(|t| t.times.push(1)), "not one time for each touched cell");
    assert_eq!(
        invalid(|t| t.statement.cells[1].key = t.statement.cells[0].key),
        "the touched cells are not in strictly increasing order"
    );
    assert_eq!(
        invalid(|t| t.statement.cells[0].after = None),
        "an account is opened or closed, for which there is no circuit"
    );
    assert_eq!(
        invalid(|t| t.statement.cells[0].after = t.statement.cells[1].after.clone()),
        "an account changes its key"
    );
    assert_eq!(
        invalid(|t| t.statement.cells.iter_mut().for_each(|c| c.before.as_mut().unwrap().balance = 1 << 63)),
        "the touched accounts together hold 2^64 or more"
    );
}

#[test]
fn other_batches_have_no_trace() {
    let refused = |batch: &[Signed<Transaction>], slots| {
        Trace::of(&TOKEN, &state(), batch, slots).unwrap_err().to_string()
    };
    assert_eq!(refused(&batch(), 2), "3 transactions do not fit into 2 slots");
    let burn =
        signed(Transaction { from: Index(3), nonce: 30, operation: Operation::Burn { amount: 1, memo: 0 } });
    assert_eq!(refused(&[burn], 2), "transaction 0 is no transfer: there is a circuit of transfers alone");
    assert_eq!(
        refused(&[transfer([3, 4], 99, 30)], 2),
        "transaction 0: the balance is 100, the amount with its fee 101"
    );
}
