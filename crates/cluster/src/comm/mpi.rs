//! Ranks that are processes under `mpirun`, Slurm's `srun` or another launcher of MPI. (notes: cluster-comm)
//!
//! Requests do not block and are asked in turns, so that a link that is down is noticed: MPI by itself waits for ever. Requests that are under
//! way cannot be taken back for sure, and their memory is in use; so a missed deadline ends the whole job.

use super::{Clock, Comm, CommError, Incoming, Launcher, MAX_CHUNK, Outgoing, launched};
use crate::error::Error;
use crate::host::{Hosts, Waiting};
use core::slice::ChunksMut;
use core::time::Duration;
use mpi::environment::Universe;
use mpi::point_to_point::MatchedReceiveVec;
use mpi::request::{LocalScope, Request};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Instant;

/// The exit code of a job that missed a deadline, if nothing else is asked for ([`run`]).
pub const DEADLINE_EXIT: i32 = 75;

/// How long requests are asked again and again before the thread sleeps between.
const SPIN: Duration = Duration::from_micros(200);

/// How long it sleeps.
const SLEEP: Duration = Duration::from_micros(100);

/// One rank of an MPI job.
pub struct Mpi<'a> {
    world: &'a SimpleCommunicator,
    chunk: usize,
    /// Messages that were sent to each rank, and those received from it.
    sent: Vec<u64>,
    received: Vec<u64>,
    waiting: Waiting,
    missed: Option<&'a Missed<'a>>,
}

/// Says at the rank with a number, once it has one, which other one missed a deadline of the job, whose hosts are known or not, and returns the exit code of
/// the job.
pub type Missed<'a> = dyn Fn(Option<usize>, Error, Hosts) -> i32 + Sync + 'a;

/// Bytes in front of a message: its number among those to the same rank, and its length.
const HEADER: usize = 16;

/// Why this process is no rank of a job.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// MPI cannot be initialized, or was before.
    #[error("MPI cannot be initialized")]
    Uninitialized,
    /// The launcher is of another MPI, which this library does not find its ranks by: each of them is alone.
    #[error(
        "launcher and library are of two MPIs: {} started {started} ranks ({}), of which {library} finds {found}",
        launcher.name, launcher.variable
    )]
    OtherLauncher {
        /// The launcher.
        launcher: Launcher,
        /// The ranks that it started.
        started: usize,
        /// The ranks that the library finds.
        found: usize,
        /// The library's name and version.
        library: String,
    },
}

/// Refuses a world that has other ranks than the launcher has started.
///
/// # Errors
/// [`StartError::OtherLauncher`].
pub fn check_world(world: &SimpleCommunicator) -> Result<(), StartError> {
    let found = usize::try_from(world.size()).unwrap_or(0);
    let Some((launcher, started)) = launched().filter(|&(_, started)| started != found) else {
        return Ok(());
    };
    let library = mpi::environment::library_version().unwrap_or_default();
    // The first line, without what some libraries say of their build.
    let library = library.lines().next().unwrap_or_default().split(',').next().unwrap_or_default().trim();
    let library = library.trim_end_matches('\0').replace('\t', " ");
    Err(StartError::OtherLauncher { launcher, started, found, library })
}

/// Initializes MPI, which waits for all ranks by itself, and for ever. Where that takes longer than it may, nothing of MPI can be called, and the process ends: its launcher
/// ends the others.
fn initialize(within: Duration, missed: &Missed<'_>) -> Option<Universe> {
    let (started, starting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if starting.recv_timeout(within) == Err(RecvTimeoutError::Timeout) {
                std::process::exit(missed(None, CommError::Start { within }.into(), Hosts::default()));
            }
        });
        let universe = mpi::initialize();
        drop(started);
        universe
    })
}

