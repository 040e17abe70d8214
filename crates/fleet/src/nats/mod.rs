//! Queues on a NATS server with JetStream, for workers on several machines.
//!
//! ```text
//! stream  fleet-NAME-jobs      a message for each job that is not over, with the job in it; a work queue with one consumer, whose `ack_wait` is the lease
//! bucket  fleet-NAME-records   the record by the job's name, changed by compare-and-swap: what holds, whatever is delivered how often
//! bucket  fleet-NAME-small, objects fleet-NAME-blobs     data and results by their digest
//! ```
//! A message that is delivered again says that its worker was silent; one that nobody acknowledged says that there is work. All else is in the record,
//! so that a message too many costs a delivery and nothing more.

mod claim;
mod look;
mod objects;
mod prune;
mod store;
mod stored;

pub use look::Look;
pub use store::Store;

use crate::clock::wall;
use crate::declined::Declined;
use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, Terms};
use crate::prune::{Before, Pruned};
use crate::queue::{JobQueue, Lease, Listing, Submitted, token};
use crate::record::{Beat, Completion, Fault, Record, State, Token};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::kv::{self, CreateErrorKind, Operation, UpdateErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, RetentionPolicy, Stream};
use async_nats::jetstream::{self, AckKind, Message};
use claim::{End, gone};
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use stored::{Entry, Envelope, encode, entry, meta};
use tokio::runtime::Runtime;

/// Time without a word of the server after which it counts as gone.
const SILENCE: Duration = Duration::from_secs(30);
/// Messages that a claim looks at.
const LOOKS: usize = 256;
/// Jobs that wait, or run, of which one is looked for that will be delivered.
const MAX_ASKED: usize = 64;

/// The queue of a name on a server.
pub struct Nats {
    runtime: Arc<Runtime>,
    context: jetstream::Context,
    name: String,
    stream: Stream,
    consumer: Consumer<pull::Config>,
    records: kv::Store,
    lease: Duration,
    /// Messages of the leases that this process holds.
    held: Mutex<HashMap<Token, Message>>,
    /// The most memory that a claim had, and a job that takes more.
    largest: Mutex<(u64, Option<(Id, u64)>)>,
    /// Jobs that this process does not understand.
    declined: Declined,
}

/// An error of the server or the way to it.
pub(super) fn engine(e: impl Display) -> Error {
    Error::Engine(e.to_string())
}

/// What a server sends, if it does not fall silent: of a stream the client itself would wait for ever.
pub(super) async fn answered<T>(waits: impl Future<Output = T>) -> Result<T, Error> {
    let silent = |_| Error::Engine(format!("the server has sent nothing for {} s", SILENCE.as_secs()));
    tokio::time::timeout(SILENCE, waits).await.map_err(silent)
}

impl Nats {
    /// Connects to a server, such as `nats://127.0.0.1:4222`, and to a queue there, which is made with leases of this length if there is none of the name: up to
    /// 32 lowercase letters, digits and `-`.
    ///
    /// # Errors
    /// [`Error::Version`]; if there is no server or it has no JetStream, or the name is none.
    pub fn connect(server: &str, name: &str, lease: Duration) -> Result<Self, Error> {
        Self::on(server, name, Some(lease))
    }

    /// Connects to a server and to a queue that is there: who works or looks makes none, whose leases would be of another length than the submitter's.
    ///
    /// # Errors
    /// [`Error::NoQueue`]; as [`Self::connect`].
    pub fn open(server: &str, name: &str) -> Result<Self, Error> {
        Self::on(server, name, None)
    }

    fn on(server: &str, name: &str, lease: Option<Duration>) -> Result<Self, Error> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || name.len() > 32 || !name.chars().all(plain) {
            return Err(Error::Engine(
                "a queue's name has up to 32 lowercase letters, digits and `-`".into(),
            ));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = Arc::new(runtime.map_err(engine)?);
        let on = Arc::clone(&runtime);
        on.block_on(Self::begin(runtime, server, name, lease))
    }

