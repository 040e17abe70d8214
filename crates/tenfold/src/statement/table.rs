//! Columns of one length, committed to together.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::{ColumnContext, ColumnDescription, Sums, shown};
use crate::error::Error;
use alloc::string::String;
use alloc::vec::Vec;
use pcs::codec::{Reader, Writer};

/// The most values that a proof about a table states, a claim of each column: what a verdict says of them takes some hundred times their bytes.
pub const MAX_VALUES: u32 = 1 << 14;

/// The description of columns that were committed to together: bound into every proof. There are two at least, of one number of rows, none packed from
/// bytes, and no two have the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDescription {
    /// Name of the table.
    pub name: String,
    /// Its columns, in the order of the committed polynomials.
    pub columns: Vec<ColumnDescription>,
}

impl TableDescription {
    /// The description for a commitment that hides or does not.
    #[must_use]
    pub fn hiding(self, hides: bool) -> Self {
        let columns = self.columns.into_iter().map(|column| column.hiding(hides)).collect();
        Self { columns, ..self }
    }

    /// The name for a verdict.
    #[must_use]
    pub fn shown(&self) -> String {
        shown(&self.name)
    }

    /// The number of rows, which all columns have.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.columns.first().map_or(0, |column| column.rows)
    }

    /// The number of columns.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.columns.len()).unwrap_or(u32::MAX)
    }

    /// The digest of the file that the columns are from; of several files that of their digests, in the columns' order. Zeros if the commitment hides.
    #[must_use]
    pub fn source(&self) -> [u8; 32] {
        let sources = || self.columns.iter().map(|column| column.source);
        match sources().next() {
            Some(first) if sources().all(|source| source == first) => first,
            _ => *blake3::hash(&sources().collect::<Vec<_>>().concat()).as_bytes(),
        }
    }

    /// Returns true if `2^log_size` places hold each column.
    #[must_use]
    pub fn fits(&self, log_size: u32) -> bool {
        self.columns.iter().all(|column| column.fits(log_size))
    }

    /// Refuses columns that make no table, and what no verifier reads of each.
    ///
    /// # Errors
    /// If there are fewer than two columns, they have different numbers of rows, two have one name, one is packed from bytes, or
    /// [`ColumnDescription::check`] refuses one.
    pub fn check(&self) -> Result<(), Error> {
        let refused = |why: &str| Err(Error::Table(why.into()));
        if self.columns.len() < 2 {
            return refused("a table has two columns at least: commit to a single one as a column");
        }
        if self.count() > MAX_VALUES {
            return refused(&format!("a table has {MAX_VALUES} columns at most"));
        }
        for column in &self.columns {
            column.check()?;
            if column.rows != self.rows() {
                let (name, rows, others) = (column.shown(), column.rows, self.rows());
                return refused(&format!("{name} has {rows} rows, and the first column {others}"));
            }
            if column.bytes.is_some() {
                return refused(&format!("{} is packed from bytes", column.shown()));
            }
        }
        match self.repeated() {
            Some(name) => refused(&format!("two columns have the name {}", shown(name))),
            None => Ok(()),
        }
    }

    /// A name that two columns have.
    fn repeated(&self) -> Option<&str> {
        let mut names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        names.iter().zip(names.iter().skip(1)).find(|(name, next)| name == next).map(|(name, _)| *name)
    }

    /// The canonical encoding, with which the context of every proof begins: name, number of columns, and each with its length.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sized(self.name.as_bytes());
        w.u32(self.count());
        self.columns.iter().for_each(|column| w.sized(&column.encode()));
        w.finish()
    }

    /// Reads an encoding, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let table = Self::read(&mut r)?;
        r.finish()?;
        Some(table)
    }

    /// Reads an encoding that more may follow, of columns that make a table.
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        let name = String::from_utf8(r.sized()?.to_vec()).ok()?;
        let mut columns = Vec::new();
        // The bytes end before a number does that is too large.
        for _ in 0..r.u32()? {
            columns.push(ColumnDescription::decode(r.sized()?)?);
        }
        let table = Self { name, columns };
        table.check().is_ok().then_some(table)
    }
}

/// The context bytes of a proof about a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableContext {
    /// The table that was committed to.
    pub table: TableDescription,
    /// Decimals of the weights, where the proof is of weighted sums.
    pub weights_scale: Option<u32>,
    /// How sums are claimed, of each column.
    pub sums: Sums,
}

impl TableContext {
    /// The canonical encoding: the table, and how sums are claimed, as of a column.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.table.encode());
        self.sums.write_by(self.weights_scale, &mut w);
        w.finish()
    }

    /// Reads the context of a proof with or without weights, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8], weighted: bool) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let table = TableDescription::read(&mut r)?;
        let (weights_scale, sums) = Sums::read_by(weighted, &mut r, table.rows())?;
        r.finish()?;
        Some(Self { table, weights_scale, sums })
    }

    /// The contexts of the columns, as proofs about each alone would have them.
    pub fn columns(&self) -> impl Iterator<Item = ColumnContext> {
        let of = |column: &ColumnDescription| ColumnContext {
            column: column.clone(),
            weights_scale: self.weights_scale,
            sums: self.sums.clone(),
        };
        self.table.columns.iter().map(of)
    }
}
