//! What a user may ask for.

use crate::dataset::Base;
use crate::device::DeviceChoice;
use crate::error::Error;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::oracle::MAX_LOG_PARTS;
use iop::security::{Policy, Regimes, Theorems};
use pcs::file::SchemeId;
use pcs::ligerito::{Fields as BinaryFields, Preset};
use pcs::matrix::MAX_OPENINGS;
use pcs::pip::search::MAX_LOG_COLUMNS;
use pcs::pip::{InnerKind, Params};

/// The size of an entry of bytes, of which proofs are about single ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntrySize {
    /// Bits, the lowest of each byte first.
    Bits,
    /// Bytes.
    #[default]
    Bytes,
    /// Little-endian words of 32 bits.
    Words32,
    /// Little-endian words of 64 bits.
    Words64,
}

/// The columns of the matrix. More of them divide better among ranks, and make proofs longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// Those of the cheapest layout for one machine.
    #[default]
    Cheapest,
    /// This number of columns, by its log2.
    Log2(u32),
    /// Those that are best for as many ranks as a leaf has parts; of numbers with the inner argument that is best with them, if none is named.
    ForRanks,
}

/// How to commit. What is left out is chosen by the data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The scheme of bytes: Ligerito, or Air-FRI. A column is committed to by PIP_FRI.
    pub scheme: Option<SchemeId>,
    /// Proven bits of security: 128, or those of the profile.
    pub bits: Option<u32>,
    /// Proven bits without proof of work that a verifier asks for (0: any).
    pub interactive_bits: u32,
    /// The decoding regimes that parameters may be for.
    pub regimes: Regimes,
    /// The theorems on lines that proven bits are counted with.
    pub theorems: Theorems,
    /// The hash of trees and transcript.
    pub hash: Option<Hash>,
    /// What to make small. A column knows [`Preset::Fast`] and [`Preset::Small`]; for bytes each is a name for bits, regime and rate.
    pub profile: Option<Preset>,
    /// The field of a column: the smallest that holds the rows and their sum.
    pub field: Option<Base>,
    /// The inner argument of a column: recursion.
    pub inner: Option<InnerKind>,
    /// Columns that are committed to together (none: as many as a table has, or one).
    pub polynomials: Option<u32>,
    /// Openings that show nothing but the value they prove, of a column or of bytes by Air-FRI (0: the commitment does not hide).
    pub hidden_openings: u32,
    /// log2 of the parts of a leaf, at most four, so that as many machines with some columns each can commit (0: leaves of one part).
    pub log_parts: u32,
    /// The columns of the matrix: those of the cheapest layout.
    pub columns: Columns,
    /// The entries of bytes.
    pub entries: Option<EntrySize>,
    /// The challenge field of bytes: the cheapest that proves the bits.
    pub over: Option<BinaryFields>,
    /// Limit of memory in bytes, checked before a commitment, for it and its opening, and before each weighted sum (none: no limit).
    pub max_memory: Option<u64>,
    /// The device that holds the matrix: the CPU.
    pub device: DeviceChoice,
}

impl Options {
    /// The cheapest parameters that prove so many bits.
    #[must_use]
    pub fn proven_bits(bits: u32) -> Self {
        Self { bits: Some(bits), ..Self::default() }
    }

    /// Commits to bytes by this scheme: Ligerito, or Air-FRI, which hides them too.
    #[must_use]
    pub fn scheme(self, scheme: SchemeId) -> Self {
        Self { scheme: Some(scheme), ..self }
    }

    /// Hides a column from those who see so many openings, 16 at most; or bytes, as words of 64 bits, by [`SchemeId::Air`] alone. For 0 openings **nothing is
    /// hidden**, as if this had not been asked for.
    #[must_use]
    pub fn hiding(self, openings: u32) -> Self {
        Self { hidden_openings: openings, ..self }
    }

    /// Commits to so many columns together.
    #[must_use]
    pub fn polynomials(self, polynomials: u32) -> Self {
        Self { polynomials: Some(polynomials), ..self }
    }

    /// Commits by leaves of so many parts (log2), at most four.
    #[must_use]
    pub fn log_parts(self, log_parts: u32) -> Self {
        Self { log_parts, ..self }
    }

    /// Commits by a matrix of these columns, whatever they cost one machine.
    #[must_use]
    pub fn columns(self, columns: Columns) -> Self {
        Self { columns, ..self }
    }

    /// Commits to bytes as entries of this size.
    #[must_use]
    pub fn entries(self, size: EntrySize) -> Self {
        Self { entries: Some(size), ..self }
    }

