//! One lying prover per check of the verifier: honest but for one lie, consistent with its own transcript.

use super::*;
use iop::error::Invalid;
use iop::transcript::{Call, Kind};

const CLAIMS: Invalid = Invalid("the final message does not satisfy the claims");
const ROWS: Invalid = Invalid("the final message disagrees with an opened row");

/// What the verifier says to a prover that tells one lie about an entry of the data.
fn verdict(lie: Deviation, params: Params) -> Result<(), Invalid> {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params.clone(), &ANY).unwrap();
    let forms = vec![TensorForm::index(5, params.log_size as usize)];
    let (commitment, claims, proof) = deviating(lie, &scheme, forms);
    scheme.verify(&commitment, &claims, &proof)
}

fn open_params() -> Params {
    small(Fields::Goldilocks2, 0, Regime::UniqueDecoding)
}

fn hiding_params() -> Params {
    small(Fields::Goldilocks2, 1, Regime::UniqueDecoding)
}

#[test]
fn liar_about_the_value() {
    assert_eq!(verdict(Deviation::Value, open_params()), Err(CLAIMS));
}

#[test]
fn liar_about_a_partial_evaluation() {
    assert_eq!(verdict(Deviation::PartialEvaluation, open_params()), Err(CLAIMS));
}

#[test]
fn liar_about_the_value_of_a_hiding_opening() {
    assert_eq!(verdict(Deviation::Value, hiding_params()), Err(CLAIMS));
}

#[test]
fn liar_about_the_masked_value() {
    assert_eq!(verdict(Deviation::MaskedValue, hiding_params()), Err(CLAIMS));
}

/// The weights of the fragments must not add up to a constant: with the mask's weight they would let garbage through that
/// a form with column weights of sum zero does not see. (notes: zk-mask)
#[test]
fn liar_who_hides_garbage_behind_the_mask() {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(hiding_params(), &ANY).unwrap();
    let one = Goldilocks2::ONE;
    let mut factors = TensorForm::<Goldilocks2>::index(5, 10).factors().to_vec();
    for factor in [[one, -one], [one, one]] {
        factors[0] = factor;
        let form = TensorForm::new(factors.clone());
        let (commitment, claims, proof) = deviating(Deviation::Garbage, &scheme, vec![form.clone()]);
        assert_eq!(scheme.verify(&commitment, &claims, &proof), Err(CLAIMS), "{factor:?}");
        let (commitment, claims, proof) = opened(&scheme, vec![form]);
        assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{factor:?}");
    }
}

#[test]
fn liar_about_the_tail_meets_the_claims_of_opened_rows() {
    assert_eq!(verdict(Deviation::Tail, hiding_params()), Err(CLAIMS));
}

#[test]
fn liar_about_the_tail_meets_the_opened_rows() {
    let params = Params { inner: Inner::Recursion(vec![]), ..hiding_params() };
    assert_eq!(verdict(Deviation::Tail, params), Err(ROWS));
}

#[test]
fn liar_about_the_mask() {
    assert_eq!(verdict(Deviation::Mask, hiding_params()), Err(Invalid("no such mask")));
}

/// The lie that the published verifier of this scheme cannot see: the word that is folded on has nothing to do
/// with the committed fragments. (notes: pip-link)
#[test]
fn liar_who_folds_another_polynomial_than_the_committed_one() {
    assert_eq!(verdict(Deviation::NextMessage, open_params()), Err(CLAIMS));
}

#[test]
fn liar_about_a_root() {
    assert!(verdict(Deviation::Root, open_params()).is_err());
    let flat = Params { inner: Inner::Recursion(vec![]), ..open_params() };
    assert_eq!(verdict(Deviation::Root, flat), Ok(()), "no recursion, no root to lie about");
}

#[test]
fn liar_about_an_out_of_domain_value() {
    assert_eq!(verdict(Deviation::OutOfDomain, small(Fields::Goldilocks2, 0, JOHNSON)), Err(CLAIMS));
}

#[test]
fn liar_about_the_final_message() {
    assert_eq!(verdict(Deviation::FinalMessage, open_params()), Err(ROWS));
}

#[test]
fn liar_about_the_out_of_domain_value_of_the_commitment() {
    let params = small(Fields::Goldilocks2, 0, JOHNSON);
    assert_eq!(verdict(Deviation::OutOfDomainOfCommitment, params), Err(CLAIMS));
}

/// Two claims about one form with different values: one of them is a lie, whichever is asked first.
#[test]
fn liar_who_opens_one_form_to_two_values() {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(open_params(), &ANY).unwrap();
    let form = TensorForm::index(5, 10);
    let forms = vec![form.clone(), form];
    let (commitment, claims, proof) = deviating(Deviation::PartialEvaluation, &scheme, forms);
    assert_ne!(claims.values[0], claims.values[1]);
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Err(CLAIMS));
}

/// What the verifier says to a prover who did everything but the work that the last call with this label asks for.
pub(super) fn lazy(params: Params, label: &str) -> Result<(), Invalid> {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let (commitment, claims, mut proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    let script = scheme.script(&commitment, &claims, &proof).unwrap();
    let bytes = |call: &Call| match call.kind {
        Kind::Send | Kind::Hint | Kind::Nonce => call.length,
        _ => 0,
    };
    let asked = script.iter().position(|c| c.label == label && c.length == 16).unwrap();
    let at: usize = script[..asked].iter().map(bytes).sum();
    proof[at..at + 8].fill(0xff);
    scheme.verify(&commitment, &claims, &proof)
}

const WEAK: Invalid = Invalid("proof of work is too weak");

fn working() -> Params {
    let mut params = open_params();
    (params.level.grinding, params.level.fold_grinding) = (16, 16);
    params
}

#[test]
fn liar_who_did_not_grind_before_the_queries() {
    assert_eq!(lazy(working(), "query grinding"), Err(WEAK));
}

#[test]
fn liar_who_did_not_grind_before_a_fold() {
    assert_eq!(lazy(working(), "fold grinding"), Err(WEAK));
}

#[test]
fn liar_who_did_not_grind_before_a_hiding_fold() {
    let mut params = hiding_params();
    params.level.fold_grinding = 16;
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    // Mask index, nonce, masked value, nonce.
    for at in [1, 1 + 8 + Goldilocks2::BYTES] {
        let mut lazy = proof.clone();
        lazy[at..at + 8].fill(0xff);
        assert_eq!(scheme.verify(&commitment, &claims, &lazy), Err(WEAK));
    }
}
