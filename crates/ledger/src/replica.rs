//! A replica: a chain on disk.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use core::error::Error;
use std::path::Path;

use crate::chain::{Block, Chain, Genesis, Rejected, Step};
use crate::codec::{Canonical, Malformed};
use crate::machine::Compact;
use crate::statement::BatchVerifier;
use crate::store::{Digest, Directory, File, Index, Log, Record, Scan, Store, StoreError};

/// The reason that a replica cannot be opened, or did not apply a block.
#[derive(Debug, thiserror::Error)]
pub enum ReplicaError<R: Error + 'static> {
    /// The block is refused; nothing has changed.
    #[error(transparent)]
    Rejected(Rejected<R>),
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The genesis of a new ledger is none that could be read again; nothing is written.
    #[error("the genesis is refused: {0}")]
    Genesis(Malformed),
    /// The log is of another machine or version.
    #[error("record {record} of the log cannot be read: {reason}")]
    Record {
        /// Its number.
        record: u64,
        /// Why.
        reason: Malformed,
    },
    /// A block of the log does not follow from the one before.
    #[error("block {height} of the log is not accepted again: {reason}")]
    Replay {
        /// Its height.
        height: u64,
        /// Why.
        reason: Rejected<R>,
    },
    /// The index of a directory has another state than the log gives: what it has was written by somebody else.
    #[error("the index has another state at height {height} than the blocks of the log give")]
    State {
        /// Its height.
        height: u64,
    },
}

/// What opening a replica found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Recovery {
    /// Blocks of the log that the index did not have.
    pub replayed: u64,
    /// Bytes of a block that nobody was told of, which were cut off.
    pub torn: u64,
    /// Whether the index was written anew from the whole log.
    pub rebuilt: bool,
}

/// A block that a replica has checked.
#[derive(Debug)]
pub struct Checked<M: Compact> {
    step: Step<M>,
    bytes: Vec<u8>,
    parent: Digest,
}

impl<M: Compact> Checked<M> {
    /// The digest of the record that it was checked behind.
    #[must_use]
    pub fn parent(&self) -> Digest {
        self.parent
    }
}

/// A chain with its log and its index.
pub struct Replica<M: Compact> {
    chain: Chain<M>,
    genesis: Digest,
    log: Log,
    store: Box<dyn Store>,
    failed: bool,
    // The lock is held as long as the files are open.
    _directory: Option<Directory>,
}

impl<M: Compact> core::fmt::Debug for Replica<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Replica")
            .field("tip", &self.chain.tip())
            .field("log", &self.log)
            .finish_non_exhaustive()
    }
}

/// The result of an operation on a replica.
type Result<T, M> = core::result::Result<T, ReplicaError<<M as crate::machine::Machine>::Refusal>>;

impl<M: Compact + Clone> Replica<M> {
    /// Makes a ledger in a directory.
    ///
    /// # Errors
    /// If there is one already, another process has the directory, it cannot be written, or the genesis is none: its parameters are out of range.
    pub fn init(path: &Path, genesis: Genesis<M>) -> Result<Self, M> {
        let directory = Directory::take(path)?;
        let replica = Self::create(directory.log()?, index(&directory)?, genesis)?;
        Ok(Self { _directory: Some(directory), ..replica })
    }

    /// Opens the ledger in a directory. An index that is damaged is written anew.
    ///
    /// # Errors
    /// If there is none, another process has the directory, the log is damaged, or the index is a file of something else.
    pub fn open(path: &Path) -> Result<(Self, Recovery), M> {
        if !path.is_dir() {
            return Err(StoreError::Empty.into());
        }
        let directory = Directory::take(path)?;
        let (replica, recovery) = Self::recover(directory.log()?, index(&directory)?)?;
        Ok((Self { _directory: Some(directory), ..replica }, recovery))
    }

