//! Files that are written once: whole and on the disk, or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::NodeError;
use crate::store::{Links, open_plain};

/// Writes a new file: beside its place, synced, then linked there. A file that is there stays.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), NodeError> {
    let beside = beside(path)?;
    // The name that was asked for: the other one is random, and an error would be a new one each time.
    write_synced(&beside, bytes).map_err(NodeError::io("write", path))?;
    let linked = fs::hard_link(&beside, path);
    // That it may stay is no harm.
    let _ = fs::remove_file(&beside);
    match linked {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(NodeError::Exists(path.display().to_string())),
        Err(e) => Err(NodeError::io("write", path)(e)),
        Ok(()) => sync_folder(path),
    }
}

/// Writes a file in the place of one that is of this node: beside it, synced, then renamed.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), NodeError> {
    let beside = beside(path)?;
    write_synced(&beside, bytes).map_err(NodeError::io("write", path))?;
    if let Err(e) = fs::rename(&beside, path) {
        // Made here a moment ago: nobody else's.
        let _ = fs::remove_file(&beside);
        return Err(NodeError::io("write", path)(e));
    }
    sync_folder(path)
}

/// A name beside a file or folder, for what is on its way there. It is random: process numbers come again, in other namespaces at the same time.
pub(super) fn beside(path: &Path) -> Result<PathBuf, NodeError> {
    let random = getrandom::u64().map_err(|e| NodeError::io("name a file beside", path)(e.into()))?;
    Ok(path.with_extension(format!("{random:016x}.part")))
}

/// Writes a file that is not there yet; what else has the name, a link among it, stays.
pub(super) fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        // What is left of a failed write is of no use; that it may stay is no harm.
        let _ = fs::remove_file(path);
    }
    written
}

/// Makes the names in the folder of a file durable.
pub(super) fn sync_folder(path: &Path) -> Result<(), NodeError> {
    // Elsewhere a folder is no file that can be opened.
    if let Some(folder) = path.parent().filter(|_| cfg!(unix)) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|file| file.sync_all()).map_err(NodeError::io("sync", folder))?;
    }
    Ok(())
}

/// Reads a plain file that is not longer than `most` bytes; of a longer one, one byte more.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, NodeError> {
    let file = open_plain(path, OpenOptions::new().read(true), Links::Followed);
    let file = file.map_err(NodeError::io("read", path))?;
    // A length that is only a hint: what is read decides. Without it large files are copied as the memory grows.
    let hint = file.metadata().map_or(0, |of| of.len().min(most).saturating_add(1));
    let mut bytes = Vec::new();
    // Where there is no memory, reading says so.
    let _ = bytes.try_reserve_exact(usize::try_from(hint).unwrap_or(0));
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(NodeError::io("read", path))?;
    Ok(bytes)
}

/// Writes a new file that its owner alone can read.
pub(super) fn write_secret(path: &Path, bytes: &[u8]) -> Result<(), NodeError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(NodeError::io("write", path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(NodeError::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever tells a failure once compares what it says.
    #[test]
    fn a_file_that_cannot_be_written_is_one_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/a.transaction");
        for write in [write_new, replace] {
            let [first, second] = [0; 2].map(|_| write(&path, b"x").unwrap_err().to_string());
            assert!(first == second && first.contains("a.transaction: "), "{first} {second}");
        }
    }
}
