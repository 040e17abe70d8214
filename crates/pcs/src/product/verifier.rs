//! The verifier of inner products. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::statement::Statement;
use crate::claims::Claims;
use crate::matrix::Commitment;
use crate::scheme::Params as _;
use crate::weighted::{Facts, Points};
use alloc::vec::Vec;
use field::{ExtensionOf, Field};
use iop::error::{Invalid, ParamError};
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::sumcheck::{self, Rounds};
use iop::transcript::{Bound, Call, Challenger as _, Domain};

/// A scheme with validated parameters that admit inner products.
#[derive(Debug, Clone)]
pub struct Scheme<S> {
    inner: S,
    pub(super) facts: Facts,
    report: Report,
}

/// The most values of an opening, implied zeros included: what bounds a verifier's memory beside the file's length.
pub const MAX_VALUES: usize = 1 << 14;

/// Returns true if an opening of the padding has no more values than that, whatever the rows are.
fn is_bounded(facts: &Facts) -> bool {
    facts.variables.saturating_add(1).saturating_mul(facts.polynomials) <= MAX_VALUES
}

/// The rounds of the sumcheck: all variables, without work.
pub(super) fn rounds(facts: &Facts) -> Rounds {
    Rounds { count: facts.variables, grinding: 0 }
}

/// The report of the opening with the terms of the sumcheck and of the padding: each member of the list around the committed word that misses the product passes a
/// round with probability `2/|E|`, and one whose padding is not zero passes with that of a zero of its extension. (notes: sec-terms)
fn report(facts: &Facts, mut report: Report) -> Report {
    let variables = u64::try_from(facts.variables).unwrap_or(u64::MAX);
    for (label, degree) in [("product sumcheck", variables.saturating_mul(2)), ("product padding", variables)]
    {
        report.push(report.regime.claim_term(label, &facts.code, report.field_bits, degree.max(1)));
    }
    report
}

/// Returns true if inner products, where the parameters admit them at all, keep the bits of a policy; `opening` is the report of the parameters.
#[cfg(feature = "prover")]
pub(crate) fn has_room(
    facts: &Facts,
    params: &crate::matrix::Params,
    opening: &Report,
    policy: &Policy,
) -> bool {
    let prime = params.fields.family() == crate::fields::Family::Prime;
    let admitted =
        prime && facts.hidden_openings == 0 && params.max_forms > params.log_size && is_bounded(facts);
    !admitted || policy.check(&report(facts, opening.clone())).is_ok()
}

/// Forms and values of the inner opening: of every column its value at the sumcheck's point, and zero for each block of the padding.
pub(super) fn claims<E: Field>(
    (point, values): (&[E], Vec<E>),
    (rows, padding): (u64, &[E]),
    context: Vec<u8>,
) -> Claims<E> {
    let forms: Vec<_> = [TensorForm::point(point)].into_iter().chain(blocks(rows, padding)).collect();
    let zeros = vec![E::ZERO; values.len()];
    let values = [values].into_iter().chain(core::iter::repeat(zeros)).take(forms.len()).collect();
    Claims { forms, values, context }
}

/// For each block of the places from `rows` on, the largest that begin where the one before ended, the form that is its multilinear extension
/// at the first coordinates of a point.
fn blocks<E: Field>(rows: u64, point: &[E]) -> Vec<TensorForm<E>> {
    let variables = u32::try_from(point.len()).unwrap_or(u32::MAX);
    let end = 1u64.checked_shl(variables).unwrap_or(u64::MAX);
    let (mut start, mut forms) = (rows, Vec::new());
    while start < end && start > 0 {
        let inside = start.trailing_zeros();
        let factor = |(v, &z): (u32, &E)| match (v < inside, start >> v & 1) {
            (true, _) => [E::ONE - z, z],
            (false, 0) => [E::ONE, E::ZERO],
            (false, _) => [E::ZERO, E::ONE],
        };
        forms.push(TensorForm::new((0..variables).zip(point).map(factor).collect()));
        start = start.saturating_add(1 << inside);
    }
    forms
}

impl<S: Points> Scheme<S> {
    /// Validates parameters against a policy, the sumcheck's own error included.
    ///
    /// # Errors
    /// If the parameters are refused as they are, hide, are over a binary field, have too few forms for the padding or more than [`MAX_VALUES`] values, or have no room for that error.
    pub fn new(params: S::Params, policy: &Policy) -> Result<Self, ParamError> {
        Self::from_points(S::new(params, policy)?, policy)
    }

