//! Every tier against the sum by its definition.

use super::*;
use crate::laws::Samples;

/// `aᵀ b`, bit by bit.
fn product(a: &[u8], b: &[u8], [wa, wb]: [usize; 2]) -> Vec<u8> {
    let mut out = vec![0; 8 * wa * wb];
    for (a, b) in a.chunks_exact(wa).zip(b.chunks_exact(wb)) {
        for (i, row) in out.chunks_exact_mut(wb).enumerate() {
            if a[i / 8] >> (i % 8) & 1 == 1 {
                row.iter_mut().zip(b).for_each(|(o, b)| *o ^= b);
            }
        }
    }
    out
}

#[test]
fn products_of_every_tier() {
    let mut samples = Samples::new(31);
    let mut bytes = |n: usize| -> Vec<u8> { (0..n).map(|_| samples.word() as u8).collect() };
    for tier in Tier::available() {
        for rows in [1, 7, 8, 9, 16, 24, 40, 255, 256, 257, 600] {
            for [wa, wb] in [[8, 8], [8, 16], [16, 16], [24, 24], [64, 32], [72, 16], [136, 80]] {
                let (a, b) = (bytes(rows * wa), bytes(rows * wb));
                let mut out = bytes(8 * wa * wb);
                let expected: Vec<u8> =
                    product(&a, &b, [wa, wb]).iter().zip(&out).map(|(x, y)| x ^ y).collect();
                add_with(tier, [&a, &b], rows, &mut out);
                assert!(out == expected, "{rows} rows of {wa} and {wb} bytes with {tier:?}");
            }
        }
    }
}

#[test]
fn a_product_of_nothing_is_nothing() {
    let mut out = [1, 2, 3, 4, 5, 6, 7, 8];
    add_transposed_product(&[], &[], 0, &mut out);
    assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8]);
}

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
