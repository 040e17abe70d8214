//! The database's file: one process at a time, and whatever bytes are in it, an error or an answer.

use super::CACHE;
use crate::error::Error;
use redb::backends::InMemoryBackend;
use redb::{Builder, Database, StorageBackend};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tenfold_report::files::Lock;

/// The longest database that is copied into memory.
const MAX_COPY: u64 = 1 << 30;
/// Times that it is read, at most, until it is the same twice.
const MAX_READS: u32 = 1000;

/// Runs an operation on the database, which no other process has open meanwhile.
pub(super) fn change<T>(
    path: &Path,
    operation: impl FnOnce(&Database) -> Result<T, Error>,
) -> Result<T, Error> {
    let _lock = lock(path)?;
    guarded(|| operation(&builder(false).open(path).map_err(damaged)?))
}

/// Runs an operation that changes nothing; `check` compares the checksums of all pages first. Whoever may not lock or write the
/// database, which opening it takes, reads a copy.
///
/// In a database that was damaged the library panics, and while it unwinds again, which ends the process: so each process checks it once, when it opens
/// the queue, and trusts it from then on.
pub(super) fn look<T>(
    path: &Path,
    check: bool,
    operation: impl FnOnce(&Database) -> Result<T, Error>,
) -> Result<T, Error> {
    match hold(path) {
        Ok(_lock) => guarded(|| operation(&builder(check).open(path).map_err(damaged)?)),
        Err(_) => {
            let copy = copy(path)?;
            guarded(|| operation(&builder(check).create_with_backend(copy).map_err(damaged)?))
        }
    }
}

/// Refuses a database that this process may not lock and write.
pub(super) fn check_writable(path: &Path) -> Result<(), Error> {
    hold(path).map(drop)
}

/// [`lock`] for a database that may be written, too.
fn hold(path: &Path) -> Result<Lock, Error> {
    OpenOptions::new().read(true).write(true).open(path).map_err(Error::io("write", path))?;
    lock(path)
}

fn builder(check: bool) -> Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE).set_check_integrity_on_open(check);
    builder
}

/// A copy of the database in memory, as it was at one moment: the bytes that were there in two looks, one after the other. A change
/// that was under way is undone in it, as it is after a kill.
fn copy(path: &Path) -> Result<InMemoryBackend, Error> {
    let failed = || Error::io("read", path);
    let mut bytes = read(path).map_err(failed())?;
    for _ in 0..MAX_READS {
        let again = read(path).map_err(failed())?;
        let is_same = bytes == again;
        bytes = again;
        if is_same {
            let copy = InMemoryBackend::new();
            let copied = copy.set_len(bytes.len() as u64).and_then(|()| copy.write(0, &bytes));
            copied.map_err(|e| damaged(redb::StorageError::from(e)))?;
            return Ok(copy);
        }
    }
    Err(failed()(io::Error::other("other processes change it all the time; try again")))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_COPY + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_COPY {
        return Err(io::Error::other("it is longer than 1 GiB, and only who may write it can read so much"));
    }
    Ok(bytes)
}

/// Waits until no other process has the database open to write.
pub(super) fn lock(path: &Path) -> Result<Lock, Error> {
    let failed = |failure: tenfold_report::exit::Failure| Error::Io {
        what: "the queue's database".into(),
        source: io::Error::other(failure.message),
    };
    Lock::wait(path, || ()).map_err(failed)
}

/// Runs what reads a database that may be damaged, where its library panics.
pub(super) fn guarded<T>(run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(Error::Damaged("its database cannot be read".into())))
}

/// An error of the database, whose file may be damaged or of another version of its library.
pub(super) fn damaged(e: impl Into<redb::Error>) -> Error {
    match e.into() {
        // What redb says of a file that is no database.
        redb::Error::Io(source)
            if matches!(source.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) =>
        {
            Error::Damaged(source.to_string())
        }
        redb::Error::Io(source) => Error::Io { what: "the queue's database".into(), source },
        e => Error::Damaged(e.to_string()),
    }
}
