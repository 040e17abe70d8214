//! Whether tables are those of their points: for files that others could have written.

use ark_ec::short_weierstrass::Affine;
use rayon::prelude::*;

use super::digits::Recoding;
use super::fixed::{FixedBase, Table};
use super::lists::Work;
use super::variable::{best_window, sort, sum};
use super::{Adder, Curve, Single};

/// Bits of a weight.
const BITS: usize = 64;

impl<C: Curve> FixedBase<C> {
    /// Whether every entry of the tables is the multiple `2^(cj) P_i` of these points, and the points are on the curve.
    ///
    /// The sum of all entries with weights of 64 bits, drawn from `random`, is compared with that of the points. Whoever wrote the tables before
    /// `random` was drawn is found out but for a chance of `2^-64`; points of small order, outside of the subgroup, can be hidden in them with a better
    /// one, and are refused wherever a sum with them is decoded. Cost: some six additions for each entry.
    #[must_use]
    pub fn is_of(&self, points: &[Affine<C>], random: &[u8; 32]) -> bool {
        points.len() == self.len()
            && points.par_iter().all(Affine::is_on_curve)
            && match &self.table {
                Table::Vector(t) => self.entries_are_of::<C::Vector>(t, points, random),
                Table::Middle(t) => self.entries_are_of::<C::Middle>(t, points, random),
                Table::Single(t) => self.entries_are_of::<Single<C>>(t, points, random),
            }
    }

    fn entries_are_of<A: Adder<Curve = C>>(
        &self,
        table: &[A::Point],
        points: &[Affine<C>],
        random: &[u8; 32],
    ) -> bool {
        let windows = self.recoding.windows;
        // Behind the multiples are their images, which are made when a file is read.
        let on_curve = |row: &[A::Point]| row[..windows].iter().all(|p| A::export(p).is_on_curve());
        if !table.par_chunks(self.row).all(on_curve) {
            return false;
        }
        let mut stream = blake3::Hasher::new_keyed(random).finalize_xof();
        let mut weights = vec![[0; 4]; table.len()];
        let mut factors = Vec::with_capacity(points.len());
        let step = C::ScalarField::from(1_u64 << self.recoding.c);
        for (row, live) in weights.chunks_mut(self.row).zip(&self.live) {
            let mut factor = C::ScalarField::from(0_u64);
            for weight in row[..windows].iter_mut().rev().filter(|_| *live) {
                let mut bytes = [0; BITS / 8];
                stream.fill(&mut bytes);
                weight[0] = u64::from_le_bytes(bytes);
                factor = factor * step + C::ScalarField::from(weight[0]);
            }
            factors.push(factor);
        }
        let r = Recoding::new(best_window(table.len() / self.row * windows, BITS), BITS + 1);
        let (mut lists, mut work) = (sort(&r, &weights), Work::<A>::default());
        let buckets = work.sum(table, &mut lists);
        work.weigh(table, &buckets, r.c) == sum(points, &factors)
    }
}
