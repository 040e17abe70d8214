//! PolyFRIM's two chains as inner argument, and the forgery that the published verifier of the scheme accepts.

use super::*;
use iop::error::Invalid;
use iop::fold::{self, Squared};
use iop::poly::dot_base;
use iop::transcript::Challenger;

fn params(fields: Fields) -> Params {
    Params { inner: Inner::TwoChains, max_forms: 1, ..small(fields, 0, Regime::UniqueDecoding) }
}

type Two = Scheme<Goldilocks, Goldilocks2>;

fn scheme() -> Two {
    Two::new(params(Fields::Goldilocks2), &ANY).unwrap()
}

fn proved(deviation: Option<Deviation>) -> (Two, Commitment<Goldilocks2>, Claims<Goldilocks2>, Vec<u8>) {
    let scheme = scheme();
    let forms = vec![TensorForm::point(&point(10))];
    let (commitment, claims, proof) = match deviation {
        Some(deviation) => deviating(deviation, &scheme, forms),
        None => opened(&scheme, forms),
    };
    (scheme, commitment, claims, proof)
}

fn verdict(deviation: Deviation) -> Result<(), Invalid> {
    let (scheme, commitment, claims, proof) = proved(Some(deviation));
    scheme.verify(&commitment, &claims, &proof)
}

/// Words below the committed matrix in each chain.
const WORDS: core::ops::Range<usize> = 1..6;

#[test]
fn field_pairs_open_by_two_chains() {
    for fields in tested::PRIME {
        with_tested_fields!(fields, B, E => {
            let scheme = Scheme::<B, E>::new(params(fields), &ANY).unwrap();
            for form in [TensorForm::point(&point(10)), TensorForm::index(700, 10), TensorForm::sum(10)] {
                let (commitment, claims, proof) = opened(&scheme, vec![form.clone()]);
                assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()));
                let table: Vec<E> = entries::<B>(1 << 10).into_iter().map(E::lift).collect();
                assert_eq!(claims.values, [[form.apply(&table)]]);
            }
        });
    }
}

#[test]
fn every_length_of_two_chains_opens() {
    for log_columns in 0..10 {
        let base = params(Fields::Goldilocks2);
        let level = RoundParams { log_columns, ..base.level };
        let scheme = Two::new(Params { level, ..base }, &ANY).unwrap();
        let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(10))]);
        assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{log_columns}");
    }
}

#[test]
fn every_flipped_byte_of_two_chains_is_rejected() {
    let (scheme, commitment, claims, proof) = proved(None);
    for at in 0..proof.len() {
        let mut changed = proof.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(scheme.verify(&commitment, &claims, &changed).is_err(), "byte {at}");
        assert!(scheme.verify(&commitment, &claims, &proof[..at]).is_err(), "first {at} bytes");
    }
    let longer = [&proof[..], &[0]].concat();
    assert!(scheme.verify(&commitment, &claims, &longer).is_err());
}

#[test]
fn every_message_of_two_chains_counts() {
    messages_count::<Prime, Goldilocks, Goldilocks2>(&params(Fields::Goldilocks2));
}

const FOLD: Invalid = Invalid("a word is not the fold of the one before");

/// The verifier of the authors' public code, on this library's proof format: every check but one, the comparison of the
/// value chain's first word with the committed rows, which `round_zero` adds. (notes: pip-link)
fn published(
    (scheme, commitment, claims, proof): &(Two, Commitment<Goldilocks2>, Claims<Goldilocks2>, Vec<u8>),
    round_zero: bool,
) -> Result<bool, Invalid> {
    type B = Goldilocks;
    type E = Goldilocks2;
    let stage = &scheme.layout().stages[0];
    let m = scheme.params().log_rows() as usize;
    let (columns, rows) = claims.forms[0].split(scheme.params().level.log_columns as usize);
    let mut tape = scheme.layout().bind(commitment, claims).verifier(proof);
    let value_roots: Vec<iop::hash::Digest> =
        (1..m).map(|_| tape.receive_digest("value root").unwrap()).collect();
    tape.grind("fold grinding", stage.rounds.grinding)?;
    let weights = TensorForm::point(&tape.challenges::<E>("combine columns", stage.rounds.count)).expand();
    let (mut roots, mut alphas) = (Vec::new(), Vec::<E>::new());
    for i in 0..m {
        if i > 0 {
            roots.push(tape.receive_digest("proximity root")?);
        }
        tape.grind("fold grinding", stage.rounds.grinding)?;
        alphas.push(tape.challenge("fold"));
    }
    let constant = tape.receive::<E>("constant", 1)?[0];
    tape.grind("query grinding", stage.grinding)?;
    let mut fibres = tape.positions("positions", stage.shape.code.log_domain() - 1, stage.queries);
    let opened: Vec<Goldilocks> =
        stage.shape.read_rows(&mut tape, &commitment.root, &fold::positions(&fibres, 1))?.all()?;
    let word = |weights: &[E]| -> Vec<E> {
        opened.chunks(stage.shape.width).map(|row| dot_base(row, weights)).collect()
    };
    let points = fold::points::<Goldilocks>(&stage.shape.code, &fibres, 1)?;
    let mut values =
        fold::fold::<B, E>(&fibres, points.clone(), &word(&columns.expand()), &rows.factors()[..1])?;
    let mut sums = fold::fold::<B, E>(&fibres, points, &word(&weights), &[[E::ONE, alphas[0]]])?;
    for i in 1..m {
        let tree = Squared { code: stage.shape.code, squarings: i }.tree(1, 2, scheme.params().hash);
        fibres = fold::fibres(fibres, 1);
        let value: Vec<E> = tree.read_rows::<B>(&mut tape, &value_roots[i - 1], &fibres)?.extension()?;
        if i > 1 || round_zero {
            fold::check_consistency::<B, E>(&values, &fibres, &value, 1)?;
        }
        let mut sum: Vec<E> = tree.read_rows::<B>(&mut tape, &roots[i - 1], &fibres)?.extension()?;
        let points = fold::check_consistency::<B, E>(&sums, &fibres, &sum, 1)?;
        sum.iter_mut().zip(&value).for_each(|(p, &f)| *p += alphas[i - 1].square() * f);
        values = fold::fold::<B, E>(&fibres, points.clone(), &value, &[rows.factors()[i]])?;
        sums = fold::fold::<B, E>(&fibres, points, &sum, &[[E::ONE, alphas[i]]])?;
    }
    tape.finish()?;
    let ends =
        |links: &[fold::FoldedQuery<Goldilocks, E>], end: E| links.iter().all(|link| link.value == end);
    Ok(ends(&values, claims.values[0][0]) && ends(&sums, constant))
}

