//! Proving.
//!
//! (notes: ring-prover, ring-own-proof, ring-cost)

mod mask;
mod script;
mod witness;

use std::sync::Arc;

use rayon::prelude::*;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::constraints::{self, Bounds, Row, combine};
use crate::kzg::commit;
use crate::setup::{Blinds, Quarter};
use crate::{Error, Invalid, Params, Proof, Ring, Setup, Verifier};
use curve::bandersnatch::Bandersnatch;
use curve::bls12_381::{Fr, G1};
use curve::columns::Column;
use curve::embedded::{Embedded, Point, doublings, scalar_bits};
use curve::{CurveGroup, Zero, ct};
use mask::Mask;
pub(crate) use script::{Honest, Script};
pub(crate) use witness::{Secret, Witness};

/// A prover for members of a ring, as the ring is when it is made.
pub struct Prover<C: Embedded = Bandersnatch> {
    /// Of its own ring: a proof is verified before it is given away.
    verifier: Verifier<C>,
    setup: Arc<Setup>,
    /// Members and padding.
    keys: Vec<Point<C>>,
    /// Whether a slot has a member.
    live: Vec<bool>,
    doublings: Vec<Point<C>>,
    /// `px` and `py`.
    fixed: [Fixed; 2],
    /// For the commitments to `b`, `ip`, `x`, `y`.
    masks: [Mask; 4],
    /// Where the random rows come from.
    blinds: fn() -> Result<Blinds, Error>,
}

/// A column that is not secret.
struct Fixed {
    coefficients: Column,
    /// Its values on the cosets.
    quarters: [Column; 4],
}

impl<C: Embedded> core::fmt::Debug for Prover<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Prover")
            .field("params", self.params())
            .field("setup", &self.setup)
            .finish_non_exhaustive()
    }
}

impl<C: Embedded> Prover<C> {
    /// A prover for the ring. Cost: two transforms of the rows for each coordinate.
    ///
    /// # Errors
    /// If `ring` was made with another setup, or the system gives no random bytes.
    pub fn new(setup: &Arc<Setup>, ring: &Ring<C>) -> Result<Self, Error> {
        let params = ring.params();
        let key = ring.verifier_key();
        if params.domain != setup.domain || ring.key != setup.key {
            return Err(Error::Mismatch("a ring of another setup or domain"));
        }
        let keys = ring.points();
        let mut live: Vec<bool> = ring.slots().iter().map(Option::is_some).collect();
        live.resize(keys.len(), false);
        let doublings = doublings(params.bases.blinding(), scalar_bits::<C>());
        let column = |of: fn(&Point<C>) -> Fr| {
            let mut rows: Vec<Fr> = keys.iter().chain(&doublings).map(of).collect();
            rows.resize(params.domain.size(), Fr::zero());
            let coefficients = setup.coset.coefficients(&rows);
            let values = |quarter| setup.coset.values(quarter, &coefficients);
            let quarters = setup.coset.quarters.each_ref().map(values);
            Fixed { coefficients, quarters }
        };
        let fixed = [column(|p| p.x), column(|p| p.y)];
        let verifier = Verifier::new(params, &key.kzg, &key.commitment);
        let masks = Mask::of_columns(setup)?;
        let setup = setup.clone();
        Ok(Self { verifier, setup, keys, live, doublings, fixed, masks, blinds: drawn })
    }

    /// **For vectors alone**: random rows that are zero: such a proof says who proved it. Exists in tests of this crate, nowhere else.
    #[cfg(test)]
    pub(crate) fn without_blinding(self) -> Self {
        Self { blinds: || Ok(Blinds::default()), ..self }
    }

    /// **For tests**: the prover of somebody who does not care whether there is a member.
    #[cfg(test)]
    pub(crate) fn take_every_slot(&mut self) {
        self.live.fill(true);
    }

    /// What prover and verifier agree on.
    #[must_use]
    pub fn params(&self) -> &Params<C> {
        self.verifier.params()
    }

    /// `R = key + blinding H` for the member in slot `index`, and the proof that it is of the ring.
    ///
    /// On all threads of the current pool. The proof does not depend on their number.
    ///
    /// No branch and no address depends on `index` or `blinding`, but for the sums that commit to quotient and openings: see the notes.
    ///
    /// The proof is verified before it is returned: with false tables, those of [`Setup::read_trusted`] for one, its commitments could say who made it. One
    /// that verifies is the proof that true tables give, but for a chance of `2^-125`, if points are false and entries their multiples: see the notes. Cost of that: about [`Verifier::verify`].
    ///
    /// # Errors
    /// If there is no such member, the blinding is 0, the system gives no random bytes, the sum of the seed and the blinded key has no value, or the proof does
    /// not verify ([`Error::OwnProof`]).
    pub fn prove(&self, index: usize, blinding: &C::ScalarField) -> Result<(Point<C>, Proof), Error> {
        self.prove_by(index, blinding, &Honest)
    }

    /// [`Self::prove`] by a script.
    pub(crate) fn prove_by(
        &self,
        index: usize,
        blinding: &C::ScalarField,
        script: &impl Script,
    ) -> Result<(Point<C>, Proof), Error> {
        let (result, proof) = self.prove_unchecked(index, blinding, script)?;
        // P5. A pairing does not see what is outside of the subgroup.
        if proof.in_subgroup() && self.verifier.verify(&result, &proof).is_ok() {
            Ok((result, proof))
        } else {
            Err(Error::OwnProof)
        }
    }

