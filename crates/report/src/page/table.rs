//! Tables of a page, which scroll where they are wider than the screen.

use std::fmt::Write;

use super::escape;

/// A column.
pub(super) struct Column {
    title: String,
    class: &'static str,
    tip: String,
}

/// A column of text.
pub(super) fn text(title: impl Into<String>) -> Column {
    Column { title: title.into(), class: "", tip: String::new() }
}

/// A column of numbers.
pub(super) fn number(title: impl Into<String>) -> Column {
    Column { class: "n", ..text(title) }
}

impl Column {
    /// With an explanation.
    pub(super) fn with_tip(self, tip: impl Into<String>) -> Self {
        Self { tip: tip.into(), ..self }
    }
}

/// A cell.
pub(super) struct Cell {
    text: String,
    class: &'static str,
}

impl Cell {
    /// A cell that stands out, as the style sheet shows the class.
    pub(super) fn marked(text: impl Into<String>, class: &'static str) -> Self {
        Self { text: text.into(), class }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::marked(text, "")
    }
}

/// The table; the first cell of each row is its heading.
pub(super) fn table(caption: &str, columns: &[Column], rows: &[Vec<Cell>]) -> String {
    let mut html = String::from("<div class=\"scroll\" tabindex=\"0\"><table>\n");
    if !caption.is_empty() {
        let _ = writeln!(html, "<caption>{}</caption>", escape(caption));
    }
    html.push_str("<thead><tr>");
    for column in columns {
        let tip =
            if column.tip.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(&column.tip)) };
        let class = class(&[column.class]);
        let _ = write!(html, "<th scope=\"col\"{class}{tip}>{}</th>", escape(&column.title));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (at, (cell, column)) in row.iter().zip(columns).enumerate() {
            let (class, content) = (class(&[column.class, cell.class]), escape(&cell.text));
            let _ = match at {
                0 => write!(html, "<th scope=\"row\"{class}>{content}</th>"),
                _ => write!(html, "<td{class}>{content}</td>"),
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}

fn class(names: &[&str]) -> String {
    let names: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) }
}
