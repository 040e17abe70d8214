//! `tenfold-bench`: measures commitment schemes and their peers.
#![forbid(unsafe_code)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use pcs::fields::Fields;
use pcs::ligerito;
use pcs::pip::InnerKind;
use pcs::pip::search::{Profile, Wanted};
use tenfold_bench::{
    harness::{self, Case, Plan},
    machine::{self, Machine, Pages},
    model, ours, paper,
    peers::{
        self,
        plonky3::{self, Shape},
    },
    report::{self, Report, results_folder},
    rings::{self, RingArgs},
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
    /// Ours, DeepFold and Plonky3's FRI commitment at equal data, alternated in one run
    Table(TableArgs),
    /// Ligerito and the published crate on the same bytes, alternated in one run
    Binary(BinaryArgs),
    /// What the search predicts of Ligerito's named profiles beside what is measured, on one thread
    Model(ModelArgs),
    /// Ring proofs beside w3f-ring-proof and ark-vrf, alternated in one run
    Ring(RingArgs),
    /// Plonky3's FRI commitment alone
    Peer(PeerArgs),
    /// One self-contained HTML page with plots, from results
    Page {
        /// Results of earlier runs
        #[arg(required = true)]
        results: Vec<PathBuf>,
        /// Where to write the page
        #[arg(short, long, default_value = "bench.html")]
        output: PathBuf,
    },
}

/// Options of every measurement.
#[derive(Args)]
struct RunArgs {
    /// Counted rounds
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Thread counts
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    threads: Vec<usize>,
    /// Where to write the JSON [default: the results folder of this crate]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Also write a page with plots
    #[arg(long)]
    html: Option<PathBuf>,
    /// Whether freed memory goes back to the system; at small sizes page faults are much of a commit
    #[arg(long, value_enum, default_value = "kept")]
    pages: Pages,
    /// Write no JSON
    #[arg(long, conflicts_with = "out")]
    no_save: bool,
}

