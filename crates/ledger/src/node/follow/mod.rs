//! A node that follows the contract of its chain: from the events of accepted batches to their calls, to the state. (notes: ledger-follow)
//!
//! ```text
//!  final block ─► root of the contract ─┬► the node's: nothing to do
//!                                       └► events ─► roots, the last one the contract's ─► inputs of transactions ─► blocks: proof checked, applied
//! ```
//! Nothing is applied before the events lead to the root of the contract, and of each call the proof is checked. The directory is another process's while the endpoint is waited for.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cursor;
mod error;
mod latest;
mod rpc;

pub use cursor::Cursor;
pub use error::FollowError;
pub use latest::{latest_head, latest_root};
pub use rpc::{Header, MOST_ANSWER};

use std::path::Path;

use snark::groth16::{Word, word};

use self::rpc::{Client, Event, Tag, hex};
use super::{BatchCircuit, Endpoint, Keys, Node, NodeError, contract_root};
use crate::chain::Content;
use crate::circuit::root::{RootVerifier, Shape, Tree};
use crate::evm::RootSubmission;
use crate::machine::{Contract, Machine};
use crate::replica::ReplicaError;
use crate::statement::{BatchSize, Call};
use crate::store::Digest;
use crate::token::Token;

/// The most blocks of which events are asked for at once; an endpoint that refuses so many is asked for fewer.
const MOST_BLOCKS: u64 = 2048;

/// The most events that are kept.
const MOST_EVENTS: usize = 1 << 20;

/// Calls that are applied one after the other, without giving the directory back.
const GROUP: usize = 32;

/// The blocks that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finality {
    /// Those that the EVM chain calls final.
    Finalized,
    /// Those with at least so many blocks behind them.
    Depth(u64),
}

/// The events of a round, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowStep {
    /// Events were read to a block, of all blocks to another one.
    Read(u64, u64),
    /// Calls that were applied, and all of them.
    Applied(u64, u64),
}

/// The finding of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The last final block.
    pub head: Header,
    /// The root of the contract in it, and of the node.
    pub root: Word,
    /// The calls that were applied.
    pub applied: u64,
    /// The height of the node's ledger.
    pub height: u64,
    /// A block that was final has become another one, which has changed no state of the contract that the node had.
    pub reorganised: bool,
}

/// A node, and where it learns what its contract has accepted.
pub struct Follower<'a> {
    directory: &'a Path,
    keys: &'a Keys,
    endpoint: &'a dyn Endpoint,
    machine: Token,
    contract: Contract,
    size: BatchSize,
    shape: Shape,
    finality: Finality,
    first: Option<u64>,
    verifier: Option<RootVerifier>,
    /// The digest of the ledger's last record, and the root of the contract with that state.
    known: Option<(Digest, Word)>,
}

/// The state of a node.
#[derive(Clone, Copy)]
struct Own {
    digest: Digest,
    root: Word,
    height: u64,
}

impl<'a> Follower<'a> {
    /// Of the node in a directory, whose contract has batches of this size, by the key of a folder. Calls are looked for from block `first` on, or where the last round ended.
    ///
    /// # Errors
    /// If there is no node, or its chain names no contract.
    pub fn new(
        (directory, keys): (&'a Path, &'a Keys),
        size: BatchSize,
        endpoint: &'a dyn Endpoint,
        (finality, first): (Finality, Option<u64>),
    ) -> Result<Self, NodeError> {
        let machine = Node::rules(directory)?;
        let contract = machine.contract.ok_or(super::call::NO_CONTRACT)?;
        let shape = Shape::standard(size.slots());
        let (verifier, known) = (None, None);
        Ok(Self {
            directory,
            keys,
            endpoint,
            machine,
            contract,
            size,
            shape,
            finality,
            first,
            verifier,
            known,
        })
    }

