//! One tree by several machines, each of which holds some columns of the matrix: only digests are exchanged. (notes: codes-parts)
//!
//! ```text
//!   machine s: columns of its parts ─► rows ─► one digest a leaf ──┐
//!                                                                  ├─► join_shares ─► nodes_above ─► oracle_of_nodes
//!   the others: theirs              ─► rows ─► one digest a leaf ──┘   (of any range of leaves)
//! ```
//! The parts of a share are cut as those of a row of its columns alone, so that a share is an oracle of its own, and the digest of its leaf a node
//! of the whole leaf.

use super::{CommittedCodeword, OracleSpec, parts::part_columns};
use crate::merkle::layer_above;
use alloc::vec::Vec;
use core::ops::Range;
use field::{Field, FoldableCode, parallel};

/// Leaves whose digests are joined by one task.
const JOINED_PER_TASK: usize = 1 << 10;

impl OracleSpec {
    /// The columns of one of `2^log_shares` machines that hold equally many consecutive parts of a leaf each.
    ///
    /// # Panics
    /// If there are more machines than parts, or no such one.
    pub fn share_columns(&self, log_shares: usize, share: usize) -> Range<usize> {
        assert!(log_shares <= self.log_parts, "a part for each machine");
        assert!(share >> log_shares == 0, "a machine among them");
        part_columns(self.width, log_shares, share)
    }

    /// The oracle of [`OracleSpec::share_columns`]: the digests of its leaves are what [`OracleSpec::join_shares`] takes.
    ///
    /// # Panics
    /// As there.
    #[must_use]
    pub fn share(&self, log_shares: usize, share: usize) -> Self {
        let width = self.share_columns(log_shares, share).len();
        Self { width, log_parts: self.log_parts - log_shares, ..*self }
    }

    /// Commits to a codeword as it stands, in one block, by leaves of this shape.
    ///
    /// # Panics
    /// If the leaves are not a power of two in number, or there are parts without columns.
    pub fn commit_codeword<B: Field>(&self, codeword: Vec<B>) -> CommittedCodeword<B> {
        assert!(self.leaf().has_parts(), "a column for each part of a leaf, and at most sixteen parts");
        CommittedCodeword::from_leaves(self.leaf(), vec![codeword])
    }

    /// The digests of the leaves in some rows of the codeword, end to end, on all threads.
    ///
    /// # Panics
    /// If they are not whole leaves, or there are parts without columns.
    pub fn leaf_digests<B: Field>(&self, rows: &[B]) -> Vec<u8> {
        let leaf = self.leaf();
        assert!(leaf.has_parts(), "a column for each part of a leaf, and at most sixteen parts");
        assert!(rows.len().is_multiple_of(leaf.elements()), "whole leaves");
        let mut digests = vec![0; rows.len() / leaf.elements() * self.hash.bytes()];
        if !digests.is_empty() {
            leaf.hash_nodes(rows, &mut digests);
        }
        digests
    }

    /// Encodes a block of the codeword to its rows, and gives the digests of their leaves, end to end; what `rows` held is overwritten.
    ///
    /// # Panics
    /// If the message has another shape, or there are parts without columns.
    pub fn encode_block<B: FoldableCode>(&self, message: &[B], block: usize, rows: &mut Vec<B>) -> Vec<u8> {
        assert!(self.leaf().has_parts(), "a column for each part of a leaf, and at most sixteen parts");
        let mut digests = vec![0; self.hash.bytes() << (self.code.log_rows - self.log_fibre)];
        self.encode(message, block, rows, &mut digests);
        digests
    }

    /// The digests of leaves, end to end, from those of all shares of the same leaves: machines' in their order.
    ///
    /// # Panics
    /// If the number of shares is no power of two, or they are of other numbers of leaves.
    pub fn join_shares(&self, shares: &[&[u8]]) -> Vec<u8> {
        let (count, digest) = (shares.len(), self.hash.bytes());
        assert!(count.is_power_of_two(), "a power of two of shares");
        let length = shares[0].len();
        assert!(length.is_multiple_of(digest), "whole digests");
        assert!(shares.iter().all(|share| share.len() == length), "digests of the same leaves");
        let mut leaves = vec![0; length];
        let tasks = leaves.chunks_mut(JOINED_PER_TASK * digest).enumerate();
        parallel::for_each(tasks, |(task, leaves)| {
            let mut below = vec![0; leaves.len() * count];
            let start = task * JOINED_PER_TASK * digest;
            for (i, share) in shares.iter().enumerate() {
                let from = share[start..start + leaves.len()].chunks_exact(digest);
                let to = below.chunks_exact_mut(digest).skip(i).step_by(count);
                to.zip(from).for_each(|(to, from)| to.copy_from_slice(from));
            }
            leaves.copy_from_slice(&layer_above(self.hash, count.trailing_zeros() as usize, below));
        });
        leaves
    }

    /// The [`super::CommittedCodeword::nodes`] over consecutive leaves, a multiple of sixteen rows or all: of all leaves they make the tree, by
    /// [`OracleSpec::oracle_of_nodes`].
    ///
    /// # Panics
    /// If they are not all leaves below some nodes.
    pub fn nodes_above(&self, leaves: Vec<u8>) -> Vec<u8> {
        let height = self.twig_height();
        assert!(leaves.len().is_multiple_of(self.hash.bytes() << height), "all leaves below some nodes");
        layer_above(self.hash, height, leaves)
    }
}
