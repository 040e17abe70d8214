//! Nothing a user owns is overwritten: every output of every command, with every input of it as the target.

use super::bench::{Bench, FIVE, Ran};
use clap::{Arg, Command};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tenfold_report::files::{is_output, is_path};

#[cfg(feature = "ring")]
const SRS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../curve/data/bls12-381-srs-2-11-uncompressed-zcash.bin");

/// A command that writes: how it is called, what it reads, by which of its paths, and what it can write.
struct Case {
    command: &'static [&'static str],
    arguments: &'static [&'static str],
    /// Id, file, and the arguments that name it if those above do not.
    inputs: &'static [Input],
    /// Ids.
    outputs: &'static [&'static str],
}

type Input = (&'static str, &'static str, &'static [&'static str]);

#[cfg(feature = "ring")]
const SRS_INPUT: Input = ("srs", "srs.bin", &["--srs", "srs.bin"]);

const CASES: &[Case] = &[
    Case {
        command: &["tour"],
        arguments: &["data.csv", "-c", "price", "--weights", "weights.json"],
        inputs: &[("file", "data.csv", &[]), ("weights", "weights.json", &[])],
        outputs: &["directory"],
    },
    Case {
        command: &["compare"],
        arguments: &["data.csv", "-c", "price", "--bits", "100"],
        inputs: &[("file", "data.csv", &[])],
        outputs: &["output"],
    },
    Case {
        command: &["commit"],
        arguments: &["data.csv", "-c", "price", "--params", "hiding.json"],
        inputs: &[("file", "data.csv", &[]), ("params", "hiding.json", &[])],
        outputs: &["output", "secret_output"],
    },
    Case {
        command: &["commit"],
        arguments: &["data.csv", "-c", "price"],
        inputs: &[("file", "data.csv", &[])],
        outputs: &["output", "witness_output"],
    },
    Case {
        command: &["commit"],
        arguments: &["data.csv", "--scheme", "ligerito"],
        inputs: &[("file", "data.csv", &[])],
        outputs: &["output", "witness_output"],
    },
    Case {
        command: &["open"],
        arguments: &["--witness", "w", "--commitment", "kept", "--row", "0"],
        inputs: &[("witness", "w", &[]), ("commitment", "kept", &[])],
        outputs: &["output"],
    },
    Case {
        command: &["open"],
        arguments: &[
            "data.csv",
            "-c",
            "price",
            "--commitment",
            "data.commitment",
            "--weights",
            "weights.json",
        ],
        inputs: &[
            ("file", "data.csv", &[]),
            ("commitment", "data.commitment", &[]),
            ("weights", "weights.json", &[]),
        ],
        outputs: &["output"],
    },
    Case {
        command: &["open"],
        arguments: &["data.csv", "-c", "price", "--commitment", "h", "--secret", "h.secret", "--row", "0"],
        inputs: &[("file", "data.csv", &[]), ("commitment", "h", &[]), ("secret", "h.secret", &[])],
        outputs: &["output"],
    },
    Case {
        command: &["open"],
        arguments: &["data.csv", "--commitment", "bytes.commitment", "--row", "0"],
        inputs: &[("file", "data.csv", &[]), ("commitment", "bytes.commitment", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "fleet")]
    Case {
        command: &["fleet", "status"],
        arguments: &["--queue", "queue"],
        inputs: &[],
        outputs: &["output"],
    },
    #[cfg(feature = "fleet")]
    Case {
        command: &["fleet", "status"],
        arguments: &["--queue", "queue", "-o", "x"],
        inputs: &[],
        outputs: &["commitment_output"],
    },
    #[cfg(feature = "cluster")]
    Case {
        command: &["cluster", "prove"],
        arguments: &[
            "data.csv", "-c", "price", "--bits", "100", "--row", "0", "--ranks", "1", "--hiding", "1",
        ],
        inputs: &[("file", "data.csv", &[])],
        outputs: &["output", "commitment_output", "report_output", "secret_output"],
    },
    #[cfg(feature = "cluster")]
    Case {
        command: &["cluster", "prove"],
        arguments: &["data.csv", "-c", "price", "--bits", "100", "--weights", "weights.json", "--ranks", "1"],
        inputs: &[("weights", "weights.json", &[])],
        outputs: &["output", "commitment_output", "report_output"],
    },
    #[cfg(feature = "cluster")]
    Case {
        command: &["cluster", "shard"],
        arguments: &["data.csv", "-c", "price", "--bits", "100", "--ranks", "1"],
        inputs: &[("file", "data.csv", &[])],
        outputs: &["directory"],
    },
    #[cfg(feature = "cluster")]
    Case { command: &["cluster", "key"], arguments: &[], inputs: &[], outputs: &["output"] },
    #[cfg(feature = "cluster")]
    Case {
        command: &["cluster", "bench"],
        arguments: &["--log-size", "10", "--ranks", "1", "--bits", "100"],
        inputs: &[],
        outputs: &["page_output"],
    },
    Case { command: &["params"], arguments: &[], inputs: &[], outputs: &["output"] },
    Case {
        command: &["params", "search"],
        arguments: &["--log-size", "10"],
        inputs: &[],
        outputs: &["output"],
    },
    #[cfg(feature = "ring")]
    Case { command: &["ring", "keygen"], arguments: &[], inputs: &[], outputs: &["output"] },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "commit"],
        arguments: &["a.pub", "b.pub"],
        inputs: &[("keys", "a.pub", &[]), ("list", "keys.txt", &["--list", "keys.txt"]), SRS_INPUT],
        outputs: &["output", "commitment_output", "tables_output"],
    },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "add"],
        arguments: &["members.ring", "c.pub"],
        inputs: &[
            ("ring", "members.ring", &[]),
            ("keys", "c.pub", &[]),
            ("list", "keys.txt", &["--list", "keys.txt"]),
            SRS_INPUT,
        ],
        outputs: &["output", "commitment_output", "tables_output"],
    },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "replace"],
        arguments: &["members.ring", "c.pub", "--member", "a.pub"],
        inputs: &[("ring", "members.ring", &[]), ("key", "c.pub", &[]), ("member", "a.pub", &[]), SRS_INPUT],
        outputs: &["output", "commitment_output", "tables_output"],
    },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "remove"],
        arguments: &["members.ring", "--member", "a.pub"],
        inputs: &[("ring", "members.ring", &[]), ("member", "a.pub", &[]), SRS_INPUT],
        outputs: &["output", "commitment_output", "tables_output"],
    },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "prove"],
        arguments: &["members.ring", "--key", "a", "--context", "x"],
        inputs: &[
            ("ring", "members.ring", &[]),
            ("key", "a", &[]),
            ("message_file", "message", &["--message-file", "message"]),
            SRS_INPUT,
        ],
        outputs: &["output", "tables_output"],
    },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "verify"],
        arguments: &["a.sig", "--ring", "members.ring"],
        inputs: &[
            ("signature", "a.sig", &[]),
            ("ring", "members.ring", &[]),
            ("message_file", "message", &["--message-file", "message"]),
            SRS_INPUT,
        ],
        outputs: &["tables_output"],
    },
    #[cfg(feature = "ring")]
    Case {
        command: &["ring", "batch-verify"],
        arguments: &["a.sig", "--ring", "members.ring"],
        inputs: &[("signatures", "a.sig", &[]), ("ring", "members.ring", &[]), SRS_INPUT],
        outputs: &["tables_output"],
    },
    #[cfg(feature = "ring")]
    Case { command: &["ring", "demo"], arguments: &["--members", "2"], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "keygen"], arguments: &[], inputs: &[], outputs: &["output"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "setup", "powers"], arguments: &[], inputs: &[], outputs: &["output"] },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "setup", "circuit"],
        arguments: &["message"],
        inputs: &[("powers", "message", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "setup", "contribute"],
        arguments: &["message"],
        inputs: &[("state", "message", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "setup", "beacon"],
        arguments: &["message", "--value", "x", "--log2-hashes", "0"],
        inputs: &[("state", "message", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "submit"],
        arguments: &["node", "message"],
        inputs: &[("transaction", "message", &[])],
        outputs: &["directory", "output"],
    },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "submit"],
        arguments: &["node", "--key", "a", "--from", "0", "--to", "1", "--amount", "1"],
        inputs: &[("key", "a", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "sign"],
        arguments: &[
            "--genesis",
            "message",
            "--key",
            "a",
            "--from",
            "0",
            "--nonce",
            "0",
            "--to",
            "1",
            "--amount",
            "1",
        ],
        inputs: &[("genesis", "message", &[]), ("key", "a", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "blocks"], arguments: &["node"], inputs: &[], outputs: &["output"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "audit"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "prove"],
        arguments: &["node"],
        inputs: &[("key", "a", &["--key", "a"]), ("rebase", "message", &["--rebase", "message"])],
        outputs: &["directory", "output"],
    },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "prove"], arguments: &["node", "--call"], inputs: &[], outputs: &["output"] },
    #[cfg(feature = "ledger")]
    Case {
        command: &["ledger", "export-evm"],
        arguments: &["message", "--directory", "node"],
        inputs: &[("key", "message", &[])],
        outputs: &["output"],
    },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "init"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "follow"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "http"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "pull"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "verify"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "apply"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "status"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "setup", "local"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "setup", "finalise"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "setup", "import"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "serve"], arguments: &[], inputs: &[], outputs: &["directory"] },
    #[cfg(feature = "ledger")]
    Case { command: &["ledger", "demo"], arguments: &[], inputs: &[], outputs: &["directory"] },
];

