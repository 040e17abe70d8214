//! What proofs state: descriptions of what was committed to, which begin the context of every proof.

mod bytes;
mod column;
mod context;
mod table;

pub use bytes::{BytesDescription, Unit};
pub use column::ColumnDescription;
pub use context::{ColumnContext, Sums};
pub use table::{MAX_VALUES, TableContext, TableDescription};

use crate::params::AnyParams;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The description of committed data, in a commitment file and in every proof about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Description {
    /// A column of numbers.
    Column(ColumnDescription),
    /// Columns of one length.
    Table(TableDescription),
    /// A file of bytes.
    Bytes(BytesDescription),
}

impl Description {
    /// The name for a verdict.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Column(column) => column.shown(),
            Self::Table(table) => table.shown(),
            Self::Bytes(bytes) => bytes.shown(),
        }
    }

    /// The digest of the source: zeros if the commitment hides, since a digest shows whether a guess is right. (notes: zk-open)
    #[must_use]
    pub fn source(&self) -> [u8; 32] {
        match self {
            Self::Column(column) => column.source,
            Self::Table(table) => table.source(),
            Self::Bytes(bytes) => bytes.source,
        }
    }

    /// The canonical encoding.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Column(column) => column.encode(),
            Self::Table(table) => table.encode(),
            Self::Bytes(bytes) => bytes.encode(),
        }
    }

    /// The entries of the data that parameters commit to, without padding.
    #[must_use]
    pub fn rows(&self, params: &AnyParams) -> u64 {
        match (self, params.of_bytes()) {
            (Self::Column(column), _) => column.rows,
            (Self::Table(table), _) => table.rows(),
            (Self::Bytes(bytes), Some(params)) => Unit::of(params).count(bytes.length),
            (Self::Bytes(bytes), None) => bytes.length,
        }
    }

    /// The polynomials that the data are.
    #[must_use]
    pub fn polynomials(&self) -> u32 {
        if let Self::Table(table) = self { table.count() } else { 1 }
    }

    /// The place of a column among the polynomials, by its name; none of bytes.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<u32> {
        let place = match self {
            Self::Column(column) => (column.name == name).then_some(0),
            Self::Table(table) => table.columns.iter().position(|column| column.name == name),
            Self::Bytes(_) => None,
        };
        u32::try_from(place?).ok()
    }

    /// Returns true if there are data, and the parameters, which may be any of a file, hold them.
    #[must_use]
    pub fn fits(&self, params: &AnyParams) -> bool {
        match (self, params.of_bytes()) {
            (Self::Column(column), None) => column.fits(params.log_size()),
            (Self::Table(table), None) => table.fits(params.log_size()),
            (Self::Bytes(bytes), Some(params)) => bytes.fits(params),
            _ => false,
        }
    }
}

/// A name for a verdict: as it is if it is one plain word, else quoted and escaped. It is the prover's, and must not be
/// able to look like a line or a claim of ours.
#[must_use]
pub fn shown(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { format!("{name:?}") }
}
