//! The database's file: one process at a time, and whatever bytes are in it, an error or an answer.

use super::CACHE;
use crate::error::Error;
use redb::backends::InMemoryBackend;
use redb::{Builder, Database, ReadableDatabase, StorageBackend};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenfold_report::files::Lock;

/// How often a locked database is tried again, ...
const LOCK_TRIES: u32 = 20;
/// ... and after how long.
const LOCK_PAUSE: std::time::Duration = std::time::Duration::from_millis(5);

/// The longest database that is copied into memory.
const MAX_COPY: u64 = 1 << 30;
/// Times that it is read, at most, until it is the same twice.
const MAX_READS: u32 = 1000;
/// The time after which a process checks the whole database once more, with its next operation.
const CHECKED_FOR: Duration = Duration::from_secs(10);

/// The database of a queue that is open, as this process knows it.
#[derive(Debug)]
pub(super) struct Known {
    identity: Identity,
    /// When the checksums of all pages were compared last.
    checked: Mutex<Instant>,
}

/// What tells a file from one that was put in its place; nothing but on Unix, where files have numbers. Windows gives a new file the birth of the one
/// whose name it takes, and what stands for Windows may give an old one the time when it was last written.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    number: [u64; 2],
    #[cfg(unix)]
    created: Option<std::time::SystemTime>,
}

impl Identity {
    fn of(path: &Path) -> Result<Self, Error> {
        let no_queue = || Error::NoQueue(path.parent().unwrap_or(path).to_owned());
        let there = fs::symlink_metadata(path).map_err(|e| match e.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => no_queue(),
            // It may pass, as a folder's permissions and a file server do.
            _ => Error::io("read", path)(e),
        })?;
        // Not even by a link: the lock beside it would be another one than that of the file.
        if !there.is_file() {
            return Err(Error::Damaged(format!("{} is no plain file", path.display())));
        }
        Ok(Self {
            #[cfg(unix)]
            number: {
                use std::os::unix::fs::MetadataExt;
                [there.dev(), there.ino()]
            },
            #[cfg(unix)]
            created: there.created().ok(),
        })
    }
}

impl Known {
    /// Opens the database, compares the checksums of all its pages, and reads something.
    pub fn open<T>(
        path: &Path,
        read: impl FnOnce(&Database) -> Result<T, Error>,
    ) -> Result<(Self, T), Error> {
        // Before the lock, which would make a file where there is no queue.
        Identity::of(path)?;
        let held = hold(path);
        let identity = Identity::of(path)?;
        let value = match held {
            Ok(_lock) => with(path, true, read)?,
            Err(_) => with_copy(path, read)?,
        };
        Ok((Self { identity, checked: Mutex::new(Instant::now()) }, value))
    }

    /// Runs an operation on the database, which no other process has open meanwhile.
    ///
    /// In a database that was damaged the library panics, and while it unwinds again, which ends the process: so each process checks it when it opens
    /// the queue, and every [`CHECKED_FOR`] from then on; in between it is trusted.
    pub fn change<T>(
        &self,
        path: &Path,
        operation: impl FnOnce(&Database) -> Result<T, Error>,
    ) -> Result<T, Error> {
        Identity::of(path)?;
        let _lock = lock(path)?;
        self.check_identity(path)?;
        self.checked(path, operation)
    }

    /// [`Self::change`] of an operation that changes nothing. Whoever may not lock or write the database, which opening it takes, reads a copy.
    pub fn look<T>(
        &self,
        path: &Path,
        operation: impl FnOnce(&Database) -> Result<T, Error>,
    ) -> Result<T, Error> {
        Identity::of(path)?;
        let held = hold(path);
        self.check_identity(path)?;
        match held {
            Ok(_lock) => self.checked(path, operation),
            Err(_) => with_copy(path, operation),
        }
    }

    fn check_identity(&self, path: &Path) -> Result<(), Error> {
        if Identity::of(path)? == self.identity { Ok(()) } else { Err(Error::Replaced(path.to_owned())) }
    }

    fn checked<T>(
        &self,
        path: &Path,
        operation: impl FnOnce(&Database) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let check = checked.elapsed() >= CHECKED_FOR;
        let result = with(path, check, operation);
        if check && !matches!(result, Err(Error::Damaged(_))) {
            *checked = Instant::now();
        }
        result
    }

    /// Has the next operation check the whole database.
    #[cfg(test)]
    pub fn forget_check(&self) {
        let long_ago = Instant::now().checked_sub(CHECKED_FOR).expect("the machine runs for longer");
        *self.checked.lock().unwrap() = long_ago;
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

/// Runs an operation on the database, which is locked; `check` compares the checksums of all its pages first.
fn with<T>(
    path: &Path,
    check: bool,
    operation: impl FnOnce(&Database) -> Result<T, Error>,
) -> Result<T, Error> {
    guarded(|| {
        refuse_later(path)?;
        operation(&open(path, check).map_err(damaged)?)
    })
}

/// Opens the database. A lock may outlast its file for a moment: a process that is being started has the files of the one that starts it until it
/// runs its own program.
fn open(path: &Path, check: bool) -> Result<Database, redb::DatabaseError> {
    for _ in 0..LOCK_TRIES {
        match builder(check).open(path) {
            Err(redb::DatabaseError::DatabaseAlreadyOpen) => std::thread::sleep(LOCK_PAUSE),
            opened => return opened,
        }
    }
    builder(check).open(path)
}

/// Refuses tables of a later version before the database is opened to be changed, which writes into its header. What else may be wrong is found by that.
fn refuse_later(path: &Path) -> Result<(), Error> {
    let Ok(database) = builder(false).open_read_only(path) else { return Ok(()) };
    let Ok(transaction) = database.begin_read() else { return Ok(()) };
    match super::version(&transaction) {
        Ok(found) if found > super::VERSION => Err(Error::Version { found, expected: super::VERSION }),
        _ => Ok(()),
    }
}

/// Runs an operation on a copy of the database, all of whose pages are checked.
fn with_copy<T>(path: &Path, operation: impl FnOnce(&Database) -> Result<T, Error>) -> Result<T, Error> {
    let copy = copy(path)?;
    guarded(|| operation(&builder(true).create_with_backend(copy).map_err(damaged)?))
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

/// Waits until no other process has the database open.
pub(super) fn lock(path: &Path) -> Result<Lock, Error> {
    let failed = |failure: tenfold_report::exit::Failure| Error::Io {
        what: format!("cannot lock {}", path.display()),
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
        // By other means than the lock beside it: while a copy is made, say.
        redb::Error::DatabaseAlreadyOpen | redb::Error::LockProtocolMismatch => Error::Io {
            what: "the queue's database".into(),
            source: io::Error::other("another program has it locked"),
        },
        // Files of later formats are told by a number in their header, before anything is written.
        redb::Error::Corrupted(text) if text.starts_with("Expected file format version <= ") => {
            Error::Newer(text)
        }
        e => Error::Damaged(e.to_string()),
    }
}
