//! Bounds on Reed-Solomon codes, as bits.
//!
//! Chapter `security` of the notes states each theorem and where it is proven.

use super::{Code, Theorems};
use alloc::string::String;

/// How far from the code a word may be and still be accepted by the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// Up to half the minimum distance: at most one codeword is near.
    UniqueDecoding,
    /// Below the Johnson radius by `√ρ / multiplicity`: a short list of codewords is near.
    Johnson {
        /// Multiplicity `m >= 3` of the Guruswami-Sudan interpolation that the theorems use.
        multiplicity: u32,
    },
}

/// Bits of an error bound that proves nothing.
const NOTHING: f64 = 0.0;

/// An error above one, or one that is not a number, proves nothing.
fn clamp(bits: f64) -> f64 {
    if bits.is_nan() { NOTHING } else { bits.max(NOTHING) }
}

impl Regime {
    /// Refuses a multiplicity below 3, for which the theorems say nothing.
    ///
    /// # Errors
    /// Names the multiplicity.
    pub fn validate(self) -> Result<(), String> {
        match self {
            Self::Johnson { multiplicity } if multiplicity < 3 => {
                Err(format!("Johnson regime needs multiplicity >= 3, got {multiplicity}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the bounds below apply to `code` at all.
    fn applies(self, code: &Code) -> bool {
        code.is_proper() && self.validate().is_ok()
    }

    /// The proximity parameter `δ`, a fraction of the positions; 0 where nothing is proven.
    ///
    /// `(1 - ρ)/2` for unique decoding, `1 - √ρ - √ρ/m` below the Johnson radius.
    // notes: sec-regimes
    pub fn distance(self, code: &Code) -> f64 {
        if !self.applies(code) {
            return 0.0;
        }
        let rate = code.rate();
        let delta = match self {
            Self::UniqueDecoding => (1.0 - rate) / 2.0,
            Self::Johnson { multiplicity } => 1.0 - libm::sqrt(rate) * (1.0 + 1.0 / f64::from(multiplicity)),
        };
        delta.max(0.0)
    }

    /// Whether the radius is positive, so that the statements about it are not empty.
    fn proves(self, code: &Code) -> bool {
        self.distance(code) > 0.0
    }

    /// Bits of `(1 - δ)^queries`: all queries miss a word that is further than `δ` from what was sent.
    // notes: sec-query
    pub fn query_bits(self, code: &Code, queries: u32) -> f64 {
        // ln_1p keeps the digits when δ is small.
        clamp(-f64::from(queries) * libm::log1p(-self.distance(code)) / core::f64::consts::LN_2)
    }

    /// `log2 L`, where at most `L` (interleaved) codewords lie within `δ` of any word; infinite where no
    /// bound is proven.
    ///
    /// `L = 1` for unique decoding and `1/(2η√ρ) = m/(2ρ)` below the Johnson radius, `η = √ρ/m`.
    // notes: sec-list
    pub fn list_bits(self, code: &Code) -> f64 {
        if !self.proves(code) {
            return f64::INFINITY;
        }
        match self {
            Self::UniqueDecoding => 0.0,
            Self::Johnson { multiplicity } => libm::log2(f64::from(multiplicity) / (2.0 * code.rate())),
        }
    }

    /// Bits of the mutual correlated agreement error of a line `u_0 + r u_1` of interleaved words, for one
    /// challenge `r` in a field of `2^field_bits` elements: the least over the theorems.
    ///
    /// With `n` the domain size, the error times the field size is `n` for unique decoding, whatever the theorems; below
    /// the Johnson radius, see [`super::Theorem`].
    // notes: sec-line
    pub fn line_bits(self, code: &Code, field_bits: f64, theorems: Theorems) -> f64 {
        self.lines_bits(code, field_bits, theorems, 1)
    }

    /// Bits of `count` errors of lines.
    pub(super) fn lines_bits(self, code: &Code, field_bits: f64, theorems: Theorems, count: u64) -> f64 {
        match count {
            0 => f64::INFINITY,
            count => clamp(field_bits - self.line_count_bits(code, theorems) - libm::log2(count as f64)),
        }
    }

    /// `log2` of a bound on the bad challenges of a line; infinite where nothing is proven.
    fn line_count_bits(self, code: &Code, theorems: Theorems) -> f64 {
        if !self.proves(code) {
            return f64::INFINITY;
        }
        let log_domain = f64::from(code.log_domain);
        match self {
            Self::UniqueDecoding => log_domain,
            // Constants: two positions that differ agree for one challenge at most, so n(n-1)/2 in all, and n²/2 is charged.
            Self::Johnson { .. } if code.dimension == 1 => 2.0 * log_domain - 1.0,
            Self::Johnson { multiplicity } => {
                let weakest = theorems.weakest(code, multiplicity, self.distance(code));
                weakest.map_or(f64::INFINITY, |(_, count)| count)
            }
        }
    }

    /// Bits of the error of combining `words` words with the powers `1, r, r², …` of one challenge:
    /// `words - 1` times the error of a line. Infinite (no error) for fewer than two words.
    // notes: sec-powers
    pub fn powers_bits(self, code: &Code, field_bits: f64, theorems: Theorems, words: u64) -> f64 {
        self.lines_bits(code, field_bits, theorems, words.saturating_sub(1))
    }

    /// Bits of the error of combining `2^variables` words with `⊗(1 - r_i, r_i)`, one challenge per variable:
    /// the union over the variables of the error of a line. Infinite (no error) for no variable.
    // notes: sec-tensor
    pub fn tensor_bits(self, code: &Code, field_bits: f64, theorems: Theorems, variables: u32) -> f64 {
        self.lines_bits(code, field_bits, theorems, variables.into())
    }

    /// Bits of the error that two codewords of one list agree at `samples` random points of `variables`
    /// coordinates: `L(L-1)/2 · (variables / |E|)^samples`.
    ///
    /// Infinite (no error) for unique decoding, where the list has one member, and for messages of one
    /// coefficient (`variables = 0`), which never agree when they differ.
    // notes: sec-ood
    pub fn ood_bits(self, code: &Code, field_bits: f64, variables: u32, samples: u32) -> f64 {
        if !self.proves(code) {
            return NOTHING;
        }
        let list = libm::exp2(self.list_bits(code));
        if list <= 1.0 || variables == 0 {
            return f64::INFINITY;
        }
        let pairs = self.list_bits(code) + libm::log2(list - 1.0) - 1.0;
        let sample = clamp(field_bits - libm::log2(f64::from(variables)));
        clamp(f64::from(samples) * sample - pairs)
    }
}
