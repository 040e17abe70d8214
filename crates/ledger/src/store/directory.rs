//! The directory of a ledger: its lock and its two files.

use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use redb::backends::FileBackend;

use super::overlay::Overlay;
use super::{File, StoreError};

/// The names of the files.
const LOCK: &str = "lock";
const LOG: &str = "log";
const INDEX: &str = "index";

/// The first bytes of a redb database. A file that has zeros there is one whose header a crash has kept from the disk.
const REDB: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

fn refused(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("it is {what}; remove it"))
}

/// Whether a link is followed to the file that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Opens a plain file that is there. What else is there is refused: opening a pipe waits for whoever is at its other end.
pub(crate) fn open_plain(path: &Path, options: &OpenOptions, links: Links) -> io::Result<fs::File> {
    let is_link =
        || links == Links::Refused && fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
    if is_link() {
        return Err(refused("a link"));
    }
    let special = || refused("no plain file");
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(special());
    }
    let file = guarded(options, links).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(special()) }
}

/// Options by which what takes a file's place before it is opened is not followed, and holds nobody up.
#[cfg(unix)]
fn guarded(options: &OpenOptions, links: Links) -> OpenOptions {
    use rustix::fs::OFlags;
    let flags = if links == Links::Refused { OFlags::NOFOLLOW } else { OFlags::empty() };
    let mut options = options.clone();
    let flags = (flags | OFlags::NONBLOCK).bits().cast_signed();
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    options
}

#[cfg(not(unix))]
fn guarded(options: &OpenOptions, _: Links) -> OpenOptions {
    options.clone()
}

/// Opens or makes a file, and says whether it was made: at this place and no other, for which a link to nothing is refused.
fn open_or_make(path: &Path, options: &OpenOptions, links: Links) -> io::Result<(fs::File, bool)> {
    match open_plain(path, options, links) {
        Err(e) if e.kind() == ErrorKind::NotFound => {}
        opened => return opened.map(|file| (file, false)),
    }
    let made = options.clone().create_new(true).open(path).map(|file| (file, true));
    made.map_err(|e| match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => refused("a link to nothing"),
        _ => e,
    })
}

/// Takes the lock of a directory.
fn locked(lock: &fs::File, path: &Path) -> Result<(), StoreError> {
    match lock.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.display().to_string())),
        Err(TryLockError::Error(e)) => Err(StoreError::io(format!("lock {}", path.join(LOCK).display()))(e)),
    }
}

/// Opens a file to read it, if there is one.
fn read_only(path: &Path, links: Links) -> Result<Option<fs::File>, StoreError> {
    match open_plain(path, OpenOptions::new().read(true), links) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some).map_err(StoreError::io(format!("read {}", path.display()))),
    }
}

/// A mark by which a log is known to have been written since: nothing relies on it beyond that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    /// The time of the last write, where the system keeps it.
    pub modified: Option<SystemTime>,
    inode: u64,
}

/// A directory that no other process uses while this value lives.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    // The system gives the lock up when the process ends, however it ends. A copy that is read may have none.
    _lock: Option<fs::File>,
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
        let lock = open_or_make(&file, OpenOptions::new().write(true), Links::Refused);
        let (lock, _) = lock.map_err(StoreError::io(format!("write {}", file.display())))?;
        locked(&lock, path)?;
        Ok(Self { path: path.to_owned(), _lock: Some(lock) })
    }

    /// Takes a directory to read it: nothing in it is made or changed, so it may be a copy, or on a disk that cannot be written. One without a file `lock` is no other process's.
    ///
    /// # Errors
    /// If another process has it, or its lock cannot be opened.
    pub fn take_to_read(path: &Path) -> Result<Self, StoreError> {
        let lock = read_only(&path.join(LOCK), Links::Refused)?;
        lock.as_ref().map_or(Ok(()), |lock| locked(lock, path))?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Opens the log to read it.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn log_to_read(&self) -> Result<File, StoreError> {
        Self::shared_log(&self.path)
    }

    /// Opens the log of a directory to read it, which another process may have: records that were acknowledged stay as they are, and what is behind them is nobody's yet.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(crate) fn shared_log(path: &Path) -> Result<File, StoreError> {
        let file = read_only(&path.join(LOG), Links::Followed)?.ok_or(StoreError::Empty)?;
        let log = Overlay::new(file).map_err(StoreError::io("read the log"))?;
        Ok(Box::new(log))
    }

    /// The stamp of a directory's log.
    ///
    /// # Errors
    /// If there is no log.
    pub(crate) fn stamp(path: &Path) -> Result<Stamp, StoreError> {
        let there = fs::metadata(path.join(LOG)).map_err(StoreError::io("read the log"))?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&there);
        #[cfg(not(unix))]
        let inode = 0;
        Ok(Stamp { length: there.len(), modified: there.modified().ok(), inode })
    }

    /// Opens the index, if there is one, so that what its database repairs stays in memory.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn index_to_read(&self) -> Result<Option<File>, StoreError> {
        let Some(file) = read_only(&self.path.join(INDEX), Links::Followed)? else { return Ok(None) };
        let index = Overlay::new(file).map_err(StoreError::io("read the index"))?;
        Ok(Some(Box::new(index)))
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
        let read = open_plain(&path, OpenOptions::new().read(true), Links::Followed)
            .and_then(|file| file.take(REDB.len() as u64).read_to_end(&mut first));
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
        let opened = open_or_make(&path, OpenOptions::new().read(true).write(true), Links::Followed);
        let (file, new) = opened.map_err(StoreError::io(action()))?;
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
