//! The place of a result: what is there, and how the content gets there.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::target::Target;
use super::waiting::{PATIENCE, Waiting};
use super::{Files, Identity, Kind, Lock, Policy, Ready, Staged};
use crate::exit::{Exit, Failure};
use crate::output::note;
use crate::terminal;

/// Times that the place of a commitment is looked at, at most.
const MOST_LOOKS: u32 = 100;

/// A place that may be written.
#[derive(Clone, Debug)]
pub struct Output {
    pub(super) files: Files,
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) policy: Policy,
    /// The file that is replaced together with this one.
    pub(super) with: Option<PathBuf>,
}

impl Output {
    /// The name, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind of what is written.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The option that names the place.
    #[must_use]
    pub fn option(&self) -> &str {
        self.files.option(self.kind)
    }

    /// The same place, for a content that takes it together with that of another one.
    #[must_use]
    pub fn together_with(&self, other: &Self) -> Self {
        Self { with: other.existing(), ..self.clone() }
    }

    /// Returns true for a file that is replaced together with this one.
    #[must_use]
    pub fn takes(&self, other: &Path) -> bool {
        self.with
            .as_ref()
            .and_then(|with| Identity::of(with))
            .is_some_and(|id| Identity::of(other) == Some(id))
    }

    /// Returns true if it was asked for that a file which is there be replaced.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        self.files.force
    }

    /// Writes the content and puts it in place, durably: whoever reads finds what was there before or this, whole.
    ///
    /// # Errors
    /// If it cannot be written, or something has come to this place that would be lost. What is there stays as it is.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        for _ in 0..MOST_LOOKS {
            let lock = self.lock_there()?;
            if self.write_under(lock.as_ref(), bytes)? {
                return Ok(());
            }
        }
        let message = format!("{} comes and goes", self.path.display());
        let hint = "wait until no other process writes and removes it, and try again".to_owned();
        Err(Failure { exit: Exit::Io, message, hint: Some(hint) })
    }

    /// Writes the content under what [`Self::lock_there`] gave and returns true; or false, and nothing is changed, if something
    /// has come since to the place of a commitment that was not there: what stands beside it is looked at under its lock.
    fn write_under(&self, lock: Option<&Lock>, bytes: &[u8]) -> Result<bool, Failure> {
        let ready = self.stage(bytes)?;
        if lock.is_none() && self.is_paired() && ready.target.is_there() {
            return Ok(false);
        }
        ready.place().map(|()| true)
    }

    /// Writes the content beside its place, durably; it gets there with [`Ready::place`].
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn stage<'a>(&'a self, bytes: &'a [u8]) -> Result<Ready<'a>, Failure> {
        let target = self.check(Some(bytes))?;
        let staged = match target.file() {
            Some(real) => {
                let mut staged = self.reserve(real)?;
                staged.fill(bytes).map_err(Failure::file("write", &self.path))?;
                Some(staged)
            }
            None => None,
        };
        Ok(Ready { output: self, target, staged, bytes })
    }

    /// [`Self::stage`] for a content that says which file it is in.
    ///
    /// # Errors
    /// As [`Self::write`]; if the place is a device or a pipe.
    pub fn stage_with(
        &self,
        content: impl FnOnce(&File) -> io::Result<Zeroizing<Vec<u8>>>,
    ) -> Result<Ready<'_>, Failure> {
        let target = self.check(None)?;
        let mut staged = self.reserve(target.file().ok_or_else(|| self.no_plain_file())?)?;
        staged.fill_with(content).map_err(Failure::file("write", &self.path))?;
        Ok(Ready { output: self, target, staged: Some(staged), bytes: &[] })
    }

    /// Makes an empty file beside its place, for a content that must not be on any disk before its time.
    ///
    /// # Errors
    /// As [`Self::write`]; if the place is a device or a pipe.
    pub fn reserve_new(&self) -> Result<Staged, Failure> {
        let target = self.check(None)?;
        self.reserve(target.file().ok_or_else(|| self.no_plain_file())?)
    }

    pub(super) fn no_plain_file(&self) -> Failure {
        let message =
            format!("{} is no place for {}: it is no plain file", self.path.display(), self.kind.name());
        Failure::usage(message, format!("give the name of a new file with {}", self.option()))
    }

    /// Returns true if nothing is replaced, whatever is asked for.
    pub(super) fn must_be_new(&self) -> bool {
        matches!(self.policy, Policy::Once | Policy::Secret)
    }

    fn reserve(&self, real: &Path) -> Result<Staged, Failure> {
        let private = matches!(self.policy, Policy::Secret | Policy::Private);
        Staged::new(real, private).map_err(Failure::file("write", &self.path))
    }

    /// The place by a path without links, if it is that of a plain file: one that is there, or may be.
    #[must_use]
    pub fn resolved(&self) -> Option<PathBuf> {
        Target::of(&self.path).ok()?.file().map(Path::to_owned)
    }

    /// Locks the place, if it is that of a plain file; waits for a process that has the lock, and says so through `waits`, whose
    /// value lives until the wait is over.
    ///
    /// # Errors
    /// If the lock cannot be made.
    pub fn lock<W>(&self, waits: impl FnOnce() -> W) -> Result<Option<Lock>, Failure> {
        self.resolved().map(|real| Lock::wait(&real, waits)).transpose()
    }

    /// [`Self::lock`] for a moment: the wait is spoken of on stderr only if it takes longer than two seconds.
    ///
    /// # Errors
    /// If the lock cannot be made.
    pub fn lock_briefly(&self) -> Result<Option<Lock>, Failure> {
        self.lock(|| {
            let name = terminal::path(&self.path).to_string();
            let says = move || note(format_args!("waiting for another process that uses {name}"));
            (!self.files.quiet).then(|| Waiting::said_after(PATIENCE, says))
        })
    }

    /// Returns true for what a witness may stand beside.
    fn is_paired(&self) -> bool {
        matches!(self.kind, Kind::Commitment | Kind::HidingCommitment)
    }

    /// Locks the place of a commitment that is there, which a witness may be written beside at the same time.
    fn lock_there(&self) -> Result<Option<Lock>, Failure> {
        if self.is_paired() && self.resolved().is_some_and(|real| real.exists()) {
            self.lock_briefly()
        } else {
            Ok(None)
        }
    }

    /// The plain file with a content that is in this place now, by a path without links: what the result would replace.
    #[must_use]
    pub fn existing(&self) -> Option<PathBuf> {
        self.resolved().filter(|real| std::fs::metadata(real).is_ok_and(|found| found.len() > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A commitment that comes between the look for it and the writing is replaced under its lock, once that is asked for.
    #[test]
    fn a_commitment_that_came_meanwhile_is_looked_at_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("c");
        let names = || fs::read_dir(&folder).unwrap().count();
        let output = Files::default().result(Kind::Commitment, &path).unwrap();
        let lock = output.lock_there().unwrap();
        assert!(lock.is_none());
        fs::write(&path, b"").unwrap();
        assert!(!output.write_under(lock.as_ref(), b"new").unwrap());
        assert_eq!((fs::read(&path).unwrap(), names()), (b"".to_vec(), 1), "nothing is changed");
        let lock = output.lock_there().unwrap();
        assert!(output.write_under(lock.as_ref(), b"new").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(lock);
        // Other results have no witness: one look is enough.
        fs::write(&path, b"").unwrap();
        let output = Files::default().result(Kind::Params, &path).unwrap();
        assert!(output.write_under(None, b"new").unwrap());
    }
}
