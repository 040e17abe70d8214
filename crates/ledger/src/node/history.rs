//! The log of a node, read and not changed: blocks for others who catch up, and audits of directories that come from elsewhere. (notes: ledger-node)

use std::fs;
use std::path::Path;

use super::{GENESIS, Keys, NodeError, Verifiers, durable, file, read_first};
use crate::audit::{self, Audited};
use crate::chain::Block;
use crate::codec::Canonical;
use crate::replica::ReplicaError;
use crate::store::{Digest, Directory, Index, Record, Scan, StoreError};
use crate::token::Token;

/// Blocks that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The height of the first one.
    pub from: u64,
    /// The height of the last one.
    pub to: u64,
    /// Bytes of their files.
    pub bytes: u64,
}

/// Takes the directory of a node to read it, and returns the digest of its file `genesis` too.
fn take(path: &Path) -> Result<(Directory, Digest), NodeError> {
    let first = read_first(&path.join(GENESIS))?.to_bytes();
    let directory = Directory::take_to_read(path).map_err(ReplicaError::from)?;
    Ok((directory, crate::store::digest(&[0; 32], 0, &first)))
}

/// Verifies the whole log of the node in a directory, and its index, with keys; calls `each` with the height of each block before it is verified. Nothing is written.
///
/// # Errors
/// As [`audit::audit`]; if another process has the directory, its file `genesis` is of another chain than its log, or a key that is needed is not there.
pub fn audit(path: &Path, keys: &Keys, each: &mut dyn FnMut(u64)) -> Result<Audited, NodeError> {
    let (directory, first) = take(path)?;
    let log = directory.log_to_read().map_err(ReplicaError::from)?;
    let index = directory.index_to_read().map_err(ReplicaError::from)?;
    // One that is no index is made anew when the node is opened.
    let index = index.map(Index::open).and_then(Result::ok);
    let mut verifiers = None;
    let index = index.as_ref().map(|index| index as _);
    let audited: Result<Audited, NodeError> = audit::audit(log, index, &mut |chain, block: &Block<Token>| {
        each(block.height);
        let verifiers = verifiers.get_or_insert_with(|| Verifiers::new(keys, *chain.machine()));
        let checked = chain.check(block, Some(verifiers.of(block)?));
        checked.map_err(|reason| ReplicaError::Replay { height: block.height, reason }.into())
    });
    let audited = audited?;
    if audited.genesis == first { Ok(audited) } else { Err(NodeError::OtherChain("file `genesis`")) }
}

/// Writes blocks of the log of the node in a directory, as files that [`super::Node::read_block`] reads, into a folder that is made: whole, or not there. `to` is the
/// last height, of the whole log if it is none. Nothing is written in the directory of the node.
///
/// # Errors
/// If there is something of the folder's name, the log has not all of these blocks or is damaged, or another process has the directory.
pub fn export_blocks(path: &Path, from: u64, to: Option<u64>, out: &Path) -> Result<Exported, NodeError> {
    let (directory, first) = take(path)?;
    if fs::symlink_metadata(out).is_ok() {
        return Err(NodeError::Exists(out.display().to_string()));
    }
    let log = directory.log_to_read().map_err(ReplicaError::from)?;
    let mut scan = Scan::new(log).map_err(ReplicaError::from)?;
    let beside = durable::beside(out)?;
    fs::create_dir(&beside).map_err(NodeError::io("make", &beside))?;
    let written = write(&mut scan, &first, (from, to), &beside).and_then(|exported| {
        durable::sync_folder(&beside.join("."))?;
        fs::rename(&beside, out).map_err(NodeError::io("make", out))?;
        durable::sync_folder(out)?;
        Ok(exported)
    });
    if written.is_err() {
        // Made here a moment ago: nobody else's.
        let _ = fs::remove_dir_all(&beside);
    }
    written
}

fn write(
    scan: &mut Scan,
    first: &Digest,
    (from, to): (u64, Option<u64>),
    folder: &Path,
) -> Result<Exported, NodeError> {
    let mut exported = Exported { from, to: 0, bytes: 0 };
    while to.is_none_or(|to| scan.position().0 <= to) {
        let Some(record) = scan.next_record().map_err(ReplicaError::from)? else { break };
        if record.number == 0 && record.digest != *first {
            return Err(NodeError::OtherChain("file `genesis`"));
        }
        if record.number == 0 || record.number < from {
            continue;
        }
        let bytes = block_file(first, &record)?;
        // Names that a shell sorts by their heights.
        let place = folder.join(format!("{:010}.block", record.number));
        durable::write_synced(&place, &bytes).map_err(NodeError::io("write", &place))?;
        exported = Exported { from, to: record.number, bytes: exported.bytes + bytes.len() as u64 };
    }
    let (next, offset) = scan.position();
    let missing = to.map_or(exported.to < from, |to| next <= to);
    if (missing || to.is_none()) && scan.rest() > 0 {
        let damaged = StoreError::Damaged { record: next, offset };
        return Err(ReplicaError::from(damaged).into());
    }
    if missing || exported.to < from {
        return Err(NodeError::NoBlock { asked: to.unwrap_or(from).max(from), last: next.saturating_sub(1) });
    }
    Ok(exported)
}

/// The file of a block that a record of the log is.
pub(super) fn block_file(first: &Digest, record: &Record) -> Result<Vec<u8>, NodeError> {
    let unreadable = |reason| ReplicaError::Record { record: record.number, reason };
    let block = Block::<Token>::from_bytes(&record.body).map_err(unreadable)?;
    Ok(file::encode_block(first, &block))
}
