//! Parameters: encoding, ranges, policy.

use super::*;
use crate::file::SchemeId;
use crate::ring_switching::Entries;
use proptest::prelude::*;

fn levels() -> impl Strategy<Value = RoundParams> {
    (0..6u32, 1..6u32, 1..300u32, 0..20u32, 0..8u32).prop_map(
        |(log_columns, log_inv_rate, queries, grinding, fold_grinding)| RoundParams {
            log_columns,
            log_inv_rate,
            queries,
            grinding,
            fold_grinding,
        },
    )
}

fn inners() -> impl Strategy<Value = Inner> {
    prop_oneof![
        proptest::collection::vec(levels(), 0..5).prop_map(Inner::Recursion),
        proptest::collection::vec(0..4u32, 0..5).prop_map(Inner::Chain),
        Just(Inner::TwoChains),
    ]
}

fn any_params() -> impl Strategy<Value = Params> {
    let sizes = (0..30u32, 1..40u32, 1..20u32, 0..3u32);
    let kinds = (0..8usize, 0..4usize, 0..40u32, 0..6u32);
    (sizes, kinds, levels(), inners()).prop_map(
        |(
            (log_size, polynomials, max_forms, hidden_openings),
            (fields, hash, m, log_parts),
            level,
            inner,
        )| Params {
            fields: Fields::PRIME[fields],
            hash: Hash::ALL[hash],
            regime: if m < 3 { Regime::UniqueDecoding } else { Regime::Johnson { multiplicity: m } },
            entries: Entries::Whole,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            log_parts,
            log_leaf_fibres: 0,
            level,
            inner,
        },
    )
}

proptest! {
    #[test]
    fn encoding_is_exact(params in any_params()) {
        let bytes = params.encode();
        prop_assert_eq!(Params::decode(SchemeId::Pip, &bytes), Some(params));
        for length in 0..bytes.len() {
            prop_assert_eq!(Params::decode(SchemeId::Pip, &bytes[..length]), None);
        }
        let mut longer = bytes.clone();
        longer.push(0);
        prop_assert_eq!(Params::decode(SchemeId::Pip, &longer), None);
    }

    #[test]
    fn validation_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        if let Some(params) = Params::decode(SchemeId::Pip, &bytes) {
            let _ = params.validate(&ANY);
        }
    }

    #[test]
    fn whatever_validates_round_trips(params in any_params()) {
        let small = params.log_size <= 9 && params.columns() <= 256 && params.level.log_inv_rate <= 3;
        if small && params.hidden_openings == 0 && params.validate(&ANY).is_ok() {
            let fields = tested::PRIME[usize::from(params.fields.id()) % tested::PRIME.len()];
            let params = Params { fields, max_forms: 3.max(params.max_forms), ..params };
            with_tested_fields!(params.fields, B, E => roundtrip::<B, E>(params));
        }
    }
}

/// Without parts nothing is written of them; zero parts have no encoding of their own.
#[test]
fn parts_have_one_encoding() {
    for (fields, scheme) in [(Fields::Goldilocks2, SchemeId::Pip), (Fields::Gf192, SchemeId::Ligerito)] {
        let without = small(fields, 0, JOHNSON);
        let bytes = without.encode();
        assert_eq!(bytes[0], fields.id());
        let cut = |log_parts: u8| [&[fields.id() | 0x80, log_parts][..], &bytes[1..]].concat();
        for log_parts in 1..=4 {
            let params = Params { log_parts: u32::from(log_parts), ..without.clone() };
            assert_eq!(params.encode(), cut(log_parts));
            assert_eq!(Params::decode(scheme, &cut(log_parts)).as_ref(), Some(&params));
            assert_ne!(params.digest(), without.digest());
            assert!(params.outline().iter().any(|line| line.contains("parts of consecutive columns")));
            assert_eq!(params.report().proven_bits(), without.report().proven_bits());
        }
        assert_eq!(Params::decode(scheme, &cut(0)), None);
        // What no one has validated is read, and refused then.
        let too_many = Params::decode(scheme, &cut(200)).unwrap();
        assert!(too_many.validate(&ANY).unwrap_err().reason().contains("at most sixteen parts"));
    }
}

