//! Witnesses without a codeword under every inner argument.

use super::*;

#[test]
fn every_inner_argument_opens_without_a_codeword() {
    for regime in [Regime::UniqueDecoding, JOHNSON] {
        for fields in tested::PRIME {
            let base = small(fields, 0, regime);
            let inners = [base.inner.clone(), Inner::Chain(vec![1, 2, 1, 1]), Inner::TwoChains];
            for inner in inners {
                let max_forms = if inner == Inner::TwoChains { 1 } else { 8 };
                if inner == Inner::TwoChains && regime != Regime::UniqueDecoding {
                    continue;
                }
                let params = Params { inner, max_forms, ..base.clone() };
                with_tested_fields!(fields, B, E => opens_alike::<Prime, B, E>(params));
            }
        }
    }
}

#[test]
#[should_panic = "openly"]
fn a_hiding_commitment_keeps_no_lean_witness() {
    let scheme =
        Scheme::<Goldilocks, Goldilocks2>::new(small(Fields::Goldilocks2, 1, Regime::UniqueDecoding), &ANY);
    let scheme = scheme.unwrap();
    Prover::new(&scheme).commit_lean(entries(1 << 10));
}
