//! Locks of files that are read, changed and written back.
//!
//! The lock is on a file of its own beside the file, with `.lock` behind its name: one on the file itself would stay with what
//! the next rename replaces. The system gives it up when the process ends, however it ends, so that none is ever stale. On Unix
//! the empty file is removed by who holds it, and who has waited for a file that is gone makes it again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::identity::leads_to;
use super::stage::{sweep, was_left};
use super::target::Target;
use crate::exit::Failure;

/// A file that no other process changes while this value lives, if it asks for the lock too.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// The file that is locked, and its name.
    held: (File, PathBuf),
}

impl Lock {
    /// Locks a file that may not be there yet; waits for a process that has the lock, and says so through `waits`. What processes
    /// that were ended have left beside the file is removed.
    ///
    /// # Errors
    /// If the lock cannot be made, or the name is not one of a plain file.
    pub fn wait(path: &Path, waits: impl FnOnce()) -> Result<Self, Failure> {
        Self::wait_unswept(path, waits).inspect(Self::sweep)
    }

    /// [`Self::wait`], which leaves what is beside the file.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn wait_unswept(path: &Path, waits: impl FnOnce()) -> Result<Self, Failure> {
        let place = Place::of(path)?;
        let mut waits = Some(waits);
        loop {
            let file = place.open()?;
            let locked = file.try_lock().or_else(|e| match e {
                TryLockError::WouldBlock => {
                    waits.take().into_iter().for_each(|waits| waits());
                    file.lock()
                }
                TryLockError::Error(e) => Err(e),
            });
            locked.map_err(Failure::file("lock", path))?;
            if leads_to(&place.beside, &file) {
                return Ok(Self { path: place.real, held: (file, place.beside) });
            }
        }
    }

    /// Locks a file, unless another process has the lock.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn attempt(path: &Path) -> Result<Option<Self>, Failure> {
        let place = Place::of(path)?;
        loop {
            let file = place.open()?;
            match file.try_lock() {
                Ok(()) if leads_to(&place.beside, &file) => {
                    return Ok(
                        Some(Self { path: place.real, held: (file, place.beside) }).inspect(Self::sweep)
                    );
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(e)) => return Err(Failure::file("lock", path)(e)),
            }
        }
    }

    /// Returns true if a process that was ended left this content beside the file, which it was to be put in the place of. Asked
    /// before [`Self::sweep`].
    #[must_use]
    pub fn was_left(&self, content: &[u8]) -> bool {
        was_left(&self.path, content)
    }

    /// Removes what processes that were ended have left beside the file.
    pub fn sweep(&self) {
        sweep(&self.path);
    }

    /// The file, by a path without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(unix)]
impl Drop for Lock {
    fn drop(&mut self) {
        // Before it is given up. In a folder that belongs to others it may have to stay.
        let _ = fs::remove_file(&self.held.1);
    }
}

/// A file, by a path without links, and the name of its lock.
struct Place {
    real: PathBuf,
    beside: PathBuf,
}

impl Place {
    fn of(path: &Path) -> Result<Self, Failure> {
        let target = Target::of(path)?;
        let Some(real) = target.file() else {
            let message = format!("{} is no plain file", path.display());
            return Err(Failure::usage(message, "give the name of a file"));
        };
        let mut beside = real.as_os_str().to_owned();
        beside.push(".lock");
        Ok(Self { real: real.to_owned(), beside: beside.into() })
    }

    fn open(&self) -> Result<File, Failure> {
        open(&self.beside).map_err(Failure::file("write", &self.beside))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// One at a time, though each removes the file that the others wait for; and nothing is left.
    #[test]
    fn one_holds_a_lock() {
        let folder = tempfile::TempDir::new().unwrap();
        let (path, is_held) = (folder.path().join("x"), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let lock = Lock::wait(&path, || ()).unwrap();
                        assert!(!is_held.swap(true, Ordering::SeqCst));
                        assert!(Lock::attempt(&path).unwrap().is_none());
                        is_held.store(false, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&folder).unwrap().count(), usize::from(cfg!(not(unix))));
    }
}
