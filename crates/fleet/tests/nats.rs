//! The same laws on NATS, and processes killed: `scripts/nats-test` starts this with a server's program in `TENFOLD_NATS_SERVER`.

#[path = "laws/mod.rs"]
mod laws;

use fleet::nats::Nats;
use fleet::{
    Access, Blobs, Error, Event, InProcess, JobQueue, Place, Stop, Task, Terms, Worker, WorkerOptions, wall,
};
use laws::Fixture;
use laws::processes::{Plan, Side, act, survive};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const SERVER: &str = "FLEET_TEST_SERVER";
const FOLDER: &str = "FLEET_TEST_FOLDER";

/// A server with JetStream on the loopback interface, ended with the value.
struct Server {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let program = std::env::var("TENFOLD_NATS_SERVER")
            .expect("TENFOLD_NATS_SERVER names a program: run scripts/nats-test");
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = run(&program, port, folder.path());
        Self { child, port, folder }
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server and starts it again on what it stored.
    fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let program = std::env::var("TENFOLD_NATS_SERVER").unwrap();
        self.child = run(&program, self.port, self.folder.path());
    }
}

fn run(program: &str, port: u16, folder: &Path) -> Child {
    let mut command = Command::new(program);
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the server starts");
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(30), "the server answers");
        std::thread::sleep(Duration::from_millis(50));
    }
    child
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn side(url: &str, name: &str, folder: &Path) -> Side {
    let queue = Nats::connect(url, name, Duration::from_secs(2)).unwrap();
    let store = queue.store().unwrap();
    Side { queue: Box::new(queue), store: Box::new(store), blobs: Blobs::new(folder) }
}

#[test]
fn the_laws_hold() {
    let server = Server::start();
    let made = AtomicU32::new(0);
    laws::hold(&|lease| {
        let name = format!("laws-{}", made.fetch_add(1, Ordering::Relaxed));
        let connect = || Nats::connect(&server.url(), &name, lease).unwrap();
        let put = Box::new(fleet::Id::of);
        Fixture { queue: Box::new(connect()), other: Box::new(connect()), put }
    });
}

/// A process of the test below; its blobs are its own, as on a machine of its own.
#[test]
fn process() {
    act(|| {
        let [server, folder] = [SERVER, FOLDER].map(|name| std::env::var(name).unwrap());
        side(&server, "killed", &PathBuf::from(folder).join(std::process::id().to_string()))
    });
}

#[test]
fn a_thousand_jobs_survive_twenty_killed_workers() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let environment =
        vec![(SERVER.to_owned(), server.url()), (FOLDER.to_owned(), folder.path().display().to_string())];
    let plan = Plan { jobs: 1000, kills: 20, workers: 4, test: "process", environment };
    survive(&side(&server.url(), "killed", &folder.path().join("own")), &plan);
}

#[test]
fn a_killed_server_loses_nothing_that_was_acknowledged() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "crash", folder.path());
    let jobs: Vec<_> = (0..20).map(|n| (laws::job(n), fleet::Terms::default())).collect();
    side.queue.submit(&jobs).unwrap();
    let result = side.blobs.put(b"result").unwrap();
    side.store.publish(result, &side.blobs).unwrap();
    let lease = side.queue.claim("w", 0).unwrap().unwrap();
    side.queue.complete(&lease, result).unwrap();
    server.crash();
    let start = Instant::now();
    let listing = loop {
        match side.queue.list(None, 0) {
            Ok(listing) => break listing,
            Err(e) => assert!(e.is_passing() && start.elapsed() < Duration::from_secs(60), "{e}"),
        }
    };
    assert_eq!((listing.total(), listing.count(fleet::State::Done)), (20, 1));
    let other = Blobs::new(&folder.path().join("other"));
    side.store.fetch(result, &other).unwrap();
    assert_eq!(other.read(result, 100).unwrap(), b"result");
    assert!(matches!(side.store.fetch(fleet::Id([1; 32]), &other), Err(Error::NoBlob(_))));
}

