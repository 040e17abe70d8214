use super::*;
use crate::{Embedded, InProcess, Job, Shared, State, Terms};
use std::sync::atomic::AtomicU32;

fn jobs(kinds: &[(&str, u64)]) -> Vec<(Job, Terms)> {
    let job = |(n, &(payload, memory)): (usize, &(&str, u64))| {
        let job = Job { kind: format!("n{n}"), payload: payload.into(), inputs: Vec::new() };
        (job, Terms { memory, max_attempts: 2, deadline: None })
    };
    kinds.iter().enumerate().map(job).collect()
}

/// A runner that does what payloads say.
fn obeys(task: &Task<'_>) -> Result<Vec<u8>, String> {
    match task.job.payload.as_str() {
        "panic" => panic!("as asked for"),
        "wrong" => Err("as asked for".into()),
        payload => Ok(payload.as_bytes().to_vec()),
    }
}

fn options() -> WorkerOptions {
    let milli = Duration::from_millis(1);
    let memory = 100;
    WorkerOptions {
        slots: 2,
        memory,
        until_empty: true,
        poll: milli * 5,
        heartbeat: milli * 20,
        ..WorkerOptions::default()
    }
}

#[test]
fn a_worker_survives_its_jobs_and_leaves_what_it_cannot_hold() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    let given = jobs(&[("a", 60), ("panic", 60), ("too large", 101), ("wrong", 0), ("b", 100)]);
    let given = queue.submit(&given).unwrap();
    let (running, most) = (AtomicU32::new(0), AtomicU32::new(0));
    let runner = InProcess(|task: &Task<'_>| {
        // Of those that run at once, no two need more than there is.
        let need = u32::try_from(task.memory).unwrap();
        most.fetch_max(running.fetch_add(need, Ordering::SeqCst) + need, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(5));
        running.fetch_sub(need, Ordering::SeqCst);
        obeys(task)
    });
    let worker =
        Worker { queue: &queue, store: &Shared, blobs: queue.blobs(), runner: &runner, options: options() };
    let told = Mutex::new(Vec::new());
    let says = |event: Event<'_>| {
        if let Event::TooLarge { id, needs, memory } = event {
            told.lock().unwrap().push((id, needs, memory));
        }
    };
    let summary = worker.run(&Stop::default(), &says).unwrap();
    assert_eq!(summary, Summary { done: 2, failed: 3, ..Summary::default() });
    assert_eq!(told.into_inner().unwrap(), [(given[2].id, 101, 100)], "said once");
    assert!(most.load(Ordering::SeqCst) <= 100);
    let states = given.iter().map(|given| queue.status(given.id).unwrap().unwrap());
    let states: Vec<_> = states.map(|record| (record.state, record.attempts)).collect();
    let expected =
        [(State::Done, 1), (State::Failed, 2), (State::Queued, 0), (State::Failed, 1), (State::Done, 1)];
    assert_eq!(states, expected, "a panic has another attempt, an error has none");
}

#[test]
fn a_worker_that_is_asked_to_end_finishes_or_hands_back() {
    /// Runs until it is stopped.
    struct Endless;
    impl Runner for Endless {
        fn run(&self, _: &Task<'_>, cancel: &AtomicBool) -> Outcome {
            while !cancel.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            Outcome::Stopped
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    let given = queue.submit(&jobs(&[("a", 0), ("b", 0), ("c", 0)])).unwrap();
    let worker =
        |options| Worker { queue: &queue, store: &Shared, blobs: queue.blobs(), runner: &Endless, options };
    let stop = Stop::default();
    let ends = WorkerOptions { grace: Duration::from_millis(10), ..options() };
    // Both slots have begun when it is asked to end: nobody claims the third.
    let begun = AtomicU32::new(0);
    let says = |event: Event<'_>| {
        if let Event::Began(_) = event
            && begun.fetch_add(1, Ordering::SeqCst) == 1
        {
            stop.stop();
        }
    };
    assert_eq!(worker(ends.clone()).run(&stop, &says).unwrap().stopped, 2);
    let listing = queue.list(Some(State::Queued), 9).unwrap();
    assert_eq!(listing.count(State::Queued), 3);
    assert!(listing.jobs.iter().all(|(_, record)| record.attempts == 0), "handed back, no attempt counts");
    // A job that is cancelled stops where it runs.
    let says = |event: Event<'_>| {
        if let Event::Began(lease) = event {
            queue.cancel(lease.id).unwrap();
        }
    };
    assert_eq!(worker(ends).run(&Stop::default(), &says).unwrap().stopped, 3);
    assert!(given.iter().all(|g| queue.status(g.id).unwrap().unwrap().state == State::Cancelled));
    // A queue that is gone takes no result: what runs stops, and the worker ends with the error.
    queue.submit(&jobs(&[("d", 1)])).unwrap();
    let says = |event: Event<'_>| {
        if let Event::Began(_) = event {
            std::fs::remove_file(folder.path().join("queue.redb")).unwrap();
        }
    };
    let one = WorkerOptions { slots: 1, ..options() };
    let ended = worker(one).run(&Stop::default(), &says);
    assert!(matches!(ended, Err(Error::NoQueue(_))), "{ended:?}");
}

