//! Provers who state another weighted sum than they prove.

use crate::commands::verify::*;
use data::{Format, Options, read};
use pcs::fields::Fields;
use pcs::pip::search::{Profile, SearchTarget, find};
use tenfold::AnyScheme;
use tenfold::dataset::Column;
use tenfold::statement::{ColumnContext, ColumnDescription, Sums};
use tenfold::verify;

fn column(numbers: &str) -> Column {
    read(numbers.as_bytes(), &Options { format: Format::Json, ..Options::default() }).unwrap()
}

/// What the verifier with `weights` says to a prover who has used `used`, and says that they have `scale` decimals,
/// that there are `rows` rows and a mean.
fn said(weights: &str, used: &str, scale: u32, rows: u64) -> Result<Vec<String>, Exit> {
    let params = find(&SearchTarget::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
    let policy = Policy::at_least(100);
    let scheme = AnyScheme::from_matrix(params, &policy).unwrap();
    let mut prover = scheme.prover();
    let entries = prover.integers(&mut [1, 2, 3, 1000].into_iter()).unwrap();
    let mut witness = prover.commit(entries);
    let subject = ColumnDescription { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
    let context = ColumnContext { column: subject, weights_scale: Some(scale), sums: Sums::of(true) };
    let elements = Dataset::Column(column(used)).with_weights(|weights| prover.weights(weights)).unwrap();
    let file = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).unwrap().encode();
    let limits = verify::Limits { policy, max_memory: u64::MAX };
    let verified = describe_with(&file, &limits, Some(&Dataset::Column(column(weights))));
    verified.map(|verified| verified.claims).map_err(|failure| failure.exit)
}

#[test]
fn weights_are_read_as_they_are_used() {
    let claims = said("[1, -2, 4]", "[1, -2, 4]", 0, 3).unwrap();
    let sum = "the sum of all 3 rows of x weighted by column is 9 modulo the goldilocks prime 18446744069414584321: the exact sum if that lies in [-9223372034707292160, 9223372034707292160]; then the weighted mean is 3.000";
    let mean = "the mean of all 3 rows of x weighted by column is 3.000 if that sum is the exact one";
    assert_eq!(claims, [sum, mean]);
    let claims = said("[0.25, 0.25, 1]", "[0.25, 0.25, 1]", 2, 3).unwrap();
    assert!(claims[0].contains("is 3.75 modulo") && claims[1].contains("is 5/2 = 2.500 if"), "{claims:?}");
}

#[test]
fn malicious_prover_deviates_in_the_weights() {
    assert_eq!(said("[1, -2, 4]", "[1, -2, 5]", 0, 3), Err(Exit::Invalid));
    assert_eq!(said("[1, -2, 4]", "[1, -2, 4, 0]", 0, 3), Err(Exit::Invalid));
}

/// The same integers with a point elsewhere are other weights.
#[test]
fn malicious_prover_deviates_in_the_decimals_of_the_weights() {
    assert_eq!(said("[0.1, 0.2, 0.3]", "[0.1, 0.2, 0.3]", 0, 3), Err(Exit::Invalid));
}

#[test]
fn malicious_prover_who_states_a_mean_of_weights_that_add_up_to_zero() {
    assert_eq!(said("[1, -2, 1]", "[1, -2, 1]", 0, 3), Err(Exit::Invalid));
}

/// More rows than places, or other rows than weights: the sum would not be over the rows it speaks of.
#[test]
fn malicious_prover_deviates_in_the_number_of_rows() {
    assert_eq!(said("[1, 2, 3, 4, 5]", "[1, 2, 3, 4]", 0, 5), Err(Exit::Invalid));
    assert_eq!(said("[1, 2, 3]", "[1, 2, 3]", 0, 0), Err(Exit::Invalid));
    assert_eq!(said("[1, 2, 3]", "[1, 2, 3]", 0, 4), Err(Exit::Usage));
}

/// A weight outside the field would stand for another one.
#[test]
fn weights_outside_the_field_are_no_weights() {
    assert_eq!(said("[18446744069414584322, 2, 3]", "[1, 2, 3]", 0, 3), Err(Exit::Usage));
    assert!(said("[1, 2, 3]", "[1, 2, 3]", 0, 3).is_ok());
}
