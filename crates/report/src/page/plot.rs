//! Plots over two logarithmic axes, drawn by `plotters` as SVG: points (trade-offs) and lines (scaling).
//!
//! The drawing is twice as large as it is shown, because `plotters` places everything on whole pixels. Its colours are placeholders,
//! exchanged for the variables of the style sheet, so that one drawing serves light and dark pages.

use std::error::Error;
use std::fmt::Write;

use plotters::prelude::*;

use super::axis::{Axis, Unit, has_place};
use super::escape;
use super::marks::{COLOURS, Mark};

/// A series of a plot.
pub(super) struct Series {
    /// Name in the legend.
    pub name: String,
    /// Horizontal and vertical values, in the order in which lines connect them.
    pub points: Vec<(f64, f64)>,
    /// Index of its mark.
    pub index: usize,
}

/// The unit and the name of an axis.
#[derive(Clone, Copy)]
pub(super) struct AxisName<'a> {
    /// The unit.
    pub unit: Unit,
    /// The name.
    pub name: &'a str,
}

const WIDTH: u32 = 740;
const HEIGHT: u32 = 580;
const KEY: u32 = 32;
const RADIUS: i32 = 11;
/// A height of text for the layout; the style sheet sets the font.
const TEXT: u32 = 24;
const INK: RGBColor = RGBColor(2, 0, 1);
const GRID: RGBColor = RGBColor(2, 0, 2);

/// The placeholder of a colour.
const fn colour(mark: Mark) -> RGBColor {
    RGBColor(1, 0, mark.colour as u8)
}

/// A titled plot with its legend. Lower is better, and on trade-offs further to the left.
pub(super) fn plot(title: &str, [x, y]: [AxisName<'_>; 2], series: &[Series]) -> String {
    let all = || series.iter().flat_map(|one| &one.points);
    let across = Axis::new(x.unit, all().map(|point| point.0));
    let up = Axis::new(y.unit, all().map(|point| point.1));
    let summary = series.iter().filter_map(|one| {
        let (at, value) = one.points.iter().rfind(|point| has_place(point.0) && has_place(point.1))?;
        Some(format!("{} {} at {} {}", one.name, y.unit.label(*value), x.unit.label(*at), x.name))
    });
    let summary = summary.collect::<Vec<_>>().join("; ");
    let drawn = draw([&across, &up], [x.name, y.name], series).expect("a string takes every drawing");
    let mut text = format!(
        "<figure class=\"card\">\n<figcaption>{} <small>both axes logarithmic</small></figcaption>\n{}<ul class=\"legend\">",
        escape(title),
        finish(&drawn, &format!("role=\"img\" aria-label=\"{}\"", escape(&format!("{title}: {summary}")))),
    );
    for one in series {
        let _ = write!(text, "<li>{}{}</li>", Mark::from_index(one.index).key(), escape(&one.name));
    }
    text.push_str("</ul>\n</figure>\n");
    text
}

/// A mark alone.
pub(super) fn key(mark: Mark) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (KEY, KEY)).into_drawing_area();
    let middle = (KEY / 2) as i32;
    let outline = mark.outline(RADIUS).into_iter().map(|(x, y)| (x + middle, y + middle));
    let drawn = area.draw(&Polygon::new(outline.collect::<Vec<_>>(), colour(mark).filled()));
    drawn.and_then(|()| area.present()).expect("a string takes every drawing");
    drop(area);
    finish(&svg, "class=\"key\" aria-hidden=\"true\"")
}

fn draw([x, y]: [&Axis; 2], names: [&str; 2], series: &[Series]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
    let mut chart = ChartBuilder::on(&area)
        .margin(8)
        .margin_top(20)
        .margin_right(36)
        .x_label_area_size(84)
        .y_label_area_size(160)
        .build_cartesian_2d(
            x.range().log_scale().with_key_points(x.ticks()),
            y.range().log_scale().with_key_points(y.ticks()),
        )?;
    let text = ("sans-serif", TEXT).into_font().color(&INK);
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(GRID.stroke_width(2))
        .axis_style(GRID.stroke_width(2))
        .label_style(text.clone())
        .axis_desc_style(text)
        .x_desc(names[0])
        .y_desc(names[1])
        .x_label_formatter(&|value| x.unit.tick(*value))
        .y_label_formatter(&|value| y.unit.tick(*value))
        .draw()?;
    for one in series {
        let mark = Mark::from_index(one.index);
        let points = one.points.iter().copied().filter(|&(x, y)| has_place(x) && has_place(y));
        let points: Vec<(f64, f64)> = points.collect();
        if points.len() > 1 {
            chart.draw_series([PathElement::new(points.clone(), colour(mark).stroke_width(4))])?;
        }
        let place = |&at: &(f64, f64)| {
            EmptyElement::at(at) + Polygon::new(mark.outline(RADIUS), colour(mark).filled())
        };
        chart.draw_series(points.iter().map(place))?;
    }
    area.present()?;
    drop(chart);
    drop(area);
    Ok(svg)
}

