//! Descriptions of columns.

use pcs::ligerito::Preset;
use pcs::pip::search::{MAX_FORMS, Profile, SearchTarget, known};
use tenfold::dataset::Base;
use tenfold::search::{Options, challenge_fields, column_params};
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

#[test]
fn the_encoding_is_exact() {
    for (bytes, scale) in [(None, 2), (Some((11, 7)), 0)] {
        let subject = ColumnDescription { name: "délai".into(), rows: 5, scale, bytes, source: [3; 32] };
        let encoded = subject.encode();
        assert_eq!(ColumnDescription::decode(&encoded), Some(subject));
        assert!((0..encoded.len()).all(|n| ColumnDescription::decode(&encoded[..n]).is_none()));
    }
}
