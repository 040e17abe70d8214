//! Malicious provers, one for each check of the verifier. Each takes a scheme with 64 entries.

use super::*;
use crate::scheme::Prover as _;
use crate::weighted::verifier::factors;
use iop::error::Invalid;
use iop::poly::dot_base;
use iop::sumcheck;
use iop::transcript::ProverTape;

const PRODUCT: Invalid = Invalid("the value at the point does not make the weighted sum");

/// A prover that is honest but for what is changed here, and consistent with its own transcript.
struct Deviations<S: Points> {
    /// The weights that the sumcheck is run with.
    weights: Vec<S::Base>,
    /// Added to the first value at the point; `None`: the value that makes the sum.
    value: Option<S::Challenge>,
    /// Done to the values at the point, with the factors that they are combined with.
    values: fn(&mut [S::Challenge], &[S::Challenge]),
    /// Added to the first coordinate that the opening is at.
    point: S::Challenge,
    /// Done to the opening's context.
    context: fn(&mut Vec<u8>),
}

impl<S: Points> Deviations<S> {
    fn none(weights: &[S::Base]) -> Self {
        let zero = S::Challenge::ZERO;
        Self { weights: weights.to_vec(), value: Some(zero), values: |_, _| {}, point: zero, context: |_| {} }
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
    let run = run(scheme, (witness, &mut tape), &deviations.weights, &claim.values);
    let Run { mut point, left, mut values, factors } = run;
    match deviations.value {
        Some(off) => values[0] += off,
        // The first factor is one.
        None => {
            let others = dot(&values[1..], &factors[1..]);
            values[0] = left * extension(&claim.weights, &point).inverse().unwrap() - others;
        }
    }
    (deviations.values)(&mut values, &factors);
    tape.send("value at the point", &values);
    let mut proof = tape.finish();
    let mut inner = statement.inner_context(hash, &bound, &proof);
    (deviations.context)(&mut inner);
    point[0] += deviations.point;
    proof.extend(scheme.inner().prover().open(witness, vec![TensorForm::point(&point)], &inner).1);
    proof
}

/// An honest sumcheck: its point, what is left of the claim, the values at the point, and the factors of the polynomials.
struct Run<E> {
    point: Vec<E>,
    left: E,
    values: Vec<E>,
    factors: Vec<E>,
}

/// The polynomials of a witness, each with its entries.
fn columns<S: Case>(scheme: &Scheme<S>, witness: &Witness<S::Base, S::Challenge>) -> Vec<Vec<S::Base>> {
    let entries = scheme.inner().entries(witness);
    entries.chunks_exact(1 << scheme.facts().variables).map(<[_]>::to_vec).collect()
}

fn run<S: Case>(
    scheme: &Scheme<S>,
    (witness, tape): (&Witness<S::Base, S::Challenge>, &mut ProverTape),
    weights: &[S::Base],
    claimed: &[S::Base],
) -> Run<S::Challenge> {
    let columns = columns(scheme, witness);
    let factors: Vec<S::Challenge> = factors(tape, columns.len());
    let lift = |x: &S::Base| S::Challenge::lift(*x);
    let mut f = vec![S::Challenge::ZERO; columns[0].len()];
    for (column, factor) in columns.iter().zip(&factors) {
        f.iter_mut().zip(column).for_each(|(sum, entry)| *sum += *factor * lift(entry));
    }
    let mut w: Vec<S::Challenge> = weights.iter().map(lift).collect();
    w.resize(f.len(), S::Challenge::ZERO);
    let rounds = crate::weighted::security::rounds(scheme.facts());
    let (point, left) = sumcheck::prove(tape, rounds, &mut f, &mut w, dot_base(claimed, &factors));
    let values = columns.iter().map(|column| extension(column, &point)).collect();
    Run { point, left, values, factors }
}

/// The true claim about a witness with these weights.
fn truth<S: Case>(
    scheme: &Scheme<S>,
    witness: &Witness<S::Base, S::Challenge>,
    weights: Vec<S::Base>,
) -> Claim<S::Base> {
    let values = columns(scheme, witness).iter().map(|column| dot(&weights, column)).collect();
    Claim { weights, values, context: b"label".to_vec() }
}

/// What the verifier says to a claim that is off by `off`, with these deviations.
fn verdict<S: Case>(
    scheme: &Scheme<S>,
    off: S::Base,
    deviations: impl FnOnce(&mut Deviations<S>),
) -> Result<(), Invalid> {
    let mut witness = scheme.inner().committed(5);
    let mut claim = truth(scheme, &witness, numbers(50, 9));
    claim.values[0] += off;
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
    let mut one = claim;
    one.values[0] = S::Base::ONE;
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

/// What the verifier says to a prover who runs the sumcheck with `used` for the weights it states, and only then, knowing
/// the point and what is left, decides what to state: `late` turns the claim of the run into the one that is verified.
/// Data and challenges live in one field, so that any number is a weight or a sum.
fn late<S: Case>(
    scheme: &Scheme<S>,
    used: &[S::Base],
    late: impl FnOnce(Claim<S::Base>, &Run<S::Challenge>) -> Claim<S::Base>,
) -> Result<(), Invalid> {
    let mut witness = scheme.inner().committed(5);
    let claim = truth(scheme, &witness, numbers(64, 9));
    let commitment = witness.commitment().clone();
    let hash = scheme.facts().hash;
    let bound = |claim: &Claim<S::Base>| claim.statement(hash).digest(hash, &commitment.to_bytes());
    let mut tape = scheme.bind(&bound(&claim)).prover();
    let run = run(scheme, (&witness, &mut tape), used, &claim.values);
    tape.send("value at the point", &run.values);
    let mut proof = tape.finish();
    let form = TensorForm::point(&run.point);
    let claim = late(claim, &run);
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
        let value = dot(&known.values, &known.factors);
        let missing = value * extension(&claim.weights, &known.point) - known.left;
        let mut late = claim;
        late.values[0] += narrow::<S>(missing * slope.inverse().unwrap());
        late
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

/// Entries that have, at the point that the sumcheck has come to, the value that makes a false sum: they are known too late to be committed to.
pub(super) fn malicious_prover_who_commits_last<S: Case>(scheme: &Scheme<S>) {
    let hash = scheme.facts().hash;
    let first = scheme.inner().committed(5);
    let mut claim = truth(scheme, &first, numbers(64, 9));
    claim.values[0] += S::Base::ONE;
    let statement = claim.statement(hash);
    let mut tape = scheme.bind(&statement.digest(hash, &first.commitment().to_bytes())).prover();
    let Run { point, left, values, factors } =
        run(scheme, (&first, &mut tape), &claim.weights, &claim.values);
    let wanted = left * extension(&claim.weights, &point).inverse().unwrap();
    // The share of the first entry in the value.
    let share = point.iter().fold(S::Challenge::ONE, |share, &r| share * (S::Challenge::ONE - r));
    let mut entries = columns(scheme, &first).concat();
    entries[0] += narrow::<S>((wanted - dot(&values, &factors)) * share.inverse().unwrap());
    let Some(mut witness) = scheme.inner().commit(entries) else { return };
    let values: Vec<_> = columns(scheme, &witness).iter().map(|column| extension(column, &point)).collect();
    assert_eq!(dot(&values, &factors), wanted);
    tape.send("value at the point", &values);
    let mut proof = tape.finish();
    let bound = statement.digest(hash, &witness.commitment().to_bytes());
    let inner = statement.inner_context(hash, &bound, &proof);
    proof.extend(scheme.inner().prover().open(&mut witness, vec![TensorForm::point(&point)], &inner).1);
    assert_eq!(scheme.verify(witness.commitment(), &claim, &proof), Err(PRODUCT));
}

/// Of one polynomial there is nothing to combine, and nothing to deviate in.
fn combines<S: Points>(scheme: &Scheme<S>) -> bool {
    scheme.facts().polynomials > 1
}

/// As many sums as there are polynomials, each at its place.
pub(super) fn malicious_prover_who_states_sums_of_other_columns<S: Case>(scheme: &Scheme<S>) {
    let mut witness = scheme.inner().committed(5);
    let honest = truth(scheme, &witness, numbers(50, 9));
    let mut verdict = |values: Vec<S::Base>| {
        let claim = Claim { values, ..honest.clone() };
        let proof = prove(scheme, &mut witness, &claim, &Deviations::none(&claim.weights));
        scheme.verify(witness.commitment(), &claim, &proof)
    };
    assert_eq!(verdict(honest.values.clone()), Ok(()));
    let number = Err(Invalid("a weighted sum for another number of polynomials"));
    assert_eq!(verdict([&honest.values[..], &[none::<S>()]].concat()), number, "one more");
    assert_eq!(verdict(honest.values[1..].to_vec()), number, "one less");
    if combines(scheme) {
        let mut swapped = honest.values.clone();
        swapped.swap(0, 1);
        assert_eq!(verdict(swapped), Err(PRODUCT));
    }
}

/// Errors that add up to nothing.
pub(super) fn malicious_prover_deviates_in_several_sums<S: Case>(scheme: &Scheme<S>) {
    let mut witness = scheme.inner().committed(5);
    let mut claim = truth(scheme, &witness, numbers(50, 9));
    if combines(scheme) {
        claim.values[0] += S::Base::ONE;
        claim.values[1] -= S::Base::ONE;
        let proof = prove(scheme, &mut witness, &claim, &Deviations::none(&claim.weights));
        assert_eq!(scheme.verify(witness.commitment(), &claim, &proof), Err(PRODUCT));
    }
}

/// Values that make the product, and are not those of the polynomials: the opening refuses them.
pub(super) fn malicious_prover_deviates_in_several_values_at_the_point<S: Case>(scheme: &Scheme<S>) {
    if combines(scheme) {
        let verdict = verdict(scheme, none::<S>(), |deviations| {
            deviations.values = |values, factors| {
                values[0] += factors[1];
                values[1] -= S::Challenge::ONE;
            };
        });
        assert!(verdict.is_err() && verdict != Err(PRODUCT), "{verdict:?}");
    }
}

/// False sums whose errors cancel by the factors, which are known only when the sums are stated.
pub(super) fn malicious_prover_who_chooses_the_sums_behind_the_factors<S: Case>(scheme: &Scheme<S>) {
    if combines(scheme) {
        let verdict = late(scheme, &numbers(64, 9), |mut claim, run| {
            claim.values[0] += narrow::<S>(run.factors[1]);
            claim.values[1] -= S::Base::ONE;
            claim
        });
        assert_eq!(verdict, Err(PRODUCT));
    }
}
