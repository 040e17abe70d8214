//! Files that a command writes: every one goes through here, and nothing of the user's is lost. And files of ours that it reads,
//! within its memory.
//!
//! ```text
//! arguments ─► Files (the inputs) ─ result / fresh / secret / update ─► Output ─ write ─► Staged ─► in place
//!                                    checked before the work             checked again   synced    whole, or as it was
//! ```
//! An output is refused if it is an input of the same command, in a folder that is one, another output of it, a secret, or a file
//! of another kind than what is written (unless `--force` is given). A link is followed: the file that it leads to is replaced, in its own folder.
//! Devices, pipes and standard output (`-`) are written to as they are; a descriptor of a plain file is that file.

mod check;
mod folder;
mod held;
mod identity;
mod kind;
mod lock;
mod output;
mod read;
mod ready;
mod stage;
mod target;
mod unfinished;
mod waiting;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{ArgMatches, ValueHint};

pub use folder::in_folder;
pub use held::{Held, read_private};
pub use identity::Identity;
pub use kind::{Kind, TOUR_WEIGHTS};
pub use lock::Lock;
pub use output::Output;
pub use read::Input;
pub use ready::Ready;
pub use stage::{Place, Staged};
#[cfg(unix)]
pub(crate) use unfinished::finish;
pub use unfinished::{Whole, whole};

use crate::exit::Failure;
use target::Target;

/// The files of one run of the command: what it reads, and what it is going to write.
#[derive(Clone, Debug, Default)]
pub struct Files {
    inputs: Arc<[(PathBuf, Identity)]>,
    /// Folders that are inputs.
    folders: Vec<PathBuf>,
    /// The options that name outputs: their ids, and how they are written.
    options: Vec<(String, String)>,
    guard: Option<Guard>,
    force: bool,
    quiet: bool,
    outputs: Arc<Mutex<Vec<(PathBuf, Kind)>>>,
    /// True if an output of the command is standard output.
    to_stdout: bool,
}

/// The place of what goes to standard output.
const STDOUT: &str = "-";

/// Refuses to replace a file by this content, which is not known before the work. It is called for what there is no other reason
/// to refuse.
pub type Guard = fn(&Output, &Path, Option<&[u8]>) -> Result<(), Failure>;

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
            if id == "quiet" {
                self.quiet |= matches.get_flag(id);
            }
            if !is_path(argument) {
                continue;
            }
            let values = matches.try_get_raw(id).ok().flatten();
            let mut paths = values.into_iter().flatten().map(PathBuf::from);
            if is_output(argument) {
                self.options.push((id.to_owned(), spelled(argument)));
                self.to_stdout |= paths.any(|path| Target::is_stdout(&path));
                continue;
            }
            for path in paths {
                if path.is_dir() {
                    self.folders.push(path);
                } else {
                    inputs.extend(Identity::of(&path).map(|id| (path, id)));
                }
            }
        }
        if let Some((name, matches)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            self.walk(command, matches, inputs);
        }
    }

    /// With one more reason to leave a file where it is.
    #[must_use]
    pub fn guarded(self, guard: Guard) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// The option that names such an output.
    fn option(&self, kind: Kind) -> &str {
        let of = |id: &str| self.options.iter().find(|(option, _)| option == id);
        kind.options()
            .iter()
            .chain(&["output", "directory"])
            .find_map(|id| of(id))
            .map_or("-o", |(_, name)| name)
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
        let output = Output { files: self.clone(), path: path.to_owned(), kind, policy, with: None };
        let target = output.check(None)?;
        if Target::is_stdout(path) {
            // Two files one after the other are none that is read.
            self.claim_place(kind, path, Target::is_stdout, Path::new(STDOUT))?;
        } else {
            self.claim(kind, path, &target)?;
        }
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
        let is_there = |other: &Path| !Target::is_stdout(other) && identity::same_name(other, real);
        self.claim_place(kind, path, is_there, real)
    }

    /// Keeps a place for an output of this kind, unless there is one of another kind that has it.
    fn claim_place(
        &self,
        kind: Kind,
        path: &Path,
        is_there: impl Fn(&Path) -> bool,
        place: &Path,
    ) -> Result<(), Failure> {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        match outputs.iter().find(|(other, _)| is_there(other)) {
            Some((_, other)) if *other != kind => {
                let [one, two] = [other.name(), kind.name()];
                let message = format!("{} cannot be {one} and {two} at once", path.display());
                Err(Failure::usage(
                    message,
                    format!("give two names, with {} and {}", self.option(*other), self.option(kind)),
                ))
            }
            Some(_) => Ok(()),
            None => {
                outputs.push((place.to_owned(), kind));
                Ok(())
            }
        }
    }
}

/// How an option is written.
fn spelled(argument: &clap::Arg) -> String {
    match (argument.get_short(), argument.get_long()) {
        (Some(short), _) => format!("-{short}"),
        (None, Some(long)) => format!("--{long}"),
        (None, None) => {
            argument.get_value_names().into_iter().flatten().map(|name| format!("<{name}>")).collect()
        }
    }
}
