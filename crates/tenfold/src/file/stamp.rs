//! The identity of the file that a content was written as, for contents that must not be used from a copy.
//!
//! ```text
//! new file ─► its stamp ─► into its content ─► rename: the stamp stays      copy, restore: another file, another stamp
//! ```
//! A system gives the inode of a file that is gone to a later one (ext4 to the next but one), so that the inode alone would take
//! every second copy of an older content for the file. A file's birth is not given again. (notes: zk-tripwire)

use std::fs::{File, Metadata};
use std::io;

/// The file that a content was written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The number of the file system: another one after a new start on many systems.
    pub device: u64,
    /// The number of the file in it.
    pub inode: u64,
    /// Nanoseconds from 1970 to the file's birth, if the system tells them.
    pub born: Option<u64>,
}

impl Stamp {
    /// The stamp of an open file; none where the system numbers no files.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn of(file: &File) -> io::Result<Option<Self>> {
        Ok(Self::of_metadata(&file.metadata()?))
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        use std::time::UNIX_EPOCH;
        let born = metadata.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let born = born.and_then(|since| u64::try_from(since.as_nanos()).ok()).filter(|&born| born != 0);
        Some(Self { device: metadata.dev(), inode: metadata.ino(), born })
    }

    /// Where a new file has the birth of the one whose name it takes, a birth says nothing.
    #[cfg(not(unix))]
    fn of_metadata(_: &Metadata) -> Option<Self> {
        None
    }

    /// Returns true for the same file: by inode and birth, or by inode and device if a birth is not known.
    #[must_use]
    pub fn is(&self, found: &Self) -> bool {
        let same = match (self.born, found.born) {
            (Some(then), Some(now)) => then == now,
            _ => self.device == found.device,
        };
        same && self.inode == found.inode
    }
}
