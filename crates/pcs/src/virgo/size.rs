//! The length that no proof exceeds. (notes: pip-size)

use super::{Params, delegation};
use crate::matrix::{OpenedRows, Size, nonce};

impl Params {
    /// The length of a proof, which is about one form.
    pub fn size(&self, _forms: usize) -> Size {
        let (base, extension) = (self.fields.base_bytes(), self.fields.bytes());
        let fragments = if self.log_columns > 0 { self.columns() } else { 0 };
        let elements = fragments + (1 << self.log_final) + delegation::elements(self.log_rows() as usize);
        let digest = self.hash.bytes() as u64;
        // The root of the quotients, and of each word but the first.
        let fixed = (elements * extension) as u64 + digest * self.rounds() as u64 + nonce(self.grinding);
        let opening = |round: usize, element: usize, beside: usize| {
            let tree = self.tree(round);
            let (log_leaves, row) = (tree.code.log_domain() as u32, (tree.width * element + beside) as u64);
            OpenedRows { log_leaves, queries: self.queries, row, digest }
        };
        // Beside a leaf of the fragments stand the two values of the weights there.
        let first = [opening(0, base, 2 * extension), opening(0, extension, 0)];
        let later = (1..self.rounds()).map(|round| opening(round, extension, 0));
        Size::new(fixed, first.into_iter().chain(later).collect())
    }
}
