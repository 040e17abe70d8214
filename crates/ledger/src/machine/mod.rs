//! State machines: a map of cells, and transactions that each read and write a few of them.
//!
//! The transition of a machine is defined once, by [`Machine::apply`], a pure function of the cells that a transaction names. Plain re-execution
//! ([`run`]) follows from it, and so does the statement of a proof: which cells a batch touches, their values before and after.
//! (notes: ledger-machine)

mod compact;
mod contract;

pub use compact::Compact;
pub use contract::Contract;

use core::error::Error;
use core::fmt::Debug;
use std::collections::BTreeMap;

use crate::codec::{Canonical, Malformed};
use crate::signature::{Message, PublicKey, Signature};
use crate::statement::{Change, Statement};

/// The lowest number of a kind of message that is the ledger's own.
pub const LEDGER_KINDS: u8 = 0x80;

/// The most cells that one transaction touches.
pub const MAX_CELLS: usize = 4;

/// A state machine. A value of it holds the rules of one chain.
///
/// The value itself is the rules, and has an encoding.
///
/// Laws: [`cells`](Self::cells) names at most [`MAX_CELLS`] distinct cells and depends on the transaction alone; [`signer`](Self::signer) and [`apply`](Self::apply) depend on the
/// transaction, the rules and the given cells alone; a refusal leaves the cells as they were; [`message`](Self::message) is injective, and the low 8 bits of its first word are below
/// [`LEDGER_KINDS`], above which they are messages of the ledger itself.
pub trait Machine: Canonical {
    /// The machine's name in digests.
    const NAME: &'static str;

    /// The name of a cell.
    type Key: Canonical + Copy + Ord + Debug + Send + Sync;
    /// The content of a cell that is not empty.
    type Value: Canonical + Clone + Eq + Debug + Send + Sync;
    /// What a client signs.
    type Transaction: Canonical + Clone + Eq + Debug + Send + Sync;
    /// The reason that a transaction is refused.
    type Refusal: Error + Clone + PartialEq + Send + Sync + 'static;

    /// The digest of the rules: it separates chains, and begins every signed message and every statement.
    fn domain(&self) -> Domain {
        Domain::of(Self::NAME, &self.to_bytes())
    }

    /// Checks the cells that a chain begins with, which are distinct and in increasing order.
    ///
    /// # Errors
    /// If the machine's rules do not hold in a state with these cells.
    fn check_genesis(&self, _cells: &[(Self::Key, Self::Value)]) -> Result<(), Malformed> {
        Ok(())
    }

    /// The cells that a transaction touches, in the order in which [`Self::apply`] takes them.
    fn cells(&self, transaction: &Self::Transaction) -> Vec<Self::Key>;

    /// The key that has to sign a transaction.
    ///
    /// # Errors
    /// If the cells do not name one.
    fn signer(
        &self,
        transaction: &Self::Transaction,
        cells: &[Option<Self::Value>],
    ) -> Result<PublicKey, Self::Refusal>;

    /// The signed words.
    fn message(&self, transaction: &Self::Transaction) -> Message;

    /// Writes the values after the transaction over those before it.
    ///
    /// # Errors
    /// If the rules refuse the transaction in this state; the cells are as they were.
    fn apply(
        &self,
        transaction: &Self::Transaction,
        cells: &mut [Option<Self::Value>],
    ) -> Result<(), Self::Refusal>;
}

/// The digest of a chain's rules, 31 bytes: an element of the field of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain(pub [u8; 31]);

impl Domain {
    /// The digest of the canonical encoding of rules, of the machine of this name.
    #[must_use]
    pub fn of(machine: &str, rules: &[u8]) -> Self {
        let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 domain");
        hash.update(&(machine.len() as u64).to_le_bytes());
        hash.update(machine.as_bytes());
        hash.update(rules);
        let mut bytes = [0; 31];
        bytes.copy_from_slice(&hash.finalize().as_bytes()[..31]);
        Self(bytes)
    }

    /// The number, 32 bytes, big-endian: a word of the EVM.
    #[must_use]
    pub fn word(&self) -> [u8; 32] {
        let mut word = [0; 32];
        word.iter_mut().rev().zip(self.0).for_each(|(to, from)| *to = from);
        word
    }

