//! What may be replaced: nothing that the user would lose.

use std::path::{Path, PathBuf};

use super::lock::is_named_lock;
use super::target::Target;
use super::{Identity, Kind, Output, Policy, identity};
use crate::exit::Failure;

impl Output {
    /// Finds where the content goes, if nothing is lost there. The content is known when it is written.
    pub(super) fn check(&self, bytes: Option<&[u8]>) -> Result<Target, Failure> {
        let target = Target::of(&self.path)?;
        let Some(real) = target.file() else {
            self.check_stream(&target)?;
            return if self.must_be_new() || self.policy == Policy::Private {
                Err(self.no_plain_file())
            } else {
                Ok(target)
            };
        };
        let name = self.path.display();
        if is_named_lock(real) {
            let message = format!("{name} has the name of a lock, which other processes wait for");
            let rename = if self.policy == Policy::Update { "rename it, or " } else { "" };
            let hint = format!("{rename}give a name that does not end in .lock with {}", self.option());
            return Err(Failure::usage(message, hint));
        }
        let Some(existing) = Identity::of(real) else { return Ok(target) };
        if self.policy != Policy::Update
            && let Some((input, _)) =
                self.files.inputs.iter().find(|(path, input)| is_still(path, input, &existing))
        {
            let which = if *input == self.path { String::new() } else { format!(" ({})", input.display()) };
            let message = format!("{name} is an input of this command{which}: its content would be lost");
            return Err(Failure::usage(message, format!("give another name with {}", self.option())));
        }
        if let Some(folder) = self.folder_of_inputs(real) {
            let message = format!("{name} is in {}, which is an input of this command", folder.display());
            return Err(Failure::usage(message, format!("give another name with {}", self.option())));
        }
        if Identity::of_stdout_or_stderr().contains(&existing) {
            let message = format!("{name} is where the messages of this command go");
            return Err(Failure::usage(message, "write the result or the messages to another file"));
        }
        self.replaceable(real, bytes)?;
        Ok(target)
    }

    /// The folder of inputs that a file which is there stands in, by its own name or by a link.
    fn folder_of_inputs(&self, real: &Path) -> Option<&Path> {
        let is_in = |folder: &&PathBuf| {
            let leads = |entry: std::fs::DirEntry| {
                entry.file_type().is_ok_and(|kind| kind.is_symlink())
                    && std::fs::canonicalize(entry.path()).is_ok_and(|path| path == *real)
            };
            std::fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))
                || std::fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(leads))
        };
        self.files.folders.iter().find(is_in).map(PathBuf::as_path)
    }

    /// Refuses a stream that leads into an input, which it would be written into (`>> data.csv`, `1<> data.csv`).
    fn check_stream(&self, target: &Target) -> Result<(), Failure> {
        let streams = if target.is_stream() { Identity::of_stdout_or_stderr() } else { Vec::new() };
        match self.files.inputs.iter().find(|(_, input)| streams.contains(input)) {
            None => Ok(()),
            Some((input, _)) => {
                let message = format!("{} is written into {}", self.path.display(), input.display());
                Err(Failure::usage(message, "that is an input of this command: write to another file"))
            }
        }
    }

    /// Refuses to replace what is there, if it would be lost.
    fn replaceable(&self, real: &Path, bytes: Option<&[u8]>) -> Result<(), Failure> {
        let (name, option) = (self.path.display(), self.option());
        let elsewhere = |message: String| Failure::usage(message, format!("give another name with {option}"));
        let found = Kind::found(real).map_err(Failure::file("read", &self.path))?;
        if self.must_be_new() {
            let hint = format!("{}give another name with {option}", self.kind.loses().unwrap_or_default());
            return Err(Failure::usage(format!("{name} is already there"), hint));
        }
        if let Some(secret) = found.filter(|kind| kind.is_secret()) {
            return Err(elsewhere(format!("{name} is {}: it is never replaced", secret.name())));
        }
        let metadata = std::fs::metadata(real).map_err(Failure::file("read", &self.path))?;
        if metadata.permissions().readonly() {
            return Err(elsewhere(format!("{name} is write-protected")));
        }
        if metadata.len() == 0 || self.files.force && self.policy != Policy::Update {
            return Ok(());
        }
        let ours = found.is_some_and(|found| self.kind.replaces(found));
        if self.policy == Policy::Fresh {
            let what = if ours { format!("{name} is already there") } else { other(&self.path, found) };
            return Err(Failure::usage(
                what,
                format!("give another name with {option}, or replace it with --force"),
            ));
        }
        if !ours {
            let hint = format!("give another name with {option}, or replace it with --force");
            return Err(Failure::usage(other(&self.path, found), hint));
        }
        if self.policy == Policy::Update && identity::has_second_name(&metadata) {
            let message =
                format!("{name} has a second name (a hard link), which would keep what is there now");
            return Err(Failure::usage(message, "remove one of the two names"));
        }
        self.files.guard.map_or(Ok(()), |guard| guard(self, real, bytes))
    }
}

/// Returns true if an existing file is an input: by its name now, or by its identity when the command began. An identity
/// alone is not enough where the name leads to another file by now (a ring that another process replaced): the system gives
/// the number of a file that is gone to the next one.
fn is_still(path: &Path, began_as: &Identity, existing: &Identity) -> bool {
    match Identity::of(path) {
        Some(now) => now == *existing,
        None => began_as == existing,
    }
}

/// Says that another file is there.
fn other(path: &Path, found: Option<Kind>) -> String {
    let what = found.map_or("a file that tenfold did not write", Kind::name);
    format!("{} is already there, and is {what}", path.display())
}
