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

/// A number without a unit is milliseconds, as everywhere: of a queue's times that is refused where seconds were meant.
#[cfg(feature = "fleet")]
#[test]
fn times_of_queues_that_are_a_slip_are_refused() {
    let refusal = |option: &str, time: &str| {
        let command = if option == "--grace" { "worker" } else { "submit" };
        let mut words = vec!["tenfold", "fleet", command, "--queue", "q", option, time];
        if command == "submit" {
            words.push("file");
        }
        Cli::try_parse_from(words).err().map(|refused| refused.to_string())
    };
    for time in ["30", "0.4", "999", "30ms", "0.9s"] {
        let refused = refusal("--lease", time).unwrap();
        assert!(refused.contains("the shortest lease") && refused.contains("`60s`"), "{refused}");
    }
    for option in ["--deadline", "--grace"] {
        for time in ["90", "999.5"] {
            let refused = refusal(option, time).unwrap();
            assert!(refused.contains(&format!("write `{time}s`, or `{time}ms`")), "{refused}");
        }
        assert_eq!(["90s", "90ms", "90 ms", "1000"].map(|time| refusal(option, time)), [const { None }; 4]);
    }
    assert_eq!(["60s", "1s", "1000", "1500 ms"].map(|time| refusal("--lease", time)), [const { None }; 4]);
    let help = Cli::try_parse_from(["tenfold", "fleet", "submit", "--help"]).unwrap_err().to_string();
    assert_eq!(help.matches("without a unit, milliseconds").count(), 2, "{help}");
}
