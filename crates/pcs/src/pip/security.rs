//! Every error source of the protocol, one labelled term each. (notes: sec-terms)

use super::params::{Inner, Params, Stage};
use iop::security::{Code, Regime, Report, Term};

pub(super) fn report(params: &Params) -> Report {
    // Exhaustive: a new parameter does not build until it is accounted for here.
    let Params {
        fields,
        hash: _,
        regime,
        log_size,
        polynomials,
        max_forms,
        hidden_openings,
        level: _,
        inner,
    } = params;
    let mut report = Report::new(*regime, fields.bits());
    let stages = params.stages();
    let mut terms = Terms { report: &mut report, regime: *regime, field_bits: fields.bits() };
    let Some(first) = stages.first() else { return report };
    terms.out_of_domain("commit", first, *log_size);
    terms.combine(first);
    if *hidden_openings > 0 {
        terms.hiding(first, *polynomials);
    }
    let Inner::Recursion(_) = inner;
    terms.recursion(&stages, u64::from(*max_forms));
    report
}

/// Appends terms to a report.
struct Terms<'a> {
    report: &'a mut Report,
    regime: Regime,
    field_bits: f64,
}

impl Terms<'_> {
    fn push(&mut self, term: Term) {
        self.report.push(term);
    }

    /// Two members of the list around `stage` agree at the random point.
    fn out_of_domain(&mut self, at: &str, stage: &Stage, variables: u32) {
        if self.regime != Regime::UniqueDecoding {
            self.push(self.regime.ood_term(
                format!("out-of-domain {at}"),
                &code(stage),
                self.field_bits,
                variables,
            ));
        }
    }

    /// Random combination of the committed columns: list members survive, and so do violated claims.
    fn combine(&mut self, stage: &Stage) {
        let (code, variables) = (code(stage), stage.variables as u32);
        if variables > 0 {
            self.push(self.regime.tensor_term("combine columns", &code, self.field_bits, variables));
            self.claim("combine claims", &code, u64::from(variables));
        }
    }

    /// The claims enter a hiding opening by the powers of one further challenge.
    fn hiding(&mut self, stage: &Stage, polynomials: u32) {
        let (code, polynomials) = (code(stage), u64::from(polynomials));
        self.push(self.regime.powers_term("mask and columns", &code, self.field_bits, polynomials + 1));
        self.claim("mask and claims", &code, polynomials);
    }

    /// Every stage after the first: its out-of-domain sample, the rows of the stage before, batching, folding.
    fn recursion(&mut self, stages: &[Stage], forms: u64) {
        let mut claims = forms + 1; // with the out-of-domain claim of the commitment
        for (i, pair) in stages.windows(2).enumerate() {
            let [before, stage] = pair else { continue };
            let (at, code) = (format!("level {}", i + 1), code(stage));
            self.out_of_domain(&at, stage, before.shape.code.log_rows as u32);
            self.queries(i, before);
            claims += before.queries as u64 + 1;
            self.claim(format!("batch {at}"), &code, claims - 1);
            let rounds = stage.variables as u32;
            self.push(self.regime.tensor_term(format!("fold {at}"), &code, self.field_bits, rounds));
            self.claim(format!("sumcheck {at}"), &code, 2 * u64::from(rounds));
            claims = 1;
        }
        if let Some(last) = stages.last() {
            self.queries(stages.len() - 1, last);
        }
    }

    /// A word outside the accepted distance meets only agreeing positions.
    fn queries(&mut self, level: usize, stage: &Stage) {
        let label = format!("queries level {level}");
        let term = self.regime.query_term(label, &code(stage), stage.queries as u32);
        self.push(term.ground(stage.grinding));
    }

    /// Some list member satisfies a claim by luck.
    fn claim(&mut self, label: impl Into<String>, code: &Code, degree: u64) {
        self.push(self.regime.claim_term(label, code, self.field_bits, degree));
    }
}

/// The code of a stage as the calculator takes it.
fn code(stage: &Stage) -> Code {
    let rs = stage.shape.code;
    Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
}
