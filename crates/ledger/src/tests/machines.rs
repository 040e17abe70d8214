//! The token machine against an independent model, and the laws of machines.

use std::collections::{BTreeMap, HashMap};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::fixture::PARAMS;
use crate::Invalid;
use crate::chain::Genesis;
use crate::codec::{Canonical, Malformed, effect};
use crate::machine::{Compact, Machine, Refused, Signed, Touched, run};
use crate::signature::Secret;
use crate::statement::{BatchSize, Statement};
use crate::token::{Account, Index, Mix, Operation, Refusal, Token, Transaction, Workload};

type Cells = BTreeMap<Index, Account>;

fn write(cells: &mut Cells, statement: &Statement<Token>) {
    for change in &statement.cells {
        assert_eq!(cells.get(&change.key), change.before.as_ref());
        cells.insert(change.key, change.after.clone().unwrap());
    }
}

/// The token's rules in wide integers, written without a look at the machine.
#[derive(Clone, Default)]
struct Model {
    balances: HashMap<u32, i128>,
    nonces: HashMap<u32, i128>,
}

impl Model {
    fn of(cells: &Cells) -> Self {
        let balances = cells.iter().map(|(index, account)| (index.0, i128::from(account.balance)));
        let nonces = cells.iter().map(|(index, account)| (index.0, i128::from(account.nonce)));
        Self { balances: balances.collect(), nonces: nonces.collect() }
    }

    /// Returns true if the transaction has an effect.
    fn apply(&mut self, token: &Token, t: &Transaction) -> bool {
        let (mut next, max) = (self.clone(), i128::from(u64::MAX));
        let from = t.from.0;
        let (amount, to, mints, creates) = match t.operation {
            Operation::Create { to, amount, .. } => (amount, Some(to.0), false, true),
            Operation::Mint { to, amount, .. } => (amount, Some(to.0), true, false),
            Operation::Transfer { to, amount, .. } => (amount, Some(to.0), false, false),
            Operation::Burn { amount, .. } => (amount, None, false, false),
        };
        let amount = i128::from(amount);
        let cost = amount + if mints { 0 } else { i128::from(token.fee) };
        let (Some(balance), Some(nonce)) = (next.balances.get_mut(&from), next.nonces.get_mut(&from)) else {
            return false;
        };
        let allowed = amount > 0 && *nonce == i128::from(t.nonce) && (!mints || from == token.issuer.0);
        *balance -= cost;
        *nonce += 1;
        if !allowed || cost > max || *balance < 0 || *nonce > i128::from(u32::MAX) {
            return false;
        }
        if let Some(to) = to {
            let exists = next.balances.contains_key(&to);
            if creates == exists {
                return false;
            }
            *next.balances.entry(to).or_default() += amount;
            next.nonces.entry(to).or_default();
            if next.balances[&to] > max {
                return false;
            }
        }
        *self = next;
        true
    }
}

/// Transactions that try every rule: numbers at the ends of their ranges, accounts that are missing, equal or new, nonces that are used.
fn adversarial(rng: &mut StdRng, cells: &Cells, keys: &[Secret]) -> Transaction {
    let account = |rng: &mut StdRng| Index(rng.random_range(0..10));
    let from = account(rng);
    let at = cells.get(&from).cloned();
    let balance = at.as_ref().map_or(5, |account| account.balance);
    let nonce = at.as_ref().map_or(0, |account| account.nonce);
    let nonce = match rng.random_range(0..12) {
        0 => nonce.wrapping_add(1),
        1 => nonce.wrapping_sub(1),
        _ => nonce,
    };
    let small = 1 + rng.random_range(0..20);
    let amounts =
        [0, small, small, small, balance, balance.wrapping_sub(3), balance.wrapping_sub(2), u64::MAX];
    let amount = amounts[rng.random_range(0..amounts.len())];
    let to = if rng.random_range(0..6) == 0 { from } else { account(rng) };
    let memo = rng.random();
    let operation = match rng.random_range(0..8) {
        0 => Operation::Create { to, amount, key: keys[rng.random_range(0..keys.len())].public() },
        1 => Operation::Mint { to, amount, memo },
        2 => Operation::Burn { amount, memo },
        _ => Operation::Transfer { to, amount, memo },
    };
    Transaction { from, nonce, operation }
}

