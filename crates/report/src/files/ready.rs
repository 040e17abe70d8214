//! A content beside its place, checked once more before it gets there.

use super::Output;
use super::stage::{self, Place, Staged};
use super::target::Target;
use super::unfinished::whole;
use crate::exit::Failure;

/// A content that is written beside its place.
#[derive(Debug)]
pub struct Ready<'a> {
    pub(super) output: &'a Output,
    pub(super) target: Target,
    pub(super) staged: Option<Staged>,
    pub(super) bytes: &'a [u8],
}

impl Ready<'_> {
    /// Checks the place once more, for a content that another one must not be in place without.
    ///
    /// # Errors
    /// As [`Self::place`] before it changes anything.
    pub fn check(&self) -> Result<(), Failure> {
        self.output.check(Some(self.bytes)).map(drop)
    }

    /// Puts the content in place.
    ///
    /// # Errors
    /// If something has come to this place that would be lost, or the system refuses.
    pub fn place(self) -> Result<(), Failure> {
        self.put().map_err(|(failure, _)| failure)
    }

    /// Puts a secret in place, then the content, which is worth nothing without it. If the content does not get there,
    /// nobody has seen what the secret is of, and it is taken away again; no signal that the process is told of comes in between.
    ///
    /// # Errors
    /// As [`Self::place`].
    pub fn place_after(self, secret: Ready<'_>) -> Result<(), Failure> {
        let _whole = whole();
        // Not a link that leads there.
        let path = secret.target.file().map(std::path::Path::to_owned);
        let unless_seen = |(failure, seen): (Failure, bool)| {
            if let (false, Some(path)) = (seen, &path) {
                let _ = std::fs::remove_file(path);
            }
            failure
        };
        let written = secret.put();
        written.map_err(|(failure, is_there)| unless_seen((failure, !is_there)))?;
        self.put().map_err(unless_seen)
    }

    /// [`Self::place`]; an error comes with whether the content is in place all the same.
    fn put(self) -> Result<(), (Failure, bool)> {
        let Self { output, target, staged, bytes } = self;
        let failed = Failure::file("write", &output.path);
        let Some(staged) = staged else { return target.send(bytes).map_err(|e| (failed(e), true)) };
        // Again: the work between took its time.
        let now = output.check(Some(bytes)).map_err(|failure| (failure, false))?;
        if now.file() != target.file() {
            let message = format!("{} leads to another file than it did", output.path.display());
            return Err((
                Failure::usage(message, "wait until nobody changes the links, and try again"),
                false,
            ));
        }
        let new = output.must_be_new() || !target.is_there();
        let place = if new { Place::New } else { Place::Replace };
        staged.place(place).map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => {
                let message = format!("{} is already there: it was made meanwhile", output.path.display());
                (Failure::usage(message, format!("give another name with {}", output.option())), false)
            }
            _ => {
                let is_there = stage::is_there(&e);
                (failed(e), is_there)
            }
        })
    }
}