    /// Makes a ledger in a file and a store.
    ///
    /// # Errors
    /// If there is one already, they cannot be written, or the genesis is none: its parameters are out of range.
    pub fn create(log: File, mut store: Box<dyn Store>, genesis: Genesis<M>) -> Result<Self, M> {
        let length = log.len().map_err(StoreError::io("read the log"))?;
        let log = if length == 0 { log } else { unused(log, &*store)? };
        let body = genesis.to_bytes();
        // What is written has to be readable again: parameters in range, cells in order.
        let genesis = Genesis::from_bytes(&body).map_err(ReplicaError::Genesis)?;
        let log = Log::create(log, &body)?;
        let digest = log.last();
        let chain = Chain::new(genesis, digest);
        store.commit(&chain.tip(), &chain.stored(), true)?;
        Ok(Self { chain, genesis: digest, log, store, failed: false, _directory: None })
    }

    /// Opens the ledger in a file and a store.
    ///
    /// # Errors
    /// If there is none, or the log is damaged.
    pub fn recover(log: File, mut store: Box<dyn Store>) -> Result<(Self, Recovery), M> {
        let tip = store.tip()?;
        let acknowledged = tip.as_ref().map(|tip| tip.height);
        let mut scan = match (Scan::new(log), acknowledged) {
            (Err(StoreError::Empty), Some(_)) => {
                return Err(StoreError::Damaged { record: 0, offset: 0 }.into());
            }
            (scan, _) => scan?,
        };
        let Some(first) = scan.next_record()? else {
            let (record, offset) = scan.position();
            return Err(if acknowledged.is_some() {
                StoreError::Damaged { record, offset }
            } else {
                StoreError::Empty
            }
            .into());
        };
        let genesis = Genesis::<M>::from_bytes(&first.body);
        let genesis = genesis.map_err(|reason| ReplicaError::Record { record: 0, reason })?;
        let mut indexed = match &tip {
            Some(tip) => {
                let mut cells = Vec::new();
                store.load(&mut |cell| cells.push(cell))?;
                Chain::restore(genesis.clone(), tip, cells).ok()
            }
            None => None,
        };
        if let (Some(chain), 0) = (&indexed, acknowledged.unwrap_or(0)) {
            // Of a genesis alone the digest is known here already.
            indexed = if chain.tip().digest == first.digest { indexed } else { None };
        }
        let mut rebuilt = indexed.is_none();
        let mut chain = indexed.unwrap_or_else(|| Chain::new(genesis.clone(), first.digest));
        let mut found = follow(&mut scan, &mut chain)?;
        if found.is_none() {
            // The index is of another log: the blocks are what counts.
            scan.rewind();
            scan.next_record()?;
            rebuilt = true;
            chain = Chain::new(genesis, first.digest);
            found = follow(&mut scan, &mut chain)?;
        }
        let (record, offset) = scan.position();
        let torn = scan.rest();
        // Without an index nobody knows what was acknowledged.
        let lost = acknowledged.map_or(torn > 0, |height| record <= height);
        if lost {
            return Err(StoreError::Damaged { record, offset }.into());
        }
        let Followed { replayed, indexed } = found.unwrap_or_default();
        // The index is written after the sync of the log: what it has is on the disk.
        let log = scan.truncate(if rebuilt { 0 } else { indexed })?;
        if rebuilt || replayed > 0 {
            store.commit(&chain.tip(), &chain.stored(), true)?;
        }
        let recovery = Recovery { replayed, torn, rebuilt };
        let digest = first.digest;
        Ok((Self { chain, genesis: digest, log, store, failed: false, _directory: None }, recovery))
    }

    /// The chain as it is now, without the directory, which others may have then.
    #[must_use]
    pub fn into_chain(self) -> Chain<M> {
        self.chain
    }

    /// The state.
    pub fn chain(&self) -> &Chain<M> {
        &self.chain
    }

    /// The digest of the first record, which tells chains apart.
    #[must_use]
    pub fn genesis(&self) -> Digest {
        self.genesis
    }

    /// The log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The digest that the record of a checked block will have, if it is the next one.
    #[must_use]
    pub fn digest_of(&self, checked: &Checked<M>) -> Digest {
        crate::store::digest(&checked.parent, self.chain.tip().height + 1, &checked.bytes)
    }

