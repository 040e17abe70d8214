//! A committed interleaved codeword: what a prover keeps, and how rows of it are opened. (notes: codes-oracle)
//!
//! One Merkle leaf is one codeword row in canonical bytes (under BLAKE3, with zeros up to a whole block), or a small tree over parts of it. Rows and sibling
//! digests travel as hints: they are fixed by the root and the positions, so absorbing them would add nothing.

mod leaves;
mod parts;
#[cfg(feature = "prover")]
mod recompute;
mod rows;
#[cfg(feature = "prover")]
mod shares;
#[cfg(test)]
mod tests;

pub use parts::MAX_LOG_PARTS;
pub use rows::Rows;

use crate::code::ReedSolomon;
#[cfg(feature = "prover")]
use crate::hash::Digest;
use crate::hash::Hash;
#[cfg(feature = "prover")]
use crate::{merkle::PrunedTree, transcript::ProverTape};
#[cfg(feature = "prover")]
use alloc::vec::Vec;
#[cfg(feature = "prover")]
use field::parallel;
#[cfg(feature = "prover")]
use field::{BlockShape, Done, Field, FoldableCode};
use leaves::LeafShape;
#[cfg(feature = "prover")]
use std::sync::Mutex;

/// log2 of the most rows in a leaf of a committed matrix: sixteen are encoded together.
pub const MAX_LOG_LEAF: usize = 4;

/// Bytes from which on the transform of a block is shared among threads, not the blocks.
#[cfg(feature = "prover")]
const SHARED_BYTES: usize = 1 << 20;

/// Bytes from which on blocks are encoded one after the other: on all threads, which share what is in the cache. Tuned.
#[cfg(feature = "prover")]
const ALONE_BYTES: usize = 1 << 23;

/// log2 of the rows whose digests are forgotten below one node: the tree takes a sixteenth of its memory, and an
/// opening hashes so many rows again for each query.
#[cfg(feature = "prover")]
const LOG_TWIG: usize = MAX_LOG_LEAF;

/// A codeword of `2^log_domain` rows of `width` base elements, and the tree over its rows.
#[cfg(feature = "prover")]
#[derive(Debug)]
pub struct CommittedCodeword<B> {
    /// Blocks of equally many rows: one for each coset that was encoded by itself.
    blocks: Vec<Vec<B>>,
    /// Leaves of a block.
    block_leaves: usize,
    /// The blocks before those, which are made again.
    forgotten: usize,
    leaf: LeafShape,
    tree: PrunedTree,
}

/// What the verifier knows of an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OracleSpec {
    /// The code of every column.
    pub code: ReedSolomon,
    /// Number of base-field columns.
    pub width: usize,
    /// log2 of the consecutive rows that a leaf of the tree holds, at most four: those that a chain folds into one.
    pub log_fibre: usize,
    /// log2 of the parts that a leaf is made of, at most [`MAX_LOG_PARTS`]: runs of columns whose digests are hashed to the leaf's, so that machines that
    /// hold some columns each commit to one tree. Zero hashes the leaf as a whole. (notes: codes-parts)
    pub log_parts: usize,
    /// The hash of the tree.
    pub hash: Hash,
}

impl OracleSpec {
    /// Encodes a row-major message matrix and commits to the rows of the codeword. `blocks` are reused for the
    /// codeword: fresh pages cost more than the transform that fills them.
    #[cfg(feature = "prover")]
    pub fn commit<B: FoldableCode>(&self, message: &[B], blocks: Vec<Vec<B>>) -> CommittedCodeword<B> {
        self.commit_and_forget(0, message, &mut { blocks })
    }

