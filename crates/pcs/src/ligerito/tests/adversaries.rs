//! One lying prover per check of the verifier: honest but for one lie, consistent with its own transcript.

use super::*;
use iop::error::Invalid;
use iop::transcript::{Call, Kind};

const CLAIMS: Invalid = Invalid("the final message does not satisfy the claims");
const ROWS: Invalid = Invalid("the final message disagrees with an opened row");
const WEAK: Invalid = Invalid("proof of work is too weak");

type Small = Scheme<Tower128, Gf128>;

/// What the verifier says to a prover that tells one lie about an entry of the data.
fn verdict(lie: Deviation, params: Params) -> Result<(), Invalid> {
    let scheme = Small::new(params.clone(), &ANY).unwrap();
    let forms = vec![TensorForm::index(5, params.log_size as usize)];
    let (commitment, claims, proof) = deviating(lie, &scheme, forms);
    scheme.verify(&commitment, &claims, &proof)
}

fn open_params() -> Params {
    small(Fields::Gf128, 0, Regime::UniqueDecoding)
}

fn hiding_params() -> Params {
    small(Fields::Gf128, 1, Regime::UniqueDecoding)
}

#[test]
fn liar_about_the_value() {
    assert_eq!(verdict(Deviation::Value, open_params()), Err(CLAIMS));
}

/// A round polynomial that starts elsewhere than the claim: the sent coefficients leave no room for it, so the lie shifts a
/// partial evaluation instead.
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

#[test]
fn liar_about_the_tail_meets_the_claims_of_opened_rows() {
    assert_eq!(verdict(Deviation::Tail, hiding_params()), Err(CLAIMS));
}

#[test]
fn liar_about_the_tail_meets_the_opened_rows() {
    assert_eq!(
        verdict(Deviation::Tail, Params { inner: Inner::Recursion(vec![]), ..hiding_params() }),
        Err(ROWS)
    );
}

#[test]
fn liar_about_the_mask() {
    assert_eq!(verdict(Deviation::Mask, hiding_params()), Err(Invalid("no such mask")));
}

/// The lie that the published verifier cannot see: nothing ties the message that is folded on to the committed one.
#[test]
fn liar_who_recurses_into_another_message_than_the_committed_one() {
    assert_eq!(verdict(Deviation::NextMessage, open_params()), Err(CLAIMS));
}

#[test]
fn liar_about_a_root() {
    assert!(verdict(Deviation::Root, open_params()).is_err());
}

#[test]
fn liar_about_an_out_of_domain_value() {
    assert_eq!(verdict(Deviation::OutOfDomain, small(Fields::Gf128, 0, JOHNSON)), Err(CLAIMS));
}

#[test]
fn liar_about_the_final_message() {
    assert_eq!(verdict(Deviation::FinalMessage, open_params()), Err(ROWS));
}

#[test]
fn liar_about_the_out_of_domain_value_of_the_commitment() {
    let params = small(Fields::Gf128, 0, JOHNSON);
    assert_eq!(verdict(Deviation::OutOfDomainOfCommitment, params), Err(CLAIMS));
}

/// Garbage in one lane and the same in another: in characteristic two they cancel in a plain sum of the lanes.
#[test]
fn liar_who_commits_to_garbage_that_cancels() {
    assert!(verdict(Deviation::Opposite, open_params()).is_err());
}

/// Two claims about one form with different values: one of them is a lie, whichever is asked first.
#[test]
fn liar_who_opens_one_form_to_two_values() {
    let scheme = Small::new(open_params(), &ANY).unwrap();
    let form = TensorForm::index(5, 10);
    let forms = vec![form.clone(), form];
    let (commitment, claims, proof) = deviating(Deviation::PartialEvaluation, &scheme, forms);
    assert_ne!(claims.values[0], claims.values[1]);
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Err(CLAIMS));
}

/// What the verifier says to a prover who did everything but the work that the first call with this label asks for.
fn lazy(label: &str) -> Result<(), Invalid> {
    let mut params = open_params();
    (params.level.grinding, params.level.fold_grinding) = (16, 16);
    let scheme = Small::new(params, &ANY).unwrap();
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

#[test]
fn liar_who_did_not_grind_before_the_queries() {
    assert_eq!(lazy("query grinding"), Err(WEAK));
}

#[test]
fn liar_who_did_not_grind_before_a_fold() {
    assert_eq!(lazy("fold grinding"), Err(WEAK));
}
