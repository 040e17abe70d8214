//! From arguments to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use serde_json::json;

use crate::args::{Cli, Command, Common, DataArgs};
use crate::commands;
use crate::data::{self, Base, Layout};
use crate::doctor;
use crate::exit::{Exit, Failure};
use crate::files::Files;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;

/// Runs the command line and returns the exit code; the first argument is the name of the program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = Cli::command();
    let parsed = command.clone().try_get_matches_from(args).and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        cli.common.files = Files::of(&command, &matches);
        Ok(cli)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return if e.use_stderr() { Exit::Usage } else { Exit::Valid }.into();
        }
    };
    let common = cli.common.clone();
    let result = check_tier(&cli).and_then(|()| set_threads(&common)).and_then(|()| dispatch(&cli));
    let exit = match result {
        Ok(exit) => exit,
        Err(failure) => {
            eprint!("{}", failure.render(Paint::stderr()));
            if common.json {
                output::line(format_args!("{:#}", failure.json()));
            }
            failure.exit
        }
    };
    exit.into()
}

fn dispatch(cli: &Cli) -> Result<Exit, Failure> {
    let common = &cli.common;
    match &cli.command {
        Command::Tour(args) => commands::tour::run(args, common),
        Command::Compare(args) => commands::compare::run(args, common),
        Command::Commit(args) => commands::commit::run(args, common),
        Command::Open(args) => commands::open::run(args, common),
        Command::Verify(args) => commands::verify::run(args, common),
        Command::Params(args) => commands::params::run(args, common),
        Command::Inspect(args) => commands::inspect::run(args, common),
        Command::Ring(args) => commands::ring::run(args, common),
        Command::Data(args) => describe(args, &cli.common),
        Command::Bench(args) => commands::bench::run(args),
        Command::Doctor => {
            let report = doctor::examine(cli.common.max_memory);
            let as_json = || serde_json::to_value(&report).unwrap_or_default();
            show(&cli.common, as_json, |paint| report.render(paint))
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "tenfold", &mut script);
            output::text(String::from_utf8_lossy(&script));
            Ok(Exit::Valid)
        }
    }
}

/// Refuses a `TENFOLD_CPU` that cannot be followed; `doctor` says so itself.
fn check_tier(cli: &Cli) -> Result<(), Failure> {
    let refused = field::cpu::forced().err().filter(|_| !matches!(cli.command, Command::Doctor));
    refused.map_or(Ok(()), |e| Err(Failure::usage(e.to_string(), "`tenfold doctor` shows what there is")))
}

fn set_threads(common: &Common) -> Result<(), Failure> {
    let Some(threads) = common.threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
    pool.build_global().map_err(|e| Failure::io(format!("cannot start {threads} threads: {e}")))
}

/// Prints a result in the form asked for.
fn show(
    common: &Common,
    as_json: impl FnOnce() -> serde_json::Value,
    as_text: impl FnOnce(Paint) -> String,
) -> Result<Exit, Failure> {
    output::text(if common.json { format!("{:#}\n", as_json()) } else { as_text(Paint::stdout()) });
    Ok(Exit::Valid)
}

/// The `data` command.
fn describe(args: &DataArgs, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let column = commands::load(&args.input, common, 16, Base::Goldilocks.raw_width(), &mut progress)?;
    let text = |x: Option<i128>| x.map(|x| data::decimal::format(x, column.scale));
    let range = column.values.range();
    let (low, high) = (text(range.map(|r| r.0)), text(range.map(|r| r.1)));
    let sum = text(column.values.sum());
    let fields: Vec<_> =
        Base::ALL.into_iter().filter(|f| f.check(&column.values, 0).is_ok()).map(Base::name).collect();
    let smallest = Base::smallest(&column.values, true).map(Base::name);
    let bytes = match column.layout {
        Layout::Bytes { length, .. } => Some(length),
        Layout::Numbers => None,
    };
    let as_json = || {
        json!({
            "name": column.name, "rows": column.rows(), "padded_rows": column.padded_rows(), "bytes": bytes,
            "scale": column.scale, "min": low, "max": high, "sum": sum,
            "fields": fields, "field_for_sums": smallest, "source_blake3": units::hex(&column.source_digest),
        })
    };
    let unknown = || "beyond 127 bits".to_owned();
    let as_text = |paint: Paint| {
        let mut lines = format!("{}\n", paint.bold(&column.name));
        let mut fact = |name: &str, value: String| lines.push_str(&format!("{name:<12} {value}\n"));
        let (rows, padded) = (column.rows() as u64, column.padded_rows() as u64);
        fact("rows", format!("{}, padded with zeros to {}", units::count(rows), units::count(padded)));
        if let Layout::Bytes { length, width } = column.layout {
            fact("bytes", format!("{}, {width} per row", units::count(length)));
        } else {
            fact("decimals", column.scale.to_string());
            fact(
                "range",
                format!("{} to {}", low.clone().unwrap_or_default(), high.clone().unwrap_or_default()),
            );
            fact("sum", sum.clone().unwrap_or_else(unknown));
        }
        fact("fields", format!("{}; with sums {}", fields.join(", "), smallest.unwrap_or("none")));
        fact("source", format!("blake3 {}", units::hex(&column.source_digest)));
        lines
    };
    show(common, as_json, as_text)
}
