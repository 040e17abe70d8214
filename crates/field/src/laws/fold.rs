//! The law of [`FoldFibres`]: words fold as their messages do.

use super::Samples;
use super::plain::values;
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
    values(1 << (log_domain - folds), &|position| {
        let mut point = B::point(log_domain, position << folds);
        for _ in 0..folds {
            point = B::halved(point);
        }
        B::evaluate(message, point)
    })
}

/// All fibres fold to the word of the folded message, at once and in two steps; so do single ones.
fn folds<B: FoldFibres, E: ExtensionOf<B>>(
    samples: &mut Samples,
    (log_rows, log_inv_rate): (usize, usize),
    variables: usize,
) {
    let log_domain = log_rows + log_inv_rate;
    let mut message = samples.elements::<E>(1 << log_rows);
    let word_before = word::<B, E>(&message, log_domain, 0);
    let factors: Vec<[E; 2]> = samples.elements::<E>(2 * variables).as_chunks().0.to_vec();
    for &[even, odd] in &factors {
        message = values(message.len() / 2, &|i| even * message[2 * i] + odd * message[2 * i + 1]);
    }
    let expected = word::<B, E>(&message, log_domain, variables);
    let first = |fibre: usize| B::fold_point(log_domain, fibre << variables).expect("a point that folds");
    let points = values(expected.len(), &first);
    let mut folded = points.clone();
    assert_eq!(
        B::fold_fibres(&mut folded, &word_before, &factors),
        Some(expected.clone()),
        "{variables} variables"
    );
    for step in 0..=variables {
        let step_point = |i: usize| B::fold_point(log_domain, i << step).expect("a point that folds");
        let mut points = values(word_before.len() >> step, &step_point);
        let (now, then) = factors.split_at(step);
        let between = B::fold_fibres(&mut points, &word_before, now).expect("whole fibres");
        // Of each fibre of the rest the first position.
        let mut points = values(points.len() >> then.len(), &|i| points[i << then.len()]);
        assert_eq!(
            B::fold_fibres(&mut points, &between, then).as_ref(),
            Some(&expected),
            "{step} variables first"
        );
        assert_eq!(points, folded);
    }
    for (fibre, values) in word_before.chunks_exact(1 << variables).enumerate() {
        for place in 0..1 << variables {
            let point = B::fold_point(log_domain, (fibre << variables) + place).expect("a point that folds");
            assert_eq!(B::first_of_fibre(point, place, variables), points[fibre], "place {place}");
        }
        let alone = B::fold_fibres(&mut [points[fibre]], values, &factors);
        assert_eq!(alone, Some(vec![expected[fibre]]), "fibre {fibre} alone");
    }
    assert_eq!(B::fold_fibres(&mut points.clone(), &word_before[1..], &factors), None, "a value is missing");
    assert_eq!(B::fold_fibres(&mut points[1..].to_vec(), &word_before, &factors), None, "a point is missing");
    let (flat, mut out) = (E::flatten(&message), vec![B::ONE; 3]);
    let (log_rows, width) = (log_rows - variables, E::DEGREE);
    for (block, expected) in expected.chunks_exact(1 << log_rows).enumerate() {
        let shape = BlockShape { width, log_rows, log_domain: log_rows + log_inv_rate, block };
        B::encode_folded(&flat, shape, variables, &mut out);
        assert_eq!(out[..], E::flatten(expected)[..], "block {block}");
    }
}
