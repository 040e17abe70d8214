//! The statement of a batch: which cells it touches, their values before and after.
//!
//! A proof says: "there are transactions, each signed by the key that its cells name, that turn these values into those". Two checks of a verifier are
//! no part of the proof and are part of soundness: the touched cells are distinct, and their values before are those of the verifier's own
//! store. (notes: ledger-statement)

use core::fmt::Debug;

use crate::Invalid;
use crate::machine::{Domain, Machine};
use crate::store::Digest;

/// A cell before and after a batch. `None` is an empty cell.
#[derive(Debug)]
pub struct Change<M: Machine> {
    /// The cell.
    pub key: M::Key,
    /// Its value before.
    pub before: Option<M::Value>,
    /// Its value after.
    pub after: Option<M::Value>,
}

impl<M: Machine> Clone for Change<M> {
    fn clone(&self) -> Self {
        Self { key: self.key, before: self.before.clone(), after: self.after.clone() }
    }
}

impl<M: Machine> PartialEq for Change<M> {
    fn eq(&self, other: &Self) -> bool {
        (self.key, &self.before, &self.after) == (other.key, &other.before, &other.after)
    }
}

/// What a proof of a batch is about.
#[derive(Debug)]
pub struct Statement<M: Machine> {
    /// The chain.
    pub domain: Domain,
    /// The touched cells, in strictly increasing order of their keys.
    pub cells: Vec<Change<M>>,
}

impl<M: Machine> Clone for Statement<M> {
    fn clone(&self) -> Self {
        Self { domain: self.domain, cells: self.cells.clone() }
    }
}

impl<M: Machine> PartialEq for Statement<M> {
    fn eq(&self, other: &Self) -> bool {
        (self.domain, &self.cells) == (other.domain, &other.cells)
    }
}

/// The number of transactions that a batch has room for: each has its own circuit and setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BatchSize {
    /// 64 transactions.
    B64,
    /// 256 transactions.
    B256,
    /// 1024 transactions.
    B1024,
}

impl BatchSize {
    /// All sizes, increasing.
    pub const ALL: [Self; 3] = [Self::B64, Self::B256, Self::B1024];

    /// The number of transactions, of which those at the end may be padding.
    #[must_use]
    pub const fn slots(self) -> usize {
        match self {
            Self::B64 => 64,
            Self::B256 => 256,
            Self::B1024 => 1024,
        }
    }

    /// The smallest size with room for some transactions.
    #[must_use]
    pub fn fitting(transactions: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.slots() >= transactions)
    }
}

/// A call of a contract that holds the root of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The batch size of the contract, which selects the circuit.
    pub size: BatchSize,
    /// The input of the transaction.
    pub input: Vec<u8>,
}

/// The cells of a state that are not empty.
pub type Cells<'a, M> = dyn Iterator<Item = (&'a <M as Machine>::Key, &'a <M as Machine>::Value)> + 'a;

/// A proof system for batches of a machine. Implementations hold verifying keys, one for each [`BatchSize`].
pub trait BatchVerifier<M: Machine> {
    /// Checks a proof. The touched cells are distinct, and their values before are those of the store: both were checked.
    ///
    /// # Errors
    /// If the proof is not one of this statement, for a batch of this size.
    fn verify(&self, statement: &Statement<M>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid>;

    /// Checks the proof of a contract's call, which leads from the root of the state with these cells to the one in it. A verifier has no key for calls unless it says
    /// otherwise.
    ///
    /// # Errors
    /// If the proof does not hold from this state, or there is no key.
    fn verify_call(&self, call: &Call, cells: &mut Cells<'_, M>) -> Result<(), Invalid> {
        let _ = (call, cells);
        Err(Invalid("there is no key here for calls of a contract"))
    }

    /// Tells whether there is a key for batches of a size.
    fn takes(&self, size: BatchSize) -> bool;

    /// The digest of all keys with their sizes: equal on replicas that take the same proofs.
    fn keys(&self) -> Digest;
}

/// Takes every proof: for all checks but that one. The sizes and keys are those of another verifier; without one, all sizes and no key.
pub(crate) struct Unproven<'a, M>(pub Option<&'a dyn BatchVerifier<M>>);

impl<M: Machine> BatchVerifier<M> for Unproven<'_, M> {
    fn verify(&self, _: &Statement<M>, _: BatchSize, _: &[u8]) -> Result<(), Invalid> {
        Ok(())
    }

    fn takes(&self, size: BatchSize) -> bool {
        self.0.is_none_or(|verifier| verifier.takes(size))
    }

    fn keys(&self) -> Digest {
        self.0.map_or_else(Digest::default, BatchVerifier::keys)
    }
}

/// The digest of verifying keys by their own digests, in the order of [`BatchSize`].
#[must_use]
pub fn digest_of_keys(keys: impl IntoIterator<Item = (BatchSize, [u8; 32])>) -> Digest {
    let mut keys: Vec<_> = keys.into_iter().collect();
    keys.sort_unstable();
    let mut hash = blake3::Hasher::new_derive_key("tenfold 2026 ledger verifying keys");
    for (size, digest) in keys {
        hash.update(&(size.slots() as u64).to_le_bytes()).update(&digest);
    }
    *hash.finalize().as_bytes()
}
