//! Data, options and parts that do not go together are refused before anything is made of them that no verifier accepts.

use super::longest::of_pip;
use iop::security::{Policy as BitPolicy, Regime};
use pcs::pip::{Inner, InnerKind, Secret};
use tenfold::any::{Form, Mode, Weights};
use tenfold::dataset::{Base, Column, Layout, Values};
use tenfold::prove::{self, Setup};
use tenfold::statement::{ColumnDescription, Description};
use tenfold::verdict::Claimed;
use tenfold::verify::{Limits, verify};
use tenfold::{
    AnyParams, Claim, CommitmentFile, Dataset, EntrySize, Error, Options, Policy, SchemeId, Witness, search,
};

fn options() -> Options {
    Options::proven_bits(100)
}

fn column(values: Vec<i64>, scale: u32, layout: Layout) -> Dataset {
    let values = Values::Narrow(values);
    Dataset::Column(Column { name: "x".into(), values, scale, layout, source_digest: [0; 32] })
}

/// What is claimed by a proof that verifies.
fn claimed(data: &Dataset, options: &Options, claims: &[Claim<'_>]) -> Vec<Claimed> {
    let (commitment, mut witness) = tenfold::commit(data, options).unwrap();
    let proof = witness.open(claims).unwrap();
    let verdict = tenfold::verify(&proof.to_bytes(), &Policy::at_least(100).about(&commitment)).unwrap();
    verdict.claims.into_iter().map(|claim| claim.claimed).collect()
}

#[test]
fn descriptions_that_no_verifier_reads_are_not_committed_to() {
    let numbers = Layout::Numbers;
    // Beyond the field too: the refusal of such a value names it with all its digits.
    for (given, value) in [(19, 3), (19, i64::MAX), (70_000, i64::MAX), (u32::MAX, i64::MAX)] {
        let data = column(vec![1, value], given, numbers);
        let refused = tenfold::commit(&data, &options().field(Base::KoalaBear)).map(drop);
        assert_eq!(refused, Err(Error::Scale { given }));
        let (_, mut witness) = tenfold::commit(&Dataset::from_u64s(vec![1, 2]), &options()).unwrap();
        assert_eq!(witness.open(&[Claim::Weighted(&data)]).map(drop), Err(Error::Scale { given }));
    }
    for (width, given) in [(0, 0), (16, 16), (1 << 33 | 3, u32::MAX)] {
        let data = column(vec![1, 2], 0, Layout::Bytes { length: 5, width });
        assert_eq!(tenfold::commit(&data, &options()).map(drop), Err(Error::Width { given }));
        let params = search::rows(Base::KoalaBear, 1, &options()).unwrap();
        let policy = BitPolicy::at_least(100);
        let setup = Setup::new(&policy, Mode::Whole);
        assert_eq!(Witness::commit(&data, params, setup).map(drop), Err(Error::Width { given }));
    }
    for given in [1, 18] {
        let data = column(vec![1, 2], given, Layout::Bytes { length: 14, width: 7 });
        assert_eq!(tenfold::commit(&data, &options()).map(drop), Err(Error::PackedDecimals { given }));
    }
    let data = column(vec![1, 2], 0, Layout::Bytes { length: 5, width: 7 });
    let refused = tenfold::commit(&data, &options()).map(drop).map_err(|e| e.to_string());
    assert_eq!(refused.unwrap_err().split(':').next(), Some("5 bytes, 7 in each row, are not 2 rows"));
    for (scale, layout) in [(18, numbers), (0, Layout::Bytes { length: 16, width: 15 })] {
        let (commitment, _) = tenfold::commit(&column(vec![1, 2], scale, layout), &options()).unwrap();
        assert_eq!(CommitmentFile::from_bytes(&commitment.to_bytes()), Ok(commitment));
    }
}

/// The bytes that rows are packed from, and the length of a context, are what a prover says.
#[test]
fn bytes_that_do_not_fill_the_rows_and_long_contexts_are_refused() {
    let any = BitPolicy::at_least(0);
    let params = AnyParams::from(of_pip(Regime::UniqueDecoding, Inner::Recursion(vec![])));
    let scheme = params.clone().build(&any).unwrap();
    let mut prover = scheme.prover();
    let entries = prover.integers(&mut (0..256)).unwrap();
    let mut witness = prover.commit(entries);
    let mut both = |column: ColumnDescription| {
        let proof = prover.open(&mut witness, &[Form::Entry(1)], &column.encode()).unwrap().file;
        let limits = Limits { policy: any, max_memory: 1 << 20 };
        let description = Description::Column(column);
        let file = CommitmentFile { params: params.clone(), description, commitment: vec![1; 32] };
        let read = CommitmentFile::from_bytes(&file.to_bytes()).map(drop).map_err(|e| e.to_string());
        [verify(&proof, None, &limits).map(drop).map_err(|e| e.to_string()), read]
    };
    let column = |bytes| ColumnDescription { name: "x".into(), rows: 3, scale: 0, bytes, source: [0; 32] };
    for bytes in [None, Some((15, 7)), Some((21, 7))] {
        assert_eq!(both(column(bytes)), [Ok(()), Ok(())], "{bytes:?}");
    }
    for bytes in [(0, 7), (14, 7), (22, 7), (u64::MAX, 7)] {
        let [proof, commitment] = both(column(Some(bytes))).map(Result::unwrap_err);
        let other = "the stated number of bytes takes another number of rows than is stated";
        assert_eq!(proof, format!("invalid proof: {other}"), "{bytes:?}");
        assert!(commitment.ends_with("and these are another number of rows"), "{bytes:?}: {commitment}");
    }
    // Nor do verifiers read decimals of what is packed from bytes.
    let pointed = ColumnDescription { scale: 2, ..column(Some((21, 7))) };
    assert_eq!(ColumnDescription::decode(&pointed.encode()), None);
    let refused = ["the proof does not say what was committed to", "the file's content is malformed"];
    assert_eq!(both(pointed).map(Result::unwrap_err), refused);
    let [most, long] =
        [64, 63].map(|n| ColumnDescription { name: "x".repeat((1 << 20) - n), ..column(None) });
    let length = long.encode().len();
    assert_eq!((most.encode().len(), length), (1 << 20, (1 << 20) + 1));
    assert_eq!(both(most), [Ok(()), Ok(())]);
    let long = both(long).map(Result::unwrap_err);
    assert!(long.iter().all(|refused| refused.ends_with("has more than 2^20 bytes")), "{long:?}");
}

/// The masks and random rows among the entries of a hiding commitment are none of its rows.
#[test]
fn the_sum_of_hidden_entries_is_that_of_the_rows() {
    let data = Dataset::from_u64s((0..1 << 11).collect());
    let options = options().hiding(2);
    let params = search::choose(&data, &options).unwrap();
    let policy = search::policy(&options, false).unwrap();
    let scheme = params.clone().build(&policy).unwrap();
    let entries = prove::entries(&scheme.prover(), &data).unwrap();
    let setup = Setup::new(&policy, Mode::Hiding(Secret::from_os()));
    let described = prove::describe(&data, true);
    let mut witness = Witness::from_entries((scheme, params), described, entries, setup).unwrap();
    let proof = witness.open_counted(&[Claim::Sum], |_, _| Ok::<(), ()>(())).unwrap();
    let verdict =
        tenfold::verify(&proof.to_bytes(), &Policy::at_least(100).about(witness.commitment())).unwrap();
    let sum = (1 << 11) * ((1 << 11) - 1) / 2;
    assert!(verdict.claims[0].value.to_string().starts_with(&format!("{sum} modulo")));
}

#[test]
fn more_weights_than_places_are_refused() {
    let bits = Dataset::from_bytes(vec![1; 100]);
    for (data, options) in [
        (Dataset::from_u64s((0..1000).collect()), options()),
        (bits.clone(), options()),
        (bits, options().entries(EntrySize::Bits)),
    ] {
        let params = search::choose(&data, &options).unwrap();
        let places = params.capacity().unwrap_or(1 << params.log_size()) as usize;
        let scheme = params.build(&BitPolicy::at_least(100)).unwrap();
        let prover = scheme.prover();
        let taken = |count: usize| match data {
            Dataset::Column(_) | Dataset::Table(_) => {
                prover.weights(Weights::Integers { count, get: &|_| 1, scale: 0 }).is_ok()
            }
            Dataset::Bytes(_) => prover.weights(Weights::Bytes(&vec![1; count])).is_ok(),
        };
        assert_eq!([places, places + 1, 5 * places].map(taken), [true, false, false]);
    }
}

/// Parameters that differ in their queries alone commit to the same root.
#[test]
fn what_other_parameters_have_made_is_refused() {
    let data = Dataset::from_u64s((0..1000).collect());
    let AnyParams::Matrix(mut params) = search::choose(&data, &options()).unwrap() else { unreachable!() };
    (params.regime, params.level.queries) = (Regime::UniqueDecoding, 400);
    params.inner = Inner::Recursion(vec![]);
    let mut others = params.clone();
    others.level.queries += 1;
    let (params, others) = (AnyParams::from(params), AnyParams::from(others));
    let policy = BitPolicy::at_least(0);
    let build = |params: &AnyParams| params.clone().build(&policy).unwrap();
    let (scheme, other) = (build(&params), build(&others));
    let entries = || prove::entries(&other.prover(), &data).unwrap();
    let witness = other.prover().commit(entries());
    let setup = || Setup::new(&policy, Mode::Whole);
    let commitment = Witness::commit(&data, params.clone(), setup()).unwrap().commitment().clone();
    assert_eq!(commitment.commitment, witness.commitment());
    let restored = Witness::restore(build(&params), commitment.clone(), witness, &policy).map(drop);
    assert!(matches!(restored, Err(Error::OtherParams(_))), "{restored:?}");
    let made = Witness::from_entries((scheme, params), commitment.description, entries(), setup()).map(drop);
    assert!(matches!(made, Err(Error::OtherParams(_))), "{made:?}");
}

#[test]
fn sizes_beyond_all_parameters_are_refused() {
    for size in [41, 62, 63, 64, 65, 127, 128, u32::MAX] {
        for options in [options(), options().hiding(1)] {
            let refused = search::of_size(size, &options).unwrap_err().to_string();
            assert!(refused.ends_with("split the data"), "{refused}");
            assert!(search::rows(Base::Bn254, size, &options).is_err());
        }
        let of_bytes = options().scheme(SchemeId::Ligerito);
        for refused in
            [search::of_size(size, &of_bytes).map(drop), search::layouts(size, &of_bytes).map(drop)]
        {
            // An entry is sixteen bytes.
            assert!(size < 45 || refused.is_err_and(|e| e.to_string().contains("split")), "{size}");
        }
        assert!(search::layouts(size, &options()).is_err());
    }
    assert!(search::bytes(u64::MAX, &options()).is_err_and(|e| e.to_string().ends_with("split the data")));
}

/// The limit of a commitment is asked again for weights, which take more than the commitment has asked for.
#[test]
fn a_weighted_sum_asks_for_its_memory() {
    let data = Dataset::from_bytes(vec![5; 1 << 14]);
    let bits = options().entries(EntrySize::Bits);
    let params = search::choose(&data, &bits).unwrap();
    let for_rows = params.prover_memory(true) + 16 * data.rows();
    let for_weights = params.opening_memory(false, true) + 17 * data.rows();
    assert!(for_rows < for_weights / 4);
    let opened = |limit: u64| {
        let (_, mut witness) = tenfold::commit(&data, &bits.clone().max_memory(limit)).unwrap();
        assert!(witness.open(&[Claim::Row(3)]).is_ok());
        witness.open(&[Claim::Weighted(&data)]).map(drop)
    };
    for limit in [for_rows, for_weights - 1] {
        assert_eq!(opened(limit), Err(Error::Memory { need: for_weights, limit }));
    }
    assert_eq!(opened(for_weights), Ok(()));
}

/// Bits without work may take a larger field than bits with it.
#[test]
fn larger_fields_are_tried_for_bits_without_work() {
    for scheme in [SchemeId::Air, SchemeId::Ligerito] {
        let options = |interactive_bits| Options { interactive_bits, ..Options::default().scheme(scheme) };
        let params = search::of_size(16, &options(256)).unwrap();
        assert_eq!(params.fields_name(), "gf320");
        assert!(params.report().interactive_bits() >= 256.0);
        assert_ne!(search::of_size(16, &options(128)).unwrap().fields_name(), "gf320");
    }
}

/// Bytes name the schemes that they have, in place of an option that could not be left out.
#[test]
fn schemes_that_commit_to_no_bytes_are_named() {
    for scheme in [SchemeId::Pip, SchemeId::Ring, SchemeId::DeepFold, SchemeId::Virgo] {
        let refused = tenfold::commit(&Dataset::from_bytes(vec![1; 9]), &options().scheme(scheme)).map(drop);
        assert_eq!(refused, Err(Error::SchemeOfBytes(scheme.name())));
    }
    let said = Error::SchemeOfBytes(SchemeId::Pip.name()).to_string();
    assert_eq!(said, "bytes are committed to by Ligerito or Air-FRI, not by pip");
}

/// Zero proven bits are refused, for every kind of data.
#[test]
fn no_proven_bits_are_refused() {
    let none = Options::proven_bits(0);
    for data in [Dataset::from_u64s(vec![1, 2]), Dataset::from_bytes(vec![1, 2])] {
        assert_eq!(tenfold::commit(&data, &none).map(drop), Err(Error::NoBits));
    }
    assert_eq!(search::of_size(10, &none), Err(Error::NoBits));
}

/// The scheme of bytes says its inner argument, whichever of them is named.
#[test]
fn the_inner_argument_of_bytes_is_not_chosen() {
    for scheme in [SchemeId::Ligerito, SchemeId::Air] {
        for inner in [InnerKind::Recursion, InnerKind::Chain, InnerKind::TwoChains] {
            let refused = search::bytes(100, &Options { inner: Some(inner), ..options().scheme(scheme) });
            assert_eq!(refused.unwrap_err(), Error::Option { option: "inner", data: "bytes" });
        }
    }
}

/// One row is an entry and the sum at once: what is claimed of it is called what was asked for, and the sum once at most.
#[test]
fn one_row_is_read_as_it_was_asked_for() {
    let one = Dataset::from_u64s(vec![5]);
    let row = || Claim::Row(0);
    let (of_row, sum, mean) = (Claimed::Row(0), Claimed::Sum, Claimed::Mean);
    for (claims, expected) in [
        (vec![row()], vec![of_row.clone()]),
        (vec![Claim::Mean], vec![sum.clone(), mean.clone()]),
        (vec![row(), Claim::Sum], vec![of_row.clone(), sum.clone()]),
        (vec![row(), Claim::Mean], vec![of_row.clone(), sum.clone(), mean.clone()]),
        (vec![row(), Claim::Sum, Claim::Mean], vec![of_row.clone(), sum.clone(), mean]),
        (vec![row(), row(), Claim::Sum], vec![of_row.clone(), of_row, sum]),
    ] {
        assert_eq!(claimed(&one, &options(), &claims), expected, "{claims:?}");
    }
}

/// Integers of more than 64 bits are elements of the fields that hold them, and of no others.
#[test]
fn points_are_all_integers_that_the_field_holds() {
    let data = Dataset::from_u64s(vec![5, 7]);
    let opened = |options: &Options, at: i128| {
        let (commitment, mut witness) = tenfold::commit(&data, options)?;
        let proof = witness.open(&[Claim::Evaluation(at)])?;
        let verdict = tenfold::verify(&proof.to_bytes(), &Policy::at_least(100).about(&commitment))?;
        Ok::<_, Error>(verdict.claims[0].value.to_string())
    };
    let large = 1i128 << 64;
    let bn254 = options().field(Base::Bn254);
    for at in [large, -large, large + 9, -(1 << 100)] {
        let value = 5 + 7 * at;
        assert!(opened(&bn254, at).unwrap().starts_with(&format!("{value} modulo")), "{at}");
    }
    for at in [i128::MAX, -i128::MAX] {
        assert!(opened(&bn254, at).is_ok(), "{at}");
    }
    for base in [Base::KoalaBear, Base::Goldilocks, Base::Mersenne61] {
        for at in [large, large << 32 | 3, -large, i128::MAX, i128::MIN] {
            assert_eq!(opened(&options().field(base), at), Err(Error::NotElement(at)));
        }
    }
}
