//! Predicted lengths and real proofs.

use super::*;
use crate::ligerito::search::{Profile, SearchTarget, find, pareto};

fn check<B: FoldFibres, E: ExtensionOf<B>>(params: Params, proofs: usize, hundredths: f64) {
    let forms = if params.hidden_openings == 0 { 2 } else { 1 };
    check_lengths::<Binary, B, E>(&params, (forms, proofs), hundredths);
}

#[test]
fn small_shapes_are_as_long_as_predicted() {
    for fields in tested::BINARY {
        with_tested_binary_fields!(fields, B, E => {
            check::<B, E>(small(fields, 0, JOHNSON), 40, 2.0);
            check::<B, E>(Params { polynomials: 3, ..small(fields, 0, Regime::UniqueDecoding) }, 40, 2.0);
            check::<B, E>(small(fields, 2, Regime::UniqueDecoding), 2, 10.0);
        });
    }
    for entries in [Entries::Bits, Entries::Bytes, Entries::Words32, Entries::Words64] {
        check::<Tower128, Gf128>(Params { entries, ..small(Fields::Gf128, 0, JOHNSON) }, 40, 2.0);
    }
}

#[test]
fn found_parameters_are_as_long_as_predicted() {
    for (log_size, profile) in [(1, Profile::Fast), (12, Profile::Fast), (12, Profile::Small)] {
        let params = find(&SearchTarget::new(Fields::Gf128, log_size, 100, profile)).unwrap();
        check::<Tower128, Gf128>(params, 4, 2.0);
    }
}

/// The search's front holds what it finds, in order, and nothing that another one beats.
#[test]
fn the_front_is_a_front() {
    for profile in [Profile::Fast, Profile::Small] {
        let wanted = [Fields::Gf192, Fields::Gf256].map(|fields| SearchTarget::new(fields, 14, 128, profile));
        let found = crate::ligerito::search::find_among(&wanted).unwrap();
        let front = pareto(&wanted);
        assert!(front.iter().any(|c| c.params == found) && front.len() > 3, "{}", front.len());
        for c in &front {
            assert!(c.report.proven_bits() >= 128.0 && c.size.expected() <= c.size.most() as f64);
            assert_eq!(c.params.report(), c.report);
        }
        assert!(front.windows(2).all(|pair| pair[0].millis <= pair[1].millis));
        let others: Vec<_> = front.iter().filter(|c| c.params != found).collect();
        assert!(others.windows(2).all(|pair| pair[0].size.expected() > pair[1].size.expected()));
    }
    assert!(pareto(&[SearchTarget::new(Fields::Gf128, 20, 200, Profile::Fast)]).is_empty());
}
