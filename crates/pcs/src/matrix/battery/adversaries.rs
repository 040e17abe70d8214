//! One malicious prover per check of the verifier: honest but for one deviation, and consistent with its own transcript.

use super::*;

pub(crate) const CLAIMS: Invalid = Invalid("the final message does not satisfy the claims");
pub(crate) const ROWS: Invalid = Invalid("the final message disagrees with an opened row");
/// A row that is not in the tree whose root was sent.
pub(crate) const TREE: Invalid = Invalid("Merkle opening does not lead to the commitment");
pub(crate) const WEAK: Invalid =
    Invalid("the proof of work does not fit: statement or proof were changed, or the work is too little");

/// The verdict on a prover that deviates in one thing, about an entry of the data.
fn verdict<P: Preset>(deviation: Deviation, params: Params) -> Result<(), Invalid> {
    let forms = vec![TensorForm::index(5, params.log_size as usize)];
    let scheme = SchemeOf::<P>::new(params, &ANY).unwrap();
    let (commitment, claims, proof) = deviating(deviation, &scheme, forms);
    scheme.verify(&commitment, &claims, &proof)
}

fn plain<P: Preset>() -> Params {
    small(P::FIELDS, 0, Regime::UniqueDecoding)
}

fn hiding<P: Preset>() -> Params {
    small(P::FIELDS, 1, Regime::UniqueDecoding)
}

pub(super) fn malicious_prover_deviates_in_the_value<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::Value, plain::<P>()), Err(CLAIMS));
}

/// A round polynomial that starts elsewhere than the claim: the sent coefficients leave no room for it, so a partial evaluation is
/// shifted instead.
pub(super) fn malicious_prover_deviates_in_a_partial_evaluation<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::PartialEvaluation, plain::<P>()), Err(CLAIMS));
}

pub(super) fn malicious_prover_deviates_in_the_value_of_a_hiding_opening<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::Value, hiding::<P>()), Err(CLAIMS));
}

pub(super) fn malicious_prover_deviates_in_the_masked_value<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::MaskedValue, hiding::<P>()), Err(CLAIMS));
}

/// The weights of the fragments must not add up to a constant: with the mask's weight they would let garbage through that
/// a form with column weights of sum zero does not see. (notes: zk-mask)
pub(super) fn malicious_prover_who_hides_garbage_behind_the_mask<P: Preset>() {
    let scheme = SchemeOf::<P>::new(hiding::<P>(), &ANY).unwrap();
    let one = P::Challenge::ONE;
    let mut factors = TensorForm::<P::Challenge>::index(5, 10).factors().to_vec();
    for factor in [[one, -one], [one, one]] {
        factors[0] = factor;
        let form = TensorForm::new(factors.clone());
        let (commitment, claims, proof) = deviating(Deviation::Garbage, &scheme, vec![form.clone()]);
        assert_eq!(scheme.verify(&commitment, &claims, &proof), Err(CLAIMS), "{factor:?}");
        let (commitment, claims, proof) = opened(&scheme, vec![form]);
        assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{factor:?}");
    }
}

pub(super) fn malicious_prover_deviates_in_the_tail_and_meets_the_claims_of_opened_rows<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::Tail, hiding::<P>()), Err(CLAIMS));
}

pub(super) fn malicious_prover_deviates_in_the_tail_and_meets_the_opened_rows<P: Preset>() {
    let params = Params { inner: Inner::Recursion(vec![]), ..hiding::<P>() };
    assert_eq!(verdict::<P>(Deviation::Tail, params), Err(ROWS));
}

pub(super) fn malicious_prover_deviates_in_the_mask<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::Mask, hiding::<P>()), Err(Invalid("no such mask")));
}

/// The deviation that the published verifiers of both schemes cannot see: nothing ties the message that is folded on to the committed
/// one. (notes: pip-link)
pub(super) fn malicious_prover_who_recurses_into_another_message_than_the_committed_one<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::NextMessage, plain::<P>()), Err(CLAIMS));
}

