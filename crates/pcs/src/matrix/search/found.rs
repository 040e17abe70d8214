//! What the search finds for common wishes, written down: a command finds parameters in its table instead of searching for them.
//!
//! A line has the words of a wish and the encoding of the parameters in hexadecimal. A table is read like any parameters from outside:
//! decoded, held against the wish, and their bits computed anew. That it has what the search finds is for a test, which also
//! writes it (`just found`).

/// The encoded parameters for the words of a wish.
pub(crate) fn known(table: &str, wish: &str) -> Option<Vec<u8>> {
    let mut lines = table.lines().filter_map(|line| line.rsplit_once(' '));
    let (_, hex) = lines.find(|(words, _)| *words == wish)?;
    let byte = |pair: &[u8]| u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok();
    hex.as_bytes().chunks(2).map(byte).collect()
}

/// Holds a table against what the search finds for the words of each wish, or writes it anew if the environment has
/// `TENFOLD_WRITE_FOUND`.
#[cfg(test)]
pub(crate) fn check(path: &str, table: &str, found: impl Iterator<Item = (String, Vec<u8>)>) {
    let line = |(wish, bytes): (String, Vec<u8>)| {
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        format!("{wish} {hex}\n")
    };
    let text: String = found.map(line).collect();
    if std::env::var_os("TENFOLD_WRITE_FOUND").is_some() {
        std::fs::write(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path), text).expect("a table");
        return;
    }
    for (n, (ours, theirs)) in text.lines().zip(table.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {} of {path} is not what the search finds: `just found`", n + 1);
    }
    assert_eq!(text.len(), table.len(), "{path} has other lines than the search finds: `just found`");
}