/// What others write to the server ends no worker: it is passed over, and counted in listings.
#[test]
fn foreign_entries_are_passed_over() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "foreign", folder.path());
    let jobs: Vec<_> = (0..16).map(|n| (laws::job(n), Terms::default())).collect();
    let ids: Vec<_> = side.queue.submit(&jobs).unwrap().iter().map(|job| job.id).collect();
    let spoilt = ids[0];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let context = async_nats::jetstream::new(client);
        let records = context.get_key_value("fleet-foreign-records").await.unwrap();
        records.put(spoilt.to_string(), "no record".into()).await.unwrap();
        records.put("no-job", "no record".into()).await.unwrap();
        // Running, under messages that there are not, as many as a worker takes errors of the server, and under the spoilt job's.
        for (n, id) in ids[2..].iter().enumerate() {
            let record = records.get(id.to_string()).await.unwrap().unwrap();
            let mut record: serde_json::Value = serde_json::from_slice(&record).unwrap();
            record["message"] = if n < 12 { 0 } else { [1, u64::MAX][n % 2] }.into();
            record["record"]["state"] = "running".into();
            records.put(id.to_string(), record.to_string().into()).await.unwrap();
        }
        context.publish("fleet.foreign.job.x", "no job".into()).await.unwrap().await.unwrap();
    });
    let runner = InProcess(|task: &Task<'_>| Ok(task.job.payload.clone().into_bytes()));
    let options =
        WorkerOptions { until_empty: true, poll: Duration::from_millis(5), ..WorkerOptions::default() };
    let worker =
        Worker { queue: &*side.queue, store: &*side.store, blobs: &side.blobs, runner: &runner, options };
    let passed = AtomicU32::new(0);
    let says = |event: Event<'_>| {
        passed.fetch_add(u32::from(matches!(event, Event::PassedOver(_))), Ordering::Relaxed);
    };
    assert_eq!(worker.run(&Stop::default(), &says).unwrap().done, 15);
    assert!(passed.load(Ordering::Relaxed) > 0);
    let listing = side.queue.list(None, 0).unwrap();
    assert_eq!((listing.total(), listing.foreign), (15, 2));
    assert!(matches!(side.queue.status(spoilt), Err(Error::Record { id, .. }) if id == spoilt));
}

/// Relays to a server, each way with this delay, and returns its own port: a server that is far away.
fn far(to: u16, delay: Duration) -> u16 {
    let relay = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = relay.local_addr().unwrap().port();
    let carry = move |mut from: TcpStream, mut to: TcpStream| {
        let (sent, waiting) = channel::<(Instant, Vec<u8>)>();
        std::thread::spawn(move || {
            for (due, bytes) in waiting {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                to.write_all(&bytes)?;
            }
            to.shutdown(Shutdown::Both)
        });
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                let _ = sent.send((Instant::now() + delay, buffer[..count].to_vec()));
            }
        });
    };
    std::thread::spawn(move || {
        for near in relay.incoming().map(Result::unwrap) {
            let far = TcpStream::connect(("127.0.0.1", to)).unwrap();
            far.set_nodelay(true).unwrap();
            near.set_nodelay(true).unwrap();
            carry(near.try_clone().unwrap(), far.try_clone().unwrap());
            carry(far, near);
        }
    });
    port
}

/// More foreign entries than are looked at in the time that one is left alone do not keep the jobs behind them from a worker.
#[test]
fn foreign_entries_keep_no_job_waiting() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let near = side(&server.url(), "far", folder.path());
    let jobs: Vec<_> = (0..17).map(|n| (laws::job(n), Terms::default())).collect();
    let ids: Vec<_> = near.queue.submit(&jobs).unwrap().iter().map(|job| job.id).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let records = context.get_key_value("fleet-far-records").await.unwrap();
        for id in &ids[..16] {
            records.put(id.to_string(), "no record".into()).await.unwrap();
        }
    });
    let url = format!("nats://127.0.0.1:{}", far(server.port, Duration::from_millis(20)));
    let queue = Nats::connect(&url, "far", Duration::from_secs(30)).unwrap();
    let begun = Instant::now();
    let lease = loop {
        assert!(begun.elapsed() < Duration::from_secs(15), "nothing to claim");
        match queue.claim("w", 0) {
            Err(Error::Record { .. }) | Ok(None) => {}
            lease => break lease.unwrap().unwrap(),
        }
    };
    assert_eq!(lease.id, ids[16]);
}