/// Counts that have no byte are written as one that is refused, never as those of other parameters that are not.
#[test]
fn counts_beyond_a_byte_encode_no_valid_parameters() {
    for (fields, scheme) in [(Fields::Goldilocks2, SchemeId::Pip), (Fields::Gf192, SchemeId::Ligerito)] {
        let base = small(fields, 0, JOHNSON);
        for log_parts in [255, 256, 257, 260, 1 << 8 | 4 << 16, u32::MAX] {
            let params = Params { log_parts, ..base.clone() };
            assert!(params.validate(&ANY).is_err());
            let read = Params::decode(scheme, &params.encode()).unwrap();
            assert_eq!(read, Params { log_parts: 255, ..base.clone() });
            assert!(read.validate(&ANY).is_err());
            let valid = (0..=4).map(|log_parts| Params { log_parts, ..base.clone() });
            assert!(valid.into_iter().all(|valid| valid.digest() != params.digest()));
        }
        let levels = vec![base.level; 256 + base.levels().len()];
        let many = Params { inner: Inner::Recursion(levels), ..base.clone() };
        assert_eq!(Params::decode(scheme, &many.encode()), None);
    }
}

#[test]
fn the_policy_refuses_too_few_bits() {
    let params = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    let report = params.report();
    assert!(report.proven_bits() < 20.0);
    let error = Scheme::<Goldilocks, Goldilocks2>::new(params, &Policy::at_least(100));
    assert!(error.is_err());
}

#[test]
fn the_types_must_be_the_fields() {
    let params = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    assert!(Scheme::<KoalaBear, KoalaBear5>::new(params, &ANY).is_err());
}

/// Numbers that are each in range must not together ask a verifier for minutes of work: the shape of a proof that takes
/// them is a few megabytes.
#[test]
fn the_work_of_a_verifier_is_bounded() {
    let level = RoundParams { log_columns: 1, log_inv_rate: 1, queries: 4096, grinding: 0, fold_grinding: 0 };
    let at = |log_final: u32, levels: u32, max_forms: u32| {
        let inner = Inner::Recursion(vec![level; levels as usize]);
        let log_size = log_final + levels + 1;
        let base = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
        Params { log_size, max_forms, level, inner, ..base }
            .validate(&ANY)
            .map(|_| ())
            .map_err(|e| e.reason().to_owned())
    };
    let refused = Err("claims times entries of the final message exceed 2^26".to_owned());
    assert_eq!(at(16, 14, 1), refused, "every query weights the final message");
    assert_eq!(at(15, 0, 4096), refused, "every form weights the final message");
    assert_eq!(
        at(13, 0, 4095),
        Ok(()),
        "4095 forms, 4096 queries and an out-of-domain value: 2^13 entries are the most"
    );
    assert_eq!(at(13, 0, 4096), refused);
    let base = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    let chain = |log_final: u32, step: u32, queries| {
        let (log_size, level) = (log_final + step + 4, RoundParams { queries, ..level });
        let params = Params {
            log_size,
            level: RoundParams { log_columns: 4, ..level },
            inner: Inner::Chain(vec![step]),
            ..base.clone()
        };
        params.validate(&ANY).map(|_| ()).map_err(|e| e.reason().to_owned())
    };
    assert_eq!(chain(14, 1, 4000), Ok(()));
    assert_eq!(chain(15, 1, 4000), refused);
    assert_eq!(chain(2, 8, 4096), Ok(()));
    let wide = |log_columns, queries| {
        let level = RoundParams { log_columns, queries, ..level };
        let base = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
        let params = Params { log_size: 24, level, inner: Inner::Recursion(vec![]), ..base };
        params.validate(&ANY).map(|_| ()).map_err(|e| e.reason().to_owned())
    };
    assert_eq!(wide(24, 4), Ok(()));
    assert_eq!(wide(24, 5), Err("the opened rows have more than 2^26 elements".to_owned()));
    assert_eq!(wide(14, 4096), Ok(()));
    assert_eq!(wide(15, 4096), Err("the opened rows have more than 2^26 elements".to_owned()));
}

