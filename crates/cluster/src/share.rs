//! What a rank holds: its columns, their codeword, and its part of the tree.

use crate::ownership::{Ownership, Place};
use core::ops::Range;
use field::{ExtensionOf, Field, FoldableCode};
use iop::hash::Digest;
use iop::merkle::MerkleTree;
use iop::oracle::OracleSpec;
use iop::poly::TensorForm;
use pcs::matrix::{combine_columns, combine_rows, wipe};
use pcs::ring_switching::bit_sums;

/// Some columns of a committed matrix.
pub(crate) struct Share<B: Field> {
    pub ownership: Ownership,
    pub rank: usize,
    /// The oracle of these columns.
    pub spec: OracleSpec,
    message: Vec<B>,
    /// The codeword, block by block.
    blocks: Vec<Vec<B>>,
    /// Whether the columns are overwritten when they are dropped.
    hides: bool,
}

impl<B: Field> Drop for Share<B> {
    fn drop(&mut self) {
        if self.hides {
            wipe(&mut self.message);
            self.blocks.iter_mut().for_each(|block| wipe(block));
        }
    }
}

impl<B: FoldableCode> Share<B> {
    /// The columns of a rank, row by row, with their masks and random rows if they hide.
    pub fn new(ownership: Ownership, rank: usize, message: Vec<B>, hides: bool) -> Self {
        let spec = ownership.share(rank);
        assert_eq!(message.len(), ownership.rows() * spec.width, "the entries of the rank's columns");
        Self { ownership, rank, spec, message, blocks: Vec::new(), hides }
    }

    /// The columns, row by row.
    pub fn message(&self) -> &[B] {
        &self.message
    }

    /// Encodes the columns; returns the digests of their parts of all leaves.
    pub fn encode(&mut self) -> Vec<u8> {
        let count = 1 << self.spec.code.log_inv_rate;
        let mut digests = Vec::with_capacity(self.spec.hash.bytes() << self.spec.log_leaves());
        for block in 0..count {
            let mut rows = Vec::new();
            digests.extend(self.spec.encode_block(&self.message, block, &mut rows));
            self.blocks.push(rows);
        }
        digests
    }

    /// Elements of these columns in a leaf.
    fn leaf(&self) -> usize {
        self.spec.width << self.spec.log_fibre
    }

    /// log2 of the leaves of a block.
    fn log_block(&self) -> usize {
        self.spec.code.log_rows - self.spec.log_fibre
    }

    /// Leaves of one block.
    fn leaves(&self, leaves: Range<usize>) -> &[B] {
        let (block, leaf) = (leaves.start >> self.log_block(), self.leaf());
        let first = leaves.start & ((1 << self.log_block()) - 1);
        &self.blocks[block][first * leaf..][..leaves.len() * leaf]
    }

    /// The digests of these columns' parts of some leaves.
    pub fn digests(&self, leaves: Range<usize>) -> Vec<u8> {
        // Runs that lie in one block, or are blocks.
        let run = leaves.len().min(1 << self.log_block());
        let runs = leaves.step_by(run).map(|start| self.spec.leaf_digests(self.leaves(start..start + run)));
        runs.flatten().collect()
    }

    /// The values of a form on the columns.
    pub fn values<E: ExtensionOf<B>>(&self, form: &TensorForm<E>) -> Vec<E> {
        combine_rows(&self.message, self.spec.width, &form.expand_parallel())
    }

    /// For every bit of an element of every column, the combination of the rows where it is set, by the weights of a form: bytes of elements.
    pub fn bits<E: ExtensionOf<B>>(&self, form: &TensorForm<E>) -> Vec<u8> {
        bit_sums(&self.message[..self.spec.width << self.spec.code.log_rows], &form.expand_parallel())
    }

    /// The combination of the columns.
    pub fn columns<E: ExtensionOf<B>>(&self, weights: &[E]) -> Vec<E> {
        combine_columns(&self.message, weights)
    }

    /// The columns' part of the leaves at positions, one behind the other.
    pub fn rows(&self, positions: &[usize]) -> Vec<B> {
        positions.iter().flat_map(|&position| self.leaves(position..position + 1)).copied().collect()
    }
}

/// A rank's part of the tree: all nodes over its run of leaves.
pub(crate) struct Subtree(MerkleTree);

impl Subtree {
    /// The tree over the leaves whose parts' digests these are: equal blocks of all ranks.
    pub fn new(ownership: &Ownership, slices: &[u8]) -> Self {
        let spec = ownership.spec();
        let shares: Vec<&[u8]> = slices.chunks_exact(ownership.slice_bytes()).collect();
        Self(MerkleTree::new(spec.hash, spec.join_shares(&shares)))
    }

    pub fn root(&self) -> Digest {
        self.0.root()
    }

    /// The nodes at places, end to end.
    pub fn nodes(&self, places: &[Place]) -> Vec<u8> {
        let digest = self.root().len();
        let node = |&(height, index): &Place| {
            let layer = self.0.cap(self.0.log_leaves() - height);
            &layer[index * digest..][..digest]
        };
        places.iter().flat_map(node).copied().collect()
    }
}
