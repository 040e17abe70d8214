//! The command line of the measurements.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use pcs::fields::Fields;
use pcs::pip::InnerKind;
use pcs::pip::search::Profile;
use tenfold_bench::air::AirArgs;
use tenfold_bench::groth16::Groth16Args;
use tenfold_bench::kzg::KzgArgs;
use tenfold_bench::machine::Pages;
use tenfold_bench::rings::RingArgs;
use tenfold_bench::{rounds, sizes, threads};

/// Measures polynomial commitments and their peers.
#[derive(Parser)]
#[command(version)]
pub struct Cli {
    /// Replace files that are no results or pages; inputs of the command and secrets are never replaced
    #[arg(long, global = true)]
    pub force: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Ours, DeepFold and Plonky3's FRI and WHIR commitments at equal data, alternated in one run
    Table(TableArgs),
    /// Ligerito, the published crate and Plonky3's WHIR and BaseFold on as many bytes, alternated in one run
    Binary(BinaryArgs),
    /// Predictions of the search for Ligerito's named profiles beside measurements, on one thread
    Model(ModelArgs),
    /// Air-FRI at the published sizes, by the published parameters and by those that prove its levels' bits, on one thread
    Air(AirArgs),
    /// Multilinear KZG, plain and over fragments, alternated in one run on one thread, and by several ranks
    Kzg(KzgArgs),
    /// Groth16 over BN254 beside arkworks and gnark, alternated in one run
    Groth16(Groth16Args),
    /// Ring proofs beside w3f-ring-proof and ark-vrf, alternated in one run
    Ring(RingArgs),
    /// Plonky3's FRI commitment alone
    Peer(PeerArgs),
    /// One self-contained HTML page with plots, from results
    Page {
        /// Results of earlier runs
        #[arg(required = true)]
        results: Vec<PathBuf>,
        /// File for the page
        #[arg(short, long, default_value = "bench.html")]
        output: PathBuf,
    },
}

/// Options of every measurement.
#[derive(Args)]
pub struct RunArgs {
    /// Counted rounds
    #[arg(long, default_value_t = 7, value_parser = rounds())]
    pub rounds: usize,
    /// Thread counts
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_parser = threads())]
    pub threads: Vec<usize>,
    /// File for the JSON [default: named by the measurement, in crates/bench/results below the current directory, if there is one]
    #[arg(long = "out", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write a page with plots
    #[arg(long = "html", value_name = "FILE")]
    pub page_output: Option<PathBuf>,
    /// Treatment of freed memory: back to the system or kept; at small sizes page faults are much of a commit
    #[arg(long, value_enum, default_value = "kept")]
    pub pages: Pages,
    /// Write no JSON
    #[arg(long, conflicts_with = "output")]
    pub no_save: bool,
}

