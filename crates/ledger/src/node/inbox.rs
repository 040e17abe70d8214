//! Transactions that wait for a block: files of a folder, named by their digest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{NodeError, durable, file};
use crate::chain::Chain;
use crate::machine::{Domain, Machine, Signed, State};
use crate::statement::BatchSize;
use crate::token::{Index, Token, Transaction};

/// The most transactions that are read at a time.
const MOST: usize = 1 << 16;

/// The most transactions of one account that wait at a time.
pub(super) const MOST_OF_ACCOUNT: usize = 1 << 10;

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

    /// The file of a transaction with this signature, if it is there.
    pub(super) fn find(&self, signed: &Signed<Transaction>) -> Option<PathBuf> {
        let path = self.place(&file::encode_transaction(&self.domain, signed));
        path.exists().then_some(path)
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

    /// Reads them: 65,536 at most, and 1,024 of an account. Where there are more, each account has the same room, for its first nonces.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn read(&self) -> Result<Waiting, NodeError> {
        self.read_at_most(MOST)
    }

    pub(super) fn read_at_most(&self, most: usize) -> Result<Waiting, NodeError> {
        let mut queues = Queues { room: MOST_OF_ACCOUNT, ..Queues::default() };
        let mut unusable = Vec::new();
        self.each(|path, read| {
            match read {
                Ok(signed) => queues.push(signed, most),
                Err(e) if unusable.len() < most => unusable.push((path.to_owned(), e)),
                Err(_) => {}
            }
            Ok(())
        })?;
        Ok(Waiting { transactions: queues.in_order(), unusable })
    }

    /// The number of files of transactions, of which none is read; where there are more than `most`, one more.
    pub(super) fn count(&self, most: usize) -> Result<usize, NodeError> {
        if !self.folder.exists() {
            return Ok(0);
        }
        let mut count = 0;
        for entry in fs::read_dir(&self.folder).map_err(NodeError::io("read", &self.folder))? {
            let path = entry.map_err(NodeError::io("read", &self.folder))?.path();
            count += usize::from(path.extension().is_some_and(|end| end == "transaction"));
            if count > most {
                break;
            }
        }
        Ok(count)
    }

    /// Calls `f` with each file.
    fn each(
        &self,
        mut f: impl FnMut(&Path, Result<Signed<Transaction>, NodeError>) -> Result<(), NodeError>,
    ) -> Result<(), NodeError> {
        if !self.folder.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(&self.folder).map_err(NodeError::io("read", &self.folder))? {
            let path = entry.map_err(NodeError::io("read", &self.folder))?.path();
            if path.extension().is_some_and(|end| end == "transaction") {
                let bytes = durable::read(&path, file::MAX_TRANSACTION_FILE as u64);
                f(&path, bytes.and_then(|bytes| file::decode_transaction(&self.domain, &bytes)))?;
            }
        }
        Ok(())
    }

    /// Removes what no block can have any more, however many files there are. Returns their number.
    ///
    /// # Errors
    /// If a file cannot be removed, or the folder not be read.
    pub fn sweep(&self, is_over: impl Fn(&Signed<Transaction>) -> bool) -> Result<usize, NodeError> {
        let mut removed = 0;
        self.each(|path, read| {
            if read.is_ok_and(|signed| is_over(&signed)) {
                fs::remove_file(path).map_err(NodeError::io("remove", path))?;
                removed += 1;
            }
            Ok(())
        })?;
        Ok(removed)
    }
}

/// Transactions by their senders, with the same room for each.
#[derive(Default)]
struct Queues {
    room: usize,
    count: usize,
    queues: BTreeMap<Index, Vec<Signed<Transaction>>>,
}

impl Queues {
    /// Adds a transaction. If there are more than `most` then, or more of its sender than there is room for, the last nonces are dropped.
    fn push(&mut self, signed: Signed<Transaction>, most: usize) {
        let queue = self.queues.entry(signed.transaction.from).or_default();
        queue.push(signed);
        self.count += 1;
        // Twice the room, so that not each one sorts.
        if queue.len() >= 2 * self.room {
            self.count -= shorten(queue, self.room);
        }
        while self.count > most && self.room > 1 {
            self.room /= 2;
            self.shorten();
        }
        if self.count > most {
            // One of each sender.
            self.queues.pop_last();
            self.count -= 1;
        }
    }

    fn shorten(&mut self) {
        let room = self.room;
        self.count -= self.queues.values_mut().map(|queue| shorten(queue, room)).sum::<usize>();
    }

    fn in_order(mut self) -> Vec<Signed<Transaction>> {
        self.shorten();
        self.queues.into_values().flatten().collect()
    }
}

/// Keeps the first nonces, in their order. Returns how many are dropped.
fn shorten(queue: &mut Vec<Signed<Transaction>>, room: usize) -> usize {
    let dropped = queue.len().saturating_sub(room);
    queue.sort_by_key(|signed| signed.transaction.nonce);
    queue.truncate(room);
    dropped
}

/// Whether no block can have a transaction any more, or nobody can tell: its nonce was used, or its sender does not exist.
pub(super) fn is_used(chain: &Chain<Token>, signed: &Signed<Transaction>) -> bool {
    chain.cell(&signed.transaction.from).is_none_or(|account| account.nonce > signed.transaction.nonce)
}

/// Whether a transaction has the signature of its sender, who exists. Cost: a check of a signature.
pub(super) fn is_signed(chain: &Chain<Token>, signed: &Signed<Transaction>) -> bool {
    let (machine, transaction) = (chain.machine(), &signed.transaction);
    chain.cell(&transaction.from).is_some_and(|account| {
        account.key.verify(&machine.domain(), &machine.message(transaction), &signed.signature).is_ok()
    })
}

/// Takes transactions for a block out of those that wait, in their order: those that touch no `busy` account. What a sender signed after a transaction
/// that stays stays too, since its nonce comes later.
pub fn select(
    waiting: &mut Vec<Signed<Transaction>>,
    busy: &BTreeSet<Index>,
    most: usize,
) -> Vec<Signed<Transaction>> {
    let mut late = BTreeSet::new();
    let mut taken = Vec::new();
    let mut left = Vec::with_capacity(waiting.len());
    for signed in waiting.drain(..) {
        let t = &signed.transaction;
        let free =
            !late.contains(&t.from) && !busy.contains(&t.from) && t.to().is_none_or(|to| !busy.contains(&to));
        if taken.len() < most && free {
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
