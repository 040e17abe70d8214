//! A flat JSON array of numbers, scanned byte by byte: the text of each number is read exactly,
//! and nothing but the column is held in memory.

use std::io::{self, BufRead, BufReader};

use crate::Options;
use crate::column::Builder;
use crate::error::DataError;
use crate::rows::{Read, Rows};

/// Longer numbers than this are no numbers anyone wrote.
const MAX_TOKEN: usize = 128;

struct Scanner<R> {
    source: BufReader<R>,
    offset: u64,
}

impl<S: io::Read> Scanner<S> {
    fn peek(&mut self) -> Result<Option<u8>, DataError> {
        Ok(self.source.fill_buf()?.first().copied())
    }

    fn skip(&mut self) {
        self.source.consume(1);
        self.offset += 1;
    }

    /// Goes behind a byte order mark.
    fn skip_mark(&mut self) -> Result<(), DataError> {
        const MARK: [u8; 3] = *b"\xef\xbb\xbf";
        if self.peek()? == Some(MARK[0]) {
            // A pipe gives as few bytes as it likes.
            for byte in MARK {
                if self.peek()? != Some(byte) {
                    return Err(self.error("`[` expected"));
                }
                self.skip();
            }
        }
        Ok(())
    }

    fn peek_after_space(&mut self) -> Result<Option<u8>, DataError> {
        while let Some(byte) = self.peek()? {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Ok(Some(byte));
            }
            self.skip();
        }
        Ok(None)
    }

    fn error(&self, reason: &'static str) -> DataError {
        DataError::Json { offset: self.offset, reason }
    }

    /// The bytes up to the next comma, bracket or white space.
    fn token(&mut self, token: &mut Vec<u8>) -> Result<(), DataError> {
        token.clear();
        while let Some(byte) = self.peek()? {
            if matches!(byte, b',' | b']' | b' ' | b'\t' | b'\n' | b'\r') {
                break;
            }
            if token.len() == MAX_TOKEN {
                return Err(self.error("a number of more than 128 characters"));
            }
            token.push(byte);
            self.skip();
        }
        Ok(())
    }
}

/// Reads `[n, n, ...]`.
///
/// # Errors
/// Anything else, with the byte offset or the element.
pub fn read<R: Rows>(source: impl io::Read, options: &Options, rows: R) -> Result<Read<R>, DataError> {
    if options.column.is_some() {
        return Err(DataError::NoColumns("a JSON array"));
    }
    let mut scanner = Scanner { source: BufReader::with_capacity(1 << 16, source), offset: 0 };
    scanner.skip_mark()?;
    match scanner.peek_after_space()? {
        None => return Err(DataError::EmptyFile),
        Some(b'[') => scanner.skip(),
        Some(_) => return Err(scanner.error("`[` expected")),
    }
    let mut builder = Builder::into(rows, None, options);
    let mut token = Vec::with_capacity(MAX_TOKEN);
    if scanner.peek_after_space()? == Some(b']') {
        scanner.skip();
    } else {
        while element(&mut scanner, &mut builder, &mut token)? {}
    }
    if scanner.peek_after_space()?.is_some() {
        return Err(scanner.error("something after the array"));
    }
    builder.end(&options.name, "the array is empty")
}

/// One number and the comma or bracket after it; whether another number follows.
fn element<S: io::Read, R: Rows>(
    scanner: &mut Scanner<S>,
    builder: &mut Builder<R>,
    token: &mut Vec<u8>,
) -> Result<bool, DataError> {
    let first = scanner.peek_after_space()?;
    if let Some(what) = first.and_then(not_a_number) {
        return Err(DataError::JsonElement { row: builder.place(None).row, what });
    }
    scanner.token(token)?;
    if token.is_empty() {
        return Err(scanner.error("a number expected"));
    }
    if !is_json_number(token) && !is_not_finite(token) {
        let found = String::from_utf8_lossy(token).into_owned();
        return Err(DataError::NotANumber { place: builder.place(None), found });
    }
    builder.push_text(token, None)?;
    let next = scanner.peek_after_space()?;
    if !matches!(next, Some(b',' | b']')) {
        return Err(scanner.error("`,` or `]` expected"));
    }
    scanner.skip();
    Ok(next == Some(b','))
}

