//! The queue of one machine: a folder that any number of processes share.
//!
//! ```text
//! queue.redb        jobs, the order of those that wait, the leases of those that run      (a database of redb's)
//! queue.redb.lock   held while a process has the database open: for one operation
//! blobs/            data and results (`crate::blob`)
//! ```
//! An operation locks, opens, commits one transaction durably, and closes. A process that is killed at any moment leaves the database as it was
//! before its operation or after it, and its lock to the next one. Who may not write reads a copy, without a lock.

use crate::blob::{Blobs, make_folder};
use crate::clock::{Moment, wall};
use crate::declined::Declined;
use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, Terms};
use crate::prune::{Before, Pruned};
use crate::queue::{JobQueue, Lease, Listing, Submitted, token};
use crate::record::{Beat, Completion, Fault, Record, State};
use database::{Known, check_writable, damaged, guarded, lock};
use look::{runs, waits};
use make::make;
use redb::{ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The version of the tables.
const VERSION: u64 = 2;
const FILE: &str = "queue.redb";
/// Bytes of the database that an operation keeps in memory.
const CACHE: usize = 4 << 20;

/// `version`, `lease` in milliseconds, and the `next` place of a job that waits.
const META: TableDefinition<'_, &str, u64> = TableDefinition::new("meta");
/// Records by the job's name.
const JOBS: TableDefinition<'_, [u8; 32], &[u8]> = TableDefinition::new("jobs");
/// The memory that a waiting job needs, and its place.
type Turn = (u64, u64);
/// Jobs that wait, by their turn. One that does not wait any more is dropped when it is met.
const WAITING: TableDefinition<'_, Turn, [u8; 32]> = TableDefinition::new("waiting");
/// Jobs that run: the run of the system, and the millisecond in it until which their lease lasts.
const RUNNING: TableDefinition<'_, [u8; 32], (u128, u64)> = TableDefinition::new("running");

/// The queue in a folder.
#[derive(Clone, Debug)]
pub struct Embedded {
    path: PathBuf,
    known: Arc<Known>,
    blobs: Blobs,
    lease: Duration,
    /// Jobs that this process does not understand.
    declined: Arc<Declined>,
}

impl Embedded {
    /// Opens the queue in a folder, or makes it there, with leases of this length; of one that is there the lease stays.
    ///
    /// # Errors
    /// As [`Self::open`]; if the folder cannot be written to.
    pub fn create(folder: &Path, lease: Duration) -> Result<Self, Error> {
        make_folder(folder).map_err(Error::io("make the folder", folder))?;
        let path = folder.join(FILE);
        {
            let _lock = lock(&path)?;
            if !path.try_exists().map_err(Error::io("read", &path))? {
                guarded(|| make(&path, lease))?;
            }
        }
        Self::open(folder)
    }

    /// Opens the queue in a folder, to change it.
    ///
    /// # Errors
    /// As [`Self::read`]; if it cannot be locked and written.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let queue = Self::read(folder)?;
        check_writable(&queue.path).map(|()| queue)
    }

    /// Opens the queue in a folder, to look at it. Every page of its database is read and its checksum compared: time is that of reading it. The same is
    /// done once more every ten seconds, by the operation that comes then; one that finds the database damaged, gone or replaced fails. Whoever may not write
    /// to the folder reads copies of the database, which take twice its memory.
    ///
    /// # Errors
    /// [`Error::NoQueue`], [`Error::Version`], [`Error::Newer`], [`Error::Damaged`]; if it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let meta = |database: &redb::Database| read_meta(&database.begin_read().map_err(damaged)?);
        let (known, lease) = Known::open(&path, meta)?;
        Ok(Self {
            path,
            known: Arc::new(known),
            blobs: Blobs::new(&folder.join("blobs")),
            lease: Duration::from_millis(lease),
            declined: Arc::default(),
        })
    }

    /// The blobs of the queue.
    #[must_use]
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// The time without a heartbeat after which a lease is lost.
    #[must_use]
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Runs one operation: all of it, or nothing.
    fn change<T>(&self, operation: impl FnOnce(&mut Tables<'_>) -> Result<T, Error>) -> Result<T, Error> {
        self.known.change(&self.path, |database| {
            // A later release may have changed the tables since this process opened them.
            read_meta(&database.begin_read().map_err(damaged)?)?;
            let transaction = database.begin_write().map_err(damaged)?;
            let lease = u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX);
            let result = operation(&mut Tables {
                transaction: &transaction,
                wall: wall(),
                now: Moment::now(),
                lease,
            })?;
            transaction.commit().map_err(damaged)?;
            Ok(result)
        })
    }

    /// Runs one operation that changes nothing.
    fn look<T>(
        &self,
        operation: impl FnOnce(&redb::ReadTransaction) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.known.look(&self.path, |database| {
            let transaction = database.begin_read().map_err(damaged)?;
            read_meta(&transaction).and_then(|_| operation(&transaction))
        })
    }
}

