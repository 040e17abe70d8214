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
use super::reduce::{self, Split};
use super::stage::Stage;
use super::{chain, recursion, two_chains};
use crate::claims::Claims;
use crate::codec::{Reader, Writer};
use crate::fields::Fields;
use core::marker::PhantomData;
use field::{ExtensionOf, Field, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::hash::Digest;
use iop::poly::{Tensor, to_bytes};
use iop::security::{Policy, Report};
use iop::transcript::{Bound, Call, Challenger, Domain, VerifierTape};

/// Validated parameters: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct Scheme<B, E> {
    params: Params,
    stages: Vec<Stage>,
    report: Report,
    digest: Digest,
    fields: PhantomData<fn() -> (B, E)>,
}

/// A commitment: the root over the codeword's rows and, outside unique decoding, one value per polynomial at a
/// point drawn from the root, which pins the commitment to one list member. (notes: pip-commit)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commitment<E> {
    /// Root of the Merkle tree.
    pub root: Digest,
    /// Out-of-domain values, one per polynomial; empty in unique decoding.
    pub out_of_domain: Vec<E>,
}

impl<E: Field> Commitment<E> {
    /// Root, then the values.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.root);
        w.bytes(&to_bytes(&self.out_of_domain));
        w.finish()
    }
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme<B, E> {
    /// Validates parameters against a policy.
    pub fn new(params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if Fields::of::<B, E>() != Some(params.fields) {
            return Err(ParamError("the parameters name other fields than the types".into()));
        }
        let report = params.validate(policy)?;
        let (stages, digest) = (params.stages(), params.digest());
        Ok(Self { params, stages, report, digest, fields: PhantomData })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub(super) fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Reads the encoding of a commitment, exactly.
    pub fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        let mut r = Reader::new(bytes);
        let root = r.array().ok_or(Invalid("the commitment is cut short"))?;
        let count = if self.params.out_of_domain() { self.polynomials() } else { 0 };
        let values = r.bytes(count.saturating_mul(E::BYTES)).ok_or(Invalid("the commitment is cut short"))?;
        let values = values.chunks_exact(E::BYTES).map(E::from_bytes).collect::<Option<_>>();
        let out_of_domain = values.ok_or(Invalid("non-canonical field element in the commitment"))?;
        r.finish().ok_or(Invalid("bytes after the commitment"))?;
        Ok(Commitment { root, out_of_domain })
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
        self.check_length(proof)?;
        let mut tape = self.bind(commitment, claims).verifier(proof);
        self.run(commitment, claims, &mut tape)?;
        tape.finish()
    }

    /// The calls of a valid proof's transcript in order: what each of its bytes is.
    pub fn script(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        self.check_length(proof)?;
        let mut tape = self.bind(commitment, claims).verifier(proof);
        self.run(commitment, claims, &mut tape)?;
        let script = tape.script().to_vec();
        tape.finish()?;
        Ok(script)
    }

    fn run(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        tape: &mut VerifierTape<'_>,
    ) -> Result<(), Invalid> {
        self.check_shapes(commitment, claims)?;
        let point = self.out_of_domain_point(&commitment.root);
        let out_of_domain = point.as_ref().map(|z| (z, commitment.out_of_domain.as_slice()));
        let split = Split::new(&self.params, out_of_domain, claims);
        let first = self.stages.first().ok_or(Invalid("no stages"))?;
        let rounds = first.rounds;
        let chain = self.params.chain(first);
        if let (Inner::TwoChains, Some(chain)) = (&self.params.inner, &chain) {
            let only = split.only().ok_or(Invalid("two chains prove one form of one polynomial"))?;
            return two_chains::verify::<B, E>(chain, first, tape, commitment.root, &only);
        }
        // V1: claims about the polynomials become one claim about one combined fragment.
        let (weights, claim) = if self.params.hidden_openings == 0 {
            reduce::verify::<B, E>(rounds, tape, &split)?
        } else {
            let mask = self.read_mask(tape)?;
            reduce::verify_hiding::<B, E>(rounds, tape, &split, mask)?
        };
        // V2: the inner argument.
        let combined = (commitment.root, weights);
        match &chain {
            None => {
                let out_of_domain = self.params.out_of_domain();
                recursion::verify::<B, E>(&self.stages, out_of_domain, tape, combined, claim)
            }
            Some(chain) => chain::verify::<B, E>(chain, first, tape, combined, claim),
        }
    }

    fn check_shapes(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Result<(), Invalid> {
        let variables = usize::try_from(self.params.log_size).map_err(|_| Invalid("size"))?;
        if !claims.fits(variables, self.polynomials()) {
            return Err(Invalid("the claims do not fit the parameters"));
        }
        let most = if self.params.hidden_openings == 0 { self.params.max_forms } else { 1 };
        if u32::try_from(claims.forms.len()).map_or(true, |n| n > most) {
            return Err(Invalid("more linear forms than the parameters allow"));
        }
        let expected = if self.params.out_of_domain() { self.polynomials() } else { 0 };
        if commitment.out_of_domain.len() != expected {
            return Err(Invalid("the commitment does not fit the parameters"));
        }
        Ok(())
    }

    /// Refuses a proof shorter than one row of every matrix: weights for each column are laid out before the rows are
    /// read, and parameters alone must not make the verifier allocate them.
    fn check_length(&self, proof: &[u8]) -> Result<(), Invalid> {
        let rows = self.stages.iter().map(|stage| stage.shape.width.saturating_mul(B::BYTES));
        if proof.len() < rows.fold(0, usize::saturating_add) {
            return Err(Invalid("the proof is too short for its parameters"));
        }
        Ok(())
    }

    fn polynomials(&self) -> usize {
        usize::try_from(self.params.polynomials).unwrap_or(usize::MAX)
    }

    /// The transcript of an opening, bound to parameters, commitment, forms, values and context.
    pub(super) fn bind(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Bound {
        let statement = claims.digest(self.params.hash, &commitment.to_bytes());
        Domain::new(self.params.hash, "tenfold pip open v1", &self.digest).statement(&statement)
    }

    /// The point that a commitment's out-of-domain values belong to; `None` in unique decoding.
    pub(super) fn out_of_domain_point(&self, root: &Digest) -> Option<Tensor<E>> {
        self.params.out_of_domain().then(|| {
            let bound = Domain::new(self.params.hash, "tenfold pip commit v1", &self.digest).statement(root);
            let variables = usize::try_from(self.params.log_size).unwrap_or(0);
            let z: Vec<E> = bound.verifier(&[]).challenges("out-of-domain point", variables);
            Tensor::point(&z)
        })
    }

    /// Which mask a hiding opening uses.
    fn read_mask(&self, tape: &mut VerifierTape<'_>) -> Result<usize, Invalid> {
        let byte = tape.receive_bytes("mask", 1)?.first().copied().ok_or(Invalid("mask"))?;
        if u32::from(byte) >= self.params.hidden_openings {
            return Err(Invalid("no such mask"));
        }
        Ok(usize::from(byte))
    }
}
