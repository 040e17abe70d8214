//! Inner products of committed columns.

use iop::security::{Policy as BitPolicy, Regimes};
use pcs::pip::InnerKind;
use tenfold::any::Form;
use tenfold::dataset::Base;
use tenfold::statement::{ColumnContext, Description, Sums, TableContext};
use tenfold::verdict::Expected;
use tenfold::{Claim, Claimed, Dataset, Error, Options, Policy, ProofFile, Witness, prove, search, verify};

fn options() -> Options {
    Options::proven_bits(100)
}

fn prices() -> Dataset {
    Dataset::from_decimals(["12.50", "-3", "0.125", "7", "1"]).unwrap().named("price")
}

fn amounts() -> Dataset {
    Dataset::from_u64s(vec![7, 1, 12, 0, 30]).named("amount")
}

fn table() -> Dataset {
    Dataset::from_columns([prices(), amounts()]).unwrap().named("trades")
}

#[test]
fn products_of_columns_are_proven() {
    let (commitment, mut witness) = tenfold::commit(&table(), &options()).unwrap();
    let policy = Policy::at_least(100).about(&commitment);
    for ([a, b], value) in
        [(["price", "amount"], "116.000"), (["amount", "price"], "116.000"), (["amount"; 2], "1094")]
    {
        let proof = witness.open(&[Claim::Product(a, b)]).unwrap().to_bytes();
        let verdict = verify(&proof, &policy).unwrap();
        let claimed = Claimed::Product(a.into(), b.into());
        assert_eq!(verdict.value_of(&claimed).unwrap().exact(), value);
        assert_eq!((verdict.claims.len(), verdict.compared), (1, true));
        assert!(verdict.report().terms.iter().any(|term| term.label == "product padding"));
        for other in [Claimed::Sum.of(a), Claimed::Product("price".into(), "price".into())] {
            assert!(matches!(verdict.value_of(&other), Err(Error::NotClaimed { .. })));
        }
        // A proof without weights is refused with some.
        let weights = prices();
        assert!(verify(&proof, &policy.weights(&weights)).is_err());
        assert!(ProofFile::from_bytes(&proof).is_ok());
    }
}

#[test]
fn squares_of_one_column_are_proven() {
    let (commitment, mut witness) = tenfold::commit(&prices(), &options()).unwrap();
    let policy = Policy::at_least(100).about(&commitment);
    let kept = witness.to_bytes().unwrap();
    let mut kept = Witness::from_bytes(&kept, &commitment, &Policy::at_least(100)).unwrap();
    for witness in [&mut witness, &mut kept] {
        let proof = witness.open(&[Claim::Product("price", "price")]).unwrap().to_bytes();
        let verdict = verify(&proof, &policy).unwrap();
        // 156.25 + 9 + 0.015625 + 49 + 1
        let claimed = Claimed::Product("price".into(), "price".into());
        assert_eq!(verdict.value_of(&claimed).unwrap().exact(), "215.265625");
        assert!(
            verdict.claims[0].to_string().starts_with("the sum over all 5 rows of the squares of price is")
        );
    }
}

