//! What runs a job: a closure in this process, or a child process, which the system can kill and the worker outlives.

use crate::blob::Blobs;
use crate::id::Id;
use crate::job::{Job, bounded};
use crate::record::MAX_ERROR;
#[cfg(unix)]
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

mod pipe;

use pipe::{Reading, read};

/// A job, and what it is run with.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The job.
    pub job: &'a Job,
    /// Bytes of memory that it may take.
    pub memory: u64,
    /// The folder with its inputs, which its result goes to.
    pub blobs: &'a Blobs,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The blob of the result is in the folder.
    Done(Id),
    /// Another attempt may succeed.
    Retry(String),
    /// No attempt can succeed.
    Permanent(String),
    /// This release or build does not understand the job, for this reason: another may.
    NotUnderstood(String),
    /// It was stopped because that was asked for.
    Stopped,
    /// It was not begun: this machine cannot run any job now.
    Unable(String),
}

/// Runs jobs, several at once.
pub trait Runner: Sync {
    /// Runs a job to its end, or until `cancel` is set, if it can.
    fn run(&self, task: &Task<'_>, cancel: &AtomicBool) -> Outcome;
}

/// Runs jobs by a function in this process: its error is permanent, a panic is not. A function cannot be stopped, and takes what memory it takes.
#[derive(Clone, Copy, Debug)]
pub struct InProcess<F>(pub F);

impl<F: Fn(&Task<'_>) -> Result<Vec<u8>, String> + Sync> Runner for InProcess<F> {
    fn run(&self, task: &Task<'_>, _cancel: &AtomicBool) -> Outcome {
        match catch_unwind(AssertUnwindSafe(|| (self.0)(task))) {
            Ok(Ok(result)) => {
                task.blobs.put(&result).map_or_else(|e| Outcome::Retry(e.to_string()), Outcome::Done)
            }
            Ok(Err(error)) => Outcome::Permanent(error),
            Err(panic) => Outcome::Retry(format!("the job panicked: {}", panic_text(&*panic))),
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a text")
}

/// Time in which a child that is stopped may end by itself.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(1);

/// Runs jobs by child processes, each of which gets its job on standard input and writes the name of its result, that the job is wrong, or that
/// it does not understand it ([`crate::child`]). Of one that writes none of these, as a launcher that fails, another attempt may succeed, whatever its exit code.
#[derive(Clone, Debug)]
pub struct Process {
    /// The program.
    pub program: std::path::PathBuf,
    /// Its arguments.
    pub arguments: Vec<std::ffi::OsString>,
}

impl Runner for Process {
    fn run(&self, task: &Task<'_>, cancel: &AtomicBool) -> Outcome {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C in a terminal goes to the worker, which decides.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        match command.spawn() {
            Ok(child) => finish(child, task, cancel),
            Err(e) => Outcome::Unable(format!("cannot start {}: {e}", self.program.display())),
        }
    }
}

/// Sends a child its job, and waits for its end.
fn finish(mut child: Child, task: &Task<'_>, cancel: &AtomicBool) -> Outcome {
    let request = crate::child::request(task);
    // On a thread of its own, since a child need not read; one that ended does not, and its exit code says more. The pipe is held open until the job is
    // over: a child whose worker is gone reads the end, and ends.
    let (over, held) = channel::<()>();
    if let Some(mut input) = child.stdin.take() {
        thread::spawn(move || {
            let _ = input.write_all(&request);
            let _ = held.recv();
        });
    }
    let last = Arc::new(AtomicBool::new(false));
    let pipes = [read(child.stdout.take(), &last), read(child.stderr.take(), &last)];
    let ended = wait(&mut child, cancel);
    last.store(true, Ordering::Release);
    drop(over);
    let status = match ended {
        Err(e) => return Outcome::Retry(format!("cannot wait for the job's process: {e}")),
        Ok(None) => return Outcome::Stopped,
        Ok(Some(status)) => status,
    };
    let [output, errors] = pipes.map(Reading::all);
    if status.success() {
        return match crate::child::result(&output) {
            Some(id) => Outcome::Done(id),
            None => Outcome::Retry(format!(
                "the job's process wrote no result: {}; {}",
                bounded(&output, 100),
                last_lines(&errors)
            )),
        };
    }
    if let Some(why) = crate::child::not_understood(&output) {
        return Outcome::NotUnderstood(why);
    }
    let text = failure_text(status, &errors);
    if crate::child::is_refused(&output) { Outcome::Permanent(text) } else { Outcome::Retry(text) }
}

/// Waits for a child, or kills it; none if it was killed.
fn wait(child: &mut Child, cancel: &AtomicBool) -> std::io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if has_ended(child)? {
            // What it left behind in its group ends with it.
            #[cfg(unix)]
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            return child.wait().map(Some);
        }
        if cancel.load(Ordering::Relaxed) {
            end(child)?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Returns true for a child that has ended. It is looked at only: until somebody has waited for it, its number is nobody else's.
#[cfg(unix)]
fn has_ended(child: &Child) -> std::io::Result<bool> {
    let looks = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(child)), looks)?.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> std::io::Result<bool> {
    child.try_wait().map(|status| status.is_some())
}

/// Ends a child with the processes that it started, such as the ranks of `mpirun`, which is asked to end them first.
fn end(child: &mut Child) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let group = Pid::from_child(child);
        let _ = kill_process_group(group, Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && !has_ended(child).unwrap_or(true) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = kill_process_group(group, Signal::KILL);
    }
    #[cfg(not(unix))]
    child.kill()?;
    child.wait().map(drop)
}

/// How a child ended, and the last lines of what it wrote.
fn failure_text(status: ExitStatus, errors: &str) -> String {
    bounded(&format!("the job's process ended with {status}: {}", last_lines(errors)), MAX_ERROR)
}

/// The last lines of a text.
fn last_lines(text: &str) -> &str {
    let start = text.len().saturating_sub(MAX_ERROR / 2);
    let start = (start..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[start..].trim()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::prove::ProveError;

    fn shell(script: &str, cancel: bool) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let job = Job { kind: "test".into(), payload: "\u{1}".repeat(60_000), inputs: Vec::new() };
        let task = Task { job: &job, memory: 1, blobs: &Blobs::new(folder.path()) };
        let process = Process { program: "sh".into(), arguments: vec!["-c".into(), script.into()] };
        process.run(&task, &AtomicBool::new(cancel))
    }

    #[test]
    fn every_end_of_a_child_is_an_outcome() {
        let id = Id::of(b"result");
        assert_eq!(shell(&format!("cat >/dev/null & echo {id}"), false), Outcome::Done(id));
        assert_eq!(shell(&format!("sleep 100 & echo {id}"), false), Outcome::Done(id), "and what it left");
        assert!(matches!(shell("echo ../../etc/passwd", false), Outcome::Retry(_)), "no name of a blob");
        // A launcher writes lines beside the child's.
        let noise = "yes noise | head -c 200004";
        assert_eq!(shell(&format!("{noise}; echo {id}; echo ended"), false), Outcome::Done(id));
        let two = shell(&format!("echo {id}; echo {}", Id::of(b"other")), false);
        assert!(matches!(&two, Outcome::Retry(e) if e.contains("no result")), "which one? {two:?}");
        let silent = shell("echo no host >&2", false);
        assert!(matches!(&silent, Outcome::Retry(e) if e.ends_with("no host")), "{silent:?}");
        let last = shell(&format!("{noise} >&2; echo the reason >&2; exit 1"), false);
        assert!(matches!(&last, Outcome::Retry(e) if e.ends_with("the reason")), "{last:?}");
        let refused = crate::child::answer(&Err(ProveError::Job(String::new()))).unwrap();
        let refused = format!("echo launched; echo '{refused}'; echo wrong >&2; exit 7");
        assert!(matches!(shell(&refused, false), Outcome::Permanent(e) if e.ends_with("wrong")));
        let unknown = crate::child::answer(&Err(ProveError::NotUnderstood("a \u{1b}kind\n".into()))).unwrap();
        let unknown = format!("echo launched; echo '{unknown}'; echo wrong >&2; exit 7");
        assert_eq!(shell(&unknown, false), Outcome::NotUnderstood("a  kind".into()));
        // Codes of a launcher, which are none of the job's: it found no host, say.
        for code in [1, 2] {
            let failed = shell(&format!("echo no host >&2; exit {code}"), false);
            assert!(matches!(&failed, Outcome::Retry(e) if e.ends_with("no host")), "{failed:?}");
        }
        let killed = shell("kill -9 $$", false);
        assert!(matches!(&killed, Outcome::Retry(e) if e.contains('9')), "{killed:?}");
        assert!(matches!(shell("exit 101", false), Outcome::Retry(_)), "a panic");
        assert_eq!(shell("exec sleep 100", true), Outcome::Stopped);
        // The processes that a child started end with it.
        assert_eq!(shell("trap '' TERM; sleep 100 & wait; sleep 100", true), Outcome::Stopped);
        let long = shell("head -c 1000000 /dev/zero | tr '\\0' e >&2; exit 4", false);
        assert!(matches!(&long, Outcome::Retry(e) if e.len() <= MAX_ERROR), "{long:?}");
        let none = Process { program: "/no/such/program".into(), arguments: Vec::new() };
        let job = Job { kind: "test".into(), payload: String::new(), inputs: Vec::new() };
        let task = Task { job: &job, memory: 1, blobs: &Blobs::new("none".as_ref()) };
        assert!(matches!(none.run(&task, &AtomicBool::new(false)), Outcome::Unable(_)));
    }

    /// One that has left the child's group and session is not ended, and not waited for.
    #[test]
    fn a_process_with_a_session_of_its_own_holds_up_no_worker() {
        let id = Id::of(b"result");
        let begun = Instant::now();
        let held = "setsid sleep 20 &";
        assert_eq!(shell(&format!("{held} echo {id}"), false), Outcome::Done(id));
        let failed = shell(&format!("{held} echo no host >&2; exit 1"), false);
        assert!(matches!(&failed, Outcome::Retry(e) if e.ends_with("no host")), "{failed:?}");
        assert_eq!(shell(&format!("{held} exec sleep 20"), true), Outcome::Stopped);
        let endless = shell("setsid timeout 2 yes & sleep 0.01", false);
        assert!(matches!(&endless, Outcome::Retry(e) if e.contains("no result")), "{endless:?}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }

    #[test]
    fn panics_of_functions_are_outcomes() {
        let folder = tempfile::tempdir().unwrap();
        let job = Job { kind: "test".into(), payload: String::new(), inputs: Vec::new() };
        let task = Task { job: &job, memory: 1, blobs: &Blobs::new(folder.path()) };
        let run = |runner: &dyn Runner| runner.run(&task, &AtomicBool::new(false));
        let panics = run(&InProcess(|_: &Task<'_>| panic!("on purpose")));
        assert_eq!(panics, Outcome::Retry("the job panicked: on purpose".into()));
        assert_eq!(run(&InProcess(|_: &Task<'_>| Err("bad".into()))), Outcome::Permanent("bad".into()));
        assert_eq!(run(&InProcess(|_: &Task<'_>| Ok(b"r".to_vec()))), Outcome::Done(Id::of(b"r")));
    }
}
