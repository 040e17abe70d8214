//! A committed interleaved codeword: what a prover keeps, and how rows of it are opened. (notes: codes-oracle)
//!
//! One Merkle leaf is one codeword row in canonical bytes (under BLAKE3, with zeros up to a whole block). Rows and sibling digests travel as hints: they are
//! fixed by the root and the positions, so absorbing them would add nothing.

use crate::code::ReedSolomon;
use crate::error::Invalid;
use crate::hash::{Digest, Hash};
use crate::merkle;
use crate::transcript::VerifierTape;
#[cfg(any(unix, windows))]
use crate::{merkle::PrunedTree, transcript::ProverTape};
use alloc::vec::Vec;
use field::Field;
#[cfg(any(unix, windows))]
use field::{Alphabet, BlockShape};
#[cfg(any(unix, windows))]
use rayon::prelude::*;
#[cfg(any(unix, windows))]
use std::sync::Mutex;

/// Rows hashed at once: enough to fill SIMD lanes, few enough to stay in the first-level cache.
const ROWS_AT_ONCE: usize = 64;

/// Rows hashed per task, with the nodes above them.
#[cfg(any(unix, windows))]
const ROWS_PER_TASK: usize = 256;

/// log2 of the rows whose digests are forgotten below one node: the tree takes a sixteenth of its memory, and an
/// opening hashes so many rows again for each query.
#[cfg(any(unix, windows))]
const LOG_TWIG: usize = 4;

/// Bytes that one compression of BLAKE3 takes in.
const BLAKE3_BLOCK: usize = 64;

/// A codeword of `2^log_domain` rows of `width` base elements, and the tree over its rows.
#[cfg(any(unix, windows))]
#[derive(Debug)]
pub struct Oracle<B> {
    /// Blocks of equally many rows: one for each coset that was encoded by itself.
    blocks: Vec<Vec<B>>,
    width: usize,
    hash: Hash,
    tree: PrunedTree,
}

/// What the verifier knows of an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The code of every column.
    pub code: ReedSolomon,
    /// Number of base-field columns.
    pub width: usize,
    /// The hash of the tree.
    pub hash: Hash,
}

impl Shape {
    /// Encodes a row-major message matrix and commits to the rows of the codeword. `blocks` are reused for the
    /// codeword: fresh pages cost more than the transform that fills them.
    #[cfg(any(unix, windows))]
    pub fn commit<B: Alphabet>(&self, message: &[B], mut blocks: Vec<Vec<B>>) -> Oracle<B> {
        let (width, rows) = (self.width, 1 << self.code.log_rows);
        let domain = 1 << self.code.log_domain();
        assert_eq!(message.len(), self.code.dimension() * width, "message shape");
        blocks.resize_with(domain / rows, Vec::new);
        let height = LOG_TWIG.min(self.code.log_rows);
        let mut nodes = vec![Digest::default(); domain >> height];
        blocks.par_iter_mut().zip(nodes.par_chunks_exact_mut(rows >> height)).enumerate().for_each(
            |(c, (out, nodes))| {
                let (log_rows, log_domain) = (self.code.log_rows, self.code.log_domain());
                let shape = BlockShape { width, log_rows, log_domain, block: c };
                let pieces = Mutex::new(Vec::new());
                B::encode_block(message, shape, out, &|first, rows| {
                    let mut nodes = vec![Digest::default(); (rows.len() / width) >> height];
                    hash_nodes(self.hash, rows, width, &mut nodes);
                    pieces.lock().expect("no hash panics").push((first >> height, nodes));
                });
                for (first, piece) in pieces.into_inner().expect("no hash panics") {
                    nodes[first..first + piece.len()].copy_from_slice(&piece);
                }
            },
        );
        Oracle { blocks, width, hash: self.hash, tree: PrunedTree::new(self.hash, height, nodes) }
    }

    /// Reads the rows at `positions` (sorted and distinct) and checks them against `root`.
    ///
    /// Cost: one leaf hash per row and at most `log_domain` node hashes each.
    pub fn read_rows<B: Field>(
        &self,
        tape: &mut VerifierTape<'_>,
        root: &Digest,
        positions: &[usize],
    ) -> Result<Vec<B>, Invalid> {
        let rows = tape.hint::<B>("rows", positions.len().saturating_mul(self.width))?;
        let log_leaves = self.code.log_domain();
        let siblings = tape.hint_digests("paths", merkle::opening_len(log_leaves, 0, positions))?;
        let mut leaves = vec![Digest::default(); positions.len()];
        hash_rows(self.hash, &rows, self.width, &mut leaves);
        merkle::verify_opening(self.hash, log_leaves, &[*root], positions, &leaves, &siblings)?;
        Ok(rows)
    }
}

