//! Lines of a text, none longer than a limit and none blank: a blank line in a column of numbers would shift its rows.

use std::io::{self, Read};

/// A line that no column of numbers has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Nothing between two line breaks; the line, from 1.
    #[error("line {0} is blank")]
    Blank(u64),
    /// A record or line longer than the limit.
    #[error("the record at line {line} is longer than {limit} bytes")]
    Long {
        /// Where it starts, from 1.
        line: u64,
        /// The most bytes.
        limit: u64,
    },
    /// The text ends within a quoted cell: what follows the quote, perhaps rows, would be that cell.
    #[error("the record at line {0} has a quoted cell that does not end")]
    Open(u64),
    /// Text right behind the end of a quoted cell: joined to it, it would be another number.
    #[error("the record at line {0} has text behind the end of a quoted cell")]
    Behind(u64),
}

impl From<LineError> for io::Error {
    fn from(error: LineError) -> Self {
        Self::other(error)
    }
}

/// Where in a CSV file a byte is; the states of the grammar that the `csv` crate reads by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// The start of a record; the flag says that a carriage return was just read, so that its line feed belongs to it.
    Record(bool),
    Cell,
    Text,
    Quoted,
    /// Behind a quote in a quoted cell: its end, or the first of two that stand for one.
    Quote,
}

/// Passes the bytes of a CSV file on, and stops at a blank line or a record that is too long.
pub struct Records<R> {
    source: R,
    delimiter: u8,
    limit: u64,
    at: At,
    line: u64,
    /// Line that the record starts at.
    first: u64,
    length: u64,
    /// How many bytes of a byte order mark there are so far, if there was nothing else.
    mark: Option<usize>,
}

/// A byte order mark.
const MARK: [u8; 3] = *b"\xef\xbb\xbf";

impl<R: Read> Records<R> {
    /// A file with this delimiter, whose records have at most `limit` bytes.
    pub fn new(source: R, delimiter: u8, limit: u64) -> Self {
        let at = At::Record(false);
        Self { source, delimiter, limit, at, line: 1, first: 1, length: 0, mark: Some(0) }
    }

    fn see(&mut self, byte: u8) -> Result<(), LineError> {
        // A byte order mark is no part of the first cell; a part of one is its text.
        if let Some(found) = self.mark {
            self.mark = None;
            if byte == MARK[found] {
                self.mark = Some(found + 1).filter(|&found| found < MARK.len());
                self.at = if self.mark.is_some() { At::Text } else { At::Record(false) };
                return Ok(());
            }
        }
        self.length += 1;
        if self.length > self.limit {
            return Err(LineError::Long { line: self.first, limit: self.limit });
        }
        self.at = match (self.at, byte) {
            (At::Record(true), b'\n') => {
                self.length = 0;
                At::Record(false)
            }
            (At::Record(_), b'\n' | b'\r') => return Err(LineError::Blank(self.first)),
            (At::Quoted, b'"') => At::Quote,
            (At::Quoted, b'\n') => {
                self.line += 1;
                At::Quoted
            }
            (At::Quoted, _) | (At::Quote, b'"') => At::Quoted,
            (_, b'\n' | b'\r') => {
                self.line += 1;
                (self.first, self.length) = (self.line, 0);
                At::Record(byte == b'\r')
            }
            (_, byte) if byte == self.delimiter => At::Cell,
            (At::Record(_) | At::Cell, b'"') => At::Quoted,
            (At::Quote, byte) if byte != b' ' && byte != b'\t' => return Err(LineError::Behind(self.first)),
            _ => At::Text,
        };
        Ok(())
    }
}