/// Puts something else in the place of a blob of this length: a value, an object, one that its own digest refuses, or a link to itself.
async fn spoil(server: &Server, how: &str, (id, length): (fleet::Id, usize)) {
    let (name, other) = (id.to_string(), vec![8; length]);
    let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let values = context.get_key_value("fleet-swapped-small").await.unwrap();
    if how == "value" {
        values.put(name, other.into()).await.unwrap();
        return;
    }
    values.delete(name.as_str()).await.unwrap();
    let objects = context.get_object_store("fleet-swapped-blobs").await.unwrap();
    let mut info = objects.put(name.as_str(), &mut &other[..]).await.unwrap();
    if how == "damaged" {
        let sent = context.publish(format!("$O.fleet-swapped-blobs.C.{}", info.nuid), "more".into()).await;
        sent.unwrap().await.unwrap();
    } else if how == "link" {
        context.get_stream("OBJ_fleet-swapped-blobs").await.unwrap().purge().await.unwrap();
        info.options = None;
        objects.add_link(&name, &info).await.unwrap();
    }
}

/// A blob that somebody else has changed is refused, and stored again by who has it.
#[test]
fn blobs_that_were_swapped_are_healed() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "swapped", folder.path());
    let [small, large] = [&[7; 5][..], &[7; 600 << 10]].map(|bytes| side.blobs.put(bytes).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let other = Blobs::new(&folder.path().join("other"));
    let (small, short, large) = ((small, 5), (large, 7), (large, 600 << 10));
    let cases = [
        ("value", small),
        ("object", small),
        ("value", short),
        ("object", short),
        ("object", large),
        ("damaged", large),
        ("link", large),
    ];
    for (how, blob) in cases {
        side.store.publish(blob.0, &side.blobs).unwrap();
        runtime.block_on(spoil(&server, how, blob));
        assert!(matches!(side.store.fetch(blob.0, &other), Err(Error::Blob(_))), "{how} {blob:?}");
        side.store.publish(blob.0, &side.blobs).unwrap();
        side.store.fetch(blob.0, &other).unwrap();
        std::fs::remove_file(other.check(blob.0).unwrap()).unwrap();
    }
    // What is said of an object is no sentence.
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let objects = context.get_stream("OBJ_fleet-swapped-blobs").await.unwrap();
        let said = objects.get_last_raw_message_by_subject("$O.fleet-swapped-blobs.M.*").await.unwrap();
        context.publish(said.subject, "no sentence".into()).await.unwrap().await.unwrap();
    });
    assert!(side.store.fetch(large.0, &other).is_err());
    side.store.publish(large.0, &side.blobs).unwrap();
    side.store.fetch(large.0, &other).unwrap();
}

