//! Every error source of the protocol, one labelled term each. (notes: deepfold-sound)
//!
//! Follow an accepted proof backwards. Let `T` be the positions where every link between words holds; unless `T` has
//! density `1 - δ`, the queries miss it: `(1 - δ)^queries`. On `T` the fold of the last word is the final message,
//! which satisfies its claims. Mutual correlated agreement: but for the line error, that message is the fold of a
//! codeword that equals the last word on `T`. It is one of a list of `L` (one in unique decoding) that was fixed
//! before the challenge, as were the slopes; a member for which some slope is wrong folds into a right claim for one
//! challenge only, so but for `L/|E|` this one satisfies its claims too. The word is on `T` the fold of the word
//! before, and so on up to the commitment.
//!
//! The points outside the domain of the words after the first (`Params::deep`) therefore appear in no term: they
//! are the paper's way to the same end. That of the commitment does, since it decides which member is committed.

use super::{DeepFold, Params};
use iop::security::{Regime, Report};

/// The security report, the term of the queries last.
pub(super) fn report(params: &Params) -> Report {
    // Exhaustive: a new parameter does not build until it is accounted for here. The number of forms does not
    // count: one violated claim per member of the list is followed, whichever it is.
    let &Params {
        fields,
        hash,
        regime,
        log_size,
        log_columns,
        log_inv_rate: _,
        queries,
        grinding,
        log_final: _,
        own: DeepFold { max_forms: _, deep: _ },
    } = params;
    let bits = fields.bits();
    let mut report = Report::new(regime, bits).hashed_by(hash);
    let first = params.code_of(0);
    if regime != Regime::UniqueDecoding {
        report.push(regime.ood_term("commit: out-of-domain", &first, bits, log_size));
    }
    if log_columns > 0 {
        report.push(regime.tensor_term("combine columns", &first, bits, log_columns));
        report.push(regime.claim_term("combine claims", &first, bits, log_columns.into()));
    }
    for round in 1..=params.rounds() {
        let folded = params.code_of(round);
        report.push(regime.line_term(format!("round {round}: fold"), &folded, bits));
        report.push(regime.claim_term(format!("round {round}: claims"), &folded, bits, 1));
    }
    report.push(regime.query_term("queries", &first, queries).ground(grinding));
    report
}
