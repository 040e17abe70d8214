//! Jobs that several ranks prove, threads of a worker's child or processes that a launcher started: the proof is the same. (docs/fleet.md)

use crate::prove::{Prepared, ProveError, alone, run_by};
use crate::runner::Task;
use std::time::Duration;
use tenfold::cluster::{self, Comm, Deadlines, Entries, Failed, Proved, Terms};
use tenfold::{AnyParams, Claim, CommitmentFile, Dataset, Error, ProofFile};

/// Time for one step of another rank.
pub const STEP: Duration = Duration::from_secs(60);

fn terms() -> Terms {
    Terms { deadlines: Deadlines { step: STEP, idle: STEP.saturating_mul(60) }, ..Terms::default() }
}

/// [`run`](crate::prove::run) by ranks that are threads: no more than these, or than leaves have parts; for a weighted sum, than pairs of columns. Several
/// columns, and inner products, are proven without ranks.
///
/// # Errors
/// As there; [`ProveError::Machine`] if a rank fails, for another attempt may have other ranks.
pub fn prove(task: &Task<'_>, ranks: usize) -> Result<Vec<u8>, ProveError> {
    run_by(task, |job| {
        if !by_ranks(&job) {
            return alone(job);
        }
        let weighted = job.claims.iter().any(|claim| matches!(claim, Claim::Weighted(_)));
        let ranks = 1 << ranks.min(most(&job.params, weighted)).ilog2();
        by(job, |task, job| cluster::prove(task, job, (ranks, &terms())))
    })
}

/// The same by the rank of a process that coordinates: the others call [`serve`].
///
/// # Errors
/// As [`prove`]; [`ProveError::NotUnderstood`] of a job that ranks do not prove, which is left to workers without a launcher.
pub fn coordinate(task: &Task<'_>, comm: Box<dyn Comm + '_>) -> Result<Vec<u8>, ProveError> {
    run_by(task, |job| {
        if !by_ranks(&job) {
            let other = "ranks commit to one column, and prove no inner products";
            return Err(ProveError::NotUnderstood(other.into()));
        }
        by(job, |task, job| cluster::coordinate(task, job, (comm, &terms())))
    })
}

/// Takes part in a job as a rank that does not coordinate.
///
/// # Errors
/// If the coordinator ends.
pub fn serve(comm: Box<dyn Comm + '_>) -> Result<(), Failed> {
    cluster::serve(None, (comm, &terms()))
}

type Made = Result<Result<Proved, Failed>, Error>;

fn by(
    Prepared { data, params, policy, claims }: Prepared<'_>,
    made: impl FnOnce(&cluster::Task, (Entries<'_>, &[tenfold::Claim<'_>])) -> Made,
) -> Result<(CommitmentFile, ProofFile), ProveError> {
    let wrong = |e: Error| ProveError::Job(e.to_string());
    let (task, entries) = cluster::Task::new(&data, params, &policy).map_err(wrong)?;
    drop(data);
    let made = made(&task, (Entries::Memory(&entries), &claims)).map_err(wrong)?;
    let made = made.map_err(|failed| ProveError::Machine(failed.to_string()))?;
    Ok((made.commitment, made.proof))
}

/// Returns true for a job that ranks prove: they commit to one column, and prove no inner products.
fn by_ranks(job: &Prepared<'_>) -> bool {
    let is_product = |claim: &Claim<'_>| matches!(claim, Claim::Product(..));
    !matches!(job.data, Dataset::Table(_)) && !job.claims.iter().any(is_product)
}

/// The most ranks.
fn most(params: &AnyParams, weighted: bool) -> usize {
    match params {
        AnyParams::Matrix(params) if weighted => {
            1 << params.log_parts.min(params.level.log_columns.saturating_sub(1))
        }
        AnyParams::Matrix(params) => 1 << params.log_parts,
        AnyParams::DeepFold(_) => 1,
    }
}
