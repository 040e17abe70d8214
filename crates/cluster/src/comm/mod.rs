//! Communication among the ranks of one job: equal blocks, in chunks, with a deadline on every call. (notes: cluster-comm)
//!
//! ```text
//!   broadcast   root ──► all        one block
//!   gather      all ──► root        a block from each
//!   scatter     root ──► all        a block for each
//!   all_to_all  all ──► all         a block from each for each
//! ```
//! A back end moves bytes between two ranks; what many do together is written once, over that. So an error always names the rank that was
//! waited for, which collective calls of a library cannot tell. Nothing is a barrier: who has what it needs goes on.

#[cfg(test)]
mod battery;
#[cfg(feature = "mpi")]
pub mod mpi;
#[cfg(test)]
mod tests;
pub mod threads;

use crate::host::Waiting;
use core::time::Duration;
use std::sync::{Arc, Mutex};

/// Bytes of one message at most: libraries count in 32 bits, with a sign.
pub const MAX_CHUNK: usize = 1 << 30;

/// A launcher of ranks, by the variable in which it tells each of them how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launcher {
    /// The variable.
    pub variable: &'static str,
    /// The launcher's name.
    pub name: &'static str,
}

/// Launchers of MPI.
const LAUNCHERS: [Launcher; 2] = [
    Launcher { variable: "OMPI_COMM_WORLD_SIZE", name: "Open MPI's mpirun" },
    Launcher { variable: "PMI_SIZE", name: "MPICH's mpirun or another launcher by PMI" },
];

/// Slurm's, whose tasks need not be ranks: the others start their own processes by it.
const SLURM: Launcher = Launcher { variable: "SLURM_STEP_NUM_TASKS", name: "Slurm's srun" };

/// A variable of a shell, which is one process, however many tasks its step has.
const SLURM_SHELL: &str = "SLURM_PTY_PORT";

/// A variable of all ranks that PMIx starts, whose launcher may be any.
const PMIX: &str = "PMIX_RANK";

/// The launcher that started this process, with the number of ranks that it started; none if none has said a number.
pub fn launched() -> Option<(Launcher, usize)> {
    let variable = |name: &str| std::env::var(name).ok();
    let started = |launcher: Launcher| Some((launcher, variable(launcher.variable)?.parse().ok()?));
    let slurm = || started(SLURM).filter(|&(_, tasks)| tasks > 1 && variable(SLURM_SHELL).is_none());
    LAUNCHERS.into_iter().find_map(started).or_else(slurm)
}

/// True if a launcher of MPI has started this process.
pub fn is_launched() -> bool {
    launched().is_some() || std::env::var_os(PMIX).is_some()
}

/// Bytes for a rank.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// The rank.
    pub to: usize,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// A place for bytes of a rank.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// The rank.
    pub from: usize,
    /// The place, as long as what is expected.
    pub bytes: &'a mut [u8],
}

/// The clock by which the computations of a rank are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of the thread: the ranks are threads of one process, with one thread each.
    Thread,
    /// CPU time of the process.
    Process,
}

/// Why ranks could not exchange bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommError {
    /// A rank sent nothing until the deadline.
    #[error("rank {rank} did not answer within {:?}", milliseconds(*within))]
    Deadline {
        /// The rank.
        rank: usize,
        /// The time that it had.
        within: Duration,
    },
    /// The ranks have not found each other until the deadline.
    #[error("the ranks have not found each other within {within:?}: one of them has not started, or is lost")]
    Start {
        /// The time that they had.
        within: Duration,
    },
    /// A rank has ended.
    #[error("rank {rank} has ended")]
    Gone {
        /// The rank.
        rank: usize,
    },
    /// A message of a rank is longer or shorter than it should be.
    #[error("rank {rank} sent {found} bytes where {expected} were expected")]
    Length {
        /// The rank.
        rank: usize,
        /// The bytes expected.
        expected: usize,
        /// The bytes that came.
        found: usize,
    },
    /// The job has a number of ranks for which there is no division of the work.
    #[error("{0}")]
    Ranks(String),
}

/// A time to the nearest millisecond: what is left of a deadline has more digits than anyone reads.
fn milliseconds(time: Duration) -> Duration {
    let millis = time.as_nanos().saturating_add(500_000) / 1_000_000;
    u64::try_from(millis).map_or(time, Duration::from_millis)
}

impl CommError {
    /// The rank that is named.
    pub fn rank(&self) -> Option<usize> {
        match *self {
            Self::Deadline { rank, .. } | Self::Gone { rank } | Self::Length { rank, .. } => Some(rank),
            Self::Start { .. } | Self::Ranks(_) => None,
        }
    }
}

