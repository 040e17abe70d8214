//! Opened rows of the committed matrix, combined to values of one virtual word.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::round::Round;
use super::weights::Weights;
use alloc::vec::Vec;
use field::{ExtensionOf, FoldableCode};
use iop::error::Invalid;
use iop::fold;
use iop::hash::Digest;
use iop::oracle::{OracleSpec, Rows};
use iop::transcript::VerifierTape;

/// Opened rows: the evaluation points and the combined values.
pub(crate) type Opened<B, E> = Vec<(<B as FoldableCode>::Point, E)>;

/// A committed matrix as its verifier has it: one of those that hold the columns of a stage, side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix {
    pub root: Digest,
    pub shape: OracleSpec,
}

/// Reads the leaves at `positions` of each matrix of a stage, checks them against its root and combines the columns of their rows by the weights.
pub(crate) fn read_rows<B: FoldableCode, E: ExtensionOf<B>>(
    tape: &mut VerifierTape<'_>,
    stage: &Round,
    (matrices, weights): (&[Matrix], &Weights<E>),
    positions: &[usize],
) -> Result<Opened<B, E>, Invalid> {
    let read = |Matrix { root, shape }: &Matrix| shape.read_rows(tape, root, positions);
    let rows: Vec<Rows<'_, B>> = matrices.iter().map(read).collect::<Result<_, _>>()?;
    let combined = weights.combine::<B>(&rows)?;
    let rows = fold::positions(positions, stage.shape.log_fibre).into_iter();
    Ok(rows.map(|p| stage.shape.code.point::<B>(p)).zip(combined).collect())
}

/// The value at `x` of the coefficients above the `2^variables` data rows: what a hiding commitment adds to a column.
pub(crate) fn above<B: FoldableCode, E: ExtensionOf<B>>(x: B::Point, variables: usize, tail: &[E]) -> E {
    if tail.is_empty() {
        return E::ZERO;
    }
    let weight = B::factor((0..variables).fold(x, |x, _| B::halved(x)));
    B::evaluate(tail, x).scale(weight)
}
