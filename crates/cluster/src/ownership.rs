//! Which rank holds which columns of the matrix, and which positions of its codeword. (notes: cluster-ownership)
//!
//! ```text
//!                 columns, by the parts of a leaf
//!             | rank 0 | rank 1 | rank 2 | rank 3 |
//!   leaves  0 |        |        |        |        |  ─► digests of parts ─► rank 0: leaves, subtree
//!   of the    |        |        |        |        |  ─────────────────────► rank 1
//!   codeword  |        |        |        |        |  ─────────────────────► rank 2
//!             |        |        |        |        |  ─────────────────────► rank 3
//!                encode encode   encode   encode                                └──► coordinator: root
//! ```

use crate::error::Error;
use core::ops::Range;
use iop::merkle::opening_places;
use iop::oracle::OracleSpec;

/// The division of a committed matrix among `2^log_ranks` ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    spec: OracleSpec,
    log_ranks: usize,
}

/// A node of the tree, at a height above the leaves.
pub(crate) type Place = (usize, usize);

impl Ownership {
    /// Divides a matrix. The ranks have a part of each leaf, and a run of leaves.
    ///
    /// # Errors
    /// If there are more ranks than parts of a leaf, or than leaves.
    pub fn new(spec: &OracleSpec, log_ranks: usize) -> Result<Self, Error> {
        let refused = |reason: String| Err(Error::Unsupported(reason));
        if log_ranks > spec.log_parts {
            let (ranks, parts) = (1u64 << log_ranks, 1 << spec.log_parts);
            return refused(format!(
                "{ranks} ranks for leaves of {parts} parts: take parameters with more of them"
            ));
        }
        if log_ranks > spec.log_leaves() {
            return refused(format!("more ranks than the codeword's 2^{} leaves", spec.log_leaves()));
        }
        Ok(Self { spec: *spec, log_ranks })
    }

    /// The whole matrix.
    pub fn spec(&self) -> &OracleSpec {
        &self.spec
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        1 << self.log_ranks
    }

    /// The columns that a rank holds.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn columns(&self, rank: usize) -> Range<usize> {
        self.spec.share_columns(self.log_ranks, rank)
    }

    /// The columns of data that a rank holds, of so many in all: masks of a commitment that hides stand behind them.
    pub(crate) fn data_columns(&self, rank: usize, all: usize) -> Range<usize> {
        let Range { start, end } = self.columns(rank);
        start.min(all)..end.min(all)
    }

    /// The most columns that a rank holds.
    pub fn most_columns(&self) -> usize {
        (0..self.ranks()).map(|rank| self.columns(rank).len()).max().unwrap_or(0)
    }

    /// The oracle of a rank's columns.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn share(&self, rank: usize) -> OracleSpec {
        self.spec.share(self.log_ranks, rank)
    }

    /// The rows of the message.
    pub fn rows(&self) -> usize {
        self.spec.code.dimension()
    }

    /// log2 of the leaves that a rank builds its part of the tree over.
    pub fn log_own_leaves(&self) -> usize {
        self.spec.log_leaves() - self.log_ranks
    }

    /// The leaves that a rank builds its part of the tree over.
    pub fn leaves(&self, rank: usize) -> Range<usize> {
        rank << self.log_own_leaves()..(rank + 1) << self.log_own_leaves()
    }

    /// Bytes of the digests that one rank has for another.
    pub fn slice_bytes(&self) -> usize {
        self.spec.hash.bytes() << self.log_own_leaves()
    }

    /// The nodes beside the paths of an opening, in the proof's order.
    pub(crate) fn places(&self, positions: &[usize]) -> Vec<Place> {
        opening_places(self.spec.log_leaves(), 0, positions)
    }

    /// The rank in whose part of the tree a node is, with its place there; none above these parts, and for their roots.
    pub(crate) fn owner(&self, (height, index): Place) -> Option<(usize, Place)> {
        let below = self.log_own_leaves().checked_sub(height).filter(|&below| below > 0)?;
        Some((index >> below, (height, index & ((1 << below) - 1))))
    }

    /// The places of an opening in one rank's part of the tree, in the proof's order.
    pub(crate) fn own_places(&self, places: &[Place], rank: usize) -> Vec<Place> {
        let own = places.iter().filter_map(|&place| self.owner(place));
        own.filter(|&(owner, _)| owner == rank).map(|(_, place)| place).collect()
    }

    /// The most places of an opening that one rank has.
    pub(crate) fn most_places(&self, places: &[Place]) -> usize {
        (0..self.ranks()).map(|rank| self.own_places(places, rank).len()).max().unwrap_or(0)
    }
}
