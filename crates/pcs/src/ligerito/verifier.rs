//! What a verifier holds, and `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::fields::Fields;
use super::params::Params;
use super::ring_switching::{Batch, Coordinates};
use crate::claims::Claims;
use crate::matrix::{Commitment, Layout, Opening, recursion};
use alloc::vec::Vec;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldableCode};
use iop::error::{Invalid, ParamError};
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::sumcheck::{self, Rounds};
use iop::transcript::{Call, VerifierTape};

/// Validated parameters: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct Scheme<B, E> {
    params: Params,
    layout: Layout,
    report: Report,
    fields: PhantomData<fn() -> (B, E)>,
}

impl<B: FoldableCode, E: ExtensionOf<B>> Scheme<B, E> {
    /// Validates parameters against a policy.
    pub fn new(params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if Fields::of::<B, E>() != Some(params.fields) {
            return Err(ParamError("the parameters name other fields than the types".into()));
        }
        let report = params.validate(policy)?;
        let layout = params.layout();
        Ok(Self { params, layout, report, fields: PhantomData })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Reads the encoding of a commitment, exactly.
    pub fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        self.layout.read_commitment(bytes)
    }

    /// Accepts if every claim holds for the committed polynomials.
    ///
    /// Cost: `queries` rows hashed per level with their paths, and about as many field operations.
    pub fn verify(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<(), Invalid> {
        self.script(commitment, claims, proof).map(|_| ())
    }

    /// The calls of a valid proof's transcript in order: what each of its bytes is.
    pub fn script(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        let opening = Opening { commitment, claims, proof };
        self.layout.verify::<B, E>(opening, |tape| match self.params.coordinates() {
            None => self.run(commitment, claims, tape),
            Some(coordinates) => {
                let point = self.switch(coordinates, claims, tape)?;
                self.run(commitment, &point, tape)
            }
        })
    }

    fn run(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        tape: &mut VerifierTape<'_>,
    ) -> Result<(), Invalid> {
        let layout = &self.layout;
        // V1: claims about the polynomials become one claim about one combined lane.
        let (weights, claim) = layout.reduce::<B, E>(tape, &layout.split(commitment, claims))?;
        // V2: the recursion.
        let combined = (commitment.root, weights);
        recursion::verify::<B, E>(&layout.stages, layout.out_of_domain, tape, combined, claim)
    }

    /// V0: claims about packed entries become one claim about the value at a point of the entries of the alphabet.
    fn switch(
        &self,
        coordinates: Coordinates,
        claims: &Claims<E>,
        tape: &mut VerifierTape<'_>,
    ) -> Result<Claims<E>, Invalid> {
        let packed = usize::try_from(self.params.log_packed()).unwrap_or(usize::MAX);
        let mut sums = Vec::new();
        let mut highs = Vec::new();
        for (form, values) in claims.forms.iter().zip(&claims.values) {
            let (low, high) = form.split(packed);
            let parts: Vec<E> = tape.receive("parts", coordinates.count(B::BYTES))?;
            let value: E = low.expand().iter().zip(&parts).map(|(&weight, &part)| weight * part).sum();
            if values.first() != Some(&value) {
                return Err(Invalid("the parts of a claim do not make its value"));
            }
            sums.push(coordinates.transpose::<B, E>(&parts));
            highs.push(high);
        }
        let batch = Batch::draw(tape, coordinates.count(E::BYTES), highs.len());
        let claimed = batch.value(&sums);
        let rounds = Rounds { count: self.layout.log_size, grinding: 0 };
        let (r, left) = sumcheck::verify(tape, rounds, claimed)?;
        let value = tape.receive::<E>("value at the point", 1)?.first().copied().ok_or(Invalid("a value"))?;
        let weight: E = highs
            .iter()
            .zip(&batch.gammas)
            .map(|(high, &gamma)| gamma * coordinates.extension::<B, E>(high, &r, &batch.rho))
            .sum();
        if weight * value != left {
            return Err(Invalid("the value at the point does not make the claimed sum"));
        }
        Ok(Claims { forms: vec![TensorForm::point(&r)], values: vec![vec![value]], context: Vec::new() })
    }
}
