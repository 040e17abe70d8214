//! Sums of rows in pieces against those in one, and what no row may hold.
#![expect(clippy::as_conversions, reason = "small numbers of tests")]

use super::*;
use field::{Goldilocks, Goldilocks2};
use iop::code::ReedSolomon;
use iop::hash::{Digest, Hash};
use iop::oracle::OracleSpec;
use iop::poly::dot_base;
use iop::transcript::Domain;

type B = Goldilocks;
type E = Goldilocks2;

/// The encoding of the modulus, which would be a second zero.
const MODULUS: [u8; 8] = 0xffff_ffff_0000_0001_u64.to_le_bytes();

/// log2 of the rows, which are more than are read at once of a piece.
const LOG_ROWS: usize = 3;
const ROWS: usize = 1 << LOG_ROWS;

/// The rows of so many elements that a proof opens: by a prover that hashes whatever bytes it likes.
fn opened(bytes: &[u8], width: usize, check: impl FnOnce(Rows<'_, B>)) {
    assert_eq!((bytes.len(), width % 8), (ROWS * 8 * width, 0), "rows of whole blocks");
    let hash = Hash::Blake3;
    let mut nodes = vec![0; ROWS * hash.bytes()];
    hash.leaves(bytes, &mut nodes);
    while nodes.len() > hash.bytes() {
        let mut above = vec![0; nodes.len() / 2];
        hash.nodes(&nodes, &mut above);
        nodes = above;
    }
    let root = Digest::from_slice(&nodes).expect("one digest");
    let shape = OracleSpec { code: ReedSolomon::new(0, LOG_ROWS), width, log_fibre: 0, log_parts: 0, hash };
    let mut tape = Domain::new(hash, "test v1", &[0; 32]).statement(&[0; 32]).verifier(bytes);
    let positions: Vec<usize> = (0..ROWS).collect();
    check(shape.read_rows(&mut tape, &root, &positions).expect("the rows of this root"));
    tape.finish().unwrap();
}

fn element(i: usize) -> u64 {
    (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3
}

fn point(variables: usize) -> TensorForm<E> {
    let r: Vec<E> = (0..variables).map(|v| E::from_u64(element(v + 99)) * E::from_u64(7).pow(11)).collect();
    TensorForm::point(&r)
}

/// Weights of so many columns, as they are used: of a hiding commitment with the claims of several polynomials and masks, and alone.
fn weights(log_fragments: usize, polynomials: usize, masks: usize) -> Weights<E> {
    let columns = polynomials << log_fragments;
    let log_columns = columns.next_power_of_two().trailing_zeros() as usize;
    let mut weights = Weights::tensor(&point(log_columns), E::from_u64(5), columns);
    if masks > 0 {
        weights.push((0..masks as u64).map(E::from_u64));
        let scalars: Vec<E> = (0..polynomials as u64).map(|p| E::from_u64(p + 2).pow(40)).collect();
        weights.add::<B>(&point(log_fragments), &scalars, 1);
    }
    weights
}

#[test]
fn pieces_of_rows_add_up_and_every_element_is_canonical() {
    for (log_fragments, polynomials, masks) in
        [(3, 1, 0), (3, 3, 8), (12, 1, 0), (13, 1, 0), (14, 3, 8), (1, 4100, 4), (3, 1, 8192)]
    {
        let weights = weights(log_fragments, polynomials, masks);
        let all = weights.expand();
        let width = all.len().next_multiple_of(8);
        let (weights, all) = if width > all.len() {
            let mut padded = weights;
            padded.push(vec![E::ONE; width - all.len()]);
            let all = padded.expand();
            (padded, all)
        } else {
            (weights, all)
        };
        let columns = polynomials << log_fragments;
        let bytes: Vec<u8> = (0..ROWS * width).flat_map(|i| element(i).to_le_bytes()).collect();
        opened(&bytes, width, |rows| {
            let elements = rows.all().unwrap();
            let expected: Vec<E> = elements.chunks(width).map(|row| dot_base(row, &all)).collect();
            assert_eq!(weights.combine::<B>(&[rows]), Ok(expected), "{width}");
            let refused = Err(Invalid("rows of another width"));
            assert_eq!(weights.combine::<B>(&[rows.reshaped(width / 2)]), refused);
        });
        // A prover whose tree is over a second encoding of zero.
        let places = [0, 1, 4095, 4096, columns - 1, columns, width - 1, width, ROWS * width - 1];
        for at in places.into_iter().filter(|&at| at < ROWS * width) {
            let mut bytes = bytes.clone();
            bytes[8 * at..8 * at + 8].copy_from_slice(&MODULUS);
            opened(&bytes, width, |rows| {
                let refused = Err(Invalid("field element is not canonical"));
                assert_eq!(weights.combine::<B>(&[rows]), refused, "{width}, element {at}");
                assert!(rows.all().is_err());
            });
        }
    }
}

/// The same columns in two matrices, whose border is within a piece, at its end, or among the single weights.
#[test]
fn columns_stand_in_several_matrices() {
    for (log_fragments, polynomials, masks) in [(3, 3, 0), (13, 1, 0), (12, 3, 8), (3, 1, 8192)] {
        let weights = weights(log_fragments, polynomials, masks);
        let all = weights.expand();
        let width = all.len();
        let borders = [8, 4088, 4096, 4104, (polynomials << log_fragments) + 8, width - 8];
        for border in borders.into_iter().filter(|&border| border < width) {
            let elements: Vec<B> = (0..ROWS * width).map(|i| B::from_u64(element(i))).collect();
            let rows = elements.chunks(width).map(|row| row.split_at(border));
            let (left, right): (Vec<_>, Vec<_>) = rows.unzip();
            let bytes = [left.concat(), right.concat()].map(|half| iop::poly::to_bytes(&half));
            let expected: Vec<E> = elements.chunks(width).map(|row| dot_base(row, &all)).collect();
            opened(&bytes[0], border, |left| {
                opened(&bytes[1], width - border, |right| {
                    assert_eq!(weights.combine::<B>(&[left, right]), Ok(expected), "{width} {border}");
                    let refused = Err(Invalid("rows of another width"));
                    assert_eq!(weights.combine::<B>(&[left]), refused);
                    assert_eq!(weights.combine::<B>(&[left, right, right]), refused);
                    // As wide as all, and half as many rows.
                    let other = left.reshaped(2 * border);
                    assert_eq!(weights.combine::<B>(&[other, right]), refused);
                });
            });
        }
    }
}
