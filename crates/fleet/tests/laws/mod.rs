//! The laws of a queue, one battery for every engine; and processes that are killed.

pub mod processes;

use fleet::{Beat, Before, Completion, Error, Fault, Id, Job, JobQueue, Lease, State, Terms, wall};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// A queue of its own, by two handles as two processes have them.
pub struct Fixture {
    pub queue: Box<dyn JobQueue>,
    pub other: Box<dyn JobQueue>,
    /// Stores a blob.
    pub put: Put,
}

/// Stores a blob, and returns its name.
pub type Put = Box<dyn Fn(&[u8]) -> Id>;

/// Makes a new queue with leases of this length.
pub type Make<'a> = &'a (dyn Fn(Duration) -> Fixture + Sync);

type Law = fn(&Fixture);

const LONG: Duration = Duration::from_secs(120);
const SHORT: Duration = Duration::from_secs(1);

/// All laws, each on a queue of its own: at once, since they wait for disks and leases and compute little. Those about short leases come last, with
/// the disk to themselves.
pub fn hold(make: Make<'_>) {
    let patient: [Law; 11] = [
        jobs_are_submitted_once,
        jobs_are_claimed_in_order_within_memory,
        leases_are_of_one_worker,
        results_are_stored_once,
        attempts_are_counted,
        jobs_end_by_cancelling_and_deadline,
        jobs_that_are_not_understood_are_left_to_others,
        jobs_that_failed_are_submitted_again,
        jobs_that_wait_anew_wait_by_their_new_terms,
        no_job_is_claimed_twice,
        jobs_that_are_over_are_removed,
    ];
    at_once(make, &patient.map(|law| (law, LONG)));
    at_once(make, &[(lost_leases_come_back, SHORT), (heartbeats_keep_a_lease, SHORT * 2)]);
}

fn at_once(make: Make<'_>, laws: &[(Law, Duration)]) {
    thread::scope(|scope| {
        for &(law, lease) in laws {
            scope.spawn(move || law(&make(lease)));
        }
    });
}

pub fn job(n: u32) -> Job {
    Job { kind: "test".into(), payload: format!("payload {n}"), inputs: Vec::new() }
}

fn terms(memory: u64, max_attempts: u32) -> Terms {
    Terms { memory, max_attempts, deadline: None }
}

