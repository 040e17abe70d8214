//! All layouts that no other one beats in time and size.

use super::{Params, SMALL, Wanted, cheapest, find_among, trimmed, validate};
use crate::matrix::search::{Candidate, Model, Source, all, front};

/// The layouts for several wishes, such as the same bytes over different fields, that no other one beats in both time and
/// size, and the one that [`find_among`] takes; fastest first. Empty if nothing proves the bits.
pub fn pareto(wanted: &[Wanted]) -> Vec<Candidate<Params>> {
    front(wanted.iter().flat_map(of_one).collect(), find_among(wanted).ok().as_ref())
}

fn of_one(wanted: &Wanted) -> Vec<Candidate<Params>> {
    let regimes = wanted.regimes();
    let policy = wanted.policy();
    let trimmed = |(params, cost)| (trimmed(params, |params| validate(params, &policy).is_ok()), cost);
    let source = Source {
        small: SMALL,
        layouts: &|profile, regime, target, prices| {
            let model = Model::new(wanted.job(profile, regime, target));
            cheapest(&model, wanted, prices).into_iter().map(trimmed).collect()
        },
        validate: &validate,
        size: &|params| params.size(1),
    };
    all(&source, &regimes, &wanted.policy())
}
