//! Errors of queues, blobs and jobs.

use crate::id::Id;
use std::io;
use std::path::PathBuf;

/// Why a queue or a store of blobs does not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A job that no queue takes.
    #[error("the job is refused: {0}")]
    Job(String),
    /// No such job.
    #[error("there is no job {0} in this queue")]
    UnknownJob(Id),
    /// No such blob.
    #[error("there is no blob {0}")]
    NoBlob(Id),
    /// The content of a blob is not what its name says.
    #[error("the blob {0} is damaged or was swapped: its content has another digest")]
    Blob(Id),
    /// A blob is longer than the reader takes.
    #[error("the blob {id} has {length} bytes, more than the {limit} that are read")]
    LongBlob {
        /// The blob.
        id: Id,
        /// Its length.
        length: u64,
        /// The limit.
        limit: u64,
    },
    /// There is no queue.
    #[error("there is no queue in {}: `submit` makes one", .0.display())]
    NoQueue(PathBuf),
    /// This build cannot talk to such a queue.
    #[error("this build has no NATS: build it with the feature `nats`, or name a folder")]
    NotBuilt,
    /// A queue of another release.
    #[error("the queue has version {found}, and this program reads version {expected}: {}", advice(*found > *expected))]
    Version {
        /// The version found.
        found: u64,
        /// The version of this program.
        expected: u64,
    },
    /// The queue's database has a form that this program does not know, and a later one may.
    #[error("the queue was written by a newer version: update this program ({0})")]
    Newer(String),
    /// The queue's database or one of its records has no meaning.
    #[error("the queue is damaged: {0}")]
    Damaged(String),
    /// The record of one job has no meaning; it says nothing about the others.
    #[error("the record of the job {id} has no meaning: {why}")]
    Record {
        /// The job.
        id: Id,
        /// What is wrong with it.
        why: String,
    },
    /// There is another database than the one that was opened.
    #[error("{} was replaced while this program was using it", .0.display())]
    Replaced(PathBuf),
    /// The system or the engine refuses.
    #[error("{what}: {source}")]
    Io {
        /// The operation that failed.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
    /// The queue's engine answers otherwise than it should, or not at all.
    #[error("the queue's engine: {0}")]
    Engine(String),
}

/// The advice about a queue of another release.
fn advice(is_newer: bool) -> &'static str {
    if is_newer {
        "it was written by a newer version: update this program"
    } else {
        "use the release that made it"
    }
}

impl Error {
    /// For `map_err`: what was tried with a file.
    pub(crate) fn io(verb: &str, path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let what = format!("cannot {verb} {}", path.display());
        move |source| Self::Io { what, source }
    }

    /// Of a machine that begins no job.
    pub(crate) fn unable(why: &str) -> Self {
        Self::Io { what: "this worker runs no jobs".into(), source: io::Error::other(why) }
    }

    /// Returns true for an error that may pass, such as an engine that is being restarted.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::Engine(_))
    }

    /// Returns true for an error about the record of one job, beside which the queue goes on.
    #[must_use]
    pub fn is_of_one_job(&self) -> bool {
        matches!(self, Self::Record { .. } | Self::UnknownJob(_))
    }
}

#[cfg(test)]
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
