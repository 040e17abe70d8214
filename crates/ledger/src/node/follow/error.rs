//! Errors of following a contract.

use snark::groth16::Word;

use super::rpc::hex;
use crate::node::{NodeError, TransportError};
use crate::replica::ReplicaError;
use crate::store::StoreError;

/// The reason that a contract was not followed to the end. What was applied before it stays: each call of it had a proof.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// There is no answer.
    #[error("no answer to {method}: {error}")]
    Post {
        /// The method.
        method: &'static str,
        /// Why.
        error: TransportError,
    },
    /// The endpoint answers with an error.
    #[error("the endpoint answers {method} with error {code}: {message}")]
    Answer {
        /// The method.
        method: &'static str,
        /// Its number.
        code: i64,
        /// The beginning of its text.
        message: String,
    },
    /// The answer is none to the question.
    #[error("the endpoint's answer to {method} is refused: {what}")]
    Malformed {
        /// The method.
        method: &'static str,
        /// The fault.
        what: &'static str,
    },
    /// The endpoint is of another EVM chain.
    #[error("the endpoint is of the EVM chain {found}, and the contract on {expected}")]
    WrongChain {
        /// The chain of the ledger's contract.
        expected: u64,
        /// That of the endpoint.
        found: u64,
    },
    /// Nothing is deployed.
    #[error("there is no contract at {address} in block {number}")]
    NoContract {
        /// The address.
        address: String,
        /// The block.
        number: u64,
    },
    /// Another contract is deployed.
    #[error("the contract is not that of this ledger: it has the domain {found}, and the ledger {expected}")]
    OtherContract {
        /// The domain of the ledger.
        expected: String,
        /// That of the contract.
        found: String,
    },
    /// There is no final block yet.
    #[error("no block of the EVM chain is final yet")]
    NothingFinal,
    /// The endpoint has not yet what was followed.
    #[error("the endpoint's last final block is {head}, and blocks to {followed} were followed already")]
    Behind {
        /// Its final block.
        head: u64,
        /// The last one that was followed.
        followed: u64,
    },
    /// The state has calls that are not final.
    #[error("the node has applied a call already that is not final: final are blocks to {head}")]
    Ahead {
        /// The final block.
        head: u64,
    },
    /// A block has changed while it was read.
    #[error("the EVM chain has another block {number} than a moment ago")]
    Reorganised {
        /// Its number.
        number: u64,
    },
    /// The state is none that the contract had.
    #[error("the node's state is none that the contract had in blocks {first} to {head}: its root is {}{}", hex(.root), if *.reorganised { "; the EVM chain has another block in the place of the last one that was followed" } else { "" })]
    Unknown {
        /// The first block that was looked at.
        first: u64,
        /// The last one.
        head: u64,
        /// The root that the contract would have.
        root: Word,
        /// A block that was final is one no more.
        reorganised: bool,
    },
    /// The calls lead elsewhere.
    #[error("the contract has the root {} in block {head}, and its calls lead to {}", hex(.contract), hex(.calls))]
    Differs {
        /// The block.
        head: u64,
        /// The root of the contract.
        contract: Word,
        /// The root after the last call, or of the node if there is none.
        calls: Word,
    },
    /// A call that the contract has accepted is refused here.
    #[error("the call {transaction} of block {number} is refused here: {reason}")]
    Refused {
        /// The block.
        number: u64,
        /// The transaction's hash.
        transaction: String,
        /// Why.
        reason: String,
    },
    /// More batches than are read at once.
    #[error("more than {0} batches are in blocks that were not followed")]
    TooMany(usize),
    /// Somebody else has applied a block.
    #[error("another process has applied a block meanwhile")]
    Moved,
    /// The node.
    #[error(transparent)]
    Node(#[from] NodeError),
}

impl FollowError {
    /// Tells whether the same question may be answered in a while: of errors of the endpoint and of the network, and while another process has the directory.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        use FollowError as E;
        match self {
            E::Post { .. } | E::Answer { .. } | E::Malformed { .. } | E::NothingFinal | E::Moved => true,
            E::Behind { .. } | E::Ahead { .. } | E::Reorganised { .. } => true,
            E::WrongChain { .. } | E::NoContract { .. } | E::OtherContract { .. } | E::TooMany(_) => false,
            E::Unknown { .. } | E::Differs { .. } | E::Refused { .. } => false,
            // Another process has the directory, for a while.
            E::Node(e) => matches!(e, NodeError::Replica(ReplicaError::Store(StoreError::Locked(_)))),
        }
    }

    /// Tells whether fewer blocks at once may be answered.
    pub(super) fn is_too_much(&self) -> bool {
        match self {
            Self::Answer { .. } => true,
            Self::Post { error, .. } => error.is_too_much(),
            _ => false,
        }
    }
}
