//! The laws of queues on the embedded one, and its processes killed.

#[path = "laws/mod.rs"]
mod laws;

use fleet::{Embedded, Shared};
use laws::Fixture;
use laws::processes::{Plan, Side, act, survive};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const FOLDER: &str = "FLEET_TEST_FOLDER";

fn side(folder: &Path) -> Side {
    let queue = Embedded::create(folder, Duration::from_secs(1)).unwrap();
    let blobs = queue.blobs().clone();
    Side { queue: Box::new(queue), store: Box::new(Shared), blobs }
}

#[test]
fn the_laws_hold() {
    let folder = tempfile::tempdir().unwrap();
    let made = AtomicU32::new(0);
    laws::hold(&|lease| {
        let folder = folder.path().join(made.fetch_add(1, Ordering::Relaxed).to_string());
        let queue = Embedded::create(&folder, lease).unwrap();
        let other = Embedded::open(&folder).unwrap();
        let blobs = queue.blobs().clone();
        Fixture {
            queue: Box::new(queue),
            other: Box::new(other),
            put: Box::new(move |bytes| blobs.put(bytes).unwrap()),
        }
    });
}

/// A process of the tests below.
#[test]
fn process() {
    act(|| side(&PathBuf::from(std::env::var(FOLDER).unwrap())));
}

fn killed(jobs: u32, kills: u32) {
    let folder = tempfile::tempdir().unwrap();
    let environment = vec![(FOLDER.to_owned(), folder.path().display().to_string())];
    let plan = Plan { jobs, kills, workers: 3, test: "process", environment };
    survive(&side(folder.path()), &plan);
}

#[test]
fn jobs_survive_killed_processes() {
    killed(24, 4);
}

#[test]
#[ignore = "two minutes of a disk that syncs: `just fleet-test`"]
fn a_thousand_jobs_survive_twenty_killed_workers() {
    killed(1000, 20);
}
