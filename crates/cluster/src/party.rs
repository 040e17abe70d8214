//! One rank of a job: its communication with all calls metered, and its computations.

use crate::comm::{Comm, CommError, Incoming, Outgoing};
use crate::error::{Deviation, Error, Reason};
use crate::host::{Hosts, Waiting};
use crate::identity::{DIGEST, Identity, SIGNATURE};
use crate::meter::{Meter, Phase, Stopwatch};
use crate::report::{Head, Hex};
use crate::session::{Blocks, Session, block_digest};
use crate::wire::Question;
use core::time::Duration;
use field::{Goldilocks, parallel};
use std::sync::PoisonError;
use std::time::Instant;

/// The rank that asks, and checks what the others answer.
pub(crate) const COORDINATOR: usize = 0;

/// Steps that one question takes at most, with a dispute settled by it: those who have no part in it wait so long for the next one.
const QUESTION_STEPS: u32 = 8;

/// The part of a step in which a block is read that had come before.
const READING: u32 = 16;

/// How long ranks wait for each other. The idle time must be eight steps or more: a rank may wait through a dispute of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// For one step of another rank, with what it computes for it.
    pub step: Duration,
    /// For the coordinator's next question, while it does what it does alone; and for ranks to read their columns.
    pub idle: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { step: Duration::from_secs(60), idle: Duration::from_secs(3600) }
    }
}

/// One rank of a job.
pub(crate) struct Party<'a> {
    comm: Box<dyn Comm + 'a>,
    deadlines: Deadlines,
    pub meter: Meter,
    /// CPU time within calls of the communication so far, in nanoseconds: no computation, and a rank that waits may spin.
    pub communicating: u64,
    pub session: Session,
    /// Whether the coordinator owes the other ranks the end of the job: they wait for its questions.
    pub awaited: bool,
}

impl Drop for Party<'_> {
    fn drop(&mut self) {
        self.stop(None, Reason::Dropped);
    }
}

impl<'a> Party<'a> {
    pub fn new(comm: Box<dyn Comm + 'a>, deadlines: Deadlines, identity: Identity) -> Result<Self, Error> {
        if !comm.size().is_power_of_two() {
            let reason = format!("the number of ranks is a power of two, and not {}", comm.size());
            return Err(CommError::Ranks(reason).into());
        }
        if deadlines.idle < deadlines.step.saturating_mul(QUESTION_STEPS) {
            let Deadlines { step, idle } = deadlines;
            let reason = format!("an idle time of {idle:?} is less than {QUESTION_STEPS} steps of {step:?}");
            return Err(Error::Unsupported(reason));
        }
        if let Some(keys) = identity.expected.as_ref().filter(|keys| keys.len() != comm.size()) {
            let reason = format!("a list of {} keys, and there are {} ranks", keys.len(), comm.size());
            return Err(Error::Unsupported(reason));
        }
        let session = Session::new(identity, comm.rank(), comm.size());
        Ok(Self { comm, deadlines, meter: Meter::default(), communicating: 0, session, awaited: false })
    }

    pub fn rank(&self) -> usize {
        self.comm.rank()
    }

    pub fn size(&self) -> usize {
        self.comm.size()
    }

    pub fn log_size(&self) -> usize {
        self.size().ilog2() as usize
    }

    pub fn coordinates(&self) -> bool {
        self.rank() == COORDINATOR
    }

    /// Learns the ranks' hosts.
    pub fn meet(&mut self, hosts: Hosts) {
        self.session.identity.records.0.borrow_mut().hosts = hosts.clone();
        self.comm.wait_for(Waiting { hosts, reading: false });
    }

    /// Waits until all ranks have read their columns: a slow disk takes no time of a step. The coordinator, then each rank, then the
    /// coordinator of all: nobody sends anything to a coordinator that ends the job before it has its own columns.
    pub fn ready(&mut self) -> Result<(), Error> {
        let hosts = self.session.identity.records.hosts();
        self.comm.wait_for(Waiting { hosts: hosts.clone(), reading: true });
        let all = self.all_ready();
        self.comm.wait_for(Waiting { hosts, reading: false });
        all.map_err(|error| match error {
            CommError::Deadline { rank, within } => Error::Reading { rank, within },
            other => other.into(),
        })
    }

