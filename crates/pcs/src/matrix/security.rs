//! The error sources that every scheme over a matrix has, one labelled term each. (notes: sec-terms)

use super::layout::Layout;
use super::round::Round;
use alloc::string::String;
use iop::security::{Code, Regime, Report, Term};
use iop::sumcheck::Rounds;

/// Appends terms to a report.
pub(crate) struct Terms<'a> {
    pub report: &'a mut Report,
    pub regime: Regime,
    pub field_bits: f64,
}

impl Terms<'_> {
    pub fn push(&mut self, term: Term) {
        self.report.push(term);
    }

    /// Two members of the list around `stage` agree at the random point; around one of so many, each with a point of its own.
    fn out_of_domain(&mut self, at: &str, (stage, count): (&Round, u32), variables: u32) {
        if self.regime != Regime::UniqueDecoding {
            let label = format!("out-of-domain {at}");
            let term = self.regime.ood_term(label, &code(stage), self.field_bits, variables);
            self.push(term.times(count));
        }
    }

    /// A sumcheck whose challenges also combine the stage's columns: list members survive the combination, and so do
    /// violated claims.
    fn fold(&mut self, at: &str, stage: &Round) {
        let Rounds { count, grinding } = stage.rounds;
        if count > 0 {
            let term =
                self.regime.tensor_term(format!("fold {at}"), &code(stage), self.field_bits, count as u32);
            self.push(term.ground(grinding));
            self.claim(format!("sumcheck {at}"), stage, 2 * count as u64, grinding);
        }
    }

    /// A random combination of all columns, which a factor of its own sets beside the mask; then the claims enter by the
    /// powers of one further challenge.
    fn hiding(&mut self, stage: &Round, polynomials: u64, grinding: u32) {
        let columns = stage.rounds.count as u32;
        if columns > 0 {
            let term = self.regime.tensor_term("combine columns", &code(stage), self.field_bits, columns);
            self.push(term.ground(grinding));
        }
        let term = self.regime.line_term("columns beside the mask", &code(stage), self.field_bits);
        self.push(term.ground(grinding));
        let term =
            self.regime.powers_term("mask and columns", &code(stage), self.field_bits, polynomials + 1);
        self.push(term.ground(grinding));
        self.claim("mask and claims", stage, polynomials, grinding);
    }

    /// Everything before the inner argument: the samples of so many commitments, and the claims that become one about one combined
    /// fragment.
    pub fn reduction(&mut self, layout: &Layout, commitments: u32) {
        let (first, polynomials) = (&layout.first, layout.polynomials as u64);
        self.out_of_domain("commit", (first, commitments), layout.log_size as u32);
        if layout.hidden_openings > 0 {
            return self.hiding(first, polynomials, first.rounds.grinding);
        }
        // With the out-of-domain claims of the commitment.
        let claims = (layout.max_forms as u64 + 1) * polynomials;
        self.claim("batch columns", first, claims - 1, 0);
        self.fold("columns", first);
    }

    /// Every stage after the first: its out-of-domain sample, the rows of the stage before, batching, folding.
    pub fn recursion(&mut self, stages: &[Round]) {
        for (i, pair) in stages.windows(2).enumerate() {
            let [before, stage] = pair else { continue };
            let at = format!("level {}", i + 1);
            self.out_of_domain(&at, (stage, 1), before.shape.code.log_rows as u32);
            self.queries(i, before);
            // The running claim, the out-of-domain one and the rows: one degree less than claims.
            self.claim(format!("batch {at}"), stage, before.queries as u64 + 1, 0);
            self.fold(&at, stage);
        }
        if let Some(last) = stages.last() {
            self.queries(stages.len() - 1, last);
        }
    }

    /// A word outside the accepted distance meets only agreeing positions.
    fn queries(&mut self, level: usize, stage: &Round) {
        self.query_term(format!("queries level {level}"), stage);
    }

    pub fn query_term(&mut self, label: impl Into<String>, stage: &Round) {
        let term = self.regime.query_term(label, &code(stage), stage.queries as u32);
        self.push(term.ground(stage.grinding));
    }

    /// Some list member satisfies a claim by luck.
    pub fn claim(&mut self, label: impl Into<String>, stage: &Round, degree: u64, grinding: u32) {
        let term = self.regime.claim_term(label, &code(stage), self.field_bits, degree);
        self.push(term.ground(grinding));
    }
}

/// The code of a stage as the calculator takes it.
pub(crate) fn code(stage: &Round) -> Code {
    let rs = stage.shape.code;
    Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
}
