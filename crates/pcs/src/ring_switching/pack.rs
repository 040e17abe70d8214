//! The prover's part of ring switching: one pass over the data, then tables of lanes and of rows. (notes: ligerito-ring)
//!
//! ```text
//!   high = lanes ⊗ rows          2^6 lanes: the lowest variables, whatever the committed matrix is
//!
//!   Σ_row t(v, row, lane) rows(row)        for all lanes and coordinates v: a product of bit matrices
//!        │  by the weights of the lanes: the parts          transposed: Σ_row P(row, lane) rows_u(row)
//!        ▼                                                        │  a sumcheck over the lanes
//!   sent                                                          ▼  and one over the rows of their combination
//! ```

use super::{Batch, Coordinates};
use field::binary::bits;
use field::{ExtensionOf, Field, parallel};
use iop::poly::{TensorForm, dot, outer_product, to_bytes};
use std::borrow::Cow;

/// log2 of the lanes. Tables of rows are so much shorter than the data; the sums of a task are so many times 128 elements, and
/// should fit the second-level cache.
const LOG_LANES: usize = 6;

/// The fewest rows that are worth a task's own sums.
const ROWS_PER_TASK: usize = 1 << 10;

/// Values that one task maps.
const CHUNK: usize = 1 << 12;

/// A claim about packed entries: its form on the coordinates, on the lanes and on their rows, its parts, its value.
pub(crate) struct Switched<E> {
    lanes: Vec<E>,
    rows: TensorForm<E>,
    /// The sums over the rows, for every coordinate of every lane.
    sums: Vec<E>,
    pub parts: Vec<E>,
    pub value: E,
}

impl<E: Field> Switched<E> {
    /// The sums of a form's parts over entries of the alphabet.
    ///
    /// Cost: a product of bit matrices, as many bits as the entries and as an element has.
    pub fn new<B: Field>(coordinates: Coordinates, entries: &[B], form: &TensorForm<E>) -> Self
    where
        E: ExtensionOf<B>,
    {
        let (_, rows) = Self::lanes::<B>(coordinates, form, LOG_LANES);
        Self::of_sums::<B>(coordinates, form, LOG_LANES, &bit_sums(entries, &rows.expand_parallel()))
    }

    /// A form's factors on the lanes, of which there are so many variables, and on their rows.
    pub fn lanes<B: Field>(
        coordinates: Coordinates,
        form: &TensorForm<E>,
        log_lanes: usize,
    ) -> (TensorForm<E>, TensorForm<E>) {
        let (_, high) = form.split(coordinates.count(B::BYTES).trailing_zeros() as usize);
        high.split(log_lanes)
    }

    /// The parts of a form from the sums over the rows for every bit of every lane, of which there are so many variables: whatever their
    /// number, parts and proof are the same.
    pub fn of_sums<B: Field>(
        coordinates: Coordinates,
        form: &TensorForm<E>,
        log_lanes: usize,
        sums: &[u8],
    ) -> Self
    where
        E: ExtensionOf<B>,
    {
        let count = coordinates.count(B::BYTES);
        let (low, _) = form.split(count.trailing_zeros() as usize);
        let (lanes, rows) = Self::lanes::<B>(coordinates, form, log_lanes);
        let (low, lanes) = (low.expand(), lanes.expand());
        let sums = coordinates.gather::<B, E>(sums);
        let part = |v: usize| sums.iter().skip(v).step_by(count).zip(&lanes).map(|(&s, &l)| s * l).sum();
        let parts: Vec<E> = (0..count).map(part).collect();
        let value = dot(&low, &parts);
        Self { lanes, rows, sums, parts, value }
    }

    /// log2 of the lanes.
    pub fn log_lanes(&self) -> usize {
        self.lanes.len().trailing_zeros() as usize
    }
}

