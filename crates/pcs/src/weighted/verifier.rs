//! What a verifier of weighted sums holds, and `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::points::{Facts, Points};
use super::security::{report, rounds};
use super::statement::{Claim, Statement};
use crate::claims::Claims;
use crate::matrix::Commitment;
use alloc::vec::Vec;
use field::{ExtensionOf, Field};
use iop::error::{Invalid, ParamError};
use iop::hash::Digest;
use iop::poly::{TensorForm, dot, dot_base, powers};
use iop::security::{Policy, Report};
use iop::sumcheck::{self, Rounds};
use iop::transcript::{Bound, Call, Challenger, Domain};

/// A scheme with validated parameters that admit weighted sums.
#[derive(Debug, Clone)]
pub struct Scheme<S> {
    inner: S,
    facts: Facts,
    report: Report,
}

/// What the sumcheck leaves to be checked.
struct Reduced<'a, E> {
    /// The random point `r`.
    point: Vec<E>,
    /// What `f(r)·w(r)` must be.
    left: E,
    /// The stated `f(r)`, of the polynomials combined.
    value: E,
    /// The value of each polynomial, as claims of the inner opening.
    claims: Claims<E>,
    /// The inner opening's proof.
    inner: &'a [u8],
    /// The calls so far.
    script: Vec<Call>,
}

impl<S: Points> Scheme<S> {
    /// Validates parameters against a policy, the weighted sum's own error included.
    ///
    /// # Errors
    /// If the parameters are refused as they are, hide, are about entries of the challenge field, or have no room for that error.
    pub fn new(params: S::Params, policy: &Policy) -> Result<Self, ParamError> {
        Self::from_points(S::new(params, policy)?, policy)
    }

    /// [`Scheme::new`] over a scheme that was validated.
    ///
    /// # Errors
    /// As there.
    pub fn from_points(inner: S, policy: &Policy) -> Result<Self, ParamError> {
        let facts = inner.facts();
        if facts.hidden_openings > 0 {
            return Err(ParamError::OutOfRange("a weighted sum would reveal a hiding commitment".into()));
        }
        if facts.extension_entries {
            return Err(ParamError::OutOfRange("a weighted sum is about entries of the data field".into()));
        }
        let report = report(&facts, inner.report().clone());
        policy.check(&report).map_err(|e| e.after("no room for a weighted sum: "))?;
        Ok(Self { inner, facts, report })
    }

