//! Self-contained HTML pages: one file, no script, nothing fetched, light and dark, every plot also a table.

mod axis;
mod bars;
mod bench;
mod compare;
mod plot;

use std::fmt::Write;

pub use bench::{BenchRow, bench_page, bench_table};
pub use compare::{ComparisonRow, comparison_columns, comparison_page, comparison_table};

/// What a page says around its numbers.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Heading of the page.
    pub title: String,
    /// One sentence on what was measured: the data, its size, the machine load.
    pub subtitle: String,
    /// The command that made the page.
    pub command: String,
    /// Facts on data and machine, as name and value.
    pub facts: Vec<(String, String)>,
    /// What a reader must know before quoting a number.
    pub notes: Vec<String>,
}

/// Text made safe for HTML content and quoted attributes.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Number of colours that series are told apart by; beyond, colours repeat and names decide.
const COLOURS: usize = 8;

/// The class of the colour of a series.
fn colour(series: usize) -> String {
    format!("s{}", series % COLOURS)
}

/// The page around `body`, which is HTML already.
fn shell(meta: &Meta, body: &str) -> String {
    let mut page = String::with_capacity(body.len() + 16_384);
    let title = escape(&meta.title);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{}</style>\n</head>\n\
         <body>\n<main>\n<header>\n<p class=\"brand\">tenfold {}</p>\n<h1>{title}</h1>\n<p class=\"lead\">{}</p>\n</header>\n",
        include_str!("style.css"),
        env!("CARGO_PKG_VERSION"),
        escape(&meta.subtitle),
    );
    page.push_str(body);
    page.push_str(&footer(meta));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn footer(meta: &Meta) -> String {
    let mut text = String::from("<section class=\"about\">\n<h2>How this was measured</h2>\n<dl>\n");
    for (name, value) in &meta.facts {
        let _ = writeln!(text, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value));
    }
    text.push_str("</dl>\n");
    if !meta.notes.is_empty() {
        text.push_str("<ul>\n");
        for note in &meta.notes {
            let _ = writeln!(text, "<li>{}</li>", escape(note));
        }
        text.push_str("</ul>\n");
    }
    if !meta.command.is_empty() {
        let _ = writeln!(text, "<p>Made with</p>\n<pre><code>{}</code></pre>", escape(&meta.command));
    }
    text.push_str("</section>\n");
    text
}

/// Proven bits as shown everywhere: rounded down, so that no rounding claims more than was proven.
fn bits(proven: f64) -> String {
    format!("{:.0}", proven.floor())
}

/// Whether a regime rests on something that is not proven, and is printed in red.
fn unproven(regime: &str) -> bool {
    regime.contains("conjecture") || regime.contains("capacity")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_leaves_no_markup() {
        assert_eq!(escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    }

    #[test]
    fn bits_are_never_rounded_up() {
        assert_eq!(bits(127.99), "127");
        assert!(unproven("capacity (conjecture)") && !unproven("johnson"));
    }

    #[test]
    fn the_style_fetches_nothing() {
        let style = include_str!("style.css");
        assert!(!style.contains("url(") && !style.contains("@import") && !style.contains("http"));
    }
}
