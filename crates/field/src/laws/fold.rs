//! The law of [`FoldFibres`]: words fold as their messages do.

use super::Samples;
use crate::{BlockShape, ExtensionOf, FoldFibres};

/// The law of [`FoldFibres`], with words over `E`.
pub fn fold_fibres<B: FoldFibres, E: ExtensionOf<B>>() {
    let mut samples = Samples::new(43);
    for (log_rows, log_inv_rate) in [(0, 1), (1, 1), (3, 2), (5, 1)] {
        for variables in 0..=log_rows {
            folds::<B, E>(&mut samples, (log_rows, log_inv_rate), variables);
        }
    }
}

/// The word of a message over the code with `2^log_domain` positions, so many folds after it: the formula of [`crate::FoldableCode`].
fn word<B: FoldFibres, E: ExtensionOf<B>>(message: &[E], log_domain: usize, folds: usize) -> Vec<E> {
    let first = |position: usize| B::point(log_domain, position << folds);
    let point = |position| (0..folds).fold(first(position), |point, _| B::halved(point));
    (0..1 << (log_domain - folds)).map(|position| B::evaluate(message, point(position))).collect()
}

/// All fibres fold to the word of the folded message, at once and in two steps; so do single ones.
fn folds<B: FoldFibres, E: ExtensionOf<B>>(
    samples: &mut Samples,
    (log_rows, log_inv_rate): (usize, usize),
    variables: usize,
) {
    let log_domain = log_rows + log_inv_rate;
    let mut message = samples.elements::<E>(1 << log_rows);
    let values = word::<B, E>(&message, log_domain, 0);
    let factors: Vec<[E; 2]> = samples.elements::<E>(2 * variables).as_chunks().0.to_vec();
    for &[even, odd] in &factors {
        message = message.chunks(2).map(|pair| even * pair[0] + odd * pair[1]).collect();
    }
    let expected = word::<B, E>(&message, log_domain, variables);
    let first = |fibre: usize| B::fold_point(log_domain, fibre << variables).expect("a point that folds");
    let points: Vec<B::FoldPoint> = (0..expected.len()).map(first).collect();
    let mut folded = points.clone();
    assert_eq!(
        B::fold_fibres(&mut folded, &values, &factors),
        Some(expected.clone()),
        "{variables} variables"
    );
    for step in 0..=variables {
        let step_points = (0..values.len() >> step).map(|i| B::fold_point(log_domain, i << step));
        let mut points: Vec<B::FoldPoint> = step_points.collect::<Option<_>>().expect("points that fold");
        let (now, then) = factors.split_at(step);
        let values = B::fold_fibres(&mut points, &values, now).expect("whole fibres");
        // Of each fibre of the rest the first position.
        let mut points: Vec<_> = points.into_iter().step_by(1 << then.len()).collect();
        assert_eq!(
            B::fold_fibres(&mut points, &values, then).as_ref(),
            Some(&expected),
            "{step} variables first"
        );
        assert_eq!(points, folded);
    }
    for (fibre, values) in values.chunks_exact(1 << variables).enumerate() {
        for place in 0..1 << variables {
            let point = B::fold_point(log_domain, (fibre << variables) + place).expect("a point that folds");
            assert_eq!(B::first_of_fibre(point, place, variables), points[fibre], "place {place}");
        }
        let alone = B::fold_fibres(&mut [points[fibre]], values, &factors);
        assert_eq!(alone, Some(vec![expected[fibre]]), "fibre {fibre} alone");
    }
    assert_eq!(B::fold_fibres(&mut points.clone(), &values[1..], &factors), None, "a value is missing");
    assert_eq!(B::fold_fibres(&mut points[1..].to_vec(), &values, &factors), None, "a point is missing");
    let (flat, mut out) = (E::flatten(&message), vec![B::ONE; 3]);
    let (log_rows, width) = (log_rows - variables, E::DEGREE);
    for (block, expected) in expected.chunks_exact(1 << log_rows).enumerate() {
        let shape = BlockShape { width, log_rows, log_domain: log_rows + log_inv_rate, block };
        B::encode_folded(&flat, shape, variables, &mut out);
        assert_eq!(out[..], E::flatten(expected)[..], "block {block}");
    }
}
