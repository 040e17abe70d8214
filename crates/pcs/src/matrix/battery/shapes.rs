//! Round trips over many shapes.

use super::*;

fn open<P: Preset>(params: Params) {
    roundtrip::<P::Family, P::Base, P::Challenge>(params);
}

pub(super) fn every_hash_opens<P: Preset>() {
    for hash in Hash::ALL {
        open::<P>(Params { hash, ..small(P::FIELDS, 0, JOHNSON) });
    }
}

pub(super) fn many_polynomials_in_one_batch<P: Preset>() {
    for (polynomials, log_parts) in [(1, 0), (2, 1), (3, 2), (5, 4)] {
        for hidden_openings in [0, 1] {
            let base = small(P::FIELDS, hidden_openings, Regime::UniqueDecoding);
            open::<P>(Params { polynomials, log_parts, ..base });
        }
    }
}

pub(super) fn every_shape_opens<P: Preset>() {
    for (log_size, log_columns) in [(0, 0), (1, 0), (1, 1), (3, 2), (8, 8), (9, 0), (12, 1)] {
        let base = small(P::FIELDS, 0, JOHNSON);
        let level = RoundParams { log_columns, ..base.level };
        open::<P>(Params { log_size, level, inner: Inner::Recursion(vec![]), ..base });
    }
}
