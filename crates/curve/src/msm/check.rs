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

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bls12_381::{Fq, G1Affine, G1Projective, g1};
    use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};

    fn points() -> Vec<G1Affine> {
        (2..8_u64).map(|k| G1Projective::generator().mul_bigint([k]).into_affine()).collect()
    }

    /// Two entries of the first row are false, and the errors cancel under the weights that these bytes give: of weights that are known before, everybody
    /// could find such errors.
    #[test]
    fn a_lie_for_weights_that_are_known() {
        let (points, known) = (points(), [7; 32]);
        let mut bases = FixedBase::<g1::Config>::portable(&points, 7);
        let windows = bases.recoding.windows;
        let mut stream = blake3::Hasher::new_keyed(&known).finalize_xof();
        let mut weights = vec![0_u64; windows];
        for weight in weights.iter_mut().rev() {
            let mut bytes = [0; 8];
            stream.fill(&mut bytes);
            *weight = u64::from_le_bytes(bytes);
        }
        let Table::Single(t) = &mut bases.table else { unreachable!("one lane") };
        t[1] = (t[1] + points[0].mul_bigint([weights[2]])).into_affine();
        t[2] = (t[2] - points[0].mul_bigint([weights[1]])).into_affine();
        assert!(bases.is_of(&points, &known), "the errors cancel");
        assert!(!bases.is_of(&points, &[8; 32]));
    }

    /// On `y^2 = x^3 + 64 b` all sums are right: additions do not look at `b`.
    #[test]
    fn tables_on_another_curve() {
        let moved = |p: &G1Affine| G1Affine::new_unchecked(p.x * Fq::from(4_u64), p.y * Fq::from(8_u64));
        let other: Vec<G1Affine> = points().iter().map(moved).collect();
        assert!(other.iter().all(|p| !p.is_zero() && !p.is_on_curve()));
        assert!(!FixedBase::<g1::Config>::portable(&other, 7).is_of(&other, &[7; 32]));
    }
}
