//! The command line as a whole.

use super::*;
use clap::CommandFactory;

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

/// Options that take one of some values say which.
#[test]
fn help_names_the_possible_values() {
    fn check(command: &mut clap::Command) {
        let help = command.render_long_help().to_string();
        assert!(!help.contains("[possible values: ]"), "{help}");
        command.get_subcommands_mut().for_each(check);
    }
    let mut command = Cli::command();
    command.build();
    check(&mut command);
    let refused = Cli::try_parse_from(["tenfold", "commit", "x", "--parts", "3"]).unwrap_err();
    assert!(refused.to_string().contains("[possible values: 1, 2, 4, 8, 16]"), "{refused}");
}

/// The usage shows the option that replaces the file.
#[test]
fn usage_names_what_replaces_the_file() {
    let mut commands: Vec<(&[&str], &str)> = vec![(&["open", "--commitment", "c"], "--witness <FILE>")];
    if cfg!(feature = "cluster") {
        commands.push((&["cluster", "prove", "--ranks", "2"], "--shards <DIR>"));
    }
    for (command, other) in commands {
        let refused = Cli::try_parse_from(["tenfold"].iter().chain(command)).unwrap_err().to_string();
        assert!(refused.contains("<FILE>") && refused.contains(other), "{refused}");
    }
}
