//! Horizontal bars on a logarithmic scale, as HTML: names wrap and keep their size on a narrow screen.

use std::fmt::Write;

use super::axis::{Axis, Unit};
use super::escape;
use super::marks::Mark;

/// One bar.
pub(super) struct Bar {
    /// Name above it.
    pub name: String,
    /// Length.
    pub value: f64,
    /// Index of its mark.
    pub index: usize,
}

/// A titled chart; the shortest bar is marked as the best.
pub(super) fn chart(title: &str, unit: Unit, bars: &[Bar]) -> String {
    let axis = Axis::new(unit, bars.iter().map(|bar| bar.value));
    let least = bars.iter().map(|bar| bar.value).fold(f64::INFINITY, f64::min);
    let label = |bar: &Bar| format!("{} {}", bar.name, unit.label(bar.value));
    let summary = bars.iter().map(label).collect::<Vec<_>>().join("; ");
    let mut text = format!(
        "<figure class=\"card\">\n<figcaption>{} <small>logarithmic</small></figcaption>\n\
         <div class=\"bars\" role=\"img\" aria-label=\"{}\">\n<div class=\"ticks\">",
        escape(title),
        escape(&format!("{title}: {summary}")),
    );
    // The label of a tick at the left end would be cut.
    for tick in axis.ticks().into_iter().filter(|&tick| axis.share(tick) >= 0.06) {
        let (place, label) = (100.0 * axis.share(tick), unit.tick(tick));
        let _ = write!(text, "<span style=\"left:{place:.2}%\"><u>{label}</u></span>");
    }
    text.push_str("</div>\n");
    for bar in bars {
        let mark = Mark::from_index(bar.index);
        let best = if bar.value <= least { " class=\"best\"" } else { "" };
        let _ = writeln!(
            text,
            "<p>{}{}</p><div><i style=\"width:{:.2}%;background:var(--c{})\"></i></div><span{best}>{}</span>",
            mark.key().trim_end(),
            escape(&bar.name),
            100.0 * axis.share(bar.value),
            mark.colour,
            unit.label(bar.value),
        );
    }
    text.push_str("</div>\n</figure>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[f64]) -> Vec<Bar> {
        let bar = |(index, &value): (usize, &f64)| Bar { name: format!("<{index}>"), value, index };
        values.iter().enumerate().map(bar).collect()
    }

    fn widths(html: &str) -> Vec<f64> {
        html.split("width:").skip(1).map(|rest| rest.split('%').next().unwrap().parse().unwrap()).collect()
    }

    /// A value a thousand times as large leaves the others long enough to be compared.
    #[test]
    fn one_large_value_crushes_none() {
        let html = chart("open", Unit::Millis, &bars(&[5.0, 10.0, 8000.0]));
        let [a, b, c] = widths(&html)[..] else { panic!("{html}") };
        assert!(2.0 < a && a + 5.0 < b && b < c && c <= 100.0, "{html}");
        assert_eq!(html.matches("class=\"best\"").count(), 1);
        assert!(html.contains("&lt;0&gt;") && !html.contains("<0>"));
    }

    #[test]
    fn no_bars_and_zero_bars_are_drawn() {
        assert!(!chart("t", Unit::Bytes, &[]).contains("NaN"));
        let zero = chart("t", Unit::Bytes, &bars(&[0.0]));
        assert!(!zero.contains("NaN") && !zero.contains("inf"));
    }
}
