//! A column of exact numbers: `values[i] / 10^scale`.

use super::decimal;
use super::{Base, Bytes, Total};
use crate::statement::{BytesDescription, ColumnDescription};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The most bytes that one number of a column is packed from: more do not fit 127 bits.
pub const MAX_WIDTH: usize = 15;

/// A row whose value a field does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}: {value} does not fit {field}, which holds integers from -{limit} to {limit}")]
pub struct OutOfField {
    /// The row.
    pub row: u64,
    /// Its value.
    pub value: String,
    /// The field.
    pub field: &'static str,
    /// The largest integer of the field.
    pub limit: i128,
    /// Digits after the point, by which the integers are larger than the values.
    pub scale: u32,
}

/// The integers of a column, in the smallest width that holds them all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All fit 64 bits: 8 bytes a row.
    Narrow(Vec<i64>),
    /// 16 bytes a row.
    Wide(Vec<i128>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl Values {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(v) => v.len(),
            Self::Wide(v) => v.len(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends bytes as numbers, `width` little-endian ones in each, the last padded with zeros.
    ///
    /// # Panics
    /// If the width is not in `1..=`[`MAX_WIDTH`].
    pub fn push_bytes(&mut self, bytes: &[u8], width: usize) {
        packed(bytes, width).for_each(|integer| self.push(integer));
    }

    /// The integer in row `row`.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<i128> {
        match self {
            Self::Narrow(v) => v.get(row).map(|&x| i128::from(x)),
            Self::Wide(v) => v.get(row).copied(),
        }
    }

    /// All rows in order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = i128> + '_> {
        match self {
            Self::Narrow(v) => Box::new(v.iter().map(|&x| i128::from(x))),
            Self::Wide(v) => Box::new(v.iter().copied()),
        }
    }

    /// Appends a row, widening the column the first time a value needs it.
    pub fn push(&mut self, value: i128) {
        if let Self::Narrow(v) = self {
            if let Ok(x) = i64::try_from(value) {
                v.push(x);
                return;
            }
            self.widen();
        }
        if let Self::Wide(v) = self {
            v.push(value);
        }
    }

    /// Makes all rows 16 bytes, with room for as many more as there was.
    pub fn widen(&mut self) {
        if let Self::Narrow(v) = self {
            let mut wide = Vec::with_capacity(v.capacity());
            wide.extend(v.iter().map(|&x| i128::from(x)));
            *self = Self::Wide(wide);
        }
    }

    /// The smallest and the largest value; `None` without rows.
    #[must_use]
    pub fn range(&self) -> Option<(i128, i128)> {
        match self {
            Self::Narrow(v) => Some((i128::from(*v.iter().min()?), i128::from(*v.iter().max()?))),
            Self::Wide(v) => Some((*v.iter().min()?, *v.iter().max()?)),
        }
    }

    /// Refuses a value outside of a field.
    ///
    /// # Errors
    /// The first row with such a value.
    pub fn check(&self, base: Base, scale: u32) -> Result<(), OutOfField> {
        let outside = match self {
            Self::Narrow(v) => v.iter().position(|&x| !base.holds(x.into())),
            Self::Wide(v) => v.iter().position(|&x| !base.holds(x)),
        };
        let Some((row, x)) = outside.and_then(|row| Some((row, self.row(row)?))) else {
            return Ok(());
        };
        let value = decimal::format(x, scale);
        Err(OutOfField { row: row as u64, value, field: base.name(), limit: base.limit(), scale })
    }

    /// The sum of all rows as an integer, whatever their order; `None` when it does not fit 127 bits.
    #[must_use]
    pub fn sum(&self) -> Option<i128> {
        match self {
            // Fewer than 2^64 of them, each below 2^63.
            Self::Narrow(v) => Some(v.iter().map(|&x| i128::from(x)).sum()),
            Self::Wide(v) => v.iter().copied().collect::<Total>().value(),
        }
    }
}

/// Bytes as numbers, `width` little-endian ones in each, the last padded with zeros.
///
/// # Panics
/// If the width is not in `1..=`[`MAX_WIDTH`].
pub fn packed(bytes: &[u8], width: usize) -> impl Iterator<Item = i128> {
    assert!((1..=MAX_WIDTH).contains(&width), "a width of {width} bytes does not fit 127 bits");
    bytes
        .chunks(width)
        .map(|chunk| chunk.iter().rev().fold(0, |packed, &byte| packed << 8 | i128::from(byte)))
}

/// How the integers stand for the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One number per row.
    Numbers,
    /// Bytes, `width` little-endian bytes per integer, the last one padded with zeros.
    Bytes {
        /// Number of bytes in the source; part of the statement, since padding would hide it.
        length: u64,
        /// Bytes per integer, in `1..=`[`MAX_WIDTH`].
        width: usize,
    },
}

/// What a commitment is made to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in the header, or the name of the file.
    pub name: String,
    /// The integers `value * 10^scale`.
    pub values: Values,
    /// Decimal digits after the point, at most [`decimal::MAX_SCALE`]; none of packed bytes.
    pub scale: u32,
    /// Numbers or packed bytes.
    pub layout: Layout,
    /// BLAKE3 of the whole source file.
    pub source_digest: [u8; 32],
}

impl Column {
    /// Bytes as numbers, `width` little-endian ones in each, the last padded with zeros.
    ///
    /// # Panics
    /// If the width is not in `1..=`[`MAX_WIDTH`].
    #[must_use]
    pub fn packed(bytes: &Bytes, width: usize) -> Self {
        let mut values = Values::default();
        values.push_bytes(&bytes.content, width);
        let BytesDescription { name, length, source } = bytes.describe();
        Self { name, values, scale: 0, layout: Layout::Bytes { length, width }, source_digest: source }
    }

    /// Number of rows, before padding. Part of every statement.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.len()
    }

    /// Number of rows after padding with zeros to a power of two.
    #[must_use]
    pub fn padded_rows(&self) -> usize {
        self.rows().next_power_of_two()
    }

    /// The description of the column.
    #[must_use]
    pub fn describe(&self) -> ColumnDescription {
        let bytes = match self.layout {
            Layout::Numbers => None,
            // A width that no number of 32 bits holds is none that there is.
            Layout::Bytes { length, width } => Some((length, u32::try_from(width).unwrap_or(u32::MAX))),
        };
        let (name, rows) = (self.name.clone(), self.rows() as u64);
        ColumnDescription { name, rows, scale: self.scale, bytes, source: self.source_digest }
    }

    /// The decimal in row `row`, as text.
    #[must_use]
    pub fn text(&self, row: usize) -> Option<String> {
        self.values.row(row).map(|x| decimal::format(x, self.scale))
    }
}
