//! The records and messages of a queue, as the server stores them.

use super::engine;
use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, Terms, bounded};
use crate::record::{Record, State};
use async_nats::jetstream::kv::{self, CreateErrorKind};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of streams and buckets.
const VERSION: u64 = 1;
/// The key of the bucket that holds version and lease.
pub(super) const META: &str = "meta";

/// The lease of a queue whose submitter was killed before it said one.
const LEASE: Duration = Duration::from_secs(60);
/// Bytes of a text that says what is wrong with a record, at most.
const MAX_WHY: usize = 200;

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
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub record: Record,
    pub message: u64,
}

/// The lease of the queue, which is made if it is new.
pub(super) async fn meta(records: &kv::Store, lease: Option<Duration>) -> Result<Duration, Error> {
    let lease = lease.unwrap_or(LEASE);
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

fn decode<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|e| Error::Damaged(format!("its version: {e}")))
}

/// The record of a job, if it is one that a queue writes under this name.
pub(super) fn entry(id: Id, bytes: &[u8]) -> Result<Entry, Error> {
    let refused = |why: String| Error::Record { id, why: bounded(&why, MAX_WHY) };
    let entry: Entry = serde_json::from_slice(bytes).map_err(|e| refused(e.to_string()))?;
    let Record { job, terms, state, result, .. } = &entry.record;
    if job.id() != id {
        return Err(refused("it is of another job".into()));
    }
    // Done without a result, it would never be made; with one, a job that runs would never be done.
    if (*state == State::Done) != result.is_some() {
        return Err(refused("a job has a result if it is done, and else none".into()));
    }
    job.check().and_then(|()| terms.check()).map_err(|e| refused(e.to_string()))?;
    Ok(entry)
}

/// The record under a key of the bucket, with its job; none if it is no record that a queue writes there.
pub(super) fn named(key: &str, bytes: &[u8]) -> Option<(Id, Entry)> {
    let id = key.parse().ok()?;
    Some((id, entry(id, bytes).ok()?))
}

/// A job that a queue would take.
pub(super) fn envelope(bytes: &[u8]) -> Option<Envelope> {
    let envelope: Envelope = serde_json::from_slice(bytes).ok()?;
    (envelope.job.check().is_ok() && envelope.terms.check().is_ok()).then_some(envelope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record that another one wrote, or another program, is an error about its job alone.
    #[test]
    fn foreign_records_are_errors_about_one_job() {
        let job = Job { kind: "a".into(), payload: "p".into(), inputs: Vec::new() };
        let record = |job: &Job, terms: Terms| {
            encode(&Entry { record: Record::new(job.clone(), terms, 1), message: 2 })
        };
        let (id, good) = (job.id(), record(&job, Terms::default()));
        assert_eq!(entry(id, &good).unwrap().record.job, job);
        let other = Job { payload: "q".into(), ..job.clone() };
        let hostile = Job { kind: "../a".into(), ..job.clone() };
        let made = |state: State, result: Option<Id>| {
            let record = Record { state, result, ..Record::new(job.clone(), Terms::default(), 1) };
            encode(&Entry { record, message: 2 })
        };
        assert!(entry(id, &made(State::Done, Some(id))).is_ok());
        let endless = Terms { max_attempts: u32::MAX, ..Terms::default() };
        let more = String::from_utf8(good.clone()).unwrap().replacen('{', "{\"more\":1,", 1);
        let cases = [
            (id, b"not \x1b[31m json".to_vec()),
            (id, vec![b'['; 100_000]),
            (id, good[..good.len() - 1].to_vec()),
            (id, more.into_bytes()),
            (id, record(&other, Terms::default())),
            (hostile.id(), record(&hostile, Terms::default())),
            (id, record(&job, endless)),
            (id, made(State::Done, None)),
            (id, made(State::Queued, Some(id))),
            (id, made(State::Running, Some(id))),
        ];
        for (id, bytes) in cases {
            let refused = entry(id, &bytes).unwrap_err();
            assert!(refused.is_of_one_job() && !refused.is_passing(), "{refused}");
            assert!(refused.to_string().len() < 400 && !refused.to_string().contains('\u{1b}'), "{refused}");
            assert!(envelope(&bytes).is_none(), "no message of a queue either");
        }
    }
}
