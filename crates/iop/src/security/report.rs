//! The report: labelled terms, their sum, and two ways to print it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::{Code, Regime, Shown, Theorem, Theorems};
use crate::hash::Hash;

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
    /// The lines whose bad challenges the term counts, if it does.
    pub lines: Option<Lines>,
}

/// Errors of lines over one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The code.
    pub code: Code,
    /// How many lines.
    pub count: u64,
    /// How many a union bound over the columns would charge.
    pub row_union: u64,
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
    /// The theorems that lines were computed by, each term by the one that proves least.
    pub theorems: Theorems,
    /// Bits of a digest of the hash of trees and transcript.
    pub digest_bits: u32,
}

impl Report {
    /// A report without terms, which proves nothing yet, under [`Theorems::DEFAULT`] and with digests of 256 bits.
    pub fn new(regime: Regime, field_bits: f64) -> Self {
        Self { terms: Vec::new(), field_bits, regime, theorems: Theorems::DEFAULT, digest_bits: 256 }
    }

    /// The same report of a protocol with this hash.
    #[must_use]
    pub fn hashed_by(self, hash: Hash) -> Self {
        Self { digest_bits: 8 * hash.bytes() as u32, ..self }
    }

    /// The most bits that a policy may ask for: half of those of a digest, the usual name of its level. What collisions
    /// add to the errors of the protocol is [`Report::collision_bits`], beside the level and a little below it.
    // notes: sec-collisions
    pub fn max_level(&self) -> u32 {
        self.digest_bits / 2
    }

    /// Bits against collisions of the hash: `T` hashes gain at most `3(T² + 1)/2^d` by them with digests of `d` bits (BCS16). For 256 bits
    /// that is 1 for `T = 2^127.2` and at most `T · 2^-127.2` for fewer; 191.2 for 384 bits, 255.2 for 512.
    // notes: sec-collisions
    pub fn collision_bits(&self) -> f64 {
        (f64::from(self.digest_bits) - 1.584_962_500_721_156) / 2.0
    }

    /// Adds a term.
    pub fn push(&mut self, term: Term) {
        self.terms.push(term);
    }

    /// The term with the fewest bits, grinding included.
    pub fn weakest(&self) -> Option<&Term> {
        self.terms.iter().min_by(|a, b| a.total().total_cmp(&b.total()))
    }

    /// The same report with every line by the weakest of the theorems.
    // notes: sec-theorems
    #[must_use]
    pub fn under(&self, theorems: Theorems) -> Self {
        if theorems == self.theorems {
            return self.clone();
        }
        let terms = self.terms.iter().map(|t| t.clone().under(theorems, self.regime, self.field_bits));
        Self { terms: terms.collect(), theorems, ..*self }
    }

    /// The least total over the terms, as calculators that charge each round alone print it; 0 for an empty
    /// report.
    ///
    /// A round whose challenge has several terms (sumcheck and fold, say) errs with their sum, so this is an
    /// optimistic figure; see [`Report::proven_bits`].
    pub fn round_by_round(&self) -> f64 {
        self.weakest().map_or(0.0, Term::total)
    }

    /// The bits a verifier's policy compares: `-log2 Σ 2^-total` over all terms, grinding included; 0 for an empty
    /// report, never negative.
    ///
    /// These are the errors of the protocol. Collisions of the hash come on top: [`Report::collision_bits`],
    /// [`Report::combined_bits`].
    // notes: sec-union
    pub fn proven_bits(&self) -> f64 {
        union(self.terms.iter().map(Term::total))
    }

    /// The same without any work: minus the logarithm of the chance of a prover who may not try again.
    // notes: sec-grinding
    pub fn interactive_bits(&self) -> f64 {
        union(self.terms.iter().map(|term| Term { grinding: 0, ..term.clone() }.total()))
    }