    fn all_ready(&mut self) -> Result<(), CommError> {
        let Deadlines { step, idle } = self.deadlines;
        // The coordinator may read for the idle time, and then wait as long for another rank.
        let longer = idle.saturating_add(step);
        self.count(Phase::Input, 1, self.one_way(true));
        self.call(|comm| comm.broadcast(COORDINATOR, &mut [0], longer))?;
        self.count(Phase::Input, 1, self.one_way(false));
        self.call(|comm| comm.gather(COORDINATOR, &[0], idle))?;
        self.count(Phase::Input, 1, self.one_way(true));
        self.call(|comm| comm.broadcast(COORDINATOR, &mut [0], longer))
    }

    /// Tells the other ranks that the job has ended, if they wait to hear it. The coordinator has its own error: whom it cannot reach is of no
    /// interest.
    pub fn stop(&mut self, culprit: Option<usize>, reason: Reason) {
        if core::mem::take(&mut self.awaited) {
            // The question has no elements: any field does.
            let _ = Question::<Goldilocks>::Stop { culprit, reason }.ask(self);
        }
    }

    /// Runs a computation of a phase.
    pub fn compute<T>(&mut self, phase: Phase, run: impl FnOnce() -> T) -> T {
        let turns = self.comm.turns();
        let _turn = turns.as_ref().map(|turns| turns.lock().unwrap_or_else(PoisonError::into_inner));
        let watch = self.stopwatch();
        let result = run();
        self.meter.of_mut(phase).cpu += watch.nanoseconds();
        result
    }

    pub fn stopwatch(&self) -> Stopwatch {
        Stopwatch::start(self.comm.clock())
    }