    /// A follower of a contract with a small circuit.
    #[cfg(test)]
    pub(crate) fn with_shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Applies the calls that the contract has accepted in final blocks, and are not applied yet.
    ///
    /// # Errors
    /// Those of [`FollowError`]. Calls that were applied before one stay applied.
    pub fn round(&mut self, each: &mut dyn FnMut(FollowStep)) -> Result<Followed, FollowError> {
        let cursor = Cursor::load(self.directory)?;
        let own = self.own()?;
        let client = Client::new(self.endpoint, self.contract.address);
        let head = self.head(&client)?;
        // An endpoint may have said once that a block of any number was final: that the contract has the node's state is what counts.
        let behind = cursor.filter(|cursor| head.number < cursor.last.number);
        let kept = if behind.is_some() { None } else { kept(&client, cursor)? };
        let reorganised = cursor.is_some() && behind.is_none() && kept.is_none();
        let root = client.view("root", Tag::Number(head.number))?;
        let first = self.first.or(cursor.map(|cursor| cursor.first)).unwrap_or(0);
        let (mut applied, mut height) = (0, own.height);
        if own.root != root {
            // That a key is missing is said before blocks are read for long.
            self.read_key()?;
            let after = kept.filter(|cursor| cursor.root == own.root && cursor.first == first);
            let start = after.map_or(first, |cursor| cursor.last.number.saturating_add(1));
            let events = self.events(&client, (start, head.number), each)?;
            let pending = match after {
                Some(_) => Some(events.as_slice()),
                None => self.behind(&events, own.root)?,
            };
            let Some(pending) = pending else {
                let head = head.number;
                return Err(match behind {
                    Some(cursor) => FollowError::Behind { head, followed: cursor.last.number },
                    None if self.is_ahead(&client, head, own.root)? => FollowError::Ahead { head },
                    None => FollowError::Unknown { first, head, root: own.root, reorganised },
                });
            };
            let calls = pending.last().map_or(own.root, |event| event.root);
            if calls != root {
                return Err(FollowError::Differs { head: head.number, contract: root, calls });
            }
            unchanged(&client, head)?;
            height = self.apply(&client, own.digest, (first, pending), each)?;
            applied = pending.len() as u64;
        }
        unchanged(&client, head)?;
        Cursor { first, last: head, root }.save(self.directory)?;
        Ok(Followed { head, root, applied, height, reorganised })
    }

    fn own(&mut self) -> Result<Own, NodeError> {
        let node = Node::open(self.directory)?;
        let tip = node.replica().chain().tip();
        let known = self.known.filter(|(digest, _)| *digest == tip.digest).map(|(_, root)| root);
        let root = known.map_or_else(|| contract_root(&node, self.shape), Ok)?;
        self.known = Some((tip.digest, root));
        Ok(Own { digest: tip.digest, root, height: tip.height })
    }

    /// The last final block, of the chain with the contract.
    fn head(&self, client: &Client<'_>) -> Result<Header, FollowError> {
        let (expected, found) = (self.contract.chain_id, client.chain_id()?);
        if found != expected {
            return Err(FollowError::WrongChain { expected, found });
        }
        let head = match self.finality {
            Finality::Finalized => client.header(Tag::Finalized)?,
            Finality::Depth(depth) => {
                let latest = client.header(Tag::Latest)?;
                let number = latest.and_then(|latest| latest.number.checked_sub(depth));
                number.map(|number| client.header(Tag::Number(number))).transpose()?.flatten()
            }
        };
        let head = head.ok_or(FollowError::NothingFinal)?;
        check_contract(client, &self.machine, self.contract, head.number)?;
        Ok(head)
    }

    fn read_key(&mut self) -> Result<(), NodeError> {
        if self.verifier.is_none() {
            let key = self.keys.verifying(BatchCircuit::Root(self.shape))?;
            let verifier = RootVerifier::new(self.machine, (self.size, self.shape), key);
            self.verifier = Some(verifier.map_err(NodeError::GivenKey)?);
        }
        Ok(())
    }

    fn events(
        &self,
        client: &Client<'_>,
        (mut at, to): (u64, u64),
        each: &mut dyn FnMut(FollowStep),
    ) -> Result<Vec<Event>, FollowError> {
        let (mut all, mut step) = (Vec::new(), MOST_BLOCKS);
        while at <= to {
            let end = to.min(at.saturating_add(step - 1));
            match client.events(at, end) {
                Err(e) if e.is_too_much() && end > at => step = (end - at).div_ceil(2),
                Err(e) => return Err(e),
                Ok(found) => {
                    all.extend(found);
                    if all.len() > MOST_EVENTS {
                        return Err(FollowError::TooMany(MOST_EVENTS));
                    }
                    each(FollowStep::Read(end, to));
                    let Some(next) = end.checked_add(1) else { break };
                    (at, step) = (next, MOST_BLOCKS.min(2 * step));
                }
            }
        }
        Ok(all)
    }

