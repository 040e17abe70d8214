//! The tables of docs/json.md, against what the commands print. Tests of commands call [`check`] with what they have got.

use crate::bench::{Bench, FIVE};
use serde_json::Value;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/json.md");

/// Tables of what takes seconds of setup, or minutes: keys of a circuit with a root, a ceremony, measured batches.
const UNCHECKED: [&str; 6] = [
    "ledger prove with --root",
    "ledger verify with --root",
    "ledger setup powers",
    "ledger setup contribute",
    "ledger setup verify",
    "ledger bench",
];

/// A member of a table. Elements of arrays are `[]` in its path.
#[derive(Debug)]
struct Row {
    path: Vec<String>,
    types: Vec<String>,
    conditional: bool,
}

impl Row {
    /// True if a path is this member's, or begins as it does.
    fn begins(&self, path: &[String]) -> bool {
        path.len() <= self.path.len()
            && path.iter().zip(&self.path).all(|(name, row)| name == row || (row == "*" && name != "[]"))
    }
}

fn segments(path: &str) -> Vec<String> {
    path.replace("[]", ".[]").split('.').map(str::to_owned).collect()
}

/// The headings of the page, each with what stands below it.
fn sections() -> Vec<(String, &'static str)> {
    let parts = PAGE.split("\n## ").skip(1).map(|part| part.split_once('\n').expect("a table"));
    parts.map(|(heading, text)| (heading.to_owned(), text)).collect()
}

/// The commands that a heading names; none if its table is a part of others.
fn titles(heading: &str) -> Vec<String> {
    heading.split(", ").map(|title| title.replace('`', "")).collect()
}

/// The name of the table that a cell links to.
fn linked(cell: &str) -> Option<&str> {
    cell.strip_prefix('[').and_then(|rest| rest.split_once("](#")).map(|(name, _)| name)
}

/// The members of a table below a path, with those of the tables that it links to.
fn rows(title: &str, below: &[String], conditional: bool) -> Vec<Row> {
    let section = sections().into_iter().find(|(heading, _)| titles(heading).iter().any(|t| t == title));
    let (_, text) = section.unwrap_or_else(|| panic!("docs/json.md has no table of `{title}`"));
    let mut found = Vec::new();
    let is_row = |line: &&str| line.starts_with("| `") || line.starts_with("| [");
    for line in text.lines().filter(is_row) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, member, kind, _, condition, _] = cells[..] else { panic!("no row of four cells: {line}") };
        if let Some(table) = linked(member) {
            found.extend(rows(table, below, conditional));
            continue;
        }
        assert_eq!(kind.ends_with(" or null"), condition.contains("null") && kind != "null", "{line}");
        let conditional = conditional || !condition.is_empty();
        for name in member.split(", ") {
            let path = [below, &segments(name.trim_matches('`'))].concat();
            match linked(kind) {
                Some(table) => found.extend(rows(table, &path, conditional)),
                None => {
                    let types = kind.split(" or ").map(str::to_owned).collect();
                    found.push(Row { path, types, conditional });
                }
            }
        }
    }
    found
}

/// The members of a command's table; those below one that may be absent may be absent.
fn table(title: &str) -> Vec<Row> {
    let mut table = rows(title, &[], false);
    let conditional: Vec<_> =
        table.iter().filter(|row| row.conditional).map(|row| row.path.clone()).collect();
    for row in &mut table {
        row.conditional |= conditional.iter().any(|path| row.path.starts_with(path));
    }
    table
}

/// The type of a value without members.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::String(_) => "string",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The paths of all values without members, empty arrays and objects among them.
fn leaves<'a>(value: &'a Value, path: &[String], found: &mut Vec<(Vec<String>, &'a Value)>) {
    let mut below = |name: &str, value| leaves(value, &[path, &[name.to_owned()]].concat(), found);
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().for_each(|(name, value)| below(name, value));
        }
        Value::Array(elements) if !elements.is_empty() => {
            elements.iter().for_each(|value| below("[]", value));
        }
        _ => found.push((path.to_vec(), value)),
    }
}

/// True if a member is not there, in one of the elements that have it.
fn lacks(value: &Value, path: &[String]) -> bool {
    let Some((name, rest)) = path.split_first() else { return false };
    match (name.as_str(), value) {
        ("[]", Value::Array(elements)) => elements.iter().any(|element| lacks(element, rest)),
        ("*", Value::Object(members)) => members.values().any(|member| lacks(member, rest)),
        (name, Value::Object(members)) => members.get(name).is_none_or(|member| lacks(member, rest)),
        _ => true,
    }
}

/// Compares what a command has printed with its table: each member is there with its type, and lacks none.
#[track_caller]
pub fn check(title: &str, value: &Value) {
    let (table, mut found) = (table(title), Vec::new());
    leaves(value, &[], &mut found);
    for (path, leaf) in &found {
        let is_known = |row: &Row| match leaf {
            Value::Array(_) => row.begins(&[&path[..], &["[]".to_owned()]].concat()),
            _ => {
                row.begins(path) && row.path.len() == path.len() && row.types.iter().any(|t| t == kind(leaf))
            }
        };
        let name = path.join(".");
        assert!(
            table.iter().any(is_known),
            "`{title}` prints `{name}`: {leaf}, which docs/json.md has not so"
        );
    }
    let missing = table.iter().find(|row| !row.conditional && lacks(value, &row.path));
    assert!(missing.is_none(), "`{title}` prints no {missing:?}, which docs/json.md has: {value:#}");
}

