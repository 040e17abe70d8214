//! Choosing parameters over binary fields: what the search prefers there, and its table of common wishes. (notes: pip-shape)

mod found;

use super::Params;
use crate::fields::Fields;
use crate::matrix::search::{self, Aim, CostTable, Preferences, Trade};
pub use crate::matrix::search::{Budget, Candidate, Division, Profile, SearchTarget};
use iop::error::ParamError;
use iop::hash::Hash;

/// Nanoseconds of a trial of a proof of work.
const TRIAL: f64 = 8.0;

/// Beside so fast a code, a little size saves much time. The budget counts the fastest layout's time, not the fast profile's: that one
/// gives time for size where data are large, and a budget in its units would let small proofs cost more and more.
/// Work before a fold costs as much as work before positions, so that folds aim little higher.
pub(crate) const PREFERENCES: Preferences = Preferences {
    trade: Trade {
        fast: 1.3,
        small: 6.0,
        aims: &[Aim { queries: 1.2, folds: 1.0 }, Aim { queries: 2.5, folds: 1.0 }],
    },
    budget: Budget::Fastest(2.1),
    trial: TRIAL,
    // Below 1/4 the commitment costs more than all that comes after it.
    rates: 1..=2,
    // The finest is for the larger challenge fields, which have bits to spare.
    multiplicities: &[150],
    prices,
    grindings,
};

/// The cheapest parameters that prove `wanted.bits`.
///
/// # Errors
/// If nothing proves them.
pub fn find(wanted: &SearchTarget) -> Result<Params, ParamError> {
    find_among(core::slice::from_ref(wanted))
}

/// The cheapest parameters for one of several targets, such as the same bytes over different fields. What is best is
/// decided by the first target's profile.
///
/// # Errors
/// If nothing proves the bits.
pub fn find_among(wanted: &[SearchTarget]) -> Result<Params, ParamError> {
    found::known(wanted).map_or_else(|| search::find_among(wanted), Ok)
}

/// The layouts for several targets that no other one beats in both time and size, and the one that [`find_among`] takes; fastest first.
/// Empty if nothing proves the bits.
pub fn pareto(wanted: &[SearchTarget]) -> Vec<Candidate> {
    search::pareto(wanted)
}

/// The columns that are best for `2^log_ranks` ranks which hold some each, for one of several targets, whose `log_columns` do not count. None if nothing proves the bits.
pub fn for_ranks(wanted: &[SearchTarget], log_ranks: u32) -> Option<Division> {
    search::for_ranks(wanted, log_ranks)
}

/// Bits of work before positions that are tried: beside so fast a code, what more work saves in the queries of a small proof is
/// worth its time where data are large.
fn grindings(target: &SearchTarget, profile: Profile) -> &'static [u32] {
    if profile == Profile::Fast {
        return profile.grindings();
    }
    match target.log_size + target.fields.base_bytes().trailing_zeros() {
        0..22 => &[12, 15],
        22..24 => &[15],
        _ => &[15, 17, 19],
    }
}

fn prices(fields: Fields, _hash: Hash) -> CostTable {
    // By its own prices the layouts of 192 and 256 bits would have more levels, whose proofs are longer for no less time.
    let fields = if fields == Fields::Gf320 { Fields::Gf128 } else { fields };
    prices_over(fields, [0.093, 10.0, TRIAL])
}

/// Measured on one core with AVX-512, GFNI and VPCLMULQDQ, beside those of the hash. Rows of opened positions come out of one transform
/// over all positions.
pub(crate) fn prices_over(fields: Fields, hash: [f64; 3]) -> CostTable {
    let (base, layer, extension, entry, position) = match fields {
        Fields::Gf192 => (0.4, 0.048, 4.0, 45.0, 3.0),
        Fields::Gf256 => (0.8, 0.096, 5.0, 60.0, 4.0),
        Fields::Gf320 => (0.6, 0.048, 8.0, 75.0, 5.0),
        _ => (1.25, 0.096, 1.0, 35.0, 2.0),
    };
    CostTable { base, layer, memory: [0.0, 3.5], extension, entry, row: 0.0, position, hash }
}
