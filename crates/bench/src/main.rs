//! `tenfold-bench`: measures commitment schemes and their peers.
#![forbid(unsafe_code)]

#[macro_use]
extern crate tenfold_report;

mod args;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use args::{BinaryArgs, Cli, Command, Data, Device, ModelArgs, PeerArgs, RunArgs, TableArgs};
use clap::{CommandFactory, FromArgMatches};
use pcs::fields::Fields;
use pcs::ligerito;
use pcs::pip::InnerKind;
use pcs::pip::search::SearchTarget;
use tenfold_bench::{
    air, groth16,
    harness::{self, Case, Plan},
    kzg,
    machine::{self, Machine},
    model, ours, outputs, paper,
    peers::{
        self, basefold,
        plonky3::{self, Shape},
        whir,
    },
    report::{self, Report, Results},
    rings, unusable,
};
use tenfold_report::exit::{Exit, Failure};
use tenfold_report::files::{Files, Kind, Output};
use tenfold_report::output;
use tenfold_report::table::Paint;

fn main() -> ExitCode {
    let command = Cli::command();
    let matches = match command.clone().try_get_matches() {
        Err(e) if !e.use_stderr() => {
            output::help(&e);
            return output::ended(Exit::Valid);
        }
        matches => matches.unwrap_or_else(|e| e.exit()),
    };
    let files = Files::of(&command, &matches);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    let Err(error) = run(cli.command, &files) else { return output::ended(Exit::Valid) };
    // A measured scheme that fails ends with 1, as a proof that is rejected.
    let failure = error.downcast().unwrap_or_else(|error| Failure::invalid(format!("{error:#}")));
    note!("{}", failure.render(Paint::stderr()).trim_end());
    output::ended(failure.exit)
}

fn run(command: Command, files: &Files) -> Result<()> {
    if let Err(e) = field::cpu::forced() {
        return Err(Failure::usage(e.to_string(), "`tenfold doctor` shows what there is").into());
    }
    match command {
        Command::Peer(args) => peer_alone(&args, files),
        Command::Table(args) => table(&args, files),
        Command::Binary(args) => binary(&args, files),
        Command::Model(args) => predictions(&args),
        Command::Air(args) => {
            output::text(air::tables(&args)?);
            Ok(())
        }
        Command::Kzg(args) => {
            output::text(kzg::tables(&args)?);
            Ok(())
        }
        Command::Groth16(args) => {
            output::text(groth16::tables(&args)?);
            Ok(())
        }
        Command::Ring(args) => rings::main(&args, files),
        Command::Page { results, output } => page(&results, &files.result(Kind::Page, &output)?),
    }
}

/// The peer over a data field that it has, if it fits.
fn peer(field: Data, shape: Shape) -> Result<Case> {
    ours::fits(shape.memory(field.challenges()[0].base_bytes() as u64), machine::available())?;
    match field {
        Data::KoalaBear => plonky3::koala_bear(shape),
        Data::Goldilocks => plonky3::goldilocks(shape),
        Data::Mersenne61 | Data::Bn254 => {
            let message = "the peer is measured over koala-bear and goldilocks only";
            Err(Failure::usage(message, "pass one of them by --field").into())
        }
    }
}

fn peer_alone(args: &PeerArgs, files: &Files) -> Result<()> {
    args.run.pages.settle()?;
    let outputs = Outputs::claim(files, &args.run, &format!("peer-{}", joined(&args.log_size)))?;
    machine::warn_of_portable_peers();
    let mut cases = Vec::new();
    for &log_size in &args.log_size {
        for shape in shapes(args, log_size) {
            for &field in &args.field {
                cases.push(peer(field, shape).map_err(|e| unusable(e, "peer"))?);
            }
        }
    }
    measure(&cases, &args.run, &outputs)
}

fn table(args: &TableArgs, files: &Files) -> Result<()> {
    args.run.pages.settle()?;
    let outputs =
        Outputs::claim(files, &args.run, &format!("table-{}-{}", joined(&args.log_size), args.bits))?;
    if !args.ours_only {
        machine::warn_of_portable_peers();
    }
    let memory = machine::available();
    let mut cases = Vec::new();
    for &log_size in &args.log_size {
        for &field in &args.field {
            for case in at(args, log_size, field, memory) {
                case.map(|case| cases.push(case)).unwrap_or_else(|e| note!("2^{log_size}, left out: {e:#}"));
            }
        }
    }
    measure(&cases, &args.run, &outputs)?;
    if args.paper {
        output::text(paper::table(&args.log_size));
    }
    Ok(())
}

fn binary(args: &BinaryArgs, files: &Files) -> Result<()> {
    args.run.pages.settle()?;
    let outputs = Outputs::claim(files, &args.run, &format!("binary-{}", joined(&args.log_size)))?;
    if !args.ours_only {
        machine::warn_of_portable_peers();
    }
    let memory = machine::available();
    let gpu = if args.device == Device::Gpu { Some(gpu::Gpu::open()?) } else { None };
    let mut cases = Vec::new();
    for &log_size in &args.log_size {
        let peers = if args.ours_only { Vec::new() } else { binary_peers(log_size, memory) };
        let on = |gpu| {
            cases_of_ligerito().into_iter().map(move |named| ours::ligerito(log_size, named, memory, gpu))
        };
        let ours = on(None).chain(gpu.iter().flat_map(|gpu| on(Some(gpu))));
        for case in peers.into_iter().chain(ours) {
            case.map(|case| cases.push(case)).unwrap_or_else(|e| note!("2^{log_size}, left out: {e:#}"));
        }
    }
    measure(&cases, &args.run, &outputs)?;
    if args.paper {
        output::text(paper::ligerito());
    }
    Ok(())
}

