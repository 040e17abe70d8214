//! One column of a CSV file, read row by row.

use std::io::Read;

use super::Options;
use super::column::{Builder, Column};
use super::error::DataError;

/// Reads the wanted column; memory is the column itself and one row.
///
/// # Errors
/// Missing or ambiguous column, ragged rows, cells that are no numbers: each with its place.
pub fn read(source: impl Read, options: &Options) -> Result<Column, DataError> {
    let mut reader = ::csv::ReaderBuilder::new()
        .delimiter(options.delimiter)
        .has_headers(options.header)
        .trim(::csv::Trim::All)
        .from_reader(source);
    let mut record = ::csv::ByteRecord::new();
    let names = if options.header {
        let header = reader.byte_headers().map_err(|e| failure(&e, 0))?;
        header.iter().map(|n| String::from_utf8_lossy(n).into_owned()).collect::<Vec<_>>()
    } else {
        // Without a header the columns are called 1, 2, 3, ...
        let more = reader.read_byte_record(&mut record).map_err(|e| failure(&e, 0))?;
        (1..=if more { record.len() } else { 0 }).map(|i| i.to_string()).collect()
    };
    let at = choose(&names, options.column.as_deref())?;
    let mut builder = Builder::new(names.get(at).cloned(), options.scale, options.limits);
    if !options.header {
        push(&mut builder, &record, at)?;
    }
    let mut row = u64::from(!options.header);
    while reader.read_byte_record(&mut record).map_err(|e| failure(&e, row))? {
        push(&mut builder, &record, at)?;
        row += 1;
    }
    builder.finish(&options.name, "the file has a header and nothing below it")
}

fn push(builder: &mut Builder, record: &::csv::ByteRecord, at: usize) -> Result<(), DataError> {
    let line = record.position().map(::csv::Position::line);
    builder.push_text(record.get(at).unwrap_or_default(), line)
}

/// The index of the wanted column; the only column when none is named.
fn choose(names: &[String], wanted: Option<&str>) -> Result<usize, DataError> {
    let available = || names.to_vec();
    if names.is_empty() {
        return Err(DataError::EmptyFile);
    }
    let Some(wanted) = wanted else {
        return if names.len() == 1 {
            Ok(0)
        } else {
            Err(DataError::ColumnNeeded { available: available() })
        };
    };
    let mut found = names.iter().enumerate().filter(|(_, name)| *name == wanted).map(|(i, _)| i);
    match (found.next(), found.count()) {
        (None, _) => Err(DataError::MissingColumn { wanted: wanted.to_owned(), available: available() }),
        (Some(at), 0) => Ok(at),
        (Some(_), more) => Err(DataError::DuplicateColumn { name: wanted.to_owned(), count: more + 1 }),
    }
}

fn failure(error: &::csv::Error, row: u64) -> DataError {
    match error.kind() {
        ::csv::ErrorKind::Io(e) => DataError::Read(std::io::Error::new(e.kind(), e.to_string())),
        ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } => DataError::Ragged {
            row,
            line: pos.as_ref().map_or(0, ::csv::Position::line),
            found: *len,
            expected: *expected_len,
        },
        _ => DataError::Csv(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::Values;
    use super::*;

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

    #[test]
    fn header_and_delimiter_can_be_set() {
        let options =
            Options { delimiter: b';', header: false, column: Some("2".into()), ..Options::default() };
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

    #[test]
    fn shape_errors_are_their_own() {
        assert_eq!(
            message("a,b\n1,2\n1,2,3\n", Some("a")),
            "row 1 (line 3) has 3 cells, the rows before it have 2"
        );
        assert_eq!(message("a,b\n1,2\n", Some("c")), "there is no column `c`; the columns are: `a`, `b`");
        assert_eq!(message("a,b\n1,2\n", None), "the file has 2 columns; name one: `a`, `b`");
        assert_eq!(message("a,a\n1,2\n", Some("a")), "2 columns are named `a`; names must be unique");
        assert_eq!(message("", None), "the file is empty");
        assert!(message("a\n", None).starts_with("there are no rows"));
    }
}
