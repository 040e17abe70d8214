//! The other side of [`crate::Process`]: a process that runs one job, within its memory, and ends with its worker.
//!
//! ```text
//! stdin:  {"job": .., "memory": .., "blobs": ..} and a line break, then open until the job is over
//! stdout: a line with the name of the result, or one that says that the job itself is wrong, or that this program does not understand it; without any of
//!         these another attempt may succeed
//! ```

use crate::blob::Blobs;
use crate::id::Id;
use crate::job::{Job, MAX_INPUTS, MAX_PAYLOAD, bounded};
use crate::prove::ProveError;
use crate::runner::Task;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Read};
use std::path::PathBuf;
use std::thread;

/// Bytes of a request at most: a payload whose letters are all escaped, and its inputs.
const MAX_REQUEST: u64 = (8 * MAX_PAYLOAD + 80 * MAX_INPUTS + (64 << 10)) as u64;
/// The line of a child whose job is wrong. Its exit code says nothing of the job: a launcher that started it ends with codes of its own.
const REFUSED: &str = "tenfold fleet: the job is refused";
/// The start of the line of a child that does not understand its job, before the reason.
const NOT_UNDERSTOOD: &str = "tenfold fleet: the job is not understood: ";
/// Bytes of the reason at most.
const MAX_REASON: usize = 400;
/// Address space beyond the memory of the job: the program, stacks and arenas of its threads.
const ROOM: u64 = 2 << 30;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Request {
    job: Job,
    memory: u64,
    blobs: PathBuf,
}

/// The line that a child is sent.
pub(crate) fn request(task: &Task<'_>) -> Vec<u8> {
    let request =
        Request { job: task.job.clone(), memory: task.memory, blobs: task.blobs.folder().to_owned() };
    let mut line = serde_json::to_vec(&request).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Reads a job from standard input and runs it by a function; returns the blob of its result.
///
/// From then on the process ends when its worker does, and takes no more address space than the job's memory and 2 GiB, so that
/// an allocation beyond it fails here and not in another process.
///
/// # Errors
/// If there is no job on standard input, the function fails, or its result cannot be stored.
pub fn run<E: From<String>>(run: impl FnOnce(&Task<'_>) -> Result<Vec<u8>, E>) -> Result<Id, E> {
    let mut line = Vec::new();
    let read = std::io::stdin().lock().take(MAX_REQUEST).read_until(b'\n', &mut line);
    read.map_err(|e| format!("cannot read the job: {e}"))?;
    let request: Request =
        serde_json::from_slice(&line).map_err(|e| format!("no job on standard input: {e}"))?;
    request.job.check().map_err(|e| e.to_string())?;
    thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        // It holds no lock; what it was storing is removed by whoever stores it next.
        std::process::exit(4);
    });
    limit(request.memory.saturating_add(ROOM));
    let blobs = Blobs::new(&request.blobs);
    let result = run(&Task { job: &request.job, memory: request.memory, blobs: &blobs })?;
    Ok(blobs.put(&result).map_err(|e| e.to_string())?)
}

/// The line for standard output, by which the worker learns how a job ended; none if another attempt may succeed.
#[must_use]
pub fn answer(result: &Result<Id, ProveError>) -> Option<String> {
    match result {
        Ok(id) => Some(id.to_string()),
        Err(ProveError::Job(_)) => Some(REFUSED.into()),
        Err(ProveError::NotUnderstood(why)) => Some(format!("{NOT_UNDERSTOOD}{}", bounded(why, MAX_REASON))),
        Err(ProveError::Machine(_)) => None,
    }
}

/// Returns true if a child has said that the job itself is wrong. A launcher may write lines beside its own.
pub(crate) fn is_refused(output: &str) -> bool {
    output.lines().any(|line| line.trim_end() == REFUSED)
}

/// The reason of a child that does not understand its job; none if it has not said so.
pub(crate) fn not_understood(output: &str) -> Option<String> {
    let why = output.lines().find_map(|line| line.strip_prefix(NOT_UNDERSTOOD))?;
    Some(bounded(why, MAX_REASON))
}

/// The result that a child has named, on a line of its own: none if it has named another one besides.
pub(crate) fn result(output: &str) -> Option<Id> {
    let mut named = output.lines().filter_map(|line| line.trim().parse().ok());
    let first = named.next()?;
    named.all(|id| id == first).then_some(first)
}

/// Bounds the address space of this process, where the system can.
fn limit(bytes: u64) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let maximum = getrlimit(Resource::As).maximum;
        let current = Some(maximum.map_or(bytes, |maximum| maximum.min(bytes)));
        // A system that refuses has limits of its own.
        let _ = setrlimit(Resource::As, Rlimit { current, maximum });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}
