//! Hiding: the mask of an opening, fresh randomness, the length of the tail. That the view says nothing is shown in
//! `matrix/tests.rs`, for all schemes over a matrix.

use super::*;
use crate::matrix::reduce::masked_weights;
use iop::transcript::Domain;

/// The combination takes in the opening's own mask, with weight one, and no other.
#[test]
fn an_opening_wears_its_mask() {
    let layout = small(Fields::Goldilocks2, 3, Regime::UniqueDecoding).layout();
    let unit = iop::poly::basis::<Goldilocks, Goldilocks2>();
    for mask in 0..3 {
        let mut tape = Domain::new(Hash::Blake3, "mask", &[0; 32]).statement(&[1; 32]).prover();
        let weights = masked_weights::<Goldilocks, Goldilocks2>(&layout, &mut tape, mask).expand();
        let (fragments, masks) = weights.split_at(layout.columns());
        assert!(fragments.iter().all(|&w| w != Goldilocks2::ZERO));
        for (i, weights) in masks.chunks(2).enumerate() {
            let expected = if i == mask { unit.clone() } else { vec![Goldilocks2::ZERO; 2] };
            assert_eq!(weights, expected, "mask {i} of opening {mask}");
        }
    }
}

/// Two openings of two commitments to the same data share no row and no value.
#[test]
fn commitments_are_randomised() {
    let params = small(Fields::Goldilocks2, 1, Regime::UniqueDecoding);
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let (a, _, first) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    let (b, _, second) = opened(&scheme, vec![TensorForm::index(5, 10)]);
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
            let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
            let script = scheme.script(&commitment, &claims, &proof).unwrap();
            let bytes = script.iter().find(|call| call.label == "rows").unwrap().length;
            let opened = bytes / (scheme.layout().stages[0].shape.width * Goldilocks::BYTES);
            assert!(opened <= most && opened * 2 > most, "{opened} rows of at most {most}");
        }
    }
}
