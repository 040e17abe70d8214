//! What a verifier holds, and `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::claim::{Claim, Halved};
use super::params::Params;
use crate::claims::Claims;
use crate::codec::Reader;
use crate::fields::Fields;
use crate::matrix::Weights;
use crate::pip::Commitment;
use alloc::vec::Vec;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldableCode, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::fold::{self, Queries, Squared};
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::transcript::{Bound, Call, Challenger, Domain, VerifierTape};

/// Validated parameters: all that a verifier holds.
#[derive(Debug, Clone)]
pub struct Scheme<B, E> {
    params: Params,
    report: Report,
    digest: Digest,
    fields: PhantomData<fn() -> (B, E)>,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme<B, E> {
    /// Validates parameters against a policy.
    ///
    /// # Errors
    /// If the parameters name other fields, are out of range, or prove too few bits.
    pub fn new(params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if Fields::of::<B, E>() != Some(params.fields) {
            return Err(ParamError("the parameters name other fields than the types".into()));
        }
        let report = params.validate(policy)?;
        let digest = params.digest();
        Ok(Self { params, report, digest, fields: PhantomData })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Reads the encoding of a commitment, exactly.
    ///
    /// # Errors
    /// If it is too short or long, or the value is no canonical field element.
    pub fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        let mut r = Reader::new(bytes);
        let root = r.digest(self.params.hash).ok_or(Invalid("the commitment is cut short"))?;
        let mut out_of_domain = Vec::new();
        if self.params.out_of_domain() {
            let value = r.bytes(E::BYTES).ok_or(Invalid("the commitment is cut short"))?;
            let value =
                E::from_bytes(value).ok_or(Invalid("non-canonical field element in the commitment"))?;
            out_of_domain.push(value);
        }
        r.finish().ok_or(Invalid("bytes after the commitment"))?;
        Ok(Commitment { root, out_of_domain })
    }

    /// Accepts if every claim holds for the committed polynomial.
    ///
    /// Cost: for each of the `rounds` words, `queries` leaves with their paths; a claim costs a few products a
    /// round.
    ///
    /// # Errors
    /// If the claims or the commitment do not fit the parameters, or the proof is wrong in any way.
    pub fn verify(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<(), Invalid> {
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
    ) -> Result<Vec<Call>, Invalid> {
        self.check_shapes(commitment, claims)?;
        let mut tape = self.bind(commitment, claims).verifier(proof);
        let stated = self.stated(commitment, claims);
        // V1: claims about the polynomial become claims about one combination of its fragments.
        let (weights, mut claims) = self.combine(&mut tape, stated)?;
        // V2: each round folds every claim with the word.
        let rounds = self.params.rounds();
        let (mut roots, mut challenges) = (vec![commitment.root], Vec::new());
        for round in 0..rounds {
            if round > 0 {
                roots.push(tape.receive_digest("root")?);
                if self.params.deep {
                    let form = self.deep_point(&mut tape, round);
                    claims.push(Claim { form, value: receive_one(&mut tape, "deep value")? });
                }
            }
            let halves = receive_slopes(&mut tape, &claims)?;
            let r: E = tape.challenge("fold");
            claims = halves.into_iter().map(|(halved, even, slope)| halved.fold(even, slope, r)).collect();
            challenges.push(r);
        }
        // V3: the final message satisfies every claim.
        let length = self.params.code(rounds).dimension();
        let message: Vec<E> = tape.receive("final message", length)?;
        if claims.iter().any(|claim| claim.form.apply(&message) != claim.value) {
            return Err(Invalid("the final message does not satisfy the claims"));
        }
        // V4: each word is the fold of the one before, and the final message that of the last.
        let links = self.follow(&mut tape, &weights, &roots, &challenges)?;
        let last = Squared { code: self.params.code(0), squarings: rounds };
        for link in links {
            if B::evaluate(&message, last.point::<B>(link.position)) != link.value {
                return Err(Invalid("the final message is not the fold of the last word"));
            }
        }
        let script = tape.script().to_vec();
        tape.finish()?;
        Ok(script)
    }

    /// Opens the words at random positions, checks all links between them, and returns those into the final
    /// message.
    fn follow(
        &self,
        tape: &mut VerifierTape<'_>,
        weights: &Weights<E>,
        roots: &[Digest],
        challenges: &[E],
    ) -> Result<Queries<B, E>, Invalid> {
        let (root, &r) = roots.first().zip(challenges.first()).ok_or(Invalid("no rounds"))?;
        let positions = self.positions(tape)?;
        let tree = self.params.tree(0);
        // A leaf holds two rows.
        let rows = tree.read_rows::<B>(tape, root, &positions)?.reshaped(self.params.columns());
        let values = weights.combine::<B>(&rows)?;
        let points = fold::points::<B>(&self.params.code(0), &positions, 1)?;
        let mut links = fold::fold(&positions, points, &values, &[[E::ONE - r, r]])?;
        let words = roots.iter().zip(challenges).enumerate().skip(1);
        for (round, (root, &r)) in words {
            let leaves = fold::leaf_indices(&links, 1);
            let pairs: Vec<E> = self.params.tree(round).read_rows(tape, root, &leaves)?.all()?;
            let points = fold::check_consistency::<B, E>(&links, &leaves, &pairs, 1)?;
            links = fold::fold(&leaves, points, &pairs, &[[E::ONE - r, r]])?;
        }
        Ok(links)
    }

    /// Claims about the combination of the fragments, and the weights that combine them.
    fn combine(
        &self,
        tape: &mut VerifierTape<'_>,
        stated: Vec<Claim<E>>,
    ) -> Result<(Weights<E>, Vec<Claim<E>>), Invalid> {
        let variables = self.log_columns();
        if variables == 0 {
            return Ok((Weights::tensor(&TensorForm::point(&[]), E::ONE, 1), stated));
        }
        let mut partials = Vec::with_capacity(stated.len());
        for claim in stated {
            let (columns, rows) = claim.form.split(variables);
            let partial: Vec<E> = tape.receive("partial evaluations", self.params.columns())?;
            if columns.apply(&partial) != claim.value {
                return Err(Invalid("the partial evaluations do not add up to the value"));
            }
            partials.push((rows, partial));
        }
        let point = self.column_point(tape);
        let claim = |(form, partial): (TensorForm<E>, Vec<E>)| Claim { form, value: point.apply(&partial) };
        let claims = partials.into_iter().map(claim).collect();
        Ok((Weights::tensor(&point, E::ONE, self.params.columns()), claims))
    }

    fn check_shapes(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Result<(), Invalid> {
        let variables = usize::try_from(self.params.log_size).map_err(|_| Invalid("size"))?;
        if !claims.fits(variables, 1) {
            return Err(Invalid("the claims do not fit the parameters"));
        }
        if u32::try_from(claims.forms.len()).map_or(true, |n| n > self.params.max_forms) {
            return Err(Invalid("more linear forms than the parameters allow"));
        }
        if commitment.out_of_domain.len() != usize::from(self.params.out_of_domain()) {
            return Err(Invalid("the commitment does not fit the parameters"));
        }
        Ok(())
    }

    /// The claims of an opening, the commitment's out-of-domain value first.
    pub(super) fn stated(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Vec<Claim<E>> {
        let point = self.out_of_domain_point(&commitment.root);
        let at_commit = point.into_iter().zip(commitment.out_of_domain.iter().copied());
        let given = claims.forms.iter().cloned().zip(claims.values.iter().flatten().copied());
        at_commit.chain(given).map(|(form, value)| Claim { form, value }).collect()
    }

    /// The transcript of an opening, bound to parameters, commitment, forms, values and context.
    pub(super) fn bind(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Bound {
        let statement = claims.digest(self.params.hash, &commitment.to_bytes());
        Domain::new(self.params.hash, "tenfold deepfold open v1", &self.digest).statement(&statement)
    }

    /// The point that a commitment's out-of-domain value belongs to; `None` in unique decoding.
    pub(super) fn out_of_domain_point(&self, root: &Digest) -> Option<TensorForm<E>> {
        self.params.out_of_domain().then(|| {
            let bound =
                Domain::new(self.params.hash, "tenfold deepfold commit v1", &self.digest).statement(root);
            let variables = usize::try_from(self.params.log_size).unwrap_or(0);
            TensorForm::point(&bound.verifier(&[]).challenges::<E>("out-of-domain point", variables))
        })
    }

    /// The point outside of the domain that pins the word of a round.
    pub(super) fn deep_point(&self, tape: &mut impl Challenger, round: usize) -> TensorForm<E> {
        TensorForm::point(&tape.challenges::<E>("deep point", self.params.code(round).log_rows))
    }

    /// Random weights of the fragments, `⊗(1 - r_v, r_v)`.
    pub(super) fn column_point(&self, tape: &mut impl Challenger) -> TensorForm<E> {
        TensorForm::point(&tape.challenges::<E>("combine columns", self.log_columns()))
    }

    fn log_columns(&self) -> usize {
        usize::try_from(self.params.log_columns).unwrap_or(0)
    }

    /// Checks the work and draws leaves of the first tree.
    fn positions(&self, tape: &mut VerifierTape<'_>) -> Result<Vec<usize>, Invalid> {
        tape.grind("query grinding", self.params.grinding)?;
        let queries = usize::try_from(self.params.queries).map_err(|_| Invalid("queries"))?;
        Ok(tape.positions("positions", self.params.tree(0).code.log_domain(), queries))
    }
}

/// Reads what the prover sends of all claims before a fold: each halved, with its even value and its slope.
fn receive_slopes<E: field::Field>(
    tape: &mut VerifierTape<'_>,
    claims: &[Claim<E>],
) -> Result<Vec<(Halved<E>, E, E)>, Invalid> {
    let halved = claims.iter().map(Claim::halve).collect::<Option<Vec<_>>>();
    let halved = halved.ok_or(Invalid("a claim has too few variables"))?;
    let sent: Vec<E> = tape.receive("slopes", halved.iter().map(Halved::sent).sum())?;
    let mut rest = sent.as_slice();
    let mut halves = Vec::with_capacity(halved.len());
    for halved in halved {
        let (sent, others) = rest.split_at_checked(halved.sent()).ok_or(Invalid("slopes"))?;
        rest = others;
        let even = halved.even(sent).ok_or(Invalid("the values of the halves do not add up to the claim"))?;
        let slope = sent.first().copied().ok_or(Invalid("slope"))?;
        halves.push((halved, even, slope));
    }
    Ok(halves)
}

fn receive_one<E: field::Field>(tape: &mut VerifierTape<'_>, label: &'static str) -> Result<E, Invalid> {
    tape.receive::<E>(label, 1)?.first().copied().ok_or(Invalid("one value"))
}
