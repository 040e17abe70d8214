//! Numbers, digests and texts from outside as people read them.
//!
//! Control characters in a name or a message of a file could recolour, overwrite or forge lines of a terminal, so none is printed.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write as _;

/// `1536` is `1.5 KiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// `1048576` is `1,048,576`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, c) in digits.chars().enumerate() {
        if i != 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// So many things of this name: `1 row`, `1,024 rows`.
#[must_use]
pub fn several(n: u64, name: &str) -> String {
    format!("{} {name}{}", count(n), if n == 1 { "" } else { "s" })
}

/// All of so many things of this name: `the one row`, `all 1,024 rows`.
#[must_use]
pub fn all(n: u64, name: &str) -> String {
    if n == 1 { format!("the one {name}") } else { format!("all {}", several(n, name)) }
}

/// Bytes in the order in which they stand, two hexadecimal digits each.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The bytes that hexadecimal digits of either case stand for, behind `0x` or not, if there are as many as they take.
#[must_use]
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let text = text.strip_prefix("0x").unwrap_or(text);
    let mut digits = text.chars().map(|digit| digit.to_digit(16));
    let mut bytes = [0; N];
    for byte in &mut bytes {
        let [high, low] = [digits.next()??, digits.next()??];
        *byte = (16 * high + low) as u8;
    }
    digits.next().is_none().then_some(bytes)
}

/// An element of a binary field as the integer of its canonical bytes.
#[must_use]
pub fn hex_integer(element: &[u8]) -> String {
    let bytes: alloc::vec::Vec<u8> = element.iter().rev().copied().collect();
    match hex(&bytes).trim_start_matches('0') {
        "" => "0x0".into(),
        digits => format!("0x{digits}"),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.0 KiB");
        assert_eq!(bytes(1 << 20), "1.0 MiB");
        assert_eq!(bytes((1 << 20) - 1), "1.0 MiB");
        assert_eq!(count(1), "1");
        assert_eq!(count(1_048_576), "1,048,576");
        assert_eq!(count(100), "100");
        assert_eq!([0, 1, 1024].map(|n| all(n, "row")), ["all 0 rows", "the one row", "all 1,024 rows"]);
        assert_eq!(hex(&[0, 255]), "00ff");
        assert_eq!([from_hex("00fF"), from_hex("0x00ff")], [Some([0, 255]); 2]);
        assert!(["00f", "00ff0", "00ff00", "00fg", ""].iter().all(|text| from_hex::<2>(text).is_none()));
    }

    #[test]
    fn what_could_move_the_cursor_is_written_out() {
        assert_eq!(escape("price in €, 價格"), "price in €, 價格");
        let hostile = "\u{1b}[31mred\u{9b}2J\r\n\u{7f}\u{202e}x\0";
        assert_eq!(escape(hostile), "\\u001b[31mred\\u009b2J\\u000d\\u000a\\u007f\\u202ex\\u0000");
        assert_eq!(escape("\u{61c}"), "\\u061c", "the Arabic letter mark");
        assert_eq!(escape_lines("a\nb\u{1b}"), "a\nb\\u001b");
    }
}
