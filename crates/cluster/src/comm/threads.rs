//! Ranks that are threads of this process: the default, and what tests run on.

use super::{Clock, Comm, CommError, Incoming, MAX_CHUNK, Outgoing};
use core::time::Duration;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A piece of a message. Pieces of a message that the receiver gave up come later, and would be read as the next one without the number.
#[derive(Debug)]
struct Frame {
    /// The message among those from its sender to its receiver.
    number: u64,
    /// Bytes of the whole message.
    length: usize,
    bytes: Vec<u8>,
}

/// One rank among threads. Dropping it ends the rank: whoever waits for it has an error.
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    chunk: usize,
    /// By rank; that to itself is not used.
    senders: Vec<Sender<Frame>>,
    receivers: Vec<Receiver<Frame>>,
    /// Messages that were sent to each rank, and those received from it or given up.
    sent: Vec<u64>,
    received: Vec<u64>,
    turns: Option<Arc<Mutex<()>>>,
}

/// Connects so many ranks, whose messages are cut into chunks of so many bytes.
///
/// # Panics
/// If chunks have no bytes.
pub fn connect(size: usize, chunk: usize) -> Vec<Threads> {
    assert!(chunk > 0, "bytes in a chunk");
    let rank = |rank| {
        let (senders, receivers) = (Vec::new(), Vec::new());
        Threads { rank, chunk, senders, receivers, sent: vec![0; size], received: vec![0; size], turns: None }
    };
    let mut ranks: Vec<Threads> = (0..size).map(rank).collect();
    for to in 0..size {
        for from in 0..size {
            let (sender, receiver) = channel();
            ranks[from].senders.push(sender);
            ranks[to].receivers.push(receiver);
        }
    }
    ranks
}

/// Lets one rank compute at a time: for measurements with more ranks than cores, where others would take the caches that a rank has to itself on a machine of its
/// own.
#[must_use]
pub fn in_turns(ranks: Vec<Threads>) -> Vec<Threads> {
    let turns = Arc::new(Mutex::new(()));
    ranks.into_iter().map(|rank| Threads { turns: Some(turns.clone()), ..rank }).collect()
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
    fn send(&mut self, Outgoing { to, bytes }: Outgoing<'_>) -> Result<(), CommError> {
        let (number, length) = (self.sent[to], bytes.len());
        self.sent[to] += 1;
        // An empty message has one frame, that its length be seen.
        let first = bytes.len().min(self.chunk);
        let (first, rest) = bytes.split_at(first);
        core::iter::once(first)
            .chain(rest.chunks(self.chunk))
            .try_for_each(|chunk| self.senders[to].send(Frame { number, length, bytes: chunk.to_vec() }))
            .map_err(|_| CommError::Gone { rank: to })
    }

    fn receive(
        &mut self,
        incoming: &mut Incoming<'_>,
        start: Instant,
        within: Duration,
    ) -> Result<(), CommError> {
        let (rank, expected) = (incoming.from, incoming.bytes.len());
        let number = self.received[rank];
        // Whatever becomes of this message, the next one is another.
        self.received[rank] += 1;
        let mut done = 0;
        loop {
            let left = within.saturating_sub(start.elapsed());
            let frame = self.receivers[rank].recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => CommError::Deadline { rank, within },
                RecvTimeoutError::Disconnected => CommError::Gone { rank },
            })?;
            if frame.number < number {
                continue;
            }
            // An honest rank leaves out no message and cuts it as this one does.
            let length = (expected - done).min(self.chunk);
            if (frame.number, frame.length, frame.bytes.len()) != (number, expected, length) {
                return Err(CommError::Length { rank, expected, found: frame.length });
            }
            incoming.bytes[done..][..length].copy_from_slice(&frame.bytes);
            done += length;
            if done == expected {
                return Ok(());
            }
        }
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

    fn turns(&self) -> Option<Arc<Mutex<()>>> {
        self.turns.clone()
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let start = Instant::now();
        let mut result = Ok(());
        for &outgoing in outgoing {
            let sent = self.send(outgoing);
            result = result.and(sent);
        }
        for incoming in incoming {
            let received = self.receive(incoming, start, within);
            result = result.and(received);
        }
        result
    }
}
