//! The processes of the demo, and the chain that they follow.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::{Outcome, Role};
use crate::chain::{Batch, Content, Genesis};
use crate::evm::Gas;
use crate::machine::{Signed, Touched, run};
use crate::node::frame::{Reply, Request};
use crate::node::peer::{Arrived, Peer};
use crate::node::{Cost, Node, NodeError, clock, durable, select, touched};
use crate::statement::{BatchSize, BatchVerifier};
use crate::token::{Index, Token, Transaction};

/// The replicas; provers have the numbers behind them.
pub(super) const REPLICAS: usize = 3;
/// All processes.
pub(super) const ALL: usize = REPLICAS + 2;

/// What a prover is at.
pub(super) struct Work {
    pub transactions: Vec<Signed<Transaction>>,
    /// Whether another prover is at work too.
    beside: bool,
}

/// A batch, and the transactions that it is of.
pub(super) type Proven = (Batch, Vec<Signed<Transaction>>);

/// A process, or the place of one that was killed.
struct Member {
    role: Role,
    peer: Option<Peer>,
    /// The number of processes that it has had.
    process: u32,
    /// The height up to which it has the blocks.
    height: usize,
    lane: Option<u8>,
    work: Option<Work>,
}

/// The chain, the processes, and the transactions that wait.
pub(super) struct Cluster<'a> {
    pub node: Node,
    pub verifier: Box<dyn BatchVerifier<Token>>,
    pub size: BatchSize,
    pub waiting: Vec<Signed<Transaction>>,
    /// Block files, from height 1.
    pub blocks: Vec<Vec<u8>>,
    pub outcome: Outcome,
    folder: PathBuf,
    command: &'a dyn Fn(&Role) -> Command,
    members: Vec<Member>,
    sender: Sender<Arrived>,
    arrived: Receiver<Arrived>,
    early: VecDeque<(usize, Option<Reply>)>,
}

fn failed(what: impl Into<String>) -> NodeError {
    NodeError::Peer(what.into())
}

impl<'a> Cluster<'a> {
    /// Makes the nodes of a genesis, and starts their processes.
    pub fn start(
        directory: &Path,
        (genesis, verifier): (&Genesis<Token>, Box<dyn BatchVerifier<Token>>),
        size: BatchSize,
        roles: Vec<Role>,
        command: &'a dyn Fn(&Role) -> Command,
    ) -> Result<Self, NodeError> {
        let node = Node::init(&directory.join("chain"), genesis.clone())?;
        let folder = directory.join("blocks");
        std::fs::create_dir(&folder).map_err(NodeError::io("make", &folder))?;
        let (sender, arrived) = channel();
        let member = |role| Member { role, peer: None, process: 0, height: 0, lane: None, work: None };
        let mut cluster = Self {
            node,
            verifier,
            size,
            waiting: Vec::new(),
            blocks: Vec::new(),
            outcome: Outcome::default(),
            folder,
            command,
            members: roles.into_iter().map(member).collect(),
            sender,
            arrived,
            early: VecDeque::new(),
        };
        for id in 0..cluster.members.len() {
            drop(Node::init(&cluster.members[id].role.directory, genesis.clone())?);
            cluster.restart(id)?;
        }
        Ok(cluster)
    }

    /// Starts the process of a member again.
    pub fn restart(&mut self, id: usize) -> Result<(), NodeError> {
        let member = &mut self.members[id];
        member.process += 1;
        let command = (self.command)(&member.role);
        member.peer = Some(Peer::start(command, (id, member.process), self.sender.clone())?);
        match self.ask(id, &Request::Status)? {
            Reply::Tip { height, .. } => {
                self.members[id].height = height as usize;
                Ok(())
            }
            other => Err(unexpected(id, &other)),
        }
    }

    /// Kills a process. What a prover was at waits again.
    pub fn kill(&mut self, id: usize) {
        let member = &mut self.members[id];
        member.peer = None;
        self.early.retain(|(from, _)| *from != id);
        if let Some(work) = member.work.take() {
            self.waiting.splice(0..0, work.transactions);
        }
    }

    pub fn hold(&mut self, id: usize, lane: u8) {
        self.members[id].lane = Some(lane);
    }

    fn send(&mut self, id: usize, request: &Request) -> Result<(), NodeError> {
        self.members[id].peer.as_mut().ok_or_else(|| failed("the process was killed"))?.send(request)
    }

    /// What comes next from any process that was not killed.
    fn next(&mut self) -> Result<(usize, Option<Reply>), NodeError> {
        loop {
            let (id, process, reply) = self.arrived.recv().map_err(|e| failed(e.to_string()))?;
            let member = &self.members[id];
            if member.peer.is_some() && member.process == process {
                return Ok((id, reply));
            }
        }
    }

    /// Asks one process, and keeps what comes from the others.
    pub fn ask(&mut self, id: usize, request: &Request) -> Result<Reply, NodeError> {
        self.send(id, request)?;
        loop {
            let (from, reply) = self.next()?;
            if from != id {
                self.early.push_back((from, reply));
                continue;
            }
            return match reply {
                Some(Reply::Failed(text)) => Err(failed(format!("{} ended: {text}", name(id)))),
                Some(reply) => Ok(reply),
                None => Err(failed(format!("{} has ended", name(id)))),
            };
        }
    }

