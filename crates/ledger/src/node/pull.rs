//! A node that takes blocks from another one over a network: whatever answers, each block is verified as one that was brought in a file. (notes: ledger-http)
//!
//! ```text
//!  /genesis ─► is it this chain ─► /blocks/own height: has it the same block ─► /blocks/next ... ─► verified, on the disk, the next one
//! ```
//! The directory is another process's while the other end is waited for.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::time::Duration;

use super::file::{self, MAX_BLOCK_FILE};
use super::{Keys, Node, NodeError, Source, TransportError, Verifiers};
use crate::chain::{Block, Rejected};
use crate::codec::Canonical;
use crate::replica::ReplicaError;
use crate::store::{Digest, StoreError, digest};
use crate::token::{Refusal, Token};

/// Blocks that are asked for before they are applied, and their bytes at most but for the last one.
const GROUP: (usize, usize) = (32, MAX_BLOCK_FILE);

/// The time for which another process that has the directory is waited for.
const MOMENT: Duration = Duration::from_secs(2);

/// The reason that not all blocks were taken. Those that were stay: each was verified.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// There is no answer.
    #[error("no answer to {path}: {error}")]
    NoAnswer {
        /// The path that was asked for.
        path: String,
        /// Why.
        error: TransportError,
    },
    /// The other end is of another chain.
    #[error("the other node is of another chain: its genesis is not this ledger's")]
    OtherChain,
    /// The other end has fewer blocks.
    #[error("the other node has no block {height}, which this one has: it is behind")]
    Behind {
        /// The height of this node.
        height: u64,
    },
    /// The other end has other blocks.
    #[error("the other node has another block of height {height} than this one: the ledgers have parted")]
    Parted {
        /// The height of this node.
        height: u64,
    },
    /// Bytes that are no block.
    #[error("what the other node has as block {height} is none: {reason}")]
    Malformed {
        /// Its height.
        height: u64,
        /// Why.
        reason: NodeError,
    },
    /// A block that does not hold.
    #[error("block {height} of the other node is refused: {reason}")]
    Refused {
        /// Its height.
        height: u64,
        /// Why.
        reason: Rejected<Refusal>,
    },
    /// Somebody else has applied a block.
    #[error("another process has applied a block meanwhile")]
    Moved,
    /// The node.
    #[error(transparent)]
    Node(#[from] NodeError),
}

impl PullError {
    /// Tells whether the same question may be answered in a while: of errors of the other end and of the network, and while another process has the directory.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NoAnswer { .. } | Self::Behind { .. } | Self::Malformed { .. } | Self::Moved => true,
            Self::OtherChain | Self::Parted { .. } | Self::Refused { .. } => false,
            Self::Node(e) => matches!(e, NodeError::Replica(ReplicaError::Store(StoreError::Locked(_)))),
        }
    }
}

/// The finding of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// The height of the node.
    pub height: u64,
    /// The root of its state.
    pub root: Digest,
    /// The blocks that were applied.
    pub applied: u64,
}

/// A node, and where it takes blocks from.
pub struct Puller<'a> {
    directory: &'a Path,
    source: &'a dyn Source,
    /// The bytes of the genesis, until the other end is known to have the same.
    unknown: Option<Vec<u8>>,
    genesis: Digest,
    verifiers: Verifiers<'a>,
}

/// The last block of the node.
#[derive(Clone, Copy)]
struct Tip {
    height: u64,
    digest: Digest,
    root: Digest,
}

impl Tip {
    fn of(node: &Node) -> Self {
        let tip = node.replica().chain().tip();
        Self { height: tip.height, digest: tip.digest, root: tip.root }
    }
}

impl<'a> Puller<'a> {
    /// Of the node in a directory, which verifies batches with the keys of a folder.
    ///
    /// # Errors
    /// If there is none.
    pub fn new((directory, keys): (&'a Path, &'a Keys), source: &'a dyn Source) -> Result<Self, NodeError> {
        let genesis = Node::genesis(directory)?;
        let (machine, bytes) = (genesis.machine, genesis.to_bytes());
        Ok(Self {
            directory,
            source,
            genesis: digest(&[0; 32], 0, &bytes),
            unknown: Some(bytes),
            verifiers: Verifiers::new(keys, machine),
        })
    }

