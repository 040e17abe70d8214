//! Merkle trees over leaf digests, with a cap and deduplicated openings.
//!
//! ```text
//! layer 3 (root)              *              cap(0) = [root]
//! layer 2               *           *        cap(1)
//! layer 1            *     *     *     *
//! layer 0 (leaves)  0  1  2  3  4  5  6  7
//! ```
//! The cap of log-size `c` is the layer of `2^c` nodes: committing to it instead of the root saves `c`
//! digests per opened path. An opening of several positions holds every sibling that the verifier cannot
//! compute, once: from the leaves upwards, left to right in each layer. (notes: merkle-multi)

#[cfg(feature = "prover")]
mod pruned;
mod verifier;

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
#[cfg(feature = "prover")]
pub use pruned::PrunedTree;
pub use verifier::{opening_len, verify_opening};

use crate::hash::{Digest, Hash};

/// All layers of a tree: `2 * leaves - 1` digests.
#[derive(Debug, Clone)]
pub struct MerkleTree {
    hash: Hash,
    /// Leaves first, root last; digests end to end.
    layers: Vec<Vec<u8>>,
}

impl MerkleTree {
    /// Hashes all layers above the leaves' digests, which stand end to end, on the current rayon pool: one node hash per leaf.
    ///
    /// # Panics
    /// If the number of leaves is not a power of two.
    pub fn new(hash: Hash, leaves: Vec<u8>) -> Self {
        let count = leaves.len() / hash.bytes();
        assert!(count.is_power_of_two() && count * hash.bytes() == leaves.len(), "a power of two of leaves");
        let mut layers = vec![leaves];
        while let Some(below) = layers.last()
            && below.len() > hash.bytes()
        {
            layers.push(parents(hash, below));
        }
        Self { hash, layers }
    }

    /// The root.
    pub fn root(&self) -> Digest {
        Digest::from_slice(self.cap(0)).expect("one digest")
    }

    /// The layer of `2^log_cap` nodes, end to end. (notes: merkle-cap)
    ///
    /// # Panics
    /// If `log_cap` exceeds [`MerkleTree::log_leaves`].
    pub fn cap(&self, log_cap: usize) -> &[u8] {
        assert!(log_cap <= self.log_leaves(), "the cap is below the leaves");
        &self.layers[self.log_leaves() - log_cap]
    }

    /// log2 of the number of leaves.
    pub fn log_leaves(&self) -> usize {
        self.layers.len() - 1
    }

    /// The siblings, end to end, that open the leaves at `positions` against the cap: see [`verify_opening`].
    ///
    /// # Panics
    /// If `positions` are not strictly increasing or one is no leaf, or `log_cap` exceeds
    /// [`MerkleTree::log_leaves`].
    pub fn open(&self, log_cap: usize, positions: &[usize]) -> Vec<u8> {
        assert!(log_cap <= self.log_leaves(), "the cap is below the leaves");
        assert!(positions.is_sorted_by(|a, b| a < b), "strictly increasing");
        let mut known = positions.to_vec();
        let siblings = siblings(self.hash, &self.layers[..self.log_leaves() - log_cap], &mut known);
        assert!(known.last().is_none_or(|&last| last < 1 << log_cap), "positions of leaves");
        siblings
    }
}

/// The layer so much above one: the nodes over `2^height` digests each.
pub(crate) fn layer_above(hash: Hash, height: usize, mut layer: Vec<u8>) -> Vec<u8> {
    for _ in 0..height {
        layer = parents(hash, &layer);
    }
    layer
}

/// The layer above one.
fn parents(hash: Hash, below: &[u8]) -> Vec<u8> {
    let mut layer = vec![0; below.len() / 2];
    hash.nodes(below, &mut layer);
    layer
}

/// The nodes, by height and index, whose digests are the siblings of an opening, in the order of [`MerkleTree::open`]: for trees
/// that are not in this memory.
#[cfg(feature = "prover")]
pub fn opening_places(log_leaves: usize, log_cap: usize, positions: &[usize]) -> Vec<(usize, usize)> {
    places(log_leaves - log_cap, &mut positions.to_vec())
}

/// Every node beside those known that is not known itself, layer by layer; `known` moves up with the layers.
fn places(layers: usize, known: &mut Vec<usize>) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for height in 0..layers {
        let others = known.iter().map(|position| position ^ 1);
        places
            .extend(others.filter(|other| known.binary_search(other).is_err()).map(|other| (height, other)));
        known.iter_mut().for_each(|position| *position /= 2);
        known.dedup();
    }
    places
}

/// The digests at [`places`], end to end.
fn siblings(hash: Hash, layers: &[Vec<u8>], known: &mut Vec<usize>) -> Vec<u8> {
    let width = hash.bytes();
    let places = places(layers.len(), known).into_iter();
    places.flat_map(|(height, index)| &layers[height][index * width..][..width]).copied().collect()
}
