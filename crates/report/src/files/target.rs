//! The target of an output's name: a plain file, there or not yet; a stream of this process; a device or a pipe.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// The target of an output.
#[derive(Debug)]
pub(super) enum Target {
    /// A plain file, by a path without links, and whether it is there.
    File(PathBuf, bool),
    /// Standard output or standard error, by a name or by `-`.
    Stream(Stream),
    /// A device, a pipe, or whatever else takes bytes and is no plain file.
    Special(PathBuf),
}

#[derive(Debug)]
pub(super) enum Stream {
    Out,
    Err,
}

impl Target {
    /// Follows a name.
    ///
    /// # Errors
    /// If it is a folder's, a link to nothing, or its folder is not there.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        if let Some(special) = Self::of_stream(path) {
            return Ok(special);
        }
        let folder = || {
            let message = format!("cannot write {}: it is the name of a folder", path.display());
            Failure::usage(message, "give the name of a file")
        };
        let failed = Failure::file("write", path);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(folder()),
            Ok(metadata) if metadata.is_file() => {
                Ok(Self::File(fs::canonicalize(path).map_err(failed)?, true))
            }
            Ok(_) => Ok(Self::Special(path.to_owned())),
            Err(e) if e.kind() != ErrorKind::NotFound => Err(failed(e)),
            Err(_) if fs::symlink_metadata(path).is_ok() => {
                let message = format!("{} is a link to a file that is not there", path.display());
                Err(Failure::usage(message, "give the name that it leads to, or remove the link"))
            }
            Err(_) => {
                let ends_in_separator = path.as_os_str().as_encoded_bytes().ends_with(b"/");
                let Some(name) = path.file_name().filter(|_| !ends_in_separator) else {
                    return Err(folder());
                };
                let parent = fs::canonicalize(folder_of(path)).map_err(failed)?;
                Ok(Self::File(parent.join(name), false))
            }
        }
    }

    /// Names of standard output and standard error: even if a plain file is behind one, it is not replaced. What is behind
    /// another descriptor goes by its own name.
    fn of_stream(path: &Path) -> Option<Self> {
        if path == Path::new("-") {
            return Some(Self::Stream(Stream::Out));
        }
        let under = |folder: &str| path.starts_with(folder);
        let named = ["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name));
        if !cfg!(unix) || !(named || under("/dev/fd") || under("/proc/self/fd")) {
            return None;
        }
        match path.file_name()?.to_str()? {
            "stdout" | "1" => Some(Self::Stream(Stream::Out)),
            "stderr" | "2" => Some(Self::Stream(Stream::Err)),
            _ => None,
        }
    }

    /// Returns true for a name of standard output.
    pub fn is_stdout(path: &Path) -> bool {
        matches!(Self::of_stream(path), Some(Self::Stream(Stream::Out)))
    }

    /// The plain file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path, _) => Some(path),
            Self::Stream(_) | Self::Special(_) => None,
        }
    }

    /// Returns true for a stream of this process.
    pub fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Returns true if there was a plain file.
    pub fn is_there(&self) -> bool {
        matches!(self, Self::File(_, true))
    }

    /// Writes to what is no plain file.
    pub fn send(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(Stream::Out) => all(&mut io::stdout().lock(), bytes),
            Self::Stream(Stream::Err) => all(&mut io::stderr().lock(), bytes),
            Self::Special(path) | Self::File(path, _) => {
                all(&mut OpenOptions::new().write(true).open(path)?, bytes)
            }
        }
    }
}

fn all(to: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}

/// The folder of a name.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
