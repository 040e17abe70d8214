//! Hiding, by linear algebra. (notes: zk-rows)
//!
//! All that a hiding opening reveals is a function of the opened rows and of the combined message with its tail,
//! both linear in the data and the randomness. For fixed challenges, the view is independent of the data given
//! the claimed value exactly if every combination of revealed elements in which all randomness cancels is a
//! multiple of the claim: a simulator can then draw the rest uniformly. The test computes that, with the
//! committing code itself, and shows that it fails without the random rows or without the mask.

use super::*;
use crate::matrix::combine_columns;
use crate::matrix::reduce::masked_weights;
use iop::code::ReedSolomon;
use iop::oracle::Shape;
use iop::transcript::Domain;

const LOG_COLUMNS: usize = 2;
const LOG_ROWS: usize = 2;

/// The revealed elements, as linear functions: one row per unknown (data first), one column per element.
fn view(tail: usize, mask: bool, positions: &[usize]) -> Vec<Vec<Goldilocks>> {
    let columns = 1 << LOG_COLUMNS;
    let width = columns + 2;
    let code = ReedSolomon { log_rows: LOG_ROWS, extra: tail, log_inv_rate: 2 };
    let shape = Shape { code, width, hash: Hash::Blake3 };
    let mut weights: Vec<Goldilocks2> = point::<Goldilocks2>(columns);
    let unit = iop::poly::basis::<Goldilocks, Goldilocks2>();
    weights.extend(unit.iter().map(|&b| if mask { b } else { Goldilocks2::ZERO }));
    let unknowns = unknowns(tail, width, columns, mask);
    let reveal = |&cell: &usize| {
        let mut message = vec![Goldilocks::ZERO; code.dimension() * width];
        message[cell] = Goldilocks::ONE;
        let oracle = shape.commit(&message, Vec::new());
        let mut revealed: Vec<Goldilocks> = positions.iter().flat_map(|&p| oracle.row(p)).copied().collect();
        let combined: Vec<Goldilocks2> = combine_columns(&message, &weights);
        revealed.extend_from_slice(&Goldilocks2::flatten(&combined));
        revealed
    };
    unknowns.iter().map(reveal).collect()
}

/// The combination takes in the opening's own mask, with weight one, and no other.
#[test]
fn an_opening_wears_its_mask() {
    let layout = small(Fields::Goldilocks2, 3, Regime::UniqueDecoding).layout();
    let unit = iop::poly::basis::<Goldilocks, Goldilocks2>();
    for mask in 0..3 {
        let mut tape = Domain::new(Hash::Blake3, "mask", &[0; 32]).statement(&[1; 32]).prover();
        let weights = masked_weights::<Goldilocks, Goldilocks2>(&layout, &mut tape, mask);
        let (fragments, masks) = weights.split_at(layout.columns());
        assert!(fragments.iter().all(|&w| w != Goldilocks2::ZERO));
        for (i, weights) in masks.chunks(2).enumerate() {
            let expected = if i == mask { unit.clone() } else { vec![Goldilocks2::ZERO; 2] };
            assert_eq!(weights, expected, "mask {i} of opening {mask}");
        }
    }
}

/// Cells of the message matrix: data cells first, then the random ones.
fn unknowns(tail: usize, width: usize, columns: usize, mask: bool) -> Vec<usize> {
    let rows = (1 << LOG_ROWS) + tail;
    let is_data = |cell: &usize| cell / width < 1 << LOG_ROWS && cell % width < columns;
    let usable = |cell: &usize| mask || cell % width < columns;
    let data = (0..rows * width).filter(is_data);
    data.chain((0..rows * width).filter(|c| !is_data(c) && usable(c))).collect()
}

/// Rank by elimination.
fn rank(mut rows: Vec<Vec<Goldilocks>>) -> usize {
    let width = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..width {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != Goldilocks::ZERO) else { continue };
        rows.swap(rank, pivot);
        let inverse = rows[rank][column].inverse().unwrap();
        let lead = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column] * inverse;
            row.iter_mut().zip(&lead).for_each(|(x, &l)| *x -= factor * l);
        }
        rank += 1;
    }
    rank
}

/// How many independent linear functions of the data the view gives away.
fn leaked(tail: usize, mask: bool, positions: &[usize]) -> usize {
    let all = view(tail, mask, positions);
    let data = 1 << (LOG_COLUMNS + LOG_ROWS);
    rank(all.clone()) - rank(all[data..].to_vec())
}

/// The rows and the masked combination together give away nothing: the claimed value enters beside them, through
/// the masked value, which the mask makes uniform.
#[test]
fn the_view_is_independent_of_the_data() {
    for positions in [&[0][..], &[3, 9], &[0, 1, 14], &[2, 5, 7, 11]] {
        assert_eq!(leaked(positions.len(), true, positions), 0, "{positions:?}");
        assert_eq!(leaked(positions.len() + 1, true, positions), 0, "{positions:?}");
    }
}

#[test]
fn too_short_a_tail_leaks() {
    assert!(leaked(2, true, &[0, 1, 14]) > 0);
    assert!(leaked(0, true, &[5]) > 0);
}

#[test]
fn no_mask_leaks() {
    assert!(leaked(4, false, &[3]) > 0);
}

/// Two openings of two commitments to the same data share no row and no value.
#[test]
fn commitments_are_randomised() {
    let params = small(Fields::Goldilocks2, 1, Regime::UniqueDecoding);
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let (a, _, first) = opened(&scheme, vec![Tensor::index(5, 10)]);
    let (b, _, second) = opened(&scheme, vec![Tensor::index(5, 10)]);
    assert_ne!(a, b);
    assert_ne!(first[1..20], second[1..20], "the masked value is fresh");
}

/// A tail one longer than all opened rows, so that unopened leaves stay unpredictable as well; and what a proof opens is
/// counted, not believed: a chain opens every row that folds into a position.
#[test]
fn the_tail_is_longer_than_the_opened_rows() {
    let chain = |first: u32| Inner::Chain(vec![first, 1, 1]);
    let recursion = small(Fields::Goldilocks2, 1, Regime::UniqueDecoding).inner;
    for (inner, rows) in [(recursion, 1), (chain(0), 1), (chain(1), 2), (chain(2), 4)] {
        for hidden_openings in 1..4 {
            let base = small(Fields::Goldilocks2, hidden_openings, Regime::UniqueDecoding);
            let params = Params { inner: inner.clone(), ..base };
            let most = rows * params.level.queries as usize;
            assert_eq!(params.tail(), hidden_openings as usize * most + 1);
            let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
            let (commitment, claims, proof) = opened(&scheme, vec![Tensor::index(5, 10)]);
            let script = scheme.script(&commitment, &claims, &proof).unwrap();
            let bytes = script.iter().find(|call| call.label == "rows").unwrap().length;
            let opened = bytes / (scheme.layout().stages[0].shape.width * Goldilocks::BYTES);
            assert!(opened <= most && opened * 2 > most, "{opened} rows of at most {most}");
        }
    }
}