/// Commands that write nothing, and the paths that they read: one that is not here is a new output or a new input.
const READERS: &[(&[&str], &[&str])] = &[
    (&["verify"], &["proof", "commitment", "weights"]),
    (&["inspect"], &["file"]),
    #[cfg(feature = "ring")]
    (&["ring", "inspect"], &["file"]),
    (&["data"], &["file"]),
    #[cfg(feature = "fleet")]
    (&["fleet", "submit"], &["file", "weights", "queue", "blobs"]),
    #[cfg(feature = "fleet")]
    (&["fleet", "worker"], &["queue", "blobs"]),
    #[cfg(feature = "fleet")]
    (&["fleet", "status"], &["queue", "blobs"]),
    #[cfg(feature = "fleet")]
    (&["fleet", "prune"], &["queue", "blobs"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "prove"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "export-evm"], &["chain"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "submit"], &["create"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "sign"], &["create"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "blocks"], &["chain"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "show"], &["file"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "audit"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "follow"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "http"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "pull"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "init"], &["genesis"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "verify"], &["keys", "block"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "apply"], &["keys", "blocks"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "status"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "setup", "local"], &["keys"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "setup", "finalise"], &["keys", "powers", "state"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "setup", "import"], &["keys", "key"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "setup", "verify"], &["powers", "state"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "serve"], &["keys", "key"]),
    #[cfg(feature = "ledger")]
    (&["ledger", "demo"], &["keys"]),
    // A folder.
    #[cfg(feature = "cluster")]
    (&["cluster", "prove"], &["shards", "key", "keys"]),
    #[cfg(feature = "cluster")]
    (&["cluster", "verify-report"], &["report", "weights", "keys"]),
];

