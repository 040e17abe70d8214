//! Jobs that commit to a data set and prove claims about it: the result is the proof file, which has the commitment in it.

pub use claimed::Claimed;
pub use reading::Reading;

use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, bounded};
use crate::runner::Task;
use iop::security::{Policy, Theorem, Theorems};
use serde::{Deserialize, Serialize};
use std::io::Seek;
use std::path::Path;
use tenfold::any::Mode;
use tenfold::file::{ParamsError, ParamsFile, is_unknown};
use tenfold::{AnyParams, Claim, CommitmentFile, Dataset, ProofFile, Setup, Witness, verdict};

/// The kind of these jobs.
pub const KIND: &str = "prove";
/// Bytes of the data's name at most.
const MAX_NAME: usize = 255;
/// Claims of a job at most.
const MAX_CLAIMS: usize = 256;
/// The version of payloads, which do not say it; later ones may, in a member `version`.
const VERSION: u64 = 1;
const VERSION_AFTER: u64 = VERSION + 1;
/// Bytes of a text that says what is not known, at most.
const MAX_WHY: usize = 300;

/// What is proven: the payload of such a job, whose inputs are the data's file and, of a weighted sum, that of the weights.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The file's name, without a folder: proofs state it, and formats are told by it.
    pub name: String,
    /// How the file is read.
    pub reading: Reading,
    /// A parameter file, as `tenfold params -o` writes it.
    pub params: String,
    /// Bits that the parameters must prove.
    pub bits: u32,
    /// The theorems that bits are counted with, by name.
    pub theorems: Vec<String>,
    /// What is claimed.
    pub claims: Vec<Claimed>,
    /// The public weights of a weighted sum; none for no such claim, as in jobs of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
}

/// A file of public weights.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The file's name, without a folder.
    pub name: String,
    /// How the file is read, of weights of a column; of bytes they are its content.
    pub reading: Reading,
}

impl Statement {
    /// A statement about data of this name by parameters that prove so many bits by these theorems.
    #[must_use]
    pub fn new(
        name: String,
        reading: Reading,
        (params, bits, theorems): (&AnyParams, u32, &[Theorem]),
        claims: Vec<Claimed>,
    ) -> Self {
        // Elsewhere a comma is read without it too: one reading is one job, which older workers know.
        let reading = Reading { given_comma: reading.given_comma && data::says_tabs(&name), ..reading };
        let params = ParamsFile::of(params).map(|file| file.to_text()).unwrap_or_default();
        let theorems = theorems.iter().map(|theorem| theorem.name().to_owned()).collect();
        Self { name, reading, params, bits, theorems, claims, weights: None }
    }

    /// The same with a weighted sum, by the weights in a file of this name.
    #[must_use]
    pub fn weighted(self, name: String, reading: Reading) -> Self {
        let reading = Reading { given_comma: reading.given_comma && data::says_tabs(&name), ..reading };
        Self { weights: Some(Weights { name, reading }), ..self }
    }

    /// The job about files that are stored as blobs: the data and, if there are any, the weights.
    #[must_use]
    pub fn job(&self, files: &[Id]) -> Job {
        let payload = serde_json::to_string(self).unwrap_or_default();
        Job { kind: KIND.into(), payload, inputs: files.to_vec() }
    }

    /// [`Statement::estimate`] of the job about these files, and more where reading one takes more, as a long line or a large window of a decoder does; no more than `most`.
    /// It is the memory in the job's terms. The files are read for it, unless the job takes a gibibyte.
    ///
    /// # Errors
    /// If a file cannot be read in so much memory.
    pub fn memory(&self, params: &AnyParams, files: &[&Path], most: u64) -> Result<u64, Error> {
        let weights = self.weights.iter().map(|weights| (&weights.name, &weights.reading));
        let readings = std::iter::once((&self.name, &self.reading)).chain(weights);
        let least = self.estimate(params);
        readings.zip(files).try_fold(least, |memory, ((name, reading), file)| {
            reading.memory((file, name), params.of_bytes().is_some(), (memory, most))
        })
    }

