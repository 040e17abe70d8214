//! Seeded transactions, skewed as those of popular tokens are: a few accounts send and receive most of them.
//!
//! Account `i` is chosen with a probability proportional to `1 / (i + 1)`. One seed gives the same keys and transactions everywhere.

// Every index is one that this module drew. Nothing here reads from the network.
#![allow(clippy::indexing_slicing)]

use super::{Account, Index, Operation, Token, Transaction};
use crate::chain::{Genesis, Params};
use crate::machine::{Machine, Signed};
use crate::signature::Secret;

/// A source of transactions that are accepted in their order.
#[derive(Debug)]
pub struct Workload {
    token: Token,
    secrets: Vec<Secret>,
    accounts: Vec<(u64, u32)>,
    /// Sums of weights, of which the last is the total.
    weights: Vec<u64>,
    random: blake3::OutputReader,
}

/// What an account begins with.
const BALANCE: u64 = 1 << 40;

impl Workload {
    /// Accounts, the first of which mints. Cost: one multiple of the generator for each.
    ///
    /// # Panics
    /// If there are fewer than two accounts, or more than `2^20`.
    #[must_use]
    pub fn new(seed: u64, accounts: u32, fee: u64) -> Self {
        assert!((2..=1 << 20).contains(&accounts), "from 2 to 2^20 accounts");
        let key = blake3::derive_key("tenfold ledger v1 workload", &seed.to_le_bytes());
        let secret = |i: u32| Secret::from_seed(blake3::keyed_hash(&key, &i.to_le_bytes()).as_bytes());
        let mut total = 0;
        let weights = (0..u64::from(accounts)).map(|i| {
            total += (1 << 32) / (i + 1);
            total
        });
        Self {
            token: Token { chain: seed, issuer: Index(0), fee, contract: None },
            secrets: (0..accounts).map(secret).collect(),
            accounts: vec![(BALANCE, 0); accounts as usize],
            weights: weights.collect(),
            random: blake3::Hasher::new_keyed(&key).finalize_xof(),
        }
    }

    /// The chain that the transactions are for.
    #[must_use]
    pub fn genesis(&self, params: Params) -> Genesis<Token> {
        let account = |(i, secret): (u32, &Secret)| {
            (Index(i), Account { key: secret.public(), balance: BALANCE, nonce: 0 })
        };
        Genesis { machine: self.token, params, cells: (0..).zip(&self.secrets).map(account).collect() }
    }

    /// The secret of an account.
    #[must_use]
    pub fn secret(&self, account: u32) -> &Secret {
        &self.secrets[account as usize]
    }

    /// The next transaction: a transfer, or in one of 64 cases a mint or a burn. Cost: a signature.
    pub fn transaction(&mut self) -> Signed<Transaction> {
        let transaction = self.unsigned();
        let secret = &self.secrets[transaction.from.0 as usize];
        let signature = secret.sign_with(&self.token.domain(), &transaction.message(), &[0; 32]);
        Signed { transaction, signature }
    }

    /// The next transaction without its signature.
    pub fn unsigned(&mut self) -> Transaction {
        let [from, to] = [self.account(), self.account()];
        let amount = 1 + self.number() % 1000;
        let (to, memo) = (Index(to), 0);
        let (from, operation) = match self.number() % 128 {
            0 => (0, Operation::Mint { to, amount, memo }),
            1 => (from, Operation::Burn { amount, memo }),
            _ => (from, Operation::Transfer { to, amount, memo }),
        };
        let (balance, nonce) = self.accounts[from as usize];
        let transaction = Transaction { from: Index(from), nonce, operation };
        let debit = self.token.debit(&transaction.operation).expect("small amounts");
        assert!(debit <= balance, "an account is never emptied by {BALANCE} / 1000 transactions");
        self.accounts[from as usize] = (balance - debit, nonce + 1);
        if let Some(to) = transaction.to() {
            self.accounts[to.0 as usize].0 += amount;
        }
        transaction
    }

    fn account(&mut self) -> u32 {
        let total = self.weights[self.weights.len() - 1];
        let chosen = self.number() % total;
        self.weights.partition_point(|sum| *sum <= chosen) as u32
    }

    fn number(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.random.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}