/// Every file that a command reads.
fn fixture() -> Bench {
    let bench = Bench::committed(FIVE, &[]);
    bench.ok(&["commit", "data.csv", "-c", "price", "--hiding", "2", "-o", "h", "--secret", "h.secret"]);
    bench.ok(&["commit", "data.csv", "--scheme", "ligerito", "-o", "bytes.commitment"]);
    bench.ok(&["commit", "data.csv", "-c", "price", "-o", "kept", "--keep-witness", "w"]);
    bench.ok(&["params", "--log-size", "12", "--hiding", "1", "-o", "hiding.json"]);
    bench.write("weights.json", b"[1, 2, 3, 4, 5]");
    bench.write("message", b"yes");
    #[cfg(feature = "ring")]
    ring_of_two(&bench);
    bench
}

/// Keys, a ring of two of them and a signature, and all that commands about rings read beside.
#[cfg(feature = "ring")]
fn ring_of_two(bench: &Bench) {
    ["a", "b", "c"].iter().for_each(|name| drop(bench.ok(&["ring", "keygen", "-o", name])));
    bench.ok(&["ring", "commit", "a.pub", "b.pub"]);
    bench.ok(&["ring", "prove", "members.ring", "--key", "a", "--context", "x", "-o", "a.sig"]);
    bench.write("keys.txt", b"# nobody\n");
    std::fs::copy(SRS, bench.path("srs.bin")).unwrap();
}

/// The commands without commands of their own.
fn leaves(command: &Command, path: &[String], all: &mut Vec<(Vec<String>, Command)>) {
    let subcommands: Vec<_> = command.get_subcommands().filter(|c| c.get_name() != "help").collect();
    // `params` is a command and has one.
    if subcommands.is_empty() || command.get_name() == "params" {
        all.push((path.to_vec(), command.clone()));
    }
    for subcommand in subcommands {
        leaves(subcommand, &[path, &[subcommand.get_name().to_owned()]].concat(), all);
    }
}

fn all_commands() -> Vec<(Vec<String>, Command)> {
    let (mut all, mut command) = (Vec::new(), tenfold_cli::command());
    command.build();
    leaves(&command, &[], &mut all);
    all
}

fn named<'a>(command: &'a Command, id: &str) -> &'a Arg {
    command
        .get_arguments()
        .find(|a| a.get_id() == id)
        .unwrap_or_else(|| panic!("{}: {id}", command.get_name()))
}

/// An option that names a file has its place above, as an output or, of a command that writes, as an input.
#[test]
fn every_output_has_a_case() {
    let ids = |list: BTreeSet<&str>| list.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    let mut outputs = 0;
    // What no text of a user's can be taken for: options that have no name of a file but look as if they had.
    for (path, command) in all_commands() {
        for argument in command.get_arguments().filter(|argument| !is_path(argument)) {
            let named = |name: &str| ["FILE", "DIR", "PATH", "KEY", "SIGNATURE"].contains(&name);
            let names = argument.get_value_names().unwrap_or_default();
            let id = argument.get_id().as_str();
            assert!(!names.iter().any(|name| named(name)), "{path:?}: {id} is a path without a hint");
            assert!(!["output", "directory"].iter().any(|end| id.ends_with(end)), "{path:?}: {id}");
        }
    }
    for (path, command) in all_commands() {
        let cases: Vec<_> = CASES.iter().filter(|case| path == case.command).collect();
        let paths = || command.get_arguments().filter(|argument| is_path(argument));
        let of_clap = |wanted: bool| {
            paths().filter(|a| is_output(a) == wanted).map(|a| a.get_id().as_str()).collect::<BTreeSet<_>>()
        };
        let in_cases = cases.iter().flat_map(|case| case.outputs).copied().collect();
        assert_eq!(ids(of_clap(true)), ids(in_cases), "outputs of {path:?}");
        let read = READERS.iter().filter(|(reader, _)| path == *reader).flat_map(|(_, inputs)| *inputs);
        let in_cases = cases.iter().flat_map(|case| case.inputs).map(|(id, ..)| id).chain(read).copied();
        assert_eq!(ids(of_clap(false)), ids(in_cases.collect()), "inputs of {path:?}");
        outputs += of_clap(true).len();
    }
    let least = if cfg!(feature = "ring") { 20 } else { 8 };
    assert!(outputs >= least, "{outputs}: the definition of the command line was read");
    assert!(CASES.iter().all(|case| all_commands().iter().any(|(path, _)| path == case.command)));
}

