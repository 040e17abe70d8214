//! `tenfold ring`: anonymous membership, from keys to verdicts.
//!
//! ```text
//!  secret ─ keygen ─► public key, possession ─ commit, add ─► ring file ─► commitment file (enough to verify)
//!    └──────────────────── prove ◄────────────────────────────────┘               │
//!                            └──► signature file ── verify, batch-verify ◄────────┘
//! ```
//! The files are those of [`ring_proof::file`]; here are arguments, the places of files, and words. (notes: ring-files)

mod batch;
mod change;
mod demo;
mod inspect;
mod keys;
mod members;
mod place;
mod prove;
mod setup;
#[cfg(test)]
mod tests;
mod verify;

use crate::args::Common;
use crate::args::ring::RingCommand;
use crate::exit::{Exit, Failure};
use crate::terminal;
use ring_proof::Error;
use ring_proof::file::{FileError, SignatureError};
use std::path::Path;

pub use inspect::content as inspect;
pub use verify::from_any_front_door as verify;

/// The command.
pub fn run(command: &RingCommand, common: &Common) -> Result<Exit, Failure> {
    match command {
        RingCommand::Keygen(args) => keys::run(args, common),
        RingCommand::Commit(args) => change::commit(args, common),
        RingCommand::Add(args) => change::add(args, common),
        RingCommand::Replace(args) => change::replace(args, common),
        RingCommand::Remove(args) => change::remove(args, common),
        RingCommand::Prove(args) => prove::run(args, common),
        RingCommand::Verify(args) => verify::run(args, common),
        RingCommand::BatchVerify(args) => batch::run(args, common),
        RingCommand::Inspect(args) => inspect::run(args, common),
        RingCommand::Demo(args) => demo::run(args, common),
    }
}

/// The failure for a file about rings that cannot be used.
pub fn unusable(error: FileError) -> Failure {
    let message = error.to_string();
    match error {
        FileError::Container { wanted, .. }
        | FileError::NotRing { wanted }
        | FileError::Kind { wanted, .. } => Failure::usage(message, format!("give {wanted}")),
        FileError::Malformed(_) => Failure::usage(message, "give a file that `tenfold ring` wrote"),
        FileError::Suite(_) => Failure::usage(message, "use a release that knows the suite"),
        FileError::Digest(_) => Failure::invalid(message),
        FileError::Slot { .. } => Failure::usage(message, "ask who made the ring"),
        FileError::Ring(error) => refused(error),
        FileError::Commitment => Failure::usage(message, "make the ring again with `tenfold ring commit`"),
        FileError::Points(_) => Failure::usage(message, "make it again with `tenfold ring commit`"),
    }
}

/// The failure for a signature that is not valid.
fn invalid(error: SignatureError) -> Failure {
    match error {
        SignatureError::Batch(error) => refused(error),
        error => Failure::invalid(error.to_string()),
    }
}

/// The failure for what the library refuses, in words of this command.
fn refused(error: Error) -> Failure {
    let message = error.to_string();
    match error {
        Error::Random(_) => Failure::io(message),
        Error::Capacity { wanted, capacity } => Failure::usage(
            format!("the ring has room for {capacity} members, not for {wanted}"),
            "make it again with `tenfold ring commit` and --capacity",
        ),
        Error::Slot(slot) => {
            Failure::usage(format!("no member in slot {slot}"), "`tenfold ring inspect` shows the slots")
        }
        _ => Failure::usage(message, "see `tenfold ring --help`"),
    }
}

/// Says why nothing happens: another process has the lock of a file.
fn waits_for(path: &Path, common: &Common) {
    if !common.quiet {
        note!("waiting for another process that changes {}", terminal::path(path));
    }
}
