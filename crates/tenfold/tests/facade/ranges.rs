//! Sums of ranges of rows.
#![expect(clippy::single_range_in_vec_init, reason = "lists of ranges, of which some have one")]

use iop::security::Policy as BitPolicy;
use proptest::prelude::*;
use std::ops::Range;
use tenfold::any::Form;
use tenfold::dataset::Base;
use tenfold::statement::{ColumnContext, ColumnDescription, Sums};
use tenfold::verdict::Expected;
use tenfold::{
    Claim, Claimed, CommitmentFile, Dataset, Error, Options, Policy, ProofFile, Witness, search, verify,
};

fn options() -> Options {
    Options::proven_bits(100)
}

fn squares() -> Dataset {
    Dataset::from_u64s((0..100).map(|i| i * i).collect()).named("square")
}

fn sum_of(rows: Range<u64>) -> String {
    rows.map(|i| i * i).sum::<u64>().to_string()
}

fn verdict_of(data: &Dataset, claims: &[Claim<'_>]) -> tenfold::Verdict {
    let (commitment, mut witness) = tenfold::commit(data, &options()).unwrap();
    let proof = witness.open(claims).unwrap().to_bytes();
    verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap()
}

#[test]
fn sums_of_ranges_are_proven() {
    let ranges = [0..100, 0..1, 99..100, 5..6, 1..99, 32..64, 31..65, 7..8];
    for rows in &ranges {
        let verdict = verdict_of(&squares(), &[Claim::Range(rows.clone())]);
        assert_eq!(verdict.claims.len(), 1);
        assert_eq!(verdict.value_of(&Claimed::Range(rows.clone())).unwrap().exact(), sum_of(rows.clone()));
    }
    // Among other claims, whose forms may be the same.
    let claims = [
        Claim::Range(5..7),
        Claim::Row(5),
        Claim::Mean,
        Claim::Row(6),
        Claim::Range(5..6),
        Claim::Range(0..100),
    ];
    let verdict = verdict_of(&squares(), &claims);
    for (claimed, value) in [
        (Claimed::Range(5..7), sum_of(5..7)),
        (Claimed::Row(5), sum_of(5..6)),
        (Claimed::Row(6), sum_of(6..7)),
        (Claimed::Range(5..6), sum_of(5..6)),
        (Claimed::Range(0..100), sum_of(0..100)),
        (Claimed::Sum, sum_of(0..100)),
    ] {
        assert_eq!(verdict.value_of(&claimed).unwrap().exact(), value, "{claimed}");
    }
    assert_eq!(verdict.claims.len(), 7);
    assert!(verdict.claims.iter().any(|claim| claim.claimed == Claimed::Mean));
    assert!(verdict.claims[4].to_string().starts_with("the sum of rows 5 to 6 of square is 61 modulo"));
    assert_eq!(verdict.expect(&"sum:5..7=61".parse::<Expected>().unwrap()), Ok(()));
    for other in [Claimed::Range(5..8), Claimed::Range(4..7), Claimed::Row(7)] {
        assert!(matches!(verdict.value_of(&other), Err(Error::NotClaimed { .. })), "{other}");
    }
    // Rows that make a range are rows, and a range is no rows.
    let rows = verdict_of(&squares(), &[Claim::Row(5), Claim::Row(6)]);
    assert!(rows.value_of(&Claimed::Range(5..7)).is_err() && rows.value_of(&Claimed::Row(6)).is_ok());
    let range = verdict_of(&squares(), &[Claim::Range(5..7)]);
    assert!(range.value_of(&Claimed::Row(5)).is_err());
}

/// The sum of the rows from the first to the last is the sum of all, whichever was claimed.
#[test]
fn the_range_of_all_rows_is_their_sum() {
    let one = Dataset::from_u64s(vec![7]).named("square");
    for (data, rows) in [(squares(), 100), (one, 1)] {
        for claim in [Claim::Sum, Claim::Range(0..rows)] {
            let verdict = verdict_of(&data, &[claim]);
            let [sum, range] = [Claimed::Sum, Claimed::Range(0..rows)].map(|claimed| {
                assert_eq!(verdict.value_of(&claimed.clone().of("square")), verdict.value_of(&claimed));
                verdict.value_of(&claimed).unwrap().exact()
            });
            assert_eq!(sum, range);
            assert_eq!(verdict.expect(&format!("sum:0..{rows}={sum}").parse::<Expected>().unwrap()), Ok(()));
            for other in [Claimed::Range(0..rows + 1), Claimed::Range(0..rows - 1), Claimed::Row(rows)] {
                assert!(matches!(verdict.value_of(&other), Err(Error::NotClaimed { .. })), "{other}");
            }
        }
        assert!(verdict_of(&data, &[Claim::Row(rows - 1)]).value_of(&Claimed::Sum).is_ok() == (rows == 1));
    }
    let table = Dataset::from_columns([squares(), squares().named("other")]).unwrap();
    let verdict = verdict_of(&table, &[Claim::Sum]);
    assert_eq!(verdict.value_of(&Claimed::Range(0..100).of("other")).unwrap().exact(), sum_of(0..100));
    assert!(verdict.value_of(&Claimed::Range(0..100)).is_err(), "of which column");
}

#[test]
fn sums_of_ranges_of_tables_are_proven() {
    let cubes = Dataset::from_u64s((0..100).map(|i| i * i * i).collect()).named("cube");
    let data = Dataset::from_columns([squares(), cubes]).unwrap();
    let verdict = verdict_of(&data, &[Claim::Range(3..50), Claim::Row(4)]);
    let value = |of: &str| verdict.value_of(&Claimed::Range(3..50).of(of)).unwrap().exact();
    assert_eq!(value("square"), sum_of(3..50));
    assert_eq!(value("cube"), (3..50u64).map(|i| i * i * i).sum::<u64>().to_string());
}

#[test]
fn ranges_of_no_rows_and_of_other_data_are_refused() {
    let (commitment, mut witness) = tenfold::commit(&squares(), &options()).unwrap();
    let mut refused = |range: Range<u64>| witness.open(&[Claim::Range(range)]).map(drop).unwrap_err();
    assert_eq!(refused(3..3), Error::NoRange(3..3));
    let (start, end) = (4, 3);
    assert_eq!(refused(start..end), Error::NoRange(start..end));
    assert_eq!(refused(99..101), Error::NoRow { row: 100, rows: 100 });
    assert_eq!(refused(0..u64::MAX), Error::NoRow { row: u64::MAX - 1, rows: 100 });
    let many: Vec<Claim<'_>> = (0..10).map(|i| Claim::Range(1 + i..99)).collect();
    assert!(matches!(witness.open(&many), Err(Error::TooManyClaims { .. })));
    let weights = squares();
    let both = [Claim::Range(1..2), Claim::Weighted(&weights)];
    assert!(matches!(witness.open(&both), Err(Error::WeightsAlone)));
    // By a witness that was kept.
    let kept = witness.to_bytes().unwrap();
    let mut kept = Witness::from_bytes(&kept, &commitment, &Policy::at_least(100)).unwrap();
    assert!(kept.open(&[Claim::Range(1..99)]).is_ok());
    let (_, mut bytes) = tenfold::commit(&Dataset::from_bytes(vec![1; 100]), &options()).unwrap();
    assert!(matches!(bytes.open(&[Claim::Range(1..2)]), Err(Error::OfNumbers("sum"))));
}

/// The sum of all rows is in the field, and that of the first two is not.
#[test]
fn a_range_that_wraps_is_refused() {
    let data = Dataset::from_i64s(vec![900_000_000, 900_000_000, -900_000_000, -900_000_000]);
    let (commitment, mut witness) = tenfold::commit(&data, &options().field(Base::KoalaBear)).unwrap();
    let kept = witness.to_bytes().unwrap();
    let mut kept = Witness::from_bytes(&kept, &commitment, &Policy::at_least(100)).unwrap();
    for witness in [&mut witness, &mut kept] {
        assert!(witness.open(&[Claim::Sum, Claim::Range(1..3)]).is_ok());
        let wraps = witness.open(&[Claim::Sum, Claim::Range(0..2)]);
        assert!(matches!(wraps, Err(Error::SumWraps { .. })));
    }
}

#[test]
fn hiding_proofs_are_about_ranges_of_one_block() {
    let (commitment, mut witness) = tenfold::commit(&squares(), &options().hiding(1)).unwrap();
    assert_eq!(witness.open(&[Claim::Range(1..3)]).map(drop), Err(Error::HiddenRange(1..3)));
    let proof = witness.open(&[Claim::Range(32..64)]).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
    assert_eq!(verdict.value_of(&Claimed::Range(32..64)).unwrap().exact(), sum_of(32..64));
}

/// A prover who states ranges that its forms are not, or are not all of.
#[test]
fn stated_ranges_are_those_of_the_forms() {
    let params = search::rows(Base::KoalaBear, 8, &options()).unwrap();
    let scheme = params.build(&BitPolicy::at_least(100)).unwrap();
    let mut prover = scheme.prover();
    let entries = prover.integers(&mut (0..200)).unwrap();
    let mut witness = prover.commit(entries);
    let column = ColumnDescription { name: "x".into(), rows: 200, scale: 0, bytes: None, source: [0; 32] };
    let mut answer = |forms: &[Form], mean: bool, ranges: &[Range<u64>]| {
        let sums = Sums { mean, ranges: ranges.to_vec() };
        let context = ColumnContext { column: column.clone(), weights_scale: None, sums }.encode();
        let file = prover.open(&mut witness, forms, &context).unwrap().file;
        let bytes = ProofFile { file }.to_bytes();
        verify(&bytes, &Policy::at_least(0).self_contained()).map(drop).map_err(|e| e.to_string())
    };
    let forms = Form::range(&(3..9));
    assert_eq!(answer(&forms, false, &[3..9]), Ok(()));
    assert_eq!(answer(&forms, false, &[3..4, 4..9]), Ok(()));
    for (forms, ranges) in [
        (&forms[..], &[3..8][..]),
        (&forms, &[3..10]),
        (&forms, &[2..9]),
        (&forms, &[3..9, 3..9]),
        (&forms, &[4..9, 3..4]),
        (&forms[1..], &[3..9]),
        (&forms[..1], &[3..9]),
        (&[&forms[..], &[Form::Entry(1)]].concat(), &[3..9]),
        (&[forms[1].clone(), forms[0].clone(), forms[2].clone()], &[3..9]),
        // The same rows, not by the largest blocks.
        (&(3..9).map(Form::Entry).collect::<Vec<_>>(), &[3..9]),
    ] {
        let refused = answer(forms, false, ranges).unwrap_err();
        assert!(refused.contains("its values are of other ones"), "{refused}");
    }
    // A mean of the sum of some rows is none of the data.
    assert!(answer(&forms, true, &[3..9]).unwrap_err().contains("a mean without the sum"));
    // Ranges of no rows, and of padding.
    let (start, end) = (9, 3);
    for ranges in [&[3..3][..], &[start..end], &[3..201], &[3..9, 9..9]] {
        let refused = answer(&forms, false, ranges).unwrap_err();
        assert!(refused.contains("does not say what was committed to"), "{refused}");
    }
}

/// One encoding of each context: none with a number of ranges that there are not.
#[test]
fn contexts_with_ranges_have_one_encoding() {
    let column = ColumnDescription { name: "x".into(), rows: 9, scale: 0, bytes: None, source: [0; 32] };
    let description = column.encode();
    let with = |tail: &[u8]| ColumnContext::decode(&[&description[..], tail].concat(), false);
    for (mean, ranges) in [(false, vec![1..2]), (true, vec![0..9, 3..4])] {
        let context =
            ColumnContext { column: column.clone(), weights_scale: None, sums: Sums { mean, ranges } };
        let bytes = context.encode();
        assert_eq!(ColumnContext::decode(&bytes, false), Some(context));
        assert!(
            (0..bytes.len())
                .all(|n| { n == description.len() || ColumnContext::decode(&bytes[..n], false).is_none() })
        );
        assert!(ColumnContext::decode(&[&bytes[..], &[0]].concat(), false).is_none());
        assert!(ColumnContext::decode(&bytes, true).is_none());
    }
    assert!(with(&[2, 0, 0, 0, 0, 0]).is_none() && with(&[2, 1, 0, 0, 0, 0]).is_none());
    assert!(with(&[2, 2, 1, 0, 0, 0]).is_none() && with(&[2]).is_none() && with(&[3]).is_none());
    assert!(with(&[2, 0, 255, 255, 255, 255]).is_none() && with(&[0]).is_none());
    assert!(with(&[1]).is_some() && with(&[]).is_some());
    let (commitment, _) = tenfold::commit(&squares(), &options()).unwrap();
    assert!(CommitmentFile::from_bytes(&commitment.to_bytes()).is_ok());
}

proptest! {
    /// The blocks of a range are its rows, each once, and each block is aligned.
    #[test]
    fn blocks_are_the_rows_of_a_range(start in 0u64..1 << 20, length in 0u64..1 << 20) {
        let mut next = start;
        for form in Form::range(&(start..start + length)) {
            let (first, log_length) = match form {
                Form::Entry(row) => (row, 0),
                Form::Block { start, log_length } => (start, log_length),
                other => panic!("{other:?}"),
            };
            prop_assert_eq!(first, next);
            prop_assert!(first.is_multiple_of(1 << log_length));
            next += 1 << log_length;
        }
        prop_assert_eq!(next, start + length);
        prop_assert_eq!(Form::range(&(0..length)), Form::first(length, 20));
    }
}

/// A proof whose context verifiers do not read is not made.
#[test]
fn ranges_that_make_a_context_too_long_are_refused() {
    let described = squares().named("");
    let (commitment, _) = tenfold::commit(&described, &options()).unwrap();
    let most = (1 << 20) - commitment.description.encode().len() - 64;
    let (commitment, mut witness) = tenfold::commit(&described.named("x".repeat(most)), &options()).unwrap();
    let claims: Vec<Claim<'_>> = (0..5).map(|i| Claim::Range(i..i + 1)).collect();
    let proof = witness.open(&claims[..3]).unwrap().to_bytes();
    assert!(verify(&proof, &Policy::at_least(100).about(&commitment)).is_ok());
    assert_eq!(witness.open(&claims).map(drop), Err(Error::LongContext));
}

/// Sums of many columns at once, each by its own rows.
#[test]
fn ranges_of_many_columns_are_summed() {
    let column = |i: u64| Dataset::from_u64s((0..64).map(|row| row + i).collect()).named(format!("c{i}"));
    let data = Dataset::from_columns((0..4000).map(column)).unwrap();
    let (commitment, mut witness) = tenfold::commit(&data, &options()).unwrap();
    let proof = witness.open(&[Claim::Range(0..64), Claim::Range(8..16)]).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
    let of = |i: u64| verdict.value_of(&Claimed::Range(8..16).of(format!("c{i}"))).unwrap().exact();
    assert_eq!([of(0), of(3999)], ["92".to_owned(), (92 + 8 * 3999).to_string()]);
}
