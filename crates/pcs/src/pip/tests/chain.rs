//! One chain as inner argument.

use super::*;
use iop::error::Invalid;

/// A chain below 64 entries a fragment: the words have 32, 8 and 4 entries, the message in clear two.
const STEPS: [u32; 4] = [1, 2, 1, 1];

fn chained(fields: Fields, hidden_openings: u32, regime: Regime) -> Params {
    Params { inner: Inner::Chain(STEPS.to_vec()), ..small(fields, hidden_openings, regime) }
}

#[test]
fn field_pairs_open_by_a_chain() {
    for fields in tested::PRIME {
        with_tested_fields!(fields, B, E => {
            roundtrip::<B, E>(chained(fields, 0, Regime::UniqueDecoding));
            roundtrip::<B, E>(chained(fields, 0, JOHNSON));
            roundtrip::<B, E>(chained(fields, 1, Regime::UniqueDecoding));
        });
    }
}

#[test]
fn every_chain_opens() {
    for steps in [&[6][..], &[0], &[0, 6], &[0, 2, 2, 1], &[2, 2], &[1, 1, 1, 1, 1, 1], &[4, 1]] {
        for polynomials in [1, 3] {
            let base = chained(Fields::Goldilocks2, 0, JOHNSON);
            let inner = Inner::Chain(steps.to_vec());
            roundtrip::<Goldilocks, Goldilocks2>(Params { inner, polynomials, ..base });
        }
    }
    let base = chained(Fields::Goldilocks2, 0, JOHNSON);
    let level = RoundParams { log_columns: 10, ..base.level };
    roundtrip::<Goldilocks, Goldilocks2>(Params { inner: Inner::Chain(vec![0]), level, ..base });
}

#[test]
fn every_flipped_byte_of_a_chain_is_rejected() {
    for (regime, hidden) in [(JOHNSON, 0), (Regime::UniqueDecoding, 1)] {
        let scheme =
            Scheme::<Goldilocks, Goldilocks2>::new(chained(Fields::Goldilocks2, hidden, regime), &ANY)
                .unwrap();
        let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(10))]);
        for at in 0..proof.len() {
            let mut changed = proof.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(scheme.verify(&commitment, &claims, &changed).is_err(), "byte {at}");
            assert!(scheme.verify(&commitment, &claims, &proof[..at]).is_err(), "first {at} bytes");
        }
        let longer = [&proof[..], &[0]].concat();
        assert!(scheme.verify(&commitment, &claims, &longer).is_err());
        let recursion = small(Fields::Goldilocks2, hidden, regime);
        let other = Scheme::<Goldilocks, Goldilocks2>::new(recursion, &ANY).unwrap();
        assert!(other.verify(&commitment, &claims, &proof).is_err(), "another inner argument");
    }
}

fn verdict(deviation: Deviation, params: Params) -> Result<(), Invalid> {
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let forms = vec![TensorForm::point(&point(10))];
    let (commitment, claims, proof) = deviating(deviation, &scheme, forms);
    scheme.verify(&commitment, &claims, &proof)
}

const FOLD: Invalid = Invalid("a word is not the fold of the one before");
const LAST: Invalid = Invalid("the final message is not the fold of the last word");

/// The link of round zero: the first committed word belongs to another polynomial than the commitment.
#[test]
fn malicious_prover_whose_chain_belongs_to_another_polynomial() {
    for (regime, hidden) in [(Regime::UniqueDecoding, 0), (JOHNSON, 0), (Regime::UniqueDecoding, 1)] {
        assert_eq!(verdict(Deviation::AfterFold(0), chained(Fields::Goldilocks2, hidden, regime)), Err(FOLD));
    }
    let params = chained(Fields::Goldilocks2, 0, JOHNSON);
    let unfolded = Params { inner: Inner::Chain(vec![0, 2, 1]), ..params };
    assert_eq!(verdict(Deviation::AfterFold(0), unfolded), Err(FOLD));
}

#[test]
fn malicious_prover_who_changes_a_later_word_of_the_chain() {
    for i in 1..3 {
        assert_eq!(
            verdict(Deviation::AfterFold(i), chained(Fields::Goldilocks2, 0, JOHNSON)),
            Err(FOLD),
            "{i}"
        );
    }
}

/// The values of the opened leaves are right: only the tree shows that they are not those that were committed to before the challenges.
#[test]
fn malicious_prover_who_opens_another_word_of_the_chain_than_the_committed_one() {
    for i in 1..STEPS.len() {
        for (regime, hidden) in [(JOHNSON, 0), (Regime::UniqueDecoding, 1)] {
            let params = chained(Fields::Goldilocks2, hidden, regime);
            assert_eq!(verdict(Deviation::WordRoot(i), params), Err(TREE), "word {i}");
        }
    }
}

#[test]
fn malicious_prover_deviates_in_the_message_behind_the_chain() {
    assert_eq!(verdict(Deviation::AfterFold(3), chained(Fields::Goldilocks2, 0, JOHNSON)), Err(LAST));
    // Nothing is committed between the commitment and the message in clear.
    let short = Params { inner: Inner::Chain(vec![3]), ..chained(Fields::Goldilocks2, 0, JOHNSON) };
    assert_eq!(verdict(Deviation::AfterFold(0), short), Err(LAST));
}

#[test]
fn malicious_prover_deviates_in_the_value_of_a_chain() {
    assert_eq!(verdict(Deviation::Value, chained(Fields::Goldilocks2, 0, JOHNSON)), Err(CLAIMS));
    let hiding = chained(Fields::Goldilocks2, 1, Regime::UniqueDecoding);
    assert_eq!(verdict(Deviation::Value, hiding), Err(CLAIMS));
}

#[test]
fn malicious_prover_deviates_in_the_tail_of_a_chain() {
    let hiding = chained(Fields::Goldilocks2, 1, Regime::UniqueDecoding);
    assert_eq!(verdict(Deviation::Tail, hiding), Err(FOLD));
}

#[test]
fn malicious_prover_who_did_not_grind_in_a_chain() {
    let mut params = chained(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    (params.level.grinding, params.level.fold_grinding) = (16, 0);
    assert_eq!(lazy::<Prime, Goldilocks, Goldilocks2>(params.clone(), "query grinding"), Err(WEAK));
    (params.level.grinding, params.level.fold_grinding) = (0, 16);
    assert_eq!(lazy::<Prime, Goldilocks, Goldilocks2>(params, "fold grinding"), Err(WEAK));
}

/// The report names one fold and one round for each variable, and the numbers are those of the bounds by hand.
#[test]
fn the_terms_of_a_chain() {
    let params = chained(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    let report = params.report();
    let term = |label: &str| report.terms.iter().find(|t| t.label == label).expect(label);
    let field = params.fields.bits();
    // 64 rows at rate 1/4: 2^8 points; the first fold is a line of words of 2^7 points.
    assert!((term("fold 0").bits - (field - 7.0)).abs() < 1e-9);
    assert!((term("fold 4").bits - (field - 3.0)).abs() < 1e-9);
    assert!((term("sumcheck 0").bits - (field - 1.0)).abs() < 1e-9);
    assert!(report.terms.iter().all(|t| t.label != "fold 5"));
    // δ = (1 - 1/4)/2
    assert!((term("queries").bits - 12.0 * -(0.625f64.log2())).abs() < 1e-9);
    assert_eq!((term("queries").grinding, term("fold 0").grinding), (4, 2));
}
