//! Several columns in one commitment: what their proofs say, and provers who say other columns.

use iop::security::Policy as BitPolicy;
use pcs::file::File;
use tenfold::any::{Form, Mode, Weights};
use tenfold::dataset::{Base, Column, Layout, Values};
use tenfold::prove::{self, Setup};
use tenfold::statement::{ColumnContext, Description, Sums, TableContext, TableDescription};
use tenfold::verdict::Expected;
use tenfold::{
    AnyParams, Claim, Claimed, CommitmentFile, Dataset, Error, Options, Policy, ProofFile, Witness, search,
    verify,
};

fn options() -> Options {
    Options::proven_bits(100)
}

fn prices() -> Dataset {
    Dataset::from_decimals(["12.50", "-3", "0.125", "7", "1"]).unwrap().named("price")
}

fn table() -> Dataset {
    let amounts = Dataset::from_u64s(vec![7, 1, 12, 0, 4_000_000_000]).named("amount");
    Dataset::from_columns([prices(), amounts]).unwrap().named("trades")
}

fn described(data: &Dataset) -> TableDescription {
    match prove::describe(data, false) {
        Description::Table(table) => table,
        other => panic!("{other:?}"),
    }
}

#[test]
fn claims_are_about_each_column() {
    let (commitment, mut witness) = tenfold::commit(&table(), &options()).unwrap();
    assert_eq!(CommitmentFile::from_bytes(&commitment.to_bytes()).as_ref(), Ok(&commitment));
    let claims = [Claim::Row(1), Claim::Mean, Claim::Point(vec![1, 0, 1]), Claim::Evaluation(2)];
    let proof = witness.open(&claims).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
    for (claimed, value) in [
        (Claimed::Row(1).of("price"), "-3.000"),
        (Claimed::Row(1).of("amount"), "1"),
        (Claimed::Sum.of("price"), "17.625"),
        (Claimed::Sum.of("amount"), "4000000020"),
        (Claimed::Mean.of("price"), "141/40"),
        (Claimed::Mean.of("amount"), "800000004"),
    ] {
        assert_eq!(verdict.value_of(&claimed).unwrap().exact(), value, "{claimed}");
    }
    // Of a table no claim is that of a column without its name, nor of one that it has not.
    for other in [Claimed::Row(1), Claimed::Sum, Claimed::Row(1).of("volume"), Claimed::Row(2).of("price")] {
        let refused = verdict.value_of(&other).map(drop);
        assert!(matches!(refused, Err(Error::NotClaimed { .. })), "{other}: {refused:?}");
    }
    let expects = |text: &str| verdict.expect(&text.parse::<Expected>().unwrap());
    assert_eq!([expects("row:1@price=-3"), expects("sum@amount=4000000020")], [Ok(()), Ok(())]);
    assert!(matches!(expects("sum@price=4000000020"), Err(Error::OtherValue { .. })));
    // Point (1, 0, 1) is row 5, which is padding; 2 takes the rows as coefficients.
    let lines: Vec<String> = verdict.claims.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 10);
    assert_eq!(lines[0], "row 1 of price is -3.000");
    assert!(lines[3].starts_with("padding row 5 of price is 0"), "{lines:?}");
    assert!(lines[9].ends_with(&format!("is {}", 7 + 2 + 12 * 4 + 16 * 4_000_000_000u64)), "{lines:?}");
    // What cannot be restored from entries and tree is not kept.
    assert!(witness.to_bytes().is_none());
}

#[test]
fn columns_that_make_no_table_are_refused() {
    let of = |columns: Vec<Dataset>| match Dataset::from_columns(columns) {
        Err(Error::Table(why)) => why,
        other => panic!("{other:?}"),
    };
    let amounts = |rows: u64| Dataset::from_u64s((0..rows).collect()).named("amount");
    assert!(of(vec![]).contains("two columns at least"));
    assert!(of(vec![prices()]).contains("two columns at least"));
    assert!(of(vec![prices(), amounts(4)]).contains("amount has 4 rows, and the first column 5"));
    assert!(of(vec![prices(), amounts(5), prices()]).contains("two columns have the name price"));
    assert!(of(vec![prices(), Dataset::from_bytes(vec![1; 5])]).contains("made of columns"));
    assert!(of(vec![prices(), table()]).contains("made of columns"));
    let layout = Layout::Bytes { length: 5, width: 1 };
    let packed = Column {
        name: "b".into(),
        values: Values::Narrow(vec![1; 5]),
        scale: 0,
        layout,
        source_digest: [0; 32],
    };
    assert!(of(vec![prices(), packed.into()]).contains("b is packed from bytes"));
    // Columns without rows are a table, and no data.
    let none = Dataset::from_columns([amounts(0), amounts(0).named("b")]).unwrap();
    assert_eq!(tenfold::commit(&none, &options()).map(drop), Err(Error::Empty));
}

