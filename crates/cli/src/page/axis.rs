//! Logarithmic axes for times and sizes.

use crate::units;

/// What an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Milliseconds.
    Millis,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// A value with its unit, as in tables.
    pub(super) fn label(self, value: f64) -> String {
        match self {
            Self::Millis => units::millis(value),
            Self::Bytes => units::bytes(value as u64),
        }
    }

    /// A round value, without digits that say nothing: `10 ms`, `64 KiB`.
    fn tick(self, value: f64) -> String {
        let (mut value, names) = match self {
            Self::Millis => (value * 1000.0, ["µs", "ms", "s", "ks", "Ms"]),
            Self::Bytes => (value, ["B", "KiB", "MiB", "GiB", "TiB"]),
        };
        let base = if self == Self::Millis { 1000.0 } else { 1024.0 };
        let mut at = 0;
        while value >= base * 0.999 && at + 1 < names.len() {
            value /= base;
            at += 1;
        }
        let text = format!("{value:.3}");
        format!("{} {}", text.trim_end_matches('0').trim_end_matches('.'), names[at])
    }
}

/// A logarithmic axis from values to pixels.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    unit: Unit,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that shows all `values` with a margin, from pixel `from` to pixel `to`.
    pub(super) fn new(unit: Unit, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values
            .filter(|v| v.is_finite() && *v > 0.0)
            .fold((f64::INFINITY, 0f64), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if high == 0.0 { (1.0, 10.0) } else { (low, high) };
        // At least a factor of four, so that equal values do not look far apart.
        let margin = (2.0 / (high / low).sqrt()).max(1.25);
        Self { unit, low: (low / margin).ln(), high: (high * margin).ln(), from, to }
    }

    /// The pixel of a value; values that have no logarithm stand at the low end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let log = if value > 0.0 { value.ln() } else { self.low };
        self.from + (log - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round values on the axis with their labels, between two and about seven.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = (self.low.exp(), self.high.exp());
        let grids: [Vec<f64>; 4] = match self.unit {
            Unit::Millis => [
                powers(10.0, low, high, &[1.0, 2.0, 5.0]),
                powers(10.0, low, high, &[1.0, 3.0]),
                powers(10.0, low, high, &[1.0]),
                powers(100.0, low, high, &[1.0]),
            ],
            Unit::Bytes => [2.0, 4.0, 16.0, 64.0].map(|base| powers(base, low, high, &[1.0])),
        };
        let few = |grid: &&Vec<f64>| grid.len() <= 6;
        let grid = grids.iter().find(few).unwrap_or(&grids[3]);
        grid.iter().map(|&v| (self.at(v), self.unit.tick(v))).collect()
    }
}

/// `step * base^k` within the bounds, ascending.
fn powers(base: f64, low: f64, high: f64, steps: &[f64]) -> Vec<f64> {
    let first = low.log(base).floor() as i32;
    let last = high.log(base).ceil() as i32;
    let all = (first..=last).flat_map(|k| steps.iter().map(move |s| s * base.powi(k)));
    all.filter(|v| (low..=high).contains(v)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let axis = Axis::new(Unit::Millis, [1.0, 900.0].into_iter(), 0.0, 100.0);
        let labels: Vec<_> = axis.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["1 ms", "10 ms", "100 ms", "1 s"]);
        let axis = Axis::new(Unit::Bytes, [100_000.0, 600_000.0].into_iter(), 0.0, 100.0);
        let labels: Vec<_> = axis.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["128 KiB", "256 KiB", "512 KiB"]);
    }

    #[test]
    fn any_range_has_some_ticks() {
        for unit in [Unit::Millis, Unit::Bytes] {
            for (low, high) in [(0.001, 0.001), (1.0, 1.0), (3.0, 1e9), (5e5, 6e5), (7.0, 7e12)] {
                let axis = Axis::new(unit, [low, high].into_iter(), 10.0, 200.0);
                let ticks = axis.ticks();
                assert!((1..=8).contains(&ticks.len()), "{unit:?} {low} {high}: {ticks:?}");
                assert!(ticks.iter().all(|t| (9.9..=200.1).contains(&t.0)));
            }
        }
    }

    #[test]
    fn nonsense_values_stay_on_the_axis() {
        let axis = Axis::new(Unit::Millis, [f64::NAN, 0.0, -1.0].into_iter(), 0.0, 100.0);
        assert_eq!(axis.at(0.0), 0.0);
        assert!(axis.at(f64::NAN).is_finite());
    }
}
