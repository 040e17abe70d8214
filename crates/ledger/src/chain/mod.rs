//! The deterministic part of a ledger: what a block does to cells and leases. No disk, no clock, no randomness.
//!
//! A batch is checked from the cheap to the dear: shape, lane, values before (compare-and-swap), the holder's signature, effect, proof. Batches on
//! disjoint cells commute, so that several provers work at once; one that was overtaken fails at the comparison, before any proof is looked
//! at. (notes: ledger-batches)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod block;
mod genesis;
mod lease;
mod propose;

pub use block::{Batch, Block, Content, MAX_BLOCK, MAX_PLAIN};
pub use genesis::{Genesis, Params};
pub use lease::{Claim, Lane, LeaseError, Leases, MAX_LANES};
pub(crate) use propose::propose_at_most;
pub use propose::{Proposal, propose};

use core::error::Error;
use std::collections::BTreeMap;

use crate::Invalid;
use crate::codec::effect::{Effect, digest_before};
use crate::codec::{Canonical, Malformed};
use crate::machine::{Compact, Machine, Refused, State, Touched};
use crate::root::{Tree, leaf};
use crate::statement::{BatchVerifier, Call, Change, Statement};
use crate::store::{Cell, Digest, Tip};

/// The reason that a block has no effect.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Rejected<R: Error> {
    /// A block was left out, or comes twice.
    #[error("the block has height {found}, the next one is {expected}")]
    Height {
        /// The next one.
        expected: u64,
        /// The block's.
        found: u64,
    },
    /// It was made behind another one.
    #[error("the block is behind another block than the last one here")]
    Parent,
    /// It was made by a replica with another state.
    #[error("the block is for another state than the one here: two replicas differ")]
    Root,
    /// Its bytes.
    #[error("the block is malformed: {0}")]
    Malformed(#[from] Malformed),
    /// Its lane.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// Another batch came first.
    #[error("the batch is stale: a cell that it touches has changed since")]
    Stale,
    /// The signature of a claim or batch.
    #[error("the signature is not that of the lane's holder: {0}")]
    Signature(Invalid),
    /// The proof.
    #[error("the proof is refused: {0}")]
    Proof(Invalid),
    /// This replica cannot tell whether a batch is right, which says nothing about the batch.
    #[error("there is no key here for batches of {0}")]
    NoKey(usize),
    /// Of a plain block.
    #[error("transaction {index} is refused: {reason}")]
    Transaction {
        /// Its place in the block.
        index: usize,
        /// Why.
        reason: Refused<R>,
    },
    /// Of a plain block.
    #[error("{found} plain transactions, a block has at most {most}")]
    TooMany {
        /// The chain's limit.
        most: u16,
        /// The block's.
        found: usize,
    },
}

/// A state with its rules.
#[derive(Debug)]
pub struct Chain<M: Compact> {
    machine: M,
    params: Params,
    cells: BTreeMap<M::Key, Slot<M::Value>>,
    tree: Tree,
    leases: Leases,
    height: u64,
    last: Digest,
}

#[derive(Debug)]
struct Slot<V> {
    position: u64,
    value: Option<V>,
}

/// What an accepted block changes.
#[derive(Debug)]
pub struct Step<M: Machine> {
    cells: Vec<Change<M>>,
    leases: Leases,
}

impl<M: Compact> State<M> for Chain<M> {
    fn cell(&self, key: &M::Key) -> Option<M::Value> {
        self.cells.get(key).and_then(|slot| slot.value.clone())
    }
}

impl<M: Compact> Chain<M> {
    /// The state of a genesis whose record has this digest.
    #[must_use]
    pub fn new(genesis: Genesis<M>, digest: Digest) -> Self {
        let Genesis { machine, params, cells } = genesis;
        let leases = Leases::new(params.lanes);
        let mut chain = Self {
            machine,
            params,
            cells: BTreeMap::new(),
            tree: Tree::default(),
            leases,
            height: 0,
            last: digest,
        };
        let cells = cells.into_iter().map(|(key, value)| Change { key, before: None, after: Some(value) });
        chain.write(cells.collect());
        chain
    }