/// The published crate without and with a claim, then WHIR and BaseFold of Plonky3, on as many bytes as so many words of 32 bits.
fn binary_peers(log_words: u32, memory: u64) -> Vec<Result<Case>> {
    let mut cases: Vec<_> = [false, true].map(|claim| peers::ligerito::case(log_words, claim)).into();
    // Entries are as long as two words.
    let log_size = log_words.saturating_sub(1) as usize;
    cases.extend([(1, 100), (2, 100), (2, 128)].map(|(log_inv_rate, bits)| {
        let shape = whir::Shape { log_size, log_inv_rate, bits };
        ours::fits(shape.memory(8, 24), memory).and_then(|()| whir::binary(shape))
    }));
    cases.extend([1, 2].map(|log_inv_rate| {
        let shape = basefold::Shape { log_size, log_inv_rate, bits: 100 };
        ours::fits(shape.memory(), memory).and_then(|()| basefold::case(shape))
    }));
    cases
}

fn predictions(args: &ModelArgs) -> Result<()> {
    args.pages.settle()?;
    let memory = machine::available();
    let cases = |&log_size| model::cases(log_size, memory).map_err(|e| unusable(e, "model"));
    let found: Vec<_> = args.log_size.iter().map(cases).collect::<Result<_, _>>()?;
    let (cases, predicted): (Vec<Case>, Vec<model::Predicted>) = found.into_iter().flatten().unzip();
    let plan = Plan { rounds: args.rounds, threads: vec![1] };
    let measured = harness::run(&cases, &plan, |_, _, _| ())?;
    output::text(model::table(&predicted, &measured));
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

/// Plonky3's FRI with the queries that are asked for and no work, and as many bits as ours with work.
fn plonky3_cases(args: &TableArgs, log_size: usize, field: Data) -> Vec<Result<Case>> {
    let log_columns = 6.min(log_size.saturating_sub(1));
    let shape = |log_arity, queries| Shape {
        log_size,
        log_columns,
        log_inv_rate: 3,
        log_arity,
        queries,
        grinding: [0, 0],
    };
    let idle =
        args.peer_queries.iter().flat_map(|&queries| [1, 3].map(|log_arity| shape(log_arity, queries)));
    let mut cases: Vec<_> = idle.map(|shape| peer(field, shape)).collect();
    let challenges = match field {
        Data::KoalaBear => Fields::KoalaBear4,
        Data::Goldilocks => Fields::Goldilocks2,
        Data::Mersenne61 | Data::Bn254 => return cases,
    };
    if !args.peer_queries.is_empty() {
        let by_work = |log_arity| shape(log_arity, 1).by_work(args.bits, challenges);
        cases.extend([1, 3].map(|log_arity| by_work(log_arity).and_then(|shape| peer(field, shape))));
    }
    cases
}

/// The cases of one size over one data field, peers first: ratios are read against the first case.
fn at(args: &TableArgs, log_size: u32, field: Data, memory: u64) -> Vec<Result<Case>> {
    let mut cases = Vec::new();
    let fields = if args.over.is_empty() { field.challenges() } else { &args.over };
    if !args.ours_only {
        cases.extend(plonky3_cases(args, log_size as usize, field));
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
            let plain = SearchTarget::new(fields[0], log_size, args.bits, trade.profile());
            let max_forms = if inner == InnerKind::TwoChains { 1 } else { plain.max_forms };
            let wanted = SearchTarget { log_inv_rate, inner, max_forms, ..plain };
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
        let grinding = [0, 0];
        queries.map(move |&queries| Shape {
            log_size,
            log_columns,
            log_inv_rate,
            log_arity,
            queries,
            grinding,
        })
    })
}

/// Writes one page from several results, each with the machine it was measured on.
fn page(results: &[PathBuf], output: &Output) -> Result<()> {
    let results: Vec<Results> = results.iter().map(|path| Results::load(path)).collect::<Result<_, _>>()?;
    write_page(&report::page(&results)?, output)
}

fn write_page(page: &str, output: &Output) -> Result<()> {
    output.write(page.as_bytes())?;
    note!("page written to {}", output.path().display());
    Ok(())
}

/// Sizes in the name of a file.
fn joined(sizes: &[impl ToString]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

/// The files of a measurement.
struct Outputs {
    results: Option<Output>,
    page: Option<Output>,
}

impl Outputs {
    /// Claims the places, of results by default `<name>-<pages>.json`; [`machine::Pages::settle`] first, which may start over.
    fn claim(files: &Files, args: &RunArgs, name: &str) -> Result<Self> {
        let name = format!("{name}-{}.json", format!("{:?}", args.pages).to_lowercase());
        let page = args.page_output.as_deref().map(|path| files.result(Kind::Page, path)).transpose()?;
        let results = match args.no_save {
            true => None,
            false => outputs::results(files, args.output.as_deref(), &name)?,
        };
        Ok(Self { results, page })
    }
}

/// Runs the cases, prints the table and writes the files.
fn measure(cases: &[Case], args: &RunArgs, outputs: &Outputs) -> Result<()> {
    let machine = Machine::here();
    let plan = Plan { rounds: args.rounds, threads: args.threads.clone() };
    let measured = harness::run(cases, &plan, |round, case, threads| {
        output::status(format_args!("round {round}/{}: {} on {threads}", args.rounds, case.name()));
    })?;
    output::status("");
    let command = std::env::args().skip(1).fold("tenfold bench".to_owned(), |line, arg| line + " " + &arg);
    let report = Report { machine, command, measured };
    output::text(report.table());
    if let Some(output) = &outputs.results {
        outputs::save(output, &report)?;
    }
    let page = || report::page_of_commitments(&[&report]);
    outputs.page.as_ref().map_or(Ok(()), |output| write_page(&page(), output))
}
