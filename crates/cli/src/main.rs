//! Entry point of `tenfold`; everything is in the library beside it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tenfold_cli::run(std::env::args_os())
}
