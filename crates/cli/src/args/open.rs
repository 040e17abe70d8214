//! Arguments of `open`.

use std::num::{IntErrorKind, ParseIntError};
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use tenfold::Claim;

use super::{DeviceArgs, Input, Output, PolicyArgs, WeightsArgs};
use crate::exit::Failure;

/// Arguments of `open`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "tenfold open [OPTIONS] --commitment <FILE> <FILE>\n       tenfold open [OPTIONS] --commitment <FILE> --witness <FILE>"
)]
pub struct OpenArgs {
    #[command(flatten)]
    pub input: Option<Input>,
    /// Open by the file that `commit --keep-witness` wrote, in place of the data: nothing is read and committed to again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["Input", "device"])]
    pub witness: Option<PathBuf>,
    /// The commitment file
    #[arg(long, value_name = "FILE")]
    pub commitment: PathBuf,
    #[command(flatten)]
    pub what: What,
    /// The sum over all rows of the products of two columns that were committed to together, by their names; of the squares of one, named twice
    #[arg(long, num_args = 2, value_names = ["COLUMN", "COLUMN"], conflicts_with_all = ["What", "WeightsArgs"])]
    pub product: Vec<String>,
    #[command(flatten)]
    pub weights: WeightsArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// The secret file of a hiding commitment: one of its openings is used up
    #[arg(long, value_name = "FILE")]
    pub secret: Option<PathBuf>,
    /// Take a secret file that was moved to another disk or restored: only if no opening was made since with another copy, or a mask
    /// is used twice, which shows data
    #[arg(long, requires = "secret")]
    pub moved_secret: bool,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub output: Output,
}

impl OpenArgs {
    /// The data that were committed to.
    pub fn data(&self) -> Result<&Input, Failure> {
        let hint = "name the file, or pass the --witness that `commit --keep-witness` wrote";
        self.input.as_ref().ok_or_else(|| Failure::usage("the file that was committed to is missing", hint))
    }
}

/// The statements of a proof.
#[derive(Args, Clone, Debug, Default)]
pub struct What {
    /// The value of a row, counted from 0 (repeatable)
    #[arg(long, value_name = "I")]
    pub row: Vec<u64>,
    /// The sum of all rows
    #[arg(long)]
    pub sum: bool,
    /// The sum of the rows from START on and before END, such as 100..200 (repeatable)
    #[arg(long, value_name = "START..END", value_parser = rows)]
    pub sum_rows: Vec<Range<u64>>,
    /// The mean of all rows, with their sum; with `--weights`, the weighted mean
    #[arg(long)]
    pub mean: bool,
    /// The multilinear extension at a point: one integer per index bit, lowest first, modulo the prime p of the field: -1 is p - 1
    #[arg(long, value_name = "Z0,Z1,...", value_parser = coordinates, allow_hyphen_values = true)]
    pub point: Option<Coordinates>,
    /// The polynomial whose coefficients are the rows, the constant one first, at an integer as those of --point (repeatable)
    #[arg(long, value_name = "Z", value_parser = coordinate, allow_negative_numbers = true)]
    pub evaluate: Vec<i128>,
}

/// The coordinates of a point.
#[derive(Clone, Debug)]
pub struct Coordinates(Vec<i128>);

impl What {
    /// The claims that the arguments name.
    pub fn claims(&self) -> Vec<Claim<'static>> {
        let mut claims: Vec<Claim<'static>> = self.row.iter().map(|&row| Claim::Row(row)).collect();
        claims.extend(self.sum.then_some(Claim::Sum));
        claims.extend(self.mean.then_some(Claim::Mean));
        claims.extend(self.sum_rows.iter().cloned().map(Claim::Range));
        claims.extend(self.point.clone().map(|Coordinates(point)| Claim::Point(point)));
        claims.extend(self.evaluate.iter().map(|&point| Claim::Evaluation(point)));
        claims
    }
}

/// A range of rows.
fn rows(text: &str) -> Result<Range<u64>, &'static str> {
    let bounds = text.split_once("..").and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
    bounds
        .filter(|rows| !rows.is_empty())
        .ok_or("rows are wanted as the first one and the one behind the last, such as 100..200")
}

fn coordinates(text: &str) -> Result<Coordinates, &'static str> {
    text.split(',').map(coordinate).collect::<Result<_, _>>().map(Coordinates)
}

/// A coordinate of a point. Negative lists look like options to the parser, so an option may arrive here where they are missing.
fn coordinate(text: &str) -> Result<i128, &'static str> {
    text.parse().map_err(|e: ParseIntError| match e.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
            "integers of 127 bits are taken, and this is a longer one"
        }
        _ => "an integer is wanted, such as 7 or -1",
    })
}