    async fn begin(
        runtime: Arc<Runtime>,
        server: &str,
        name: &str,
        lease: Option<Duration>,
    ) -> Result<Self, Error> {
        let client = async_nats::connect(server).await.map_err(engine)?;
        let context = jetstream::new(client);
        let bucket = format!("fleet-{name}-records");
        if lease.is_none()
            && let Some(none) = gone(&context, &format!("KV_{bucket}")).await
        {
            return Err(none);
        }
        let config = kv::Config { bucket, history: 1, ..kv::Config::default() };
        let records = context.create_key_value(config).await.map_err(engine)?;
        let lease = meta(&records, lease).await?;
        let config = stream::Config {
            name: format!("fleet-{name}-jobs"),
            subjects: vec![format!("fleet.{name}.job.*")],
            retention: RetentionPolicy::WorkQueue,
            ..stream::Config::default()
        };
        let stream = context.get_or_create_stream(config).await.map_err(engine)?;
        let config = pull::Config {
            durable_name: Some("workers".into()),
            ack_wait: lease,
            max_deliver: -1,
            max_ack_pending: 1_000_000,
            ..pull::Config::default()
        };
        let consumer = stream.get_or_create_consumer("workers", config).await.map_err(engine)?;
        let (held, largest, declined) = (Mutex::default(), Mutex::default(), Declined::default());
        let name = name.to_owned();
        Ok(Self { runtime, context, name, stream, consumer, records, lease, held, largest, declined })
    }

    /// The time without a heartbeat after which a lease is lost.
    #[must_use]
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// The blobs of the queue.
    ///
    /// # Errors
    /// If the server fails.
    pub fn store(&self) -> Result<Store, Error> {
        self.runtime.block_on(Store::open(Arc::clone(&self.runtime), &self.context, &self.name))
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<Token, Message>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn largest(&self) -> std::sync::MutexGuard<'_, (u64, Option<(Id, u64)>)> {
        self.largest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A record with its revision.
    async fn entry(&self, id: Id) -> Result<Option<(Entry, u64)>, Error> {
        let found = self.records.entry(id.to_string()).await.map_err(engine)?;
        let found = found.filter(|entry| entry.operation == Operation::Put);
        found.map(|found| Ok((entry(id, &found.value)?, found.revision))).transpose()
    }

    /// Changes a record that may change meanwhile: then again, from what there is.
    async fn update<T>(&self, id: Id, mut change: impl FnMut(&mut Record, u64) -> T) -> Result<T, Error> {
        loop {
            let (before, revision) = self.entry(id).await?.ok_or(Error::UnknownJob(id))?;
            let mut entry = before.clone();
            let result = change(&mut entry.record, wall());
            if entry == before || self.swap(id, &entry, revision).await? {
                return Ok(result);
            }
        }
    }

    /// Writes a record if it has this revision still.
    async fn swap(&self, id: Id, entry: &Entry, revision: u64) -> Result<bool, Error> {
        match self.records.update(id.to_string(), encode(entry).into(), revision).await {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == UpdateErrorKind::WrongLastRevision => Ok(false),
            Err(e) => Err(engine(e)),
        }
    }

    /// Writes a record if there is none.
    async fn create(&self, id: Id, entry: &Entry) -> Result<bool, Error> {
        match self.records.create(id.to_string(), encode(entry).into()).await {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == CreateErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(engine(e)),
        }
    }

    async fn submit_one(&self, job: &Job, terms: &Terms) -> Result<Submitted, Error> {
        let id = job.id();
        let envelope = Envelope { job: job.clone(), terms: terms.clone() };
        while self.entry(id).await?.is_some() {
            let change = |record: &mut Record, now| {
                let resubmitted = record.resubmit(terms, now);
                (resubmitted, record.state, record.submitted, record.changed)
            };
            let (resubmitted, state, submitted, changed) = match self.update(id, change).await {
                // It was over, and is removed meanwhile: it is a new one then.
                Err(Error::UnknownJob(_)) => continue,
                updated => updated?,
            };
            // Who was killed between record and message submits again; a message that is there already is dropped by its id, or costs a delivery.
            if state == State::Queued && changed != submitted {
                self.publish(id, format!("{id}-{changed}"), &envelope).await?;
            } else if state.is_open() && !self.is_offered(id).await? {
                // Its message was removed, with the stream, say, or is another release's: nobody would take it, or take it back.
                self.publish(id, format!("{id}-{}", wall()), &envelope).await?;
            }
            return Ok(Submitted { id, new: false, resubmitted, state });
        }
        // The message comes first: a record without one would wait for ever, as would one whose message was a double of one that is gone.
        self.publish(id, format!("{id}-{}", wall()), &envelope).await?;
        let entry = Entry { record: Record::new(job.clone(), terms.clone(), wall()), message: 0 };
        let new = self.create(id, &entry).await?;
        Ok(Submitted { id, new, resubmitted: false, state: State::Queued })
    }

    /// The subject of the messages about a job.
    fn subject(&self, id: Id) -> String {
        format!("fleet.{}.job.{id}", self.name)
    }

    /// Says that there is work.
    async fn publish(&self, id: Id, message: String, envelope: &Envelope) -> Result<(), Error> {
        let message = PublishMessage::build().message_id(message).payload(encode(envelope).into());
        let sent = self.context.send_publish(self.subject(id), message).await.map_err(engine)?;
        sent.await.map(drop).map_err(engine)
    }
}

impl JobQueue for Nats {
    fn submit(&self, jobs: &[(Job, Terms)]) -> Result<Vec<Submitted>, Error> {
        for (job, terms) in jobs {
            job.check().and_then(|()| terms.check())?;
        }
        self.runtime.block_on(async {
            let mut submitted = Vec::new();
            for (job, terms) in jobs {
                submitted.push(self.submit_one(job, terms).await?);
            }
            Ok(submitted)
        })
    }

