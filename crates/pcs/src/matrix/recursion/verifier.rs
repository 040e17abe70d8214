//! Verifier of the recursion; step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::matrix::rows::{Matrix, Opened, above, read_rows};
use crate::matrix::{Claim, Round, Weights};
use alloc::vec::Vec;
use field::{ExtensionOf, Field, FoldableCode};
use iop::error::Invalid;
use iop::poly::TensorForm;
use iop::sumcheck;
use iop::transcript::{Challenger, VerifierTape};

/// Checks the claim about the combination (by `weights`) of the first stage's columns.
pub(crate) fn verify<B: FoldableCode, E: ExtensionOf<B>>(
    stages: &[Round],
    out_of_domain: bool,
    tape: &mut VerifierTape<'_>,
    (matrices, mut weights): (&[Matrix], Weights<E>),
    mut claim: Claim<B, E>,
) -> Result<(), Invalid> {
    let (first, last) = stages.first().zip(stages.last()).ok_or(Invalid("no stages"))?;
    let mut tail: Vec<E> = tape.receive("tail", first.shape.code.extra)?;
    let mut matrices = matrices.to_vec();
    for pair in stages.windows(2) {
        let [before, stage] = pair else { return Err(Invalid("stages")) };
        let variables = before.shape.code.log_rows;
        // V1: the commitment to the message.
        let next = Matrix { root: tape.receive_digest("root")?, shape: stage.shape };
        let outside = if out_of_domain { Some(out_of_domain_claim(tape, variables)?) } else { None };
        // V2: rows of the stage before.
        let opened = open::<B, E>(tape, before, &matrices, &weights)?;
        // V3: batch all claims by powers; a row claims an evaluation of the message without its tail.
        let gamma: E = tape.challenge("batch");
        let mut scalar = gamma;
        if let Some((form, value)) = outside {
            claim.add_form(scalar, form, value);
            scalar *= gamma;
        }
        for (x, value) in opened {
            claim.add_point(scalar, x, value - above::<B, E>(x, variables, &tail));
            scalar *= gamma;
        }
        // V4: sumcheck over the columns.
        let (r, value) = sumcheck::verify(tape, stage.rounds, claim.value())?;
        claim = claim.bind_low(&r, value);
        weights = Weights::flat::<B>(&TensorForm::point(&r));
        (matrices, tail) = (vec![next], Vec::new());
    }
    // V5: the last message in clear satisfies the claim and agrees with the opened rows.
    let variables = last.shape.code.log_rows;
    let length = 1usize.checked_shl(u32::try_from(variables).unwrap_or(u32::MAX)).ok_or(Invalid("length"))?;
    let message: Vec<E> = tape.receive("final message", length)?;
    if !claim.holds(&message) {
        return Err(Invalid("the final message does not satisfy the claims"));
    }
    let (points, values): (Vec<B::Point>, Vec<E>) =
        open::<B, E>(tape, last, &matrices, &weights)?.into_iter().unzip();
    let evaluated = B::evaluate_many(&message, &points);
    for ((x, value), evaluated) in points.into_iter().zip(values).zip(evaluated) {
        if evaluated + above::<B, E>(x, variables, &tail) != value {
            return Err(Invalid("the final message disagrees with an opened row"));
        }
    }
    Ok(())
}

/// Checks the grinding, draws positions, and reads and authenticates their rows.
fn open<B: FoldableCode, E: ExtensionOf<B>>(
    tape: &mut VerifierTape<'_>,
    stage: &Round,
    matrices: &[Matrix],
    weights: &Weights<E>,
) -> Result<Opened<B, E>, Invalid> {
    tape.grind("query grinding", stage.grinding)?;
    let positions = tape.positions("positions", stage.shape.code.log_domain(), stage.queries);
    read_rows(tape, stage, (matrices, weights), &positions)
}

/// A random point and the stated value of the message there.
fn out_of_domain_claim<E: Field>(
    tape: &mut VerifierTape<'_>,
    variables: usize,
) -> Result<(TensorForm<E>, E), Invalid> {
    let z: Vec<E> = tape.challenges("out-of-domain point", variables);
    let value = tape.receive::<E>("out-of-domain value", 1)?;
    Ok((TensorForm::point(&z), value.first().copied().ok_or(Invalid("one value"))?))
}