impl JobQueue for Embedded {
    fn submit(&self, jobs: &[(Job, Terms)]) -> Result<Vec<Submitted>, Error> {
        for (job, terms) in jobs {
            job.check().and_then(|()| terms.check())?;
        }
        self.change(|tables| jobs.iter().map(|(job, terms)| tables.submit(job, terms)).collect())
    }

    fn claim(&self, worker: &str, memory: u64) -> Result<Option<Lease>, Error> {
        let token = token()?;
        self.change(|tables| tables.claim(token, worker, (memory, &self.declined)))
    }

    fn heartbeat(&self, lease: &Lease) -> Result<Beat, Error> {
        self.change(|tables| {
            let beat = tables.update(lease.id, |record, now| {
                record.expire(now);
                record.beat(lease.token)
            })?;
            // A lease that ran out and that nobody took lasts again.
            if beat == Beat::Held {
                tables.hold(lease.id)?;
            }
            Ok(beat)
        })
    }

    fn complete(&self, lease: &Lease, result: Id) -> Result<Completion, Error> {
        self.blobs.check(result)?;
        self.change(|tables| tables.update(lease.id, |record, now| record.complete(result, now)))
    }

    fn fail(&self, lease: &Lease, fault: &Fault) -> Result<State, Error> {
        let state = self.change(|tables| {
            tables.update(lease.id, |record, now| {
                record.fail(lease.token, fault, now);
                record.state
            })
        })?;
        if let Fault::NotUnderstood(_) = fault {
            self.declined.add(lease.id);
        }
        Ok(state)
    }

    fn cancel(&self, id: Id) -> Result<State, Error> {
        self.change(|tables| {
            tables.update(id, |record, now| {
                record.cancel(now);
                record.state
            })
        })
    }

    fn lose_result(&self, id: Id, result: Id) -> Result<State, Error> {
        self.change(|tables| {
            tables.update(id, |record, now| {
                record.lose_result(result, now);
                record.state
            })
        })
    }

    fn status(&self, id: Id) -> Result<Option<Record>, Error> {
        self.look(|transaction| {
            let jobs = transaction.open_table(JOBS).map_err(damaged)?;
            let Some(bytes) = jobs.get(id.0).map_err(damaged)? else { return Ok(None) };
            let mut record = Record::decode(bytes.value())?;
            record.expire(wall());
            Ok(Some(record))
        })
    }

    fn list(&self, state: Option<State>, limit: usize) -> Result<Listing, Error> {
        self.look(|transaction| {
            let jobs = transaction.open_table(JOBS).map_err(damaged)?;
            let mut listing = Listing::default();
            for entry in jobs.iter().map_err(damaged)? {
                let (id, bytes) = entry.map_err(damaged)?;
                let mut record = Record::decode(bytes.value())?;
                record.expire(wall());
                let wanted = state.is_none_or(|state| state == record.state);
                listing.add(Id(id.value()), record, wanted.then_some(limit));
            }
            Ok(listing)
        })
    }

    fn any_to_come(&self, memory: u64) -> Result<bool, Error> {
        let fitting = ..=(memory, u64::MAX);
        self.look(|transaction| {
            Ok(runs(transaction)? || waits(transaction, fitting, |id| !self.declined.has(id))?.is_some())
        })
    }

