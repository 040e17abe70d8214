//! Plots with a logarithmic vertical axis: points (trade-offs) and lines (scaling).

use std::fmt::Write;

use super::axis::{Axis, Unit};
use super::{colour, escape};

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 44.0;

/// A point of a trade-off.
pub(super) struct Point {
    /// Name in the legend and the tooltip.
    pub name: String,
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// Index of its colour.
    pub series: usize,
}

/// A line over the logarithm of the number of rows.
pub(super) struct Line {
    /// Name in the legend.
    pub name: String,
    /// Pairs of log2 of the rows and the value, ascending.
    pub points: Vec<(u32, f64)>,
    /// Index of its colour.
    pub series: usize,
}

fn open(title: &str, class: &str, summary: &str) -> String {
    format!(
        "<figure class=\"{class}\">\n<figcaption>{}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
        escape(title),
        escape(&format!("{title}: {summary}")),
    )
}

fn rows_of_grid(svg: &mut String, axis: &Axis, name: &str) {
    for (y, label) in axis.ticks() {
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick end\" x=\"{}\" y=\"{:.1}\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
        );
    }
    let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    let _ = writeln!(
        svg,
        "<text class=\"axis\" transform=\"translate(11 {middle}) rotate(-90)\">{}</text>",
        escape(name)
    );
}

fn column_of_grid(svg: &mut String, x: f64, label: &str) {
    let bottom = HEIGHT - BOTTOM;
    let _ = writeln!(
        svg,
        "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\
         <text class=\"tick mid\" x=\"{x:.1}\" y=\"{}\">{}</text>",
        bottom + 16.0,
        escape(label),
    );
}

fn close(svg: &mut String, axis_name: &str, legend: &mut dyn Iterator<Item = (&str, usize)>) {
    let (x, y) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8.0);
    let _ = write!(
        svg,
        "<text class=\"axis\" x=\"{x}\" y=\"{y}\">{}</text>\n</svg>\n<ul class=\"legend\">",
        escape(axis_name)
    );
    for (name, series) in legend {
        let _ = write!(svg, "<li><i class=\"{}\"></i>{}</li>", colour(series), escape(name));
    }
    svg.push_str("</ul>\n</figure>\n");
}

/// Points over two logarithmic axes, with their units and names; lower left is better.
pub(super) fn points(title: &str, x: (Unit, &str), y: (Unit, &str), points: &[Point]) -> String {
    let across = Axis::new(x.0, points.iter().map(|p| p.x), LEFT, WIDTH - RIGHT);
    let up = Axis::new(y.0, points.iter().map(|p| p.y), HEIGHT - BOTTOM, TOP);
    let label = |p: &Point| format!("{} {}, {}", p.name, x.0.label(p.x), y.0.label(p.y));
    let mut svg = open(title, "card tall", &points.iter().map(label).collect::<Vec<_>>().join("; "));
    rows_of_grid(&mut svg, &up, y.1);
    for (at, text) in across.ticks() {
        column_of_grid(&mut svg, at, &text);
    }
    for p in points {
        let _ = writeln!(
            svg,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\"><title>{}</title></circle>",
            colour(p.series),
            across.at(p.x),
            up.at(p.y),
            escape(&label(p)),
        );
    }
    close(&mut svg, x.1, &mut points.iter().map(|p| (p.name.as_str(), p.series)));
    svg
}

/// Lines over the number of rows.
pub(super) fn lines(title: &str, unit: Unit, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|l| &l.points);
    let first = all().map(|p| p.0).min().unwrap_or(0);
    let last = all().map(|p| p.0).max().unwrap_or(1).max(first + 1);
    let up = Axis::new(unit, all().map(|p| p.1), HEIGHT - BOTTOM, TOP);
    let x =
        |n: u32| LEFT + 12.0 + f64::from(n - first) / f64::from(last - first) * (WIDTH - LEFT - RIGHT - 24.0);
    let summary = lines.iter().filter_map(|l| {
        let (n, value) = l.points.last()?;
        Some(format!("{} {} at 2^{n} rows", l.name, unit.label(*value)))
    });
    let mut svg = open(title, "card", &summary.collect::<Vec<_>>().join("; "));
    rows_of_grid(&mut svg, &up, if unit == Unit::Millis { "time" } else { "size" });
    let step = ((last - first) / 8 + 1) as usize;
    for n in (first..=last).step_by(step) {
        column_of_grid(&mut svg, x(n), &format!("2^{n}"));
    }
    for line in lines {
        let path: Vec<_> = line.points.iter().map(|&(n, v)| format!("{:.1},{:.1}", x(n), up.at(v))).collect();
        let class = colour(line.series);
        let _ = writeln!(svg, "<polyline class=\"line {class}\" points=\"{}\"/>", path.join(" "));
        for &(n, v) in &line.points {
            let text = escape(&format!("{}, 2^{n} rows: {}", line.name, unit.label(v)));
            let _ = writeln!(
                svg,
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4.5\"><title>{text}</title></circle>",
                x(n),
                up.at(v)
            );
        }
    }
    close(&mut svg, "rows", &mut lines.iter().map(|l| (l.name.as_str(), l.series)));
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_of_nothing_and_of_one_point_are_sound() {
        for svg in [
            lines("t", Unit::Millis, &[]),
            lines("t", Unit::Bytes, &[Line { name: "a".into(), points: vec![(20, 5.0)], series: 0 }]),
            points("t", (Unit::Millis, "x"), (Unit::Bytes, "y"), &[]),
        ] {
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        }
    }

    #[test]
    fn smaller_is_lower() {
        let line = Line { name: "a".into(), points: vec![(10, 1.0), (12, 100.0)], series: 0 };
        let svg = lines("t", Unit::Millis, &[line]);
        let heights: Vec<f64> =
            svg.split("cy=\"").skip(1).map(|s| s.split('"').next().unwrap().parse().unwrap()).collect();
        assert!(heights[0] > heights[1], "{heights:?}");
    }
}
