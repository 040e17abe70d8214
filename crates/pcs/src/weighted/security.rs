//! The error terms that a weighted sum adds to those of the opening behind it. (notes: sec-terms)

use super::points::Facts;
use iop::security::Report;
use iop::sumcheck::Rounds;

/// The rounds of the sumcheck: all variables, without work, since its error is small beside that of a fold.
pub(super) fn rounds(facts: &Facts) -> Rounds {
    Rounds { count: facts.variables, grinding: 0 }
}

/// The report of the opening with the sumcheck's term: each member of the list around the committed word that misses
/// the claimed sum passes a round with probability `2/|E|`. Of several polynomials, one that misses the sum of one of them misses the combined
/// sum but with the probability of a zero of a polynomial with a coefficient for each.
pub(super) fn report(facts: &Facts, mut report: Report) -> Report {
    let Rounds { count, grinding } = rounds(facts);
    let term =
        report.regime.claim_term("weighted sumcheck", &facts.code, report.field_bits, 2 * count as u64);
    if facts.polynomials > 1 {
        let degree = facts.polynomials as u64 - 1;
        let term = report.regime.claim_term("weighted columns", &facts.code, report.field_bits, degree);
        report.push(term);
    }
    report.push(term.ground(grinding));
    report
}

/// Whether weighted sums, where the parameters admit them at all, keep the bits of a policy; `opening` is the report of
/// the parameters.
#[cfg(feature = "prover")]
pub(crate) fn has_room(facts: &Facts, opening: Report, policy: &iop::security::Policy) -> bool {
    let none = facts.hidden_openings > 0 || facts.extension_entries;
    none || policy.check(&report(facts, opening)).is_ok()
}
