//! All layouts that no other one beats in time and size.

use super::{Params, SearchTarget, TRADE, TRIAL, cheapest, found_among, validate};
use crate::matrix::search::{Candidate, Model, Source, all, front};

/// The layouts for several wishes, such as the same bytes over different fields, that no other one beats in both time and
/// size, and the one that [`super::find_among`] takes; fastest first. Empty if nothing proves the bits.
pub fn pareto(wanted: &[SearchTarget]) -> Vec<Candidate<Params>> {
    let of_one = |wanted: &SearchTarget| {
        with_source(wanted, |source| all(source, &wanted.regimes(), &wanted.policy()))
    };
    let found = wanted.first().zip(found_among(wanted));
    let kept = found
        .and_then(|(first, found)| with_source(first, |source| source.candidate(found, &first.policy())));
    front(wanted.iter().flat_map(of_one).collect(), kept)
}

fn with_source<T>(wanted: &SearchTarget, run: impl FnOnce(&Source<'_, Params>) -> T) -> T {
    run(&Source {
        trade: TRADE,
        trial: TRIAL,
        layouts: &|profile, regime, aim, prices| {
            let model = Model::new(wanted.job(profile, regime, aim));
            cheapest(&model, wanted, prices)
        },
        validate: &validate,
        size: &|params| params.size(1),
    })
}
