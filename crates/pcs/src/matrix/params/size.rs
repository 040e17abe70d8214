//! The length of a proof and the memory of its prover, for each inner argument. (notes: pip-size)

use super::{Inner, Params};
#[cfg(feature = "prover")]
use crate::fields::Family;
use crate::matrix::chain::Chain;
use crate::matrix::{Layout, OpenedRows as Rows, Size, nonce, rounds};
use alloc::vec::Vec;

impl Params {
    /// The length of the proof of an opening of so many forms, which counts where entries are packed. Lengths beyond 64 bits are `u64::MAX`.
    pub fn size(&self, forms: usize) -> Size {
        let layout = self.layout();
        let bytes = [self.fields.base_bytes(), self.fields.bytes()];
        match (&self.inner, self.chain(&layout.first)) {
            (Inner::TwoChains, Some(chain)) => two_chains(&layout, &chain, bytes),
            (_, Some(chain)) => one_chain(&layout, &chain, bytes, self.switch(forms)),
            (_, None) => layout.size(bytes, self.switch(forms)),
        }
    }

    /// Bytes of the messages of ring switching: the parts of each claim, the rounds, the value at the point.
    fn switch(&self, forms: usize) -> u64 {
        let [base, extension] = [self.fields.base_bytes(), self.fields.bytes()];
        self.coordinates().map_or(0, |coordinates| {
            let parts = (coordinates.count(base) as u64).saturating_mul(forms as u64);
            parts.saturating_add(2 * u64::from(self.log_size) + 1).saturating_mul(extension as u64)
        })
    }
}

#[cfg(feature = "prover")]
impl Params {
    /// Bytes that a prover takes at once, data included, for large data: for a commitment alone, or for one that is opened.
    /// [`Params::validate`] first.
    pub fn prover_memory(&self, opens: bool) -> u64 {
        let (layout, bytes) = (self.layout(), self.bytes());
        if !opens {
            return layout.commitment_memory(bytes[0]);
        }
        let Some(chain) = self.chain(&layout.first) else {
            return layout.opening_memory(bytes) + self.switch_memory();
        };
        // The words with their trees, a tree's nodes over sixteen leaves each, and their messages.
        let word = |i: usize| {
            (bytes[1] << chain.word(i).log_domain())
                + ((self.hash.bytes() as u64 / 8) << chain.tree(i).code.log_domain())
        };
        let words: u64 = (1..chain.folds()).map(word).sum();
        let times = if matches!(self.inner, Inner::TwoChains) { 2 } else { 1 };
        let messages = (4 * bytes[1]) << self.log_rows();
        layout.rows_memory(bytes[0]) + self.switch_memory() + times * words + messages
    }

    /// Bytes of ring switching's tables: some elements for each sixty-four of the alphabet's.
    fn switch_memory(&self) -> u64 {
        self.coordinates().map_or(0, |_| ((4 * self.bytes()[1]) << self.log_size) / 64)
    }

    /// Bytes that an opening takes whose witness was kept without a codeword, data included. [`Params::validate`] first.
    pub fn lean_memory(&self) -> u64 {
        let base = self.bytes()[0];
        let (buffers, besides) = match self.fields.family() {
            // What is taken besides is about a quarter of the data, as measured over every field.
            Family::Prime => (2, (base << self.log_size) / 4),
            Family::Binary => (1, 0),
        };
        self.prover_memory(true).saturating_sub(self.layout().spared(base, buffers)) + besides
    }

    /// Bytes that the proof of a weighted sum takes, with commitment, data and weights.
    pub fn weighted_memory(&self) -> u64 {
        // Entries of binary fields are unpacked, or made again where the codeword has their place.
        // Several columns are combined over the challenge field before the first round, which halves the table of one.
        let (layout, copied) = (self.layout(), self.fields.family() == Family::Binary);
        if self.polynomials == 1 {
            return layout.sumcheck_memory(self.bytes(), copied, 1);
        }
        (layout.sumcheck_memory(self.bytes(), copied, 2) + self.copies()).max(self.prover_memory(true))
    }

    /// A copy of every column.
    fn copies(&self) -> u64 {
        (self.bytes()[0] * u64::from(self.polynomials)) << self.log_size
    }

    /// Bytes that the proof of an inner product takes, with commitment and data: what a weighted sum of one column takes, a copy of every column, and one of them as
    /// integers. [`Params::validate`] first.
    pub fn product_memory(&self) -> u64 {
        let copies = self.copies() + (16 << self.log_size);
        let sumcheck = self.layout().sumcheck_memory(self.bytes(), false, 1);
        sumcheck.max(self.prover_memory(true)) + copies
    }

    fn bytes(&self) -> [u64; 2] {
        [self.fields.base_bytes() as u64, self.fields.bytes() as u64]
    }
}

/// Of the committed matrix whole fibres are opened, or the leaves that hold them, and of each word so many times a leaf.
fn openings(layout: &Layout, chain: &Chain, base: usize, times: usize) -> Vec<Rows> {
    let stage = &layout.first;
    let (queries, digest) = (stage.queries as u32, layout.hash.bytes() as u64);
    let log_opened = chain.step(0).max(stage.shape.log_fibre);
    let row = ((stage.shape.width * base) as u64) << log_opened;
    let log_leaves = (stage.shape.code.log_domain() - log_opened) as u32;
    let first = Rows { log_leaves, queries, row, digest };
    let word = |i: usize| {
        let tree = chain.tree(i);
        let row = (tree.width * base) as u64;
        core::iter::repeat_n(Rows { log_leaves: tree.code.log_domain() as u32, queries, row, digest }, times)
    };
    core::iter::once(first).chain((1..chain.folds()).flat_map(word)).collect()
}

/// `before` is what is sent before the claims become one.
fn one_chain(layout: &Layout, chain: &Chain, bytes: [usize; 2], before: u64) -> Size {
    let (stage, extension) = (&layout.first, bytes[1] as u64);
    let folds: u64 = (0..chain.folds()).map(|i| rounds(chain.rounds(i), extension)).sum();
    let roots = layout.hash.bytes() as u64 * (chain.folds() as u64 - 1);
    let in_clear = extension * (stage.shape.code.extra + chain.word(chain.folds()).length()) as u64;
    let rest = layout.reduction(extension) + folds + roots + in_clear + nonce(stage.grinding);
    Size::new(before.saturating_add(rest), openings(layout, chain, bytes[0], 1))
}

fn two_chains(layout: &Layout, chain: &Chain, bytes: [usize; 2]) -> Size {
    let (stage, folds) = (&layout.first, chain.folds() as u64);
    let work = (folds + 1) * nonce(stage.rounds.grinding) + nonce(stage.grinding);
    // The roots of both chains, and the constant that one ends in.
    let fixed = 2 * layout.hash.bytes() as u64 * (folds - 1) + bytes[1] as u64 + work;
    Size::new(fixed, openings(layout, chain, bytes[0], 2))
}