    /// Bytes of memory that the job takes by its parameters, with its data read, and its weights.
    #[must_use]
    pub fn estimate(&self, params: &AnyParams) -> u64 {
        let weighted = self.weights.is_some();
        let rows = 1u64.checked_shl(params.log_size()).unwrap_or(u64::MAX);
        let read = if params.of_bytes().is_some() { 0 } else { u64::from(params.summary().polynomials) };
        let held = rows.saturating_mul(16 * (read + u64::from(weighted)));
        let proving = match self.is_of_product() {
            true => params.product_memory().unwrap_or(u64::MAX),
            false => params.opening_memory(false, weighted),
        };
        proving.saturating_add(held).saturating_add(16 << 20)
    }

    fn is_of_product(&self) -> bool {
        self.claims.iter().any(Claimed::is_product)
    }

    /// The number of files that such a job is about.
    pub(crate) fn files(&self) -> usize {
        1 + usize::from(self.weights.is_some())
    }

    /// A file of parameters, and their policy.
    ///
    /// # Errors
    /// If they are out of range, prove too little, or hide: then each proof uses up a mask, and no two attempts give the same bytes. If this release does not
    /// know their version, scheme, fields or theorems.
    fn params(&self) -> Result<(AnyParams, Policy), ProveError> {
        let wrong = ProveError::Job;
        let params = ParamsFile::read(self.params.as_bytes()).map_err(|e| match e {
            ParamsError::Unknown(what) => ProveError::NotUnderstood(format!("its parameters: {what}")),
            ParamsError::Refused(what) => wrong(format!("no parameters: {what}")),
        })?;
        let theorem = |name: &String| Theorem::ALL.into_iter().find(|theorem| theorem.name() == name);
        let theorems: Option<Vec<_>> = self.theorems.iter().map(theorem).collect();
        let theorems = theorems.ok_or_else(|| {
            ProveError::NotUnderstood(format!(
                "it counts bits by `{}`",
                bounded(&self.theorems.join("`, `"), 100)
            ))
        })?;
        let policy =
            Policy { theorems: Theorems::of(&theorems).unwrap_or_default(), ..Policy::at_least(self.bits) };
        params.validate(&policy).map_err(|e| wrong(format!("the parameters are refused: {}", e.reason())))?;
        if params.summary().hidden_openings > 0 {
            let hide = "parameters that hide are not for queues: their secret stays with who commits";
            return Err(wrong(hide.into()));
        }
        if self.weights.is_some() && params.weighted_memory().is_none() {
            return Err(wrong("the scheme of the parameters proves no weighted sums".into()));
        }
        if self.is_of_product() && params.product_memory().is_none() {
            return Err(wrong("the scheme of the parameters proves no inner products".into()));
        }
        // Before a file is read, some formats once for each column.
        let (named, fit) = (self.reading.columns.len().max(1), params.summary().polynomials);
        if u32::try_from(named) != Ok(fit) || named > 1 && params.of_bytes().is_some() {
            return Err(wrong(format!("the job names {named} columns, and its parameters are for {fit}")));
        }
        Ok((params, policy))
    }

    /// Refuses, before there is a job, what every worker would refuse: all but what the data decide.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn check(&self) -> Result<(), Error> {
        let refused = |e: ProveError| Error::Job(e.to_string());
        self.check_form().map_err(Error::Job)?;
        self.reading.options(u64::MAX).map_err(refused)?;
        if let Some(weights) = &self.weights {
            weights.reading.options(u64::MAX).map_err(refused)?;
        }
        self.params().map_err(refused)?;
        self.job(&vec![Id([0; 32]); self.files()]).check()
    }

    /// Refuses what no job may ask for, before any work.
    fn check_form(&self) -> Result<(), String> {
        check_name("the data's name", &self.name)?;
        self.reading.check_columns()?;
        if self.is_of_product() && (self.claims.len() > 1 || self.weights.is_some()) {
            return Err("an inner product is proven alone".into());
        }
        let Some(weights) = &self.weights else {
            let counted = (1..=MAX_CLAIMS).contains(&self.claims.len());
            return if counted { Ok(()) } else { Err("a job has 1 to 256 claims".into()) };
        };
        check_name("the weights' name", &weights.name)?;
        if !weights.reading.columns.is_empty() {
            return Err("weights are one column".into());
        }
        if self.claims.iter().any(|claim| *claim != Claimed::Mean) || self.claims.len() > 1 {
            return Err("a weighted sum is proven alone, or with its mean".into());
        }
        Ok(())
    }
}

