//! What is signed in a job: every answer of a rank, and the chain of the coordinator's questions. (notes: cluster-signatures)
//!
//! ```text
//!   answer    job, rank, phase, digest of the rank's latest statement, digest of the question, digest of the answer
//!   question  the coordinator's nonce, number of the question, digest of all that it has broadcast so far
//! ```
//! Signatures are made at once and verified only when something is wrong: whoever sends a wrong one has nothing to gain by it, since silence is as
//! little a proof against it.

use crate::error::{Deviation, Error};
use crate::identity::{DIGEST, Identity, SIGNATURE, digest};
use crate::meter::Phase;
use crate::party::COORDINATOR;
use crate::report::{Exhibit, Head, Job, Receipt, Report};
use std::rc::Rc;

/// Blocks of all ranks.
pub(crate) type Blocks = Rc<Vec<u8>>;

/// The bytes of a signed answer, but for its block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Envelope<'a> {
    /// Digest of the job.
    pub job: &'a [u8; DIGEST],
    pub rank: usize,
    pub phase: Phase,
    /// Digest of the rank's latest statement about its part of the commitment; zeros before there is one.
    pub stated: &'a [u8; DIGEST],
    /// Digest of what the rank was asked.
    pub asked: &'a [u8; DIGEST],
}

impl Envelope<'_> {
    /// The signed message of an answer with this [`block_digest`].
    pub fn message(&self, answer: &[u8; DIGEST]) -> Vec<u8> {
        let mut message = b"tenfold cluster answer v1".to_vec();
        message.extend_from_slice(self.job);
        message.extend((self.rank as u64).to_le_bytes());
        message.push(self.phase as u8);
        [self.stated, self.asked, answer].iter().for_each(|d| message.extend_from_slice(*d));
        message
    }
}

pub(crate) fn block_digest(block: &[u8]) -> [u8; DIGEST] {
    digest("tenfold cluster block v1", &[block])
}

pub(crate) fn asked_digest<'b>(asked: impl Iterator<Item = &'b [u8]>) -> [u8; DIGEST] {
    digest("tenfold cluster asked v1", &asked.collect::<Vec<_>>())
}

/// Signed answers that the coordinator has: of all ranks, or of one.
pub(crate) struct Record {
    phase: Phase,
    asked: Rc<Vec<Vec<u8>>>,
    /// Blocks that were handed out with the question, by rank.
    scattered: Rc<Vec<u8>>,
    /// By rank.
    stated: Rc<Vec<[u8; DIGEST]>>,
    /// The first rank of those that answered.
    first: usize,
    signatures: Vec<u8>,
    /// Statements stay, and of the other answers the last.
    blocks: Option<Blocks>,
    /// Of blocks that were never kept, what was signed of them.
    digests: Vec<[u8; DIGEST]>,
}

impl Record {
    fn signature(&self, rank: usize) -> Option<&[u8]> {
        self.signatures.chunks_exact(SIGNATURE).nth(rank.checked_sub(self.first)?)
    }

    fn asked(&self, rank: usize) -> Vec<&[u8]> {
        let block = self.scattered.len() / self.stated.len();
        let own = (block > 0).then(|| &self.scattered[rank * block..][..block]);
        self.asked.iter().map(Vec::as_slice).chain(own).collect()
    }

    fn block(&self, rank: usize) -> Option<&[u8]> {
        let ranks = self.signatures.len() / SIGNATURE;
        let blocks = self.blocks.as_ref()?;
        blocks.chunks_exact((blocks.len() / ranks).max(1)).nth(rank.checked_sub(self.first)?)
    }
}

/// An accusation: the rank, its signed answers that contradict each other or the protocol, and the slices of other ranks whose hashes are in its statement.
pub(crate) struct Charge {
    pub rank: usize,
    pub deviation: Deviation,
    /// Its messages in a weighted sum, before the other answers.
    pub sum: SumAnswers,
    pub answers: Vec<(Phase, Vec<u8>)>,
    pub slices: Vec<Vec<u8>>,
}

impl Charge {
    /// Of answers that are looked for among all that the rank has signed.
    pub fn new(rank: usize, deviation: Deviation, answers: Vec<(Phase, Vec<u8>)>) -> Self {
        Self { rank, deviation, sum: SumAnswers::default(), answers, slices: Vec::new() }
    }
}

/// One rank's answers in a weighted sum, in consecutive records. They are known by their place: two rounds may have the same message.
#[derive(Default)]
pub(crate) struct SumAnswers {
    /// The number of the first one's record.
    pub record: usize,
    pub blocks: Vec<Vec<u8>>,
}

/// The signing side of a rank, with the records of what others signed.
pub(crate) struct Session {
    pub identity: Identity,
    rank: usize,
    job: Option<Job>,
    digest: [u8; DIGEST],
    asked: Rc<Vec<Vec<u8>>>,
    scattered: Rc<Vec<u8>>,
    /// Of all ranks at the coordinator, else of this one.
    stated: Rc<Vec<[u8; DIGEST]>>,
    records: Vec<Record>,
    head: Head,
}

