//! A node: a directory with a replica, its keys, and transactions that wait. What the command line does with ledgers is here. (notes: ledger-node)
//!
//! ```text
//!  DIR/log, index, lock   the replica
//!  DIR/genesis            its first record, for others who join
//!  DIR/keys/              keys of proofs ([`Keys`])
//!  DIR/inbox/             signed transactions that wait for a block ([`Inbox`])
//!  DIR/followed           how far the contract was followed ([`Cursor`])
//! ```
//! One process has a directory at a time, except for `keys` and `inbox`, whose files appear whole. A prover takes what it needs ([`Draft`]) and gives the
//! directory back while it proves.

mod call;
mod ceremony;
mod circuit;
mod clock;
mod demo;
mod describe;
mod description;
mod draft;
mod durable;
mod error;
mod export;
pub mod file;
mod finish;
mod follow;
mod frame;
mod history;
mod http;
mod inbox;
mod keys;
mod measure;
mod memory;
mod peer;
#[cfg(feature = "peers")]
mod peers;
mod pull;
mod scratch;
mod serve;
mod show;
mod submit;
#[cfg(test)]
pub(crate) mod tests;
mod transport;
mod verifiers;

pub use call::{CallBatch, CallDraft, Callee, UnverifiedCall, contract_root, first_head};
pub use ceremony::{
    Beacon, Contribution, Expected, Phase, STATE_HEAD, Verified, circuit_state, contribute,
    contribute_beacon, finalise, powers_bytes, powers_state, state_bytes, verify_ceremony,
};
pub use circuit::BatchCircuit;
pub use clock::cost_of;
pub use demo::{Demo, Event, Outcome, Role};
pub use description::{DescriptionError, read_genesis};
pub use draft::{Cost, Draft, LeftOut, Unfit};
pub use error::NodeError;
pub use export::{Mode, export};
pub use finish::{Finished, Place};
pub use follow::{
    Cursor, Finality, FollowError, FollowStep, Followed, Follower, Header, MOST_ANSWER, latest_head,
    latest_root,
};
pub use history::{Exported, audit, export_blocks};
pub use http::{Limits, Served, Service};
pub use inbox::{Inbox, Waiting, select, size_of, touched};
pub use keys::{KeyInfo, Keys};
pub use measure::{Baseline, Measured, measure};
pub use memory::{proving_memory, transparent_memory};
#[cfg(feature = "peers")]
pub use peers::ed25519;
pub use pull::{PullError, Pulled, Puller};
pub use scratch::Scratch;
pub use serve::serve;
pub use show::{MOST_SHOWN, show};
pub use submit::sign_apart;
pub use transport::{Endpoint, Source, TransportError};
pub use verifiers::Verifiers;

/// The prover's key of a circuit of batches.
pub type ProvingKey = snark::groth16::ProvingKey<curve::pairing::Bn254>;

use std::fs;
use std::path::{Path, PathBuf};

use crate::chain::{Block, Chain, Claim, Content, Genesis};
use crate::codec::Canonical;
use crate::machine::{Machine, Signed};
use crate::replica::{Recovery, Replica};
use crate::signature::Secret;
use crate::statement::{BatchSize, BatchVerifier, Statement};
use crate::store::{Digest, StoreError};
use crate::token::{Token, Transaction};

/// The name of the first record's file.
const GENESIS: &str = "genesis";

/// Random bytes of the system, without which nothing is proven and no key made.
pub(crate) fn random() -> getrandom::rand_core::UnwrapErr<getrandom::SysRng> {
    getrandom::rand_core::UnwrapErr(getrandom::SysRng)
}

/// A node whose directory no other process has.
#[derive(Debug)]
pub struct Node {
    path: PathBuf,
    replica: Replica<Token>,
    recovery: Recovery,
}

impl Node {
    /// Makes a node in a directory that is not there yet. Killed at any moment, it leaves none or a whole one.
    ///
    /// # Errors
    /// If there is something of this name, the accounts hold `2^64` or more or the issuer has none, or it cannot be written.
    pub fn init(path: &Path, genesis: Genesis<Token>) -> Result<Self, NodeError> {
        check_genesis(&genesis)?;
        if fs::symlink_metadata(path).is_ok() {
            return Err(NodeError::Exists(path.display().to_string()));
        }
        let beside = durable::beside(path)?;
        fs::create_dir(&beside).map_err(NodeError::io("make", &beside))?;
        let made = Self::make(&beside, genesis).and_then(|()| {
            fs::rename(&beside, path).map_err(NodeError::io("make", path))?;
            durable::sync_folder(path)
        });
        if made.is_err() {
            // Made here a moment ago: nobody else's.
            let _ = fs::remove_dir_all(&beside);
        }
        made?;
        Self::open(path)
    }