impl Coordinates {
    /// Two tables whose products add up to the batched sum: for every form, coordinate `u` and lane the entries
    /// `Σ_row P(row, lane) rows_u(row)`, and the weight's value on the lane times the basis element of `u`. The lowest
    /// variables are those of the lanes.
    pub(super) fn tables<B: Field, E: ExtensionOf<B>>(
        self,
        switched: &[Switched<E>],
        batch: &Batch<E>,
    ) -> (Vec<E>, Vec<E>) {
        let count = self.count(E::BYTES);
        let basis: Vec<E> = (0..count).map(|u| self.basis::<B, E>(u)).collect();
        let (mut entries, mut weights) = (Vec::new(), Vec::new());
        for (form, &gamma) in switched.iter().zip(&batch.gammas) {
            let width = form.lanes.len();
            let mut sums = vec![B::ZERO; count * width];
            for (lane, parts) in form.sums.chunks_exact(self.count(B::BYTES)).enumerate() {
                let of_lane = self.transpose::<B, E>(parts);
                sums.iter_mut().skip(lane).step_by(width).zip(of_lane).for_each(|(sum, x)| *sum = x);
            }
            entries.extend(E::lift_slice(&sums));
            let places = outer_product(&basis, &form.lanes);
            let rho: Vec<E> = batch.rho.iter().map(|&r| gamma * r).collect();
            let from = weights.len();
            weights.resize(from + sums.len(), E::ZERO);
            self.add_images::<B, E>(&rho, &places, &mut weights[from..]);
        }
        (entries, weights)
    }

    /// The weights of the rows, from the second of [`Coordinates::tables`] when its lanes are bound.
    pub(super) fn row_weights<B: Field, E: ExtensionOf<B>>(
        self,
        switched: &[Switched<E>],
        bound: &[E],
    ) -> Vec<E> {
        let mut weights = vec![E::ZERO; 1 << switched[0].rows.variables()];
        for (form, images) in switched.iter().zip(bound.chunks_exact(self.count(E::BYTES))) {
            self.add_images::<B, E>(images, &form.rows.expand_parallel(), &mut weights);
        }
        weights
    }

    /// Adds `Σ_u images_u x_u` for the coordinates `x_u` of every value `x`.
    ///
    /// Cost: a table lookup for each byte of the values.
    pub(super) fn add_images<B: Field, E: ExtensionOf<B>>(self, images: &[E], values: &[E], out: &mut [E]) {
        let images = outer_product(images, &self.bit_basis::<B, E>());
        let tables: Vec<Vec<E>> = images.chunks_exact(8).map(combinations).collect();
        parallel::for_each(out.chunks_mut(CHUNK).zip(values.chunks(CHUNK)), |(out, values)| {
            let coordinates = to_bytes(&E::flatten(values));
            for (out, bytes) in out.iter_mut().zip(coordinates.chunks_exact(tables.len())) {
                for (table, &byte) in tables.iter().zip(bytes) {
                    *out += table[usize::from(byte)];
                }
            }
        });
    }
}

/// For every bit of a row of entries, the sum of the values of the rows where it is set: canonical bytes of elements. A row is as long as there are entries
/// for a value.
///
/// # Panics
/// If there are no values.
pub fn bit_sums<B: Field, E: Field>(entries: &[B], values: &[E]) -> Vec<u8> {
    let width = entries.len() / values.len();
    let rows = values.len().div_ceil(parallel::threads()).max(ROWS_PER_TASK);
    let task = |(entries, values): (&[B], &[E])| {
        let mut sums = vec![0; 8 * width * B::BYTES * E::BYTES];
        let bytes = B::encoded(entries).map_or_else(|| Cow::Owned(to_bytes(entries)), Cow::Borrowed);
        bits::add_transposed_product(&bytes, &to_bytes(values), values.len(), &mut sums);
        sums
    };
    let add = |mut a: Vec<u8>, b: Vec<u8>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
        a
    };
    let tasks = entries.chunks(rows * width).zip(values.chunks(rows));
    parallel::map(tasks, task).into_iter().reduce(add).expect("at least one row")
}

/// The sums of all subsets of eight elements, by the bits of their number.
fn combinations<E: Field>(elements: &[E]) -> Vec<E> {
    let mut table = Vec::with_capacity(1 << elements.len());
    table.push(E::ZERO);
    for &e in elements {
        for i in 0..table.len() {
            table.push(table[i] + e);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::battery::elements;
    use field::{Gf192, Tower64};

    /// More rows than one task takes, and a last task that has fewer than the others.
    #[test]
    fn sums_of_tasks_add_up() {
        let rows = 2 * ROWS_PER_TASK + 3;
        let (entries, values) = (elements::<Tower64>(2 * rows, 1), elements::<Gf192>(rows, 2));
        let sums = bit_sums(&entries, &values);
        for (bit, sum) in sums.chunks_exact(Gf192::BYTES).enumerate() {
            let set = |row: &[Tower64]| row[bit / 64].0 >> (bit % 64) & 1 == 1;
            let picked = entries.chunks_exact(2).zip(&values).filter(|(row, _)| set(row));
            let expected: Gf192 = picked.map(|(_, &value)| value).sum();
            assert_eq!(Gf192::from_bytes(sum), Some(expected), "bit {bit}");
        }
    }
}