fn compare_with_model(seed: u64, start: &Cells, fee: u64) -> usize {
    let rng = &mut StdRng::seed_from_u64(seed);
    let keys: Vec<Secret> = (0..3).map(|i| Secret::from_seed(&[i; 32])).collect();
    let token = Token { chain: 1, issuer: Index(0), fee, contract: None };
    let (mut cells, mut model, mut accepted) = (start.clone(), Model::of(start), 0);
    for step in 0..2000 {
        // Burns and fees empty the accounts in time.
        if step % 100 == 0 {
            (cells, model) = (start.clone(), Model::of(start));
        }
        let t = adversarial(rng, &cells, &keys);
        let mut touched = Touched::default();
        let result = touched.apply(&token, &cells, &t);
        assert_eq!(result.is_ok(), model.apply(&token, &t), "step {step}: {t:?} {result:?}");
        let statement = touched.statement(&token);
        assert_eq!(statement.cells.is_empty(), result.is_err(), "a refusal touches nothing");
        write(&mut cells, &statement);
        accepted += usize::from(result.is_ok());
        assert_eq!(Model::of(&cells).balances, model.balances);
        assert_eq!(Model::of(&cells).nonces, model.nonces);
    }
    accepted
}

#[test]
fn the_token_is_its_model_on_adversarial_transactions() {
    let key = Secret::from_seed(&[9; 32]).public();
    let account = |balance, nonce| Account { key, balance, nonce };
    let small: Cells = (0..3).map(|i| (Index(i), account(4000, 0))).collect();
    // More than 2^64 in all: credits overflow. Nonces near their end.
    let large: Cells = (0..4).map(|i| (Index(i), account(u64::MAX - u64::from(i), u32::MAX - 40))).collect();
    for seed in 0..6 {
        assert!(compare_with_model(seed, &small, seed % 3) > 50);
        assert!(compare_with_model(seed, &large, seed % 3) > 20);
    }
}

#[test]
fn the_sum_of_all_balances_never_grows() {
    let mut workload = Workload::new(3, 20, 2).with_mix(Mix { creates: 16, mints: 16, burns: 8 });
    let mut genesis = workload.genesis(PARAMS);
    let mut cells: Cells = genesis.cells.iter().cloned().collect();
    let sum = |cells: &Cells| cells.values().map(|account| u128::from(account.balance)).sum::<u128>();
    for _ in 0..4 {
        let before = sum(&cells);
        let batch: Vec<_> = (0..30).map(|_| workload.transaction()).collect();
        let statement = run(&genesis.machine, &cells, &batch).unwrap();
        write(&mut cells, &statement);
        let fees = batch.iter().map(|signed| match signed.transaction.operation {
            Operation::Mint { .. } => 0,
            Operation::Burn { amount, .. } => u128::from(amount) + 2,
            _ => 2,
        });
        assert_eq!(before - fees.sum::<u128>(), sum(&cells));
    }
    // And no chain begins with 2^64.
    let rest = genesis.cells.iter().skip(1).map(|(_, account)| account.balance).sum::<u64>();
    genesis.cells[0].1.balance = u64::MAX - rest;
    assert_eq!(Genesis::from_bytes(&genesis.to_bytes()).as_ref(), Ok(&genesis));
    genesis.cells[0].1.balance += 1;
    let refused = Malformed("the accounts of the genesis together hold 2^64 or more");
    assert_eq!(Genesis::<Token>::from_bytes(&genesis.to_bytes()), Err(refused));
}

