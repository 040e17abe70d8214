//! The length that no proof exceeds. (notes: pip-size)

use super::Params;
use crate::matrix::{OpenedRows, Size, nonce};

impl Params {
    /// The length of the proof of an opening of so many forms. One whose factors add up to zero sends two elements each round,
    /// the others one: this counts two for each, so that a proof is as long or shorter.
    pub fn size(&self, forms: usize) -> Size {
        let (base, extension) = (self.fields.base_bytes(), self.fields.bytes());
        let outside = usize::from(self.out_of_domain());
        let partials = if self.log_columns > 0 { (outside + forms) * self.columns() } else { 0 };
        // Points outside of the domain have factors that add up to one.
        let deep = |round: usize| if self.own.deep { round } else { 0 };
        let slopes: usize = (0..self.rounds()).map(|round| outside + deep(round) + 2 * forms).sum();
        let later = self.rounds() - 1;
        let elements = partials + slopes + deep(later) + (1 << self.log_final);
        let digest = self.hash.bytes() as u64;
        let fixed = (elements * extension) as u64 + digest * later as u64 + nonce(self.grinding);
        let opening = |round: usize| {
            let (tree, element) = (self.tree(round), if round == 0 { base } else { extension });
            let (log_leaves, row) = (tree.code.log_domain() as u32, (tree.width * element) as u64);
            OpenedRows { log_leaves, queries: self.queries, row, digest }
        };
        Size::new(fixed, (0..self.rounds()).map(opening).collect())
    }

    /// Bytes that a prover takes at once, data included, for large data: for a commitment, and with it for an opening if there
    /// is one. [`Params::validate`] first.
    #[cfg(feature = "prover")]
    pub fn prover_memory(&self, opens: bool) -> u64 {
        let (base, extension) = (self.fields.base_bytes() as u64, self.fields.bytes() as u64);
        let positions = 1 << self.code(0).log_domain();
        let tree = |round: usize| (self.hash.bytes() as u64 / 8) << self.tree(round).code.log_domain();
        // Data, word, tree, and the inverse points of half the domain.
        let witness = (base << self.log_size) + base * positions * self.columns() as u64 + tree(0);
        let need = witness + base * positions / 2;
        if !opens {
            return need;
        }
        let word = |round: usize| (extension << self.code(round).log_domain()) + tree(round);
        let words: u64 = (1..self.rounds()).map(word).sum();
        // The message folded, and while it is folded once more.
        let table = if self.log_columns == 0 { extension / 2 } else { extension };
        need + words + ((2 * table) << self.log_rows())
    }
}
