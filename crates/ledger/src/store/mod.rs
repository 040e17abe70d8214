//! What survives: a log of blocks, which is the source of truth, and an index of the cells, which the log rebuilds.
//!
//! ```text
//!  block ─► log: append, sync ─► index: two-phase commit ─► acknowledged
//! ```
//! The index is never ahead of the log, and a block is acknowledged after both. So whatever the index has was acknowledged or could have been: a broken record up to the
//! index's height is damage, which is named and never repaired in silence; one above it is a torn tail, which nobody was told of, and is truncated.
//!
//! Bytes go through redb's [`StorageBackend`](redb::StorageBackend), so that tests inject crashes, lost writes and full disks into both files.
//! (notes: ledger-store)

mod directory;
mod index;
mod log;
mod memory;
mod overlay;
#[cfg(test)]
pub(crate) mod simulated;

pub use directory::Directory;
pub(crate) use directory::{Links, Stamp, open_plain};
pub use index::Index;
pub use log::{Log, MAX_RECORD, Record, Scan};
pub(crate) use log::{Mark, digest};
pub use memory::Memory;

use std::io;

/// A digest of 32 bytes.
pub type Digest = [u8; 32];

/// The files of a store, opened.
pub type File = Box<dyn redb::StorageBackend>;

/// The reason that a store cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried, of which file.
        action: String,
        /// The system's answer.
        source: io::Error,
    },
    /// Another process has the directory.
    #[error("another process is using the ledger in {0}: wait until it has ended, or stop it")]
    Locked(String),
    /// There is no ledger.
    #[error("there is no ledger in this directory: its log has no first record")]
    Empty,
    /// There is a ledger already.
    #[error("there is a ledger here already; it is not overwritten")]
    Exists,
    /// The file is something else.
    #[error("the log does not begin as one of this version")]
    Magic,
    /// An acknowledged record is not what was written.
    #[error(
        "the log is damaged: record {record}, at byte {offset}, is not what was acknowledged; nothing was changed; \
         restore the file from another replica"
    )]
    Damaged {
        /// Its number.
        record: u64,
        /// Where it begins.
        offset: u64,
    },
    /// The index is of other blocks, or has other values than they give.
    #[error("the index is damaged or of another log: {0}")]
    Index(String),
    /// There is a file in the place of the index that is none, and not what is left of one.
    #[error("{0} is no index of a ledger, and is left as it is")]
    Foreign(String),
    /// An earlier write failed, and it is not known how much of it is on the disk.
    #[error("an earlier write failed: open the ledger again before it is written to")]
    Failed,
    /// No block is so long.
    #[error("a record of {0} bytes is longer than {MAX_RECORD}")]
    TooLong(usize),
}

impl StoreError {
    pub(crate) fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { action: action.into(), source }
    }
}

/// The last block that a store has, and what follows from all blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tip {
    /// The number of blocks after the genesis.
    pub height: u64,
    /// The digest of the last record of the log.
    pub digest: Digest,
    /// The root of the state after it.
    pub root: Digest,
    /// The leases of provers after it, encoded.
    pub leases: Vec<u8>,
}

/// A cell to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The encoding of its key.
    pub key: Vec<u8>,
    /// Its number among the cells, in the order in which they were first touched.
    pub position: u64,
    /// The encoding of its value, or nothing if it is empty.
    pub value: Option<Vec<u8>>,
}

/// An index of cells that is written block by block. What it has can be rebuilt from the log.
///
/// Laws: [`commit`](Self::commit) is atomic and durable once it returns; after an error the store has the old or the new content, whole.
pub trait Store {
    /// The last block that was committed.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn tip(&self) -> Result<Option<Tip>, StoreError>;

    /// Gives every cell, in any order.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn load(&self, each: &mut dyn FnMut(Cell)) -> Result<(), StoreError>;

    /// Writes cells and the block that they are of; everything before is dropped first if `anew`.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn commit(&mut self, tip: &Tip, cells: &[Cell], anew: bool) -> Result<(), StoreError>;
}
