//! The records and messages of a queue, as the server stores them.

use super::engine;
use crate::error::Error;
use crate::job::{Job, Terms};
use crate::record::Record;
use async_nats::jetstream::kv::{self, CreateErrorKind};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of streams and buckets.
const VERSION: u64 = 1;
/// The key of the bucket that holds version and lease.
pub(super) const META: &str = "meta";

#[derive(Deserialize, Serialize)]
struct Meta {
    version: u64,
    lease: u64,
}

/// The content of a message.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Envelope {
    pub job: Job,
    pub terms: Terms,
}

/// A record, and the message under which it was claimed last: one that is delivered beside it is a double.
#[derive(Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub record: Record,
    pub message: u64,
}

/// The lease of the queue, which is made if it is new.
pub(super) async fn meta(records: &kv::Store, lease: Duration) -> Result<Duration, Error> {
    let new = Meta { version: VERSION, lease: u64::try_from(lease.as_millis()).unwrap_or(u64::MAX) };
    if let Err(e) = records.create(META, encode(&new).into()).await
        && e.kind() != CreateErrorKind::AlreadyExists
    {
        return Err(engine(e));
    }
    let found = records.get(META).await.map_err(engine)?;
    let found: Meta = decode(&found.ok_or_else(|| Error::Damaged("it has no version".into()))?)?;
    match found.version {
        VERSION => Ok(Duration::from_millis(found.lease)),
        found => Err(Error::Version { found, expected: VERSION }),
    }
}

pub(super) fn encode(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

pub(super) fn decode<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|e| Error::Damaged(format!("a record: {e}")))
}

/// A job that a queue would take.
pub(super) fn envelope(bytes: &[u8]) -> Option<Envelope> {
    let envelope: Envelope = serde_json::from_slice(bytes).ok()?;
    (envelope.job.check().is_ok() && envelope.terms.check().is_ok()).then_some(envelope)
}
