//! Leaves of a tree over rows: their bytes, and the digests of many.

use crate::hash::Hash;
#[cfg(feature = "prover")]
use crate::merkle::PrunedTree;
#[cfg(feature = "prover")]
use field::{Field, parallel};

/// Rows hashed at once: enough to fill SIMD lanes, few enough to stay in the first-level cache.
#[cfg(feature = "prover")]
const ROWS_AT_ONCE: usize = 64;

/// Rows hashed per task, with the nodes above them.
#[cfg(feature = "prover")]
const ROWS_PER_TASK: usize = 256;

/// Bytes that one compression of BLAKE3 takes in.
const BLAKE3_BLOCK: usize = 64;

/// Hashes every row of a row-major matrix in its canonical bytes, on one thread, to digests end to end.
#[cfg(feature = "prover")]
pub(super) fn hash_rows<B: Field>(hash: Hash, matrix: &[B], width: usize, leaves: &mut [u8]) {
    let (row, leaf) = (width * B::BYTES, leaf_bytes(hash, width * B::BYTES));
    if let Some(bytes) = B::encoded(matrix).filter(|_| row == leaf) {
        return hash.leaves(bytes, leaves);
    }
    let digest = hash.bytes();
    let mut bytes = vec![0; (leaves.len() / digest).min(ROWS_AT_ONCE) * leaf];
    for (rows, leaves) in
        matrix.chunks(width.saturating_mul(ROWS_AT_ONCE)).zip(leaves.chunks_mut(ROWS_AT_ONCE * digest))
    {
        let bytes = &mut bytes[..leaves.len() / digest * leaf];
        if row == leaf {
            B::write_slice(rows, bytes);
        } else {
            // What lies behind a row stays zero.
            let rows = rows.chunks_exact(width).zip(bytes.chunks_exact_mut(leaf));
            rows.for_each(|(values, out)| B::write_slice(values, &mut out[..row]));
        }
        hash.leaves(bytes, leaves);
    }
}

/// The nodes, end to end, over equally many rows each, on all threads; the digests below them are forgotten.
#[cfg(feature = "prover")]
pub(super) fn hash_nodes<B: Field>(hash: Hash, matrix: &[B], width: usize, nodes: &mut [u8]) {
    let (rows, count) = (matrix.len() / width, nodes.len() / hash.bytes());
    let per_node = rows / count;
    let per_task = (ROWS_PER_TASK / per_node).max(1);
    let tasks = matrix.chunks(per_task * per_node * width).zip(nodes.chunks_mut(per_task * hash.bytes()));
    parallel::for_each(tasks, |(matrix, nodes)| {
        let mut leaves = vec![0; nodes.len() * per_node];
        hash_rows(hash, matrix, width, &mut leaves);
        nodes.copy_from_slice(&PrunedTree::nodes(hash, per_node.trailing_zeros() as usize, leaves));
    });
}

/// Bytes of a leaf that holds a row of so many bytes. BLAKE3 hashes the whole blocks of many leaves at once, but
/// what is left of each one by one, ten times slower: so rows are filled up with zeros. The shape of the oracle
/// fixes the width of a row, so no two rows make one leaf.
pub(super) fn leaf_bytes(hash: Hash, row: usize) -> usize {
    if hash == Hash::Blake3 { row.next_multiple_of(BLAKE3_BLOCK) } else { row }
}
