//! One column of a CSV file, read row by row.

use std::borrow::Cow;
use std::io;

use crate::column::Builder;
use crate::error::DataError;
use crate::lines::Records;
use crate::rows::{Read, Rows};
use crate::{Options, chosen};

/// The delimiter where none is given.
const COMMA: u8 = b',';

/// Reads the wanted column into rows; memory is what these take and one record of at most [`super::Limits::record`] bytes.
///
/// # Errors
/// Missing or ambiguous column, ragged rows, blank lines, cells that are no numbers: each with its place.
pub fn read<R: Rows>(source: impl io::Read, options: &Options, rows: R) -> Result<Read<R>, DataError> {
    let mut read = read_all(source, options, vec![(options, rows)])?;
    // One is wanted, and one is read.
    read.pop().ok_or(DataError::EmptyFile)
}

/// Reads several columns at once, each as the options with its rows say, which differ in column, scale and limits alone.
///
/// # Errors
/// As [`read`].
pub fn read_all<R: Rows>(
    source: impl io::Read,
    options: &Options,
    wanted: Vec<(&Options, R)>,
) -> Result<Vec<Read<R>>, DataError> {
    let delimiter = options.delimiter.unwrap_or(COMMA);
    let source = Records::new(source, delimiter, options.limits.record());
    let mut reader = ::csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(source);
    let mut record = ::csv::ByteRecord::new();
    // The line of a record; that of the `csv` crate is one less behind a carriage return with a line feed.
    let mut line = 1;
    if !reader.read_byte_record(&mut record).map_err(|e| failure(e, (0, line)))? {
        return Err(DataError::EmptyFile);
    }
    let below = 1 + line_feeds(&record);
    // Names alone: white space around a number is the parser's, and a copy of each record would be a third of the reading.
    record.trim();
    let column = |(options, rows)| {
        place(&record, options).map(|(at, name)| (at, Builder::into(rows, Some(name), options)))
    };
    let mut columns = wanted.into_iter().map(column).collect::<Result<Vec<_>, _>>()?;
    if !options.header {
        push(&mut columns, &record, line)?;
    }
    line += below;
    let mut row = u64::from(!options.header);
    while reader.read_byte_record(&mut record).map_err(|e| failure(e, (row, line)))? {
        push(&mut columns, &record, line)?;
        line += 1 + line_feeds(&record);
        row += 1;
    }
    let end = |(_, builder): (usize, Builder<R>)| {
        builder.end(&options.name, "the file has a header and nothing below it")
    };
    columns.into_iter().map(end).collect()
}

/// The index and the name of the wanted column.
fn place(first: &::csv::ByteRecord, options: &Options) -> Result<(usize, String), DataError> {
    if options.header {
        return choose(first, options);
    }
    // Without a header the columns are called 1, 2, 3, ...
    let names = (1..=first.len()).map(|i| Cow::Owned(i.to_string()));
    let at = chosen(names, first.len(), options.column.as_deref())?;
    Ok((at, (at + 1).to_string()))
}

fn push<R: Rows>(
    columns: &mut [(usize, Builder<R>)],
    record: &::csv::ByteRecord,
    line: u64,
) -> Result<(), DataError> {
    let push = |(at, builder): &mut (usize, Builder<R>)| {
        builder.push_text(record.get(*at).unwrap_or_default(), Some(line))
    };
    columns.iter_mut().try_for_each(push)
}

/// Line breaks within the cells of a record.
fn line_feeds(record: &::csv::ByteRecord) -> u64 {
    record.as_slice().iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

/// The index and the name of the wanted column; the only column when none is named, if its name is no number: it would be a row of a file without header.
fn choose(header: &::csv::ByteRecord, options: &Options) -> Result<(usize, String), DataError> {
    let wanted = options.column.as_deref();
    if let (1, Some(only)) = (header.len(), header.get(0))
        && wanted.is_none_or(|wanted| wanted.as_bytes() != only)
        && let Some(&delimiter) =
            only.iter().find(|&&b| b != options.delimiter.unwrap_or(COMMA) && b",;\t|".contains(&b))
    {
        let header = String::from_utf8_lossy(only).into_owned();
        return Err(DataError::OtherDelimiter { header, delimiter: delimiter.into() });
    }
    let at = chosen(header.iter().map(String::from_utf8_lossy), header.len(), wanted)?;
    let name = String::from_utf8_lossy(&header[at]).into_owned();
    if wanted.is_none() && name.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(DataError::NumberAsName(name));
    }
    Ok((at, name))
}