pub(super) fn malicious_prover_deviates_in_a_root<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::Root, plain::<P>()), Err(TREE));
    let flat = Params { inner: Inner::Recursion(vec![]), ..plain::<P>() };
    assert_eq!(verdict::<P>(Deviation::Root, flat), Ok(()), "no recursion, no root to deviate in");
}

pub(super) fn malicious_prover_deviates_in_an_out_of_domain_value<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::OutOfDomain, small(P::FIELDS, 0, JOHNSON)), Err(CLAIMS));
}

pub(super) fn malicious_prover_deviates_in_the_final_message<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::FinalMessage, plain::<P>()), Err(ROWS));
}

pub(super) fn malicious_prover_deviates_in_the_out_of_domain_value_of_the_commitment<P: Preset>() {
    let params = small(P::FIELDS, 0, JOHNSON);
    assert_eq!(verdict::<P>(Deviation::OutOfDomainOfCommitment, params), Err(CLAIMS));
}

/// Garbage in one column and its opposite in another, which in characteristic two is the same: in a plain sum of the columns they cancel.
pub(super) fn malicious_prover_who_commits_to_garbage_that_cancels<P: Preset>() {
    assert_eq!(verdict::<P>(Deviation::Opposite, plain::<P>()), Err(CLAIMS));
}

/// Two claims about one form with different values: one of them is false, whichever is asked first.
pub(super) fn malicious_prover_who_opens_one_form_to_two_values<P: Preset>() {
    let scheme = SchemeOf::<P>::new(plain::<P>(), &ANY).unwrap();
    let form = TensorForm::index(5, 10);
    let forms = vec![form.clone(), form];
    let (commitment, claims, proof) = deviating(Deviation::PartialEvaluation, &scheme, forms);
    assert_ne!(claims.values[0], claims.values[1]);
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Err(CLAIMS));
}

/// The verdict on a prover who did everything but the work that the first call with this label asks for.
pub(crate) fn lazy<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    params: Params,
    label: &str,
) -> Result<(), Invalid> {
    let scheme = Scheme::<F, B, E>::new(params, &ANY).unwrap();
    let (commitment, claims, mut proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    let script = scheme.script(&commitment, &claims, &proof).unwrap();
    // Sixteen bits of work.
    let asked =
        script.iter().position(|c| c.label == label && c.kind == Kind::Grind && c.length == 16).unwrap();
    let at: usize = parts(script[..asked].to_vec()).iter().map(|(call, _)| call.length).sum();
    proof[at..at + 8].fill(0xff);
    scheme.verify(&commitment, &claims, &proof)
}

fn working<P: Preset>() -> Params {
    let mut params = plain::<P>();
    (params.level.grinding, params.level.fold_grinding) = (16, 16);
    params
}

pub(super) fn malicious_prover_who_did_not_grind_before_the_queries<P: Preset>() {
    let verdict = lazy::<P::Family, P::Base, P::Challenge>(working::<P>(), "query grinding");
    assert_eq!(verdict, Err(WEAK));
}

pub(super) fn malicious_prover_who_did_not_grind_before_a_fold<P: Preset>() {
    let verdict = lazy::<P::Family, P::Base, P::Challenge>(working::<P>(), "fold grinding");
    assert_eq!(verdict, Err(WEAK));
}

pub(super) fn malicious_prover_who_did_not_grind_before_a_hiding_fold<P: Preset>() {
    let mut params = hiding::<P>();
    params.level.fold_grinding = 16;
    let scheme = SchemeOf::<P>::new(params, &ANY).unwrap();
    let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::index(5, 10)]);
    // Mask index, nonce, masked value, nonce.
    for at in [1, 1 + 8 + P::Challenge::BYTES] {
        let mut lazy = proof.clone();
        lazy[at..at + 8].fill(0xff);
        assert_eq!(scheme.verify(&commitment, &claims, &lazy), Err(WEAK));
    }
}
