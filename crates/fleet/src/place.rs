//! Where a queue is, by name: a folder, or a server's address.

use crate::blob::{BlobStore, Blobs, Shared};
use crate::embedded::Embedded;
use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, Terms};
use crate::prove::{self, Statement};
use crate::queue::{JobQueue, Listing, Submitted};
use crate::runner::Task;
use crate::worker::MAX_ERRORS;
use std::path::Path;
use std::time::Duration;
use tenfold::Dataset;

/// Bytes of a proof that are read.
const MAX_PROOF: u64 = 1 << 30;
/// The time between two looks at a queue.
const LOOK: Duration = Duration::from_millis(500);

/// A queue with the blobs that go with it.
pub struct Place {
    /// The queue.
    pub queue: Box<dyn JobQueue>,
    /// The source of its blobs.
    pub store: Box<dyn BlobStore>,
    /// The blobs on this machine.
    pub blobs: Blobs,
    /// The time without a heartbeat after which a lease is lost.
    pub lease: Duration,
}

/// What a queue is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To submit to it: it is made, with leases of this length, if it is not there.
    Make(Duration),
    /// To work on its jobs.
    Change,
    /// To look at it: nothing is written unless it is asked for.
    Read,
}

/// Is told the counts of a queue, or how an engine failed that is asked again.
type Report<'a> = dyn FnMut(Result<&Listing, &Error>) + 'a;

/// Waits until no job of a queue waits or runs, with this time between two looks.
pub(crate) fn wait(queue: &dyn JobQueue, look: Duration, report: &mut Report<'_>) -> Result<(), Error> {
    let mut errors = 0;
    loop {
        match queue.list(None, 0) {
            Ok(listing) => {
                report(Ok(&listing));
                if listing.over() == listing.total() {
                    return Ok(());
                }
                errors = 0;
            }
            Err(e) if e.is_passing() && errors < MAX_ERRORS => {
                report(Err(&e));
                errors += 1;
            }
            Err(e) => return Err(e),
        }
        std::thread::sleep(look * errors.max(1));
    }
}

impl Place {
    /// Opens a queue: `nats://HOST:PORT/NAME` is one on a server, anything else a folder.
    ///
    /// `local` is the folder for blobs of a server on this machine.
    ///
    /// # Errors
    /// [`Error::NotBuilt`] for a server without the feature `nats`; as [`Embedded::create`], [`Embedded::open`] and
    /// [`Embedded::read`].
    pub fn open(name: &str, local: &Path, access: Access) -> Result<Self, Error> {
        if Self::is_server(name) {
            return Self::on_server(name, local, access);
        }
        let folder = Path::new(name);
        let queue = match access {
            Access::Make(lease) => Embedded::create(folder, lease)?,
            Access::Change => Embedded::open(folder)?,
            Access::Read => Embedded::read(folder)?,
        };
        let (blobs, lease) = (queue.blobs().clone(), queue.lease());
        Ok(Self { queue: Box::new(queue), store: Box::new(Shared), blobs, lease })
    }

    /// Returns true for the name of a queue on a server, false for a folder's.
    #[must_use]
    pub fn is_server(name: &str) -> bool {
        ["nats://", "tls://"].iter().any(|scheme| name.starts_with(scheme))
    }

    /// Stores files where workers find them, the data and, if there are any, the weights, and submits the job about them. One that is done, and whose result is gone or damaged, waits anew.
    ///
    /// # Errors
    /// If every worker would refuse the job ([`Statement::check`]), a file cannot be stored, or the engine fails.
    pub fn submit(&self, files: &[&Path], statement: &Statement, terms: Terms) -> Result<Submitted, Error> {
        statement.check()?;
        if files.len() != statement.files() {
            return Err(Error::Job(format!("it is about {} files", statement.files())));
        }
        let mut inputs = Vec::new();
        for file in files {
            let (blob, _) = self.blobs.put_file(file)?;
            self.store.publish(blob, &self.blobs)?;
            inputs.push(blob);
        }
        let job = statement.job(&inputs);
        if let Some(result) = self.queue.status(job.id())?.and_then(|record| record.result)
            && let Err(Error::NoBlob(_) | Error::Blob(_)) = self.store.fetch(result, &self.blobs)
        {
            self.queue.lose_result(job.id(), result)?;
        }
        let given = [(job, terms)];
        let mut submitted = self.queue.submit(&given)?;
        // No job named the blobs before, and they may have been removed meanwhile; they are not from now on.
        for (&blob, file) in inputs.iter().zip(files) {
            if let Err(Error::NoBlob(_)) = self.store.publish(blob, &self.blobs) {
                self.blobs.put_file(file)?;
                self.store.publish(blob, &self.blobs)?;
                // A worker may have been faster, and have failed the job for want of them.
                for (submitted, again) in submitted.iter_mut().zip(self.queue.submit(&given)?) {
                    submitted.state = again.state;
                }
            }
        }
        submitted.into_iter().next().ok_or_else(|| Error::Engine("the job was not taken".into()))
    }

    /// The public weights of a job, by which its proof is verified, within so much memory; none if it is about no weighted sum.
    ///
    /// # Errors
    /// If they cannot be had, or are not those of the name.
    pub fn weights(&self, job: &Job, memory: u64) -> Result<Option<Dataset>, Error> {
        if job.kind != prove::KIND || job.inputs.len() < 2 {
            return Ok(None);
        }
        job.inputs[1..].iter().try_for_each(|&input| self.store.fetch(input, &self.blobs))?;
        prove::weights(&Task { job, memory, blobs: &self.blobs }).map_err(|e| Error::Job(e.to_string()))
    }

    /// The bytes of a job's result, 1 GiB at most.
    ///
    /// # Errors
    /// If they cannot be had, or are not those of the name.
    pub fn result(&self, id: Id) -> Result<Vec<u8>, Error> {
        self.store.fetch(id, &self.blobs)?;
        self.blobs.read(id, MAX_PROOF)
    }

    /// Waits until no job waits or runs; `report` is told the counts every half second, or why the engine is asked again.
    ///
    /// # Errors
    /// If the engine fails and does not recover, as of a worker.
    pub fn wait(&self, report: &mut Report<'_>) -> Result<(), Error> {
        wait(&*self.queue, LOOK, report)
    }

    #[cfg(feature = "nats")]
    fn on_server(name: &str, local: &Path, access: Access) -> Result<Self, Error> {
        let split = name.rsplit_once('/').filter(|(server, _)| !server.ends_with('/'));
        let (server, queue) =
            split.ok_or_else(|| Error::Engine("name the queue as nats://HOST:PORT/NAME".into()))?;
        let queue = match access {
            Access::Make(lease) => crate::nats::Nats::connect(server, queue, lease)?,
            Access::Change | Access::Read => crate::nats::Nats::open(server, queue)?,
        };
        let store: Box<dyn BlobStore> = match access {
            Access::Read => Box::new(queue.look()),
            Access::Make(_) | Access::Change => Box::new(queue.store()?),
        };
        let lease = queue.lease();
        Ok(Self { queue: Box::new(queue), store, blobs: Blobs::new(local), lease })
    }

    #[cfg(not(feature = "nats"))]
    fn on_server(_: &str, _: &Path, _: Access) -> Result<Self, Error> {
        Err(Error::NotBuilt)
    }
}
