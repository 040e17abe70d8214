//! Aligned tables and bars for the terminal.

use crate::terminal::escape_lines;
use std::io::IsTerminal;

/// Colours, when the output takes them.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For stdout: on when it is a terminal and `NO_COLOR` is not set.
    #[must_use]
    pub fn stdout() -> Self {
        Self { on: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    /// For stderr, by the same rule.
    #[must_use]
    pub fn stderr() -> Self {
        Self { on: std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    /// No colours.
    #[must_use]
    pub const fn off() -> Self {
        Self { on: false }
    }

    /// Colours, whatever the output is.
    #[must_use]
    pub const fn on() -> Self {
        Self { on: true }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// A text of ours with whatever stands in it, without control characters but line breaks and the colours that are on.
    #[must_use]
    pub fn printable(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('\u{1b}') {
            let (before, code) = rest.split_at(at);
            out.push_str(&escape_lines(before));
            let length = self.code_length(code).unwrap_or(0);
            out.push_str(&code[..length]);
            if length == 0 {
                out.push_str(&escape_lines("\u{1b}"));
            }
            rest = &code[length.max(1)..];
        }
        out.push_str(&escape_lines(rest));
        out
    }

    /// Bytes of the colour that a text starts with, if it is one of these and they are on.
    fn code_length(self, text: &str) -> Option<usize> {
        let codes = ["\u{1b}[32;1m", "\u{1b}[31;1m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m"];
        codes.into_iter().filter(|_| self.on).find(|code| text.starts_with(code)).map(str::len)
    }

    /// A valid verdict.
    #[must_use]
    pub fn green(self, text: &str) -> String {
        self.wrap("32;1", text)
    }

    /// An error, or an unproven security level.
    #[must_use]
    pub fn red(self, text: &str) -> String {
        self.wrap("31;1", text)
    }

    /// A heading.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Secondary text.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
}

/// Side on which the cells of a column line up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows of text under headings.
#[derive(Clone, Debug, Default)]
pub struct Table {
    headings: Vec<(String, Align)>,
    widths: Vec<usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    #[must_use]
    pub fn new(headings: &[(&str, Align)]) -> Self {
        Self {
            headings: headings.iter().map(|&(h, a)| (h.to_owned(), a)).collect(),
            widths: headings.iter().map(|(h, _)| h.chars().count()).collect(),
            rows: Vec::new(),
        }
    }

    /// Makes columns as wide as these cells, which need not be rows.
    ///
    /// # Panics
    /// If there is not one cell per column.
    pub fn reserve(&mut self, cells: &[String]) {
        assert_eq!(cells.len(), self.headings.len(), "one cell per column");
        for (width, cell) in self.widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If it has not one cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.reserve(&cells);
        self.rows.push(cells);
    }

    /// The headings and the line below them.
    #[must_use]
    pub fn head(&self, paint: Paint) -> String {
        let headings: Vec<String> = self.headings.iter().map(|(h, _)| h.clone()).collect();
        let rule = self.widths.iter().map(|&w| "─".repeat(w)).collect::<Vec<_>>().join("  ");
        format!("{}\n{rule}\n", paint.bold(self.line(&headings).trim_end()))
    }

    /// A row as a line, two spaces between columns; it need not be a row of the table.
    #[must_use]
    pub fn line(&self, cells: &[String]) -> String {
        let padded =
            cells.iter().zip(&self.headings).zip(&self.widths).map(|((cell, (_, align)), &w)| match align {
                Align::Left => format!("{cell:<w$}"),
                Align::Right => format!("{cell:>w$}"),
            });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    }

    /// All lines.
    #[must_use]
    pub fn render(&self, paint: Paint) -> String {
        self.rows.iter().fold(self.head(paint), |text, row| text + &self.line(row))
    }
}

/// Horizontal bars in eighths of a character, the longest `width` characters: name, value, label.
#[must_use]
pub fn bars(items: &[(String, u64, String)], width: usize) -> String {
    let most = items.iter().map(|i| i.1).max().unwrap_or(0).max(1);
    let names = items.iter().map(|i| i.0.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value, label) in items {
        let eighths = (u128::from(*value) * (width * 8) as u128 / u128::from(most)) as usize;
        let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        text.push_str(&format!("{name:<names$}  {}{part} {label}\n", "█".repeat(eighths / 8)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("scheme", Align::Left), ("ms", Align::Right)]);
        table.row(vec!["pip".into(), "1.5".into()]);
        table.row(vec!["lïgerito".into(), "12.25".into()]);
        let expected = "scheme       ms\n────────  ─────\npip         1.5\nlïgerito  12.25\n";
        assert_eq!(table.render(Paint::off()), expected);
    }

    #[test]
    fn colours_of_ours_pass_and_nothing_else() {
        let red = Paint::on().red("a\u{1b}[31mb\u{1b}[2Jc");
        assert_eq!(Paint::on().printable(&red), "\u{1b}[31;1ma\\u001b[31mb\\u001b[2Jc\u{1b}[0m");
        assert_eq!(Paint::off().printable(&red).matches('\u{1b}').count(), 0);
        assert_eq!(Paint::on().printable("a\r\nb\u{1b}"), "a\\u000d\nb\\u001b");
    }

    #[test]
    fn bars_scale_to_the_longest() {
        let items = [("a", 16), ("bb", 4), ("c", 0)].map(|(n, v)| (n.to_owned(), v, v.to_string()));
        assert_eq!(bars(&items, 4), "a   ████ 16\nbb  █ 4\nc    0\n");
        assert_eq!(bars(&[], 4), "");
    }
}