/// Every file with its content, but for locks.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && path.extension().is_none_or(|end| end != "lock") {
            all.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap());
        }
    }
    all
}

/// The names by which an input can be reached; a few of them where each costs the making of a setup.
fn forms(bench: &Bench, input: &str, few: bool) -> Vec<String> {
    let mut forms = vec![input.to_owned()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(input, bench.path("symbolic")).unwrap();
        std::os::unix::fs::symlink("symbolic", bench.path("twice")).unwrap();
        std::fs::hard_link(bench.path(input), bench.path("hard")).unwrap();
        forms.extend(["hard", "twice"].map(str::to_owned));
    }
    if !few {
        forms.extend([format!("./{input}"), bench.path(input).to_str().unwrap().to_owned()]);
        // Where case does not tell names apart.
        forms.extend(Some(input.to_uppercase()).filter(|upper| upper != input && bench.path(upper).exists()));
    }
    forms
}

fn remove_forms(bench: &Bench) {
    for name in ["symbolic", "twice", "hard"] {
        let _ = std::fs::remove_file(bench.path(name));
    }
}

/// Runs a case with an output in each form of an input's name, and with `--force`.
fn attack(bench: &Bench, case: &Case, output: &str, (input, more): (&str, &[&str])) {
    let (_, command) = all_commands().into_iter().find(|(path, _)| path == case.command).unwrap();
    let option = format!("--{}", named(&command, output).get_long().unwrap());
    let forceable = command.get_arguments().any(|a| a.get_id() == "force") && output != "tables_output";
    let before = files(&bench.path(""));
    for form in forms(bench, input, output == "tables_output") {
        for force in if forceable { &[false, true][..] } else { &[false] } {
            let args = [case.command, case.arguments, more, &[&option, &form]].concat();
            let args = if *force { [&args[..], &["--force"]].concat() } else { args };
            bench.run(&args).is(2, &["error:", "hint:"]);
        }
    }
    remove_forms(bench);
    assert_eq!(files(&bench.path("")), before, "{:?} {option} {input}", case.command);
}

#[test]
fn no_output_is_written_over_an_input() {
    let bench = fixture();
    for case in CASES {
        for output in case.outputs.iter().filter(|output| **output != "directory") {
            for (id, file, more) in case.inputs {
                // A ring may change where it is.
                if (*id, *output) != ("ring", "output") || case.command[1] == "prove" {
                    attack(&bench, case, output, (file, more));
                }
            }
        }
    }
}

/// A secret is nobody's output, though it is no input and whatever is asked for.
#[test]
fn no_output_is_written_over_a_secret() {
    let bench = fixture();
    for case in CASES {
        for output in case.outputs.iter().filter(|output| **output != "directory") {
            attack(&bench, case, output, ("h.secret", &[]));
            #[cfg(feature = "ring")]
            attack(&bench, case, output, ("b", &[]));
        }
    }
}

/// Of a folder, the files that are written into it.
#[cfg(unix)]
#[test]
fn no_file_of_a_folder_is_written_over_an_input() {
    let bench = fixture();
    let commands = [
        (
            &["tour", "data.csv", "-c", "price"][..],
            "data.csv",
            &["column.commitment", "column.proof", "column.weighted.proof", "weights.csv", "compare.html"][..],
        ),
        #[cfg(feature = "ring")]
        (&["ring", "demo", "--members", "2"], "a", &["members.commitment", "vote.signature"]),
    ];
    for (command, input, names) in commands {
        for name in names {
            for link in [std::os::unix::fs::symlink::<PathBuf, PathBuf>, std::fs::hard_link] {
                let before = files(&bench.path(""));
                std::fs::create_dir(bench.path("folder")).unwrap();
                link(bench.path(input), bench.path(&format!("folder/{name}"))).unwrap();
                let run = |more: &[&str]| bench.run(&[command, &["-d", "folder"], more].concat());
                [run(&[]), run(&["--force"])].iter().for_each(|ran| ran.is(2, &["error:", "hint:"]));
                assert_eq!(files(&bench.path("folder")).len(), 1);
                std::fs::remove_dir_all(bench.path("folder")).unwrap();
                assert_eq!(files(&bench.path("")), before);
            }
        }
    }
}

