//! A job's record and its states: what both engines store, and all that changes it.
//!
//! ```text
//!            claim                     complete
//!  Queued ──────────► Running ──────────────────────────► Done
//!    ▲                 │ │ │       (late ones too: of a job whose lease was lost, or which has failed)
//!    └─ lease lost ────┘ │ └─ attempts used up, or an error that no other attempt would change ─► Failed
//!       or handed back   └─ deadline ─► Expired      cancel ─► Cancelled
//! ```
//! `Done` is final, unless the blob of its result is lost ([`Record::lose_result`]): then it has failed. A job that has failed becomes done by a valid result, which a slow worker may still bring. One that has failed, expired or was
//! cancelled waits anew when it is submitted again ([`Record::resubmit`]).

use crate::id::Id;
use crate::job::{Job, Terms, bounded};
use serde::{Deserialize, Serialize};

/// Bytes of an error text that are kept.
pub const MAX_ERROR: usize = 1024;
/// The start of the error of a job that no worker has understood yet.
const NOT_UNDERSTOOD: &str = "no worker here understands it: ";
/// Bytes of a worker's name that are kept.
const MAX_WORKER: usize = 64;

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It waits for a worker.
    Queued,
    /// A worker holds its lease.
    Running,
    /// Its result is stored.
    Done,
    /// Its attempts are used up, or no attempt can succeed.
    Failed,
    /// Its deadline has passed.
    Expired,
    /// Somebody cancelled it.
    Cancelled,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Expired, Self::Cancelled];

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns true for a state in which a job waits or runs.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// The random number of a lease: workers that share a name share no lease.
pub type Token = u128;

/// Who runs a job.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Holder {
    /// The lease.
    pub token: Token,
    /// The worker's name, for people.
    pub worker: String,
}

/// What a queue knows of a job.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The job.
    pub job: Job,
    /// Its terms.
    pub terms: Terms,
    /// Its state.
    pub state: State,
    /// Attempts that were begun, but for those that were handed back.
    pub attempts: u32,
    /// Who runs it, while it is running.
    pub holder: Option<Holder>,
    /// The last error, at most [`MAX_ERROR`] bytes; of a job that waits for a worker that understands it, why others gave it back
    /// ([`Record::not_understood`]), in a text that earlier releases show as well.
    pub error: Option<String>,
    /// The blob of the result that holds: the first.
    pub result: Option<Id>,
    /// A blob that another worker brought as the result and that is another one.
    pub conflict: Option<Id>,
    /// When it was submitted, in milliseconds since 1970.
    pub submitted: u64,
    /// When its state changed last.
    pub changed: u64,
}

/// Why a worker gives a job up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another attempt may succeed.
    Retry(String),
    /// No attempt can succeed: the job itself is wrong.
    Permanent(String),
    /// The worker ends. The attempt does not count.
    HandBack,
    /// The worker's release or build does not understand the job, for this reason. The attempt does not count, and the job waits for another one.
    NotUnderstood(String),
}

/// What became of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// It is the job's result.
    First,
    /// The job has this result already.
    Repeated,
    /// The job has another result, which stays; this one is kept as [`Record::conflict`].
    Conflict {
        /// The result that stays.
        kept: Id,
    },
    /// The job was cancelled, or its deadline has passed: nobody wants the result.
    Closed(State),
}

/// What a lease is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// It holds on.
    Held,
    /// It ran out, and the job waits or runs elsewhere. A result is still welcome.
    Lost,
    /// The job is over: no result is needed.
    Closed(State),
}

impl Record {
    /// A job that waits.
    #[must_use]
    pub fn new(job: Job, terms: Terms, now: u64) -> Self {
        Self {
            job,
            terms,
            state: State::Queued,
            attempts: 0,
            holder: None,
            error: None,
            result: None,
            conflict: None,
            submitted: now,
            changed: now,
        }
    }

    /// Submits the job again. One that has failed, expired or was cancelled waits anew, by these terms and with all their attempts: returns true. One
    /// that waits, runs or is done stays as it is, by the terms that it has.
    pub fn resubmit(&mut self, terms: &Terms, now: u64) -> bool {
        self.expire(now);
        let over = matches!(self.state, State::Failed | State::Expired | State::Cancelled);
        if over {
            self.terms = terms.clone();
            self.attempts = 0;
            self.error = None;
            self.enter(State::Queued, now);
        }
        over
    }

    fn enter(&mut self, state: State, now: u64) {
        self.state = state;
        self.holder = None;
        self.changed = now;
    }

    fn set_error(&mut self, error: &str) {
        self.error = Some(bounded(error, MAX_ERROR));
    }

