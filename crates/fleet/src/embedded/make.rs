//! A new queue in a folder: its database appears whole or not at all.

use super::{CACHE, JOBS, META, RUNNING, VERSION, WAITING, damaged};
use crate::error::Error;
use redb::Database;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Makes an empty database beside its place, and puts it there whole.
pub(super) fn make(path: &Path, lease: Duration) -> Result<(), Error> {
    let beside = path.with_extension("new");
    match fs::remove_file(&beside) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io("remove", &beside)(e)),
        _ => {}
    }
    let database = Database::builder().set_cache_size(CACHE).create(&beside).map_err(damaged)?;
    let transaction = database.begin_write().map_err(damaged)?;
    {
        let mut meta = transaction.open_table(META).map_err(damaged)?;
        meta.insert("version", VERSION).map_err(damaged)?;
        meta.insert("lease", u64::try_from(lease.as_millis()).unwrap_or(u64::MAX)).map_err(damaged)?;
        transaction.open_table(JOBS).map_err(damaged)?;
        transaction.open_table(WAITING).map_err(damaged)?;
        transaction.open_table(RUNNING).map_err(damaged)?;
    }
    transaction.commit().map_err(damaged)?;
    drop(database);
    fs::rename(&beside, path).map_err(Error::io("write", path))?;
    // The new name must outlast a power cut, as what is submitted to it must.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("sync", folder))?;
    }
    Ok(())
}

/// Makes a folder that its owner alone can read, unless it is there.
pub(super) fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