/// Claims, from an engine that may take a moment to hand a job out again.
#[track_caller]
fn claimed(queue: &dyn JobQueue, memory: u64) -> Lease {
    let start = Instant::now();
    loop {
        if let Some(lease) = queue.claim("w", memory).unwrap() {
            return lease;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "nothing to claim");
        thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn state(queue: &dyn JobQueue, id: Id) -> State {
    queue.status(id).unwrap().expect("a job").state
}

fn jobs_are_submitted_once(f: &Fixture) {
    let batch: Vec<_> = (0..3).map(|n| (job(n), Terms::default())).collect();
    let first = f.queue.submit(&batch).unwrap();
    assert!(
        first.iter().zip(&batch).all(|(s, (job, _))| s.new && s.id == job.id() && s.state == State::Queued)
    );
    let again = f.other.submit(&[(job(1), terms(77, 9)), (job(3), Terms::default())]).unwrap();
    assert!(!again[0].new && again[1].new);
    let record = f.queue.status(first[1].id).unwrap().unwrap();
    assert_eq!((record.job, record.terms), (job(1), Terms::default()), "the terms of the first");
    assert_eq!(f.queue.list(None, 2).map(|l| (l.total(), l.jobs.len())).unwrap(), (4, 2));
    let bad = Job { kind: "../bad".into(), ..job(9) };
    let refused = f.queue.submit(&[(job(8), Terms::default()), (bad, Terms::default())]);
    assert!(matches!(refused, Err(Error::Job(_))));
    assert_eq!(f.queue.status(job(8).id()).unwrap(), None, "nothing of a batch that is refused");
    let unknown = Id([7; 32]);
    let lease = Lease { id: unknown, token: 1, job: job(1), terms: Terms::default(), attempt: 1 };
    assert!(matches!(f.queue.complete(&lease, (f.put)(b"r")), Err(Error::UnknownJob(id)) if id == unknown));
    assert!(matches!(f.queue.heartbeat(&lease), Err(Error::UnknownJob(_))));
    assert!(matches!(f.queue.fail(&lease, &Fault::HandBack), Err(Error::UnknownJob(_))));
    assert!(matches!(f.queue.cancel(unknown), Err(Error::UnknownJob(_))));
    assert_eq!(f.queue.status(unknown).unwrap(), None);
}

fn jobs_are_claimed_in_order_within_memory(f: &Fixture) {
    assert_eq!(f.queue.claim("w", u64::MAX).unwrap(), None, "an empty queue");
    let batch = [(job(0), terms(5, 1)), (job(1), terms(u64::MAX, 1)), (job(2), terms(5, 1))];
    f.queue.submit(&batch).unwrap();
    assert_eq!(claimed(&*f.queue, 5).job, job(0));
    assert_eq!(claimed(&*f.other, 5).job, job(2), "past the one that is too large");
    assert_eq!(f.queue.claim("w", 5).unwrap(), None);
    assert_eq!(claimed(&*f.queue, u64::MAX).job, job(1));
}

fn leases_are_of_one_worker(f: &Fixture) {
    f.queue.submit(&[(job(0), Terms::default())]).unwrap();
    let lease = claimed(&*f.queue, 0);
    assert_eq!((lease.attempt, f.queue.heartbeat(&lease).unwrap()), (1, Beat::Held));
    assert_eq!(f.other.claim("w", 0).unwrap(), None, "a worker of the same name is another worker");
    let forged = Lease { token: lease.token ^ 1, ..lease.clone() };
    assert_eq!(f.other.heartbeat(&forged).unwrap(), Beat::Lost);
    assert_eq!(f.other.fail(&forged, &Fault::Permanent("forged".into())).unwrap(), State::Running);
    let record = f.queue.status(lease.id).unwrap().unwrap();
    assert_eq!((record.holder.map(|h| h.token), record.error), (Some(lease.token), None));
}

fn results_are_stored_once(f: &Fixture) {
    let [one, two] = [b"one", b"two"].map(|bytes| (f.put)(bytes));
    f.queue.submit(&[(job(0), Terms::default())]).unwrap();
    let lease = claimed(&*f.queue, 0);
    assert!(f.other.any_to_come(0).unwrap(), "wherever it runs");
    assert_eq!(f.queue.complete(&lease, one).unwrap(), Completion::First);
    assert!(!f.other.any_to_come(0).unwrap());
    assert_eq!(f.other.complete(&lease, one).unwrap(), Completion::Repeated);
    assert_eq!(f.other.complete(&lease, two).unwrap(), Completion::Conflict { kept: one });
    let record = f.queue.status(lease.id).unwrap().unwrap();
    assert_eq!((record.state, record.result, record.conflict), (State::Done, Some(one), Some(two)));
    assert_eq!(f.queue.heartbeat(&lease).unwrap(), Beat::Closed(State::Done));
    let again = f.queue.submit(&[(job(0), Terms::default())]).unwrap();
    assert_eq!((again[0].new, again[0].state), (false, State::Done), "submitted again it is done");
    assert_eq!(f.queue.claim("w", 0).unwrap(), None);
}

fn attempts_are_counted(f: &Fixture) {
    f.queue.submit(&[(job(0), terms(0, 2))]).unwrap();
    let lease = claimed(&*f.queue, 0);
    assert_eq!(f.queue.fail(&lease, &Fault::HandBack).unwrap(), State::Queued);
    assert!(f.other.any_to_come(0).unwrap(), "a worker that found none before ends without it");
    let lease = claimed(&*f.other, 0);
    assert_eq!(lease.attempt, 1, "handed back, the attempt did not count");
    assert_eq!(f.other.fail(&lease, &Fault::Retry("out of memory".into())).unwrap(), State::Queued);
    let lease = claimed(&*f.queue, 0);
    assert_eq!(
        (lease.attempt, f.queue.fail(&lease, &Fault::Retry("again".into())).unwrap()),
        (2, State::Failed)
    );
    assert_eq!(f.queue.claim("w", 0).unwrap(), None);
    assert_eq!(f.queue.status(lease.id).unwrap().unwrap().error.as_deref(), Some("again"));
    f.queue.submit(&[(job(1), terms(0, 9))]).unwrap();
    let lease = claimed(&*f.queue, 0);
    assert_eq!(f.queue.fail(&lease, &Fault::Permanent("no such row".into())).unwrap(), State::Failed);
    assert_eq!(f.queue.list(Some(State::Failed), 9).unwrap().jobs.len(), 2);
    assert_eq!(f.queue.complete(&lease, (f.put)(b"late")).unwrap(), Completion::First, "a result after all");
    assert_eq!(state(&*f.other, lease.id), State::Done);
}

fn jobs_that_are_not_understood_are_left_to_others(f: &Fixture) {
    let unknown = || Fault::NotUnderstood("its kind is `new`".into());
    let late = Terms { deadline: Some(wall() + 6000), ..terms(0, 1) };
    f.queue.submit(&[(job(0), terms(0, 1)), (job(1), late), (job(2), terms(0, 1))]).unwrap();
    let leases = [(); 2].map(|()| claimed(&*f.queue, 0));
    for lease in &leases {
        assert_eq!(f.queue.fail(lease, &unknown()).unwrap(), State::Queued);
        assert_eq!(f.queue.heartbeat(lease).unwrap(), Beat::Lost);
    }
    // Nothing of it is in the way of other jobs, and who gave it back does not take it again, nor waits for it.
    let third = claimed(&*f.queue, 0);
    assert_eq!(third.job, job(2));
    assert_eq!(f.queue.complete(&third, (f.put)(b"r")).unwrap(), Completion::First);
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(2500) {
        assert_eq!(f.queue.claim("w", 0).unwrap(), None);
        thread::sleep(Duration::from_millis(50));
    }
    assert!(!f.queue.any_to_come(0).unwrap() && f.other.any_to_come(0).unwrap());
    let listing = f.other.list(None, 9).unwrap();
    assert_eq!((listing.count(State::Queued), listing.not_understood.0), (2, 2));
    assert_eq!(listing.not_understood.1.as_deref(), Some("its kind is `new`"));
    // Another worker takes it, as its first attempt.
    let lease = claimed(&*f.other, 0);
    assert_eq!((lease.id, lease.attempt), (job(0).id(), 1));
    assert_eq!(f.other.complete(&lease, (f.put)(b"r")).unwrap(), Completion::First);
    assert_eq!(f.other.list(None, 0).unwrap().not_understood.0, 1);
    // The deadline ends the other one, which says why nobody took it.
    while state(&*f.other, job(1).id()) == State::Queued {
        assert!(start.elapsed() < Duration::from_secs(20), "it expires");
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(f.other.claim("w", 0).unwrap(), None);
    let record = f.other.status(job(1).id()).unwrap().unwrap();
    assert_eq!((record.state, record.attempts), (State::Expired, 0));
    assert_eq!(record.error.as_deref(), Some("no worker here understands it: its kind is `new`"));
    assert_eq!(f.other.list(None, 0).unwrap().not_understood, (0, None));
    let again = f.other.submit(&[(job(1), terms(0, 1))]).unwrap()[0];
    assert!(again.resubmitted && claimed(&*f.other, 0).attempt == 1);
}

fn jobs_that_failed_are_submitted_again(f: &Fixture) {
    let id = f.queue.submit(&[(job(0), terms(9, 1))]).unwrap()[0].id;
    let lease = claimed(&*f.queue, 9);
    assert_eq!(f.queue.fail(&lease, &Fault::Retry("no disk".into())).unwrap(), State::Failed);
    let again = f.other.submit(&[(job(0), terms(5, 2))]).unwrap()[0];
    assert_eq!((again.id, again.new, again.resubmitted, again.state), (id, false, true, State::Queued));
    let more = f.other.submit(&[(job(0), terms(7, 9))]).unwrap()[0];
    assert!(!more.resubmitted && more.state == State::Queued, "it waits already");
    let second = claimed(&*f.queue, 5);
    assert_eq!((second.id, second.attempt, second.terms.clone()), (id, 1, terms(5, 2)));
    assert_eq!(f.queue.heartbeat(&lease).unwrap(), Beat::Lost, "the lease of the first attempt");
    assert_eq!(f.queue.complete(&second, (f.put)(b"r")).unwrap(), Completion::First);
    let done = f.queue.submit(&[(job(0), terms(5, 2))]).unwrap()[0];
    assert_eq!((done.resubmitted, done.state), (false, State::Done));
}

fn jobs_that_wait_anew_wait_by_their_new_terms(f: &Fixture) {
    for (n, (before, memory)) in [(5, 9), (9, 5)].into_iter().enumerate() {
        for (n, deadline) in [(2 * n, None), (2 * n + 1, Some(wall() - 1))] {
            let batch = |terms| [(job(n as u32), terms)];
            let id = f.queue.submit(&batch(Terms { deadline, ..terms(before, 1) })).unwrap()[0].id;
            if deadline.is_none() {
                f.queue.cancel(id).unwrap();
            }
            assert!(f.other.submit(&batch(terms(memory, 1))).unwrap()[0].resubmitted);
            assert_eq!(f.queue.claim("w", memory - 1).unwrap(), None, "{before} {memory} {deadline:?}");
            assert_eq!(claimed(&*f.queue, memory).id, id);
        }
    }
}

fn jobs_end_by_cancelling_and_deadline(f: &Fixture) {
    let past = Terms { deadline: Some(wall() - 1), ..Terms::default() };
    let batch = [(job(0), Terms::default()), (job(1), past), (job(2), Terms::default())];
    let ids: Vec<Id> = f.queue.submit(&batch).unwrap().iter().map(|s| s.id).collect();
    assert_eq!(f.other.cancel(ids[0]).unwrap(), State::Cancelled);
    let lease = claimed(&*f.queue, 0);
    assert_eq!(lease.job, job(2), "neither the one that was cancelled nor the one that is too late");
    assert_eq!(state(&*f.queue, ids[1]), State::Expired);
    assert_eq!(f.other.cancel(lease.id).unwrap(), State::Cancelled);
    assert_eq!(f.queue.heartbeat(&lease).unwrap(), Beat::Closed(State::Cancelled));
    let result = (f.put)(b"late");
    assert_eq!(f.queue.complete(&lease, result).unwrap(), Completion::Closed(State::Cancelled));
    assert_eq!(f.queue.cancel(ids[1]).unwrap(), State::Expired, "over is over");
    assert_eq!(f.queue.claim("w", 0).unwrap(), None);
    // Nor does one that is too large wait for a worker then.
    let large = Terms { memory: 5, deadline: Some(wall() - 1), ..Terms::default() };
    f.queue.submit(&[(job(3), large), (job(4), terms(6, 1))]).unwrap();
    f.queue.cancel(job(4).id()).unwrap();
    assert_eq!((f.queue.claim("w", 4).unwrap(), f.queue.too_large(4).unwrap()), (None, None));
    assert!(!f.queue.any_to_come(9).unwrap());
}

fn jobs_that_are_over_are_removed(f: &Fixture) {
    let late = Terms { memory: 9, deadline: Some(wall() - 1000), ..Terms::default() };
    let batch = (0..6).map(|n| (job(n), terms(0, 1))).chain([(job(6), late)]).collect::<Vec<_>>();
    let ids: Vec<Id> = f.queue.submit(&batch).unwrap().iter().map(|job| job.id).collect();
    let [done, failed, running] = [(); 3].map(|()| claimed(&*f.queue, 0));
    let result = (f.put)(b"result");
    assert_eq!(f.queue.complete(&done, result).unwrap(), Completion::First);
    assert_eq!(f.queue.fail(&failed, &Fault::Permanent("no".into())).unwrap(), State::Failed);
    assert_eq!(f.queue.cancel(ids[3]).unwrap(), State::Cancelled);
    let prune = |jobs| f.other.prune(Before { jobs, blobs: 0 }).unwrap().jobs;
    assert_eq!((prune(0), f.queue.list(None, 0).unwrap().total()), (0, 7), "none was over then");
    assert_eq!(prune(wall() - 500), 1, "the one whose deadline had passed");
    assert_eq!((prune(u64::MAX), prune(u64::MAX)), (3, 0));
    let there = ids.iter().map(|&id| f.queue.status(id).unwrap().map(|record| record.state));
    let (queued, held) = (Some(State::Queued), Some(State::Running));
    assert_eq!(there.collect::<Vec<_>>(), [None, None, held, None, queued, queued, None]);
    // Workers that had them bring nothing, and those that are left are as they were.
    assert!(matches!(f.queue.complete(&failed, result), Err(Error::UnknownJob(_))));
    assert!(matches!(f.queue.heartbeat(&done), Err(Error::UnknownJob(_))));
    assert_eq!(f.queue.heartbeat(&running).unwrap(), Beat::Held);
    assert_eq!([(); 2].map(|()| claimed(&*f.other, 9).id), [ids[4], ids[5]]);
    assert_eq!(f.queue.claim("w", 9).unwrap(), None);
    // Submitted again they are new.
    let again = f.queue.submit(&[(job(3), terms(0, 1)), (job(0), terms(0, 1))]).unwrap();
    assert!(again.iter().all(|job| job.new && job.state == State::Queued));
    let leases = [(); 2].map(|()| claimed(&*f.other, 0));
    assert_eq!([&leases[0], &leases[1]].map(|lease| (lease.id, lease.attempt)), [(ids[3], 1), (ids[0], 1)]);
    assert_eq!(f.other.complete(&leases[1], result).unwrap(), Completion::First);
    assert_eq!(f.other.prune(Before { jobs: u64::MAX, blobs: 0 }).unwrap().jobs, 1);
}

fn no_job_is_claimed_twice(f: &Fixture) {
    const JOBS: u32 = 16;
    let batch: Vec<_> = (0..JOBS).map(|n| (job(n), Terms::default())).collect();
    f.queue.submit(&batch).unwrap();
    let seen = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for queue in [&f.queue, &f.other, &f.queue] {
            let seen = &seen;
            scope.spawn(move || {
                while let Some(lease) = queue.claim("w", 0).unwrap() {
                    assert!(seen.lock().unwrap().insert(lease.id), "claimed twice");
                }
            });
        }
    });
    assert_eq!(seen.into_inner().unwrap().len(), JOBS as usize);
    assert_eq!(f.queue.list(None, 0).unwrap().count(State::Running), u64::from(JOBS));
}

fn lost_leases_come_back(f: &Fixture) {
    let result = (f.put)(b"result");
    f.queue.submit(&[(job(0), terms(0, 2))]).unwrap();
    let first = claimed(&*f.queue, 0);
    // The first worker is silent, and the second gets its job.
    let second = claimed(&*f.other, 0);
    assert_eq!((second.id, second.attempt), (first.id, 2));
    assert_ne!(second.token, first.token);
    assert_eq!(f.queue.heartbeat(&first).unwrap(), Beat::Lost);
    assert_eq!(f.queue.fail(&first, &Fault::Permanent("stale".into())).unwrap(), State::Running);
    // It was slow only, and brings the result first.
    assert_eq!(f.queue.complete(&first, result).unwrap(), Completion::First);
    assert_eq!(f.other.heartbeat(&second).unwrap(), Beat::Closed(State::Done));
    assert_eq!(f.other.complete(&second, result).unwrap(), Completion::Repeated);
    assert_eq!(state(&*f.queue, first.id), State::Done);
    // A job whose workers all die has failed after its attempts, and holds nobody up.
    f.queue.submit(&[(job(1), terms(0, 2))]).unwrap();
    assert_eq!(claimed(&*f.queue, 0).attempt, 1);
    assert_eq!(claimed(&*f.queue, 0).attempt, 2);
    let start = Instant::now();
    while state(&*f.queue, job(1).id()) != State::Failed {
        assert_eq!(f.queue.claim("w", 0).unwrap(), None);
        assert!(start.elapsed() < SHORT * 20, "it fails");
        thread::sleep(Duration::from_millis(50));
    }
    assert!(f.queue.status(job(1).id()).unwrap().unwrap().error.unwrap().contains("lease"));
}

fn heartbeats_keep_a_lease(f: &Fixture) {
    f.queue.submit(&[(job(0), Terms::default())]).unwrap();
    let lease = claimed(&*f.queue, 0);
    let start = Instant::now();
    while start.elapsed() < SHORT * 3 {
        assert_eq!(f.queue.heartbeat(&lease).unwrap(), Beat::Held);
        assert_eq!(f.other.claim("w", 0).unwrap(), None, "it is held");
        thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(f.queue.complete(&lease, (f.put)(b"done")).unwrap(), Completion::First);
}
