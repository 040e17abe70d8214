//! The report: labelled terms, their sum, and two ways to print it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::Regime;
use crate::hash::Digest;

/// Bits against collisions of every hash here: half of those of a digest. `T` hashes find a collision with probability
/// about `T² / 2^257`, which is below `T · 2^-128` for every `T` up to `2^129`.
// notes: sec-assumed
pub const COLLISION_BITS: f64 = 4.0 * size_of::<Digest>() as f64;

/// One source of error.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Which challenge of the protocol, such as `level 1: queries`.
    pub label: String,
    /// `-log2` of the error bound, without grinding; infinite where there is no error.
    pub bits: f64,
    /// Bits of proof of work done before this term's challenge is drawn.
    pub grinding: u32,
    /// The bound with its numbers put in, to be checked by hand.
    pub formula: String,
    /// Paper and theorem.
    pub source: &'static str,
}

impl Term {
    /// Bits of this term with its grinding. A `bits` that is not a number counts as nothing at all.
    // notes: sec-grinding
    pub fn total(&self) -> f64 {
        if self.bits.is_nan() { 0.0 } else { self.bits.max(0.0) + f64::from(self.grinding) }
    }
}

/// All error terms of one protocol run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// In the order of the protocol.
    pub terms: Vec<Term>,
    /// `log2` of the number of elements of the challenge field.
    pub field_bits: f64,
    /// The regime in which every term was computed.
    pub regime: Regime,
}

impl Report {
    /// A report without terms, which proves nothing yet.
    pub fn new(regime: Regime, field_bits: f64) -> Self {
        Self { terms: Vec::new(), field_bits, regime }
    }

    /// Adds a term.
    pub fn push(&mut self, term: Term) {
        self.terms.push(term);
    }

    /// The term with the fewest bits, grinding included.
    pub fn weakest(&self) -> Option<&Term> {
        self.terms.iter().min_by(|a, b| a.total().total_cmp(&b.total()))
    }

    /// The least total over the terms, as calculators that charge each round alone print it; 0 for an empty
    /// report.
    ///
    /// A round whose challenge has several terms (sumcheck and fold, say) errs with their sum, so this is an
    /// optimistic figure; see [`Report::proven_bits`].
    pub fn round_by_round(&self) -> f64 {
        self.weakest().map_or(0.0, Term::total)
    }

    /// `-log2 Σ 2^-total` over all terms; 0 for an empty report, never negative.
    // notes: sec-union
    pub fn union(&self) -> f64 {
        let least = self.round_by_round();
        if self.terms.is_empty() || least.is_infinite() {
            return least;
        }
        // Shifted by the largest error: the sum lies in [1, terms], so nothing underflows.
        let sum: f64 = self.terms.iter().map(|term| libm::exp2(least - term.total())).sum();
        (least - libm::log2(sum)).max(0.0)
    }

    /// The bits a verifier's policy compares: the union bound over all terms, and no more than the trees and the
    /// transcript resist collisions with ([`COLLISION_BITS`]).
    // notes: sec-union
    pub fn proven_bits(&self) -> f64 {
        self.union().min(COLLISION_BITS)
    }

    /// The report as one JSON object; infinite bits (no error) are `null`.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"regime\":");
        match self.regime {
            Regime::UniqueDecoding => out.push_str("{\"name\":\"unique-decoding\"}"),
            Regime::Johnson { multiplicity } => {
                let _ = write!(out, "{{\"name\":\"johnson\",\"multiplicity\":{multiplicity}}}");
            }
        }
        for (key, bits) in [
            ("field_bits", self.field_bits),
            ("proven_bits", self.proven_bits()),
            ("union_bits", self.union()),
            ("collision_bits", COLLISION_BITS),
            ("round_by_round_bits", self.round_by_round()),
        ] {
            let _ = write!(out, ",\"{key}\":{}", json_bits(bits));
        }
        out.push_str(",\"terms\":[");
        for (index, term) in self.terms.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(
                out,
                "{comma}{{\"label\":{},\"bits\":{},\"grinding\":{},\"total\":{},\"formula\":{},\"source\":{}}}",
                json_string(&term.label),
                json_bits(term.bits),
                term.grinding,
                json_bits(term.total()),
                json_string(&term.formula),
                json_string(term.source),
            );
        }
        out.push_str("]}");
        out
    }
}

/// A JSON number with three decimals, or `null` for what JSON cannot say.
fn json_bits(bits: f64) -> String {
    if bits.is_finite() { format!("{bits:.3}") } else { "null".into() }
}

/// A JSON string literal.
fn json_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl fmt::Display for Regime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UniqueDecoding => f.write_str("unique decoding"),
            Self::Johnson { multiplicity } => write!(f, "Johnson, multiplicity {multiplicity}"),
        }
    }
}

/// Bits in a table: two decimals, and a dash for no error.
fn cell(bits: f64) -> String {
    if bits.is_infinite() { "-".into() } else { format!("{bits:.2}") }
}

/// An aligned table: label, bits, grinding, total, formula, source; then the sums.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = self.terms.iter().map(|t| t.label.chars().count()).max().unwrap_or(0).max(5);
        let formula = self.terms.iter().map(|t| t.formula.chars().count()).max().unwrap_or(0).max(7);
        writeln!(f, "regime: {}; challenge field: {:.2} bits", self.regime, self.field_bits)?;
        writeln!(
            f,
            "{:<label$}  {:>8}  {:>5}  {:>8}  {:<formula$}  source",
            "error", "bits", "grind", "total", "formula"
        )?;
        for t in &self.terms {
            writeln!(
                f,
                "{:<label$}  {:>8}  {:>5}  {:>8}  {:<formula$}  {}",
                t.label,
                cell(t.bits),
                t.grinding,
                cell(t.total()),
                t.formula,
                t.source
            )?;
        }
        writeln!(f, "sum of all terms (union bound):   {}", cell(self.union()))?;
        writeln!(f, "collisions of the hash:           {COLLISION_BITS:.2}")?;
        writeln!(f, "proven bits (the least of both):  {:.2}", self.proven_bits())?;
        write!(f, "least term (round by round):      {}", cell(self.round_by_round()))
    }
}
