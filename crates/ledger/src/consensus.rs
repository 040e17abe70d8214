//! A replica behind an engine of consensus: the calls of CometBFT's ABCI 2.0 that concern a state. No engine and no network. (notes: ledger-consensus)
//!
//! ```text
//!  CheckTx           check      shape, staleness and signatures: what it does to the state as it is, without proofs
//!  PrepareProposal   prepare    the first content that holds, within a number of proofs
//!  ProcessProposal   process    all checks, the proof among them: the vote
//!  FinalizeBlock     finalize   the digest of the block's record, which is equal on all replicas; nothing is written
//!  Commit            commit     log and index, synced
//!  Info              info       the height that is on the disk: the engine sends the blocks after it again
//! ```
//! A transaction of the engine is the content of a block ([`Application::transaction`]): a proven batch, plain transactions, or a claim. It names no height, so that it can wait in a pool. A block of the engine has one or
//! none, which is a block without content: heights are the engine's, and the clock of lanes.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use crate::chain::{Block, Content, Rejected, Step};
use crate::codec::{Canonical, Malformed};
use crate::machine::{Compact, Machine};
use crate::replica::{Checked, Replica, ReplicaError};
use crate::statement::{BatchVerifier, Unproven};
use crate::store::Digest;

/// Bytes of a block before its content: height, parent, root.
const HEADER: usize = 72;

type Result<T, M> = core::result::Result<T, ReplicaError<<M as Machine>::Refusal>>;

/// The last block on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its height.
    pub height: u64,
    /// The digest of its record, the application's hash.
    pub digest: Digest,
    /// The digest of the keys by which batches are verified ([`BatchVerifier::keys`]). The description of a chain names none: replicas with other keys disagree about
    /// batches, and whoever runs them compares this.
    pub keys: Digest,
}

/// A replica that an engine drives.
pub struct Application<M: Compact> {
    replica: Replica<M>,
    verifier: Box<dyn BatchVerifier<M>>,
    /// The proposal of this height that was checked last: its proof is verified once.
    processed: Option<(Vec<Vec<u8>>, Checked<M>)>,
    finalized: Option<Checked<M>>,
}

impl<M: Compact + Clone> Application<M> {
    /// An application of a replica, which verifies batches so.
    #[must_use]
    pub fn new(replica: Replica<M>, verifier: Box<dyn BatchVerifier<M>>) -> Self {
        Self { replica, verifier, processed: None, finalized: None }
    }

    /// The replica.
    #[must_use]
    pub fn replica(&self) -> &Replica<M> {
        &self.replica
    }

    /// The bytes of a content, as they stand in a block.
    #[must_use]
    pub fn transaction(&self, content: Content<M>) -> Vec<u8> {
        self.replica.chain().next(content).to_bytes().split_off(HEADER)
    }

    /// The last block on the disk.
    #[must_use]
    pub fn info(&self) -> Info {
        let tip = self.replica.chain().tip();
        Info { height: tip.height, digest: tip.digest, keys: self.verifier.keys() }
    }

    /// The next block with these transactions of the engine: one, or none.
    fn block(&self, transactions: &[Vec<u8>]) -> Result<Block<M>, M> {
        let refused = |reason: Malformed| ReplicaError::Rejected(reason.into());
        let content = match transactions {
            [] => return Ok(self.replica.chain().next(Content::Empty)),
            // A block without content has one form.
            [content] if *content != [0] => content,
            [_] => return Err(refused(Malformed("a transaction without content"))),
            _ => return Err(refused(Malformed("a block has one content"))),
        };
        let mut bytes = self.replica.chain().next(Content::Empty).to_bytes();
        bytes.truncate(HEADER);
        bytes.extend(content);
        Block::from_bytes(&bytes).map_err(refused)
    }

    /// Checks whether a transaction may wait: its shape, that it fits the state as it is, its signatures, and that there is a key for a batch. Proofs are not looked at: **on a lane that nobody
    /// holds, anybody can make any number of batches that pass**, so that an engine either limits what each peer may add, or takes batches on held lanes alone.
    ///
    /// # Errors
    /// If it is malformed, stale or refused by the rules, a signature is wrong, or this replica has no key for batches of its size.
    pub fn check(&self, transaction: &[u8]) -> Result<(), M> {
        let block = self.block(&[transaction.to_vec()])?;
        self.unproven(&block).map(drop).map_err(ReplicaError::Rejected)
    }

    /// All checks of a block but the proof.
    fn unproven(&self, block: &Block<M>) -> core::result::Result<Step<M>, Rejected<M::Refusal>> {
        self.replica.chain().check(block, Some(&Unproven(Some(&*self.verifier))))
    }

    /// The transactions of a proposal: the first of those that wait that holds. At most `proofs` are verified of batches that no holder of a lane has signed, whose author may be anybody; those after
    /// them are passed over.
    #[must_use]
    pub fn prepare(&self, waiting: &[Vec<u8>], proofs: usize) -> Vec<Vec<u8>> {
        let mut left = proofs;
        let holds = |transaction: &&Vec<u8>| {
            let Ok(block) = self.block(&[(*transaction).clone()]) else { return false };
            // A proof is verified of what all else is right of.
            if self.unproven(&block).is_err() {
                return false;
            }
            if self.is_unsigned(&block) {
                let Some(rest) = left.checked_sub(1) else { return false };
                left = rest;
            }
            self.replica.check(&block, &*self.verifier).is_ok()
        };
        waiting.iter().find(holds).cloned().into_iter().collect()
    }

    /// Tells whether anybody may have made it: a batch on a lane without a holder.
    fn is_unsigned(&self, block: &Block<M>) -> bool {
        let Content::Batch(batch) = &block.content else { return false };
        self.replica.chain().holder(batch.lane).is_ok_and(|holder| holder.is_none())
    }

    /// Checks a proposal. No honest replica votes for what this refuses.
    ///
    /// # Errors
    /// If it has more than one content, or a block of it would be refused.
    pub fn process(&mut self, transactions: &[Vec<u8>]) -> Result<(), M> {
        let checked = self.replica.check(&self.block(transactions)?, &*self.verifier)?;
        self.processed = Some((transactions.to_vec(), checked));
        Ok(())
    }

    /// Executes a decided block. Returns the application's hash, which every replica has; nothing is on the disk before [`Self::commit`]. A proof that was checked for the vote is not
    /// verified once more.
    ///
    /// # Errors
    /// If the block is refused, and the replica must stop: more than a third of the votes were not honest, this replica has another state, other keys than those that voted
    /// ([`Info::keys`]), or none for this size of batches ([`Rejected::NoKey`]; with it, it can go on). Nothing is finalized then.
    pub fn finalize(&mut self, transactions: &[Vec<u8>]) -> Result<Digest, M> {
        self.finalized = None;
        let parent = self.info().digest;
        let processed =
            self.processed.take().filter(|(of, checked)| of == transactions && checked.parent() == parent);
        let checked = match processed {
            Some((_, checked)) => checked,
            None => self.replica.check(&self.block(transactions)?, &*self.verifier)?,
        };
        let digest = self.replica.digest_of(&checked);
        self.finalized = Some(checked);
        Ok(digest)
    }

    /// Writes the block that was finalized: on the disk when this returns.
    ///
    /// # Errors
    /// If there is none, or the disk fails.
    pub fn commit(&mut self) -> Result<Info, M> {
        let nothing = Rejected::Malformed(Malformed("no block was finalized"));
        let checked = self.finalized.take().ok_or(ReplicaError::Rejected(nothing))?;
        self.replica.commit(checked)?;
        Ok(self.info())
    }
}
