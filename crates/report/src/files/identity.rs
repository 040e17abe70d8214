//! The identity of the file that a name leads to, through links and second names.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// A plain file, whatever it is called. On Unix device and inode; elsewhere the path without links in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);
#[cfg(not(unix))]
type Inner = PathBuf;

impl Identity {
    /// The plain file that a path leads to, if it does.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(Self::spelled(path)).ok()?;
        Self::of_metadata(&metadata, path)
    }

    /// `-` is standard input where a path is read; on Unix it has a name.
    fn spelled(path: &Path) -> &Path {
        if cfg!(unix) && path == Path::new("-") { Path::new("/dev/stdin") } else { path }
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &Metadata, _: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Self((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    fn of_metadata(metadata: &Metadata, path: &Path) -> Option<Self> {
        let path = fs::canonicalize(path).ok().filter(|_| metadata.is_file())?;
        Some(Self(if FOLDS_CASE { lower(&path) } else { path }))
    }

    /// The plain file that standard input is read from.
    #[must_use]
    pub fn of_stdin() -> Option<Self> {
        #[cfg(unix)]
        return Self::of_stream(&std::io::stdin());
        #[cfg(not(unix))]
        None
    }

    /// The plain files that standard output and standard error are written to.
    #[must_use]
    pub fn of_stdout_or_stderr() -> Vec<Self> {
        #[cfg(unix)]
        return Self::of_stream(&std::io::stdout())
            .into_iter()
            .chain(Self::of_stream(&std::io::stderr()))
            .collect();
        #[cfg(not(unix))]
        Vec::new()
    }

    #[cfg(unix)]
    fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<Self> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Self::of_metadata(&file.metadata().ok()?, Path::new(""))
    }
}

/// Returns true if a name leads to this open file, and not to another one that has taken its place.
#[cfg(unix)]
pub(super) fn leads_to(path: &Path, file: &fs::File) -> bool {
    let identity = |metadata: Metadata| Identity::of_metadata(&metadata, path);
    let there = fs::symlink_metadata(path).ok().and_then(identity);
    there.is_some() && there == file.metadata().ok().and_then(identity)
}

/// Returns true if a name is still that of a file, and no link to it.
pub(super) fn is_named(path: &Path, id: &Identity) -> bool {
    let there = fs::symlink_metadata(path).ok().and_then(|there| Identity::of_metadata(&there, path));
    there.as_ref() == Some(id)
}

#[cfg(not(unix))]
pub(super) fn leads_to(path: &Path, _: &fs::File) -> bool {
    path.is_file()
}

/// True where names that differ in case lead to one file on most machines of this system.
const FOLDS_CASE: bool = cfg!(any(windows, target_os = "macos"));

pub(super) fn lower(path: &Path) -> PathBuf {
    path.to_string_lossy().to_lowercase().into()
}

/// Returns true if two resolved paths are one place, though nothing may be there yet.
pub(super) fn same_name(a: &Path, b: &Path) -> bool {
    a == b
        || (FOLDS_CASE && lower(a) == lower(b))
        || Identity::of(a).is_some_and(|one| Identity::of(b).is_some_and(|two| one == two))
}

/// Returns true if a file has more names than one: whoever replaces it under one leaves the others as they were.
#[cfg(unix)]
pub(super) fn has_second_name(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
pub(super) fn has_second_name(_: &Metadata) -> bool {
    false
}
