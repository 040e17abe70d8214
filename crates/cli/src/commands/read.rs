//! Reading files of ours, or standard input for `-`.

use super::failure::{failure, unreadable};
use crate::args::Common;
use crate::exit::Failure;
use crate::files::{Input, Kind};
use crate::terminal;
use data::STDIN;
use pcs::file::{FileError, Header, SchemeId};
use std::path::Path;
use tenfold::CommitmentFile;
use tenfold::file::CommitmentError;

/// Reads any file of 1 GiB at most.
pub fn read_file(path: &Path, common: &Common) -> Result<Vec<u8>, Failure> {
    open(path)?.read(common.max_memory())
}

/// Reads a file whose first `head` bytes say how long it is.
#[cfg(feature = "ledger")]
pub fn read_exactly(
    path: &Path,
    head: usize,
    length: impl FnOnce(&[u8]) -> Result<u64, Failure>,
    common: &Common,
) -> Result<Vec<u8>, Failure> {
    open(path)?.read_exactly(common.max_memory(), head, length)
}

/// Reads the first bytes of a file, `most` of them if there are as many.
#[cfg(feature = "ring")]
pub fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    open(path)?.read_start(most)
}

/// Reads a file of ours, if it is not longer than its parameters allow and this build has a command for it.
pub fn read_ours(path: &Path, common: &Common) -> Result<Vec<u8>, Failure> {
    open(path)?.read_ours(common.max_memory(), check)
}

/// Reads a commitment file.
pub fn read_commitment(path: &Path, common: &Common) -> Result<CommitmentFile, Failure> {
    let bytes = read_ours(path, common)?;
    CommitmentFile::from_bytes(&bytes).map_err(|e| match e {
        CommitmentError::OtherKind | CommitmentError::Ring | CommitmentError::File(FileError::Magic) => {
            let hint = "give the commitment file, which `tenfold commit` wrote";
            named(path, &bytes, Failure::usage(e.to_string(), hint))
        }
        e => failure(e.into()),
    })
}

/// A refusal that names the file, and says which of ours was given in place of another.
pub fn named(path: &Path, bytes: &[u8], refusal: Failure) -> Failure {
    let Some(kind) = Kind::of(bytes) else { return refusal.in_file(path) };
    let what = match refusal.message.strip_prefix("not a Tenfold file") {
        Some(_) => String::new(),
        None => format!(": {}", refusal.message),
    };
    Failure { message: format!("{} is {}{what}", terminal::path(path), kind.name()), ..refusal }
}

fn open(path: &Path) -> Result<Input<'_>, Failure> {
    if path.as_os_str() == STDIN {
        Ok(Input::of(path, data::stdin().map_err(unreadable)?))
    } else {
        Input::open(path)
    }
}

/// Refuses a file by its header: one that is longer than its parameters allow, or that this build has no command for.
fn check(header: &Header) -> Result<(), Failure> {
    if header.scheme == SchemeId::Ring {
        return check_ring(header);
    }
    tenfold::longest::check_length(header).map_err(|refused| {
        let malformed = other(refused.to_string());
        if refused.is_malformed() {
            return malformed;
        }
        // Numbers that no parameters have are refused as those that prove too little are.
        Failure { hint: malformed.hint, ..Failure::invalid(malformed.message) }
    })
}

/// Refuses a file about rings that is longer than its parameters allow.
#[cfg(feature = "ring")]
fn check_ring(header: &Header) -> Result<(), Failure> {
    let longest = ring_proof::file::max_length(header).map_err(super::ring::unusable)?;
    if header.length() > longest { Err(other(FileError::Long.to_string())) } else { Ok(()) }
}

/// Refuses a file about rings, which this build has no command for.
#[cfg(not(feature = "ring"))]
fn check_ring(header: &Header) -> Result<(), Failure> {
    let what = Kind::of_header(header).map_or("a file about a ring", Kind::name);
    let absent = super::absent("ring", "ring");
    Err(Failure { message: format!("{what}, and {}", absent.message), ..absent })
}

/// The failure for a file that tenfold did not write.
fn other(reason: String) -> Failure {
    Failure::usage(reason, "give a file that tenfold wrote")
}