    /// Ends an open job whose deadline has passed; returns true if it did.
    pub fn expire(&mut self, now: u64) -> bool {
        let due = self.state.is_open() && self.terms.deadline.is_some_and(|deadline| deadline < now);
        if due {
            self.enter(State::Expired, now);
        }
        due
    }

    /// Gives a waiting job to a worker; returns false if it does not wait.
    pub fn claim(&mut self, token: Token, worker: &str, now: u64) -> bool {
        if self.expire(now) || self.state != State::Queued {
            return false;
        }
        if self.not_understood().is_some() {
            self.error = None;
        }
        self.enter(State::Running, now);
        self.attempts = self.attempts.saturating_add(1);
        self.holder = Some(Holder { token, worker: bounded(worker, MAX_WORKER) });
        true
    }

    /// Takes a running job from a worker whose lease ran out: it waits again, or has failed if its attempts are used up.
    pub fn lose(&mut self, now: u64) {
        if self.expire(now) || self.state != State::Running {
            return;
        }
        let worker = self.holder.as_ref().map_or_else(String::new, |holder| holder.worker.clone());
        self.set_error(&format!("the lease of worker {worker} ran out in attempt {}", self.attempts));
        self.again(now);
    }

    /// Waits for another attempt, or has failed if there is none left.
    fn again(&mut self, now: u64) {
        let left = self.attempts < self.terms.max_attempts;
        self.enter(if left { State::Queued } else { State::Failed }, now);
    }

    /// What the lease with a token is worth.
    #[must_use]
    pub fn beat(&self, token: Token) -> Beat {
        match self.state {
            State::Running if self.is_held_by(token) => Beat::Held,
            State::Running | State::Queued | State::Failed => Beat::Lost,
            closed => Beat::Closed(closed),
        }
    }

    fn is_held_by(&self, token: Token) -> bool {
        self.holder.as_ref().is_some_and(|holder| holder.token == token)
    }

    /// Stores a result, whoever brings it.
    pub fn complete(&mut self, result: Id, now: u64) -> Completion {
        self.expire(now);
        match (self.state, self.result) {
            (State::Expired | State::Cancelled, _) => Completion::Closed(self.state),
            (_, Some(kept)) if kept == result => Completion::Repeated,
            (_, Some(kept)) => {
                self.conflict.get_or_insert(result);
                Completion::Conflict { kept }
            }
            (_, None) => {
                self.result = Some(result);
                self.error = None;
                self.enter(State::Done, now);
                Completion::First
            }
        }
    }

    /// Ends an attempt without a result. A worker whose lease was lost changes nothing.
    pub fn fail(&mut self, token: Token, fault: &Fault, now: u64) {
        if self.state != State::Running || !self.is_held_by(token) {
            return;
        }
        let is_late = self.expire(now);
        if let Fault::NotUnderstood(why) = fault {
            self.set_error(&format!("{NOT_UNDERSTOOD}{why}"));
        }
        if is_late {
            return;
        }
        match fault {
            Fault::HandBack | Fault::NotUnderstood(_) => {
                self.attempts = self.attempts.saturating_sub(1);
                self.enter(State::Queued, now);
            }
            Fault::Retry(error) => {
                self.set_error(error);
                self.again(now);
            }
            Fault::Permanent(error) => {
                self.set_error(error);
                self.enter(State::Failed, now);
            }
        }
    }

    /// Why workers gave a job back that waits for one that understands it; none of every other job.
    #[must_use]
    pub fn not_understood(&self) -> Option<&str> {
        let why = self.error.as_deref()?.strip_prefix(NOT_UNDERSTOOD)?;
        (self.state == State::Queued).then_some(why)
    }

    /// Gives up the result that holds, if it is this one, because its blob is gone or damaged: the job has failed, and waits anew when it is submitted again.
    pub fn lose_result(&mut self, result: Id, now: u64) {
        if self.state == State::Done && self.result == Some(result) {
            (self.result, self.conflict) = (None, None);
            self.set_error(&format!("its result, the blob {result}, is gone or damaged"));
            self.enter(State::Failed, now);
        }
    }

    /// Cancels an open job; one that is over stays as it is.
    pub fn cancel(&mut self, now: u64) {
        if self.state.is_open() && !self.expire(now) {
            self.enter(State::Cancelled, now);
        }
    }

    /// The record as it is stored.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a record.
    ///
    /// # Errors
    /// [`crate::Error::Newer`] if it has a member that this release does not know, else [`crate::Error::Damaged`].
    pub fn decode(bytes: &[u8]) -> Result<Self, crate::Error> {
        serde_json::from_slice(bytes).map_err(|e| match tenfold::file::is_unknown(&e) {
            true => crate::Error::Newer(format!("a record: {e}")),
            false => crate::Error::Damaged(format!("a record: {e}")),
        })
    }
}

#[cfg(test)]
mod tests;
