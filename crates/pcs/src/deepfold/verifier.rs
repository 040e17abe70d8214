//! `verify`. Step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::claim::{Claim, Halved};
use super::{DeepFold, Scheme};
use crate::baseline::{Links, Steps, Words};
use crate::claims::Claims;
use crate::matrix::{Commitment, Weights};
use alloc::vec::Vec;
use field::{ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::fold;
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::transcript::{Challenger, VerifierTape};

impl<B: TwoAdic, E: ExtensionOf<B>> Steps<B, E> for DeepFold {
    // Cost: a claim costs a few products a round.
    fn check_steps(
        scheme: &Scheme<B, E>,
        tape: &mut VerifierTape<'_>,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
    ) -> Result<(), Invalid> {
        let stated = scheme.stated(commitment, claims);
        // V1: claims about the polynomial become claims about one combination of its fragments.
        let (weights, mut claims) = scheme.combine(tape, stated)?;
        // V2: each round folds every claim with the word.
        let rounds = scheme.params.rounds();
        let (mut roots, mut challenges) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            if round > 0 {
                roots.push(tape.receive_digest("root")?);
                if scheme.params.own.deep {
                    let form = scheme.deep_point(tape, round);
                    claims.push(Claim { form, value: receive_one(tape, "deep value")? });
                }
            }
            let halves = receive_slopes(tape, &claims)?;
            let r: E = tape.challenge("fold");
            claims = halves.into_iter().map(|(halved, even, slope)| halved.fold(even, slope, r)).collect();
            challenges.push(r);
        }
        // V3: the final message satisfies every claim.
        let length = scheme.params.code(rounds).dimension();
        let message: Vec<E> = tape.receive("final message", length)?;
        if claims.iter().any(|claim| claim.form.apply(&message) != claim.value) {
            return Err(Invalid("the final message does not satisfy the claims"));
        }
        // V4: each word is the fold of the one before, and the final message that of the last.
        let words = Words { roots: &roots, challenges: &challenges, message: &message };
        scheme.follow(tape, &commitment.root, &weights, &words)
    }
}

impl<B: TwoAdic, E: ExtensionOf<B>> Scheme<B, E> {
    /// Opens the words at random positions, and checks all links between them and into the final message.
    fn follow(
        &self,
        tape: &mut VerifierTape<'_>,
        root: &Digest,
        weights: &Weights<E>,
        words: &Words<'_, E>,
    ) -> Result<(), Invalid> {
        let positions = self.positions(tape)?;
        let tree = self.params.tree(0);
        // A leaf holds two rows.
        let rows = tree.read_rows::<B>(tape, root, &positions)?.reshaped(self.params.columns());
        let values = weights.combine::<B>(&[rows])?;
        let points = fold::points::<B>(&self.params.code(0), &positions, 1)?;
        self.check_words(tape, Links { leaves: &positions, values: &values, points }, words)
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

    /// The claims of an opening, the commitment's out-of-domain value first.
    pub(super) fn stated(&self, commitment: &Commitment<E>, claims: &Claims<E>) -> Vec<Claim<E>> {
        let point = self.out_of_domain_point(&commitment.root);
        let at_commit = point.into_iter().zip(commitment.out_of_domain.iter().copied());
        let given = claims.forms.iter().cloned().zip(claims.values.iter().flatten().copied());
        at_commit.chain(given).map(|(form, value)| Claim { form, value }).collect()
    }

    /// The point that a commitment's out-of-domain value belongs to; `None` in unique decoding.
    pub(super) fn out_of_domain_point(&self, root: &Digest) -> Option<TensorForm<E>> {
        let bound = self.committed(root)?;
        let variables = usize::try_from(self.params.log_size).unwrap_or(0);
        Some(TensorForm::point(&bound.verifier(&[]).challenges::<E>("out-of-domain point", variables)))
    }

    /// The point outside of the domain that pins the word of a round.
    pub(super) fn deep_point(&self, tape: &mut impl Challenger, round: usize) -> TensorForm<E> {
        TensorForm::point(&tape.challenges::<E>("deep point", self.params.code(round).log_rows))
    }

    /// Random weights of the fragments, `⊗(1 - r_v, r_v)`.
    pub(super) fn column_point(&self, tape: &mut impl Challenger) -> TensorForm<E> {
        TensorForm::point(&tape.challenges::<E>("combine columns", self.log_columns()))
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
