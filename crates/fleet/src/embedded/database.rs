//! The database's file: one process at a time, and whatever bytes are in it, an error or an answer.

use super::CACHE;
use crate::error::Error;
use redb::Database;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tenfold_report::files::Lock;

/// Runs an operation on the database, which no other process has open meanwhile; `check` compares the checksums of all its pages first.
///
/// In a database that was damaged the library panics, and while it unwinds again, which ends the process: so each process checks it once, when it opens
/// the queue, and trusts it from then on.
pub(super) fn with<T>(
    path: &Path,
    check: bool,
    operation: impl FnOnce(&Database) -> Result<T, Error>,
) -> Result<T, Error> {
    let _lock = lock(path)?;
    guarded(|| {
        let mut builder = Database::builder();
        builder.set_cache_size(CACHE).set_check_integrity_on_open(check);
        operation(&builder.open(path).map_err(damaged)?)
    })
}

/// Waits until no other process has the database open.
pub(super) fn lock(path: &Path) -> Result<Lock, Error> {
    let failed = |failure: tenfold_report::exit::Failure| Error::Io {
        what: format!("cannot lock {}", path.display()),
        source: std::io::Error::other(failure.message),
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
