//! Commands that look again and again at what others have.

use std::fmt::Display;
use std::time::Duration;

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::terminal;

/// The errors of rounds.
pub struct Errors<E> {
    /// Returns true for one that another round may not have.
    pub pass: fn(&E) -> bool,
    /// An error in the terms of the command.
    pub failure: fn(E) -> Failure,
}

/// Runs a round, and others after so many seconds, until one is the last or fails for good. An error that passes is told, and fails a single round.
pub fn rounds<T, E: Display>(
    (every, common): (Option<u64>, &Common),
    mut round: impl FnMut() -> Result<T, E>,
    mut is_last: impl FnMut(T) -> bool,
    errors: Errors<E>,
) -> Result<Exit, Failure> {
    loop {
        match (round(), every) {
            (Ok(found), every) => {
                if is_last(found) || every.is_none() {
                    return Ok(Exit::Valid);
                }
            }
            (Err(e), Some(_)) if (errors.pass)(&e) => {
                if !common.quiet {
                    note!("not now: {}", terminal::escape(&e.to_string()));
                }
            }
            (Err(e), _) => return Err((errors.failure)(e)),
        }
        std::thread::sleep(Duration::from_secs(every.unwrap_or(0)));
    }
}
