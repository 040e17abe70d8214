//! Reading files of ours: the header first, which says how long the rest is and how long it may be. (notes: formats-proof)

use super::blob::source::within_memory;
use crate::args::Common;
use crate::commands::max_memory;
use crate::data::{self, STDIN};
use crate::exit::{Exit, Failure};
use crate::{terminal, units};
use pcs::file::{FileError, Header, SchemeId};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest file that is read whose length nothing else bounds: a setup, tables.
const MAX_FILE: u64 = 1 << 30;

/// What reading a file of ours takes beside it: a proof is verified in twice its length and this.
const BESIDE: u64 = 4 << 20;

/// Bytes that are read at a time where nobody says how many will come.
const PIECE: u64 = 1 << 20;

/// Reads any file of 1 GiB at most, or standard input for `-`. What is made of it takes as much memory as it does.
///
/// # Errors
/// If it cannot be read, is longer, or takes more memory than there may be.
pub fn read_file(path: &Path, common: &Common) -> Result<Vec<u8>, Failure> {
    let (file, announced) = open(path)?;
    // A buffer that grows is there once more, twice as large.
    let room = max_memory(common) / if announced.is_some() { 2 } else { 4 };
    let mut bytes = Vec::new();
    if announced.is_none_or(|length| length <= MAX_FILE.min(room)) {
        let most = MAX_FILE.min(room) + 1;
        bytes.reserve_exact(announced.map_or(0, |length| length as usize + 1));
        file.take(most).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
    }
    let length = announced.unwrap_or_default().max(bytes.len() as u64);
    if length > MAX_FILE {
        let message = format!("{} is longer than 1 GiB, as no file of ours is", terminal::path(path));
        return Err(Failure::usage(message, "give a file that tenfold wrote"));
    }
    if length > room {
        let message = format!("{} is longer than {}", terminal::path(path), units::bytes(room));
        let hint =
            Some("raise `--max-memory`, of which a file may be a half, and a pipe a quarter".to_owned());
        return Err(Failure { exit: Exit::Io, message, hint });
    }
    Ok(bytes)
}

/// Reads the first bytes of a file, `most` of them if there are as many, or of standard input for `-`.
///
/// # Errors
/// If it cannot be read.
pub fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path)?.0.take(most).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
    Ok(bytes)
}

/// A file and its length: a pipe or a device has none to ask for.
fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if path.as_os_str() == STDIN {
        return Ok((Box::new(data::stdin()?), None));
    }
    let file = File::open(path).map_err(Failure::file("read", path))?;
    let metadata = file.metadata().map_err(Failure::file("read", path))?;
    Ok((Box::new(file), metadata.is_file().then_some(metadata.len())))
}

/// Reads a file of ours. Its header is read first: what is longer than it says, or than its parameters allow, is refused unread.
/// What is no such file is cut off after the header's length, for the caller to refuse.
///
/// Memory: the file.
///
/// # Errors
/// If it cannot be read, is longer than it may be, or takes more memory than there may be.
pub fn read_ours(path: &Path, common: &Common) -> Result<Vec<u8>, Failure> {
    let failed = |e| Failure::file("read", path)(e);
    let (mut file, announced) = open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(Header::MOST).read_to_end(&mut bytes).map_err(failed)?;
    let header = match Header::decode(&bytes) {
        Ok(header) => header,
        // Foreign bytes: what they are is settled by the first ones.
        Err(FileError::Magic) => return Ok(bytes),
        Err(e) => return Err(refused(path, &e.to_string())),
    };
    check_length(&header).map_err(|reason| refused(path, &reason))?;
    let length = header.length();
    if let Some(announced) = announced.filter(|&announced| announced != length) {
        let e = if announced > length { FileError::Trailing } else { FileError::Short };
        return Err(refused(path, &e.to_string()));
    }
    within_memory(length.saturating_mul(2).saturating_add(BESIDE), common, "raise `--max-memory`")?;
    if announced.is_some() {
        bytes.reserve_exact((length + 1).saturating_sub(bytes.len() as u64) as usize);
    }
    // A byte more than there should be, to see that there are more.
    while bytes.len() as u64 <= length {
        let left = (length + 1 - bytes.len() as u64).min(PIECE);
        if file.by_ref().take(left).read_to_end(&mut bytes).map_err(failed)? == 0 {
            break;
        }
    }
    if bytes.len() as u64 > length {
        return Err(refused(path, &FileError::Trailing.to_string()));
    }
    Ok(bytes)
}

/// Refuses a file that is longer than its parameters allow, in words.
fn check_length(header: &Header) -> Result<(), String> {
    if header.scheme == SchemeId::Ring {
        let longest = ring_proof::file::max_length(header).ok_or("the file's parameters are malformed")?;
        return if header.length() > longest { Err(FileError::Long.to_string()) } else { Ok(()) };
    }
    tenfold::longest::check_length(header).map_err(|e| e.to_string())
}

fn refused(path: &Path, reason: &str) -> Failure {
    Failure::usage(format!("{}: {reason}", terminal::path(path)), "give a file that tenfold wrote")
}
