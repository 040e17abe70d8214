//! Provers who state more than they prove.

mod bytes;
mod weights;

use super::*;
use field::{Field, Goldilocks, Goldilocks3};
use iop::poly::TensorForm;
use pcs::fields::Fields;
use pcs::pip::search::{Profile, SearchTarget, find};
use pcs::pip::{Params, Prover, Scheme};
use tenfold::any::Form;
use tenfold::prove::forms;
use tenfold::statement::ColumnDescription;
use tenfold::statement::{ColumnContext, Sums};
use tenfold::{AnyScheme, Claim};

/// The scheme with which these tests commit to `2^variables` numbers.
fn scheme(variables: u32) -> AnyScheme {
    let params = find(&SearchTarget::new(Fields::Goldilocks3, variables, 100, Profile::Fast)).unwrap();
    AnyScheme::from_matrix(params, &Policy::at_least(100)).unwrap()
}

/// The file that a prover makes for `entries` with any context.
fn prove(scheme: &AnyScheme, entries: &[i128], context: &[u8], forms: &[Form]) -> Vec<u8> {
    let mut prover = scheme.prover();
    let entries = prover.integers(&mut entries.iter().copied()).unwrap();
    let mut witness = prover.commit(entries);
    prover.open(&mut witness, forms, context).unwrap().file.encode()
}

fn subject(name: &str, rows: u64, scale: u32) -> ColumnDescription {
    ColumnDescription { name: name.into(), rows, scale, bytes: None, source: [0; 32] }
}

/// The file that a prover makes for four entries, saying that only `rows` of them are data.
fn proof(entries: &[i128; 4], rows: u64, forms: &[Form]) -> Vec<u8> {
    prove(&scheme(2), entries, &subject("x", rows, 0).encode(), forms)
}

/// Padding is not proven to be zero: a sum over all entries must not be read as a sum over the rows.
#[test]
fn malicious_prover_who_hides_a_number_in_the_padding() {
    let whole = proof(&[1, 2, 3, 1000], 3, &[Form::Block { start: 0, log_length: 2 }]);
    let claims = describe(&whole, &Policy::at_least(100)).unwrap().claims;
    assert_eq!(claims, ["the linear form of x and its padding with factors (1, 1) (1, 1) is 1006"]);
    let tiled = proof(&[1, 2, 3, 1000], 3, &forms(&[Claim::Sum], 3, &scheme(2)).unwrap());
    let claims = describe(&tiled, &Policy::at_least(100)).unwrap().claims;
    assert_eq!(
        claims,
        [
            "the sum of all 3 rows of x is 6 modulo the goldilocks prime 18446744069414584321: the exact sum if that lies in [-9223372034707292160, 9223372034707292160]; then the mean is 2.000"
        ]
    );
}

/// A mean is read off a sum over all rows, which must be among the claims.
#[test]
fn malicious_prover_who_states_a_mean_without_its_sum() {
    let said = |forms: &[Form], rows| {
        let context =
            ColumnContext { column: subject("x", rows, 1), weights_scale: None, sums: Sums::of(true) };
        let file = prove(&scheme(2), &[2, 7, 1, 1000], &context.encode(), forms);
        describe(&file, &Policy::at_least(100))
            .map(|verified| verified.claims)
            .map_err(|failure| failure.exit)
    };
    for other in [Form::Block { start: 0, log_length: 2 }, Form::Entry(0)] {
        assert_eq!(said(&[other], 3), Err(Exit::Invalid));
    }
    assert_eq!(said(&Form::first(3, 2)[..1], 3), Err(Exit::Invalid), "a row is left out");
    let claims = said(&Form::first(3, 2), 3).unwrap();
    assert_eq!(claims[1], "the mean of all 3 rows of x is 1/3 = 0.3333… if that sum is the exact one");
    let claims = said(&Form::first(1, 2), 1).unwrap();
    assert_eq!(claims[1], "the mean of the one row of x is 1/5 = 0.2000 if that sum is the exact one");
}

/// A name is the prover's: it must not be able to look like a verdict of its own.
#[test]
fn malicious_prover_who_writes_a_claim_into_the_name() {
    let said = |name: &str| {
        let file = prove(&scheme(2), &[1, 2, 3, 4], &subject(name, 4, 0).encode(), &[Form::Entry(0)]);
        describe(&file, &Policy::at_least(100)).unwrap().claims.remove(0)
    };
    assert_eq!(said("price"), "row 0 of price is 1");
    assert_eq!(said("délai-2.csv"), "row 0 of délai-2.csv is 1");
    assert_eq!(said("x is 9\nvalid: row 1 of x"), "row 0 of \"x is 9\\nvalid: row 1 of x\" is 1");
    assert_eq!(said("x\u{1b}[2K\u{202e}"), "row 0 of \"x\\u{1b}[2K\\u{202e}\" is 1");
    assert_eq!(said("the \"x\" of"), "row 0 of \"the \\\"x\\\" of\" is 1");
    assert_eq!(said(""), "row 0 of \"\" is 1");
}

