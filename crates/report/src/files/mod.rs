//! Files that a command writes: every one goes through here, and nothing of the user's is lost. And files of ours that it reads,
//! within its memory.
//!
//! ```text
//! arguments ─► Files (the inputs) ─ result / fresh / secret / update ─► Output ─ write ─► Staged ─► in place
//!                                    checked before the work             checked again   synced    whole, or as it was
//! ```
//! An output is refused if it is an input of the same command, another output of it, a secret, or a file of another kind than
//! what is written (unless `--force` is given). A link is followed: the file that it leads to is replaced, in its own folder.
//! Devices, pipes and standard output (`-`) are written to as they are; a descriptor of a plain file is that file.

mod existing;
mod folder;
mod held;
mod identity;
mod kind;
mod lock;
mod read;
mod ready;
mod stage;
mod target;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{ArgMatches, ValueHint};
use zeroize::Zeroizing;

pub use folder::in_folder;
pub use held::{Held, read_private};
pub use identity::Identity;
pub use kind::{Kind, TOUR_WEIGHTS};
pub use lock::Lock;
pub use read::Input;
pub use ready::Ready;
pub use stage::{Place, Staged};

use crate::exit::Failure;
use target::Target;

/// The files of one run of the command: what it reads, and what it is going to write.
#[derive(Clone, Debug, Default)]
pub struct Files {
    inputs: Arc<[(PathBuf, Identity)]>,
    force: bool,
    outputs: Arc<Mutex<Vec<(PathBuf, Kind)>>>,
    /// True if an output of the command is standard output.
    to_stdout: bool,
}

/// Returns true for an argument that names a file or a folder which the command writes: its id ends in `output` or
/// `directory`. Every other path of a command line is an input.
#[must_use]
pub fn is_output(argument: &clap::Arg) -> bool {
    is_path(argument) && ["output", "directory"].iter().any(|end| argument.get_id().as_str().ends_with(end))
}

/// Returns true for an argument that names a file or a folder.
#[must_use]
pub fn is_path(argument: &clap::Arg) -> bool {
    matches!(argument.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath)
}

/// The files that may be at the place of an output before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    /// A file of the same kind.
    SameKind,
    /// Nothing, unless `--force` is given.
    Fresh,
    /// Nothing, whatever is given.
    Once,
    /// Nothing, whatever is given; the file is its owner's alone.
    Secret,
    /// A file of the same kind; the file is its owner's alone.
    Private,
    /// The file itself, which the command has read under a lock.
    Update,
}

impl Files {
    /// The files that the arguments name, and standard input if it is read from a file.
    #[must_use]
    pub fn of(command: &clap::Command, matches: &ArgMatches) -> Self {
        let mut files = Self::default();
        let mut inputs: Vec<_> =
            Identity::of_stdin().map(|id| ("standard input".into(), id)).into_iter().collect();
        files.walk(command, matches, &mut inputs);
        Self { inputs: inputs.into(), ..files }
    }

    fn walk(&mut self, command: &clap::Command, matches: &ArgMatches, inputs: &mut Vec<(PathBuf, Identity)>) {
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            if id == "force" {
                self.force |= matches.get_flag(id);
            }
            if !is_path(argument) {
                continue;
            }
            let values = matches.try_get_raw(id).ok().flatten();
            let mut paths = values.into_iter().flatten().map(PathBuf::from);
            if is_output(argument) {
                self.to_stdout |= paths.any(|path| Target::is_stdout(&path));
            } else {
                inputs.extend(paths.filter_map(|path| Identity::of(&path).map(|id| (path, id))));
            }
        }
        if let Some((name, matches)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            self.walk(command, matches, inputs);
        }
    }

    /// Returns true if an output of the command is standard output, where nothing else should come then.
    #[must_use]
    pub fn take_stdout(&self) -> bool {
        self.to_stdout
    }

    /// A result: it may replace a file of its own kind.
    ///
    /// # Errors
    /// If the name cannot be written, or something would be lost.
    pub fn result(&self, kind: Kind, path: &Path) -> Result<Output, Failure> {
        self.output(kind, path, Policy::SameKind)
    }

    /// A result that others lean on: it replaces nothing unasked.
    ///
    /// # Errors
    /// As [`Self::result`], and if there is a file of that name and no `--force`.
    pub fn fresh(&self, kind: Kind, path: &Path) -> Result<Output, Failure> {
        self.output(kind, path, Policy::Fresh)
    }

    /// A result that must be new: it replaces nothing, whatever is asked for.
    ///
    /// # Errors
    /// As [`Self::result`], and if there is a file of that name.
    pub fn once(&self, kind: Kind, path: &Path) -> Result<Output, Failure> {
        self.output(kind, path, Policy::Once)
    }

    /// A file that its owner alone can read: it replaces nothing, whatever is asked for.
    ///
    /// # Errors
    /// As [`Self::result`], and if there is a file of that name.
    pub fn secret(&self, kind: Kind, path: &Path) -> Result<Output, Failure> {
        self.output(kind, path, Policy::Secret)
    }

    /// A result that its owner alone can read: it may replace a file of its own kind.
    ///
    /// # Errors
    /// As [`Self::result`].
    pub fn private(&self, kind: Kind, path: &Path) -> Result<Output, Failure> {
        self.output(kind, path, Policy::Private)
    }

    /// A file that is read, changed and written back, while its lock is held: it replaces what was read.
    ///
    /// # Errors
    /// As [`Self::result`], and if the file has a second name, which would keep the old content.
    pub fn update(&self, kind: Kind, path: &Path, _held: &Lock) -> Result<Output, Failure> {
        self.output(kind, path, Policy::Update)
    }

    fn output(&self, kind: Kind, path: &Path, policy: Policy) -> Result<Output, Failure> {
        let output = Output { files: self.clone(), path: path.to_owned(), kind, policy };
        let target = output.check()?;
        self.claim(kind, path, &target)?;
        Ok(output)
    }

    /// Keeps the other outputs of this run away from a file that it reads or makes, as the case may be.
    ///
    /// # Errors
    /// If it is one of them.
    pub fn reserve(&self, kind: Kind, path: &Path) -> Result<(), Failure> {
        self.claim(kind, path, &Target::of(path)?)
    }

    fn claim(&self, kind: Kind, path: &Path, target: &Target) -> Result<(), Failure> {
        let Some(real) = target.file() else { return Ok(()) };
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        match outputs.iter().find(|(path, _)| identity::same_name(path, real)) {
            Some((_, other)) if *other != kind => {
                let [one, two] = [other.name(), kind.name()];
                let message = format!("{} cannot be {one} and {two} at once", path.display());
                Err(Failure::usage(
                    message,
                    format!("give two names, with {} and {}", other.option(), kind.option()),
                ))
            }
            Some(_) => Ok(()),
            None => {
                outputs.push((real.to_owned(), kind));
                Ok(())
            }
        }
    }
}