#[test]
fn products_that_are_not_proven_are_refused() {
    let (_, mut witness) = tenfold::commit(&table(), &options()).unwrap();
    let mut refused = |claims: &[Claim<'_>]| witness.open(claims).map(drop).unwrap_err();
    assert_eq!(refused(&[Claim::Product("price", "volume")]), Error::NoColumn("volume".into()));
    assert_eq!(refused(&[Claim::Product("price", "amount"), Claim::Sum]), Error::ProductAlone);
    let weights = prices();
    let both = [Claim::Product("price", "amount"), Claim::Weighted(&weights)];
    assert_eq!(refused(&both), Error::ProductAlone);
    let (_, mut hidden) = tenfold::commit(&table(), &options().hiding(1)).unwrap();
    assert_eq!(hidden.open(&[Claim::Product("price", "amount")]).map(drop), Err(Error::HiddenProduct));
    assert_eq!(hidden.openings_left(), Some(1));
    let (_, mut bytes) = tenfold::commit(&Dataset::from_bytes(vec![1; 100]), &options()).unwrap();
    assert!(matches!(bytes.open(&[Claim::Product("a", "b")]), Err(Error::OfNumbers(_))));
    // Two chains open one form at a time.
    let chains = options().inner(InnerKind::TwoChains).regimes(Regimes::UniqueDecoding);
    let (_, mut chains) = tenfold::commit(&prices(), &chains).unwrap();
    let squares = chains.open(&[Claim::Product("price", "price")]).map(drop);
    assert_eq!(squares, Err(Error::ProductForms(4)));
    // One that would wrap around the field, by its sum or by one row.
    let rows = |x| Dataset::from_u64s(vec![x; 4]).named(format!("x{x}"));
    let data = Dataset::from_columns([rows(20_000), rows(30_000)]).unwrap();
    let (_, mut witness) = tenfold::commit(&data, &options().field(Base::KoalaBear)).unwrap();
    let wraps = |witness: &mut Witness, a, b| {
        witness.open(&[Claim::Product(a, b)]).map(drop).map_err(|e| e.to_string()).unwrap_err()
    };
    let said = wraps(&mut witness, "x20000", "x30000");
    assert!(said.starts_with("the sum of products of x20000 and x30000 does not fit"), "{said}");
    let said = wraps(&mut witness, "x30000", "x30000");
    assert!(said.starts_with("the sum of squares of x30000 does not fit"), "{said}");
    let (_, mut witness) = tenfold::commit(&data, &options().field(Base::Goldilocks)).unwrap();
    assert!(witness.open(&[Claim::Product("x20000", "x30000")]).is_ok());
}

/// Every column is copied, its padding too, in elements of the field.
#[test]
fn products_take_the_memory_of_the_columns_once_more() {
    let columns = ["a", "b", "c", "d"].map(|name| Dataset::from_u64s(vec![3; 1025]).named(name));
    let data = Dataset::from_columns(columns).unwrap();
    let options = options().field(Base::Bn254);
    let params = tenfold::commit(&data, &options).unwrap().0.params;
    let held = 4 * 1025 * 16;
    let least = held + params.prover_memory(true) + ((4 * 32) << params.log_size());
    let open = |limit| {
        let (_, mut witness) = tenfold::commit(&data, &options.clone().max_memory(limit)).unwrap();
        witness.open(&[Claim::Product("a", "d")]).map(drop)
    };
    assert!(matches!(open(least - 1), Err(Error::Memory { need, .. }) if need >= least));
    let need = held + params.product_memory().unwrap();
    assert!(matches!(open(need - 1), Err(Error::Memory { .. })));
    assert_eq!(open(need), Ok(()));
}

/// The text of a product names two columns, in any order, of names without `@`.
#[test]
fn an_expected_product_has_one_reading() {
    let of = |name: &str| amounts().named(name);
    let expect = |data: &Dataset, claim: Claim<'_>, text: &str| {
        let (commitment, mut witness) = tenfold::commit(data, &options()).unwrap();
        let proof = witness.open(&[claim]).unwrap().to_bytes();
        let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
        verdict.expect(&text.parse().unwrap())
    };
    let data = Dataset::from_columns([of("a"), of("b@c"), of("a@b"), of("c")]).unwrap();
    assert!("product@a@b@c".parse::<Expected>().is_err());
    // Other columns may have it: two names with one `@` between them are one pair.
    assert_eq!(expect(&data, Claim::Product("a", "c"), "product@a@c"), Ok(()));
    assert_eq!(expect(&data, Claim::Product("a", "c"), "product@c@a=1094"), Ok(()));
    let other = expect(&data, Claim::Product("a@b", "c"), "product@a@c");
    assert!(matches!(other, Err(Error::NotClaimed { .. })), "{other:?}");
    let data = Dataset::from_columns([of("a"), of("b"), of("b=5")]).unwrap();
    let refused = expect(&data, Claim::Product("a", "b=5"), "product@a@b=5");
    assert!(matches!(refused, Err(Error::TwoReadings { .. })));
    let data = Dataset::from_columns([of("a"), of("b")]).unwrap();
    assert_eq!(expect(&data, Claim::Product("a", "b"), "product@a@b=1094"), Ok(()));
}

/// A prover whose description is another one than its statement is about.
#[test]
fn a_product_is_one_of_what_is_described() {
    let policy = BitPolicy::at_least(100);
    let params = search::rows(Base::Goldilocks, 3, &options().polynomials(2)).unwrap();
    let scheme = params.build(&policy).unwrap();
    let mut prover = scheme.prover();
    let entries = prove::entries(&prover, &table()).unwrap();
    let mut witness = prover.commit(entries);
    let Description::Table(honest) = prove::describe(&table(), false) else { panic!("a table") };
    let mut answer = |columns: [u32; 2], rows: u64, context: &[u8]| {
        let file = prover.open_product(&mut witness, (columns, rows), context, &policy).unwrap();
        let bytes = ProofFile { file }.to_bytes();
        verify(&bytes, &Policy::at_least(100).self_contained()).map(drop).map_err(|e| e.to_string())
    };
    let context = |sums: Sums| TableContext { table: honest.clone(), weights_scale: None, sums }.encode();
    let plain = context(Sums::default());
    assert_eq!(answer([0, 1], 5, &plain), Ok(()));
    // More places than rows are zero, and the product is that of more than is described.
    let other = answer([0, 1], 6, &plain).unwrap_err();
    assert!(other.contains("one of other rows than are described"), "{other}");
    // Fewer rows: the others are not zero.
    assert!(answer([0, 1], 4, &plain).is_err());
    for sums in [Sums::of(true), Sums { mean: false, ranges: vec![0..1, 1..2] }] {
        let beside = answer([0, 1], 5, &context(sums)).unwrap_err();
        assert!(beside.contains("states sums beside it"), "{beside}");
    }
    let Description::Column(column) = prove::describe(&prices(), false) else { panic!("a column") };
    let one = ColumnContext { column, weights_scale: None, sums: Sums::default() }.encode();
    assert!(answer([0, 1], 5, &one).unwrap_err().contains("the file describes one"));
    assert!(answer([0, 1], 5, b"label").unwrap_err().contains("does not say what was committed to"));
    // Columns and rows that there are not.
    for (columns, rows) in [([0, 2], 5), ([0, 1], 0), ([0, 1], 9)] {
        assert!(prover.open_product(&mut witness, (columns, rows), &plain, &policy).is_err());
    }
    // The form of a product is none that an opening proves.
    let form = Form::Columns { columns: [0, 1], rows: 5 };
    assert!(prover.open(&mut witness, &[form], &plain).is_err());
}
