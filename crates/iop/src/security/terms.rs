//! Terms with their formulas written out.

use super::{Code, Lines, Regime, Term, Theorems};
use alloc::string::String;

impl Term {
    /// This term after `bits` of proof of work.
    // notes: sec-grinding
    #[must_use]
    pub fn ground(self, bits: u32) -> Self {
        Self { grinding: bits, ..self }
    }

    /// The error of so many challenges of this kind; for terms that no theorem on lines enters.
    // notes: sec-union
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        debug_assert!(self.lines.is_none(), "a term of lines counts them itself");
        if count <= 1 {
            return self;
        }
        let bits = (self.bits - libm::log2(f64::from(count))).max(0.0);
        Self { bits, formula: format!("{count}·({})", self.formula), ..self }
    }

    /// A term that no theorem on lines enters.
    fn plain(label: String, bits: f64, formula: String, source: &'static str) -> Self {
        Self { label, bits, grinding: 0, formula, source, lines: None }
    }
}

impl Regime {
    /// Term `(1 - δ)^queries`.
    // notes: sec-query
    pub fn query_term(self, label: impl Into<String>, code: &Code, queries: u32) -> Term {
        let delta = self.distance(code);
        let radius = match self {
            Self::UniqueDecoding => format!("δ = (1-{})/2", rate(code)),
            Self::Johnson { multiplicity } => format!("δ = 1-√ρ-√ρ/{multiplicity}, ρ = {}", rate(code)),
        };
        let (bits, formula) = (self.query_bits(code, queries), format!("(1-{delta:.6})^{queries}, {radius}"));
        Term::plain(label.into(), bits, formula, "definition of the radius; independent queries")
    }

    /// Term of folding one pair of words with one challenge.
    // notes: sec-line
    pub fn line_term(self, label: impl Into<String>, code: &Code, field_bits: f64) -> Term {
        self.lines_term(label.into(), Lines { code: *code, count: 1, row_union: 1 }, field_bits)
    }

    /// Term of combining `words` words with the powers of one challenge.
    // notes: sec-powers
    pub fn powers_term(self, label: impl Into<String>, code: &Code, field_bits: f64, words: u64) -> Term {
        let count = words.saturating_sub(1);
        self.lines_term(label.into(), Lines { code: *code, count, row_union: count }, field_bits)
    }

    /// Term of combining `2^variables` words with `⊗(1 - r_i, r_i)`.
    // notes: sec-tensor
    pub fn tensor_term(self, label: impl Into<String>, code: &Code, field_bits: f64, variables: u32) -> Term {
        // Round j of v halves the columns to 2^(v-j), and a union over them pays for each.
        let row_union = 1u64.checked_shl(variables).map_or(u64::MAX, |columns| columns - 1);
        let lines = Lines { code: *code, count: variables.into(), row_union };
        self.lines_term(label.into(), lines, field_bits)
    }

    /// A term of lines under [`Theorems::DEFAULT`]; [`super::Report::under`] computes it under others.
    fn lines_term(self, label: String, lines: Lines, field_bits: f64) -> Term {
        let term = Term::plain(label, 0.0, String::new(), "");
        Term { lines: Some(lines), ..term }.under(Theorems::DEFAULT, self, field_bits)
    }

    /// Term of one out-of-domain sample with `variables` coordinates.
    // notes: sec-ood
    pub fn ood_term(self, label: impl Into<String>, code: &Code, field_bits: f64, variables: u32) -> Term {
        let list = libm::exp2(self.list_bits(code));
        let formula = match self {
            Self::UniqueDecoding => "no error: one codeword at most".into(),
            Self::Johnson { .. } => format!("{list:.1}·({list:.1}-1)/2·{variables}/2^{field_bits:.2}"),
        };
        let bits = self.ood_bits(code, field_bits, variables, 1);
        Term::plain(label.into(), bits, formula, "Schwartz-Zippel over pairs of the list (Johnson bound)")
    }

    /// Bits of `L · degree / |E|`: some codeword of the list satisfies a claim by luck, where the claim is a
    /// polynomial identity of total degree `degree` in the challenge. Infinite (no error) for degree 0.
    // notes: sec-claim
    pub fn claim_bits(self, code: &Code, field_bits: f64, degree: u64) -> f64 {
        if degree == 0 {
            return f64::INFINITY;
        }
        let bits = field_bits - self.list_bits(code) - libm::log2(degree as f64);
        if bits.is_nan() { 0.0 } else { bits.max(0.0) }
    }

    /// Term of [`Regime::claim_bits`]: sumcheck rounds (degree 2 each), the powers that batch claims (degree
    /// claims - 1), a tensor combination of columns (degree: its variables).
    // notes: sec-claim
    pub fn claim_term(self, label: impl Into<String>, code: &Code, field_bits: f64, degree: u64) -> Term {
        let formula = format!("{:.1}·{degree} / 2^{field_bits:.2}", libm::exp2(self.list_bits(code)));
        let bits = self.claim_bits(code, field_bits, degree);
        Term::plain(label.into(), bits, formula, "Schwartz-Zippel, once per codeword of the list")
    }
}

impl Term {
    /// The term with its line errors by the weakest of the theorems.
    pub(super) fn under(self, theorems: Theorems, regime: Regime, field_bits: f64) -> Self {
        let Some(lines) = self.lines else { return self };
        let Lines { code, count, .. } = lines;
        let n = code.log_domain;
        let weakest = match regime {
            Regime::Johnson { multiplicity } if code.dimension > 1 => {
                let delta = regime.distance(&code);
                let weakest = theorems.weakest(&code, multiplicity, delta);
                weakest.map(|(theorem, _)| (theorem.formula(&code, multiplicity, delta), theorem.source()))
            }
            _ => None,
        };
        let of_field = format!("/ 2^{field_bits:.2}");
        let (formula, source) = match (weakest, regime) {
            (Some((bound, source)), _) => {
                let degree = code.dimension.saturating_sub(1);
                (format!("{count}·{bound} {of_field}, r = {degree}/2^{n}"), source)
            }
            (None, Regime::UniqueDecoding) => (format!("{count}·2^{n} {of_field}"), LINE_UNIQUE),
            (None, Regime::Johnson { .. }) => {
                (format!("{count}·2^{n}·2^{n}/2 {of_field}"), "pairs of positions; notes, sec-line")
            }
        };
        let bits = regime.lines_bits(&code, field_bits, theorems, count);
        Self { bits, formula, source, ..self }
    }

    /// The term as a union bound over the columns charges it, instead of the proof that interleaving costs nothing.
    pub(super) fn by_rows(self, theorems: Theorems, regime: Regime, field_bits: f64) -> Self {
        let Some(lines) = self.lines else { return self };
        let bits = regime.lines_bits(&lines.code, field_bits, theorems, lines.row_union);
        Self { bits, ..self }
    }
}

const LINE_UNIQUE: &str = "BCIKS20 Thm 1.4, 1.5 (2020/654); mutual: ACFY24 Lemma 4.10 (2024/1586)";

/// The rate as it is: `dimension/2^log_domain`, or `1/2^k` when it is one.
fn rate(code: &Code) -> String {
    let log = code.dimension.checked_ilog2().unwrap_or(0);
    if code.dimension.is_power_of_two() && log <= code.log_domain {
        format!("2^-{}", code.log_domain - log)
    } else {
        format!("{}/2^{}", code.dimension, code.log_domain)
    }
}
