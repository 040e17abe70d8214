//! The directory of a ledger: its lock and its two files.

use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;

use super::{File, StoreError};

/// The names of the files.
const LOCK: &str = "lock";
const LOG: &str = "log";
const INDEX: &str = "index";

/// The first bytes of a redb database. A file that has zeros there is one whose header a crash has kept from the disk.
const REDB: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

/// Refuses what is there and no plain file: opening a pipe waits for whoever is at its other end.
pub(crate) fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            Err(io::Error::new(ErrorKind::InvalidInput, "it is no plain file; remove it"))
        }
        _ => Ok(()),
    }
}

/// Opens or makes the file of a lock, at this place and no other: a link is refused, which would make a file elsewhere.
fn open_lock(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true);
    match options.clone().create_new(true).open(path) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
        made => return made,
    }
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is a link; remove it"));
    }
    refuse_special(path)?;
    options.open(path)
}

/// A directory that no other process uses while this value lives.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    // The system gives the lock up when the process ends, however it ends.
    _lock: fs::File,
}

impl Directory {
    /// Takes a directory, which is made if it is not there.
    ///
    /// # Errors
    /// If another process has it, or it cannot be written.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let name = path.display();
        fs::create_dir_all(path).map_err(StoreError::io(format!("make the directory {name}")))?;
        let file = path.join(LOCK);
        let lock = open_lock(&file).map_err(StoreError::io(format!("write {}", file.display())))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked(name.to_string())),
            Err(TryLockError::Error(e)) => Err(StoreError::io(format!("lock {}", file.display()))(e)),
        }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the log.
    ///
    /// # Errors
    /// If it cannot be read and written.
    pub fn log(&self) -> Result<File, StoreError> {
        self.open(LOG)
    }

    /// Opens the index.
    ///
    /// # Errors
    /// If it cannot be read and written.
    pub fn index(&self) -> Result<File, StoreError> {
        self.open(INDEX)
    }

    /// Removes an index that is damaged, which the log rebuilds.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] if the file never was an index; if it cannot be removed.
    pub fn remove_index(&self) -> Result<(), StoreError> {
        let path = self.path.join(INDEX);
        let mut first = Vec::new();
        let read =
            fs::File::open(&path).and_then(|file| file.take(REDB.len() as u64).read_to_end(&mut first));
        read.map_err(StoreError::io(format!("read {}", path.display())))?;
        if first != REDB && first.iter().any(|byte| *byte != 0) {
            return Err(StoreError::Foreign(path.display().to_string()));
        }
        fs::remove_file(&path).map_err(StoreError::io(format!("remove {}", path.display())))
    }

    /// Opens or makes a file, whose name is on the disk when this returns.
    fn open(&self, name: &str) -> Result<File, StoreError> {
        let path = self.path.join(name);
        let action = || format!("open {}", path.display());
        let mut options = OpenOptions::new();
        let new = !path.exists();
        options.create(true).truncate(false).read(true).write(true);
        let file = refuse_special(&path).and_then(|()| options.open(&path));
        let file = file.map_err(StoreError::io(action()))?;
        // Elsewhere a folder is no file that can be opened.
        if new && cfg!(unix) {
            let synced = fs::File::open(&self.path).and_then(|directory| directory.sync_all());
            synced.map_err(StoreError::io(action()))?;
        }
        FileBackend::new(file)
            .map(|file| Box::new(file) as File)
            .map_err(|e| StoreError::Index(e.to_string()))
    }
}
