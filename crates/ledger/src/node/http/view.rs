//! The state that a service answers from: taken with the directory whenever the log has been written, so that the directory is other processes' in between.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::chain::Chain;
use crate::node::history::block_file;
use crate::node::{Node, NodeError};
use crate::replica::ReplicaError;
use crate::store::{Digest, Directory, Mark, Record, Scan, Stamp, StoreError};
use crate::token::Token;

/// Records from one place that is remembered to the next.
const STEP: u64 = 64;

/// A state of the node.
#[derive(Debug)]
pub struct View {
    pub chain: Chain<Token>,
    stamp: Stamp,
}

impl View {
    pub fn height(&self) -> u64 {
        self.chain.tip().height
    }

    /// The time of the last block, if there is one and the system knows it.
    pub fn written(&self) -> Option<SystemTime> {
        self.stamp.modified.filter(|_| self.height() > 0)
    }
}

/// The directory of a node, its last state and places in its log.
pub struct Views {
    path: PathBuf,
    genesis: Digest,
    last: Mutex<Option<Arc<View>>>,
    marks: Mutex<Vec<Mark>>,
}

/// Tells whether another process has the directory.
fn is_taken(e: &NodeError) -> bool {
    matches!(e, NodeError::Replica(ReplicaError::Store(StoreError::Locked(_))))
}

fn store(e: StoreError) -> NodeError {
    ReplicaError::from(e).into()
}

impl Views {
    /// Of the node in a directory, whose genesis has this digest.
    ///
    /// # Errors
    /// If it cannot be opened, but for another process that has it.
    pub fn new(path: &Path, genesis: Digest) -> Result<Self, NodeError> {
        let views = Self { path: path.to_owned(), genesis, last: Mutex::default(), marks: Mutex::default() };
        match views.view() {
            Err(e) if !is_taken(&e) => Err(e),
            _ => Ok(views),
        }
    }

    /// The state now; while another process has the directory, the last one that was seen.
    ///
    /// # Errors
    /// If the node cannot be opened, or another process has had the directory since the service began.
    pub fn view(&self) -> Result<Arc<View>, NodeError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Directory::stamp(&self.path).map_err(store)?;
        if let Some(view) = last.as_ref().filter(|view| view.stamp == stamp) {
            return Ok(Arc::clone(view));
        }
        let node = match (Node::open(&self.path), last.as_ref()) {
            (Err(e), Some(view)) if is_taken(&e) => return Ok(Arc::clone(view)),
            (opened, _) => opened?,
        };
        if node.replica().genesis() != self.genesis {
            return Err(NodeError::OtherChain("file `genesis`"));
        }
        // The lock is held.
        let stamp = Directory::stamp(&self.path).map_err(store)?;
        let view = Arc::new(View { chain: node.into_chain(), stamp });
        *last = Some(Arc::clone(&view));
        Ok(view)
    }

    /// The file of a block that a view has. Nobody is kept from the directory: records of such blocks stay as they are.
    ///
    /// # Errors
    /// If the log cannot be read, or is not what it was.
    pub fn block(&self, number: u64) -> Result<Vec<u8>, NodeError> {
        block_file(&self.genesis, &self.record(number)?)
    }

    /// Checks that the last record of a view can be read and is what it was.
    ///
    /// # Errors
    /// If not.
    pub fn check_last(&self, view: &View) -> Result<(), NodeError> {
        let (tip, record) = (view.chain.tip(), self.record(view.height())?);
        let damaged = StoreError::Damaged { record: tip.height, offset: 0 };
        if record.digest == tip.digest { Ok(()) } else { Err(store(damaged)) }
    }

    fn record(&self, number: u64) -> Result<Record, NodeError> {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(record) = self.scan(number, &mut marks) {
            return Ok(record);
        }
        // Another log may have been put in its place, in which the places are none.
        marks.clear();
        self.scan(number, &mut marks).map_err(store)
    }

    fn scan(&self, number: u64, marks: &mut Vec<Mark>) -> Result<Record, StoreError> {
        let mut scan = Scan::new(Directory::shared_log(&self.path)?)?;
        let near = marks.iter().rev().find(|mark| mark.next <= number);
        if near.is_some_and(|mark| !scan.go_to(*mark)) {
            let (record, offset) = scan.position();
            return Err(StoreError::Damaged { record, offset });
        }
        loop {
            let mark = scan.mark();
            if mark.next.is_multiple_of(STEP) && marks.last().is_none_or(|last| last.next < mark.next) {
                marks.push(mark);
            }
            let (next, offset) = scan.position();
            let record = scan.next_record()?.ok_or(StoreError::Damaged { record: next, offset })?;
            if record.number == number {
                return Ok(record);
            }
        }
    }
}