#[test]
fn each_rule_refuses_with_its_reason() {
    let key = Secret::from_seed(&[1; 32]).public();
    let account = |balance, nonce| Some(Account { key, balance, nonce });
    let token = Token { chain: 1, issuer: Index(0), fee: 2, contract: None };
    let refused = |t: &Transaction, cells: &[Option<Account>]| {
        let mut after = cells.to_vec();
        let refusal = token.apply(t, &mut after).unwrap_err();
        assert_eq!(after, cells, "a refusal leaves the cells as they were");
        refusal
    };
    let to = Index(2);
    let transfer = |amount, nonce| Transaction {
        from: Index(1),
        nonce,
        operation: Operation::Transfer { to, amount, memo: 0 },
    };
    let of = |operation| Transaction { from: Index(1), nonce: 0, operation };
    let (a, b) = (account(10, 0), account(u64::MAX, 0));
    assert_eq!(refused(&transfer(0, 9), &[None, None]), Refusal::ZeroAmount);
    assert_eq!(refused(&transfer(1, 9), &[None, None]), Refusal::UnknownSender(1));
    assert_eq!(refused(&transfer(99, 1), &[a.clone(), None]), Refusal::Nonce { expected: 0, found: 1 });
    assert_eq!(refused(&transfer(1, u32::MAX), &[account(10, u32::MAX), None]), Refusal::NoncesUsedUp);
    let mint = Operation::Mint { to, amount: 99, memo: 0 };
    assert_eq!(refused(&of(mint), &[a.clone(), None]), Refusal::NotIssuer(1));
    assert_eq!(refused(&transfer(u64::MAX, 0), &[b.clone(), None]), Refusal::Overflow);
    assert_eq!(refused(&transfer(9, 0), &[a.clone(), None]), Refusal::Balance { balance: 10, debit: 11 });
    assert_eq!(refused(&transfer(8, 0), &[a.clone(), None]), Refusal::UnknownRecipient(2));
    assert_eq!(refused(&transfer(8, 0), &[a.clone(), b.clone()]), Refusal::Overflow);
    let create = Operation::Create { to, amount: 8, key };
    assert_eq!(refused(&of(create), &[a.clone(), b]), Refusal::AccountExists(2));
    let oneself = |amount| of(Operation::Transfer { to: Index(1), amount, memo: 0 });
    assert_eq!(token.cells(&oneself(1)), [Index(1)], "a cell is named once");
    let mut cells = vec![a];
    token.apply(&oneself(8), &mut cells).unwrap();
    assert_eq!(cells, [account(8, 1)], "a transfer to oneself costs the fee");
}

#[test]
fn signatures_bind_chain_account_and_every_field() {
    let mut workload = Workload::new(5, 4, 1);
    let genesis = workload.genesis(PARAMS);
    let cells: Cells = genesis.cells.iter().cloned().collect();
    let token = genesis.machine;
    let (secret, to) = (workload.secret(1), Index(2));
    let t =
        Transaction { from: Index(1), nonce: 0, operation: Operation::Transfer { to, amount: 5, memo: 1 } };
    let signature = secret.sign(&token.domain(), &t.message());
    let execute = |token: &Token, t: &Transaction| {
        let signed = Signed { transaction: t.clone(), signature };
        Touched::default().execute(token, &cells, &signed)
    };
    execute(&token, &t).unwrap();
    let bad =
        Err(Refused::Signature(Invalid("the signature is not of this message by this key on this chain")));
    assert_eq!(execute(&Token { chain: 6, ..token }, &t), bad, "another chain");
    assert_eq!(execute(&Token { fee: 0, ..token }, &t), bad, "other rules");
    let of = |operation| Transaction { operation, ..t.clone() };
    let transfer = |to, amount, memo| of(Operation::Transfer { to: Index(to), amount, memo });
    for other in
        [transfer(3, 5, 1), transfer(2, 6, 1), transfer(2, 5, 2), of(Operation::Burn { amount: 5, memo: 1 })]
    {
        assert_eq!(execute(&token, &other), bad, "{other:?}");
    }
    assert_eq!(execute(&token, &Transaction { from: Index(3), ..t.clone() }), bad, "another account");
    assert_ne!(t.message(), Transaction { nonce: 1, ..t }.message());
    // Replayed: the nonce has moved on.
    let signed = workload.transaction();
    let result = run(&token, &cells, &[signed.clone(), signed.clone()]);
    let from = signed.transaction.nonce;
    assert_eq!(result.unwrap_err(), (1, Refused::Rules(Refusal::Nonce { expected: from + 1, found: from })));
}

