//! Every error source of the protocol, one labelled term each. (notes: virgo-sound)

use super::{Params, Virgo, delegation};
use iop::security::{Regime, Report};

/// The security report, the term of the queries last.
pub(super) fn report(params: &Params) -> Report {
    // Exhaustive: a new parameter does not build until it is accounted for here.
    let &Params {
        fields,
        hash,
        regime,
        log_size: _,
        log_columns,
        log_inv_rate: _,
        queries,
        grinding,
        log_final: _,
        own: Virgo,
    } = params;
    let bits = fields.bits();
    let mut report = Report::new(regime, bits).hashed_by(hash);
    let first = params.code_of(0);
    if regime != Regime::UniqueDecoding {
        // A fragment has a degree below its length in the point, and its weight one in each challenge.
        let degree = (1u32 << params.log_rows()) - 1 + log_columns;
        report.push(regime.ood_term("commit: out-of-domain", &first, bits, degree));
    }
    report.push(regime.tensor_term("combine words", &first, bits, params.word_variables() as u32));
    for round in 1..=params.rounds() {
        report.push(regime.line_term(format!("round {round}: fold"), &params.code_of(round), bits));
    }
    // The polynomial of the weights is given by the claim: there is one, in every regime.
    let one = Regime::UniqueDecoding;
    let points = 2 * u64::from(queries) - 1;
    report.push(one.claim_term("delegation: points", &first, bits, points));
    let degree = 2 * delegation::rounds(params.log_rows() as usize) as u64;
    report.push(one.claim_term("delegation: sumchecks", &first, bits, degree));
    report.push(regime.query_term("queries", &first, queries).ground(grinding));
    report
}
