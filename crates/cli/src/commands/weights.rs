//! Public weights, from a file that prover and verifier both have: one number for each row of a column, or as many bytes as a file has.

use super::failure::unreadable_weights as refused;
use super::{held, open_source};
use crate::args::{Common, WeightsArgs};
use crate::exit::Failure;
use crate::progress::Progress;
use crate::units;
use data::{Content, Limits, Opened, Options};
use pcs::file::SchemeId;
use tenfold::Dataset;
use tenfold::dataset::{Base, Column};
use tenfold::statement::shown;
use tenfold::verify::Refused;

/// Memory of a weight: the integer, its element, and its share of two tables of challenge-field elements.
const BYTES_PER_WEIGHT: u64 = 160;

/// Reads the weights for data that a scheme commits to, if there are any.
///
/// # Errors
/// [`crate::exit::Exit::Usage`] if the file does not hold weights for such data, [`crate::exit::Exit::Io`] if it cannot be read.
pub fn load(
    args: &WeightsArgs,
    scheme: SchemeId,
    common: &Common,
    progress: &mut Progress,
) -> Result<Option<Dataset>, Failure> {
    if scheme.is_of_bytes() {
        load_bytes(args, common, progress)
    } else {
        load_numbers(args, common, progress)
    }
}

/// The memory that weights take.
#[must_use]
pub fn memory(weights: &Dataset) -> u64 {
    match weights {
        Dataset::Column(column) => held(column),
        Dataset::Bytes(bytes) => bytes.content.len() as u64,
    }
}

/// The answer to another number of weights than entries.
#[must_use]
pub fn other_count(weights: &Dataset, given: u64, entries: u64) -> Failure {
    match weights {
        Dataset::Column(_) => {
            let message = format!("there are {given} weights, the column has {entries} rows");
            Failure::usage(message, "give one weight per row, 0 for rows that do not count")
        }
        Dataset::Bytes(_) => {
            let [given, entries] = [given, entries].map(units::count);
            let message = format!("there are {given} bytes of weights, the file has {entries}");
            Failure::usage(message, "give as many bytes of weights as the file has, 0 for no weight")
        }
    }
}

fn load_bytes(
    args: &WeightsArgs,
    common: &Common,
    progress: &mut Progress,
) -> Result<Option<Dataset>, Failure> {
    let Some(path) = &args.weights else { return Ok(None) };
    if args.weights_column.is_some() {
        let message =
            "--weights-column is about columns of numbers, and this commitment is to a file of bytes";
        return Err(Failure::usage(message, "leave it out: the weights are the bytes of their file"));
    }
    let of_weights =
        |failure: Failure| Failure { message: format!("weights: {}", failure.message), ..failure };
    let source = open_source(path, progress).map_err(of_weights)?;
    let content = Content::of(source, common.max_memory() / 2).map_err(refused)?;
    common.within_memory(content.length(), "raise `--max-memory`").map_err(of_weights)?;
    let bytes = content.read().map_err(refused)?;
    progress.end();
    Ok(Some(Dataset::Bytes(bytes)))
}

fn load_numbers(
    args: &WeightsArgs,
    common: &Common,
    progress: &mut Progress,
) -> Result<Option<Dataset>, Failure> {
    let Some(path) = &args.weights else { return Ok(None) };
    let limits = Limits { max_bytes: common.max_memory(), bytes_per_row: BYTES_PER_WEIGHT };
    let options = Options { column: args.weights_column.clone(), limits, ..Options::default() };
    let source = data::Source::open(path, |file, size| progress.reading(file, size));
    let name = source.as_ref().map_or_else(|_| String::new(), |source| shown(&source.name));
    let opened = source.and_then(|source| Opened::of(source, &options)).map_err(refused)?;
    if opened.is_bytes() {
        let message = format!("weights: {name} is no file of numbers");
        return Err(Failure::usage(message, "give a CSV, JSON, JSON lines or NPY file"));
    }
    let column = opened.column(options);
    progress.end();
    column.map(|column| Some(Dataset::Column(column))).map_err(refused)
}

/// The answer to a weight that a proof's field does not hold.
pub fn beyond(weights: &Column, refused: &Refused) -> Failure {
    let base = Base::ALL
        .into_iter()
        .find(|base| matches!(refused, Refused::WeightBeyond { field, .. } if *field == base.name()));
    let checked = base.map(|base| weights.values.check(base, weights.scale));
    match checked {
        Some(Err(e)) => too_large(&e.to_string()),
        _ => too_large(&refused.to_string()),
    }
}

pub(super) fn too_large(what: &str) -> Failure {
    let hint = "commit with a larger --field, or use smaller weights with fewer decimals";
    Failure::usage(format!("weights: {what}"), hint)
}
