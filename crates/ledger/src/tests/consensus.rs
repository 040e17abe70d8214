//! A deterministic simulation of four replicas under an engine that decides what three of them accept: proposals and decided blocks come late or to some alone, proposers deviate,
//! replicas crash between and within calls and lose what they did not sync. Blocks have plain transactions, batches that a lane's holder has signed or nobody, claims, or nothing.

use std::sync::Arc;

use super::fixture::{PARAMS, Recorder, batch, proposal, replica, some};
use crate::Invalid;
use crate::chain::{Claim, Content, Genesis, Rejected};
use crate::consensus::{Application, Info};
use crate::machine::{Machine, Signed};
use crate::replica::{Replica, ReplicaError};
use crate::signature::Secret;
use crate::statement::{BatchSize, BatchVerifier, Statement, digest_of_keys};
use crate::store::simulated::{Disk, Lost};
use crate::store::{Digest, Index};
use crate::token::{Token, Transaction, Workload};

const NODES: usize = 4;
const QUORUM: usize = 3;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % sides as u64) as usize
    }
}

/// The transactions of a block of the engine.
type Body = Vec<Vec<u8>>;

/// A replica as a process with a disk.
struct Node {
    disk: Disk,
    /// The disk's bytes when the process started.
    before: Disk,
    application: Option<Application<Token>>,
    /// The application's hashes of the heights that it has acknowledged.
    acknowledged: Vec<Digest>,
}

impl Node {
    fn new(genesis: &Genesis<Token>) -> Self {
        let disk = Disk::default();
        let index = Box::new(Index::open(disk.file(Disk::INDEX)).unwrap());
        drop(Replica::create(disk.file(Disk::LOG), index, genesis.clone()).unwrap());
        let mut node = Self { before: disk.copy(), disk, application: None, acknowledged: Vec::new() };
        node.start();
        node
    }

    fn start(&mut self) {
        self.disk = self.before.copy();
        let index = Box::new(Index::open(self.disk.file(Disk::INDEX)).unwrap());
        let (replica, _) = Replica::recover(self.disk.file(Disk::LOG), index).unwrap();
        let application = Application::new(replica, Box::new(Recorder::default()));
        let Info { height, digest, .. } = application.info();
        assert!(height as usize >= self.acknowledged.len(), "a committed block is lost");
        if height as usize == self.acknowledged.len() {
            let last = self.acknowledged.last();
            assert!(last.is_none_or(|last| *last == digest), "another block is there");
        }
        self.application = Some(application);
    }

    /// Loses power: of what was not synced, some pieces are there.
    fn crash(&mut self, dice: &mut Dice) {
        self.crash_at(self.disk.operations(), dice);
    }

    fn crash_at(&mut self, operations: usize, dice: &mut Dice) {
        self.application = None;
        let lost = [Lost::Nothing, Lost::Everything, Lost::Some { piece: 512, seed: dice.0 }][dice.next(3)];
        self.before = self.disk.crashed(&self.before, operations, lost);
    }

    /// Applies the next decided block. Crashes between the calls, one time in twelve.
    fn deliver(&mut self, body: &Body, hashes: &mut Vec<Digest>, dice: &mut Dice) {
        let Some(application) = &mut self.application else { return };
        let height = application.info().height as usize;
        let digest = application.finalize(body).expect("a quorum has accepted it");
        // All replicas say the same of a height, and say it again after a crash.
        if hashes.len() == height {
            hashes.push(digest);
        }
        assert_eq!(hashes[height], digest, "height {}", height + 1);
        if dice.next(12) == 0 {
            return self.crash(dice);
        }
        let begun = self.disk.operations();
        let info = application.commit().unwrap();
        // Or within the commit: the block is there afterwards, or not.
        if dice.next(12) == 0 {
            let ended = begun + dice.next(self.disk.operations() - begun + 1);
            return self.crash_at(ended, dice);
        }
        assert_eq!((info.height as usize, info.digest), (height + 1, digest));
        self.acknowledged.truncate(height);
        self.acknowledged.extend(hashes[self.acknowledged.len()..=height].to_vec());
    }
}

/// The engine: what is decided at each height, and what is on its way to whom.
struct Engine {
    nodes: Vec<Node>,
    dice: Dice,
    decided: Vec<Body>,
    hashes: Vec<Digest>,
    refused: usize,
    crashes: usize,
    /// Replicas that had a block on the disk which they had not acknowledged.
    further: usize,
}

