//! Sums of committed entries, which must not wrap around the field.

use super::{Entries, Task};
use crate::dataset::{Column, Total};
use crate::error::Error;
use crate::prove;
use core::ops::Range;

impl Task {
    /// Refuses a weighted sum that would wrap around the field.
    pub(super) fn check_weighted_sum(
        &self,
        entries: Entries<'_>,
        weights: &Column,
        mean: bool,
    ) -> Result<(), Error> {
        let (base, name) = prove::column((&self.description, 0), &self.scheme)?;
        // Padding has no weight.
        let sum = self.sum_by(entries, &|row| weights.values.row(row).unwrap_or_default())?;
        prove::check_weights(weights, base, mean)?;
        prove::check_weighted((sum, name), base)
    }

    /// Refuses sums of ranges that would wrap around the field.
    pub(super) fn check_ranges(&self, entries: Entries<'_>, ranges: &[Range<u64>]) -> Result<(), Error> {
        ranges.iter().try_for_each(|range| {
            let sum = self.sum_by(entries, &|row| i128::from(range.contains(&(row as u64))))?;
            prove::check_sum(sum, (&self.description, 0), &self.scheme)
        })
    }

    /// The sum of a column by weights; none if it does not fit 127 bits.
    fn sum_by(&self, entries: Entries<'_>, weight: &dyn Fn(usize) -> i128) -> Result<Option<i128>, Error> {
        let (Entries::Memory(entries), Some(ranks)) = (entries, self.scheme.ranks()) else {
            let reason = "a sum of some rows of a column, or one by weights, needs its file: shards do not show whether it wraps around the field";
            return Err(Error::OtherParams(reason.into()));
        };
        let (base, _) = prove::column((&self.description, 0), &self.scheme)?;
        let (mut sum, mut row) = (Some(Total::ZERO), 0);
        ranks.each_entry(entries, &mut |bytes| {
            sum = sum.zip(base.decode(bytes)).map(|(sum, entry)| sum.plus_product(entry, weight(row)));
            row += 1;
        });
        Ok(sum.and_then(Total::value))
    }
}
