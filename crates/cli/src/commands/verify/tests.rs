//! Provers who state more than they prove.

use super::*;
use crate::args::What;
use crate::commands::{open, scheme, subject::Subject};
use pcs::fields::Fields;
use pcs::pip::Prover;
use pcs::pip::search::{Profile, Wanted, find};

/// The file that a prover makes for `entries`, saying that only `rows` of them are data.
fn proof(entries: &[u64], rows: u64, forms: impl Fn(usize) -> Vec<Tensor<field::Goldilocks3>>) -> Vec<u8> {
    let variables = entries.len().trailing_zeros();
    let params = find(&Wanted::new(Fields::Goldilocks3, variables, 100, Profile::Fast)).unwrap();
    let scheme = crate::commands::scheme::validated::<field::Goldilocks, field::Goldilocks3>(
        &params,
        &Policy::at_least(100),
    )
    .unwrap();
    let data = entries.iter().map(|&x| field::Goldilocks::from_u64(x)).collect();
    let mut witness = Prover::new(&scheme).commit(data);
    let subject = Subject { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
    open::prove(&scheme, &mut witness, &subject, forms(variables as usize))
}

/// Padding is not proven to be zero: a sum over all entries must not be read as a sum over the rows.
#[test]
fn liar_who_hides_a_number_in_the_padding() {
    let whole = proof(&[1, 2, 3, 1000], 3, |n| vec![Tensor::sum(n)]);
    let claims = describe(&whole, &Policy::at_least(100)).unwrap().claims;
    assert_eq!(claims, ["the linear form of x and its padding with factors (1, 1) (1, 1) is 1006"]);
    let what = What { sum: true, ..What::default() };
    let tiled = proof(&[1, 2, 3, 1000], 3, |n| forms::forms(&what, 3, n as u32).unwrap());
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
fn liar_who_states_a_mean_without_its_sum() {
    let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
    let scheme =
        scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, &Policy::at_least(100)).unwrap();
    let said = |forms: Vec<Tensor<field::Goldilocks3>>, rows| {
        let mut witness = Prover::new(&scheme).commit([2, 7, 1, 1000].map(Field::from_u64).to_vec());
        let subject = Subject { name: "x".into(), rows, scale: 1, bytes: None, source: [0; 32] };
        let context = Context { subject, weights_scale: None, mean: true };
        let file = open::prove_in(&scheme, &mut witness, &context.encode(), forms);
        describe(&file, &Policy::at_least(100))
            .map(|verified| verified.claims)
            .map_err(|failure| failure.exit)
    };
    for other in [Tensor::sum(2), Tensor::index(0, 2)] {
        assert_eq!(said(vec![other], 3), Err(Exit::Invalid));
    }
    assert_eq!(said(forms::blocks(3, 2)[..1].to_vec(), 3), Err(Exit::Invalid), "a row is left out");
    let claims = said(forms::blocks(3, 2), 3).unwrap();
    assert_eq!(claims[1], "the mean of all 3 rows of x is 1/3 = 0.3333… if that sum is the exact one");
    let claims = said(forms::blocks(1, 2), 1).unwrap();
    assert_eq!(claims[1], "the mean of all 1 rows of x is 1/5 = 0.2000 if that sum is the exact one");
}

/// A name is the prover's: it must not be able to look like a verdict of its own.
#[test]
fn liar_who_writes_a_claim_into_the_name() {
    let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
    let scheme =
        scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, &Policy::at_least(100)).unwrap();
    let said = |name: &str| {
        let data = [1, 2, 3, 4].map(field::Goldilocks::from_u64).to_vec();
        let mut witness = Prover::new(&scheme).commit(data);
        let subject = Subject { name: name.into(), rows: 4, scale: 0, bytes: None, source: [0; 32] };
        let file = open::prove(&scheme, &mut witness, &subject, vec![Tensor::index(0, 2)]);
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
fn liar_with_a_second_column() {
    let mut params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
    params.polynomials = 2;
    let scheme =
        scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, &Policy::at_least(90)).unwrap();
    let data = [[1, 2, 3, 4], [5, 6, 7, 8]].map(|column| column.map(field::Goldilocks::from_u64));
    let mut witness = Prover::new(&scheme).commit_batch(&[&data[0], &data[1]]);
    let subject = Subject { name: "x".into(), rows: 4, scale: 0, bytes: None, source: [0; 32] };
    let file = open::prove(&scheme, &mut witness, &subject, vec![Tensor::index(0, 2)]);
    assert!(describe(&file, &Policy::at_least(90)).unwrap_err().message.contains("several columns"));
}

/// One root, two readings: whoever compares commitments must not compare roots. A proof may state another scale, name or
/// number of rows than the commitment file, and a leaf of few elements is a leaf of more that are zero.
#[test]
fn liar_who_reads_the_root_in_another_way() {
    use field::{KoalaBear, KoalaBear5};
    let find = |variables| find(&Wanted::new(Fields::KoalaBear5, variables, 100, Profile::Fast)).unwrap();
    let said = |params: &Params, data: Vec<KoalaBear>, scale| {
        let scheme = scheme::validated::<KoalaBear, KoalaBear5>(params, &Policy::at_least(100)).unwrap();
        let rows = data.len() as u64;
        let mut witness = Prover::new(&scheme).commit(data);
        let root = witness.commitment().to_bytes()[..32].to_vec();
        let subject = Subject { name: "x".into(), rows, scale, bytes: None, source: [0; 32] };
        let form = Tensor::index(8, params.log_size as usize);
        let verified =
            describe(&open::prove(&scheme, &mut witness, &subject, vec![form]), &Policy::at_least(100))
                .unwrap();
        (root, verified.fingerprint(), verified.claims[0].clone())
    };
    let mut narrow = find(6);
    narrow.level.log_columns = 3;
    narrow.inner = pcs::pip::Inner::Recursion(vec![]);
    let data: Vec<KoalaBear> = (1..=64).map(KoalaBear::from_u64).collect();
    let (root, fingerprint, claim) = said(&narrow, data.clone(), 2);
    assert_eq!(claim, "row 8 of x is 0.09");
    let mut wide = Params { log_size: 7, ..narrow.clone() };
    wide.level.log_columns = 4;
    let padded = data.chunks(8).flat_map(|row| row.iter().copied().chain([KoalaBear::ZERO; 8])).collect();
    for (params, data, claimed) in [(&narrow, data.clone(), "9"), (&wide, padded, "0")] {
        let other = said(params, data, 0);
        assert_eq!(other.2, format!("row 8 of x is {claimed}"));
        assert_eq!(other.0, root, "one root");
        assert_ne!(other.1, fingerprint, "not one commitment");
    }
}

/// Sums over blocks that leave a row out are no sum of all rows.
#[test]
fn liar_who_leaves_a_row_out() {
    let partial = proof(&[1, 2, 3, 4], 3, |n| forms::blocks(3, n)[..1].to_vec());
    assert!(
        describe(&partial, &Policy::at_least(100)).unwrap().claims[0]
            .starts_with("the linear form of x and its padding with factors (1, 1) (1, 0) is 3")
    );
}

#[test]
fn every_number_of_rows_is_tiled() {
    for rows in 1..=16u64 {
        let tiles = forms::blocks::<field::Goldilocks>(rows, 4);
        let covered: Vec<u64> = (0..16)
            .filter(|&i| tiles.iter().any(|t| t.expand()[i as usize] != field::Goldilocks::ZERO))
            .collect();
        assert_eq!(covered, (0..rows).collect::<Vec<_>>());
        let ones: u64 = tiles
            .iter()
            .map(|t| t.expand().iter().filter(|&&w| w != field::Goldilocks::ZERO).count() as u64)
            .sum();
        assert_eq!(ones, rows, "no row counts twice");
    }
}

/// More rows than the commitment has places, or none: the sum would not be over the rows it speaks of.
#[test]
fn liar_about_the_number_of_rows_of_a_column() {
    let said = |rows| {
        let file = proof(&[1, 2, 3, 4], rows, |n| vec![Tensor::index(1, n)]);
        describe(&file, &Policy::at_least(100))
            .map(|verified| verified.claims)
            .map_err(|failure| failure.exit)
    };
    assert_eq!(said(4), Ok(vec!["row 1 of x is 2".to_owned()]));
    assert_eq!((said(0), said(5)), (Err(Exit::Invalid), Err(Exit::Invalid)));
}
