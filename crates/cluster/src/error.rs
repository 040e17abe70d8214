//! Why a job of several ranks ended without a proof. (notes: cluster-blame)

use crate::comm::CommError;
use core::time::Duration;
use pcs::matrix::Unavailable;
use serde::{Deserialize, Serialize};

/// A deviation of a rank from the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Deviation {
    /// The digests of its parts of the leaves are not those that it stated, or not those of its rows.
    #[error("the digests of its columns are not those of the rows that it opened")]
    Digests,
    /// What it repeats, digests or a combination of columns, is not what it stated.
    #[error("it repeated an answer otherwise than it had stated it")]
    Statement,
    /// The tree over its positions is not that of the digests it had.
    #[error("its part of the tree is not that of the digests that it acknowledged")]
    Tree,
    /// The siblings that it sent are not those of its part of the tree.
    #[error("the siblings that it sent are not in its part of the tree")]
    Siblings,
    /// Its combination of columns is not that of the rows that it opened.
    #[error("its combination of columns is not that of the rows that it opened")]
    Columns,
    /// The values of its columns do not fit the combination of them.
    #[error("the values of its columns are not those of its combination of columns")]
    Values,
    /// Its part of a weighted sum is not that of its columns and their weights.
    #[error("its part of the weighted sum is not that of its columns")]
    Weighted,
    /// Its combination of fragments is not the one of its commitments to them.
    #[error("its combination of fragments is not that of its commitments")]
    Fragments,
    /// Its part of the quotients' commitments is not that of the entries it was given.
    #[error("its part of the quotients is not that of the entries that it was given")]
    Quotients,
    /// It sent bytes that are no elements of the field.
    #[error("it sent bytes that are no field elements, or no points")]
    Encoding,
    /// It sent a message of another length than its other messages' kind has.
    #[error("it sent an answer that is none")]
    Answer,
    /// It is the coordinator, and asked one rank otherwise than another.
    #[error("it told ranks different things in the same question")]
    Equivocation,
    /// It is the coordinator, and what it put below its questions is no signature of its key.
    #[error("it did not sign its questions")]
    Unsigned,
}

/// A difference between two ranks before any work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// The version of the program.
    #[error("run different versions of the program")]
    Program,
    /// The parameters.
    #[error("were started with different parameters")]
    Parameters,
    /// The name of the job.
    #[error("were started for different jobs")]
    Job,
    /// The data that they have parts of.
    #[error("have parts of different data")]
    Data,
}

/// Why a coordinator ended a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It asks no more.
    #[error("it wants nothing more")]
    Dropped,
    /// A rank did not answer, or with another length.
    #[error("a rank did not answer as it should")]
    Comm,
    /// A rank deviated.
    #[error("a rank deviated")]
    Deviation,
    /// Anything else.
    #[error("there is no proof")]
    Other,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Bytes could not be exchanged.
    #[error(transparent)]
    Comm(#[from] CommError),
    /// A rank was not ready to commit until the deadline for the coordinator's next question: it reads its columns, or waits for a rank that does.
    #[error("rank {rank} did not finish reading its part of the data within {within:?}")]
    Reading {
        /// The rank.
        rank: usize,
        /// The time that it had.
        within: Duration,
    },
    /// A rank runs another program.
    #[error("rank {rank} runs another version of the program")]
    Version {
        /// The rank.
        rank: usize,
    },
    /// A rank has other parameters.
    #[error("rank {rank} was started with other parameters")]
    Parameters {
        /// The rank.
        rank: usize,
    },
    /// A rank was started for another job.
    #[error("rank {rank} was started for another job")]
    Job {
        /// The rank.
        rank: usize,
    },
    /// A rank has a part of other data.
    #[error("rank {rank} has a part of other data")]
    Data {
        /// The rank.
        rank: usize,
    },
    /// A rank has another key than this rank expects of it.
    #[error("rank {rank} has another key than the one that is expected of it")]
    Key {
        /// The rank.
        rank: usize,
    },
    /// A rank deviated; its own messages say so.
    #[error("rank {rank} deviated: {deviation}")]
    Deviation {
        /// The rank.
        rank: usize,
        /// The deviation.
        deviation: Deviation,
    },
    /// Two ranks differ, and there is no majority that tells which is the odd one.
    #[error("ranks {0} and {1} {what}", ranks[0], ranks[1])]
    Differ {
        /// The ranks.
        ranks: [usize; 2],
        /// The difference.
        what: Difference,
    },
    /// The coordinator has ended the job. What it says of another rank is not known to this one.
    #[error("the coordinator has ended the job: {reason}{}", culprit.map_or_else(String::new, |rank| format!(" (rank {rank})")))]
    Stopped {
        /// The rank that the coordinator names.
        culprit: Option<usize>,
        /// Why, in the coordinator's words.
        reason: Reason,
    },
    /// An earlier call of the coordinator failed, and the ranks have been told to stop.
    #[error("an earlier call failed: this job has ended")]
    Ended,
    /// A rank does not understand the coordinator.
    #[error("the coordinator asked what is no question: {0}")]
    Question(&'static str),
    /// The proof does not hold, and no rank's messages contradict each other.
    #[error("the proof does not hold, and no rank's messages contradict each other")]
    Unexplained,
    /// Parameters or a number of ranks that the cluster does not serve.
    #[error("{0}")]
    Unsupported(String),
    /// The entries could not be read.
    #[error("{0}")]
    Input(String),
}

impl Error {
    /// The rank that is to blame, if it is one.
    pub fn rank(&self) -> Option<usize> {
        match self {
            Self::Comm(error) => error.rank(),
            Self::Reading { rank, .. }
            | Self::Version { rank }
            | Self::Parameters { rank }
            | Self::Job { rank }
            | Self::Data { rank }
            | Self::Key { rank }
            | Self::Deviation { rank, .. } => Some(*rank),
            _ => None,
        }
    }

    /// The reason that the coordinator gives the other ranks.
    pub(crate) fn reason(&self) -> Reason {
        match self {
            Self::Comm(_) | Self::Reading { .. } => Reason::Comm,
            Self::Deviation { .. } => Reason::Deviation,
            _ => Reason::Other,
        }
    }
}

impl From<Error> for Unavailable {
    fn from(error: Error) -> Self {
        Self(Box::new(error))
    }
}

impl From<Unavailable> for Error {
    fn from(Unavailable(error): Unavailable) -> Self {
        // All that a matrix of this crate gives is of this type.
        error.downcast().map_or_else(|other| Self::Unsupported(other.to_string()), |error| *error)
    }
}