    /// Commits over this field.
    #[must_use]
    pub fn field(self, field: Base) -> Self {
        Self { field: Some(field), ..self }
    }

    /// Chooses for short times or for short proofs.
    #[must_use]
    pub fn profile(self, profile: Preset) -> Self {
        Self { profile: Some(profile), ..self }
    }

    /// Asks that so many of the proven bits hold without proof of work.
    #[must_use]
    pub fn interactive_bits(self, bits: u32) -> Self {
        Self { interactive_bits: bits, ..self }
    }

    /// Takes parameters for these decoding regimes alone.
    #[must_use]
    pub fn regimes(self, regimes: Regimes) -> Self {
        Self { regimes, ..self }
    }

    /// Counts proven bits with these theorems.
    #[must_use]
    pub fn theorems(self, theorems: Theorems) -> Self {
        Self { theorems, ..self }
    }

    /// Builds trees and transcript with this hash.
    #[must_use]
    pub fn hash(self, hash: Hash) -> Self {
        Self { hash: Some(hash), ..self }
    }

    /// Opens a column by this inner argument.
    #[must_use]
    pub fn inner(self, inner: InnerKind) -> Self {
        Self { inner: Some(inner), ..self }
    }

    /// Draws the challenges of bytes from these fields.
    #[must_use]
    pub fn over(self, fields: BinaryFields) -> Self {
        Self { over: Some(fields), ..self }
    }

    /// Commits and opens on this device.
    #[must_use]
    pub fn device(self, device: DeviceChoice) -> Self {
        Self { device, ..self }
    }

    /// Takes no more bytes of memory.
    #[must_use]
    pub fn max_memory(self, bytes: u64) -> Self {
        Self { max_memory: Some(bytes), ..self }
    }

    /// The parameters with leaves of as many parts as are asked for; neither time nor size of a proof decides on them.
    pub(super) fn with_parts(&self, params: Params) -> Result<Params, Error> {
        let (log_parts, columns) = (self.log_parts, params.columns() as u64);
        if log_parts > MAX_LOG_PARTS as u32 {
            return Err(Error::Params(ParamError::OutOfRange("a leaf has at most sixteen parts".into())));
        }
        if columns >> log_parts == 0 {
            return Err(Error::Parts { parts: 1 << log_parts, columns });
        }
        Ok(Params { log_parts, ..params })
    }

    /// Refuses more columns than entries, or than are searched for.
    pub(super) fn check_columns(&self, log_size: u32) -> Result<(), Error> {
        let most = log_size.min(MAX_LOG_COLUMNS);
        match self.columns {
            Columns::Log2(given) if given > most => {
                let entries = 1u64.checked_shl(log_size).unwrap_or(u64::MAX);
                let given = 1u64.checked_shl(given).unwrap_or(u64::MAX);
                Err(Error::Columns { given, entries, most: 1 << most })
            }
            _ => Ok(()),
        }
    }

    /// Refuses no proven bits, and more hidden openings than a commitment is made for.
    pub(super) fn check_numbers(&self) -> Result<(), Error> {
        if self.bits == Some(0) {
            return Err(Error::NoBits);
        }
        match self.hidden_openings {
            0..=MAX_OPENINGS => Ok(()),
            given => Err(Error::HiddenOpenings { given, most: MAX_OPENINGS }),
        }
    }

    /// Returns true if the scheme asked for commits to bytes as they stand.
    #[must_use]
    pub fn is_of_bytes(&self) -> bool {
        self.scheme.is_some_and(SchemeId::is_of_bytes)
    }

    /// The regimes that a search tries: unique decoding alone, or those that `otherwise` says.
    pub(super) fn unique_decoding(&self, otherwise: Option<bool>) -> Option<bool> {
        if self.regimes == Regimes::UniqueDecoding { Some(true) } else { otherwise }
    }

    /// The proven bits of a column.
    pub(super) fn column_bits(&self) -> u32 {
        self.bits.unwrap_or(128)
    }

    /// The hash asked for, or the fastest whose digests are as wide as so many bits ask.
    pub(crate) fn hash_for(&self, bits: u32) -> Hash {
        self.hash.unwrap_or(Hash::for_bits(bits))
    }

    /// The policy of a verifier who wants so many bits, and those asked for without work.
    #[must_use]
    pub fn policy(&self, bits: u32) -> Policy {
        let Self { regimes, theorems, interactive_bits, .. } = *self;
        Policy { regimes, theorems, interactive_bits, ..Policy::at_least(bits) }
    }
}
