//! Blobs by their digest: small ones as values of a bucket, large ones in an object store, of which each reading takes a consumer of the server's.

use super::prune::remove;
use super::{answered, engine};
use crate::blob::{BlobStore, Blobs};
use crate::clock::wall;
use crate::error::Error;
use crate::id::Id;
use crate::prune::{YOUNG, millis};
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::{self, Operation};
use async_nats::jetstream::object_store::{
    self, GetErrorKind, InfoErrorKind, Object, ObjectInfo, ObjectMetadata, ObjectStore,
};
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt;
use std::collections::HashSet;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::time::SystemTime;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;

/// Bytes of a small blob at most: a message of a server holds 1 MiB unless its configuration says otherwise.
const SMALL: u64 = 512 << 10;

/// The blobs of a queue.
pub struct Store {
    runtime: Arc<Runtime>,
    pub(super) context: Context,
    small: kv::Store,
    pub(super) objects: ObjectStore,
    /// The name of the objects' bucket, and its stream.
    pub(super) bucket: String,
    pub(super) stream: Stream,
}

impl Store {
    /// Opens the store of a queue, which is made with the first who does.
    pub(super) async fn open(runtime: Arc<Runtime>, context: &Context, name: &str) -> Result<Self, Error> {
        let bucket = format!("fleet-{name}-small");
        let config = kv::Config { bucket, history: 1, ..kv::Config::default() };
        let small = context.create_key_value(config).await.map_err(engine)?;
        let bucket = format!("fleet-{name}-blobs");
        let objects = match context.get_object_store(&bucket).await {
            Ok(objects) => objects,
            Err(_) => {
                let bucket = bucket.clone();
                let config = object_store::Config { bucket, ..object_store::Config::default() };
                context.create_object_store(config).await.map_err(engine)?
            }
        };
        let stream = context.get_stream(format!("OBJ_{bucket}")).await.map_err(engine)?;
        Ok(Self { runtime, context: context.clone(), small, objects, bucket, stream })
    }

