//! The target of an output's name: a plain file, there or not yet; a stream of this process; a device or a pipe.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Times that a name is looked at, at most, whose target changes.
const MOST_LOOKS: u32 = 100;

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
        for _ in 0..MOST_LOOKS {
            if let Some(target) = Self::look(path, fs::metadata(path))? {
                return Ok(target);
            }
        }
        let message = format!("{} is something else each time that it is looked at", path.display());
        Err(Failure { hint: Some("wait until no other process changes it".into()), ..Failure::io(message) })
    }

    /// The target of a name by what it led to; `None` if it leads to something else by now.
    fn look(path: &Path, led_to: io::Result<Metadata>) -> Result<Option<Self>, Failure> {
        let folder = || {
            let message = format!("cannot write {}: it is the name of a folder", path.display());
            Failure::usage(message, "give the name of a file")
        };
        let failed = Failure::file("write", path);
        match led_to {
            Ok(metadata) if metadata.is_dir() => return Err(folder()),
            Ok(metadata) if metadata.is_file() => {
                return match fs::canonicalize(path) {
                    Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
                    real => real.map(|real| Some(Self::File(real, true))).map_err(failed),
                };
            }
            Ok(_) => return Ok(Some(Self::Special(path.to_owned()))),
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(failed(e)),
            Err(_) => {}
        }
        if let Ok(there) = fs::symlink_metadata(path) {
            let is_dangling = there.is_symlink() && fs::metadata(path).is_err();
            if !is_dangling {
                return Ok(None);
            }
            let message = format!("{} is a link to a file that is not there", path.display());
            return Err(Failure::usage(message, "give the name that it leads to, or remove the link"));
        }
        let ends_in_separator = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let name = path.file_name().filter(|_| !ends_in_separator).ok_or_else(folder)?;
        let parent = fs::canonicalize(folder_of(path)).map_err(failed)?;
        Ok(Some(Self::File(parent.join(name), false)))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes between two looks is no link to nothing.
    #[cfg(unix)]
    #[test]
    fn what_has_just_come_is_looked_at_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let [file, link, dangling] = ["file", "link", "dangling"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("file", &link).unwrap();
        std::os::unix::fs::symlink("nothing", &dangling).unwrap();
        let before = [&file, &link, &dangling].map(|path| (path, fs::metadata(path)));
        fs::write(&file, b"").unwrap();
        for (path, led_to) in before {
            let seen = Target::look(path, led_to);
            assert_eq!(seen.is_err(), *path == dangling, "{path:?}: {seen:?}");
            assert!(seen.is_err() || seen.is_ok_and(|target| target.is_none()), "{path:?}");
            assert_eq!(Target::of(path).is_ok_and(|target| target.is_there()), *path != dangling);
        }
        let led_to = fs::metadata(&file);
        fs::remove_file(&file).unwrap();
        assert!(Target::look(&file, led_to).unwrap().is_none(), "it has gone");
        assert!(!Target::of(&file).unwrap().is_there());
    }
}
