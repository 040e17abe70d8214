//! The events of a worker, in words.

use crate::error::Error;
use crate::id::Id;
use crate::queue::Lease;
use crate::record::{Completion, State};
use std::fmt;

/// Something that a worker says.
#[derive(Debug)]
pub enum Event<'a> {
    /// It begins an attempt.
    Began(&'a Lease),
    /// A job's result is stored, or was not needed.
    Completed(Id, Completion),
    /// An attempt ended without a result, and the job is in this state now.
    Ended(Id, State, &'a str),
    /// A job is left to another worker, because this release or build does not understand it, for this reason; it is in this state now.
    NotUnderstood(Id, State, &'a str),
    /// The engine failed; the worker tries again.
    Trouble(&'a Error),
    /// The record of one job is gone or has no meaning; the worker goes on with others.
    PassedOver(&'a Error),
    /// A job that waits takes more than the worker's memory: said of the first one.
    TooLarge {
        /// The job.
        id: Id,
        /// Bytes of memory that it takes.
        needs: u64,
        /// The worker's.
        memory: u64,
    },
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Began(lease) => write!(f, "began {}, attempt {}", lease.id, lease.attempt),
            Self::Completed(id, Completion::First) => write!(f, "done {id}"),
            Self::Completed(id, Completion::Repeated) => write!(f, "done {id}, as another worker had"),
            Self::Completed(id, Completion::Conflict { kept }) => {
                write!(f, "conflict: another worker brought another result of {id}, {kept}, which stays")
            }
            Self::Completed(id, Completion::Closed(state)) => write!(f, "{id} is {} meanwhile", state.name()),
            Self::Ended(id, state, text) => write!(f, "{text}: {id} is {}", state.name()),
            Self::NotUnderstood(id, state, why) => {
                write!(
                    f,
                    "left to another worker, for this one does not understand it: {why}: {id} is {}",
                    state.name()
                )
            }
            Self::Trouble(e) => write!(f, "trying again: {e}"),
            Self::PassedOver(e) => write!(f, "passed over: {e}"),
            Self::TooLarge { id, needs, memory } => {
                write!(
                    f,
                    "{id} takes {needs} bytes of memory, and this worker has {memory}: it waits for another one"
                )
            }
        }
    }
}
