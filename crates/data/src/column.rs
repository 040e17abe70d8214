//! What builds a column of exact numbers from decimals.

use crate::Options;
use crate::error::{DataError, Place};
use crate::rows::{Read, Rows};
#[cfg(any(test, feature = "columnar"))]
use tenfold::dataset::Column;
use tenfold::dataset::decimal::{self, Decimal, MAX_SCALE, Refused};
use tenfold::dataset::{Layout, Values};

/// Memory that reading may take, checked by the rows that were read so that no file can exceed it. What is made of the rows takes
/// more, by parameters that are found once all are there.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Upper bound in bytes.
    pub max_bytes: u64,
}

/// Bytes of a column per padded row while it grows: integers of 8 bytes, and once more in half the place.
pub(crate) const NARROW: u64 = 12;
/// The same of integers of 16 bytes; and of a column that is widened, in the place of one of 8.
pub(crate) const WIDE: u64 = 24;

impl Limits {
    /// No bound.
    pub const NONE: Self = Self { max_bytes: u64::MAX };

    /// The longest record of a text in bytes: a small part of the memory, since what is made of it takes several times as
    /// much.
    #[must_use]
    pub fn record(&self) -> u64 {
        (self.max_bytes / 64).clamp(1 << 12, 1 << 22)
    }

    /// Refuses a number of rows that takes more than [`Limits::max_bytes`] to read, if all integers fit 64 bits.
    ///
    /// # Errors
    /// [`DataError::OverMemory`].
    pub fn check(&self, rows: u64) -> Result<(), DataError> {
        self.check_rows(rows, NARROW)
    }

    /// [`Self::check`] of integers that take so many bytes while they are read.
    pub(crate) fn check_rows(&self, rows: u64, bytes: u64) -> Result<(), DataError> {
        // Room for rows doubles as they are read.
        let padded = rows.checked_next_power_of_two().unwrap_or(u64::MAX);
        let need = padded.saturating_mul(bytes);
        if need > self.max_bytes {
            return Err(DataError::OverMemory { rows, need, limit: self.max_bytes });
        }
        Ok(())
    }
}

/// Why a row is not appended.
pub(crate) enum Stopped {
    /// It is no number that is kept.
    Refused(Refused),
    /// Where it goes, there is no room for it.
    Taken(DataError),
}

impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// Collects decimals of mixed scale into integers of one scale.
pub struct Builder<R = Values> {
    name: Option<String>,
    rows: R,
    scale: u32,
    fixed: Option<u32>,
    limits: Limits,
}

impl Builder {
    /// A builder of a column in memory; with `fixed` the scale is given and finer values are refused, otherwise it is the
    /// largest number of decimals seen.
    #[cfg(any(test, feature = "columnar"))]
    #[must_use]
    pub fn new(name: Option<String>, fixed: Option<u32>, limits: Limits) -> Self {
        Self { name, rows: Values::default(), scale: fixed.unwrap_or(0), fixed, limits }
    }

    /// Ends the column.
    ///
    /// # Errors
    /// If there are no rows, or if they do not fit the memory limit.
    #[cfg(any(test, feature = "columnar"))]
    pub fn finish(self, default_name: &str, empty: &'static str) -> Result<Column, DataError> {
        self.end(default_name, empty).map(|read| read.column([0; 32]))
    }
}

impl<R: Rows> Builder<R> {
    /// [`Builder::new`] of rows that go elsewhere, read by these options.
    #[must_use]
    pub fn into(rows: R, name: Option<String>, options: &Options) -> Self {
        let fixed = options.scale;
        Self { name, rows, scale: fixed.unwrap_or(0), fixed, limits: options.limits }
    }

    /// The place of the next row.
    #[must_use]
    pub fn place(&self, line: Option<u64>) -> Place {
        Place { row: self.rows.count(), line, column: self.name.clone() }
    }

    /// Parses and appends the text of one row.
    ///
    /// # Errors
    /// The rule that the text breaks, with its place.
    pub fn push_text(&mut self, text: &[u8], line: Option<u64>) -> Result<(), DataError> {
        let result = decimal::parse(text).map_err(Stopped::from).and_then(|d| self.push(d));
        self.settled(result, || shorten(text), line)
    }

