//! One transition in three uses: what the machine executes, what the circuit accepts, and the statement that both are about.

use std::collections::BTreeMap;

use curve::PrimeField;

use super::*;
use crate::machine::run;
use crate::statement::Change;
use crate::token::{Mix, Workload};

/// An account by arithmetic in the field.
struct Forced {
    found: Found,
    key: Option<PublicKey>,
}

/// What happens if nobody checks anything: the slots and the cells of a batch by arithmetic in the field. Cells of numbers without an account are left out of the
/// claim, unless an account is created.
pub(super) fn forced(batch: &[Signed<Transaction>], slots: usize) -> Trace {
    let state = state();
    let mut cells: BTreeMap<Index, Forced> = BTreeMap::new();
    let mut trace = Trace::of(&TOKEN, &state, &[], slots).unwrap();
    match trace.slots.get_mut(batch.len()) {
        Some(first) => first.sender.time = 0,
        None => trace.padding_time = 0,
    }
    for (i, signed) in batch.iter().enumerate() {
        let slot = forced_slot(&mut cells, &state, signed, 2 * i as u64 + 1);
        trace.slots[i] = slot;
    }
    let low = |x: Fr| x.into_bigint().0[0];
    let change = |(&key, forced): (&Index, &Forced)| {
        let before = state.get(&key).cloned();
        let owner = before.as_ref().map_or(forced.key, |account| Some(account.key))?;
        let (balance, nonce) = (low(forced.found.balance), low(forced.found.nonce) as u32);
        Some((
            Change { key, before, after: Some(Account { key: owner, balance, nonce }) },
            forced.found.time as u32,
        ))
    };
    (trace.statement.cells, trace.times) = cells.iter().filter_map(change).unzip();
    trace
}

fn forced_slot(
    cells: &mut BTreeMap<Index, Forced>,
    state: &Cells,
    signed: &Signed<Transaction>,
    time: u64,
) -> Slot {
    let Signed { transaction, signature } = signed;
    let mut access = |index: Index, time: u64, added: Fr, nonces: u64, new: Option<PublicKey>| {
        let base = Point::generator();
        let forced = cells.entry(index).or_insert_with(|| {
            let account = state.get(&index);
            let key = account.map_or((base.x, base.y), |account| (account.key.x(), account.key.y()));
            let [balance, nonce] =
                account.map_or([Fr::ZERO; 2], |account| [account.balance.into(), account.nonce.into()]);
            Forced { found: Found { balance, nonce, key, time: 0 }, key: None }
        });
        if let Some(key) = new {
            forced.found.key = (key.x(), key.y());
            forced.key = new;
        }
        let found = forced.found;
        forced.found =
            Found { balance: found.balance + added, nonce: found.nonce + Fr::from(nonces), time, ..found };
        found
    };
    let operation = &transaction.operation;
    let amount = Fr::from(operation.amount());
    let fee = if operation.kind() == Kind::Mint { 0 } else { TOKEN.fee };
    let credit = if operation.kind() == Kind::Burn { Fr::ZERO } else { amount };
    let new = if let Operation::Create { key, .. } = operation { Some(*key) } else { None };
    let sender = access(transaction.from, time, -amount - Fr::from(fee), 1, None);
    let other = access(transaction.other(), time + 1, credit, 0, new);
    Slot {
        selectors: operation.kind().into(),
        from: Fr::from(transaction.from.0),
        to: Fr::from(transaction.other().0),
        amount,
        word: words(transaction)[1],
        sender,
        other,
        signature: (signature.challenge, signature.response),
    }
}

/// Re-execution: signatures and rules, one transaction after the other.
pub(super) fn executed(batch: &[Signed<Transaction>]) -> bool {
    run(&TOKEN, &state(), batch).is_ok()
}

