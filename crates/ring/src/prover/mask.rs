//! Sums whose scalars are hidden from the clock.
//!
//! A sum over fixed bases looks at the digits of its scalars, so its time depends on them. A commitment is linear: with a random vector `r`
//! whose sum was computed before, and a fresh random factor, `sum(s) = sum(s + factor r) - factor sum(r)`, and what is summed
//! is uniform whatever `s` is. Each column has a vector of its own, each proof a factor of its own.
//!
//! That is for one sum. Whoever reads all digits of two sums under one vector, from a cache, knows a line that `r` is on: a clock does not
//! show that much.
//!
//! (notes: ring-constant-time)

use curve::bls12_381::{Fr, G1, G1Projective};
use curve::{AffineRepr, CurveGroup, ct};
use zeroize::Zeroizing;

use crate::{Error, Setup, ZK_ROWS};

/// A random vector for points of a setup's table of rows, and its sum.
pub(crate) struct Mask {
    /// The first point.
    first: usize,
    values: Zeroizing<Vec<Fr>>,
    pub(crate) sum: G1,
}

impl Mask {
    /// A mask for `count` points from `first` on. Cost: a sum.
    fn new(setup: &Setup, first: usize, count: usize) -> Result<Self, Error> {
        let values = Zeroizing::new(random(count)?);
        let sum = setup.rows.sum_from(first, &values).into_affine();
        if sum.is_zero() {
            return Err(Error::Mismatch("a mask that hides nothing"));
        }
        Ok(Self { first, values, sum })
    }

    /// Masks for `b`, `ip`, `x` and `y`: of the first two the random rows alone are summed, of the others all from row `K` on.
    pub(super) fn of_columns(setup: &Setup) -> Result<[Self; 4], Error> {
        let random = || Self::new(setup, setup.domain.last_row() + 1, ZK_ROWS);
        let tail = || Self::new(setup, setup.domain.capacity(), setup.tail_len());
        Ok([random()?, random()?, tail()?, tail()?])
    }

    /// `sum s_i P_i` over its points.
    pub(super) fn sum(&self, setup: &Setup, scalars: &[Fr]) -> Result<G1Projective, Error> {
        let factor = Zeroizing::new(random(1)?);
        let hidden = self.hide(scalars, &factor[0]);
        let sum = setup.rows.sum_from(self.first, &hidden);
        Ok(ct::sum_g1(&sum, &-ct::times_g1(&self.sum, &factor[0])))
    }

    /// `s + factor r`.
    fn hide(&self, scalars: &[Fr], factor: &Fr) -> Zeroizing<Vec<Fr>> {
        assert_eq!(scalars.len(), self.values.len());
        let both = scalars.iter().zip(self.values.iter());
        Zeroizing::new(both.map(|(s, r)| ct::sum(s, &ct::product(factor, r))).collect())
    }
}

/// Uniform scalars from the system.
pub(super) fn random(count: usize) -> Result<Vec<Fr>, Error> {
    let mut bytes = Zeroizing::new(vec![0; 64 * count]);
    getrandom::fill(&mut bytes).map_err(Error::Random)?;
    Ok(bytes.chunks_exact(64).map(ct::reduce_field).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::setup;

    #[test]
    fn masked_sums_are_the_sums_and_no_two_are_of_one_line() {
        let setup = setup();
        let masks = Mask::of_columns(&setup).unwrap();
        for mask in &masks {
            let scalars: Vec<Fr> = (0..mask.values.len() as u64).map(Fr::from).collect();
            let plain = setup.rows.sum_from(mask.first, &scalars);
            assert_eq!(mask.sum(&setup, &scalars).unwrap(), plain);
            let hidden = mask.hide(&scalars, &Fr::from(3_u64));
            assert!(hidden.iter().zip(&scalars).all(|(h, s)| h != s));
            assert_ne!(hidden, mask.hide(&scalars, &Fr::from(4_u64)), "another factor");
        }
        for [a, b] in [[0, 1], [2, 3]] {
            let [a, b] = [&masks[a].values, &masks[b].values];
            assert_ne!(a[0] * b[1], a[1] * b[0], "two columns with one vector");
        }
    }
}
