//! `tenfold fleet`: proofs by a queue of jobs, which workers take. (docs/fleet.md)

use super::failure::{failure, unfound, unreadable};
use super::{open_data, table, weights};
use crate::args::Common;
use crate::args::fleet::{FleetCommand, PruneArgs, QueueArgs, RunArgs, SubmitArgs, WorkerArgs};
use crate::exit::{Exit, Failure};
use crate::interrupts;
use crate::output;
use crate::progress::Progress;
use crate::{terminal, units};
use data::STDIN;
use fleet::prove::{Claimed, ProveError, Reading, Statement};
use fleet::{Access, Error as QueueError, Id, Place, Process, Stop, Terms, Worker, WorkerOptions};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tenfold::dataset::Base;
use tenfold::{AnyParams, Claim, search};

/// The command.
pub fn run(command: &FleetCommand, common: &Common) -> Result<Exit, Failure> {
    match command {
        FleetCommand::Submit(args) => submit(args, common),
        FleetCommand::Worker(args) => work(args, common),
        FleetCommand::Status(args) => status::run(args, common),
        FleetCommand::Prune(args) => prune(args, common),
        FleetCommand::Run(args) => run_job(args, common),
    }
}

/// The hint of a damaged queue: restore the database of a folder, or the key `meta` of a bucket on a NATS server.
fn mended(queue: &str) -> String {
    if !Place::is_server(queue) {
        return "put a copy of its `queue.redb` back, or submit the jobs to a new queue: nothing in this one is changed"
            .into();
    }
    let name = queue.rsplit('/').next().unwrap_or_default();
    format!(
        "another program wrote the key `meta` of its bucket `fleet-{}-records` on the server: put a copy of it back, or submit the jobs to a queue of another name",
        terminal::escape(name)
    )
}

/// An error of a queue in the command's terms.
fn refused(args: &QueueArgs, e: QueueError) -> Failure {
    match e {
        QueueError::Io { .. } | QueueError::Engine(_) | QueueError::Blob(_) | QueueError::LongBlob { .. } => {
            Failure::io(e.to_string())
        }
        QueueError::Damaged(_) => {
            Failure { hint: Some(mended(&args.queue)), ..Failure::io(e.to_string()) }
        }
        QueueError::Newer(_) | QueueError::Version { .. } => Failure::usage(
            e.to_string(),
            "nothing in the queue is changed: use the release that wrote it; if none did, put a copy of its `queue.redb` back",
        ),
        QueueError::Record { .. } => Failure {
            hint: Some(
                "another program or release wrote it: remove it from the queue's server, or submit the job to another queue"
                    .into(),
            ),
            ..Failure::io(e.to_string())
        },
        QueueError::Replaced(_) => Failure {
            hint: Some("start again: what was submitted to the other database is not in this one".into()),
            ..Failure::io(e.to_string())
        },
        QueueError::Job(_) => Failure::usage(
            e.to_string(),
            "no worker would take it: give the file a plain name, and ask for less in one job",
        ),
        e => {
            Failure::usage(e.to_string(), "`tenfold fleet status --help` says how queues and jobs are named")
        }
    }
}

fn open(args: &QueueArgs, access: Access) -> Result<Place, Failure> {
    if args.blobs.is_some() && !Place::is_server(&args.queue) {
        let hint = "leave --blobs out: data and results are in the queue's folder";
        return Err(Failure::usage("--blobs is about queues on servers, and this one is a folder", hint));
    }
    let blobs = args.blobs.as_deref().unwrap_or(Path::new("tenfold-blobs"));
    Place::open(&args.queue, blobs, access).map_err(|e| refused(args, e))
}

fn millis(millis: f64) -> Duration {
    Duration::from_secs_f64(millis.min(1e12) / 1000.0)
}

/// The files of a job: the data and, if there are any, the weights.
fn files(args: &SubmitArgs) -> Result<Vec<&Path>, Failure> {
    let files: Vec<&Path> = [Some(&args.input.file), args.weights.weights.as_ref()]
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .collect();
    for file in &files {
        if file.as_os_str() == STDIN {
            return Err(Failure::usage(
                "a job is about a file, which workers read",
                "name a file in place of -",
            ));
        }
        // What is read once, such as a pipe, is another file for whoever reads it next.
        if file.metadata().is_ok_and(|there| !there.is_file()) {
            return Err(Failure::usage(
                format!("{} is no plain file, and workers read the data once more", terminal::path(file)),
                "write the data to a file, and name that",
            ));
        }
    }
    Ok(files)
}