/// Blobs that no job names go from the server, unless they are young, or the records of others may name them.
#[test]
fn blobs_that_no_job_names_are_removed() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "pruned", folder.path());
    let other = Blobs::new(&folder.path().join("other"));
    let large = |n: u8| vec![n; 600 << 10];
    let blobs = [&[1; 5][..], &[2; 5], &large(3), &large(4)].map(|bytes| side.blobs.put(bytes).unwrap());
    let store = |id| side.store.publish(id, &side.blobs).unwrap();
    let there = || {
        blobs.map(|id| {
            let fetched = side.store.fetch(id, &other);
            assert!(matches!(fetched, Ok(()) | Err(Error::NoBlob(_))), "{fetched:?}");
            other.check(id).map(|path| std::fs::remove_file(path).unwrap()).is_ok()
        })
    };
    blobs.into_iter().for_each(store);
    let job = fleet::Job { inputs: vec![blobs[0], blobs[2]], ..laws::job(0) };
    let id = side.queue.submit(&[(job, Terms::default())]).unwrap()[0].id;
    let prune = |jobs, blobs| side.queue.prune(fleet::Before { jobs, blobs }).unwrap();
    let before = wall();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(prune(0, before - 1000), fleet::Pruned::default(), "they are young");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let foreign = |put: bool| {
        runtime.block_on(async {
            let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
            let records = context.get_key_value("fleet-pruned-records").await.unwrap();
            if put {
                let _ = records.put("other", "x".into()).await.unwrap();
            } else {
                records.delete("other").await.unwrap()
            }
        })
    };
    foreign(true);
    assert_eq!(prune(0, u64::MAX), fleet::Pruned { foreign: 1, ..fleet::Pruned::default() });
    foreign(false);
    // A blob that is asked to be stored again is young again, if it is large; a small one is, if it is older than half of an hour.
    std::thread::sleep(Duration::from_millis(50));
    let middle = wall();
    std::thread::sleep(Duration::from_millis(50));
    store(blobs[3]);
    assert_eq!(prune(0, middle), fleet::Pruned { blobs: 1, bytes: 5, ..fleet::Pruned::default() });
    assert_eq!(there(), [true, false, true, true]);
    blobs.into_iter().for_each(store);
    assert_eq!(there(), [true; 4]);
    assert_eq!(prune(0, u64::MAX).blobs, 2);
    assert_eq!(there(), [true, false, true, false]);
    side.queue.cancel(id).unwrap();
    assert_eq!(
        prune(u64::MAX, u64::MAX),
        fleet::Pruned { jobs: 1, blobs: 2, bytes: 5 + (600 << 10), foreign: 0 }
    );
    assert_eq!(there(), [false; 4]);
    blobs.into_iter().for_each(store);
    assert_eq!(there(), [true; 4], "as new");
    // Nothing is left of the job: no record, no mark in its place, no message.
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let records = context.get_stream("KV_fleet-pruned-records").await.unwrap();
        let subject = format!("$KV.fleet-pruned-records.{id}");
        assert!(records.get_last_raw_message_by_subject(&subject).await.is_err());
        let jobs = context.get_stream("fleet-pruned-jobs").await.unwrap();
        assert_eq!(jobs.cached_info().state.messages, 0);
    });
}

/// Entries that another tenant of the server wrote about objects remove no more than these, whatever they say.
#[test]
fn odd_entries_of_objects_remove_no_other_blob() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "odd", folder.path());
    let other = Blobs::new(&folder.path().join("other"));
    let [named, slow] = [1, 2].map(|n| side.blobs.put(&vec![n; 600 << 10]).unwrap());
    [named, slow].into_iter().for_each(|id| side.store.publish(id, &side.blobs).unwrap());
    let job = fleet::Job { inputs: vec![named], ..laws::job(0) };
    side.queue.submit(&[(job, Terms::default())]).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let objects = context.get_object_store("fleet-odd-blobs").await.unwrap();
        // The numbers of their contents are those of all objects, and of the one that a job names; their lengths are more than a number holds.
        let nuid = objects.info(named.to_string()).await.unwrap().nuid;
        for (n, nuid) in [">", "*", "", &nuid].into_iter().enumerate() {
            let name = fleet::Id([n as u8; 32]).to_string();
            objects.put(name.as_str(), &mut &b"odd"[..]).await.unwrap();
            let stream = context.get_stream("OBJ_fleet-odd-blobs").await.unwrap();
            let said = stream.get_last_raw_message_by_subject("$O.fleet-odd-blobs.M.*").await.unwrap();
            let mut info: serde_json::Value = serde_json::from_slice(&said.payload).unwrap();
            (info["nuid"], info["size"]) = (nuid.into(), u64::MAX.into());
            context.publish(said.subject, info.to_string().into()).await.unwrap().await.unwrap();
        }
        // Whose clock is behind, or who says so, has an object that is no older for it.
        let name = slow.to_string();
        let description = Some("0".to_owned());
        let old =
            async_nats::jetstream::object_store::UpdateMetadata { name, description, ..Default::default() };
        objects.update_metadata(slow.to_string(), old).await.unwrap();
    });
    let prune = |blobs| side.queue.prune(fleet::Before { jobs: 0, blobs }).unwrap();
    assert_eq!(prune(wall() - 60_000), fleet::Pruned::default());
    side.store.fetch(slow, &other).unwrap();
    assert_eq!(prune(u64::MAX), fleet::Pruned { blobs: 5, bytes: u64::MAX, ..fleet::Pruned::default() });
    side.store.fetch(named, &other).unwrap();
}

