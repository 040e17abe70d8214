//! `tenfold bench`: a command of its own, so that the peers it measures are no dependencies of this one.

use crate::exit::{Exit, Failure};
use crate::output;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// The executable that measures.
const NAME: &str = "tenfold-bench";
/// The help where there is none to ask for its own.
const HELP: &str = "Measure the schemes beside their peers: `tenfold-bench`, a program of its own, with its own options and help.\nIt is not here: build it with `cargo build --release -p tenfold-bench`, or put it on the PATH.";

/// Runs `tenfold-bench`, the one beside this executable first, then the one on the path.
pub fn run(arguments: &[OsString]) -> Result<Exit, Failure> {
    let status = Command::new(executable()).args(arguments).status();
    if status.is_err() && arguments.iter().any(|word| word == "--help" || word == "-h") {
        output::line(HELP);
        return Ok(Exit::Valid);
    }
    let status = status.map_err(|e| {
        let hint = "build it with `cargo build --release -p tenfold-bench`, or put it on the PATH";
        Failure { hint: Some(hint.into()), ..Failure::io(format!("cannot run {NAME}: {e}")) }
    })?;
    // Its own codes as they are; whatever else ends it, a signal say, is the machine's failure.
    Ok(match status.code() {
        Some(0) => Exit::Valid,
        Some(1) => Exit::Invalid,
        Some(2) => Exit::Usage,
        _ => Exit::Io,
    })
}

fn executable() -> PathBuf {
    let name = format!("{NAME}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().map(|path| path.with_file_name(&name)).filter(|path| path.is_file());
    beside.unwrap_or_else(|| name.into())
}
