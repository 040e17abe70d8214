//! Removal of jobs that have been over for long, and of blobs that no job names any more.

use crate::clock::wall;
use crate::error::Error;
use crate::id::Id;
use crate::place::Place;
use crate::record::{Record, State};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time that a blob stays which no job names: one is stored before its job is submitted, or is done.
pub const YOUNG: Duration = Duration::from_secs(3600);

/// Moments in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// Jobs that were over before go.
    pub jobs: u64,
    /// Blobs that no job names go if they were stored before, and not asked to be stored again since.
    pub blobs: u64,
}

/// The amounts of what was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Jobs.
    pub jobs: u64,
    /// Blobs.
    pub blobs: u64,
    /// Bytes of the blobs.
    pub bytes: u64,
    /// Entries that are no record of a job here, somebody else's, on a server: they may name any blob, and then all blobs stay.
    pub foreign: u64,
}

impl Record {
    /// Returns true if the job was over before a moment.
    pub(crate) fn ended_before(&self, moment: u64) -> bool {
        let deadline = self.terms.deadline.unwrap_or(u64::MAX);
        let ended = match self.state {
            // A deadline passes whether somebody looks or not.
            State::Queued | State::Running if deadline >= wall() => return false,
            State::Queued | State::Running => deadline,
            State::Expired => deadline.min(self.changed),
            State::Done | State::Failed | State::Cancelled => self.changed,
        };
        ended < moment
    }

    /// The blobs that the job reads, and those of its results.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = Id> {
        self.job.inputs.iter().copied().chain(self.result).chain(self.conflict)
    }
}

impl Place {
    /// Removes jobs that have been over for this time, and blobs that no job names any more and that were stored before, [`YOUNG`] ago at least.
    /// Submitted again, such a job is a new one. On a server the copies of blobs on workers' machines stay.
    ///
    /// # Errors
    /// If the engine fails, when some may be removed.
    pub fn prune(&self, age: Duration) -> Result<Pruned, Error> {
        let ago = |age: Duration| wall().saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
        self.queue.prune(Before { jobs: ago(age), blobs: ago(age.max(YOUNG)) })
    }
}

/// A moment in milliseconds since 1970.
pub(crate) fn millis(moment: SystemTime) -> u64 {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Terms};

    #[test]
    fn jobs_are_over_since_they_ended() {
        let job = Job { kind: "test".into(), payload: String::new(), inputs: vec![Id([1; 32])] };
        let of = |deadline| Record::new(job.clone(), Terms { deadline, max_attempts: 1, memory: 0 }, 100);
        assert!(!of(None).ended_before(u64::MAX) && !of(Some(u64::MAX)).ended_before(u64::MAX), "it waits");
        let mut late = of(Some(200));
        assert_eq!([200, 201].map(|moment| late.ended_before(moment)), [false, true], "whoever looked");
        late.expire(wall());
        assert_eq!([200, 201].map(|moment| late.ended_before(moment)), [false, true]);
        let mut done = of(None);
        assert!(done.claim(1, "w", 300));
        assert!(!done.ended_before(u64::MAX), "it runs");
        done.complete(Id([2; 32]), 400);
        done.complete(Id([3; 32]), 500);
        assert_eq!([400, 401].map(|moment| done.ended_before(moment)), [false, true]);
        assert_eq!(done.blobs().collect::<Vec<_>>(), [1, 2, 3].map(|n| Id([n; 32])));
    }
}
