//! Locks of files that are read, changed and written back.
//!
//! The lock is on a file of its own beside the file, with `.lock` behind its name: one on the file itself would stay with what
//! the next rename replaces. The system gives it up when the process ends, however it ends, so that none is ever stale. On Unix
//! who has made the empty file removes it, and who has waited for a file that is gone makes it again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::identity::leads_to;
use super::stage::{sweep, was_left};
use super::target::Target;
use crate::exit::Failure;

/// More than there are processes that wait for one file: where names do not keep their files, the command ends.
const MOST_TRIES: u32 = 10_000;

/// A file that no other process changes while this value lives, if it asks for the lock too.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    held: Beside,
}

/// The file that is locked.
#[derive(Debug)]
struct Beside {
    path: PathBuf,
    file: File,
    /// False if it was there: it may be the user's.
    made: bool,
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
        let mut waits = Some(waits);
        let held = Self::hold(path, |file| match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                waits.take().into_iter().for_each(|waits| waits());
                file.lock().map(|()| true)
            }
            Err(TryLockError::Error(e)) => Err(e),
            Ok(()) => Ok(true),
        })?;
        held.ok_or_else(|| Failure::file("lock", path)(ErrorKind::WouldBlock.into()))
    }

    /// Locks a file, unless another process has the lock.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn attempt(path: &Path) -> Result<Option<Self>, Failure> {
        let held = Self::hold(path, |file| match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(e)) => Err(e),
            Ok(()) => Ok(true),
        })?;
        Ok(held.inspect(Self::sweep))
    }

    /// Takes the lock as `take` does, which says whether it has it.
    fn hold(path: &Path, mut take: impl FnMut(&File) -> io::Result<bool>) -> Result<Option<Self>, Failure> {
        let place = Place::of(path)?;
        for _ in 0..MOST_TRIES {
            let (file, made) = match open(&place.beside) {
                // Removed between two looks at it.
                Err(e) if e.kind() == ErrorKind::NotFound => continue,
                opened => opened.map_err(Failure::file("write", &place.beside))?,
            };
            if !take(&file).map_err(Failure::file("lock", path))? {
                return Ok(None);
            }
            // Who held it before has removed it, perhaps.
            if leads_to(&place.beside, &file) {
                return Ok(Some(Self { path: place.real, held: Beside { path: place.beside, file, made } }));
            }
        }
        let changes = io::Error::other(format!("{} is another file each time", place.beside.display()));
        Err(Failure::file("lock", path)(changes))
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
        let Beside { path, file, made } = &self.held;
        if *made && leads_to(path, file) {
            // Before it is given up. In a folder that belongs to others it may have to stay.
            let _ = fs::remove_file(path);
        }
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
}

/// Opens or makes the file of a lock, and says whether it was made. One that belongs to another user can be locked by who can read
/// it.
fn open(path: &Path) -> io::Result<(File, bool)> {
    // Opening a pipe waits for whoever reads it, and a link would make a file elsewhere.
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it stands for a lock, and is no plain file; remove it",
        ));
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(_) if fs::metadata(path).is_ok() => {}
        // Another process may have removed it since.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(ErrorKind::NotFound.into()),
        made => return made.map(|file| (file, true)),
    }
    let there = match OpenOptions::new().write(true).open(path) {
        Err(e) if e.kind() == ErrorKind::PermissionDenied => File::open(path),
        opened => opened,
    };
    there.map(|file| (file, false))
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

    /// A file that happens to have the name of a lock serves as one, and stays.
    #[test]
    fn a_file_of_the_users_is_not_removed() {
        let folder = tempfile::TempDir::new().unwrap();
        let [path, lock] = ["x", "x.lock"].map(|name| folder.path().join(name));
        for content in [&b""[..], b"the user's"] {
            fs::write(&lock, content).unwrap();
            let held = Lock::wait(&path, || ()).unwrap();
            assert!(Lock::attempt(&path).unwrap().is_none());
            drop(held);
            assert_eq!(fs::read(&lock).unwrap(), content);
        }
    }
}