    /// [`OracleSpec::commit`] that keeps all blocks of the codeword but some first ones: message and kept blocks take no more memory
    /// than the codeword if one is forgotten. A block is as long as the message. [`CommittedCodeword::open_rows_of`] opens.
    ///
    /// Memory: the blocks that are kept, or one block if none is (one for each thread if it is short). It is that of `blocks` as far as these go;
    /// what is not kept stays there, for the next commitment.
    #[cfg(feature = "prover")]
    pub fn commit_and_forget<B: FoldableCode>(
        &self,
        forgotten: usize,
        message: &[B],
        blocks: &mut Vec<Vec<B>>,
    ) -> CommittedCodeword<B> {
        let count = 1 << self.code.log_inv_rate;
        let forgotten = forgotten.min(count);
        let small = size_of_val(message) < SHARED_BYTES;
        let tasks = if small { parallel::threads().min(forgotten) } else { forgotten.min(1) };
        blocks.resize_with(tasks.max(count - forgotten), Vec::new);
        let block_nodes = self.block_node_bytes();
        let mut nodes = vec![0; count * block_nodes];
        let (first, rest) = nodes.split_at_mut(forgotten * block_nodes);
        // The memory of blocks to come holds these.
        let per_task = forgotten.div_ceil(tasks.max(1)).max(1);
        let first = first.chunks_mut(per_task * block_nodes).zip(&mut *blocks);
        parallel::for_each(first.enumerate(), |(task, (nodes, out))| {
            for (c, nodes) in nodes.chunks_exact_mut(block_nodes).enumerate() {
                self.encode(message, task * per_task + c, out, nodes);
            }
        });
        let scratch = blocks.split_off(count - forgotten);
        let mut kept = core::mem::replace(blocks, scratch);
        let rest = rest.chunks_exact_mut(block_nodes).zip(&mut kept).enumerate();
        parallel::for_each(rest, |(c, (nodes, out))| self.encode(message, forgotten + c, out, nodes));
        self.committed(kept, forgotten, nodes)
    }

    /// [`OracleSpec::commit`] with the first block of the codeword in the message's place: besides, memory holds the other blocks alone.
    #[cfg(feature = "prover")]
    pub fn commit_in_place<B: FoldableCode>(
        &self,
        mut message: Vec<B>,
        mut blocks: Vec<Vec<B>>,
    ) -> CommittedCodeword<B> {
        assert_eq!(message.len(), self.code.dimension() * self.width, "message shape");
        let count = 1 << self.code.log_inv_rate;
        blocks.resize_with(count - 1, Vec::new);
        let block_nodes = self.block_node_bytes();
        let mut nodes = vec![0; count * block_nodes];
        // When another block has had its first pass, the message's place is free.
        let last = count.min(2);
        let (first, rest) = nodes.split_at_mut(last * block_nodes);
        let (second, others) = blocks.split_at_mut(last - 1);
        self.encode_all(&message, last, others, rest);
        let (of_first, of_second) = first.split_at_mut(block_nodes);
        self.hash_pieces(of_first, |of_first| match second {
            [second] => self.hash_pieces(of_second, |of_second| {
                B::encode_two(&mut message, self.block(0), (1, second), [of_first, of_second]);
            }),
            _ => B::encode_in_place(&mut message, self.block(0), of_first),
        });
        blocks.insert(0, message);
        self.committed(blocks, 0, nodes)
    }

    /// The codeword of these blocks, above whose leaves these nodes are.
    #[cfg(feature = "prover")]
    fn committed<B>(&self, blocks: Vec<Vec<B>>, forgotten: usize, nodes: Vec<u8>) -> CommittedCodeword<B> {
        let block_leaves = 1 << (self.code.log_rows - self.log_fibre);
        let tree = PrunedTree::new(self.hash, self.twig_height(), nodes);
        CommittedCodeword { blocks, block_leaves, forgotten, leaf: self.leaf(), tree }
    }

    /// log2 of the leaves below one of the lowest nodes that are kept. Sixteen rows are encoded together.
    #[cfg(feature = "prover")]
    fn twig_height(&self) -> usize {
        assert!(self.log_fibre <= LOG_TWIG, "at most sixteen rows a leaf");
        assert!(self.log_fibre <= self.code.log_rows, "no leaf across blocks");
        assert!(self.leaf().has_parts(), "a column for each part of a leaf, and at most sixteen parts");
        (LOG_TWIG - self.log_fibre).min(self.code.log_rows - self.log_fibre)
    }

    /// Bytes of the nodes over one block.
    #[cfg(feature = "prover")]
    fn block_node_bytes(&self) -> usize {
        let below = self.twig_height() + self.log_fibre;
        self.hash.bytes() << (self.code.log_rows - below)
    }

    /// A leaf of the tree.
    fn leaf(&self) -> LeafShape {
        let Self { width, log_fibre, log_parts, hash, .. } = *self;
        LeafShape { width, log_fibre, log_parts, hash }
    }

    /// log2 of the number of leaves.
    pub fn log_leaves(&self) -> usize {
        self.code.log_domain() - self.log_fibre
    }

    /// A block of the codeword.
    #[cfg(feature = "prover")]
    pub fn block(&self, block: usize) -> BlockShape {
        let Self { code, width, .. } = *self;
        BlockShape { width, log_rows: code.log_rows, log_domain: code.log_domain(), block }
    }

