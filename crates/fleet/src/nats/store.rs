//! Blobs in an object store, by their digest.

use super::engine;
use crate::blob::{BlobStore, Blobs};
use crate::error::Error;
use crate::id::Id;
use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{self, GetErrorKind, InfoErrorKind, Object, ObjectStore};
use std::io::{self, Read};
use std::sync::Arc;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;

/// The object store of a queue.
pub struct Store {
    runtime: Arc<Runtime>,
    objects: ObjectStore,
}

impl Store {
    /// Opens the store, which is made with the first who does.
    pub(super) async fn open(
        runtime: Arc<Runtime>,
        context: &Context,
        bucket: String,
    ) -> Result<Self, Error> {
        let objects = match context.get_object_store(&bucket).await {
            Ok(objects) => objects,
            Err(_) => {
                let config = object_store::Config { bucket, ..object_store::Config::default() };
                context.create_object_store(config).await.map_err(engine)?
            }
        };
        Ok(Self { runtime, objects })
    }
}

/// An object as a source that is read by a thread that waits.
struct Waiting<'a> {
    runtime: &'a Runtime,
    object: Object,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.runtime.block_on(self.object.read(buffer))
    }
}

impl BlobStore for Store {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        if local.check(id).is_ok() {
            return Ok(());
        }
        let object = self.runtime.block_on(self.objects.get(id.to_string())).map_err(|e| match e.kind() {
            GetErrorKind::NotFound => Error::NoBlob(id),
            _ => engine(e),
        })?;
        local.put_from(id, &mut Waiting { runtime: &self.runtime, object })
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        let path = local.check(id)?;
        let there = self.runtime.block_on(self.objects.info(id.to_string()));
        match there {
            Ok(info) if !info.deleted => return Ok(()),
            Err(e) if e.kind() != InfoErrorKind::NotFound => return Err(engine(e)),
            _ => {}
        }
        self.runtime.block_on(async {
            let mut file = tokio::fs::File::open(&path).await.map_err(Error::io("open", &path))?;
            let name = id.to_string();
            self.objects.put(name.as_str(), &mut file).await.map(|_| ()).map_err(engine)
        })
    }
}