    fn claim(&self, worker: &str, memory: u64) -> Result<Option<Lease>, Error> {
        {
            let mut largest = self.largest();
            largest.0 = largest.0.max(memory);
        }
        self.runtime.block_on(async {
            for _ in 0..LOOKS {
                match self.next(token()?, worker, memory).await? {
                    None => return Ok(None),
                    Some(Some(lease)) => return Ok(Some(lease)),
                    Some(None) => {}
                }
            }
            Ok(None)
        })
    }

    fn heartbeat(&self, lease: &Lease) -> Result<Beat, Error> {
        self.runtime.block_on(async {
            let beat = self.update(lease.id, |record, now| {
                record.expire(now);
                record.beat(lease.token)
            });
            let beat = beat.await?;
            let message = self.held().get(&lease.token).cloned();
            if let (Beat::Held, Some(message)) = (beat, message) {
                self.acknowledge(&message, AckKind::Progress).await?;
            }
            Ok(beat)
        })
    }

    fn complete(&self, lease: &Lease, result: Id) -> Result<Completion, Error> {
        self.runtime.block_on(async {
            let completion = self.update(lease.id, |record, now| record.complete(result, now)).await;
            let completion = self.kept(lease.token, completion)?;
            self.release(lease.token, State::Done, End::Held).await?;
            Ok(completion)
        })
    }

    fn fail(&self, lease: &Lease, fault: &Fault) -> Result<State, Error> {
        self.runtime.block_on(async {
            let ended = self.update(lease.id, |record, now| {
                let held = record.beat(lease.token) == Beat::Held;
                record.fail(lease.token, fault, now);
                (record.state, held)
            });
            let (state, held) = self.kept(lease.token, ended.await)?;
            let end = match fault {
                _ if !held => End::Lost,
                Fault::NotUnderstood(_) => {
                    self.declined.add(lease.id);
                    End::NotUnderstood
                }
                _ => End::Held,
            };
            self.release(lease.token, state, end).await?;
            Ok(state)
        })
    }

    fn cancel(&self, id: Id) -> Result<State, Error> {
        self.runtime.block_on(self.update(id, |record, now| {
            record.cancel(now);
            record.state
        }))
    }

    fn lose_result(&self, id: Id, result: Id) -> Result<State, Error> {
        self.runtime.block_on(self.update(id, |record, now| {
            record.lose_result(result, now);
            record.state
        }))
    }

    fn status(&self, id: Id) -> Result<Option<Record>, Error> {
        let entry = self.runtime.block_on(self.entry(id))?;
        Ok(entry.map(|(mut entry, _)| {
            entry.record.expire(wall());
            entry.record
        }))
    }

    fn list(&self, state: Option<State>, limit: usize) -> Result<Listing, Error> {
        self.runtime.block_on(self.listed(|record| state.is_none_or(|state| state == record.state), limit))
    }

    fn any_to_come(&self, memory: u64) -> Result<bool, Error> {
        self.runtime.block_on(async {
            let mut running = Vec::new();
            // What was left alone by whoever had no room for it is delivered later.
            let waits = |record: &Record| {
                if record.state == State::Running && running.len() <= MAX_ASKED {
                    running.push(record.job.id());
                }
                let is_other_s = || self.declined.has(record.job.id());
                record.state == State::Queued && record.terms.memory <= memory && !is_other_s()
            };
            let waiting = self.listed(waits, MAX_ASKED).await?.jobs;
            if running.len() > MAX_ASKED {
                return Ok(true);
            }
            // One without a message is given to nobody, nor taken back from who was killed.
            for id in running.into_iter().chain(waiting.into_iter().map(|(id, _)| id)) {
                if self.is_announced(id).await? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    fn too_large(&self, memory: u64) -> Result<Option<(Id, u64)>, Error> {
        Ok(self.largest().1.filter(|&(_, needs)| needs > memory))
    }

    fn prune(&self, before: Before) -> Result<Pruned, Error> {
        self.runtime.block_on(self.pruned(before))
    }
}
