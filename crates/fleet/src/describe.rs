//! Queues and jobs in words and as JSON: what front ends print, and services answer.

use crate::id::Id;
use crate::job::Terms;
use crate::prune::Pruned;
use crate::queue::{Listing, Submitted};
use crate::record::{Record, State};
use serde_json::{Map, Value, json};
use std::fmt;
use tenfold_report::units::bytes;

impl Listing {
    /// The number of jobs in each state, of those that no worker has understood, and of entries that are no jobs; of those that have failed the listed ones with their errors, and how many are not listed.
    #[must_use]
    pub fn json(&self) -> Value {
        let failed = self.jobs.iter().map(|(id, record)| json!({ "job": id, "error": record.error }));
        let count = |state: &State| (state.name().to_owned(), json!(self.count(*state)));
        let counts: Map<_, _> = State::ALL.iter().map(count).collect();
        let (count, why) = &self.not_understood;
        json!({ "jobs": counts, "failed": failed.collect::<Value>(), "failed_not_listed": self.failed_not_listed(), "not_understood": count, "not_understood_because": why, "foreign": self.foreign })
    }

    fn failed_not_listed(&self) -> u64 {
        self.count(State::Failed).saturating_sub(self.jobs.len() as u64)
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for state in State::ALL {
            writeln!(f, "{:>9} {}", self.count(state), state.name())?;
        }
        if let (count @ 1.., Some(why)) = &self.not_understood {
            writeln!(f, "{count} of those that are queued: no worker here understands it: {why}")?;
        }
        for (id, record) in &self.jobs {
            writeln!(f, "{id} failed: {}", record.error.as_deref().unwrap_or("without a text"))?;
        }
        match self.failed_not_listed() {
            0 => {}
            more => writeln!(f, "and {more} more that failed")?,
        }
        match self.foreign {
            0 => Ok(()),
            foreign => {
                writeln!(f, "and {foreign} entries that are no record of a job, which another program wrote")
            }
        }
    }
}

impl Pruned {
    /// The numbers of what was removed.
    #[must_use]
    pub fn json(&self) -> Value {
        let Self { jobs, blobs, bytes, foreign } = self;
        json!({ "removed_jobs": jobs, "removed_blobs": blobs, "removed_bytes": bytes, "foreign": foreign })
    }
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "removed {} jobs, and {} blobs of {}", self.jobs, self.blobs, bytes(self.bytes))?;
        match self.foreign {
            0 => Ok(()),
            foreign => writeln!(
                f,
                "all blobs stay: {foreign} entries are no record of a job, which another program wrote, and may name them"
            ),
        }
    }
}

impl Record {
    /// The state of the job of this name, without the job itself.
    #[must_use]
    pub fn json(&self, id: Id) -> Value {
        let Self { state, attempts, error, result, conflict, submitted, changed, terms, holder, .. } = self;
        let worker = holder.as_ref().map(|holder| &holder.worker);
        let Terms { memory, max_attempts, deadline } = terms;
        let terms =
            json!({ "memory_bytes": memory, "max_attempts": max_attempts, "deadline_unix_ms": deadline });
        json!({ "job": id, "state": state, "attempts": attempts, "error": error, "result": result,
            "conflict": conflict, "worker": worker, "submitted_unix_ms": submitted, "changed_unix_ms": changed,
            "terms": terms })
    }

    /// The same in lines.
    #[must_use]
    pub fn text(&self, id: Id) -> String {
        let mut text = format!("{id} {}, {} attempt(s)\n", self.state.name(), self.attempts);
        if let Some(error) = &self.error {
            text.push_str(&format!("  {error}\n"));
        }
        if let Some(conflict) = self.conflict {
            text.push_str(&format!(
                "  another worker brought another result, which is not taken: {conflict}\n"
            ));
        }
        text
    }
}

impl fmt::Display for Submitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = match (self.new, self.resubmitted) {
            (true, _) => "",
            (false, true) => " once more, which was over without a proof",
            (false, false) => ", which was there already",
        };
        write!(f, "{}{known}", self.state.name())
    }
}
