//! The command line.

use std::path::PathBuf;

use clap::{Arg, Args, Parser, Subcommand};

use crate::exit::Failure;
use crate::files::Files;
use crate::{memory, units};
use tenfold::Device;

pub mod choices;
#[cfg(feature = "cluster")]
pub mod cluster;
mod compare;
#[cfg(feature = "fleet")]
pub mod fleet;
mod input;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod open;
mod policy;
#[cfg(feature = "ring")]
pub mod ring;
mod scheme;

pub use choices::name_of;
pub use compare::CompareArgs;
pub use input::Input;
pub use open::OpenArgs;
pub use policy::{MIN_BITS, PolicyArgs, TheoremArgs};
pub use scheme::{DeviceArgs, LeafArgs, SchemeArgs};
use tenfold::verdict::Expected;

/// Polynomial commitments with proven security: commit to a file, prove facts about it, compare schemes.
#[derive(Debug, Parser)]
#[command(name = "tenfold", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 valid or done, 1 invalid proof or parameters that prove too little, \
2 usage or unusable input, 3 valid, but compared with no commitment (`verify --self-contained`), 4 files or memory, 5 a rank of a cluster failed.\nVerdicts and progress go to stderr, results to stdout.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

/// Options of every command.
#[derive(Args, Clone, Debug, Default)]
pub struct Common {
    /// Write the result to stdout as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Show no progress and no verdict line
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Threads to use, at most 1024 [default: all]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Refuse jobs that need more memory, such as `4GiB` [default: 3/4 of what is available]
    #[arg(long, global = true, value_name = "SIZE", value_parser = units::parse_bytes)]
    pub max_memory: Option<u64>,
    /// The files of this run, which every output goes through.
    #[arg(skip)]
    pub files: Files,
}

impl Common {
    /// The memory that the command may take.
    pub fn max_memory(&self) -> u64 {
        self.max_memory.unwrap_or_else(memory::default_limit)
    }

    /// Refuses a job that needs more bytes than there may be.
    pub fn within_memory(&self, need: u64, hint: &str) -> Result<(), Failure> {
        memory::within(need, self.max_memory(), hint)
    }

