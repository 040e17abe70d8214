//! Errors of a node.

use std::io;
use std::path::Path;

use super::{BatchCircuit, LeftOut};
use crate::Invalid;
use crate::circuit::groth16::ProofError;
use crate::codec::Malformed;
use crate::replica::ReplicaError;
use crate::token::Refusal;

/// The reason that a node does not do something.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The replica: a refused block, or the disk.
    #[error(transparent)]
    Replica(#[from] ReplicaError<Refusal>),
    /// The system refused.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried, of which file.
        action: String,
        /// The system's answer.
        source: io::Error,
    },
    /// Bytes that are no file of this kind.
    #[error("no {what}: {reason}")]
    File {
        /// What was expected.
        what: &'static str,
        /// Why it is none.
        reason: Malformed,
    },
    /// A file of another chain.
    #[error("the {0} is of another chain than the ledger")]
    OtherChain(&'static str),
    /// There is something in the place of a file or directory that would be made.
    #[error("{0} is there already, and is not overwritten")]
    Exists(String),
    /// A genesis that breaks a law of the token machine.
    #[error("the genesis is refused: {0}")]
    Genesis(&'static str),
    /// There is no key for batches of a size.
    #[error("there is no {kind} key for {} in {directory}", circuit.words())]
    NoKey {
        /// Proving or verifying.
        kind: &'static str,
        /// The circuit.
        circuit: BatchCircuit,
        /// Where keys are looked for.
        directory: String,
    },
    /// A key file that is refused.
    #[error("the key {path} is refused: {reason}")]
    Key {
        /// The file.
        path: String,
        /// Why.
        reason: Invalid,
    },
    /// A key from outside of the folder of keys that is refused.
    #[error("the key that was given is refused: {0}")]
    GivenKey(Invalid),
    /// A key of a local setup, where none is accepted.
    #[error("the key {0} is of a local setup: whoever made it can prove anything")]
    LocalKey(String),
    /// A state of a ceremony that is refused.
    #[error("the ceremony is refused: {0}")]
    Ceremony(&'static str),
    /// A batch without proof.
    #[error("the batch cannot be proven: {0}")]
    Proof(#[from] ProofError),
    /// No transaction waits that could be in a block.
    #[error("no transaction waits that the state accepts{0}")]
    NothingWaits(String),
    /// A transaction that the state refuses.
    #[error("the transaction is refused: {0}")]
    Transaction(String),
    /// As many transactions of an account wait as may.
    #[error("{most} transactions of account {account} wait")]
    TooMany {
        /// The account.
        account: u32,
        /// The most that may.
        most: usize,
    },
    /// An account that the state has not.
    #[error("there is no account {0}")]
    NoAccount(u32),
    /// A block that the log has not.
    #[error("there is no block of height {asked}: the log has those from 1 to {last}")]
    NoBlock {
        /// The height.
        asked: u64,
        /// The last one's.
        last: u64,
    },
    /// Somebody else holds the lane.
    #[error("lane {lane} is held until height {until}, by another key")]
    Held {
        /// The lane.
        lane: u8,
        /// The height of the first block in which it is open.
        until: u64,
    },
    /// A process at the other end of a pipe has ended, or sends what it should not.
    #[error("{0}")]
    Peer(String),
}

impl NodeError {
    /// The error of transactions that are all left out, with the reason of the first one: in the order of nonces, those behind it wait for it.
    pub(super) fn nothing_waits(left_out: &[LeftOut]) -> Self {
        let first = left_out.first().map(|(signed, why)| {
            let t = &signed.transaction;
            format!(": transaction {} of account {}: {why}", t.nonce, t.from.0)
        });
        Self::NothingWaits(first.unwrap_or_default())
    }

    /// For `map_err` on an operation on a file.
    pub(crate) fn io<'a>(verb: &'a str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Io { action: format!("{verb} {}", path.display()), source }
    }
}
