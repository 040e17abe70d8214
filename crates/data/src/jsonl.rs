//! JSON lines: one number on each line, or one object with a member that is a number.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, Read as _};

use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::Options;
use crate::column::Builder;
use crate::error::DataError;
use crate::json::{is_json_number, is_not_finite, not_a_number, without_mark};
use crate::lines::LineError;
use crate::rows::{Read, Rows};

/// Reads one number from each line; of objects the member that is named, or the only one.
///
/// Memory: what the rows take, and one line of at most [`super::Limits::record`] bytes.
///
/// # Errors
/// Lines that are blank, too long, no JSON, or without the number: each with its place.
pub fn read<R: Rows>(source: impl io::Read, options: &Options, rows: R) -> Result<Read<R>, DataError> {
    let limit = options.limits.record();
    let mut source = std::io::BufReader::with_capacity(1 << 16, source);
    let mut line = Vec::new();
    let mut number = 0u64;
    let mut member = options.column.clone();
    let (mut rows, mut builder) = (Some(rows), None);
    loop {
        line.clear();
        if (&mut source).take(limit + 2).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        number += 1;
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if text.len() as u64 > limit {
            return Err(LineError::Long { line: number, limit }.into());
        }
        let text = if number == 1 { without_mark(text) } else { text }.trim_ascii();
        if text.is_empty() {
            return Err(LineError::Blank(number).into());
        }
        if number == 1 {
            member = chosen(text, member)?;
        }
        if let Some(rows) = rows.take() {
            builder = Some(Builder::into(rows, member.clone(), options));
        }
        let Some(builder) = &mut builder else { break };
        match &member {
            None => push(builder, text, number)?,
            Some(name) => push(builder, member_of(text, name, number)?.get().as_bytes(), number)?,
        }
    }
    let builder = builder.ok_or(DataError::EmptyFile)?;
    builder.end(&options.name, "the file has no lines")
}

/// The member to read, by the first line: none where it is a number, the one that is named, or the only one.
fn chosen(first: &[u8], wanted: Option<String>) -> Result<Option<String>, DataError> {
    if first.first() != Some(&b'{') {
        return match wanted {
            None => Ok(None),
            Some(_) => Err(DataError::NoColumns("a file of one number on each line")),
        };
    }
    let object = parse(first, None, 1)?;
    match (wanted, object.count) {
        // Names beyond those that are kept are looked for in the line itself.
        (Some(wanted), count) if count == object.names.len() && !object.names.contains(&wanted) => {
            Err(DataError::MissingColumn { wanted, available: object.names })
        }
        (Some(wanted), _) => Ok(Some(wanted)),
        (None, 0) => Err(DataError::JsonLine { line: 1, reason: "the object has no members".to_owned() }),
        (None, 1) => Ok(object.names.into_iter().next()),
        (None, count) => Err(DataError::ColumnNeeded { available: object.names, count }),
    }
}

fn push<R: Rows>(builder: &mut Builder<R>, text: &[u8], line: u64) -> Result<(), DataError> {
    let word = text.first().is_some_and(u8::is_ascii_lowercase);
    let literal = [&b"true"[..], b"false", b"null"].contains(&text);
    if let Some(what) = text.first().and_then(|&b| not_a_number(b)).filter(|_| !word || literal) {
        return Err(DataError::JsonLine {
            line,
            reason: format!("the value is {what}, a number is expected"),
        });
    }
    if !is_json_number(text) && !is_not_finite(text) {
        return Err(DataError::NotANumber {
            place: builder.place(Some(line)),
            found: super::column::shorten(text),
        });
    }
    builder.push_text(text, Some(line))
}

fn member_of<'a>(text: &'a [u8], name: &str, line: u64) -> Result<&'a RawValue, DataError> {
    parse(text, Some(name), line)?
        .value
        .ok_or_else(|| DataError::JsonLine { line, reason: format!("the object has no member `{name}`") })
}

/// The names of an object's members (at most as many as an error shows), and the value of one.
struct Object<'a> {
    names: Vec<String>,
    count: usize,
    value: Option<&'a RawValue>,
}

fn parse<'a>(text: &'a [u8], wanted: Option<&str>, line: u64) -> Result<Object<'a>, DataError> {
    let refused = |e: serde_json::Error| DataError::JsonLine { line, reason: e.to_string() };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let object = deserializer.deserialize_map(Members { wanted }).map_err(refused)?;
    deserializer.end().map_err(refused)?;
    Ok(object)
}