impl Session {
    pub fn new(identity: Identity, rank: usize, ranks: usize) -> Self {
        let kept = if rank == COORDINATOR { ranks } else { 1 };
        Self {
            identity,
            rank,
            job: None,
            digest: [0; DIGEST],
            asked: Rc::default(),
            scattered: Rc::default(),
            stated: Rc::new(vec![[0; DIGEST]; kept]),
            records: Vec::new(),
            head: Head::default(),
        }
    }

    /// Takes the description of the job that all ranks have.
    pub fn join(&mut self, job: Job) {
        self.digest = job.digest();
        self.head.nonce.0 = job.ranks[COORDINATOR].nonce.0.clone();
        self.job = Some(job);
        self.keep_receipt();
    }

    /// The coordinator begins a question: returns its signature of everything it has broadcast so far.
    pub fn ask(&mut self, question: &[u8]) -> [u8; SIGNATURE] {
        self.begin(question);
        if self.job.is_none() {
            self.head.nonce.0 = self.identity.nonce.to_vec();
        }
        let signature = self.identity.key.sign(&self.head.message());
        self.head.signature.0 = signature.to_vec();
        signature
    }

    /// Hears the beginning of a question.
    pub fn hear(&mut self, question: &[u8], signature: &[u8]) {
        self.begin(question);
        self.head.signature.0 = signature.to_vec();
        self.keep_receipt();
    }

    fn begin(&mut self, question: &[u8]) {
        self.asked = Rc::default();
        self.scattered = Rc::default();
        self.head.step += 1;
        self.broadcast(question);
    }

    /// A message of the coordinator to all ranks.
    pub fn broadcast(&mut self, message: &[u8]) {
        Rc::make_mut(&mut self.asked).push(message.to_vec());
        self.head.chain.0 = digest("tenfold cluster chain v1", &[&self.head.chain.0, message]).to_vec();
    }

    /// The coordinator's blocks for the ranks, or this rank's, that come with a question; or what stands for them.
    pub fn scatter(&mut self, blocks: &[u8]) {
        self.scattered = Rc::new(blocks.to_vec());
    }

    fn keep_receipt(&self) {
        if let Some(job) = self.job.clone().filter(|_| self.rank != COORDINATOR) {
            let receipt = Receipt::new(job, self.head.clone());
            self.identity.records.0.borrow_mut().receipt = Some(receipt);
        }
    }

    /// The last of the coordinator's signatures.
    pub fn head(&self) -> &Head {
        &self.head
    }

    pub fn job(&self) -> Option<&Job> {
        self.job.as_ref()
    }

    /// Signs an answer of this rank: the block with the signature behind it.
    pub fn signed(&mut self, phase: Phase, mut block: Vec<u8>) -> Vec<u8> {
        let own = (!self.scattered.is_empty()).then_some(&self.scattered[..]);
        let asked = asked_digest(self.asked.iter().map(Vec::as_slice).chain(own));
        let envelope =
            Envelope { job: &self.digest, rank: self.rank, phase, stated: &self.stated[0], asked: &asked };
        let signature = self.identity.key.sign(&envelope.message(&block_digest(&block)));
        if phase == Phase::Tree {
            self.stated = Rc::new(vec![block_digest(&block)]);
        }
        block.extend(signature);
        block
    }

    /// Takes the signatures out of answers, those of the coordinator's own are none, and records them.
    pub fn record(&mut self, phase: Phase, first: usize, mut signed: Vec<u8>, ranks: usize) -> Blocks {
        let length = signed.len() / ranks;
        let block = length - SIGNATURE;
        let mut signatures = Vec::with_capacity(ranks * SIGNATURE);
        for rank in 0..ranks {
            let start = rank * length;
            signatures.extend_from_slice(&signed[start + block..start + length]);
            signed.copy_within(start..start + block, rank * block);
        }
        signed.truncate(ranks * block);
        let blocks = Rc::new(signed);
        self.push(phase, (first, signatures), Some(blocks.clone()), Vec::new());
        if phase == Phase::Tree {
            let stated = Rc::make_mut(&mut self.stated);
            for (i, block) in blocks.chunks_exact(block.max(1)).enumerate() {
                stated[first + i] = block_digest(block);
            }
        }
        blocks
    }

    /// Records answers of all ranks from one on, of which the digests alone are kept.
    pub fn record_digests(
        &mut self,
        phase: Phase,
        first: usize,
        signatures: Vec<u8>,
        digests: Vec<[u8; DIGEST]>,
    ) {
        self.push(phase, (first, signatures), None, digests);
    }

