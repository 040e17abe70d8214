//! Ranks that are processes under `mpirun`, Slurm's `srun` or another launcher of MPI. (notes: cluster-comm)
//!
//! Requests do not block and are asked in turns, so that a link that is down is noticed: MPI by itself waits for ever. Requests that are under
//! way cannot be taken back for sure, and their memory is in use; so a missed deadline ends the whole job.

use super::{Clock, Comm, CommError, Incoming, MAX_CHUNK, Outgoing};
use core::time::Duration;
use mpi::request::{LocalScope, Request};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use std::time::Instant;

/// The exit code of a job that missed a deadline.
pub const DEADLINE_EXIT: i32 = 75;

/// How long requests are asked again and again before the thread sleeps between.
const SPIN: Duration = Duration::from_micros(200);

/// How long it sleeps.
const SLEEP: Duration = Duration::from_micros(100);

/// One rank of an MPI job.
pub struct Mpi<'a> {
    world: &'a SimpleCommunicator,
    chunk: usize,
}

/// A request, with the rank it is about, the bytes that it is for, and whether it receives them.
struct Pending<'a, 's> {
    request: Request<'a, [u8], &'s LocalScope<'a>>,
    rank: usize,
    expected: Option<usize>,
}

impl<'a> Mpi<'a> {
    /// This rank among those of a communicator.
    pub fn new(world: &'a SimpleCommunicator) -> Self {
        Self::with_chunk(world, MAX_CHUNK)
    }

    /// [`Mpi::new`] with messages cut into chunks of so many bytes.
    ///
    /// # Panics
    /// If chunks have no bytes, or more than [`MAX_CHUNK`].
    pub fn with_chunk(world: &'a SimpleCommunicator, chunk: usize) -> Self {
        assert!((1..=MAX_CHUNK).contains(&chunk), "bytes in a chunk");
        Self { world, chunk }
    }

    /// Ends all ranks of the job with an exit code, having said why.
    pub fn abort(&self, why: &dyn core::fmt::Display, code: i32) -> ! {
        eprintln!("rank {} ends the job: {why}", Comm::rank(self));
        self.world.abort(code)
    }
}

impl Comm for Mpi<'_> {
    fn rank(&self) -> usize {
        usize::try_from(self.world.rank()).expect("ranks count from zero")
    }

    fn size(&self) -> usize {
        usize::try_from(self.world.size()).expect("a number of ranks")
    }

    fn clock(&self) -> Clock {
        Clock::Process
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let process =
            |rank: usize| self.world.process_at_rank(i32::try_from(rank).expect("a rank of the job"));
        mpi::request::scope(|scope| {
            let mut pending = Vec::new();
            for Outgoing { to, bytes } in outgoing {
                for chunk in bytes.chunks(self.chunk) {
                    let request = process(*to).immediate_send(scope, chunk);
                    pending.push(Pending { request, rank: *to, expected: None });
                }
            }
            for Incoming { from, bytes } in incoming {
                for chunk in bytes.chunks_mut(self.chunk) {
                    let expected = Some(chunk.len());
                    let request = process(*from).immediate_receive_into(scope, chunk);
                    pending.push(Pending { request, rank: *from, expected });
                }
            }
            self.wait(pending, within)
        })
    }
}

impl Mpi<'_> {
    /// Waits for all requests. A message that is too short is an error; one that is too long ends the job by MPI's own rule.
    fn wait(&self, mut pending: Vec<Pending<'_, '_>>, within: Duration) -> Result<(), CommError> {
        let (start, mut result) = (Instant::now(), Ok(()));
        loop {
            let mut left = Vec::with_capacity(pending.len());
            for Pending { request, rank, expected } in pending {
                match request.test() {
                    Ok(status) => {
                        let found = usize::try_from(status.count(u8::equivalent_datatype())).unwrap_or(0);
                        if let Some(expected) = expected.filter(|&expected| expected != found) {
                            result = result.and(Err(CommError::Length { rank, expected, found }));
                        }
                    }
                    Err(request) => left.push(Pending { request, rank, expected }),
                }
            }
            pending = left;
            let waited = start.elapsed();
            match pending.first() {
                None => return result,
                Some(&Pending { rank, .. }) if waited >= within => {
                    self.abort(&CommError::Deadline { rank, within }, DEADLINE_EXIT)
                }
                Some(_) if waited < SPIN => std::thread::yield_now(),
                Some(_) => std::thread::sleep(SLEEP),
            }
        }
    }
}
