//! Public weights, from a file that prover and verifier both have: one number for each row of a column, or as many bytes as a file has.

use super::failure::unreadable_weights as refused;
use super::held;
use crate::args::{Common, WeightsArgs};
use crate::exit::Failure;
use crate::progress::Progress;
use data::{Format, Limits, Opened, Options, Source};
use pcs::file::SchemeId;
use tenfold::Dataset;
use tenfold::statement::shown;

/// Reads the weights for data that a scheme commits to, if there are any.
pub fn load(
    args: &WeightsArgs,
    scheme: SchemeId,
    common: &Common,
    progress: &mut Progress,
) -> Result<Option<Dataset>, Failure> {
    let Some(path) = &args.weights else { return Ok(None) };
    let of_bytes = scheme.is_of_bytes();
    let options = options(args, of_bytes, common)?;
    let source = Source::open(path, |file, size| progress.reading(file, size)).map_err(refused)?;
    let name = shown(&source.name);
    let opened = Opened::of(source, &options).map_err(refused)?;
    let weights = if of_bytes {
        let content = opened.bytes(&options).map_err(refused)?;
        common.within_memory(content.length(), "raise `--max-memory`, or leave the weights out")?;
        content.read().map(Dataset::Bytes)
    } else if opened.is_bytes() {
        let message = format!("weights: {name} is no file of numbers");
        return Err(Failure::usage(message, "give a CSV, JSON, JSON lines or NPY file"));
    } else {
        opened.column(options).map(Dataset::Column)
    };
    progress.end();
    weights.map(Some).map_err(refused)
}

/// How the weights are read.
pub fn options(args: &WeightsArgs, of_bytes: bool, common: &Common) -> Result<Options, Failure> {
    if of_bytes {
        args.check_bytes()?;
    }
    Ok(Options {
        format: if of_bytes { Format::Raw } else { Format::Auto },
        column: args.weights_column.clone(),
        delimiter: args.weights_delimiter,
        header: !args.weights_no_header,
        limits: Limits { max_bytes: common.max_memory() },
        ..Options::default()
    })
}

/// The memory that data or weights take.
pub fn memory(weights: &Dataset) -> u64 {
    match weights {
        Dataset::Table(table) => table.columns().iter().map(held).sum(),
        Dataset::Column(column) => held(column),
        Dataset::Bytes(bytes) => bytes.content.len() as u64,
    }
}

/// The answer to a weight that a field does not hold.
pub(super) fn too_large(what: &str) -> Failure {
    let hint = "commit with a larger --field, or use smaller weights with fewer decimals";
    Failure::usage(format!("weights: {what}"), hint)
}
