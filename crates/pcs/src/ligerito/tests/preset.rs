//! The named profiles.

use super::*;
use crate::ligerito::Preset;
use crate::ligerito::search::{SearchTarget, find};
use field::{Gf192, Tower64};
use iop::security::Theorems;

/// From 2^12 to 2^28 entries every name keeps its bits, its regime and its rate, over each of its fields.
#[test]
fn every_size_of_a_named_profile_is_what_the_name_says() {
    let profiles = [
        (Preset::Fast, 100, 1),
        (Preset::Balanced, 100, 1),
        (Preset::Small, 100, 2),
        (Preset::Secure128, 128, 2),
    ];
    for (preset, bits, rate) in profiles {
        assert_eq!(Preset::from_name(preset.name()), Some(preset));
        for &fields in preset.fields() {
            for log_size in [12, 14, 18, 20, 22, 24, 26, 28] {
                let name = format!("{}, {fields:?}, 2^{log_size}", preset.name());
                let params = find(&preset.wanted(fields, log_size)).unwrap_or_else(|e| panic!("{name}: {e}"));
                let report =
                    preset.check(&params, Theorems::DEFAULT).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert!(report.proven_bits() >= f64::from(bits), "{name}: {report}");
                for theorem in Theorems::DEFAULT.iter() {
                    let alone = report.under(Theorems::only(theorem)).proven_bits();
                    assert!(alone >= f64::from(bits), "{name}, {theorem}: {alone}");
                }
                assert!(report.round_by_round() >= report.proven_bits(), "{name}: {report}");
                assert_eq!(params.level.log_inv_rate, rate, "{name}");
                assert_eq!((params.fields, params.log_size), (fields, log_size));
                match params.regime {
                    Regime::UniqueDecoding => assert_eq!(preset, Preset::Fast, "{name}"),
                    Regime::Johnson { .. } => assert_ne!(preset, Preset::Fast, "{name}"),
                }
            }
        }
    }
}

/// Each thing that a name says is held against the parameters, whoever made them.
#[test]
fn parameters_of_another_profile_are_refused() {
    let found = |preset: Preset| find(&preset.wanted(preset.fields()[0], 14)).unwrap();
    let (fast, small) = (found(Preset::Fast), found(Preset::Small));
    let refused = |preset: Preset, params: &Params, words: &str| {
        let error = preset.check(params, Theorems::DEFAULT).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(Preset::Fast, &small, "another regime");
    refused(Preset::Small, &fast, "another regime");
    refused(Preset::Balanced, &fast, "another regime");
    refused(Preset::Balanced, &small, "another rate");
    refused(Preset::Secure128, &small, "is below the required 128");
    refused(Preset::Fast, &found(Preset::Secure128), "other fields");
    let unique = SearchTarget { log_inv_rate: Some(2), ..Preset::Fast.wanted(Fields::Gf128, 14) };
    refused(Preset::Fast, &find(&unique).unwrap(), "another rate");
    let mut weaker = fast;
    weaker.level.queries -= 10;
    refused(Preset::Fast, &weaker, "is below the required 100");
}

/// Proofs under the parameters of every name hold; those of its alternative fields are tested with the facade.
#[test]
fn named_profiles_open() {
    roundtrip::<Tower128, Gf128>(find(&Preset::Fast.wanted(Fields::Gf128, 12)).unwrap());
    roundtrip::<Tower128, Gf128>(find(&Preset::Balanced.wanted(Fields::Gf128, 12)).unwrap());
    roundtrip::<Tower128, Gf128>(find(&Preset::Small.wanted(Fields::Gf128, 12)).unwrap());
    roundtrip::<Tower64, Gf192>(find(&Preset::Secure128.wanted(Fields::Gf192, 12)).unwrap());
}

/// What the profiles are for: expected bytes of a proof about 4 MiB and 64 MiB of data. Before a label had to hold by BCHKS25
/// too, `fast` had 168,020 and 283,146, `small` 81,278 and 132,597, `secure128` 111,279 and 175,354.
#[test]
fn proofs_are_as_short_as_the_profiles_promise() {
    for (preset, log_bytes, most) in [
        (Preset::Fast, 22, 168_000),
        (Preset::Balanced, 22, 136_000),
        (Preset::Small, 22, 84_000),
        (Preset::Secure128, 22, 112_000),
        (Preset::Fast, 26, 284_000),
        (Preset::Balanced, 26, 230_000),
        (Preset::Small, 26, 139_000),
        (Preset::Secure128, 26, 150_000),
    ] {
        let fields = preset.fields()[0];
        let params = find(&preset.wanted(fields, log_bytes - fields.base_bytes().trailing_zeros())).unwrap();
        let expected = params.size(1).expected();
        assert!(
            expected <= f64::from(most),
            "{}, 2^{log_bytes} bytes: {expected}, {params:?}",
            preset.name()
        );
    }
}

/// No position is drawn that the bits do without.
#[test]
fn found_parameters_have_no_position_to_spare() {
    for preset in Preset::ALL {
        let params = find(&preset.wanted(preset.fields()[0], 18)).unwrap();
        for i in 0..=params.levels().len() {
            let mut fewer = params.clone();
            let level = if i == 0 { &mut fewer.level } else { &mut levels(&mut fewer)[i - 1] };
            level.queries -= 1;
            assert!(
                preset.check(&fewer, Theorems::DEFAULT).is_err(),
                "{}, matrix {i}: {params:?}",
                preset.name()
            );
        }
    }
}
