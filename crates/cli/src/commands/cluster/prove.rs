//! `tenfold cluster prove`: commits and opens by several ranks.

use super::super::commit::note_hiding;
use super::super::failure::failure;
use super::super::verify::describe_with;
use super::super::weights;
use super::{check_launched, deadlines, keep_report, keys, read, refused};
use crate::args::Common;
use crate::args::cluster::ProveArgs;
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output, whole};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::{terminal, units};
use iop::security::Policy;
use pcs::pip::Secret;
use serde_json::json;
use std::path::{Path, PathBuf};
use tenfold::any::AnyEntries;
use tenfold::cluster::{self, Entries, Failed, Proved, Sharded, Task, Terms};
use tenfold::describe::Verified;
use tenfold::file::{SecretFile, Stamp};
use tenfold::verify::Limits;
use tenfold::{Claim, Dataset};

/// Ranks of a file if nothing says how many.
const RANKS: usize = 4;

/// The command.
pub fn run(args: &ProveArgs, common: &Common) -> Result<Exit, Failure> {
    if !check_launched(args.ranks.ranks)? {
        let job = Job::of(args, None, common)?;
        let made = cluster::prove(&job.task, (job.entries(), &job.claims()), (job.ranks, &job.terms));
        return job.finish(made.map_err(failure)?, common);
    }
    #[cfg(not(feature = "cluster-mpi"))]
    return Err(super::without_mpi(super::LAUNCHED));
    #[cfg(feature = "cluster-mpi")]
    super::by_mpi((deadlines(args.ranks.step).step, common), |comm| as_rank(args, comm, common))
}

/// One rank under MPI: the first coordinates.
#[cfg(feature = "cluster-mpi")]
fn as_rank(args: &ProveArgs, comm: cluster::mpi::Mpi<'_>, common: &Common) -> Result<Exit, Failure> {
    use cluster::Comm;
    if args.retry {
        let hint = "leave --retry out, and start the ranks by `scripts/cluster-retry`, which runs a job again without a host that it lost";
        return Err(Failure::usage("under MPI the launcher ends all ranks with one", hint));
    }
    if Comm::rank(&comm) == 0 {
        let job = Job::of(args, Some(comm.size()), common)?;
        let made =
            cluster::coordinate(&job.task, (job.entries(), &job.claims()), (Box::new(comm), &job.terms));
        return job.finish(made.map_err(failure)?, common);
    }
    let terms = terms(args, common)?;
    keys::check(&terms, comm.size(), true)?;
    let sharded = shards(args)?;
    if let Some(sharded) = &sharded {
        let task = sharded.task(&args.scheme.policy()).map_err(failure)?;
        within_memory(&task, comm.size(), common)?;
    }
    // A report of its own, about the coordinator: nobody else may have one.
    let path = super::beside(&report_path(args), &format!(".rank{}", Comm::rank(&comm)));
    let report = common.files.once(Kind::BlameReport, &path);
    if let Err(refused) = &report
        && refused.exit != Exit::Io
    {
        return Err(refused.clone());
    }
    let ended = cluster::serve(sharded.as_ref(), (Box::new(comm), &terms));
    if let Err(failed) = &ended {
        keep_report(failed, report.as_ref(), common);
    }
    super::served(ended)
}

fn terms(args: &ProveArgs, common: &Common) -> Result<Terms, Failure> {
    let (deadlines, job) = (deadlines(args.ranks.step), args.job.clone().into_bytes());
    let keys = keys::secrets(&args.key, common)?;
    let expected = keys::listed(args.keys.as_deref(), common)?.unwrap_or_default();
    Ok(Terms { deadlines, job, retry: args.retry, keys, expected })
}

/// Refuses a job whose part of one process, of so many, takes more memory than there may be.
fn within_memory(task: &Task, processes: usize, common: &Common) -> Result<(), Failure> {
    let need = task.params().prover_memory(true) / processes.max(1) as u64;
    common.within_memory(need, "raise `--max-memory`, or take more machines")
}

fn shards(args: &ProveArgs) -> Result<Option<Sharded>, Failure> {
    let open = |folder| Sharded::open(folder).map_err(|e| refused(&e.into()));
    args.shards.as_deref().map(open).transpose()
}

