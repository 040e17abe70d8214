//! What can be wrong with an input file, with the place and the way out.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::units;

/// A cell of the input. Rows are counted from 0, as in `open --index`; lines from 1, as in editors.
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
            write!(f, ", column `{column}`")?;
        }
        Ok(())
    }
}

/// Why an input cannot be committed to.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each variant is its documentation")]
pub enum DataError {
    #[error("cannot open {}: {source}", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("reading failed: {0}")]
    Read(#[from] io::Error),
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
    #[error("{place}: `{found}` has {decimals} decimals, at most {limit} are kept")]
    TooManyDecimals { place: Place, found: String, decimals: u32, limit: u32 },
    #[error("{place}: `{found}` is too large (integers after scaling must stay below 2^127)")]
    TooLarge { place: Place, found: String },
    #[error("there is no column `{wanted}`; the columns are: {}", list(available))]
    MissingColumn { wanted: String, available: Vec<String> },
    #[error("the file has {} columns; name one: {}", available.len(), list(available))]
    ColumnNeeded { available: Vec<String> },
    #[error("{count} columns are named `{name}`; names must be unique")]
    DuplicateColumn { name: String, count: usize },
    #[error("a column was named, but {0} has no columns")]
    NoColumns(&'static str),
    #[error("row {row} (line {line}) has {found} cells, the rows before it have {expected}")]
    Ragged { row: u64, line: u64, found: u64, expected: u64 },
    #[error("not valid CSV: {0}")]
    Csv(String),
    #[error("not a flat JSON array of numbers: {reason} at byte {offset}")]
    Json { offset: u64, reason: &'static str },
    #[error("element {row} is {what}; the array must be flat and hold numbers only")]
    JsonElement { row: u64, what: &'static str },
    #[error("not a NPY file: {0}")]
    Npy(String),
    #[error("NPY dtype `{0}` is not supported")]
    NpyDtype(String),
    #[error("NPY shape {0} is not one-dimensional")]
    NpyShape(String),
    #[error("the NPY header promises {promised} bytes of data, the file holds {found}")]
    NpyLength { promised: u128, found: u64 },
    #[error("{place}: `{found}` has {decimals} decimals and no scale was given")]
    NeedsScale { place: Place, found: String, decimals: u32 },
    #[error("{place}: {value} does not fit {field}, which holds integers from -{limit} to {limit}")]
    OutOfField { place: Place, value: String, field: &'static str, limit: i128 },
    #[error(
        "{rows} rows or more need about {}, more than the limit of {}",
        units::bytes(*need),
        units::bytes(*limit)
    )]
    OverMemory { rows: u64, need: u64, limit: u64 },
}

impl DataError {
    /// What to do about it, as a sentence; `None` where the message says all.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotANumber { .. } => {
                "write plain decimals: no thousands separators, units or quotes around text; `--column` picks another column"
            }
            Self::NotFinite { .. } | Self::EmptyCell { .. } => {
                "drop the row, or write the number that stands for a missing value, then commit to that file"
            }
            Self::TooManyDecimals { .. } => "round the column in the file, or raise `--scale` (18 at most)",
            Self::TooLarge { .. } => "lower `--scale`, or express the column in larger units",
            Self::MissingColumn { .. } | Self::ColumnNeeded { .. } => "pass one of them as `--column NAME`",
            Self::DuplicateColumn { .. } => "rename one, or pass `--no-header` and the number of the column",
            Self::NoColumns(_) => "leave `--column` out, or pass `--format csv`",
            Self::Ragged { .. } => {
                "a cell with the delimiter inside needs quotes; `--delimiter` sets another one"
            }
            Self::EmptyFile | Self::NoRows(_) => "a commitment needs at least one row",
            Self::Json { .. } | Self::JsonElement { .. } => {
                "write `[1, 2.5, -3]`; one array per file, nothing after it"
            }
            Self::NpyDtype(_) => {
                "supported: i1 i2 i4 i8 u1 u2 u4 u8 f4 f8, either byte order; use `array.astype('<i8')`"
            }
            Self::NpyShape(_) => "save one column: `np.save(path, array[:, 0])` or `array.ravel()`",
            Self::NpyLength { .. } => "the file is cut short or damaged; save it again",
            Self::NeedsScale { .. } => {
                "pass `--scale K`: values are then taken as decimals with at most K digits after the point"
            }
            Self::OutOfField { .. } => "pass a larger field (`--field goldilocks`), or lower `--scale`",
            Self::OverMemory { .. } => "raise `--max-memory`, or commit to fewer rows",
            Self::Open { .. } | Self::Read(_) | Self::Csv(_) | Self::Npy(_) => return None,
        })
    }

    /// Whether the cause is the machine (a read error, memory) and not the content of the file.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(self, Self::Open { .. } | Self::Read(_) | Self::OverMemory { .. })
    }
}

fn list(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let mut text = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}
