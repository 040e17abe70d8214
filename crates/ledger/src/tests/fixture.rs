//! A proof system that says what it was asked, and chains to ask it about.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Invalid;
use crate::chain::{Block, Chain, Content, Genesis, Params, Proposal, propose};
use crate::codec::Canonical;
use crate::machine::Signed;
use crate::replica::Replica;
use crate::signature::Secret;
use crate::statement::{BatchSize, BatchVerifier, Statement};
use crate::store::{Digest, Memory, simulated::Disk};
use crate::token::{Token, Transaction, Workload};

pub const PARAMS: Params = Params { lanes: 2, timeout: 3, plain: 8 };

/// Accepts the digest of a statement as its proof, and counts what it is asked: the ledger must ask about the right statement, and only when all else is right.
#[derive(Default)]
pub struct Recorder(AtomicUsize);

impl Recorder {
    pub fn asked(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub fn proof(statement: &Statement<Token>, size: BatchSize) -> Vec<u8> {
        let mut hash = blake3::Hasher::new();
        hash.update(&statement.domain.0);
        hash.update(&[size as u8]);
        for change in &statement.cells {
            hash.update(&change.key.to_bytes());
            for value in [&change.before, &change.after] {
                hash.update(&value.as_ref().map_or(Vec::new(), Canonical::to_bytes));
            }
        }
        hash.finalize().as_bytes().to_vec()
    }
}

impl BatchVerifier<Token> for Recorder {
    fn verify(&self, statement: &Statement<Token>, size: BatchSize, proof: &[u8]) -> Result<(), Invalid> {
        self.0.fetch_add(1, Ordering::Relaxed);
        assert!(statement.cells.windows(2).all(|pair| pair[0].key < pair[1].key), "distinct cells");
        let right = Self::proof(statement, size) == proof;
        if right { Ok(()) } else { Err(Invalid("the proof of another statement")) }
    }

    fn takes(&self, _: BatchSize) -> bool {
        true
    }

    fn keys(&self) -> Digest {
        [1; 32]
    }
}

/// A replica on a simulated disk.
pub fn replica(genesis: &Genesis<Token>) -> Replica<Token> {
    let store = Box::new(Memory::default());
    Replica::create(Disk::default().file(Disk::LOG), store, genesis.clone()).unwrap()
}

/// A proposal of transactions that are all accepted.
pub fn proposal(chain: &Chain<Token>, transactions: Vec<Signed<Transaction>>) -> Proposal<Token> {
    let (proposal, refused) = propose(chain, transactions, BatchSize::B1024);
    assert!(refused.is_empty(), "{refused:?}");
    proposal.expect("a batch")
}

/// A block of a proven batch.
pub fn batch(
    chain: &Chain<Token>,
    transactions: Vec<Signed<Transaction>>,
    lane: u8,
    holder: Option<&Secret>,
) -> Block<Token> {
    let proposal = proposal(chain, transactions);
    let proof = Recorder::proof(&proposal.statement, proposal.size);
    chain.next(Content::Batch(proposal.finish(chain.machine(), lane, proof, holder)))
}

pub fn some(workload: &mut Workload, count: usize) -> Vec<Signed<Transaction>> {
    (0..count).map(|_| workload.transaction()).collect()
}
