//! Prover of ring switching; step labels as in `verifier.rs`.

use super::pack::Switched;
use super::{Batch, Coordinates};
use crate::claims::Claims;
use crate::matrix::Unavailable;
use field::{ExtensionOf, Field};
use iop::poly::{TensorForm, dot};
use iop::sumcheck::{self, Rounds};
use iop::transcript::ProverTape;

/// P0: claims about packed entries become one claim about the value at a point of the elements.
pub(crate) fn prove<B: Field, E: ExtensionOf<B>>(
    coordinates: Coordinates,
    tape: &mut ProverTape,
    combine: Combine<'_, E>,
    switched: &[Switched<E>],
) -> Result<Claims<E>, Unavailable> {
    let (r, value) = reduce::<B, E>(coordinates, tape, combine, switched)?;
    Ok(send_point(tape, &r, value))
}

/// The combination of the lanes of all rows of elements by weights.
pub(crate) type Combine<'a, E> = &'a dyn Fn(&[E]) -> Result<Vec<E>, Unavailable>;

/// Sends the parts of all claims, and reduces these to a point and the value there.
pub(crate) fn reduce<B: Field, E: ExtensionOf<B>>(
    coordinates: Coordinates,
    tape: &mut ProverTape,
    combine: Combine<'_, E>,
    switched: &[Switched<E>],
) -> Result<(Vec<E>, E), Unavailable> {
    switched.iter().for_each(|s| tape.send("parts", &s.parts));
    let batch = Batch::draw(tape, coordinates.count(E::BYTES), switched.len());
    // The variables of the lanes, by the sums of each lane; then those of the rows of the lanes' combination.
    let (mut sums, mut weights) = coordinates.tables::<B, E>(switched, &batch);
    let claimed = dot(&sums, &weights);
    let lanes = Rounds { count: switched[0].log_lanes(), grinding: 0 };
    let (mut r, claim) = sumcheck::prove(tape, lanes, &mut sums, &mut weights, claimed);
    let mut rows = combine(&TensorForm::point(&r).expand())?;
    let mut weights = coordinates.row_weights::<B, E>(switched, &weights);
    let rounds = Rounds { count: rows.len().trailing_zeros() as usize, grinding: 0 };
    r.extend(sumcheck::prove(tape, rounds, &mut rows, &mut weights, claim).0);
    Ok((r, rows[0]))
}

/// Sends the value at the point, and claims it.
pub(crate) fn send_point<E: Field>(tape: &mut ProverTape, r: &[E], value: E) -> Claims<E> {
    tape.send("value at the point", &[value]);
    Claims { forms: vec![TensorForm::point(r)], values: vec![vec![value]], context: Vec::new() }
}