/// The forgery: the commitment is honest, the value chain belongs to a polynomial of the prover's choice from its first
/// word on. The published verifier accepts a false value; the link of round zero is what it lacks.
#[test]
fn the_published_verifier_accepts_a_false_value_and_this_one_does_not() {
    let forged = proved(Some(Deviation::ForeignValueChain));
    let honest = proved(None);
    assert_ne!(forged.2.values, honest.2.values, "the value is false");
    assert_eq!(published(&forged, false), Ok(true), "the published checks do not see it");
    assert_eq!(published(&forged, true), Err(FOLD), "the missing check does");
    assert_eq!(forged.0.verify(&forged.1, &forged.2, &forged.3), Err(FOLD));
    assert_eq!(published(&honest, false), Ok(true));
    assert_eq!(published(&honest, true), Ok(true));
}

#[test]
fn malicious_prover_whose_value_chain_belongs_to_another_polynomial() {
    assert_eq!(verdict(Deviation::ForeignValueChain), Err(FOLD));
    assert_eq!(verdict(Deviation::ValueWord(1)), Err(FOLD));
}

#[test]
fn malicious_prover_who_changes_a_later_word_of_the_value_chain() {
    for i in 2..6 {
        assert_eq!(verdict(Deviation::ValueWord(i)), Err(FOLD), "word {i}");
    }
}

#[test]
fn malicious_prover_deviates_in_the_value_of_two_chains() {
    assert_eq!(verdict(Deviation::Value), Err(Invalid("the value chain does not end in the claimed value")));
}

/// The first word of the proximity chain has nothing to do with the committed rows, or a later one with the one before.
#[test]
fn malicious_prover_who_changes_a_word_of_the_proximity_chain() {
    for i in WORDS {
        assert_eq!(verdict(Deviation::ProximityWord(i)), Err(FOLD), "word {i}");
    }
}

/// The values of the opened leaves are right: only the trees show that they are not those that were committed to.
#[test]
fn malicious_prover_who_opens_another_word_than_the_committed_one() {
    assert_eq!(verdict(Deviation::Commitment), Err(TREE));
    for i in WORDS {
        assert_eq!(verdict(Deviation::ValueRoot(i)), Err(TREE), "word {i} of the value chain");
        assert_eq!(verdict(Deviation::WordRoot(i)), Err(TREE), "word {i} of the proximity chain");
    }
}

/// Two columns that are no codewords, and add up to one. The value chain weights both alike in a sum, and neither in an entry of another
/// column: the random weights of the proximity chain see them.
#[test]
fn malicious_prover_who_commits_to_garbage_that_the_value_does_not_see() {
    let scheme = scheme();
    for form in [TensorForm::sum(10), TensorForm::index(5, 10)] {
        let (commitment, claims, proof) = deviating(Deviation::Opposite, &scheme, vec![form.clone()]);
        let refused = Err(check_of_rows(&Inner::TwoChains));
        assert_eq!(scheme.verify(&commitment, &claims, &proof), refused, "{form:?}");
        let (commitment, claims, proof) = opened(&scheme, vec![form]);
        assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()));
    }
}

#[test]
fn malicious_prover_deviates_in_the_constant_of_the_proximity_chain() {
    assert_eq!(
        verdict(Deviation::Constant),
        Err(Invalid("the proximity chain does not end in its constant"))
    );
}

#[test]
fn malicious_prover_who_did_not_grind_in_two_chains() {
    let mut params = params(Fields::Goldilocks2);
    (params.level.grinding, params.level.fold_grinding) = (16, 0);
    assert_eq!(lazy::<Prime, Goldilocks, Goldilocks2>(params.clone(), "query grinding"), Err(WEAK));
    (params.level.grinding, params.level.fold_grinding) = (0, 16);
    assert_eq!(lazy::<Prime, Goldilocks, Goldilocks2>(params, "fold grinding"), Err(WEAK));
}

#[test]
fn the_terms_of_two_chains() {
    let params = params(Fields::Goldilocks2);
    let report = params.report();
    let labels: Vec<&str> = report.terms.iter().map(|t| t.label.as_str()).collect();
    assert_eq!(
        labels,
        ["combine columns", "fold 0", "fold 1", "fold 2", "fold 3", "fold 4", "fold 5", "queries"]
    );
    let field = params.fields.bits();
    // Three words by powers of one challenge on 2^7 points, in the end two.
    assert!((report.terms[1].bits - (field - 7.0 - 1.0)).abs() < 1e-9);
    assert!((report.terms[6].bits - (field - 2.0)).abs() < 1e-9);
    assert!((report.terms[0].bits - (field - 8.0 - 2.0)).abs() < 1e-9);
}
