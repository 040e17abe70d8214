//! Malicious provers: the published forgeries as deviations of our prover, and one for each check of the chain.

use super::*;
use crate::matrix::adversary::{self, Deviation};
use iop::error::Invalid;
use iop::fold;
use iop::oracle::CommittedCodeword;
use iop::sumcheck;
use iop::transcript::Challenger;

const CLAIMS: Invalid = Invalid("the final message does not satisfy the claims");
const FOLD: Invalid = Invalid("a word is not the fold of the one before");
const LAST: Invalid = Invalid("the final message is not the fold of the last word");
const ROOT: Invalid = Invalid("Merkle opening does not lead to the commitment");

fn verdict(deviation: Deviation, params: Params) -> Result<(), Invalid> {
    verdict_on(deviation, params, TensorForm::point(&point(8)))
}

fn verdict_on(deviation: Deviation, params: Params, form: TensorForm<Gf192>) -> Result<(), Invalid> {
    let scheme = Scheme::<Tower64, Gf192>::new(params, &ANY).unwrap();
    let params = scheme.params();
    let all: Vec<Tower64> = entries(params);
    let polynomials: Vec<&[Tower64]> = all.chunks(params.entry_columns() << params.log_size).collect();
    let (commitment, claims, proof) = adversary::opened(deviation, &scheme, &polynomials, vec![form]);
    scheme.verify(&commitment, &claims, &proof)
}

fn open() -> Params {
    small(Fields::Gf192, 0, Regime::UniqueDecoding)
}

/// Fibres that share leaves with others.
fn shared_leaves() -> Params {
    Params { log_leaf_fibres: 1, ..open() }
}

#[test]
fn far_folds_are_refused() {
    for i in 0..2 {
        assert_eq!(verdict(Deviation::AfterFold(i), open()), Err(FOLD), "{i}");
        assert_eq!(verdict(Deviation::AfterFold(i), shared_leaves()), Err(FOLD), "{i}");
    }
    let unfolded = Params { inner: Inner::Chain(vec![0, 2, 1]), ..open() };
    assert_eq!(verdict(Deviation::AfterFold(0), unfolded), Err(FOLD));
}

#[test]
fn a_wrong_final_message_is_refused() {
    assert_eq!(verdict(Deviation::AfterFold(2), open()), Err(LAST));
    assert_eq!(verdict(Deviation::AfterFold(2), shared_leaves()), Err(LAST));
    let short = Params { inner: Inner::Chain(vec![3]), ..open() };
    assert_eq!(verdict(Deviation::AfterFold(0), short), Err(LAST));
}

#[test]
fn positions_of_the_provers_choice_are_refused() {
    assert_eq!(verdict(Deviation::Positions, open()), Err(ROOT));
    assert_eq!(verdict(Deviation::Positions, shared_leaves()), Err(ROOT));
}

/// The values of the opened leaves are right; the tree of that word is another.
#[test]
fn a_word_that_was_not_committed_to_is_refused() {
    for i in 1..3 {
        assert_eq!(verdict(Deviation::WordRoot(i), open()), Err(ROOT), "word {i}");
        assert_eq!(verdict(Deviation::WordRoot(i), shared_leaves()), Err(ROOT), "word {i}");
    }
    assert_eq!(verdict(Deviation::Commitment, open()), Err(ROOT));
}

#[test]
fn a_wrong_value_is_refused() {
    assert_eq!(verdict(Deviation::Value, open()), Err(CLAIMS));
    assert_eq!(verdict(Deviation::Value, shared_leaves()), Err(CLAIMS));
    assert_eq!(verdict(Deviation::Value, small(Fields::Gf192, 0, JOHNSON)), Err(CLAIMS));
    let hiding = small(Fields::Gf192, 1, Regime::UniqueDecoding);
    assert_eq!(verdict(Deviation::Value, hiding.clone()), Err(CLAIMS));
    assert_eq!(verdict(Deviation::MaskedValue, hiding.clone()), Err(CLAIMS));
    assert_eq!(verdict(Deviation::Mask, hiding.clone()), Err(Invalid("no such mask")));
    assert_eq!(verdict(Deviation::Tail, hiding), Err(FOLD));
    let johnson = small(Fields::Gf192, 0, JOHNSON);
    assert_eq!(verdict(Deviation::OutOfDomainOfCommitment, johnson), Err(CLAIMS));
}

/// The words cancel where the columns, or the columns and the mask, are combined by equal weights.
#[test]
fn words_that_cancel_in_a_combination_are_refused() {
    let two = Params { polynomials: 2, ..open() };
    assert_eq!(verdict(Deviation::Opposite, two), Err(FOLD));
    // The sum's weights on two fragments are equal, so that in characteristic two the claim's share of the words cancels too.
    let hiding = small(Fields::Gf192, 1, Regime::UniqueDecoding);
    let level = RoundParams { log_columns: 1, ..hiding.level };
    let params = Params { level, ..hiding };
    assert_eq!(verdict_on(Deviation::Garbage, params, TensorForm::sum(8)), Err(FOLD));
}

