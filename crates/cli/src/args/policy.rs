//! Arguments about what is accepted.

use super::choices::{THEOREMS, one_of};
use clap::Args;
use iop::security::{Policy, Regimes, Theorem, Theorems};

/// Which theorems proven bits are counted with.
#[derive(Args, Clone, Debug, Default)]
pub struct TheoremArgs {
    /// Count proven bits beyond unique decoding with these theorems, the least of them [default: bchks25,dkt26]
    #[arg(long, value_parser = one_of(THEOREMS), value_delimiter = ',', value_name = "NAMES")]
    pub theorems: Vec<Theorem>,
}

impl TheoremArgs {
    /// The set.
    pub fn set(&self) -> Theorems {
        Theorems::of(&self.theorems).unwrap_or_default()
    }
}

/// The regimes by the option `--unique-decoding`.
pub(super) fn regimes(unique_decoding: bool) -> Regimes {
    if unique_decoding { Regimes::UniqueDecoding } else { Regimes::Any }
}

/// Bits that a verifier asks for who does not say.
pub const MIN_BITS: u32 = 128;

/// What a verifier accepts.
#[derive(Args, Clone, Debug)]
pub struct PolicyArgs {
    /// Refuse parameters that prove fewer bits; profiles of 100 bits need `--min-bits 100` [default: 128]
    #[arg(long, value_name = "BITS")]
    pub min_bits: Option<u32>,
    /// Refuse parameters that prove fewer bits without proof of work [default: 0]
    #[arg(long, value_name = "BITS")]
    pub interactive_bits: Option<u32>,
    /// Refuse parameters beyond unique decoding, whose theorems are of 2025 and later
    #[arg(long)]
    pub unique_decoding: bool,
    #[command(flatten)]
    pub theorems: TheoremArgs,
}

impl PolicyArgs {
    /// The policy of the library.
    pub fn policy(&self) -> Policy {
        let (theorems, interactive_bits) = (self.theorems.set(), self.interactive_bits.unwrap_or(0));
        let regimes = regimes(self.unique_decoding);
        Policy { regimes, theorems, interactive_bits, ..Policy::at_least(self.min_bits.unwrap_or(MIN_BITS)) }
    }

    /// The first of the options that is given.
    #[cfg(feature = "ring")]
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            (self.min_bits.is_some(), "--min-bits"),
            (self.interactive_bits.is_some(), "--interactive-bits"),
            (self.unique_decoding, "--unique-decoding"),
            (!self.theorems.theorems.is_empty(), "--theorems"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}