/// A queue whose records of some jobs are spoilt by somebody else: when they are claimed, and while they run. It does not answer the first `silent` times that it is
/// listed.
struct Spoilt<'a> {
    queue: &'a Embedded,
    passed: AtomicU32,
    silent: AtomicU32,
}

impl<'a> Spoilt<'a> {
    fn new(queue: &'a Embedded, silent: u32) -> Self {
        Self { queue, passed: AtomicU32::new(0), silent: AtomicU32::new(silent) }
    }
}

fn spoilt(id: Id) -> Error {
    Error::Record { id, why: "as asked for".into() }
}

impl JobQueue for Spoilt<'_> {
    fn submit(&self, jobs: &[(Job, Terms)]) -> Result<Vec<crate::Submitted>, Error> {
        self.queue.submit(jobs)
    }

    fn claim(&self, worker: &str, memory: u64) -> Result<Option<Lease>, Error> {
        if self.passed.fetch_add(1, Ordering::SeqCst) < 2 * MAX_ERRORS {
            return Err(spoilt(Id([1; 32])));
        }
        self.queue.claim(worker, memory)
    }

    fn heartbeat(&self, lease: &Lease) -> Result<Beat, Error> {
        self.queue.heartbeat(lease)
    }

    fn complete(&self, lease: &Lease, result: Id) -> Result<Completion, Error> {
        let completion = self.queue.complete(lease, result)?;
        if lease.job.payload == "spoilt" { Err(spoilt(lease.id)) } else { Ok(completion) }
    }

    fn fail(&self, lease: &Lease, fault: &Fault) -> Result<State, Error> {
        self.queue.fail(lease, fault)?;
        Err(Error::UnknownJob(lease.id))
    }

    fn cancel(&self, id: Id) -> Result<State, Error> {
        self.queue.cancel(id)
    }

    fn lose_result(&self, id: Id, result: Id) -> Result<State, Error> {
        self.queue.lose_result(id, result)
    }

    fn status(&self, id: Id) -> Result<Option<crate::Record>, Error> {
        self.queue.status(id)
    }

    fn list(&self, state: Option<State>, limit: usize) -> Result<crate::Listing, Error> {
        if self.silent.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
            return Err(Error::Engine("it is being restarted".into()));
        }
        self.queue.list(state, limit)
    }

    fn any_to_come(&self, memory: u64) -> Result<bool, Error> {
        self.queue.any_to_come(memory)
    }

    fn too_large(&self, memory: u64) -> Result<Option<(Id, u64)>, Error> {
        self.queue.too_large(memory)
    }

    fn prune(&self, before: crate::Before) -> Result<crate::Pruned, Error> {
        self.queue.prune(before)
    }
}

#[test]
fn spoilt_records_end_no_worker() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    queue.submit(&jobs(&[("a", 0), ("spoilt", 0), ("wrong", 0), ("b", 0)])).unwrap();
    let queue = Spoilt::new(&queue, 0);
    let runner = InProcess(obeys);
    let blobs = queue.queue.blobs();
    let worker = Worker { queue: &queue, store: &Shared, blobs, runner: &runner, options: options() };
    let passed = AtomicU32::new(0);
    let says = |event: Event<'_>| {
        if let Event::PassedOver(e) = event {
            assert!(e.is_of_one_job());
            passed.fetch_add(1, Ordering::SeqCst);
        }
    };
    let summary = worker.run(&Stop::default(), &says).unwrap();
    assert_eq!((summary.done, passed.load(Ordering::SeqCst)), (2, 2 * MAX_ERRORS + 2));
}

#[test]
fn a_swapped_input_fails_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    let [one, two] = [b"one", b"two"].map(|bytes| queue.blobs().put(bytes).unwrap());
    let job = Job { kind: "a".into(), payload: "p".into(), inputs: vec![one] };
    let id = queue.submit(&[(job, Terms::default())]).unwrap()[0].id;
    std::fs::copy(queue.blobs().check(two).unwrap(), queue.blobs().check(one).unwrap()).unwrap();
    let runner = InProcess(obeys);
    let worker =
        Worker { queue: &queue, store: &Shared, blobs: queue.blobs(), runner: &runner, options: options() };
    assert_eq!(worker.run(&Stop::default(), &|_| ()).unwrap().failed, 1);
    let record = queue.status(id).unwrap().unwrap();
    assert!(record.state == State::Failed && record.error.unwrap().contains("swapped"));
}

