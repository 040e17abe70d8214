//! The table of common wishes: bytes in a named profile, or at so many bits in the fastest layout.

use super::{Params, SearchTarget};
use crate::file::SchemeId;
use crate::ligerito::{Entries, Fields, Preset};
use crate::matrix::search::{Profile, found};

const TABLE: &str = include_str!("found.txt");

/// What the search finds for a common wish.
pub(super) fn known(wanted: &[SearchTarget]) -> Option<Params> {
    let first = wanted.first()?;
    let log_bytes = first.log_size.saturating_add(first.fields.base_bytes().trailing_zeros());
    let same = |name: &&str| {
        let common = wishes(name, log_bytes);
        common.len() == wanted.len()
            && common.into_iter().zip(wanted).all(|(c, w)| *w == SearchTarget { hash: first.hash, ..c })
    };
    let name = NAMES.into_iter().find(same)?;
    let bytes = found::known(TABLE, &format!("{name} {log_bytes}"))?;
    // The hash is no part of the search.
    let params = Params { hash: first.hash, ..Params::decode(SchemeId::Ligerito, &bytes)? };
    let valid = |wanted: &SearchTarget| {
        let Params { fields, entries, log_size, polynomials, max_forms, hidden_openings, .. } = params;
        let counts = (wanted.polynomials, wanted.max_forms, wanted.hidden_openings);
        (fields, entries, log_size) == (wanted.fields, wanted.entries, wanted.log_size)
            && (polynomials, max_forms, hidden_openings) == counts
            && wanted.validate(&params).is_ok()
    };
    wanted.iter().any(valid).then_some(params)
}

/// Named profiles over their own fields, and bits alone.
const NAMES: [&str; 6] = ["fast", "balanced", "small", "secure128", "100", "128"];

/// What is wished for so many bytes, by one of the names.
fn wishes(name: &str, log_bytes: u32) -> Vec<SearchTarget> {
    let over = |fields: Fields| log_bytes.saturating_sub(fields.base_bytes().trailing_zeros());
    let wishes = match (Preset::from_name(name), name) {
        (Some(preset), _) => {
            let fields = preset.fields().iter().take(1);
            fields.map(|&fields| preset.wanted(fields, over(fields))).collect()
        }
        (None, "100") => vec![SearchTarget::new(Fields::Gf128, over(Fields::Gf128), 100, Profile::Fast)],
        (None, _) => {
            let fields = [Fields::Gf192, Fields::Gf256];
            fields.map(|fields| SearchTarget::new(fields, over(fields), 128, Profile::Fast)).to_vec()
        }
    };
    let of_bytes = |wanted| SearchTarget { entries: Entries::Bytes, ..wanted };
    wishes.into_iter().map(of_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::search::found_among;

    #[test]
    fn the_table_has_what_the_search_finds() {
        let of = |name: &'static str| (14..=28).map(move |log_bytes| (name, log_bytes));
        let found = NAMES.into_iter().flat_map(of).map(|(name, log_bytes)| {
            let (params, _) = found_among(&wishes(name, log_bytes)).unwrap();
            (format!("{name} {log_bytes}"), params.encode())
        });
        found::check("src/ligerito/search/found.txt", TABLE, found);
    }

    /// What changes the search is not looked up.
    #[test]
    fn other_wishes_are_searched_for() {
        let common = wishes("small", 22);
        assert!(known(&common).is_some());
        for other in [
            SearchTarget { entries: Entries::Bits, ..common[0].clone() },
            SearchTarget { bits: 99, ..common[0].clone() },
            SearchTarget { hidden_openings: 1, ..common[0].clone() },
            SearchTarget { log_columns: Some(6), ..common[0].clone() },
            SearchTarget { log_size: 3, ..common[0].clone() },
            SearchTarget { budget: super::super::Budget::Fast(2.0), ..common[0].clone() },
        ] {
            assert_eq!(known(std::slice::from_ref(&other)), None, "{other:?}");
        }
        assert_eq!(known(&[]), None);
        assert_eq!(known(&[common.clone(), common].concat()), None);
    }
}
