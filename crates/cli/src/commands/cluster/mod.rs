//! `tenfold cluster`: one proof by several ranks, threads of this process or processes under MPI. (docs/cluster.md)

mod bench;
mod keys;
mod prove;
mod shard;

use super::failure::{failure, unfound};
use super::{open_data, read_data, weights};
use crate::args::cluster::{ClusterCommand, RanksArgs, ReportArgs};
use crate::args::{Common, Input, SchemeArgs};
use crate::exit::{Exit, Failure};
use crate::files::Output;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::error::Invalid;
use iop::security::Policy;
use pcs::file::SchemeId;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;
use tenfold::any::AnyEntries;
use tenfold::cluster::doctor::{Deployment, Examined, examine};
use tenfold::cluster::{
    self, Comm, CommError, Deadlines, Deviation, Failed, RankError, Report, Task, is_launched, threads,
};
#[cfg(feature = "cluster-mpi")]
use tenfold::cluster::{Hosts, mpi};
use tenfold::{Dataset, search};

/// The command.
pub fn run(command: &ClusterCommand, common: &Common) -> Result<Exit, Failure> {
    match command {
        ClusterCommand::Doctor(args) => doctor(args, common),
        ClusterCommand::Shard(args) => shard::run(args, common),
        ClusterCommand::Prove(args) => prove::run(args, common),
        ClusterCommand::Key(args) => keys::generate(args, common),
        ClusterCommand::VerifyReport(args) => verify_report(args, common),
        ClusterCommand::Bench(args) => bench::run(args, common),
    }
}

/// What a launcher of MPI has started.
#[cfg(not(feature = "cluster-mpi"))]
pub(super) const LAUNCHED: &str = "a rank that a launcher started";

/// A job without a proof in the command's terms. The report goes elsewhere.
fn refused(failed: &Failed) -> Failure {
    let message = failed.to_string();
    match &failed.error {
        RankError::Input(_) => Failure::usage(message, "make the shards again with `tenfold cluster shard`"),
        RankError::Unsupported(_) | RankError::Comm(CommError::Ranks(_)) => {
            Failure::usage(message, "take a power of two of ranks, and as many --parts or shards at least")
        }
        RankError::Key { .. } => {
            let hint = "start that rank with the secret of the key that is listed for it (--key), or correct the list (--keys)";
            Failure { exit: Exit::Rank, message, hint: Some(hint.into()) }
        }
        RankError::Comm(CommError::Start { .. }) => Failure {
            exit: Exit::Rank,
            message,
            hint: Some("look for it in what the launcher says and on the hosts; the time is five times the --step of `tenfold cluster`".into()),
        },
        _ => {
            let hint = "run it again without that rank: --retry does, and under MPI `scripts/cluster-retry`";
            let hint = format!("{}{hint}", slow(&failed.error));
            Failure { exit: Exit::Rank, message, hint: failed.rank().map(|_| hint) }
        }
    }
}

/// The advice about a rank that may be honest, and slow.
fn slow(error: &RankError) -> &'static str {
    match error {
        RankError::Comm(CommError::Deadline { .. }) => {
            "if it was only slow, give it more time by --step; else "
        }
        RankError::Reading { .. } => {
            "if its storage is slow, give it more time by --step, of which reading may take 60 times as much; else "
        }
        _ => "",
    }
}

/// Writes the report about the rank that is to blame, if there is one, and says where it is, or why it is not there.
fn keep_report(failed: &Failed, place: Result<&Output, &Failure>, common: &Common) {
    let Some(report) = &failed.report else { return };
    let written = place.map_err(Failure::clone).and_then(|place| {
        place.write(&report.to_json())?;
        Ok(terminal::path(place.path()))
    });
    match written {
        Ok(path) if !common.quiet => {
            let weighted =
                matches!(failed.error, RankError::Deviation { deviation: Deviation::Weighted, .. });
            let weights = if weighted { ", with the same --weights," } else { "" };
            note!("blame report written to {path}: `tenfold cluster verify-report`{weights} checks it");
        }
        Ok(_) => {}
        Err(unwritten) => note!("{}", unwritten.render(Paint::stderr()).trim_end()),
    }
}

/// The deadlines of a job whose steps take so many milliseconds at most.
fn deadlines(step: f64) -> Deadlines {
    let step = Duration::from_secs_f64(step.clamp(1.0, 1e9) / 1000.0);
    Deadlines { step, idle: step.saturating_mul(60) }
}

/// How many steps ranks have to find each other, before there is a step.
#[cfg(feature = "cluster-mpi")]
const START_STEPS: u32 = 5;

/// How long a rank that fails waits for each of those before it, before it says so: what several find at once, the first of them says, and ends the others with the job.
#[cfg(feature = "cluster-mpi")]
const TURN: Duration = Duration::from_millis(200);

