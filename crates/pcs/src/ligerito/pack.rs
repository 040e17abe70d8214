//! The prover's passes of ring switching: bit matrices applied to long vectors. (notes: ligerito-ring)

use super::ring::Coordinates;
use field::{ExtensionOf, Field};
use rayon::prelude::*;

/// Entries that one task handles.
const CHUNK: usize = 1 << 12;

impl Coordinates {
    /// `s_v = Σ_x t(v, x) high(x)` for all coordinates `v` of the alphabet.
    ///
    /// Cost: by tables of the sums of eight values, about fifty additions for each entry, whatever the coordinates are.
    pub(super) fn parts<B: Field, E: ExtensionOf<B>>(self, entries: &[B], high: &[E]) -> Vec<E> {
        let bits = bit_sums(entries, high);
        // The bits of a coordinate are its coordinates over GF(2).
        let per_part = bits.len() / self.count(B::BYTES);
        let basis: Vec<E> = (0..per_part).map(|b| Coordinates::new(0).basis::<B, E>(b)).collect();
        bits.chunks_exact(per_part)
            .map(|bits| bits.iter().zip(&basis).map(|(&sum, &e)| sum * e).sum())
            .collect()
    }

    /// Adds `gamma` times `Σ_u rho_u high_u(x)` to every weight.
    ///
    /// Cost: a table lookup for each byte of the values.
    pub(super) fn add_weights<B: Field, E: ExtensionOf<B>>(
        self,
        high: &[E],
        rho: &[E],
        gamma: E,
        weights: &mut [E],
    ) {
        let bytes = B::BYTES * E::DEGREE;
        let per_part = 8 * bytes / self.count(bytes);
        let basis: Vec<E> = (0..per_part).map(|b| Coordinates::new(0).basis::<B, E>(b)).collect();
        let images: Vec<E> = rho.iter().flat_map(|&r| basis.iter().map(move |&e| gamma * r * e)).collect();
        let tables: Vec<Vec<E>> = images.chunks_exact(8).map(combinations).collect();
        weights.par_chunks_mut(CHUNK).zip(high.par_chunks(CHUNK)).for_each(|(weights, high)| {
            let coordinates = iop::poly::to_bytes(&E::flatten(high));
            for (weight, bytes) in weights.iter_mut().zip(coordinates.chunks_exact(bytes)) {
                *weight += tables.iter().zip(bytes).map(|(table, &byte)| table[usize::from(byte)]).sum();
            }
        });
    }
}

/// For every bit of an entry, the sum of the values of the entries where it is set.
fn bit_sums<B: Field, E: ExtensionOf<B>>(entries: &[B], values: &[E]) -> Vec<E> {
    let task = |(entries, values): (&[B], &[E])| {
        let mut sums = vec![E::ZERO; 8 * B::BYTES];
        let mut bytes = vec![0; 8 * B::BYTES];
        for (entries, values) in entries.chunks(8).zip(values.chunks(8)) {
            let mut eight = [E::ZERO; 8];
            eight[..values.len()].copy_from_slice(values);
            let table = combinations(&eight);
            bytes.fill(0);
            B::write_slice(entries, &mut bytes[..entries.len() * B::BYTES]);
            for (k, sums) in sums.chunks_exact_mut(8).enumerate() {
                let column = core::array::from_fn(|i| bytes[i * B::BYTES + k]);
                for (sum, index) in sums.iter_mut().zip(transpose(column)) {
                    *sum += table[usize::from(index)];
                }
            }
        }
        sums
    };
    let add = |mut a: Vec<E>, b: Vec<E>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let tasks = entries.par_chunks(CHUNK).zip(values.par_chunks(CHUNK)).map(task);
    tasks.reduce(|| vec![E::ZERO; 8 * B::BYTES], add)
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

/// The transpose of a matrix of eight by eight bits, one byte a row.
fn transpose(rows: [u8; 8]) -> [u8; 8] {
    let mut x = u64::from_le_bytes(rows);
    let swaps = [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)];
    for (shift, mask) in swaps {
        let moved = (x ^ (x >> shift)) & mask;
        x ^= moved ^ (moved << shift);
    }
    x.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        let rows = [0x01, 0x82, 0xf0, 0x0f, 0x55, 0xaa, 0xff, 0x00];
        let columns = transpose(rows);
        for (i, row) in rows.iter().enumerate() {
            for (k, column) in columns.iter().enumerate() {
                assert_eq!(row >> k & 1, column >> i & 1, "row {i} column {k}");
            }
        }
    }
}
