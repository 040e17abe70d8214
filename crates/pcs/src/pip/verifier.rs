//! What a verifier holds, and `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::params::{Inner, Params};
use super::{chain, two_chains};
use crate::claims::Claims;
use crate::fields::Fields;
use crate::matrix::{BatchedClaims, Commitment, Layout, Opening, recursion};
use alloc::vec::Vec;
use core::marker::PhantomData;
use field::{ExtensionOf, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::hash::Digest;
use iop::security::{Policy, Report};
use iop::transcript::{Call, VerifierTape};

/// Validated parameters: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct Scheme<B, E> {
    params: Params,
    layout: Layout,
    report: Report,
    fields: PhantomData<fn() -> (B, E)>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme<B, E> {
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
        self.layout.verify::<B, E>(opening, |tape| {
            self.run(commitment.root, tape, &self.layout.split(commitment, claims))
        })
    }

    fn run(
        &self,
        root: Digest,
        tape: &mut VerifierTape<'_>,
        split: &BatchedClaims<'_, E>,
    ) -> Result<(), Invalid> {
        let layout = &self.layout;
        let chain = self.params.chain(&layout.first);
        if let (Inner::TwoChains, Some(chain)) = (&self.params.inner, &chain) {
            let only = split.only().ok_or(Invalid("two chains prove one form of one polynomial"))?;
            return two_chains::verify::<B, E>(chain, &layout.first, tape, root, &only);
        }
        // V1: claims about the polynomials become one claim about one combined fragment.
        let (weights, claim) = layout.reduce::<B, E>(tape, split)?;
        // V2: the inner argument.
        let combined = (root, weights);
        match &chain {
            None => recursion::verify::<B, E>(&layout.stages, layout.out_of_domain, tape, combined, claim),
            Some(chain) => chain::verify::<B, E>(chain, &layout.first, tape, combined, claim),
        }
    }
}
