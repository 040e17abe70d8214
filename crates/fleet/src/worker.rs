//! A worker: claims jobs that fit its memory, runs several at once, says that it lives, and ends when it is asked to.
//!
//! ```text
//! slot:   claim ─► fetch inputs ─► run ─► publish result ─► complete        (as many threads as slots)
//!                     heartbeats beside it: the job is over elsewhere, or the grace has passed ─► stop it
//! ```

use crate::blob::{BlobStore, Blobs};
use crate::error::Error;
use crate::id::Id;
use crate::job::Terms;
use crate::queue::{JobQueue, Lease};
use crate::record::{Beat, Completion, Fault};
use crate::runner::{Outcome, Runner, Task};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub use event::Event;

/// Errors of the engine in a row after which a worker gives up, or who waits.
pub(crate) const MAX_ERRORS: u32 = 10;

/// A flag that is never set, for calls that no shutdown cancels: the outcome of a job is reported during a shutdown too, or its lease would run out,
/// which costs an attempt.
static NEVER: AtomicBool = AtomicBool::new(false);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The name in records, for people: two workers may share one.
    pub name: String,
    /// Jobs at once.
    pub slots: usize,
    /// Bytes of memory for all of them.
    pub memory: u64,
    /// Ends when no job waits that fits and none runs, here or elsewhere.
    pub until_empty: bool,
    /// Time between two looks at an empty queue.
    pub poll: Duration,
    /// Time between heartbeats: a third of the queue's lease, say.
    pub heartbeat: Duration,
    /// Time for running jobs after [`Stop::stop`]; those that take longer are handed back.
    pub grace: Duration,
}

impl Default for WorkerOptions {
    /// One job at a time, in any memory, for ever; heartbeats for leases of half a minute, and as much grace.
    fn default() -> Self {
        Self {
            name: format!("worker-{}", std::process::id()),
            slots: 1,
            memory: u64::MAX,
            until_empty: false,
            poll: Duration::from_millis(500),
            heartbeat: Duration::from_secs(10),
            grace: Duration::from_secs(30),
        }
    }
}

/// Asks a worker to end: it claims nothing more, finishes what runs within its grace, and hands back the rest.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the worker.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag, for a handler of signals.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Jobs whose result it brought first.
    pub done: u64,
    /// Jobs whose result was there already, the same or another one.
    pub repeated: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Jobs that were handed back, or over before they were done.
    pub stopped: u64,
    /// Jobs that were left to other workers, because this release or build does not understand them; one may count several times.
    pub not_understood: u64,
}

/// A worker of a queue.
pub struct Worker<'a> {
    /// The queue.
    pub queue: &'a dyn JobQueue,
    /// Where blobs come from.
    pub store: &'a dyn BlobStore,
    /// The folder for blobs on this machine.
    pub blobs: &'a Blobs,
    /// What runs its jobs.
    pub runner: &'a dyn Runner,
    /// How it works.
    pub options: WorkerOptions,
}

/// What the slots of a worker share.
struct Shift<'a> {
    stop: &'a Stop,
    says: &'a (dyn Fn(Event<'_>) + Sync),
    /// Whether it was said that a job is too large.
    told: AtomicBool,
    /// Memory left, and the summary so far.
    state: Mutex<(u64, Summary)>,
}

