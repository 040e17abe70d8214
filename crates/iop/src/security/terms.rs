//! Terms with their formulas written out.

use super::regime::line_multiplicity;
use super::{Code, Regime, Term};
use alloc::string::String;

impl Term {
    /// This term after `bits` of proof of work.
    // notes: sec-grinding
    #[must_use]
    pub fn ground(self, bits: u32) -> Self {
        Self { grinding: bits, ..self }
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
        Term {
            label: label.into(),
            bits: self.query_bits(code, queries),
            grinding: 0,
            formula: format!("(1-{delta:.6})^{queries}, {radius}"),
            source: "definition of the radius; independent queries",
        }
    }

    /// Term of folding one pair of words with one challenge.
    // notes: sec-line
    pub fn line_term(self, label: impl Into<String>, code: &Code, field_bits: f64) -> Term {
        self.gap_term(label.into(), code, field_bits, 1)
    }

    /// Term of combining `words` words with the powers of one challenge.
    // notes: sec-powers
    pub fn powers_term(self, label: impl Into<String>, code: &Code, field_bits: f64, words: u64) -> Term {
        self.gap_term(label.into(), code, field_bits, words.saturating_sub(1))
    }

    /// Term of combining `2^variables` words with `⊗(1 - r_i, r_i)`.
    // notes: sec-tensor
    pub fn tensor_term(self, label: impl Into<String>, code: &Code, field_bits: f64, variables: u32) -> Term {
        self.gap_term(label.into(), code, field_bits, variables.into())
    }

    /// `times` line errors.
    fn gap_term(self, label: String, code: &Code, field_bits: f64, times: u64) -> Term {
        let n = code.log_domain;
        let (formula, source) = match self {
            Self::UniqueDecoding => (format!("{times}·2^{n} / 2^{field_bits:.2}"), LINE_UNIQUE),
            Self::Johnson { .. } if code.dimension == 1 => (
                format!("{times}·2^{n}·(2^{n}-1)/2 / 2^{field_bits:.2}"),
                "pairs of positions; notes, sec-line",
            ),
            Self::Johnson { multiplicity } => {
                let h = f64::from(line_multiplicity(multiplicity)) + 0.5;
                let formula = format!(
                    "{times}·8·2^{n}·{h}^3/(3r) / 2^{field_bits:.2}, r = {}/2^{n}",
                    code.dimension.saturating_sub(1)
                );
                (formula, LINE_JOHNSON)
            }
        };
        let bits = self.powers_bits(code, field_bits, times.saturating_add(1));
        Term { label, bits, grinding: 0, formula, source }
    }

    /// Term of one out-of-domain sample with `variables` coordinates.
    // notes: sec-ood
    pub fn ood_term(self, label: impl Into<String>, code: &Code, field_bits: f64, variables: u32) -> Term {
        let list = libm::exp2(self.list_bits(code));
        let formula = match self {
            Self::UniqueDecoding => "no error: one codeword at most".into(),
            Self::Johnson { .. } => format!("{list:.1}·({list:.1}-1)/2·{variables}/2^{field_bits:.2}"),
        };
        Term {
            label: label.into(),
            bits: self.ood_bits(code, field_bits, variables, 1),
            grinding: 0,
            formula,
            source: "Schwartz-Zippel over pairs of the list (Johnson bound)",
        }
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
        Term {
            label: label.into(),
            bits: self.claim_bits(code, field_bits, degree),
            grinding: 0,
            formula: format!("{:.1}·{degree} / 2^{field_bits:.2}", libm::exp2(self.list_bits(code))),
            source: "Schwartz-Zippel, once per codeword of the list",
        }
    }
}

const LINE_UNIQUE: &str = "BCIKS20 Thm 1.4, 1.5 (2020/654); mutual: ACFY24 Lemma 4.10 (2024/1586)";
const LINE_JOHNSON: &str = "DKT26 Thm 5.12, App. B (2026/2056); cf. BCHKS25 Thm 4.6 (2025/2055)";

/// The rate as it is: `dimension/2^log_domain`, or `1/2^k` when it is one.
fn rate(code: &Code) -> String {
    let log = code.dimension.checked_ilog2().unwrap_or(0);
    if code.dimension.is_power_of_two() && log <= code.log_domain {
        format!("2^-{}", code.log_domain - log)
    } else {
        format!("{}/2^{}", code.dimension, code.log_domain)
    }
}
