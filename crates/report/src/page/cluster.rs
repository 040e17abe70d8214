//! The page of `cluster bench`: what one proof costs several ranks.

use super::axis::Unit;
use super::plot::{self, AxisName, Series};
use super::table::{self, Cell, number};
use super::{Meta, shell};
use crate::table::{Align, Paint, Table};
use crate::units;

/// One proof by several ranks.
#[derive(Clone, Debug)]
pub struct ClusterRow {
    /// The number of ranks.
    pub ranks: u32,
    /// CPU time on the critical path, in milliseconds, measured.
    pub cpu_ms: f64,
    /// CPU time of one machine with the same parameters, but for leaves that are hashed as a whole, on one thread.
    pub one_ms: f64,
    /// CPU time of one machine with the parameters that are the cheapest for it.
    pub cheapest_ms: f64,
    /// Bytes of the proof file.
    pub proof_bytes: u64,
    /// The most bytes that a rank sends, digests and all.
    pub sent_bytes: u64,
    /// Calls in which all ranks take part.
    pub calls: u64,
    /// The modelled wall time at 10 and at 1 Gbit/s, in milliseconds.
    pub modelled_ms: [f64; 2],
}

/// The columns of both tables.
const HEADINGS: [&str; 9] = [
    "ranks",
    "CPU, measured",
    "speed-up",
    "beside the cheapest",
    "proof",
    "sent",
    "calls",
    "10 Gbit/s, modelled",
    "1 Gbit/s, modelled",
];

/// The self-contained page.
#[must_use]
pub fn cluster_page(rows: &[ClusterRow], meta: &Meta) -> String {
    let line = |index, name: &str, value: &dyn Fn(&ClusterRow) -> f64| Series {
        name: name.to_owned(),
        points: rows.iter().map(|row| (f64::from(row.ranks), value(row))).collect(),
        index,
    };
    let ranks = AxisName { unit: Unit::Count, name: "ranks" };
    let speed_up = [
        line(0, "as many times as ranks", &|row| f64::from(row.ranks)),
        line(1, "CPU on the critical path, measured", &|row| row.one_ms / row.cpu_ms),
        line(2, "wall time at 10 Gbit/s, modelled", &|row| row.one_ms / row.modelled_ms[0]),
        line(3, "wall time at 1 Gbit/s, modelled", &|row| row.one_ms / row.modelled_ms[1]),
        line(4, "CPU, beside one machine's cheapest parameters", &|row| row.cheapest_ms / row.cpu_ms),
    ];
    let bytes = [line(0, "the rank that sends most", &|row| row.sent_bytes as f64)];
    let body = [
        "<section>\n<div class=\"charts\">\n".to_owned(),
        plot::plot("Speed-up", [ranks, AxisName { unit: Unit::Count, name: "times" }], &speed_up),
        plot::plot("Bytes sent by a rank", [ranks, AxisName { unit: Unit::Bytes, name: "bytes" }], &bytes),
        "</div>\n</section>\n<section>\n<h2>All numbers</h2>\n".to_owned(),
        numbers(rows),
        "</section>\n".to_owned(),
    ];
    shell(meta, &body.concat())
}

/// The same rows for a terminal.
#[must_use]
pub fn cluster_table(rows: &[ClusterRow], paint: Paint) -> String {
    let mut table = Table::new(&HEADINGS.map(|heading| (heading, Align::Right)));
    for row in rows {
        let [fast, slow] = row.modelled_ms.map(units::millis);
        table.row(vec![
            row.ranks.to_string(),
            units::millis(row.cpu_ms),
            format!("{:.2}x", row.one_ms / row.cpu_ms),
            format!("{:.2}x", row.cheapest_ms / row.cpu_ms),
            units::bytes(row.proof_bytes),
            units::bytes(row.sent_bytes),
            row.calls.to_string(),
            fast,
            slow,
        ]);
    }
    table.render(paint)
}

fn numbers(rows: &[ClusterRow]) -> String {
    let columns: Vec<_> = HEADINGS.map(number).into();
    let cells = |row: &ClusterRow| -> Vec<Cell> {
        let [fast, slow] = row.modelled_ms.map(|ms| Unit::Millis.label(ms));
        let cells = [
            row.ranks.to_string(),
            Unit::Millis.label(row.cpu_ms),
            Unit::Count.label(row.one_ms / row.cpu_ms),
            Unit::Count.label(row.cheapest_ms / row.cpu_ms),
            Unit::Bytes.label(row.proof_bytes as f64),
            Unit::Bytes.label(row.sent_bytes as f64),
            row.calls.to_string(),
            fast,
            slow,
        ];
        cells.map(Cell::from).into()
    };
    table::table("", &columns, &rows.iter().map(cells).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_ranks_has_a_mark_and_a_row() {
        let row = |ranks: u32| ClusterRow {
            ranks,
            cpu_ms: 100.0 / f64::from(ranks),
            one_ms: 100.0,
            cheapest_ms: 90.0,
            proof_bytes: 1 << 18,
            sent_bytes: 1 << 20,
            calls: 30,
            modelled_ms: [60.0, 90.0],
        };
        let page = cluster_page(&[1, 2, 4].map(row), &Meta::default());
        assert_eq!(page.matches("role=\"img\"").count(), 2);
        assert!(page.contains("measured 4 at 4 ranks") && page.contains("<td class=\"n\">4</td>"), "{page}");
        assert!(!page.contains("NaN") && !cluster_page(&[], &Meta::default()).contains("NaN"));
    }
}
