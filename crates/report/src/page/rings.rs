//! The page of `bench ring`: each operation on rings by everyone who has it.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::axis::Unit;
use super::bars::{self, Bar};
use super::table::{self, number, text};
use super::{Meta, distinct, escape, shell};

/// The time of one operation on a ring.
#[derive(Clone, Debug)]
pub struct RingRow {
    /// Name of the results, where a page shows several.
    pub run: String,
    /// Rows of the ring's domain.
    pub rows: usize,
    /// Members of the ring.
    pub members: usize,
    /// The operation, such as `prove`.
    pub operation: String,
    /// The implementation.
    pub who: String,
    /// Threads.
    pub threads: usize,
    /// Median time in milliseconds.
    pub ms: f64,
}

impl RingRow {
    fn name(&self) -> String {
        let s = if self.threads == 1 { "" } else { "s" };
        format!("{}, {} thread{s}", self.who, self.threads)
    }
}

/// The self-contained page; `sizes` are sentences on bytes.
#[must_use]
pub fn ring_page(rows: &[RingRow], sizes: &[String], meta: &Meta) -> String {
    let groups: BTreeSet<(&str, usize)> = rows.iter().map(|row| (row.run.as_str(), row.rows)).collect();
    let mut who: Vec<String> = Vec::new();
    for name in rows.iter().map(RingRow::name) {
        if !who.contains(&name) {
            who.push(name);
        }
    }
    let index = |name: &String| who.iter().position(|known| known == name).unwrap_or_default();
    let mut body = String::new();
    for (run, size) in groups {
        let group: Vec<&RingRow> =
            rows.iter().filter(|row| (row.run.as_str(), row.rows) == (run, size)).collect();
        let members = group.first().map_or(0, |row| row.members);
        let run = if run.is_empty() { String::new() } else { format!("{}: ", escape(run)) };
        let _ = write!(
            body,
            "<section>\n<h2>{run}{members} members in {size} rows</h2>\n<div class=\"charts\">\n"
        );
        let mut operations: Vec<&str> = Vec::new();
        for row in &group {
            if !operations.contains(&row.operation.as_str()) {
                operations.push(&row.operation);
            }
        }
        for operation in operations {
            let all: Vec<&RingRow> = group.iter().copied().filter(|row| row.operation == operation).collect();
            let names = distinct(all.iter().map(|row| row.name()));
            let bar =
                |(row, name): (&&RingRow, String)| Bar { index: index(&row.name()), value: row.ms, name };
            let bars: Vec<Bar> = all.iter().zip(names).map(bar).collect();
            body.push_str(&bars::chart(operation, Unit::Millis, &bars));
        }
        body.push_str("</div>\n</section>\n");
    }
    body.push_str("<section>\n<h2>All numbers</h2>\n");
    body.push_str(&numbers(rows));
    if !sizes.is_empty() {
        body.push_str("<ul>\n");
        for size in sizes {
            let _ = writeln!(body, "<li>{}</li>", escape(size));
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</section>\n");
    shell(meta, &body)
}

fn numbers(rows: &[RingRow]) -> String {
    let columns = [
        text("Operation"),
        text("Who"),
        number("Threads"),
        number("Rows"),
        number("Members"),
        number("Time"),
    ];
    let cells = |row: &RingRow| {
        let [threads, size, members] = [row.threads, row.rows, row.members].map(|number| number.to_string());
        let time = Unit::Millis.label(row.ms);
        [row.operation.clone(), row.who.clone(), threads, size, members, time].map(Into::into).into()
    };
    table::table("", &columns, &rows.iter().map(cells).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(operation: &str, who: &str, threads: usize, ms: f64) -> RingRow {
        let [operation, who] = [operation, who].map(str::to_owned);
        RingRow { run: String::new(), rows: 512, members: 255, operation, who, threads, ms }
    }

    #[test]
    fn each_operation_is_a_chart_with_a_bar_for_everyone_who_has_it() {
        let rows = [
            row("prove", "tenfold", 1, 10.0),
            row("prove", "tenfold", 2, 6.0),
            row("prove", "<peer>", 1, 95.0),
            row("verify", "tenfold", 1, 2.0),
        ];
        let page = ring_page(&rows, &["512 proof: 592 bytes".into()], &Meta::default());
        assert_eq!(page.matches("class=\"bars\"").count(), 2);
        assert_eq!(page.matches("</i></div><span").count(), 4);
        assert!(
            page.contains("tenfold, 2 threads</p>") && page.contains("592 bytes") && !page.contains("<peer>")
        );
        assert!(!ring_page(&[], &[], &Meta::default()).contains("NaN"));
    }
}