    fn too_large(&self, memory: u64) -> Result<Option<(Id, u64)>, Error> {
        let Some(more) = memory.checked_add(1) else { return Ok(None) };
        self.look(|transaction| waits(transaction, (more, 0).., |_| true))
    }

    fn prune(&self, before: Before) -> Result<Pruned, Error> {
        self.pruned(before)
    }
}

/// The tables in one transaction.
struct Tables<'a> {
    transaction: &'a WriteTransaction,
    wall: u64,
    now: Moment,
    lease: u64,
}

impl Tables<'_> {
    fn find(&self, id: Id) -> Result<Option<Record>, Error> {
        let jobs = self.transaction.open_table(JOBS).map_err(damaged)?;
        let bytes = jobs.get(id.0).map_err(damaged)?;
        bytes.map(|bytes| Record::decode(bytes.value())).transpose()
    }

    fn record(&self, id: Id) -> Result<Record, Error> {
        self.find(id)?.ok_or(Error::UnknownJob(id))
    }

    fn store(&self, id: Id, record: &Record) -> Result<(), Error> {
        let mut jobs = self.transaction.open_table(JOBS).map_err(damaged)?;
        jobs.insert(id.0, record.encode().as_slice()).map_err(damaged)?;
        Ok(())
    }

    fn submit(&mut self, job: &Job, terms: &Terms) -> Result<Submitted, Error> {
        let id = job.id();
        if self.find(id)?.is_some() {
            let (resubmitted, state) =
                self.update(id, |record, now| (record.resubmit(terms, now), record.state))?;
            return Ok(Submitted { id, new: false, resubmitted, state });
        }
        self.store(id, &Record::new(job.clone(), terms.clone(), self.wall))?;
        self.enqueue(id, terms.memory)?;
        Ok(Submitted { id, new: true, resubmitted: false, state: State::Queued })
    }

    fn enqueue(&self, id: Id, memory: u64) -> Result<(), Error> {
        let mut meta = self.transaction.open_table(META).map_err(damaged)?;
        let place = meta.get("next").map_err(damaged)?.map_or(0, |next| next.value());
        meta.insert("next", place.saturating_add(1)).map_err(damaged)?;
        let mut waiting = self.transaction.open_table(WAITING).map_err(damaged)?;
        waiting.insert((memory, place), id.0).map_err(damaged)?;
        Ok(())
    }

    /// Begins or prolongs a lease.
    fn hold(&self, id: Id) -> Result<(), Error> {
        let mut running = self.transaction.open_table(RUNNING).map_err(damaged)?;
        let until = self.now.millis.saturating_add(self.lease);
        running.insert(id.0, (self.now.boot, until)).map_err(damaged)?;
        Ok(())
    }

    /// Changes a record, and keeps the tables of those that wait and run in step with it.
    fn update<T>(&mut self, id: Id, change: impl FnOnce(&mut Record, u64) -> T) -> Result<T, Error> {
        let mut record = self.record(id)?;
        let (before, memory) = (record.state, record.terms.memory);
        let result = change(&mut record, self.wall);
        if before == State::Running && record.state != State::Running {
            let mut running = self.transaction.open_table(RUNNING).map_err(damaged)?;
            running.remove(id.0).map_err(damaged)?;
        }
        if record.state == State::Queued && (before != State::Queued || memory != record.terms.memory) {
            self.enqueue(id, record.terms.memory)?;
        }
        self.store(id, &record)?;
        Ok(result)
    }
}

/// The lease in milliseconds, of a queue of this version.
fn read_meta(transaction: &redb::ReadTransaction) -> Result<u64, Error> {
    match version(transaction)? {
        VERSION => number(transaction, "lease"),
        found => Err(Error::Version { found, expected: VERSION }),
    }
}

/// The version of the tables; that of `meta` is the same in all versions.
fn version(transaction: &redb::ReadTransaction) -> Result<u64, Error> {
    number(transaction, "version")
}

fn number(transaction: &redb::ReadTransaction, name: &str) -> Result<u64, Error> {
    let meta = transaction.open_table(META).map_err(damaged)?;
    Ok(meta.get(name).map_err(damaged)?.map_or(0, |value| value.value()))
}

mod claim;
mod database;
mod look;
mod make;
mod prune;
#[cfg(test)]
mod tests;
