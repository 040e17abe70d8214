//! Committing and opening.
//!
//! (notes: kzg)

use super::params::{Commitment, Evaluations};
use super::verifier::{Scheme, factors};
use super::{Key, Table, commit, divide, evaluate};
use curve::CurveGroup;
use curve::Zero;
use curve::bls12_381::{Fr, G1Projective, encode_g1};
use curve::srs::Srs;
use iop::error::ParamError;

/// A setup's powers, prepared for commitments.
pub struct Prover<'a> {
    scheme: &'a Scheme,
    powers: Table,
}

/// Polynomials and the commitment to them.
pub struct Witness {
    polynomials: Vec<Vec<Fr>>,
    commitment: Commitment,
}

impl Witness {
    /// What the verifier is given.
    #[must_use]
    pub fn commitment(&self) -> &Commitment {
        &self.commitment
    }
}

impl<'a> Prover<'a> {
    /// A prover for polynomials of so many coefficients. Cost: a table over as many powers.
    ///
    /// # Errors
    /// If the setup is another than the scheme's, or has fewer powers.
    pub fn new(scheme: &'a Scheme, srs: &Srs, coefficients: usize) -> Result<Self, ParamError> {
        let key = Key::new(srs).map_err(|e| ParamError::OutOfRange(e.to_string()))?;
        if key != scheme.params().key {
            return Err(ParamError::OutOfRange("another setup than the scheme's".into()));
        }
        let powers = srs.powers(coefficients).filter(|powers| !powers.is_empty()).ok_or_else(|| {
            ParamError::OutOfRange(format!(
                "{coefficients} coefficients, and a setup of {} powers",
                srs.len()
            ))
        })?;
        Ok(Self { scheme, powers: Table::new(powers) })
    }

    /// Commits to polynomials, the constant coefficient first.
    ///
    /// # Errors
    /// If there are more or fewer than the scheme says, or one is longer than the prover was made for.
    pub fn commit(&self, polynomials: Vec<Vec<Fr>>) -> Result<Witness, ParamError> {
        let wanted = self.scheme.params().polynomials;
        if polynomials.len() != wanted {
            return Err(ParamError::OutOfRange(format!("{} polynomials, not {wanted}", polynomials.len())));
        }
        let most = self.powers.len();
        if let Some(long) = polynomials.iter().find(|p| p.len() > most) {
            return Err(ParamError::OutOfRange(format!(
                "a polynomial of {} coefficients, {most} at most",
                long.len()
            )));
        }
        let sums: Vec<G1Projective> = polynomials.iter().map(|p| commit(&self.powers, p)).collect();
        let points = G1Projective::normalize_batch(&sums);
        Ok(Witness { polynomials, commitment: Commitment { points } })
    }

    /// Opens all polynomials at `points`, and binds `context` into the proof: what is stated, and 48 bytes for each point.
    ///
    /// # Panics
    /// If there are no points, or more than the scheme says.
    #[must_use]
    pub fn open(&self, witness: &Witness, points: &[Fr], context: &[u8]) -> (Evaluations, Vec<u8>) {
        let at = |z: &Fr| witness.polynomials.iter().map(|p| evaluate(p, *z)).collect();
        let values = points.iter().map(at).collect();
        let stated = Evaluations { points: points.to_vec(), values, context: context.to_vec() };
        assert!(stated.fits(self.scheme.params()), "from one point to as many as the scheme says");
        // P1. The statement, then the factors that make one polynomial of all.
        let mut tape = self.scheme.bound(&witness.commitment, &stated).prover();
        let combined = self.combined(witness, &factors(&mut tape, witness.polynomials.len()));
        // P2. An opening for each point.
        for z in points {
            let (quotient, _) = divide(&combined, *z);
            tape.send_bytes("opening", &encode_g1(&commit(&self.powers, &quotient).into_affine()));
        }
        (stated, tape.finish())
    }

    fn combined(&self, witness: &Witness, factors: &[Fr]) -> Vec<Fr> {
        let length = witness.polynomials.iter().map(Vec::len).max().unwrap_or(0);
        let mut sum = vec![Fr::zero(); length];
        for (polynomial, factor) in witness.polynomials.iter().zip(factors) {
            sum.iter_mut().zip(polynomial).for_each(|(sum, c)| *sum += *factor * c);
        }
        sum
    }
}