    /// The state that an index has.
    ///
    /// # Errors
    /// If its cells, leases and root do not fit each other.
    pub fn restore(genesis: Genesis<M>, tip: &Tip, cells: Vec<Cell>) -> Result<Self, Malformed> {
        let mut chain = Self::new(Genesis { cells: Vec::new(), ..genesis }, tip.digest);
        let mut leaves = Vec::with_capacity(cells.len());
        for cell in cells {
            let at = usize::try_from(cell.position).unwrap_or(usize::MAX);
            leaves.push((at, leaf(&cell.key, cell.value.as_deref())));
            let value = cell.value.as_deref().map(M::Value::from_bytes).transpose()?;
            chain.cells.insert(M::Key::from_bytes(&cell.key)?, Slot { position: cell.position, value });
        }
        leaves.sort_unstable_by_key(|(at, _)| *at);
        if leaves.iter().enumerate().any(|(i, (at, _))| i != *at) {
            return Err(Malformed("positions of cells are missing or twice"));
        }
        chain.tree.write(&leaves);
        chain.leases = Leases::from_bytes(&tip.leases)?;
        chain.height = tip.height;
        if chain.root() != tip.root { Err(Malformed("the cells have another root")) } else { Ok(chain) }
    }

    /// The rules.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> Params {
        self.params
    }

    /// The leases.
    pub fn leases(&self) -> &Leases {
        &self.leases
    }

    /// The cells that are not empty, in the order of their keys.
    pub fn cells(&self) -> impl Iterator<Item = (&M::Key, &M::Value)> {
        self.cells.iter().filter_map(|(key, slot)| Some((key, slot.value.as_ref()?)))
    }

    /// The root of the state.
    #[must_use]
    pub fn root(&self) -> Digest {
        self.tree.root(&self.leases.to_bytes())
    }

    /// What a store keeps of the last block.
    #[must_use]
    pub fn tip(&self) -> Tip {
        let leases = self.leases.to_bytes();
        Tip { height: self.height, digest: self.last, root: self.tree.root(&leases), leases }
    }

    /// The next block with some content.
    pub fn next(&self, content: Content<M>) -> Block<M> {
        Block { height: self.height + 1, parent: self.last, root: self.root(), content }
    }

    /// Tells what a block would change. Nothing changes. Without a verifier, proofs and signatures of claims and batches are taken for granted: for blocks that were
    /// checked before they were written to the log.
    ///
    /// # Errors
    /// If the block is refused.
    pub fn check(
        &self,
        block: &Block<M>,
        verifier: Option<&dyn BatchVerifier<M>>,
    ) -> Result<Step<M>, Rejected<M::Refusal>> {
        let expected = self.height + 1;
        if block.height != expected {
            return Err(Rejected::Height { expected, found: block.height });
        }
        if block.parent != self.last {
            return Err(Rejected::Parent);
        }
        if block.root != self.root() {
            return Err(Rejected::Root);
        }
        let mut leases = self.leases.clone();
        let statement = match &block.content {
            Content::Empty => None,
            Content::Plain(transactions) => Some(self.plain(transactions)?),
            Content::Batch(batch) => Some(self.batch(batch, verifier, &mut leases)?),
            Content::Call(call) => Some(self.call(call, verifier)?),
            Content::Claim(claim, signature) => {
                leases.claim(claim, expected, self.params.timeout)?;
                let signed = || claim.key.verify(&self.machine.domain(), &claim.message(), signature);
                verifier.map_or(Ok(()), |_| signed()).map_err(Rejected::Signature)?;
                None
            }
        };
        Ok(Step { cells: statement.map_or_else(Vec::new, |statement| statement.cells), leases })
    }

    /// The key that alone may prove on a lane in the next block, if there is one.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn holder(&self, lane: u8) -> Result<Option<crate::signature::PublicKey>, LeaseError> {
        self.leases.holder(lane, self.height + 1, self.params.timeout)
    }

    fn plain(
        &self,
        transactions: &[crate::machine::Signed<M::Transaction>],
    ) -> Result<Statement<M>, Rejected<M::Refusal>> {
        let (most, found) = (self.params.plain, transactions.len());
        if found > usize::from(most) {
            return Err(Rejected::TooMany { most, found });
        }
        let mut touched = Touched::default();
        for (index, signed) in transactions.iter().enumerate() {
            let executed = touched.execute(&self.machine, self, signed);
            executed.map_err(|reason| Rejected::Transaction { index, reason })?;
        }
        Ok(touched.statement(&self.machine))
    }

    fn batch(
        &self,
        batch: &Batch,
        verifier: Option<&dyn BatchVerifier<M>>,
        leases: &mut Leases,
    ) -> Result<Statement<M>, Rejected<M::Refusal>> {
        let height = self.height + 1;
        let holder = leases.holder(batch.lane, height, self.params.timeout)?;
        let effect = Effect::read(&self.machine, batch.size, &batch.effect)?;
        if digest_before(&self.machine, self, effect.keys()) != batch.before {
            return Err(Rejected::Stale);
        }
        if let Some(holder) = holder {
            leases.renew(batch.lane, height);
            let message = batch.message();
            let signed = |_| match &batch.signature {
                Some(signature) => holder.verify(&self.machine.domain(), &message, signature),
                None => Err(Invalid("the lane is held, and the batch is not signed")),
            };
            verifier.map_or(Ok(()), signed).map_err(Rejected::Signature)?;
        }
        let statement = effect.statement(&self.machine, self)?;
        if verifier.is_some_and(|verifier| !verifier.takes(batch.size)) {
            return Err(Rejected::NoKey(batch.size.slots()));
        }
        let proved = verifier.map(|verifier| verifier.verify(&statement, batch.size, &batch.proof));
        proved.unwrap_or(Ok(())).map_err(Rejected::Proof)?;
        Ok(statement)
    }

    fn call(
        &self,
        call: &Call,
        verifier: Option<&dyn BatchVerifier<M>>,
    ) -> Result<Statement<M>, Rejected<M::Refusal>> {
        let statement = self.machine.called(self, call)?;
        let proved = verifier.map(|verifier| verifier.verify_call(call, &mut self.cells()));
        proved.unwrap_or(Ok(())).map_err(Rejected::Proof)?;
        Ok(statement)
    }

    /// Makes an accepted block the last one. Returns the cells that a store has to write.
    pub fn commit(&mut self, step: Step<M>, digest: Digest) -> Vec<Cell> {
        self.leases = step.leases;
        (self.height, self.last) = (self.height + 1, digest);
        self.write(step.cells)
    }

    /// All cells, as a store has them.
    pub fn stored(&self) -> Vec<Cell> {
        let stored = |(key, slot): (&M::Key, &Slot<M::Value>)| stored(key, slot);
        self.cells.iter().map(stored).collect()
    }

    fn write(&mut self, changes: Vec<Change<M>>) -> Vec<Cell> {
        let mut cells = Vec::with_capacity(changes.len());
        for Change { key, after, .. } in changes {
            let position = self.cells.len() as u64;
            let slot = self.cells.entry(key).or_insert(Slot { position, value: None });
            slot.value = after;
            cells.push(stored(&key, slot));
        }
        let leaf = |cell: &Cell| (cell.position as usize, leaf(&cell.key, cell.value.as_deref()));
        self.tree.write(&cells.iter().map(leaf).collect::<Vec<_>>());
        cells
    }
}

fn stored<K: Canonical, V: Canonical>(key: &K, slot: &Slot<V>) -> Cell {
    let value = slot.value.as_ref().map(Canonical::to_bytes);
    Cell { key: key.to_bytes(), position: slot.position, value }
}
