//! Bits that WHIR's parameters prove, computed by the same calculator as ours.
//!
//! ```text
//!  round i: a word over 2^v coefficients at rate ρ, in leaves of 2^f values: a matrix of 2^f columns over a code of 2^(v-f)
//!    samples outside the domain · claims batched · f folds, each with a sumcheck round · queries, answered on the next word
//!  last:    the polynomial in the clear, and a sumcheck over its variables
//! ```

use iop::security::{Code, Regime, Report, Term};
use p3_field_09::{ExtensionField, Field};
use p3_whir::WhirConfig;

/// One committed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub variables: usize,
    pub folding: usize,
    pub log_inv_rate: usize,
    /// Samples outside the domain.
    pub samples: usize,
    pub queries: usize,
    /// Work before positions, and before each fold.
    pub grinding: [usize; 2],
}

impl Level {
    fn code(&self) -> Code {
        let log_rows = self.variables - self.folding;
        Code { dimension: 1 << log_rows, log_domain: (log_rows + self.log_inv_rate) as u32 }
    }
}

/// The words of a schedule, and the variables of the last polynomial.
pub(super) fn levels<EF, F, C>(config: &WhirConfig<EF, F, C>) -> (Vec<Level>, usize)
where
    F: Field,
    EF: ExtensionField<F>,
{
    let (rounds, terminal) = (config.round_parameters(), config.terminal());
    let queries = |i: usize| {
        rounds.get(i).map_or((terminal.num_queries, terminal.pow_bits), |r| (r.num_queries, r.pow_bits))
    };
    let level = |(i, &folding): (usize, &usize)| {
        let (queries, grinding) = queries(i);
        let [variables, log_inv_rate, samples, of_fold] = match i.checked_sub(1).and_then(|i| rounds.get(i)) {
            None => [
                config.num_variables(),
                config.params().starting_log_inv_rate,
                config.commitment_ood_samples(),
                config.starting_folding_pow_bits(),
            ],
            Some(r) => [r.num_variables, r.log_inv_rate, r.ood_samples, r.folding_pow_bits],
        };
        Level { variables, folding, log_inv_rate, samples, queries, grinding: [grinding, of_fold] }
    };
    (config.folding_schedule().iter().enumerate().map(level).collect(), config.final_sumcheck_rounds())
}

/// The regime and multiplicity that prove the most.
pub(super) fn report((levels, last): &(Vec<Level>, usize), field_bits: f64) -> Report {
    let johnson = (3..=100).map(|multiplicity| Regime::Johnson { multiplicity });
    let reports = johnson.map(|regime| in_regime(levels, *last, field_bits, regime));
    reports.max_by(|a, b| a.proven_bits().total_cmp(&b.proven_bits())).expect("at least one regime")
}

fn in_regime(levels: &[Level], last: usize, field_bits: f64, regime: Regime) -> Report {
    let mut report = Report::new(regime, field_bits);
    // One claim about the polynomial.
    let (mut claims, mut work) = (1, 0);
    for (i, level) in levels.iter().enumerate() {
        let (code, [grinding, of_fold]) = (level.code(), level.grinding.map(|bits| bits as u32));
        let (variables, folding) = (level.variables as u32, level.folding as u32);
        let sample = regime.ood_term(format!("out-of-domain {i}"), &code, field_bits, variables);
        let bits = regime.ood_bits(&code, field_bits, variables, level.samples as u32);
        report.push(Term { bits, ..sample });
        let batched = claims + level.samples as u64;
        report.push(regime.claim_term(format!("batch {i}"), &code, field_bits, batched).ground(work));
        report.push(regime.tensor_term(format!("fold {i}"), &code, field_bits, folding).ground(of_fold));
        let rounds = 2 * u64::from(folding);
        report.push(regime.claim_term(format!("sumcheck {i}"), &code, field_bits, rounds).ground(of_fold));
        let queries = level.queries as u32;
        report.push(regime.query_term(format!("queries {i}"), &code, queries).ground(grinding));
        // The next word answers for this one's rows; its claims are batched after the work before the positions.
        (claims, work) = (1 + level.queries as u64, grinding);
    }
    if let Some(level) = levels.last() {
        report.push(regime.claim_term("last sumcheck", &level.code(), field_bits, 2 * last as u64));
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: Level =
        Level { variables: 20, folding: 4, log_inv_rate: 2, samples: 1, queries: 100, grinding: [10, 3] };

    /// By hand, multiplicity 20: a query proves -log2(0.5 * 21/20) = 0.92961 bits; two errors of the same size lose one bit.
    #[test]
    fn queries_by_hand() {
        let regime = Regime::Johnson { multiplicity: 20 };
        let report = in_regime(&[LEVEL], 0, 192.0, regime);
        let queries = report.terms.iter().find(|t| t.label == "queries 0").unwrap();
        assert!((queries.total() - (100.0 * 0.929_611 + 10.0)).abs() < 0.01, "{}", queries.total());
        assert!((report.proven_bits() - queries.total()).abs() < 0.01, "a field of 192 bits has room");
        let two = in_regime(&[LEVEL, Level { variables: 16, ..LEVEL }], 0, 192.0, regime);
        assert!((report.proven_bits() - two.proven_bits() - 1.0).abs() < 0.01);
    }

    /// A small field is felt in the folds, and work before them helps.
    #[test]
    fn a_small_field_loses_bits_in_folds() {
        let bits = |work| report(&(vec![Level { grinding: [10, work], ..LEVEL }], 0), 110.0).proven_bits();
        assert!(bits(0) < 90.0 && bits(8) > bits(0) + 4.0, "{} {}", bits(0), bits(8));
    }
}
