//! The blobs of a queue for who looks at it: its buckets are opened when one is asked for, and none is made.

use super::Nats;
use super::claim::gone;
use super::store::Store;
use crate::blob::{BlobStore, Blobs};
use crate::error::Error;
use crate::id::Id;
use async_nats::jetstream::Context;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The blobs that are there.
pub struct Look {
    runtime: Arc<Runtime>,
    context: Context,
    name: String,
}

impl Nats {
    /// The blobs of the queue, for who only reads them: where there are no buckets, there is no blob.
    #[must_use]
    pub fn look(&self) -> Look {
        Look { runtime: Arc::clone(&self.runtime), context: self.context.clone(), name: self.name.clone() }
    }
}

impl Look {
    fn store(&self, id: Id) -> Result<Store, Error> {
        self.runtime.block_on(async {
            for bucket in ["KV_", "OBJ_"].into_iter().zip(["small", "blobs"]) {
                if gone(&self.context, &format!("{}fleet-{}-{}", bucket.0, self.name, bucket.1))
                    .await
                    .is_some()
                {
                    return Err(Error::NoBlob(id));
                }
            }
            Store::open(Arc::clone(&self.runtime), &self.context, &self.name).await
        })
    }
}

impl BlobStore for Look {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        if local.check(id).is_ok() {
            return Ok(());
        }
        self.store(id)?.fetch(id, local)
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        self.store(id)?.publish(id, local)
    }
}