    /// Runs a call of the communication, whose time is in no phase.
    fn call<T>(&mut self, call: impl FnOnce(&mut (dyn Comm + 'a)) -> T) -> T {
        let watch = self.stopwatch();
        let result = call(&mut *self.comm);
        self.communicating += watch.nanoseconds();
        result
    }

    /// Counts a call in which this rank sends to and receives from so many others a block each.
    fn count(&mut self, phase: Phase, block: usize, [to, from]: [usize; 2]) {
        let cost = self.meter.of_mut(phase);
        cost.sent += (block * to) as u64;
        cost.received += (block * from) as u64;
        cost.messages += to as u64;
        cost.collectives += 1;
    }

    /// The coordinator's share in a call that goes one way, and that of the others.
    fn one_way(&self, to_all: bool) -> [usize; 2] {
        let others = self.size() - 1;
        match (self.coordinates(), to_all) {
            (true, true) => [others, 0],
            (true, false) => [0, others],
            (false, true) => [0, 1],
            (false, false) => [1, 0],
        }
    }

    /// Gives everyone the coordinator's block.
    pub fn broadcast(&mut self, phase: Phase, block: &mut [u8]) -> Result<(), Error> {
        let result = self.broadcast_within(phase, block, self.deadlines.step);
        self.session.broadcast(block);
        result
    }

    /// [`Party::broadcast`] of the beginning of a question, which may come much later than the last one, signed.
    pub fn broadcast_question(&mut self, phase: Phase, block: &mut [u8]) -> Result<(), Error> {
        let mut signed = [&block[..], &[0; SIGNATURE]].concat();
        if self.coordinates() {
            let signature = self.session.ask(block);
            signed[block.len()..].copy_from_slice(&signature);
        }
        self.broadcast_within(phase, &mut signed, self.deadlines.idle)?;
        if !self.coordinates() {
            let (heard, signature) = signed.split_at(block.len());
            block.copy_from_slice(heard);
            self.session.hear(heard, signature);
        }
        Ok(())
    }

    fn broadcast_within(&mut self, phase: Phase, block: &mut [u8], within: Duration) -> Result<(), Error> {
        self.count(phase, block.len(), self.one_way(true));
        Ok(self.call(|comm| comm.broadcast(COORDINATOR, block, within))?)
    }

    /// Gives the coordinator everyone's block, signed. Who answers may have waited for another rank before: the coordinator waits twice as long.
    pub fn gather(&mut self, phase: Phase, block: &[u8]) -> Result<Blocks, Error> {
        let signed = match self.coordinates() {
            true => [block, &[0; SIGNATURE]].concat(),
            false => self.signed(phase, block),
        };
        self.count(phase, signed.len(), self.one_way(false));
        let within = self.steps(2);
        let all = self.call(|comm| comm.gather(COORDINATOR, &signed, within))?;
        if !self.coordinates() {
            return Ok(Blocks::default());
        }
        let ranks = self.size();
        Ok(self.session.record(phase, COORDINATOR, all, ranks))
    }

    /// An answer of this rank with its signature.
    #[allow(unused_mut)]
    fn signed(&mut self, phase: Phase, block: &[u8]) -> Vec<u8> {
        let mut block = block.to_vec();
        #[cfg(any(test, feature = "deviations"))]
        self.comm.before_signing(&mut block);
        self.session.signed(phase, block)
    }

    /// Compares with the other ranks what the coordinator has signed: all but the coordinator know then that they were asked the same.
    pub fn compare_heads(&mut self) -> Result<(), Error> {
        // With two ranks there is nobody to compare with.
        if self.size() <= 2 {
            return Ok(());
        }
        let Some(job) = self.session.job().map(|job| job.digest()) else { return Ok(()) };
        let head = self.session.head().clone();
        let own =
            [&job[..], &head.nonce.0, &head.step.to_le_bytes(), &head.chain.0, &head.signature.0].concat();
        let mut heads = vec![0; own.len() * self.size()];
        let exchanged = self.all_to_all(Phase::Coordinator, &own.repeat(self.size()), &mut heads);
        let coordinator = self.session.job().and_then(|job| job.key(COORDINATOR));
        let Some(coordinator) = coordinator.filter(|_| !self.coordinates()) else { return Ok(()) };
        let deviation = |deviation| Err(Error::Deviation { rank: COORDINATOR, deviation });
        if !head.is_signed_by(&coordinator) {
            return deviation(Deviation::Unsigned);
        }
        for other in heads.chunks_exact(own.len()).skip(1).filter(|other| **other != own) {
            let (_, other) = other.split_at(DIGEST);
            let (nonce, other) = other.split_at(DIGEST);
            let (step, other) = other.split_at(8);
            let (chain, signature) = other.split_at(DIGEST);
            let [nonce, chain, signature] = [nonce, chain, signature].map(|bytes| Hex(bytes.to_vec()));
            let step = u64::from_le_bytes(step.try_into().unwrap_or_default());
            let other = Head { nonce, step, chain, signature };
            // What the coordinator has not signed another rank may have invented.
            if other.is_signed_by(&coordinator) {
                self.session.report_coordinator(other);
                return deviation(Deviation::Equivocation);
            }
        }
        Ok(exchanged?)
    }

    /// [`Party::gather`] at the coordinator, with the memory of one block: receives the blocks of one rank after the other, and stores signature and digest
    /// alone. Returns the digests by rank, without the coordinator's own. A block that `each` refuses stays on record.
    pub fn gather_each(
        &mut self,
        phase: Phase,
        length: usize,
        mut each: impl FnMut(usize, &[u8]) -> Result<(), Error>,
    ) -> Result<Vec<[u8; DIGEST]>, Error> {
        let mut signed = vec![0; length + SIGNATURE];
        self.count(phase, signed.len(), self.one_way(false));
        let (start, within) = (Instant::now(), self.steps(2));
        let (mut signatures, mut digests) = (Vec::new(), Vec::new());
        for from in (0..self.size()).filter(|&rank| rank != COORDINATOR) {
            // All had the same time to answer; what is there is read though it is over.
            let left = within.saturating_sub(start.elapsed()).max(self.deadlines.step / READING);
            let incoming = Incoming { from, bytes: &mut signed };
            self.call(|comm| comm.exchange(&[], &mut [incoming], left))?;
            let (block, signature) = signed.split_at(length);
            if let Err(refused) = self.compute(phase, || each(from, block)) {
                self.session.record(phase, from, signed, 1);
                return Err(refused);
            }
            digests.push(self.compute(phase, || block_digest(block)));
            signatures.extend_from_slice(signature);
        }
        self.session.record_digests(phase, COORDINATOR + 1, signatures, digests.clone());
        Ok(digests)
    }

    /// Gives everyone its block of the coordinator's.
    pub fn scatter(&mut self, phase: Phase, blocks: &[u8], place: &mut [u8]) -> Result<(), Error> {
        self.scatter_within(phase, blocks, place, self.deadlines.step)?;
        self.session.scatter(if self.coordinates() { blocks } else { place });
        Ok(())
    }

    /// [`Party::scatter`] of blocks that answers are bound to by a digest. Returns the digests of all blocks at the coordinator, else of this rank's.
    pub fn scatter_digested(
        &mut self,
        phase: Phase,
        (blocks, place): (&[u8], &mut [u8]),
        digest: fn(&[u8]) -> [u8; DIGEST],
    ) -> Result<Vec<[u8; DIGEST]>, Error> {
        self.scatter_within(phase, blocks, place, self.deadlines.step)?;
        let (length, blocks) = (place.len().max(1), if self.coordinates() { blocks } else { place });
        let digests = self.compute(phase, || parallel::map(blocks.chunks_exact(length), digest));
        self.session.scatter(digests.as_flattened());
        Ok(digests)
    }

    /// [`Party::scatter`] of the input, which the coordinator may have much later than the others are there. Entries and keys are no question, and in nobody's
    /// record.
    pub fn scatter_input(&mut self, blocks: &[u8], place: &mut [u8]) -> Result<(), Error> {
        self.scatter_within(Phase::Input, blocks, place, self.deadlines.idle)
    }

    fn scatter_within(
        &mut self,
        phase: Phase,
        blocks: &[u8],
        place: &mut [u8],
        within: Duration,
    ) -> Result<(), Error> {
        self.count(phase, place.len(), self.one_way(true));
        Ok(self.call(|comm| comm.scatter(COORDINATOR, blocks, place, within))?)
    }

    fn steps(&self, count: u32) -> Duration {
        self.deadlines.step.saturating_mul(count)
    }

    /// Gives everyone a block of everyone's.
    pub fn all_to_all(&mut self, phase: Phase, blocks: &[u8], places: &mut [u8]) -> Result<(), CommError> {
        let others = self.size() - 1;
        self.count(phase, blocks.len() / self.size(), [others, others]);
        let within = self.deadlines.step;
        self.call(|comm| comm.all_to_all(blocks, places, within))
    }

    /// Moves a block from a rank to the coordinator, signed, or from the coordinator to a rank; the others do nothing. Who
    /// waits for a rank that may wait itself gives it more steps than that.
    pub fn pass(&mut self, phase: Phase, way: Way, block: &mut [u8], steps: u32) -> Result<(), Error> {
        let (from, to) = match way {
            Way::FromRank(rank) => (rank, COORDINATOR),
            Way::ToRank(rank) => (COORDINATOR, rank),
        };
        let (within, answers) = (self.steps(steps), matches!(way, Way::FromRank(_)));
        if from != to && self.rank() == from {
            let bytes = if answers { self.signed(phase, block) } else { block.to_vec() };
            self.count(phase, bytes.len(), [1, 0]);
            self.call(|comm| comm.exchange(&[Outgoing { to, bytes: &bytes }], &mut [], within))?;
        } else if from != to && self.rank() == to {
            let mut bytes = vec![0; block.len() + if answers { SIGNATURE } else { 0 }];
            self.count(phase, bytes.len(), [0, 1]);
            let incoming = Incoming { from, bytes: &mut bytes };
            self.call(|comm| comm.exchange(&[], &mut [incoming], within))?;
            let bytes = if answers { self.session.record(phase, from, bytes, 1) } else { Blocks::new(bytes) };
            block.copy_from_slice(&bytes);
        }
        Ok(())
    }
}

/// Which way a block goes between a rank and the coordinator.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    FromRank(usize),
    ToRank(usize),
}
