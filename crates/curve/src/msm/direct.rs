//! Sums over a handful of fixed points, all of whose multiples are in a table: nothing is doubled, and there are no buckets.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, PrimeField};

use super::Curve;
use super::digits::Recoding;
use super::fixed::bits;

/// The bits of a digit.
const BITS: usize = 6;

/// The multiples for a digit: from 1 to 32, of either sign.
const ROW: usize = 1 << (BITS - 1);

/// A table for sums over a handful of fixed points: what a verifier asks with public inputs.
///
/// Memory: on BN254 88 KiB for each point. Cost of the table: some 1,600 additions for each.
pub struct DirectTable<C: Curve> {
    recoding: Recoding,
    points: usize,
    /// `m 2^(6 j) P_i` for `m` from 1 on: a row for each digit of each point.
    multiples: Vec<Affine<C>>,
}

impl<C: Curve> core::fmt::Debug for DirectTable<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DirectTable").field("points", &self.points).finish_non_exhaustive()
    }
}

impl<C: Curve> DirectTable<C> {
    /// The table of some points.
    #[must_use]
    pub fn new(points: &[Affine<C>]) -> Self {
        let recoding = Recoding::new(BITS, bits::<C>());
        let mut multiples = Vec::with_capacity(points.len() * recoding.windows * ROW);
        for point in points {
            let mut base = point.into_group();
            for _ in 0..recoding.windows {
                let mut multiple = base;
                for _ in 1..ROW {
                    multiples.push(multiple);
                    multiple += base;
                }
                multiples.push(multiple);
                base = multiple.double();
            }
        }
        let multiples = Projective::normalize_batch(&multiples);
        Self { recoding, points: points.len(), multiples }
    }

    /// The number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points
    }

    /// Tells whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// `sum k_i P_i`. Not constant time. Cost: an addition for each digit of six bits that is not zero.
    ///
    /// # Panics
    /// If there are not as many scalars as points.
    pub fn sum(&self, scalars: &[C::ScalarField]) -> Projective<C> {
        assert_eq!(scalars.len(), self.points, "as many scalars as points");
        let mut sum = Projective::ZERO;
        for (k, rows) in scalars.iter().zip(self.multiples.chunks(self.recoding.windows * ROW)) {
            let lifted = self.recoding.lift(k.into_bigint().as_ref());
            for (j, row) in rows.chunks(ROW).enumerate() {
                let digit = self.recoding.digit(&lifted, j);
                let multiple = digit.unsigned_abs().checked_sub(1).map(|at| row[at as usize]);
                match multiple {
                    Some(multiple) if digit < 0 => sum -= multiple,
                    Some(multiple) => sum += multiple,
                    None => (),
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use ark_ff::{One, UniformRand};
    use ark_std::rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::bn254::Fr;

    type Bn = ark_bn254::g1::Config;

    /// With the identity among the points, the same point twice, and scalars at the ends of what digits hold.
    #[test]
    fn sums_are_those_of_multiples() {
        let rng = &mut StdRng::seed_from_u64(61);
        let p = Projective::<Bn>::rand(rng).into_affine();
        let points = [p, Affine::zero(), p, Projective::<Bn>::rand(rng).into_affine(), -p];
        let table = DirectTable::new(&points);
        assert_eq!((table.len(), table.is_empty()), (5, false));
        let special = [Fr::ZERO, Fr::one(), -Fr::one(), Fr::from(32_u64), Fr::from(31_u64 << 6)];
        for round in 0..6 {
            let scalars: [Fr; 5] = core::array::from_fn(|i| match round {
                0 => special[i],
                1 => special[(i + 2) % 5],
                _ => Fr::rand(rng),
            });
            let expected: Projective<Bn> = points.iter().zip(&scalars).map(|(p, k)| *p * k).sum();
            assert_eq!(table.sum(&scalars), expected, "{round}");
        }
        assert!(DirectTable::<Bn>::new(&[]).sum(&[]).into_affine().is_zero());
    }
}
