//! A file that one process at a time reads, changes and writes back.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use zeroize::Zeroizing;

use super::{Lock, Place, Staged};
use crate::exit::{Exit, Failure};

/// A file of its owner's alone that no other process can hold while this value lives.
#[derive(Debug)]
pub struct Held {
    /// Of the file itself: it is replaced, not a link to it.
    lock: Lock,
}

impl Held {
    /// Takes hold of a file.
    ///
    /// # Errors
    /// If it is not there, has a second name, or another process holds it; then `why` says why that matters.
    pub fn of(path: &Path, why: &str) -> Result<Self, Failure> {
        let real = fs::canonicalize(path).map_err(Failure::file("read", path))?;
        let Some(lock) = Lock::attempt(&real)? else {
            let message = format!("another process is using {}", path.display());
            return Err(Failure { exit: Exit::Io, message, hint: Some(why.to_owned()) });
        };
        refuse_second_names(&real).map_err(Failure::file("use", path))?;
        Ok(Self { lock })
    }

    /// The file, by a path without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.lock.path()
    }

    /// Reads the file, `most` of its bytes, and returns it as it is open.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, most: usize) -> Result<(Zeroizing<Vec<u8>>, File), Failure> {
        read_private(self.path(), most)
    }

    /// Puts another content in place of the file, durably: whoever reads finds the old or the new one, whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn replace(
        &self,
        content: impl FnOnce(&File) -> io::Result<Zeroizing<Vec<u8>>>,
    ) -> Result<(), Failure> {
        let write = || {
            let mut staged = Staged::new(self.path(), true)?;
            staged.fill_with(content)?;
            staged.place(Place::Replace)
        };
        write().map_err(Failure::file("update", self.path()))
    }
}

/// Reads a file of its owner's alone, `most` of its bytes, and returns it as it is open.
///
/// # Errors
/// If it cannot be read.
pub fn read_private(path: &Path, most: usize) -> Result<(Zeroizing<Vec<u8>>, File), Failure> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(most));
    let mut read = || {
        let file = File::open(path)?;
        (&file).take(most as u64).read_to_end(&mut bytes).map(|_| file)
    };
    let file = read().map_err(Failure::file("read", path))?;
    Ok((bytes, file))
}

/// Replacing a file leaves its other names with the old content, here an old count.
fn refuse_second_names(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is no plain file"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&metadata) != 1 {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it has a second name (a hard link); remove one",
        ));
    }
    Ok(())
}
