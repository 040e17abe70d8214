//! Jobs that are run again without a lost machine, and files that are there whole or not at all.

use crate::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Runs a job on machines, the first of which coordinates; after an error that names a rank once more on as many of the others as are a power of two.
/// Each run reads its part anew: of shards, a rank of half as many reads twice as many.
///
/// # Errors
/// The last one, if it names no rank, or no machine is left.
pub fn retry<M: Clone, T>(machines: &[M], mut run: impl FnMut(&[M]) -> Result<T, Error>) -> Result<T, Error> {
    let mut left = machines.to_vec();
    loop {
        let ranks = left.len().checked_ilog2().map_or(0, |log| 1 << log);
        let error = match run(&left[..ranks]) {
            Ok(result) => return Ok(result),
            Err(error) => error,
        };
        match error.rank().filter(|&rank| rank < ranks && left.len() > 1) {
            Some(rank) => drop(left.remove(rank)),
            None => return Err(error),
        }
    }
}

/// Writes a file: under another name first, so that a full disk or a crash leaves no part of it under its own. The other name is random: process
/// numbers come again, and in other namespaces at the same time.
///
/// # Errors
/// If writing fails; then nothing is left.
pub fn publish(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{:016x}.part", getrandom::u64()?));
    let part = Path::new(&name);
    let mut file = File::create_new(part)?;
    let written = write(&mut file).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::rename(part, path)).and_then(|()| sync_folder(path));
    placed.inspect_err(|_| {
        // The first error is the one that is told.
        let _ = fs::remove_file(part);
    })
}

/// Makes the name of a file durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Elsewhere a folder is no file that can be opened.
    match path.parent().filter(|_| cfg!(unix)) {
        Some(folder) if folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