/// What is in a folder that a command reads is an input, too, whatever is asked for.
#[cfg(all(unix, feature = "fleet", feature = "cluster"))]
#[test]
fn no_output_is_written_into_a_folder_of_inputs() {
    let bench = Bench::new(FIVE);
    let data = ["data.csv", "-c", "price", "--bits", "100"];
    bench.ok(&[&["cluster", "shard", "--ranks", "1", "-d", "s"][..], &data].concat());
    bench.ok(&[&["fleet", "submit", "--queue", "q", "--row", "1"][..], &data].concat());
    std::fs::rename(bench.path("s/0.shard"), bench.path("apart")).unwrap();
    std::os::unix::fs::symlink("../apart", bench.path("s/0.shard")).unwrap();
    let prove = ["cluster", "prove", "--shards", "s", "--bits", "100", "--row", "1", "--ranks", "1"];
    let status = ["fleet", "status", "--queue", "q", "-o"];
    let before = ["s/shards.json", "apart", "q/queue.redb"].map(|name| bench.read(name));
    for (command, option, output) in [
        (&prove[..], "-o", "s/shards.json"),
        (&prove, "-o", "s/0.shard"),
        (&prove, "--commitment", "./s/../s/0.shard"),
        (&prove, "--report", "apart"),
        (&status[..4], "-o", "q/queue.redb"),
        (&[&status[..], &["p"]].concat(), "--commitment", "q/queue.redb"),
    ] {
        let ran = bench.run(&[command, &[option, output, "--force"]].concat());
        let hint = format!("hint: give another name with {option}");
        ran.is(2, &[output, "which is an input of this command", &hint]);
        assert!(before == ["s/shards.json", "apart", "q/queue.redb"].map(|name| bench.read(name)));
    }
    bench.ok(&[&prove[..], &["-o", "s/0.proof"]].concat());
    bench.run(&[&prove[..], &["-o", "s/0.proof"]].concat()).is(2, &["which is an input of this command"]);
}

/// What is read from standard input has a name elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn standard_input_is_an_input() {
    let bench = Bench::new(FIVE);
    let run = |args: &[&str]| {
        let stdin = std::fs::File::open(bench.path("data.csv")).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        let output = command.current_dir(bench.path("")).args(args).stdin(stdin).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = run(&["commit", "/dev/stdin", "-c", "price", "-o", "data.csv"]);
    assert!(code == Some(2) && said.contains("standard input"), "{said}");
    assert_eq!(bench.read("data.csv"), FIVE.as_bytes());
}

/// Names that the user did not give lead to inputs, too.
#[test]
fn default_names_are_no_exception() {
    let bench = fixture();
    let commit =
        |file: &str, more: &[&str]| bench.run(&[&["commit", file, "--format", "raw"], more].concat());
    let commitment = bench.read("data.commitment");
    commit("data.commitment", &[]).is(2, &["data.commitment is an input of this command", "hint:", "-o"]);
    commit("data.commitment", &["--scheme", "ligerito"]).is(2, &["is an input of this command"]);
    assert_eq!(bench.read("data.commitment"), commitment);
    let proof = ["open", "data.csv", "-c", "price", "--commitment", "x.proof", "--row", "0"];
    bench.write("x.proof", &commitment);
    bench.run(&proof).is(2, &["x.proof is an input of this command"]);
}

/// The same of rings.
#[cfg(feature = "ring")]
#[test]
fn default_names_about_rings_are_no_exception() {
    let bench = fixture();
    std::fs::rename(bench.path("members.ring"), bench.path("x.signature")).unwrap();
    let sign = ["ring", "prove", "x.signature", "--key", "a", "--context", "x"];
    bench.run(&sign).is(2, &["x.signature is an input of this command"]);
    std::fs::rename(bench.path("x.signature"), bench.path("x.ring")).unwrap();
    std::fs::rename(bench.path("c.pub"), bench.path("x.commitment")).unwrap();
    bench
        .run(&["ring", "add", "x.ring", "x.commitment"])
        .is(2, &["x.commitment is an input of this command"]);
}

/// A result replaces its own kind; anything else only when asked to.
#[test]
fn a_file_of_another_kind_is_replaced_by_force_alone() {
    let bench = Bench::committed(FIVE, &[]);
    let commit = |name: &str, more: &[&str]| {
        bench.run(&[&["commit", "data.csv", "-c", "price", "-o", name], more].concat())
    };
    let commitment = bench.read("data.commitment");
    commit("data.commitment", &[]).is(0, &["committed:"]);
    #[cfg(feature = "cluster")]
    {
        bench.write("x.commitment", b"mine");
        std::fs::copy(bench.path("data.csv"), bench.path("x.csv")).unwrap();
        let prove = ["cluster", "prove", "x.csv", "-c", "price", "--row", "0"];
        bench
            .run(&prove)
            .is(2, &["x.commitment is already there", "hint: give another name with --commitment"]);
    }
    bench.write("notes.txt", b"mine");
    commit("notes.txt", &[]).is(2, &["notes.txt is already there", "did not write", "hint:", "--force"]);
    assert_eq!(bench.read("notes.txt"), b"mine");
    commit("notes.txt", &["--force"]).is(0, &["committed:"]);
    assert_eq!(bench.read("notes.txt"), commitment);
    // Nothing is lost with nothing.
    bench.write("empty", b"");
    commit("empty", &[]).is(0, &["committed:"]);

    let params = |more: &[&str]| bench.run(&[&["params", "--log-size", "12", "-o", "p"], more].concat());
    params(&[]).is(0, &[]);
    params(&["--bits", "100"]).is(0, &[]);
    commit("p", &[]).is(2, &["p is already there, and is a parameter file"]);
    bench.open(&["--row", "0"]);
    bench.open(&["--row", "1"]);
    bench.try_open(&["--row", "1", "-o", "data.commitment"]).is(2, &["is an input of this command"]);
    bench.try_open(&["--row", "1", "-o", "p"]).is(2, &["p is already there, and is a parameter file"]);
    bench.run(&["params", "-o", "data.proof"]).is(2, &["data.proof is already there, and is a proof"]);
    // A hiding commitment cannot be made again.
    commit("h", &["--hiding", "1"]).is(0, &[]);
    let hidden = bench.read("h");
    commit("h", &[]).is(2, &["h is already there, and is a commitment that hides"]);
    commit("h", &["--hiding", "1", "--secret", "other"])
        .is(2, &["h is already there, and is a commitment that hides"]);
    assert!(bench.read("h") == hidden && !bench.path("other").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(bench.path("data.commitment"), std::fs::Permissions::from_mode(0o444))
            .unwrap();
        commit("data.commitment", &["--force"]).is(2, &["data.commitment is write-protected"]);
        commit(".", &[]).is(2, &["the name of a folder"]);
        std::os::unix::fs::symlink("nothing", bench.path("dangling")).unwrap();
        commit("dangling", &["--force"]).is(2, &["a link to a file that is not there"]);
    }
}