/// Runs a program as one rank of the job that this process was started for, and whose ranks have so much time to find each other.
///
/// A program that fails, having said why, ends all ranks by the exit code that it returns; so does a deadline that is missed, by what `missed` returns. A rank that has only the
/// coordinator's word for the end returns, and is ended by the coordinator.
///
/// # Errors
/// If this process is no rank of it.
pub fn run<T>(
    start: Duration,
    program: impl FnOnce(Mpi<'_>) -> Result<T, i32>,
    missed: &Missed<'_>,
) -> Result<T, StartError> {
    let universe = initialize(start, missed).ok_or(StartError::Uninitialized)?;
    let world = universe.world();
    check_world(&world)?;
    program(Mpi { missed: Some(missed), ..Mpi::new(&world) }).map_err(|code| world.abort(code))
}

type Pending<'a, 's> = Request<'a, [u8], &'s LocalScope<'a>>;

/// A message that is received, chunk after chunk. MPI ends the job of who receives more than it has place for, so each is looked at first.
struct Receiving<'a, 's> {
    from: usize,
    number: u64,
    expected: usize,
    chunk: usize,
    places: ChunksMut<'a, u8>,
    /// Chunks that are still to come, once the header is there.
    left: Option<usize>,
    request: Option<Pending<'a, 's>>,
    /// The length of a message that is not the expected one.
    wrong: Option<usize>,
}

impl<'a, 's> Receiving<'a, 's> {
    /// Receives what is there; true once all is. Chunks of a wrong message are thrown away: its sender waits until they are taken.
    fn advance(&mut self, source: &impl Source, scope: &'s LocalScope<'a>) -> bool {
        loop {
            if let Some(Err(request)) = self.request.take().map(Request::test) {
                self.request = Some(request);
                return false;
            }
            if self.left == Some(0) {
                return true;
            }
            let Some((message, status)) = source.immediate_matched_probe() else { return false };
            let found = usize::try_from(status.count(u8::equivalent_datatype())).unwrap_or(0);
            let Some(left) = self.left else {
                self.start(&(message, status).matched_receive_vec::<u8>().0);
                continue;
            };
            self.left = Some(left - 1);
            match self.places.next().filter(|place| self.wrong.is_none() && place.len() == found) {
                Some(place) => self.request = Some(message.immediate_matched_receive_into(scope, place)),
                None => {
                    self.wrong.get_or_insert(found);
                    let _: (Vec<u8>, _) = (message, status).matched_receive_vec();
                }
            }
        }
    }

    /// Reads the header.
    fn start(&mut self, header: &[u8]) {
        let number = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?));
        let header = header.split_at_checked(HEADER / 2);
        let header = header.and_then(|(first, second)| number(first).zip(number(second)));
        let (number, length) = header.unwrap_or((u64::MAX, 0));
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.left = Some(length.div_ceil(self.chunk));
        self.wrong = ((number, length) != (self.number, self.expected)).then_some(length);
    }
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
        let ranks = usize::try_from(world.size()).expect("a number of ranks");
        let waiting = Waiting::default();
        Self { world, chunk, sent: vec![0; ranks], received: vec![0; ranks], waiting, missed: None }
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

    fn wait_for(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let header = |to: usize, length: usize| [self.sent[to], length as u64].map(u64::to_le_bytes);
        let headers: Vec<[[u8; 8]; 2]> = outgoing.iter().map(|o| header(o.to, o.bytes.len())).collect();
        outgoing.iter().for_each(|o| self.sent[o.to] += 1);
        mpi::request::scope(|scope| {
            let mut sending = Vec::new();
            for (Outgoing { to, bytes }, header) in outgoing.iter().zip(&headers) {
                for chunk in core::iter::once(header.as_flattened()).chain(bytes.chunks(self.chunk)) {
                    sending.push((*to, self.process(*to).immediate_send(scope, chunk)));
                }
            }
            let mut receiving = Vec::new();
            for Incoming { from, bytes } in incoming {
                let (from, number, expected, chunk) = (*from, self.received[*from], bytes.len(), self.chunk);
                self.received[from] += 1;
                let places = bytes.chunks_mut(chunk);
                let (left, request, wrong) = (None, None, None);
                receiving.push(Receiving { from, number, expected, chunk, places, left, request, wrong });
            }
            self.wait(sending, receiving, within, scope)
        })
    }
}

impl Mpi<'_> {
    /// Ends the job at a deadline: requests are under way.
    fn miss(&self, error: &CommError) -> ! {
        match self.missed {
            Some(missed) => {
                let hosts = self.waiting.hosts.clone();
                self.world.abort(missed(Some(Comm::rank(self)), self.waiting.error(error), hosts))
            }
            None => {
                let late = self.waiting.hosts.name(&self.waiting.error(error).to_string());
                let hint = "if it was only slow, give it more time: --step, or `Deadlines`";
                self.abort(&format!("{late} ({hint})"), DEADLINE_EXIT)
            }
        }
    }

    fn process(&self, rank: usize) -> mpi::topology::Process<'_> {
        self.world.process_at_rank(i32::try_from(rank).expect("a rank of the job"))
    }

    /// Waits for all messages. One of another length is an error.
    fn wait<'a, 's>(
        &self,
        mut sending: Vec<(usize, Pending<'a, 's>)>,
        mut receiving: Vec<Receiving<'a, 's>>,
        within: Duration,
        scope: &'s LocalScope<'a>,
    ) -> Result<(), CommError> {
        let (start, mut result) = (Instant::now(), Ok(()));
        loop {
            let tested = sending.into_iter().map(|(rank, request)| (rank, request.test()));
            sending = tested.filter_map(|(rank, test)| Some((rank, test.err()?))).collect();
            receiving.retain_mut(|message| {
                let done = message.advance(&self.process(message.from), scope);
                if let Some(found) = message.wrong.filter(|_| done) {
                    let (rank, expected) = (message.from, message.expected);
                    result = result.clone().and(Err(CommError::Length { rank, expected, found }));
                }
                !done
            });
            let waited = start.elapsed();
            // Who is waited for is named before who does not take what it is sent.
            match receiving.first().map(|message| message.from).or(sending.first().map(|&(rank, _)| rank)) {
                None => return result,
                Some(rank) if waited >= within => self.miss(&CommError::Deadline { rank, within }),
                Some(_) if waited < SPIN => std::thread::yield_now(),
                Some(_) => std::thread::sleep(SLEEP),
            }
        }
    }
}
