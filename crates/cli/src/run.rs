//! From arguments to an exit code.

use std::any::TypeId;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::{Cli, Command, Common};
use crate::commands;
use crate::doctor;
use crate::exit::{Exit, Failure};
use crate::files::Files;
use crate::interrupts;
use crate::output;
use crate::table::Paint;
use crate::terminal;

/// The command line, with all that it takes.
#[must_use]
pub fn command() -> clap::Command {
    with_negative_numbers(Cli::command())
}

/// The same, with numbers such as `-1` read as values of the options that take numbers, whose own answer says which these are.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let of = |arg: &clap::Arg| {
        let found = arg.get_value_parser().type_id();
        let numbers = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<f64>(),
        ];
        arg.get_long().is_some() && numbers.into_iter().any(|number| found == number)
    };
    let command = command.mut_args(|arg| if of(&arg) { arg.allow_negative_numbers(true) } else { arg });
    command.mut_subcommands(with_negative_numbers)
}

/// Runs the command line and returns the exit code; the first argument is the name of the program.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let command = command();
    let parsed = command.clone().try_get_matches_from(&args).and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        cli.common.files = Files::of(&command, &matches).guarded(commands::witness::keep_paired);
        Ok(cli)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(e) => return output::ended(misused(&args, e)),
    };
    interrupts::watch();
    let common = cli.common.clone();
    if common.files.take_stdout() {
        output::divert();
    }
    let result = check_tier(&cli).and_then(|()| set_threads(&common)).and_then(|()| dispatch(&cli));
    let exit = match result {
        Ok(exit) => exit,
        Err(failure) => {
            say(&failure, &common);
            failure.exit
        }
    };
    output::ended(exit)
}

/// Says what failed and what to do about it; with `--json` on stdout, too.
pub(crate) fn say(failure: &Failure, common: &Common) {
    note!("{}", failure.render(Paint::stderr()).trim_end());
    if common.json {
        output::json(&failure.json());
    }
}

/// Prints the error about these arguments, or the help that was asked for.
fn misused(args: &[OsString], error: clap::Error) -> Exit {
    // The message quotes arguments, so those with control characters and line breaks are parsed once more, escaped.
    let escaped: Vec<String> =
        args.iter().map(|arg| terminal::escape(&arg.to_string_lossy()).into_owned()).collect();
    let is_plain = args.iter().zip(&escaped).all(|(arg, escaped)| arg.as_os_str() == escaped.as_str());
    let error = match command().try_get_matches_from(escaped) {
        _ if is_plain => error,
        Err(escaped) => escaped,
        Ok(_) => {
            // What was wrong is in the characters that the escaped arguments lack.
            note!("{}", terminal::escape(error.render().to_string().trim_end()));
            return unusable(args, &error);
        }
    };
    if !error.use_stderr() {
        output::help(&error);
        return Exit::Valid;
    }
    let _ = error.print();
    unusable(args, &error)
}

/// The exit code of arguments that cannot be used; with `--json` among them prints the failure as an object.
fn unusable(args: &[OsString], error: &clap::Error) -> Exit {
    // Behind `--` are no options.
    if args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json") {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let (message, usage) = text.split_once("\n\n").unwrap_or((text, "see --help"));
        output::json(&Failure::usage(message.trim_end(), usage.trim()).json());
    }
    Exit::Usage
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
        #[cfg(feature = "ring")]
        Command::Ring(args) => commands::ring::run(args, common),
        #[cfg(not(feature = "ring"))]
        Command::Ring(_) => Err(commands::absent("ring", "ring")),
        #[cfg(feature = "fleet")]
        Command::Fleet(command) => commands::fleet::run(command, common),
        #[cfg(feature = "ledger")]
        Command::Ledger(command) => commands::ledger::run(command, common),
        #[cfg(not(feature = "ledger"))]
        Command::Ledger(_) => Err(commands::absent("ledger", "ledger")),
        #[cfg(not(feature = "fleet"))]
        Command::Fleet(_) => Err(commands::absent("fleet", "fleet")),
        #[cfg(feature = "cluster")]
        Command::Cluster(command) => commands::cluster::run(command, common),
        #[cfg(not(feature = "cluster"))]
        Command::Cluster(_) => Err(commands::absent("cluster", "cluster")),
        Command::Data(args) => commands::describe::run(args, common),
        Command::Bench { arguments } => commands::bench::run(arguments),
        Command::Doctor => doctor::run(common),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command(), "tenfold", &mut script);
            output::text(String::from_utf8_lossy(&script));
            Ok(Exit::Valid)
        }
        Command::Manual { command } => manual(command),
    }
}

/// Prints the man page of a command.
fn manual(path: &[String]) -> Result<Exit, Failure> {
    let mut root = command().disable_help_subcommand(true);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A negative number is no option: it is refused by what the option takes.
    #[test]
    fn negative_numbers_are_answered_by_their_options() {
        for words in [
            &["open", "x", "--commitment", "c", "--row", "-1"][..],
            &["tour", "x", "--row", "-1"],
            &["commit", "x", "--scale", "-2"],
            &["commit", "x", "--hiding", "-1"],
            &["commit", "x", "--bits", "-1"],
            &["commit", "x", "--threads", "-1"],
            &["commit", "x", "--max-memory", "-1"],
            &["verify", "x", "--min-bits", "-1"],
        ] {
            let refused =
                command().try_get_matches_from(["tenfold"].iter().chain(words)).unwrap_err().to_string();
            let [.., option, value] = words else { unreachable!("an option and its value") };
            assert!(refused.contains(&format!("invalid value '{value}' for '{option}")), "{refused}");
            assert!(!refused.contains("-- -"), "{refused}");
        }
    }

    #[test]
    fn every_command_has_a_man_page() {
        assert!(manual(&[]).is_ok());
        for command in command().get_subcommands() {
            assert!(manual(&[command.get_name().to_owned()]).is_ok(), "{}", command.get_name());
        }
        assert_eq!(manual(&["no".into()]).unwrap_err().exit, Exit::Usage);
    }
}