impl Shift<'_> {
    fn lock(&self) -> std::sync::MutexGuard<'_, (u64, Summary)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker<'_> {
    /// Works until it is asked to end, or the queue is empty if the options say so.
    ///
    /// # Errors
    /// If the engine fails and does not recover, blobs cannot be written, or no job can be begun on this machine.
    pub fn run(&self, stop: &Stop, says: &(dyn Fn(Event<'_>) + Sync)) -> Result<Summary, Error> {
        self.blobs.prepare()?;
        let state = Mutex::new((self.options.memory, Summary::default()));
        let shift = Shift { stop, says, told: AtomicBool::new(false), state };
        let ends: Vec<Result<(), Error>> = thread::scope(|scope| {
            let slots: Vec<_> =
                (0..self.options.slots.max(1)).map(|_| scope.spawn(|| self.slot(&shift))).collect();
            let panicked = || Err(Error::Engine("a thread of the worker panicked".into()));
            slots.into_iter().map(|slot| slot.join().unwrap_or_else(|_| panicked())).collect()
        });
        ends.into_iter().collect::<Result<(), Error>>()?;
        let summary = shift.lock().1;
        Ok(summary)
    }

    /// Claims and runs jobs, one at a time.
    fn slot(&self, shift: &Shift<'_>) -> Result<(), Error> {
        let mut errors = 0;
        while !shift.stop.is_set() {
            let step = self.claim(shift).and_then(|lease| match lease {
                Some(lease) => self.attempt(&lease, shift).map(|()| true),
                None => self.idle(shift).map(|empty| !(empty && self.options.until_empty)),
            });
            match step {
                Ok(true) => errors = 0,
                Ok(false) => return Ok(()),
                Err(e) if e.is_of_one_job() => (shift.says)(Event::PassedOver(&e)),
                Err(e) if e.is_passing() && errors < MAX_ERRORS => {
                    (shift.says)(Event::Trouble(&e));
                    errors += 1;
                    self.pause(&shift.stop.0, self.options.poll * errors);
                }
                Err(e) => {
                    // The other slots finish what they run.
                    shift.stop.stop();
                    return Err(e);
                }
            }
        }
        Ok(())
    }

    /// A job that fits the memory that is left, which it then takes.
    fn claim(&self, shift: &Shift<'_>) -> Result<Option<Lease>, Error> {
        let mut state = shift.lock();
        let lease = self.queue.claim(&self.options.name, state.0)?;
        if let Some(lease) = &lease {
            state.0 = state.0.saturating_sub(lease.terms.memory);
        }
        Ok(lease)
    }

    /// Waits for work; returns true if none runs anywhere, so that none can come back.
    fn idle(&self, shift: &Shift<'_>) -> Result<bool, Error> {
        let memory = self.options.memory;
        if !shift.told.load(Ordering::Relaxed)
            && let Some((id, needs)) = self.queue.too_large(memory)?
            && !shift.told.swap(true, Ordering::Relaxed)
        {
            (shift.says)(Event::TooLarge { id, needs, memory });
        }
        if self.options.until_empty && !self.queue.any_to_come(memory)? {
            return Ok(true);
        }
        self.pause(&shift.stop.0, self.options.poll);
        Ok(false)
    }

    /// Waits for a time, or until the worker is stopped.
    fn pause(&self, stop: &AtomicBool, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && !stop.load(Ordering::Relaxed) {
            thread::sleep(self.options.poll.min(Duration::from_millis(100)));
        }
    }

    /// Runs a job, and says how it ended.
    fn attempt(&self, lease: &Lease, shift: &Shift<'_>) -> Result<(), Error> {
        (shift.says)(Event::Began(lease));
        let outcome = self.supervised(lease, shift);
        let ended = self.end(lease, outcome, shift);
        let Terms { memory, .. } = lease.terms;
        let mut state = shift.lock();
        state.0 = state.0.saturating_add(memory).min(self.options.memory);
        ended
    }

    /// Runs a job beside its heartbeats.
    fn supervised(&self, lease: &Lease, shift: &Shift<'_>) -> Outcome {
        let cancel = AtomicBool::new(false);
        let (over, wait) = channel::<()>();
        thread::scope(|scope| {
            scope.spawn(|| self.beats(lease, (shift.stop, &cancel), wait));
            let outcome = self.work(lease, &cancel);
            drop(over);
            outcome
        })
    }

    /// Says that the worker lives until the job is over, and stops it where it is not needed or takes too long to end.
    fn beats(
        &self,
        lease: &Lease,
        (stop, cancel): (&Stop, &AtomicBool),
        over: std::sync::mpsc::Receiver<()>,
    ) {
        let step = self.options.heartbeat.clamp(Duration::from_millis(1), Duration::from_millis(200));
        let (mut beat, mut asked) = (Instant::now(), None);
        while over.recv_timeout(step) == Err(RecvTimeoutError::Timeout) {
            if stop.is_set() && asked.get_or_insert_with(Instant::now).elapsed() >= self.options.grace {
                cancel.store(true, Ordering::Relaxed);
            }
            if beat.elapsed() >= self.options.heartbeat {
                beat = Instant::now();
                // A heartbeat that fails is as one that is late: the next may come through. Nobody takes the result where the queue is gone or damaged.
                let is_over = match self.queue.heartbeat(lease) {
                    Ok(beat) => matches!(beat, Beat::Closed(_)),
                    Err(e) => !e.is_passing(),
                };
                if is_over {
                    cancel.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    fn work(&self, lease: &Lease, cancel: &AtomicBool) -> Outcome {
        let is_stopped = || cancel.load(Ordering::Relaxed);
        for &input in &lease.job.inputs {
            match self.insist(cancel, || self.store.fetch(input, self.blobs)) {
                // Nothing but submitting the file again brings a blob back that is gone.
                Err(e @ (Error::NoBlob(_) | Error::Blob(_))) => return Outcome::Permanent(e.to_string()),
                _ if is_stopped() => return Outcome::Stopped,
                Ok(()) => {}
                Err(e) => return Outcome::Retry(e.to_string()),
            }
        }
        let task =
            Task { job: &lease.job, memory: lease.terms.memory.min(self.options.memory), blobs: self.blobs };
        match self.runner.run(&task, cancel) {
            Outcome::Done(result) => match self.insist(cancel, || self.store.publish(result, self.blobs)) {
                Ok(()) => Outcome::Done(result),
                Err(e) if e.is_passing() && is_stopped() => Outcome::Stopped,
                Err(e) => Outcome::Retry(format!("the result is not stored: {e}")),
            },
            other => other,
        }
    }

    /// Tells the queue, once more if it does not hear.
    fn end(&self, lease: &Lease, outcome: Outcome, shift: &Shift<'_>) -> Result<(), Error> {
        // A worker that begins none would use up the attempts of all jobs, one after the other.
        let unable = match &outcome {
            Outcome::Unable(text) => Err(Error::unable(text)),
            _ => Ok(()),
        };
        let fault = match outcome {
            Outcome::Done(result) => match self.complete(lease, result, shift) {
                // Somebody removed or damaged it since it was stored.
                Err(e @ (Error::NoBlob(_) | Error::Blob(_))) => {
                    Fault::Retry(format!("the result is not stored: {e}"))
                }
                completed => return completed,
            },
            Outcome::Retry(text) => Fault::Retry(text),
            Outcome::Permanent(text) => Fault::Permanent(text),
            Outcome::NotUnderstood(why) => Fault::NotUnderstood(why),
            Outcome::Stopped | Outcome::Unable(_) => Fault::HandBack,
        };
        let state = self.insist(&NEVER, || self.queue.fail(lease, &fault))?;
        let text = match &fault {
            Fault::Retry(text) | Fault::Permanent(text) => text,
            Fault::HandBack => "handed back",
            Fault::NotUnderstood(why) => {
                shift.lock().1.not_understood += 1;
                (shift.says)(Event::NotUnderstood(lease.id, state, why));
                return Ok(());
            }
        };
        match fault {
            Fault::HandBack => shift.lock().1.stopped += 1,
            _ => shift.lock().1.failed += 1,
        }
        (shift.says)(Event::Ended(lease.id, state, text));
        unable
    }

    fn complete(&self, lease: &Lease, result: Id, shift: &Shift<'_>) -> Result<(), Error> {
        let completion = self.insist(&NEVER, || self.queue.complete(lease, result))?;
        let mut state = shift.lock();
        match completion {
            Completion::First => state.1.done += 1,
            Completion::Repeated | Completion::Conflict { .. } => state.1.repeated += 1,
            Completion::Closed(_) => state.1.stopped += 1,
        }
        drop(state);
        (shift.says)(Event::Completed(lease.id, completion));
        Ok(())
    }

    /// Does something with the queue or its store, three times more where it fails by what may pass, until it is cancelled.
    fn insist<T>(&self, cancel: &AtomicBool, run: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
        let mut result = run();
        for n in 1..=3 {
            match &result {
                Err(e) if e.is_passing() => self.pause(cancel, self.options.poll * n),
                _ => break,
            }
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            result = run();
        }
        result
    }
}

mod event;
#[cfg(test)]
mod tests;
