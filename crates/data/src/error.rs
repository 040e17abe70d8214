//! What can be wrong with an input file, with the place and the way out.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::compressed::{Damaged, Window};
use crate::lines::LineError;
use tenfold::dataset::MAX_WIDTH;
use tenfold::dataset::decimal::{MAX_SCALE, in_words};
use tenfold::text::{self, escape};

/// A cell of the input. Rows are counted from 0, as in `open --row`; lines from 1, as in editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Row of the column, from 0.
    pub row: u64,
    /// Line of the file, from 1, when the format has lines.
    pub line: Option<u64>,
    /// Name of the column, when it has one.
    pub column: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.row)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        if let Some(column) = &self.column {
            write!(f, ", column `{}`", brief(column))?;
        }
        Ok(())
    }
}

/// Why an input cannot be committed to.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each variant is its documentation")]
pub enum DataError {
    #[error("cannot open {}: {source}", escape(&path.to_string_lossy()))]
    Open { path: PathBuf, source: io::Error },
    #[error("reading failed: {0}")]
    Read(io::Error),
    #[error("standard input was read already; `-` stands for one file of a command")]
    StdinTwice,
    #[error("{0}")]
    Line(#[from] LineError),
    #[error("{0}")]
    Damaged(Damaged),
    #[error("{0}")]
    Window(Window),
    #[error("the file is {what}, which is not read")]
    Container {
        what: &'static str,
        /// What to do about it.
        advice: &'static str,
    },
    #[error("the file is {0}, which this build does not read: it has no feature `columnar`")]
    NotBuilt(&'static str),
    #[error("the {format} file is damaged, or of a kind that is not read: {}", escape(reason))]
    Columnar { format: &'static str, reason: String },
    #[error("column `{}` holds {kind}, not numbers", brief(name))]
    ColumnKind { name: String, kind: String },
    #[error("{place}: the value is missing (null)")]
    Null { place: Place },
    #[error("{what} of the file takes {}, more than the {} that it may take", text::bytes(*need), text::bytes(*limit))]
    PartOverMemory { what: &'static str, need: u64, limit: u64 },
    #[error("the file changed while it was read")]
    Changed,
    /// Columns that make no table.
    #[error("{0}")]
    Table(String),
    #[error("the file is text, and neither CSV nor JSON by its name or its content")]
    UnknownText,
    #[error("the file is read as text, and holds bytes that no text has")]
    NotText,
    #[error("line {line}: {}", escape(reason))]
    JsonLine { line: u64, reason: String },
    #[error("the header is one cell, `{}`, and has `{}` in it", brief(header), escape(&delimiter.to_string()))]
    OtherDelimiter { header: String, delimiter: char },
    #[error("the first line would name the column `{}`, which is a number: perhaps its first row", brief(.0))]
    NumberAsName(String),
    #[error("a scale of {given} was asked for: at most {MAX_SCALE} digits after the point are kept")]
    Scale { given: u32 },
    #[error(
        "integers of {given} bytes were asked for: bytes are packed into integers of 1 to {MAX_WIDTH} bytes"
    )]
    RawWidth { given: usize },
    #[error("the file is empty")]
    EmptyFile,
    #[error("there are no rows: {0}")]
    NoRows(&'static str),
    #[error("{place}: `{found}` is not a number")]
    NotANumber { place: Place, found: String },
    #[error("{place}: `{found}` is not finite; a field has no infinity and no NaN")]
    NotFinite { place: Place, found: String },
    #[error("{place}: the cell is empty")]
    EmptyCell { place: Place },
    #[error("{place}: `{found}` has {}{}, at most {limit} are kept", in_words(*decimals), written_out(found))]
    TooManyDecimals { place: Place, found: String, decimals: u32, limit: u32 },
    #[error("{place}: `{found}` is too large (integers after scaling must stay below 2^127)")]
    TooLarge {
        place: Place,
        found: String,
        /// True if the value, or the column, has digits after the point, which make the integer larger.
        decimals: bool,
    },
    #[error("there is no column `{}`; the columns are: {}", brief(wanted), list(available))]
    MissingColumn { wanted: String, available: Vec<String> },
    #[error("the file has {count} columns; name one: {}", list(available))]
    ColumnNeeded { available: Vec<String>, count: usize },
    #[error("{count} columns are named `{}`; names must be unique", brief(name))]
    DuplicateColumn { name: String, count: usize },
    #[error("a column was named, but {0} has no columns")]
    NoColumns(&'static str),
    #[error("{0} was asked for, which CSV files have, and the file is none")]
    NotCsv(&'static str),
    #[error("digits after the point were asked for, and the file is raw bytes, which have none")]
    BytesHaveNoPoint,
    #[error("row {row} (line {line}) has {}, the rows before it have {expected}", text::several(*found, "cell"))]
    Ragged { row: u64, line: u64, found: u64, expected: u64 },
    #[error("not valid CSV: {0}")]
    Csv(String),
    #[error("not a flat JSON array of numbers: {reason} at byte {offset}")]
    Json { offset: u64, reason: &'static str },
    #[error("element {row} is {what}; the array must be flat and hold numbers only")]
    JsonElement { row: u64, what: &'static str },
    #[error("not a NPY file: {0}")]
    Npy(String),
    #[error("NPY dtype `{}` is not supported", escape(_0))]
    NpyDtype(String),
    #[error("NPY shape {} is not one-dimensional", escape(_0))]
    NpyShape(String),
    #[error("the NPY header promises {promised} bytes of data, the file holds {found}")]
    NpyLength { promised: u128, found: u64 },
    #[error("{place}: `{found}` has {decimals} decimals and no scale was given")]
    NeedsScale { place: Place, found: String, decimals: u32 },
    #[error(
        "{rows} rows or more need about {}, more than the limit of {}",
        text::bytes(*need),
        text::bytes(*limit)
    )]
    OverMemory { rows: u64, need: u64, limit: u64 },
    #[error("the data are longer than {}, what may be held of data whose length is not known beforehand", text::bytes(*limit))]
    TooLong { limit: u64 },
}

impl From<io::Error> for DataError {
    /// What a reader stopped at, where it was no fault of the machine.
    fn from(error: io::Error) -> Self {
        let inner = error.get_ref();
        if let Some(line) = inner.and_then(|e| e.downcast_ref::<LineError>()) {
            return Self::Line(*line);
        }
        if let Some(damaged) = inner.and_then(|e| e.downcast_ref::<Damaged>()) {
            return Self::Damaged(damaged.clone());
        }
        if let Some(window) = inner.and_then(|e| e.downcast_ref::<Window>()) {
            return Self::Window(*window);
        }
        Self::Read(error)
    }
}

impl DataError {
    /// Whether the cause is the machine (a read error, memory) and not the content of the file.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(
            self,
            Self::Open { .. }
                | Self::Read(_)
                | Self::OverMemory { .. }
                | Self::PartOverMemory { .. }
                | Self::TooLong { .. }
                | Self::Window(_)
                | Self::Changed
        )
    }

    /// True for an error that more memory may mend.
    #[must_use]
    pub fn is_of_memory(&self) -> bool {
        matches!(
            self,
            Self::OverMemory { .. }
                | Self::PartOverMemory { .. }
                | Self::TooLong { .. }
                | Self::Window(_)
                | Self::Line(LineError::Long { .. })
        )
    }
}

fn list(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let shown = names.iter().take(SHOWN).map(|n| format!("`{}`", brief(n)));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(" and more");
    }
    text
}

/// The words behind the decimals of a number with an exponent, in whose text there are fewer.
fn written_out(found: &str) -> &'static str {
    if found.contains(['e', 'E']) { " when it is written out" } else { "" }
}

/// At most 60 characters of a name, printable.
fn brief(name: &str) -> String {
    const SHOWN: usize = 60;
    let mut short: String = name.chars().take(SHOWN).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    escape(&short).into_owned()
}
