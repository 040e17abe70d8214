//! The page and the table of `bench`: how costs grow with the number of rows.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Serialize;

use super::axis::Unit;
use super::plot::{self, Line};
use super::{Meta, bits, escape, shell, unproven};
use crate::table::{Align, Paint, Table};
use crate::units;

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct BenchRow {
    /// Scheme.
    pub scheme: String,
    /// Fields of the rows and of the challenges.
    pub field: String,
    /// Profile, such as `fast`.
    pub profile: String,
    /// Field of the rows: each has plots of its own.
    pub data: String,
    /// What stays the same from size to size: the name of the line in the plots.
    pub series: String,
    /// log2 of the number of rows.
    pub log_rows: u32,
    /// Threads of the prover.
    pub threads: usize,
    /// Bits of security that are proven for these parameters.
    pub proven_bits: f64,
    /// The proof of security that the bits come from.
    pub regime: String,
    /// Time to commit, in milliseconds.
    pub commit_ms: f64,
    /// Time to open, in milliseconds.
    pub open_ms: f64,
    /// Time to verify, in milliseconds.
    pub verify_ms: f64,
    /// Size of the proof.
    pub proof_bytes: u64,
    /// Peak memory of the prover.
    pub peak_bytes: u64,
}

type Measure = fn(&BenchRow) -> f64;

const MEASURES: [(&str, Unit, Measure); 5] = [
    ("Commit", Unit::Millis, |r| r.commit_ms),
    ("Open", Unit::Millis, |r| r.open_ms),
    ("Verify", Unit::Millis, |r| r.verify_ms),
    ("Proof", Unit::Bytes, |r| r.proof_bytes as f64),
    ("Peak memory", Unit::Bytes, |r| r.peak_bytes as f64),
];

/// The table for a terminal.
#[must_use]
pub fn bench_table(rows: &[BenchRow], paint: Paint) -> String {
    let (left, right) = (Align::Left, Align::Right);
    let mut table = Table::new(&[
        ("scheme", left),
        ("field", left),
        ("profile", left),
        ("rows", right),
        ("bits", right),
        ("regime", left),
        ("commit", right),
        ("ns/row", right),
        ("open", right),
        ("verify", right),
        ("proof", right),
        ("memory", right),
    ]);
    for r in rows {
        table.row(vec![
            r.scheme.clone(),
            r.field.clone(),
            r.profile.clone(),
            format!("2^{}", r.log_rows),
            bits(r.proven_bits),
            r.regime.clone(),
            units::millis(r.commit_ms),
            format!("{:.1}", r.commit_ms * 1e6 / 2f64.powi(r.log_rows as i32)),
            units::millis(r.open_ms),
            units::millis(r.verify_ms),
            units::bytes(r.proof_bytes),
            units::bytes(r.peak_bytes),
        ]);
    }
    table.render(paint)
}

/// The self-contained page.
#[must_use]
pub fn bench_page(rows: &[BenchRow], meta: &Meta) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.series.as_str()) {
            names.push(&row.series);
        }
    }
    let groups: BTreeSet<(&str, usize)> = rows.iter().map(|r| (r.data.as_str(), r.threads)).collect();
    let mut body = String::new();
    for (data, threads) in groups {
        let of_group: Vec<&BenchRow> =
            rows.iter().filter(|r| (r.data.as_str(), r.threads) == (data, threads)).collect();
        let (data, s) = (escape(data), if threads == 1 { "" } else { "s" });
        let _ =
            write!(body, "<section>\n<h2>Over {data}, {threads} thread{s}</h2>\n<div class=\"charts\">\n");
        for (title, unit, value) in MEASURES {
            body.push_str(&plot::lines(title, unit, &lines(&of_group, &names, value)));
        }
        body.push_str("</div>\n</section>\n");
    }
    body.push_str("<section>\n<h2>All numbers</h2>\n");
    body.push_str(&html_table(rows));
    body.push_str("</section>\n");
    shell(meta, &body)
}

