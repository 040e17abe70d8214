//! A committed interleaved codeword: what a prover keeps, and how rows of it are opened. (notes: codes-oracle)
//!
//! One Merkle leaf is one codeword row in canonical bytes (under BLAKE3, with zeros up to a whole block). Rows and sibling digests travel as hints: they are
//! fixed by the root and the positions, so absorbing them would add nothing.

use crate::code::ReedSolomon;
use crate::error::Invalid;
use crate::hash::{Digest, Hash};
use crate::merkle::{self, MerkleTree};
use crate::transcript::{ProverTape, VerifierTape};
use field::{Field, TwoAdic};
use rayon::prelude::*;

/// Rows hashed per task: enough to fill SIMD lanes, few enough to stay in the first-level cache.
const ROWS_PER_TASK: usize = 64;

/// Bytes that one compression of BLAKE3 takes in.
const BLAKE3_BLOCK: usize = 64;

/// A codeword of `2^log_domain` rows of `width` base elements, and the tree over its rows.
#[derive(Debug)]
pub struct Oracle<B> {
    /// Blocks of equally many rows: one for each coset that was encoded by itself.
    blocks: Vec<Vec<B>>,
    width: usize,
    tree: MerkleTree,
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
    pub fn commit<B: TwoAdic>(&self, message: &[B], mut blocks: Vec<Vec<B>>) -> Oracle<B> {
        let (width, rows) = (self.width, 1 << self.code.log_rows);
        let domain = 1 << self.code.log_domain();
        assert_eq!(message.len(), self.code.dimension() * width, "message shape");
        blocks.resize_with(domain / rows, Vec::new);
        let mut leaves = vec![Digest::default(); domain];
        blocks.par_iter_mut().zip(leaves.par_chunks_exact_mut(rows)).enumerate().for_each(
            |(c, (block, leaves))| {
                B::ntt_rows_into(message, width, self.code.coset_shift(c), rows, block);
                hash_rows(self.hash, block, width, leaves);
            },
        );
        Oracle { blocks, width, tree: MerkleTree::new(self.hash, leaves) }
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

impl<B: Field> Oracle<B> {
    /// Commits to a codeword as it stands; a leaf is `width` consecutive elements (several short rows, say).
    ///
    /// # Panics
    /// If the leaves are not a power of two in number.
    pub fn from_codeword(hash: Hash, codeword: Vec<B>, width: usize) -> Self {
        let mut leaves = vec![Digest::default(); codeword.len() / width];
        hash_rows(hash, &codeword, width, &mut leaves);
        Self { blocks: vec![codeword], width, tree: MerkleTree::new(hash, leaves) }
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
        let siblings = self.tree.open(0, positions);
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
        self.blocks.iter().map(Vec::len).sum::<usize>() * size_of::<B>()
            + (2 << self.tree.log_leaves()) * size_of::<Digest>()
    }
}

/// Hashes every row of a row-major matrix in its canonical bytes.
pub fn hash_rows<B: Field>(hash: Hash, matrix: &[B], width: usize, leaves: &mut [Digest]) {
    let (row, leaf) = (width * B::BYTES, leaf_bytes(hash, width * B::BYTES));
    let task = |(rows, leaves): (&[B], &mut [Digest])| {
        let mut bytes = vec![0; leaves.len() * leaf];
        if row == leaf {
            B::write_slice(rows, &mut bytes);
        } else {
            let rows = rows.chunks_exact(width).zip(bytes.chunks_exact_mut(leaf));
            rows.for_each(|(values, out)| B::write_slice(values, &mut out[..row]));
        }
        hash.leaves(&bytes, leaves);
    };
    matrix.par_chunks(width * ROWS_PER_TASK).zip(leaves.par_chunks_mut(ROWS_PER_TASK)).for_each(task);
}

/// Bytes of a leaf that holds a row of so many bytes. BLAKE3 hashes the whole blocks of many leaves at once, but
/// what is left of each one by one, ten times slower: so rows are filled up with zeros. The shape of the oracle
/// fixes the width of a row, so no two rows make one leaf.
fn leaf_bytes(hash: Hash, row: usize) -> usize {
    if hash == Hash::Blake3 { row.next_multiple_of(BLAKE3_BLOCK) } else { row }
}
