//! A rank's run of leaves of a tree: whole rows, put together from all ranks' columns, and the nodes over them.

use core::ops::Range;

use field::Field;
use iop::hash::Hash;
use iop::merkle::{MerkleTree, opening_places};
use pcs::virgo::Params;

use crate::error::{Deviation, Error};
use crate::meter::Phase;
use crate::party::Party;
use crate::wire::{elements, padded};

/// Consecutive leaves with their part of the tree, and at the coordinator what is above all parts.
pub(super) struct Run<F> {
    hash: Hash,
    /// Elements of a leaf.
    leaf: usize,
    rows: Vec<F>,
    tree: MerkleTree,
    top: Option<MerkleTree>,
}

impl<F: Field> Run<F> {
    /// Gives every rank its rows of this rank's columns, a codeword in one piece, and builds the tree; the root is the coordinator's, zeros
    /// elsewhere.
    pub fn exchange(party: &mut Party<'_>, params: &Params, word: &[F]) -> Result<(Self, Vec<u8>), Error> {
        let (ranks, own, spec) = (party.size(), party.rank(), params.first_tree());
        let each = word.len() / ranks;
        let bytes = party.compute(Phase::Digests, || {
            let mut bytes = vec![0; word.len() * F::BYTES];
            let blocks = word.chunks_exact(each).zip(bytes.chunks_exact_mut(each * F::BYTES));
            // What a rank keeps is not sent.
            let others = blocks.enumerate().filter(|(rank, _)| *rank != own);
            others.for_each(|(_, (elements, block))| F::write_slice(elements, block));
            bytes
        });
        let mut places = vec![0; bytes.len()];
        party.all_to_all(Phase::Digests, &bytes, &mut places)?;
        let rows = party.compute(Phase::Digests, || {
            let mut parts = Vec::with_capacity(ranks);
            for (rank, block) in places.chunks_exact(each * F::BYTES).enumerate() {
                let refused = Error::Deviation { rank, deviation: Deviation::Encoding };
                parts.push(match rank == own {
                    true => word[own * each..][..each].to_vec(),
                    false => elements(block, each).ok_or(refused)?,
                });
            }
            Ok::<_, Error>(join(parts, params.columns() / ranks))
        })?;
        let tree = party.compute(Phase::Tree, || MerkleTree::new(spec.hash, spec.leaf_digests(&rows)));
        let roots = party.gather(Phase::Tree, &tree.root())?;
        let top = party.coordinates().then(|| MerkleTree::new(spec.hash, roots.to_vec()));
        let root = top.as_ref().map_or_else(|| vec![0; spec.hash.bytes()], |top| top.root().to_vec());
        Ok((Self { hash: spec.hash, leaf: spec.width, rows, tree, top }, root))
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        1 << self.tree.log_leaves()
    }

    /// The positions of a rank's run.
    pub fn own<'p>(&self, positions: &'p [usize], rank: usize) -> &'p [usize] {
        let Range { start, end } = rank * self.leaves()..(rank + 1) * self.leaves();
        let first = positions.partition_point(|&position| position < start);
        &positions[first..positions.partition_point(|&position| position < end)]
    }

    /// The nodes beside the paths of an opening, by height and index, in the proof's order, with the rank that has each; none for those
    /// above all runs.
    fn places(&self, positions: &[usize], log_ranks: usize) -> Vec<(usize, usize, Option<usize>)> {
        let below = self.tree.log_leaves();
        let places = opening_places(below + log_ranks, 0, positions).into_iter();
        places
            .map(|(height, index)| {
                let owner = (height < below).then(|| index >> (below - height));
                (height, index, owner)
            })
            .collect()
    }

    /// Leaves at positions and the nodes beside their paths, in the proof's order: the coordinator's result. `most` is the most positions of
    /// one rank.
    pub fn open(
        &self,
        party: &mut Party<'_>,
        positions: &[usize],
        most: usize,
    ) -> Result<(Vec<F>, Vec<u8>), Error> {
        let (rank, ranks, digest) = (party.rank(), party.size(), self.hash.bytes());
        let places = self.places(positions, party.log_size());
        let nodes_of = |rank: usize| places.iter().filter(|place| place.2 == Some(rank)).count();
        let most_nodes = (0..ranks).map(nodes_of).max().unwrap_or(0);
        let block = party.compute(Phase::Rows, || {
            let first = rank * self.leaves();
            let rows = self
                .own(positions, rank)
                .iter()
                .flat_map(|p| &self.rows[(p - first) * self.leaf..][..self.leaf]);
            let rows: Vec<F> = rows.copied().collect();
            let mut block = padded(&rows, most * self.leaf);
            for &(height, index, _) in places.iter().filter(|place| place.2 == Some(rank)) {
                let layer = self.tree.cap(self.tree.log_leaves() - height);
                let index = index - ((rank << self.tree.log_leaves()) >> height);
                block.extend_from_slice(&layer[index * digest..][..digest]);
            }
            block.resize(most * self.leaf * F::BYTES + most_nodes * digest, 0);
            block
        });
        let blocks = party.gather(Phase::Rows, &block)?;
        let Some(top) = &self.top else { return Ok((Vec::new(), Vec::new())) };
        let (mut rows, mut siblings) = (Vec::new(), Vec::new());
        let mut nodes = Vec::with_capacity(ranks);
        for (rank, block) in blocks.chunks_exact(block.len().max(1)).enumerate() {
            let (of_rows, of_nodes) = block.split_at(most * self.leaf * F::BYTES);
            let refused = Error::Deviation { rank, deviation: Deviation::Encoding };
            rows.extend(elements::<F>(of_rows, self.own(positions, rank).len() * self.leaf).ok_or(refused)?);
            nodes.push(of_nodes.chunks_exact(digest));
        }
        for (height, index, owner) in places {
            let node = match owner {
                Some(rank) => nodes.get_mut(rank).and_then(Iterator::next).ok_or(Error::Unexplained)?,
                None => {
                    let layer = top.cap(top.log_leaves() - (height - self.tree.log_leaves()));
                    &layer[index * digest..][..digest]
                }
            };
            siblings.extend_from_slice(node);
        }
        Ok((rows, siblings))
    }
}

/// Whole rows from the columns of each rank, so many of each.
fn join<F: Field>(mut parts: Vec<Vec<F>>, width: usize) -> Vec<F> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let rows = parts.first().map_or(0, |part| part.len() / width);
    let mut joined = Vec::with_capacity(rows * width * parts.len());
    for row in 0..rows {
        parts.iter().for_each(|part| joined.extend_from_slice(&part[row * width..][..width]));
    }
    joined
}
