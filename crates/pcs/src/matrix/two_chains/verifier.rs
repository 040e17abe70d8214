//! Verifier of the two chains; step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::column_weights;
use crate::matrix::chain::Chain;
use crate::matrix::{Round, SingleClaim, Weights};
use alloc::vec::Vec;
use field::{ExtensionOf, FoldFibres};
use iop::error::Invalid;
use iop::fold::{self, Queries};
use iop::hash::Digest;
use iop::transcript::{Challenger, VerifierTape};

/// Everything the prover said before the queries.
struct Received<E> {
    value_roots: Vec<Digest>,
    /// Weights of the fragments in the word that carries proximity.
    weights: Weights<E>,
    proximity_roots: Vec<Digest>,
    /// The challenge of each fold of the proximity chain.
    alphas: Vec<E>,
    constant: E,
}

/// The links into both chains' words.
type Links<B, E> = [Queries<B, E>; 2];

/// Checks the claim about the committed matrix.
pub(crate) fn verify<B: FoldFibres, E: ExtensionOf<B>>(
    chain: &Chain,
    stage: &Round,
    tape: &mut VerifierTape<'_>,
    root: Digest,
    only: &SingleClaim<'_, E>,
) -> Result<(), Invalid> {
    let received = receive(chain, stage, tape)?;
    let (first, others) = only.rows.factors().split_first().ok_or(Invalid("no variables"))?;
    // V3: the committed rows give the first words; each word is the fold of the one before.
    tape.grind("query grinding", stage.grinding)?;
    let fibres = tape.positions("positions", chain.log_fibres(), stage.queries);
    let rows = stage.shape.read_rows::<B>(tape, &root, &fold::positions(&fibres, 1))?;
    let alpha = received.alphas.first().copied().ok_or(Invalid("no folds"))?;
    let combine = |weights: &Weights<E>, factor: [E; 2]| {
        let values = weights.combine::<B>(&[rows])?;
        let points = fold::points::<B>(&stage.shape.code, &fibres, 1)?;
        fold::fold(&fibres, points, &values, &[factor])
    };
    let mut links = [combine(&only.columns, *first)?, combine(&received.weights, [E::ONE, alpha])?];
    for (i, &factor) in others.iter().enumerate() {
        links = step(chain, tape, (&received, i), links, factor)?;
    }
    // V4: the value chain ends in the value, the other in its constant.
    let [values, proximity] = links;
    if values.iter().any(|link| link.value != only.value) {
        return Err(Invalid("the value chain does not end in the claimed value"));
    }
    if proximity.iter().any(|link| link.value != received.constant) {
        return Err(Invalid("the proximity chain does not end in its constant"));
    }
    Ok(())
}

fn receive<E: field::Field>(
    chain: &Chain,
    stage: &Round,
    tape: &mut VerifierTape<'_>,
) -> Result<Received<E>, Invalid> {
    // V1: the value chain uses no randomness, so all of its words are committed first.
    let words = 1..chain.folds();
    let value_roots = words.map(|_| tape.receive_digest("value root")).collect::<Result<_, _>>()?;
    // V2: the proximity chain; each challenge also weights the word of the value chain that is swept in next.
    tape.grind("fold grinding", stage.rounds.grinding)?;
    let weights = column_weights(tape, stage);
    let (mut proximity_roots, mut alphas) = (Vec::new(), Vec::new());
    for i in 0..chain.folds() {
        if i > 0 {
            proximity_roots.push(tape.receive_digest("proximity root")?);
        }
        tape.grind("fold grinding", stage.rounds.grinding)?;
        alphas.push(tape.challenge("fold"));
    }
    let constant = tape.receive::<E>("constant", 1)?.first().copied().ok_or(Invalid("constant"))?;
    Ok(Received { value_roots, weights, proximity_roots, alphas, constant })
}

/// Opens word `i + 1` of both chains, checks the links into them and folds them: the value's by the form's factor, the
/// sum of both by the next challenge.
fn step<B: FoldFibres, E: ExtensionOf<B>>(
    chain: &Chain,
    tape: &mut VerifierTape<'_>,
    (received, i): (&Received<E>, usize),
    [value, proximity]: Links<B, E>,
    factor: [E; 2],
) -> Result<Links<B, E>, Invalid> {
    let missing = Invalid("a word is missing");
    let (value_root, proximity_root) =
        received.value_roots.get(i).zip(received.proximity_roots.get(i)).ok_or(missing)?;
    let (swept, alpha) =
        received.alphas.get(i).copied().zip(received.alphas.get(i + 1).copied()).ok_or(missing)?;
    let tree = chain.tree(i + 1);
    let leaves = fold::leaf_indices(&value, 1);
    let values: Vec<E> = tree.read_rows::<B>(tape, value_root, &leaves)?.extension()?;
    let points = fold::check_consistency::<B, E>(&value, &leaves, &values, 1)?;
    let mut sums: Vec<E> = tree.read_rows::<B>(tape, proximity_root, &leaves)?.extension()?;
    fold::check_consistency::<B, E>(&proximity, &leaves, &sums, 1)?;
    let swept = swept.square();
    sums.iter_mut().zip(&values).for_each(|(p, &f)| *p += swept * f);
    Ok([
        fold::fold::<B, E>(&leaves, points.clone(), &values, &[factor])?,
        fold::fold(&leaves, points, &sums, &[[E::ONE, alpha]])?,
    ])
}
