//! Text from outside on its way to a terminal: names, headers, messages of files. Control characters there could recolour,
//! overwrite or forge lines of ours, so none of them is printed.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// Returns true for a character that is invisible or moves what stands around it: controls, and the marks that change the direction of
/// text (Unicode technical report 36).
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text without control characters and line breaks: each is written as `\u` and four hexadecimal digits, as in JSON.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_but(text, |_| false)
}

/// The same of text that has lines of its own.
#[must_use]
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escape_but(text, |c| c == '\n')
}

fn escape_but(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|c| is_control(c) && !keep(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_control(c) && !keep(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A path for a message.
#[must_use]
pub fn path(path: &Path) -> impl fmt::Display + '_ {
    escape(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_move_the_cursor_is_written_out() {
        assert_eq!(escape("price in €, 價格"), "price in €, 價格");
        let hostile = "\u{1b}[31mred\u{9b}2J\r\n\u{7f}\u{202e}x\0";
        assert_eq!(escape(hostile), "\\u001b[31mred\\u009b2J\\u000d\\u000a\\u007f\\u202ex\\u0000");
        assert_eq!(escape("\u{61c}"), "\\u061c", "the Arabic letter mark");
        assert_eq!(escape_lines("a\nb\u{1b}"), "a\nb\\u001b");
        assert_eq!(path(Path::new("a\nb")).to_string(), "a\\u000ab");
    }
}
