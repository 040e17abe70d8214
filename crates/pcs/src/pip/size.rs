//! The length of a proof and the memory of its prover, for each inner argument. (notes: pip-size)

use super::chain::Chain;
use super::params::{Inner, Params};
use crate::matrix::{DIGEST, Layout, OpenedRows as Rows, Size, nonce, rounds};
use alloc::vec::Vec;

impl Params {
    /// The length of the proof of an opening, however many forms it has.
    pub fn size(&self) -> Size {
        let layout = self.layout();
        let bytes = [self.fields.base_bytes(), self.fields.bytes()];
        match (&self.inner, self.chain(&layout.first)) {
            (Inner::TwoChains, Some(chain)) => two_chains(&layout, &chain, bytes),
            (_, Some(chain)) => one_chain(&layout, &chain, bytes),
            (_, None) => layout.size(bytes, 0),
        }
    }
}

#[cfg(feature = "prover")]
impl Params {
    /// Bytes that a prover takes at once, data included, for large data: for a commitment alone, or for one that is opened.
    /// [`Params::validate`] first.
    pub fn prover_memory(&self, opens: bool) -> u64 {
        let (layout, bytes) = (self.layout(), self.bytes());
        let Some(chain) = self.chain(&layout.first).filter(|_| opens) else {
            return if opens { layout.opening_memory(bytes) } else { layout.commitment_memory(bytes[0]) };
        };
        // The words with their trees, a tree's nodes over sixteen leaves each, and their messages.
        let word =
            |i: usize| (bytes[1] << chain.word(i).log_domain()) + (4 << chain.tree(i).code.log_domain());
        let words: u64 = (1..chain.folds()).map(word).sum();
        let times = if matches!(self.inner, Inner::TwoChains) { 2 } else { 1 };
        layout.witness_memory(bytes[0]) + times * words + ((4 * bytes[1]) << self.log_rows())
    }

    /// Bytes that an opening takes whose witness was kept without a codeword, data included.
    pub fn lean_memory(&self) -> u64 {
        // What is taken besides is about a quarter of the data, as measured over every field.
        let besides = (self.bytes()[0] << self.log_size) / 4;
        self.prover_memory(true) - self.layout().spared(self.bytes()[0], 2) + besides
    }

    /// Bytes that the proof of a weighted sum takes, with commitment, data and weights.
    pub fn weighted_memory(&self) -> u64 {
        self.layout().weighted_memory(self.bytes(), false)
    }

    fn bytes(&self) -> [u64; 2] {
        [self.fields.base_bytes() as u64, self.fields.bytes() as u64]
    }
}

/// Of the committed matrix whole fibres are opened, and of each word so many times a leaf.
fn openings(layout: &Layout, chain: &Chain, [base, extension]: [usize; 2], times: usize) -> Vec<Rows> {
    let stage = &layout.first;
    let queries = stage.queries as u32;
    let row = ((stage.shape.width * base) as u64) << chain.step(0);
    let first = Rows { log_leaves: chain.log_fibres() as u32, queries, row };
    let word = |i: usize| {
        let tree = chain.tree(i);
        let row = (tree.width * extension) as u64;
        core::iter::repeat_n(Rows { log_leaves: tree.code.log_domain() as u32, queries, row }, times)
    };
    core::iter::once(first).chain((1..chain.folds()).flat_map(word)).collect()
}

fn one_chain(layout: &Layout, chain: &Chain, bytes: [usize; 2]) -> Size {
    let (stage, extension) = (&layout.first, bytes[1] as u64);
    let folds: u64 = (0..chain.folds()).map(|i| rounds(chain.rounds(i), extension)).sum();
    let roots = DIGEST * (chain.folds() as u64 - 1);
    let in_clear = extension * (stage.shape.code.extra + chain.word(chain.folds()).length()) as u64;
    let fixed = layout.reduction(extension) + folds + roots + in_clear + nonce(stage.grinding);
    Size::new(fixed, openings(layout, chain, bytes, 1))
}

fn two_chains(layout: &Layout, chain: &Chain, bytes: [usize; 2]) -> Size {
    let (stage, folds) = (&layout.first, chain.folds() as u64);
    let work = (folds + 1) * nonce(stage.rounds.grinding) + nonce(stage.grinding);
    // The roots of both chains, and the constant that one ends in.
    let fixed = 2 * DIGEST * (folds - 1) + bytes[1] as u64 + work;
    Size::new(fixed, openings(layout, chain, bytes, 2))
}
