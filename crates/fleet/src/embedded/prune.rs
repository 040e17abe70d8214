//! Removal from a folder: records in one transaction, and then blobs, before another process can submit a job that names one.

use super::database::damaged;
use super::{Embedded, JOBS, RUNNING, WAITING};
use crate::error::Error;
use crate::id::Id;
use crate::prune::{Before, Pruned};
use crate::record::Record;
use redb::{ReadableDatabase, ReadableTable, WriteTransaction};
use std::collections::HashSet;

impl Embedded {
    pub(super) fn pruned(&self, before: Before) -> Result<Pruned, Error> {
        self.known.change(&self.path, |database| {
            super::read_meta(&database.begin_read().map_err(damaged)?)?;
            let transaction = database.begin_write().map_err(damaged)?;
            let (over, named) = sorted(&transaction, before.jobs)?;
            forget(&transaction, &over)?;
            transaction.commit().map_err(damaged)?;
            let (blobs, bytes) = self.blobs.remove_but(&named, before.blobs)?;
            Ok(Pruned { jobs: over.len() as u64, blobs, bytes, foreign: 0 })
        })
    }
}

/// Jobs that were over before a moment, and the blobs that all others name.
fn sorted(transaction: &WriteTransaction, moment: u64) -> Result<(HashSet<[u8; 32]>, HashSet<Id>), Error> {
    let (mut over, mut named) = (HashSet::new(), HashSet::new());
    for entry in transaction.open_table(JOBS).map_err(damaged)?.iter().map_err(damaged)? {
        let (id, bytes) = entry.map_err(damaged)?;
        let record = Record::decode(bytes.value())?;
        if record.ended_before(moment) {
            over.insert(id.value());
        } else {
            named.extend(record.blobs());
        }
    }
    Ok((over, named))
}

/// Removes jobs from all tables.
fn forget(transaction: &WriteTransaction, over: &HashSet<[u8; 32]>) -> Result<(), Error> {
    let mut jobs = transaction.open_table(JOBS).map_err(damaged)?;
    let mut running = transaction.open_table(RUNNING).map_err(damaged)?;
    for id in over {
        jobs.remove(id).map_err(damaged)?;
        running.remove(id).map_err(damaged)?;
    }
    // One that was cancelled keeps its place until a claim meets it.
    let mut waiting = transaction.open_table(WAITING).map_err(damaged)?;
    waiting.retain(|_, id| !over.contains(&id)).map_err(damaged)
}