    /// The scheme that commits and opens points.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// What is derived from the parameters.
    #[cfg(feature = "prover")]
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The parameters.
    pub fn params(&self) -> &S::Params {
        self.inner.params()
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Accepts if the claimed weighted sums are those of the committed polynomials.
    ///
    /// Cost: a product for each weight, however many polynomials there are, and an opening's verification.
    ///
    /// # Errors
    /// Why the proof is refused.
    pub fn verify(
        &self,
        commitment: &Commitment<S::Challenge>,
        claim: &Claim<S::Base>,
        proof: &[u8],
    ) -> Result<(), Invalid> {
        let entries = u32::try_from(self.facts.variables).ok().and_then(|n| 1u64.checked_shl(n));
        if u64::try_from(claim.weights.len()).map_or(true, |n| n > entries.unwrap_or(u64::MAX)) {
            return Err(Invalid("more weights than entries"));
        }
        // V1: the sum becomes a product at a random point.
        let reduced = self.reduce(commitment, &claim.statement(self.facts.hash), proof)?;
        // V2: the verifier's factor is the weights'.
        if reduced.value * extension(&claim.weights, &reduced.point) != reduced.left {
            return Err(Invalid("the value at the point does not make the weighted sum"));
        }
        // V3: the prover's factor is the column's.
        self.inner.script(commitment, &reduced.claims, reduced.inner).map(|_| ())
    }

    /// The calls of a proof's transcripts in order: what each of its bytes is. All is checked but the weights, for which
    /// the statement has a digest only.
    pub fn script(
        &self,
        commitment: &Commitment<S::Challenge>,
        statement: &Statement<S::Base>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        let reduced = self.reduce(commitment, statement, proof)?;
        let mut script = reduced.script;
        script.extend(self.inner.script(commitment, &reduced.claims, reduced.inner)?);
        Ok(script)
    }

    fn reduce<'a>(
        &self,
        commitment: &Commitment<S::Challenge>,
        statement: &Statement<S::Base>,
        proof: &'a [u8],
    ) -> Result<Reduced<'a, S::Challenge>, Invalid> {
        let (hash, rounds) = (self.facts.hash, rounds(&self.facts));
        let (messages, inner) = proof
            .split_at_checked(message_bytes::<S::Challenge>(rounds, self.facts.polynomials))
            .ok_or(Invalid("proof is too short"))?;
        if statement.values.len() != self.facts.polynomials {
            return Err(Invalid("a weighted sum for another number of polynomials"));
        }
        let bound = statement.digest(hash, &commitment.to_bytes());
        let mut tape = self.bind(&bound).verifier(messages);
        let factors = factors(&mut tape, self.facts.polynomials);
        let claimed = dot_base(&statement.values, &factors);
        let (point, left) = sumcheck::verify(&mut tape, rounds, claimed)?;
        let values = tape.receive::<S::Challenge>("value at the point", self.facts.polynomials)?;
        let script = tape.script().to_vec();
        tape.finish()?;
        let (value, context) = (dot(&values, &factors), statement.inner_context(hash, &bound, messages));
        let claims = Claims { forms: vec![TensorForm::point(&point)], values: vec![values], context };
        Ok(Reduced { point, left, value, claims, inner, script })
    }

    /// The sumcheck's transcript, bound to parameters, commitment, weights, value and context by the statement's digest.
    pub(super) fn bind(&self, statement: &Digest) -> Bound {
        let Facts { hash, label, digest, .. } = &self.facts;
        Domain::new(*hash, label, digest).statement(statement)
    }
}

/// Bytes of the sumcheck's messages and of the values at the point.
fn message_bytes<E: Field>(rounds: Rounds, polynomials: usize) -> usize {
    let nonce = if rounds.grinding > 0 { 8 } else { 0 };
    let values = polynomials.saturating_mul(E::BYTES);
    rounds.count.saturating_mul(2 * E::BYTES + nonce).saturating_add(values)
}

/// The factors that the polynomials are combined with: of a single one 1, of several the powers of a challenge.
pub(super) fn factors<E: Field>(tape: &mut impl Challenger, polynomials: usize) -> Vec<E> {
    let gamma = if polynomials > 1 { tape.challenge("columns") } else { E::ONE };
    powers(gamma, polynomials)
}

/// The multilinear extension of the weights, padded with zeros to `2^r.len()` of them, at `r`: two tables of about the
/// square root of their number, however far the padding goes.
pub fn extension<B: Field, E: ExtensionOf<B>>(weights: &[B], r: &[E]) -> E {
    let variables = usize::try_from(weights.len().next_power_of_two().trailing_zeros()).unwrap_or(usize::MAX);
    let (inside, beyond) = r.split_at(variables.min(r.len()));
    let (low, high) = inside.split_at(inside.len() / 2);
    let (low, high) = (TensorForm::point(low).expand(), TensorForm::point(high).expand());
    let rows = weights.chunks_exact(low.len());
    let mut sums = vec![E::ZERO; rows.len()];
    let rest = dot_base(rows.remainder(), &low);
    let whole = weights.len().saturating_sub(rows.remainder().len());
    E::combine_columns(weights.get(..whole).unwrap_or_default(), &low, &mut sums);
    sums.push(rest);
    // All bits of the padding's side are zero.
    beyond.iter().fold(dot(&sums, &high), |product, &r| product * (E::ONE - r))
}