    /// Encodes blocks, from the number `first` on, and hashes them to their nodes: side by side, or one after the other.
    #[cfg(feature = "prover")]
    fn encode_all<B: FoldableCode>(
        &self,
        message: &[B],
        first: usize,
        blocks: &mut [Vec<B>],
        nodes: &mut [u8],
    ) {
        let Some(each) = nodes.len().checked_div(blocks.len()) else { return };
        let one = |(c, (nodes, out)): (usize, (&mut [u8], &mut Vec<B>))| {
            self.encode(message, first + c, out, nodes);
        };
        let parts = nodes.chunks_exact_mut(each).zip(blocks).enumerate();
        if size_of_val(message) >= ALONE_BYTES { parts.for_each(one) } else { parallel::for_each(parts, one) }
    }

    /// Encodes a block and hashes it to its nodes.
    #[cfg(feature = "prover")]
    fn encode<B: FoldableCode>(&self, message: &[B], block: usize, out: &mut Vec<B>, nodes: &mut [u8]) {
        assert_eq!(message.len(), self.code.dimension() * self.width, "message shape");
        self.hash_pieces(nodes, |done| B::encode_block(message, self.block(block), out, done));
    }

    /// Hashes a block to its nodes as `encode` makes it, piece by piece.
    #[cfg(feature = "prover")]
    fn hash_pieces<B: FoldableCode>(&self, nodes: &mut [u8], encode: impl FnOnce(Done<'_, B>)) {
        let (leaf, per_node) = (self.leaf(), self.hash.bytes());
        let rows_per_node = (per_node << self.code.log_rows) / nodes.len();
        let pieces = Mutex::new(Vec::new());
        encode(&|first, rows| {
            let mut nodes = vec![0; rows.len() / self.width / rows_per_node * per_node];
            leaf.hash_nodes(rows, &mut nodes);
            pieces.lock().expect("no hash panics").push((first / rows_per_node * per_node, nodes));
        });
        for (first, piece) in pieces.into_inner().expect("no hash panics") {
            nodes[first..first + piece.len()].copy_from_slice(&piece);
        }
    }
}

#[cfg(feature = "prover")]
impl<B: Field> CommittedCodeword<B> {
    /// Commits to a codeword as it stands; a leaf is `width` consecutive elements (several short rows, say).
    ///
    /// # Panics
    /// If the leaves are not a power of two in number.
    pub fn from_codeword(hash: Hash, codeword: Vec<B>, width: usize) -> Self {
        Self::from_blocks(hash, vec![codeword], width)
    }

    /// [`CommittedCodeword::from_codeword`] of a codeword in equally long blocks.
    ///
    /// # Panics
    /// As there.
    pub fn from_blocks(hash: Hash, blocks: Vec<Vec<B>>, width: usize) -> Self {
        Self::from_leaves(LeafShape { width, log_fibre: 0, log_parts: 0, hash }, blocks)
    }

    fn from_leaves(leaf: LeafShape, blocks: Vec<Vec<B>>) -> Self {
        let hash = leaf.hash;
        let block_leaves = blocks[0].len() / leaf.elements();
        assert!(block_leaves.is_power_of_two() && blocks.len().is_power_of_two(), "a power of two of leaves");
        let height = LOG_TWIG.min(block_leaves.trailing_zeros() as usize);
        let block_nodes = (block_leaves >> height) * hash.bytes();
        let mut nodes = vec![0; block_nodes * blocks.len()];
        let tasks = blocks.iter().zip(nodes.chunks_exact_mut(block_nodes));
        parallel::for_each(tasks, |(block, nodes)| leaf.hash_nodes(block, nodes));
        let tree = PrunedTree::new(hash, height, nodes);
        Self { blocks, block_leaves, forgotten: 0, leaf, tree }
    }

    /// The codeword in blocks of whole rows, without those that [`OracleSpec::commit_and_forget`] did not keep; a single one after
    /// [`CommittedCodeword::from_codeword`].
    pub fn blocks(&self) -> &[Vec<B>] {
        &self.blocks
    }

    /// The first block as one of so many columns, if the codeword is one that [`OracleSpec`] commits to.
    pub fn first_block(&self, width: usize) -> BlockShape {
        let log_rows = self.block_leaves.trailing_zeros() as usize + self.leaf.log_fibre;
        let log_domain = log_rows + (self.blocks.len() + self.forgotten).trailing_zeros() as usize;
        BlockShape { width, log_rows, log_domain, block: 0 }
    }

