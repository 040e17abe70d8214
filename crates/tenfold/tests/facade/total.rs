//! Sums that are larger than an integer of 128 bits on the way, or at the end.

use tenfold::dataset::{Base, Column, Dataset, Layout, Total, Values};
use tenfold::{Claim, Error, Options, search};

const MAX: i128 = i128::MAX;

fn column(rows: &[i128]) -> Dataset {
    let mut values = Values::default();
    rows.iter().for_each(|&row| values.push(row));
    let (name, layout) = ("v".into(), Layout::Numbers);
    Dataset::Column(Column { name, values, scale: 0, layout, source_digest: [0; 32] })
}

/// Sums are found whatever the order of the rows, and what does not fit 127 bits is no integer.
#[test]
fn totals_are_exact_in_any_order() {
    let of = |rows: &[i128]| rows.iter().copied().collect::<Total>().value();
    assert_eq!(of(&[]), Some(0));
    for rows in [[MAX, 1, -MAX], [1, MAX, -MAX], [-MAX, MAX, 1], [MAX, -MAX, 1]] {
        assert_eq!(of(&rows), Some(1), "{rows:?}");
    }
    assert_eq!((of(&[MAX, 1]), of(&[MAX, 1, -1])), (None, Some(MAX)));
    assert_eq!((of(&[i128::MIN]), of(&[i128::MIN, -1])), (Some(i128::MIN), None));
    assert_eq!(of(&[i128::MIN, i128::MIN, MAX, MAX, 2]), Some(0));
    let products = [(MAX, MAX), (3, 5), (MAX, -MAX), (i128::MIN, i128::MIN), (i128::MIN, -1), (-7, 2)];
    let total = products.into_iter().fold(Total::ZERO, |sum, (x, y)| sum.plus_product(x, y));
    assert_eq!(total.value(), None);
    // 2^254 - 2^127 are taken away in halves of the first factor.
    let taken = [(i128::MIN / 2, i128::MIN), (i128::MIN / 2, i128::MIN), (MAX, 1), (1, 1)];
    let total = taken.into_iter().fold(total, |sum, (x, y)| sum.plus_product(-x, y));
    assert_eq!(total.value(), Some(1));
    // More than 256 bits, and back.
    let most = (0..100).fold(Total::ZERO, |sum, _| sum.plus_product(i128::MIN, i128::MIN));
    assert_eq!(most.value(), None);
    let none = (0..200).fold(most, |sum, _| sum.plus_product(i128::MIN, 1 << 126));
    assert_eq!(none, Total::ZERO);
}

/// The sum of rows that overflow on the way is proven, with a field that is named or without, weighted or not.
#[test]
fn sums_do_not_depend_on_the_order() {
    let options = Options::proven_bits(100);
    let weights = column(&[3, 0, 3]);
    for (rows, field) in [([MAX, 1, -MAX], None), ([MAX, 1, -MAX], Some(Base::Bn254))] {
        let (_, mut witness) =
            tenfold::commit(&column(&rows), &Options { field, ..options.clone() }).unwrap();
        for claim in [Claim::Sum, Claim::Weighted(&weights)] {
            assert!(witness.open(&[claim]).is_ok());
        }
    }
}

/// A sum that no field states is refused by the limit, which is not the field's.
#[test]
fn sums_beyond_127_bits_are_refused_by_the_limit() {
    let data = column(&[MAX, 1, 0]);
    let options = Options::proven_bits(100);
    assert_eq!(search::choose(&data, &options), Err(Error::NoField));
    assert!(Error::NoField.to_string().contains("127 bits"));
    let (_, mut witness) = tenfold::commit(&data, &options.field(Base::Bn254)).unwrap();
    let too_large = Error::SumTooLarge { name: "v".into() };
    assert_eq!(witness.open(&[Claim::Sum]), Err(too_large.clone()));
    let weights = column(&[2, 0, 0]);
    let weighted = Error::WeightedSumTooLarge { name: "v".into() };
    assert_eq!(witness.open(&[Claim::Weighted(&weights)]), Err(weighted.clone()));
    for error in [too_large, weighted] {
        assert!(error.to_string().contains("does not fit 127 bits"), "{error}");
    }
    assert!(witness.open(&[Claim::Row(0)]).is_ok());
}
