//! Horizontal bars on a linear scale from zero.

use std::fmt::Write;

use super::axis::Unit;
use super::{colour, escape};

/// One bar.
pub(super) struct Bar {
    /// Name at the left.
    pub name: String,
    /// Length.
    pub value: f64,
    /// Index of its colour.
    pub series: usize,
}

const WIDTH: f64 = 560.0;
const NAMES: f64 = 246.0;
const VALUES: f64 = 78.0;
const STEP: f64 = 26.0;

/// A titled chart; the shortest bar is marked as the best.
pub(super) fn chart(title: &str, unit: Unit, bars: &[Bar]) -> String {
    let most = bars.iter().map(|b| b.value).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let least = bars.iter().map(|b| b.value).fold(f64::INFINITY, f64::min);
    let height = bars.len() as f64 * STEP + 4.0;
    let summary =
        bars.iter().map(|b| format!("{} {}", b.name, unit.label(b.value))).collect::<Vec<_>>().join("; ");
    let mut svg = format!(
        "<figure class=\"card\">\n<figcaption>{title}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n",
        escape(&format!("{title}: {summary}")),
        title = escape(title),
    );
    for (i, bar) in bars.iter().enumerate() {
        let y = i as f64 * STEP + 2.0;
        let length = (bar.value / most * (WIDTH - NAMES - VALUES)).max(1.5);
        let (text_y, end) = (y + 15.5, NAMES + length + 7.0);
        let best = if bar.value <= least { " best" } else { "" };
        let label = unit.label(bar.value);
        let _ = writeln!(
            svg,
            "<g><title>{name}: {label}</title><text class=\"name\" x=\"{:.1}\" y=\"{text_y}\">{short}</text>\
             <rect class=\"{}\" x=\"{NAMES}\" y=\"{y}\" width=\"{length:.1}\" height=\"20\" rx=\"3\"/>\
             <text class=\"value{best}\" x=\"{end:.1}\" y=\"{text_y}\">{label}</text></g>",
            NAMES - 9.0,
            colour(bar.series),
            name = escape(&bar.name),
            short = escape(&shorten(&bar.name)),
        );
    }
    svg.push_str("</svg>\n</figure>\n");
    svg
}

/// Names fit the room at the left; the full name is in the tooltip and the table.
fn shorten(name: &str) -> String {
    const SHOWN: usize = 39;
    if name.chars().count() <= SHOWN {
        return name.to_owned();
    }
    name.chars().take(SHOWN - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_start_at_zero_and_the_shortest_is_best() {
        let bars = [("a<b", 50.0), ("c", 100.0)].map(|(n, value)| Bar { name: n.into(), value, series: 0 });
        let svg = chart("open", Unit::Millis, &bars);
        assert!(svg.contains("width=\"118.0\"") && svg.contains("width=\"236.0\""), "{svg}");
        assert_eq!(svg.matches("value best").count(), 1);
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
    }

    #[test]
    fn no_bars_and_zero_bars_are_drawn() {
        assert!(!chart("t", Unit::Bytes, &[]).contains("NaN"));
        let zero = chart("t", Unit::Bytes, &[Bar { name: "x".into(), value: 0.0, series: 0 }]);
        assert!(!zero.contains("NaN") && !zero.contains("inf"));
    }
}
