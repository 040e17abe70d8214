//! Transactions that wait for a block: files of a folder, named by their digest.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{NodeError, durable, file};
use crate::chain::Chain;
use crate::machine::{Domain, Signed, State};
use crate::statement::BatchSize;
use crate::token::{Index, Kind, Token, Transaction};

/// The most files that are read at a time.
const MOST: usize = 1 << 16;

/// The folder of a node's waiting transactions.
#[derive(Clone, Debug)]
pub struct Inbox {
    folder: PathBuf,
    domain: Domain,
}

/// What a folder has.
#[derive(Debug, Default)]
pub struct Waiting {
    /// In the order of senders and their nonces.
    pub transactions: Vec<Signed<Transaction>>,
    /// Files that are no transactions of the chain, and why. They stay where they are.
    pub unusable: Vec<(PathBuf, NodeError)>,
}

impl Inbox {
    /// The folder, which need not be there.
    #[must_use]
    pub fn new(folder: &Path, domain: Domain) -> Self {
        Self { folder: folder.to_owned(), domain }
    }

    fn place(&self, bytes: &[u8]) -> PathBuf {
        let name: String = blake3::hash(bytes).as_bytes()[..16].iter().map(|b| format!("{b:02x}")).collect();
        self.folder.join(format!("{name}.transaction"))
    }

    /// Puts a transaction there: on the disk when this returns. One that is there already stays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, signed: &Signed<Transaction>) -> Result<PathBuf, NodeError> {
        fs::create_dir_all(&self.folder).map_err(NodeError::io("make", &self.folder))?;
        let bytes = file::encode_transaction(&self.domain, signed);
        let path = self.place(&bytes);
        match durable::write_new(&path, &bytes) {
            Ok(()) | Err(NodeError::Exists(_)) => Ok(path),
            Err(e) => Err(e),
        }
    }

    /// Reads all of them, 65,536 at most.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn read(&self) -> Result<Waiting, NodeError> {
        let mut waiting = Waiting::default();
        if !self.folder.exists() {
            return Ok(waiting);
        }
        for entry in fs::read_dir(&self.folder).map_err(NodeError::io("read", &self.folder))?.take(MOST) {
            let path = entry.map_err(NodeError::io("read", &self.folder))?.path();
            if path.extension().is_none_or(|end| end != "transaction") {
                continue;
            }
            let bytes = durable::read(&path, file::MAX_TRANSACTION_FILE as u64);
            match bytes.and_then(|bytes| file::decode_transaction(&self.domain, &bytes)) {
                Ok(signed) => waiting.transactions.push(signed),
                Err(e) => waiting.unusable.push((path, e)),
            }
        }
        waiting.transactions.sort_by_key(|signed| (signed.transaction.from, signed.transaction.nonce));
        Ok(waiting)
    }

    /// Removes what can never be in a block any more: its nonce was used. Returns the number of files.
    ///
    /// # Errors
    /// If a file cannot be read or removed.
    pub fn sweep(&self, chain: &Chain<Token>) -> Result<usize, NodeError> {
        let mut removed = 0;
        for signed in self.read()?.transactions {
            let account = chain.cell(&signed.transaction.from);
            if account.is_some_and(|account| account.nonce > signed.transaction.nonce) {
                let path = self.place(&file::encode_transaction(&self.domain, &signed));
                if path.exists() {
                    fs::remove_file(&path).map_err(NodeError::io("remove", &path))?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

/// Tells whether batches may have a transaction: whether it is of a kind that the circuit has. Others are executed by every replica.
#[must_use]
pub fn is_provable(transaction: &Transaction) -> bool {
    transaction.operation.kind() == Kind::Transfer
}

/// Takes transactions for a block out of those that wait, in their order: those that satisfy `fits` and touch no `busy` account. What a sender signed after
/// a transaction that stays stays too, since its nonce comes later.
pub fn select(
    waiting: &mut Vec<Signed<Transaction>>,
    busy: &BTreeSet<Index>,
    most: usize,
    fits: impl Fn(&Transaction) -> bool,
) -> Vec<Signed<Transaction>> {
    let mut late = BTreeSet::new();
    let mut taken = Vec::new();
    let mut left = Vec::with_capacity(waiting.len());
    for signed in waiting.drain(..) {
        let t = &signed.transaction;
        let free =
            !late.contains(&t.from) && !busy.contains(&t.from) && t.to().is_none_or(|to| !busy.contains(&to));
        if taken.len() < most && free && fits(t) {
            taken.push(signed);
        } else {
            late.insert(t.from);
            left.push(signed);
        }
    }
    *waiting = left;
    taken
}

/// The accounts that transactions touch.
#[must_use]
pub fn touched(transactions: &[Signed<Transaction>]) -> BTreeSet<Index> {
    transactions
        .iter()
        .flat_map(|signed| [Some(signed.transaction.from), signed.transaction.to()])
        .flatten()
        .collect()
}

/// A size by its number of transactions.
#[must_use]
pub fn size_of(slots: usize) -> Option<BatchSize> {
    BatchSize::ALL.into_iter().find(|size| size.slots() == slots)
}