/// Bytes of the two encodings, and both have the statement of the plain execution.
fn encodings(token: &Token, cells: &Cells, batch: &[Signed<Transaction>]) -> [usize; 2] {
    let statement = run(token, cells, batch).unwrap();
    let transactions: Vec<_> = batch.iter().map(|signed| signed.transaction.clone()).collect();
    let size = BatchSize::fitting(batch.len()).unwrap();
    let both = [effect::encode_list(token, &transactions), effect::encode_delta(token, &statement)];
    for bytes in &both {
        let read = effect::Effect::read(token, size, bytes).unwrap();
        assert_eq!(read.statement(token, cells).unwrap(), statement);
        let keys: Vec<Index> = statement.cells.iter().map(|change| change.key).collect();
        assert_eq!(read.keys(), keys);
    }
    let smaller = effect::encode(token, &transactions, &statement);
    assert_eq!(smaller.len(), both[0].len().min(both[1].len()));
    both.map(|bytes| bytes.len())
}

/// Bytes of 1,024 transactions: as a list, as a delta, and as what is sent.
fn sizes(token: &Token, cells: &Cells, batch: &[Transaction]) -> [usize; 3] {
    let mut touched = Touched::default();
    batch.iter().for_each(|t| touched.apply(token, cells, t).unwrap());
    let statement = touched.statement(token);
    let list = effect::encode_list(token, batch).len();
    let delta = effect::encode_delta(token, &statement).len();
    [list, delta, effect::encode(token, batch, &statement).len()]
}

/// The target is 16 bytes for a transfer, the paper has 80. Signatures are checked elsewhere.
#[test]
fn sizes_of_batches_of_1024() {
    let mut workload = Workload::new(11, 2000, 0);
    let genesis = workload.genesis(PARAMS);
    let cells: Cells = genesis.cells.iter().cloned().collect();
    let batch: Vec<_> = (0..1024).map(|_| workload.unsigned()).collect();
    assert_eq!(sizes(&genesis.machine, &cells, &batch), [4797, 2464, 2464], "skewed");
    // No account twice, amounts up to 2^21, numbers of accounts up to 2^20.
    let account = Account { key: workload.secret(0).public(), balance: 1 << 40, nonce: 7 };
    let spread = |i: u32| Index(i.wrapping_mul(0x9e37_79b1) >> 12);
    let cells: Cells = (0..2048).map(|i| (spread(i), account.clone())).collect();
    assert_eq!(cells.len(), 2048);
    let transfer = |i: u32| {
        let amount = u64::from(spread(i).0) * 2 + 1;
        let operation = Operation::Transfer { to: spread(2 * i + 1), amount, memo: 0 };
        Transaction { from: spread(2 * i), nonce: 7, operation }
    };
    let batch: Vec<_> = (0..1024).map(transfer).collect();
    assert_eq!(sizes(&genesis.machine, &cells, &batch), [9697, 12270, 9697], "spread");
}

#[test]
fn both_encodings_of_an_effect_have_its_statement() {
    let mut workload = Workload::new(2, 30, 1);
    let genesis = workload.genesis(PARAMS);
    let cells: Cells = genesis.cells.iter().cloned().collect();
    let token = genesis.machine;
    let mut batch: Vec<_> = (0..20).map(|_| workload.transaction()).collect();
    let secret = workload.secret(0);
    let nonce = batch.iter().filter(|signed| signed.transaction.from.0 == 0).count() as u32;
    let operation = Operation::Create { to: Index(u32::MAX), amount: 7, key: secret.public() };
    let transaction = Transaction { from: Index(0), nonce, operation };
    let signature = secret.sign(&token.domain(), &transaction.message());
    batch.push(Signed { transaction, signature });
    let [list, delta] = encodings(&token, &cells, &batch);
    assert!(list > 64 && delta > 64, "the new key");
    let [list, delta] = encodings(&token, &cells, &batch[..1]);
    assert!(list < 12 && delta < 20, "{list} {delta}");
}

