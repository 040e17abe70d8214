//! Sums over bits against a combination of the lanes: what tells which of several machines, with some lanes each, deviated.

use super::{Coordinates, Entries};
use field::{ExtensionOf, Field};
use iop::poly::{TensorForm, dot};

/// Checks the sums over the rows of each bit of some lanes, in canonical bytes, against a combination of the same lanes by weights that were drawn
/// later. True for entries that are not packed.
///
/// With `P(row, lane)` for the entries: for each coordinate `u` of the challenge field,
/// `Σ_lane weight(lane) Σ_row P(row, lane) rows_u(row) = Σ_row sum(row) rows_u(row)`. The left side is about the sums of bits, turned as the
/// verifier turns parts; wrong ones satisfy it for few weights. (notes: ligerito-ring)
///
/// Cost: for each coordinate a pass over the rows.
pub fn sums_agree<B: Field, E: ExtensionOf<B>>(
    entries: Entries,
    rows: &TensorForm<E>,
    bits: &[u8],
    (weights, combined): (&[E], &[E]),
) -> bool {
    let Some(coordinates) = entries.log_bits().map(Coordinates::new) else { return true };
    let parts: Vec<E> = coordinates.gather::<B, E>(bits);
    let turned = parts.chunks_exact(coordinates.count(B::BYTES));
    let turned: Vec<Vec<B>> = turned.map(|parts| coordinates.transpose::<B, E>(parts)).collect();
    let (rows, count) = (rows.expand_parallel(), coordinates.count(E::BYTES));
    (0..count).all(|u| {
        let of_bits: E = turned.iter().zip(weights).map(|(sums, &weight)| weight.scale(sums[u])).sum();
        let mut unit = vec![E::ZERO; count];
        unit[u] = E::ONE;
        let mut coordinate = vec![E::ZERO; rows.len()];
        coordinates.add_images::<B, E>(&unit, &rows, &mut coordinate);
        of_bits == dot(&coordinate, combined)
    })
}
