//! Reports that name a rank by its own signatures, for whoever was not there. (notes: cluster-report)
//!
//! ```text
//!   job         program, parameters, name, key and nonce of every rank     digest ─► in every signed answer
//!   statements  the accused rank's answers with what it was asked, signed
//!   slices      bytes of others, whose hashes the accused rank has signed
//!   heads       two signatures of the coordinator about one question
//! ```
//! A report is JSON with bytes in hexadecimal digits, exactly as [`Report::to_json`] writes it.

mod bytes;
mod said;
mod sum;
mod verify;

pub use bytes::Hex;
pub use sum::{OTHER_WEIGHTS, UNWEIGHTED, WITHOUT_WEIGHTS};
pub(crate) use verify::{NOTHING, check_heads, check_signatures, described};
pub use verify::{Verdict, verify_report};

use crate::error::Deviation;
use crate::identity::{PublicKey, SIGNATURE, digest};
use crate::meter::Phase;
use crate::party::COORDINATOR;
use bytes::{Expected, at_most};
use iop::error::Invalid;
use pcs::file::SchemeId;
use pcs::matrix::Params;
use serde::{Deserialize, Serialize};

/// The first line of a report, and of a receipt.
const REPORT: &str = "tenfold cluster blame report v1";
const RECEIPT: &str = "tenfold cluster receipt v1";

/// The most ranks of a job, and slices of a report, which has one of each.
const MAX_RANKS: usize = 1 << 16;
/// The most statements, and more than a weighted sum has rounds.
const MAX_STATEMENTS: usize = 1 << 8;
/// The most messages of a question, and more than any has.
const MAX_ASKED: usize = 8;
/// The heads of a report about questions.
const HEADS: usize = 2;

/// A rank of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// Its public key.
    pub key: Hex,
    /// The nonce that it drew for this job alone.
    pub nonce: Hex,
}

/// A job, as all its ranks were told by the coordinator; each found its own key and nonce in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Digest of the program's version.
    pub program: Hex,
    /// The scheme whose parameters follow.
    pub scheme: String,
    /// The encoded parameters.
    pub parameters: Hex,
    /// Digest of the job's name.
    pub name: Hex,
    /// Digest of the data that the ranks have parts of; zeros if the coordinator has all.
    pub data: Hex,
    /// By rank.
    #[serde(deserialize_with = "at_most::<MAX_RANKS, _, _>")]
    pub ranks: Vec<Seat>,
}

impl Job {
    /// The digest that every answer of the job is bound to.
    pub fn digest(&self) -> [u8; 32] {
        let ranks: Vec<u8> =
            self.ranks.iter().flat_map(|seat| [&seat.key.0[..], &seat.nonce.0]).flatten().copied().collect();
        let Self { program, scheme, parameters, name, data, .. } = self;
        let parts = [&program.0[..], scheme.as_bytes(), &parameters.0, &name.0, &data.0, &ranks];
        digest("tenfold cluster job v1", &parts)
    }

    /// The parameters; none if the encoding is not canonical. They are not validated.
    pub fn params(&self) -> Option<Params> {
        let schemes = [SchemeId::Pip, SchemeId::Ligerito, SchemeId::Air];
        let scheme = schemes.into_iter().find(|scheme| scheme.name() == self.scheme)?;
        Params::decode(scheme, &self.parameters.0)
    }

    /// log2 of the number of ranks.
    pub(crate) fn log_ranks(&self) -> Result<usize, Invalid> {
        let ranks = self.ranks.len();
        let log = ranks.checked_ilog2().filter(|_| ranks.is_power_of_two());
        log.map(|log| log as usize).ok_or(Invalid("the number of ranks is no power of two"))
    }

    /// The key of a rank.
    pub fn key(&self, rank: usize) -> Option<PublicKey> {
        Some(PublicKey(self.ranks.get(rank)?.key.array()?))
    }
}

/// A signed answer of a rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exhibit {
    pub phase: Phase,
    /// Digest of the rank's statement about its part of the commitment, as the latest was then.
    pub stated: Hex,
    /// The question, message by message.
    #[serde(deserialize_with = "at_most::<MAX_ASKED, _, _>")]
    pub asked: Vec<Hex>,
    /// The answer.
    pub block: Hex,
    /// In place of the block its digest, if nobody has kept more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Hex>,
    pub signature: Hex,
}

impl Exhibit {
    pub fn new(phase: Phase, stated: &[u8], asked: Vec<&[u8]>, (block, signature): (&[u8], &[u8])) -> Self {
        let asked = asked.into_iter().map(|message| Hex(message.to_vec())).collect();
        let [stated, block, signature] = [stated, block, signature].map(|bytes| Hex(bytes.to_vec()));
        Self { phase, stated, asked, block, digest: None, signature }
    }

    /// The exhibit of an answer that nobody has: its digest was signed.
    pub fn unseen(self, digest: &[u8]) -> Self {
        Self { digest: Some(Hex(digest.to_vec())), ..self }
    }
}

/// The statement that a coordinator signs with each question: all that it has broadcast to the ranks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    /// The coordinator's own, of this job.
    pub nonce: Hex,
    /// The number of the question.
    pub step: u64,
    /// Digest of everything up to the question.
    pub chain: Hex,
    pub signature: Hex,
}