#[cfg(any(unix, windows))]
impl<B: Field> Oracle<B> {
    /// Commits to a codeword as it stands; a leaf is `width` consecutive elements (several short rows, say).
    ///
    /// # Panics
    /// If the leaves are not a power of two in number.
    pub fn from_codeword(hash: Hash, codeword: Vec<B>, width: usize) -> Self {
        let rows = codeword.len() / width;
        assert!(rows.is_power_of_two(), "a power of two of leaves");
        let height = LOG_TWIG.min(rows.trailing_zeros() as usize);
        let mut nodes = vec![Digest::default(); rows >> height];
        hash_nodes(hash, &codeword, width, &mut nodes);
        Self { blocks: vec![codeword], width, hash, tree: PrunedTree::new(hash, height, nodes) }
    }

    /// The codeword in blocks of whole rows; a single one after [`Oracle::from_codeword`].
    pub fn blocks(&self) -> &[Vec<B>] {
        &self.blocks
    }

    /// The Merkle root.
    pub fn root(&self) -> Digest {
        self.tree.root()
    }

    /// The row at a position.
    pub fn row(&self, position: usize) -> &[B] {
        let rows = self.blocks[0].len() / self.width;
        &self.blocks[position / rows][position % rows * self.width..][..self.width]
    }

    /// Sends the rows at `positions` (sorted and distinct) with their paths.
    pub fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) {
        let rows: Vec<B> = positions.iter().flat_map(|&p| self.row(p)).copied().collect();
        tape.hint("rows", &rows);
        let siblings = self.tree.open(positions, |node| {
            let height = self.tree.height();
            let (rows, per_block) = (1 << height, self.blocks[0].len() / self.width);
            // The rows below a node lie in one block.
            let block = &self.blocks[(node << height) / per_block];
            let start = (node << height) % per_block * self.width;
            let mut leaves = vec![Digest::default(); rows];
            hash_rows(self.hash, &block[start..start + rows * self.width], self.width, &mut leaves);
            leaves
        });
        tape.hint_bytes("paths", siblings.as_flattened());
    }

    /// Gives the codeword's memory back for the next commitment.
    pub fn into_blocks(self) -> Vec<Vec<B>> {
        self.blocks
    }

    /// The blocks, to be overwritten or taken: nothing can be opened afterwards.
    pub fn blocks_mut(&mut self) -> &mut Vec<Vec<B>> {
        &mut self.blocks
    }

    /// Bytes held: codeword and tree.
    pub fn memory(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum::<usize>() * size_of::<B>() + self.tree.memory()
    }
}

/// Hashes every row of a row-major matrix in its canonical bytes, on one thread.
fn hash_rows<B: Field>(hash: Hash, matrix: &[B], width: usize, leaves: &mut [Digest]) {
    let (row, leaf) = (width * B::BYTES, leaf_bytes(hash, width * B::BYTES));
    if let Some(bytes) = B::encoded(matrix).filter(|_| row == leaf) {
        return hash.leaves(bytes, leaves);
    }
    let mut bytes = vec![0; leaves.len().min(ROWS_AT_ONCE) * leaf];
    for (rows, leaves) in
        matrix.chunks(width.saturating_mul(ROWS_AT_ONCE)).zip(leaves.chunks_mut(ROWS_AT_ONCE))
    {
        let bytes = &mut bytes[..leaves.len() * leaf];
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

/// The nodes over equally many rows each, on all threads; the digests below them are forgotten.
#[cfg(any(unix, windows))]
fn hash_nodes<B: Field>(hash: Hash, matrix: &[B], width: usize, nodes: &mut [Digest]) {
    let (rows, count) = (matrix.len() / width, nodes.len());
    let per_node = rows / count;
    let per_task = (ROWS_PER_TASK / per_node).max(1);
    let tasks = matrix.par_chunks(per_task * per_node * width).zip(nodes.par_chunks_mut(per_task));
    tasks.for_each(|(matrix, nodes)| {
        let mut leaves = vec![Digest::default(); nodes.len() * per_node];
        hash_rows(hash, matrix, width, &mut leaves);
        nodes.copy_from_slice(&PrunedTree::nodes(hash, per_node.trailing_zeros() as usize, leaves));
    });
}

/// Bytes of a leaf that holds a row of so many bytes. BLAKE3 hashes the whole blocks of many leaves at once, but
/// what is left of each one by one, ten times slower: so rows are filled up with zeros. The shape of the oracle
/// fixes the width of a row, so no two rows make one leaf.
fn leaf_bytes(hash: Hash, row: usize) -> usize {
    if hash == Hash::Blake3 { row.next_multiple_of(BLAKE3_BLOCK) } else { row }
}
