//! Messages of a queue: who they are given to, and how long they are left alone.

use super::stored::{Entry, envelope};
use super::{Nats, answered, engine};
use crate::clock::wall;
use crate::error::Error;
use crate::id::Id;
use crate::queue::Lease;
use crate::record::{Record, State, Token};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::RawMessageErrorKind;
use async_nats::jetstream::{AckKind, Context, ErrorCode, Message};
use futures_util::StreamExt;
use std::time::Duration;

/// Time that a job is left alone for which a worker has no memory left.
const PASS: Duration = Duration::from_secs(1);
/// Times that this time doubles for a job that is too large for the worker, that it does not understand, or whose record has no meaning.
const MAX_DOUBLINGS: i64 = 4;

/// Leaves a job alone that a worker can do nothing with, the longer the more often it was delivered. Servers deliver it before what is new: of many such
/// jobs nobody would see the end.
fn left_alone(deliveries: i64) -> AckKind {
    let doublings = deliveries.saturating_sub(1).clamp(0, MAX_DOUBLINGS);
    AckKind::Nak(Some(PASS * (1 << doublings)))
}

/// How a lease ends whose job waits again.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// It was lost before.
    Lost,
    /// By who held it.
    Held,
    /// By who held it and does not understand the job.
    NotUnderstood,
}

/// The error of a stream that is not there, if it is not.
pub(super) async fn gone(context: &Context, name: &str) -> Option<Error> {
    let kind = context.get_stream(name).await.err()?.kind();
    let is_gone =
        matches!(kind, GetStreamErrorKind::JetStream(e) if e.error_code() == ErrorCode::STREAM_NOT_FOUND);
    is_gone.then(|| Error::NoQueue(format!("the server's stream {name}").into()))
}

impl Nats {
    /// The next message; none if there is none.
    async fn message(&self) -> Result<Option<Message>, Error> {
        let waits = async {
            let mut batch = self.consumer.fetch().max_messages(1).messages().await.map_err(engine)?;
            batch.next().await.transpose().map_err(engine)
        };
        match answered(waits).await? {
            Err(Error::Engine(text)) => Err(gone(&self.context, &format!("fleet-{}-jobs", self.name))
                .await
                .unwrap_or(Error::Engine(text))),
            found => found,
        }
    }

    /// Claims the job of the next message for it; none if there is no message.
    pub(super) async fn next(
        &self,
        token: Token,
        worker: &str,
        memory: u64,
    ) -> Result<Option<Option<Lease>>, Error> {
        let Some(message) = self.message().await? else { return Ok(None) };
        let (sequence, nth) = message.info().map(|i| (i.stream_sequence, i.delivered)).map_err(engine)?;
        let Some(envelope) = envelope(&message.payload) else {
            return self.unread(&message, nth).await;
        };
        let id = envelope.job.id();
        // Nobody submits that under another job's subject, where nobody would find it again.
        if *message.subject != *self.subject(id) {
            return self.drop_message(&message).await;
        }
        let found = self.entry(id).await;
        if let Err(Error::Record { .. }) = found {
            // The job may be another release's: it stays.
            self.acknowledge(&message, left_alone(nth)).await?;
        }
        let (mut entry, revision) = match found? {
            Some((entry, revision)) => (entry, Some(revision)),
            // It was over, and removed with its messages while this one came.
            None if !self.is_there(sequence, id).await? => return self.drop_message(&message).await,
            None => (Entry { record: Record::new(envelope.job, envelope.terms, wall()), message: 0 }, None),
        };
        let before = entry.clone();
        if entry.record.state == State::Running {
            if entry.message != sequence && self.is_there(entry.message, id).await? {
                return self.drop_message(&message).await;
            }
            entry.record.lose(wall());
        }
        entry.record.expire(wall());
        let needs = entry.record.terms.memory;
        let declined = self.declined.has(id);
        let claimed = !declined && needs <= memory && entry.record.claim(token, worker, wall());
        if claimed {
            entry.message = sequence;
        }
        let changed = entry != before;
        if !self.write(id, &entry, (revision, changed)).await? {
            self.acknowledge(&message, AckKind::Nak(None)).await?;
        } else if claimed {
            let lease = Lease::of(id, token, &entry.record)?;
            self.held().insert(token, message);
            return Ok(Some(Some(lease)));
        } else if entry.record.state.is_open() {
            let for_long = self.is_too_large(id, needs) || declined;
            let delay = if for_long { left_alone(nth) } else { AckKind::Nak(Some(PASS)) };
            self.acknowledge(&message, delay).await?;
        } else {
            return self.drop_message(&message).await;
        }
        Ok(Some(None))
    }

    /// Writes a record in the place of its revision, or as the first one; returns false if another writer was faster.
    async fn write(
        &self,
        id: Id,
        entry: &Entry,
        (revision, changed): (Option<u64>, bool),
    ) -> Result<bool, Error> {
        match revision {
            Some(_) if !changed => Ok(true),
            Some(revision) => self.swap(id, entry, revision).await,
            None => self.create(id, entry).await,
        }
    }

