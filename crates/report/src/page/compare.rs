//! The page and the table of `compare`: every scheme that applies to the data, at equal proven bits.

use std::fmt::Write;

use serde::Serialize;

use super::axis::Unit;
use super::bars::{self, Bar};
use super::plot::{self, AxisName, Series};
use super::table::{self, Cell, number, text};
use super::{Meta, bits, distinct, escape, shell, unproven};
use crate::table::{Align, Paint, Table};
use crate::theorems::ByTheorem;
use crate::units;

/// One way to commit to the data, measured.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonRow {
    /// Scheme.
    pub scheme: String,
    /// Fields of the rows and of the challenges.
    pub field: String,
    /// Profile, such as `fast`.
    pub profile: String,
    /// Bits of security that are proven for these parameters, under each of the `theorems`.
    pub proven_bits: f64,
    /// The same without proof of work.
    pub interactive_bits: f64,
    /// The theorems that the bits are counted with, the least of them.
    pub theorems: String,
    /// Bits under each theorem alone, the admitted and the others.
    pub by_theorem: ByTheorem,
    /// The proof of security that the bits come from.
    pub regime: String,
    /// Every error term of that proof.
    pub terms: serde_json::Value,
    /// A line for each committed matrix or fold.
    pub layout: Vec<String>,
    /// Time to commit, in milliseconds.
    pub commit_ms: f64,
    /// Time to open, in milliseconds.
    pub open_ms: f64,
    /// Time to verify, in milliseconds.
    pub verify_ms: f64,
    /// Size of the commitment.
    pub commitment_bytes: u64,
    /// Size of the proof.
    pub proof_bytes: u64,
    /// Memory that the prover holds.
    pub peak_bytes: u64,
    /// The setup before any commitment, such as `none` or a trusted ceremony.
    pub setup: String,
    /// The assumptions of its security.
    pub assumptions: String,
    /// The options with which `commit` makes this commitment; none if it is for comparison only.
    pub commit: Option<String>,
    /// Digest of those parameters, as `inspect` shows it of the commitment.
    pub parameters_digest: Option<String>,
}

impl ComparisonRow {
    fn name(&self) -> String {
        format!("{} · {} · {}", self.scheme, self.field, self.profile)
    }

    /// The cells of the terminal's table.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        vec![
            self.scheme.clone(),
            self.field.clone(),
            self.profile.clone(),
            bits(self.proven_bits),
            bits(self.interactive_bits),
            self.regime.clone(),
            units::millis(self.commit_ms),
            units::millis(self.open_ms),
            units::millis(self.verify_ms),
            units::bytes(self.proof_bytes),
            units::bytes(self.peak_bytes),
            self.commit_with().to_owned(),
        ]
    }

    fn commit_with(&self) -> &str {
        self.commit.as_deref().unwrap_or("(comparison only)")
    }

    fn prove_ms(&self) -> f64 {
        self.commit_ms + self.open_ms
    }
}

type Measure = fn(&ComparisonRow) -> f64;

/// The measured columns: title, unit, value.
const MEASURES: [(&str, Unit, Measure); 6] = [
    ("Commit", Unit::Millis, |r| r.commit_ms),
    ("Open", Unit::Millis, |r| r.open_ms),
    ("Verify", Unit::Millis, |r| r.verify_ms),
    ("Proof", Unit::Bytes, |r| r.proof_bytes as f64),
    ("Memory", Unit::Bytes, |r| r.peak_bytes as f64),
    ("Commitment", Unit::Bytes, |r| r.commitment_bytes as f64),
];

/// The table for a terminal, as wide as these rows need, with none in it.
#[must_use]
pub fn comparison_columns<'a>(rows: impl IntoIterator<Item = &'a ComparisonRow>) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let mut table = Table::new(&[
        ("scheme", left),
        ("field", left),
        ("profile", left),
        ("bits", right),
        ("no work", right),
        ("regime", left),
        ("commit", right),
        ("open", right),
        ("verify", right),
        ("proof", right),
        ("memory", right),
        ("options of `commit`", left),
    ]);
    rows.into_iter().for_each(|row| table.reserve(&row.cells()));
    table
}

/// The table for a terminal.
#[must_use]
pub fn comparison_table(rows: &[ComparisonRow], paint: Paint) -> String {
    let mut table = comparison_columns([]);
    rows.iter().for_each(|row| table.row(row.cells()));
    table.render(paint)
}