/// Refuses the name of a file that is no plain one.
fn check_name(what: &str, name: &str) -> Result<(), String> {
    let folder = name.contains(['/', '\\']) || name.chars().any(char::is_control);
    if folder || name.is_empty() || name.len() > MAX_NAME || name.starts_with('.') {
        return Err(format!(
            "{what} is no plain name of a file: a name of up to 255 bytes without \\ and \
             control characters, which does not begin with a dot"
        ));
    }
    Ok(())
}

/// Why a job is not proven: attempts on another machine, or by another release, may succeed, or none can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// The job itself is wrong.
    #[error("{0}")]
    Job(String),
    /// This machine failed.
    #[error("{0}")]
    Machine(String),
    /// It is none that this release or build understands, and not malformed: a later one, or one with more features, may.
    #[error("{0}")]
    NotUnderstood(String),
}

impl From<String> for ProveError {
    /// Of a machine.
    fn from(text: String) -> Self {
        Self::Machine(text)
    }
}

/// The data of a job, read, with what is to be proven of them.
#[derive(Debug)]
pub struct Prepared<'a> {
    /// The data.
    pub data: Dataset,
    /// The parameters.
    pub params: AnyParams,
    /// What they must prove.
    pub policy: Policy,
    /// The claims.
    pub claims: Vec<Claim<'a>>,
}

/// Commits to the data, proves the claims, and verifies the proof: the bytes of the proof file, the same in every attempt.
///
/// # Errors
/// [`ProveError::Job`] if the job is malformed, needs more memory than its terms say, or its claims are not about its data;
/// [`ProveError::NotUnderstood`] if it asks for what this release or build does not know; [`ProveError::Machine`] if the proof does not verify.
pub fn run(task: &Task<'_>) -> Result<Vec<u8>, ProveError> {
    run_by(task, alone)
}

/// The prover of one machine.
pub(crate) fn alone(
    Prepared { data, params, policy, claims }: Prepared<'_>,
) -> Result<(CommitmentFile, ProofFile), ProveError> {
    let wrong = |e: tenfold::Error| ProveError::Job(e.to_string());
    let mut witness = Witness::commit(&data, params, Setup::new(&policy, Mode::Whole)).map_err(wrong)?;
    let proof = witness.open(&claims).map_err(wrong)?;
    Ok((witness.commitment().clone(), proof))
}

