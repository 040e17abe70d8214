//! A column whose rows were read and not kept.

use super::{Base, Column, OutOfField, Total, decimal};
use crate::statement::ColumnDescription;

/// Number, range and sum of rows that are looked at one by one: parameters are chosen by these.
///
/// ```
/// use tenfold::dataset::Measures;
/// let mut measures = Measures::default();
/// [3, -5, 7].into_iter().for_each(|row| measures.push(row));
/// assert_eq!((measures.rows(), measures.sum()), (3, Some(5)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    rows: u64,
    lowest: Extreme,
    highest: Extreme,
    total: Total,
}

/// An extreme value, and the first row that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Extreme {
    row: u64,
    value: i128,
}

/// A column's description and its measures: all but the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The description.
    pub description: ColumnDescription,
    /// The measures of its integers, at its scale.
    pub measures: Measures,
}

impl Measures {
    /// Looks at the next row.
    pub fn push(&mut self, value: i128) {
        let here = Extreme { row: self.rows, value };
        if self.rows == 0 || value < self.lowest.value {
            self.lowest = here;
        }
        if self.rows == 0 || value > self.highest.value {
            self.highest = here;
        }
        self.total = self.total.plus(value);
        self.rows += 1;
    }

    /// Multiplies all rows by a positive number of 64 bits; returns false, and changes none, if one does not fit 127 bits.
    #[must_use]
    pub fn scale_by(&mut self, factor: i128) -> bool {
        let scaled =
            |extreme: Extreme| extreme.value.checked_mul(factor).map(|value| Extreme { value, ..extreme });
        let (Some(lowest), Some(highest), Ok(times)) =
            (scaled(self.lowest), scaled(self.highest), u64::try_from(factor))
        else {
            return false;
        };
        (self.lowest, self.highest, self.total) = (lowest, highest, self.total.times(times));
        true
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The sum of all rows; none if it does not fit 127 bits.
    #[must_use]
    pub fn sum(&self) -> Option<i128> {
        self.total.value()
    }

    /// The smallest and the largest value; none without rows.
    #[must_use]
    pub fn range(&self) -> Option<(i128, i128)> {
        (self.rows > 0).then_some((self.lowest.value, self.highest.value))
    }

    /// Refuses values outside of a field.
    ///
    /// # Errors
    /// The row of the smallest or the largest value that it does not hold.
    pub fn check(&self, base: Base, scale: u32) -> Result<(), OutOfField> {
        let outside = [self.lowest, self.highest].into_iter().filter(|extreme| !base.holds(extreme.value));
        match outside.min_by_key(|extreme| extreme.row) {
            None => Ok(()),
            Some(Extreme { row, value }) => {
                let value = decimal::format(value, scale);
                Err(OutOfField { row, value, field: base.name(), limit: base.limit(), scale })
            }
        }
    }
}

impl FromIterator<i128> for Measures {
    fn from_iter<T: IntoIterator<Item = i128>>(rows: T) -> Self {
        let mut measures = Self::default();
        rows.into_iter().for_each(|row| measures.push(row));
        measures
    }
}

impl From<&Column> for Measured {
    fn from(column: &Column) -> Self {
        Self { description: column.describe(), measures: column.values.iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_value_outside_of_a_field_is_named_with_its_row() {
        let measures: Measures = [1, 1 << 40, -(1 << 41), 7].into_iter().collect();
        assert!(measures.check(Base::Goldilocks, 0).is_ok());
        let refused = measures.check(Base::KoalaBear, 2).unwrap_err();
        assert_eq!((refused.row, refused.value.as_str()), (1, "10995116277.76"));
    }

    #[test]
    fn rows_that_do_not_fit_are_left_as_they_are() {
        let mut measures: Measures = [1, i128::MAX / 10 + 1].into_iter().collect();
        let before = measures;
        assert!(!measures.scale_by(10) && measures == before);
    }

    proptest! {
        /// Rows of several scales: the sum is that of the rows at the last one, though it does not fit 127 bits meanwhile.
        #[test]
        fn measures_are_those_of_the_rows(rows in prop::collection::vec(any::<i128>(), 1..20), zeros in 1..15u32) {
            let factor = 10i128.pow(zeros);
            let small: Vec<i128> = rows.iter().map(|row| row / factor).collect();
            let mut measures: Measures = small.iter().copied().collect();
            prop_assert!(measures.scale_by(factor));
            let scaled: Vec<i128> = small.iter().map(|row| row * factor).collect();
            prop_assert_eq!(measures.sum(), scaled.iter().copied().collect::<Total>().value());
            prop_assert_eq!(measures.range(), scaled.iter().copied().min().zip(scaled.iter().copied().max()));
            prop_assert_eq!(measures, scaled.iter().copied().collect::<Measures>());
        }
    }
}