/// A large blob that is asked for while it is removed is there afterwards: it stays, or is stored once more.
#[test]
fn a_blob_that_is_stored_again_while_it_is_removed_is_there() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let near = side(&server.url(), "again", folder.path());
    let url = format!("nats://127.0.0.1:{}", far(server.port, Duration::from_millis(25)));
    let slow = Nats::connect(&url, "again", Duration::from_secs(30)).unwrap();
    let blob = near.blobs.put(&vec![7; 600 << 10]).unwrap();
    let other = Blobs::new(&folder.path().join("other"));
    let mut removed = 0;
    for step in 0..24 {
        near.store.publish(blob, &near.blobs).unwrap();
        std::thread::sleep(Duration::from_millis(5));
        let before = fleet::Before { jobs: 0, blobs: wall() };
        std::thread::scope(|scope| {
            let pruned = scope.spawn(|| slow.prune(before).unwrap().blobs);
            // At each moment of a removal, which takes some ways to the server and back.
            std::thread::sleep(Duration::from_millis(30 * step));
            near.store.publish(blob, &near.blobs).unwrap();
            removed += pruned.join().unwrap();
        });
        near.store.fetch(blob, &other).unwrap_or_else(|e| panic!("step {step}: {e}"));
        std::fs::remove_file(other.check(blob).unwrap()).unwrap();
    }
    assert!((1..24).contains(&removed), "some are faster, and some not: {removed}");
}

/// A job that is submitted again while it is removed is submitted, and is not lost.
#[test]
fn a_job_that_is_submitted_again_while_it_is_removed_waits() {
    let server = Server::start();
    let near = Nats::connect(&server.url(), "raced", Duration::from_secs(30)).unwrap();
    let beside = Nats::connect(&server.url(), "raced", Duration::from_secs(30)).unwrap();
    let url = format!("nats://127.0.0.1:{}", far(server.port, Duration::from_millis(20)));
    let slow = Nats::connect(&url, "raced", Duration::from_secs(30)).unwrap();
    let job = [(laws::job(0), Terms::default())];
    let id = near.submit(&job).unwrap()[0].id;
    let mut removed = 0;
    for step in 0..24 {
        near.cancel(id).unwrap();
        std::thread::scope(|scope| {
            let submitted = scope.spawn(|| slow.submit(&job));
            std::thread::sleep(Duration::from_millis(6 * step));
            // Two at once.
            let pruned =
                scope.spawn(|| beside.prune(fleet::Before { jobs: u64::MAX, blobs: 0 }).unwrap().jobs);
            removed += near.prune(fleet::Before { jobs: u64::MAX, blobs: 0 }).unwrap().jobs;
            removed += pruned.join().unwrap();
            let submitted = submitted.join().unwrap().unwrap_or_else(|e| panic!("step {step}: {e}"));
            assert_eq!(submitted[0].state, fleet::State::Queued);
        });
        let begun = Instant::now();
        let lease = loop {
            match near.claim("w", 0).unwrap() {
                Some(lease) => break lease,
                None => assert!(begun.elapsed() < Duration::from_secs(10), "step {step}: it is lost"),
            }
        };
        assert_eq!((lease.id, near.status(id).unwrap().unwrap().state), (id, fleet::State::Running));
    }
    assert!((1..24).contains(&removed), "some are faster, and some not: {removed}");
}