    fn make(beside: &Path, genesis: Genesis<Token>) -> Result<(), NodeError> {
        durable::write_new(&beside.join(GENESIS), &genesis.to_bytes())?;
        Replica::init(beside, genesis)?;
        Ok(())
    }

    /// Opens the node in a directory.
    ///
    /// # Errors
    /// If there is none, another process has it, its log is damaged, or its file `genesis` is of another chain than its log.
    pub fn open(path: &Path) -> Result<Self, NodeError> {
        // A lock is made, and a damaged index made anew, which in a directory that is no node's would be somebody's.
        let first = read_first(&path.join(GENESIS))?.to_bytes();
        let (replica, recovery) = Replica::open(path)?;
        // Transactions are signed and filed by the rules in the file, which the log would refuse.
        if crate::store::digest(&[0; 32], 0, &first) != replica.genesis() {
            return Err(NodeError::OtherChain("file `genesis`"));
        }
        Ok(Self { path: path.to_owned(), replica, recovery })
    }

    /// The rules of the node in a directory, which another process may have.
    ///
    /// # Errors
    /// If there is none, or its file `genesis` is none.
    pub fn rules(path: &Path) -> Result<Token, NodeError> {
        Ok(read_first(&path.join(GENESIS))?.machine)
    }

    /// What the chain of the node in a directory begins with. The directory may be another process's, and the path that of the file itself.
    ///
    /// # Errors
    /// If there is none.
    pub fn genesis(path: &Path) -> Result<Genesis<Token>, NodeError> {
        if path.is_file() { read_first(path) } else { read_first(&path.join(GENESIS)) }
    }

    /// The waiting transactions of the node in a directory, which another process may have.
    ///
    /// # Errors
    /// If there is none.
    pub fn inbox(path: &Path) -> Result<Inbox, NodeError> {
        Ok(Inbox::new(&path.join("inbox"), Self::rules(path)?.domain()))
    }

    /// Where the keys of the node in a directory are.
    #[must_use]
    pub fn keys_folder(path: &Path) -> PathBuf {
        path.join("keys")
    }

    /// The replica.
    #[must_use]
    pub fn replica(&self) -> &Replica<Token> {
        &self.replica
    }

    /// The chain as it is now, without the directory, which others may have then.
    #[must_use]
    pub fn into_chain(self) -> Chain<Token> {
        self.replica.into_chain()
    }

    /// What opening it found.
    #[must_use]
    pub fn recovery(&self) -> Recovery {
        self.recovery
    }

    /// The file of the next block with some content.
    pub fn block(&self, content: Content<Token>) -> Vec<u8> {
        file::encode_block(&self.replica.genesis(), &self.replica.chain().next(content))
    }

    /// Reads a block file.
    ///
    /// # Errors
    /// If the bytes are none, or it is of another chain.
    pub fn read_block(&self, bytes: &[u8]) -> Result<Block<Token>, NodeError> {
        file::decode_block(&self.replica.genesis(), bytes)
    }

    /// Checks a block and changes nothing.
    ///
    /// # Errors
    /// If it is refused.
    pub fn verify(&self, block: &Block<Token>, verifier: &dyn BatchVerifier<Token>) -> Result<(), NodeError> {
        self.replica.check(block, verifier).map(drop).map_err(Into::into)
    }

    /// Checks and applies a block: on the disk when this returns. Transactions whose nonces it used no longer wait.
    ///
    /// # Errors
    /// If it is refused, or the disk fails.
    pub fn apply(
        &mut self,
        block: &Block<Token>,
        verifier: &dyn BatchVerifier<Token>,
    ) -> Result<Digest, NodeError> {
        let digest = self.replica.apply(block, verifier)?;
        // That a file stays which no block takes any more is no harm.
        let chain = self.replica.chain();
        let _ = self.own_inbox().sweep(|signed| inbox::is_used(chain, signed));
        Ok(digest)
    }

    fn own_inbox(&self) -> Inbox {
        Inbox::new(&self.path.join("inbox"), self.replica.chain().machine().domain())
    }