impl Engine {
    fn new(seed: u64, genesis: &Genesis<Token>) -> Self {
        let nodes = (0..NODES).map(|_| Node::new(genesis)).collect();
        let (decided, hashes) = (Vec::new(), Vec::new());
        Self { nodes, dice: Dice(seed), decided, hashes, refused: 0, crashes: 0, further: 0 }
    }

    /// One round: a proposal reaches some replicas that are at this height, which vote. Decides it if three accept.
    fn round(&mut self, body: &Body) -> bool {
        let (height, mut votes) = (self.decided.len(), 0);
        for node in &mut self.nodes {
            if self.dice.next(8) == 0 {
                continue;
            }
            let Some(application) = &mut node.application else { continue };
            if application.info().height as usize != height {
                continue;
            }
            match application.process(body) {
                Ok(()) => votes += 1,
                Err(ReplicaError::Rejected(_)) => self.refused += 1,
                Err(e) => panic!("{e}"),
            }
        }
        if votes >= QUORUM {
            self.decided.push(body.clone());
        }
        votes >= QUORUM
    }

    /// Decided blocks travel: to a replica in any order, lost or twice. It takes those that are next, as an engine delivers them.
    fn travel(&mut self, faults: bool) {
        for at in 0..NODES {
            let node = &mut self.nodes[at];
            if node.application.is_none() {
                if faults && self.dice.next(3) > 0 {
                    continue;
                }
                node.start();
                // A block whose commit was not acknowledged may be there, and is the one that was decided.
                let Info { height, digest, .. } = node.application.as_ref().unwrap().info();
                let known = (height as usize).checked_sub(1).map(|at| self.hashes[at]);
                assert!(known.is_none_or(|known| known == digest), "another block is there");
                self.further += usize::from(height as usize > node.acknowledged.len());
            }
            if faults && self.dice.next(10) == 0 {
                node.crash(&mut self.dice);
                self.crashes += 1;
                continue;
            }
            while let Some(height) = node.application.as_ref().map(|a| a.info().height as usize) {
                if height == self.decided.len() || (faults && self.dice.next(4) == 0) {
                    break;
                }
                node.deliver(&self.decided[height], &mut self.hashes, &mut self.dice);
                self.crashes += usize::from(node.application.is_none());
            }
        }
    }

    /// A replica that has all blocks: where proposals are made.
    fn leader(&self) -> Option<&Application<Token>> {
        let height = self.decided.len();
        let applications = self.nodes.iter().filter_map(|node| node.application.as_ref());
        applications.into_iter().find(|application| application.info().height as usize == height)
    }
}

/// Transactions that clients have signed, in an order in which it can be executed.
struct Clients {
    signed: Vec<Signed<Transaction>>,
    done: usize,
    /// The prover that claims lane 0.
    prover: Secret,
}

impl Clients {
    fn next(&self, count: usize) -> Vec<Signed<Transaction>> {
        self.signed[self.done..self.done + count].to_vec()
    }
}

/// A proposal, and the number of transactions that honest replicas accept of it; none if they refuse it.
fn propose(engine: &mut Engine, clients: &Clients, last: &Body) -> Option<(Body, Option<usize>)> {
    let kind = engine.dice.next(11);
    let application = engine.leader()?;
    let chain = application.replica().chain();
    let plain = application.transaction(Content::Plain(clients.next(2)));
    Some(match kind {
        0 => (vec![], Some(0)),
        1..=3 => (application.prepare(&[vec![9], plain], 0), Some(2)),
        4 | 5 => {
            let holder = chain.holder(0).unwrap().map(|_| &clients.prover);
            (vec![application.transaction(batch(chain, clients.next(3), 0, holder).content)], Some(3))
        }
        // A claim of lane 0: taken if nobody holds it, and it does not have to stay open.
        9 => {
            let lane = chain.leases().lane(0).unwrap();
            let claim = Claim { lane: 0, key: clients.prover.public(), sequence: lane.claims };
            let height = engine.decided.len() as u64 + 1;
            let free = chain.leases().clone().claim(&claim, height, PARAMS.timeout).is_ok();
            let signature = clients.prover.sign(&chain.machine().domain(), &claim.message());
            (vec![application.transaction(Content::Claim(claim, signature))], free.then_some(0))
        }
        // A batch on a lane that is held, unsigned; where it is not held, that of somebody else's.
        10 => {
            let held = chain.holder(0).unwrap().is_some();
            let unsigned = batch(chain, clients.next(2), 0, None).content;
            (vec![application.transaction(unsigned)], (!held).then_some(2))
        }
        // Deviations: a proof of nothing, two contents, an old content, a content of nothing.
        6 => {
            let unproven = proposal(chain, clients.next(2)).finish(chain.machine(), 0, vec![1; 32], None);
            (vec![application.transaction(Content::Batch(unproven))], None)
        }
        7 => (vec![plain.clone(), plain], None),
        _ if last.is_empty() => (vec![vec![0]], None),
        _ => (last.clone(), None),
    })
}

