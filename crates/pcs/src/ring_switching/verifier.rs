//! Verifier of ring switching; step labels as in `prover.rs`.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::{Batch, Coordinates};
use crate::claims::Claims;
use alloc::vec::Vec;
use field::{ExtensionOf, Field};
use iop::error::Invalid;
use iop::poly::TensorForm;
use iop::sumcheck::{self, Rounds};
use iop::transcript::VerifierTape;

/// V0: claims about packed entries become one claim about the value at a point of the `2^log_size` elements.
pub(crate) fn verify<B: Field, E: ExtensionOf<B>>(
    coordinates: Coordinates,
    log_size: usize,
    tape: &mut VerifierTape<'_>,
    claims: &Claims<E>,
) -> Result<Claims<E>, Invalid> {
    let packed = usize::try_from(coordinates.count(B::BYTES).trailing_zeros()).unwrap_or(usize::MAX);
    let mut sums = Vec::new();
    let mut highs = Vec::new();
    for (form, values) in claims.forms.iter().zip(&claims.values) {
        let (low, high) = form.split(packed);
        let parts: Vec<E> = tape.receive("parts", coordinates.count(B::BYTES))?;
        let value: E = low.expand().iter().zip(&parts).map(|(&weight, &part)| weight * part).sum();
        if values.first() != Some(&value) {
            return Err(Invalid("the parts of a claim do not make its value"));
        }
        sums.push(coordinates.transpose::<B, E>(&parts));
        highs.push(high);
    }
    let batch = Batch::draw(tape, coordinates.count(E::BYTES), highs.len());
    let claimed = batch.value(&sums);
    let (r, left) = sumcheck::verify(tape, Rounds { count: log_size, grinding: 0 }, claimed)?;
    let value = tape.receive::<E>("value at the point", 1)?.first().copied().ok_or(Invalid("a value"))?;
    let weight: E = highs
        .iter()
        .zip(&batch.gammas)
        .map(|(high, &gamma)| gamma * coordinates.extension::<B, E>(high, &r, &batch.rho))
        .sum();
    if weight * value != left {
        return Err(Invalid("the value at the point does not make the claimed sum"));
    }
    Ok(Claims { forms: vec![TensorForm::point(&r)], values: vec![vec![value]], context: Vec::new() })
}
