//! A new queue in a folder: its database appears whole or not at all.

use super::database::damaged;
use super::{CACHE, JOBS, META, RUNNING, VERSION, WAITING};
use crate::error::Error;
use redb::backends::InMemoryBackend;
use redb::{Database, StorageBackend};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tenfold_report::files::{Place, Staged};

/// Puts an empty database in its place, where nothing is: it is made in memory, and written as every other output.
pub(super) fn make(path: &Path, lease: Duration) -> Result<(), Error> {
    let content = empty(lease)?;
    let write = || {
        // A folder that was there may be readable by others, and jobs name the files of their owner.
        let mut staged = Staged::new(path, true)?;
        staged.fill(&content)?;
        staged.place(Place::New)
    };
    write().map_err(Error::io("write", path))
}

/// The bytes of an empty database.
fn empty(lease: Duration) -> Result<Vec<u8>, Error> {
    let memory = Memory::default();
    let mut builder = Database::builder();
    let database = builder.set_cache_size(CACHE).create_with_backend(memory.clone()).map_err(damaged)?;
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
    let read = || {
        let mut content = vec![0; usize::try_from(memory.len()?).map_err(io::Error::other)?];
        memory.read(0, &mut content).map(|()| content)
    };
    read().map_err(|e| damaged(redb::StorageError::from(e)))
}

/// A database in memory, which is read when it is closed.
#[derive(Clone, Debug, Default)]
struct Memory(Arc<InMemoryBackend>);

impl StorageBackend for Memory {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }
}
