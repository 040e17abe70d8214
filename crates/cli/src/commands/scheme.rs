//! Parameters and schemes from arguments.

use super::failure::{failure, refused};
use crate::args::{HashChoice, SchemeArgs};
use crate::data::{Base, Column};
use crate::exit::Failure;
use iop::hash::Hash;
use iop::security::Policy;
use pcs::pip::Params;
use tenfold::search::{self, Options};
use tenfold::{AnyScheme, Error};

pub use tenfold::search::{automatic, challenge_fields as fields, log_size};

/// The data field: the one asked for, or the smallest that holds every row and their sum.
pub fn base(column: &Column, args: &SchemeArgs) -> Result<Base, Failure> {
    search::base(column, &args.options()).map_err(failure)
}

/// Refuses what is for files of bytes alone.
pub fn refuse_binary(args: &SchemeArgs) -> Result<(), Failure> {
    search::check_column_options(&args.options()).map_err(failure)
}

/// The hash of a choice.
#[must_use]
pub fn hash(choice: HashChoice) -> Hash {
    choice.hash()
}

/// The cheapest parameters for `2^log_size` rows.
pub fn params(base: Base, log_size: u32, args: &SchemeArgs) -> Result<Params, Failure> {
    let options = args.options();
    search::column_params(base, log_size, &options).map_err(|e| unfound(e, &options))
}

/// The error of a command whose options no parameters satisfy.
pub(super) fn unfound(error: Error, options: &Options) -> Failure {
    match (error, options.hidden_openings) {
        (Error::Search(e), 0) => Failure::usage(e.0, "ask for fewer --bits, or another --field"),
        (Error::Search(e), openings) => {
            let hint = match options.inner {
                Some(pcs::pip::InnerKind::TwoChains) => "two chains do not hide: take another --inner",
                _ => {
                    "hiding adds random rows: take a larger size, fewer openings, fewer --bits, or another --field"
                }
            };
            Failure::usage(format!("with --hiding {openings}, {}", e.0), hint)
        }
        (error, _) => failure(error),
    }
}

/// Validated parameters for a prover, or why they are refused: there is no proof yet that could be invalid.
pub fn validated(params: &Params, policy: &Policy) -> Result<AnyScheme, Failure> {
    AnyScheme::from_matrix(params.clone(), policy).map_err(refused)
}
