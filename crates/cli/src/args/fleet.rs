//! Arguments of `fleet`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::choices::{PARTS, one_of};
use super::open::What;
use super::{Force, Input, SchemeArgs, WeightsArgs};
use crate::units;
use fleet::Id;

/// Subcommands of `fleet`.
#[derive(Clone, Debug, Subcommand)]
pub enum FleetCommand {
    /// Add a job: commit to a file and prove facts about it, by whichever worker takes it
    Submit(Box<SubmitArgs>),
    /// Run jobs, until Ctrl-C or SIGTERM: then finish what runs, or hand it back
    Worker(WorkerArgs),
    /// Show the jobs of a queue or one of them, write its proof, or cancel it
    Status(StatusArgs),
    /// Remove jobs that have been over for a time, and data and proofs that no job names any more
    Prune(PruneArgs),
    /// Run the job on standard input, for a worker
    #[command(hide = true)]
    Run(RunArgs),
}

/// The queue.
#[derive(Args, Clone, Debug)]
pub struct QueueArgs {
    /// The queue: a folder that processes of this machine share, or `nats://HOST:PORT/NAME` (in builds with the feature `nats`)
    #[arg(long, value_name = "QUEUE", value_hint = ValueHint::AnyPath, value_parser = parse_queue)]
    pub queue: String,
    /// Folder for data and results on this machine, of a queue on a server
    /// [default: tenfold-blobs]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub blobs: Option<PathBuf>,
}

/// Reads the name of a queue: what was to be a server's address is no folder's name, nor is a variable of a script that is not set.
fn parse_queue(text: &str) -> Result<String, String> {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    if text.is_empty() {
        return Err("it is empty: name a folder, or a queue on a server as nats://HOST:PORT/NAME".into());
    }
    if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && !scheme.contains(['/', '\\'])
        && !fleet::Place::is_server(text)
    {
        return Err(format!(
            "queues on servers begin with nats:// or tls://, and a folder of this name is ./{text}"
        ));
    }
    Ok(text.to_owned())
}

/// Reads the time of a lease in milliseconds: within a shorter one a worker that lives says so too late, and its job loses an attempt.
fn parse_lease(text: &str) -> Result<f64, String> {
    let millis = units::parse_millis(text)?;
    if millis < units::SECOND {
        return Err("it is less than a second, the shortest lease (a number without a unit is milliseconds): write `60s`, say".into());
    }
    Ok(millis)
}

/// Reads an age such as `90s`, `12h` or `7d` in milliseconds; a number without a unit could be any of them.
fn parse_age(text: &str) -> Result<f64, String> {
    let units = [("d", 86400.0), ("h", 3600.0), ("s", 1.0)];
    let split = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let age = split
        .and_then(|(number, seconds)| Some(number.trim().parse::<f64>().ok()? * seconds * units::SECOND));
    let age = age.filter(|age| age.is_finite() && *age >= 0.0);
    age.ok_or_else(|| format!("`{text}` is no age: write `7d`, `12h` or `90s`"))
}

/// Reads the command of a launcher: without a word in it each job would be proven by one process.
#[cfg(feature = "cluster")]
fn parse_launcher(text: &str) -> Result<String, String> {
    match text.split_whitespace().next() {
        Some(_) => Ok(text.to_owned()),
        None => Err("it is no command: write `mpirun -n 4`, say".into()),
    }
}

/// Arguments of `fleet submit`.
#[derive(Args, Clone, Debug)]
pub struct SubmitArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub what: What,
    /// The sum over all rows of the products of two columns of the job, by their names; of the squares of one, named twice
    #[arg(long, num_args = 2, value_names = ["COLUMN", "COLUMN"], conflicts_with_all = ["What", "WeightsArgs"])]
    pub product: Vec<String>,
    #[command(flatten)]
    pub weights: WeightsArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Parts of each leaf: the most ranks that can prove the job; the proof is the same, however many do
    #[arg(long, value_name = "N", value_parser = one_of(PARTS), default_value = "1")]
    pub parts: u32,
    /// Attempts until the job has failed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub max_attempts: u32,
    /// Time after which nobody wants the proof, such as `90s`; without a unit, milliseconds, 1000 at least
    #[arg(long, value_name = "TIME", value_parser = units::parse_seconds)]
    pub deadline: Option<f64>,
    /// Time without a sign of life after which a worker counts as dead, `1s` at least, for a queue that is new; without a unit, milliseconds
    #[arg(long, value_name = "TIME", value_parser = parse_lease, default_value = "60s")]
    pub lease: f64,
}

/// Arguments of `fleet worker`.
#[derive(Args, Clone, Debug)]
pub struct WorkerArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// Jobs at once; together they take no more than `--max-memory`
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// End when no job waits that fits and none runs
    #[arg(long)]
    pub until_empty: bool,
    /// Time for running jobs after Ctrl-C or SIGTERM, before they are handed back; without a unit, milliseconds, 1000 at least
    #[arg(long, value_name = "TIME", value_parser = units::parse_seconds, default_value = "30s")]
    pub grace: f64,
    #[command(flatten)]
    pub run: RunArgs,
    /// Start each job's process by this command, such as `mpirun -n 4`: words between blanks (in builds with the feature `cluster-mpi`)
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "COMMAND", conflicts_with = "ranks", value_parser = parse_launcher)]
    pub launcher: Option<String>,
}

/// Arguments of `fleet run`.
#[derive(Args, Clone, Debug, Default)]
pub struct RunArgs {
    /// Prove by ranks, each a thread, or under MPI a process: no more than leaves have parts
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=16))]
    pub ranks: Option<u16>,
}

/// Arguments of `fleet prune`.
#[derive(Args, Clone, Debug)]
pub struct PruneArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// Age of what goes: jobs that were over before, and data and proofs that no job names any more and that were stored before, an hour ago at least
    #[arg(long, value_name = "TIME", value_parser = parse_age)]
    pub older_than: f64,
}

/// Arguments of `fleet status`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", |force| force.requires("output")))]
pub struct StatusArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// The job, as `fleet submit` named it; without it, all of them, or for -o the only one
    #[arg(value_name = "JOB")]
    pub job: Option<Id>,
    /// Wait until no job waits or runs
    #[arg(long, conflicts_with_all = ["job", "cancel"])]
    pub wait: bool,
    /// Cancel the job
    #[arg(long, requires = "job")]
    pub cancel: bool,
    /// Write the proof to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the commitment that the proof is about to this file
    #[arg(id = "commitment_output", long = "commitment", value_name = "FILE", requires = "output")]
    pub commitment: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}
