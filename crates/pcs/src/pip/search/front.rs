//! All layouts of the recursion that no other one beats in time and size.

use super::{InnerKind, Params, Policy, SMALL, Wanted, cheapest, find_among, regimes};
use crate::fields::Fields;
use crate::matrix::search::{Candidate, Model, Source, all, front};
use crate::weighted::{Facts, has_room};
use iop::error::ParamError;

/// The layouts over one of several challenge fields that no other one beats in both time and size, and the one that
/// [`find_among`] takes; fastest first. Empty if nothing proves the bits, and for inner arguments other than the recursion. `wanted.fields` does not count.
pub fn pareto_among(fields: &[Fields], wanted: &Wanted) -> Vec<Candidate<Params>> {
    if wanted.inner != InnerKind::Recursion {
        return Vec::new();
    }
    let over = |&fields: &Fields| of_one(&Wanted { fields, ..wanted.clone() });
    front(fields.iter().flat_map(over).collect(), find_among(fields, wanted).ok().as_ref())
}

fn of_one(wanted: &Wanted) -> Vec<Candidate<Params>> {
    let regimes = regimes(wanted.unique_decoding.or((wanted.hidden_openings > 0).then_some(true)));
    let source = Source {
        small: SMALL,
        layouts: &|profile, regime, target, prices| {
            let model = Model::new(wanted.job(profile, regime, target));
            cheapest(&model, wanted, prices)
        },
        validate: &|params: &Params, policy: &Policy| {
            let report = params.validate(policy)?;
            let room = has_room(&Facts::of(&params.layout()), report.clone(), policy);
            if room { Ok(report) } else { Err(ParamError("no room for a weighted sum".into())) }
        },
        size: &|params| params.size(),
    };
    all(&source, &regimes, &wanted.policy())
}