/// One proof has the weighted sum and mean of each column by the same weights.
#[test]
fn all_columns_are_weighted_at_once() {
    let (commitment, mut witness) = tenfold::commit(&table(), &options()).unwrap();
    let weights = Dataset::from_decimals(["0.5", "2", "1", "0", "-1.5"]).unwrap().named("w");
    let about = || Policy::at_least(100).about(&commitment);
    for (claims, means) in
        [(vec![Claim::Weighted(&weights)], 0), (vec![Claim::Mean, Claim::Weighted(&weights)], 2)]
    {
        let proof = witness.open(&claims).unwrap().to_bytes();
        let verdict = verify(&proof, &about().weights(&weights)).unwrap();
        let value = |claimed: Claimed, column: &str| verdict.value_of(&claimed.of(column)).map(|v| v.exact());
        assert_eq!(value(Claimed::WeightedSum, "price").unwrap(), "-1.1250");
        assert_eq!(value(Claimed::WeightedSum, "amount").unwrap(), "-5999999982.5");
        assert_eq!(verdict.claims.len(), 2 + means);
        if means > 0 {
            assert_eq!(value(Claimed::WeightedMean, "price").unwrap(), "-9/16");
            assert_eq!(value(Claimed::WeightedMean, "amount").unwrap(), "-11999999965/4");
        }
        assert!(value(Claimed::WeightedSum, "volume").is_err() && value(Claimed::Sum, "price").is_err());
        let first = verdict.claims[0].to_string();
        assert!(first.starts_with("the sum of all 5 rows of price weighted by w is -1.1250"), "{first}");
        // Other weights, none, and the same numbers with other decimals.
        let other = Dataset::from_decimals(["0.5", "2", "1", "0", "-1.4"]).unwrap();
        assert!(matches!(verify(&proof, &about().weights(&other)), Err(Error::Refused(_))));
        assert!(matches!(verify(&proof, &about()), Err(Error::NoWeights)));
        let scaled = Dataset::from_u64s(vec![5, 20, 10, 0, 15]);
        assert!(verify(&proof, &about().weights(&scaled)).is_err());
        let short = Dataset::from_u64s(vec![1; 4]);
        assert!(verify(&proof, &about().weights(&short)).is_err_and(|e| e.to_string().contains("weights")));
        // Every byte counts.
        for at in (0..proof.len()).step_by(97) {
            let mut changed = proof.clone();
            changed[at] ^= 0x10;
            assert!(verify(&changed, &about().weights(&weights)).is_err(), "byte {at}");
        }
    }
    let zero = Dataset::from_decimals(["1", "-1", "0", "0", "0"]).unwrap();
    assert!(matches!(witness.open(&[Claim::Mean, Claim::Weighted(&zero)]), Err(Error::NoMean)));
    assert!(witness.open(&[Claim::Weighted(&zero)]).is_ok());
    assert!(matches!(witness.open(&[Claim::Row(1), Claim::Weighted(&zero)]), Err(Error::WeightsAlone)));
    let large = Dataset::from_u64s(vec![1, 1, 1, 1, 1 << 60]);
    match witness.open(&[Claim::Weighted(&large)]) {
        Err(Error::WeightedSumWraps { name, .. }) => assert_eq!(name, "price"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn tables_are_no_weights() {
    let (of_prices, mut witness) = tenfold::commit(&prices(), &options()).unwrap();
    let weights = table();
    assert!(matches!(witness.open(&[Claim::Weighted(&weights)]), Err(Error::WeightsKind(_))));
    let proof = witness.open(&[Claim::Weighted(&prices())]).unwrap().to_bytes();
    let policy = Policy::at_least(100).about(&of_prices).weights(&weights);
    assert!(matches!(verify(&proof, &policy), Err(Error::WeightsKind(_))));
    let (of_table, mut witness) = tenfold::commit(&table(), &options()).unwrap();
    assert!(matches!(witness.open(&[Claim::Weighted(&weights)]), Err(Error::WeightsKind(_))));
    let proof = witness.open(&[Claim::Weighted(&prices())]).unwrap().to_bytes();
    let policy = Policy::at_least(100).about(&of_table).weights(&weights);
    assert!(matches!(verify(&proof, &policy), Err(Error::WeightsKind(_))));
    let (_, mut hidden) = tenfold::commit(&table(), &options().hiding(1)).unwrap();
    assert!(matches!(hidden.open(&[Claim::Weighted(&prices())]), Err(Error::HiddenWeights)));
}

/// Descriptions that a prover may write for a proof of weighted sums.
#[test]
fn descriptions_of_weighted_sums_are_those_of_a_table_with_its_weights() {
    let policy = BitPolicy::at_least(100);
    let params = search::rows(Base::Goldilocks, 3, &options().polynomials(2)).unwrap();
    let scheme = params.clone().build(&policy).unwrap();
    let mut prover = scheme.prover();
    let weights = Dataset::from_u64s(vec![1, 2, 3, 4, 5]);
    let Dataset::Column(column) = &weights else { panic!("numbers") };
    let mut answer = |context: &[u8]| {
        let entries = prove::entries(&prover, &table()).unwrap();
        let mut witness = prover.commit(entries);
        let get = |row| column.values.row(row).unwrap();
        let given = prover.weights(Weights::Integers { count: 5, get: &get, scale: 0 }).unwrap();
        let file = prover.open_weighted(&mut witness, given, context, &policy).unwrap();
        let judge = Policy::at_least(100).self_contained().weights(&weights);
        verify(&ProofFile { file }.to_bytes(), &judge).map(|v| v.claims.len()).map_err(|e| e.to_string())
    };
    let honest = described(&table());
    let of = |table: &TableDescription, weights_scale, sums| {
        TableContext { table: table.clone(), weights_scale, sums }.encode()
    };
    assert_eq!(answer(&of(&honest, Some(0), Sums::of(false))), Ok(2));
    assert_eq!(answer(&of(&honest, Some(0), Sums::of(true))), Ok(4));
    // The decimals of the weights are those that the verifier's have.
    assert!(answer(&of(&honest, Some(1), Sums::of(false))).unwrap_err().contains("weights"));
    for undescribed in [
        of(&honest, None, Sums::of(false)),
        of(&honest, None, Sums::of(true)),
        of(&honest, Some(u32::MAX), Sums::of(false)),
        [&of(&honest, Some(0), Sums::of(false))[..], &[0]].concat(),
        [&honest.encode()[..], &[0, 0, 0, 0, 2]].concat(),
        vec![],
    ] {
        let refused = answer(&undescribed).unwrap_err();
        assert!(refused.contains("does not say what was committed to"), "{refused}");
    }
    let column = honest.columns[0].clone();
    let one = ColumnContext { column, weights_scale: Some(0), sums: Sums::of(false) }.encode();
    let refused = answer(&one).unwrap_err();
    assert!(refused.contains("several polynomials, and the file describes one"), "{refused}");
    assert!(ColumnContext::decode(&one, true).is_some());
    assert_eq!(ColumnContext::decode(&[&one[..], &[0]].concat(), true), None, "of a column, too");
    let mut more = honest.clone();
    more.columns.push(more.columns[1].clone());
    more.columns[2].name = "third".into();
    let refused = answer(&of(&more, Some(0), Sums::of(false))).unwrap_err();
    assert!(refused.contains("another number of columns is described"), "{refused}");
    let mut rows = honest;
    rows.columns.iter_mut().for_each(|column| column.rows = 6);
    let refused = answer(&of(&rows, Some(0), Sums::of(false))).unwrap_err();
    assert!(refused.contains("weight"), "{refused}");
}

#[test]
fn a_sum_that_wraps_is_refused_by_the_name_of_its_column() {
    let wide = Dataset::from_u64s(vec![2_000_000_000, 130_000_000]).named("wide");
    let small = Dataset::from_u64s(vec![1, 2]).named("small");
    let data = Dataset::from_columns([small, wide]).unwrap();
    // The field is the smallest that holds all sums.
    let (commitment, _) = tenfold::commit(&data, &options()).unwrap();
    assert_eq!(commitment.params.summary().fields[0], "goldilocks");
    let narrow = data.clone();
    let options = options().field(Base::KoalaBear);
    let refused = tenfold::commit(&narrow, &options).map(drop);
    assert!(matches!(refused, Err(Error::OutOfField(_))), "{refused:?}");
    let rows = |x| Dataset::from_u64s(vec![x; 3]);
    let data = Dataset::from_columns([rows(1).named("small"), rows(900_000_000).named("wide")]).unwrap();
    let (_, mut witness) = tenfold::commit(&data, &options).unwrap();
    match witness.open(&[Claim::Sum]) {
        Err(Error::SumWraps { name, .. }) => assert_eq!(name, "wide"),
        other => panic!("{other:?}"),
    }
    assert!(witness.open(&[Claim::Row(2)]).is_ok());
}

/// Values of one row of every column, and nothing else of them.
#[test]
fn hiding_tables_open_one_row_of_each_column() {
    let data = table();
    let (commitment, mut witness) = tenfold::commit(&data, &options().hiding(2)).unwrap();
    assert_eq!(commitment.description.source(), [0; 32]);
    assert!(matches!(witness.open(&[Claim::Sum]), Err(Error::HiddenSum(5))));
    assert!(matches!(witness.open(&[Claim::Row(0), Claim::Row(1)]), Err(Error::OneHidden(2))));
    for row in [0u64, 2] {
        let proof = witness.open(&[Claim::Row(row)]).unwrap().to_bytes();
        let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
        let found =
            ["price", "amount"].map(|of| verdict.value_of(&Claimed::Row(row).of(of)).unwrap().exact());
        assert_eq!(found, [["12.500", "7"], ["0.125", "12"]][usize::from(row > 0)]);
    }
    assert!(matches!(witness.open(&[Claim::Row(1)]), Err(Error::NoOpening(2))));
}

#[test]
fn options_and_parameters_are_for_as_many_columns() {
    let other = options().polynomials(3);
    assert!(matches!(tenfold::commit(&table(), &other), Err(Error::OtherParams(_))));
    assert!(matches!(tenfold::commit(&prices(), &other), Err(Error::Option { option: "polynomials", .. })));
    let bytes = Dataset::from_bytes(vec![1; 100]);
    assert!(matches!(tenfold::commit(&bytes, &other), Err(Error::Option { option: "polynomials", .. })));
    let policy = BitPolicy::at_least(100);
    let setup = || Setup::new(&policy, Mode::Whole);
    for (data, polynomials) in [(table(), 3), (table(), 1), (prices(), 2)] {
        let params = search::rows(Base::Goldilocks, 3, &options().polynomials(polynomials)).unwrap();
        let refused = Witness::commit(&data, params, setup()).map(drop);
        assert!(matches!(refused, Err(Error::OtherParams(_))), "{refused:?}");
    }
    let params = search::rows(Base::Goldilocks, 3, &options().polynomials(2)).unwrap();
    let scheme = params.clone().build(&policy).unwrap();
    let entries = prove::entries(&scheme.prover(), &table()).unwrap();
    let description = prove::describe(&table(), false);
    // The sums are those of the entries.
    let mut witness = Witness::from_entries((scheme, params), description, entries, setup()).unwrap();
    let proof = witness.open(&[Claim::Sum, Claim::Range(1..3)]).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(witness.commitment())).unwrap();
    assert_eq!(verdict.value_of(&Claimed::Sum.of("amount")).unwrap().exact(), "4000000020");
    assert_eq!(verdict.value_of(&Claimed::Range(1..3).of("price")).unwrap().exact(), "-2.875");
}

/// A proof of row 1 of two polynomials of eight rows, with any bytes as its context.
fn proof_with(context: &[u8]) -> (AnyParams, File<'static>) {
    let policy = BitPolicy::at_least(100);
    let params = search::rows(Base::Goldilocks, 3, &options().polynomials(2)).unwrap();
    let scheme = params.clone().build(&policy).unwrap();
    let mut prover = scheme.prover();
    let entries = prove::entries(&prover, &table()).unwrap();
    let mut witness = prover.commit(entries);
    let opened = prover.open(&mut witness, &[Form::Entry(1)], context).unwrap();
    (params, opened.file)
}

/// The verifiers' answer to a proof with this context.
fn answer(context: &[u8]) -> Result<(), String> {
    let file = ProofFile { file: proof_with(context).1 };
    let policy = Policy::at_least(100).self_contained();
    verify(&file.to_bytes(), &policy).map(drop).map_err(|e| e.to_string())
}

/// What a prover writes as the description, who has committed to two columns of eight places.
#[test]
fn a_description_is_one_of_what_was_committed_to() {
    let honest = described(&table());
    let context = |table: &TableDescription| {
        TableContext { table: table.clone(), weights_scale: None, sums: Sums::of(false) }.encode()
    };
    assert_eq!(answer(&context(&honest)), Ok(()));
    let with = |change: &dyn Fn(&mut TableDescription)| {
        let mut table = honest.clone();
        change(&mut table);
        answer(&context(&table)).unwrap_err()
    };
    let more = with(&|table| {
        let mut third = table.columns[1].clone();
        third.name = "third".into();
        table.columns.push(third);
    });
    assert!(more.contains("another number of columns is described"), "{more}");
    let long = with(&|table| table.columns.iter_mut().for_each(|column| column.rows = 9));
    assert!(long.contains("the stated number of rows does not fit"), "{long}");
    let none = with(&|table| table.columns.iter_mut().for_each(|column| column.rows = 0));
    assert!(none.contains("the stated number of rows does not fit"), "{none}");
    for undescribed in [
        with(&|table| drop(table.columns.pop())),
        with(&|table| table.columns[1].rows = 4),
        with(&|table| table.columns[1].name = "price".into()),
        with(&|table| table.columns[1].bytes = Some((5, 1))),
        with(&|table| table.columns[1].scale = u32::MAX),
        answer(&[]).unwrap_err(),
        answer(&[&context(&honest)[..], &[0]].concat()).unwrap_err(),
        answer(&[&context(&honest)[..], &[1, 1]].concat()).unwrap_err(),
    ] {
        assert!(undescribed.contains("does not say what was committed to"), "{undescribed}");
    }
    // A mean without its sum, and the description of one column.
    let mean = answer(&[&context(&honest)[..], &[1]].concat()).unwrap_err();
    assert!(mean.contains("a mean without the sum"), "{mean}");
    let column = honest.columns[0].clone();
    let one =
        answer(&ColumnContext { column, weights_scale: None, sums: Sums::of(false) }.encode()).unwrap_err();
    assert!(one.contains("several polynomials, and the file describes one"), "{one}");
}

/// A verdict says some kilobytes of each value: those of many columns are bounded, in proofs and for provers.
#[test]
fn values_of_many_columns_are_bounded() {
    let columns = |count: u64| (0..count).map(|i| Dataset::from_u64s(vec![i]).named(format!("c{i}")));
    let data = Dataset::from_columns(columns(1000)).unwrap();
    let (commitment, mut witness) = tenfold::commit(&data, &options()).unwrap();
    let claims = |count: i128| (0..count).map(Claim::Evaluation).collect::<Vec<_>>();
    let refused = witness.open(&claims(17)).map(drop);
    assert_eq!(refused, Err(Error::TooManyClaims { given: 17, most: 16 }));
    let proof = witness.open(&claims(16)).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
    assert_eq!(verdict.claims.len(), 16_000);
    let scheme = commitment.params.clone().build(&BitPolicy::at_least(100)).unwrap();
    let mut prover = scheme.prover();
    let entries = prove::entries(&prover, &data).unwrap();
    let mut witness = prover.commit(entries);
    let forms: Vec<Form> = (0..17).map(|point| scheme.powers(point)).collect();
    let context =
        TableContext { table: described(&data), weights_scale: None, sums: Sums::of(false) }.encode();
    let file = prover.open(&mut witness, &forms, &context).unwrap().file;
    let refused = verify(&ProofFile { file }.to_bytes(), &Policy::at_least(100).self_contained());
    assert!(refused.is_err_and(|e| e.to_string().contains("more values of a table than are read")));
    assert!(matches!(Dataset::from_columns(columns(1 << 14 | 1)), Err(Error::Table(_))));
}

/// Columns that changed places are another commitment, whatever their polynomials.
#[test]
fn a_verifier_compares_the_names_too() {
    let (commitment, mut witness) = tenfold::commit(&table(), &options()).unwrap();
    let proof = witness.open(&[Claim::Row(1)]).unwrap().to_bytes();
    let mut swapped = commitment.clone();
    let Description::Table(of) = &mut swapped.description else { panic!("a table") };
    let [price, amount] = &mut of.columns[..] else { panic!("two columns") };
    core::mem::swap(&mut price.name, &mut amount.name);
    assert!(CommitmentFile::from_bytes(&swapped.to_bytes()).is_ok());
    let refused = verify(&proof, &Policy::at_least(100).about(&swapped)).map(drop);
    assert!(matches!(refused, Err(Error::OtherCommitment { .. })), "{refused:?}");
}

/// Each value of each column is proven: no other one passes, in no place.
#[test]
fn values_of_all_columns_are_proven() {
    let honest = described(&table());
    let (_, file) =
        proof_with(&TableContext { table: honest, weights_scale: None, sums: Sums::of(false) }.encode());
    let bytes = ProofFile { file }.to_bytes();
    let policy = Policy::at_least(100).self_contained();
    let verdict = verify(&bytes, &policy).unwrap();
    let mut tampered = 0;
    for stated in &verdict.proven.claims {
        assert_eq!(stated.values.len(), 2);
        for value in &stated.values {
            let at = bytes.windows(value.len()).position(|window| window == value).unwrap();
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(verify(&other, &policy).is_err());
            tampered += 1;
        }
    }
    assert_eq!(tampered, 2);
}

/// A file of a commitment has as many columns as its parameters have polynomials.
#[test]
fn commitment_files_describe_all_polynomials() {
    let (commitment, _) = tenfold::commit(&table(), &options()).unwrap();
    let with = |change: &dyn Fn(&mut CommitmentFile)| {
        let mut file = commitment.clone();
        change(&mut file);
        CommitmentFile::from_bytes(&file.to_bytes()).map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(with(&|_| {}), Ok(()));
    let third = with(&|file| {
        let Description::Table(of) = &mut file.description else { panic!("a table") };
        let mut third = of.columns[1].clone();
        third.name = "third".into();
        of.columns.push(third);
    });
    assert!(third.unwrap_err().contains("more rows or columns than its parameters have places for"));
    let one = with(&|file| {
        let Description::Table(of) = &file.description else { panic!("a table") };
        file.description = Description::Column(of.columns[0].clone());
    });
    assert!(one.unwrap_err().contains("content is malformed"));
}

/// `sum@a=5` is the sum of `a`, with a value, or that of `a=5`.
#[test]
fn expected_texts_with_two_readings_are_refused() {
    let column = |name: &str, rows| Dataset::from_u64s(rows).named(name);
    let data = Dataset::from_columns([column("a=5", vec![1, 5]), column("a", vec![2, 3])]).unwrap();
    let (commitment, mut witness) = tenfold::commit(&data, &options()).unwrap();
    let proof = witness.open(&[Claim::Sum]).unwrap().to_bytes();
    let verdict = verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap();
    let expects = |text: &str| verdict.expect(&text.parse::<Expected>().unwrap());
    assert!(matches!(expects("sum@a=5"), Err(Error::TwoReadings { .. })));
    assert_eq!(expects("sum@a"), Ok(()));
    assert_eq!(verdict.value_of(&Claimed::Sum.of("a=5")).unwrap().exact(), "6");
}

fn verdict_of(data: &Dataset, options: &Options, claims: &[Claim<'_>]) -> tenfold::Verdict {
    let (commitment, mut witness) = tenfold::commit(data, options).unwrap();
    let proof = witness.open(claims).unwrap().to_bytes();
    verify(&proof, &Policy::at_least(100).about(&commitment)).unwrap()
}

/// A verifier asks for what it needs by any name that it has: of a single column with its name, of the only row as the sum.
#[test]
fn quantities_have_several_names() {
    let meets = |verdict: &tenfold::Verdict, text: &str| verdict.expect(&text.parse().unwrap()).is_ok();
    let one = verdict_of(&prices(), &options(), &[Claim::Row(1), Claim::Sum]);
    for (text, met) in [
        ("row:1@price=-3", true),
        ("sum@price=17.625", true),
        ("sum@price=17", false),
        ("sum@amount", false),
        ("sum@", false),
    ] {
        assert_eq!(
            text.parse::<Expected>().is_ok_and(|expected| one.expect(&expected).is_ok()),
            met,
            "{text}"
        );
    }
    let many = verdict_of(&table(), &options(), &[Claim::Row(1)]);
    let refused = many.expect(&"row:1".parse().unwrap()).unwrap_err().to_string();
    assert!(refused.contains("row 1 without the name of its column, as in `sum@price`"), "{refused}");
    let column = || Dataset::from_u64s(vec![5]).named("x");
    let pair = Dataset::from_columns([column(), Dataset::from_u64s(vec![7]).named("y")]).unwrap();
    for (data, claims) in [
        (column(), vec![Claim::Sum]),
        (column(), vec![Claim::Row(0)]),
        (column(), vec![Claim::Mean]),
        (pair, vec![Claim::Sum]),
    ] {
        let verdict = verdict_of(&data, &options(), &claims);
        assert!(meets(&verdict, "sum@x=5") && meets(&verdict, "row:0@x=5"), "{claims:?}");
        assert!(!meets(&verdict, "sum@x=6") && !meets(&verdict, "row:1@x"), "{claims:?}");
    }
    let hidden = verdict_of(&column(), &options().hiding(1), &[Claim::Sum]);
    assert!(meets(&hidden, "sum=5") && meets(&hidden, "row:0=5"));
}

/// A value at a point is asked for by the point, whatever it is of the rows.
#[test]
fn evaluations_are_asked_for_by_their_points() {
    let data = Dataset::from_u64s(vec![3, 1, 4, 1]).named("x");
    for base in [Base::KoalaBear, Base::Goldilocks, Base::Bn254] {
        let claims = [
            Claim::Evaluation(2),
            Claim::Evaluation(-1),
            Claim::Point(vec![2, -1]),
            Claim::Point(vec![0, 1]),
            Claim::Evaluation(1),
        ];
        let verdict = verdict_of(&data, &options().field(base), &claims);
        let meets = |text: &str| verdict.expect(&text.parse().unwrap()).is_ok();
        // 3 + 1·2 + 4·4 + 1·8; 3 - 1 + 4 - 1.
        assert!(meets("evaluate:2=29") && meets("evaluate:-1=5") && meets("evaluate:2@x"), "{}", base.name());
        assert!(!meets("evaluate:2=30") && !meets("evaluate:3") && !meets("evaluate:2@y"));
        // 2·(3·(1-2) + 1·2) - (4·(1-2) + 1·2); the third row; the sum.
        assert!(meets("point:2,-1=0") && meets("point:0,1=4") && meets("row:2=4") && meets("evaluate:1=9"));
        assert!(meets("sum=9") && !meets("point:2,1") && !meets("point:2") && !meets("point:2,-1,0"));
        assert!(verdict.value_of(&Claimed::Evaluation(i128::MAX)).is_err());
        let at: Vec<_> =
            verdict.claims.iter().filter_map(|claim| claim.at()).map(|(_, z)| z.to_vec()).collect();
        assert_eq!(at, [vec!["2"], vec!["-1"], vec!["2", "-1"]]);
        assert!(!meets("point:0,1,0") && !meets("point:1"), "of another number of variables");
    }
    // What is no coordinate is not reduced to one.
    let verdict = verdict_of(
        &data,
        &options().field(Base::KoalaBear),
        &[Claim::Evaluation(2), Claim::Evaluation(0), Claim::Point(vec![2, -1])],
    );
    let meets = |text: &str| verdict.expect(&text.parse().unwrap()).is_ok();
    for (text, met) in [
        ("evaluate:2", true),
        ("evaluate:2130706435", false),
        ("evaluate:-2130706431", true),
        ("evaluate:-4261412864", false),
        ("evaluate:0", true),
        ("evaluate:2130706433", false),
        ("point:2,2130706432", true),
        ("point:2130706435,-1", false),
    ] {
        assert_eq!(meets(text), met, "{text}");
    }
    // With padding the value at one is not the sum of the rows, and one row is not the sum of several.
    let data = Dataset::from_u64s(vec![3, 1, 4]).named("x");
    for (claim, met, others) in [
        (Claim::Evaluation(1), "evaluate:1", ["sum", "row:0", "evaluate:0"]),
        (Claim::Sum, "sum", ["evaluate:1", "row:0", "point:0,0"]),
        (Claim::Row(0), "row:0", ["sum", "evaluate:1", "row:1"]),
    ] {
        let verdict = verdict_of(&data, &options(), &[claim]);
        assert!(verdict.expect(&met.parse().unwrap()).is_ok(), "{met}");
        for other in others {
            assert!(verdict.expect(&other.parse().unwrap()).is_err(), "{met} is no {other}");
        }
    }
    let bytes = Dataset::from_bytes((0..32).collect());
    let verdict = verdict_of(&bytes, &options(), &[Claim::Evaluation(3), Claim::Row(2)]);
    assert!(verdict.value_of(&Claimed::Evaluation(3)).is_ok());
    assert!(verdict.value_of(&Claimed::Evaluation(2)).is_err());
    assert!(verdict.value_of(&Claimed::Evaluation(-3)).is_err());
}

/// A corner of the cube is a row, a range of one row is that row, and one of all rows their sum: whichever of these names was claimed, all of
/// them are met, with this value and no other, and nothing else is.
#[test]
fn equal_quantities_meet_whichever_was_claimed() {
    const NAMES: [&str; 12] = [
        "row:0",
        "row:1",
        "row:2",
        "sum",
        "sum:0..1",
        "sum:1..2",
        "sum:0..2",
        "sum:2..3",
        "point:0,0",
        "point:1,0",
        "point:0,1",
        "evaluate:1",
    ];
    let met = |verdict: &tenfold::Verdict, value: &str| {
        let of = |name: &&str| {
            let is = |text: String| verdict.expect(&text.parse().unwrap()).is_ok();
            assert!(!is(format!("{name}=77")), "{name}");
            assert_eq!(is(format!("{name}@x={value}")), is((*name).to_owned()), "{name}");
            is(format!("{name}={value}"))
        };
        NAMES.into_iter().filter(of).collect::<Vec<_>>()
    };
    let rows = |rows: Vec<u64>| Dataset::from_u64s(rows).named("x");
    let second = ["row:1", "sum:1..2", "point:1,0"];
    for claim in [Claim::Row(1), Claim::Range(1..2), Claim::Point(vec![1, 0])] {
        assert_eq!(
            met(&verdict_of(&rows(vec![3, 5, 4]), &options(), std::slice::from_ref(&claim)), "5"),
            second,
            "{claim:?}"
        );
    }
    // Two rows in four places: their sum is none of all places.
    let two = |claim| verdict_of(&rows(vec![3, 5]), &options().hiding(1), &[claim]);
    for claim in [Claim::Sum, Claim::Range(0..2)] {
        assert_eq!(met(&two(claim), "8"), ["sum", "sum:0..2"]);
    }
    // What is beyond the rows is padding, by whatever name it is asked for.
    let beyond = verdict_of(&rows(vec![3, 5, 4]), &options(), &[Claim::Point(vec![1, 1])]);
    let expects = |text: &str| beyond.expect(&text.parse().unwrap()).is_ok();
    assert!(expects("point:1,1=0") && beyond.value_of(&Claimed::Padding(3)).is_ok());
    assert!(!expects("row:3") && !expects("sum:3..4") && !expects("point:0,1") && !expects("sum:2..4"));
    // The only row, in a place of its own among many.
    let one = rows(vec![6]);
    for claim in [Claim::Row(0), Claim::Sum, Claim::Range(0..1), Claim::Evaluation(0)] {
        let verdict = verdict_of(&one, &options().hiding(1), std::slice::from_ref(&claim));
        let corner = |at: usize| {
            let mut z = vec![0; verdict.proven.variables];
            z[at] = 1;
            Claimed::Point(z)
        };
        let zero = Claimed::Point(vec![0; verdict.proven.variables]);
        for claimed in [zero, Claimed::Evaluation(0), Claimed::Row(0), Claimed::Sum, Claimed::Range(0..1)] {
            assert_eq!(
                verdict.value_of(&claimed).map(|value| value.exact()),
                Ok("6".into()),
                "{claim:?} {claimed}"
            );
        }
        for other in [corner(0), corner(1), Claimed::Evaluation(1), Claimed::Row(1), Claimed::Range(0..2)] {
            assert!(verdict.value_of(&other).is_err(), "{claim:?} {other}");
        }
    }
    // Entries of bytes are no rows.
    let bytes = Dataset::from_bytes((0..32).collect());
    let entry = verdict_of(&bytes, &options(), &[Claim::Row(2)]);
    assert!(
        entry.expect(&"row:2".parse().unwrap()).is_err() && entry.value_of(&Claimed::Range(2..3)).is_err()
    );
}
