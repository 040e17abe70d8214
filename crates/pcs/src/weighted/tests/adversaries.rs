//! Malicious provers, one for each check of the verifier. Each takes a scheme with 64 entries.

use super::*;
use crate::scheme::Prover as _;
use iop::error::Invalid;
use iop::sumcheck;

const PRODUCT: Invalid = Invalid("the value at the point does not make the weighted sum");

/// A prover that is honest but for what is changed here, and consistent with its own transcript.
struct Deviations<S: Points> {
    /// The weights that the sumcheck is run with.
    weights: Vec<S::Base>,
    /// Added to the value at the point; `None`: the value that makes the sum.
    value: Option<S::Challenge>,
    /// Added to the first coordinate that the opening is at.
    point: S::Challenge,
    /// Done to the opening's context.
    context: fn(&mut Vec<u8>),
}

impl<S: Points> Deviations<S> {
    fn none(weights: &[S::Base]) -> Self {
        let zero = S::Challenge::ZERO;
        Self { weights: weights.to_vec(), value: Some(zero), point: zero, context: |_| {} }
    }
}

/// The proof that this prover gives for a claim.
fn prove<S: Case>(
    scheme: &Scheme<S>,
    witness: &mut Witness<S::Base, S::Challenge>,
    claim: &Claim<S::Base>,
    deviations: &Deviations<S>,
) -> Vec<u8> {
    let hash = scheme.facts().hash;
    let statement = claim.statement(hash);
    let bound = statement.digest(hash, &witness.commitment().to_bytes());
    let mut tape = scheme.bind(&bound).prover();
    let entries = scheme.inner().entries(witness).into_owned();
    let mut padded = deviations.weights.clone();
    padded.resize(entries.len(), S::Base::ZERO);
    let rounds = crate::weighted::security::rounds(scheme.facts());
    let claimed = S::Challenge::lift(claim.value);
    let (mut r, left, f) = sumcheck::prove_base(&mut tape, rounds, &entries, &padded, claimed);
    let value = match deviations.value {
        Some(off) => f[0] + off,
        None => left * extension(&claim.weights, &r).inverse().unwrap(),
    };
    tape.send("value at the point", &[value]);
    let mut proof = tape.finish();
    let mut inner = statement.inner_context(hash, &bound, &proof);
    (deviations.context)(&mut inner);
    r[0] += deviations.point;
    proof.extend(scheme.inner().prover().open(witness, vec![TensorForm::point(&r)], &inner).1);
    proof
}

/// The true claim about a witness with these weights.
fn truth<S: Case>(
    scheme: &Scheme<S>,
    witness: &Witness<S::Base, S::Challenge>,
    weights: Vec<S::Base>,
) -> Claim<S::Base> {
    let value = dot(&weights, &scheme.inner().entries(witness));
    Claim { weights, value, context: b"label".to_vec() }
}

/// What the verifier says to a claim that is off by `off`, with these deviations.
fn verdict<S: Case>(
    scheme: &Scheme<S>,
    off: S::Base,
    deviations: impl FnOnce(&mut Deviations<S>),
) -> Result<(), Invalid> {
    let mut witness = scheme.inner().committed(5);
    let mut claim = truth(scheme, &witness, numbers(50, 9));
    claim.value += off;
    let mut chosen = Deviations::none(&claim.weights);
    deviations(&mut chosen);
    let proof = prove(scheme, &mut witness, &claim, &chosen);
    scheme.verify(witness.commitment(), &claim, &proof)
}

fn none<S: Points>() -> S::Base {
    S::Base::ZERO
}

pub(super) fn an_honest_prover<S: Case>(scheme: &Scheme<S>) {
    assert_eq!(verdict(scheme, none::<S>(), |_| {}), Ok(()));
    let mut witness = scheme.inner().committed(5);
    let (claim, proof) = Prover::new(scheme).open(&mut witness, numbers(50, 9), b"label");
    let deviations = Deviations::none(&claim.weights);
    assert_eq!(prove(scheme, &mut witness, &claim, &deviations), proof);
}

