//! Logarithmic axes for times, sizes and numbers of rows.

use std::ops::Range;

use crate::units;

/// The unit of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Milliseconds.
    Millis,
    /// Bytes.
    Bytes,
    /// Rows, in powers of two.
    Rows,
    /// A plain number.
    Count,
}

impl Unit {
    /// A value with its unit, as in tables.
    pub(super) fn label(self, value: f64) -> String {
        match self {
            Self::Millis => units::millis(value),
            Self::Bytes => units::bytes(value as u64),
            Self::Rows => format!("2^{:.0}", value.log2()),
            Self::Count => {
                let text = format!("{value:.1}");
                text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
            }
        }
    }

    /// A round value without trailing zeros: `10 ms`, `64 KiB`, `2^20`.
    pub(super) fn tick(self, value: f64) -> String {
        let (base, mut value, names) = match self {
            Self::Millis => (1000.0, value * 1000.0, ["µs", "ms", "s", "ks", "Ms"]),
            Self::Bytes => (1024.0, value, ["B", "KiB", "MiB", "GiB", "TiB"]),
            Self::Rows | Self::Count => return self.label(value),
        };
        let mut at = 0;
        while value >= base * 0.999 && at + 1 < names.len() {
            value /= base;
            at += 1;
        }
        let text = format!("{value:.3}");
        format!("{} {}", text.trim_end_matches('0').trim_end_matches('.'), names[at])
    }
}

/// A logarithmic axis that shows a set of values with a margin.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The unit of the values.
    pub unit: Unit,
    low: f64,
    high: f64,
}

/// The most ticks of an axis.
const MAX_TICKS: usize = 5;
/// The least distance between two ticks, as a share of the axis: their labels stand beside each other on a narrow screen.
const MIN_DISTANCE: f64 = 0.2;

impl Axis {
    /// The axis of these values; those without a logarithm are left out.
    pub(super) fn new(unit: Unit, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|&value| has_place(value))
            .fold((f64::INFINITY, 0f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if high == 0.0 { (1.0, 10.0) } else { (low, high) };
        // At least a factor of four, so that equal values do not look far apart.
        let margin = (2.0 / (high / low).sqrt()).max(1.25);
        Self { unit, low: low / margin, high: high * margin }
    }

    /// The least and the greatest value.
    pub(super) fn range(&self) -> Range<f64> {
        self.low..self.high
    }

    /// The place of a value, from 0 at the low end to 1 at the high end.
    pub(super) fn share(&self, value: f64) -> f64 {
        if !has_place(value) {
            return 0.0;
        }
        ((value / self.low).ln() / (self.high / self.low).ln()).clamp(0.0, 1.0)
    }

    /// Round values on the axis, between one and [`MAX_TICKS`] of them.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let grids: [Vec<f64>; 5] = match self.unit {
            Unit::Millis => [
                self.powers(10.0, &[1.0, 2.0, 5.0]),
                self.powers(10.0, &[1.0, 3.0]),
                self.powers(10.0, &[1.0]),
                self.powers(100.0, &[1.0]),
                self.powers(10_000.0, &[1.0]),
            ],
            Unit::Bytes | Unit::Rows | Unit::Count => {
                [2.0, 4.0, 16.0, 256.0, 65536.0].map(|base| self.powers(base, &[1.0]))
            }
        };
        let apart = |pair: &[f64]| self.share(pair[1]) - self.share(pair[0]) >= MIN_DISTANCE;
        let few = |grid: &&Vec<f64>| grid.len() <= MAX_TICKS && grid.windows(2).all(apart);
        let [.., coarsest] = &grids;
        grids.iter().find(few).unwrap_or(coarsest).clone()
    }

    /// `step * base^k` on the axis, ascending.
    fn powers(&self, base: f64, steps: &[f64]) -> Vec<f64> {
        let first = self.low.log(base).floor() as i32;
        let last = self.high.log(base).ceil() as i32;
        let all = (first..=last).flat_map(|k| steps.iter().map(move |step| step * base.powi(k)));
        all.filter(|value| self.range().contains(value)).collect()
    }
}

/// Returns true for a value that a logarithmic axis has a place for.
pub(super) fn has_place(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(unit: Unit, low: f64, high: f64) -> Vec<String> {
        let axis = Axis::new(unit, [low, high].into_iter());
        axis.ticks().into_iter().map(|value| unit.tick(value)).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(labels(Unit::Millis, 1.0, 900.0), ["1 ms", "10 ms", "100 ms", "1 s"]);
        assert_eq!(labels(Unit::Bytes, 100_000.0, 600_000.0), ["128 KiB", "256 KiB", "512 KiB"]);
        assert_eq!(labels(Unit::Rows, 65536.0, 1048576.0), ["2^16", "2^17", "2^18", "2^19", "2^20"]);
    }

    #[test]
    fn any_range_has_some_ticks() {
        for unit in [Unit::Millis, Unit::Bytes, Unit::Rows] {
            for (low, high) in [(0.001, 0.001), (1.0, 1.0), (3.0, 1e9), (5e5, 6e5), (7.0, 7e12)] {
                let axis = Axis::new(unit, [low, high].into_iter());
                let ticks = axis.ticks();
                assert!((1..=MAX_TICKS).contains(&ticks.len()), "{unit:?} {low} {high}: {ticks:?}");
                assert!(ticks.iter().all(|&tick| (0.0..=1.0).contains(&axis.share(tick))));
                let apart = |pair: &[f64]| axis.share(pair[1]) - axis.share(pair[0]) >= MIN_DISTANCE;
                assert!(ticks.windows(2).all(apart), "{unit:?} {low} {high}: {ticks:?}");
            }
        }
    }

    #[test]
    fn a_larger_value_is_further_along() {
        let axis = Axis::new(Unit::Millis, [1.0, 1000.0].into_iter());
        let shares = [1.0, 10.0, 1000.0].map(|value| axis.share(value));
        assert!(0.0 < shares[0] && shares[0] < shares[1] && shares[1] < shares[2] && shares[2] < 1.0);
    }

    #[test]
    fn values_without_a_logarithm_stand_at_the_low_end() {
        let axis = Axis::new(Unit::Millis, [f64::NAN, 0.0, -1.0].into_iter());
        assert_eq!([f64::NAN, 0.0, -1.0].map(|value| axis.share(value)), [0.0; 3]);
    }
}
