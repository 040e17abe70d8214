//! The one error term that a weighted sum adds to those of the opening behind it. (notes: sec-terms)

use crate::pip::Params;
use iop::security::{Code, Policy, Report};
use iop::sumcheck::Rounds;

/// The rounds of the sumcheck: all variables, without work, since its error is small beside that of a fold.
pub(super) fn rounds(params: &Params) -> Rounds {
    Rounds { count: usize::try_from(params.log_size).unwrap_or(usize::MAX), grinding: 0 }
}

/// The report of the opening with the sumcheck's term: each member of the list around the committed word that misses
/// the claimed sum passes a round with probability `2/|E|`. [`Params::validate`] first, since it computes with every
/// count.
pub fn report(params: &Params) -> Report {
    let mut report = params.report();
    if let Some(first) = params.stages().first() {
        let rs = first.shape.code;
        let code = Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 };
        let Rounds { count, grinding } = rounds(params);
        let term =
            report.regime.claim_term("weighted sumcheck", &code, params.fields.bits(), 2 * count as u64);
        report.push(term.ground(grinding));
    }
    report
}

/// Whether weighted sums, where the parameters admit them at all, keep the bits of a policy.
pub fn has_room(params: &Params, policy: &Policy) -> bool {
    params.hidden_openings > 0 || params.polynomials != 1 || policy.check(&report(params)).is_ok()
}