#[test]
fn two_outputs_are_two_files() {
    let bench = fixture();
    let two = |args: &[&str]| {
        let ran = bench.run(args);
        ran.is(2, &["at once", "hint: give two names"]);
        ran
    };
    let before = files(&bench.path(""));
    two(&["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "x", "--secret", "./x"]);
    #[cfg(feature = "cluster")]
    {
        let prove = ["cluster", "prove", "data.csv", "-c", "price", "--ranks", "2", "--row", "1"];
        assert_eq!(two(&[&prove[..], &["-o", "-", "--commitment", "-"]].concat()).out, "");
    }
    #[cfg(feature = "ring")]
    {
        two(&["ring", "commit", "a.pub", "-o", "x", "--commitment", "x"]);
        assert_eq!(two(&["ring", "commit", "a.pub", "-o", "-", "--commitment", "/dev/stdout"]).out, "");
        two(&["ring", "commit", "a.pub", "-o", "x", "--tables", "./x"]);
        two(&["ring", "commit", "a.pub", "--tables", "x.commitment", "-o", "x.ring", "--force"]);
        two(&["ring", "prove", "members.ring", "--key", "a", "--context", "x", "-o", "x", "--tables", "x"]);
    }
    assert_eq!(files(&bench.path("")), before);
}

/// What is no plain file is written to, and stays what it is.
#[cfg(unix)]
#[test]
fn devices_and_pipes_take_results() {
    use std::io::Read;
    use std::os::unix::fs::FileTypeExt;
    let bench = Bench::committed(FIVE, &[]);
    let commitment = bench.read("data.commitment");
    let commit = ["commit", "data.csv", "-c", "price", "-o"];
    bench.ok(&[&commit[..], &["/dev/null"]].concat());
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let run = |stdout: std::process::Stdio, to: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        command.current_dir(bench.path("")).args(&commit[..]).arg(to).stdout(stdout).spawn().unwrap()
    };
    // A pipe, a plain file behind the name of a stream, and a named pipe.
    let mut piped = run(std::process::Stdio::piped(), "/dev/stdout");
    let mut bytes = Vec::new();
    piped.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    assert!(piped.wait().unwrap().success() && bytes == commitment);
    let file = std::fs::File::create(bench.path("out")).unwrap();
    assert!(run(file.into(), "/dev/stdout").wait().unwrap().success());
    assert_eq!(bench.read("out"), commitment);
    // The file behind standard output is no place for the result by its own name: both would be written.
    let file = std::fs::File::create(bench.path("out")).unwrap();
    assert_eq!(run(file.into(), "out").wait().unwrap().code(), Some(2));
    let made = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status();
    if made.is_ok_and(|status| status.success()) {
        let mut child = run(std::process::Stdio::null(), "pipe");
        assert_eq!(std::fs::read(bench.path("pipe")).unwrap(), commitment);
        assert!(child.wait().unwrap().success());
        assert!(std::fs::symlink_metadata(bench.path("pipe")).unwrap().file_type().is_fifo());
    }
    let leftovers = files(&bench.path("")).into_keys().filter(|name| name.starts_with('.')).count();
    assert_eq!(leftovers, 0);
}

/// A descriptor leads to a plain file as any other name does; `-` and the streams are written into, but not if they lead to
/// an input.
#[cfg(target_os = "linux")]
#[test]
fn descriptors_and_streams_are_no_way_around() {
    let bench = Bench::committed(FIVE, &[]);
    bench.ok(&["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "h", "--secret", "key"]);
    let [commitment, key] = ["data.commitment", "key"].map(|name| bench.read(name));
    let commit = "$TENFOLD commit data.csv -c price";
    for line in [
        format!("{commit} -o /dev/fd/3 3<data.csv"),
        format!("{commit} -o /proc/self/fd/3 --force 3<data.csv"),
        "$TENFOLD commit - -c price -o /dev/fd/0 <data.csv".to_owned(),
        format!("{commit} -o /dev/fd/3 --force 3<key"),
        format!("{commit} -o /dev/stdout >>data.csv"),
        format!("{commit} -o - 1<>data.csv"),
        #[cfg(feature = "ring")]
        "$TENFOLD ring keygen -o -".to_owned(),
    ] {
        let ran = bench.shell(&line);
        ran.is(2, &["error:", "hint:"]);
        assert!(bench.read("data.csv") == FIVE.as_bytes() && bench.read("key") == key, "{line}");
    }
    bench.shell(&format!("{commit} -o /dev/fd/3 3>out")).is(0, &[]);
    assert_eq!(bench.read("out"), commitment);
    bench.shell(&format!("{commit} -o - >dash")).is(0, &[]);
    assert_eq!(bench.read("dash"), commitment);
    assert!(!bench.path("-").exists());
    // What would be printed there goes to stderr.
    bench.shell(&format!("{commit} --json -o - >json")).is(0, &["\"fingerprint\""]);
    assert_eq!(bench.read("json"), commitment);
    let ran =
        bench.shell("$TENFOLD params --log-size 12 -o - >params && $TENFOLD params --log-size 12 -o plain");
    ran.is(0, &["proven bits"]);
    assert_eq!(bench.read("params"), bench.read("plain"));
    bench.shell(&format!("{commit} -o /dev/fd/3 3>&1 >streamed | cat >piped")).is(0, &[]);
    assert_eq!(bench.read("piped"), commitment);
}

/// A lock is a plain file beside what it is for: nothing else at its place is opened.
#[cfg(all(unix, feature = "ring"))]
#[test]
fn what_stands_for_a_lock_is_looked_at() {
    let bench = fixture();
    let add = || bench.run(&["ring", "add", "members.ring", "c.pub"]);
    let lock = bench.path("members.ring.lock");
    assert!(!lock.exists(), "who had it has removed it");
    std::os::unix::fs::symlink("elsewhere", &lock).unwrap();
    add().is(4, &["members.ring.lock", "stands for a lock"]);
    assert!(!bench.path("elsewhere").exists());
    std::fs::remove_file(&lock).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
    add().is(4, &["stands for a lock"]);
    std::fs::remove_file(&lock).unwrap();
    // One lock for both files is waited for by the process that has it.
    let second = bench.path("members.commitment.lock");
    bench.write("members.ring.lock", b"");
    std::fs::hard_link(&lock, &second).unwrap();
    add().is(4, &["stands for a lock", "has a second name (a hard link)", "hint:"]);
    std::fs::remove_file(&second).unwrap();
    std::fs::remove_file(&lock).unwrap();
    // The empty file of a process that was killed before it had marked it.
    bench.write("members.ring.lock", b"");
    add().is(0, &[]);
    assert_eq!(bench.read("members.ring.lock"), b"", "it may be a user's");
    // The name is kept for locks: a ring that was given such a name is changed into another one.
    let named = ["ring", "add", "members.ring", "c.pub", "--commitment", "members.ring.LOCK"];
    bench.run(&named).is(2, &["has the name of a lock", "--commitment"]);
    bench.run(&["ring", "commit", "c.pub", "-o", "x.lock"]).is(2, &["has the name of a lock", "with -o"]);
    bench.write("x.lock", &bench.read("members.ring"));
    let remove = ["ring", "remove", "x.lock", "--slot", "0"];
    bench.run(&remove).is(2, &["x.lock has the name of a lock", "rename it, or give a name"]);
    bench.run(&[&remove[..], &["-o", "x.ring"]].concat()).is(0, &[]);
}

/// What is added to a ring may be written by a process that changes the ring before: it is read before the ring is locked.
#[cfg(all(unix, feature = "ring"))]
#[test]
fn keys_are_read_before_a_ring_is_locked() {
    let bench = Bench::new(FIVE);
    ["a", "c", "d"].iter().for_each(|name| drop(bench.ok(&["ring", "keygen", "-o", name])));
    bench.ok(&["ring", "commit", "a.pub"]);
    // Opening a pipe ends when the other end is opened: the ring is not locked then.
    let line = "mkfifo list && { $TENFOLD ring add members.ring --list list --without-possession & exec 3>list && \
        timeout 20 $TENFOLD ring add members.ring c.pub && cat key.hex >&3 && exec 3>&- && wait $!; }";
    let key = bench.json(&["ring", "inspect", "d.pub"])["key"].as_str().unwrap().to_owned();
    bench.write("key.hex", key.as_bytes());
    bench.shell(line).is(0, &[]);
    assert_eq!(bench.json(&["ring", "inspect", "members.ring"])["members"].as_u64(), Some(3));
    // So is a setup; tables are read where the ring is known, and are no pipe.
    let srs = super::ring_files::SRS;
    bench
        .shell(&format!(
            "mkfifo srs && {{ $TENFOLD ring remove members.ring --slot 1 --srs srs & exec 3>srs && \
        timeout 20 $TENFOLD ring remove members.ring --slot 2 && cat {srs} >&3 && exec 3>&- && wait $!; }}"
        ))
        .is(0, &[]);
    assert_eq!(bench.json(&["ring", "inspect", "members.ring"])["members"].as_u64(), Some(1));
    let tables = "timeout 20 $TENFOLD ring add members.ring c.pub --tables list";
    bench.shell(tables).is(2, &["list is no plain file", "hint:", "--tables"]);
}

/// A name that leads to another ring by then: the lock is that of the first one, beside which its commitment is.
#[cfg(all(unix, feature = "ring"))]
#[test]
fn a_ring_that_is_elsewhere_once_it_is_locked_is_not_changed() {
    let bench = Bench::new(FIVE);
    for (name, public, ring) in [("one", "one.pub", "a.ring"), ("two", "two.pub", "c.ring")] {
        bench.ok(&["ring", "keygen", "-o", name]);
        bench.ok(&["ring", "commit", public, "-o", ring]);
    }
    bench.ok(&["ring", "keygen", "-o", "d"]);
    let files = || ["a.ring", "a.commitment", "c.ring", "c.commitment"].map(|name| bench.read(name));
    let before = files();
    let key = bench.json(&["ring", "inspect", "d.pub"])["key"].as_str().unwrap().to_owned();
    bench.write("key.hex", key.as_bytes());
    let line = "mkfifo list && ln -s a.ring link && { $TENFOLD ring add link --list list --without-possession & \
        exec 3>list && ln -sfn c.ring link && cat key.hex >&3 && exec 3>&- && wait $!; }";
    bench.shell(line).is(2, &["link leads to another file by now", "hint:"]);
    assert!(files() == before, "one of the rings was changed");
}

/// A disk without room for what is printed is an error, and what the command did is whole: no lock is left behind.
#[cfg(all(target_os = "linux", feature = "ring"))]
#[test]
fn a_result_that_cannot_be_printed_leaves_no_lock() {
    let bench = fixture();
    bench.shell("$TENFOLD ring add members.ring c.pub --json >/dev/full").is(4, &["cannot write the result"]);
    let names = std::fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(names.filter(|path| path.extension().is_some_and(|end| end == "lock")).count(), 0);
    bench.run(&["ring", "add", "members.ring", "c.pub"]).is(2, &["a member has it already"]);
    bench.shell("$TENFOLD verify no.proof --json >/dev/full").is(4, &["cannot write the result", "no.proof"]);
}

/// So is one without room for what was asked for: help, a version, a report beside a file on standard output. A reader that has gone is none.
#[cfg(target_os = "linux")]
#[test]
fn help_and_reports_that_cannot_be_written_are_errors() {
    let bench = Bench::new(FIVE);
    for asked in ["--help", "commit --help", "help commit", "--version"] {
        bench.shell(&format!("$TENFOLD {asked} >/dev/full")).is(4, &["cannot write the result"]);
        let waits = format!("(read go <go; $TENFOLD {asked}; echo $? >&2)");
        let gone = bench.shell(&format!("mkfifo go; {waits} | (exec <&-; echo >go); rm go"));
        assert_eq!(gone.err, "0\n", "{asked}");
    }
    let commit = "$TENFOLD commit data.csv -c price -o - --json";
    bench.shell(&format!("{commit} 2>/dev/full >file")).is(4, &[]);
    assert!(!bench.read("file").is_empty(), "the file itself was written");
    bench.shell(&format!("{commit} 2>&- >file")).is(0, &[]);
    // Words beside the file are no result.
    bench.shell("$TENFOLD commit data.csv -c price -o - 2>/dev/full >file").is(0, &[]);
}

/// There is one place that writes files: nothing else in the sources of the command does.
#[test]
fn no_other_code_writes_files() {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.extend(Some(path).filter(|path| !path.ends_with("src/files")));
            } else if !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                let writes = [
                    // It leaves behind what a value would have removed.
                    "process::exit",
                    "fs::write",
                    "fs::*",
                    "File::create",
                    "File::options",
                    "OpenOptions",
                    "fs::rename",
                    "fs::copy",
                    "fs::remove",
                    "hard_link",
                    "fs::symlink(",
                    "tempfile",
                    "set_len",
                    "persist(",
                ];
                found.extend(
                    writes.iter().filter(|call| code.contains(**call)).map(|call| (path.clone(), *call)),
                );
            }
        }
    }
    assert!(found.is_empty(), "files are written by crate::files alone: {found:?}");
}