    /// Leaves a message alone that says nothing here and that another release may have written about the job of its subject: one that is not over, or has a record
    /// that says nothing here either. A record comes after its message, later where the server has much to do; in 15 s there is none, and the message is dropped.
    async fn unread(&self, message: &Message, nth: i64) -> Result<Option<Option<Lease>>, Error> {
        let name = message.subject.rsplit('.').next().and_then(|name| name.parse().ok());
        let Some(id) = name.filter(|&id| *message.subject == *self.subject(id)) else {
            return self.drop_message(message).await;
        };
        let found = self.entry(id).await;
        let stays = match &found {
            Ok(Some((entry, _))) => {
                let mut record = entry.record.clone();
                record.expire(wall());
                record.state.is_open()
            }
            Ok(None) => nth <= MAX_DOUBLINGS,
            Err(e) => e.is_of_one_job(),
        };
        if stays {
            self.acknowledge(message, left_alone(nth)).await?;
            return found.map(|_| Some(None));
        }
        found?;
        self.drop_message(message).await
    }

    /// Whether a job takes more memory than any claim had; it is kept in mind then.
    fn is_too_large(&self, id: Id, needs: u64) -> bool {
        let mut largest = self.largest();
        let too_large = needs > largest.0;
        if too_large {
            largest.1 = Some((id, needs));
        }
        too_large
    }

    /// Ends a message that says nothing.
    async fn drop_message(&self, message: &Message) -> Result<Option<Option<Lease>>, Error> {
        message.double_ack().await.map_err(engine)?;
        Ok(Some(None))
    }

    pub(super) async fn acknowledge(&self, message: &Message, kind: AckKind) -> Result<(), Error> {
        message.ack_with(kind).await.map_err(engine)
    }

    /// Returns true if a message about a job is in the stream, so that it will be delivered again.
    async fn is_there(&self, sequence: u64, id: Id) -> Result<bool, Error> {
        // No message has this number, and servers refuse the question.
        if sequence == 0 {
            return Ok(false);
        }
        match self.stream.get_raw_message(sequence).await {
            Ok(found) => Ok(*found.subject == *self.subject(id)),
            Err(e) if e.kind() == RawMessageErrorKind::NoMessageFound => Ok(false),
            Err(e) => Err(engine(e)),
        }
    }

    /// The last message about a job that is in the stream.
    pub(super) async fn last(&self, id: Id) -> Result<Option<StreamMessage>, Error> {
        match self.stream.get_last_raw_message_by_subject(&self.subject(id)).await {
            Ok(message) => Ok(Some(message)),
            Err(e) if e.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
            Err(e) => Err(engine(e)),
        }
    }

    /// Returns true if any message about a job is in the stream.
    pub(super) async fn is_announced(&self, id: Id) -> Result<bool, Error> {
        Ok(self.last(id).await?.is_some())
    }

    /// Returns true if the last message about a job is one by which workers of this release take it.
    pub(super) async fn is_offered(&self, id: Id) -> Result<bool, Error> {
        let last = self.last(id).await?.and_then(|message| envelope(&message.payload));
        Ok(last.is_some_and(|envelope| envelope.job.id() == id))
    }

    /// Gives up the message of a lease whose record is gone or has no meaning: it is delivered again when the lease has run out.
    pub(super) fn kept<T>(&self, token: Token, changed: Result<T, Error>) -> Result<T, Error> {
        changed.inspect_err(|e| {
            if e.is_of_one_job() {
                self.held().remove(&token);
            }
        })
    }

    /// Ends the message of a lease that this process holds; of a job that waits again, gives it to the next if the lease was held to its end, after a while if it
    /// was not understood. Else somebody
    /// else has the message, or had it: given away once more, it would be taken for one whose worker was silent.
    pub(super) async fn release(&self, token: Token, state: State, end: End) -> Result<(), Error> {
        let Some(message) = self.held().remove(&token) else { return Ok(()) };
        match state {
            State::Running => Ok(()),
            State::Queued => match end {
                End::Lost => Ok(()),
                End::Held => self.acknowledge(&message, AckKind::Nak(None)).await,
                End::NotUnderstood => {
                    let nth = message.info().map_err(engine)?.delivered;
                    self.acknowledge(&message, left_alone(nth)).await
                }
            },
            _ => message.double_ack().await.map_err(engine),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_left_alone_longer_each_time() {
        let seconds = |deliveries| match left_alone(deliveries) {
            AckKind::Nak(Some(time)) => time.as_secs(),
            _ => unreachable!(),
        };
        assert_eq!([i64::MIN, 0, 1, 2, 3, 4, 5, 6, i64::MAX].map(seconds), [1, 1, 1, 2, 4, 8, 16, 16, 16]);
    }
}
