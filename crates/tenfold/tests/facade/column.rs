//! Descriptions of columns.

use iop::hash::Hash;
use pcs::fields::Fields;
use pcs::ligerito::Preset;
use pcs::pip::search::{MAX_FORMS, Profile, SearchTarget, find, known};
use tenfold::dataset::Base;
use tenfold::search::{Columns, Options, challenge_fields, column_params};
use tenfold::statement::ColumnDescription;

/// What a command finds without a search: it would take longer than a short proof.
#[test]
fn common_parameters_are_looked_up() {
    for (base, bits) in [(Base::KoalaBear, 100), (Base::KoalaBear, 128), (Base::Goldilocks, 128)] {
        for (preset, profile) in [(Preset::Fast, Profile::Fast), (Preset::Small, Profile::Small)] {
            for log_size in [10, 20, 24] {
                let options = Options { bits: Some(bits), profile: Some(preset), ..Options::default() };
                let chosen = column_params(base, log_size, &options).unwrap();
                let fields = challenge_fields(base);
                let wanted = SearchTarget::new(fields[0], log_size, bits, profile);
                let wanted = SearchTarget { max_forms: MAX_FORMS, ..wanted };
                assert_eq!(known(fields, &wanted), Some(chosen), "{base:?} {bits} {preset:?} 2^{log_size}");
            }
        }
    }
}

/// Counts that no parameters have are refused as such, before anything is searched.
#[test]
fn impossible_counts_are_named() {
    let plain = SearchTarget::new(Fields::Goldilocks3, 20, 128, Profile::Fast);
    for (target, said) in [
        (SearchTarget { polynomials: 0, ..plain.clone() }, "0 polynomials are asked for: from 1 to 65536"),
        (SearchTarget { max_forms: 0, ..plain.clone() }, "0 linear forms per opening are asked for"),
        (SearchTarget { max_forms: 4097, ..plain.clone() }, "from 1 to 4096 are possible"),
    ] {
        let refused = find(&target).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
}

/// Columns are part of the options: of numbers and of bytes, given or the best for as many ranks as a leaf has parts, which are the cheapest for one.
#[test]
fn columns_are_asked_for() {
    use tenfold::{Error, SchemeId, search};
    let columns = |log_size, options: &Options| match search::of_size(log_size, options) {
        Ok(tenfold::AnyParams::Matrix(params)) => Ok((params.level.log_columns, params.inner.kind())),
        Ok(_) => panic!("a matrix"),
        Err(refused) => Err(refused),
    };
    let numbers = Options::proven_bits(100);
    for options in
        [numbers.clone(), numbers.clone().scheme(SchemeId::Ligerito), numbers.clone().scheme(SchemeId::Air)]
    {
        let cheapest = columns(20, &options).unwrap();
        assert_eq!(columns(20, &options.clone().columns(Columns::Log2(9))).unwrap(), (9, cheapest.1));
        let ranks = options.clone().columns(Columns::ForRanks);
        assert_eq!(columns(20, &ranks).unwrap(), cheapest);
        let of_ranks = columns(20, &ranks.log_parts(4)).unwrap();
        assert!(of_ranks.0 > cheapest.0, "{of_ranks:?} {cheapest:?}");
        let refused = columns(10, &options.columns(Columns::Log2(11))).unwrap_err();
        assert!(matches!(refused, Error::Columns { given: 2048, .. }), "{refused}");
    }
    let all = search::layouts(14, &numbers.clone().columns(Columns::Log2(8))).unwrap();
    assert!(
        all.iter().all(|layout| layout.levels[0].log_columns == 8) && all.iter().any(|layout| layout.chosen)
    );
    let ranks = numbers.columns(Columns::ForRanks).log_parts(2);
    assert!(matches!(search::layouts(14, &ranks), Err(Error::RecursionAlone)));
}

/// A target has a hash whose digests are wide enough for its bits.
#[test]
fn the_hash_of_a_target_is_as_wide_as_its_bits_ask() {
    for (bits, hash) in [(128, Hash::Blake3), (150, Hash::Sha3_384)] {
        let params = find(&SearchTarget::new(Fields::Goldilocks3, 20, bits, Profile::Fast)).unwrap();
        assert_eq!(params.hash, hash);
        assert!(params.validate(&iop::security::Policy::at_least(bits)).is_ok());
    }
}

#[test]
fn the_encoding_is_exact() {
    for (bytes, scale) in [(None, 2), (Some((11, 7)), 0)] {
        let subject = ColumnDescription { name: "délai".into(), rows: 5, scale, bytes, source: [3; 32] };
        let encoded = subject.encode();
        assert_eq!(ColumnDescription::decode(&encoded), Some(subject));
        assert!((0..encoded.len()).all(|n| ColumnDescription::decode(&encoded[..n]).is_none()));
    }
}