    /// What waits, after removing what its sender has not signed or no block can have any more. Cost: a check of a signature for each.
    ///
    /// # Errors
    /// If the folder cannot be read, or a file not be removed.
    pub fn waiting(&self) -> Result<Waiting, NodeError> {
        let (chain, inbox) = (self.replica.chain(), self.own_inbox());
        inbox.sweep(|signed| inbox::is_used(chain, signed) || !inbox::is_signed(chain, signed))?;
        inbox.read()
    }

    /// A claim of a lane, as the content of a block.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn claim(&self, lane: u8, secret: &Secret) -> Result<Content<Token>, NodeError> {
        let chain = self.replica.chain();
        let found = chain.leases().lane(lane).map_err(|e| rejected(e.into()))?;
        let claim = Claim { lane, sequence: found.claims, key: secret.public() };
        let signature = secret.sign(&chain.machine().domain(), &claim.message());
        Ok(Content::Claim(claim, signature))
    }

    /// Tells whether a batch of this key on a lane has to be signed: whether the key holds it.
    ///
    /// # Errors
    /// If there is no such lane, or another key holds it.
    pub fn holds(&self, lane: u8, secret: Option<&Secret>) -> Result<bool, NodeError> {
        let chain = self.replica.chain();
        let (height, timeout) = (chain.tip().height + 1, chain.params().timeout);
        match chain.leases().holder(lane, height, timeout).map_err(|e| rejected(e.into()))? {
            None => Ok(false),
            Some(holder) if secret.is_some_and(|secret| secret.public() == holder) => Ok(true),
            Some(_) => {
                let active = chain.leases().lane(lane).map_or(0, |lane| lane.active);
                Err(NodeError::Held { lane, until: active.saturating_add(u64::from(timeout)) })
            }
        }
    }

    /// A block's content of transactions that every replica executes, as many as the chain has in a block; and those that the state refuses.
    ///
    /// # Errors
    /// If none of those that wait is accepted.
    pub fn plain(
        &self,
        transactions: Vec<Signed<Transaction>>,
    ) -> Result<(Content<Token>, Vec<LeftOut>), NodeError> {
        let chain = self.replica.chain();
        let (draft, left_out) = Draft::at_most(chain, transactions, usize::from(chain.params().plain))?;
        Ok((Content::Plain(draft.transactions().to_vec()), left_out))
    }
}

/// Reads a file `genesis`.
fn read_first(path: &Path) -> Result<Genesis<Token>, NodeError> {
    if !path.exists() {
        // A replica would be looked for, and its lock made, in any directory.
        return Err(NodeError::Replica(StoreError::Empty.into()));
    }
    let bytes = durable::read(path, crate::store::MAX_RECORD as u64)?;
    Genesis::from_bytes(&bytes).map_err(|reason| NodeError::File { what: "genesis", reason })
}

fn rejected(reason: crate::chain::Rejected<crate::token::Refusal>) -> NodeError {
    NodeError::Replica(crate::replica::ReplicaError::Rejected(reason))
}

/// The size of a block's batch, for which its verifier needs a key.
#[must_use]
pub fn batch_size(block: &Block<Token>) -> Option<BatchSize> {
    match &block.content {
        Content::Batch(batch) => Some(batch.size),
        _ => None,
    }
}

/// The verifier of nodes that take no batch.
#[derive(Clone, Copy, Debug)]
pub struct NoBatches;

impl BatchVerifier<Token> for NoBatches {
    fn verify(&self, _: &Statement<Token>, _: BatchSize, _: &[u8]) -> Result<(), crate::Invalid> {
        Err(crate::Invalid("there is no key to verify batches with"))
    }

    fn takes(&self, _: BatchSize) -> bool {
        false
    }

    fn keys(&self) -> crate::store::Digest {
        crate::store::Digest::default()
    }
}

/// The laws of the token machine that the encoding of a genesis leaves open.
fn check_genesis(genesis: &Genesis<Token>) -> Result<(), NodeError> {
    let total = genesis.cells.iter().try_fold(0u64, |sum, (_, account)| sum.checked_add(account.balance));
    if total.is_none() {
        return Err(NodeError::Genesis("the accounts together hold 2^64 or more"));
    }
    if !genesis.cells.iter().any(|(key, _)| *key == genesis.machine.issuer) {
        return Err(NodeError::Genesis("the issuer has no account"));
    }
    Ok(())
}