/// Every value of a verified claim is said, so what has no words is refused: a second column beside the one described.
#[test]
fn malicious_prover_with_a_second_column() {
    let mut params = find(&SearchTarget::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
    params.polynomials = 2;
    let scheme = Scheme::<Goldilocks, Goldilocks3>::new(params, &Policy::at_least(90)).unwrap();
    let data = [[1, 2, 3, 4], [5, 6, 7, 8]].map(|column| column.map(Goldilocks::from_u64));
    let mut witness = Prover::new(&scheme).commit_batch(&[&data[0], &data[1]]);
    let (form, context) = (TensorForm::index(0, 2), subject("x", 4, 0).encode());
    let (claims, proof) = Prover::new(&scheme).open(&mut witness, vec![form], &context);
    let file = File::from_opening(&scheme, witness.commitment(), claims, proof).encode();
    assert!(describe(&file, &Policy::at_least(90)).unwrap_err().message.contains("several polynomials"));
}

/// One root, two readings: whoever compares commitments must not compare roots. A proof may state another scale, name or
/// number of rows than the commitment file, and a leaf of few elements is a leaf of more that are zero.
#[test]
fn malicious_prover_who_reads_the_root_in_another_way() {
    let find =
        |variables| find(&SearchTarget::new(Fields::KoalaBear5, variables, 100, Profile::Fast)).unwrap();
    let said = |params: &Params, data: Vec<i128>, scale| {
        let scheme = AnyScheme::from_matrix(params.clone(), &Policy::at_least(100)).unwrap();
        let mut prover = scheme.prover();
        let entries = prover.integers(&mut data.iter().copied()).unwrap();
        let mut witness = prover.commit(entries);
        let root = witness.commitment()[..32].to_vec();
        let context = subject("x", data.len() as u64, scale).encode();
        let opened = prover.open(&mut witness, &[Form::Entry(8)], &context).unwrap();
        let verified = describe(&opened.file.encode(), &Policy::at_least(100)).unwrap();
        (root, verified.fingerprint(), verified.claims[0].clone())
    };
    let mut narrow = find(6);
    narrow.level.log_columns = 3;
    narrow.inner = pcs::pip::Inner::Recursion(vec![]);
    let data: Vec<i128> = (1..=64).collect();
    let (root, fingerprint, claim) = said(&narrow, data.clone(), 2);
    assert_eq!(claim, "row 8 of x is 0.09");
    let mut wide = Params { log_size: 7, ..narrow.clone() };
    wide.level.log_columns = 4;
    let padded = data.chunks(8).flat_map(|row| row.iter().copied().chain([0; 8])).collect();
    for (params, data, claimed) in [(&narrow, data.clone(), "9"), (&wide, padded, "0")] {
        let other = said(params, data, 0);
        assert_eq!(other.2, format!("row 8 of x is {claimed}"));
        assert_eq!(other.0, root, "one root");
        assert_ne!(other.1, fingerprint, "not one commitment");
    }
}

/// Sums over blocks that leave a row out are no sum of all rows.
#[test]
fn malicious_prover_who_leaves_a_row_out() {
    let partial = proof(&[1, 2, 3, 4], 3, &Form::first(3, 2)[..1]);
    assert!(
        describe(&partial, &Policy::at_least(100)).unwrap().claims[0]
            .starts_with("the linear form of x and its padding with factors (1, 1) (1, 0) is 3")
    );
}

/// More rows than the commitment has places, or none: the sum would not be over the rows it speaks of.
#[test]
fn malicious_prover_deviates_in_the_number_of_rows_of_a_column() {
    let said = |rows| {
        let file = proof(&[1, 2, 3, 4], rows, &[Form::Entry(1)]);
        describe(&file, &Policy::at_least(100))
            .map(|verified| verified.claims)
            .map_err(|failure| failure.exit)
    };
    assert_eq!(said(4), Ok(vec!["row 1 of x is 2".to_owned()]));
    assert_eq!((said(0), said(5)), (Err(Exit::Invalid), Err(Exit::Invalid)));
}
