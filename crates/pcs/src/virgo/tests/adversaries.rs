//! One prover for each check of the verifier, honest but for one deviation, its transcript consistent: the check that
//! rejects it is named.

use super::reference::{Deviation, run};
use super::{JOHNSON, entries, point, scheme, small};
use crate::fields::Fields;
use crate::virgo::Params;
use field::{Goldilocks, Goldilocks2};
use iop::security::Regime;

fn rejects(params: &Params, deviation: Deviation, reason: &str) {
    let scheme = scheme::<Goldilocks, Goldilocks2>(params.clone());
    let form = point(params.variables(), 1);
    let (commitment, claims, proof) = run(&scheme, &entries(1 << params.log_size), form, deviation);
    let verdict = scheme.verify(&commitment, &claims, &proof);
    assert_eq!(verdict.unwrap_err().0, reason, "{deviation:?} {params:?}");
}

const LINK: &str = "a word is not the fold of the one before";
const LAST_LINK: &str = "the final message is not the fold of the last word";
const LAYER: &str = "a layer of the weights does not have the value that its sumcheck leaves";

/// Enough queries leave nothing to luck; with one fragment and with several, in both regimes.
fn settings() -> [Params; 2] {
    let shredded = Params { queries: 30, ..small(Fields::Goldilocks2, Regime::UniqueDecoding) };
    [shredded.clone(), Params { log_size: 7, log_columns: 0, regime: JOHNSON, ..shredded }]
}

#[test]
fn malicious_prover_deviates_in_the_value() {
    let [shredded, single] = settings();
    rejects(&shredded, Deviation::Value, "the fragments' values do not add up to the value");
    rejects(&single, Deviation::Value, LINK);
    for params in settings() {
        rejects(&params, Deviation::ValueAndSum, LINK);
    }
}

/// All words but `X p` are words of the code: the remainder has the degree that makes room for another sum.
#[test]
fn malicious_prover_with_a_remainder_of_too_high_a_degree() {
    for params in settings() {
        rejects(&params, Deviation::Degree, LINK);
    }
}

/// The commitment is to one polynomial, everything after it is about another.
#[test]
fn malicious_prover_with_another_polynomial_or_quotient() {
    for params in settings() {
        rejects(&params, Deviation::Switch, LINK);
        rejects(&params, Deviation::Quotient, LINK);
    }
}

#[test]
fn malicious_prover_with_another_word() {
    for params in settings() {
        for folds in 1..params.rounds() {
            rejects(&params, Deviation::SwitchAfter(folds), LINK);
        }
        let params = Params { log_final: 2, ..params };
        rejects(&params, Deviation::SwitchAfter(params.rounds()), LAST_LINK);
    }
}

#[test]
fn malicious_prover_outside_the_domain() {
    let [shredded, single] = settings();
    for params in [single, Params { regime: JOHNSON, ..shredded }] {
        rejects(&params, Deviation::OutOfDomain, LINK);
    }
}

/// A prover who is free in the weights proves any sum: only the delegation sees it.
#[test]
fn malicious_prover_with_other_weights() {
    for params in settings() {
        rejects(&params, Deviation::OtherWeights, LAYER);
        let reason = "the lowest layer of the weights has another value";
        rejects(&params, Deviation::OtherWeightsThatFit, reason);
        rejects(&params, Deviation::WeightAtPoint, LAYER);
    }
    // Without a layer that a sumcheck reaches.
    let [shredded, _] = settings();
    let params = Params { log_size: 6, ..shredded };
    rejects(&params, Deviation::OtherWeights, "the lowest layer of the weights has another value");
}

#[test]
fn malicious_prover_deviates_in_a_leaf_or_in_work() {
    for params in settings() {
        for word in 0..=params.rounds() {
            rejects(&params, Deviation::Leaf(word), "Merkle opening does not lead to the commitment");
        }
        rejects(
            &Params { grinding: 20, ..params },
            Deviation::Nonce,
            "the proof of work does not fit: statement or proof were changed, or the work is too little",
        );
    }
}
