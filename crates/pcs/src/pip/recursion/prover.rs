//! Prover of the recursion; step labels as in `verifier.rs`.

use crate::pip::params::Stage;
use field::{ExtensionOf, TwoAdic};
use iop::oracle::Oracle;
use iop::poly::{Tensor, dot, flatten_weights, powers};
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};
use rayon::prelude::*;

/// The committed matrix and the weights that combine its base-field columns.
pub(in crate::pip) struct First<'a, B, E> {
    pub oracle: &'a Oracle<B>,
    pub weights: Vec<E>,
}

/// A claim about the current message: its weights and its value.
struct Claim<E> {
    weights: Vec<E>,
    value: E,
}

/// Proves `⟨message, form⟩ = value` for every claim, where `message` is the combination of the first stage's
/// columns and `tail` its coefficients above the data rows (sent in clear).
pub(in crate::pip) fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    stages: &[Stage],
    out_of_domain: bool,
    tape: &mut ProverTape,
    first: First<'_, B, E>,
    (mut message, tail): (Vec<E>, &[E]),
    claims: &[(Tensor<E>, E)],
) {
    let mut claims: Vec<Claim<E>> =
        claims.iter().map(|(form, value)| Claim { weights: form.expand(), value: *value }).collect();
    let mut last: Option<Oracle<B>> = None;
    let mut weights = first.weights;
    tape.send("tail", tail);
    for pair in stages.windows(2) {
        let (before, stage) = (&pair[0], &pair[1]);
        // P1: commit to the message.
        let oracle = stage.shape.commit(E::flatten(&message), Vec::new());
        tape.send_bytes("root", &oracle.root());
        if out_of_domain {
            let z: Vec<E> = tape.challenges("out-of-domain point", before.shape.code.log_rows);
            let form = Tensor::point(&z).expand();
            let value = dot(&form, &message);
            tape.send("out-of-domain value", &[value]);
            claims.push(Claim { weights: form, value });
        }
        // P2: open rows of the stage before.
        let points = open(tape, before, last.as_ref().unwrap_or(first.oracle));
        // P3: batch all claims.
        let gamma: E = tape.challenge("batch");
        let (mut form, value) = batch::<B, E>(&claims, gamma, &points, &message, tail);
        // P4: sumcheck over the columns; its challenges combine them.
        let (r, value) = sumcheck::prove(tape, stage.variables, &mut message, &mut form, value);
        claims = vec![Claim { weights: form, value }];
        weights = flatten_weights::<B, E>(&Tensor::point(&r).expand());
        last = Some(oracle);
    }
    debug_assert_eq!(weights.len(), stages[stages.len() - 1].shape.width);
    // P5: the last message in clear, then rows of the last stage.
    tape.send("final message", &message);
    open(tape, &stages[stages.len() - 1], last.as_ref().unwrap_or(first.oracle));
}

/// Grinds, draws positions, sends their rows, and returns their evaluation points.
fn open<B: TwoAdic>(tape: &mut ProverTape, stage: &Stage, oracle: &Oracle<B>) -> Vec<B> {
    let code = stage.shape.code;
    tape.grind("query grinding", stage.grinding);
    let positions = tape.positions("positions", code.log_domain(), stage.queries);
    oracle.open_rows(tape, &positions);
    positions.iter().map(|&p| code.point(p)).collect()
}

/// The combined weights `sum_t γ^t form_t`, opened rows last, and the value they take on the message.
fn batch<B: TwoAdic, E: ExtensionOf<B>>(
    claims: &[Claim<E>],
    gamma: E,
    points: &[B],
    message: &[E],
    tail: &[E],
) -> (Vec<E>, E) {
    let scalars = powers(gamma, claims.len() + points.len());
    let (of_claims, of_points) = scalars.split_at(claims.len());
    let mut form = vec![E::ZERO; message.len()];
    let chunk = message.len().div_ceil(rayon::current_num_threads()).max(1 << 10);
    form.par_chunks_mut(chunk).enumerate().for_each(|(i, out)| {
        let start = i * chunk;
        for (claim, &scalar) in claims.iter().zip(of_claims) {
            out.iter_mut().zip(&claim.weights[start..]).for_each(|(o, &w)| *o += scalar * w);
        }
        let shifted: Vec<E> =
            points.iter().zip(of_points).map(|(x, &s)| s.scale(x.pow(start as u64))).collect();
        E::accumulate_powers(points, &shifted, out);
    });
    debug_assert!(tail.is_empty() || claims.iter().all(|c| c.weights.len() == message.len()));
    let value = dot(&form, message);
    debug_assert!(claims.iter().all(|c| dot(&c.weights, message) == c.value));
    (form, value)
}