/// Leaves of parts hold what the first fold of a chain opens together, sixteen rows at most; those of one part, or with another inner argument, one row.
#[test]
fn leaves_of_parts_hold_the_rows_of_a_fold() {
    let base = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    let level = RoundParams { log_columns: 4, ..base.level };
    let of = |inner, log_parts| Params { log_size: 14, log_parts, level, inner, ..base.clone() };
    for first in [0, 1, 2, 4, 5, 8] {
        let chain = |log_parts| {
            let params = of(Inner::Chain(vec![first, 1]), log_parts);
            assert!(params.validate(&ANY).is_ok());
            (params.layout().first.shape.log_fibre, params.size(1))
        };
        let (rows, size) = chain(0);
        assert_eq!((rows, chain(4)), (0, (first.min(4) as usize, size)));
    }
    for inner in [Inner::TwoChains, base.inner.clone()] {
        assert_eq!(of(inner, 4).layout().first.shape.log_fibre, 0);
    }
}

#[test]
fn ranges_are_checked() {
    let refused = |edit: &dyn Fn(&mut Params)| {
        let mut params = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
        edit(&mut params);
        assert!(params.validate(&ANY).is_err(), "{params:?}");
    };
    refused(&|p| p.log_size = 41);
    refused(&|p| p.log_size = 3);
    refused(&|p| p.log_parts = 5);
    refused(&|p| (p.log_parts, p.level.log_columns) = (4, 3));
    refused(&|p| p.polynomials = 0);
    refused(&|p| p.polynomials = u32::MAX);
    refused(&|p| p.max_forms = 0);
    refused(&|p| p.max_forms = u32::MAX);
    refused(&|p| p.level.queries = 0);
    refused(&|p| p.level.queries = u32::MAX);
    refused(&|p| p.level.grinding = 33);
    refused(&|p| p.level.log_inv_rate = 0);
    refused(&|p| p.level.log_inv_rate = 40);
    refused(&|p| p.level.log_columns = u32::MAX);
    refused(&|p| p.regime = Regime::Johnson { multiplicity: 2 });
    refused(&|p| p.hidden_openings = 17);
    refused(&|p| p.entries = Entries::Bits);
    refused(&|p| p.inner = Inner::Recursion(vec![RoundParams { log_columns: 0, ..p.level }]));
    refused(&|p| p.inner = Inner::Recursion(vec![RoundParams { log_columns: 7, ..p.level }]));
    refused(&|p| p.inner = Inner::Recursion(vec![RoundParams { log_columns: u32::MAX, ..p.level }]));
    refused(&|p| p.inner = Inner::Chain(vec![]));
    refused(&|p| p.inner = Inner::Chain(vec![0; 33]));
    refused(&|p| p.inner = Inner::Chain(vec![1, 0, 1]));
    refused(&|p| p.inner = Inner::Chain(vec![9]));
    refused(&|p| p.inner = Inner::Chain(vec![3, 4]));
    refused(&|p| p.inner = Inner::Chain(vec![u32::MAX, 2]));
    let two_chains = |edit: &dyn Fn(&mut Params)| {
        refused(&|p| {
            (p.inner, p.max_forms) = (Inner::TwoChains, 1);
            edit(p);
        });
    };
    two_chains(&|p| p.max_forms = 2);
    two_chains(&|p| p.polynomials = 2);
    two_chains(&|p| p.regime = JOHNSON);
    two_chains(&|p| p.hidden_openings = 1);
    two_chains(&|p| p.level.log_columns = 10);
    refused(&|p| {
        p.hidden_openings = 1;
        p.regime = JOHNSON;
    });
    refused(&|p| {
        p.hidden_openings = 1;
        p.level.log_columns = 1;
    });
}