#[derive(Args)]
pub struct PeerArgs {
    /// log2 of the number of base elements
    #[arg(long, value_delimiter = ',', default_value = "20")]
    pub log_size: Vec<usize>,
    /// Fields to measure
    #[arg(long, value_enum, value_delimiter = ',', default_value = "koala-bear,goldilocks")]
    pub field: Vec<Data>,
    /// Numbers of queries
    #[arg(long, value_delimiter = ',', default_value = "67,34")]
    pub queries: Vec<usize>,
    /// log2 of the number of columns
    #[arg(long, default_value_t = 6)]
    pub log_columns: usize,
    /// log2 of the inverse rate
    #[arg(long, default_value_t = 3)]
    pub log_inv_rate: usize,
    /// log2 of the folding arities: 1 is the textbook, 3 what is best for the peer
    #[arg(long, value_delimiter = ',', default_value = "1,3")]
    pub log_arity: Vec<usize>,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
pub struct TableArgs {
    /// log2 of the numbers of base elements
    #[arg(long, value_delimiter = ',', default_value = "20", value_parser = sizes())]
    pub log_size: Vec<u32>,
    /// Proven bits of our schemes
    #[arg(long, default_value_t = 100)]
    pub bits: u32,
    /// Fields of the data
    #[arg(long, value_enum, value_delimiter = ',', default_value = "koala-bear,goldilocks")]
    pub field: Vec<Data>,
    /// Challenge fields [default: the search takes the best over each data field]
    #[arg(long, value_delimiter = ',', value_parser = parse_fields)]
    pub over: Vec<Fields>,
    /// Profiles of ours
    #[arg(long, value_enum, value_delimiter = ',', default_value = "fast,small")]
    pub profile: Vec<Trade>,
    /// Inner arguments of ours
    #[arg(long, value_enum, value_delimiter = ',', default_value = "recursion")]
    pub inner: Vec<Argument>,
    /// Fixes the rates of our commitment: log2 of the inverse [default: what the search finds]
    #[arg(long, value_delimiter = ',')]
    pub rates: Vec<u32>,
    /// Queries of the peer without work at rate 1/8, arity 2 and 8, beside as many bits as ours with work; empty leaves it out
    #[arg(long, value_delimiter = ',', default_value = "67", num_args = 0..)]
    pub peer_queries: Vec<usize>,
    /// log2 of DeepFold's numbers of fragments at rate 1/8; empty leaves it out
    #[arg(long, value_delimiter = ',', default_value = "6,0", num_args = 0..)]
    pub deepfold: Vec<u32>,
    /// Leave the peers and DeepFold out
    #[arg(long)]
    pub ours_only: bool,
    /// Show what the paper of PIP_FRI reports for these sizes
    #[arg(long)]
    pub paper: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args)]
pub struct BinaryArgs {
    /// log2 of the numbers of 32-bit words of data: 20 is 4 MiB
    #[arg(long, value_delimiter = ',', default_value = "20", value_parser = sizes())]
    pub log_size: Vec<u32>,
    /// Leave the peers out
    #[arg(long)]
    pub ours_only: bool,
    /// Device that holds our matrices
    #[arg(long, value_enum, default_value = "cpu")]
    pub device: Device,
    /// Show what was published for Ligerito
    #[arg(long)]
    pub paper: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Devices.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// The threads of this machine
    Cpu,
    /// An NVIDIA GPU, beside the same cases on the CPU
    Gpu,
}

#[derive(Args)]
pub struct ModelArgs {
    /// log2 of the numbers of 32-bit words of data
    #[arg(long, value_delimiter = ',', default_value = "18,20,22,24", value_parser = sizes())]
    pub log_size: Vec<u32>,
    /// Counted rounds
    #[arg(long, default_value_t = 5, value_parser = rounds())]
    pub rounds: usize,
    /// Treatment of freed memory: back to the system or kept
    #[arg(long, value_enum, default_value = "kept")]
    pub pages: Pages,
}

/// Fields of the data.
#[derive(Clone, Copy, ValueEnum)]
pub enum Data {
    KoalaBear,
    Goldilocks,
    Mersenne61,
    Bn254,
}

impl Data {
    pub fn challenges(self) -> &'static [Fields] {
        match self {
            Self::KoalaBear => Fields::OVER_KOALA_BEAR,
            Self::Goldilocks => Fields::OVER_GOLDILOCKS,
            Self::Mersenne61 => &[Fields::Mersenne61x2],
            Self::Bn254 => &[Fields::Bn254],
        }
    }
}

/// The search's profiles.
#[derive(Clone, Copy, ValueEnum)]
pub enum Trade {
    Fast,
    Small,
}

/// Inner arguments.
#[derive(Clone, Copy, ValueEnum)]
pub enum Argument {
    Recursion,
    Chain,
    TwoChains,
}

impl Argument {
    pub fn kind(self) -> InnerKind {
        match self {
            Self::Recursion => InnerKind::Recursion,
            Self::Chain => InnerKind::Chain,
            Self::TwoChains => InnerKind::TwoChains,
        }
    }
}

impl Trade {
    pub fn profile(self) -> Profile {
        match self {
            Self::Fast => Profile::Fast,
            Self::Small => Profile::Small,
        }
    }
}

pub fn parse_fields(name: &str) -> Result<Fields, String> {
    let named = Fields::PRIME.into_iter().find(|f| f.name() == name);
    named.ok_or_else(|| format!("one of {}", Fields::PRIME.map(Fields::name).join(", ")))
}
