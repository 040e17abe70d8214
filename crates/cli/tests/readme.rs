//! The commands of the README and of the pages in `docs/` are run as they stand there.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that are not run here: what they start with, and why.
const EXCLUDED: [(&str, &str); 6] = [
    ("tenfold bench", "runs another program, which takes minutes to build"),
    ("tenfold doctor", "measures the machine"),
    ("tenfold ring demo", "makes a thousand keys"),
    ("tenfold ledger demo", "proves for a minute"),
    ("tenfold fleet submit --queue nats:", "needs a server, and another build"),
    ("tenfold fleet worker --queue nats:", "needs a server, and another build"),
];

/// What stands for the reader's own: the words of the pages, and what is taken here.
const PLACEHOLDERS: [(&str, &str); 3] =
    [("FILE", "mine.csv"), ("--column C", "--column price"), ("W.csv", "weights.csv")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The README and the pages in `docs/`.
fn pages() -> Vec<String> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs");
    let mut paths: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.push(root().join("README.md"));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a page")).collect()
}

/// The blocks of shell commands in a text.
fn blocks(text: &str) -> Vec<&str> {
    text.split("\n```sh\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("\n```").map(|(block, _)| block))
        .collect()
}

/// A line without the comment behind it.
fn command(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(command, _)| command).trim()
}

fn is_run(command: &str) -> bool {
    let variable =
        command.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase()));
    variable
        || command.starts_with("tenfold ")
            && (cfg!(feature = "ledger") || !command.starts_with("tenfold ledger"))
            && !EXCLUDED.iter().any(|(start, _)| command.starts_with(start))
}

/// True if a block has a command that this build lacks: what follows it in the block needs it.
fn is_absent(block: &str) -> bool {
    let built = [
        ("tenfold ring", cfg!(feature = "ring")),
        ("tenfold fleet", cfg!(feature = "fleet")),
        ("tenfold cluster", cfg!(feature = "cluster")),
    ];
    built.iter().any(|(command, built)| !built && block.contains(command))
}

/// True if ranks of a block are started by a launcher of MPI: the tests under MPI run the recipes.
fn is_launched(block: &str) -> bool {
    block.lines().any(|line| line.contains("mpirun ") || line.starts_with("srun "))
}

fn filled(command: &str) -> String {
    PLACEHOLDERS.iter().fold(command.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// A folder with what the commands read.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let rows: String = (0..40).map(|i| format!("{i},{}.5\n", i * 3)).collect();
    std::fs::write(at("mine.csv"), format!("id,price\n{rows}")).expect("a file");
    let weights: String = (0..40).map(|i| format!("{}\n", i % 5)).collect();
    std::fs::write(at("weights.csv"), format!("weight\n{weights}")).expect("a file");
    let page = std::fs::read_to_string(root().join("docs/ledger.md")).expect("the page on ledgers");
    let genesis =
        page.split_once("```json\n").and_then(|(_, rest)| rest.split_once("```")).expect("a description").0;
    std::fs::write(at("genesis.json"), genesis).expect("a file");
    std::os::unix::fs::symlink(root().join("data"), at("data")).expect("a link");
    std::fs::copy(root().join("LICENSE-APACHE"), at("LICENSE-APACHE")).expect("a copy");
    folder
}

#[test]
fn every_command_of_the_pages_runs() {
    let pages = pages();
    let programs = Path::new(env!("CARGO_BIN_EXE_tenfold")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut run = 0;
    for block in pages.iter().flat_map(|page| blocks(page)) {
        let commands: Vec<&str> = block.lines().map(command).filter(|line| is_run(line)).collect();
        if commands.is_empty() || is_absent(block) || is_launched(block) {
            continue;
        }
        let lines = commands.iter().map(|line| {
            let line = filled(line);
            format!("{line} || {{ echo 'exit code '$?' of: {}' >&2; exit 1; }}\n", line.replace('\'', ""))
        });
        let folder = folder();
        let mut shell = Command::new("sh");
        shell.args(["-c", &lines.collect::<String>()]).current_dir(folder.path());
        shell.env("PATH", format!("{}:{path}", programs.display()));
        let output = shell.output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        run += commands.len();
    }
    assert!(run >= 24, "only {run} commands were found");
}

/// A command that nobody runs is named, and a name that nobody needs is none.
#[test]
fn the_list_of_what_is_not_run_is_true() {
    let pages = pages();
    let blocks = pages.iter().flat_map(|page| blocks(page));
    let commands: Vec<&str> = blocks.flat_map(|block| block.lines().map(command)).collect();
    for (start, why) in EXCLUDED {
        assert!(commands.iter().any(|command| command.starts_with(start)), "{start} ({why}) is not there");
    }
    for (placeholder, _) in PLACEHOLDERS {
        assert!(commands.iter().any(|command| command.contains(placeholder)), "{placeholder} is not there");
    }
}

/// The program that the README shows is the one that the library's front page has, where it is compiled and run.
#[test]
fn the_program_of_the_readme_is_the_example_of_the_library() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("a file");
    let front = read("crates/tenfold/src/lib.rs");
    let shown = front
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let shown: Vec<&str> = shown.filter(|line| !line.starts_with("# ")).collect();
    for page in ["README.md", "crates/tenfold/README.md"] {
        let page = read(page);
        let program = page
            .split_once("\n```rust\n")
            .and_then(|(_, rest)| rest.split_once("\n```"))
            .expect("a program")
            .0;
        assert!(shown.join("\n").contains(program), "{program}");
    }
}
