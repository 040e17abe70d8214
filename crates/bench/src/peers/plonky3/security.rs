//! Bits that the peer's parameters prove, computed by the same calculator as ours.
//!
//! The columns' quotients `(p(X) - p(z)) / (X - z)` are combined by the powers of one challenge and folded by FRI at one
//! arity. Errors: the out-of-domain point against a list of codewords, the powers, each fold as powers of its
//! challenge, the queries.

use iop::security::{Code, Regime, Report};

use super::Shape;

/// The regime and multiplicity that prove the most.
pub(super) fn report(shape: &Shape, field_bits: f64) -> Report {
    let johnson = (3..=100).map(|multiplicity| Regime::Johnson { multiplicity });
    let reports = johnson.chain([Regime::UniqueDecoding]).map(|regime| in_regime(shape, field_bits, regime));
    reports.max_by(|a, b| a.proven_bits().total_cmp(&b.proven_bits())).expect("at least one regime")
}

fn in_regime(shape: &Shape, field_bits: f64, regime: Regime) -> Report {
    let Shape { log_size, log_columns, log_inv_rate, log_arity, queries, grinding } = *shape;
    let [before_folds, before_queries] = grinding;
    let mut log_rows = log_size - log_columns;
    let code =
        |log_rows: usize| Code { dimension: 1 << log_rows, log_domain: (log_rows + log_inv_rate) as u32 };
    let mut report = Report::new(regime, field_bits);
    let first = code(log_rows);
    // Two codewords of a list, or a codeword and the claimed values, agree at the point by luck.
    report.push(regime.claim_term("out-of-domain point", &first, field_bits, 1 << log_rows));
    let combined = regime.powers_term("combine columns", &first, field_bits, 1 << log_columns);
    report.push(combined.ground(before_folds));
    while log_rows > 0 {
        let step = log_arity.min(log_rows);
        let next = code(log_rows - step);
        let folded = regime.powers_term(format!("fold 2^{log_rows}"), &next, field_bits, 1 << step);
        report.push(folded.ground(before_folds));
        log_rows -= step;
    }
    report.push(regime.query_term("queries", &first, queries as u32).ground(before_queries));
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape =
        Shape { log_size: 20, log_columns: 6, log_inv_rate: 3, log_arity: 1, queries: 67, grinding: [0, 0] };

    /// By hand, unique decoding: 67 queries of -log2((1+1/8)/2) = 0.830 bits are 55.6 bits; 63 * 2^17 / 2^124 leaves 101.
    #[test]
    fn unique_decoding_by_hand() {
        let report = in_regime(&SHAPE, 124.0, Regime::UniqueDecoding);
        assert!((report.proven_bits() - 67.0 * -(1.125f64 / 2.0).log2()).abs() < 0.01);
        let combine = &report.terms[1];
        assert!((combine.total() - (124.0 - 17.0 - 63f64.log2())).abs() < 0.01, "{}", combine.total());
    }

    /// By hand, Johnson with m = 5: a query has -log2(8^-0.5 * 6/5) = 1.237 bits; 67 of them, 82.9.
    #[test]
    fn johnson_by_hand() {
        let report = in_regime(&SHAPE, 124.0, Regime::Johnson { multiplicity: 5 });
        let queries = report.terms.last().unwrap().total();
        assert!((queries - 82.9).abs() < 0.1, "{queries}");
    }

    #[test]
    fn a_larger_field_proves_more_and_the_best_regime_is_taken() {
        let at = |bits| report(&SHAPE, bits).proven_bits();
        assert!(at(192.0) > at(124.0) && at(124.0) > 55.7);
    }

    /// Work takes the place of queries, and of bits of the field before folds; that of the point is not ground for.
    #[test]
    fn work_takes_the_place_of_queries() {
        let field = pcs::fields::Fields::KoalaBear4;
        let shape = SHAPE.by_work(100, field).unwrap();
        assert!(report(&shape, field.bits()).proven_bits() >= 100.0);
        assert!(report(&Shape { queries: shape.queries - 1, ..shape }, field.bits()).proven_bits() < 100.0);
        let idle = Shape { grinding: [0, 0], ..shape };
        assert!(report(&idle, field.bits()).proven_bits() < 90.0 && shape.queries < 80, "{shape:?}");
        assert!(SHAPE.by_work(128, field).is_err());
    }
}
