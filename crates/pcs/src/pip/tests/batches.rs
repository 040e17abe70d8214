//! Liars about several forms and several polynomials at once, whose number is no power of two: what batches them must
//! not let one error hide behind another, in any inner argument.

use super::*;
use crate::matrix::BatchedClaims;

/// Three polynomials under every inner argument that takes them, up to the Johnson radius and hiding.
fn settings() -> Vec<Params> {
    let mut all = Vec::new();
    for (hidden, regime) in [(0, Regime::UniqueDecoding), (0, JOHNSON), (1, Regime::UniqueDecoding)] {
        let base = Params { polynomials: 3, ..small(Fields::Goldilocks2, hidden, regime) };
        for inner in [
            base.inner.clone(),
            Inner::Recursion(vec![]),
            Inner::Chain(vec![1, 2, 1, 1]),
            Inner::Chain(vec![0]),
        ] {
            all.push(Params { inner, ..base.clone() });
        }
    }
    all
}

/// What the verifier says to a liar about a point, and about an entry too where that is allowed.
fn accepts(params: &Params, lie: Option<Deviation>) -> bool {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params.clone(), &ANY).unwrap();
    let mut forms = vec![TensorForm::point(&point(10))];
    if params.hidden_openings == 0 {
        forms.push(TensorForm::index(5, 10));
    }
    let (commitment, claims, proof) = match lie {
        Some(lie) => deviating(lie, &scheme, forms),
        None => opened(&scheme, forms),
    };
    scheme.verify(&commitment, &claims, &proof).is_ok()
}

#[test]
fn liar_about_one_value_of_many() {
    for params in settings() {
        assert!(accepts(&params, None), "{params:?}");
        let forms = if params.hidden_openings == 0 { 2 } else { 1 };
        for form in 0..forms {
            for polynomial in 0..3 {
                assert!(
                    !accepts(&params, Some(Deviation::ValueOf(form, polynomial))),
                    "{form} {polynomial} {params:?}"
                );
            }
        }
    }
}

/// A sum of the values would be right; the powers that weight them see it.
#[test]
fn liar_whose_errors_cancel() {
    for params in settings() {
        assert!(!accepts(&params, Some(Deviation::Cancelling)), "{params:?}");
    }
}

/// A sum of the columns would be a codeword; their random weights see that two of them are none.
#[test]
fn liar_whose_garbage_cancels() {
    for params in settings() {
        assert!(!accepts(&params, Some(Deviation::Opposite)), "{params:?}");
    }
}

/// Garbage in all columns of all polynomials, its opposite in the mask, and a form that does not see the columns' sum.
#[test]
fn liar_who_hides_garbage_of_many_behind_the_mask() {
    for params in settings().into_iter().filter(|p| p.hidden_openings > 0) {
        let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params.clone(), &ANY).unwrap();
        let mut factors = TensorForm::<Goldilocks2>::index(5, 10).factors().to_vec();
        factors[0] = [Goldilocks2::ONE, -Goldilocks2::ONE];
        let form = TensorForm::new(factors);
        let (commitment, claims, proof) = deviating(Deviation::Garbage, &scheme, vec![form.clone()]);
        assert!(scheme.verify(&commitment, &claims, &proof).is_err(), "{params:?}");
    }
}

/// A hiding opening proves one form, whatever the parameters say of open ones.
#[test]
fn two_forms_of_a_hiding_commitment_are_refused() {
    let params = Params { max_forms: 8, ..small(Fields::Goldilocks2, 1, Regime::UniqueDecoding) };
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let (commitment, mut claims, proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    assert!(scheme.verify(&commitment, &claims, &proof).is_ok());
    claims.forms.push(claims.forms[0].clone());
    claims.values.push(claims.values[0].clone());
    let refused = scheme.verify(&commitment, &claims, &proof).unwrap_err();
    assert_eq!(refused.0, "more linear forms than the parameters allow");
}

/// Claim after claim, form by form, gets the next power.
#[test]
fn claims_are_batched_by_consecutive_powers() {
    let params = Params { polynomials: 3, ..small(Fields::Goldilocks2, 0, JOHNSON) };
    let value = |i: u64| Goldilocks2::from_u64(i * i + 7);
    let claims = Claims {
        forms: vec![TensorForm::index(5, 10), TensorForm::sum(10)],
        values: vec![vec![value(3), value(4), value(5)], vec![value(6), value(7), value(8)]],
        context: vec![],
    };
    let (at_commit, stated) = (TensorForm::sum(10), [value(0), value(1), value(2)]);
    let layout = params.layout();
    let split = BatchedClaims::new(&layout, Some((&at_commit, &stated)), &claims);
    assert_eq!(split.len(), 3);
    let gamma = point::<Goldilocks2>(3)[2];
    let expected = (0..9).map(|i| gamma.pow(i) * value(i)).sum::<Goldilocks2>();
    assert_eq!(split.value(gamma), expected);
}
