//! Files that are written once: whole and on the disk, or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use super::NodeError;

/// Writes a new file: beside its place, synced, then linked there. A file that is there stays.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), NodeError> {
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let written = write_synced(&beside, bytes).and_then(|()| fs::hard_link(&beside, path));
    // What is left of a failed write is of no use; that it may stay is no harm.
    let _ = fs::remove_file(&beside);
    match written {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(NodeError::Exists(path.display().to_string())),
        Err(e) => Err(NodeError::io("write", path)(e)),
        Ok(()) => sync_folder(path),
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in the folder of a file durable.
pub(super) fn sync_folder(path: &Path) -> Result<(), NodeError> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|file| file.sync_all()).map_err(NodeError::io("sync", folder))?;
    }
    Ok(())
}

/// Reads a file that is not longer than `most` bytes; of a longer one, one byte more.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, NodeError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(NodeError::io("read", path))?;
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