pub(super) fn malicious_prover_deviates_in_the_weighted_sum<S: Case>(scheme: &Scheme<S>) {
    assert_eq!(verdict(scheme, S::Base::ONE, |_| {}), Err(PRODUCT));
}

/// The value at the point that makes up for a false sum is not the entries'.
pub(super) fn malicious_prover_deviates_in_the_sum_and_the_value_at_the_point<S: Case>(scheme: &Scheme<S>) {
    let verdict = verdict(scheme, S::Base::ONE, |deviations| deviations.value = None);
    assert!(verdict.is_err() && verdict != Err(PRODUCT), "{verdict:?}");
}

pub(super) fn malicious_prover_deviates_in_the_value_at_the_point<S: Case>(scheme: &Scheme<S>) {
    let verdict = verdict(scheme, none::<S>(), |deviations| deviations.value = Some(S::Challenge::ONE));
    assert_eq!(verdict, Err(PRODUCT));
}

/// Where the weights' factor is zero the product says nothing about the value, and the opening does.
pub(super) fn malicious_prover_deviates_in_the_value_at_a_point_without_weight<S: Case>(scheme: &Scheme<S>) {
    let mut witness = scheme.inner().committed(5);
    let claim = truth(scheme, &witness, vec![none::<S>(); 50]);
    let mut verdict = |claim: &Claim<S::Base>, off| {
        let deviations = Deviations { value: Some(off), ..Deviations::none(&claim.weights) };
        let proof = prove(scheme, &mut witness, claim, &deviations);
        scheme.verify(witness.commitment(), claim, &proof)
    };
    assert_eq!(verdict(&claim, S::Challenge::ZERO), Ok(()));
    let said = verdict(&claim, S::Challenge::ONE);
    assert!(said.is_err() && said != Err(PRODUCT), "{said:?}");
    let one = Claim { value: S::Base::ONE, ..claim };
    assert_eq!(verdict(&one, S::Challenge::ZERO), Err(PRODUCT), "nothing weighted is zero");
}

/// The rounds are those of other weights, with the sum that these have.
pub(super) fn malicious_prover_who_sums_with_other_weights<S: Case>(scheme: &Scheme<S>) {
    let mut witness = scheme.inner().committed(5);
    let used: Vec<S::Base> = numbers(50, 10);
    let claim = Claim { weights: numbers(50, 9), ..truth(scheme, &witness, used.clone()) };
    let proof = prove(scheme, &mut witness, &claim, &Deviations::none(&used));
    assert_eq!(scheme.verify(witness.commitment(), &claim, &proof), Err(PRODUCT));
    let ones = vec![S::Base::ONE; 50];
    assert_eq!(verdict(scheme, none::<S>(), |deviations| deviations.weights = ones), Err(PRODUCT));
}

/// Padding has no weight, so weight given to it is found out.
pub(super) fn malicious_prover_who_weighs_the_padding<S: Case>(scheme: &Scheme<S>) {
    let longer = numbers(51, 9);
    assert_eq!(verdict(scheme, none::<S>(), |deviations| deviations.weights = longer), Err(PRODUCT));
}

/// A weight behind the last entry has nothing to weigh; the sum of the others must not be sold as the sum of all.
pub(super) fn malicious_prover_who_has_more_weights_than_entries<S: Case>(scheme: &Scheme<S>) {
    let mut witness = scheme.inner().committed(5);
    for more in [1, 2, 64] {
        let weights: Vec<S::Base> = numbers(64 + more, 9);
        let claim = Claim { weights: weights.clone(), ..truth(scheme, &witness, weights[..64].to_vec()) };
        let proof = prove(scheme, &mut witness, &claim, &Deviations::none(&weights[..64]));
        let verdict = scheme.verify(witness.commitment(), &claim, &proof);
        assert_eq!(verdict, Err(Invalid("more weights than entries")), "{more} more");
    }
}

