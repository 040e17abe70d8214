//! Sums whose scalars are hidden from the clock.
//!
//! A sum over fixed bases looks at the digits of its scalars, so its time depends on them. A commitment is linear: with a random vector `r`
//! whose sum was computed before, and a fresh random factor, `sum(s) = sum(s + factor r) - factor sum(r)`, and what is summed
//! is uniform whatever `s` is. The factor keeps two sums with the same mask apart.
//!
//! (notes: ring-constant-time)

use curve::PrimeField;
use curve::bls12_381::{Fr, G1, G1Projective, times_secret};
use curve::{AffineRepr, CurveGroup};
use zeroize::Zeroizing;

use crate::{Error, Setup};

/// A random vector, as long as [`Setup::tail_sum`] takes, and its sum.
pub(crate) struct Mask {
    values: Zeroizing<Vec<Fr>>,
    sum: G1,
}

impl Mask {
    /// A new mask for a setup. Cost: a sum.
    pub(super) fn new(setup: &Setup) -> Result<Self, Error> {
        let values = Zeroizing::new(random(setup.tail_len())?);
        let sum = setup.tail_sum(&values).into_affine();
        if sum.is_zero() {
            return Err(Error::Mismatch("a mask that hides nothing"));
        }
        Ok(Self { values, sum })
    }

    /// `sum s_i P_i` over the points of [`Setup::tail_sum`].
    pub(super) fn sum(&self, setup: &Setup, scalars: &[Fr]) -> Result<G1Projective, Error> {
        let factor = Zeroizing::new(random(1)?);
        let hidden: Zeroizing<Vec<Fr>> =
            Zeroizing::new(scalars.iter().zip(self.values.iter()).map(|(s, r)| *s + factor[0] * r).collect());
        Ok(setup.tail_sum(&hidden) - times_secret(&self.sum, &factor[0]))
    }
}

/// Uniform scalars from the system.
pub(super) fn random(count: usize) -> Result<Vec<Fr>, Error> {
    let mut bytes = Zeroizing::new(vec![0; 64 * count]);
    getrandom::fill(&mut bytes).map_err(Error::Random)?;
    Ok(bytes.chunks_exact(64).map(Fr::from_le_bytes_mod_order).collect())
}
