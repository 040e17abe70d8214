//! A new queue in a folder: its database appears whole or not at all.

use super::database::damaged;
use super::{CACHE, JOBS, META, RUNNING, VERSION, WAITING};
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
    // A folder that was there may be readable by others, and jobs name the files of their owner.
    #[cfg(unix)]
    fs::set_permissions(&beside, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .map_err(Error::io("write", &beside))?;
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
