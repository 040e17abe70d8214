//! All layouts of the recursion that no other one beats in time and size.

use super::{InnerKind, Params, SearchTarget, TRADE, TRIAL, cheapest, found_among, regimes, validate};
use crate::fields::Fields;
use crate::matrix::search::{Candidate, Model, Source, all, front};

/// The layouts over one of several challenge fields that no other one beats in both time and size, and the one that
/// [`super::find_among`] takes; fastest first. Empty if nothing proves the bits, and for inner arguments other than the recursion. `wanted.fields` does not count.
pub fn pareto_among(fields: &[Fields], wanted: &SearchTarget) -> Vec<Candidate<Params>> {
    if wanted.inner != InnerKind::Recursion {
        return Vec::new();
    }
    let over = |&fields: &Fields| SearchTarget { fields, ..wanted.clone() };
    let all = fields.iter().flat_map(|fields| of_one(&over(fields)));
    let found = found_among(fields, wanted);
    let kept =
        found.and_then(|found| with_source(wanted, |source| source.candidate(found, &wanted.policy())));
    front(all.collect(), kept)
}

fn of_one(wanted: &SearchTarget) -> Vec<Candidate<Params>> {
    let regimes = regimes(wanted.unique_decoding.or((wanted.hidden_openings > 0).then_some(true)));
    with_source(wanted, |source| all(source, &regimes, &wanted.policy()))
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
        size: &|params| params.size(),
    })
}