/// The name of the data, with another extension.
fn beside_data(args: &ProveArgs, extension: &str) -> PathBuf {
    let data = args.input.as_ref().map(|input| &input.file).or(args.shards.as_ref());
    super::super::beside(data.map_or(Path::new("stdin"), |path| path), extension)
}

fn proof_path(args: &ProveArgs) -> PathBuf {
    args.output.output.clone().unwrap_or_else(|| beside_data(args, "proof"))
}

fn report_path(args: &ProveArgs) -> PathBuf {
    args.report.clone().unwrap_or_else(|| super::beside(&proof_path(args), ".blame"))
}

/// The places of commitment, proof and report.
struct Outputs {
    commitment: Output,
    /// Of a commitment that hides.
    secret: Option<Output>,
    proof: Output,
    report: Output,
}

impl Outputs {
    fn of(args: &ProveArgs, hides: bool, common: &Common) -> Result<Self, Failure> {
        let proof = proof_path(args);
        let commitment = args.commitment.clone().unwrap_or_else(|| beside_data(args, "commitment"));
        let report = common.files.result(Kind::BlameReport, &report_path(args))?;
        if !hides {
            if args.secret.is_some() {
                let message = "the commitment does not hide: it has no secret";
                return Err(Failure::usage(message, "leave --secret out, or name openings by --hiding N"));
            }
            let commitment = common.files.result(Kind::Commitment, &commitment)?;
            let proof = common.files.result(Kind::Proof, &proof)?;
            return Ok(Self { commitment, secret: None, proof, report });
        }
        let secret = args.secret.clone().unwrap_or_else(|| super::beside(&commitment, ".secret"));
        let secret = Some(common.files.secret(Kind::HidingSecret, &secret)?);
        let commitment = common.files.result(Kind::HidingCommitment, &commitment)?;
        let proof = common.files.once(Kind::HidingProof, &proof)?;
        Ok(Self { commitment, secret, proof, report })
    }

    /// Writes the commitment, after its secret if it hides, and the proof last: its opening is counted in the secret before anyone sees it.
    fn write(&self, made: &Proved, proof: &[u8]) -> Result<(), Failure> {
        let commitment = made.commitment.to_bytes();
        match (&self.secret, &made.secret) {
            (Some(output), Some(secret)) => {
                let secret = Secret::from_seed(secret.seed(), secret.used());
                let file = SecretFile::of(&made.commitment, secret);
                let _lock = self.commitment.lock_briefly()?;
                let commitment = self.commitment.stage(&commitment)?;
                let secret = output.stage_with(|staged| Ok(file.encode(Stamp::of(staged)?)))?;
                let _all = whole();
                commitment.place_after(secret)?;
                self.proof.write(proof)
            }
            // A proof that cannot be written, on a full disk, say, leaves the commitment of an older one.
            _ => {
                let proof = self.proof.stage(proof)?;
                self.commitment.write(&commitment)?;
                proof.place()
            }
        }
    }
}

/// What the coordinator is to prove, and where it goes.
struct Job {
    task: Task,
    memory: Option<AnyEntries>,
    sharded: Option<Sharded>,
    claims: Vec<Claim<'static>>,
    weights: Option<Dataset>,
    policy: Policy,
    ranks: usize,
    terms: Terms,
    outputs: Outputs,
}

