//! Predicted lengths and real proofs.

use super::*;
use crate::ligerito::search::{Profile, SearchTarget, find, pareto};

/// So many proofs under some parameters, each with positions of its own.
fn check<B: FoldFibres, E: ExtensionOf<B>>(params: Params, proofs: usize, hundredths: f64) {
    let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
    let (n, forms) = (1 << params.log_size, if params.hidden_openings == 0 { 2 } else { 1 });
    let all: Vec<B> = elements(n * params.polynomials as usize, 1);
    let polynomials: Vec<&[B]> = all.chunks(n).collect();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit_batch(&polynomials);
    let mut script = |i: usize| {
        let forms = vec![TensorForm::point(&point(params.variables())); forms];
        let (claims, proof) = prover.open(&mut witness, forms, &i.to_le_bytes());
        scheme.script(witness.commitment(), &claims, &proof).unwrap()
    };
    let scripts: Vec<_> = (0..proofs).map(&mut script).collect();
    params.size(forms).check(&scripts, hundredths);
}

#[test]
fn small_shapes_are_as_long_as_predicted() {
    for fields in Fields::BINARY {
        with_binary_fields!(fields, B, E => {
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
