//! Arguments of `cluster`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::choices::{self, one_of};
use super::open::What;
use super::{Force, Input, Output, SchemeArgs, WeightsArgs};
use crate::units;

/// Subcommands of `cluster`.
#[derive(Clone, Debug, Subcommand)]
pub enum ClusterCommand {
    /// Examine what is between the ranks, before a job: programs, hosts, clocks, latency and rate
    Doctor(RanksArgs),
    /// Split data into a file for each rank, with their description, in a new folder
    Shard(ShardArgs),
    /// Commit to a column or a file's bytes by several ranks and prove facts about it: the files of `commit` and `open`
    Prove(Box<ProveArgs>),
    /// Make the key that a rank signs by: a secret file, and the public key, which is printed
    Key(KeyArgs),
    /// Verify a blame report: that a rank has signed what no honest rank signs
    VerifyReport(ReportArgs),
    /// Measure a proof by 1 to 16 ranks, with columns for the most of them: CPU on the critical path, bytes and calls of each phase, modelled times
    Bench(BenchArgs),
}

/// The ranks of a job.
#[derive(Args, Clone, Debug)]
pub struct RanksArgs {
    /// Ranks, each a thread of this process; under MPI the launcher says how many there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=16))]
    pub ranks: Option<u16>,
    /// Time for one step of another rank, such as `60s`; without a unit, milliseconds, 1000 at least
    #[arg(long, value_name = "TIME", value_parser = units::parse_seconds, default_value = "60s")]
    pub step: f64,
}

/// Arguments of `cluster shard`.
#[derive(Args, Clone, Debug)]
pub struct ShardArgs {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Files to split into: the most ranks that can prove
    #[arg(long, value_name = "N", value_parser = one_of(choices::PARTS), default_value = "4")]
    pub ranks: u32,
    /// Openings that show nothing but the value they prove: `cluster prove` makes the first, `open` the others by its secret
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub hiding: Option<u32>,
    /// New folder for the files, which hide nothing [default: the data's name and `.shards`]
    #[arg(short, long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// Arguments of `cluster key`.
#[derive(Args, Clone, Debug)]
pub struct KeyArgs {
    /// The secret file, for its owner alone. Nothing is overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Arguments of `cluster prove`.
#[derive(Args, Clone, Debug)]
#[command(
    override_usage = "tenfold cluster prove [OPTIONS] <FILE>\n       tenfold cluster prove [OPTIONS] --shards <DIR>"
)]
pub struct ProveArgs {
    #[command(flatten)]
    pub input: Option<Input>,
    /// Prove for the folder that `cluster shard` made, in place of a file: each rank reads its own part
    #[arg(long, value_name = "DIR", conflicts_with_all = ["Input", "scheme", "entries", "field", "profile", "over", "hash", "inner", "columns", "parts", "hiding"])]
    pub shards: Option<PathBuf>,
    #[command(flatten)]
    pub ranks: RanksArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Parts of a leaf, at least as many as ranks: `commit --parts` takes the same [default: as many as ranks]
    #[arg(long, value_name = "N", value_parser = one_of(choices::PARTS))]
    pub parts: Option<u32>,
    /// Openings that show nothing but the value they prove: this makes the first, `open` the others by the secret
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub hiding: Option<u32>,
    /// File of the secret, if the commitment hides [default: the commitment's name and `.secret`]
    #[arg(id = "secret_output", long = "secret", value_name = "FILE")]
    pub secret: Option<PathBuf>,
    #[command(flatten)]
    pub what: What,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// File of the commitment [default: beside the data, or the proof]
    #[arg(id = "commitment_output", long = "commitment", value_name = "FILE")]
    pub commitment: Option<PathBuf>,
    /// File of the blame report, if a signature proves that a rank deviated [default: the proof's name and `.blame`]
    #[arg(id = "report_output", long = "report", value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Run again without a rank that an error names, on as many of the others as are a power of two
    #[arg(long)]
    pub retry: bool,
    /// Name of the job, the same at all ranks and never given twice: it is in everything that is signed
    #[arg(long, value_name = "NAME", default_value = "")]
    pub job: String,
    /// Secret key of a rank, which `cluster key` wrote: under MPI that of each rank, on its own host; of threads one for each, in their order [default: keys
    /// that are drawn for this job]
    #[arg(long, value_name = "FILE")]
    pub key: Vec<PathBuf>,
    /// Public keys of the ranks, a line for each in their order: a job with any other rank is refused
    #[arg(long, value_name = "LIST")]
    pub keys: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `cluster verify-report`.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// The blame report
    pub report: PathBuf,
    /// Public keys of the ranks of the job, a line for each in their order: the report must be about the key of the rank that it names
    #[arg(long, value_name = "LIST")]
    pub keys: Option<PathBuf>,
    #[command(flatten)]
    pub weights: WeightsArgs,
}

/// Arguments of `cluster bench`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", |force| force.requires("page_output")))]
pub struct BenchArgs {
    /// log2 of the number of rows
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(10..=26))]
    pub log_size: u32,
    /// Numbers of ranks, separated by commas
    #[arg(long, value_parser = one_of(choices::PARTS), value_delimiter = ',', value_name = "N,...", default_value = "1,2,4,8,16")]
    pub ranks: Vec<u32>,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Write a page with plots of speed-up and bytes
    #[arg(id = "page_output", long = "html", value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}