pub(super) fn not_a_number(first: u8) -> Option<&'static str> {
    Some(match first {
        b'[' => "an array",
        b'{' => "an object",
        b'"' => "a string",
        b't' | b'f' => "a boolean",
        b'n' => "null",
        _ => return None,
    })
}

/// Writers that print floats carelessly leave these; they get the message about finite numbers.
pub(super) fn is_not_finite(token: &[u8]) -> bool {
    [&b"NaN"[..], b"Infinity", b"-Infinity", b"inf", b"-inf"].contains(&token)
}

/// A text without the byte order mark at its start, which some writers leave and RFC 8259 lets readers ignore.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The grammar of RFC 8259: no plus sign, no leading zero, digits on both sides of the point.
pub(super) fn is_json_number(token: &[u8]) -> bool {
    let digits = |t: &[u8]| t.iter().take_while(|b| b.is_ascii_digit()).count();
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned[0] == b'0') {
        return false;
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let n = digits(fraction);
        if n == 0 {
            return false;
        }
        rest = &fraction[n..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenfold::dataset::{Column, Values};

    fn read(source: impl io::Read, options: &Options) -> Result<Column, DataError> {
        super::read(source, options, Values::default()).map(|read| read.column([0; 32]))
    }

    fn values(text: &str) -> Result<(Values, u32), String> {
        read(text.as_bytes(), &Options::default()).map(|c| (c.values, c.scale)).map_err(|e| e.to_string())
    }

    #[test]
    fn reads_exact_numbers() {
        assert_eq!(values(" [1, -2.5,\n3e-2 ]\n").unwrap(), (Values::Narrow(vec![100, -250, 3]), 2));
        assert_eq!(values("\u{feff}[1]").unwrap(), (Values::Narrow(vec![1]), 0));
        assert_eq!(values("[0.1]").unwrap(), (Values::Narrow(vec![1]), 1));
    }

    #[test]
    fn refuses_everything_else() {
        let cases = [
            ("", "the file is empty"),
            ("[]", "there are no rows"),
            ("[1, [2]]", "element 1 is an array"),
            ("[{\"a\": 1}]", "element 0 is an object"),
            ("[1, \"2\"]", "element 1 is a string"),
            ("[null]", "element 0 is null"),
            ("[true]", "element 0 is a boolean"),
            ("{\"a\": [1]}", "`[` expected at byte 0"),
            ("[1, 2", "`,` or `]` expected at byte 5"),
            ("[1 2]", "`,` or `]` expected at byte 3"),
            ("[1,]", "a number expected at byte 3"),
            ("[1] 2", "something after the array at byte 4"),
            ("[NaN]", "`NaN` is not finite"),
            ("[1, -Infinity]", "row 1: `-Infinity` is not finite"),
            ("[01]", "`01` is not a number"),
            ("[+1]", "`+1` is not a number"),
            ("[.5]", "`.5` is not a number"),
            ("[1.]", "`1.` is not a number"),
            ("[1e]", "`1e` is not a number"),
        ];
        for (text, expected) in cases {
            let message = values(text).unwrap_err();
            assert!(message.contains(expected), "{text:?}: {message}");
        }
        assert!(values(&format!("[{}]", "1".repeat(200))).unwrap_err().contains("128 characters"));
    }

    #[test]
    fn a_named_column_is_refused() {
        let options = Options { column: Some("x".into()), ..Options::default() };
        assert!(matches!(read("[1]".as_bytes(), &options), Err(DataError::NoColumns(_))));
    }
}
