//! What a prover takes of memory, from its parameters: data, what is kept of codewords and trees, what is made again, and the
//! vectors of an opening. (notes: codes-oracle)

use super::layout::{Layout, ProverStorage};
use super::round::Round;

/// Blocks, or what is made of them at a time, from so many bytes on are made one after the other; shorter ones by each thread.
const SHARED: u64 = 1 << 20;

/// Bytes of a row that are made again at a time, if they are not a larger part of the codeword than an eighth.
const LINES: u64 = 128;

impl Round {
    /// Bytes of the message and of the codeword, with elements of so many bytes.
    fn bytes(&self, base: u64) -> [u64; 2] {
        let row = self.shape.width as u64 * base;
        [self.shape.code.dimension() as u64 * row, row << self.shape.code.log_domain()]
    }

    /// Bytes of the tree: two digests for each sixteen leaves, since it forgets its lowest layers.
    fn tree(&self) -> u64 {
        (self.shape.hash.bytes() as u64 / 8) << self.shape.code.log_domain()
    }
}

impl Layout {
    /// Bytes that a commitment takes without what an opening needs, data included: the data, and a block of the codeword at a time.
    pub fn commitment_memory(&self, base: u64) -> u64 {
        // Several polynomials, and what hides, are committed to with the whole codeword.
        if self.copies_entries() && !self.keeps_no_block() {
            return self.witness_memory(base);
        }
        let [message, _] = self.first.bytes(base);
        let count = 1 << self.first.shape.code.log_inv_rate;
        let scratch = if message < SHARED { count.min(field::parallel::threads() as u64) } else { 1 };
        message * (1 + scratch) + self.first.tree()
    }

    /// Bytes that a commitment takes with what an opening needs.
    pub fn witness_memory(&self, base: u64) -> u64 {
        if self.keeps_no_block() {
            return self.commitment_memory(base);
        }
        let [message, codeword] = self.first.bytes(base);
        let in_codeword = self.kept == ProverStorage::Codeword || self.makes_again();
        let entries = if self.copies_entries() {
            (base * (self.polynomials * self.entry_columns) as u64) << self.log_size
        } else {
            0
        };
        codeword + self.first.tree() + if in_codeword { 0 } else { message } + entries
    }

    /// Returns true if the entries are copied into the matrix, beside the randomness of a commitment that hides or beside one another.
    fn copies_entries(&self) -> bool {
        self.hidden_openings > 0 || self.polynomials > 1
    }

    /// Whether rows of the first block are made again.
    fn makes_again(&self) -> bool {
        self.kept == ProverStorage::Message && self.first.opens_few_rows() && !self.keeps_no_block()
    }

    /// Bytes that a witness takes whose rows are opened: with the scratch of the first block.
    pub fn rows_memory(&self, base: u64) -> u64 {
        let [_, codeword] = self.first.bytes(base);
        self.witness_memory(base) + if self.makes_again() { codeword / 8 } else { 0 }
    }

    /// Bytes that an opening takes with its commitment, whose inner argument is the recursion.
    pub fn opening_memory(&self, [base, extension]: [u64; 2]) -> u64 {
        let mut need = self.rows_memory(base);
        // The combination of the columns and the weights of the claims about it.
        need += (3 * extension) << self.log_rows;
        for (stage, forgotten) in self.stages.iter().skip(1).zip(self.forgotten()) {
            let [message, codeword] = stage.bytes(base);
            let forgotten = forgotten as u64;
            // Forgotten blocks go through the memory of one.
            need += codeword - forgotten * message + if forgotten > 0 { message } else { 0 };
            need += stage.tree();
        }
        need
    }

    /// Bytes that an opening is spared by a witness without a codeword: its rows go through the memory of some columns, and are
    /// kept until the proof has them. A transform has one such memory where it stands, or two.
    pub fn spared(&self, base: u64, buffers: u64) -> u64 {
        let [message, codeword] = self.first.bytes(base);
        let threads = field::parallel::threads() as u64;
        // Some columns of each block at a time, or all of them at low rates.
        let lines = self.first.shape.code.dimension() as u64 * LINES.max(base);
        let part = if codeword / 8 < message { lines.min(codeword / 8) } else { message };
        let scratch = buffers * if part < SHARED { part * threads } else { part };
        let again = if self.makes_again() { codeword / 8 } else { 0 };
        let rows = (self.first.queries * self.first.shape.width) as u64 * base;
        (self.witness_memory(base) + again).saturating_sub(message + self.first.tree() + scratch + rows)
    }

    /// Bytes that a proof by the sumcheck of a product takes with its commitment, whose tables over the challenge field have together so many elements for each
    /// place; `copied` if the entries are there once more.
    pub fn sumcheck_memory(&self, [base, extension]: [u64; 2], copied: bool, elements: u64) -> u64 {
        let entries = 1 << self.variables;
        // Weights, the same with their padding, and the tables.
        let tables = if copied { 3 * base } else { 2 * base } + elements * extension;
        let sumcheck = self.witness_memory(base) + tables * entries;
        sumcheck.max(self.opening_memory([base, extension]) + base * entries)
    }
}
