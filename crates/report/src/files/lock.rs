//! Locks of files that are read, changed and written back.
//!
//! The lock is on a file of its own beside the file, with `.lock` behind its name: one on the file itself would stay with what
//! the next rename replaces. The system gives it up when the process ends, however it ends, so that none is ever stale; the
//! empty file stays.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::stage::{sweep, was_left};
use super::target::Target;
use crate::exit::Failure;

/// A file that no other process changes while this value lives, if it asks for the lock too.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Locks a file that may not be there yet; waits for a process that has the lock, and says so through `waits`.
    ///
    /// # Errors
    /// If the lock cannot be made, or the name is not one of a plain file.
    pub fn wait(path: &Path, waits: impl FnOnce()) -> Result<Self, Failure> {
        let lock = Self::open(path)?;
        let locked = lock.file.try_lock().or_else(|e| match e {
            TryLockError::WouldBlock => {
                waits();
                lock.file.lock()
            }
            TryLockError::Error(e) => Err(e),
        });
        locked.map_err(Failure::file("lock", path))?;
        Ok(lock.swept())
    }

    /// Locks a file, unless another process has the lock.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn attempt(path: &Path) -> Result<Option<Self>, Failure> {
        let lock = Self::open(path)?;
        match lock.file.try_lock() {
            Ok(()) => Ok(Some(lock.swept())),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(Failure::file("lock", path)(e)),
        }
    }

    /// Not locked yet.
    fn open(path: &Path) -> Result<Self, Failure> {
        let target = Target::of(path)?;
        let Some(real) = target.file() else {
            let message = format!("{} is no plain file", path.display());
            return Err(Failure::usage(message, "give the name of a file"));
        };
        let mut beside = real.as_os_str().to_owned();
        beside.push(".lock");
        let beside = PathBuf::from(beside);
        let file = open(&beside).map_err(Failure::file("write", &beside))?;
        Ok(Self { path: real.to_owned(), file })
    }

    /// Nobody else writes the file now: what a process that was ended has left beside it is nobody's.
    fn swept(self) -> Self {
        sweep(&self.path);
        self
    }

    /// Returns true if a process that was ended left this content beside another file, which it was to be put in the place of.
    /// Asked before [`Self::sweep_beside`].
    #[must_use]
    pub fn was_left_beside(&self, other: &Path, content: &[u8]) -> bool {
        match Target::of(other) {
            Ok(Target::File(real, _)) => was_left(&real, content),
            _ => false,
        }
    }

    /// Removes what ended processes left beside another file that is written under this lock alone.
    pub fn sweep_beside(&self, other: &Path) {
        if let Ok(Target::File(real, _)) = Target::of(other) {
            sweep(&real);
        }
    }

    /// The file, by a path without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens or makes the file of a lock. One that belongs to another user can be locked by who can read it.
fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe waits for whoever reads it, and a link would make a file elsewhere.
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it stands for a lock, and is no plain file; remove it",
        ));
    }
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    match options.open(path) {
        Err(e) if e.kind() == ErrorKind::PermissionDenied && fs::metadata(path).is_ok() => File::open(path),
        opened => opened,
    }
}
