//! Ranks that are threads of this process: the default, and what tests run on.

use super::{Clock, Comm, CommError, Incoming, MAX_CHUNK, Outgoing};
use core::time::Duration;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// One rank among threads. Dropping it ends the rank: whoever waits for it has an error.
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    chunk: usize,
    /// By rank; that to itself is not used.
    senders: Vec<Sender<Vec<u8>>>,
    receivers: Vec<Receiver<Vec<u8>>>,
}

/// Connects so many ranks, whose messages are cut into chunks of so many bytes.
///
/// # Panics
/// If chunks have no bytes.
pub fn connect(size: usize, chunk: usize) -> Vec<Threads> {
    assert!(chunk > 0, "bytes in a chunk");
    let mut ranks: Vec<Threads> =
        (0..size).map(|rank| Threads { rank, chunk, senders: Vec::new(), receivers: Vec::new() }).collect();
    for to in 0..size {
        for from in 0..size {
            let (sender, receiver) = channel();
            ranks[from].senders.push(sender);
            ranks[to].receivers.push(receiver);
        }
    }
    ranks
}

/// Runs a program once for each of so many ranks, each on one thread; returns what they return, by rank.
///
/// # Panics
/// As the program does, once all ranks have ended.
pub fn run<T: Send>(size: usize, program: impl Fn(Threads) -> T + Sync) -> Vec<T> {
    run_on(connect(size, MAX_CHUNK), program)
}

/// [`run`] on ranks that are connected already.
///
/// # Panics
/// As [`run`].
pub fn run_on<C: Comm + Send, T: Send>(ranks: Vec<C>, program: impl Fn(C) -> T + Sync) -> Vec<T> {
    let program = &program;
    std::thread::scope(|scope| {
        let run = |comm: C| {
            // A pool of its own keeps what a rank computes on one thread, whose clock measures it.
            scope.spawn(move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                pool.expect("a thread for the rank").install(|| program(comm))
            })
        };
        let threads: Vec<_> = ranks.into_iter().map(run).collect();
        let results: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        results.into_iter().map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

impl Threads {
    fn send(&self, Outgoing { to, bytes }: Outgoing<'_>) -> Result<(), CommError> {
        let gone = CommError::Gone { rank: to };
        bytes.chunks(self.chunk).try_for_each(|chunk| self.senders[to].send(chunk.to_vec())).map_err(|_| gone)
    }

    fn receive(
        &self,
        incoming: &mut Incoming<'_>,
        start: Instant,
        within: Duration,
    ) -> Result<(), CommError> {
        let (rank, expected) = (incoming.from, incoming.bytes.len());
        let mut done = 0;
        for place in incoming.bytes.chunks_mut(self.chunk) {
            let left = within.saturating_sub(start.elapsed());
            let chunk = self.receivers[rank].recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => CommError::Deadline { rank, within },
                RecvTimeoutError::Disconnected => CommError::Gone { rank },
            })?;
            if chunk.len() != place.len() {
                return Err(CommError::Length { rank, expected, found: done + chunk.len() });
            }
            place.copy_from_slice(&chunk);
            done += chunk.len();
        }
        Ok(())
    }
}

impl Comm for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.senders.len()
    }

    fn clock(&self) -> Clock {
        Clock::Thread
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let start = Instant::now();
        let sent = outgoing.iter().map(|&outgoing| self.send(outgoing));
        let mut result = sent.fold(Ok(()), Result::and);
        for incoming in incoming {
            let received = self.receive(incoming, start, within);
            result = result.and(received);
        }
        result
    }
}
