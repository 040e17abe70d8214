//! Verifier of the recursion; step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::pip::params::Stage;
use field::{ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::hash::Digest;
use iop::poly::{Tensor, dot_base, flatten_weights};
use iop::sumcheck;
use iop::transcript::{Challenger, VerifierTape};

/// A claim about the current message: `sum_t c_t ⟨message, form_t⟩ = value`.
struct Claim<E> {
    terms: Vec<(E, Tensor<E>)>,
    value: E,
}

/// Opened rows: the evaluation points and the combined values.
type Opened<B, E> = Vec<(B, E)>;

/// Checks the claims about the combination (by `weights`) of the first stage's columns.
pub(in crate::pip) fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    stages: &[Stage],
    out_of_domain: bool,
    tape: &mut VerifierTape<'_>,
    (mut root, mut weights): (Digest, Vec<E>),
    claims: Vec<(Tensor<E>, E)>,
) -> Result<(), Invalid> {
    let single = |(form, value)| Claim { terms: vec![(E::ONE, form)], value };
    let mut claims: Vec<Claim<E>> = claims.into_iter().map(single).collect();
    let (first, last) = stages.first().zip(stages.last()).ok_or(Invalid("no stages"))?;
    let mut tail: Vec<E> = tape.receive("tail", first.shape.code.extra)?;
    for pair in stages.windows(2) {
        let [before, stage] = pair else { return Err(Invalid("stages")) };
        let variables = before.shape.code.log_rows;
        // V1: the commitment to the message.
        let next_root = tape.receive_digest("root")?;
        if out_of_domain {
            let z: Vec<E> = tape.challenges("out-of-domain point", variables);
            let value = receive_one(tape, "out-of-domain value")?;
            claims.push(Claim { terms: vec![(E::ONE, Tensor::point(&z))], value });
        }
        // V2: rows of the stage before.
        let opened = open::<B, E>(tape, before, &root, &weights)?;
        // V3: batch all claims; a row claims an evaluation of the message without its tail.
        let gamma: E = tape.challenge("batch");
        let opened = opened.into_iter().map(|(x, value)| (x, value - above(x, variables, &tail)));
        let (terms, value) = batch(claims, gamma, opened, variables);
        // V4: sumcheck over the columns.
        let (r, value) = sumcheck::verify(tape, stage.variables, value)?;
        let bind = |(c, form): (E, Tensor<E>)| {
            let (scalar, rest) = form.bind_low(&r);
            (c * scalar, rest)
        };
        claims = vec![Claim { terms: terms.into_iter().map(bind).collect(), value }];
        weights = flatten_weights::<B, E>(&Tensor::point(&r).expand());
        (root, tail) = (next_root, Vec::new());
    }
    // V5: the last message in clear satisfies every claim and agrees with the opened rows.
    let variables = last.shape.code.log_rows;
    let length = 1usize.checked_shl(u32::try_from(variables).unwrap_or(u32::MAX)).ok_or(Invalid("length"))?;
    let message: Vec<E> = tape.receive("final message", length)?;
    for claim in &claims {
        let value: E = claim.terms.iter().map(|(c, form)| *c * form.apply(&message)).sum();
        if value != claim.value {
            return Err(Invalid("the final message does not satisfy the claims"));
        }
    }
    for (x, value) in open::<B, E>(tape, last, &root, &weights)? {
        if evaluate(&message, x) + above(x, variables, &tail) != value {
            return Err(Invalid("the final message disagrees with an opened row"));
        }
    }
    Ok(())
}

/// Checks the grinding, draws positions, and reads and authenticates their rows.
fn open<B: TwoAdic, E: ExtensionOf<B>>(
    tape: &mut VerifierTape<'_>,
    stage: &Stage,
    root: &Digest,
    weights: &[E],
) -> Result<Opened<B, E>, Invalid> {
    let code = stage.shape.code;
    tape.grind("query grinding", stage.grinding)?;
    let positions = tape.positions("positions", code.log_domain(), stage.queries);
    let rows: Vec<B> = stage.shape.read_rows(tape, root, &positions)?;
    let combined = rows.chunks_exact(stage.shape.width).map(|row| dot_base(row, weights));
    Ok(positions.iter().map(|&p| code.point(p)).zip(combined).collect())
}

/// All claims by the powers of `gamma`, opened rows last. (notes: linear-forms-weighted)
fn batch<B: TwoAdic, E: ExtensionOf<B>>(
    claims: Vec<Claim<E>>,
    gamma: E,
    opened: impl Iterator<Item = (B, E)>,
    variables: usize,
) -> (Vec<(E, Tensor<E>)>, E) {
    let row = |(x, value)| Claim { terms: vec![(E::ONE, Tensor::powers(E::lift(x), variables))], value };
    let (mut terms, mut total, mut scalar) = (Vec::new(), E::ZERO, E::ONE);
    for claim in claims.into_iter().chain(opened.map(row)) {
        total += scalar * claim.value;
        terms.extend(claim.terms.into_iter().map(|(c, form)| (scalar * c, form)));
        scalar *= gamma;
    }
    (terms, total)
}

/// The value at `x` of the coefficients above the `2^variables` rows.
fn above<B: TwoAdic, E: ExtensionOf<B>>(x: B, variables: usize, tail: &[E]) -> E {
    if tail.is_empty() {
        return E::ZERO;
    }
    let shift = (0..variables).fold(x, |x, _| x.square());
    evaluate(tail, x).scale(shift)
}

/// Horner's rule at a point of the base field.
fn evaluate<B: TwoAdic, E: ExtensionOf<B>>(coefficients: &[E], x: B) -> E {
    coefficients.iter().rev().fold(E::ZERO, |acc, &c| acc.scale(x) + c)
}

fn receive_one<E: ExtensionOf<B>, B: TwoAdic>(
    tape: &mut VerifierTape<'_>,
    label: &'static str,
) -> Result<E, Invalid> {
    tape.receive::<E>(label, 1)?.first().copied().ok_or(Invalid("one value"))
}
