//! A job of a queue that ranks prove. (docs/fleet.md)

use super::super::fleet::run_by;
use super::{check_launched, deadlines};
use crate::exit::{Exit, Failure};
use fleet::prove::{Prepared, ProveError};
use tenfold::cluster::{self, Entries, Failed, Proved, Task, Terms};
use tenfold::{AnyParams, CommitmentFile, Error, ProofFile};

/// Milliseconds for one step of another rank.
const STEP: f64 = 60_000.0;

/// Runs the job on standard input by ranks, if there are to be any: threads of this process, or those that a launcher of MPI started.
pub fn run(ranks: Option<u16>) -> Option<Result<Exit, Failure>> {
    match check_launched(ranks) {
        Ok(false) => {
            ranks.map(|ranks| run_by(|task| fleet::prove::run_by(task, |job| by_threads(job, ranks.into()))))
        }
        #[cfg(feature = "cluster-mpi")]
        Ok(true) => Some(super::by_mpi(as_rank)),
        #[cfg(not(feature = "cluster-mpi"))]
        Ok(true) => Some(Err(super::without_mpi())),
        Err(failure) => Some(Err(failure)),
    }
}

fn terms() -> Terms {
    Terms { deadlines: deadlines(STEP), ..Terms::default() }
}

/// The parts of a leaf: the most ranks.
fn parts(params: &AnyParams) -> usize {
    match params {
        AnyParams::Matrix(params) => 1 << params.log_parts,
        AnyParams::DeepFold(_) => 1,
    }
}

fn wrong(e: Error) -> ProveError {
    ProveError::Job(e.to_string())
}

/// The files of a job, or why there are none: another attempt may have other ranks.
fn files(made: Result<Proved, Failed>) -> Result<(CommitmentFile, ProofFile), ProveError> {
    let made = made.map_err(|failed| ProveError::Machine(failed.to_string()))?;
    Ok((made.commitment, made.proof))
}

/// Proves by as many ranks as there may be, and no more than are asked for.
fn by_threads(job: Prepared, ranks: usize) -> Result<(CommitmentFile, ProofFile), ProveError> {
    let ranks = 1 << ranks.min(parts(&job.params)).ilog2();
    let (task, entries) = Task::new(&job.data, job.params, &job.policy).map_err(wrong)?;
    drop(job.data);
    files(cluster::prove(&task, (Entries::Memory(&entries), &job.claims), (ranks, &terms())).map_err(wrong)?)
}

/// One rank under MPI: the first has the job on its standard input, and the data.
#[cfg(feature = "cluster-mpi")]
fn as_rank(comm: cluster::mpi::Mpi<'_>) -> Result<Exit, Failure> {
    use cluster::{Comm, RankError};
    if comm.rank() > 0 {
        return match cluster::serve(None, (Box::new(comm), &terms())) {
            Ok(()) => Ok(Exit::Valid),
            Err(Failed { error: RankError::Stopped { .. }, .. }) => Ok(Exit::Rank),
            Err(failed) => Err(super::refused(&failed)),
        };
    }
    let prove = |job: Prepared| {
        let (task, entries) = Task::new(&job.data, job.params, &job.policy).map_err(wrong)?;
        drop(job.data);
        let entries = (Entries::Memory(&entries), &job.claims[..]);
        files(cluster::coordinate(&task, entries, (Box::new(comm), &terms())).map_err(wrong)?)
    };
    run_by(|task| fleet::prove::run_by(task, prove))
}
