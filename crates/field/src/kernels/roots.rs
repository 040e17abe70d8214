//! Tables of roots of unity, built once.

use crate::{Once, TwoAdic};
use alloc::vec::Vec;

/// `table[j] = w^bitrev(j)` with `w` of order `2 * table.len()`: the factors of the tree for shift 1, the same
/// at each level up to length. Built once for each length.
pub(crate) struct Roots<F>([Once<Vec<F>>; 64]);

impl<F: TwoAdic> Roots<F> {
    pub(crate) const fn new() -> Self {
        Self([const { Once::new() }; 64])
    }

    /// The table of length `2^log`.
    pub(crate) fn table(&self, log: usize) -> &[F] {
        self.0[log].get(|| {
            let mut table = Vec::with_capacity(1 << log);
            table.push(F::ONE);
            for bit in 0..log {
                let root = F::root_of_unity(bit + 2);
                table.extend_from_within(..);
                table[1 << bit..].iter_mut().for_each(|x| *x *= root);
            }
            table
        })
    }
}