/// Runs a program as one rank under MPI, with so much time for a step of another; returns its exit code. One that fails ends the job.
#[cfg(feature = "cluster-mpi")]
pub(super) fn by_mpi(
    (step, common): (Duration, &Common),
    program: impl FnOnce(mpi::Mpi<'_>) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let ends = |rank: Option<usize>, failure: Failure| {
        std::thread::sleep(TURN * rank.and_then(|rank| u32::try_from(rank).ok()).unwrap_or(0));
        let by = rank.map_or_else(|| "a rank".into(), |rank| format!("rank {rank}"));
        let message = format!("{by} ends the job: {}", failure.message);
        crate::run::say(&Failure { message, ..failure }, common);
        failure.exit as i32
    };
    let missed = |rank: Option<usize>, error: RankError, hosts: Hosts| {
        ends(rank, refused(&Failed { hosts, ..Failed::from(error) }))
    };
    let ranked = |comm: mpi::Mpi<'_>| {
        let rank = comm.rank();
        program(comm).map_err(|failure| ends(Some(rank), failure))
    };
    let started = mpi::run(step * START_STEPS, ranked, &missed);
    started.map_err(|e| match e {
        mpi::StartError::Uninitialized => Failure::io(e.to_string()),
        mpi::StartError::OtherLauncher { .. } => Failure::usage(
            e.to_string(),
            "take the launcher of the library that the program was built with (under Slurm `srun --mpi=list` shows which it can be), or build the program with the launcher's library, whose compiler wrapper MPICC names",
        ),
    })
}

/// The end of a rank that does not coordinate. Where the coordinator stopped it, that one says why, and ends all ranks.
#[cfg(feature = "cluster-mpi")]
pub(super) fn served(ended: Result<(), Failed>) -> Result<Exit, Failure> {
    match ended {
        Ok(()) => Ok(Exit::Valid),
        Err(Failed { error: RankError::Stopped { .. }, .. }) => Ok(Exit::Rank),
        Err(failed) => Err(refused(&failed)),
    }
}

/// Refuses what takes ranks that are processes: without MPI they know nothing of each other.
#[cfg(not(feature = "cluster-mpi"))]
pub(super) fn without_mpi(what: &str) -> Failure {
    let features = if cfg!(feature = "fleet") { "fleet,cluster-mpi" } else { "cluster-mpi" };
    Failure::usage(
        format!("{what} needs MPI, and this build lacks the feature `cluster-mpi`, as released binaries do"),
        format!(
            "build it where there are an MPI library and libclang, with `cargo build --release -p tenfold-cli --features {features}`; `--ranks N` takes threads"
        ),
    )
}

/// Refuses a number of ranks under MPI, whose launcher says how many there are.
pub(super) fn check_launched(ranks: Option<u16>) -> Result<bool, Failure> {
    if is_launched() && ranks.is_some() {
        return Err(Failure::usage(
            "under MPI the launcher says how many ranks there are",
            "leave --ranks out",
        ));
    }
    Ok(is_launched())
}

fn doctor(args: &RanksArgs, common: &Common) -> Result<Exit, Failure> {
    let within = deadlines(args.step).step;
    if check_launched(args.ranks)? {
        #[cfg(feature = "cluster-mpi")]
        return by_mpi((within, common), |mut comm| examined(&mut comm, within, common));
        #[cfg(not(feature = "cluster-mpi"))]
        return Err(without_mpi(LAUNCHED));
    }
    let results =
        threads::run(args.ranks.unwrap_or(4).into(), |mut comm| examined(&mut comm, within, common));
    let worst = |worst: Exit, exit: Exit| if worst == Exit::Valid { exit } else { worst };
    results.into_iter().try_fold(Exit::Valid, |before, result| Ok(worst(before, result?)))
}

/// Examines a deployment; the coordinator says what it found.
fn examined(comm: &mut dyn Comm, within: Duration, common: &Common) -> Result<Exit, Failure> {
    let found = examine(comm, within).map_err(|e| refused(&RankError::from(e).into()))?;
    let Some(deployment) = found else { return Ok(Exit::Valid) };
    let problems = deployment.problems();
    if common.json {
        let Deployment { ranks, bytes_per_second } = &deployment;
        let rank = |rank: &Examined| {
            json!({ "host": rank.host, "same_program": rank.same_program, "threads": rank.threads,
                "round_trip_ms": rank.round_trip * 1e3, "clock_ahead_ms": rank.clock_ahead * 1e3 })
        };
        let ranks: Value = ranks.iter().map(rank).collect();
        output::json(&json!({ "ranks": ranks, "bytes_per_second": bytes_per_second, "problems": problems }));
    } else {
        output::text(&deployment);
    }
    Ok(if problems.is_empty() { Exit::Valid } else { Exit::Rank })
}

