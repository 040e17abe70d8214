//! Every error source of the protocol, one labelled term each. (notes: sec-terms)

use super::chain::Chain;
use super::params::{Inner, Params};
use super::stage::Stage;
use iop::security::{Code, Regime, Report, Term};
use iop::sumcheck::Rounds;

pub(super) fn report(params: &Params) -> Report {
    // Exhaustive: a new parameter does not build until it is accounted for here.
    let Params { fields, hash: _, regime, log_size, polynomials, max_forms, hidden_openings, level, inner } =
        params;
    let mut report = Report::new(*regime, fields.bits());
    let stages = params.stages();
    let mut terms = Terms { report: &mut report, regime: *regime, field_bits: fields.bits() };
    let Some(first) = stages.first() else { return report };
    if let (Inner::TwoChains, Some(chain)) = (inner, params.chain(first)) {
        terms.two_chains(first, &chain);
        return report;
    }
    terms.out_of_domain("commit", first, *log_size);
    if *hidden_openings == 0 {
        // With the out-of-domain claims of the commitment.
        let claims = (u64::from(*max_forms) + 1) * u64::from(*polynomials);
        terms.claim("batch columns", first, claims - 1, 0);
        terms.fold("columns", first);
    } else {
        terms.hiding(first, *polynomials, level.fold_grinding);
    }
    match params.chain(first) {
        None => terms.recursion(&stages),
        Some(chain) => terms.chain(first, &chain),
    }
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

    /// A sumcheck whose challenges also combine the stage's columns: list members survive the combination, and so do
    /// violated claims.
    fn fold(&mut self, at: &str, stage: &Stage) {
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
    fn hiding(&mut self, stage: &Stage, polynomials: u32, grinding: u32) {
        let (columns, polynomials) = (stage.rounds.count as u32, u64::from(polynomials));
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

    /// Every stage after the first: its out-of-domain sample, the rows of the stage before, batching, folding.
    fn recursion(&mut self, stages: &[Stage]) {
        for (i, pair) in stages.windows(2).enumerate() {
            let [before, stage] = pair else { continue };
            let at = format!("level {}", i + 1);
            self.out_of_domain(&at, stage, before.shape.code.log_rows as u32);
            self.queries(i, before);
            // The running claim, the out-of-domain one and the rows: one degree less than claims.
            self.claim(format!("batch {at}"), stage, before.queries as u64 + 1, 0);
            self.fold(&at, stage);
        }
        if let Some(last) = stages.last() {
            self.queries(stages.len() - 1, last);
        }
    }

    /// The folds of one chain, a variable at a time, and one set of positions through all words. (notes: sec-chain)
    fn chain(&mut self, first: &Stage, chain: &Chain) {
        let words = (0..chain.folds()).flat_map(|word| core::iter::repeat_n(word, chain.step(word)));
        for (variable, word) in words.enumerate() {
            let (before, folded) = (squared(chain, variable), squared(chain, variable + 1));
            let grinding = chain.rounds(word).grinding;
            let term = self.regime.line_term(format!("fold {variable}"), &folded, self.field_bits);
            self.push(term.ground(grinding));
            let term = self.regime.claim_term(format!("sumcheck {variable}"), &before, self.field_bits, 2);
            self.push(term.ground(grinding));
        }
        self.query_term("queries", first);
    }

    /// The combination of the fragments, the folds with a word of the value chain swept in, the queries. The value has no
    /// term of its own: its words are fixed before any challenge. (notes: sec-two-chains)
    fn two_chains(&mut self, first: &Stage, chain: &Chain) {
        let grinding = first.rounds.grinding;
        if first.rounds.count > 0 {
            let columns = first.rounds.count as u32;
            let term = self.regime.tensor_term("combine columns", &code(first), self.field_bits, columns);
            self.push(term.ground(grinding));
        }
        for i in 0..chain.folds() {
            let swept = if i + 1 < chain.folds() { 3 } else { 2 };
            let folded = squared(chain, i + 1);
            let term = self.regime.powers_term(format!("fold {i}"), &folded, self.field_bits, swept);
            self.push(term.ground(grinding));
        }
        self.query_term("queries", first);
    }

    /// A word outside the accepted distance meets only agreeing positions.
    fn queries(&mut self, level: usize, stage: &Stage) {
        self.query_term(format!("queries level {level}"), stage);
    }

    fn query_term(&mut self, label: impl Into<String>, stage: &Stage) {
        let term = self.regime.query_term(label, &code(stage), stage.queries as u32);
        self.push(term.ground(stage.grinding));
    }

    /// Some list member satisfies a claim by luck.
    fn claim(&mut self, label: impl Into<String>, stage: &Stage, degree: u64, grinding: u32) {
        let term = self.regime.claim_term(label, &code(stage), self.field_bits, degree);
        self.push(term.ground(grinding));
    }
}

/// The code of a stage as the calculator takes it.
fn code(stage: &Stage) -> Code {
    let rs = stage.shape.code;
    Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
}

/// The code after so many folds.
fn squared(chain: &Chain, folds: usize) -> Code {
    let domain = chain.word(0).folded(folds);
    Code { dimension: domain.length() as u64, log_domain: domain.log_domain() as u32 }
}
