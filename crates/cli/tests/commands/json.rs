//! Each table of docs/json.md is checked against what a command prints, and has no member that none prints.

use crate::bench::{Bench, FIVE};
pub use crate::json_page::check;
use crate::json_page::{leaves, sections, table, titles};
use serde_json::Value;
use std::path::Path;

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
    bench.write("two.csv", b"a,b\n1,2\n3,4.5\n");
    let table = ["two.csv", "-c", "a", "-c", "b"];
    let described = [run(&["data"], &column), run(&["data", "any.bin"], &[]), run(&["data"], &table)];
    complete("data", &described, &[]);
    let commit = [&["commit"], &column[..]].concat();
    let committed = [
        run(&commit, &["-o", "c", "--keep-witness"]),
        run(&commit, &["-o", "h", "--hiding", "1"]),
        run(&["commit", "any.bin"], &["-o", "b"]),
        run(&["commit"], &[&table[..], &["-o", "t"]].concat()),
    ];
    complete("commit", &committed, &[]);
    let secret = run(&["inspect", "h.secret"], &[]);
    complete("inspect of the secret of a commitment", &[secret], &[]);
    let open = [&["open"], &column[..], &["--commitment"]].concat();
    let opened = [
        run(&open, &["c", "--row", "1", "--mean", "-o", "p"]),
        run(&open, &["c", "--weights", "w.csv", "-o", "pw"]),
        run(&open, &["c", "--evaluate", "2", "--point", "2,3,4", "-o", "pe"]),
        run(&open, &["h", "--secret", "h.secret", "--row", "1", "-o", "ph"]),
        run(&["open", "any.bin"], &["--commitment", "b", "--weights", "w.bin", "-o", "pb"]),
        run(&["open", "two.csv"], &["--commitment", "t", "--product", "a", "b", "-o", "pp"]),
        run(&["open", "two.csv"], &["--commitment", "t", "--row", "1", "--sum-rows", "1..2", "-o", "pt"]),
    ];
    complete("open", &opened, &[]);
    let verified = [
        run(&["verify", "p"], &["--commitment", "c"]),
        run(&["verify", "pw"], &["--weights", "w.csv"]),
        run(&["verify", "pe"], &["--commitment", "c"]),
        run(&["verify", "ph"], &[]),
        run(&["verify", "pb"], &["--weights", "w.bin"]),
        run(&["verify", "pt"], &["--commitment", "t"]),
        run(&["verify", "pp"], &["--commitment", "t"]),
    ];
    complete("verify", &verified, &[]);
    complete("inspect of a commitment", &["c", "h", "b", "t"].map(|file| run(&["inspect", file], &[])), &[]);
    let shown = ["p", "pw", "pp"].map(|file| run(&["inspect", file], &[]));
    assert!(shown[0]["claims"][0].as_str().unwrap().starts_with("row 1 of price is "), "{}", shown[0]);
    assert_eq!(shown[0]["fingerprint"], run(&["inspect", "c"], &[])["fingerprint"]);
    complete("inspect of a proof", &shown, &[]);
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
    bench.write("two.csv", b"a,b\n1,2\n3,4.5\n");
    let table = bench.json(&[&["compare", "two.csv", "-c", "a", "-c", "b"], &only[..]].concat());
    complete("compare", &[compared, table], &["skipped.[]"]);
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
    // What takes minutes to print is checked where its object is made.
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/commands", "src/commands/ledger"].map(|folder| crate_folder.join(folder));
    let sources = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let sources = sources.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let sources: String = sources.collect();
    for (heading, _) in sections() {
        let titles = titles(&heading);
        for row in table(&titles[0]) {
            assert!(row.types.iter().all(|t| known.contains(&t.as_str())), "{heading}: {row:?}");
        }
        let is_checked = ["check", "complete"]
            .iter()
            .any(|call| titles.iter().any(|title| sources.contains(&format!("{call}(\"{title}\""))));
        assert!(!heading.contains('`') || is_checked, "no test checks `{heading}`");
    }
}