#[test]
fn replicas_agree_whatever_is_lost_late_or_crashes() {
    let mut further = 0;
    for seed in 0..3 {
        let mut workload = Workload::new(7, 12, 1);
        let mut engine = Engine::new(seed, &workload.genesis(PARAMS));
        let prover = Secret::from_seed(&[9; 32]);
        let mut clients = Clients { signed: some(&mut workload, 183), done: 0, prover };
        let (mut last, mut wrong) = (Body::new(), 0);
        for _ in 0..60 {
            if let Some((body, accepted)) = propose(&mut engine, &clients, &last) {
                let decided = engine.round(&body);
                assert!(accepted.is_some() || !decided, "a deviation was accepted");
                wrong += usize::from(accepted.is_none());
                if decided {
                    clients.done += accepted.unwrap_or_default();
                    last = body;
                }
            }
            engine.travel(true);
        }
        // The network heals: everybody gets everything.
        (0..40).for_each(|_| engine.travel(false));
        let infos: Vec<Info> = engine.nodes.iter().map(|n| n.application.as_ref().unwrap().info()).collect();
        assert!(infos.iter().all(|info| *info == infos[0]), "{infos:?}");
        assert_eq!(infos[0].height as usize, engine.decided.len());
        let roots = engine.nodes.iter().map(|n| n.application.as_ref().unwrap().replica().chain().root());
        assert_eq!(roots.collect::<std::collections::BTreeSet<_>>().len(), 1);
        let counts = (engine.decided.len(), engine.crashes, wrong, engine.refused);
        println!("seed {seed}: blocks, crashes, deviations, refusals {counts:?}");
        further += engine.further;
        assert!(counts.0 > 10 && counts.1 > 10 && counts.2 > 5 && counts.3 > 10, "{counts:?}");
    }
    assert!(further > 0, "no crash within a commit left its block");
}

/// Waiting transactions are checked without a proof; a proof is verified once for vote and execution.
#[test]
fn calls_of_an_engine_do_what_they_say() {
    let mut workload = Workload::new(7, 12, 1);
    let disk = Disk::default();
    let index = Box::new(Index::open(disk.file(Disk::INDEX)).unwrap());
    let replica = Replica::create(disk.file(Disk::LOG), index, workload.genesis(PARAMS)).unwrap();
    let mut application = Application::new(replica, Box::new(Recorder::default()));
    let content = batch(application.replica().chain(), some(&mut workload, 3), 0, None).content;
    let transaction = application.transaction(content);
    application.check(&transaction).unwrap();
    let mut unproven = transaction.clone();
    *unproven.last_mut().unwrap() ^= 1;
    application.check(&unproven).unwrap();
    assert!(application.process(&[unproven.clone()]).is_err() && application.finalize(&[unproven]).is_err());
    assert!(application.commit().is_err(), "nothing was finalized");
    for bad in [&[][..], &[0], &[9], &transaction[..9]] {
        assert!(application.check(bad).is_err());
    }
    application.process(std::slice::from_ref(&transaction)).unwrap();
    let operations = disk.operations();
    let digest = application.finalize(std::slice::from_ref(&transaction)).unwrap();
    assert_eq!(disk.operations(), operations, "nothing is written before the commit");
    assert_eq!(application.commit().unwrap(), Info { height: 1, digest, keys: [1; 32] });
    assert!(application.check(&transaction).is_err(), "stale");
    assert_eq!(application.prepare(&[transaction], 1), Vec::<Vec<u8>>::new());
    // What is refused later replaces what was finalized before.
    let plain = application.transaction(Content::Plain(some(&mut workload, 1)));
    application.finalize(std::slice::from_ref(&plain)).unwrap();
    assert!(application.finalize(&[vec![9]]).is_err() && application.commit().is_err());
}