pub(super) fn malicious_prover_who_opens_another_point<S: Case>(scheme: &Scheme<S>) {
    assert!(verdict(scheme, none::<S>(), |deviations| deviations.point = S::Challenge::ONE).is_err());
}

pub(super) fn malicious_prover_who_opens_in_another_context<S: Case>(scheme: &Scheme<S>) {
    let edits: [fn(&mut Vec<u8>); 3] =
        [|c| c.push(0), |c| *c = b"label".to_vec(), |c| *c.last_mut().unwrap() ^= 1];
    for edit in edits {
        assert!(verdict(scheme, none::<S>(), |deviations| deviations.context = edit).is_err());
    }
}

/// A run's point, what is left of its claim, and the value at the point, as elements of the entries' field.
struct Known<B> {
    point: Vec<B>,
    left: B,
    value: B,
}

/// What the verifier says to a prover who runs the sumcheck with `used` for the weights it states, and only then, knowing
/// the point and what is left, decides what to state: `late` turns the claim of the run into the one that is verified.
/// Data and challenges live in one field, so that any number is a weight or a sum.
fn late<S: Case>(
    scheme: &Scheme<S>,
    used: &[S::Base],
    late: impl FnOnce(Claim<S::Base>, &Known<S::Challenge>) -> Claim<S::Base>,
) -> Result<(), Invalid> {
    let mut witness = scheme.inner().committed(5);
    let claim = truth(scheme, &witness, numbers(64, 9));
    let commitment = witness.commitment().clone();
    let hash = scheme.facts().hash;
    let bound = |claim: &Claim<S::Base>| claim.statement(hash).digest(hash, &commitment.to_bytes());
    let mut tape = scheme.bind(&bound(&claim)).prover();
    let rounds = crate::weighted::security::rounds(scheme.facts());
    let entries = scheme.inner().entries(&witness).into_owned();
    let claimed = S::Challenge::lift(claim.value);
    let (point, left, f) = sumcheck::prove_base(&mut tape, rounds, &entries, used, claimed);
    tape.send("value at the point", &f);
    let mut proof = tape.finish();
    let form = TensorForm::point(&point);
    let claim = late(claim, &Known { point, left, value: f[0] });
    let inner = claim.statement(hash).inner_context(hash, &bound(&claim), &proof);
    proof.extend(scheme.inner().prover().open(&mut witness, vec![form], &inner).1);
    scheme.verify(&commitment, &claim, &proof)
}

/// A challenge as an element of the entries' field, which is as large.
fn narrow<S: Points>(x: S::Challenge) -> S::Base {
    let one = [x];
    let flat = S::Challenge::flatten(&one);
    assert_eq!(flat.len(), 1, "one field for entries and challenges");
    flat[0]
}

pub(super) fn malicious_prover_who_chooses_the_sum_last<S: Case>(scheme: &Scheme<S>) {
    assert_eq!(late(scheme, &numbers(64, 9), |claim, _| claim), Ok(()), "nothing is chosen");
    let verdict = late(scheme, &numbers(64, 10), |claim, known| {
        // What is left depends on the claimed sum by the product of the challenges.
        let slope = known.point.iter().fold(S::Challenge::ONE, |product, &r| product * r);
        let missing = known.value * extension(&claim.weights, &known.point) - known.left;
        let value = claim.value + narrow::<S>(missing * slope.inverse().unwrap());
        Claim { value, ..claim }
    });
    assert_eq!(verdict, Err(PRODUCT));
}

pub(super) fn malicious_prover_who_chooses_the_weights_last<S: Case>(scheme: &Scheme<S>) {
    let verdict = late(scheme, &numbers(64, 9), |mut claim, known| {
        // Two weights move against each other, so that the extension at the point stays as it is.
        let at_point = TensorForm::point(&known.point).expand();
        claim.weights[3] += narrow::<S>(at_point[7]);
        claim.weights[7] -= narrow::<S>(at_point[3]);
        claim
    });
    assert_eq!(verdict, Err(PRODUCT));
}