    /// Sends a process the blocks that it lacks. Returns their number.
    pub fn catch_up(&mut self, id: usize) -> Result<usize, NodeError> {
        let first = self.members[id].height;
        for at in first..self.blocks.len() {
            let is_batch = self.is_batch(at);
            match self.ask(id, &Request::Apply(self.blocks[at].clone()))? {
                Reply::Tip { height, root, cost } => {
                    self.members[id].height = height as usize;
                    if at + 1 == self.blocks.len() && root != self.node.replica.chain().root() {
                        return Err(failed(format!("{} has another root", name(id))));
                    }
                    if id == 0 && is_batch {
                        self.outcome.verify.cpu += cost.cpu;
                        self.outcome.apply += cost.wall;
                    }
                }
                other => return Err(unexpected(id, &other)),
            }
        }
        Ok(self.blocks.len() - first)
    }

    fn is_batch(&self, at: usize) -> bool {
        let block = self.node.read_block(&self.blocks[at]);
        matches!(block.map(|block| block.content), Ok(Content::Batch(_)))
    }

    /// Puts a block behind the last one: here, in a file, and on every replica that runs.
    pub fn append(&mut self, content: Content<Token>) -> Result<(), NodeError> {
        let bytes = self.node.block(content);
        let block = self.node.read_block(&bytes)?;
        self.node.apply(&block, &*self.verifier)?;
        durable::write_new(&self.folder.join(format!("{:06}.block", block.height)), &bytes)?;
        self.blocks.push(bytes);
        self.outcome.height = block.height;
        for id in 0..REPLICAS {
            if self.members[id].peer.is_some() {
                self.catch_up(id)?;
            }
        }
        Ok(())
    }

    /// The accounts of batches that are being proven.
    fn busy(&self) -> BTreeSet<Index> {
        let at_work = self.members.iter().filter_map(|member| member.work.as_ref());
        at_work.flat_map(|work| touched(&work.transactions)).collect()
    }

    /// Gives work to one prover if it is idle.
    pub fn assign(&mut self, id: usize) -> Result<bool, NodeError> {
        let member = &self.members[id];
        let Some(lane) = member.lane.filter(|_| member.peer.is_some() && member.work.is_none()) else {
            return Ok(false);
        };
        let busy = self.busy();
        let selected = select(&mut self.waiting, &busy, self.size.slots());
        let (chain, mut touched) = (self.node.replica.chain(), Touched::default());
        // A payment may be to an account that another batch is about to open.
        let (transactions, early): (Vec<_>, Vec<_>) =
            selected.into_iter().partition(|signed| touched.execute(chain.machine(), chain, signed).is_ok());
        self.waiting.splice(0..0, early);
        if transactions.is_empty() {
            return Ok(false);
        }
        self.catch_up(id)?;
        let beside = self.members.iter().any(|member| member.work.is_some());
        self.send(id, &Request::Prove { lane, size: self.size, transactions: transactions.clone() })?;
        self.members[id].work = Some(Work { transactions, beside });
        Ok(true)
    }

    /// Waits for a prover. Returns its batch, none if no prover is at work.
    pub fn proven(&mut self) -> Result<Option<Proven>, NodeError> {
        if self.members.iter().all(|member| member.work.is_none()) {
            return Ok(None);
        }
        let (id, reply) = match self.early.pop_front() {
            Some((id, _)) if self.members[id].peer.is_none() => return self.proven(),
            Some(early) => early,
            None => self.next()?,
        };
        match (reply, self.members[id].work.take()) {
            (Some(Reply::Batch(batch, cost)), Some(work)) => {
                self.outcome.prove.cpu += cost.cpu;
                self.outcome.prove.wall += cost.wall;
                self.outcome.side_by_side += usize::from(work.beside);
                Ok(Some((*batch, work.transactions)))
            }
            (Some(other), _) => Err(unexpected(id, &other)),
            (None, _) => Err(failed(format!("{} has ended", name(id)))),
        }
    }

    /// Applies a batch, and measures what executing its transactions would take.
    pub fn take(&mut self, (batch, transactions): Proven) -> Result<(), NodeError> {
        let chain = self.node.replica.chain();
        let start = clock::Start::now();
        let executed = run(chain.machine(), chain, &transactions);
        self.outcome.execute += start.cost().cpu;
        executed.map_err(|(_, reason)| NodeError::Transaction(reason.to_string()))?;
        let gas = Gas::of_batch(chain.machine(), chain, &transactions, batch.size.slots())?;
        self.outcome.gas.push((transactions.len(), gas));
        self.append(Content::Batch(batch))?;
        self.outcome.transactions += transactions.len();
        self.outcome.proven += transactions.len();
        self.outcome.batches += 1;
        self.outcome.bytes += self.blocks.last().map_or(0, Vec::len);
        Ok(())
    }

    /// Checks that all replicas have the state of this process.
    pub fn compare(&mut self) -> Result<(), NodeError> {
        let tip = self.node.replica.chain().tip();
        for id in 0..REPLICAS {
            match self.ask(id, &Request::Status)? {
                Reply::Tip { height, root, .. } if (height, root) == (tip.height, tip.root) => {}
                other => return Err(unexpected(id, &other)),
            }
        }
        self.outcome.root = tip.root;
        Ok(())
    }

    /// The time of one thing.
    pub fn timed<T>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Result<T, NodeError>,
    ) -> Result<(T, Duration), NodeError> {
        let start = clock::Start::now();
        let value = f(self)?;
        let Cost { wall, .. } = start.cost();
        Ok((value, wall))
    }
}

fn unexpected(id: usize, reply: &Reply) -> NodeError {
    let text = match reply {
        Reply::Refused(text) | Reply::Failed(text) => text.clone(),
        other => format!("it answers {other:?}"),
    };
    failed(format!("{}: {text}", name(id)))
}

/// The name of a member.
pub(super) fn name(id: usize) -> String {
    if id < REPLICAS { format!("replica {}", id + 1) } else { format!("prover {}", id - REPLICAS + 1) }
}
