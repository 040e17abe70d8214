//! The verbs: commit, open and verify; their files are those of the command line.

use iop::error::ParamError;
use pcs::ligerito::Preset;
use pcs::pip::Secret;
use std::path::Path;
use tenfold::any::Mode;
use tenfold::dataset::{Base, Column, Layout, Values};
use tenfold::prove::{CountError, Counted, Setup};
use tenfold::statement::{ColumnDescription, Description};
use tenfold::verdict::Claimed;
use tenfold::verify::{Limits, Refused, verify};
use tenfold::{
    AnyParams, Claim, CommitmentFile, Dataset, Error, Options, Policy, ProofFile, SchemeId, Verdict, Witness,
    prove, search,
};

fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/vectors/files");
    std::fs::read(folder.join(name)).unwrap()
}

/// A column of the fixtures' table, as the command line reads it.
fn column(name: &str) -> Dataset {
    let table = String::from_utf8(fixture("rows.csv")).unwrap();
    let mut lines = table.lines();
    let at = lines.next().unwrap().split(',').position(|heading| heading == name).unwrap();
    let data = Dataset::from_decimals(lines.map(|line| line.split(',').nth(at).unwrap())).unwrap();
    let Dataset::Column(column) = data.named(name) else { unreachable!("numbers are a column") };
    Dataset::Column(Column { source_digest: *blake3::hash(&fixture("rows.csv")).as_bytes(), ..column })
}

