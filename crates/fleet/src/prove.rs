//! Jobs that commit to a data set and prove claims about it: the result is the proof file, which has the commitment in it.

use crate::error::Error;
use crate::id::Id;
use crate::job::{Job, bounded};
use crate::runner::Task;
use data::{Format, Limits, Options, Source};
use iop::security::{Policy, Theorem, Theorems};
use serde::{Deserialize, Serialize};
use tenfold::any::Mode;
use tenfold::file::ParamsFile;
use tenfold::{AnyParams, Claim, CommitmentFile, Dataset, ProofFile, Setup, Witness, verdict};

/// The kind of these jobs.
pub const KIND: &str = "prove";
/// Bytes of the data's name at most.
const MAX_NAME: usize = 255;
/// Claims of a job at most.
const MAX_CLAIMS: usize = 256;

/// What is proven: the payload of such a job, whose one input is the data's file.
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
}

/// How a file is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The format; none to tell it by content and name.
    pub format: Option<String>,
    /// The column.
    pub column: Option<String>,
    /// Decimal digits to keep.
    pub scale: Option<u32>,
    /// The delimiter of a CSV file; a comma also where none is given.
    pub delimiter: u8,
    /// True for a comma that is given, of a file whose name says tabs too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_comma: bool,
    /// Whether its first row holds names.
    pub header: bool,
    /// Bytes per integer of bytes that are read as a column, `1..=15`.
    pub width: usize,
}

/// A claim about the data.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claimed {
    /// The value of a row.
    Row(u64),
    /// The sum of all rows.
    Sum,
    /// The mean of all rows.
    Mean,
    /// The multilinear extension at a point.
    Point(Vec<i128>),
    /// The polynomial with the rows as coefficients, at a point.
    Evaluation(i128),
}

impl Claimed {
    /// The claim of a job; none about weights, which are in no job.
    #[must_use]
    pub fn of(claim: &Claim<'_>) -> Option<Self> {
        match claim {
            Claim::Row(row) => Some(Self::Row(*row)),
            Claim::Sum => Some(Self::Sum),
            Claim::Mean => Some(Self::Mean),
            Claim::Point(point) => Some(Self::Point(point.clone())),
            Claim::Evaluation(point) => Some(Self::Evaluation(*point)),
            _ => None,
        }
    }
}

const FORMATS: [(&str, Format); 7] = [
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("jsonl", Format::JsonLines),
    ("npy", Format::Npy),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow),
    ("raw", Format::Raw),
];

impl Reading {
    /// How a file is read that these options read.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        let format = FORMATS.iter().find(|(_, format)| *format == options.format);
        Self {
            format: format.map(|(name, _)| (*name).to_owned()),
            column: options.column.clone(),
            scale: options.scale,
            delimiter: options.delimiter.unwrap_or(b','),
            given_comma: options.delimiter == Some(b','),
            header: options.header,
            width: options.raw_width,
        }
    }

    fn options(&self, memory: u64) -> Result<Options, String> {
        let format = match &self.format {
            None => Format::Auto,
            Some(name) => {
                let found = FORMATS.iter().find(|(known, _)| known == name);
                found.map(|(_, format)| *format).ok_or_else(|| format!("no format {}", bounded(name, 40)))?
            }
        };
        if self.scale.is_some_and(|scale| scale > 18)
            || !self.delimiter.is_ascii()
            || !(1..=15).contains(&self.width)
        {
            return Err("scale, delimiter or width are out of range".into());
        }
        Ok(Options {
            format,
            column: self.column.clone(),
            scale: self.scale,
            delimiter: (self.delimiter != b',' || self.given_comma).then_some(self.delimiter),
            header: self.header,
            raw_width: self.width,
            limits: Limits { max_bytes: memory },
            ..Options::default()
        })
    }
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
        Self { name, reading, params, bits, theorems, claims }
    }

    /// The job about a file that is stored as a blob.
    #[must_use]
    pub fn job(&self, file: Id) -> Job {
        let payload = serde_json::to_string(self).unwrap_or_default();
        Job { kind: KIND.into(), payload, inputs: vec![file] }
    }

    /// A file of parameters, and their policy.
    ///
    /// # Errors
    /// If they are out of range, prove too little, or hide: then each proof uses up a mask, and no two attempts give the same bytes.
    fn params(&self) -> Result<(AnyParams, Policy), String> {
        let params = ParamsFile::read(self.params.as_bytes()).map_err(|e| format!("no parameters: {e}"))?;
        let theorem = |name: &String| Theorem::ALL.into_iter().find(|theorem| theorem.name() == name);
        let theorems: Option<Vec<_>> = self.theorems.iter().map(theorem).collect();
        let theorems = theorems.ok_or("theorems that nobody knows")?;
        let policy =
            Policy { theorems: Theorems::of(&theorems).unwrap_or_default(), ..Policy::at_least(self.bits) };
        params.validate(&policy).map_err(|e| format!("the parameters are refused: {}", e.0))?;
        if params.summary().hidden_openings > 0 {
            return Err("parameters that hide are not for queues: their secret stays with who commits".into());
        }
        Ok((params, policy))
    }

    /// Refuses, before there is a job, what every worker would refuse: all but what the data decide.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn check(&self) -> Result<(), Error> {
        self.check_form().map_err(Error::Job)?;
        self.reading.options(u64::MAX).map_err(Error::Job)?;
        self.params().map_err(Error::Job)?;
        self.job(Id([0; 32])).check()
    }

    /// Refuses what no job may ask for, before any work.
    fn check_form(&self) -> Result<(), String> {
        let folder = self.name.contains(['/', '\\']) || self.name.chars().any(char::is_control);
        if folder || self.name.is_empty() || self.name.len() > MAX_NAME || self.name.starts_with('.') {
            return Err(
                "the data's name is no plain name of a file: a name of up to 255 bytes without \\ and \
                 control characters, which does not begin with a dot"
                    .into(),
            );
        }
        if self.claims.is_empty() || self.claims.len() > MAX_CLAIMS {
            return Err("a job has 1 to 256 claims".into());
        }
        Ok(())
    }

    fn claims(&self) -> Vec<Claim<'static>> {
        let claim = |claimed: &Claimed| match claimed {
            Claimed::Row(row) => Claim::Row(*row),
            Claimed::Sum => Claim::Sum,
            Claimed::Mean => Claim::Mean,
            Claimed::Point(point) => Claim::Point(point.clone()),
            Claimed::Evaluation(point) => Claim::Evaluation(*point),
        };
        self.claims.iter().map(claim).collect()
    }
}