struct Members<'n> {
    /// The member whose value is read; none where the names are.
    wanted: Option<&'n str>,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        const SHOWN: usize = 100;
        let mut object = Object { names: Vec::new(), count: 0, value: None };
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            object.count += 1;
            if Some(&*name) == self.wanted {
                if object.value.is_some() {
                    return Err(serde::de::Error::custom("the member stands twice"));
                }
                object.value = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            if self.wanted.is_none() && object.names.len() < SHOWN {
                object.names.push(name.into_owned());
            }
        }
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use tenfold::dataset::{Column, Values};

    fn read(source: impl io::Read, options: &Options) -> Result<Column, DataError> {
        super::read(source, options, Values::default()).map(|read| read.column([0; 32]))
    }

    fn load(text: &str, column: Option<&str>) -> Result<Column, String> {
        let options = Options { column: column.map(str::to_owned), ..Options::default() };
        read(text.as_bytes(), &options).map_err(|e| e.to_string())
    }

    #[test]
    fn numbers_and_members_are_read_exactly() {
        let column = load("1\n-2.50\r\n3e-1\n", None).unwrap();
        assert_eq!((column.values, column.scale), (Values::Narrow(vec![100, -250, 30]), 2));
        let text = "{\"a\": 12345678901234567890.25, \"b\": {\"a\": 1}}\n{\"b\": [], \"\\u0061\": -1}\n";
        let column = load(text, Some("a")).unwrap();
        assert_eq!((column.name.as_str(), column.scale), ("a", 2));
        assert_eq!(column.text(0).unwrap(), "12345678901234567890.25");
        assert_eq!(column.text(1).unwrap(), "-1.00");
        assert_eq!(load("{\"only\": 4}", None).unwrap().name, "only");
        let nameless = load("{\"\": 4}\n{\"\": 5, \"b\": 6}\n", None).unwrap();
        assert_eq!((nameless.name.as_str(), nameless.values), ("", Values::Narrow(vec![4, 5])));
        assert_eq!(load("\u{feff}1\n2\n", None).unwrap().values, Values::Narrow(vec![1, 2]));
    }

    #[test]
    fn every_other_line_is_refused_with_its_number() {
        for (text, column, says) in [
            ("", None, "the file is empty"),
            ("1\n\n2\n", None, "line 2 is blank"),
            ("1\n2\n\n", None, "line 3 is blank"),
            ("1\ntwo\n", None, "`two` is not a number"),
            ("1\n2 3\n", None, "`2 3` is not a number"),
            ("1\n[2]\n", None, "line 2: the value is an array"),
            ("1\n", Some("a"), "has no columns"),
            ("{}\n", None, "line 1: the object has no members"),
            ("1\n\u{feff}2\n", None, "is not a number"),
            ("{\"a\": 1, \"b\": 2}\n", None, "name one: `a`, `b`"),
            ("{\"a\": 1}\n", Some("c"), "there is no column `c`; the columns are: `a`"),
            ("{\"a\": 1}\n{\"b\": 1}\n", Some("a"), "line 2: the object has no member `a`"),
            ("{\"a\": 1, \"a\": 2}\n", Some("a"), "line 1: the member stands twice"),
            ("{\"a\": \"1\"}\n", Some("a"), "line 1: the value is a string"),
            ("{\"a\": null}\n", Some("a"), "line 1: the value is null"),
            ("{\"a\": 1}\n{\"a\": 2\n", Some("a"), "line 2: EOF"),
            ("{\"a\": 1} 2\n", Some("a"), "line 1: trailing"),
            ("{\"a\": 1}\n5\n", Some("a"), "line 2: invalid type"),
            ("{\"a\": NaN}\n", Some("a"), "line 1: expected value"),
            ("NaN\n", None, "is not finite"),
        ] {
            let error = load(text, column).unwrap_err();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }

    #[test]
    fn an_endless_line_is_not_read() {
        let limits = Limits { max_bytes: 1 << 20 };
        let options = Options { limits, ..Options::default() };
        let error = read(std::io::repeat(b' '), &options).unwrap_err();
        assert!(error.to_string().contains("the record at line 1 is longer than"), "{error}");
    }
}