/// Every way to bend an effect: cut short, with more behind, any byte another one. What is accepted is what would be written.
#[test]
fn effects_have_one_encoding() {
    let mut workload = Workload::new(2, 6, 1);
    let genesis = workload.genesis(PARAMS);
    let cells: Cells = genesis.cells.iter().cloned().collect();
    let token = genesis.machine;
    let batch: Vec<_> = (0..4).map(|_| workload.transaction()).collect();
    let statement = run(&token, &cells, &batch).unwrap();
    let transactions: Vec<_> = batch.iter().map(|signed| signed.transaction.clone()).collect();
    let read = |bytes: &[u8]| {
        effect::Effect::read(&token, BatchSize::B64, bytes).and_then(|e| e.statement(&token, &cells))
    };
    for bytes in [effect::encode_list(&token, &transactions), effect::encode_delta(&token, &statement)] {
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err());
        }
        assert!(read(&[&bytes[..], &[0]].concat()).is_err());
        for at in 0..bytes.len() {
            for value in 0..=255 {
                let mut bent = bytes.clone();
                bent[at] = value;
                let Ok(found) = read(&bent) else { continue };
                let delta = bent[0] == 1;
                assert!(!delta || effect::encode_delta(&token, &found) == bent, "a second encoding");
                assert!(bent == bytes || found != statement || !delta, "byte {at} has no meaning");
            }
        }
    }
    let many = [&[0, 0x80, 0x80, 0x04][..], &[0; 100]].concat();
    assert!(read(&many).is_err(), "more transactions than a batch has room for");
    assert!(read(&[1, 0]).is_err() && read(&[0, 0]).is_err() && read(&[2, 1]).is_err() && read(&[]).is_err());
}

#[test]
fn transactions_and_numbers_have_one_encoding() {
    let rng = &mut StdRng::seed_from_u64(1);
    let keys = [Secret::from_seed(&[1; 32])];
    for _ in 0..200 {
        let t = adversarial(rng, &Cells::new(), &keys);
        let bytes = t.to_bytes();
        assert_eq!(Transaction::from_bytes(&bytes), Ok(t.clone()));
        assert!(Transaction::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!(Transaction::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
        let mut bent = bytes.clone();
        let at = rng.random_range(0..bytes.len());
        bent[at] ^= 1 << rng.random_range(0..8);
        if let Ok(other) = Transaction::from_bytes(&bent) {
            assert_eq!(other.to_bytes(), bent);
            assert_ne!(other.message(), t.message(), "the words determine the transaction");
        }
    }
    let read = |bytes: &[u8]| crate::codec::read_varint(&mut crate::codec::Reader::new(bytes)).ok();
    for x in [0, 1, 127, 128, 300, u64::MAX] {
        let mut w = crate::codec::Writer::new();
        crate::codec::write_varint(&mut w, x);
        assert_eq!(read(&w.finish()), Some(x));
    }
    assert_eq!(read(&[0x80, 0]), None, "a superfluous byte");
    assert_eq!(read(&[0xff; 10]), None);
    assert_eq!(read(&[0x80; 11]), None);
    let mut top = [0x80; 10];
    top[9] = 2;
    assert_eq!(read(&top), None, "2^64");
}

/// A change that no transaction has: the token's deltas cannot even say that a key changes or an account ends.
#[test]
fn deltas_say_nothing_that_accounts_cannot_do() {
    let token = Token { chain: 1, issuer: Index(0), fee: 0, contract: None };
    let account = Account { key: Secret::from_seed(&[1; 32]).public(), balance: 5, nonce: u32::MAX };
    let read = |before: Option<&Account>, bytes: &[u8]| {
        token.read_change(before, &mut crate::codec::Reader::new(bytes))
    };
    assert!(read(None, &[1, 0]).is_err(), "of an account that does not exist");
    assert!(read(Some(&account), &[0]).is_err(), "a new account that exists");
    assert!(read(Some(&account), &[2, 6]).is_err(), "a balance below 0");
    assert!(read(Some(&account), &[3, 0]).is_err(), "a nonce beyond 32 bits");
    assert!(read(Some(&account), &[2, 0]).is_err(), "less by 0");
    assert!(
        read(Some(&account), &[1, 0]).is_err(),
        "touched and as it was: such a batch could come again and again"
    );
    assert_eq!(read(Some(&account), &[2, 5]).unwrap().unwrap().balance, 0);
}