/// Transactions of which some try the rules: accounts that are missing, new, equal or somebody else's to mint with, amounts at the ends, nonces that are used.
fn adversarial(seed: u8) -> Vec<Signed<Transaction>> {
    let mut numbers = blake3::Hasher::new().update(&[seed]).finalize_xof();
    let mut draw = |n: usize| {
        let mut bytes = [0; 8];
        numbers.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % n as u64) as usize
    };
    let mut nonces: BTreeMap<u32, u32> = BTreeMap::new();
    let mut opened = false;
    let mut transaction = || {
        let (wild, create_it) = (draw(5) == 0, draw(3) == 0);
        let kind = if create_it && !opened { 0 } else { draw(5) };
        let known = if opened { NEW } else { 4 };
        let from = match kind {
            _ if wild => [3, 4, NEW, 0, u32::MAX - 1][draw(5)],
            1 => 0,
            _ => [3, 4, 4, known][draw(4)],
        };
        let to = match kind {
            _ if wild => [3, 4, NEW, 8][draw(4)],
            0 => {
                if opened {
                    8
                } else {
                    NEW
                }
            }
            _ => [3, 4, 0, u32::MAX, known][draw(5)],
        };
        let amount = if wild { [0, 1, 98, 1000, u64::MAX][draw(5)] } else { [1, 2, 30, 20][draw(4)] };
        opened |= kind == 0 && to == NEW;
        let used = nonces.entry(from).or_insert(if from == NEW { 0 } else { 10u32.wrapping_mul(from) });
        let nonce = *used;
        *used += 1;
        let nonce = if draw(20) == 0 { nonce ^ 1 } else { nonce };
        let mut signed = match kind {
            0 => create([from, to], amount, nonce),
            1 => mint([from, to], amount, nonce),
            2 => burn(from, amount, nonce),
            _ => transfer([from, to], amount, nonce),
        };
        if draw(20) == 0 {
            signed.signature.response += Scalar::ONE;
        }
        signed
    };
    (0..1 + seed % 3).map(|_| transaction()).collect()
}

#[test]
fn the_circuit_accepts_what_re_execution_accepts() {
    let mut accepted: BTreeMap<u8, usize> = BTreeMap::new();
    let (mut batches, cases) = (0, 48);
    for seed in 0..cases {
        let batch = adversarial(seed);
        let trace = forced(&batch, 3);
        let verdict = verdict(&trace);
        let native = ["the touched accounts together hold 2^64 or more", "an account changes its key"];
        assert!(!native.map(Err).contains(&verdict), "the circuit is asked: {verdict:?}");
        assert_eq!(verdict.is_ok(), executed(&batch), "seed {seed}: {verdict:?}, {batch:?}");
        if verdict.is_ok() {
            assert_eq!(trace.statement, run(&TOKEN, &state(), &batch).unwrap());
            batches += 1;
            for signed in &batch {
                *accepted.entry(signed.transaction.operation.kind() as u8).or_default() += 1;
            }
        }
    }
    assert!((12..40).contains(&batches), "{batches} of {cases} batches are accepted");
    assert_eq!(accepted.len(), 4, "of each kind some: {accepted:?}");
}

/// Skewed transactions of all kinds: the prover's statement is that of plain execution, which does not know of slots.
#[test]
fn skewed_batches_have_the_statement_of_re_execution() {
    for (seed, fee) in [(1, 0), (2, 3)] {
        let mix = Mix { creates: 32, mints: 16, burns: 16 };
        let mut workload = Workload::new(seed, 4, fee).with_mix(mix);
        let genesis = workload.genesis(crate::chain::Params { lanes: 1, timeout: 0, plain: 1 });
        let mut cells: Cells = genesis.cells.iter().cloned().collect();
        for _ in 0..2 {
            let batch: Vec<_> = (0..14).map(|_| workload.transaction()).collect();
            let trace = Trace::of(&genesis.machine, &cells, &batch, 15).unwrap();
            assert_eq!(trace.statement, run(&genesis.machine, &cells, &batch).unwrap());
            assert_eq!(verdict(&trace), Ok(()));
            for change in trace.statement.cells {
                cells.insert(change.key, change.after.unwrap());
            }
        }
        assert!(cells.len() > 7, "accounts were opened");
        assert!(cells.values().skip(4).any(|account| account.nonce > 0), "and used: {}", cells.len());
    }
}

#[test]
fn what_the_rules_refuse_has_no_trace() {
    let refused = |batch: &[Signed<Transaction>], slots| {
        Trace::of(&TOKEN, &state(), batch, slots).unwrap_err().to_string()
    };
    assert_eq!(refused(&batch(), 4), "5 transactions do not fit into 4 slots");
    assert_eq!(
        refused(&[transfer([3, 4], 99, 30)], 2),
        "transaction 0: the balance is 100, the amount with its fee 101"
    );
    assert_eq!(
        refused(&[batch().remove(0), create([4, NEW], 1, 41)], 2),
        "transaction 1: account 9 exists already"
    );
    assert_eq!(refused(&[mint([3, 4], 1, 30)], 2), "transaction 0: account 3 is not the issuer");
}