    /// Checks a block and changes nothing: what a replica does before it votes. What it returns is committed without a second look at proofs.
    ///
    /// # Errors
    /// If the block is refused.
    pub fn check(&self, block: &Block<M>, verifier: &dyn BatchVerifier<M>) -> Result<Checked<M>, M> {
        let step = self.chain.check(block, Some(verifier)).map_err(ReplicaError::Rejected)?;
        let bytes = block.to_bytes();
        // What is in the log can be read again, or the ledger would not open: a value may hold more than a block may.
        Block::<M>::from_bytes(&bytes).map_err(|e| ReplicaError::Rejected(e.into()))?;
        Ok(Checked { step, bytes, parent: block.parent })
    }

    /// A step that was checked by nobody, for tests of what a log may have.
    #[cfg(test)]
    pub(crate) fn taken(&self, step: Step<M>, block: &Block<M>) -> Checked<M> {
        Checked { step, bytes: block.to_bytes(), parent: block.parent }
    }

    /// Applies a block that was checked. When this returns its record's digest, the block is on the disk.
    ///
    /// # Errors
    /// If another block was applied since, or the log cannot be written: then nothing has changed. If the index cannot be written: then the block is in the log, and
    /// nothing more is applied before the ledger is opened again.
    pub fn commit(&mut self, checked: Checked<M>) -> Result<Digest, M> {
        if self.failed {
            return Err(StoreError::Failed.into());
        }
        if checked.parent != self.log.last() {
            return Err(ReplicaError::Rejected(Rejected::Parent));
        }
        let digest = self.log.append(&checked.bytes)?;
        let cells = self.chain.commit(checked.step, digest);
        self.failed = true;
        self.store.commit(&self.chain.tip(), &cells, false)?;
        self.failed = false;
        Ok(digest)
    }

    /// [Checks](Self::check) and [applies](Self::commit) a block.
    ///
    /// # Errors
    /// If either fails.
    pub fn apply(&mut self, block: &Block<M>, verifier: &dyn BatchVerifier<M>) -> Result<Digest, M> {
        let checked = self.check(block, verifier)?;
        self.commit(checked)
    }
}

/// The index of a directory: a new one in place of one that is damaged.
fn index(directory: &Directory) -> core::result::Result<Box<dyn Store>, StoreError> {
    let index = match Index::open(directory.index()?) {
        Err(StoreError::Index(_)) => {
            directory.remove_index()?;
            Index::open(directory.index()?)?
        }
        index => index?,
    };
    Ok(Box::new(index))
}

/// A log file of a ledger that was never made to the end.
fn unused(log: File, store: &dyn Store) -> core::result::Result<File, StoreError> {
    if store.tip()?.is_some() {
        return Err(StoreError::Exists);
    }
    if !Scan::begun(&log)? {
        return Ok(log);
    }
    let mut scan = Scan::new(log)?;
    if scan.next_record()?.is_some() { Err(StoreError::Exists) } else { Ok(scan.into_file()) }
}

/// The records that a chain did not have.
#[derive(Clone, Copy, Debug, Default)]
struct Followed {
    /// Their number.
    replayed: u64,
    /// The byte at which the first one begins, or would begin.
    indexed: u64,
}

/// Applies the records that a chain does not have. Returns nothing if the chain is of another log.
fn follow<M: Compact>(scan: &mut Scan, chain: &mut Chain<M>) -> Result<Option<Followed>, M> {
    let tip = chain.tip();
    let mut followed = Followed { replayed: 0, indexed: scan.position().1 };
    while let Some(Record { number, digest, body }) = scan.next_record()? {
        if number == tip.height && digest != tip.digest {
            return Ok(None);
        }
        if number <= tip.height {
            followed.indexed = scan.position().1;
            continue;
        }
        let block =
            Block::from_bytes(&body).map_err(|reason| ReplicaError::Record { record: number, reason })?;
        let step =
            chain.check(&block, None).map_err(|reason| ReplicaError::Replay { height: number, reason })?;
        chain.commit(step, digest);
        followed.replayed += 1;
    }
    Ok(Some(followed))
}
