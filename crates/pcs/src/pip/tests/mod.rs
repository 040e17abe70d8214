//! What PIP_FRI has beside the battery of all presets: its fields, chains, hiding, searches.

mod chain;
mod columns;
mod hiding;
mod lean;
mod params;
mod secret;
mod size;
mod two_chains;

use super::*;
use crate::claims::Claims;
use crate::fields::Fields;
use crate::fields::tested::{self, with_tested_fields};
use crate::matrix::Prime;
use crate::matrix::adversary::Deviation;
use crate::matrix::battery::{
    ANY, CLAIMS, JOHNSON, TREE, WEAK, check_lengths, check_of_rows, deviating, entries, lazy, messages_count,
    opened, opens_alike, point, small,
};
use field::{ExtensionOf, Field, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5, TwoAdic};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime, Theorems};

fn roundtrip<B: TwoAdic, E: ExtensionOf<B>>(params: Params) {
    crate::matrix::battery::roundtrip::<Prime, B, E>(params);
}

#[test]
fn field_pairs_open() {
    for fields in tested::PRIME {
        with_tested_fields!(fields, B, E => {
            roundtrip::<B, E>(small(fields, 0, Regime::UniqueDecoding));
            roundtrip::<B, E>(small(fields, 0, JOHNSON));
            roundtrip::<B, E>(small(fields, 1, Regime::UniqueDecoding));
        });
    }
}

/// A row can be longer than what a transform does at a time: wide matrices, and many polynomials side by side.
#[test]
fn long_rows_open() {
    let base = small(Fields::KoalaBear5, 0, JOHNSON);
    for (log_columns, polynomials) in [(12, 1), (11, 3)] {
        for rows in [0, 1, 4] {
            let level = RoundParams { log_columns, ..base.level };
            let (log_size, inner) = (log_columns + rows, Inner::Recursion(vec![]));
            let params = Params { log_size, polynomials, level, inner, ..base.clone() };
            roundtrip::<KoalaBear, KoalaBear5>(params);
        }
    }
}

#[test]
fn hiding_openings_use_up_their_masks() {
    let params = small(Fields::Goldilocks2, 2, Regime::UniqueDecoding);
    let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &ANY).unwrap();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit(entries(1 << 10));
    for i in 0..2 {
        let (claims, proof) = prover.open(&mut witness, vec![TensorForm::index(i, 10)], b"");
        scheme.verify(witness.commitment(), &claims, &proof).unwrap();
    }
    let third = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        prover.open(&mut witness, vec![TensorForm::index(5, 10)], b"")
    }));
    assert!(third.is_err(), "a third opening would reuse a mask");
}

#[test]
fn found_parameters_prove_what_was_asked() {
    use super::search::{Profile, SearchTarget, find};
    let pairs = [
        (Fields::KoalaBear5, 100),
        (Fields::KoalaBear8, 128),
        (Fields::Goldilocks3, 100),
        (Fields::Goldilocks3, 128),
        (Fields::Goldilocks2, 100),
        (Fields::KoalaBear4, 100),
    ];
    for (fields, bits) in pairs {
        for (log_size, hidden_openings) in [(4, 0), (12, 0), (20, 0), (12, 1)] {
            let wanted =
                SearchTarget { hidden_openings, ..SearchTarget::new(fields, log_size, bits, Profile::Fast) };
            match find(&wanted) {
                Ok(params) => {
                    let report = params.validate(&Policy::at_least(bits)).unwrap();
                    for theorem in Theorems::DEFAULT.iter() {
                        let alone = report.under(Theorems::only(theorem)).proven_bits();
                        assert!(alone >= f64::from(bits), "{fields:?} 2^{log_size}, {theorem}: {alone}");
                    }
                }
                // Unique decoding over 124 bits cannot prove 100 at every size; saying so is the answer.
                Err(_) => {
                    assert!(fields == Fields::KoalaBear4 || hidden_openings > 0, "{fields:?} 2^{log_size}")
                }
            }
        }
    }
    let too_small = SearchTarget::new(Fields::Goldilocks1, 16, 100, Profile::Fast);
    assert!(find(&too_small).is_err(), "64-bit challenges cannot prove 100 bits");
}