#[derive(Args)]
struct PeerArgs {
    /// log2 of the number of base elements
    #[arg(long, value_delimiter = ',', default_value = "20")]
    log_size: Vec<usize>,
    /// Fields to measure
    #[arg(long, value_enum, value_delimiter = ',', default_value = "koala-bear,goldilocks")]
    field: Vec<Data>,
    /// Numbers of queries
    #[arg(long, value_delimiter = ',', default_value = "67,34")]
    queries: Vec<usize>,
    /// log2 of the number of columns
    #[arg(long, default_value_t = 6)]
    log_columns: usize,
    /// log2 of the inverse rate
    #[arg(long, default_value_t = 3)]
    log_inv_rate: usize,
    /// log2 of the folding arities: 1 is the textbook, 3 what is best for the peer
    #[arg(long, value_delimiter = ',', default_value = "1,3")]
    log_arity: Vec<usize>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
struct TableArgs {
    /// log2 of the numbers of base elements
    #[arg(long, value_delimiter = ',', default_value = "20")]
    log_size: Vec<u32>,
    /// Proven bits of our schemes
    #[arg(long, default_value_t = 100)]
    bits: u32,
    /// Fields of the data
    #[arg(long, value_enum, value_delimiter = ',', default_value = "koala-bear,goldilocks")]
    field: Vec<Data>,
    /// Challenge fields [default: the search takes the best over each data field]
    #[arg(long, value_delimiter = ',', value_parser = parse_fields)]
    over: Vec<Fields>,
    /// Profiles of ours
    #[arg(long, value_enum, value_delimiter = ',', default_value = "fast,small")]
    profile: Vec<Trade>,
    /// Inner arguments of ours
    #[arg(long, value_enum, value_delimiter = ',', default_value = "recursion")]
    inner: Vec<Argument>,
    /// Fixes the rates of our commitment: log2 of the inverse [default: what the search finds]
    #[arg(long, value_delimiter = ',')]
    rates: Vec<u32>,
    /// Queries of the peer at rate 1/8, arity 2 and 8; empty leaves it out
    #[arg(long, value_delimiter = ',', default_value = "67", num_args = 0..)]
    peer_queries: Vec<usize>,
    /// log2 of DeepFold's numbers of fragments at rate 1/8; empty leaves it out
    #[arg(long, value_delimiter = ',', default_value = "6,0", num_args = 0..)]
    deepfold: Vec<u32>,
    /// Leave the peer and DeepFold out
    #[arg(long)]
    ours_only: bool,
    /// Show what the paper of PIP_FRI reports for these sizes
    #[arg(long)]
    paper: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
struct BinaryArgs {
    /// log2 of the numbers of 32-bit words of data: 20 is 4 MiB
    #[arg(long, value_delimiter = ',', default_value = "20")]
    log_size: Vec<u32>,
    /// Leave the crate out
    #[arg(long)]
    ours_only: bool,
    /// Show what was published for Ligerito
    #[arg(long)]
    paper: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args)]
struct ModelArgs {
    /// log2 of the numbers of 32-bit words of data
    #[arg(long, value_delimiter = ',', default_value = "18,20,22,24")]
    log_size: Vec<u32>,
    /// Counted rounds
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Whether freed memory goes back to the system
    #[arg(long, value_enum, default_value = "kept")]
    pages: Pages,
}

/// Fields of the data.
#[derive(Clone, Copy, ValueEnum)]
enum Data {
    KoalaBear,
    Goldilocks,
    Mersenne61,
    Bn254,
}

impl Data {
    fn challenges(self) -> &'static [Fields] {
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
enum Trade {
    Fast,
    Small,
}

/// Inner arguments.
#[derive(Clone, Copy, ValueEnum)]
enum Argument {
    Recursion,
    Chain,
    TwoChains,
}

impl Argument {
    fn kind(self) -> InnerKind {
        match self {
            Self::Recursion => InnerKind::Recursion,
            Self::Chain => InnerKind::Chain,
            Self::TwoChains => InnerKind::TwoChains,
        }
    }
}

impl Trade {
    fn profile(self) -> Profile {
        match self {
            Self::Fast => Profile::Fast,
            Self::Small => Profile::Small,
        }
    }
}

fn parse_fields(name: &str) -> Result<Fields, String> {
    let named = Fields::ALL.into_iter().find(|f| f.name() == name);
    named.ok_or_else(|| format!("one of {}", Fields::ALL.map(Fields::name).join(", ")))
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Peer(args) => peer_alone(&args),
        Command::Table(args) => table(&args),
        Command::Binary(args) => binary(&args),
        Command::Model(args) => predictions(&args),
        Command::Ring(args) => rings::main(&args),
        Command::Page { results, output } => page(&results, &output),
    }
}

/// The peer over a data field that it has, if it fits.
fn peer(field: Data, shape: Shape) -> Result<Case> {
    ours::fits(shape.memory(field.challenges()[0].base_bytes() as u64), machine::available())?;
    match field {
        Data::KoalaBear => plonky3::koala_bear(shape),
        Data::Goldilocks => plonky3::goldilocks(shape),
        Data::Mersenne61 | Data::Bn254 => bail!("the peer is measured over koala-bear and goldilocks only"),
    }
}

fn peer_alone(args: &PeerArgs) -> Result<()> {
    args.run.pages.settle()?;
    for &log_size in &args.log_size {
        let mut cases = Vec::new();
        for shape in shapes(args, log_size) {
            for &field in &args.field {
                cases.push(peer(field, shape)?);
            }
        }
        measure(&cases, &args.run, &format!("peer-{log_size}"))?;
    }
    Ok(())
}

fn table(args: &TableArgs) -> Result<()> {
    args.run.pages.settle()?;
    let memory = machine::available();
    let mut cases = Vec::new();
    for &log_size in &args.log_size {
        for &field in &args.field {
            for case in at(args, log_size, field, memory) {
                case.map(|case| cases.push(case))
                    .unwrap_or_else(|e| eprintln!("2^{log_size}, left out: {e:#}"));
            }
        }
    }
    let sizes: Vec<String> = args.log_size.iter().map(u32::to_string).collect();
    measure(&cases, &args.run, &format!("table-{}-{}", sizes.join("-"), args.bits))?;
    if args.paper {
        print!("{}", paper::table(&args.log_size));
    }
    Ok(())
}

fn binary(args: &BinaryArgs) -> Result<()> {
    args.run.pages.settle()?;
    let memory = machine::available();
    let mut cases = Vec::new();
    for &log_size in &args.log_size {
        let peers =
            [false, true].map(|claim| (!args.ours_only).then(|| peers::ligerito::case(log_size, claim)));
        let ours = cases_of_ligerito().into_iter().map(|named| ours::ligerito(log_size, named, memory));
        for case in peers.into_iter().flatten().chain(ours) {
            case.map(|case| cases.push(case)).unwrap_or_else(|e| eprintln!("2^{log_size}, left out: {e:#}"));
        }
    }
    let sizes: Vec<String> = args.log_size.iter().map(u32::to_string).collect();
    measure(&cases, &args.run, &format!("binary-{}", sizes.join("-")))?;
    if args.paper {
        print!("{}", paper::ligerito());
    }
    Ok(())
}

fn predictions(args: &ModelArgs) -> Result<()> {
    args.pages.settle()?;
    let memory = machine::available();
    let found: Vec<_> =
        args.log_size.iter().map(|&log_size| model::cases(log_size, memory)).collect::<Result<_>>()?;
    let (cases, predicted): (Vec<Case>, Vec<model::Predicted>) = found.into_iter().flatten().unzip();
    let plan = Plan { rounds: args.rounds, threads: vec![1] };
    let measured = harness::run(&cases, &plan, |_, _, _| ())?;
    print!("{}", model::table(&predicted, &measured));
    Ok(())
}

/// The named profiles of Ligerito over each of their fields, and the fast one with claims about the words themselves.
fn cases_of_ligerito() -> Vec<ours::Named> {
    use ligerito::{Entries, Fields, Preset};
    let mut cases: Vec<ours::Named> = Preset::ALL
        .into_iter()
        .flat_map(|preset| preset.fields().iter().map(move |&fields| (preset, fields, Entries::Whole)))
        .collect();
    cases.insert(1, (Preset::Fast, Fields::Gf128, Entries::Words32));
    cases
}

/// The cases of one size over one data field, peers first: ratios are read against the first case.
fn at(args: &TableArgs, log_size: u32, field: Data, memory: u64) -> Vec<Result<Case>> {
    let mut cases = Vec::new();
    let fields = if args.over.is_empty() { field.challenges() } else { &args.over };
    if !args.ours_only {
        for &queries in &args.peer_queries {
            for log_arity in [1, 3] {
                let log_size = log_size as usize;
                let log_columns = 6.min(log_size.saturating_sub(1));
                cases.push(peer(field, Shape { log_size, log_columns, log_inv_rate: 3, log_arity, queries }));
            }
        }
    }
    let rates = args.rates.iter().copied().map(Some);
    for log_inv_rate in rates.chain(args.rates.is_empty().then_some(None)) {
        for (trade, inner) in args.profile.iter().flat_map(|t| args.inner.iter().map(move |i| (t, i.kind())))
        {
            let plain = Wanted::new(fields[0], log_size, args.bits, trade.profile());
            let max_forms = if inner == InnerKind::TwoChains { 1 } else { plain.max_forms };
            let wanted = Wanted { log_inv_rate, inner, max_forms, ..plain };
            cases.push(ours::pip(fields, &wanted, memory));
        }
    }
    if !args.ours_only {
        // One long code does not fit every field: KoalaBear's ends at 2^24 points.
        for &log_columns in &args.deepfold {
            cases.push(ours::deepfold(fields, [log_size, log_columns, 3], args.bits, memory));
        }
    }
    cases
}

/// Every arity with every number of queries.
fn shapes(args: &PeerArgs, log_size: usize) -> impl Iterator<Item = Shape> {
    let PeerArgs { log_columns, log_inv_rate, .. } = *args;
    args.log_arity.iter().flat_map(move |&log_arity| {
        let queries = args.queries.iter();
        queries.map(move |&queries| Shape { log_size, log_columns, log_inv_rate, log_arity, queries })
    })
}

/// One page from several results, each with the machine it was measured on.
fn page(results: &[PathBuf], output: &Path) -> Result<()> {
    let reports: Vec<Report> = results.iter().map(|path| Report::load(path)).collect::<Result<_>>()?;
    write_page(&reports, output)
}

fn write_page(reports: &[Report], output: &Path) -> Result<()> {
    fs::write(output, report::page(reports)).with_context(|| output.display().to_string())?;
    eprintln!("page written to {}", output.display());
    Ok(())
}

/// Runs the cases, prints the table and writes `<name>-<pages>.json`; [`Pages::settle`] first, which may start over.
fn measure(cases: &[Case], args: &RunArgs, name: &str) -> Result<()> {
    let machine = Machine::here();
    let plan = Plan { rounds: args.rounds, threads: args.threads.clone() };
    let measured = harness::run(cases, &plan, |round, case, threads| {
        eprint!("\r\x1b[Kround {round}/{}: {} on {threads}", args.rounds, case.name());
    })?;
    eprint!("\r\x1b[K");
    let command = std::env::args().skip(1).fold("tenfold bench".to_owned(), |line, arg| line + " " + &arg);
    let report = Report { machine, command, measured };
    print!("{}", report.table());
    if let Some(path) = &args.html {
        write_page(std::slice::from_ref(&report), path)?;
    }
    if !args.no_save {
        let path = args.out.clone().unwrap_or_else(|| {
            let pages = format!("{:?}", report.machine.pages).to_lowercase();
            results_folder().join(format!("{name}-{pages}.json"))
        });
        report.save(&path)?;
    }
    Ok(())
}