/// The name of a file, as jobs say it.
fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn submit(args: &SubmitArgs, common: &Common) -> Result<Exit, Failure> {
    let files = files(args)?;
    let mut claims = args.what.claims();
    if let [a, b] = &args.product[..] {
        claims.push(Claim::Product(a, b));
    }
    let claims: Vec<Claimed> = claims.iter().filter_map(Claimed::of).collect();
    if claims.is_empty() && args.weights.weights.is_none() {
        return Err(Failure::usage(
            "nothing to prove",
            "name a --row, a --point, a value to --evaluate at, --sum or --mean, --product or --weights",
        ));
    }
    let mut progress = Progress::new(common.quiet || common.json);
    let (params, reading) = params(args, common, &mut progress)?;
    let of_bytes = params.of_bytes().is_some();
    let policy = search::policy(&args.scheme.options(), of_bytes).map_err(failure)?;
    let theorems = &args.scheme.theorems.theorems;
    let mut statement = Statement::new(name(files[0]), reading, (&params, policy.min_bits, theorems), claims);
    if let Some(file) = files.get(1) {
        let reading = Reading::of(&weights::options(&args.weights, of_bytes, common)?);
        statement = statement.weighted(name(file), reading);
    }
    let deadline = args.deadline.map(|time| fleet::wall() + millis(time).as_millis() as u64);
    let memory = statement.memory(&params, &files, common.max_memory());
    let memory = memory.map_err(|e| refused(&args.queue, e))?;
    let terms = Terms { memory, max_attempts: args.max_attempts, deadline };
    progress.phase("storing the data");
    let place = open(&args.queue, Access::Make(millis(args.lease)))?;
    let job = place.submit(&files, &statement, terms).map_err(|e| refused(&args.queue, e))?;
    progress.end();
    if common.json {
        output::json(
            &json!({ "job": job.id, "new": job.new, "resubmitted": job.resubmitted, "state": job.state,
            "memory_bytes": memory }),
        );
    } else {
        output::line(job.id);
        if !common.quiet {
            note!("job {job}; it takes about {}", units::bytes(memory));
        }
    }
    Ok(Exit::Valid)
}

/// The parameters for a file, and how it is read.
fn params(
    args: &SubmitArgs,
    common: &Common,
    progress: &mut Progress,
) -> Result<(AnyParams, Reading), Failure> {
    let wanted = args.scheme.options().log_parts(args.parts);
    let base = args.scheme.field.unwrap_or(Base::Goldilocks);
    let mut options = args.input.options(common, base);
    if let [_, _, ..] = &args.input.column[..] {
        table::check_names(&args.input)?;
        let reading = Reading::of(&options).of_columns(&args.input.column);
        search::check_options(&wanted, false).map_err(failure)?;
        let table = table::read_named(&args.input, &options, progress)?;
        let found = search::table(&table, &wanted);
        return Ok((found.map_err(|e| unfound(e, &wanted, false))?, reading));
    }
    let (opened, of_bytes) = open_data(&args.input, args.scheme.scheme, &mut options, progress)?;
    let reading = Reading::of(&options);
    search::check_options(&wanted, of_bytes).map_err(failure)?;
    let found = if of_bytes {
        search::bytes(opened.bytes(&options).map_err(unreadable)?.length(), &wanted)
    } else {
        search::column(&opened.column(options).map_err(unreadable)?, &wanted)
    };
    Ok((found.map_err(|e| unfound(e, &wanted, of_bytes))?, reading))
}

fn work(args: &WorkerArgs, common: &Common) -> Result<Exit, Failure> {
    // Without MPI each process of a launcher would be a prover of its own, or refuse the job.
    #[cfg(all(feature = "cluster", not(feature = "cluster-mpi")))]
    if args.launcher.is_some() {
        return Err(super::cluster::without_mpi("--launcher"));
    }
    let place = open(&args.queue, Access::Change)?;
    // Jobs' processes are told the folder in JSON.
    if place.blobs.folder().to_str().is_none() {
        let message = format!("{} is no name in UTF-8", terminal::path(place.blobs.folder()));
        return Err(Failure::usage(message, "name another folder with --blobs"));
    }
    let program =
        std::env::current_exe().map_err(|e| Failure::io(format!("cannot find this program: {e}")))?;
    let runner = runner(program, args, common);
    let options = WorkerOptions {
        slots: args.jobs.into(),
        memory: common.max_memory(),
        until_empty: args.until_empty,
        heartbeat: place.lease / 3,
        grace: millis(args.grace),
        ..WorkerOptions::default()
    };
    let worker =
        Worker { queue: &*place.queue, store: &*place.store, blobs: &place.blobs, runner: &runner, options };
    let done = worker.run(&stop(), &|event| {
        if !common.quiet {
            note!("{event}");
        }
    });
    let done = done.map_err(|e| refused(&args.queue, e))?;
    if common.json {
        output::json(
            &json!({ "done": done.done, "repeated": done.repeated, "failed": done.failed, "stopped": done.stopped,
            "not_understood": done.not_understood }),
        );
    }
    Ok(Exit::Valid)
}

