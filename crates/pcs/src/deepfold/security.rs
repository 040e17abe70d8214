//! Every error source of the protocol, one labelled term each. (notes: sec-terms)
//!
//! State after round `i`: every codeword `p` within `δ` of word `i` violates some claim, where the list has one
//! member in unique decoding and `L` in the Johnson regime.
//!
//! - A fold keeps the state. A codeword near the folded word agrees with it where it agrees, but for the line
//!   error, with the fold of one codeword `(even, odd)` of the list before (mutual correlated agreement). For each
//!   member one of the sent `g` is wrong, and `g(r)` is right for one `r` only: `L/|E|`.
//! - The prover then commits to whatever word it likes. The positions where all links hold are positions where it
//!   equals the fold, so the queries see only agreement with the fold's own list, or miss: `(1 - δ)^queries`.
//!
//! The points outside the domain of the words after the first (`Params::deep`) therefore appear in no term: they
//! are the paper's way to the same end. That of the commitment does, since it decides which member is committed.

use super::params::Params;
use iop::security::{Code, Regime, Report};

pub(super) fn report(params: &Params) -> Report {
    // Exhaustive: a new parameter does not build until it is accounted for here. The number of forms does not
    // count: one violated claim per member of the list is followed, whichever it is.
    let &Params {
        fields,
        hash: _,
        regime,
        log_size,
        log_columns,
        log_inv_rate: _,
        queries,
        grinding,
        max_forms: _,
        deep: _,
        log_final: _,
    } = params;
    let bits = fields.bits();
    let mut report = Report::new(regime, bits);
    let first = code(params, 0);
    if regime != Regime::UniqueDecoding {
        report.push(regime.ood_term("commit: out-of-domain", &first, bits, log_size));
    }
    if log_columns > 0 {
        report.push(regime.tensor_term("combine columns", &first, bits, log_columns));
        report.push(regime.claim_term("combine claims", &first, bits, log_columns.into()));
    }
    for round in 1..=params.rounds() {
        let folded = code(params, round);
        report.push(regime.line_term(format!("round {round}: fold"), &folded, bits));
        report.push(regime.claim_term(format!("round {round}: claims"), &folded, bits, 1));
    }
    report.push(regime.query_term("queries", &first, queries).ground(grinding));
    report
}

/// The fewest queries whose term brings the sum of all terms to `2^-target`, if the others leave room for it.
pub(super) fn queries(params: &Params, target: f64) -> Option<u32> {
    let mut rest = report(params);
    rest.terms.pop();
    let room = (-target).exp2() - (-rest.union()).exp2();
    let per_query = params.regime.query_bits(&code(params, 0), 1);
    if room <= 0.0 || per_query <= 0.0 {
        return None;
    }
    let needed = -room.log2() - f64::from(params.grinding);
    Some((needed / per_query).ceil().max(1.0) as u32)
}

/// The code of a word as the calculator takes it.
fn code(params: &Params, round: usize) -> Code {
    let rs = params.code(round);
    Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
}
