//! Public weights: one number for each row of a column, from a file that prover and verifier both have.

use super::max_memory;
use super::subject::shown;
use crate::args::{Common, WeightsArgs};
use crate::data::{self, Base, Column, DataError, Format, Limits, Options, Source};
use crate::exit::Failure;
use crate::progress::Progress;

/// Memory of a weight: the integer, its element, and its share of two tables of challenge-field elements.
const BYTES_PER_WEIGHT: u64 = 160;

/// Reads the weights, if there are any.
///
/// # Errors
/// [`crate::exit::Exit::Usage`] if the file does not hold one number for each row, [`crate::exit::Exit::Io`] if it
/// cannot be read.
pub fn load(args: &WeightsArgs, common: &Common, progress: &mut Progress) -> Result<Option<Column>, Failure> {
    let Some(path) = &args.weights else { return Ok(None) };
    let max_bytes = max_memory(common);
    let limits = Limits { max_bytes, bytes_per_row: BYTES_PER_WEIGHT };
    let options = Options { column: args.weights_column.clone(), raw_width: 1, limits, ..Options::default() };
    let source = Source::open(path, |file, size| progress.reading(file, size));
    let source = source.and_then(|source| source.decompressed(max_bytes / 2)).map_err(refused)?;
    let format = source.format(Format::Auto, options.column.is_some()).map_err(refused)?;
    if format == Format::Raw {
        let message = format!("weights: {} is no file of numbers", shown(&source.name));
        return Err(Failure::usage(message, "give a CSV, JSON, JSON lines or NPY file"));
    }
    let column = data::load(source, format, options);
    progress.end();
    column.map(Some).map_err(refused)
}

/// The same errors as for data, with what to do about weights.
fn refused(error: DataError) -> Failure {
    let hint = match &error {
        DataError::MissingColumn { .. } | DataError::ColumnNeeded { .. } => {
            "pass one of them as `--weights-column NAME`"
        }
        DataError::DuplicateColumn { .. } => "rename one of them",
        DataError::NoColumns(_) => "leave `--weights-column` out",
        DataError::NotFinite { .. }
        | DataError::EmptyCell { .. }
        | DataError::NoRows(_)
        | DataError::EmptyFile => "every row needs a weight; write 0 for none",
        DataError::TooLarge { .. } | DataError::TooManyDecimals { .. } | DataError::NeedsScale { .. } => {
            "weights are integers, or decimals written out with at most 18 digits after the point"
        }
        DataError::NotANumber { .. } => "write plain decimals; `--weights-column` picks another column",
        DataError::UnknownText | DataError::NotText => {
            "name the file .csv, .json, .jsonl or .npy for what it is"
        }
        DataError::OtherDelimiter { .. } => "separate the cells by commas, or by tabs in a .tsv file",
        other => {
            let hint = other.hint().map(str::to_owned);
            return Failure { hint, ..Failure::from(error) };
        }
    };
    let plain = Failure::from(error);
    Failure { message: format!("weights: {}", plain.message), hint: Some(hint.to_owned()), ..plain }
}

/// Refuses weights that are not one element of the data's field for each of `rows` rows.
///
/// # Errors
/// If there are more or fewer, or one is outside the field: it would stand for another weight.
pub fn check(weights: &Column, rows: u64, base: Base) -> Result<(), Failure> {
    if weights.rows() as u64 != rows {
        let message = format!("there are {} weights, the column has {rows} rows", weights.rows());
        return Err(Failure::usage(message, "give one weight per row, 0 for rows that do not count"));
    }
    base.check(&weights.values, weights.scale).map_err(|e| {
        let hint = "commit with a larger --field, or use smaller weights with fewer decimals";
        Failure::usage(format!("weights: {e}"), hint)
    })
}
