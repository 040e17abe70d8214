//! Checks tables against their points: for files that others could have written.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;
use field::parallel;

use super::fixed::{FixedBase, Table};
use super::{Adder, Curve, Single};

/// Points whose rows are recomputed at once.
const POINTS: usize = 64;

impl<C: Curve> FixedBase<C> {
    /// Tells whether every entry of the tables is the multiple `2^(cj) P_i` of these points, of the curve and of odd order.
    ///
    /// The entries are recomputed and compared. A random linear combination of them would be cheaper, and would miss an entry that is off by a point of
    /// order 3 in one case out of three. Cost: about that of [`Self::with_window`].
    #[must_use]
    pub fn is_of(&self, points: &[Affine<C>]) -> bool {
        points.len() == self.len()
            && points.iter().zip(&self.live).all(|(p, live)| p.is_on_curve() && p.is_zero() != *live)
            && match &self.table {
                Table::Vector(t) => self.entries_are_of::<C::Vector>(t, points),
                Table::Middle(t) => self.entries_are_of::<C::Middle>(t, points),
                Table::Single(t) => self.entries_are_of::<Single<C>>(t, points),
            }
    }

    fn entries_are_of<A: Adder<Curve = C>>(&self, table: &[A::Point], points: &[Affine<C>]) -> bool {
        let (c, windows) = (self.recoding.c, self.recoding.windows);
        let parts = table.chunks(POINTS * self.row).zip(points.chunks(POINTS));
        let right = parallel::map(parts, |(rows, points)| {
            // What stands in the place of the identity is never used.
            let points: Vec<_> =
                points.iter().map(|p| if p.is_zero() { Affine::generator() } else { *p }).collect();
            let mut own = rows.to_vec();
            A::multiples(&points, c, windows, &mut own);
            // Behind the multiples are their images, which are made when a file is read.
            let same = |(row, own): (&[A::Point], &[A::Point])| {
                row[..windows].iter().zip(own).all(|(p, q)| A::export(p) == A::export(q))
            };
            rows.chunks(self.row).zip(own.chunks(self.row)).all(same)
        });
        right.into_iter().all(|right| right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bls12_381::{Fq, G1Affine, G1Projective, g1};
    use ark_ec::{CurveGroup, PrimeGroup};

    fn points() -> Vec<G1Affine> {
        (2..8_u64).map(|k| G1Projective::generator().mul_bigint([k]).into_affine()).collect()
    }

    /// An entry that is off by a point of order 3, which a linear combination with random weights misses once in three times.
    #[test]
    fn an_entry_that_is_off_by_a_point_of_order_3() {
        let points = points();
        let small = G1Affine::new_unchecked(Fq::from(0_u64), Fq::from(2_u64));
        assert!(small.is_on_curve() && small.mul_bigint([3_u64]).into_affine().is_zero());
        for at in 0..24 {
            let mut bases = FixedBase::<g1::Config>::portable(&points, 7);
            let Table::Single(t) = &mut bases.table else { unreachable!("one lane") };
            t[at] = (t[at] + small).into_affine();
            assert_eq!(bases.is_of(&points), at % bases.row >= bases.recoding.windows, "entry {at}");
        }
    }

    /// On `y^2 = x^3 + 64 b` all sums are right: additions do not look at `b`.
    #[test]
    fn tables_on_another_curve() {
        let moved = |p: &G1Affine| G1Affine::new_unchecked(p.x * Fq::from(4_u64), p.y * Fq::from(8_u64));
        let other: Vec<G1Affine> = points().iter().map(moved).collect();
        assert!(other.iter().all(|p| !p.is_zero() && !p.is_on_curve()));
        assert!(!FixedBase::<g1::Config>::portable(&other, 7).is_of(&other));
    }
}
