//! Verifier of the chain; step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Chain;
use crate::matrix::rows::{Matrix, above, read_rows};
use crate::matrix::{Claim, Round, Weights};
use alloc::vec::Vec;
use field::{ExtensionOf, FoldFibres};
use iop::error::Invalid;
use iop::fold::{self, Queries};
use iop::poly::TensorForm;
use iop::sumcheck;
use iop::transcript::{Challenger, VerifierTape};

/// Checks the claim about the combination (by `weights`) of the committed columns.
pub(crate) fn verify<B: FoldFibres, E: ExtensionOf<B>>(
    chain: &Chain,
    stage: &Round,
    tape: &mut VerifierTape<'_>,
    (matrices, weights): (&[Matrix], Weights<E>),
    claim: Claim<B, E>,
) -> Result<(), Invalid> {
    let tail: Vec<E> = tape.receive("tail", stage.shape.code.extra)?;
    // V1: a sumcheck over the fragment's variables; its challenges fold the words, which are committed one by one.
    let (mut value, mut roots, mut folds) = (claim.value(), Vec::new(), Vec::new());
    let mut bound = Vec::new();
    for i in 0..chain.folds() {
        if i > 0 {
            roots.push(tape.receive_digest("root")?);
        }
        let (r, left) = sumcheck::verify::<E>(tape, chain.rounds(i), value)?;
        value = left;
        bound.extend_from_slice(&r);
        folds.push(TensorForm::point(&r));
    }
    // V2: the message in clear satisfies the claim that is left.
    let message: Vec<E> = tape.receive("final message", chain.word(folds.len()).length())?;
    if !claim.bind_low(&bound, value).holds(&message) {
        return Err(Invalid("the final message does not satisfy the claims"));
    }
    // V3: each word is the fold of the one before, the first that of the committed rows.
    let (first, others) = folds.split_first().ok_or(Invalid("no steps"))?;
    tape.grind("query grinding", stage.grinding)?;
    let fibres = tape.positions("positions", chain.log_fibres(), stage.queries);
    let (step, log_leaf) = (chain.step(0), stage.shape.log_fibre);
    let leaves = fold::leaves_of_fibres(&fibres, step, log_leaf);
    let rows = read_rows::<B, E>(tape, stage, (matrices, &weights), &leaves)?;
    let rows = fold::select_fibres(&leaves, log_leaf, rows, (&fibres, step))?;
    let variables = stage.shape.code.log_rows;
    let values: Vec<E> =
        rows.into_iter().map(|(x, value)| value - above::<B, E>(x, variables, &tail)).collect();
    let points = fold::points::<B>(&stage.shape.code, &fibres, step)?;
    let mut links: Queries<B, E> = fold::fold(&fibres, points, &values, first.factors())?;
    for (i, (root, r)) in roots.iter().zip(others).enumerate() {
        let (step, log_leaf) = (r.variables(), chain.log_leaf(i + 1));
        let fibres = fold::leaf_indices(&links, step);
        let leaves = fold::leaves_of_fibres(&fibres, step, log_leaf);
        let values: Vec<E> = chain.tree(i + 1).read_rows::<B>(tape, root, &leaves)?.extension()?;
        let values = fold::select_fibres(&leaves, log_leaf, values, (&fibres, step))?;
        let points = fold::check_consistency::<B, E>(&links, &fibres, &values, step)?;
        links = fold::fold(&fibres, points, &values, r.factors())?;
    }
    // V4: the message in clear is the fold of the last word.
    let last = chain.word(folds.len());
    for link in links {
        if B::evaluate(&message, last.point::<B>(link.position)) != link.value {
            return Err(Invalid("the final message is not the fold of the last word"));
        }
    }
    Ok(())
}
