//! What to do about data that cannot be read, by the options of the command.

use crate::exit::{Exit, Failure};
use data::{DataError, LineError};

/// The failure for data that cannot be read.
pub fn unreadable(error: DataError) -> Failure {
    let exit = if error.is_io() { Exit::Io } else { Exit::Usage };
    Failure { exit, message: error.to_string(), hint: hint(&error) }
}

/// The same for weights, whose options have names of their own.
pub fn unreadable_weights(error: DataError) -> Failure {
    let renamed = |hint: String| {
        let names = ["column", "delimiter", "no-header"].into_iter();
        names.fold(hint, |hint, name| hint.replace(&format!("`--{name}"), &format!("`--weights-{name}")))
    };
    let hint = hint_for_weights(&error).map(str::to_owned).or_else(|| hint(&error).map(renamed));
    let plain = unreadable(error);
    Failure { message: format!("weights: {}", plain.message), hint, ..plain }
}

/// The advice where it is another for weights.
fn hint_for_weights(error: &DataError) -> Option<&'static str> {
    Some(match error {
        DataError::NoColumns(_) => "leave `--weights-column` out",
        DataError::NotCsv(_) => "leave `--weights-delimiter` and `--weights-no-header` out",
        DataError::NotFinite { .. }
        | DataError::EmptyCell { .. }
        | DataError::Null { .. }
        | DataError::NoRows(_)
        | DataError::EmptyFile => "every row needs a weight; write 0 for none",
        DataError::TooLarge { .. } | DataError::TooManyDecimals { .. } | DataError::NeedsScale { .. } => {
            "weights are integers, or decimals written out with at most 18 digits after the point"
        }
        DataError::UnknownText | DataError::NotText => {
            "name the column by `--weights-column`, of a CSV file; or name the file .csv, .json, .jsonl or .npy for what it is"
        }
        DataError::Container { advice, .. } => advice,
        _ => return None,
    })
}

/// The advice for an error, as a sentence; none where the message says all.
fn hint(error: &DataError) -> Option<String> {
    let hint = match error {
        DataError::NotANumber { .. }
        | DataError::NotFinite { .. }
        | DataError::EmptyCell { .. }
        | DataError::Null { .. }
        | DataError::TooManyDecimals { .. }
        | DataError::TooLarge { .. }
        | DataError::NeedsScale { .. }
        | DataError::JsonLine { .. }
        | DataError::ColumnKind { .. } => hint_for_value(error)?,
        DataError::OverMemory { .. }
        | DataError::TooLong { .. }
        | DataError::Window(_)
        | DataError::PartOverMemory { .. }
        | DataError::Line(LineError::Long { .. }) => hint_for_size(error)?,
        DataError::MissingColumn { .. } | DataError::ColumnNeeded { .. } => {
            "pass one of them as `--column NAME`"
        }
        DataError::DuplicateColumn { .. } => "rename one, or pass `--no-header` and the number of the column",
        DataError::NoColumns(_) => "leave `--column` out, or pass `--format csv`",
        DataError::NotCsv(_) => "leave `--delimiter` and `--no-header` out, or pass `--format csv`",
        DataError::BytesHaveNoPoint => "leave `--scale` out",
        DataError::EmptyFile | DataError::NoRows(_) => {
            "a commitment needs at least one row, or at least one byte"
        }
        DataError::Json { .. } | DataError::JsonElement { .. } => {
            "write `[1, 2.5, -3]`; one array per file, nothing after it"
        }
        DataError::NpyDtype(_) => {
            "supported: i1 i2 i4 i8 u1 u2 u4 u8 f4 f8, either byte order; use `array.astype('<i8')`"
        }
        DataError::NpyShape(_) => "save one column: `np.save(path, array[:, 0])` or `array.ravel()`",
        DataError::NpyLength { .. } => "the file is cut short or damaged; save it again",
        DataError::Scale { .. } => "lower `--scale` (18 at most)",
        DataError::RawWidth { .. } => "commit to the bytes as they stand, with `--scheme ligerito`",
        DataError::StdinTwice => "give the other one as a file",
        DataError::Line(_) | DataError::Ragged { .. } | DataError::OtherDelimiter { .. } => {
            hint_for_cells(error)?
        }
        DataError::Damaged(_) => "the file is cut short or damaged; get it again",
        DataError::Container { advice, .. } => {
            return Some(format!("{advice}; `--raw-bytes` takes the file as it stands"));
        }
        DataError::NotBuilt(_) => {
            "take a released binary, or build with `--features columnar`; or write the column as CSV, JSON lines or NPY"
        }
        DataError::Columnar { .. } => "save it again, or write the column as CSV, JSON lines or NPY",
        DataError::Changed => "wait until nobody writes to it",
        DataError::Table(_) => "name each --column once, of one file",
        DataError::UnknownText | DataError::NotText => {
            "say how to read it with `--format` (and `--column`), or commit to its bytes as they stand with `--raw-bytes`"
        }
        DataError::NumberAsName(_) => "pass `--no-header` if no line has names, or the number as `--column`",
        DataError::Open { .. } | DataError::Read(_) | DataError::Csv(_) | DataError::Npy(_) => return None,
    };
    Some(hint.to_owned())
}

