//! From a proof to a block: the directory was given back while it was made, and others have used it meanwhile.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Node, NodeError, file};
use crate::chain::{Block, Content};
use crate::replica::ReplicaError;
use crate::statement::Unproven;
use crate::store::{Digest, StoreError};
use crate::token::Token;

/// The time between two attempts to open a directory that another process has.
const PAUSE: Duration = Duration::from_millis(50);

/// A place of a block on a chain, which is known before its content.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    genesis: Digest,
    height: u64,
    parent: Digest,
    root: Digest,
}

/// The file of a block with a proof that was made.
#[derive(Debug)]
pub struct Finished {
    /// The file.
    pub bytes: Vec<u8>,
    /// The block's height.
    pub height: u64,
    /// The reason that it is not the next block: then it has the place that it was made for, and can be put behind another block.
    pub refused: Option<NodeError>,
}

impl Place {
    /// Makes the block, whatever happens: behind the last block if its replica accepts it there, or else where it was to be.
    ///
    /// `wait` is the time for which others may have the directory.
    #[must_use]
    pub fn finish(self, path: &Path, content: Content<Token>, wait: Duration) -> Finished {
        let (block, refused) = match Node::reopen(path, wait) {
            Ok(node) => {
                let block = node.replica.chain().next(content);
                match node.check_made(&block) {
                    Ok(()) => (block, None),
                    Err(e) => (self.block(block.content), Some(e)),
                }
            }
            Err(e) => (self.block(content), Some(e)),
        };
        Finished { bytes: file::encode_block(&self.genesis, &block), height: block.height, refused }
    }

    fn block(self, content: Content<Token>) -> Block<Token> {
        let Self { height, parent, root, .. } = self;
        Block { height, parent, root, content }
    }
}

impl Node {
    /// The place of the next block.
    #[must_use]
    pub fn place(&self) -> Place {
        let Block { height, parent, root, .. } = self.replica.chain().next(Content::Empty);
        Place { genesis: self.replica.genesis(), height, parent, root }
    }

    /// [`Self::open`], after waiting for other processes that have the directory.
    ///
    /// # Errors
    /// As [`Self::open`]; if another process still has it when the time is over.
    pub fn reopen(path: &Path, wait: Duration) -> Result<Self, NodeError> {
        let start = Instant::now();
        loop {
            match Self::open(path) {
                Err(NodeError::Replica(ReplicaError::Store(StoreError::Locked(_))))
                    if start.elapsed() < wait =>
                {
                    std::thread::sleep(PAUSE);
                }
                opened => return opened,
            }
        }
    }

    /// Checks all of a block but its proof, which was verified when it was made: that the lane is its signer's, among others.
    ///
    /// # Errors
    /// If replicas would refuse it whatever the proof.
    pub fn check_made(&self, block: &Block<Token>) -> Result<(), NodeError> {
        self.verify(block, &Unproven(None))
    }
}