    /// The events behind a root that the contract has had: no root comes back.
    fn behind<'e>(&self, events: &'e [Event], root: Word) -> Result<Option<&'e [Event]>, FollowError> {
        if let Some(at) = events.iter().position(|event| event.root == root) {
            return Ok(events.get(at + 1..));
        }
        let genesis = Node::genesis(self.directory)?;
        let accounts = genesis.cells.iter().map(|(number, account)| (number, account));
        let tree = Tree::new(self.shape, accounts).map_err(|e| NodeError::Genesis(e.0))?;
        Ok((word(&tree.root()) == root).then_some(events))
    }

    /// Tells whether the contract has had a root behind the last final block.
    fn is_ahead(&self, client: &Client<'_>, head: u64, root: Word) -> Result<bool, FollowError> {
        let Some(latest) = client.header(Tag::Latest)? else { return Ok(false) };
        let events = self.events(client, (head.saturating_add(1), latest.number), &mut |_| {})?;
        Ok(events.iter().any(|event| event.root == root))
    }

    /// Applies calls behind the block with this digest, and returns the height behind them.
    fn apply(
        &mut self,
        client: &Client<'_>,
        mut last: Digest,
        (first, events): (u64, &[Event]),
        each: &mut dyn FnMut(FollowStep),
    ) -> Result<u64, FollowError> {
        let (mut done, mut height) = (0, 0);
        let mut checked = None;
        for group in events.chunks(GROUP) {
            let mut calls = Vec::with_capacity(group.len());
            for event in group {
                if checked != Some(event.at) {
                    unchanged(client, event.at)?;
                    checked = Some(event.at);
                }
                calls.push((event, client.input(event)?));
            }
            let mut node = Node::open(self.directory)?;
            if node.replica().chain().tip().digest != last {
                return Err(FollowError::Moved);
            }
            for (event, input) in calls {
                last = self.take(&mut node, event, input)?;
                done += 1;
                each(FollowStep::Applied(done as u64, events.len() as u64));
            }
            height = node.replica().chain().tip().height;
            drop(node);
            // Another call may be in the same block.
            if let (Some(event), Some(next)) = (group.last(), events.get(done))
                && event.at != next.at
            {
                Cursor { first, last: event.at, root: event.root }.save(self.directory)?;
            }
        }
        Ok(height)
    }

    fn take(&mut self, node: &mut Node, event: &Event, input: Vec<u8>) -> Result<Digest, FollowError> {
        let refused = |reason: String| FollowError::Refused {
            number: event.at.number,
            transaction: hex(&event.transaction),
            reason,
        };
        let post = RootSubmission::from_calldata(&input).map(|call| call.post);
        if post.map_err(|e| refused(e.to_string()))? != event.root {
            return Err(refused("it leads to another root than its event says".to_owned()));
        }
        let Some(verifier) = &self.verifier else { return Err(refused("there is no key".to_owned())) };
        let call = Call { size: self.size, input };
        let block = node.replica().chain().next(Content::Call(call));
        let digest = node.apply(&block, verifier).map_err(|e| match e {
            NodeError::Replica(ReplicaError::Rejected(reason)) => refused(reason.to_string()),
            e => e.into(),
        })?;
        self.known = Some((digest, event.root));
        Ok(digest)
    }
}

/// The cursor, if the EVM chain still has its block.
fn kept(client: &Client<'_>, cursor: Option<Cursor>) -> Result<Option<Cursor>, FollowError> {
    let Some(cursor) = cursor else { return Ok(None) };
    let found = client.header(Tag::Number(cursor.last.number))?;
    Ok(found.is_some_and(|found| found == cursor.last).then_some(cursor))
}

/// Checks that a contract of a chain with these rules is there in a block.
fn check_contract(
    client: &Client<'_>,
    machine: &Token,
    contract: Contract,
    number: u64,
) -> Result<(), FollowError> {
    if !client.has_code(number)? {
        return Err(FollowError::NoContract { address: hex(&contract.address), number });
    }
    let (expected, found) = (machine.domain().word(), client.view("domain", Tag::Number(number))?);
    if found != expected {
        let [expected, found] = [expected, found].map(|word| hex(&word));
        return Err(FollowError::OtherContract { expected, found });
    }
    Ok(())
}

/// Checks that a block is still that of the chain.
fn unchanged(client: &Client<'_>, header: Header) -> Result<(), FollowError> {
    match client.header(Tag::Number(header.number))? {
        Some(found) if found == header => Ok(()),
        _ => Err(FollowError::Reorganised { number: header.number }),
    }
}