/// A drawing as part of a page: with these attributes in place of its size, and the colours of the style sheet.
fn finish(svg: &str, attributes: &str) -> String {
    let start = svg.find("viewBox").unwrap_or_default();
    let (head, body) = svg[start..].split_once('>').unwrap_or_default();
    let shown = head.split(" xmlns").next().unwrap_or_default();
    let hex = |colour: RGBColor| format!("\"#{:02X}{:02X}{:02X}\"", colour.0, colour.1, colour.2);
    let mut text = format!("<svg {shown} {attributes}>{}", body.trim());
    for index in 0..COLOURS {
        text = text.replace(&hex(colour(Mark::from_index(index))), &format!("\"var(--c{index})\""));
    }
    text.replace(&hex(INK), "\"var(--soft)\"").replace(&hex(GRID), "\"var(--grid)\"") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: AxisName<'_> = AxisName { unit: Unit::Millis, name: "time" };
    const SIZE: AxisName<'_> = AxisName { unit: Unit::Bytes, name: "proof" };

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.into(), points: points.to_vec(), index: 0 }
    }

    #[test]
    fn plots_of_nothing_of_one_point_and_of_no_numbers_are_drawn() {
        for points in [&[][..], &[(20.0, 5.0)], &[(f64::NAN, 5.0)], &[(0.0, 5.0), (1.0, f64::INFINITY)]] {
            let svg = plot("t", [TIME, SIZE], &[series("a", points)]);
            assert!(!svg.contains("NaN") && !svg.contains("-2147483648"), "{svg}");
            assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        }
        assert!(plot("t", [TIME, SIZE], &[]).contains("<svg viewBox"));
    }

    /// Nothing of the drawing but variables of the style sheet decides on colours, and nothing is fetched.
    #[test]
    fn colours_are_those_of_the_style_sheet() {
        let all: Vec<Series> = (0..20)
            .map(|index| Series {
                index,
                ..series(&format!("s{index}"), &[(1.0 + index as f64, 9.0), (50.0, 20.0)])
            })
            .collect();
        let svg = plot("t", [TIME, SIZE], &all);
        assert!(!svg.contains('#') && !svg.contains("http"), "{svg}");
        assert!((0..COLOURS).all(|i| svg.contains(&format!("\"var(--c{i})\""))));
        assert_eq!(svg.matches("class=\"key\"").count(), 20);
    }

    #[test]
    fn names_are_escaped_and_values_are_told_to_screen_readers() {
        let svg = plot("<t>", [TIME, SIZE], &[series("a<b", &[(10.0, 2048.0)])]);
        assert!(svg.contains("aria-label=\"&lt;t&gt;: a&lt;b 2.0 KiB at 10.0 ms time\""), "{svg}");
        assert!(!svg.contains("a<b"));
        assert!(
            svg.contains("<figcaption>&lt;t&gt; <small>both axes logarithmic</small></figcaption>"),
            "{svg}"
        );
    }

    #[test]
    fn smaller_is_lower() {
        let heights = |value: f64| -> f64 {
            let both = [series("a", &[(1.0, 10.0)]), Series { index: 1, ..series("b", &[(2.0, value)]) }];
            let svg = plot("t", [TIME, SIZE], &both);
            let mark = svg.split("fill=\"var(--c1)\"").nth(1).unwrap();
            let points = mark.split("points=\"").nth(1).unwrap();
            points.split([',', ' ']).nth(1).unwrap().parse().unwrap()
        };
        assert!(heights(1.0) > heights(100.0));
    }
}
