//! Several forms and several polynomials at once, whose number is no power of two: what batches them must not let one error hide behind
//! another, in any inner argument.

use super::*;
use crate::matrix::BatchedClaims;

/// Three polynomials under every inner argument that takes them, up to the Johnson radius and hiding.
fn settings<P: Preset>() -> Vec<Params> {
    let mut all = Vec::new();
    for (hidden, regime, log_parts) in
        [(0, Regime::UniqueDecoding, 0), (0, JOHNSON, 1), (1, Regime::UniqueDecoding, 3)]
    {
        let base = Params { polynomials: 3, log_parts, ..small(P::FIELDS, hidden, regime) };
        let recursions = [base.inner.clone(), Inner::Recursion(vec![])];
        for inner in recursions.into_iter().chain(P::chains()) {
            all.push(Params { inner, ..base.clone() });
        }
    }
    all
}

/// The verdict on a prover about a point, and about an entry too where that is allowed.
fn verdict<P: Preset>(params: &Params, deviation: Option<Deviation>) -> Result<(), Invalid> {
    let scheme = SchemeOf::<P>::new(params.clone(), &ANY).unwrap();
    let mut forms = vec![TensorForm::point(&point(10))];
    if params.hidden_openings == 0 {
        forms.push(TensorForm::index(5, 10));
    }
    let (commitment, claims, proof) = match deviation {
        Some(deviation) => deviating(deviation, &scheme, forms),
        None => opened(&scheme, forms),
    };
    scheme.verify(&commitment, &claims, &proof)
}

/// The check that finds rows which are not those of the combined message.
pub(crate) fn check_of_rows(inner: &Inner) -> Invalid {
    match inner {
        Inner::Recursion(levels) if levels.is_empty() => ROWS,
        Inner::Recursion(_) => CLAIMS,
        Inner::Chain(steps) if steps.len() == 1 => {
            Invalid("the final message is not the fold of the last word")
        }
        Inner::Chain(_) | Inner::TwoChains => Invalid("a word is not the fold of the one before"),
    }
}

pub(super) fn malicious_prover_deviates_in_one_value_of_many<P: Preset>() {
    for params in settings::<P>() {
        assert_eq!(verdict::<P>(&params, None), Ok(()), "{params:?}");
        let forms = if params.hidden_openings == 0 { 2 } else { 1 };
        for (form, polynomial) in (0..forms).flat_map(|form| (0..3).map(move |k| (form, k))) {
            let found = verdict::<P>(&params, Some(Deviation::ValueOf(form, polynomial)));
            assert_eq!(found, Err(CLAIMS), "{form} {polynomial} {params:?}");
        }
    }
}

/// Every inner argument but two chains, which open one form of one polynomial and have tests of their own.
pub(super) fn malicious_prover_opens_rows_of_another_matrix<P: Preset>() {
    for params in settings::<P>().into_iter().filter(|params| params.regime == Regime::UniqueDecoding) {
        assert_eq!(verdict::<P>(&params, Some(Deviation::Commitment)), Err(TREE), "{params:?}");
    }
}

/// A sum of the values would be right; the powers that weight them see it.
pub(super) fn malicious_prover_whose_errors_cancel<P: Preset>() {
    for params in settings::<P>() {
        assert_eq!(verdict::<P>(&params, Some(Deviation::Cancelling)), Err(CLAIMS), "{params:?}");
    }
}

/// A sum of the columns would be a codeword; their random weights see that two of them are none.
pub(super) fn malicious_prover_whose_garbage_cancels<P: Preset>() {
    for params in settings::<P>() {
        let found = verdict::<P>(&params, Some(Deviation::Opposite));
        assert_eq!(found, Err(check_of_rows(&params.inner)), "{params:?}");
    }
}

/// Garbage in all columns of all polynomials, its opposite in the mask, and a form that does not see the columns' sum.
pub(super) fn malicious_prover_who_hides_garbage_of_many_behind_the_mask<P: Preset>() {
    for params in settings::<P>().into_iter().filter(|p| p.hidden_openings > 0) {
        let scheme = SchemeOf::<P>::new(params.clone(), &ANY).unwrap();
        let mut factors = TensorForm::<P::Challenge>::index(5, 10).factors().to_vec();
        factors[0] = [P::Challenge::ONE, -P::Challenge::ONE];
        let form = TensorForm::new(factors);
        let (commitment, claims, proof) = deviating(Deviation::Garbage, &scheme, vec![form]);
        let found = scheme.verify(&commitment, &claims, &proof);
        assert_eq!(found, Err(check_of_rows(&params.inner)), "{params:?}");
    }
}

/// A hiding opening proves one form, whatever the parameters say of open ones.
pub(super) fn two_forms_of_a_hiding_commitment_are_refused<P: Preset>() {
    let params = Params { max_forms: 8, ..small(P::FIELDS, 1, Regime::UniqueDecoding) };
    let scheme = SchemeOf::<P>::new(params, &ANY).unwrap();
    let (commitment, mut claims, proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    assert!(scheme.verify(&commitment, &claims, &proof).is_ok());
    claims.forms.push(claims.forms[0].clone());
    claims.values.push(claims.values[0].clone());
    let refused = scheme.verify(&commitment, &claims, &proof).unwrap_err();
    assert_eq!(refused.0, "more linear forms than the parameters allow");
}

/// Claim after claim, form by form, gets the next power.
pub(super) fn claims_are_batched_by_consecutive_powers<P: Preset>() {
    let params = Params { polynomials: 3, ..small(P::FIELDS, 0, JOHNSON) };
    let all: Vec<P::Challenge> = elements(9, 3);
    let claims = Claims {
        forms: vec![TensorForm::index(5, 10), TensorForm::sum(10)],
        values: vec![all[3..6].to_vec(), all[6..].to_vec()],
        context: vec![],
    };
    let (at_commit, layout) = (TensorForm::sum(10), params.layout());
    let split = BatchedClaims::new(&layout, Some((&at_commit, &all[..3])), &claims);
    assert_eq!(split.len(), 3);
    let gamma = point::<P::Challenge>(3)[2];
    let expected = (0..).zip(&all).map(|(i, &value)| gamma.pow(i) * value).sum::<P::Challenge>();
    assert_eq!(split.value(gamma), expected);
}