/// A store that does not answer at first, whatever it is asked.
#[derive(Default)]
struct Restarted(AtomicU32);

impl Restarted {
    fn answer(&self, answer: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let asked = self.0.fetch_add(1, Ordering::SeqCst);
        if asked % 3 < 2 { Err(Error::Engine("it is being restarted".into())) } else { answer() }
    }
}

impl BlobStore for Restarted {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        self.answer(|| Shared.fetch(id, local))
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        self.answer(|| Shared.publish(id, local))
    }
}

/// The work of hours is not lost with a server that is restarted when it is done.
#[test]
fn a_store_that_is_restarted_costs_no_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    let input = queue.blobs().put(b"input").unwrap();
    let job = Job { kind: "a".into(), payload: "p".into(), inputs: vec![input] };
    queue.submit(&[(job, Terms { max_attempts: 1, ..Terms::default() })]).unwrap();
    let (runner, store) = (InProcess(obeys), Restarted::default());
    let worker =
        Worker { queue: &queue, store: &store, blobs: queue.blobs(), runner: &runner, options: options() };
    assert_eq!(worker.run(&Stop::default(), &|_| ()).unwrap().done, 1);
}

/// A store whose first results are removed as soon as they are stored.
#[derive(Default)]
struct Cleared(AtomicU32);

impl BlobStore for Cleared {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        Shared.fetch(id, local)
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            0 => std::fs::remove_file(local.check(id)?).map_err(Error::io("remove", local.folder())),
            _ => Shared.publish(id, local),
        }
    }
}

#[test]
fn a_result_that_is_removed_costs_an_attempt_and_no_worker() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    queue.submit(&jobs(&[("a", 0), ("b", 0)])).unwrap();
    let (runner, store) = (InProcess(obeys), Cleared::default());
    let worker =
        Worker { queue: &queue, store: &store, blobs: queue.blobs(), runner: &runner, options: options() };
    let summary = worker.run(&Stop::default(), &|_| ()).unwrap();
    assert_eq!((summary.done, summary.failed), (2, 1));
}

/// Places in a folder's order, and leases, of jobs that have no record keep no other job waiting.
#[test]
fn jobs_without_a_record_stand_in_nobody_s_way() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    {
        let waiting = redb::TableDefinition::<'_, (u64, u64), [u8; 32]>::new("waiting");
        let running = redb::TableDefinition::<'_, [u8; 32], (u128, u64)>::new("running");
        let database = redb::Database::open(folder.path().join("queue.redb")).unwrap();
        let transaction = database.begin_write().unwrap();
        transaction.open_table(waiting).unwrap().insert((0, 0), [1; 32]).unwrap();
        transaction.open_table(running).unwrap().insert([2; 32], (0, 0)).unwrap();
        let mut meta = transaction.open_table(redb::TableDefinition::<'_, &str, u64>::new("meta")).unwrap();
        meta.insert("next", 1).unwrap();
        drop(meta);
        transaction.commit().unwrap();
    }
    queue.submit(&jobs(&[("a", 0)])).unwrap();
    let runner = InProcess(obeys);
    let options = WorkerOptions { slots: 1, ..options() };
    let worker = Worker { queue: &queue, store: &Shared, blobs: queue.blobs(), runner: &runner, options };
    let (stop, passed) = (Stop::default(), AtomicU32::new(0));
    let says = |event: Event<'_>| {
        if matches!(event, Event::PassedOver(_)) && passed.fetch_add(1, Ordering::SeqCst) == 9 {
            stop.stop();
        }
    };
    assert_eq!(worker.run(&stop, &says).unwrap().done, 1);
}

/// A store that answers no more: who fetches, or who publishes.
struct Lost(bool);

impl BlobStore for Lost {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        if self.0 { Err(Error::Engine("it is gone".into())) } else { Shared.fetch(id, local) }
    }

    fn publish(&self, _: Id, _: &Blobs) -> Result<(), Error> {
        Err(Error::Engine("it is gone".into()))
    }
}

/// A store that is asked again holds up no worker that is to end, and costs no attempt then.
#[test]
fn a_worker_that_is_asked_to_end_asks_no_store_again_after_its_grace() {
    for fetches in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
        let input = queue.blobs().put(b"input").unwrap();
        let job = Job { kind: "a".into(), payload: "p".into(), inputs: vec![input] };
        let id = queue.submit(&[(job, Terms::default())]).unwrap()[0].id;
        let (runner, store, stop) = (InProcess(obeys), Lost(fetches), Stop::default());
        let (poll, grace) = (Duration::from_secs(2), Duration::from_millis(10));
        let options = WorkerOptions { slots: 1, poll, grace, ..options() };
        let worker = Worker { queue: &queue, store: &store, blobs: queue.blobs(), runner: &runner, options };
        let says = |event: Event<'_>| {
            if let Event::Began(_) = event {
                stop.stop();
            }
        };
        let begun = Instant::now();
        assert_eq!(worker.run(&stop, &says).unwrap().stopped, 1);
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
        let record = queue.status(id).unwrap().unwrap();
        assert_eq!((record.state, record.attempts), (State::Queued, 0));
    }
}