/// The lines of one measure over one field on one number of threads; a name has one colour on the whole page.
fn lines(rows: &[&BenchRow], names: &[&str], value: Measure) -> Vec<Line> {
    let line = |(series, &name): (usize, &&str)| {
        let of_series = rows.iter().filter(|r| r.series == name);
        let mut points: Vec<_> = of_series.map(|r| (r.log_rows, value(r))).collect();
        points.sort_by_key(|p| p.0);
        Line { name: name.to_owned(), points, series }
    };
    names.iter().enumerate().map(line).filter(|line| !line.points.is_empty()).collect()
}

fn html_table(rows: &[BenchRow]) -> String {
    let mut text = String::from(
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Scheme</th>\
         <th scope=\"col\">Field</th><th scope=\"col\">Profile</th><th scope=\"col\" class=\"n\">Rows</th>\
         <th scope=\"col\" class=\"n\">Threads</th><th scope=\"col\" class=\"n\">Proven bits</th>\
         <th scope=\"col\">Regime</th>",
    );
    for (title, ..) in MEASURES {
        let _ = write!(text, "<th scope=\"col\" class=\"n\">{title}</th>");
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for r in rows {
        let warn = if unproven(&r.regime) { " class=\"warn\"" } else { "" };
        let _ = write!(
            text,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"n\">2<sup>{}</sup></td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td{warn}>{}</td>",
            escape(&r.scheme),
            escape(&r.field),
            escape(&r.profile),
            r.log_rows,
            r.threads,
            bits(r.proven_bits),
            escape(&r.regime),
        );
        for (_, unit, value) in MEASURES {
            let _ = write!(text, "<td class=\"n\">{}</td>", unit.label(value(r)));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table></div>\n");
    text
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::page) fn row(scheme: &str, log_rows: u32, ms: f64) -> BenchRow {
        BenchRow {
            scheme: scheme.into(),
            field: "koalabear".into(),
            profile: "fast".into(),
            data: "koalabear".into(),
            series: format!("{scheme} fast"),
            log_rows,
            threads: 2,
            proven_bits: 128.9,
            regime: "johnson".into(),
            commit_ms: ms,
            open_ms: ms / 2.0,
            verify_ms: 1.0 + f64::from(log_rows) / 10.0,
            proof_bytes: u64::from(log_rows) << 14,
            peak_bytes: 64 << log_rows,
        }
    }

    #[test]
    fn one_line_per_series_and_nothing_fetched() {
        let rows = [row("pip<", 16, 5.0), row("pip<", 14, 1.0), row("b", 14, 2.0)];
        let page = bench_page(&rows, &Meta::default());
        assert_eq!(page.matches("<polyline").count(), 2 * MEASURES.len());
        assert_eq!(page.matches("aria-label=").count(), MEASURES.len());
        assert!(!page.contains("http") && !page.contains("pip<") && page.contains("pip&lt;"));
        assert!(!bench_page(&[], &Meta::default()).contains("NaN"));
    }

    #[test]
    fn each_field_and_number_of_threads_has_plots_of_its_own() {
        let of = |data: &str, threads| {
            [14, 16].map(|n| BenchRow { data: data.into(), threads, ..row("pip", n, 1.0) })
        };
        let page = bench_page(&[of("a", 1), of("a", 2), of("b", 2)].concat(), &Meta::default());
        let lines: Vec<_> = page.split("<polyline").skip(1).filter_map(|l| l.split('"').nth(3)).collect();
        assert_eq!(lines.len(), 3 * MEASURES.len());
        assert!(lines.iter().all(|points| points.split(' ').count() == 2), "{lines:?}");
    }

    #[test]
    fn the_table_shows_cost_per_row() {
        let text = bench_table(&[row("pip", 20, 1048.576)], Paint::off());
        assert!(text.contains("1000.0") && text.contains("1.05 s") && text.contains("2^20"), "{text}");
    }
}
