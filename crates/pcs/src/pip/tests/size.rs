//! Predicted lengths and real proofs.

use super::*;
use crate::pip::search::{Profile, Wanted, find_among, pareto_among};

fn check<B: TwoAdic, E: ExtensionOf<B>>(params: Params, proofs: usize, hundredths: f64) {
    let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
    let n = 1 << params.log_size;
    let all: Vec<B> = entries(n * params.polynomials as usize);
    let polynomials: Vec<&[B]> = all.chunks(n).collect();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit_batch(&polynomials);
    let mut script = |i: usize| {
        let forms = vec![Tensor::point(&point(params.variables()))];
        let (claims, proof) = prover.open(&mut witness, forms, &i.to_le_bytes());
        scheme.script(witness.commitment(), &claims, &proof).unwrap()
    };
    let scripts: Vec<_> = (0..proofs).map(&mut script).collect();
    params.size().check(&scripts, hundredths);
}

#[test]
fn proofs_are_as_long_as_predicted() {
    for fields in [Fields::KoalaBear5, Fields::Goldilocks2, Fields::Bn254] {
        with_fields!(fields, B, E => {
            check::<B, E>(small(fields, 0, JOHNSON), 40, 2.0);
            check::<B, E>(Params { polynomials: 3, ..small(fields, 0, Regime::UniqueDecoding) }, 40, 2.0);
            check::<B, E>(small(fields, 2, Regime::UniqueDecoding), 2, 10.0);
        });
    }
}

/// Chains open whole fibres, and of every word the leaves that they fall into.
#[test]
fn proofs_of_chains_are_as_long_as_predicted() {
    for fields in [Fields::KoalaBear5, Fields::Goldilocks2] {
        with_fields!(fields, B, E => {
            for steps in [vec![1, 1], vec![0, 2], vec![2]] {
                check::<B, E>(Params { inner: Inner::Chain(steps), ..small(fields, 0, JOHNSON) }, 40, 2.0);
            }
            let hiding = small(fields, 2, Regime::UniqueDecoding);
            check::<B, E>(Params { inner: Inner::Chain(vec![0, 1]), ..hiding }, 2, 10.0);
            let params = small(fields, 0, Regime::UniqueDecoding);
            check::<B, E>(Params { inner: Inner::TwoChains, max_forms: 1, ..params }, 40, 2.0);
        });
    }
}

#[test]
fn the_front_holds_what_is_found() {
    let wanted = Wanted::new(Fields::KoalaBear4, 12, 100, Profile::Small);
    let found = find_among(Fields::OVER_KOALA_BEAR, &wanted).unwrap();
    let front = pareto_among(Fields::OVER_KOALA_BEAR, &wanted);
    assert!(front.iter().any(|c| c.params == found) && front.len() > 3, "{}", front.len());
    let others: Vec<_> = front.iter().filter(|c| c.params != found).collect();
    assert!(others.windows(2).all(|pair| pair[0].size.expected() > pair[1].size.expected()));
    with_fields!(found.fields, B, E => check::<B, E>(found, 4, 2.0));
}
