//! Values that options choose from.

use crate::data::Base;
use clap::ValueEnum;
use iop::hash::Hash;
use pcs::ligerito::{Fields, Preset};
use pcs::pip::InnerKind;
use tenfold::EntrySize;

/// Schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemeChoice {
    /// PIP_FRI: a column of numbers, with sums and hiding; bytes are packed into numbers
    Pip,
    /// Ligerito: any file, byte by byte or bit by bit, as it stands
    Ligerito,
}

/// Schemes that `compare` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ComparedScheme {
    /// PIP_FRI
    Pip,
    /// Ligerito
    Ligerito,
    /// DeepFold, which `commit` has not
    #[value(name = "deepfold")]
    DeepFold,
}

/// What a row of a file of bytes is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EntriesChoice {
    /// Bytes
    #[default]
    Bytes,
    /// Bits, the lowest of each byte first
    Bits,
    /// Little-endian words of 32 bits
    Words32,
    /// Little-endian words of 64 bits
    Words64,
}

impl EntriesChoice {
    /// The size of an entry.
    #[must_use]
    pub fn size(self) -> EntrySize {
        match self {
            Self::Bytes => EntrySize::Bytes,
            Self::Bits => EntrySize::Bits,
            Self::Words32 => EntrySize::Words32,
            Self::Words64 => EntrySize::Words64,
        }
    }
}

/// Fields of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FieldChoice {
    /// The smallest that holds the rows and their sum
    #[default]
    Auto,
    /// 31 bits: smallest and fastest
    #[value(name = "koalabear")]
    KoalaBear,
    /// 64 bits
    Goldilocks,
    /// 61 bits, quadratic extension
    #[value(name = "mersenne61")]
    Mersenne61,
    /// 254 bits
    #[value(name = "bn254")]
    Bn254,
}

impl FieldChoice {
    /// The field named; `None` for `auto`.
    #[must_use]
    pub fn base(self) -> Option<Base> {
        match self {
            Self::Auto => None,
            Self::KoalaBear => Some(Base::KoalaBear),
            Self::Goldilocks => Some(Base::Goldilocks),
            Self::Mersenne61 => Some(Base::Mersenne61),
            Self::Bn254 => Some(Base::Bn254),
        }
    }
}

/// Levels of proven security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Bits {
    /// 100 bits
    #[value(name = "100")]
    B100,
    /// 128 bits
    #[default]
    #[value(name = "128")]
    B128,
}

impl Bits {
    /// The choice of so many.
    #[must_use]
    pub fn of(number: u32) -> Self {
        if number <= 100 { Self::B100 } else { Self::B128 }
    }

    /// The number.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::B100 => 100,
            Self::B128 => 128,
        }
    }
}

/// Which cost to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// Fast prover, larger proof. Ligerito: 100 bits by unique decoding at rate 1/2
    Fast,
    /// Ligerito alone: 100 bits up to the Johnson radius at rate 1/2, three to four fifths of the bytes of `fast` for at most a quarter more time
    Balanced,
    /// Small proof, slower prover. Ligerito: 100 bits up to the Johnson radius at rate 1/4, half the bytes of `fast` for twice its time
    Small,
    /// Ligerito alone: 128 bits up to the Johnson radius at rate 1/4, a third more bytes and time than `small`
    Secure128,
}

impl Profile {
    /// The profile of the library.
    #[must_use]
    pub fn preset(self) -> Preset {
        match self {
            Self::Fast => Preset::Fast,
            Self::Balanced => Preset::Balanced,
            Self::Small => Preset::Small,
            Self::Secure128 => Preset::Secure128,
        }
    }
}

/// Challenge fields of Ligerito.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OverChoice {
    /// 128 bits: proves 100
    Gf128,
    /// 192 bits, over words of 64: proves 128
    Gf192,
    /// 256 bits: proves 128
    Gf256,
}

impl OverChoice {
    /// The challenge field with its alphabet.
    #[must_use]
    pub fn fields(self) -> Fields {
        match self {
            Self::Gf128 => Fields::Gf128,
            Self::Gf192 => Fields::Gf192,
            Self::Gf256 => Fields::Gf256,
        }
    }
}

/// Inner arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InnerChoice {
    /// Commit again at lower and lower rates: smallest and fastest
    #[default]
    Recursion,
    /// Fold the word down, as BaseFold and DeepFold do
    Chain,
    /// The published scheme: a chain for the value and one for proximity; one statement per proof
    TwoChains,
}

impl InnerChoice {
    /// The inner argument.
    #[must_use]
    pub fn kind(self) -> InnerKind {
        match self {
            Self::Recursion => InnerKind::Recursion,
            Self::Chain => InnerKind::Chain,
            Self::TwoChains => InnerKind::TwoChains,
        }
    }
}

/// Hash functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum HashChoice {
    /// BLAKE3
    #[default]
    Blake3,
    /// SHA-256
    #[value(name = "sha256")]
    Sha256,
    /// Keccak-256
    #[value(name = "keccak256")]
    Keccak256,
}

impl HashChoice {
    /// The hash function.
    #[must_use]
    pub fn hash(self) -> Hash {
        match self {
            Self::Blake3 => Hash::Blake3,
            Self::Sha256 => Hash::Sha256,
            Self::Keccak256 => Hash::Keccak256,
        }
    }
}
