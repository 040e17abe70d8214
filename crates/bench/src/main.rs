//! `tenfold-bench`: measures commitment schemes and their peers.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};
use pcs::fields::Fields;
use pcs::pip::search::{Profile, Wanted};
use tenfold_bench::{
    harness::{self, Case, Plan},
    machine::{Machine, Pages},
    ours,
    peers::plonky3::{self, Shape},
    report::{Report, results_folder},
};

/// Measures polynomial commitments and their peers.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plonky3's FRI commitment alone.
    Peer(PeerArgs),
    /// Ours beside the peers and DeepFold, alternated in one run.
    Table(TableArgs),
}

/// Options of every measurement.
#[derive(Args)]
struct RunArgs {
    /// Counted rounds.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Thread counts.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    threads: Vec<usize>,
    /// Where to write the JSON [default: the results folder of this crate].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Whether freed memory goes back to the system; at small sizes page faults are much of a commit.
    #[arg(long, value_enum, default_value = "kept")]
    pages: Pages,
    /// Write no JSON.
    #[arg(long, conflicts_with = "out")]
    no_save: bool,
}

#[derive(Args)]
struct PeerArgs {
    /// log2 of the number of base elements.
    #[arg(long, value_delimiter = ',', default_value = "20")]
    log_size: Vec<usize>,
    /// Fields to measure.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "koala-bear,goldilocks")]
    field: Vec<PeerField>,
    /// Numbers of queries.
    #[arg(long, value_delimiter = ',', default_value = "67,34")]
    queries: Vec<usize>,
    /// log2 of the number of columns.
    #[arg(long, default_value_t = 6)]
    log_columns: usize,
    /// log2 of the inverse rate.
    #[arg(long, default_value_t = 3)]
    log_inv_rate: usize,
    /// log2 of the folding arities: 1 is the textbook, 3 what is best for the peer.
    #[arg(long, value_delimiter = ',', default_value = "1,3")]
    log_arity: Vec<usize>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
struct TableArgs {
    /// log2 of the number of base elements.
    #[arg(long, default_value_t = 20)]
    log_size: u32,
    /// Proven bits of our schemes.
    #[arg(long, default_value_t = 100)]
    bits: u32,
    /// Fields to measure.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "koala-bear,goldilocks")]
    field: Vec<PeerField>,
    /// Fixes the rates of our commitment: log2 of the inverse [default: what the search finds].
    #[arg(long, value_delimiter = ',')]
    rates: Vec<u32>,
    /// Leave the peer and DeepFold out.
    #[arg(long)]
    ours_only: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum PeerField {
    KoalaBear,
    Goldilocks,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Peer(args) => peer(&args),
        Command::Table(args) => table(&args),
    }
}

fn peer(args: &PeerArgs) -> Result<()> {
    for &log_size in &args.log_size {
        let mut cases = Vec::new();
        for shape in shapes(args, log_size) {
            for &field in &args.field {
                cases.push(match field {
                    PeerField::KoalaBear => plonky3::koala_bear(shape)?,
                    PeerField::Goldilocks => plonky3::goldilocks(shape)?,
                });
            }
        }
        measure(&cases, &args.run, &format!("peer-{log_size}"))?;
    }
    Ok(())
}

/// Peers first: ratios are read against the first case.
fn table(args: &TableArgs) -> Result<()> {
    let mut cases = Vec::new();
    for &field in &args.field {
        if !args.ours_only {
            for log_arity in [1, 3] {
                let log_size = args.log_size as usize;
                let shape = Shape { log_size, log_columns: 6, log_inv_rate: 3, log_arity, queries: 67 };
                cases.push(match field {
                    PeerField::KoalaBear => plonky3::koala_bear(shape)?,
                    PeerField::Goldilocks => plonky3::goldilocks(shape)?,
                });
            }
        }
        let fields = match (field, args.bits > 100) {
            (PeerField::KoalaBear, false) => Fields::KoalaBear5,
            (PeerField::KoalaBear, true) => Fields::KoalaBear8,
            (PeerField::Goldilocks, _) => Fields::Goldilocks3,
        };
        let rates: Vec<Option<u32>> =
            if args.rates.is_empty() { vec![None] } else { args.rates.iter().copied().map(Some).collect() };
        for log_inv_rate in rates {
            for profile in [Profile::Fast, Profile::Small] {
                let wanted =
                    Wanted { log_inv_rate, ..Wanted::new(fields, args.log_size, args.bits, profile) };
                cases.push(ours::pip(&wanted)?);
            }
        }
        if !args.ours_only {
            for log_columns in [6, 0] {
                // One long code does not fit every field: KoalaBear's ends at 2^24 points.
                match ours::deepfold(fields, [args.log_size, log_columns, 3], args.bits) {
                    Ok(case) => cases.push(case),
                    Err(e) => eprintln!("deepfold x{} left out: {e}", 1u32 << log_columns),
                }
            }
        }
    }
    measure(&cases, &args.run, &format!("table-{}-{}", args.log_size, args.bits))
}

/// Every arity with every number of queries.
fn shapes(args: &PeerArgs, log_size: usize) -> impl Iterator<Item = Shape> {
    let PeerArgs { log_columns, log_inv_rate, .. } = *args;
    args.log_arity.iter().flat_map(move |&log_arity| {
        let queries = args.queries.iter();
        queries.map(move |&queries| Shape { log_size, log_columns, log_inv_rate, log_arity, queries })
    })
}

/// Runs the cases, prints the table and writes `<name>-<pages>.json`.
fn measure(cases: &[Case], args: &RunArgs, name: &str) -> Result<()> {
    args.pages.settle()?;
    let machine = Machine::here();
    let plan = Plan { rounds: args.rounds, threads: args.threads.clone() };
    let measured = harness::run(cases, &plan, |round, case, threads| {
        eprint!("\r\x1b[Kround {round}/{}: {} on {threads}", args.rounds, case.name());
    })?;
    eprint!("\r\x1b[K");
    let report = Report { machine, measured };
    print!("{}", report.table());
    if !args.no_save {
        let path = args.out.clone().unwrap_or_else(|| {
            let pages = format!("{:?}", report.machine.pages).to_lowercase();
            results_folder().join(format!("{name}-{pages}.json"))
        });
        report.save(&path)?;
    }
    Ok(())
}