/// The ranks of one job, as one of them sees them.
///
/// Law: of two ranks, one receives what the other sends, in the order in which it sends it, or has an error. Blocks have the same length on both
/// sides; a back end tells if they have not.
pub trait Comm {
    /// The number of this rank, from zero.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// The clock of this rank's computations.
    fn clock(&self) -> Clock;

    /// The lock that a rank holds while it computes, if one computes at a time ([`threads::in_turns`]).
    fn turns(&self) -> Option<Arc<Mutex<()>>> {
        None
    }

    /// Learns what ranks wait for each other for, if the back end ends the job itself where one does not answer.
    fn wait_for(&mut self, _waiting: Waiting) {}

    /// Changes an answer that a malicious rank is about to sign.
    #[cfg(any(test, feature = "deviations"))]
    fn before_signing(&mut self, _answer: &mut Vec<u8>) {}

    /// Sends and receives, all at once. After an error the other messages have been received nevertheless, as far as they came.
    ///
    /// # Errors
    /// If a rank has ended, sends nothing within the time, or something of another length.
    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError>;

    /// Gives everyone the root's block.
    ///
    /// # Errors
    /// As [`Comm::exchange`].
    fn broadcast(&mut self, root: usize, block: &mut [u8], within: Duration) -> Result<(), CommError> {
        if self.rank() != root {
            return self.exchange(&[], &mut [Incoming { from: root, bytes: block }], within);
        }
        let others = (0..self.size()).filter(|&rank| rank != root);
        let outgoing: Vec<Outgoing<'_>> = others.map(|to| Outgoing { to, bytes: block }).collect();
        self.exchange(&outgoing, &mut [], within)
    }

    /// Gives the root everyone's block, in the order of the ranks; nothing to the others.
    ///
    /// # Errors
    /// As [`Comm::exchange`].
    fn gather(&mut self, root: usize, block: &[u8], within: Duration) -> Result<Vec<u8>, CommError> {
        let (rank, size) = (self.rank(), self.size());
        if rank != root {
            self.exchange(&[Outgoing { to: root, bytes: block }], &mut [], within)?;
            return Ok(Vec::new());
        }
        let mut blocks = vec![0; size * block.len()];
        let mut incoming = by_rank(&mut blocks, size);
        incoming.remove(rank).bytes.copy_from_slice(block);
        self.exchange(&[], &mut incoming, within)?;
        Ok(blocks)
    }

    /// Gives everyone its block of the root's, which has one for each rank. Nobody looks at the `blocks` of the others.
    ///
    /// # Errors
    /// As [`Comm::exchange`].
    ///
    /// # Panics
    /// If the root has other blocks than places.
    fn scatter(
        &mut self,
        root: usize,
        blocks: &[u8],
        place: &mut [u8],
        within: Duration,
    ) -> Result<(), CommError> {
        let (rank, size) = (self.rank(), self.size());
        if rank != root {
            return self.exchange(&[], &mut [Incoming { from: root, bytes: place }], within);
        }
        assert_eq!(blocks.len(), size * place.len(), "a block for each rank");
        let mut outgoing = for_rank(blocks, size);
        place.copy_from_slice(outgoing.remove(rank).bytes);
        self.exchange(&outgoing, &mut [], within)
    }

    /// Gives everyone a block of everyone's, in the order of the ranks. After an error the other blocks are in place nevertheless.
    ///
    /// # Errors
    /// As [`Comm::exchange`].
    ///
    /// # Panics
    /// If there are not equally many bytes for each rank, or as many places.
    fn all_to_all(&mut self, blocks: &[u8], places: &mut [u8], within: Duration) -> Result<(), CommError> {
        let (rank, size) = (self.rank(), self.size());
        assert!(blocks.len().is_multiple_of(size) && blocks.len() == places.len(), "a block for each rank");
        let (mut outgoing, mut incoming) = (for_rank(blocks, size), by_rank(places, size));
        incoming.remove(rank).bytes.copy_from_slice(outgoing.remove(rank).bytes);
        self.exchange(&outgoing, &mut incoming, within)
    }
}

/// Equal blocks for all ranks.
fn for_rank(blocks: &[u8], size: usize) -> Vec<Outgoing<'_>> {
    let block = blocks.len() / size;
    (0..size).map(|to| Outgoing { to, bytes: &blocks[to * block..][..block] }).collect()
}

/// Places of equal blocks from all ranks.
fn by_rank(blocks: &mut [u8], size: usize) -> Vec<Incoming<'_>> {
    let block = blocks.len() / size;
    let mut rest = blocks;
    (0..size)
        .map(|from| {
            let (bytes, behind) = core::mem::take(&mut rest).split_at_mut(block);
            rest = behind;
            Incoming { from, bytes }
        })
        .collect()
}