/// A verifier who counts no work accepts what is found for it, and other parameters are found than without it.
#[test]
fn found_parameters_prove_the_bits_without_work() {
    use super::search::{Profile, SearchTarget, find};
    for (fields, inner, profile, hidden_openings) in [
        (Fields::KoalaBear8, InnerKind::Recursion, Profile::Fast, 0),
        (Fields::KoalaBear8, InnerKind::Recursion, Profile::Small, 0),
        (Fields::Goldilocks3, InnerKind::Chain, Profile::Fast, 0),
        (Fields::KoalaBear8, InnerKind::Recursion, Profile::Fast, 2),
        (Fields::Gf256, InnerKind::Recursion, Profile::Fast, 0),
        (Fields::Gf256, InnerKind::Chain, Profile::Fast, 0),
    ] {
        let any = SearchTarget { inner, hidden_openings, ..SearchTarget::new(fields, 16, 100, profile) };
        let plain = find(&any).unwrap();
        for interactive_bits in [95, 100, 120] {
            let params = find(&SearchTarget { interactive_bits, ..any.clone() }).unwrap();
            let policy = Policy { interactive_bits, ..Policy::at_least(100) };
            params.validate(&policy).unwrap();
            assert!(plain.validate(&policy).is_err() && plain != params, "{fields:?} {interactive_bits}");
        }
    }
    let beyond = SearchTarget {
        interactive_bits: 150,
        ..SearchTarget::new(Fields::KoalaBear5, 16, 100, Profile::Fast)
    };
    let refused = find(&beyond).unwrap_err().reason().to_owned();
    assert!(refused.contains("proves 100 bits, 150 of them without work"), "{refused}");
}

#[test]
fn every_inner_argument_is_found() {
    use super::search::{Profile, SearchTarget, find};
    for inner in [InnerKind::Recursion, InnerKind::Chain, InnerKind::TwoChains] {
        let max_forms = if inner == InnerKind::TwoChains { 1 } else { 4 };
        for profile in [Profile::Fast, Profile::Small] {
            let wanted =
                SearchTarget { inner, max_forms, ..SearchTarget::new(Fields::KoalaBear5, 12, 100, profile) };
            let params = find(&wanted).unwrap();
            assert_eq!(params.inner.kind(), inner);
            assert!(params.validate(&Policy::at_least(100)).unwrap().proven_bits() >= 100.0);
        }
    }
    let hiding = SearchTarget {
        inner: InnerKind::Chain,
        hidden_openings: 1,
        ..SearchTarget::new(Fields::KoalaBear5, 12, 100, Profile::Fast)
    };
    roundtrip::<KoalaBear, KoalaBear5>(find(&hiding).unwrap());
}

/// Prover and verifier of one shape, end to end, at real parameters.
#[test]
fn default_parameters_verify() {
    use super::search::{Profile, SearchTarget, find};
    let params = find(&SearchTarget::new(Fields::KoalaBear5, 14, 100, Profile::Small)).unwrap();
    roundtrip::<KoalaBear, KoalaBear5>(params);
}

/// The samples of several commitments are among the errors of what is found for them.
#[test]
fn parameters_of_several_commitments_are_found() {
    use super::search::{Profile, SearchTarget, find};
    let policy = Policy::at_least(100);
    for profile in [Profile::Fast, Profile::Small] {
        let target =
            SearchTarget { polynomials: 12, ..SearchTarget::new(Fields::KoalaBear5, 12, 100, profile) };
        let params = find(&SearchTarget { commitments: 12, ..target.clone() }).unwrap();
        let joint = super::JointScheme::<KoalaBear, KoalaBear5>::new(params, &[1; 12], &policy).unwrap();
        assert!(joint.report().proven_bits() >= 100.0);
        for commitments in [0, 13] {
            let refused = find(&SearchTarget { commitments, ..target.clone() }).unwrap_err();
            assert!(refused.reason().contains("from 1 to 12 are possible"), "{refused}");
        }
    }
}