/// Of contents that anybody can make, so many proofs are verified as the caller says; those that a lane's holder has signed, claims and plain transactions are not counted.
#[test]
fn a_proposer_verifies_no_more_unsigned_proofs_than_it_is_told() {
    let mut workload = Workload::new(7, 12, 1);
    let recorder = Arc::new(Recorder::default());
    let mut application = Application::new(replica(&workload.genesis(PARAMS)), Box::new(recorder.clone()));
    let transactions = some(&mut workload, 2);
    let chain = application.replica().chain();
    let unproven = |i: u8| {
        let batch = proposal(chain, transactions.clone()).finish(chain.machine(), 0, vec![i; 32], None);
        application.transaction(Content::Batch(batch))
    };
    let mut waiting: Vec<_> = (0..20).map(unproven).collect();
    assert!(waiting.iter().all(|content| application.check(content).is_ok()));
    assert_eq!((application.prepare(&waiting, 3), recorder.asked()), (vec![], 3));
    let plain = application.transaction(Content::Plain(transactions.clone()));
    waiting.push(plain.clone());
    assert_eq!((application.prepare(&waiting, 3), recorder.asked()), (vec![plain], 6));
    // Claims and signed batches wait if the signatures are right.
    let (prover, other) = (Secret::from_seed(&[9; 32]), Secret::from_seed(&[8; 32]));
    let claim = Claim { lane: 0, key: prover.public(), sequence: 0 };
    let [right, wrong] = [&prover, &other].map(|by| {
        let signature = by.sign(&chain.machine().domain(), &claim.message());
        application.transaction(Content::Claim(claim, signature))
    });
    assert!(application.check(&right).is_ok() && application.check(&wrong).is_err());
    application.finalize(&[right]).unwrap();
    application.commit().unwrap();
    let chain = application.replica().chain();
    let [right, wrong] = [&prover, &other]
        .map(|by| application.transaction(batch(chain, transactions.clone(), 0, Some(by)).content));
    assert!(application.check(&right).is_ok() && application.check(&wrong).is_err());
    assert_eq!(application.prepare(&[wrong, right.clone()], 0), vec![right]);
}

impl BatchVerifier<Token> for Arc<Recorder> {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        self.as_ref().verify(statement, size, proof)
    }

    fn takes(&self, size: BatchSize) -> bool {
        self.as_ref().takes(size)
    }

    fn keys(&self) -> Digest {
        self.as_ref().keys()
    }
}

/// Without the key of a size a replica can say nothing of its batches, and says that, not that they are wrong.
#[test]
fn a_replica_without_a_key_names_it() {
    let mut workload = Workload::new(7, 12, 1);
    let of =
        |keys: Vec<BatchSize>| Application::new(replica(&workload.genesis(PARAMS)), Box::new(Keys(keys)));
    let (mut all, mut some_keys) = (of(BatchSize::ALL.to_vec()), of(vec![BatchSize::B1024]));
    assert_ne!(all.info().keys, some_keys.info().keys);
    let content = batch(all.replica().chain(), some(&mut workload, 3), 0, None).content;
    let transaction = [all.transaction(content)];
    all.process(&transaction).unwrap();
    let missing = |result: Result<(), _>| matches!(result, Err(ReplicaError::Rejected(Rejected::NoKey(64))));
    assert!(missing(some_keys.check(&transaction[0])));
    assert!(missing(some_keys.process(&transaction)));
    assert!(missing(some_keys.finalize(&transaction).map(drop)));
}

/// Has keys of some sizes.
struct Keys(Vec<BatchSize>);

impl BatchVerifier<Token> for Keys {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        Recorder::default().verify(statement, size, proof)
    }

    fn takes(&self, size: BatchSize) -> bool {
        self.0.contains(&size)
    }

    fn keys(&self) -> Digest {
        digest_of_keys(self.0.iter().map(|size| (*size, [size.slots() as u8; 32])))
    }
}
