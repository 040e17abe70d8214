//! Jobs that a process has given back because it does not understand them: it leaves each alone for a while, the longer the more often.

use crate::id::Id;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time that a job is left alone by who has given it back once. The program that workers start for their jobs may be replaced by a later release.
const PAUSE: Duration = Duration::from_secs(60);
/// Times that this time doubles.
const MAX_DOUBLINGS: u32 = 6;

/// The jobs that a process has given back, with how often, and until when it leaves them alone.
#[derive(Debug, Default)]
pub(crate) struct Declined(Mutex<HashMap<Id, (u32, Instant)>>);

impl Declined {
    /// Leaves a job alone from now on.
    pub fn add(&self, id: Id) {
        self.add_at(id, Instant::now());
    }

    /// Returns true for a job that is left alone now.
    pub fn has(&self, id: Id) -> bool {
        self.has_at(id, Instant::now())
    }

    fn add_at(&self, id: Id, now: Instant) {
        let mut jobs = self.jobs();
        let (times, until) = jobs.entry(id).or_insert((0, now));
        *until = now + PAUSE * (1 << (*times).min(MAX_DOUBLINGS));
        *times = times.saturating_add(1);
    }

    fn has_at(&self, id: Id, now: Instant) -> bool {
        self.jobs().get(&id).is_some_and(|&(_, until)| now < until)
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, HashMap<Id, (u32, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_left_alone_for_longer_each_time_and_for_an_hour_or_so_at_most() {
        let (declined, mut now) = (Declined::default(), Instant::now());
        let [id, other] = [1, 2].map(|n| Id([n; 32]));
        for minutes in [1, 2, 4, 8, 16, 32, 64, 64, 64] {
            assert!(!declined.has_at(id, now));
            declined.add_at(id, now);
            let until = now + Duration::from_secs(60 * minutes);
            assert!(declined.has_at(id, until - Duration::from_secs(1)) && !declined.has_at(other, now));
            now = until;
        }
    }
}