    /// `-log2(2^-proven + 2^-collisions)`: the errors of the protocol and collisions of the hash together.
    // notes: sec-collisions
    pub fn combined_bits(&self) -> f64 {
        union([self.proven_bits(), self.collision_bits()].into_iter())
    }

    /// What [`Report::proven_bits`] would be if interleaving cost a union over the columns, as flock charges it.
    // notes: sec-line
    pub fn row_union_bits(&self) -> f64 {
        let terms = self.terms.iter().cloned();
        union(terms.map(|term| term.by_rows(self.theorems, self.regime, self.field_bits).total()))
    }

    /// `(proven, interactive)` bits by each theorem alone.
    pub fn by_theorem(&self) -> impl Iterator<Item = (Theorem, [f64; 2])> {
        Theorem::ALL.into_iter().map(|theorem| {
            let report = self.under(Theorems::only(theorem));
            (theorem, [report.proven_bits(), report.interactive_bits()])
        })
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
        let _ = write!(out, ",\"theorems\":{}", json_string(&self.theorems.to_string()));
        let _ = write!(out, ",\"field_bits\":{:.3}", self.field_bits);
        for (key, bits) in [
            ("proven_bits", self.proven_bits()),
            ("interactive_bits", self.interactive_bits()),
            ("collision_bits", self.collision_bits()),
            ("combined_bits", self.combined_bits()),
            ("row_union_bits", self.row_union_bits()),
            ("round_by_round_bits", self.round_by_round()),
        ] {
            let _ = write!(out, ",\"{key}\":{}", json_bits(bits));
        }
        out.push_str(",\"by_theorem\":{");
        for (index, (theorem, [proven, interactive])) in self.by_theorem().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let (name, proven, interactive) = (theorem.name(), json_bits(proven), json_bits(interactive));
            let _ = write!(
                out,
                "{comma}\"{name}\":{{\"proven_bits\":{proven},\"interactive_bits\":{interactive}}}"
            );
        }
        out.push('}');
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

/// A JSON number with three decimals, rounded down, or `null` for what JSON cannot say.
fn json_bits(bits: f64) -> String {
    if bits.is_finite() { format!("{:.3}", Shown(bits)) } else { "null".into() }
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

/// Bits in a table: two decimals, rounded down, and a dash for no error.
fn cell(bits: f64) -> String {
    if bits.is_infinite() { "-".into() } else { Shown(bits).to_string() }
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
        self.sums(f)
    }
}

impl Report {
    /// The lines below the table.
    fn sums(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "proven bits (union of all terms): {}", cell(self.proven_bits()))?;
        writeln!(f, "  without work (interactive):     {}", cell(self.interactive_bits()))?;
        writeln!(f, "collisions of the hash:           {}", Shown(self.collision_bits()))?;
        writeln!(f, "  with the proven bits:           {}", cell(self.combined_bits()))?;
        if self.regime != Regime::UniqueDecoding {
            writeln!(f, "under each theorem on lines alone (counted: {}):", self.theorems)?;
            for (theorem, [proven, interactive]) in self.by_theorem() {
                let (proven, interactive) = (cell(proven), cell(interactive));
                let name = theorem.name();
                writeln!(f, "  {name:<12} {proven:>7}, without work {interactive:>7}  {}", theorem.source())?;
            }
            writeln!(f, "row union as flock charges it:    {}", cell(self.row_union_bits()))?;
        }
        write!(f, "least term (round by round):      {}", cell(self.round_by_round()))
    }
}

/// `-log2 Σ 2^-bits`; 0 without any, never negative.
fn union(bits: impl Iterator<Item = f64> + Clone) -> f64 {
    let Some(least) = bits.clone().min_by(f64::total_cmp) else { return 0.0 };
    if least.is_infinite() {
        return least;
    }
    // Shifted by the largest error: the sum lies in [1, terms], so nothing underflows.
    let sum: f64 = bits.map(|bits| libm::exp2(least - bits)).sum();
    (least - libm::log2(sum)).max(0.0)
}