/// [`run`] by another prover, such as several ranks: its proof is verified as well.
///
/// # Errors
/// As there, and those of the prover.
pub fn run_by(
    task: &Task<'_>,
    prove: impl FnOnce(Prepared<'_>) -> Result<(CommitmentFile, ProofFile), ProveError>,
) -> Result<Vec<u8>, ProveError> {
    let wrong = ProveError::Job;
    let statement = statement(task.job)?;
    let (params, policy) = statement.params()?;
    let need = statement.estimate(&params);
    if need > task.memory {
        let limit = task.memory;
        return Err(wrong(format!(
            "it needs about {need} bytes of memory, and its terms or its worker allow {limit}"
        )));
    }
    let of_bytes = params.of_bytes().is_some();
    let data = read((task.job.inputs[0], &statement.name, &statement.reading), of_bytes, task)?;
    let weights = weights_of(&statement, of_bytes, task)?;
    let claims = statement.claims.iter().map(Claimed::claim);
    let claims = claims.chain(weights.as_ref().map(Claim::Weighted)).collect();
    let (commitment, proof) = prove(Prepared { data, params, policy, claims })?;
    let proof = proof.to_bytes();
    let limits = tenfold::verify::Limits { policy, max_memory: u64::MAX };
    let terms = verdict::Policy::from_limits(limits).about(&commitment);
    let terms = weights.iter().fold(terms, |terms, weights| terms.weights(weights));
    let refused = |e| ProveError::Machine(format!("the proof that was made does not verify: {e}"));
    tenfold::verify(&proof, &terms).map_err(refused)?;
    Ok(proof)
}

/// The statement of a job of this kind, with its files.
fn statement(job: &Job) -> Result<Statement, ProveError> {
    let wrong = ProveError::Job;
    if job.kind != KIND {
        let other = format!("its kind is `{}`, and this release knows `{KIND}`", bounded(&job.kind, 64));
        return Err(ProveError::NotUnderstood(other));
    }
    let statement = parsed(&job.payload)?;
    statement.check_form().map_err(wrong)?;
    match (job.inputs.len(), statement.files()) {
        (given, files) if given == files => Ok(statement),
        (given, files) => Err(wrong(format!("a job about {files} files has {given}"))),
    }
}

/// The statement that a payload has. One of a later release has a member or a claim that this one does not know, or a `version` above [`VERSION`].
fn parsed(payload: &str) -> Result<Statement, ProveError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: Option<u64>,
    }
    let nothing = |e: serde_json::Error| ProveError::Job(format!("the payload says nothing: {e}"));
    if let Ok(Versioned { version: Some(version @ VERSION_AFTER..) }) = serde_json::from_str(payload) {
        let other = format!("its payload has version {version}, and this release reads {VERSION}");
        return Err(ProveError::NotUnderstood(other));
    }
    serde_json::from_str(payload).map_err(|e| match is_unknown(&e) {
        true => ProveError::NotUnderstood(format!("its payload: {}", bounded(&e.to_string(), MAX_WHY))),
        false => nothing(e),
    })
}

/// The public weights of a job, whose blobs are there; none if it is about no weighted sum. Its proof is verified by them.
///
/// # Errors
/// [`ProveError::Job`] if its weights are none, [`ProveError::NotUnderstood`] if it is no job that this release knows; [`ProveError::Machine`] if they cannot be read.
pub fn weights(task: &Task<'_>) -> Result<Option<Dataset>, ProveError> {
    let statement = statement(task.job)?;
    let (params, _) = statement.params()?;
    weights_of(&statement, params.of_bytes().is_some(), task)
}

fn weights_of(statement: &Statement, of_bytes: bool, task: &Task<'_>) -> Result<Option<Dataset>, ProveError> {
    let Some(weights) = &statement.weights else { return Ok(None) };
    read((task.job.inputs[1], &weights.name, &weights.reading), of_bytes, task).map(Some)
}

/// Reads a file of numbers, or of bytes, from its blob: from the file whose digest was compared, whatever has its place by then.
fn read(
    (file, name, reading): (Id, &str, &Reading),
    of_bytes: bool,
    task: &Task<'_>,
) -> Result<Dataset, ProveError> {
    let options = reading.options(task.memory)?;
    // One that is read several times is the same file each time.
    let blob = task.blobs.open(file).map_err(|e| match e {
        Error::NoBlob(_) | Error::Blob(_) => ProveError::Job(e.to_string()),
        e => ProveError::Machine(e.to_string()),
    })?;
    // The memory that a job has is in its terms, and no other attempt has more.
    let again =
        || blob.try_clone().and_then(|mut file| file.rewind().map(|()| file)).map_err(data::DataError::Read);
    reading.read((again, name), of_bytes, options).map_err(|e| match e {
        data::DataError::Open { .. } | data::DataError::Read(_) => ProveError::Machine(e.to_string()),
        e @ data::DataError::NotBuilt(_) => ProveError::NotUnderstood(e.to_string()),
        e => ProveError::Job(e.to_string()),
    })
}

mod claimed;
mod reading;
#[cfg(test)]
pub(crate) mod tests;
