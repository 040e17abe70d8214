//! Arguments about what is accepted.

use clap::{Args, ValueEnum};
use iop::security::{Policy, Theorem, Theorems};

/// Theorems on lines beyond unique decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TheoremChoice {
    /// BCIKS20, Theorem 5.1: quadratic in the length, voids 128-bit challenge fields; by name only
    Bciks20,
    /// BCHKS25, Theorem 4.6 with the multiplicity of Theorem 1.5
    Bchks25,
    /// BCHKS25, Theorem 4.6 as printed, with twice that multiplicity: about 5 bits a line less; by name only
    #[value(name = "bchks25-4.6")]
    Bchks25List,
    /// DKT26, Theorem 5.12: the newest and strongest
    Dkt26,
}

impl TheoremChoice {
    fn theorem(self) -> Theorem {
        match self {
            Self::Bciks20 => Theorem::Bciks20,
            Self::Bchks25 => Theorem::Bchks25,
            Self::Bchks25List => Theorem::Bchks25List,
            Self::Dkt26 => Theorem::Dkt26,
        }
    }
}

/// Which theorems proven bits are counted with.
#[derive(Args, Clone, Debug, Default)]
pub struct TheoremArgs {
    /// Count proven bits beyond unique decoding with these theorems, the least of them [default: bchks25,dkt26]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAMES")]
    pub theorems: Vec<TheoremChoice>,
}

impl TheoremArgs {
    /// The set.
    #[must_use]
    pub fn set(&self) -> Theorems {
        let theorems: Vec<Theorem> = self.theorems.iter().map(|choice| choice.theorem()).collect();
        Theorems::of(&theorems).unwrap_or_default()
    }
}

/// What a verifier accepts.
#[derive(Args, Clone, Debug)]
pub struct PolicyArgs {
    /// Refuse parameters that prove fewer bits; profiles of 100 bits need `--min-bits 100`
    #[arg(long, default_value_t = 128, value_name = "BITS")]
    pub min_bits: u32,
    /// Refuse parameters that prove fewer bits without proof of work
    #[arg(long, default_value_t = 0, value_name = "BITS")]
    pub interactive_bits: u32,
    /// Theorems.
    #[command(flatten)]
    pub theorems: TheoremArgs,
}

impl PolicyArgs {
    /// The policy of the library.
    #[must_use]
    pub fn policy(&self) -> Policy {
        let (theorems, interactive_bits) = (self.theorems.set(), self.interactive_bits);
        Policy { theorems, interactive_bits, ..Policy::at_least(self.min_bits) }
    }
}
