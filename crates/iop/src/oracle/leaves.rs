//! Leaves of a tree over rows: their bytes, and the digests of many.

use crate::hash::Hash;
#[cfg(feature = "prover")]
use crate::merkle::layer_above;
#[cfg(feature = "prover")]
use alloc::vec::Vec;
#[cfg(feature = "prover")]
use field::{Field, parallel};

/// Leaves hashed at once: enough to fill SIMD lanes, few enough to stay in the first-level cache.
pub(super) const LEAVES_AT_ONCE: usize = 64;

/// Leaves hashed per task, with the nodes above them.
#[cfg(feature = "prover")]
const LEAVES_PER_TASK: usize = 256;

/// Bytes that one compression of BLAKE3 takes in.
const BLAKE3_BLOCK: usize = 64;

/// The rows of a leaf, and how they become its digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeafShape {
    /// Elements of a row.
    pub width: usize,
    /// log2 of the rows of a leaf.
    pub log_fibre: usize,
    /// log2 of the parts of a leaf.
    pub log_parts: usize,
    pub hash: Hash,
}

#[cfg(feature = "prover")]
impl LeafShape {
    /// Elements of a leaf.
    pub fn elements(&self) -> usize {
        self.width << self.log_fibre
    }

    /// The digests of the leaves of a row-major matrix, end to end, on one thread.
    pub fn digests<B: Field>(&self, matrix: &[B]) -> Vec<u8> {
        self.join_parts(matrix, matrix.len() / self.elements(), |rows, parts| self.hash_parts(rows, parts))
    }

    /// The nodes, end to end, over equally many leaves each, on all threads; the digests below them are dropped.
    pub fn hash_nodes<B: Field>(&self, matrix: &[B], nodes: &mut [u8]) {
        let (leaves, count) = (matrix.len() / self.elements(), nodes.len() / self.hash.bytes());
        let per_node = leaves / count;
        let per_task = (LEAVES_PER_TASK / per_node).max(1);
        let matrices = matrix.chunks(per_task * per_node * self.elements());
        let height = per_node.trailing_zeros() as usize;
        parallel::for_each(
            matrices.zip(nodes.chunks_mut(per_task * self.hash.bytes())),
            |(matrix, nodes)| {
                nodes.copy_from_slice(&layer_above(self.hash, height, self.digests(matrix)));
            },
        );
    }

    /// The digests of the parts of all leaves of a row-major matrix: a leaf's parts one behind the other.
    fn hash_parts<B: Field>(&self, matrix: &[B], parts: &mut [u8]) {
        if let Some(elements) = self.message() {
            return hash_messages(self.hash, matrix, elements, parts);
        }
        if let Some(bytes) = B::encoded(matrix) {
            return self.gather_parts(bytes, B::BYTES, parts);
        }
        let leaf = self.elements();
        let mut bytes = vec![0; matrix.len().min(LEAVES_AT_ONCE * leaf) * B::BYTES];
        let parts = parts.chunks_mut((LEAVES_AT_ONCE * self.hash.bytes()) << self.log_parts);
        for (leaves, parts) in matrix.chunks(LEAVES_AT_ONCE * leaf).zip(parts) {
            let bytes = &mut bytes[..leaves.len() * B::BYTES];
            B::write_slice(leaves, bytes);
            self.gather_parts(bytes, B::BYTES, parts);
        }
    }
}

/// Hashes every message of so many elements in its canonical bytes, on one thread, to digests end to end.
#[cfg(feature = "prover")]
fn hash_messages<B: Field>(hash: Hash, matrix: &[B], elements: usize, out: &mut [u8]) {
    let (message, place) = (elements * B::BYTES, leaf_bytes(hash, elements * B::BYTES));
    if let Some(bytes) = B::encoded(matrix).filter(|_| message == place) {
        return hash.leaves(bytes, out);
    }
    let digest = hash.bytes();
    let mut bytes = vec![0; (out.len() / digest).min(LEAVES_AT_ONCE) * place];
    for (messages, out) in
        matrix.chunks(elements.saturating_mul(LEAVES_AT_ONCE)).zip(out.chunks_mut(LEAVES_AT_ONCE * digest))
    {
        let bytes = &mut bytes[..out.len() / digest * place];
        if message == place {
            B::write_slice(messages, bytes);
        } else {
            // What lies behind a message stays zero.
            let messages = messages.chunks_exact(elements).zip(bytes.chunks_exact_mut(place));
            messages.for_each(|(values, out)| B::write_slice(values, &mut out[..message]));
        }
        hash.leaves(bytes, out);
    }
}

/// Bytes that are hashed for a leaf, or a part of one, that holds so many. BLAKE3 hashes the whole blocks of many leaves at once, but
/// what is left of each one by one, ten times slower: so they are filled up with zeros. The shape of the oracle
/// fixes the width of a row, so no two rows make one leaf.
pub(super) fn leaf_bytes(hash: Hash, bytes: usize) -> usize {
    if hash == Hash::Blake3 { bytes.next_multiple_of(BLAKE3_BLOCK) } else { bytes }
}