impl Head {
    /// The signed message.
    pub fn message(&self) -> Vec<u8> {
        let mut message = b"tenfold cluster question v1".to_vec();
        message.extend_from_slice(&self.nonce.0);
        message.extend(self.step.to_le_bytes());
        message.extend_from_slice(&self.chain.0);
        message
    }

    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let lengths = [&self.nonce, &self.chain].iter().all(|hex| hex.0.len() == 32);
        lengths && self.signature.0.len() == SIGNATURE && key.verifies(&self.message(), &self.signature.0)
    }

    /// True if no coordinator that tells all ranks the same has signed both.
    pub fn contradicts(&self, other: &Self) -> bool {
        (&self.nonce, self.step) == (&other.nonce, other.step) && self.chain != other.chain
    }
}

/// Evidence against one rank of a job, which [`verify_report`] checks without the other ranks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub(crate) format: String,
    pub(crate) job: Job,
    pub(crate) accused: usize,
    pub(crate) key: Hex,
    pub(crate) deviation: Deviation,
    #[serde(deserialize_with = "at_most::<MAX_STATEMENTS, _, _>")]
    pub(crate) statements: Vec<Exhibit>,
    #[serde(deserialize_with = "at_most::<MAX_RANKS, _, _>")]
    pub(crate) slices: Vec<Hex>,
    #[serde(deserialize_with = "at_most::<HEADS, _, _>")]
    pub(crate) heads: Vec<Head>,
}

impl Report {
    pub(crate) fn deviation(
        job: Job,
        (accused, deviation): (usize, Deviation),
        statements: Vec<Exhibit>,
        slices: Vec<Vec<u8>>,
    ) -> Self {
        let key = job.ranks[accused].key.clone();
        let slices = slices.into_iter().map(Hex).collect();
        Self { format: REPORT.into(), job, accused, key, deviation, statements, slices, heads: Vec::new() }
    }

    /// None if the heads are no two different ones of one question, both signed.
    pub(crate) fn equivocation(job: Job, heads: [Head; 2]) -> Option<Self> {
        let key = job.key(COORDINATOR)?;
        let holds = heads[0].contradicts(&heads[1]) && heads.iter().all(|head| head.is_signed_by(&key));
        let accused = (COORDINATOR, Deviation::Equivocation);
        let report = Self::deviation(job, accused, Vec::new(), Vec::new());
        holds.then(|| Self { heads: heads.to_vec(), ..report })
    }

    /// The job that it is about.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// The bytes of the report with something changed.
    #[cfg(test)]
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Self)) -> Vec<u8> {
        change(&mut self);
        self.to_json()
    }

    /// The report as a file's bytes.
    ///
    /// # Panics
    /// Never: there is nothing in a report that JSON does not have.
    pub fn to_json(&self) -> Vec<u8> {
        json(self)
    }

    /// Reads a report; nothing of what it says is verified.
    ///
    /// Cost: the length of the bytes. Memory: about half as much as they take, and some megabytes.
    ///
    /// # Errors
    /// If the bytes are not exactly what [`Report::to_json`] writes.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Invalid> {
        let report: Self =
            serde_json::from_slice(bytes).map_err(|_| Invalid("the bytes are no blame report"))?;
        if report.format != REPORT || !is_json(&report, bytes) {
            return Err(Invalid("the bytes are no blame report of this version"));
        }
        Ok(report)
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("numbers and strings");
    bytes.push(b'\n');
    bytes
}

/// Returns true if these are the bytes that [`json`] gives, which takes no memory for them.
fn is_json(value: &impl Serialize, bytes: &[u8]) -> bool {
    let mut expected = Expected(bytes);
    serde_json::to_writer_pretty(&mut expected, value).is_ok() && expected.0 == b"\n"
}

/// The latest signature of the coordinator that a rank has, to be compared with another rank's after a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    format: String,
    job: Job,
    head: Head,
}

impl Receipt {
    pub(crate) fn new(job: Job, head: Head) -> Self {
        Self { format: RECEIPT.into(), job, head }
    }

    /// The job that it is about.
    pub fn job(&self) -> &Job {
        &self.job
    }

    #[cfg(test)]
    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// The receipt as a file's bytes.
    pub fn to_json(&self) -> Vec<u8> {
        json(self)
    }

    /// Reads a receipt; nothing of what it says is verified.
    ///
    /// # Errors
    /// If the bytes are not exactly what [`Receipt::to_json`] writes.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Invalid> {
        let receipt: Self = serde_json::from_slice(bytes).map_err(|_| Invalid("the bytes are no receipt"))?;
        if receipt.format != RECEIPT || !is_json(&receipt, bytes) {
            return Err(Invalid("the bytes are no receipt of this version"));
        }
        Ok(receipt)
    }

    /// A report against the coordinator, if it has told two ranks different things until the same question. Receipts of different numbers of
    /// questions show nothing, and neither do two of different jobs.
    pub fn compare(&self, other: &Self) -> Option<Report> {
        Report::equivocation(self.job.clone(), [self.head.clone(), other.head.clone()])
    }
}
