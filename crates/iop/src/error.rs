//! The two kinds of errors of this crate.
//!
//! A third kind is no error value: the prover `assert!`s what its caller promised.

use alloc::string::String;

/// A proof or message is rejected; opaque, with a static reason for logs and tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid proof: {0}")]
pub struct Invalid(pub &'static str);

/// Parameters are refused, by a constructor or by a policy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("bad parameters: {}", self.reason())]
#[non_exhaustive]
pub enum ParamError {
    /// They are out of range, do not go together, or there are none for what is asked for.
    OutOfRange(String),
    /// They prove fewer bits than a policy asks for.
    TooFewBits {
        /// The bits that they prove, under the theorems of the policy.
        proven: f64,
        /// The bits asked for.
        required: u32,
        /// True if these are bits without proof of work.
        without_work: bool,
        /// All of this in words, with what most of the bits are lost by.
        reason: String,
    },
    /// They are for a decoding regime that a policy does not accept.
    OtherRegime(String),
}

// The bits of a report are numbers.
impl Eq for ParamError {}

impl ParamError {
    /// Why they are refused, in words.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::OutOfRange(reason) | Self::TooFewBits { reason, .. } | Self::OtherRegime(reason) => reason,
        }
    }

    /// The same refusal, with words before its reason.
    #[must_use]
    pub fn after(mut self, words: &str) -> Self {
        match &mut self {
            Self::OutOfRange(reason) | Self::TooFewBits { reason, .. } | Self::OtherRegime(reason) => {
                reason.insert_str(0, words);
            }
        }
        self
    }
}
