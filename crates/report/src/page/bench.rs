//! The page of `bench`: how costs grow with the number of rows, or who costs what at one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Serialize;

use super::axis::Unit;
use super::bars::{self, Bar};
use super::plot::{self, AxisName, Series};
use super::table::{self, Cell, number, text};
use super::{Meta, bits, distinct, escape, shell, unproven};

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
    /// The name of the line in the plots: it stays the same from size to size.
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

/// The self-contained page.
#[must_use]
pub fn bench_page(rows: &[BenchRow], meta: &Meta) -> String {
    let series = series_names(rows);
    let mut names: Vec<&str> = Vec::new();
    for name in &series {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let groups: BTreeSet<(&str, usize)> = rows.iter().map(|row| (row.data.as_str(), row.threads)).collect();
    let mut body = String::new();
    for (data, threads) in groups {
        let in_group =
            rows.iter().zip(&series).filter(|(row, _)| (row.data.as_str(), row.threads) == (data, threads));
        let group: Vec<Named<'_>> = in_group
            .map(|(row, name)| {
                let index = names.iter().position(|known| known == name).unwrap_or_default();
                Named { row, name, index }
            })
            .collect();
        let (data, s) = (escape(data), if threads == 1 { "" } else { "s" });
        let _ =
            write!(body, "<section>\n<h2>Over {data}, {threads} thread{s}</h2>\n<div class=\"charts\">\n");
        for measure in &MEASURES {
            body.push_str(&chart(measure, &group));
        }
        body.push_str("</div>\n</section>\n");
    }
    body.push_str("<section>\n<h2>All numbers</h2>\n");
    body.push_str(&numbers(rows));
    body.push_str("</section>\n");
    shell(meta, &body)
}

/// A measurement with the name of its series and the index of that name, which is one on the whole page.
struct Named<'a> {
    row: &'a BenchRow,
    name: &'a str,
    index: usize,
}

/// The series of each row, with the field where one series has several. Where several results measure the same case, each of them
/// is a series of its own.
fn series_names(rows: &[BenchRow]) -> Vec<String> {
    let mut cases: BTreeMap<(&str, usize, u32), Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        cases.entry((&row.data, row.threads, row.log_rows)).or_default().push(at);
    }
    let mut names = vec![String::new(); rows.len()];
    for places in cases.values() {
        let name = |row: &BenchRow| {
            let several = places.iter().map(|&at| &rows[at]);
            let several = several.filter(|other| other.series == row.series && other.field != row.field);
            if several.count() == 0 { row.series.clone() } else { format!("{} · {}", row.series, row.field) }
        };
        let distinct = distinct(places.iter().map(|&at| name(&rows[at])));
        for (&at, name) in places.iter().zip(distinct) {
            names[at] = name;
        }
    }
    names
}

/// Lines over the number of rows; bars if all have the same number.
fn chart((title, unit, value): &(&str, Unit, Measure), group: &[Named<'_>]) -> String {
    let sizes: BTreeSet<u32> = group.iter().map(|named| named.row.log_rows).collect();
    if let (Some(size), 1) = (sizes.first(), sizes.len()) {
        let bar =
            |&Named { row, name, index }: &Named<'_>| Bar { name: name.to_owned(), value: value(row), index };
        return bars::chart(
            &format!("{title}, 2^{size} rows"),
            *unit,
            &group.iter().map(bar).collect::<Vec<_>>(),
        );
    }
    let mut lines: BTreeMap<usize, Series> = BTreeMap::new();
    for &Named { row, name, index } in group {
        let line =
            lines.entry(index).or_insert_with(|| Series { name: name.to_owned(), points: vec![], index });
        line.points.push((2f64.powi(row.log_rows as i32), value(row)));
    }
    lines.values_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let axes = [
        AxisName { unit: Unit::Rows, name: "rows" },
        AxisName { unit: *unit, name: if *unit == Unit::Millis { "time" } else { "size" } },
    ];
    plot::plot(title, axes, &lines.into_values().collect::<Vec<_>>())
}

fn numbers(rows: &[BenchRow]) -> String {
    let mut columns = vec![text("Scheme"), text("Field"), text("Profile"), number("Rows"), number("Threads")];
    columns.extend([number("Proven bits"), text("Regime")]);
    columns.extend(MEASURES.iter().map(|(title, ..)| number(*title)));
    let cells = |row: &BenchRow| {
        let mut cells: Vec<Cell> =
            [&row.scheme, &row.field, &row.profile].map(|name| name.clone().into()).into();
        cells.extend(
            [format!("2^{}", row.log_rows), row.threads.to_string(), bits(row.proven_bits)].map(Cell::from),
        );
        cells.push(Cell::marked(&row.regime, if unproven(&row.regime) { "warn" } else { "" }));
        cells.extend(MEASURES.iter().map(|(_, unit, value)| Cell::from(unit.label(value(row)))));
        cells
    };
    table::table("", &columns, &rows.iter().map(cells).collect::<Vec<_>>())
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
        let lines = |colour| {
            page.matches(&format!("fill=\"none\" opacity=\"1\" stroke=\"var(--c{colour})\"")).count()
        };
        assert_eq!((lines(0), lines(1)), (MEASURES.len(), 0), "a series of one size is a mark");
        assert_eq!(page.matches("aria-label=").count(), MEASURES.len());
        assert!(!page.contains("http") && !page.contains("pip<") && page.contains("pip&lt;"));
        assert!(!bench_page(&[], &Meta::default()).contains("NaN"));
    }

    #[test]
    fn one_size_is_shown_as_bars() {
        let page = bench_page(&[row("a", 20, 5.0), row("b", 20, 1.0)], &Meta::default());
        assert_eq!(page.matches("class=\"bars\"").count(), MEASURES.len());
        assert!(page.contains("Commit, 2^20 rows") && !page.contains("<svg viewBox=\"0 0 740"));
    }

    #[test]
    fn each_field_and_number_of_threads_has_plots_of_its_own() {
        let of = |data: &str, threads| {
            [14, 16].map(|n| BenchRow { data: data.into(), threads, ..row("pip", n, 1.0) })
        };
        let page = bench_page(&[of("a", 1), of("a", 2), of("b", 2)].concat(), &Meta::default());
        let lines = page.split("<polyline").skip(1).filter(|line| line.contains("stroke=\"var(--c0)\""));
        assert_eq!(lines.count(), 3 * MEASURES.len());
    }

    /// Results of two runs are two lines, and no line goes back and forth between them.
    #[test]
    fn the_same_case_of_two_results_is_two_series() {
        let rows = [row("a", 14, 1.0), row("a", 16, 2.0), row("a", 14, 5.0), row("a", 16, 9.0)];
        assert_eq!(series_names(&rows), ["a fast", "a fast", "a fast (2)", "a fast (2)"]);
        let other = BenchRow { field: "gf192".into(), ..row("a", 14, 1.0) };
        assert_eq!(series_names(&[row("a", 14, 1.0), other]), ["a fast · koalabear", "a fast · gf192"]);
    }
}
