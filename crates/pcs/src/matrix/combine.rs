//! Combinations of the columns and of the rows of a row-major message matrix, on all threads.

use field::{ExtensionOf, Field, parallel};
use iop::poly::TensorForm;

/// log2 of the rows of the message matrix that one task combines.
const LOG_ROWS_PER_TASK: usize = 11;
const ROWS_PER_TASK: usize = 1 << LOG_ROWS_PER_TASK;

/// Elements that one task converts.
const CONVERTED_AT_ONCE: usize = 1 << 12;

/// [`ExtensionOf::with_flat_mut`] with conversions on all threads.
pub(crate) fn edit_flat<B: Field, E: ExtensionOf<B>>(values: &mut [E], edit: impl FnOnce(&mut [B])) {
    let mut flat = vec![B::ZERO; values.len() * E::DEGREE];
    let chunk = CONVERTED_AT_ONCE * E::DEGREE;
    let parts = flat.chunks_mut(chunk).zip(values.chunks(CONVERTED_AT_ONCE));
    parallel::for_each(parts, |(flat, values)| flat.copy_from_slice(&E::flatten(values)));
    edit(&mut flat);
    let parts = flat.chunks(chunk).zip(values.chunks_mut(CONVERTED_AT_ONCE));
    parallel::for_each(parts, |(flat, values)| E::unflatten(flat, values));
}

/// The column combination of a message matrix: one entry per row.
pub fn combine_columns<B: Field, E: ExtensionOf<B>>(message: &[B], weights: &[E]) -> Vec<E> {
    let mut out = vec![E::ZERO; message.len() / weights.len()];
    let parts = message.chunks(ROWS_PER_TASK * weights.len()).zip(out.chunks_mut(ROWS_PER_TASK));
    parallel::for_each(parts, |(rows, out)| E::combine_columns(rows, weights, out));
    out
}

/// The row combination of a message matrix of the given width: one entry per column. Rows beyond the weights
/// count as weighted zero.
pub fn combine_rows<B: Field, E: ExtensionOf<B>>(message: &[B], width: usize, weights: &[E]) -> Vec<E> {
    let task = |(rows, weights): (&[B], &[E])| {
        let mut out = vec![E::ZERO; width];
        E::combine_rows(rows, weights, &mut out);
        out
    };
    let parts = message.chunks(ROWS_PER_TASK * width).zip(weights.chunks(ROWS_PER_TASK));
    sum(width, parallel::map(parts, task))
}

/// [`combine_rows`] by the weights of a form, which are never all in memory: each task takes those of its rows times a scalar.
pub fn combine_rows_by<B: Field, E: ExtensionOf<B>>(
    form: &TensorForm<E>,
    message: &[B],
    width: usize,
) -> Vec<E> {
    let (low, high) = form.split(LOG_ROWS_PER_TASK);
    let weights = low.expand();
    let task = |(rows, scalar): (&[B], E)| {
        let mut out = vec![E::ZERO; width];
        E::combine_rows(rows, &weights, &mut out);
        if scalar != E::ONE {
            E::scale_slice(&mut out, scalar);
        }
        out
    };
    sum(width, parallel::map(message.chunks(weights.len() * width).zip(high.expand()), task))
}

/// The sum of rows of so many elements.
fn sum<E: Field>(width: usize, rows: Vec<Vec<E>>) -> Vec<E> {
    let add = |mut a: Vec<E>, b: Vec<E>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    rows.into_iter().reduce(add).unwrap_or_else(|| vec![E::ZERO; width])
}
