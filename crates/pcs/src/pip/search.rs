//! Choosing parameters over prime fields: what the search prefers there, and its table of common wishes. (notes: pip-shape)

mod found;

use super::Params;
use crate::fields::Fields;
use crate::matrix::InnerKind;
use crate::matrix::search::{self, Aim, CostTable, Preferences, Trade};
pub use crate::matrix::search::{Budget, Candidate, Division, MAX_LOG_COLUMNS, Profile, SearchTarget};
use iop::error::ParamError;
use iop::hash::Hash;

/// Statements of one proof for which the table has parameters: a sum takes up to one per index bit, and leaves room for as many entries.
pub const MAX_FORMS: u32 = 64;

/// Nanoseconds of a trial of a proof of work.
const TRIAL: f64 = 9.0;

/// Work before a fold is what lets a smaller challenge field do: how much of it is best depends on the field, so that more than one
/// aim is tried.
pub(crate) const PREFERENCES: Preferences = Preferences {
    trade: Trade {
        fast: 1.38,
        small: 12.0,
        aims: &[
            Aim { queries: 1.2, folds: 1.5 },
            Aim { queries: 2.5, folds: 1.5 },
            Aim { queries: 2.5, folds: 1.0 },
        ],
    },
    budget: Budget::FastProof(3.0),
    trial: TRIAL,
    rates: 1..=4,
    multiplicities: &[],
    prices,
    grindings: |_, profile| profile.grindings(),
};

/// The cheapest parameters that prove `wanted.bits`.
///
/// # Errors
/// If nothing proves them.
pub fn find(wanted: &SearchTarget) -> Result<Params, ParamError> {
    find_among(&[wanted.fields], wanted)
}

/// The cheapest parameters over one of several challenge fields; `wanted.fields` does not count.
///
/// Cost: some ten microseconds for the sizes of the table of common wishes, else up to a second.
///
/// # Errors
/// If nothing proves the bits.
pub fn find_among(fields: &[Fields], wanted: &SearchTarget) -> Result<Params, ParamError> {
    known(fields, wanted).map_or_else(|| search::find_among(&over(fields, wanted)), Ok)
}

/// What the table of common wishes has: parameters for [`MAX_FORMS`] forms of one polynomial of `2^10` to `2^24` entries, at 100 and 128 bits.
pub fn known(fields: &[Fields], wanted: &SearchTarget) -> Option<Params> {
    found::known(fields, wanted)
}

/// The layouts over one of several challenge fields that no other one beats in both time and size, and the one that
/// [`find_among`] takes; fastest first. Empty if nothing proves the bits, and for inner arguments other than the recursion. `wanted.fields` does not count.
pub fn pareto_among(fields: &[Fields], wanted: &SearchTarget) -> Vec<Candidate> {
    search::pareto(&over(fields, wanted))
}

/// The columns and the inner argument, one of several, that are best for `2^log_ranks` ranks which hold some columns each; `wanted.fields`, `wanted.inner` and
/// `wanted.log_columns` do not count. None if nothing proves the bits.
///
/// Cost: up to two seconds with a chain among the inner arguments.
pub fn for_ranks(
    (fields, inners): (&[Fields], &[InnerKind]),
    wanted: &SearchTarget,
    log_ranks: u32,
) -> Option<Division> {
    let of = |&inner: &InnerKind| over(fields, &SearchTarget { inner, ..wanted.clone() });
    search::for_ranks(&inners.iter().flat_map(of).collect::<Vec<_>>(), log_ranks)
}

/// The target over each of the fields.
pub(super) fn over(fields: &[Fields], wanted: &SearchTarget) -> Vec<SearchTarget> {
    fields.iter().map(|&fields| SearchTarget { fields, ..wanted.clone() }).collect()
}

fn prices(fields: Fields, _hash: Hash) -> CostTable {
    let (base, extension) = match fields {
        Fields::KoalaBear8 => (0.08, 10.0),
        Fields::Goldilocks1 => (0.25, 1.0),
        Fields::Goldilocks2 => (0.25, 2.5),
        Fields::Goldilocks3 => (0.25, 5.0),
        Fields::Mersenne61x2 => (4.0, 4.0),
        Fields::Bn254 => (15.0, 15.0),
        _ => (0.08, 4.0),
    };
    let row = (fields.degree() as f64 + 1.0) * base * 1.3;
    CostTable {
        base,
        layer: 0.8 * base,
        memory: [2.0, 0.0],
        extension,
        entry: 10.0 * extension,
        row,
        position: 0.0,
        hash: [0.13, 14.0, TRIAL],
    }
}