/// A place that may be written.
#[derive(Clone, Debug)]
pub struct Output {
    files: Files,
    path: PathBuf,
    kind: Kind,
    policy: Policy,
}

impl Output {
    /// The name, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
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
        self.stage(bytes)?.place()
    }

    /// Writes the content beside its place, durably; it gets there with [`Ready::place`].
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn stage<'a>(&'a self, bytes: &'a [u8]) -> Result<Ready<'a>, Failure> {
        let target = self.check()?;
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
        let target = self.check()?;
        let mut staged = self.reserve(target.file().ok_or_else(|| self.no_plain_file())?)?;
        staged.fill_with(content).map_err(Failure::file("write", &self.path))?;
        Ok(Ready { output: self, target, staged: Some(staged), bytes: &[] })
    }

    /// Makes an empty file beside its place, for a content that must not be on any disk before its time.
    ///
    /// # Errors
    /// As [`Self::write`]; if the place is a device or a pipe.
    pub fn reserve_new(&self) -> Result<Staged, Failure> {
        let target = self.check()?;
        self.reserve(target.file().ok_or_else(|| self.no_plain_file())?)
    }

    fn no_plain_file(&self) -> Failure {
        let message =
            format!("{} is no place for {}: it is no plain file", self.path.display(), self.kind.name());
        Failure::usage(message, format!("give the name of a new file with {}", self.kind.option()))
    }

    /// Returns true if nothing is replaced, whatever is asked for.
    fn must_be_new(&self) -> bool {
        matches!(self.policy, Policy::Once | Policy::Secret)
    }

    fn reserve(&self, real: &Path) -> Result<Staged, Failure> {
        let private = matches!(self.policy, Policy::Secret | Policy::Private);
        Staged::new(real, private).map_err(Failure::file("write", &self.path))
    }

    /// Finds where the content goes, if nothing is lost there.
    fn check(&self) -> Result<Target, Failure> {
        let target = Target::of(&self.path)?;
        let Some(real) = target.file() else {
            self.check_stream(&target)?;
            return if self.must_be_new() || self.policy == Policy::Private {
                Err(self.no_plain_file())
            } else {
                Ok(target)
            };
        };
        let Some(existing) = Identity::of(real) else { return Ok(target) };
        let name = self.path.display();
        if self.policy != Policy::Update
            && let Some((input, _)) =
                self.files.inputs.iter().find(|(path, input)| is_still(path, input, &existing))
        {
            let which = if *input == self.path { String::new() } else { format!(" ({})", input.display()) };
            let message = format!("{name} is an input of this command{which}: its content would be lost");
            return Err(Failure::usage(message, format!("give another name with {}", self.kind.option())));
        }
        if Identity::of_stdout_or_stderr().contains(&existing) {
            let message = format!("{name} is where the messages of this command go");
            return Err(Failure::usage(message, "write the result or the messages to another file"));
        }
        self.replaceable(real)?;
        Ok(target)
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
    fn replaceable(&self, real: &Path) -> Result<(), Failure> {
        let (name, option) = (self.path.display(), self.kind.option());
        let elsewhere = |message: String| Failure::usage(message, format!("give another name with {option}"));
        let found = Kind::found(real).map_err(Failure::file("read", &self.path))?;
        if self.must_be_new() || found == Some(Kind::Lock) {
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
        Ok(())
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
