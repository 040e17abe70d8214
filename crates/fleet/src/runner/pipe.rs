//! What a child process writes: all of it is read, its first and its last lines are kept.

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{ErrorKind, Read};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes that are kept of what a child writes first, and last.
const MAX_OUTPUT: usize = 64 << 10;
/// Bytes that a pipe holds at most, unless an administrator allows more.
const MAX_PIPE: usize = 1 << 20;
/// Time between two looks whether a child has ended whose pipe is empty.
const LOOK: Duration = Duration::from_millis(50);
/// Time for reading what a child that has ended wrote, where no system says that a pipe is empty.
#[cfg(not(unix))]
const PIPES: Duration = Duration::from_secs(5);

/// What is kept of what came through a pipe.
#[derive(Default)]
struct Kept {
    start: Vec<u8>,
    end: Vec<u8>,
    /// Whether something between them is not kept.
    cut: bool,
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(MAX_OUTPUT - self.start.len()));
        self.start.extend_from_slice(first);
        self.end.extend_from_slice(rest);
        if self.end.len() > 2 * MAX_OUTPUT {
            self.cut = true;
            self.end.drain(..self.end.len() - MAX_OUTPUT);
        }
    }

    fn text(&self) -> String {
        let gap: &[u8] = if self.cut { b"\n...\n" } else { b"" };
        String::from_utf8_lossy(&[&self.start, gap, &self.end].concat()).into_owned()
    }
}

/// A pipe that a thread reads.
pub(super) struct Reading {
    kept: Arc<Mutex<Kept>>,
    /// Closed when all is read that a child which has ended wrote.
    read: Receiver<()>,
}

impl Reading {
    /// What a child wrote that has ended: its first and its last lines.
    pub(super) fn all(self) -> String {
        #[cfg(unix)]
        let _ = self.read.recv();
        #[cfg(not(unix))]
        let _ = self.read.recv_timeout(PIPES);
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

/// Reads a pipe, and drops what is not kept so that its writer is not held up. Once `ended` is set for the child, an empty pipe has
/// given all that it wrote: a process that it left in a session of its own may hold the pipe for as long as it lives.
pub(super) fn read(pipe: Option<impl Read + Waited + Send + 'static>, ended: &Arc<AtomicBool>) -> Reading {
    let (over, read) = channel();
    let kept = Arc::<Mutex<Kept>>::default();
    let (to, ended) = (Arc::clone(&kept), Arc::clone(ended));
    thread::spawn(move || {
        let (mut over, mut late, mut buffer) = (Some(over), 0, vec![0; 16 << 10]);
        let Some(mut pipe) = pipe else { return };
        loop {
            let last = ended.load(Ordering::Acquire);
            if over.is_some() && is_empty(&pipe, if last { Duration::ZERO } else { LOOK }) {
                over = over.filter(|_| !last);
                continue;
            }
            let count = match pipe.read(&mut buffer) {
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Ok(count) if count > 0 => count,
                _ => return,
            };
            if over.is_some() {
                to.lock().unwrap_or_else(PoisonError::into_inner).add(&buffer[..count]);
            }
            // What the child wrote was in the pipe when it ended: who writes without end is not waited for.
            late = if last { count.saturating_add(late) } else { 0_usize };
            over = over.filter(|_| late < MAX_PIPE);
        }
    });
    Reading { kept, read }
}

#[cfg(unix)]
use AsFd as Waited;

/// Returns true if nothing comes through a pipe in this time.
#[cfg(unix)]
fn is_empty(pipe: &impl Waited, within: Duration) -> bool {
    let within = Timespec::try_from(within).ok();
    loop {
        match poll(&mut [PollFd::new(pipe, PollFlags::IN)], within.as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            found => return found == Ok(0),
        }
    }
}

/// A pipe, of which systems say here nothing before they read.
#[cfg(not(unix))]
pub(super) trait Waited {}

#[cfg(not(unix))]
impl<T> Waited for T {}

#[cfg(not(unix))]
fn is_empty(_: &impl Waited, _: Duration) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// A pipe whose reader is held up, as on a machine that has much else to do.
    struct Late(std::process::ChildStdout);

    impl Read for Late {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            thread::sleep(Duration::from_millis(400));
            self.0.read(buffer)
        }
    }

    impl AsFd for Late {
        fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
            self.0.as_fd()
        }
    }

    /// What a child wrote is its result, however late it is read, and whoever holds the pipe besides.
    #[test]
    fn a_result_that_is_read_late_is_whole() {
        let mut command = Command::new("sh");
        command.args(["-c", "setsid sleep 5 & echo result"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let (pipe, begun) = (read(child.stdout.take().map(Late), &ended), Instant::now());
        child.wait().unwrap();
        ended.store(true, Ordering::Release);
        assert_eq!(pipe.all(), "result\n");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
}
