//! Theorems on lines beyond unique decoding, and sets of them.

use super::Code;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A published bound on the bad challenges of a line below the Johnson radius.
///
/// Within unique decoding the choice does not matter: there the library charges BCIKS20's `n`, and no later theorem
/// charges more.
// notes: sec-line, sec-theorems
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theorem {
    /// Ben-Sasson, Carmon, Ishai, Kopparty, Saraf (eprint 2020/654): `(M + 1/2)⁷ n² / (3ρ^{3/2})`. Quadratic in the domain,
    /// so that fields of 128 bits prove next to nothing: by name only.
    Bciks20,
    /// Ben-Sasson, Carmon, Haböck, Kopparty, Saraf (eprint 2025/2055), with the multiplicity of its Theorem 1.5.
    Bchks25,
    /// The same with the multiplicity as Theorem 4.6 prints it, twice that of Theorem 1.5: by name only.
    Bchks25List,
    /// Dao, Kominers, Thaler (eprint 2026/2056), Theorem 5.12: `8n(M + 1/2)³ / (3ρ)`.
    Dkt26,
}

impl Theorem {
    /// All of them, the oldest first.
    pub const ALL: [Self; 4] = [Self::Bciks20, Self::Bchks25, Self::Bchks25List, Self::Dkt26];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bciks20 => "bciks20",
            Self::Bchks25 => "bchks25",
            Self::Bchks25List => "bchks25-4.6",
            Self::Dkt26 => "dkt26",
        }
    }

    /// The inverse of [`Theorem::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theorem| theorem.name() == name)
    }

    /// Paper and theorem, with the one that makes the agreement mutual where that is another.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Bciks20 => "BCIKS20 Thm 5.1 (2020/654); mutual: Hab25 Thm 2 (2025/2110)",
            Self::Bchks25 => "BCHKS25 Thm 4.6, multiplicity of Thm 1.5 (2025/2055)",
            Self::Bchks25List => "BCHKS25 Thm 4.6 as printed (2025/2055)",
            Self::Dkt26 => "DKT26 Thm 5.12, App. B (2026/2056)",
        }
    }

    /// The multiplicity `M` at which the theorem is evaluated for a radius `√ρ/multiplicity` below Johnson's: at least 3,
    /// and at least `√ρ'/(2η)`, or `√ρ'/η` as Theorem 4.6 of BCHKS25 prints it.
    pub(super) fn multiplicity(self, multiplicity: u32) -> u32 {
        match self {
            Self::Bchks25List => multiplicity.max(3),
            Self::Bciks20 | Self::Bchks25 | Self::Dkt26 => multiplicity.div_ceil(2).max(3),
        }
    }

    /// `log2` of the bound on the bad challenges, for a code of at least two coefficients and a radius `delta`.
    pub(super) fn count_bits(self, code: &Code, multiplicity: u32, delta: f64) -> f64 {
        let h = f64::from(self.multiplicity(multiplicity)) + 0.5;
        // The theorems count degrees, not coefficients. The domain size is factored out: its logarithm is exact.
        let (rate, log_domain) = (code.degree_rate(), f64::from(code.log_domain));
        match self {
            Self::Bciks20 => {
                2.0 * log_domain + 7.0 * libm::log2(h) - libm::log2(3.0) - 1.5 * libm::log2(rate)
            }
            Self::Bchks25 | Self::Bchks25List => {
                let root = libm::sqrt(rate);
                let first = (2.0 * libm::pow(h, 5.0) + 3.0 * h * delta * rate) / (3.0 * rate * root);
                log_domain + libm::log2(first + h / (root * code.length()))
            }
            Self::Dkt26 => log_domain + 3.0 + 3.0 * libm::log2(h) - libm::log2(3.0 * rate),
        }
    }

    /// The bound with its numbers put in, but for the rate `r = (dimension - 1)/n`.
    pub(super) fn formula(self, code: &Code, multiplicity: u32, delta: f64) -> String {
        let h = f64::from(self.multiplicity(multiplicity)) + 0.5;
        let n = code.log_domain;
        match self {
            Self::Bciks20 => format!("{h}^7·2^{}/(3r^1.5)", 2 * n),
            Self::Bchks25 | Self::Bchks25List => {
                format!("[(2·{h}^5+3·{h}·{delta:.6}r)·2^{n}/(3r^1.5)+{h}/√r]")
            }
            Self::Dkt26 => format!("8·2^{n}·{h}^3/(3r)"),
        }
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of theorems that must each prove what is asked: bits under a set are the least over its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Theorems(u8);

impl Default for Theorems {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Theorems {
    /// BCHKS25 and DKT26: what labels, searches and policies count with unless others are named.
    pub const DEFAULT: Self = Self::only(Theorem::Bchks25).and(Theorem::Dkt26);

    /// One theorem.
    pub const fn only(theorem: Theorem) -> Self {
        Self(1 << theorem as u8)
    }

    /// One more.
    #[must_use]
    pub const fn and(self, theorem: Theorem) -> Self {
        Self(self.0 | 1 << theorem as u8)
    }

    /// The theorems of the set, the oldest first.
    pub fn iter(self) -> impl Iterator<Item = Theorem> {
        Theorem::ALL.into_iter().filter(move |&theorem| self.0 & 1 << theorem as u8 != 0)
    }

    /// The set of so many theorems; `None` without any.
    pub fn of(theorems: &[Theorem]) -> Option<Self> {
        let (first, rest) = theorems.split_first()?;
        Some(rest.iter().fold(Self::only(*first), |set, &theorem| set.and(theorem)))
    }

    /// The theorem that proves least for a code, with `log2` of its count of bad challenges.
    pub(super) fn weakest(self, code: &Code, multiplicity: u32, delta: f64) -> Option<(Theorem, f64)> {
        let counted = self.iter().map(|t| (t, t.count_bits(code, multiplicity, delta)));
        counted.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl fmt::Display for Theorems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Theorem::name).collect();
        f.write_str(&names.join(", "))
    }
}
