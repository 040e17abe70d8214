//! Columns that are asked for, and those that are best for ranks.

use super::*;
use crate::air::search as air;
use crate::ligerito::search as ligerito;
use crate::pip::search::{self, Division, Profile, SearchTarget, find, for_ranks};

/// Whoever asks for columns gets them, and the bits are proven as without.
#[test]
fn columns_that_are_asked_for_are_taken() {
    for (fields, inner, profile, hidden_openings) in [
        (Fields::KoalaBear5, InnerKind::Recursion, Profile::Fast, 0),
        (Fields::KoalaBear5, InnerKind::Chain, Profile::Fast, 0),
        (Fields::Goldilocks3, InnerKind::Recursion, Profile::Small, 0),
        (Fields::Goldilocks3, InnerKind::TwoChains, Profile::Fast, 0),
        (Fields::KoalaBear8, InnerKind::Recursion, Profile::Fast, 2),
    ] {
        let max_forms = if inner == InnerKind::TwoChains { 1 } else { 4 };
        let any =
            SearchTarget { inner, hidden_openings, max_forms, ..SearchTarget::new(fields, 16, 100, profile) };
        // Random rows of what hides need rows beside them.
        let most = if hidden_openings > 0 { 6 } else { 10 };
        for columns in [4, 5, most] {
            let params = find(&SearchTarget { log_columns: Some(columns), ..any.clone() }).unwrap();
            assert_eq!((params.level.log_columns, params.inner.kind()), (columns, inner), "{fields:?}");
            assert!(params.validate(&Policy::at_least(100)).unwrap().proven_bits() >= 100.0);
        }
        let free = find(&any).unwrap();
        let same = SearchTarget { log_columns: Some(free.level.log_columns), ..any };
        assert_eq!(find(&same).unwrap(), free, "{inner:?}");
    }
    for (inner, find) in
        [(InnerKind::Recursion, ligerito::find as fn(&_) -> _), (InnerKind::Chain, air::find)]
    {
        let plain = SearchTarget::new(Fields::Gf128, 16, 100, Profile::Fast);
        let params = find(&SearchTarget { log_columns: Some(9), inner, ..plain }).unwrap();
        assert_eq!(params.level.log_columns, 9);
        params.validate(&Policy::at_least(100)).unwrap();
    }
}

#[test]
fn a_proof_in_columns_that_are_asked_for_verifies() {
    let wanted = SearchTarget::new(Fields::KoalaBear5, 12, 100, Profile::Fast);
    roundtrip::<KoalaBear, KoalaBear5>(find(&SearchTarget { log_columns: Some(8), ..wanted }).unwrap());
}

#[test]
fn columns_that_no_matrix_has_are_refused() {
    let small = SearchTarget::new(Fields::KoalaBear5, 10, 100, Profile::Fast);
    let large = SearchTarget::new(Fields::KoalaBear5, 24, 100, Profile::Fast);
    for (target, columns, said) in [
        (&small, 11, "2^11 columns are asked for: 2^10 entries stand in at most 1024"),
        (&large, 17, "2^17 columns are asked for: 2^24 entries stand in at most 65536"),
        (&SearchTarget { bits: 192, hash: Hash::Sha3_384, ..small.clone() }, 4, "2^10 entries in 16 columns"),
    ] {
        let wanted = SearchTarget { log_columns: Some(columns), ..target.clone() };
        let refused = find(&wanted).unwrap_err().reason().to_owned();
        assert!(refused.contains(said), "{refused}");
        assert!(search::pareto_among(&[Fields::KoalaBear5], &wanted).is_empty());
    }
}

/// More ranks and more rows ask for more columns; a chain is taken where they are few, since its leaves are, too. Where it is named, the inner argument stays.
#[test]
fn columns_for_ranks_grow_with_ranks_and_rows() {
    let best = |inners: &[InnerKind], log_size, log_ranks| {
        let wanted = SearchTarget::new(Fields::Goldilocks3, log_size, 128, Profile::Fast);
        for_ranks((Fields::OVER_GOLDILOCKS, inners), &wanted, log_ranks)
    };
    let recursion = |log_size, log_ranks| {
        let Division { log_columns, inner } = best(&[InnerKind::Recursion], log_size, log_ranks).unwrap();
        assert_eq!(inner, InnerKind::Recursion);
        log_columns
    };
    for log_ranks in 1..=4 {
        let by_rows = [12, 16, 20, 24].map(|log_size| recursion(log_size, log_ranks));
        assert!(by_rows.is_sorted() && by_rows[0] < by_rows[3], "{by_rows:?}");
        assert!(recursion(24, log_ranks) <= recursion(24, 4));
    }
    let cheapest = find(&SearchTarget::new(Fields::Goldilocks3, 24, 128, Profile::Fast)).unwrap();
    assert!(recursion(24, 4) > cheapest.level.log_columns);
    let both = [InnerKind::Chain, InnerKind::Recursion];
    assert_eq!(best(&both, 20, 4), Some(Division { log_columns: 8, inner: InnerKind::Chain }));
    assert_eq!(best(&both, 3, 4), None, "no column for each rank");
}
