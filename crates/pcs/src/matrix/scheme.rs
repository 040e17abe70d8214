//! What a verifier holds, and `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::chain::{self, Chain};
use super::rows::Matrix;
use super::steps::Steps;
use super::{BatchedClaims, Commitment, Layout, Opening, Params, recursion, two_chains};
use crate::claims::Claims;
use crate::fields::Fields;
use alloc::vec::Vec;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldFibres};
use iop::error::{Invalid, ParamError};
use iop::oracle::OracleSpec;
use iop::security::{Policy, Report};
use iop::transcript::{Call, VerifierTape};

type Types<F, B, E> = fn() -> (F, B, E);

/// Validated parameters: all that a verifier holds. `F` is the family of the fields.
#[derive(Debug, Clone)]
pub struct Scheme<F, B, E> {
    params: Params,
    pub(crate) layout: Layout,
    /// The words of a chain as inner argument; none for the recursion.
    pub(super) chain: Option<Chain>,
    report: Report,
    fields: PhantomData<Types<F, B, E>>,
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Scheme<F, B, E> {
    /// Validates parameters against a policy.
    ///
    /// # Errors
    /// If they name other fields, are out of range, or prove fewer bits than the policy wants.
    pub fn new(params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if Fields::of::<B, E>() != Some(params.fields) || params.fields.family() != F::FAMILY {
            return Err(ParamError::OutOfRange("the parameters name other fields than the types".into()));
        }
        let report = params.validate(policy)?;
        let layout = params.layout();
        Ok(Self::of(params, report, layout))
    }

    /// Parameters that were validated, with what is derived of them.
    pub(super) fn of(params: Params, report: Report, layout: Layout) -> Self {
        let chain = params.chain(&layout.first);
        Self { params, layout, chain, report, fields: PhantomData }
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The matrix that is committed to: its columns, their code and the hash of the tree.
    pub fn matrix(&self) -> &OracleSpec {
        &self.layout.first.shape
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
            // V0: claims about packed entries become one claim about a point of the elements.
            let switched = match self.params.coordinates() {
                None => None,
                Some(coordinates) => Some(F::verify_switch(coordinates, &self.layout, tape, claims)?),
            };
            let claims = switched.as_ref().unwrap_or(claims);
            let matrix = Matrix { root: commitment.root, shape: self.layout.first.shape };
            self.argue(&[matrix], tape, &self.layout.split(commitment, claims))
        })
    }

    /// V1, V2: claims about the columns of these matrices.
    pub(super) fn argue(
        &self,
        matrices: &[Matrix],
        tape: &mut VerifierTape<'_>,
        split: &BatchedClaims<'_, E>,
    ) -> Result<(), Invalid> {
        let layout = &self.layout;
        if let Some(chain) = self.chain.as_ref().filter(|chain| chain.is_double()) {
            let only = split.only::<B>().ok_or(Invalid("two chains prove one form of one polynomial"))?;
            let [Matrix { root, .. }] = matrices else {
                return Err(Invalid("two chains prove about one commitment"));
            };
            return two_chains::verify::<B, E>(chain, &layout.first, tape, *root, &only);
        }
        // V1: claims about the polynomials become one claim about one combined fragment.
        let (weights, claim) = layout.reduce::<B, E>(tape, split)?;
        // V2: the inner argument.
        if let Some(chain) = &self.chain {
            return chain::verify::<B, E>(chain, &layout.first, tape, (matrices, weights), claim);
        }
        recursion::verify::<B, E>(&layout.stages, layout.out_of_domain, tape, (matrices, weights), claim)
    }
}