/// The review's own commands.
#[test]
fn the_findings_of_the_review() {
    let bench = fixture();
    let refused = |args: &[&str], kept: &str| -> Ran {
        let before = bench.read(kept);
        let ran = bench.run(args);
        ran.is(2, &["error:", "hint:"]);
        assert_eq!(bench.read(kept), before);
        ran
    };
    refused(&["commit", "data.csv", "-c", "price", "-o", "data.csv"], "data.csv");
    bench.write("f.json", b"[1, 2, 3]");
    refused(&["compare", "f.json", "-o", "f.json"], "f.json");
    let open = ["open", "data.csv", "-c", "price", "--commitment", "data.commitment", "--row", "0"];
    refused(&[&open[..], &["-o", "data.csv"]].concat(), "data.csv");
    #[cfg(feature = "ring")]
    {
        refused(&["ring", "prove", "members.ring", "--key", "a", "--context", "x", "-o", "a"], "a");
        refused(&["ring", "commit", "a.pub", "b.pub", "-o", "a"], "a");
        refused(&["ring", "commit", "a.pub", "-o", "x", "--commitment", "a"], "a");
        let again = refused(&["ring", "commit", "c.pub"], "members.ring");
        again.is(2, &["members.ring is already there", "--force"]);
        bench.ok(&["ring", "commit", "c.pub", "--force"]);
    }
}
