//! Numbers and digests as people read them.

use alloc::string::{String, ToString};
use core::fmt::Write as _;

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

/// An element of a binary field as the integer of its canonical bytes.
#[must_use]
pub fn hex_integer(element: &[u8]) -> String {
    let bytes: alloc::vec::Vec<u8> = element.iter().rev().copied().collect();
    match hex(&bytes).trim_start_matches('0') {
        "" => "0x0".into(),
        digits => format!("0x{digits}"),
    }
}
