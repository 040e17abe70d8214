//! An audit: a log verified from its genesis as if each block came from a stranger, and the index compared with what the blocks give.
//!
//! A replica that is opened takes the signatures of claims and batches and all proofs of its log for granted, and the cells of an index whose height and digest are in
//! the log: both were checked before they were written *there*. Of a directory that comes from elsewhere nobody knows that. (notes: ledger-store)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use crate::chain::{Block, Chain, Genesis, Step};
use crate::codec::Canonical;
use crate::machine::Compact;
use crate::replica::ReplicaError;
use crate::store::{Cell, Digest, File, Scan, Store, StoreError, Tip};

/// A log that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// The digest of the first record. Whether it is that of the chain that one means, a log cannot say.
    pub genesis: Digest,
    /// The last block.
    pub tip: Tip,
    /// The height of the index, whose state is that of the log. Without it a replica that is opened makes one from the log.
    pub index: Option<u64>,
    /// Bytes behind the last block that nobody was told of, which opening cuts off.
    pub torn: u64,
}

/// [`Chain::check`] with a verifier: the step that a block is on a chain.
pub type Verify<'a, M, E> = dyn FnMut(&Chain<M>, &Block<M>) -> Result<Step<M>, E> + 'a;

/// Verifies a log with each of its blocks, and an index if there is one. Nothing is written.
///
/// # Errors
/// The first block that does not hold, by its height; a record that is not whole, unless it was never acknowledged; an index of another state.
pub fn audit<M: Compact + Clone, E: From<ReplicaError<M::Refusal>>>(
    log: File,
    index: Option<&dyn Store>,
    verify: &mut Verify<'_, M, E>,
) -> Result<Audited, E> {
    let mut scan = Scan::new(log).map_err(ReplicaError::from)?;
    let first = scan.next_record().map_err(ReplicaError::from)?;
    let first = first.ok_or_else(|| damaged::<M>(&scan))?;
    let genesis = Genesis::<M>::from_bytes(&first.body);
    let genesis = genesis.map_err(|reason| ReplicaError::Record { record: 0, reason })?;
    let mut indexed = index.map(stored).transpose().map_err(ReplicaError::from)?.flatten();
    let acknowledged = indexed.as_ref().map(|(tip, _)| tip.height);
    let mut chain = Chain::new(genesis, first.digest);
    let mut compared = compare(&chain, &mut indexed)?;
    while let Some(record) = scan.next_record().map_err(ReplicaError::from)? {
        let block = Block::<M>::from_bytes(&record.body);
        let block = block.map_err(|reason| ReplicaError::Record { record: record.number, reason })?;
        let step = verify(&chain, &block)?;
        chain.commit(step, record.digest);
        compared = compare(&chain, &mut indexed)?.or(compared);
    }
    // As when it is opened: without an index nobody knows what was acknowledged.
    let (next, torn) = (scan.position().0, scan.rest());
    if acknowledged.map_or(torn > 0, |height| next <= height) {
        return Err(damaged::<M>(&scan).into());
    }
    Ok(Audited { genesis: first.digest, tip: chain.tip(), index: compared, torn })
}

fn damaged<M: Compact>(scan: &Scan) -> ReplicaError<M::Refusal> {
    let (record, offset) = scan.position();
    StoreError::Damaged { record, offset }.into()
}

/// The tip and the cells of an index, in the order of their positions.
fn stored(index: &dyn Store) -> Result<Option<(Tip, Vec<Cell>)>, StoreError> {
    let Some(tip) = index.tip()? else { return Ok(None) };
    let mut cells = Vec::new();
    index.load(&mut |cell| cells.push(cell))?;
    cells.sort_unstable_by_key(|cell| cell.position);
    Ok(Some((tip, cells)))
}

/// Compares the index with the state, once it is that of the index's height. One of another block is made anew when the replica is opened.
fn compare<M: Compact>(
    chain: &Chain<M>,
    indexed: &mut Option<(Tip, Vec<Cell>)>,
) -> Result<Option<u64>, ReplicaError<M::Refusal>> {
    let tip = chain.tip();
    let Some((found, cells)) = indexed.take_if(|(found, _)| found.height == tip.height) else {
        return Ok(None);
    };
    if found.digest != tip.digest {
        return Ok(None);
    }
    let mut expected = chain.stored();
    expected.sort_unstable_by_key(|cell| cell.position);
    if found != tip || cells != expected {
        return Err(ReplicaError::State { height: tip.height });
    }
    Ok(Some(tip.height))
}
