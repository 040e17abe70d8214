//! Whether a setup from a file is that of its powers.
//!
//! ```text
//!   tables    sum of all entries with random weights   =   sum of their points           curve::msm
//!   L_i       sum r_i L_i                              =   commitment to the r_i
//!   S_i       sum r_i S_i                              =   sum over rows j of L_j (r_0 + .. + r_min(j, K+1))
//! ```
//! The numbers `r` come from the system when the file is there, so that whoever wrote it did not know them.
//!
//! (notes: ring-file)

use curve::bls12_381::{Fr, G1};
use curve::srs::Srs;
use curve::{Invalid, PrimeField, Zero, msm};

use crate::setup::rows_and_steps;
use crate::{Error, Setup};

impl Setup {
    /// That tables, Lagrange points and steps are those of `srs`.
    pub(crate) fn check(&self, srs: &Srs) -> Result<(), Error> {
        const FALSE: Error = Error::Invalid(Invalid("false tables of a ring"));
        let monomial = srs.powers(self.domain.powers()).ok_or(FALSE)?;
        let rows = rows_and_steps(&self.lagrange, &self.steps);
        let mut random = [[0; 32]; 2];
        getrandom::fill(random.as_flattened_mut()).map_err(Error::Random)?;
        let tables = rayon::join(
            || self.powers.is_of(monomial, &random[0]),
            || self.rows.is_of(&rows, &random[1]) && self.steps.iter().all(G1::is_on_curve),
        );
        if tables != (true, true) {
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