/// The self-contained page.
#[must_use]
pub fn comparison_page(rows: &[ComparisonRow], meta: &Meta) -> String {
    let names = distinct(rows.iter().map(ComparisonRow::name));
    let mut body = winners(rows, &names);
    body.push_str("<section>\n<h2>Where each one stands</h2>\n<div class=\"charts\">\n");
    let series = names.iter().zip(rows).enumerate().map(|(index, (name, row))| Series {
        name: name.clone(),
        points: vec![(row.prove_ms(), row.proof_bytes as f64)],
        index,
    });
    let axes = [
        AxisName { unit: Unit::Millis, name: "commit + open" },
        AxisName { unit: Unit::Bytes, name: "proof" },
    ];
    let title = "Proof size against prover time: lower left is better";
    body.push_str(&plot::plot(title, axes, &series.collect::<Vec<_>>()));
    for (title, unit, value) in &MEASURES[..5] {
        let bar = |(index, (name, row)): (usize, (&String, &ComparisonRow))| Bar {
            name: name.clone(),
            value: value(row),
            index,
        };
        let bars: Vec<Bar> = names.iter().zip(rows).enumerate().map(bar).collect();
        body.push_str(&bars::chart(title, *unit, &bars));
    }
    body.push_str("</div>\n</section>\n<section>\n<h2>All numbers</h2>\n");
    body.push_str(&numbers(rows));
    body.push_str("</section>\n");
    body.push_str(&theorems(rows));
    shell(meta, &body)
}

/// Who is best at what, for readers who read nothing else; what is not proven, or cannot be committed with, cannot win.
fn winners(rows: &[ComparisonRow], names: &[String]) -> String {
    let picks: [(&str, Unit, Measure); 4] = [
        ("Fastest prover", Unit::Millis, ComparisonRow::prove_ms),
        ("Smallest proof", Unit::Bytes, |r| r.proof_bytes as f64),
        ("Fastest verifier", Unit::Millis, |r| r.verify_ms),
        ("Least memory", Unit::Bytes, |r| r.peak_bytes as f64),
    ];
    let mut html = String::from("<section class=\"winners\" aria-label=\"Best of each\">\n");
    for (title, unit, value) in picks {
        let proven = rows.iter().zip(names).filter(|(row, _)| !unproven(&row.regime) && row.commit.is_some());
        let Some((best, name)) = proven.min_by(|a, b| value(a.0).total_cmp(&value(b.0))) else { continue };
        let _ = writeln!(
            html,
            "<div class=\"card\"><p class=\"what\">{title}</p><p class=\"big\">{}</p><p class=\"who\">{}</p></div>",
            unit.label(value(best)),
            escape(name),
        );
    }
    html.push_str("</section>\n");
    html
}

