//! Workers and submitters that are processes, killed by SIGKILL while they work: the test's own program, started again with a role.

use super::job;
use fleet::{BlobStore, Blobs, Id, InProcess, JobQueue, State, Stop, Task, Terms, Worker, WorkerOptions};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const ROLE: &str = "FLEET_TEST_ROLE";

/// A queue as a process opens it.
pub struct Side {
    pub queue: Box<dyn JobQueue>,
    pub store: Box<dyn BlobStore>,
    pub blobs: Blobs,
}

/// The test of each engine that is a process of another one's; with a role it does what that says, and does not return.
pub fn act(open: impl Fn() -> Side) {
    match std::env::var(ROLE).as_deref() {
        Ok("work") => work(&open()),
        Ok("submit") => submit(&*open().queue),
        _ => return,
    }
    std::process::exit(0);
}

/// The result of a job.
fn result(payload: &str) -> Vec<u8> {
    format!("result of {payload}").into_bytes()
}

fn work(side: &Side) {
    let runner = InProcess(|task: &Task<'_>| {
        thread::sleep(Duration::from_millis(2));
        Ok(result(&task.job.payload))
    });
    // All have one name.
    let options = WorkerOptions {
        name: "twin".into(),
        until_empty: true,
        poll: Duration::from_millis(20),
        heartbeat: Duration::from_millis(300),
        ..WorkerOptions::default()
    };
    let worker =
        Worker { queue: &*side.queue, store: &*side.store, blobs: &side.blobs, runner: &runner, options };
    worker.run(&Stop::default(), &|_| ()).unwrap();
}

/// Submits jobs one by one, and says so after each.
fn submit(queue: &dyn JobQueue) {
    for n in 1_000_000.. {
        let id = queue.submit(&[(job(n), Terms { max_attempts: 100, ..Terms::default() })]).unwrap()[0].id;
        println!("submitted {id}");
        std::io::stdout().flush().unwrap();
    }
}

/// Starts this program again, in a role, as the test with the name given.
fn start(role: &str, test: &str, environment: &[(String, String)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(ROLE, role);
    command.envs(environment.iter().cloned()).stdout(Stdio::piped()).stdin(Stdio::null());
    command.spawn().unwrap()
}

/// What is done while processes are killed.
pub struct Plan<'a> {
    pub jobs: u32,
    pub kills: u32,
    pub workers: usize,
    /// The test that calls [`act`], and the environment that tells it which queue.
    pub test: &'a str,
    pub environment: Vec<(String, String)>,
}

/// Kills a submitter and so many workers by SIGKILL while jobs are done: each has its result, once.
pub fn survive(side: &Side, plan: &Plan<'_>) {
    let batch: Vec<_> =
        (0..plan.jobs).map(|n| (job(n), Terms { max_attempts: 100, ..Terms::default() })).collect();
    let mut expected: BTreeMap<Id, Option<Id>> = BTreeMap::new();
    for ((job, _), submitted) in batch.iter().zip(side.queue.submit(&batch).unwrap()) {
        expected.insert(submitted.id, Some(Id::of(&result(&job.payload))));
    }
    acknowledged(plan).into_iter().for_each(|id| {
        expected.insert(id, None);
    });

    let spawn = || start("work", plan.test, &plan.environment);
    let mut workers: Vec<Child> = (0..plan.workers).map(|_| spawn()).collect();
    let mut killed = 0;
    let begun = Instant::now();
    // Kills are spread over the jobs, so that all of them hit a worker at work.
    loop {
        let listing = side.queue.list(None, 0).unwrap();
        let done = listing.count(State::Done);
        if listing.count(State::Queued) + listing.count(State::Running) == 0 && killed == plan.kills {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "{:?}, {killed} killed", listing.counts);
        if killed < plan.kills && done >= u64::from(plan.jobs) * u64::from(killed) / u64::from(plan.kills) {
            let victim = &mut workers[killed as usize % plan.workers];
            victim.kill().unwrap();
            victim.wait().unwrap();
            *victim = spawn();
            killed += 1;
        }
        for worker in &mut workers {
            if worker.try_wait().unwrap().is_some() {
                *worker = spawn();
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
    for mut worker in workers {
        worker.kill().unwrap();
        worker.wait().unwrap();
    }

    for (id, result) in &expected {
        let record =
            side.queue.status(*id).unwrap().unwrap_or_else(|| panic!("{id} was acknowledged and is lost"));
        assert_eq!((record.state, record.conflict), (State::Done, None), "{record:?}");
        assert!(result.is_none() || record.result == *result, "{record:?}");
        let blob = record.result.unwrap();
        side.store.fetch(blob, &side.blobs).unwrap();
        side.blobs.check(blob).unwrap();
    }
    let listing = side.queue.list(None, 0).unwrap();
    println!(
        "{} jobs done, {killed} workers and a submitter killed, {:.1} s",
        listing.total(),
        begun.elapsed().as_secs_f64()
    );
}

/// Kills a submitter while it submits; returns the jobs of which it said that they are submitted.
fn acknowledged(plan: &Plan<'_>) -> Vec<Id> {
    let mut child = start("submit", plan.test, &plan.environment);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut ids = Vec::new();
    let mut line = String::new();
    while ids.len() < 3 && output.read_line(&mut line).unwrap() > 0 {
        ids.extend(line.split("submitted ").nth(1).and_then(|id| id.trim().parse::<Id>().ok()));
        line.clear();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    ids.extend(rest.lines().filter_map(|line| line.strip_prefix("submitted ")?.parse::<Id>().ok()));
    assert!(ids.len() >= 3, "it submitted: {rest}");
    ids
}