/// Commits and opens by the parameters of a fixture: the files are those that the command wrote.
fn equals(name: &str, data: &Dataset, options: &Options, claims: &[Claim<'_>]) {
    let (commitment, mut witness) = tenfold::commit(data, options).unwrap();
    assert_eq!(commitment.to_bytes(), fixture(&format!("{name}.commitment")), "{name}");
    let proof = tenfold::open(&mut witness, claims).unwrap();
    assert_eq!(proof.to_bytes(), fixture(&format!("{name}.proof")), "{name}");
    assert_eq!(CommitmentFile::from_bytes(&commitment.to_bytes()), Ok(commitment));
}

#[test]
fn files_are_those_of_the_command_line() {
    let [prices, counts] = ["price", "count"].map(column);
    equals("koalabear-128", &prices, &Options::proven_bits(128), &[Claim::Row(7), Claim::Sum]);
    equals("koalabear-mean-point", &counts, &Options::default(), &[Claim::Mean]);
    equals("mersenne61-100", &counts, &Options::proven_bits(100).field(Base::Mersenne61), &[Claim::Row(3)]);
    equals("weighted", &prices, &Options::default(), &[Claim::Weighted(&column("weight")), Claim::Mean]);
    let bytes = |name: &str| Dataset::from_bytes(fixture(name)).named(name);
    let small = Options::default().profile(Preset::Small);
    equals("ligerito-bytes", &bytes("bytes.bin"), &small, &[Claim::Row(1)]);
    equals("ligerito-weighted", &bytes("bytes.bin"), &small, &[Claim::Weighted(&bytes("weights.bin"))]);
}

pub fn committed(data: &Dataset, options: &Options) -> (CommitmentFile, Witness) {
    tenfold::commit(data, options).unwrap()
}

fn values(proof: &ProofFile, policy: Policy<'_>) -> Vec<(Claimed, String)> {
    let verdict = tenfold::verify(&proof.to_bytes(), &policy).unwrap();
    verdict.claims.into_iter().map(|claim| (claim.claimed, claim.value.to_string())).collect()
}

#[test]
fn claims_have_values() {
    let data = Dataset::from_decimals(["1.5", "-2", "0.25", "1000"]).unwrap().named("x");
    let (commitment, mut witness) = committed(&data, &Options::proven_bits(100));
    let policy = Policy::at_least(100).about(&commitment);
    let proof = witness.open(&[Claim::Row(1), Claim::Mean, Claim::Point(vec![2, 0])]).unwrap();
    let found = values(&proof, policy);
    let prime = "2130706433";
    assert_eq!(found[0], (Claimed::Row(1), "-2.00".into()));
    assert_eq!(found[1], (Claimed::Sum, format!("999.75 modulo {prime}")));
    assert_eq!(found[2], (Claimed::Mean, "3999/16 = 249.93750".into()));
    // At (2, 0) the extension is 2 x_1 - x_0.
    assert_eq!((&found[3].1[..], found.len()), (&format!("-5.50 modulo {prime}")[..], 4));
    let weights = Dataset::from_i64s(vec![1, -1, 0, 2]);
    let proof = witness.open(&[Claim::Weighted(&weights)]).unwrap();
    assert_eq!(values(&proof, policy.weights(&weights))[0].1, format!("2003.50 modulo {prime}"));
    let others = Dataset::from_i64s(vec![1, -1, 0, 3]);
    let refused = tenfold::verify(&proof.to_bytes(), &policy.weights(&others)).unwrap_err();
    assert_eq!(refused, Error::Refused(Refused::OtherWeights));
    let (plain, weighted) = (witness.open(&[Claim::Row(1)]).unwrap(), proof);
    let refused = tenfold::verify(&plain.to_bytes(), &policy.weights(&weights)).unwrap_err();
    assert_eq!(refused, Error::Refused(Refused::NeedlessWeights));
    let refused = verify(&weighted.file, None, &Limits::new(100)).unwrap_err();
    assert_eq!(refused, Refused::MissingWeights);
}

/// Omissions of the caller have errors of their own, and are no verdict on a proof.
#[test]
fn what_a_verifier_is_not_given_is_said() {
    let data = Dataset::from_u64s(vec![5, 6]);
    let (commitment, mut witness) = committed(&data, &Options::proven_bits(100));
    let policy = Policy::at_least(100).about(&commitment);
    let refused = |bytes: &[u8]| tenfold::verify(bytes, &policy).map(drop).unwrap_err();
    assert_eq!(refused(&commitment.to_bytes()), Error::NoProof);
    let proof = witness.open(&[Claim::Weighted(&data)]).unwrap().to_bytes();
    assert_eq!(refused(&proof), Error::NoWeights);
    assert!(tenfold::verify(&proof, &policy.weights(&data)).is_ok());
}

/// More openings than a commitment hides for are not a question of bits, which the search for parameters would take them for.
#[test]
fn too_many_hidden_openings_are_refused_by_their_number() {
    let refused = |data: Dataset, options: Options| tenfold::commit(&data, &options).map(drop);
    let (numbers, bytes) = (Dataset::from_u64s((0..64).collect()), Dataset::from_bytes(vec![1; 64]));
    let many = Options::proven_bits(100).hiding(17);
    let expected = Err(Error::HiddenOpenings { given: 17, most: 16 });
    assert_eq!(refused(numbers.clone(), many.clone()), expected);
    assert_eq!(refused(bytes, many.scheme(SchemeId::Air)), expected);
    assert_eq!(refused(numbers, Options::proven_bits(100).hiding(16)), Ok(()));
}

/// Weights of another kind give no claim in the terms of the data, though they are the same elements.
#[test]
fn weights_of_another_kind_are_refused() {
    let numbers = Dataset::from_u64s(vec![5, 6]);
    let (commitment, mut witness) = committed(&numbers, &Options::proven_bits(100).field(Base::KoalaBear));
    let proof = witness.open(&[Claim::Weighted(&Dataset::from_u64s(vec![1, 2]))]).unwrap().to_bytes();
    let elements = Dataset::from_bytes(vec![1, 0, 0, 0, 2, 0, 0, 0]);
    let policy = Policy::at_least(100).about(&commitment).weights(&elements);
    let refused = tenfold::verify(&proof, &policy).unwrap_err();
    assert_eq!(refused, Error::WeightsKind("a column are numbers"));
    // Not as elements of the field, of which there would be another number.
    let bytes = Dataset::from_bytes(vec![1, 2]);
    let policy = Policy::at_least(100).about(&commitment).weights(&bytes);
    assert_eq!(tenfold::verify(&proof, &policy).unwrap_err(), Error::WeightsKind("a column are numbers"));
    let (commitment, mut witness) = committed(&elements, &Options::proven_bits(100));
    let proof = witness.open(&[Claim::Weighted(&elements)]).unwrap().to_bytes();
    let integers = Dataset::from_u64s(vec![1, 0, 0, 0, 2, 0, 0, 0]);
    let policy = Policy::at_least(100).about(&commitment).weights(&integers);
    let refused = tenfold::verify(&proof, &policy).unwrap_err();
    assert_eq!(refused, Error::WeightsKind("bytes are bytes"));
    assert!(tenfold::verify(&proof, &policy.weights(&elements)).is_ok());
}

#[test]
fn hidden_openings_are_counted() {
    let data = Dataset::from_u64s((0..64).collect());
    let (commitment, mut witness) = committed(&data, &Options::proven_bits(100).hiding(2));
    assert_eq!(witness.open(&[Claim::Row(0), Claim::Row(1)]), Err(Error::OneHidden(2)));
    for (left, row) in [(1, 3u64), (0, 5)] {
        let proof = witness.open(&[Claim::Row(row)]).unwrap();
        assert_eq!(witness.openings_left(), Some(left));
        assert_eq!(values(&proof, Policy::at_least(100).about(&commitment))[0].1, row.to_string());
    }
    assert_eq!(witness.open(&[Claim::Row(0)]), Err(Error::NoOpening(2)));
    assert_eq!(witness.into_secret().unwrap().used(), 2);
}

/// A process that ends before the count is stored has shown no proof, and one that stores it has counted the proof it shows.
#[test]
fn a_proof_is_withheld_until_its_opening_is_counted() {
    let data = Dataset::from_u64s((0..64).collect());
    let (commitment, mut witness) = committed(&data, &Options::proven_bits(100).hiding(2));
    let failed = witness.open_counted(&[Claim::Row(3)], |_, _| Err("the disk is full"));
    assert!(matches!(failed, Err(CountError::Store("the disk is full"))), "{failed:?}");
    assert_eq!(witness.openings_left(), Some(1), "what was made is used up");
    let none = |_: &Counted<'_>, _: Verdict| -> Result<(), ()> { unreachable!("nothing is proven") };
    let refused = witness.open_counted(&[Claim::Row(64)], none);
    assert!(matches!(refused, Err(CountError::Open(Error::NoRow { row: 64, rows: 64 }))));
    let mut stored = None;
    let proof = witness.open_counted(&[Claim::Row(5)], |opening, verdict| {
        stored = Some(([opening.before, opening.secret.used()], opening.length));
        assert!(
            verdict.compared && verdict.proven.mask.map(u32::from) == Some(opening.before),
            "verified before it is counted"
        );
        Ok::<(), ()>(())
    });
    let proof = proof.unwrap();
    assert_eq!(stored, Some(([1, 2], proof.to_bytes().len())));
    let verdict = tenfold::verify(&proof.to_bytes(), &Policy::at_least(100).about(&commitment)).unwrap();
    assert_eq!((verdict.claims[0].value.to_string(), verdict.proven.mask), ("5".into(), Some(1)));
    let refused = witness.open_counted(&[Claim::Row(0)], none);
    assert!(matches!(refused, Err(CountError::Open(Error::NoOpening(2)))));
    // The parameters prove fewer bits than the prover's own policy asks for, which nothing looks at before the proof is verified.
    let params = search::choose(&data, &Options::proven_bits(100).hiding(1)).unwrap();
    let scheme = params.clone().build(&iop::security::Policy::at_least(100)).unwrap();
    let entries = prove::entries(&scheme.prover(), &data).unwrap();
    let more = iop::security::Policy::at_least(128);
    let setup = Setup::new(&more, Mode::Hiding(Secret::from_os()));
    let described = prove::describe(&data, true);
    let mut witness = Witness::from_entries((scheme, params), described, entries, setup).unwrap();
    let refused = witness.open_counted(&[Claim::Row(5)], none);
    assert!(matches!(refused, Err(CountError::Open(Error::Refused(Refused::Params(_))))), "{refused:?}");
    assert_eq!(witness.open(&[Claim::Row(5)]), Err(Error::Uncounted), "its secret may be given again");
    let refused = witness.open_counted(&[Claim::Row(5)], none);
    assert!(matches!(refused, Err(CountError::Open(Error::NoOpening(1)))), "one opening, which was used up");
    // What does not hide has nothing to count.
    let (_, mut witness) = committed(&data, &Options::proven_bits(100));
    assert!(witness.open_counted(&[Claim::Row(5)], none).is_ok());
}

/// Nothing proves that padding is zero, so that it must not look like a row.
#[test]
fn padding_is_no_row() {
    let claim = |data: &Dataset, options: &Options, at: i128, variables: usize| {
        let (commitment, mut witness) = committed(data, options);
        let point = (0..variables).map(|v| at >> v & 1).collect();
        let proof = witness.open(&[Claim::Point(point)]).unwrap();
        let policy = Policy::at_least(100).about(&commitment);
        tenfold::verify(&proof.to_bytes(), &policy).unwrap().claims.remove(0)
    };
    let numbers = Dataset::from_u64s(vec![3, 1, 4]).named("x");
    let [row, padding] = [2, 3].map(|at| claim(&numbers, &Options::proven_bits(100), at, 2));
    assert_eq!((row.claimed, row.value.integer()), (Claimed::Row(2), Some(4)));
    assert_eq!((padding.claimed.clone(), padding.value.integer()), (Claimed::Padding(3), Some(0)));
    assert_eq!(padding.to_string(), "padding row 3 of x is 0");
    let bytes = Dataset::from_bytes(vec![7; 5]).named("x");
    let options = Options::proven_bits(100).entries(tenfold::EntrySize::Bytes);
    let (_, witness) = committed(&bytes, &options);
    let variables = witness.commitment().params.summary().variables;
    let [row, padding] = [4, 5].map(|at| claim(&bytes, &options, at, variables));
    assert_eq!((row.claimed, row.value.to_string()), (Claimed::Entry(4), "7".into()));
    assert_eq!(padding.claimed, Claimed::Padding(5));
    assert_eq!(padding.to_string(), "padding byte 5 of x is 0x00 (0)");
}

/// Entries of which the description is not one: no verifier would take a proof about them, or it would call padding a row.
#[test]
fn descriptions_of_other_entries_are_refused() {
    let policy = Policy::at_least(100);
    let data = Dataset::from_u64s((0..5).collect());
    let hiding = Options::proven_bits(100).hiding(1);
    let attempt = |options: &Options, change: &dyn Fn(&mut ColumnDescription)| {
        let params = search::choose(&data, options).unwrap();
        let policy = iop::security::Policy::at_least(100);
        let scheme = params.clone().build(&policy).unwrap();
        let Description::Column(mut column) = prove::describe(&data, false) else { unreachable!("a column") };
        change(&mut column);
        let entries = prove::entries(&scheme.prover(), &data).unwrap();
        let hides = params.summary().hidden_openings > 0;
        let mode = if hides { Mode::Hiding(Secret::from_os()) } else { Mode::Whole };
        Witness::from_entries(
            (scheme, params),
            Description::Column(column),
            entries,
            Setup::new(&policy, mode),
        )
    };
    let plain = Options::proven_bits(100);
    let mut witness = attempt(&plain, &|_| {}).unwrap();
    let proof = witness.open(&[Claim::Row(4)]).unwrap();
    assert!(tenfold::verify(&proof.to_bytes(), &policy.about(witness.commitment())).is_ok());
    let refused = |options: &Options, change: &dyn Fn(&mut ColumnDescription)| {
        let error = attempt(options, change).map(drop).unwrap_err();
        assert!(matches!(error, Error::OtherParams(_)), "{error:?}");
    };
    for rows in [0, 4, 6, 8, 9, u64::MAX] {
        refused(&plain, &|column| column.rows = rows);
    }
    assert!(attempt(&hiding, &|column| column.source = [0; 32]).is_ok());
    refused(&hiding, &|column| column.source = [1; 32]);
    // Bytes, for a column's parameters; and the scheme of others.
    let params = search::choose(&data, &plain).unwrap();
    let other = search::choose(&data, &Options::proven_bits(101)).unwrap();
    let any = iop::security::Policy::at_least(100);
    let of = |described: &Dataset, built: &AnyParams| {
        let scheme = built.clone().build(&any).unwrap();
        let entries = prove::entries(&scheme.prover(), &data).unwrap();
        let described = prove::describe(described, false);
        let made = Witness::from_entries(
            (scheme, params.clone()),
            described,
            entries,
            Setup::new(&any, Mode::Whole),
        );
        made.map(drop)
    };
    assert_eq!(of(&data, &params), Ok(()));
    assert!(matches!(of(&data, &other), Err(Error::OtherParams(_))));
    assert!(matches!(of(&Dataset::from_bytes(vec![0; 5]), &params), Err(Error::OtherParams(_))));
}

/// A witness that hides is not restored, and neither is one of other numbers of entries or nodes.
#[test]
fn what_cannot_be_restored_is_refused() {
    let data = Dataset::from_u64s((0..8).collect());
    let any = iop::security::Policy::at_least(100);
    for (options, hides) in [(Options::proven_bits(100).hiding(1), true), (Options::proven_bits(100), false)]
    {
        let scheme = search::choose(&data, &options).unwrap().build(&any).unwrap();
        let (prover, size) = (scheme.prover(), 1 << scheme.summary().log_size);
        let entries = |count: i128| prover.integers(&mut (0..count)).unwrap();
        let restore = |count: i128, nodes: usize| prover.restore(entries(count), vec![0; nodes]).is_ok();
        assert_eq!(restore(size, prover.node_bytes()), !hides);
        assert!(!restore(size - 1, prover.node_bytes()) && !restore(size, prover.node_bytes() + 1));
    }
    // A witness that hides counts its openings: it is not taken as one that was kept.
    let params = search::choose(&data, &Options::proven_bits(100).hiding(1)).unwrap();
    let scheme = params.clone().build(&any).unwrap();
    let entries = prove::entries(&scheme.prover(), &data).unwrap();
    let witness = scheme.prover().commit_as(entries, Mode::Hiding(Secret::from_os()));
    let (description, commitment) = (prove::describe(&data, true), witness.commitment().to_vec());
    let commitment = CommitmentFile { params, description, commitment };
    let restored = Witness::restore(scheme, commitment, witness, &any);
    assert!(matches!(restored, Err(Error::OtherParams(_))));
}

#[test]
fn policies_are_kept() {
    let data = Dataset::from_u64s(vec![3, 1, 4]);
    let (commitment, mut witness) = committed(&data, &Options::proven_bits(100));
    let proof = witness.open(&[Claim::Row(2)]).unwrap().to_bytes();
    let verify = |policy| tenfold::verify(&proof, &policy).map(|_| ());
    assert_eq!(verify(Policy::at_least(100)), Err(Error::NothingExpected));
    assert_eq!(verify(Policy::at_least(100).self_contained()), Ok(()));
    assert_eq!(verify(Policy::at_least(100).about(&commitment)), Ok(()));
    // Naming a commitment is not undone by a later choice, and two names are of none.
    let both = Policy::at_least(100).about(&commitment);
    assert_eq!(verify(both.self_contained().about(&commitment)), Ok(()));
    assert_eq!(verify(both.fingerprint([7; 32])), Err(Error::TwoCommitments));
    assert_eq!(verify(both.fingerprint([7; 32]).about(&commitment)), Err(Error::TwoCommitments));
    assert!(verify(Policy::at_least(100).fingerprint([7; 32]).self_contained()).is_err());
    assert!(verify(Policy::at_least(100).self_contained().fingerprint([7; 32])).is_err());
    let short = |policy| match verify(policy) {
        Err(Error::Refused(Refused::Params(ParamError::TooFewBits {
            proven,
            required,
            without_work,
            ..
        }))) => (proven >= 100.0 && proven < f64::from(required), required, without_work),
        refused => panic!("{refused:?}"),
    };
    assert_eq!(short(Policy::at_least(129).about(&commitment)), (true, 129, false));
    assert!(matches!(short(Policy::at_least(100).interactive_bits(129).about(&commitment)), (_, 129, true)));
    let found = commitment.fingerprint();
    assert_eq!(verify(Policy::at_least(100).fingerprint([7; 32])), Err(Error::OtherCommitment { found }));
    // Another name, other decimals or other rows are another commitment, though the entries are the same.
    for other in [data.clone().named("y"), Dataset::from_u64s(vec![3, 1, 4, 0])] {
        let (other, _) = committed(&other, &Options::proven_bits(100));
        let refused = verify(Policy::at_least(100).about(&other));
        assert_eq!(refused, Err(Error::OtherCommitment { found }));
    }
    let mut changed = proof.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(tenfold::verify(&changed, &Policy::at_least(100).about(&commitment)).is_err());
}

/// A negative coordinate is the one by so much below the modulus; a binary field has none.
#[test]
fn negative_coordinates_are_those_below_the_modulus() {
    let (_, mut numbers) = committed(&Dataset::from_u64s(vec![3, 1, 4, 1, 5]), &Options::proven_bits(100));
    let modulus = 0x7f00_0001;
    for (claim, same) in [
        (Claim::Evaluation(-1), Claim::Evaluation(modulus - 1)),
        (Claim::Evaluation(1 - modulus), Claim::Evaluation(1)),
        (Claim::Point(vec![-2, 0, 1]), Claim::Point(vec![modulus - 2, 0, 1])),
    ] {
        let [a, b] = [claim, same].map(|claim| numbers.open(&[claim]).unwrap().to_bytes());
        assert_eq!(a, b);
    }
    let (_, mut bytes) = committed(&Dataset::from_bytes(vec![1; 5]), &Options::proven_bits(100));
    assert_eq!(bytes.open(&[Claim::Evaluation(-1)]).unwrap_err(), Error::NotElement(-1));
}

#[test]
fn claims_about_other_data_are_refused() {
    let (_, mut witness) = committed(&Dataset::from_u64s(vec![1; 5]), &Options::proven_bits(100));
    let bytes = Dataset::from_bytes(vec![1; 5]);
    let few = Dataset::from_u64s(vec![1; 4]);
    let zero = Dataset::from_i64s(vec![1, -1, 0, 0, 0]);
    let mut refused = |claims: &[Claim<'_>]| witness.open(claims).unwrap_err();
    assert_eq!(refused(&[]), Error::NoClaim);
    assert_eq!(refused(&[Claim::Row(5)]), Error::NoRow { row: 5, rows: 5 });
    assert_eq!(refused(&[Claim::Point(vec![1])]), Error::Point { given: 1, variables: 3 });
    // Goldilocks: no claim is about another point than the one that was named.
    let modulus = 0xffff_ffff_0000_0001;
    assert_eq!(refused(&[Claim::Evaluation(modulus)]), Error::NotElement(modulus));
    assert_eq!(refused(&[Claim::Point(vec![1, modulus + 1, 0])]), Error::NotElement(modulus + 1));
    for beyond in [-modulus, 1 << 64, (1 << 64) + 1, i128::MIN] {
        assert_eq!(refused(&[Claim::Evaluation(beyond)]), Error::NotElement(beyond));
    }
    assert!(matches!(refused(&vec![Claim::Row(1); 65]), Error::TooManyClaims { given: 65, most: 64 }));
    assert_eq!(refused(&[Claim::Weighted(&few)]), Error::WeightsCount { given: 4, rows: 5 });
    assert_eq!(refused(&[Claim::Weighted(&bytes)]), Error::WeightsKind("a column are numbers"));
    assert_eq!(refused(&[Claim::Weighted(&zero), Claim::Sum]), Error::WeightsAlone);
    assert_eq!(refused(&[Claim::Weighted(&zero), Claim::Mean]), Error::NoMean);
    let large = Dataset::from_u64s(vec![u64::MAX; 5]);
    assert!(matches!(refused(&[Claim::Weighted(&large)]), Error::WeightOutOfField(_)));
    let (_, mut witness) = committed(&bytes, &Options::proven_bits(100));
    assert_eq!(witness.open(&[Claim::Sum]), Err(Error::OfNumbers("sum")));
}

/// Sums that the field does not hold would be other numbers.
#[test]
fn sums_that_wrap_around_are_refused() {
    let limit = u64::try_from(Base::KoalaBear.limit()).unwrap();
    let data = Dataset::from_u64s(vec![limit, 1]);
    let (_, mut witness) = committed(&data, &Options::proven_bits(100).field(Base::KoalaBear));
    assert!(matches!(witness.open(&[Claim::Sum]), Err(Error::SumWraps { .. })));
    let twice = Dataset::from_u64s(vec![2, 0]);
    let refused = witness.open(&[Claim::Weighted(&twice)]);
    assert!(matches!(refused, Err(Error::WeightedSumWraps { .. })));
}

#[test]
fn data_and_options_that_do_not_go_together_are_refused() {
    let [numbers, bytes] = [Dataset::from_u64s(vec![1, 2]), Dataset::from_bytes(vec![1, 2])];
    let refused = |data: &Dataset, options: Options| tenfold::commit(data, &options).unwrap_err();
    assert_eq!(refused(&Dataset::from_u64s(vec![]), Options::default()), Error::Empty);
    assert_eq!(refused(&Dataset::from_bytes(vec![]), Options::default()), Error::Empty);
    let of_bytes = Options::default().entries(tenfold::EntrySize::Bits);
    assert!(matches!(refused(&numbers, of_bytes), Error::Option { option: "entries", .. }));
    let of_numbers = Options::default().field(Base::Bn254);
    assert!(matches!(refused(&bytes, of_numbers), Error::Option { option: "field", .. }));
    assert_eq!(refused(&bytes, Options::default().hiding(1)), Error::HiddenBytes);
    let named = Options::proven_bits(128).profile(Preset::Small);
    assert_eq!(refused(&bytes, named), Error::ProfileBits { name: "small", bits: 100 });
    assert!(matches!(refused(&numbers, Options::proven_bits(500)), Error::Search(_)));
    assert!(matches!(refused(&numbers, Options::default().max_memory(8)), Error::Memory { limit: 8, .. }));
    let long = numbers.clone().named("x".repeat(1 << 20));
    assert_eq!(refused(&long, Options::proven_bits(100)), Error::LongName);
    // Before parameters are searched for.
    assert_eq!(search::choose(&long, &Options::proven_bits(500)).unwrap_err(), Error::LongName);
    let half = |first: &str| numbers.clone().named(first.to_owned() + &"x".repeat(600 << 10));
    let wide = Dataset::from_columns([half("a"), half("b")]).unwrap();
    assert_eq!(search::choose(&wide, &Options::proven_bits(500)).unwrap_err(), Error::LongName);
    let names: Vec<String> = (0..16_384).map(|i| format!("c{i}")).collect();
    let check = |count: usize| search::check_names(names.iter().take(count).map(String::as_str));
    assert_eq!((check(16_384), check(10_000)), (Err(Error::LongName), Ok(())));
    let huge = Dataset::from_u64s(vec![u64::MAX, 1]);
    assert!(matches!(refused(&huge, Options::default().field(Base::KoalaBear)), Error::OutOfField(_)));
}

/// Bytes that are packed into numbers are a column too.
#[test]
fn packed_bytes_are_a_column() {
    let values = Values::Narrow(vec![0x0201, 0x03]);
    let layout = Layout::Bytes { length: 3, width: 2 };
    let packed = Column { name: "x".into(), values, scale: 0, layout, source_digest: [0; 32] };
    let (commitment, mut witness) = committed(&packed.into(), &Options::proven_bits(100));
    let proof = witness.open(&[Claim::Row(0)]).unwrap();
    assert_eq!(values_of(&proof, &commitment), ["513"]);
}

fn values_of(proof: &ProofFile, commitment: &CommitmentFile) -> Vec<String> {
    let found = values(proof, Policy::at_least(100).about(commitment));
    found.into_iter().map(|(_, value)| value).collect()
}
