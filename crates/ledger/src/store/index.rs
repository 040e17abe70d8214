//! The index: a redb database with two-phase commits.
//!
//! ```text
//!  table cells  key ─► position u64 | 0 u8, or 1 u8 and the value
//!  table tip    0   ─► height u64 | digest 32 | root 32 | leases
//! ```

use std::io::ErrorKind;

use redb::{Builder, Database, ReadableDatabase, ReadableTable, TableDefinition};

use super::{Cell, File, Store, StoreError, Tip};
use crate::codec::Reader;

const CELLS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("cells");
const TIP: TableDefinition<'_, u8, &[u8]> = TableDefinition::new("tip");

/// Bytes of the database that are kept in memory: cells are read once, when a ledger is opened.
const CACHE: usize = 1 << 24;

/// The index in a file.
#[derive(Debug)]
pub struct Index(Database);

impl Index {
    /// Opens the index in a file, or a new one in an empty file. Cost: every page is read and its checksum compared.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is no index.
    pub fn open(file: File) -> Result<Self, StoreError> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE).set_check_integrity_on_open(true);
        builder.create_with_backend(Boxed(file)).map(Self).map_err(damaged)
    }
}

fn damaged(error: impl Into<redb::Error>) -> StoreError {
    match error.into() {
        // What redb says of a file that is no database.
        redb::Error::Io(source)
            if matches!(source.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) =>
        {
            StoreError::Index(source.to_string())
        }
        redb::Error::Io(source) => StoreError::Io { action: "use the index".into(), source },
        error => StoreError::Index(error.to_string()),
    }
}

impl Store for Index {
    fn tip(&self) -> Result<Option<Tip>, StoreError> {
        let transaction = self.0.begin_read().map_err(damaged)?;
        let table = match transaction.open_table(TIP) {
            Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table.map_err(damaged)?,
        };
        let Some(bytes) = table.get(0).map_err(damaged)? else { return Ok(None) };
        let mut r = Reader::new(bytes.value());
        let mut read = || {
            let (height, digest, root) = (r.u64()?, r.array()?, r.array()?);
            Some(Tip { height, digest, root, leases: r.bytes(r.remaining())?.to_vec() })
        };
        read().map(Some).ok_or(StoreError::Index("its tip is none".into()))
    }

    fn load(&self, each: &mut dyn FnMut(Cell)) -> Result<(), StoreError> {
        let transaction = self.0.begin_read().map_err(damaged)?;
        let table = transaction.open_table(CELLS).map_err(damaged)?;
        for entry in table.iter().map_err(damaged)? {
            let (key, record) = entry.map_err(damaged)?;
            let mut r = Reader::new(record.value());
            let position = r.u64();
            let value = match (r.u8(), r.remaining()) {
                (Some(0), 0) => Some(None),
                (Some(1), length) => r.bytes(length).map(|bytes| Some(bytes.to_vec())),
                _ => None,
            };
            let (Some(position), Some(value)) = (position, value) else {
                return Err(StoreError::Index("a cell is none".into()));
            };
            each(Cell { key: key.value().to_vec(), position, value });
        }
        Ok(())
    }

    fn commit(&mut self, tip: &Tip, cells: &[Cell], anew: bool) -> Result<(), StoreError> {
        let mut transaction = self.0.begin_write().map_err(damaged)?;
        transaction.set_two_phase_commit(true);
        if anew {
            transaction.delete_table(CELLS).map_err(damaged)?;
        }
        {
            let mut table = transaction.open_table(CELLS).map_err(damaged)?;
            for cell in cells {
                let mut record = cell.position.to_le_bytes().to_vec();
                record.push(u8::from(cell.value.is_some()));
                record.extend_from_slice(cell.value.as_deref().unwrap_or_default());
                table.insert(cell.key.as_slice(), record.as_slice()).map_err(damaged)?;
            }
            let record = [&tip.height.to_le_bytes()[..], &tip.digest, &tip.root, &tip.leases].concat();
            transaction.open_table(TIP).map_err(damaged)?.insert(0, record.as_slice()).map_err(damaged)?;
        }
        transaction.commit().map_err(damaged)
    }
}

/// A boxed backend is one.
#[derive(Debug)]
struct Boxed(File);

impl redb::StorageBackend for Boxed {
    fn len(&self) -> std::io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.0.write(offset, data)
    }

    fn close(&self) -> std::io::Result<()> {
        self.0.close()
    }
}