/// A worker that runs until the queue is empty, which fails if nothing comes of `does` with a job.
fn drain(side: &Side, does: impl Fn(&Task<'_>) -> Result<Vec<u8>, String> + Sync) -> Result<u64, Error> {
    let options =
        WorkerOptions { until_empty: true, poll: Duration::from_millis(20), ..WorkerOptions::default() };
    let (runner, blobs) = (InProcess(does), &side.blobs);
    let worker = Worker { queue: &*side.queue, store: &*side.store, blobs, runner: &runner, options };
    worker.run(&Stop::default(), &|_| ()).map(|summary| summary.done)
}

/// A job that a worker without room has just left alone is none that is not there.
#[test]
fn a_worker_that_runs_until_the_queue_is_empty_takes_what_others_left_alone() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "left", folder.path());
    let small = Nats::connect(&server.url(), "left", Duration::from_secs(2)).unwrap();
    let job = laws::job(0);
    side.queue.submit(&[(job.clone(), Terms { memory: 5, ..Terms::default() })]).unwrap();
    assert_eq!(small.claim("small", 4).unwrap(), None);
    assert_eq!((small.too_large(4).unwrap(), small.too_large(5).unwrap()), (Some((job.id(), 5)), None));
    assert!(small.any_to_come(5).unwrap() && !small.any_to_come(4).unwrap());
    assert_eq!(drain(&side, |_| Ok(b"result".to_vec())).unwrap(), 1);
    assert!(!small.any_to_come(5).unwrap());
}

/// A message of a job is found by its subject: under another one it would be given out beside the job's own.
#[test]
fn messages_of_a_job_under_another_s_subject_are_dropped() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "subject", folder.path());
    let terms = r#"{"memory":0,"max_attempts":3,"deadline":null}"#;
    let payload = r#"{"kind":"test","payload":"payload 0","inputs":[]}"#;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let message = format!("{{\"job\":{payload},\"terms\":{terms}}}");
        for end in [laws::job(1).id().to_string(), format!("x{}", laws::job(0).id())] {
            let sent = context.publish(format!("fleet.subject.job.{end}"), message.clone().into()).await;
            sent.unwrap().await.unwrap();
        }
    });
    assert_eq!(side.queue.claim("w", 0).unwrap(), None);
    side.queue.submit(&[(laws::job(0), Terms::default())]).unwrap();
    assert_eq!(side.queue.claim("w", 0).unwrap().unwrap().attempt, 1);
    assert_eq!(side.queue.claim("w", 0).unwrap(), None);
}

/// A message that another release wrote, with a member that this one does not know, stays until its job is over.
#[test]
fn messages_of_another_release_are_left_alone() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let side = side(&server.url(), "release", folder.path());
    let jobs = [0, 1].map(|n| (laws::job(n), Terms::default()));
    side.queue.submit(&jobs).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let messages = || {
        runtime.block_on(async {
            let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
            context.get_stream("fleet-release-jobs").await.unwrap().cached_info().state.messages
        })
    };
    // The first job's record has a meaning, the second's has none; the third has no record.
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        context.get_stream("fleet-release-jobs").await.unwrap().purge().await.unwrap();
        let records = context.get_key_value("fleet-release-records").await.unwrap();
        records.put(jobs[1].0.id().to_string(), "{}".into()).await.unwrap();
        for n in 0..3 {
            let subject = format!("fleet.release.job.{}", laws::job(n).id());
            let sent = context.publish(subject, r#"{"job":{},"terms":{},"more":1}"#.into()).await;
            sent.unwrap().await.unwrap();
        }
    });
    let claimed = |enough: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !enough() && begun.elapsed() < Duration::from_secs(30) {
            match side.queue.claim("w", 0) {
                Ok(Some(lease)) => return Some(lease),
                Ok(None) | Err(Error::Record { .. }) => std::thread::sleep(Duration::from_millis(50)),
                Err(e) => panic!("{e}"),
            }
        }
        None
    };
    // A record may come some seconds after its message.
    let looked = Instant::now();
    assert_eq!(claimed(&|| looked.elapsed() > Duration::from_secs(5)), None);
    assert_eq!(messages(), 3, "none is gone");
    assert_eq!(claimed(&|| messages() == 2), None);
    let looked = Instant::now();
    assert_eq!(claimed(&|| looked.elapsed() > Duration::from_secs(3)), None);
    assert_eq!(messages(), 2, "the one without a record is gone");
    let again = side.queue.submit(&jobs[..1]).unwrap();
    assert!(!again[0].new && !again[0].resubmitted);
    let lease = claimed(&|| false).unwrap();
    assert_eq!((lease.id, lease.attempt), (jobs[0].0.id(), 1));
    side.queue.complete(&lease, fleet::Id([1; 32])).unwrap();
    assert_eq!(claimed(&|| messages() == 1), None);
    assert_eq!(messages(), 1, "the one without a meaning stays");
}

