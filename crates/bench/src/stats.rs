//! Medians: the machine is rarely ours alone, and a mean would measure the neighbours.

use serde::{Deserialize, Serialize};

/// Median and range of a set of measurements, in the unit of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Middle value; the mean of the two middle ones for an even count.
    pub median: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Spread {
    /// The spread of `values`.
    ///
    /// # Panics
    /// If `values` is empty.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            panic!("a spread needs at least one value");
        };
        let middle = sorted.len() / 2;
        let median = match sorted.len() % 2 {
            0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
            _ => sorted[middle],
        };
        Self { median, min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn odd_even_and_single() {
        assert_eq!(Spread::of([3.0, 1.0, 9.0]), Spread { median: 3.0, min: 1.0, max: 9.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 9.0]).median, 3.0);
        assert_eq!(Spread::of([7.0]), Spread { median: 7.0, min: 7.0, max: 7.0 });
    }

    #[test]
    #[should_panic(expected = "at least one value")]
    fn nothing_has_no_median() {
        Spread::of([]);
    }
}
