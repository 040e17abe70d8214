//! Checks that a setup from a file is that of its powers.
//!
//! ```text
//!   L_i, S_i  points of the subgroup, each of them                                       curve::bls12_381::in_subgroup
//!   tables    every entry is recomputed from its point                                   curve::msm
//!   L_i       sum r_i L_i   =   commitment to the r_i
//!   S_i       sum r_i S_i   =   sum over rows j of L_j (r_0 + .. + r_min(j, K+1))
//! ```
//! The numbers `r` come from the system when the file is there, so that whoever wrote it did not know them. A false point passes with a probability of
//! `1/r`, `r` being the order of the subgroup. Outside of it that would not hold: a point of order 3 vanishes in one case out of three.
//!
//! (notes: ring-file)

use curve::bls12_381::{Fr, G1, in_subgroup};
use curve::srs::Srs;
use curve::{Invalid, PrimeField, Zero, msm};

use crate::setup::rows_and_steps;
use crate::{Error, Setup};

impl Setup {
    /// Checks that tables, Lagrange points and steps are those of `srs`.
    pub(crate) fn check(&self, srs: &Srs) -> Result<(), Error> {
        const FALSE: Error = Error::Invalid(Invalid("false tables of a ring"));
        let monomial = srs.powers(self.domain.powers()).ok_or(FALSE)?;
        if !(in_subgroup(&self.lagrange) && in_subgroup(&self.steps)) {
            return Err(FALSE);
        }
        let rows: Vec<G1> = rows_and_steps(&self.lagrange, &self.steps);
        if rayon::join(|| self.powers.is_of(monomial), || self.rows.is_of(&rows)) != (true, true) {
            return Err(FALSE);
        }
        // The tables are right for their points: sums by them are.
        let mut bytes = vec![0; 64 * self.domain.size()];
        getrandom::fill(&mut bytes).map_err(Error::Random)?;
        let r: Vec<Fr> = bytes.chunks_exact(64).map(Fr::from_le_bytes_mod_order).collect();
        let coefficients = self.coset.coefficients(&r).values();
        let weights = &r[..self.steps.len()];
        let mut sum = Fr::zero();
        let sums: Vec<Fr> = (0..=self.domain.last_row())
            .map(|row| {
                sum += weights.get(row).copied().unwrap_or_default();
                sum
            })
            .collect();
        let lagrange = self.rows.sum(&r) == self.powers.sum(&coefficients);
        let steps = msm::sum(&self.steps, weights) == self.rows.sum(&sums);
        if lagrange && steps { Ok(()) } else { Err(FALSE) }
    }
}