impl Job {
    /// Of so many ranks under MPI.
    fn of(args: &ProveArgs, launched: Option<usize>, common: &Common) -> Result<Self, Failure> {
        let sharded = shards(args)?;
        let of_shards = sharded.as_ref().map(|sharded| sharded.params().summary().hidden_openings > 0);
        let outputs = Outputs::of(args, of_shards.unwrap_or(args.hiding.is_some()), common)?;
        let (claims, terms) = (args.what.claims(), terms(args, common)?);
        let asked = launched.or(args.ranks.ranks.map(usize::from));
        let mut job = match (sharded, &args.input) {
            (Some(sharded), _) => {
                let (policy, ranks) = (args.scheme.policy(), asked.unwrap_or(sharded.shards()));
                let (task, sharded) = (sharded.task(&policy).map_err(failure)?, Some(sharded));
                Self { task, memory: None, sharded, claims, weights: None, policy, ranks, terms, outputs }
            }
            (None, Some(input)) => {
                let ranks = asked.unwrap_or(RANKS);
                let log_parts = args.parts.unwrap_or(ranks.next_power_of_two().ilog2());
                let mut progress = Progress::new(common.quiet || common.json);
                let leaves = (log_parts, args.hiding);
                let (task, entries, policy) = read((input, &args.scheme), leaves, common, &mut progress)?;
                let memory = Some(entries);
                Self { task, memory, sharded: None, claims, weights: None, policy, ranks, terms, outputs }
            }
            (None, None) => {
                return Err(Failure::usage("there is nothing to prove", "name a file, or --shards DIR"));
            }
        };
        keys::check(&job.terms, job.ranks, launched.is_some())?;
        let (mut progress, scheme) = (Progress::new(common.quiet || common.json), job.task.params().scheme());
        job.weights = weights::load(&args.weights, scheme, common, &mut progress)?;
        job.task.check(job.entries(), &job.claims()).map_err(failure)?;
        within_memory(&job.task, launched.unwrap_or(1), common)?;
        Ok(job)
    }

    fn claims(&self) -> Vec<Claim<'_>> {
        self.claims.iter().cloned().chain(self.weights.as_ref().map(Claim::Weighted)).collect()
    }

    fn entries(&self) -> Entries<'_> {
        match (&self.memory, &self.sharded) {
            (Some(entries), _) => Entries::Memory(entries),
            (None, Some(sharded)) => Entries::Shards(sharded),
            (None, None) => unreachable!("a job has entries or shards"),
        }
    }

    /// Writes what was made, or the report about the rank that is to blame.
    fn finish(&self, made: Result<Proved, Failed>, common: &Common) -> Result<Exit, Failure> {
        let made = made.map_err(|failed| {
            keep_report(&failed, Ok(&self.outputs.report), common);
            refused(&failed)
        })?;
        let bytes = made.proof.to_bytes();
        let limits = Limits { policy: self.policy, max_memory: u64::MAX };
        let verified = describe_with(&bytes, &limits, self.weights.as_ref())?;
        self.outputs.write(&made, &bytes)?;
        self.report(&made, &verified, common);
        Ok(Exit::Valid)
    }

    fn report(&self, made: &Proved, verified: &Verified, common: &Common) {
        let [proof, commitment] = [&self.outputs.proof, &self.outputs.commitment].map(Output::path);
        let ranks = made.meters.0.len();
        let left = made
            .secret
            .as_ref()
            .map(|secret| made.commitment.params.summary().hidden_openings.saturating_sub(secret.used()));
        let secret = self.outputs.secret.as_ref().map(Output::path);
        if common.json {
            let value = json!({ "file": proof.display().to_string(), "commitment": commitment.display().to_string(),
                "fingerprint": units::hex(&made.commitment.fingerprint()), "claims": verified.claims, "ranks": ranks,
                "openings_left": left, "secret": secret.map(|path| path.display().to_string()),
                "lost": made.lost, "disputes": made.disputes, "costs": cluster::bench::costs(&made.meters),
                "critical_cpu_ms": made.meters.critical_cpu() as f64 / 1e6 });
            output::json(&verified.with_facts(value));
        } else if !common.quiet {
            let paint = Paint::stderr();
            made.lost.iter().for_each(|lost| note!("lost: {lost}"));
            for claim in &verified.claims {
                note!("{} {claim}", paint.green("proved:"));
            }
            note!("  by {ranks} rank(s), written to {}", terminal::path(proof));
            note!("  about the commitment {}", terminal::path(commitment));
            if let Some((left, secret)) = left.zip(secret) {
                note_hiding(left, &made.commitment.description, secret);
            }
            for [sender, receiver] in &made.disputes {
                note!(
                    "  ranks {sender} and {receiver} differed about what one sent the other: one of them deviates, or their link"
                );
            }
        }
    }
}