    /// P1 to P4: a proof that must not leave before it was verified.
    pub(crate) fn prove_unchecked(
        &self,
        index: usize,
        blinding: &C::ScalarField,
        script: &impl Script,
    ) -> Result<(Point<C>, Proof), Error> {
        let mut member = Choice::from(0);
        for (slot, live) in self.live.iter().enumerate() {
            member |= (index as u64).ct_eq(&(slot as u64)) & Choice::from(u8::from(*live));
        }
        if !bool::from(member) {
            return Err(Error::Index);
        }
        if !bool::from(ct::bits(blinding).fold(Choice::from(0), |any, bit| any | bit)) {
            return Err(Error::Blinding);
        }
        let blinds = Zeroizing::new((self.blinds)()?);
        let secret = Secret { index, blinding, blinds: &blinds };
        let witness = Witness::new(&self.setup, &self.params().bases, (&self.keys, &self.doublings), &secret);
        // Nobody meets this but on purpose.
        Bounds::new(self.params().bases.seed(), &witness.result).ok_or(Invalid("a sum without an end"))?;
        let columns = witness.commit(&self.setup, &self.masks, index)?;
        Ok((witness.result, self.finish(&witness, columns, script)))
    }

    /// P1 to P4: from columns and their commitments to the proof.
    pub(crate) fn finish(&self, witness: &Witness<C>, columns: [G1; 4], script: &impl Script) -> Proof {
        let coset = &self.setup.coset;
        let mut transcript = self.verifier.prelude.clone();
        let alphas = script.factors(transcript.columns(&witness.result, &columns));

        // P2. The quotient of the combined constraints.
        let columns_of_rows = witness.columns.par_iter().map(|rows| coset.coefficients(rows));
        let witness_columns = four(columns_of_rows.collect());
        let quotient = self.quotient(&witness_columns, witness.result, &alphas);
        let quotient = script.quotient(quotient, coset);
        let quotient_commitment = commit(&self.setup.powers, &quotient.values()).into_affine();
        let zeta = transcript.quotient(&quotient_commitment);

        // P3. Values at zeta, and of the linear part at zeta w.
        let [b, ip, x, y] = &witness_columns;
        let [px, py] = self.fixed.each_ref().map(|column| &column.coefficients);
        let polynomials = [px, py, &coset.s, b, ip, x, y];
        let mut values = Row::default();
        values.par_iter_mut().zip(polynomials).for_each(|(value, p)| *value = p.evaluate(zeta));
        let values = script.values(values);
        let (at, _) = self.params().domain.at(zeta).expect("a challenge outside of the domain");
        let shift = combine(&values, &at, &self.bounds(witness.result), &alphas).shift;
        let linear = Column::sum([(shift[0], ip), (shift[1], x), (shift[2], y)]);
        let (linear_quotient, shifted) = linear.divide(zeta * self.params().domain.omega());
        let shifted = script.shifted(shifted);
        let nus = transcript.values(&values, &shifted);

        // P4. Openings.
        let [px, py, s, b, ip, x, y] = polynomials;
        let all = [px, py, s, b, ip, x, y, &quotient];
        let opening = || {
            let sum = Column::sum(core::array::from_fn::<_, 8, _>(|i| (nus[i], all[i])));
            commit(&self.setup.powers, &sum.divide(zeta).0.values()).into_affine()
        };
        let openings =
            rayon::join(opening, || commit(&self.setup.powers, &linear_quotient.values()).into_affine());
        let [opening, shifted_opening] = script.openings(openings.into());
        Proof { columns, values, quotient: quotient_commitment, shifted, opening, shifted_opening }
    }

    fn bounds(&self, result: Point<C>) -> Bounds<C> {
        Bounds::new(self.params().bases.seed(), &result).expect("the sum of a witness has an end")
    }

    /// The coefficients of the quotient, `3N + 1` of them.
    fn quotient(&self, witness: &[Column; 4], result: Point<C>, alphas: &[Fr; 7]) -> Column {
        let coset = &self.setup.coset;
        let constants = self.bounds(result).constants(alphas);
        let part = |(i, quarter): (usize, &Quarter)| {
            let [px, py] = self.fixed.each_ref().map(|column| &column.quarters[i]);
            let [b, ip, x, y] = &witness.each_ref().map(|column| coset.values(quarter, column));
            let [not_last, first, last, factor] = &quarter.selectors;
            let columns = [px, py, &quarter.s, b, ip, x, y, not_last, first, last, factor];
            coset.part(quarter, &constraints::quotient(columns, &constants))
        };
        coset.quotient(&four(coset.quarters.par_iter().enumerate().map(part).collect()))
    }
}

/// Random rows from the system.
fn drawn() -> Result<Blinds, Error> {
    let mut blinds = Blinds::default();
    let drawn = Zeroizing::new(mask::random(blinds.as_flattened().len())?);
    blinds.as_flattened_mut().copy_from_slice(&drawn);
    Ok(blinds)
}

/// A blinding for [`Prover::prove`]: uniform, from the system, and overwritten when it is dropped.
///
/// # Errors
/// If the system gives no random bytes.
pub fn random_blinding<C: Embedded>() -> Result<Zeroizing<C::ScalarField>, Error> {
    let mut bytes = Zeroizing::new([0; 64]);
    getrandom::fill(&mut *bytes).map_err(Error::Random)?;
    Ok(Zeroizing::new(C::reduce(&*bytes)))
}

fn four<T>(all: Vec<T>) -> [T; 4] {
    all.try_into().ok().expect("four of them")
}

/// Masks, for tests of the commitments.
#[cfg(test)]
pub(crate) fn masks_of(setup: &Setup) -> [Mask; 4] {
    Mask::of_columns(setup).expect("random bytes")
}

/// Uniform scalars, for tests.
#[cfg(test)]
pub(crate) fn random_of(count: usize) -> Vec<Fr> {
    mask::random(count).expect("random bytes")
}