    /// Returns true if a blob of this length is stored, and young, for [`Self::remove_but`]: a large one is made so. A small one that is another blob's is removed where it would be taken for a large one's; of large ones
    /// the lengths are compared, and what a reader found to be another blob's is gone.
    fn has(&self, id: Id, length: u64) -> Result<bool, Error> {
        let name = id.to_string();
        self.runtime.block_on(async {
            let found = self.small.entry(name.as_str()).await.map_err(engine)?;
            match found.filter(|entry| entry.operation == Operation::Put) {
                Some(entry) if Id::of(&entry.value) == id => {
                    return Ok(stored(&entry).saturating_add(YOUNG.as_millis() as u64 / 2) > wall());
                }
                Some(_) if length > SMALL => self.small.delete(name.as_str()).await.map_err(engine)?,
                Some(_) => return Ok(false),
                None if length <= SMALL => return Ok(false),
                None => {}
            }
            // What says of an object nothing that can be read is replaced, and so is one that is removed meanwhile.
            while let Some(meta) = self.meta(id).await? {
                if meta.info.deleted || u64::try_from(meta.info.size).ok() != Some(length) {
                    break;
                }
                let young = ObjectInfo { description: now(), ..meta.info.clone() };
                if self.swap_meta(id, &meta, &young).await? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Removes blobs that were stored before a moment, in milliseconds since 1970, but for those that are named; returns their number, and that of their bytes.
    pub(super) async fn remove_but(&self, named: &HashSet<Id>, moment: u64) -> Result<(u64, u64), Error> {
        let mut removed = (0, 0);
        let mut keys = self.small.keys().await.map_err(engine)?;
        while let Some(key) = answered(keys.next()).await? {
            let Some(id) = unnamed(&key.map_err(engine)?, named) else { continue };
            let entry = self.small.entry(id.to_string()).await.map_err(engine)?;
            let entry = entry.filter(|entry| entry.operation == Operation::Put && stored(entry) < moment);
            if let Some(entry) = entry
                && remove(&self.small, id, entry.revision).await?
            {
                removed = (removed.0 + 1, removed.1 + entry.value.len() as u64);
            }
        }
        let (there, shared) = self.objects().await?;
        for id in there.into_iter().filter(|id| !named.contains(id)) {
            // It may have been stored again since.
            let old = self.meta(id).await?.filter(|meta| !meta.info.deleted && meta.written < moment);
            if let Some(meta) = old
                && self.remove_object(id, &meta, &shared).await?
            {
                // Whoever wrote the entry said how long it is.
                removed = (removed.0 + 1, removed.1.saturating_add(meta.info.size as u64));
            }
        }
        Ok(removed)
    }

    /// The object of a blob. A link in its place is none of ours: the client follows it, and one that leads to itself until its stack is full.
    async fn object(&self, id: Id) -> Result<Object, Error> {
        let name = id.to_string();
        let info = self.objects.info(name.as_str()).await.map_err(|e| match e.kind() {
            InfoErrorKind::NotFound => Error::NoBlob(id),
            _ => engine(e),
        })?;
        if info.options.is_some_and(|options| options.link.is_some()) {
            return Err(Error::Blob(id));
        }
        self.objects.get(name).await.map_err(|e| match e.kind() {
            GetErrorKind::NotFound => Error::NoBlob(id),
            _ => engine(e),
        })
    }

    /// Brings a large blob into a local folder.
    fn fetch_object(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        let object = self.runtime.block_on(self.object(id))?;
        local.put_from(id, &mut Waiting { runtime: &self.runtime, object }).map_err(|e| match e {
            // The client has compared the object's own digest.
            Error::Io { source, .. } if source.kind() == ErrorKind::InvalidData => Error::Blob(id),
            e => e,
        })
    }
}

/// The blob of a name, if it is not one of those that are named.
fn unnamed(name: &str, named: &HashSet<Id>) -> Option<Id> {
    name.parse().ok().filter(|id| !named.contains(id))
}

/// When a value was stored, in milliseconds since 1970, by the server's clock.
fn stored(entry: &kv::Entry) -> u64 {
    millis(SystemTime::from(entry.created))
}

/// The description of an object that is stored now: earlier releases tell its age by it.
fn now() -> Option<String> {
    Some(wall().to_string())
}

/// An object as a source that is read by a thread that waits.
struct Waiting<'a> {
    runtime: &'a Runtime,
    object: Object,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.runtime.block_on(answered(self.object.read(buffer))).map_err(io::Error::other)?
    }
}

impl BlobStore for Store {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        if local.check(id).is_ok() {
            return Ok(());
        }
        if let Some(bytes) = self.runtime.block_on(self.small.get(id.to_string())).map_err(engine)? {
            return local.put_from(id, &mut &bytes[..]);
        }
        let met = self.runtime.block_on(self.meta(id))?;
        let fetched = self.fetch_object(id, local);
        if let (Err(Error::Blob(_)), Some(met)) = (&fetched, met) {
            // Nobody can use it, and it would be taken for the one that is stored in its place.
            let _ = self.runtime.block_on(self.remove_object(id, &met, &HashSet::new()));
        }
        fetched
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        let file = local.open(id)?;
        let length = file.metadata().map_err(Error::io("read", local.folder()))?.len();
        if self.has(id, length)? {
            return Ok(());
        }
        let name = id.to_string();
        if length <= SMALL {
            let bytes = local.read(id, SMALL)?;
            return self.runtime.block_on(self.small.put(name, bytes.into())).map(|_| ()).map_err(engine);
        }
        self.runtime.block_on(async {
            let mut file = tokio::fs::File::from_std(file);
            let name = ObjectMetadata { name, description: now(), ..ObjectMetadata::default() };
            self.objects.put(name, &mut file).await.map(|_| ()).map_err(engine)
        })
    }
}
