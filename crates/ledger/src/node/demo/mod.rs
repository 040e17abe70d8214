//! A ledger at work on one machine: replicas and provers as processes, some of which fail or deviate.
//!
//! ```text
//!  this process: orders blocks          replicas 1, 2, 3: verify and apply, one is killed and catches up
//!   waiting ─► two batches at once ─► provers 1, 2: each holds a lane; one deviates, one vanishes and its lane is taken over
//! ```
//! Batches that are proven side by side touch no account in common. Keys are of a local setup, hence **insecure**. Everything is in one directory: `chain`, `replica-1` .. `replica-3`,
//! `prover-1`, `prover-2`, `keys`, `blocks`.

mod cluster;
mod lies;
mod script;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::measure::{crossover, each};
use super::{Baseline, Cost};
use crate::evm::Gas;
use crate::statement::BatchSize;

/// A process of the demo.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its node.
    pub directory: PathBuf,
    /// The keys of proofs.
    pub keys: PathBuf,
    /// The circuit of the keys, which was made once.
    pub circuit: [u8; 32],
    /// The secret key, of a prover.
    pub secret: Option<PathBuf>,
}

/// What to do.
pub struct Demo<'a> {
    /// Where everything is; not there yet, but for `keys`.
    pub directory: PathBuf,
    /// Keys of before, which are taken if they are there and made if not.
    pub keys: PathBuf,
    /// The number of transactions.
    pub transactions: usize,
    /// The size of batches.
    pub size: BatchSize,
    /// The command that [serves](super::serve) a node.
    pub command: &'a dyn Fn(&Role) -> Command,
    /// Told what happens.
    pub report: &'a mut dyn FnMut(Event<'_>),
}

impl core::fmt::Debug for Demo<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Demo").field("directory", &self.directory).finish_non_exhaustive()
    }
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step begins that takes a while.
    Begins(&'static str),
    /// So many transactions of all are in blocks.
    Done(usize, usize),
    /// A step is over.
    Line(&'static str, &'a str, Option<Duration>),
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The transactions in blocks.
    pub transactions: usize,
    /// Those of them in batches.
    pub proven: usize,
    /// The batches.
    pub batches: usize,
    /// Batches that were proven while another one was.
    pub side_by_side: usize,
    /// The height.
    pub height: u64,
    /// The root, which all replicas have.
    pub root: [u8; 32],
    /// Proving all batches.
    pub prove: Cost,
    /// The check of all batches by one replica.
    pub verify: Cost,
    /// The check and the way to the disk.
    pub apply: Duration,
    /// Executing the same transactions with their signatures, by CPU time.
    pub execute: Duration,
    /// The bytes of all blocks with batches.
    pub bytes: usize,
    /// For each batch its transactions, and its gas as a call of the contract that would be exported for its key.
    pub gas: Vec<(usize, Gas)>,
    /// Deviations of a prover, and how each was refused.
    pub refused: Vec<(&'static str, String)>,
    /// Blocks that the killed replica had to catch up with.
    pub caught_up: usize,
}

impl Outcome {
    /// A cost of all batches for one transaction.
    #[must_use]
    pub fn each(&self, time: Duration) -> Duration {
        each(time, self.proven)
    }

    /// The gas of all batches together.
    #[must_use]
    pub fn gas(&self) -> Gas {
        let sum = |of: fn(&Gas) -> u64| self.gas.iter().map(|(_, gas)| of(gas)).sum();
        Gas { calldata: sum(|gas| gas.calldata), all: sum(|gas| gas.all) }
    }

    /// As [`Measured::crossover`](super::Measured::crossover).
    #[must_use]
    pub fn crossover(&self, baseline: &Baseline) -> Option<f64> {
        crossover(self.each(self.prove.cpu), self.each(self.verify.cpu), baseline.time)
    }
}
