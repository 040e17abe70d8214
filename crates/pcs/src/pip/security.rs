//! Every error source of the protocol, one labelled term each. (notes: sec-terms)
//!
//! `L` is the bound on the list of codewords near an oracle (1 in unique decoding), `E` the challenge field.

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
    match inner {
        Inner::Recursion(_) => terms.recursion(&stages, *max_forms as usize),
    }
    report
}

/// Appends terms to a report.
pub(super) struct Terms<'a> {
    pub report: &'a mut Report,
    pub regime: Regime,
    pub field_bits: f64,
}

impl Terms<'_> {
    pub fn push(&mut self, label: String, bits: f64, formula: String, source: &'static str) {
        self.report.push(Term { label, bits, grinding: 0, formula, source });
    }

    /// Two members of the list around `stage` agree at the random point.
    pub fn out_of_domain(&mut self, at: &str, stage: &Stage, variables: u32) {
        if self.regime == Regime::UniqueDecoding {
            return;
        }
        let code = code(stage);
        let bits = self.regime.ood_bits(&code, self.field_bits, variables, 1);
        let list = self.regime.list_bits(&code);
        let formula =
            format!("L(L-1)/2 * {variables}/|E|, log2 L = {list:.2}, log2|E| = {:.2}", self.field_bits);
        self.push(format!("out-of-domain {at}"), bits, formula, "WHIR Lemma 4.25; Schwartz-Zippel");
    }

    /// Random combination of the committed columns: list members survive, and so do violated claims.
    fn combine(&mut self, stage: &Stage) {
        let variables = stage.variables as u32;
        if variables == 0 {
            return;
        }
        let code = code(stage);
        let bits = self.regime.tensor_bits(&code, self.field_bits, variables);
        let formula = format!("{variables} variables x line error on 2^{} points", code.log_domain);
        self.push("combine columns".into(), bits, formula, PROXIMITY);
        let list = self.regime.list_bits(&code);
        let bits = self.field_bits - list - f64::from(variables).log2();
        let formula = format!("L * {variables}/|E|, log2 L = {list:.2}");
        self.push("combine claims".into(), bits, formula, "Schwartz-Zippel");
    }

    /// The claims enter a hiding opening by the powers of one further challenge.
    fn hiding(&mut self, stage: &Stage, polynomials: u32) {
        let code = code(stage);
        let bits = self.regime.powers_bits(&code, self.field_bits, u64::from(polynomials) + 1);
        let formula = format!("{polynomials} x line error on 2^{} points", code.log_domain);
        self.push("mask and claims".into(), bits, formula, PROXIMITY);
        let bits = self.field_bits - f64::from(polynomials).log2();
        self.push("mask claims".into(), bits, format!("{polynomials}/|E|"), "Schwartz-Zippel");
    }

    fn recursion(&mut self, stages: &[Stage], forms: usize) {
        let mut claims = forms + 1; // with the out-of-domain claim of the commitment
        for (i, pair) in stages.windows(2).enumerate() {
            let [before, stage] = pair else { continue };
            let at = format!("level {}", i + 1);
            self.out_of_domain(&at, stage, before.shape.code.log_rows as u32);
            self.queries(&format!("queries level {i}"), before);
            claims += before.queries + 1;
            self.batch(&format!("batch {at}"), stage, claims);
            self.fold(&at, stage);
            claims = 1;
        }
        if let Some(last) = stages.last() {
            self.queries(&format!("queries level {}", stages.len() - 1), last);
        }
    }

    /// A word outside the accepted distance meets only agreeing positions.
    pub fn queries(&mut self, label: &str, stage: &Stage) {
        let code = code(stage);
        let queries = stage.queries as u32;
        let bits = self.regime.query_bits(&code, queries);
        let formula = format!("(1-δ)^{queries}, δ = {:.5}", self.regime.distance(&code));
        let (label, grinding, source) = (label.into(), stage.grinding, "fresh positions");
        self.report.push(Term { label, bits, grinding, formula, source });
    }

    /// Claims are batched with the powers of one challenge.
    pub fn batch(&mut self, label: &str, stage: &Stage, claims: usize) {
        let list = self.regime.list_bits(&code(stage));
        let bits = self.field_bits - list - (claims.max(2) as f64 - 1.0).log2();
        let formula = format!("L * {}/|E|, log2 L = {list:.2}", claims.max(2) - 1);
        self.push(label.into(), bits, formula, "Schwartz-Zippel");
    }

    /// Sumcheck rounds whose challenges also fold the columns.
    fn fold(&mut self, at: &str, stage: &Stage) {
        let (code, rounds) = (code(stage), stage.variables as u32);
        let bits = self.regime.tensor_bits(&code, self.field_bits, rounds);
        let formula = format!("{rounds} rounds x line error on 2^{} points", code.log_domain);
        self.push(format!("fold {at}"), bits, formula, PROXIMITY);
        self.sumcheck(&format!("sumcheck {at}"), &code, rounds);
    }

    /// A violated product claim survives a round polynomial of degree 2, for any list member.
    pub fn sumcheck(&mut self, label: &str, code: &Code, rounds: u32) {
        let list = self.regime.list_bits(code);
        let bits = self.field_bits - list - (2.0 * f64::from(rounds)).log2();
        let formula = format!("L * 2*{rounds}/|E|, log2 L = {list:.2}");
        self.push(label.into(), bits, formula, "Schwartz-Zippel");
    }
}

/// Where the bound on lines comes from in either regime.
pub(super) const PROXIMITY: &str = "BCIKS20 Thm 4.1 (unique) / BCHKS25 Thm 4.2 with Haböck25 (Johnson)";

/// The code of a stage as the calculator takes it.
pub(super) fn code(stage: &Stage) -> Code {
    let rs = stage.shape.code;
    Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
}
