//! What a dishonest prover tries: each deviates in one thing from a batch that is right, and is signed by the holder of the lane.

use std::path::Path;

use super::cluster::Cluster;
use crate::chain::{Batch, Content};
use crate::codec::effect;
use crate::machine::Signed;
use crate::node::frame::{Reply, Request};
use crate::node::{Node, NodeError, file};
use crate::signature::Secret;
use crate::token::{Operation, Token, Transaction};

/// Bytes of a proof before its times.
const POINTS: usize = 32 + 128;

/// A batch that is not right, and how it deviates.
type Lie = (&'static str, Batch);

/// Shows each deviation from a batch to a replica.
pub(super) fn tell(
    cluster: &mut Cluster<'_>,
    (honest, transactions): (&Batch, &[Signed<Transaction>]),
    [secret, stranger]: [&Secret; 2],
) -> Result<(), NodeError> {
    let machine = *cluster.node.replica().chain().machine();
    let before = last_batch(cluster);
    for (what, batch) in lies(&machine, (honest, transactions), before, [secret, stranger]) {
        let bytes = cluster.node.block(Content::Batch(batch));
        refused(cluster, what, bytes)?;
    }
    let block = cluster.node.replica().chain().next(Content::Batch(honest.clone()));
    refused(cluster, "a block of another chain", file::encode_block(&[0; 32], &block))
}

fn refused(cluster: &mut Cluster<'_>, what: &'static str, block: Vec<u8>) -> Result<(), NodeError> {
    match cluster.ask(0, &Request::Check(block))? {
        Reply::Refused(text) => {
            cluster.outcome.refused.push((what, text));
            Ok(())
        }
        _ => Err(NodeError::Peer(format!("a replica accepts {what}"))),
    }
}

/// The batch that was applied last.
fn last_batch(cluster: &Cluster<'_>) -> Option<Batch> {
    let read = |bytes: &Vec<u8>| match cluster.node.read_block(bytes).ok()?.content {
        Content::Batch(batch) => Some(batch),
        _ => None,
    };
    cluster.blocks.iter().rev().find_map(read)
}

fn lies(
    machine: &Token,
    (honest, transactions): (&Batch, &[Signed<Transaction>]),
    before: Option<Batch>,
    [secret, stranger]: [&Secret; 2],
) -> Vec<Lie> {
    let sign = |mut batch: Batch, secret: &Secret| {
        batch.signature = Some(secret.sign(&crate::machine::Machine::domain(machine), &batch.message()));
        batch
    };
    let list: Vec<Transaction> = transactions.iter().map(|signed| signed.transaction.clone()).collect();
    let mut more = list;
    if let Some(first) = more.first_mut() {
        let (Operation::Create { amount, .. }
        | Operation::Mint { amount, .. }
        | Operation::Transfer { amount, .. }
        | Operation::Burn { amount, .. }) = &mut first.operation;
        *amount += 1;
    }
    let altered = Batch { effect: effect::encode_list(machine, &more), ..honest.clone() };
    let mut all = vec![
        ("one amount larger by 1", sign(altered, secret)),
        ("a batch without a proof", sign(Batch { proof: Vec::new(), ..honest.clone() }, secret)),
        ("a batch that the lane's holder has not signed", Batch { signature: None, ..honest.clone() }),
        ("a batch that somebody else signed", sign(honest.clone(), stranger)),
    ];
    if let Some(before) = before {
        // Digest and points of the other one, with as many times as this one has.
        let points = before.proof.iter().take(POINTS);
        let proof = points.chain(honest.proof.iter().skip(POINTS)).copied().collect();
        let other = Batch { proof, ..honest.clone() };
        all.push(("the proof of another batch", sign(other, secret)));
        all.push(("a batch that was applied before", sign(Batch { lane: honest.lane, ..before }, secret)));
    }
    all
}

/// Reads the secret key that the demo has made for a prover.
pub(super) fn secret(path: &Path) -> Result<Secret, NodeError> {
    let bytes = std::fs::read(path).map(zeroize::Zeroizing::new).map_err(NodeError::io("read", path))?;
    crate::signature::decode_key(&bytes).map_err(|e| NodeError::Transaction(e.to_string()))
}

/// A content that only moves the clock of leases.
pub(super) fn empty(cluster: &mut Cluster<'_>) -> Result<(), NodeError> {
    cluster.append(Content::Empty)
}

/// Whether a node would take a block.
pub(super) fn check(node: &Node, bytes: &[u8]) -> Result<(), NodeError> {
    node.verify(&node.read_block(bytes)?, &crate::node::NoBatches)
}
