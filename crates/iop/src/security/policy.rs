//! What a verifier accepts.

use super::{Regime, Report, Shown, Theorems};
use crate::error::ParamError;

/// The decoding regimes that a verifier accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Regimes {
    /// Unique decoding and Johnson.
    #[default]
    Any,
    /// Unique decoding only: no theorem later than 2020, and a root stands for one message at most.
    UniqueDecoding,
}

/// What a verifier accepts.
///
/// Bits are those of the protocol's errors, `-log2` of their sum. The hash's collisions are no part of them: a level of 128
/// means an error of `2^-128` a query of the random oracle in the protocol, with a hash of at least 256 bits beside it, of which 256 give
/// `2^-127.2` ([`Report::collision_bits`]); both together are [`Report::combined_bits`].
// notes: sec-union, sec-collisions
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Least number of proven bits, grinding included, over the whole protocol; more than [`Report::max_level`] accepts nothing.
    pub min_bits: u32,
    /// Accepted decoding regimes.
    pub regimes: Regimes,
    /// The theorems that must each prove the bits beyond unique decoding. A proof never chooses them.
    pub theorems: Theorems,
    /// Least number of proven bits without grinding.
    pub interactive_bits: u32,
}

impl Policy {
    /// Accepts parameters that prove so many bits under each of the [`Theorems::DEFAULT`], in any regime, however much of
    /// it is work.
    pub const fn at_least(min_bits: u32) -> Self {
        Self { min_bits, regimes: Regimes::Any, theorems: Theorems::DEFAULT, interactive_bits: 0 }
    }

    /// Accepts a report whose regime is valid and admitted, and whose [`Report::proven_bits`] and
    /// [`Report::interactive_bits`], under this policy's theorems, reach what is asked. Returns the report under them.
    ///
    /// # Errors
    /// Says which bound was missed and by which term most of it was lost, or that no parameters can meet the policy; where
    /// other theorems would prove the bits, which ones.
    pub fn check(&self, report: &Report) -> Result<Report, ParamError> {
        report.regime.validate().map_err(ParamError::OutOfRange)?;
        if self.regimes == Regimes::UniqueDecoding && report.regime != Regime::UniqueDecoding {
            let reason = format!("unique decoding is required, and the parameters are for {}", report.regime);
            return Err(ParamError::OtherRegime(reason));
        }
        if self.min_bits > report.max_level() {
            let reason = format!(
                "{} bits are required, and no parameters prove more than the {} of the level that a \
                 {}-bit hash resists collisions at",
                self.min_bits,
                report.max_level(),
                report.digest_bits
            );
            let proven = report.under(self.theorems).proven_bits().min(f64::from(report.max_level()));
            let (required, without_work) = (self.min_bits, false);
            return Err(ParamError::TooFewBits { proven, required, without_work, reason });
        }
        let report = report.under(self.theorems);
        self.reached(&report, self.min_bits, report.proven_bits(), "")?;
        self.reached(&report, self.interactive_bits, report.interactive_bits(), " without work")?;
        Ok(report)
    }

    fn reached(&self, report: &Report, required: u32, bits: f64, how: &str) -> Result<(), ParamError> {
        if bits >= f64::from(required) {
            return Ok(());
        }
        let weakest = report.weakest().map_or("no term at all", |term| term.label.as_str());
        let mut reason = format!(
            "proven security of {} bits{how} is below the required {required} (weakest term: {weakest})",
            Shown(bits)
        );
        let work = usize::from(!how.is_empty());
        for (theorem, bits) in report.by_theorem() {
            if report.regime != Regime::UniqueDecoding && bits[work] >= f64::from(required) {
                let names = self.theorems;
                reason += &format!(
                    "; that is under {names}: the theorem {theorem} alone proves {} bits{how}",
                    Shown(bits[work])
                );
            }
        }
        Err(ParamError::TooFewBits { proven: bits, required, without_work: work == 1, reason })
    }
}