    /// Says why the CPU took over from a device, where it did.
    pub fn device_notices(&self, device: &Device) {
        if !self.quiet {
            device.take_notices().iter().for_each(|notice| note!("{notice}"));
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The short tour: commit to a column or a file's bytes, prove an entry (and the sum), verify, compare the schemes
    Tour(TourArgs),
    /// Compare every scheme and field that applies to a file, at equal proven bits
    Compare(CompareArgs),
    /// Commit to a column of a file, or to all its bytes
    Commit(CommitArgs),
    /// Prove entries, a sum, a mean, a weighted sum or an evaluation of committed data
    Open(OpenArgs),
    /// Verify a proof file, and say what it proves
    Verify(VerifyArgs),
    /// Show the parameters for a size, with the security report term by term
    Params(ParamsArgs),
    /// Show what is in a file, byte by byte
    Inspect(InspectArgs),
    /// Anonymous membership: rings of keys, signatures of a member that do not say which
    #[cfg(feature = "ring")]
    #[command(subcommand)]
    Ring(ring::RingCommand),
    /// Anonymous membership in rings of keys: not in this build, which lacks the feature `ring`
    #[cfg(not(feature = "ring"))]
    #[command(disable_help_flag = true)]
    Ring(Absent),
    /// Many proofs by a queue of jobs, which workers take: add jobs, run them, see how they stand
    #[cfg(feature = "fleet")]
    #[command(subcommand)]
    Fleet(fleet::FleetCommand),
    /// Replicated ledgers: replicas verify one proof for each batch of transactions, and execute none
    #[cfg(feature = "ledger")]
    #[command(subcommand)]
    Ledger(ledger::LedgerCommand),
    /// Replicated ledgers: not in this build, which lacks the feature `ledger`
    #[cfg(not(feature = "ledger"))]
    #[command(disable_help_flag = true)]
    Ledger(Absent),
    /// Many proofs by a queue of jobs: not in this build, which lacks the feature `fleet`
    #[cfg(not(feature = "fleet"))]
    #[command(disable_help_flag = true)]
    Fleet(Absent),
    /// One proof by several ranks, threads or processes under MPI, with the bytes of one machine
    #[cfg(feature = "cluster")]
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    /// One proof by several ranks: not in this build, which lacks the feature `cluster`
    #[cfg(not(feature = "cluster"))]
    #[command(disable_help_flag = true)]
    Cluster(Absent),
    /// Show what would be committed to: rows, range, scale, and the fields that hold it
    Data(Input),
    /// Measure the schemes beside their peers: runs `tenfold-bench` with the arguments that follow
    #[command(disable_help_flag = true)]
    Bench {
        /// Arguments of `tenfold-bench`, such as `table --log-size 20 --html bench.html`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Show what this machine can do, which kernels run on it, and what is fast here
    Doctor,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the man page of a command
    #[command(hide = true)]
    Manual {
        /// The command, such as `commit` or `ring prove`; none for `tenfold` itself
        command: Vec<String>,
    },
}

/// Arguments of a command that this build does not have.
#[cfg(not(all(feature = "ring", feature = "fleet", feature = "cluster", feature = "ledger")))]
#[derive(Args, Clone, Debug)]
pub struct Absent {
    /// Whatever the command takes
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub arguments: Vec<std::ffi::OsString>,
}

/// Arguments of `tour`.
#[derive(Args, Clone, Debug)]
pub struct TourArgs {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// A row to prove too [default: of a file of bytes the middle one]
    #[arg(long)]
    pub row: Option<u64>,
    #[command(flatten)]
    pub weights: WeightsArgs,
    /// Folder for commitment, proofs, weights and page [default: target/tour]
    #[arg(short, long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

/// Arguments of `commit`.
#[derive(Args, Clone, Debug)]
pub struct CommitArgs {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub leaves: LeafArgs,
    /// Take the parameters of this file, which `params -o` wrote; refused if they prove fewer than the --bits
    #[arg(long, value_name = "FILE", group = "hides", conflicts_with_all = ["scheme", "entries", "field", "profile", "over", "hash", "inner", "columns", "hiding", "parts"])]
    pub params: Option<PathBuf>,
    /// Where the secret of a hiding commitment goes [default: the commitment's name and `.secret`]
    #[arg(id = "secret_output", long = "secret", value_name = "FILE", requires = "hides")]
    pub secret: Option<PathBuf>,
    /// Keep what `open --witness` takes in place of the data, in a file that you alone can read
    /// [default name: the commitment's and `.witness`]
    #[arg(id = "witness_output", long = "keep-witness", value_name = "FILE", num_args = 0..=1)]
    pub keep_witness: Option<Option<PathBuf>>,
    #[command(flatten)]
    pub device: DeviceArgs,
}

/// Arguments of `verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The proof file
    pub proof: PathBuf,
    /// The commitment that the proof must be about; this or --fingerprint
    #[arg(long, value_name = "FILE", group = "about")]
    pub commitment: Option<PathBuf>,
    /// The fingerprint of the commitment that the proof must be about: 64 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = parse_fingerprint)]
    pub fingerprint: Option<[u8; 32]>,
    /// Compare with no commitment: a proof about data that its maker may have invented; exit code 3 if it holds
    #[arg(long, conflicts_with_all = ["about", "fingerprint"])]
    pub self_contained: bool,
    /// A claim that the proof must make, or it is invalid here: `sum`, `sum=294348`, `row:7=30.25`, `entry:7=255`, `weighted-sum=...` (repeatable)
    #[arg(long, value_name = "CLAIM")]
    pub expect: Vec<Expected>,
    #[command(flatten)]
    pub weights: WeightsArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// The size and scheme that parameters are searched for.
#[derive(Args, Clone, Debug)]
pub struct Target {
    /// log2 of the number of entries; with `--scheme ligerito` or `air`, of bytes
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub log_size: u32,
    /// Columns of numbers that are committed to together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub polynomials: u32,
    #[command(flatten)]
    pub scheme: SchemeArgs,
}

/// Arguments of `params`; the output is a parameter file, for `commit --params`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, mut_arg("force", of_an_output))]
pub struct ParamsArgs {
    #[command(subcommand)]
    pub command: Option<ParamsCommand>,
    #[command(flatten)]
    pub target: Target,
    #[command(flatten)]
    pub leaves: LeafArgs,
    #[command(flatten)]
    pub output: Output,
}

/// Subcommands of `params`.
#[derive(Clone, Debug, Subcommand)]
pub enum ParamsCommand {
    /// Show every layout that no other one beats in both time and size, and mark the one that is taken
    Search(SearchArgs),
}

/// Arguments of `params search`; the output is the parameter file of the one that is taken.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("force", of_an_output))]
pub struct SearchArgs {
    #[command(flatten)]
    pub target: Target,
    #[command(flatten)]
    pub leaves: LeafArgs,
    #[command(flatten)]
    pub output: Output,
    /// Show and take none whose proof can be longer, such as `64KiB`
    #[arg(long, value_name = "SIZE", value_parser = units::parse_bytes)]
    pub max_size: Option<u64>,
    /// Show and take none that is predicted to take longer to commit and open, such as `5ms`; without a unit, milliseconds
    #[arg(long, value_name = "TIME", value_parser = units::parse_millis)]
    pub max_time: Option<f64>,
}

/// Arguments of `inspect`.
#[derive(Args, Clone, Debug)]
pub struct InspectArgs {
    /// A commitment, a proof, or the secret of a hiding commitment, of which the openings left are shown
    pub file: PathBuf,
    #[command(flatten)]
    pub theorems: TheoremArgs,
}

/// Where public weights are.
#[derive(Args, Clone, Debug, Default)]
pub struct WeightsArgs {
    /// Public weights, one per row: a CSV column, a JSON or NPY array, JSON lines; for a file of bytes, as many bytes
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Column of the weights in a CSV file or member of JSON lines, by its name
    #[arg(long, value_name = "NAME", requires = "weights")]
    pub weights_column: Option<String>,
    /// Delimiter of a CSV file of weights, one ASCII character or `tab` [default: ,]
    #[arg(long, value_name = "CHAR", value_parser = input::parse_delimiter, requires = "weights")]
    pub weights_delimiter: Option<u8>,
    /// The first row of the weights holds numbers; columns are named 1, 2, 3, ...
    #[arg(long, requires = "weights")]
    pub weights_no_header: bool,
}

impl WeightsArgs {
    /// Refuses options about tables, which bytes are not.
    pub fn check_bytes(&self) -> Result<(), Failure> {
        let of_tables = [
            (self.weights_column.is_some(), "--weights-column"),
            (self.weights_delimiter.is_some(), "--weights-delimiter"),
            (self.weights_no_header, "--weights-no-header"),
        ];
        input::refuse(&of_tables, "leave it out: the weights are the bytes of their file")
    }
}

/// Where a result goes.
#[derive(Args, Clone, Debug)]
pub struct Output {
    /// Write to this file; `-` is standard output [default: beside what is read, by its name with the ending `.commitment`, `.proof` or
    /// `.signature`; `params` and `compare` write none]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

/// Whether files of another kind are replaced; read by [`Files`] for every command that has it.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Force {
    /// Replace a file even if it is of another kind than what is written. Inputs and secrets are never replaced
    #[arg(long)]
    pub force: bool,
}

/// `--force` of a command that writes no file unless one is named.
fn of_an_output(force: Arg) -> Arg {
    force.requires("output")
}

/// 64 hexadecimal digits.
fn parse_fingerprint(text: &str) -> Result<[u8; 32], &'static str> {
    units::from_hex(text).ok_or("no fingerprint: 64 hexadecimal digits")
}

#[cfg(test)]
mod tests;