/// How each job is run: this program, started by itself or by a launcher of ranks.
fn runner(program: PathBuf, args: &WorkerArgs, common: &Common) -> Process {
    let mut words: Vec<OsString> = Vec::new();
    #[cfg(feature = "cluster")]
    words.extend(args.launcher.iter().flat_map(|command| command.split_whitespace().map(OsString::from)));
    words.extend([program.into(), "fleet".into(), "run".into()]);
    if let Some(threads) = common.threads {
        words.extend(["--threads".into(), threads.to_string().into()]);
    }
    #[cfg(feature = "cluster")]
    if let Some(ranks) = args.run.ranks {
        words.extend(["--ranks".into(), ranks.to_string().into()]);
    }
    let _ = args;
    let arguments = words.split_off(1);
    Process { program: words.remove(0).into(), arguments }
}

/// A worker's end, by Ctrl-C or SIGTERM; the second time it ends at once, and leases run out.
fn stop() -> Stop {
    let stop = Stop::default();
    interrupts::take(&[interrupts::SIGINT, interrupts::SIGTERM], &stop.flag());
    stop
}

/// The prover that a worker starts for each job: one machine proves it, or ranks, threads of this process or those that a launcher of MPI started.
fn run_job(args: &RunArgs, common: &Common) -> Result<Exit, Failure> {
    #[cfg(feature = "cluster")]
    match (super::cluster::check_launched(args.ranks)?, args.ranks) {
        (true, _) => return launched(common),
        (false, Some(ranks)) => {
            return proven(fleet::child::run(|task| fleet::ranks::prove(task, ranks.into())));
        }
        (false, None) => {}
    }
    let _ = args;
    proven(fleet::child::run(fleet::prove::run))
}

/// The same by the ranks that a launcher of MPI started, of which the first has the job.
#[cfg(feature = "cluster")]
fn launched(common: &Common) -> Result<Exit, Failure> {
    #[cfg(not(feature = "cluster-mpi"))]
    let _ = common;
    #[cfg(not(feature = "cluster-mpi"))]
    return Err(super::cluster::without_mpi(super::cluster::LAUNCHED));
    #[cfg(feature = "cluster-mpi")]
    super::cluster::by_mpi((fleet::ranks::STEP, common), |comm| {
        if tenfold::cluster::Comm::rank(&comm) == 0 {
            return proven(fleet::child::run(|task| fleet::ranks::coordinate(task, Box::new(comm))));
        }
        super::cluster::served(fleet::ranks::serve(Box::new(comm)))
    })
}

/// Says which blob the proof of a job is, or that the job is wrong.
fn proven(result: Result<Id, ProveError>) -> Result<Exit, Failure> {
    if let Some(line) = fleet::child::answer(&result) {
        output::line(line);
    }
    result.map(|_| Exit::Valid).map_err(|e| match e {
        ProveError::Job(message) | ProveError::NotUnderstood(message) => {
            Failure { exit: Exit::Usage, message, hint: None }
        }
        ProveError::Machine(message) => Failure::io(message),
    })
}

fn prune(args: &PruneArgs, common: &Common) -> Result<Exit, Failure> {
    let place = open(&args.queue, Access::Change)?;
    let pruned = place.prune(millis(args.older_than)).map_err(|e| refused(&args.queue, e))?;
    show(pruned.json(), pruned, common);
    Ok(Exit::Valid)
}

/// Prints facts about jobs.
fn show(value: Value, text: impl Display, common: &Common) {
    if common.json {
        output::json(&value);
    } else {
        output::text(text);
    }
}

mod status;
#[cfg(test)]
mod tests;
