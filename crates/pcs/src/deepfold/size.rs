//! The length that no proof exceeds. (notes: pip-size)

use super::Params;
use crate::matrix::{OpenedRows, Size, nonce};

impl Params {
    /// The length of the proof of an opening of so many forms. One whose factors add up to zero sends two elements each round,
    /// the others one: this counts two for each, so that a proof is as long or shorter. Lengths beyond 64 bits are `u64::MAX`.
    pub fn size(&self, forms: usize) -> Size {
        let (base, extension) = (self.fields.base_bytes(), self.fields.bytes());
        let (outside, forms) = (u64::from(self.out_of_domain()), forms as u64);
        let columns = if self.log_columns > 0 { self.columns() as u64 } else { 0 };
        let partials = forms.saturating_add(outside).saturating_mul(columns);
        // Points outside of the domain have factors that add up to one.
        let deep = |round: usize| if self.own.deep { round as u64 } else { 0 };
        let slope = |round: usize| forms.saturating_mul(2).saturating_add(outside + deep(round));
        let slopes = (0..self.rounds()).map(slope).fold(0, u64::saturating_add);
        let later = self.rounds() - 1;
        let elements = partials.saturating_add(slopes).saturating_add(deep(later) + (1 << self.log_final));
        let digest = self.hash.bytes() as u64;
        let messages = elements.saturating_mul(extension as u64);
        let fixed = messages.saturating_add(digest * later as u64 + nonce(self.grinding));
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
