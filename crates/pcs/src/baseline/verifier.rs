//! What a verifier holds, and the part of `verify` that follows the words from fold to fold.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::params::{Baseline, Params};
use crate::claims::Claims;
use crate::codec::Reader;
use crate::fields::Fields;
use crate::matrix::Commitment;
use alloc::vec::Vec;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldableCode, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::fold::{self, Squared};
use iop::hash::Digest;
use iop::security::{Policy, Report};
use iop::transcript::{Bound, Call, Challenger, Domain, VerifierTape};

/// Validated parameters: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct Scheme<S, B, E> {
    pub(crate) params: Params<S>,
    report: Report,
    digest: Digest,
    fields: PhantomData<fn() -> (B, E)>,
}

/// The steps of a scheme's verifier between the statement and the end of the proof.
pub trait Steps<B, E>: Baseline {
    /// Reads and checks the messages of a proof. Claims and commitment have the shapes of the parameters.
    ///
    /// # Errors
    /// If the proof is wrong in any way.
    fn check_steps(
        scheme: &Scheme<Self, B, E>,
        tape: &mut VerifierTape<'_>,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
    ) -> Result<(), Invalid>;
}

/// The first word at the drawn leaves: its values at `x` and `-x` for each, and the inverses of the points `x`.
pub(crate) struct Links<'a, B, E> {
    pub leaves: &'a [usize],
    pub values: &'a [E],
    pub points: Vec<B>,
}

/// Roots of the words after the first, the challenge that folds each word, and what the last fold leaves.
pub(crate) struct Words<'a, E> {
    pub roots: &'a [Digest],
    pub challenges: &'a [E],
    pub message: &'a [E],
}

impl<S: Baseline, B: TwoAdic, E: ExtensionOf<B>> Scheme<S, B, E> {
    /// Validates parameters against a policy.
    ///
    /// # Errors
    /// If the parameters name other fields, are out of range, or prove too few bits.
    pub fn new(params: Params<S>, policy: &Policy) -> Result<Self, ParamError> {
        if Fields::of::<B, E>() != Some(params.fields) {
            return Err(ParamError::OutOfRange("the parameters name other fields than the types".into()));
        }
        let report = params.validate(policy)?;
        let digest = params.digest();
        Ok(Self { params, report, digest, fields: PhantomData })
    }

    /// The parameters.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Accepts if every claim holds for the committed polynomial.
    ///
    /// Cost: for each of the `rounds` words, `queries` leaves with their paths, and what [`Steps::check_steps`] says.
    ///
    /// # Errors
    /// If the claims or the commitment do not fit the parameters, or the proof is wrong in any way.
    pub fn verify(&self, commitment: &Commitment<E>, claims: &Claims<E>, proof: &[u8]) -> Result<(), Invalid>
    where
        S: Steps<B, E>,
    {
        self.script(commitment, claims, proof).map(|_| ())
    }

    /// The calls of a valid proof's transcript in order: what each of its bytes is.
    ///
    /// # Errors
    /// As [`Scheme::verify`].
    pub fn script(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid>
    where
        S: Steps<B, E>,
    {
        self.check_shapes(commitment, claims)?;
        let mut tape = self.bind(commitment, claims).verifier(proof);
        S::check_steps(self, &mut tape, commitment, claims)?;
        let script = tape.script().to_vec();
        tape.finish()?;
        Ok(script)
    }

    /// Reads the encoding of a commitment, exactly.
    ///
    /// # Errors
    /// If it is too short or long, or the value is no canonical field element.
    pub fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        let short = Invalid("the commitment is cut short");
        let mut r = Reader::new(bytes);
        let root = r.digest(self.params.hash).ok_or(short)?;
        let count = usize::from(self.params.out_of_domain());
        let values = r.bytes(count.saturating_mul(E::BYTES)).ok_or(short)?;
        let values = values.chunks_exact(E::BYTES).map(E::from_bytes).collect::<Option<_>>();
        let out_of_domain = values.ok_or(Invalid("non-canonical field element in the commitment"))?;
        r.finish().ok_or(Invalid("bytes after the commitment"))?;
        Ok(Commitment { root, out_of_domain })
    }

    /// Refuses claims and commitments of another shape than the parameters'.
    pub(crate) fn check_shapes(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Result<(), Invalid> {
        if !claims.fits(self.params.variables(), 1) {
            return Err(Invalid("the claims do not fit the parameters"));
        }
        if u32::try_from(claims.forms.len()).map_or(true, |n| n > self.params.own.max_forms()) {
            return Err(Invalid("more linear forms than the parameters allow"));
        }
        if commitment.out_of_domain.len() != usize::from(self.params.out_of_domain()) {
            return Err(Invalid("the commitment does not fit the parameters"));
        }
        Ok(())
    }

    /// The transcript of an opening, bound to parameters, commitment, forms, values and context.
    pub(crate) fn bind(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Bound {
        let statement = claims.digest(self.params.hash, &commitment.to_bytes());
        Domain::new(self.params.hash, S::LABELS.open, &self.digest).statement(&statement)
    }

    /// The transcript that a commitment's out-of-domain point is drawn from; `None` in unique decoding.
    pub(crate) fn committed(&self, root: &Digest) -> Option<Bound> {
        let domain = || Domain::new(self.params.hash, S::LABELS.commit, &self.digest);
        self.params.out_of_domain().then(|| domain().statement(root))
    }

    pub(crate) fn log_columns(&self) -> usize {
        usize::try_from(self.params.log_columns).unwrap_or(0)
    }

    /// Checks the work and draws leaves of the first tree.
    pub(crate) fn positions(&self, tape: &mut VerifierTape<'_>) -> Result<Vec<usize>, Invalid> {
        tape.grind("query grinding", self.params.grinding)?;
        let queries = usize::try_from(self.params.queries).map_err(|_| Invalid("queries"))?;
        Ok(tape.positions("positions", self.params.tree(0).code.log_domain(), queries))
    }

    /// Checks that each word is the fold of the one before at the drawn positions, and the final message that of the last.
    pub(crate) fn check_words(
        &self,
        tape: &mut VerifierTape<'_>,
        first: Links<'_, B, E>,
        words: &Words<'_, E>,
    ) -> Result<(), Invalid> {
        let mut challenges = words.challenges.iter();
        let &r = challenges.next().ok_or(Invalid("no rounds"))?;
        let mut links = fold::fold(first.leaves, first.points, first.values, &[[E::ONE - r, r]])?;
        for (round, (root, &r)) in (1..).zip(words.roots.iter().zip(challenges)) {
            let leaves = fold::leaf_indices(&links, 1);
            let pairs: Vec<E> = self.params.tree(round).read_rows(tape, root, &leaves)?.all()?;
            let points = fold::check_consistency::<B, E>(&links, &leaves, &pairs, 1)?;
            links = fold::fold(&leaves, points, &pairs, &[[E::ONE - r, r]])?;
        }
        let last = Squared { code: self.params.code(0), squarings: self.params.rounds() };
        for link in links {
            if B::evaluate(words.message, last.point::<B>(link.position)) != link.value {
                return Err(Invalid("the final message is not the fold of the last word"));
            }
        }
        Ok(())
    }
}