/// The same for several outputs, which together have each member of the table but for some.
#[track_caller]
fn complete(title: &str, values: &[Value], except: &[&str]) {
    let mut found = Vec::new();
    for value in values {
        check(title, value);
        leaves(value, &[], &mut found);
    }
    for row in table(title) {
        let came_out = |(path, _): &(Vec<String>, _)| path.len() == row.path.len() && row.begins(path);
        let is_object = row.types[0] == "object";
        let name = row.path.join(".");
        assert_eq!(
            found.iter().any(came_out) || is_object,
            !except.contains(&name.as_str()),
            "`{title}`: {name}"
        );
    }
}

#[test]
fn commitments_and_proofs_have_the_members_of_the_page() {
    let bench = Bench::new(FIVE);
    bench.write("w.csv", b"w\n1\n2\n3\n4\n5\n");
    bench.write("any.bin", &[7; 200]);
    bench.write("w.bin", &[3; 200]);
    let column = ["data.csv", "-c", "price"];
    let run = |command: &[&str], more: &[&str]| bench.json(&[command, more].concat());
    complete("data", &[run(&["data"], &column), run(&["data", "any.bin"], &[])], &[]);
    let commit = [&["commit"], &column[..]].concat();
    let committed = [
        run(&commit, &["-o", "c", "--keep-witness"]),
        run(&commit, &["-o", "h", "--hiding", "1"]),
        run(&["commit", "any.bin"], &["-o", "b"]),
    ];
    complete("commit", &committed, &[]);
    let secret = run(&["inspect", "h.secret"], &[]);
    complete("inspect of the secret of a commitment", &[secret], &[]);
    let open = [&["open"], &column[..], &["--commitment"]].concat();
    let opened = [
        run(&open, &["c", "--row", "1", "--mean", "-o", "p"]),
        run(&open, &["c", "--weights", "w.csv", "-o", "pw"]),
        run(&open, &["h", "--secret", "h.secret", "--row", "1", "-o", "ph"]),
        run(&["open", "any.bin"], &["--commitment", "b", "--weights", "w.bin", "-o", "pb"]),
    ];
    complete("open", &opened, &[]);
    let verified = [
        run(&["verify", "p"], &["--commitment", "c"]),
        run(&["verify", "pw"], &["--weights", "w.csv"]),
        run(&["verify", "ph"], &[]),
        run(&["verify", "pb"], &["--weights", "w.bin"]),
    ];
    complete("verify", &verified, &[]);
    complete("inspect of a commitment", &["c", "h", "b"].map(|file| run(&["inspect", file], &[])), &[]);
    complete("inspect of a proof", &[run(&["inspect", "p"], &[])], &[]);
    let refused = [&["verify", "p", "--commitment", "h", "--json"][..], &["verify", "--json"]];
    complete("failure", &refused.map(|args| bench.run(args).value()), &[]);
}

#[test]
fn parameters_and_comparisons_have_the_members_of_the_page() {
    let bench = Bench::new(FIVE);
    bench.write("any.bin", &[7; 20]);
    let params = ["params", "--log-size"];
    let numbers = bench.json(&[&params[..], &["0"]].concat());
    let bytes = bench.json(&[&params[..], &["8", "--scheme", "ligerito"]].concat());
    complete("params", &[numbers, bytes], &[]);
    let found = bench.json(&["params", "search", "--log-size", "8", "--field", "koalabear"]);
    complete("params search", &[found], &[]);
    let only = ["--bits", "100", "--scheme", "pip,ligerito", "--field", "koalabear", "--max-time", "100s"];
    let compared = bench.json(&[&["compare", "data.csv", "-c", "price"], &only[..]].concat());
    // A case is left out where there is no time or no memory for it.
    complete("compare", &[compared], &["skipped.[]"]);
    let tour = bench.json(&["tour", "data.csv", "-c", "price", "--bits", "100", "-d", "t"]);
    complete("tour", &[tour], &[]);
}

/// A command that is new has a table, and each table is compared with what a command prints.
#[test]
fn every_command_has_a_table() {
    fn names(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = format!("{path} {}", command.get_name()).trim().to_owned();
            names(command, &name, found);
            if !command.is_subcommand_required_set() {
                found.push(name);
            }
        }
    }
    let mut commands = Vec::new();
    names(&tenfold_cli::command(), "", &mut commands);
    let without = ["bench", "completions", "ring", "fleet", "cluster", "ledger"];
    commands.retain(|command| !without.contains(&command.as_str()));
    assert!(commands.len() >= 8 && commands.iter().any(|command| command == "params"), "{commands:?}");
    // What is in a file depends on its kind: such a command has a table for each.
    let all: Vec<String> = sections().iter().flat_map(|(heading, _)| titles(heading)).collect();
    for command in &commands {
        let has = |title: &String| title == command || title.starts_with(&format!("{command} of "));
        assert!(all.iter().any(has), "docs/json.md has no table of `{command}`");
    }

    let known = ["string", "integer", "number", "boolean", "null", "object"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let sources = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources: String = sources.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for (heading, _) in sections() {
        let titles = titles(&heading);
        for row in table(&titles[0]) {
            assert!(row.types.iter().all(|t| known.contains(&t.as_str())), "{heading}: {row:?}");
        }
        let is_checked = ["check", "complete"]
            .iter()
            .any(|call| titles.iter().any(|title| sources.contains(&format!("{call}(\"{title}\""))));
        let is_left_out = titles.iter().any(|title| UNCHECKED.contains(&title.as_str()));
        assert!(!heading.contains('`') || is_checked != is_left_out, "{heading}: checked {is_checked}");
    }
}
