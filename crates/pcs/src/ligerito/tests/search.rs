//! Parameters found by the search.

use super::*;
use crate::ligerito::search::{Profile, SearchTarget, find};

#[test]
fn found_parameters_prove_what_was_asked() {
    for (fields, bits) in [(Fields::Gf128, 100), (Fields::Gf192, 128), (Fields::Gf256, 128)] {
        for (log_size, profile) in
            [(1, Profile::Fast), (12, Profile::Fast), (18, Profile::Small), (24, Profile::Fast)]
        {
            let params = find(&SearchTarget::new(fields, log_size, bits, profile)).unwrap();
            let report = params.validate(&Policy::at_least(bits)).unwrap();
            assert!(report.proven_bits() >= f64::from(bits), "{fields:?} 2^{log_size}");
        }
    }
}

/// The predicted size of a proof is its size: the search chooses by what will be.
#[test]
fn found_parameters_open() {
    for profile in [Profile::Fast, Profile::Small] {
        let params = find(&SearchTarget::new(Fields::Gf128, 12, 100, profile)).unwrap();
        roundtrip::<Tower128, Gf128>(params);
    }
}

#[test]
fn a_field_that_is_too_small_is_refused() {
    let wanted = SearchTarget {
        unique_decoding: Some(false),
        ..SearchTarget::new(Fields::Gf128, 24, 128, Profile::Fast)
    };
    let error = find(&wanted).unwrap_err().to_string();
    assert!(error.contains("gf128 proves 128 bits"), "{error}");
}
