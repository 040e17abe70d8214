//! Reading files of ours, or standard input for `-`.

use super::failure::{failure, unreadable};
use crate::args::Common;
use crate::exit::Failure;
use crate::files::{Input, Kind};
use crate::table::Paint;
use crate::terminal;
use data::STDIN;
use pcs::file::{FileError, Header, SchemeId};
use std::io::Read;
use std::path::Path;
use tenfold::CommitmentFile;
use tenfold::file::CommitmentError;
use zeroize::Zeroizing;

/// Reads any file of 1 GiB at most.
pub fn read_file(path: &Path, common: &Common) -> Result<Vec<u8>, Failure> {
    open(path)?.read(common.max_memory())
}

/// Reads the first bytes of a file, `most` of them if there are as many.
pub fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    open(path)?.read_start(most)
}

/// Reads a file of ours, if it is not longer than its parameters allow.
pub fn read_ours(path: &Path, common: &Common) -> Result<Vec<u8>, Failure> {
    open(path)?.read_ours(common.max_memory(), check_length)
}

/// Reads the key in a secret file, of which no more than `most` bytes are looked at, and warns on stderr if others can read it too.
pub fn read_key<K>(
    path: &Path,
    most: usize,
    decode: impl FnOnce(&[u8]) -> Result<K, Failure>,
    common: &Common,
) -> Result<K, Failure> {
    // With room for all of it: a vector that grows leaves copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(most));
    let file = std::fs::File::open(path).map_err(Failure::file("read", path))?;
    #[cfg(unix)]
    let metadata = file.metadata();
    file.take(most as u64).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
    let key = decode(&bytes).map_err(|failure| failure.in_file(path))?;
    #[cfg(unix)]
    if !common.quiet {
        let mode = metadata.map(|of| std::os::unix::fs::PermissionsExt::mode(&of.permissions()));
        if mode.is_ok_and(|mode| mode & 0o077 != 0) {
            let name = terminal::path(path);
            note!("{} {name} can be read by others: chmod 600 {name}", Paint::stderr().red("warning:"));
        }
    }
    Ok(key)
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

/// A refusal that says which file of ours was given in place of another.
pub fn named(path: &Path, bytes: &[u8], refusal: Failure) -> Failure {
    let Some(kind) = Kind::of(bytes) else { return refusal };
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

/// Refuses a file that is longer than its parameters allow, in words.
fn check_length(header: &Header) -> Result<(), String> {
    if header.scheme == SchemeId::Ring {
        let longest = ring_proof::file::max_length(header).ok_or("the file's parameters are malformed")?;
        return if header.length() > longest { Err(FileError::Long.to_string()) } else { Ok(()) };
    }
    tenfold::longest::check_length(header).map_err(|e| e.to_string())
}
