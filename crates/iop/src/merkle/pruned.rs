//! A tree without its lowest layers: an opening hashes the few it needs again.

use super::{MerkleTree, layer_above, parents, siblings};
use crate::hash::{Digest, Hash};
use field::parallel;

/// A tree that holds the layers from a height on: `2^-height` of the digests of a [`MerkleTree`], with the same root and
/// the same openings.
#[derive(Debug, Clone)]
pub struct PrunedTree {
    hash: Hash,
    /// log2 of the leaves below one of the lowest nodes kept.
    height: usize,
    upper: MerkleTree,
}

impl PrunedTree {
    /// The tree above `nodes`, each of which stands over `2^height` leaves.
    ///
    /// # Panics
    /// If the number of nodes is not a power of two.
    pub fn new(hash: Hash, height: usize, nodes: Vec<u8>) -> Self {
        Self { hash, height, upper: MerkleTree::new(hash, nodes) }
    }

    /// The nodes over `2^height` leaves each.
    pub fn nodes(hash: Hash, height: usize, leaves: Vec<u8>) -> Vec<u8> {
        layer_above(hash, height, leaves)
    }

    /// The root.
    pub fn root(&self) -> Digest {
        self.upper.root()
    }

    /// log2 of the leaves below one of the lowest nodes kept.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The lowest layer kept: what [`PrunedTree::new`] was given.
    pub fn lowest(&self) -> &[u8] {
        self.upper.cap(self.upper.log_leaves())
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        (2 << self.upper.log_leaves()) * self.hash.bytes()
    }

    /// What [`MerkleTree::open`] gives for the whole tree against its root; `leaves` hashes the `2^height` leaves below
    /// a node again.
    ///
    /// Cost: at most `2^(height + 1)` hashes for each position.
    ///
    /// # Panics
    /// If `positions` are not strictly increasing or one is no leaf.
    pub fn open(&self, positions: &[usize], leaves: impl Fn(usize) -> Vec<u8> + Sync) -> Vec<u8> {
        assert!(positions.is_sorted_by(|a, b| a < b), "strictly increasing");
        let mut nodes: Vec<usize> = positions.iter().map(|position| position >> self.height).collect();
        nodes.dedup();
        // The subtrees that are touched stand one behind the other: siblings stay neighbours.
        let mut layers: Vec<Vec<u8>> = vec![parallel::map(nodes.iter(), |&node| leaves(node)).concat()];
        for height in 1..self.height {
            layers.push(parents(self.hash, &layers[height - 1]));
        }
        let rank = |position: &usize| nodes.partition_point(|&node| node < position >> self.height);
        let place = |position: &usize| rank(position) << self.height | position & ((1 << self.height) - 1);
        let mut known: Vec<usize> = positions.iter().map(place).collect();
        let mut opening = siblings(self.hash, &layers[..self.height], &mut known);
        opening.extend(self.upper.open(0, &nodes));
        opening
    }
}