    /// Appends a float by its shortest decimal that reads back as the same float: what is printed of it, so that nothing
    /// is lost of the number that its author saw.
    ///
    /// # Errors
    /// As [`Builder::push_text`]; if it has decimals and no scale was given.
    pub fn push_float(&mut self, shortest: &str) -> Result<(), DataError> {
        if let (None, Some((_, fraction))) = (self.fixed, shortest.split_once('.')) {
            let decimals = fraction.len() as u32;
            return Err(DataError::NeedsScale {
                place: self.place(None),
                found: shortest.to_owned(),
                decimals,
            });
        }
        self.push_text(shortest.as_bytes(), None)
    }

    /// Appends `mantissa / 10^scale`.
    ///
    /// # Errors
    /// As [`Builder::push_text`].
    #[cfg(feature = "columnar")]
    pub fn push_decimal(&mut self, mantissa: i128, scale: i64) -> Result<(), DataError> {
        let result = decimal::normalise(mantissa, scale).map_err(Stopped::from).and_then(|d| self.push(d));
        self.settled(result, || format!("{mantissa}e{}", -scale), None)
    }

    /// Says why a row was not appended.
    fn settled(
        &self,
        result: Result<(), Stopped>,
        found: impl Fn() -> String,
        line: Option<u64>,
    ) -> Result<(), DataError> {
        let refused = match result {
            Ok(()) => return Ok(()),
            Err(Stopped::Taken(error)) => return Err(error),
            Err(Stopped::Refused(refused)) => refused,
        };
        let (place, found) = (self.place(line), found());
        Err(match refused {
            Refused::Empty => DataError::EmptyCell { place },
            Refused::NotANumber => DataError::NotANumber { place, found },
            Refused::NotFinite => DataError::NotFinite { place, found },
            Refused::TooLarge => self.too_large(line, found),
            Refused::TooManyDecimals(decimals) => {
                DataError::TooManyDecimals { place, found, decimals, limit: self.fixed.unwrap_or(MAX_SCALE) }
            }
        })
    }

    /// Appends an integer that has no decimals.
    ///
    /// # Errors
    /// If it is too large after scaling, or memory runs over.
    pub fn push_integer(&mut self, value: i128) -> Result<(), DataError> {
        self.push(Decimal { mantissa: value, scale: 0 }).map_err(|stopped| match stopped {
            Stopped::Refused(_) => self.too_large(None, value.to_string()),
            Stopped::Taken(error) => error,
        })
    }

    /// The refusal of the next row, whose value does not fit.
    pub(crate) fn too_large(&self, line: Option<u64>, found: String) -> DataError {
        let decimals = self.scale > 0 || found.contains('.') || found.contains("e-");
        DataError::TooLarge { place: self.place(line), found, decimals }
    }

    fn push(&mut self, value: Decimal) -> Result<(), Stopped> {
        if value.scale > self.scale {
            // 1.50 fits a scale of 1: only digits that carry something are refused.
            if let Some(fixed) = self.fixed {
                let excess = 10i128.pow(value.scale - fixed);
                if value.mantissa % excess != 0 {
                    return Err(Refused::TooManyDecimals(value.scale).into());
                }
                return self.rows.take(value.mantissa / excess, self.limits);
            }
            // Happens at most `MAX_SCALE` times per column.
            self.rows.scale_by(10i128.pow(value.scale - self.scale), self.limits)?;
            self.scale = value.scale;
        }
        let factor = 10i128.pow(self.scale - value.scale);
        self.rows.take(value.mantissa.checked_mul(factor).ok_or(Refused::TooLarge)?, self.limits)
    }

    /// Ends the rows.
    ///
    /// # Errors
    /// If there are none, or if they do not fit the memory limit.
    pub fn end(self, default_name: &str, empty: &'static str) -> Result<Read<R>, DataError> {
        if self.rows.count() == 0 {
            return Err(DataError::NoRows(empty));
        }
        self.rows.check(self.limits, self.rows.count())?;
        let name = self.name.unwrap_or_else(|| default_name.to_owned());
        Ok(Read { name, rows: self.rows, scale: self.scale, layout: Layout::Numbers })
    }
}

/// At most 40 characters of a cell, printable, for messages.
pub(super) fn shorten(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.trim().chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.trim().chars().count() > SHOWN {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;
