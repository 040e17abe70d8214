//! Choosing parameters: what the search prefers for chains over binary fields. (notes: pip-shape)

use super::{Fields, Params};
use crate::ligerito::search::prices_over;
use crate::matrix::search::{self, Aim, CostTable, Preferences, Trade};
pub use crate::matrix::search::{Budget, Profile, SearchTarget};
use iop::error::ParamError;
use iop::hash::Hash;

/// Beside words of low rate, which cost as much as the hashing of their leaves, a lower rate saves few bytes for much time.
pub(crate) const PREFERENCES: Preferences = Preferences {
    trade: Trade {
        fast: 1.3,
        small: 6.0,
        aims: &[Aim { queries: 1.2, folds: 1.0 }, Aim { queries: 2.5, folds: 1.0 }],
    },
    budget: Budget::Fastest(4.0),
    trial: TRIAL,
    rates: 1..=5,
    multiplicities: &[],
    prices,
    grindings: |_, profile| profile.grindings(),
};

/// Nanoseconds of a trial of a proof of work.
const TRIAL: f64 = 30.0;

/// The cheapest parameters that prove `wanted.bits`.
///
/// # Errors
/// If nothing proves them.
pub fn find(wanted: &SearchTarget) -> Result<Params, ParamError> {
    search::find_among(core::slice::from_ref(wanted))
}

fn prices(fields: Fields, hash: Hash) -> CostTable {
    // A byte, and a leaf with the nodes above it.
    let (byte, leaf) = match hash {
        Hash::Blake3 => (0.093, 10.0),
        Hash::Sha256 => (0.6, 80.0),
        Hash::Keccak256 | Hash::Sha3_256 => (0.3, 60.0),
        Hash::Sha3_384 => (0.4, 60.0),
        Hash::Sha3_512 => (0.55, 90.0),
    };
    prices_over(fields, [byte, leaf, TRIAL])
}