/// Waiting for jobs tolerates passing errors of the engine, as a worker does.
#[test]
fn who_waits_asks_again_as_a_worker_does() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    for (silent, answer) in [(MAX_ERRORS, Ok(())), (MAX_ERRORS + 1, Err(()))] {
        let (mut failed, mut answered) = (0, 0);
        let mut report = |looked: Result<&crate::Listing, &Error>| match looked {
            Ok(listing) => answered += u32::from((listing.over(), listing.total()) == (0, 0)),
            Err(_) => failed += 1,
        };
        let queue = Spoilt::new(&queue, silent);
        let waited = crate::place::wait(&queue, Duration::from_millis(1), &mut report);
        assert_eq!(waited.map_err(|_| ()), answer);
        assert_eq!((failed, answered), (MAX_ERRORS, u32::from(answer.is_ok())));
    }
}

/// A machine on which no job can be begun, or no blob be written, costs no job an attempt.
#[test]
fn a_worker_that_can_run_nothing_ends_and_fails_no_job() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(&folder.path().join("q"), Duration::from_secs(30)).unwrap();
    queue.submit(&jobs(&[("a", 0), ("b", 0)])).unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"in the way").unwrap();
    let runner = crate::Process { program: folder.path().join("none"), arguments: Vec::new() };
    for blobs in [queue.blobs().clone(), Blobs::new(&file)] {
        let options = WorkerOptions { poll: Duration::from_millis(1), ..options() };
        let worker = Worker { queue: &queue, store: &Shared, blobs: &blobs, runner: &runner, options };
        let ended = worker.run(&Stop::default(), &|_| ()).unwrap_err().to_string();
        assert!(["cannot start", "cannot write into"].iter().any(|says| ended.contains(says)), "{ended}");
        for (id, record) in queue.list(None, 2).unwrap().jobs {
            assert_eq!((record.state, record.attempts), (State::Queued, 0), "{id}: {ended}");
        }
    }
}

/// Workers of an earlier release leave jobs that they do not understand to one of a later release, say so once, and end without them.
#[test]
fn jobs_of_a_later_release_wait_for_its_worker() {
    /// A release that knows payloads up to a version.
    struct Release(u32, AtomicU32);
    impl Runner for Release {
        fn run(&self, task: &Task<'_>, cancel: &AtomicBool) -> Outcome {
            self.1.fetch_add(1, Ordering::SeqCst);
            match task.job.payload.parse::<u32>() {
                Ok(version) if version > self.0 => Outcome::NotUnderstood(format!("version {version}")),
                Ok(_) => InProcess(obeys).run(task, cancel),
                Err(e) => Outcome::Permanent(e.to_string()),
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let created = Embedded::create(folder.path(), Duration::from_secs(30)).unwrap();
    let given = created.submit(&jobs(&[("2", 0), ("1", 0), ("malformed", 0), ("2", 1), ("1", 1)])).unwrap();
    let states = || given.iter().map(|given| created.status(given.id).unwrap().unwrap().state);
    let run = |version| {
        // Each is a process of its own.
        let queue = Embedded::open(folder.path()).unwrap();
        let (runner, told) = (Release(version, AtomicU32::new(0)), AtomicU32::new(0));
        let worker = Worker {
            queue: &queue,
            store: &Shared,
            blobs: queue.blobs(),
            runner: &runner,
            options: options(),
        };
        let says =
            |event: Event<'_>| {
                if let Event::NotUnderstood(..) = event {
                    assert!(event.to_string().starts_with(
                        "left to another worker, for this one does not understand it: version 2"
                    ));
                    told.fetch_add(1, Ordering::SeqCst);
                }
            };
        let summary = worker.run(&Stop::default(), &says).unwrap();
        assert_eq!(u64::from(told.into_inner()), summary.not_understood);
        (summary, runner.1.into_inner())
    };
    let (summary, begun) = run(1);
    assert_eq!(summary, Summary { done: 2, failed: 1, not_understood: 2, ..Summary::default() });
    assert_eq!(begun, 5, "each is begun once");
    let (queued, done, failed) = (State::Queued, State::Done, State::Failed);
    assert!(states().eq([queued, done, failed, queued, done]));
    assert_eq!(run(1).0, Summary { not_understood: 2, ..Summary::default() });
    assert_eq!(run(2).0, Summary { done: 2, ..Summary::default() });
    assert!(states().eq([done, done, failed, done, done]));
}
