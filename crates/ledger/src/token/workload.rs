//! Seeded transactions of all kinds, skewed as those of popular tokens are: a few accounts send and receive most of them.
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
    mix: Mix,
    key: [u8; 32],
    secrets: Vec<Secret>,
    /// The accounts of the genesis.
    first: usize,
    accounts: Vec<(u64, u32)>,
    /// Sums of weights, of which the last is the total.
    weights: Vec<u64>,
    random: blake3::OutputReader,
}

/// The number of transactions of a kind among 128; the rest are transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    /// New accounts.
    pub creates: u64,
    /// By the issuer.
    pub mints: u64,
    /// By any account.
    pub burns: u64,
}

/// One mint and one burn in 128.
impl Default for Mix {
    fn default() -> Self {
        Self { creates: 0, mints: 1, burns: 1 }
    }
}

/// What an account of the genesis begins with.
const BALANCE: u64 = 1 << 40;

/// What one that is created later does.
const FIRST_AMOUNT: u64 = 1 << 20;

impl Workload {
    /// Accounts, the first of which mints. Cost: one multiple of the generator for each.
    ///
    /// # Panics
    /// If there are fewer than two accounts, or more than `2^20`.
    #[must_use]
    pub fn new(seed: u64, accounts: u32, fee: u64) -> Self {
        assert!((2..=1 << 20).contains(&accounts), "from 2 to 2^20 accounts");
        let key = blake3::derive_key("tenfold ledger v1 workload", &seed.to_le_bytes());
        let mut workload = Self {
            token: Token { chain: seed, issuer: Index(0), fee, contract: None },
            mix: Mix::default(),
            key,
            secrets: Vec::new(),
            first: accounts as usize,
            accounts: Vec::new(),
            weights: Vec::new(),
            random: blake3::Hasher::new_keyed(&key).finalize_xof(),
        };
        for _ in 0..accounts {
            workload.open(BALANCE);
        }
        workload
    }

    /// The same accounts with other kinds of transactions.
    ///
    /// # Panics
    /// If there are more than 128 in 128.
    #[must_use]
    pub fn with_mix(self, mix: Mix) -> Self {
        assert!(mix.creates + mix.mints + mix.burns <= 128, "more than 128 transactions of 128");
        Self { mix, ..self }
    }

    /// One more account, whose key is a function of the seed and its number.
    fn open(&mut self, balance: u64) {
        let i = self.accounts.len() as u32;
        self.secrets.push(Secret::from_seed(blake3::keyed_hash(&self.key, &i.to_le_bytes()).as_bytes()));
        self.accounts.push((balance, 0));
        let total = self.weights.last().copied().unwrap_or(0);
        self.weights.push(total + (1 << 32) / (u64::from(i) + 1));
    }

    /// The chain that the transactions are for.
    #[must_use]
    pub fn genesis(&self, params: Params) -> Genesis<Token> {
        let account = |(i, secret): (u32, &Secret)| {
            (Index(i), Account { key: secret.public(), balance: BALANCE, nonce: 0 })
        };
        let cells = (0..).zip(&self.secrets).take(self.first).map(account);
        Genesis { machine: self.token, params, cells: cells.collect() }
    }

    /// The secret of an account.
    #[must_use]
    pub fn secret(&self, account: u32) -> &Secret {
        &self.secrets[account as usize]
    }

    /// The next transaction, of a kind by the [`Mix`]. Cost: a signature, and of a new account a multiple of the generator.
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
        let memo = 0;
        let Mix { creates, mints, burns } = self.mix;
        let kind = self.number() % 128;
        // What was opened later has little, and may have spent it.
        let debit = FIRST_AMOUNT.max(amount).saturating_add(self.token.fee);
        let from = if kind < mints || self.accounts[from as usize].0 < debit { 0 } else { from };
        let operation = if kind < mints {
            Operation::Mint { to: Index(to), amount, memo }
        } else if kind < mints + burns {
            Operation::Burn { amount, memo }
        } else if kind < mints + burns + creates {
            let to = self.accounts.len();
            self.open(0);
            Operation::Create { to: Index(to as u32), amount: FIRST_AMOUNT, key: self.secrets[to].public() }
        } else {
            Operation::Transfer { to: Index(to), amount, memo }
        };
        let (balance, nonce) = self.accounts[from as usize];
        let transaction = Transaction { from: Index(from), nonce, operation };
        let debit = self.token.debit(&transaction.operation).expect("small amounts");
        assert!(debit <= balance, "the first account is never emptied by {BALANCE} / 1000 transactions");
        self.accounts[from as usize] = (balance - debit, nonce + 1);
        if let Some(to) = transaction.to() {
            self.accounts[to.0 as usize].0 += transaction.operation.amount();
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