impl<R: Read> Read for Records<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(buffer)?;
        if n == 0 && !buffer.is_empty() && self.at == At::Quoted {
            return Err(LineError::Open(self.first).into());
        }
        buffer[..n].iter().try_for_each(|&byte| self.see(byte))?;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, limit: u64) -> Result<(), String> {
        for chunk in [1, 2, 7, 1000] {
            let mut records = Records::new(text.as_bytes(), b',', limit);
            let mut buffer = vec![0; chunk];
            loop {
                match records.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(e) => return Err(e.to_string()),
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_blank_line_is_named_and_a_quoted_one_is_none() {
        for text in [
            "a\n1\n2\n",
            "a\n1\n2",
            "a\r\n1\r\n",
            "a,b\n\"1\n\n\",2\n",
            "a\n\"x\"\"\n\n\"\n1\n",
            "\u{feff}\"a\n\nb\"\n1\n",
            "a\rb\r",
        ] {
            assert_eq!(read(text, 100), Ok(()), "{text:?}");
        }
        for (text, line) in [
            ("\na\n", 1),
            ("a\n\n1\n", 2),
            ("a\n1\n\n", 3),
            ("a\r\n1\r\n\r\n2\r\n", 3),
            ("a\n\"1\n2\"\n\n", 4),
            ("a\r\r1", 2),
            ("a\n5\"\n\n\"6\n", 3),
        ] {
            assert_eq!(read(text, 100), Err(format!("line {line} is blank")), "{text:?}");
        }
    }

    #[test]
    fn a_quoted_cell_has_an_end() {
        for (text, line) in [("a\n\"1\n", 2), ("a,b\n1,x\n2,\"y\n3,z\n", 3), ("\"", 1), ("a\n\"1\"\"", 2)] {
            let expected = format!("the record at line {line} has a quoted cell that does not end");
            assert_eq!(read(text, 100), Err(expected), "{text:?}");
        }
        for text in ["a\n\"1\"", "a\n\"1\"\n", "a\n1\"\n", "a\n\"1\"\"\""] {
            assert_eq!(read(text, 100), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn a_quoted_cell_ends_with_its_quote() {
        for (text, line) in
            [("a\n\"2\"3\n", 2), ("\"a\"b\n", 1), ("a,b\n\"1\n\",\"2\"\"\"3\n", 2), ("a\n1\n\"\"2", 3)]
        {
            let expected = format!("the record at line {line} has text behind the end of a quoted cell");
            assert_eq!(read(text, 100), Err(expected), "{text:?}");
        }
        // With a space between they are no number.
        for text in ["a\n\"2\" 3\n", "a,b\n\"1\" ,\"2\"\t\n", "a\n\"2\"\"3\"\n", "a\n2\"3\n"] {
            assert_eq!(read(text, 100), Ok(()), "{text:?}");
        }
    }

    /// Records as they are seen here, if the text is accepted.
    fn seen(text: &[u8]) -> Option<usize> {
        let mut records = Records::new(text, b',', 100);
        let mut ends = 0;
        for &byte in text {
            let before = records.at;
            records.see(byte).ok()?;
            let start = |at: At| matches!(at, At::Record(_));
            ends += usize::from(start(records.at) && !start(before) && b"\n\r".contains(&byte));
        }
        match records.at {
            At::Record(_) => Some(ends),
            At::Quoted => None,
            _ => Some(ends + 1),
        }
    }

    /// Every short text, behind nothing, a part of a byte order mark and a whole one: what is accepted has as many records here as where it is parsed.
    #[test]
    fn records_are_those_of_the_parser() {
        const BYTES: [u8; 6] = *b"a,\"\n\r\xbb";
        let mut accepted = 0;
        for start in (0..=MARK.len()).map(|length| &MARK[..length]) {
            for length in 0..6 {
                for number in 0..BYTES.len().pow(length) {
                    let byte = |at| BYTES[number / BYTES.len().pow(at) % BYTES.len()];
                    let text: Vec<u8> = start.iter().copied().chain((0..length).map(byte)).collect();
                    let Some(records) = seen(&text) else { continue };
                    let mut reader = ::csv::ReaderBuilder::new();
                    let reader = reader.has_headers(false).flexible(true).buffer_capacity(16);
                    let parsed = reader.from_reader(&text[..]).into_byte_records().count();
                    assert_eq!(records, parsed, "{:?}", String::from_utf8_lossy(&text));
                    accepted += 1;
                }
            }
        }
        assert!(accepted > 10_000, "{accepted}");
    }

    #[test]
    fn records_have_a_longest() {
        let long = format!("a\n1\n{}\n", "x".repeat(100));
        assert_eq!(read(&long, 101), Ok(()));
        assert_eq!(read(&long, 100), Err("the record at line 3 is longer than 100 bytes".into()));
        assert!(read(&format!("\"{}", "\n".repeat(1000)), 100).is_err());
    }
}
