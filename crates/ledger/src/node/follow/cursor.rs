//! How far a node has followed its contract: a file of its directory, which saves questions and tells reorganisations. What it says is not relied on: states are
//! compared by their roots.
//!
//! ```text
//!  DIR/followed   "TNFFOL" 1 u16 | first block u64 | last block u64 | its hash 32 | root 32
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use snark::groth16::Word;

use super::rpc::Header;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::node::{NodeError, durable};

const MAGIC: [u8; 8] = *b"TNFFOL\x01\0";
const LENGTH: u64 = 88;

/// The calls in all blocks up to one were applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The block from which on the contract was followed.
    pub first: u64,
    /// The last block.
    pub last: Header,
    /// The contract's root after it.
    pub root: Word,
}

impl Canonical for Cursor {
    fn write(&self, w: &mut Writer) {
        w.bytes(&MAGIC);
        w.u64(self.first);
        w.u64(self.last.number);
        w.bytes(&self.last.hash);
        w.bytes(&self.root);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        if r.array() != Some(MAGIC) {
            return Err(Malformed("it begins otherwise"));
        }
        let (first, number) = (r.u64().ok_or(SHORT)?, r.u64().ok_or(SHORT)?);
        let [hash, root] = [r.array().ok_or(SHORT)?, r.array().ok_or(SHORT)?];
        Ok(Self { first, last: Header { number, hash }, root })
    }
}

impl Cursor {
    fn path(directory: &Path) -> PathBuf {
        directory.join("followed")
    }

    /// That of the node in a directory, if there is one.
    ///
    /// # Errors
    /// If the file is none.
    pub fn load(directory: &Path) -> Result<Option<Self>, NodeError> {
        let path = Self::path(directory);
        if std::fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        let cursor = Self::from_bytes(&durable::read(&path, LENGTH)?);
        let refused = |reason| NodeError::File { what: "file `followed` of a node", reason };
        cursor.map(Some).map_err(refused)
    }

    /// Writes it in the place of the one before: whole, or that stays.
    pub(super) fn save(&self, directory: &Path) -> Result<(), NodeError> {
        durable::replace(&Self::path(directory), &self.to_bytes())
    }
}