/// Data with their parameters, for leaves of `2^log_parts` parts and so many hidden openings.
fn read(
    (input, scheme): (&Input, &SchemeArgs),
    (log_parts, hiding): (u32, Option<u32>),
    common: &Common,
    progress: &mut Progress,
) -> Result<(Task, AnyEntries, Policy), Failure> {
    let options = scheme.options().log_parts(log_parts).hiding(hiding.unwrap_or(0));
    let base = scheme.field.unwrap_or(tenfold::dataset::Base::Goldilocks);
    let mut reading = input.options(common, base);
    let (opened, of_bytes) = open_data(input, scheme.scheme, &mut reading, progress)?;
    search::check_options(&options, of_bytes).map_err(failure)?;
    let data: Dataset = read_data(opened, of_bytes, reading)?;
    progress.end();
    let params = search::choose(&data, &options).map_err(|e| unfound(e, &options, of_bytes))?;
    let policy = search::policy(&options, of_bytes).map_err(failure)?;
    let (task, entries) = Task::new(&data, params, &policy).map_err(failure)?;
    Ok((task, entries, policy))
}

fn verify_report(args: &ReportArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = super::read_file(&args.report, common)?;
    let hint = "give the report that `tenfold cluster prove --report` wrote";
    let report = Report::from_json(&bytes).map_err(|invalid| Failure::usage(invalid.0, hint))?;
    let scheme = report.job().params().map_or(SchemeId::Pip, |params| params.scheme());
    let mut progress = Progress::new(common.quiet || common.json);
    let weights = weights::load(&args.weights, scheme, common, &mut progress)?;
    let verdict = cluster::verify_report(&bytes, weights.as_ref(), common.max_memory()).map_err(not_shown)?;
    let listed = keys::listed(args.keys.as_deref(), common)?;
    if let Some(keys) = &listed {
        keys::check_blamed(&verdict, report.job().ranks.len(), keys)?;
    }
    let (key, job) = (verdict.key.to_string(), units::hex(&verdict.job));
    if common.json {
        let deviation = verdict.deviation;
        output::json(
            &json!({ "rank": verdict.rank, "key": key, "listed": listed.is_some(), "deviation": deviation, "job": job }),
        );
    } else if !common.quiet {
        note!("{} rank {} deviated: {}", Paint::stderr().green("valid:"), verdict.rank, verdict.deviation);
        note!("  its key is {key}, in the job {job}");
        match listed {
            Some(_) => note!("  it is the key that the list has for rank {}", verdict.rank),
            None => note!(
                "  whose key that is the report does not say: give the list of the ranks' keys by --keys"
            ),
        }
    }
    Ok(Exit::Valid)
}

/// The answer to a report that is refused.
fn not_shown(invalid: Invalid) -> Failure {
    match invalid {
        cluster::WITHOUT_WEIGHTS => {
            let message = "this report is about a weighted sum, and the weights are not in it";
            Failure::usage(message, "pass the file of public weights: --weights FILE")
        }
        cluster::UNWEIGHTED => Failure::usage("this report has no weights", "verify it without --weights"),
        cluster::UNFIT_WEIGHTS => {
            let message = "weights: one of them is none of the field of the report's job";
            Failure::usage(message, "give the file that the sum was proven with")
        }
        cluster::HEAVY_WEIGHTS => {
            let message =
                "weights: more than the entries of the report's job, or than memory as elements of its field";
            Failure::usage(message, "give the file that the sum was proven with, or raise `--max-memory`")
        }
        Invalid(reason) => Failure::invalid(reason),
    }
}

/// The name of a file that belongs to another.
fn beside(path: &std::path::Path, ending: &str) -> PathBuf {
    super::with_ending(path, ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Kind;

    /// The form of a report about a coordinator that asked ranks different things.
    const REPORT: &str = r#"{
  "format": "tenfold cluster blame report v1",
  "job": {
    "program": "",
    "scheme": "",
    "parameters": "",
    "name": "",
    "data": "",
    "ranks": []
  },
  "accused": 0,
  "key": "",
  "deviation": "equivocation",
  "statements": [],
  "slices": [],
  "heads": []
}
"#;

    /// A job that fails at a rank, with a report there.
    fn failed(error: RankError) -> Failed {
        let report = Report::from_json(REPORT.as_bytes()).unwrap();
        Failed { report: Some(Box::new(report)), ..Failed::from(error) }
    }

    #[test]
    fn a_rank_keeps_its_report_and_replaces_no_other() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("p.blame.rank1");
        let common = Common::default();
        let deviated = failed(RankError::Deviation { rank: 0, deviation: Deviation::Equivocation });
        let place = common.files.once(Kind::BlameReport, &path).unwrap();
        keep_report(&deviated, Ok(&place), &common);
        assert_eq!(std::fs::read(&path).unwrap(), REPORT.as_bytes());
        // One that came meanwhile stays, and so does an error of the place.
        std::fs::write(&path, b"another").unwrap();
        keep_report(&deviated, Ok(&place), &common);
        let refused = common.files.once(Kind::BlameReport, &path).unwrap_err();
        assert!(refused.exit == Exit::Usage && refused.message.contains("is already there"), "{refused}");
        keep_report(&deviated, Err(&refused), &common);
        assert_eq!(std::fs::read(&path).unwrap(), b"another");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }
}