    /// Takes the blocks behind the node's own, up to the height `to` if there is one.
    ///
    /// # Errors
    /// Those of [`PullError`]. Blocks that were applied before one stay applied.
    pub fn round(&mut self, to: Option<u64>) -> Result<Pulled, PullError> {
        self.check_chain()?;
        let mut tip = Tip::of(&Node::reopen(self.directory, MOMENT)?);
        self.check_last(tip)?;
        let first = tip.height;
        loop {
            // A block is there, or the reason that there is none; those before it are applied first.
            let (group, end) = self.group(tip.height, to);
            if !group.is_empty() {
                tip = self.apply(tip, &group)?;
            }
            match end {
                None => {}
                Some(Err(e)) => return Err(e),
                Some(Ok(())) => {
                    let applied = tip.height.saturating_sub(first);
                    return Ok(Pulled { height: tip.height, root: tip.root, applied });
                }
            }
        }
    }

    fn get(&self, path: &str, most: usize) -> Result<Vec<u8>, PullError> {
        let found = self.source.get(path, most).and_then(|bytes| {
            // Whatever the transport does.
            if bytes.len() > most { Err(TransportError::TooLong(most)) } else { Ok(bytes) }
        });
        found.map_err(|error| PullError::NoAnswer { path: path.to_owned(), error })
    }

    /// Compares the beginnings of the chains, once.
    fn check_chain(&mut self) -> Result<(), PullError> {
        let Some(own) = &self.unknown else { return Ok(()) };
        match self.get("/genesis", own.len()) {
            Ok(found) if found == *own => {}
            Ok(_) | Err(PullError::NoAnswer { error: TransportError::TooLong(_), .. }) => {
                return Err(PullError::OtherChain);
            }
            Err(e) => return Err(e),
        }
        self.unknown = None;
        Ok(())
    }

    /// A block of the other end, if it has one of this height.
    fn block(&self, height: u64) -> Result<Option<Block<Token>>, PullError> {
        let bytes = match self.get(&format!("/blocks/{height}"), MAX_BLOCK_FILE) {
            Err(PullError::NoAnswer { error: TransportError::Status(404), .. }) => return Ok(None),
            bytes => bytes?,
        };
        let malformed = |reason| PullError::Malformed { height, reason };
        match file::decode_block(&self.genesis, &bytes) {
            Err(NodeError::OtherChain(_)) => Err(PullError::OtherChain),
            block => block.map(Some).map_err(malformed),
        }
    }

    /// Checks that the other end has the node's last block.
    fn check_last(&self, tip: Tip) -> Result<(), PullError> {
        let height = tip.height;
        if height == 0 {
            return Ok(());
        }
        let block = self.block(height)?.ok_or(PullError::Behind { height })?;
        let same = digest(&block.parent, height, &block.to_bytes()) == tip.digest;
        if same { Ok(()) } else { Err(PullError::Parted { height }) }
    }

    /// Blocks behind a height, and what ends them, if that is no full group.
    fn group(&self, height: u64, to: Option<u64>) -> (Vec<Block<Token>>, Option<Result<(), PullError>>) {
        let (mut blocks, mut bytes) = (Vec::new(), 0usize);
        while blocks.len() < GROUP.0 && bytes < GROUP.1 {
            let next = height.saturating_add(blocks.len() as u64).saturating_add(1);
            if to.is_some_and(|to| next > to) {
                return (blocks, Some(Ok(())));
            }
            match self.block(next) {
                Ok(Some(block)) => {
                    bytes = bytes.saturating_add(block.to_bytes().len());
                    blocks.push(block);
                }
                Ok(None) => return (blocks, Some(Ok(()))),
                Err(e) => return (blocks, Some(Err(e))),
            }
        }
        (blocks, None)
    }

    fn apply(&mut self, tip: Tip, blocks: &[Block<Token>]) -> Result<Tip, PullError> {
        let mut node = Node::reopen(self.directory, MOMENT)?;
        if Tip::of(&node).digest != tip.digest {
            return Err(PullError::Moved);
        }
        for (block, height) in blocks.iter().zip(tip.height.saturating_add(1)..) {
            let refused = |reason| PullError::Refused { height, reason };
            // The wrong place of a block is said before a key is looked for.
            node.replica().chain().check(block, None).map_err(refused)?;
            let verifier = self.verifiers.of(block)?;
            node.apply(block, verifier).map_err(|e| match e {
                NodeError::Replica(ReplicaError::Rejected(reason)) => refused(reason),
                e => e.into(),
            })?;
        }
        Ok(Tip::of(&node))
    }
}