#[test]
fn a_wrong_part_of_packed_entries_is_refused() {
    let packed = |deviation| {
        let params = Params { entries: Entries::Bytes, log_size: 5, ..open() };
        let inner = Inner::Chain(vec![2, 1]);
        let variables = params.variables();
        verdict_on(deviation, Params { inner, ..params }, TensorForm::index(77, variables))
    };
    assert_eq!(packed(Deviation::PackedValue), Err(Invalid("the parts of a claim do not make its value")));
    let point = Invalid("the value at the point does not make the claimed sum");
    for deviation in [Deviation::Part, Deviation::PartOfTwoCoordinates, Deviation::ValueAtThePoint] {
        assert_eq!(packed(deviation), Err(point), "{deviation:?}");
    }
}

/// All pairs of a word folded by challenges.
fn folded<B: FoldFibres, E: ExtensionOf<B>>(points: &mut [B::FoldPoint], word: &[E], r: &[E]) -> Vec<E> {
    B::fold_fibres(points, word, TensorForm::point(r).factors()).expect("whole fibres")
}

/// The challenge chain: a random word is committed to, the claim is about zeros. Its fold is changed at one element for each position of
/// the last word, so that the challenges of a transcript that forgets the later roots, as the published ones are, would fold it to zeros.
#[test]
fn words_steered_by_predicted_challenges_are_refused() {
    let verdicts: Vec<_> = (0..8).map(steered).collect();
    // Some queries meet a changed element; where none does, the last word gives it away.
    assert!(verdicts.iter().all(|verdict| [Err(FOLD), Err(LAST)].contains(verdict)), "{verdicts:?}");
    assert!(verdicts.contains(&Err(LAST)), "{verdicts:?}");
}

fn steered(seed: u64) -> Result<(), Invalid> {
    type B = Tower64;
    type E = Gf192;
    let params = Params { inner: Inner::Chain(vec![2, 2, 2]), ..open() };
    let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
    let layout = scheme.layout();
    let (stage, degree) = (&layout.first, params.fields.degree());
    let code = stage.shape.code;
    let word: Vec<B> = elements(degree << code.log_domain(), seed);
    let mut words = vec![CommittedCodeword::from_codeword(params.hash, word.clone(), degree << 2)];
    let commitment = Commitment { root: words[0].root(), out_of_domain: Vec::new() };
    let forms = vec![TensorForm::point(&point::<E>(8))];
    let claims = Claims { forms, values: vec![vec![E::ZERO]], context: Vec::new() };
    let mut tape = layout.bind(&commitment, &claims).prover();
    let _: E = tape.challenge("batch columns");
    tape.send::<E>("tail", &[]);
    let mut left = vec![E::ZERO; 1 << code.log_domain()];
    E::unflatten(&word, &mut left);
    for i in 0..3 {
        if i > 0 {
            let word = <E as ExtensionOf<B>>::flatten(&left).into_owned();
            words.push(CommittedCodeword::from_codeword(params.hash, word, degree << 2));
            tape.send_bytes("root", &words[i].root());
        }
        let mut zeros = [vec![E::ZERO; 256 >> (2 * i)], vec![E::ZERO; 256 >> (2 * i)]];
        let [a, b] = &mut zeros;
        let rounds = sumcheck::Rounds { count: 2, grinding: params.level.fold_grinding };
        let r = sumcheck::prove(&mut tape, rounds, a, b, E::ZERO).0;
        let log_domain = code.log_domain() - 2 * i;
        let points = |log_domain: usize, step: usize| -> Vec<u32> {
            (0..1usize << log_domain).step_by(step).map(|p| B::fold_point(log_domain, p).unwrap()).collect()
        };
        left = folded::<B, E>(&mut points(log_domain, 4), &left, &r);
        if i == 0 {
            // What a transcript draws that does not take in the roots to come.
            let mut ahead = tape.clone();
            let draw = |i: usize| {
                let mut zeros = [vec![E::ZERO; 256 >> (2 * i)], vec![E::ZERO; 256 >> (2 * i)]];
                let [a, b] = &mut zeros;
                let rounds = sumcheck::Rounds { count: 2, grinding: params.level.fold_grinding };
                sumcheck::prove(&mut ahead, rounds, a, b, E::ZERO).0
            };
            let predicted = TensorForm::point(&[1, 2].map(draw).concat());
            let end = |word: &[E]| {
                B::fold_fibres(&mut points(log_domain - 2, 16), word, predicted.factors()).unwrap()
            };
            let firsts: Vec<E> =
                (0..left.len()).map(|p| if p % 16 == 0 { E::ONE } else { E::ZERO }).collect();
            let changes: Vec<E> =
                end(&left).iter().zip(end(&firsts)).map(|(&x, one)| x * one.inverse().unwrap()).collect();
            left.iter_mut().step_by(16).zip(changes).for_each(|(x, change)| *x += change);
            assert!(end(&left).iter().all(|x| *x == E::ZERO), "as predicted");
        }
    }
    tape.send("final message", &[E::ZERO; 4]);
    tape.grind("query grinding", stage.grinding);
    let mut positions = tape.positions("positions", code.log_domain() - 2, stage.queries);
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            positions = fold::fibres(positions, 2);
        }
        word.open_rows(&mut tape, &positions);
    }
    scheme.verify(&commitment, &claims, &tape.finish())
}
