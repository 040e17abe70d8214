//! Self-contained HTML pages: one file, no script, nothing fetched, light and dark, every plot also a table.

mod axis;
mod bars;
mod bench;
mod cluster;
mod compare;
mod marks;
mod plot;
mod rings;
mod table;

use std::collections::BTreeSet;
use std::fmt::Write;

pub use bench::{BenchRow, bench_page};
pub use cluster::{ClusterRow, cluster_page, cluster_table};
pub use compare::{ComparisonRow, comparison_columns, comparison_page, comparison_table};
pub use rings::{RingRow, ring_page};

/// The text of a page around its numbers.
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
    /// Caveats: read before quoting a number.
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

/// Names of which no two are alike: the second of the same gets a number.
fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let free = |name: String| {
        let numbered = (2..).map(|n| format!("{name} ({n})"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        let free = free.expect("numbers do not end");
        taken.insert(free.clone());
        free
    };
    names.into_iter().map(free).collect()
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

/// Returns true for a regime that rests on something unproven; it is printed in red.
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
    fn names_get_numbers_where_they_are_alike() {
        let names = ["a", "b", "a", "a (2)", "a"].map(str::to_owned);
        assert_eq!(distinct(names), ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
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
