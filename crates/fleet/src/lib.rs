//! Many independent proofs by a queue of jobs, which any number of workers share.
//!
//! A job names its kind, its parameters and the blobs that it reads by their content, so that submitted twice it is one job, and its result is a blob
//! too. Workers claim jobs, say that they live, and may be killed at any moment: the next one takes over, and a job has one result.
//!
//! ```
//! use fleet::{Blobs, Embedded, InProcess, Job, JobQueue, Shared, Stop, Terms, Worker, WorkerOptions};
//! use std::time::Duration;
//!
//! # let folder = std::env::temp_dir().join(format!("fleet-doc-{}", std::process::id()));
//! let queue = Embedded::create(&folder, Duration::from_secs(30))?;
//! let data = queue.blobs().put(b"some data")?;
//! let job = Job { kind: "length".into(), payload: String::new(), inputs: vec![data] };
//! let id = queue.submit(&[(job, Terms::default())])?[0].id;
//!
//! // In any process of this machine:
//! let runner = InProcess(|task: &fleet::Task<'_>| {
//!     let data = task.blobs.read(task.job.inputs[0], 1 << 20).map_err(|e| e.to_string())?;
//!     Ok(data.len().to_string().into_bytes())
//! });
//! let options = WorkerOptions { until_empty: true, ..WorkerOptions::default() };
//! let worker = Worker { queue: &queue, store: &Shared, blobs: queue.blobs(), runner: &runner, options };
//! assert_eq!(worker.run(&Stop::default(), &|_| ())?.done, 1);
//!
//! let result = queue.status(id)?.and_then(|record| record.result).expect("it is done");
//! assert_eq!(queue.blobs().read(result, 100)?, b"9");
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), fleet::Error>(())
//! ```
//!
//! ```text
//!  Job, Terms ─► JobQueue ─ claim ─► Worker ─► Runner: child process or closure ─► blob ─ complete ─► Record
//!                 Embedded: a folder        prove::run: commit, open, verify
//!                 nats::Nats: JetStream (feature `nats`)
//! ```
#![forbid(unsafe_code)]

mod blob;
pub mod child;
mod clock;
mod declined;
mod describe;
mod embedded;
mod error;
mod id;
mod job;
#[cfg(feature = "nats")]
pub mod nats;
mod place;
pub mod prove;
mod prune;
mod queue;
#[cfg(feature = "cluster")]
pub mod ranks;
mod record;
mod runner;
mod worker;

pub use blob::{BlobStore, Blobs, Shared};
pub use clock::wall;
pub use embedded::Embedded;
pub use error::Error;
pub use id::{Id, NoId};
pub use job::{Job, MAX_ATTEMPTS, MAX_INPUTS, MAX_PAYLOAD, Terms, bounded};
pub use place::{Access, Place};
pub use prune::{Before, Pruned, YOUNG};
pub use queue::{JobQueue, Lease, Listing, Submitted};
pub use record::{Beat, Completion, Fault, Holder, MAX_ERROR, Record, State, Token};
pub use runner::{InProcess, Outcome, Process, Runner, Task};
pub use worker::{Event, Stop, Summary, Worker, WorkerOptions};