/// Bytes of memory that a job takes by these parameters, with its data read: what its terms should say.
#[must_use]
pub fn estimate(params: &AnyParams) -> u64 {
    let rows = 1u64.checked_shl(params.log_size()).unwrap_or(u64::MAX);
    let held = if params.of_bytes().is_some() { 0 } else { rows.saturating_mul(16) };
    params.prover_memory(true).saturating_add(held).saturating_add(16 << 20)
}

/// Why a job is not proven: attempts on another machine may succeed, or none can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// The job itself is wrong.
    #[error("{0}")]
    Job(String),
    /// This machine failed.
    #[error("{0}")]
    Machine(String),
}

impl From<String> for ProveError {
    /// Of a machine.
    fn from(text: String) -> Self {
        Self::Machine(text)
    }
}

/// The data of a job, read, with what is to be proven of them.
#[derive(Debug)]
pub struct Prepared {
    /// The data.
    pub data: Dataset,
    /// The parameters.
    pub params: AnyParams,
    /// What they must prove.
    pub policy: Policy,
    /// The claims.
    pub claims: Vec<Claim<'static>>,
}

/// Commits to the data, proves the claims, and verifies the proof: the bytes of the proof file, the same in every attempt.
///
/// # Errors
/// [`ProveError::Job`] if the job is malformed, needs more memory than its terms say, or its claims are not about its data;
/// [`ProveError::Machine`] if the proof does not verify.
pub fn run(task: &Task<'_>) -> Result<Vec<u8>, ProveError> {
    run_by(task, |Prepared { data, params, policy, claims }| {
        let wrong = |e: tenfold::Error| ProveError::Job(e.to_string());
        let mut witness = Witness::commit(&data, params, Setup::new(&policy, Mode::Whole)).map_err(wrong)?;
        let proof = witness.open(&claims).map_err(wrong)?;
        Ok((witness.commitment().clone(), proof))
    })
}

/// [`run`] by another prover, such as several ranks: its proof is verified as well.
///
/// # Errors
/// As there, and those of the prover.
pub fn run_by(
    task: &Task<'_>,
    prove: impl FnOnce(Prepared) -> Result<(CommitmentFile, ProofFile), ProveError>,
) -> Result<Vec<u8>, ProveError> {
    let wrong = |what: String| ProveError::Job(what);
    let ([file], KIND) = (task.job.inputs.as_slice(), task.job.kind.as_str()) else {
        return Err(wrong(format!("no job of the kind `{KIND}` with one input")));
    };
    let statement: Statement = serde_json::from_str(&task.job.payload)
        .map_err(|e| wrong(format!("the payload says nothing: {e}")))?;
    statement.check_form().map_err(wrong)?;
    let (params, policy) = statement.params().map_err(wrong)?;
    let need = estimate(&params);
    if need > task.memory {
        let limit = task.memory;
        return Err(wrong(format!(
            "it needs about {need} bytes of memory, and its terms or its worker allow {limit}"
        )));
    }
    let data = read(task, (*file, &statement), &params)?;
    let (commitment, proof) = prove(Prepared { data, params, policy, claims: statement.claims() })?;
    let proof = proof.to_bytes();
    let limits = tenfold::verify::Limits { policy, max_memory: u64::MAX };
    let terms = verdict::Policy::from_limits(limits).about(&commitment);
    let refused = |e| ProveError::Machine(format!("the proof that was made does not verify: {e}"));
    tenfold::verify(&proof, &terms).map_err(refused)?;
    Ok(proof)
}

/// Reads the data from their blob: from the file whose digest was compared, whatever has its place by then.
fn read(
    task: &Task<'_>,
    (file, statement): (Id, &Statement),
    params: &AnyParams,
) -> Result<Dataset, ProveError> {
    let options = statement.reading.options(task.memory).map_err(ProveError::Job)?;
    let blob = task.blobs.open(file).map_err(|e| match e {
        Error::NoBlob(_) | Error::Blob(_) => ProveError::Job(e.to_string()),
        e => ProveError::Machine(e.to_string()),
    })?;
    let unreadable = |e: data::DataError| match e.is_io() {
        true => ProveError::Machine(e.to_string()),
        false => ProveError::Job(e.to_string()),
    };
    let mut source = Source::of_file(blob, statement.name.as_ref(), |file, _| file).map_err(unreadable)?;
    source.name.clone_from(&statement.name);
    let opened = data::Opened::of(source, &options).map_err(unreadable)?;
    if params.of_bytes().is_some() {
        let content = opened.bytes(&options).and_then(data::Content::read);
        return content.map(Dataset::Bytes).map_err(unreadable);
    }
    opened.column(options).map(Dataset::Column).map_err(unreadable)
}

#[cfg(test)]
pub(crate) mod tests;
