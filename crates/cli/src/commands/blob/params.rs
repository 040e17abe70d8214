//! Parameters for files of bytes from arguments.

use crate::args::SchemeArgs;
use crate::commands::failure::failure;
use crate::exit::Failure;
use pcs::ligerito::Params;
use tenfold::{Error, search};

/// The cheapest parameters for so many bytes; of a named profile those that are as its name says.
pub fn choose(length: u64, args: &SchemeArgs) -> Result<Params, Failure> {
    search::bytes_params(length, &args.options()).map_err(unfound)
}

/// The proven bits asked for: those of the named profile, if there is one.
pub fn bits(args: &SchemeArgs) -> Result<u32, Failure> {
    search::bytes_bits(&args.options()).map_err(failure)
}

/// The error of a command whose options no parameters satisfy.
pub fn unfound(error: Error) -> Failure {
    match error {
        Error::Search(e) => Failure::usage(e.0, "ask for fewer --bits, or split the file"),
        error => failure(error),
    }
}
