//! Data that are committed to: columns of exact numbers, one or several together, or bytes.

pub mod base;
mod column;
pub mod decimal;
mod measured;
mod number;
pub mod ratio;
mod table;
mod total;

pub use base::Base;
pub use column::{Column, Layout, MAX_WIDTH, OutOfField, Values, packed};
pub use measured::{Measured, Measures};
pub use number::Number;
pub use ratio::Ratio;
pub use table::Table;
pub use total::Total;

use crate::any::Weights;
use crate::statement::BytesDescription;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// Data to commit to, or the public weights of a sum over them.
///
/// ```
/// use tenfold::Dataset;
/// let prices = Dataset::from_decimals(["12.50", "-3", "0.125"])?.named("price");
/// assert_eq!(prices.rows(), 3);
/// # Ok::<(), tenfold::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// Numbers, a row each; proofs are about rows, sums and means.
    Column(Column),
    /// Columns of one length; proofs are about the same rows, sums and means of all of them.
    Table(Table),
    /// Bytes as they stand; proofs are about single bits, bytes or words.
    Bytes(Bytes),
}

/// The bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// Its name.
    pub name: String,
    /// Its content.
    pub content: Vec<u8>,
}

impl Dataset {
    /// Bytes of memory that the data take, with the room that they grew into.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let bytes = match self {
            Self::Bytes(bytes) => bytes.content.capacity(),
            Self::Column(column) => column.values.memory(),
            Self::Table(table) => table.columns().iter().map(|column| column.values.memory()).sum(),
        };
        bytes as u64
    }

    /// A column of integers.
    #[must_use]
    pub fn from_u64s(rows: Vec<u64>) -> Self {
        Self::from_integers(rows.into_iter().map(i128::from))
    }

    /// A column of signed integers.
    #[must_use]
    pub fn from_i64s(rows: Vec<i64>) -> Self {
        Self::from_integers(rows.into_iter().map(i128::from))
    }

    /// A column of signed integers of up to 127 bits.
    #[must_use]
    pub fn from_i128s(rows: Vec<i128>) -> Self {
        Self::from_integers(rows.into_iter())
    }

    /// A column of decimals such as `-12.50` or `1e-3`, with as many digits after the point as the longest of them has.
    ///
    /// # Errors
    /// [`crate::Error::Decimal`] for the first text that is no such number, or has more digits than are kept.
    pub fn from_decimals<T: AsRef<str>>(rows: impl IntoIterator<Item = T>) -> Result<Self, crate::Error> {
        let refused = |row: usize, why| crate::Error::Decimal { row: row as u64, why };
        let parsed = rows
            .into_iter()
            .enumerate()
            .map(|(row, text)| decimal::parse(text.as_ref().as_bytes()).map_err(|why| refused(row, why)));
        let parsed: Vec<decimal::Decimal> = parsed.collect::<Result<_, _>>()?;
        let scale = parsed.iter().map(|decimal| decimal.scale).max().unwrap_or(0);
        let mut values = Values::default();
        for (row, decimal) in parsed.into_iter().enumerate() {
            let integer = 10i128.pow(scale - decimal.scale).checked_mul(decimal.mantissa);
            values.push(integer.ok_or_else(|| refused(row, decimal::Refused::TooLarge))?);
        }
        Ok(Self::Column(column_of(values, scale)))
    }

    /// Several columns as one table, which is committed to at once.
    ///
    /// ```
    /// use tenfold::{Claimed, Claim, Dataset, Options, Policy};
    ///
    /// let prices = Dataset::from_decimals(["12.50", "-3", "0.125"])?.named("price");
    /// let amounts = Dataset::from_u64s(vec![7, 1, 12]).named("amount");
    /// let table = Dataset::from_columns([prices, amounts])?.named("trades");
    /// let (commitment, mut witness) = tenfold::commit(&table, &Options::proven_bits(100))?;
    /// let proof = witness.open(&[Claim::Row(2), Claim::Sum])?.to_bytes();
    /// let verdict = tenfold::verify(&proof, &Policy::at_least(100).about(&commitment))?;
    /// assert_eq!(verdict.value_of(&Claimed::Row(2).of("price"))?.exact(), "0.125");
    /// assert_eq!(verdict.value_of(&Claimed::Sum.of("amount"))?.exact(), "20");
    /// # Ok::<(), tenfold::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Table`] if one is no column, or [`Table::new`] refuses them.
    pub fn from_columns(columns: impl IntoIterator<Item = Self>) -> Result<Self, crate::Error> {
        let column = |data| match data {
            Self::Column(column) => Ok(column),
            Self::Table(_) | Self::Bytes(_) => Err(crate::Error::Table("it is made of columns".to_owned())),
        };
        let columns = columns.into_iter().map(column).collect::<Result<_, _>>()?;
        Table::new(columns).map(Self::Table)
    }

    /// The bytes of a file.
    #[must_use]
    pub fn from_bytes(content: Vec<u8>) -> Self {
        Self::Bytes(Bytes { name: "bytes".to_owned(), content })
    }

    /// The same data by another name, which every proof about them states.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        match &mut self {
            Self::Column(column) => column.name = name.into(),
            Self::Table(table) => table.name = name.into(),
            Self::Bytes(bytes) => bytes.name = name.into(),
        }
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Column(column) => &column.name,
            Self::Table(table) => &table.name,
            Self::Bytes(bytes) => &bytes.name,
        }
    }

    /// The columns that are committed to together.
    #[must_use]
    pub fn columns(&self) -> u64 {
        if let Self::Table(table) = self { table.columns().len() as u64 } else { 1 }
    }

    /// The number of rows, or of bytes.
    #[must_use]
    pub fn rows(&self) -> u64 {
        let rows = match self {
            Self::Column(column) => column.rows(),
            Self::Table(table) => table.rows(),
            Self::Bytes(bytes) => bytes.content.len(),
        };
        rows as u64
    }

    /// The BLAKE3 digest of the file that the data are from; of columns of several files that of their digests.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        match self {
            Self::Column(column) => column.source_digest,
            Self::Table(table) => table.describe().source(),
            Self::Bytes(bytes) => *blake3::hash(&bytes.content).as_bytes(),
        }
    }

    /// Calls a function with the data as the public weights of a sum: of a table there are none.
    pub fn with_weights<T>(&self, call: impl FnOnce(Weights<'_>) -> T) -> T {
        match self {
            Self::Column(column) => {
                let get = |row| column.values.row(row).unwrap_or_default();
                call(Weights::Integers { count: column.rows(), get: &get, scale: column.scale })
            }
            Self::Table(_) => call(Weights::Integers { count: 0, get: &|_| 0, scale: 0 }),
            Self::Bytes(bytes) => call(Weights::Bytes(&bytes.content)),
        }
    }

    fn from_integers(rows: impl Iterator<Item = i128>) -> Self {
        let mut values = Values::default();
        rows.for_each(|row| values.push(row));
        Self::Column(column_of(values, 0))
    }
}

impl Bytes {
    /// The description of the bytes.
    #[must_use]
    pub fn describe(&self) -> BytesDescription {
        let source = *blake3::hash(&self.content).as_bytes();
        BytesDescription { name: self.name.clone(), length: self.content.len() as u64, source }
    }
}

/// A column that comes from no file: its source is the file of its numbers, a line each.
fn column_of(values: Values, scale: u32) -> Column {
    let (mut source, mut line) = (blake3::Hasher::new(), String::new());
    for value in values.iter() {
        line.clear();
        // Writing to a string cannot fail.
        let _ = writeln!(line, "{}", decimal::format(value, scale));
        source.update(line.as_bytes());
    }
    let source_digest = *source.finalize().as_bytes();
    Column { name: "column".to_owned(), values, scale, layout: Layout::Numbers, source_digest }
}

impl From<Column> for Dataset {
    fn from(column: Column) -> Self {
        Self::Column(column)
    }
}
