//! What every queue of jobs does, whatever engine holds it.

use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, Terms};
use crate::prune::{Before, Pruned};
use crate::record::{Beat, Completion, Fault, Record, State, Token};
use std::collections::BTreeMap;

/// A queue of jobs that any number of processes share. Laws (`tests/laws`, one battery for every engine):
///
/// 1. A job that `submit` returned is not lost before it is over and `prune` removes it, whichever process is killed afterwards; submitted again it is the same job, which waits anew if it has
///    failed, expired or was cancelled, and else stays as it is ([`Record::resubmit`]).
/// 2. One worker at a time holds a job's lease. A lease that gets no heartbeat for the queue's lease time is lost, and the job waits again
///    or has failed; an attempt counts from its claim.
/// 3. A job has one result: the first that is brought, by whoever was given the job. Later equal ones change nothing, another one is reported. A result
///    whose blob is lost is given up by `lose_result` alone.
/// 4. A worker without the lease ends no attempt of another one.
pub trait JobQueue: Send + Sync {
    /// Adds jobs, and returns what there is by their names, in their order.
    ///
    /// # Errors
    /// If a job or its terms are refused, then none is added; if the engine fails, when some may have been.
    fn submit(&self, jobs: &[(Job, Terms)]) -> Result<Vec<Submitted>, Error>;

    /// Takes the first waiting job that needs no more than `memory` bytes, and that this process has not given back a short time ago because it does not
    /// understand it ([`Fault::NotUnderstood`]); none if there is none.
    ///
    /// # Errors
    /// If the engine fails.
    fn claim(&self, worker: &str, memory: u64) -> Result<Option<Lease>, Error>;

    /// Says that the worker lives.
    ///
    /// # Errors
    /// [`Error::UnknownJob`]; if the engine fails.
    fn heartbeat(&self, lease: &Lease) -> Result<Beat, Error>;

    /// Stores a job's result, a blob that is in the store already.
    ///
    /// # Errors
    /// [`Error::UnknownJob`]; if the engine fails.
    fn complete(&self, lease: &Lease, result: Id) -> Result<Completion, Error>;

    /// Ends an attempt without a result; returns the job's state.
    ///
    /// # Errors
    /// [`Error::UnknownJob`]; if the engine fails.
    fn fail(&self, lease: &Lease, fault: &Fault) -> Result<State, Error>;

    /// Cancels a job that waits or runs; returns the job's state.
    ///
    /// # Errors
    /// [`Error::UnknownJob`]; if the engine fails.
    fn cancel(&self, id: Id) -> Result<State, Error>;

    /// Gives up a job's result, a blob that is gone or damaged, so that the job can be submitted again ([`Record::lose_result`]); returns the job's state.
    ///
    /// # Errors
    /// [`Error::UnknownJob`]; if the engine fails.
    fn lose_result(&self, id: Id, result: Id) -> Result<State, Error>;

    /// What the queue knows of a job; none if it is no job of this queue.
    ///
    /// # Errors
    /// If the engine fails.
    fn status(&self, id: Id) -> Result<Option<Record>, Error>;

    /// Counts all jobs by state, and returns up to `limit` of those in a state, in no order that means anything. Time is proportional to all jobs.
    ///
    /// # Errors
    /// If the engine fails.
    fn list(&self, state: Option<State>, limit: usize) -> Result<Listing, Error>;

    /// True if a job runs anywhere, or waits that needs no more than `memory` bytes and that a claim with them may have missed: a worker that waits for it to
    /// come back asks again and again. Jobs that this process leaves alone because it does not understand them are none of these.
    ///
    /// # Errors
    /// If the engine fails.
    fn any_to_come(&self, memory: u64) -> Result<bool, Error>;

    /// A job that waits and needs more than `memory` bytes, with what it needs, if one is known.
    ///
    /// # Errors
    /// If the engine fails.
    fn too_large(&self, memory: u64) -> Result<Option<(Id, u64)>, Error>;

    /// Removes jobs that were over before a moment, and blobs that no job names any more.
    ///
    /// # Errors
    /// If the engine fails, when some may be removed.
    fn prune(&self, before: Before) -> Result<Pruned, Error>;
}

/// A job that was submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its name.
    pub id: Id,
    /// Whether it was not in the queue before.
    pub new: bool,
    /// Whether it was over without a result, and waits anew.
    pub resubmitted: bool,
    /// Its state.
    pub state: State,
}

/// A job that a worker was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The job's name.
    pub id: Id,
    /// The lease.
    pub token: Token,
    /// The job.
    pub job: Job,
    /// Its terms.
    pub terms: Terms,
    /// The number of this attempt, from 1.
    pub attempt: u32,
}

impl Lease {
    /// The lease that the record of a name was just claimed by.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the job in it has another name, or is none that a queue takes: its result would be another job's.
    pub(crate) fn of(id: Id, token: Token, record: &Record) -> Result<Self, Error> {
        if record.job.id() != id || record.job.check().is_err() {
            return Err(Error::Damaged(format!("the record of the job {id} has another job in it")));
        }
        let (job, terms) = (record.job.clone(), record.terms.clone());
        Ok(Self { id, token, job, terms, attempt: record.attempts })
    }
}

/// Jobs of a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The number of jobs in each state that has any.
    pub counts: BTreeMap<State, u64>,
    /// Some of them.
    pub jobs: Vec<(Id, Record)>,
    /// The number of those that wait for a worker that understands them ([`Record::not_understood`]), and why one of them does.
    pub not_understood: (u64, Option<String>),
    /// Entries beside them that are no record of a job: somebody else's, on a server.
    pub foreign: u64,
}

impl Listing {
    /// The number of jobs in a state.
    #[must_use]
    pub fn count(&self, state: State) -> u64 {
        self.counts.get(&state).copied().unwrap_or(0)
    }

    /// The number of all jobs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The number of jobs that neither wait nor run.
    #[must_use]
    pub fn over(&self) -> u64 {
        State::ALL.into_iter().filter(|state| !state.is_open()).map(|state| self.count(state)).sum()
    }

    /// Counts a job, and keeps it if it is one that was asked for and there are fewer than `limit`.
    pub(crate) fn add(&mut self, id: Id, record: Record, limit: Option<usize>) {
        *self.counts.entry(record.state).or_default() += 1;
        if let Some(why) = record.not_understood() {
            self.not_understood.0 += 1;
            self.not_understood.1.get_or_insert_with(|| why.to_owned());
        }
        if limit.is_some_and(|limit| self.jobs.len() < limit) {
            self.jobs.push((id, record));
        }
    }
}

/// A new random number for a lease.
pub(crate) fn token() -> Result<Token, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| Error::Engine(format!("no random number: {e}")))?;
    Ok(Token::from_le_bytes(bytes))
}
