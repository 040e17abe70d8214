//! Proven security, in bits: one labelled term per source of error.
//!
//! A scheme builds a [`Report`] from its parameters, one [`Term`] per challenge that could help a cheating
//! prover, and a verifier compares it with its [`Policy`]. Every bound here is a theorem about Reed-Solomon
//! codes, up to half the minimum distance ([`Regime::UniqueDecoding`]) or up to the Johnson radius
//! ([`Regime::Johnson`]); there is no conjectured regime. Below the Johnson radius several [`Theorem`]s bound the
//! bad challenges of a line, and the bits are the least over those that a policy counts with. Each term carries its
//! formula with the numbers put in, so that a reader can check it by hand.
//!
//! All errors are kept as bits, `-log2(error)`. Bits are never negative: an error bound above one says
//! nothing. Parameters that make no sense (rate 0 or at least 1, multiplicity below 3, a field size that is
//! not a number) give 0 bits, so that they can never pass a policy.
//!
//! The protocol's argument and what it assumes are in the notes. (notes: sec-state, sec-theorems, sec-assumed)

#[cfg(test)]
mod golden;
mod policy;
mod regime;
mod report;
mod shown;
mod terms;
#[cfg(test)]
mod tests;
mod theorem;

pub use policy::{Policy, Regimes};
pub use regime::Regime;
pub use report::{Lines, Report, Term};
pub use shown::Shown;
pub use theorem::{Theorem, Theorems};

/// A Reed-Solomon code: `dimension` coefficients, evaluated on `2^log_domain` points.
///
/// The dimension need not be a power of two: zero-knowledge padding adds random coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Number of coefficients of a message.
    pub dimension: u64,
    /// Base-2 logarithm of the number of evaluation points.
    pub log_domain: u32,
}

impl Code {
    /// Number of evaluation points `n`.
    pub fn length(&self) -> f64 {
        libm::exp2(f64::from(self.log_domain))
    }

    /// The rate `ρ = dimension / n`.
    ///
    /// A polynomial with `dimension` coefficients has degree `dimension - 1`, so two codewords agree in
    /// fewer than `ρn` positions: this is the conservative of the two usual definitions.
    pub fn rate(&self) -> f64 {
        self.dimension as f64 / self.length()
    }

    /// `(dimension - 1) / n`, the rate as theorems on polynomials of degree `dimension - 1` count it.
    pub(crate) fn degree_rate(&self) -> f64 {
        self.dimension.saturating_sub(1) as f64 / self.length()
    }

    /// Whether `0 < ρ < 1` on a domain that a machine could hold; the bounds below prove nothing for others
    /// (and the logarithms keep their digits).
    pub(crate) fn is_proper(&self) -> bool {
        self.log_domain < 64 && self.dimension > 0 && self.rate() < 1.0
    }
}
