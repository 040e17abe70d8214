//! From arguments to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::{Cli, Command, Common};
use crate::commands;
use crate::doctor;
use crate::exit::{Exit, Failure};
use crate::files::Files;
use crate::output;
use crate::table::Paint;
use crate::terminal;
use tenfold_report::machine::examine;

/// Runs the command line and returns the exit code; the first argument is the name of the program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let command = Cli::command();
    let parsed = command.clone().try_get_matches_from(&args).and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        cli.common.files = Files::of(&command, &matches);
        Ok(cli)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(e) => return misused(&args, e).into(),
    };
    let common = cli.common.clone();
    if common.files.take_stdout() {
        output::divert();
    }
    let result = check_tier(&cli).and_then(|()| set_threads(&common)).and_then(|()| dispatch(&cli));
    let exit = match result {
        Ok(exit) => exit,
        Err(failure) => {
            note!("{}", failure.render(Paint::stderr()).trim_end());
            if common.json {
                output::line(format_args!("{:#}", failure.json()));
            }
            failure.exit
        }
    };
    exit.into()
}

/// Prints the error about these arguments, or the help that was asked for.
fn misused(args: &[OsString], error: clap::Error) -> Exit {
    // The message quotes arguments, so those with control characters and line breaks are parsed once more, escaped.
    let escaped: Vec<String> =
        args.iter().map(|arg| terminal::escape(&arg.to_string_lossy()).into_owned()).collect();
    let is_plain = args.iter().zip(&escaped).all(|(arg, escaped)| arg.as_os_str() == escaped.as_str());
    let error = match Cli::command().try_get_matches_from(escaped) {
        _ if is_plain => error,
        Err(escaped) => escaped,
        Ok(_) => {
            // What was wrong is in the characters that the escaped arguments lack.
            note!("{}", terminal::escape(error.render().to_string().trim_end()));
            return Exit::Usage;
        }
    };
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Valid }
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
        Command::Data(args) => commands::describe::run(args, common),
        Command::Bench(args) => commands::bench::run(args),
        Command::Doctor => {
            let machine = examine(cli.common.max_memory);
            let gpu = doctor::gpu();
            let as_json = || {
                let mut value = serde_json::to_value(&machine).unwrap_or_default();
                value["gpu"] = gpu[..].into();
                value
            };
            show(&cli.common, as_json, |paint| doctor::render(&machine, &gpu, paint))
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "tenfold", &mut script);
            output::text(String::from_utf8_lossy(&script));
            Ok(Exit::Valid)
        }
        Command::Manual { command } => manual(command),
    }
}

/// Prints the man page of a command.
fn manual(path: &[String]) -> Result<Exit, Failure> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let page = path.iter().try_fold(&root, |command, name| {
        let hint = "`tenfold help` lists the commands";
        let unknown = || Failure::usage(format!("there is no command {}", terminal::escape(name)), hint);
        command.find_subcommand(name).ok_or_else(unknown)
    })?;
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(page.clone()).render(&mut text);
    written.map_err(|e| Failure::io(e.to_string()))?;
    output::text(String::from_utf8_lossy(&text));
    Ok(Exit::Valid)
}

/// Refuses a `TENFOLD_CPU` that cannot be followed; `doctor` says so itself.
fn check_tier(cli: &Cli) -> Result<(), Failure> {
    let refused = field::cpu::forced().err().filter(|_| !matches!(cli.command, Command::Doctor));
    refused.map_or(Ok(()), |e| Err(Failure::usage(e.to_string(), "`tenfold doctor` shows what there is")))
}

fn set_threads(common: &Common) -> Result<(), Failure> {
    let Some(threads) = common.threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_man_page() {
        assert!(manual(&[]).is_ok());
        for command in Cli::command().get_subcommands() {
            assert!(manual(&[command.get_name().to_owned()]).is_ok(), "{}", command.get_name());
        }
        assert_eq!(manual(&["no".into()]).unwrap_err().exit, Exit::Usage);
    }
}