fn numbers(rows: &[ComparisonRow]) -> String {
    let mut columns = vec![text("Scheme"), text("Field"), text("Profile")];
    columns.extend([number("Proven bits"), number("Without work"), text("Regime")]);
    columns.extend(MEASURES.iter().map(|(title, ..)| number(*title)));
    columns.extend([text("Setup"), text("Rests on"), text("Commit with")]);
    let cells = |row: &ComparisonRow| {
        let mut cells: Vec<Cell> =
            [&row.scheme, &row.field, &row.profile].map(|name| name.clone().into()).into();
        cells.extend([row.proven_bits, row.interactive_bits].map(|number| bits(number).into()));
        cells.push(Cell::marked(&row.regime, if unproven(&row.regime) { "warn" } else { "" }));
        cells.extend(MEASURES.iter().map(|(_, unit, value)| {
            let least = rows.iter().map(value).fold(f64::INFINITY, f64::min);
            Cell::marked(unit.label(value(row)), if value(row) <= least { "best" } else { "" })
        }));
        cells.push(row.setup.clone().into());
        cells.push(row.assumptions.clone().into());
        cells.push(Cell::marked(row.commit_with(), "code"));
        cells
    };
    table::table("The best of each column is bold.", &columns, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// Bits under each theorem alone, with work and without: which theorem a label rests on, and what it would be without it.
fn theorems(rows: &[ComparisonRow]) -> String {
    let Some(first) = rows.first().filter(|row| !row.by_theorem.0.is_empty()) else { return String::new() };
    let mut columns = vec![text("Scheme"), text("Field"), text("Profile")];
    for (theorem, _) in &first.by_theorem.0 {
        columns.push(number(theorem.to_string()).with_tip(theorem.source()));
        columns.push(number("without work"));
    }
    let cells = |row: &ComparisonRow| {
        let names = [&row.scheme, &row.field, &row.profile].into_iter().map(|name| name.clone().into());
        let both = row.by_theorem.0.iter().flat_map(|(_, both)| [both.proven, both.interactive]);
        names.chain(both.map(|number| bits(number).into())).collect::<Vec<Cell>>()
    };
    let caption = format!(
        "Proven bits with proof of work, and without it. Counted above: {}, the least of them. Within unique decoding the theorems agree.",
        first.theorems
    );
    let table = table::table(&caption, &columns, &rows.iter().map(cells).collect::<Vec<_>>());
    format!("<section>\n<h2>Bits under each theorem</h2>\n{table}</section>\n")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::theorems::Bits;
    use iop::security::Theorem;

    pub(in crate::page) fn row(scheme: &str, field: &str, ms: f64, kib: u64) -> ComparisonRow {
        ComparisonRow {
            scheme: scheme.into(),
            field: field.into(),
            profile: "fast".into(),
            proven_bits: 128.7,
            interactive_bits: 113.9,
            theorems: "bchks25, dkt26".into(),
            by_theorem: ByTheorem(vec![
                (Theorem::Bciks20, Bits { proven: 61.2, interactive: 45.9 }),
                (Theorem::Dkt26, Bits { proven: 130.9, interactive: 114.9 }),
            ]),
            regime: "johnson".into(),
            terms: serde_json::Value::Null,
            layout: Vec::new(),
            commit_ms: ms,
            open_ms: ms / 3.0,
            verify_ms: 1.5,
            commitment_bytes: 32,
            proof_bytes: kib << 10,
            peak_bytes: 64 << 20,
            setup: "none".into(),
            assumptions: "BLAKE3 collision resistance".into(),
            commit: Some(format!("--scheme {scheme}")),
            parameters_digest: None,
        }
    }

    #[test]
    fn pages_are_self_contained_and_escaped() {
        let rows = [row("<script>alert(1)</script>", "a\"b", 10.0, 300), row("pip", "koalabear", 20.0, 200)];
        let meta = Meta {
            title: "</title><b>".into(),
            subtitle: "\"&".into(),
            command: "tenfold compare '<x>'".into(),
            facts: vec![("<dt>".into(), "<dd>".into())],
            notes: vec!["<li>".into()],
        };
        let page = comparison_page(&rows, &meta);
        for banned in ["http", "<script", "url(", "@import", "<link", "<img", "src=", "<b>", "<dt><dt>"] {
            assert!(!page.contains(banned), "the page contains {banned}");
        }
        assert!(page.contains("&lt;script&gt;") && page.contains("prefers-color-scheme: dark"));
        assert_eq!(page.matches("role=\"img\" aria-label=\"").count(), 6, "every plot has a text");
        assert_eq!(page.matches("<tr>").count(), 6, "two tables");
    }

    #[test]
    fn the_best_of_each_column_is_marked_and_bits_are_floored() {
        let rows = [row("a", "f", 10.0, 300), row("b", "f", 20.0, 200)];
        let page = comparison_page(&rows, &Meta::default());
        assert!(
            page.contains("<td class=\"n best\">10.0 ms</td>")
                && page.contains("<td class=\"n\">20.0 ms</td>")
        );
        assert!(page.contains("<td class=\"n\">128</td>") && !page.contains("129"));
    }

    /// Under each theorem, with work and without, rounded down.
    #[test]
    fn bits_stand_under_each_theorem() {
        let page = comparison_page(&[row("a", "f", 10.0, 300)], &Meta::default());
        let cells = ["61", "45", "130", "114"].map(|bits| format!("<td class=\"n\">{bits}</td>")).concat();
        assert!(
            page.contains(&cells) && page.contains(">bciks20</th>") && page.contains(">dkt26</th>"),
            "{page}"
        );
        assert!(page.contains("Counted above: bchks25, dkt26"));
        let value = serde_json::to_value(row("a", "f", 10.0, 300)).unwrap();
        assert_eq!(value["by_theorem"]["dkt26"]["interactive_bits"], 114.9);
        assert_eq!(value["interactive_bits"], 113.9);
    }

    #[test]
    fn refuted_conjectures_are_flagged() {
        let mut unsafe_row = row("a", "f", 1.0, 1);
        unsafe_row.regime = "capacity conjecture (refuted)".into();
        let page = comparison_page(&[unsafe_row], &Meta::default());
        assert!(
            page.contains("<td class=\"warn\">") && !page.contains("Fastest prover"),
            "flagged, and no winner"
        );
    }

    /// A row that `commit` cannot make is shown, and never recommended.
    #[test]
    fn rows_for_comparison_only_do_not_win() {
        let mut fastest = row("deepfold", "f", 1.0, 1);
        fastest.commit = None;
        let page = comparison_page(&[fastest, row("pip", "f", 20.0, 200)], &Meta::default());
        let winners = page.split("</section>").next().unwrap();
        assert!(winners.contains("pip") && !winners.contains("deepfold"), "{winners}");
        assert!(page.contains("(comparison only)"));
    }

    /// Two rows that differ in what their names do not say are two bars with two names.
    #[test]
    fn no_two_bars_have_one_label() {
        let page = comparison_page(&[row("a", "f", 1.0, 1), row("a", "f", 2.0, 2)], &Meta::default());
        assert_eq!(page.matches("a · f · fast</p>").count(), 4 + 5, "the winners, and a bar of each chart");
        assert_eq!(page.matches("a · f · fast (2)</p>").count(), 5, "{page}");
    }

    #[test]
    fn no_rows_is_a_page_too() {
        assert!(!comparison_page(&[], &Meta::default()).contains("NaN"));
        assert_eq!(comparison_table(&[], Paint::off()).lines().count(), 2);
    }

    #[test]
    fn terminal_table_has_a_line_per_row() {
        let text = comparison_table(&[row("pip", "koalabear", 12.0, 300)], Paint::off());
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("pip") && last.contains("300.0 KiB") && last.contains("128"), "{text}");
    }
}