fn failure(error: ::csv::Error, (row, line): (u64, u64)) -> DataError {
    let text = error.to_string();
    match error.into_kind() {
        ::csv::ErrorKind::Io(e) => e.into(),
        ::csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            DataError::Ragged { row, line, found: len, expected: expected_len }
        }
        _ => DataError::Csv(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenfold::dataset::{Column, Values};

    fn read(source: impl io::Read, options: &Options) -> Result<Column, DataError> {
        super::read(source, options, Values::default()).map(|read| read.column([0; 32]))
    }

    fn options(column: Option<&str>) -> Options {
        Options { column: column.map(str::to_owned), ..Options::default() }
    }

    fn message(text: &str, column: Option<&str>) -> String {
        read(text.as_bytes(), &options(column)).unwrap_err().to_string()
    }

    #[test]
    fn reads_one_column() {
        let text = "\u{feff}id,price\r\n1, 2.50\r\n2,\"-3\"\r\n3,0.125\r\n";
        let column = read(text.as_bytes(), &options(Some("price"))).unwrap();
        assert_eq!((column.name.as_str(), column.scale), ("price", 3));
        assert_eq!(column.values, Values::Narrow(vec![2500, -3000, 125]));
        let column = read(text.as_bytes(), &options(Some("id"))).unwrap();
        assert_eq!(column.values, Values::Narrow(vec![1, 2, 3]), "a byte order mark is no part of a name");
    }

    /// Each with its own scale and name, and the first error of a row in the order of the columns.
    #[test]
    fn reads_several_columns_at_once() {
        let text = "id,price,amount\n1,2.50,7\n2,-3,x\n";
        let read = |names: [&str; 2], text: &str| {
            let all = names.map(|name| options(Some(name)));
            let wanted = all.iter().map(|options| (options, Values::default())).collect();
            read_all(text.as_bytes(), &Options::default(), wanted)
        };
        let columns = read(["price", "id"], text).unwrap();
        let columns: Vec<Column> = columns.into_iter().map(|read| read.column([0; 32])).collect();
        assert_eq!((columns[0].name.as_str(), columns[0].scale), ("price", 2));
        assert_eq!(columns[0].values, Values::Narrow(vec![250, -300]));
        assert_eq!((columns[1].scale, &columns[1].values), (0, &Values::Narrow(vec![1, 2])));
        let said = |names| read(names, text).map(drop).unwrap_err().to_string();
        assert_eq!(said(["price", "amount"]), "row 1 (line 3), column `amount`: `x` is not a number");
        assert!(said(["price", "volume"]).starts_with("there is no column `volume`"));
    }

    #[test]
    fn header_and_delimiter_can_be_set() {
        let options =
            Options { delimiter: Some(b';'), header: false, column: Some("2".into()), ..Options::default() };
        let column = read("1;10\n2;20\n".as_bytes(), &options).unwrap();
        assert_eq!(column.values, Values::Narrow(vec![10, 20]));
    }

    #[test]
    fn bad_cells_name_row_line_and_column() {
        assert_eq!(
            message("id,price\n1,2\n2,two\n", Some("price")),
            "row 1 (line 3), column `price`: `two` is not a number"
        );
        assert!(message("p\n1\nNaN\n", None).starts_with("row 1 (line 3), column `p`: `NaN` is not finite"));
        assert!(message("p\n-inf\n", None).starts_with("row 0 (line 2), column `p`: `-inf` is not finite"));
        assert_eq!(message("a,p\n1,\n", Some("p")), "row 0 (line 2), column `p`: the cell is empty");
        assert!(message("p\n1.0000000000000000001\n", None).contains("has 19 decimals"));
    }

    /// Whatever the line breaks are, and those in quoted cells too.
    #[test]
    fn lines_are_counted() {
        for end in ["\n", "\r\n", "\r"] {
            let text = |rows: &[&str]| rows.join(end) + end;
            let bad = message(&text(&["a,b", "1,2", "2,x"]), Some("b"));
            assert_eq!(bad, "row 1 (line 3), column `b`: `x` is not a number", "{end:?}");
            let quoted = message(&text(&["a,b", "\"1\n1\n\",2", "2,x"]), Some("b"));
            assert_eq!(quoted, "row 1 (line 5), column `b`: `x` is not a number", "{end:?}");
            let header = message(&text(&["\"a\n\",b", "1,2", "2,x"]), Some("b"));
            assert_eq!(header, "row 1 (line 4), column `b`: `x` is not a number", "{end:?}");
            let ragged = message(&text(&["a,b", "1,2", "1,2,3"]), Some("a"));
            assert_eq!(ragged, "row 1 (line 3) has 3 cells, the rows before it have 2", "{end:?}");
        }
    }

    #[test]
    fn shape_errors_are_their_own() {
        assert_eq!(
            message("a,b\n1,2\n1,2,3\n", Some("a")),
            "row 1 (line 3) has 3 cells, the rows before it have 2"
        );
        assert_eq!(message("a,b\n1,2\n", Some("c")), "there is no column `c`; the columns are: `a`, `b`");
        assert_eq!(message("a,b\n1,2\n", None), "the file has 2 columns; name one: `a`, `b`");
        assert_eq!(message("a,a\n1,2\n", Some("a")), "2 columns are named `a`; names must be unique");
        for name in ["3", "-0.5", "1e3"] {
            let text = format!("{name}\n4\n5\n");
            assert_eq!(
                message(&text, None),
                format!(
                    "the first line would name the column `{name}`, which is a number: perhaps its first row"
                )
            );
            let named = read(text.as_bytes(), &options(Some(name))).unwrap();
            assert_eq!(named.values, Values::Narrow(vec![4, 5]));
        }
        assert_eq!(message("", None), "the file is empty");
        assert!(message("a\n", None).starts_with("there are no rows"));
    }
}
