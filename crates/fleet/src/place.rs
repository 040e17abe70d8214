//! Where a queue is, by name: a folder, or a server's address.

use crate::blob::{BlobStore, Blobs, Shared};
use crate::embedded::Embedded;
use crate::error::Error;
use crate::queue::JobQueue;
use std::path::Path;
use std::time::Duration;

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

impl Place {
    /// Opens a queue: `nats://HOST:PORT/NAME` is one on a server, anything else a folder. A queue that is not there is made if there is a lease for it.
    ///
    /// `local` is the folder for blobs of a server on this machine.
    ///
    /// # Errors
    /// [`Error::NotBuilt`] for a server without the feature `nats`; as [`Embedded::create`] and [`Embedded::open`].
    pub fn open(name: &str, local: &Path, lease: Option<Duration>) -> Result<Self, Error> {
        if ["nats://", "tls://"].iter().any(|scheme| name.starts_with(scheme)) {
            return Self::on_server(name, local, lease);
        }
        let folder = Path::new(name);
        let queue = match lease {
            Some(lease) => Embedded::create(folder, lease)?,
            None => Embedded::open(folder)?,
        };
        let (blobs, lease) = (queue.blobs().clone(), queue.lease());
        Ok(Self { queue: Box::new(queue), store: Box::new(Shared), blobs, lease })
    }

    #[cfg(feature = "nats")]
    fn on_server(name: &str, local: &Path, lease: Option<Duration>) -> Result<Self, Error> {
        let split = name.rsplit_once('/').filter(|(server, _)| !server.ends_with('/'));
        let (server, queue) =
            split.ok_or_else(|| Error::Engine("name the queue as nats://HOST:PORT/NAME".into()))?;
        let queue = crate::nats::Nats::connect(server, queue, lease.unwrap_or(Duration::from_secs(60)))?;
        let (store, lease) = (queue.store()?, queue.lease());
        Ok(Self { queue: Box::new(queue), store: Box::new(store), blobs: Blobs::new(local), lease })
    }

    #[cfg(not(feature = "nats"))]
    fn on_server(_: &str, _: &Path, _: Option<Duration>) -> Result<Self, Error> {
        Err(Error::NotBuilt)
    }
}
