//! The table of common wishes: one polynomial over KoalaBear or Goldilocks.

use super::{MAX_FORMS, Params, SearchTarget};
use crate::fields::Fields;
use crate::file::SchemeId;
use crate::matrix::search::{Profile, found};

const TABLE: &str = include_str!("found.txt");

/// What the search finds for a common wish.
pub(super) fn known(fields: &[Fields], wanted: &SearchTarget) -> Option<Params> {
    let SearchTarget { hash, log_size, bits, profile, .. } = *wanted;
    let common = SearchTarget { hash, ..common(wanted.fields, log_size, bits, profile) };
    let wish = words(fields, log_size, bits, profile)?;
    let bytes = found::known(TABLE, &wish).filter(|_| *wanted == common)?;
    // The hash is no part of the search.
    let params = Params { hash, ..Params::decode(SchemeId::Pip, &bytes)? };
    let Params { polynomials, max_forms, hidden_openings, .. } = params;
    let counts = (wanted.polynomials, wanted.max_forms, wanted.hidden_openings);
    let same = params.log_size == log_size && (polynomials, max_forms, hidden_openings) == counts;
    let valid = same && fields.contains(&params.fields) && wanted.validate(&params).is_ok();
    valid.then_some(params)
}

/// A wish that the table may have.
fn common(fields: Fields, log_size: u32, bits: u32, profile: Profile) -> SearchTarget {
    SearchTarget { max_forms: MAX_FORMS, ..SearchTarget::new(fields, log_size, bits, profile) }
}

fn words(fields: &[Fields], log_size: u32, bits: u32, profile: Profile) -> Option<String> {
    let base = match fields {
        Fields::OVER_KOALA_BEAR => "koalabear",
        Fields::OVER_GOLDILOCKS => "goldilocks",
        _ => return None,
    };
    let profile = if profile == Profile::Fast { "fast" } else { "small" };
    Some(format!("{base} {bits} {profile} {log_size}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::search::found_among;
    use crate::pip::search::over;
    use iop::hash::Hash;
    use iop::security::{Theorem, Theorems};

    #[test]
    fn the_table_has_what_the_search_finds() {
        let mut rows = Vec::new();
        for fields in [Fields::OVER_KOALA_BEAR, Fields::OVER_GOLDILOCKS] {
            for (bits, profile) in
                [100, 128].into_iter().flat_map(|b| [(b, Profile::Fast), (b, Profile::Small)])
            {
                for log_size in 10..=24 {
                    let wanted = common(fields[0], log_size, bits, profile);
                    let (params, _) = found_among(&over(fields, &wanted)).unwrap();
                    rows.push((words(fields, log_size, bits, profile).unwrap(), params.encode()));
                }
            }
        }
        found::check("src/pip/search/found.txt", TABLE, rows.into_iter());
    }

    /// What changes the search is not looked up; the hash does not.
    #[test]
    fn other_wishes_are_searched_for() {
        let fields = Fields::OVER_KOALA_BEAR;
        let common = common(fields[0], 12, 100, Profile::Fast);
        let params = known(fields, &common).unwrap();
        let hash = Hash::Sha256;
        assert_eq!(known(fields, &SearchTarget { hash, ..common.clone() }), Some(Params { hash, ..params }));
        for other in [
            SearchTarget { polynomials: 2, ..common.clone() },
            SearchTarget { max_forms: 1, ..common.clone() },
            SearchTarget { hidden_openings: 1, ..common.clone() },
            SearchTarget { theorems: Theorems::only(Theorem::Dkt26), ..common.clone() },
            SearchTarget { log_inv_rate: Some(2), ..common.clone() },
            SearchTarget { unique_decoding: Some(true), ..common.clone() },
            SearchTarget { log_columns: Some(6), ..common.clone() },
            SearchTarget { bits: 101, ..common.clone() },
            SearchTarget { log_size: 2, ..common.clone() },
        ] {
            assert_eq!(known(fields, &other), None, "{other:?}");
        }
        assert_eq!(known(&fields[..1], &common), None);
    }
}