/// The advice for lines that are not cells with a delimiter between them.
fn hint_for_cells(error: &DataError) -> Option<&'static str> {
    Some(match error {
        DataError::Ragged { .. } => {
            "a cell with the delimiter inside needs quotes; `--delimiter` sets another one"
        }
        DataError::Line(LineError::Open(_)) => {
            "close the quote or remove it: the rows behind it would be lost"
        }
        DataError::Line(LineError::Behind(_)) => {
            "a quoted cell ends at its second quote; a quote within one is written twice, and cells are told apart by `--delimiter`"
        }
        DataError::Line(LineError::Blank(_)) => {
            "delete the line, or write the number that stands for a missing value: skipping it would shift the rows"
        }
        DataError::OtherDelimiter { delimiter: ',', .. } => "pass `--delimiter ','`, or leave it out",
        DataError::OtherDelimiter { delimiter: ';', .. } => "pass `--delimiter ';'`",
        DataError::OtherDelimiter { delimiter: '\t', .. } => "pass `--delimiter tab`",
        DataError::OtherDelimiter { .. } => "pass it as `--delimiter '|'`",
        _ => return None,
    })
}

/// The advice for a value that is no number of the column.
fn hint_for_value(error: &DataError) -> Option<&'static str> {
    Some(match error {
        DataError::NotANumber { .. } => {
            "write plain decimals: a point before the fraction, no thousands separators, no units; `--column` picks another column"
        }
        DataError::NotFinite { .. } | DataError::EmptyCell { .. } | DataError::Null { .. } => {
            "drop the row, or write the number that stands for a missing value, then commit to that file"
        }
        DataError::TooManyDecimals { limit: 18.., .. } => {
            "round the column in the file: no more than 18 are kept"
        }
        DataError::TooManyDecimals { .. } => "round the column in the file, or raise `--scale` (18 at most)",
        DataError::TooLarge { decimals, .. } => smaller(*decimals),
        DataError::NeedsScale { .. } => {
            "pass `--scale K`: values are then taken as decimals with at most K digits after the point"
        }
        DataError::JsonLine { .. } => {
            "each line is a number, or an object with a member `--column` that is a number"
        }
        DataError::ColumnKind { .. } => {
            "cast it to integers, decimals or floats (`CAST(... AS BIGINT)`); `--column` picks another column"
        }
        _ => return None,
    })
}

/// The advice for a value that is too large: decimals multiply it, where there are any.
pub(super) fn smaller(decimals: bool) -> &'static str {
    if decimals {
        "round the column to fewer decimals (and lower `--scale`, if it was given), or express it in larger units, such as thousands"
    } else {
        "express the column in larger units, such as thousands"
    }
}

/// The advice for data that need more memory than they may take.
fn hint_for_size(error: &DataError) -> Option<&'static str> {
    Some(match error {
        DataError::OverMemory { .. } => "raise `--max-memory`, or commit to fewer rows",
        DataError::TooLong { .. } => "raise `--max-memory`, or give a file that is not compressed",
        DataError::Line(LineError::Long { .. }) => {
            "a quote that is never closed makes one record of many lines; `--max-memory` raises the limit"
        }
        DataError::Window(_) => "raise `--max-memory`, or compress again with a window of 128 MiB at most",
        DataError::PartOverMemory { .. } => {
            "raise `--max-memory`, or write the file in smaller parts (row groups, batches)"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Paint;

    #[test]
    fn data_errors_keep_their_hint_and_code() {
        let failure = unreadable(DataError::OverMemory { rows: 4, need: 1 << 40, limit: 1 << 30 });
        assert_eq!(failure.exit, Exit::Io);
        assert_eq!(failure.message, "4 rows or more need about 1.0 TiB, more than the limit of 1.0 GiB");
        let text = failure.render(Paint::off());
        assert_eq!(text.lines().count(), 2);
        assert!(text.starts_with("error: ") && text.contains("--max-memory"));
        let failure = unreadable(DataError::EmptyFile);
        assert_eq!((failure.exit, failure.json()["exit"].as_u64()), (Exit::Usage, Some(2)));
        let failure = unreadable(DataError::NotBuilt("a Parquet file"));
        assert!(failure.hint.is_some_and(|hint| hint.contains("--features columnar")));
    }
}
