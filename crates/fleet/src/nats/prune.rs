//! Removal from a server: of messages, then of the record, unless it changed meanwhile, and of blobs.

use super::stored::{META, named};
use super::{Nats, answered, engine};
use crate::clock::wall;
use crate::error::Error;
use crate::id::Id;
use crate::prune::{Before, Pruned};
use crate::queue::Listing;
use crate::record::Record;
use async_nats::jetstream::kv::{self, Operation, PurgeErrorKind};
use futures_util::StreamExt;
use std::collections::HashSet;

impl Nats {
    /// All jobs counted, and up to `limit` of those that are wanted.
    pub(super) async fn listed(
        &self,
        mut wanted: impl FnMut(&Record) -> bool,
        limit: usize,
    ) -> Result<Listing, Error> {
        let mut listing = Listing::default();
        let mut watch = self.records.watch_with_history(">").await.map_err(engine)?;
        // There is an entry at least, that of the version.
        while let Some(found) = answered(watch.next()).await? {
            let found = found.map_err(engine)?;
            if found.key != META && found.operation == Operation::Put {
                match named(&found.key, &found.value) {
                    Some((id, mut entry)) => {
                        entry.record.expire(wall());
                        let wanted = wanted(&entry.record);
                        listing.add(id, entry.record, wanted.then_some(limit));
                    }
                    None => listing.foreign += 1,
                }
            }
            if found.delta == 0 {
                break;
            }
        }
        Ok(listing)
    }

    pub(super) async fn pruned(&self, before: Before) -> Result<Pruned, Error> {
        let (mut over, mut names) = (Vec::new(), HashSet::new());
        let sorts = |record: &Record| {
            if record.ended_before(before.jobs) {
                over.push((record.job.id(), record.blobs().collect::<Vec<_>>()));
            } else {
                names.extend(record.blobs());
            }
            false
        };
        let foreign = self.listed(sorts, 0).await?.foreign;
        let mut pruned = Pruned { foreign, ..Pruned::default() };
        for (id, blobs) in over {
            if self.forget(id, before.jobs).await? {
                pruned.jobs += 1;
            } else {
                names.extend(blobs);
            }
        }
        if foreign == 0 {
            let store = super::Store::open(self.runtime.clone(), &self.context, &self.name).await?;
            (pruned.blobs, pruned.bytes) = store.remove_but(&names, before.blobs).await?;
        }
        Ok(pruned)
    }

    /// Removes a job that was over before a moment; returns false if it is no such job any more.
    async fn forget(&self, id: Id, moment: u64) -> Result<bool, Error> {
        // The message of a job that is submitted again comes after its record, and so after this one.
        let last = self.last(id).await?.map(|message| message.sequence);
        let (record, revision) = match self.entry(id).await {
            Ok(Some((entry, revision))) => (entry.record, revision),
            Ok(None) => return Ok(false),
            Err(e) if e.is_of_one_job() => return Ok(false),
            Err(e) => return Err(e),
        };
        if !record.ended_before(moment) {
            return Ok(false);
        }
        // Without a record, a message would be a new job.
        if let Some(last) = last {
            let purge = self.stream.purge().filter(self.subject(id)).sequence(last + 1);
            purge.await.map_err(engine)?;
        }
        remove(&self.records, id, revision).await
    }
}

/// Removes what a bucket has under a name, if it has this revision still, without a trace.
pub(super) async fn remove(bucket: &kv::Store, id: Id, revision: u64) -> Result<bool, Error> {
    let name = id.to_string();
    match bucket.purge_expect_revision(&name, Some(revision)).await {
        Ok(()) => {}
        Err(e) if e.kind() == PurgeErrorKind::WrongLastRevision => return Ok(false),
        Err(e) => return Err(engine(e)),
    }
    // A mark is left, which every look at the bucket would be told of.
    let mark = bucket.entry(&name).await.map_err(engine)?.filter(|entry| entry.operation != Operation::Put);
    if let Some(mark) = mark {
        let purge = bucket.stream.purge().filter(format!("{}{name}", bucket.prefix));
        purge.sequence(mark.revision + 1).await.map_err(engine)?;
    }
    Ok(true)
}