    /// The message whose first block [`OracleSpec::commit_in_place`] has put in its place.
    ///
    /// Cost: about two transforms of a block.
    pub fn message(&self) -> Vec<B>
    where
        B: FoldableCode,
    {
        let mut message = self.blocks[0].clone();
        B::decode_block(&mut message, self.first_block(self.leaf.width));
        message
    }

    /// The Merkle root.
    pub fn root(&self) -> Digest {
        self.tree.root()
    }

    /// The nodes of the tree that are kept nearest to its leaves, end to end: with the message, all that opens.
    pub fn nodes(&self) -> &[u8] {
        self.tree.lowest()
    }

    /// The leaf at a position.
    ///
    /// # Panics
    /// If it is in a block that was not kept.
    pub fn row(&self, position: usize) -> &[B] {
        let block =
            (position / self.block_leaves).checked_sub(self.forgotten).expect("a block that was kept");
        let leaf = self.leaf.elements();
        &self.blocks[block][position % self.block_leaves * leaf..][..leaf]
    }

    /// Sends the leaves at `positions` (sorted and distinct) with their paths.
    ///
    /// # Panics
    /// If one is in a block that was not kept.
    pub fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) {
        self.open(tape, positions, &RehashedSubtrees::default());
    }

    /// [`CommittedCodeword::open_rows`] that makes rows of forgotten blocks again from the message, which is looked at only then.
    ///
    /// Cost: a part of the transform for each such block; an eighth of the codeword in memory, or for each thread a block if
    /// blocks are shorter than 1 MiB.
    pub fn open_rows_of(&self, tape: &mut ProverTape, shape: &OracleSpec, message: &[B], positions: &[usize])
    where
        B: FoldableCode,
    {
        let height = self.tree.height();
        let forgotten = positions.partition_point(|&position| position < self.forgotten * self.block_leaves);
        let mut nodes: Vec<usize> =
            positions[..forgotten].iter().map(|position| position >> height).collect();
        nodes.dedup();
        let height_of_rows = height + self.leaf.log_fibre;
        let rows = nodes.iter().flat_map(|node| node << height_of_rows..(node + 1) << height_of_rows);
        let rows: Vec<usize> = rows.collect();
        let rows = recompute::rows(shape, message, &rows);
        self.open(tape, positions, &RehashedSubtrees { nodes, rows });
    }

    fn open(&self, tape: &mut ProverTape, positions: &[usize], twigs: &RehashedSubtrees<B>) {
        let mut rows = Vec::new();
        for &position in positions {
            rows.extend_from_slice(self.rows(position, 1, twigs));
        }
        tape.hint("rows", &rows);
        let siblings = self.tree.open(positions, |node| {
            let height = self.tree.height();
            self.leaf.digests(self.rows(node << height, 1 << height, twigs))
        });
        tape.hint_bytes("paths", &siblings);
    }

    /// Some leaves from a position on, all below one node.
    fn rows<'a>(&'a self, position: usize, count: usize, twigs: &'a RehashedSubtrees<B>) -> &'a [B] {
        let (block, row) = (position / self.block_leaves, position % self.block_leaves);
        let (rows, row) = if block < self.forgotten {
            let height = self.tree.height();
            let twig = twigs.nodes.binary_search(&(position >> height)).expect("a row that was made again");
            (&twigs.rows, (twig << height) + row % (1 << height))
        } else {
            (&self.blocks[block - self.forgotten], row)
        };
        let leaf = self.leaf.elements();
        &rows[row * leaf..][..count * leaf]
    }

    /// Gives the codeword's memory back for the next commitment.
    pub fn into_blocks(self) -> Vec<Vec<B>> {
        self.blocks
    }

    /// The blocks, to be overwritten or taken: nothing can be opened afterwards.
    pub fn blocks_mut(&mut self) -> &mut Vec<Vec<B>> {
        &mut self.blocks
    }

    /// Bytes held: the blocks that are kept, and the tree.
    pub fn memory(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum::<usize>() * size_of::<B>() + self.tree.memory()
    }
}

/// Rows of forgotten blocks that were made again: all that are below some nodes.
#[cfg(feature = "prover")]
struct RehashedSubtrees<B> {
    /// In ascending order.
    nodes: Vec<usize>,
    rows: Vec<B>,
}

#[cfg(feature = "prover")]
impl<B> Default for RehashedSubtrees<B> {
    fn default() -> Self {
        Self { nodes: Vec::new(), rows: Vec::new() }
    }
}
