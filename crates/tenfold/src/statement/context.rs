//! The context bytes of a proof: what was committed to, and how the proven numbers are to be read.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::ColumnDescription;
use crate::dataset::decimal::MAX_SCALE;
use alloc::vec::Vec;
use core::ops::Range;
use pcs::codec::{Reader, Writer};

/// Bound into a proof, so that it has one reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnContext {
    /// What was committed to.
    pub column: ColumnDescription,
    /// Decimals of the weights, where the proof is of a weighted sum.
    pub weights_scale: Option<u32>,
    /// How sums are claimed.
    pub sums: Sums,
}

/// How sums of rows are claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// True if the sum of all rows, or the one by weights, is claimed as a mean too.
    pub mean: bool,
    /// The ranges of rows whose sums the last forms are.
    pub ranges: Vec<Range<u64>>,
}

impl Sums {
    /// No sum of a range, and a mean or none.
    #[must_use]
    pub fn of(mean: bool) -> Self {
        Self { mean, ranges: Vec::new() }
    }

    /// The decimals of weights and a byte 0 or 1 for a mean by them; without weights [`Sums::write`].
    pub(super) fn write_by(&self, weights_scale: Option<u32>, w: &mut Writer) {
        if let Some(scale) = weights_scale {
            w.u32(scale);
            w.u8(u8::from(self.mean));
        } else {
            self.write(w);
        }
    }

    /// Reads all that is left of the context of a proof with weights or without: their decimals, and how sums are claimed.
    pub(super) fn read_by(weighted: bool, r: &mut Reader<'_>, rows: u64) -> Option<(Option<u32>, Self)> {
        if !weighted {
            return Some((None, Self::read(r, rows)?));
        }
        let scale = Some(r.u32()?).filter(|&scale| scale <= MAX_SCALE)?;
        let mean = match r.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        Some((Some(scale), Self::of(mean)))
    }

    /// Nothing, or a byte 1 for a mean; with ranges a byte 2, a byte 0 or 1 for a mean, their number, and the first row of each and the one behind its last.
    fn write(&self, w: &mut Writer) {
        match (self.ranges.len(), self.mean) {
            (0, false) => {}
            (0, true) => w.u8(1),
            (ranges, mean) => {
                w.u8(2);
                w.u8(u8::from(mean));
                w.u32(u32::try_from(ranges).unwrap_or(u32::MAX));
                for Range { start, end } in &self.ranges {
                    w.u64(*start);
                    w.u64(*end);
                }
            }
        }
    }

    /// Reads all that is left, of data with so many rows.
    fn read(r: &mut Reader<'_>, rows: u64) -> Option<Self> {
        if r.remaining() == 0 {
            return Some(Self::default());
        }
        match r.u8()? {
            1 => return Some(Self::of(true)),
            2 => {}
            _ => return None,
        }
        let mut sums = Self::of(match r.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        });
        // The bytes end before a number does that is too large.
        for _ in 0..r.u32()? {
            let range = r.u64()?..r.u64()?;
            if range.is_empty() || range.end > rows {
                return None;
            }
            sums.ranges.push(range);
        }
        (!sums.ranges.is_empty()).then_some(sums)
    }
}

impl ColumnContext {
    /// The canonical encoding. Without weights: the column, and how sums are claimed: a byte 1 for a mean, or a byte 2 with ranges. With weights: the column,
    /// their decimals, and a byte 0 or 1 for a mean.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.column.encode());
        self.sums.write_by(self.weights_scale, &mut w);
        w.finish()
    }

    /// Reads the context of a proof with or without weights, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8], weighted: bool) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let column = ColumnDescription::read(&mut r)?;
        let (weights_scale, sums) = Sums::read_by(weighted, &mut r, column.rows)?;
        r.finish()?;
        Some(Self { column, weights_scale, sums })
    }
}
