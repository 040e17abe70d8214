//! `tenfold-bench`: measures commitment schemes and their peers.
#![forbid(unsafe_code)]

mod args;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use args::{BinaryArgs, Cli, Command, Data, ModelArgs, PeerArgs, RunArgs, TableArgs};
use clap::Parser;
use pcs::ligerito;
use pcs::pip::InnerKind;
use pcs::pip::search::Wanted;
use tenfold_bench::{
    harness::{self, Case, Plan},
    machine::{self, Machine},
    model, ours, paper,
    peers::{
        self,
        plonky3::{self, Shape},
        whir,
    },
    report::{self, Report, destination},
    rings,
};

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

/// Says so if peers were compiled without the vector instructions that ours choose when they run.
fn warn_of_portable_peers(ours_only: bool) {
    if !ours_only && cfg!(all(target_arch = "x86_64", not(target_feature = "avx2"))) {
        eprintln!(
            "peers choose their vector instructions when they are compiled: RUSTFLAGS=\"-C target-cpu=native\" gives them theirs"
        );
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
    warn_of_portable_peers(args.ours_only);
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
    warn_of_portable_peers(args.ours_only);
    let memory = machine::available();
    let mut cases = Vec::new();
    for &log_size in &args.log_size {
        let peers =
            [false, true].map(|claim| (!args.ours_only).then(|| peers::ligerito::case(log_size, claim)));
        let whir = [(1, 100), (2, 100), (2, 128)]
            .map(|(rate, bits)| (!args.ours_only).then(|| binary_whir(log_size, rate, bits, memory)));
        let ours = cases_of_ligerito().into_iter().map(|named| ours::ligerito(log_size, named, memory));
        for case in peers.into_iter().chain(whir).flatten().chain(ours) {
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

/// Plonky3's WHIR on as many bytes as so many words of 32 bits.
fn binary_whir(log_words: u32, log_inv_rate: usize, bits: u32, memory: u64) -> Result<Case> {
    let log_size = log_words.saturating_sub(1) as usize;
    let shape = whir::Shape { log_size, log_inv_rate, bits };
    ours::fits(shape.memory(8, 24), memory)?;
    whir::binary(shape)
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
    if !args.ours_only && matches!(field, Data::KoalaBear) {
        for log_inv_rate in [1, 2] {
            let shape = whir::Shape { log_size: log_size as usize, log_inv_rate, bits: args.bits };
            let fits = ours::fits(shape.memory(4, 16), memory);
            cases.push(fits.and_then(|()| whir::koala_bear(shape)));
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
        let pages = format!("{:?}", report.machine.pages).to_lowercase();
        if let Some(path) = destination(args.out.as_deref(), &format!("{name}-{pages}.json")) {
            report.save(&path)?;
        }
    }
    Ok(())
}