    /// [`Scheme::new`] over a scheme that was validated.
    ///
    /// # Errors
    /// As there.
    pub fn from_points(inner: S, policy: &Policy) -> Result<Self, ParamError> {
        let (facts, summary) = (inner.facts(), inner.params().summary());
        let refused = |why: &str| Err(ParamError::OutOfRange(why.into()));
        if facts.hidden_openings > 0 {
            return refused("an inner product would reveal a hiding commitment");
        }
        if S::Base::ONE + S::Base::ONE == S::Base::ZERO {
            return refused("an inner product is one of columns over a prime field");
        }
        if summary.max_forms <= summary.log_size {
            return refused("an inner product takes a form for each index bit, and one more");
        }
        if !is_bounded(&facts) {
            return refused(
                "an inner product is one of fewer columns: with a form for each index bit and one more, its opening has more than 2^14 values",
            );
        }
        let report = report(&facts, inner.report().clone());
        policy.check(&report).map_err(|e| e.after("no room for an inner product: "))?;
        Ok(Self { inner, facts, report })
    }

    /// The scheme that commits and opens points.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// The parameters.
    pub fn params(&self) -> &S::Params {
        self.inner.params()
    }

    /// The proven security, term by term.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Accepts if the stated value is the inner product of the columns, and the places behind the rows are zero.
    ///
    /// Cost: an opening's verification, of as many forms as the padding has blocks, and one.
    ///
    /// # Errors
    /// Why the proof is refused.
    pub fn verify(
        &self,
        commitment: &Commitment<S::Challenge>,
        statement: &Statement<S::Base>,
        proof: &[u8],
    ) -> Result<(), Invalid> {
        self.script(commitment, statement, proof).map(|_| ())
    }

    /// [`Scheme::verify`], and the calls of the proof's transcripts in order: what each of its bytes is.
    ///
    /// # Errors
    /// As there.
    pub fn script(
        &self,
        commitment: &Commitment<S::Challenge>,
        statement: &Statement<S::Base>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        let (hash, rounds, Statement { columns, rows, .. }) =
            (self.facts.hash, rounds(&self.facts), statement);
        let places = u32::try_from(self.facts.variables).ok().and_then(|n| 1u64.checked_shl(n));
        if *rows == 0 || places.is_none_or(|places| *rows > places) {
            return Err(Invalid("an inner product of no rows, or of more than there are places"));
        }
        let messages = rounds.count.saturating_mul(2).saturating_add(self.facts.polynomials);
        let (messages, inner) = proof
            .split_at_checked(messages.saturating_mul(S::Challenge::BYTES))
            .ok_or(Invalid("proof is too short"))?;
        let bound = statement.digest(hash, &commitment.to_bytes());
        // V1: the sum becomes a product at a random point.
        let mut tape = self.bind(&bound).verifier(messages);
        let (point, left) = sumcheck::verify(&mut tape, rounds, S::Challenge::lift(statement.value))?;
        let values = tape.receive::<S::Challenge>("values at the point", self.facts.polynomials)?;
        let padding: Vec<S::Challenge> = tape.challenges("padding", rounds.count);
        let mut script = tape.script().to_vec();
        tape.finish()?;
        // V2: the values make the product.
        let factor =
            |column: u32| usize::try_from(column).ok().and_then(|column| values.get(column).copied());
        let [a, b] = columns.map(factor);
        let (a, b) = a.zip(b).ok_or(Invalid("an inner product of a column that there is not"))?;
        if a * b != left {
            return Err(Invalid("the values at the point do not make the inner product"));
        }
        // V3: they are the columns', whose padding is zero.
        let context = statement.inner_context(hash, &bound, messages);
        let claims = claims((&point, values), (*rows, &padding), context);
        script.extend(self.inner.script(commitment, &claims, inner)?);
        Ok(script)
    }

    /// The sumcheck's transcript, bound to parameters, commitment and statement by the statement's digest.
    pub(super) fn bind(&self, statement: &Digest) -> Bound {
        let Facts { hash, digest, .. } = &self.facts;
        Domain::new(*hash, "tenfold product v1", digest).statement(statement)
    }
}
