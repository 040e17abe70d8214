//! The file in the place of an output before it is written, and its lock.

use std::path::{Path, PathBuf};

use super::target::Target;
use super::{Lock, Output};
use crate::exit::Failure;

impl Output {
    /// The place by a path without links, if it is that of a plain file: one that is there, or may be.
    #[must_use]
    pub fn resolved(&self) -> Option<PathBuf> {
        Target::of(&self.path).ok()?.file().map(Path::to_owned)
    }

    /// Locks the place, if it is that of a plain file; waits for a process that has the lock, and says so through `waits`.
    ///
    /// # Errors
    /// If the lock cannot be made.
    pub fn lock(&self, waits: impl FnOnce()) -> Result<Option<Lock>, Failure> {
        self.resolved().map(|real| Lock::wait(&real, waits)).transpose()
    }

    /// The plain file with a content that is in this place now, by a path without links: what the result would replace.
    #[must_use]
    pub fn existing(&self) -> Option<PathBuf> {
        self.resolved().filter(|real| std::fs::metadata(real).is_ok_and(|found| found.len() > 0))
    }
}
