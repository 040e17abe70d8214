//! Rows on their way from a reader: kept as a column, measured, or passed on one by one.

use crate::column::{Limits, NARROW, Stopped, WIDE};
use crate::error::DataError;
use std::io;
use tenfold::dataset::decimal::Refused;
use tenfold::dataset::{Column, Layout, Measures, Values};

/// A receiver of the rows of a column, in their order.
pub trait Rows: Sized {
    /// The number of rows so far.
    fn count(&self) -> u64;
    /// Takes the next row.
    fn take(&mut self, value: i128, limits: Limits) -> Result<(), Stopped>;
    /// Multiplies the rows so far by a power of ten; none is changed if one does not fit.
    fn scale_by(&mut self, factor: i128, limits: Limits) -> Result<(), Stopped>;
    /// Refuses so many rows before they are read, if they take more memory than they may.
    fn check(&self, limits: Limits, rows: u64) -> Result<(), DataError>;
}

/// Rows that were read, and what the file says about them.
pub struct Read<R> {
    pub name: String,
    pub rows: R,
    pub scale: u32,
    pub layout: Layout,
}

impl Read<Values> {
    /// The column, of a file with this digest.
    pub fn column(self, source_digest: [u8; 32]) -> Column {
        let Self { name, rows: values, scale, layout } = self;
        Column { name, values, scale, layout, source_digest }
    }
}

impl Rows for Values {
    fn count(&self) -> u64 {
        self.len() as u64
    }

    /// Appends an integer, if there is room for it.
    fn take(&mut self, value: i128, limits: Limits) -> Result<(), Stopped> {
        const EVERY: usize = 1 << 12;
        let is_narrow = matches!(self, Self::Narrow(_));
        let widens = is_narrow && i64::try_from(value).is_err();
        if widens || self.len().is_multiple_of(EVERY) {
            let bytes = if is_narrow && !widens { NARROW } else { WIDE };
            limits.check_rows(self.count() + 1, bytes).map_err(Stopped::Taken)?;
        }
        self.push(value);
        Ok(())
    }

    fn scale_by(&mut self, factor: i128, limits: Limits) -> Result<(), Stopped> {
        let scaled = |x: i128| x.checked_mul(factor);
        if self.iter().any(|x| scaled(x).is_none()) {
            return Err(Refused::TooLarge.into());
        }
        let widens = matches!(self, Self::Narrow(_))
            && self.iter().filter_map(scaled).any(|x| i64::try_from(x).is_err());
        if widens {
            limits.check_rows(self.count() + 1, WIDE).map_err(Stopped::Taken)?;
            self.widen();
        }
        match self {
            // None is cut: all of them were looked at.
            Self::Narrow(values) => values.iter_mut().for_each(|x| *x *= factor as i64),
            Self::Wide(values) => values.iter_mut().for_each(|x| *x *= factor),
        }
        Ok(())
    }

    fn check(&self, limits: Limits, rows: u64) -> Result<(), DataError> {
        limits.check(rows)
    }
}

/// Rows that are looked at and dropped: no memory bounds their number.
impl Rows for Measures {
    fn count(&self) -> u64 {
        self.rows()
    }

    fn take(&mut self, value: i128, _: Limits) -> Result<(), Stopped> {
        self.push(value);
        Ok(())
    }

    fn scale_by(&mut self, factor: i128, _: Limits) -> Result<(), Stopped> {
        if self.scale_by(factor) { Ok(()) } else { Err(Refused::TooLarge.into()) }
    }

    fn check(&self, _: Limits, _: u64) -> Result<(), DataError> {
        Ok(())
    }
}

/// Rows that are passed on, of a scale that is known.
pub struct Passed<'a> {
    pub rows: u64,
    pub each: &'a mut dyn FnMut(i128) -> io::Result<()>,
}

impl Rows for Passed<'_> {
    fn count(&self) -> u64 {
        self.rows
    }

    fn take(&mut self, value: i128, _: Limits) -> Result<(), Stopped> {
        self.rows += 1;
        (self.each)(value).map_err(|error| Stopped::Taken(error.into()))
    }

    /// A scale that is given is never made finer.
    fn scale_by(&mut self, _: i128, _: Limits) -> Result<(), Stopped> {
        Err(Stopped::Taken(DataError::Changed))
    }

    fn check(&self, _: Limits, _: u64) -> Result<(), DataError> {
        Ok(())
    }
}