    fn push(
        &mut self,
        phase: Phase,
        (first, signatures): (usize, Vec<u8>),
        blocks: Option<Blocks>,
        digests: Vec<[u8; DIGEST]>,
    ) {
        if let Some(last) = self.records.last_mut().filter(|last| last.phase != Phase::Tree) {
            last.blocks = None;
        }
        let (asked, scattered, stated) = (self.asked.clone(), self.scattered.clone(), self.stated.clone());
        self.records.push(Record { phase, asked, scattered, stated, first, signatures, blocks, digests });
    }

    /// The number of records so far.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Drops all records but the first so many.
    pub fn forget(&mut self, keep: usize) {
        self.records.truncate(keep);
    }

    /// A rank's signed answer with this block; none if it has signed no such one.
    fn exhibit(&self, job: &Job, rank: usize, (phase, block): &(Phase, Vec<u8>)) -> Option<Exhibit> {
        let answer = block_digest(block);
        let of_phase = self.records.iter().rev().filter(|record| record.phase == *phase);
        of_phase.filter_map(|record| self.signed_by(job, rank, (record, &answer), block)).next()
    }

    /// The answer of a record, if its signature is the rank's of this digest.
    fn signed_by(
        &self,
        job: &Job,
        rank: usize,
        (record, answer): (&Record, &[u8; DIGEST]),
        block: &[u8],
    ) -> Option<Exhibit> {
        let key = job.key(rank)?;
        let (signature, asked, phase) = (record.signature(rank)?, record.asked(rank), record.phase);
        let (stated, digest) = (&record.stated[rank], asked_digest(asked.iter().copied()));
        let envelope = Envelope { job: &self.digest, rank, phase, stated, asked: &digest };
        let signed = key.verifies(&envelope.message(answer), signature);
        signed.then(|| Exhibit::new(phase, stated, asked, (block, signature)))
    }

    /// Keeps a report of the last answer, if the rank has given another one to the same question, of which the digest is on record.
    fn report_repeated(&self, rank: usize) {
        let (Some(job), Some(last)) = (&self.job, self.records.last()) else { return };
        let Some(block) = last.block(rank) else { return };
        let earlier = |record: &Record| {
            let digest = record.digests.get(rank.checked_sub(record.first)?)?;
            let same = record.phase == last.phase && record.asked(rank) == last.asked(rank);
            let exhibit = self.signed_by(job, rank, (record, digest), &[])?.unseen(digest);
            (same && *digest != block_digest(block)).then_some(exhibit)
        };
        let pair =
            self.exhibit(job, rank, &(last.phase, block.to_vec())).zip(self.records.iter().find_map(earlier));
        if let Some((later, earlier)) = pair {
            let accused = (rank, Deviation::Statement);
            self.keep(Report::deviation(job.clone(), accused, vec![later, earlier], Vec::new()));
        }
    }

    fn keep(&self, report: Report) {
        self.identity.records.0.borrow_mut().report.get_or_insert(report);
    }

    /// Keeps a report of a charge, if the rank has signed what it is charged with.
    pub fn report(&self, charge: Charge) {
        let Some(job) = &self.job else { return };
        let Charge { rank, deviation, sum, answers, slices } = charge;
        let of_sum = sum.blocks.iter().enumerate().map(|(i, block)| {
            let record = self.records.get(sum.record + i)?;
            self.signed_by(job, rank, (record, &block_digest(block)), block)
        });
        let others = answers.iter().map(|answer| self.exhibit(job, rank, answer));
        let statements: Option<Vec<Exhibit>> = of_sum.chain(others).collect();
        if let Some(statements) = statements.filter(|_| rank != COORDINATOR) {
            let report = Report::deviation(job.clone(), (rank, deviation), statements, slices);
            self.keep(report);
        }
    }

    /// Keeps a report of an error that one answer alone, or one with an earlier statement, shows.
    pub fn report_error(&self, error: &Error) {
        let Error::Deviation { rank, deviation } = *error else { return };
        let Some(last) = self.records.last() else { return };
        let of = |record: &Record| Some((record.phase, record.block(rank)?.to_vec()));
        let mut answers: Vec<(Phase, Vec<u8>)> = of(last).into_iter().collect();
        match deviation {
            Deviation::Encoding | Deviation::Answer => {}
            Deviation::Statement if last.phase == Phase::Columns => return self.report_repeated(rank),
            Deviation::Statement => {
                let stated = self.records.iter().filter(|record| record.phase == Phase::Tree);
                answers.extend(stated.filter_map(of).take(1));
            }
            _ => return,
        }
        if !answers.is_empty() {
            self.report(Charge::new(rank, deviation, answers));
        }
    }

    /// Keeps a report about a coordinator that signed two different chains of questions.
    pub fn report_coordinator(&self, other: Head) {
        let report = self.job.clone().and_then(|job| Report::equivocation(job, [self.head.clone(), other]));
        if let Some(report) = report {
            self.keep(report);
        }
    }
}