    /// The field element.
    #[must_use]
    pub fn element(&self) -> curve::bn254::Fr {
        let mut bytes = [0; 32];
        bytes[..31].copy_from_slice(&self.0);
        curve::bn254::decode_fr(&bytes).expect("31 bytes are below the order")
    }
}

/// A transaction and its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed<T> {
    /// What was signed.
    pub transaction: T,
    /// By the key that the state names.
    pub signature: Signature,
}

/// Reads cells: a store, or what is known of one.
pub trait State<M: Machine> {
    /// The content of a cell.
    fn cell(&self, key: &M::Key) -> Option<M::Value>;
}

impl<M: Machine> State<M> for BTreeMap<M::Key, M::Value> {
    fn cell(&self, key: &M::Key) -> Option<M::Value> {
        self.get(key).cloned()
    }
}

/// The reason that a transaction has no effect.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused<R: Error> {
    /// By the rules.
    #[error(transparent)]
    Rules(R),
    /// By the check of the signature.
    #[error("the signature is not that of the key in the state: {0}")]
    Signature(#[from] crate::Invalid),
}

/// Cells that a batch has touched: their values before it and now.
#[derive(Clone, Debug)]
pub struct Touched<M: Machine> {
    cells: BTreeMap<M::Key, Change<M>>,
}

impl<M: Machine> Default for Touched<M> {
    fn default() -> Self {
        Self { cells: BTreeMap::new() }
    }
}

impl<M: Machine> Touched<M> {
    /// Applies a transaction whose signature is known to be right, or whose effect a proof is about.
    ///
    /// # Errors
    /// If the rules refuse it; nothing has changed.
    pub fn apply(
        &mut self,
        machine: &M,
        state: &impl State<M>,
        transaction: &M::Transaction,
    ) -> Result<(), M::Refusal> {
        let keys = machine.cells(transaction);
        let mut cells = self.read(state, &keys);
        machine.apply(transaction, &mut cells)?;
        for (key, after) in keys.into_iter().zip(cells) {
            let change = self.cells.entry(key).or_insert_with(|| {
                let before = state.cell(&key);
                Change { key, after: before.clone(), before }
            });
            change.after = after;
        }
        Ok(())
    }

    /// Checks the signature, then applies the transaction: plain execution.
    ///
    /// # Errors
    /// If the rules or the signature refuse it; nothing has changed.
    pub fn execute(
        &mut self,
        machine: &M,
        state: &impl State<M>,
        signed: &Signed<M::Transaction>,
    ) -> Result<(), Refused<M::Refusal>> {
        let transaction = &signed.transaction;
        let cells = self.read(state, &machine.cells(transaction));
        let signer = machine.signer(transaction, &cells).map_err(Refused::Rules)?;
        signer.verify(&machine.domain(), &machine.message(transaction), &signed.signature)?;
        self.apply(machine, state, transaction).map_err(Refused::Rules)
    }

    /// The statement of all that was applied: the touched cells in the order of their keys.
    #[must_use]
    pub fn statement(self, machine: &M) -> Statement<M> {
        Statement { domain: machine.domain(), cells: self.cells.into_values().collect() }
    }

    pub(crate) fn read(&self, state: &impl State<M>, keys: &[M::Key]) -> Vec<Option<M::Value>> {
        let read = |key| self.cells.get(key).map_or_else(|| state.cell(key), |change| change.after.clone());
        keys.iter().map(read).collect()
    }
}

/// Executes transactions in their order: the oracle of every proof. Returns the statement that a proof of the batch is about.
///
/// # Errors
/// At the first transaction that is refused, with its position.
pub fn run<M: Machine>(
    machine: &M,
    state: &impl State<M>,
    batch: &[Signed<M::Transaction>],
) -> Result<Statement<M>, (usize, Refused<M::Refusal>)> {
    let mut touched = Touched::default();
    for (i, signed) in batch.iter().enumerate() {
        touched.execute(machine, state, signed).map_err(|refused| (i, refused))?;
    }
    Ok(touched.statement(machine))
}