/// Who may remove streams ends workers, which say what is gone; jobs that are submitted once more are taken again, also those whose records are gone.
#[test]
fn a_stream_that_is_removed_ends_workers_and_is_healed() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let first = side(&server.url(), "gone", folder.path());
    let jobs = [0, 1].map(|n| (laws::job(n), Terms::default()));
    first.queue.submit(&jobs).unwrap();
    assert!(first.queue.claim("killed", 0).unwrap().is_some());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        context.delete_stream("fleet-gone-jobs").await.unwrap();
    });
    let ended = drain(&first, |_| Ok(b"result".to_vec())).unwrap_err();
    assert!(!ended.is_passing() && ended.to_string().contains("fleet-gone-jobs"), "{ended}");
    let second = side(&server.url(), "gone", folder.path());
    assert_eq!(second.queue.claim("w", 0).unwrap(), None, "its jobs are announced no more");
    assert!(!second.queue.any_to_come(0).unwrap(), "the one of the killed worker comes back to nobody");
    let again = second.queue.submit(&jobs).unwrap();
    assert!(again.iter().all(|job| !job.new && !job.resubmitted));
    assert_eq!(drain(&second, |_| Ok(b"result".to_vec())).unwrap(), 2);
    for _ in 0..2 {
        second.queue.submit(&[(laws::job(2), Terms::default())]).unwrap();
        assert_eq!(drain(&second, |_| Ok(b"result".to_vec())).unwrap(), 1);
        runtime.block_on(async {
            let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
            let records = context.get_key_value("fleet-gone-records").await.unwrap();
            records.delete(laws::job(2).id().to_string()).await.unwrap();
        });
    }
}

/// As of a folder's: a worker that comes first, or a name with a slip, makes no queue with leases of its own.
#[test]
fn who_submits_makes_a_queue() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let open = |access| Place::open(&format!("{}/made", server.url()), folder.path(), access);
    for access in [Access::Change, Access::Read] {
        assert!(matches!(open(access), Err(Error::NoQueue(_))), "{access:?}");
    }
    let lease = Duration::from_secs(7);
    assert_eq!(open(Access::Make(lease)).map(|place| place.lease).unwrap(), lease);
    assert_eq!(open(Access::Change).map(|place| place.lease).unwrap(), lease);
    // Who looks makes no bucket of blobs again either.
    let blob = fleet::Id::of(b"blob");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let buckets = ["KV_fleet-made-small", "OBJ_fleet-made-blobs"];
    let context = runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        for bucket in buckets {
            context.delete_stream(bucket).await.unwrap();
        }
        context
    });
    let place = open(Access::Read).unwrap();
    assert_eq!(place.queue.list(None, 0).unwrap().total(), 0);
    assert!(matches!(place.result(blob), Err(Error::NoBlob(id)) if id == blob));
    for bucket in buckets {
        assert!(runtime.block_on(context.get_stream(bucket)).is_err(), "{bucket}");
    }
    // They are made again by who works, and read then.
    let worker = open(Access::Change).unwrap();
    let put = Blobs::new(&folder.path().join("worker"));
    worker.store.publish(put.put(b"blob").unwrap(), &put).unwrap();
    assert_eq!(place.result(blob).unwrap(), b"blob");
}

#[test]
fn unusable_servers_and_names_are_errors() {
    assert!(Nats::connect("nats://127.0.0.1:1", "q", Duration::from_secs(1)).is_err());
    for name in ["", "a.b", "a b", "../a", "A", &"a".repeat(33)] {
        assert!(Nats::connect("nats://127.0.0.1:1", name, Duration::from_secs(1)).is_err(), "{name}");
    }
}
