//! All layouts that no other one beats in time and size.

use super::{Params, Policy, SMALL, Wanted, cheapest, find_among, regimes};
use crate::matrix::search::{Candidate, Model, Source, all, front};
use crate::weighted::{Facts, has_room};
use iop::error::ParamError;

/// The layouts for several wishes, such as the same bytes over different fields, that no other one beats in both time and
/// size, and the one that [`find_among`] takes; fastest first. Empty if nothing proves the bits.
pub fn pareto(wanted: &[Wanted]) -> Vec<Candidate<Params>> {
    front(wanted.iter().flat_map(of_one).collect(), find_among(wanted).ok().as_ref())
}

fn of_one(wanted: &Wanted) -> Vec<Candidate<Params>> {
    let regimes = regimes(wanted.unique_decoding.or((wanted.hidden_openings > 0).then_some(true)));
    let source = Source {
        small: SMALL,
        layouts: &|profile, regime, target, prices| {
            let model = Model::new(wanted.job(profile, regime, target));
            prices.iter().filter_map(|&price| cheapest(&model, wanted, price)).collect()
        },
        validate: &|params: &Params, policy: &Policy| {
            let report = params.validate(policy)?;
            let room = has_room(&Facts::of(&params.layout()), report.clone(), policy);
            if room { Ok(report) } else { Err(ParamError("no room for a weighted sum".into())) }
        },
        size: &|params| params.size(1),
    };
    all(&source, &regimes, wanted.bits)
}
