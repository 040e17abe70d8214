//! Checks of the repository's own files: no machine in them, a true map, no file beyond the agreed length.

#[path = "house/dependencies.rs"]
mod dependencies;
#[path = "house/tree.rs"]
mod tree;

/// The longest source file that the house allows, in lines.
const MAX_LINES: usize = 400;

/// First folders of absolute paths that exist on somebody's machine only. Joined with slashes at run time, so
/// that this file has none itself.
const MACHINE_FOLDERS: [&str; 6] = ["home", "root", "work", "tmp", "farm", "Users"];

/// The first absolute machine path in a line: such a folder between slashes, not inside a longer path or address.
fn machine_path(line: &str) -> Option<&'static str> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '}' | '$' | '~');
    MACHINE_FOLDERS.into_iter().find(|folder| {
        let needle = format!("/{folder}/");
        line.match_indices(&needle).any(|(at, _)| !line[..at].ends_with(inside))
    })
}

#[test]
fn no_file_names_a_machine() {
    let mut found = Vec::new();
    for (path, text) in tree::texts("") {
        for (n, line) in text.lines().enumerate() {
            if let Some(folder) = machine_path(line) {
                found.push(format!("{path}:{} (/{folder}/...)", n + 1));
            }
        }
    }
    assert!(found.is_empty(), "absolute paths of a machine: {found:#?}");
}

#[test]
fn no_file_has_a_conflict_in_it() {
    let marks = ['<', '>'].map(|mark| format!("{} ", String::from(mark).repeat(7)));
    let marked = |line: &str| marks.iter().any(|mark| line.starts_with(mark));
    let mut found = tree::texts("");
    found.retain(|(_, text)| text.lines().any(marked));
    let found: Vec<_> = found.into_iter().map(|(path, _)| path).collect();
    assert!(found.is_empty(), "a merge was not finished: {found:?}");
}

#[test]
fn the_map_in_the_readme_is_true() {
    let readme = std::fs::read_to_string(tree::root().join("README.md")).expect("the README");
    let mut crates: Vec<String> = std::fs::read_dir(tree::root().join("crates"))
        .expect("crates")
        .map(|e| e.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    crates.sort();
    for name in &crates {
        assert!(readme.contains(&format!("`crates/{name}`")), "the README's map lacks crates/{name}");
    }
    for named in readme.split("`crates/").skip(1).filter_map(|r| r.split_once(['`', '/'])).map(|(n, _)| n) {
        assert!(
            crates.iter().any(|name| name == named),
            "the README names crates/{named}, which is not there"
        );
    }
}

#[test]
fn paths_in_the_documents_exist() {
    let named = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
    let pages = tree::texts("docs").into_iter().map(|(path, _)| path).filter(|path| path.ends_with(".md"));
    for document in named.map(String::from).into_iter().chain(pages) {
        let document = tree::root().join(document);
        let text = std::fs::read_to_string(&document).expect("a document");
        let folder = document.parent().expect("a folder");
        for link in text.split("](").skip(1).filter_map(|r| r.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().unwrap_or(link);
            let there = file.contains("://") || folder.join(file).exists();
            assert!(there, "{} links to {link}, which is not there", document.display());
        }
    }
}

#[test]
fn source_files_stay_short() {
    let is_test = |p: &str| p.contains("/tests/") || p.ends_with("/tests.rs");
    let long: Vec<_> = tree::texts("crates")
        .into_iter()
        .filter(|(p, _)| p.ends_with(".rs") && !is_test(p))
        .map(|(p, text)| (p, text.lines().count()))
        .filter(|(_, n)| *n > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "files of more than {MAX_LINES} lines: {long:?}");
}

/// The longest function that the house allows, in lines; of verifiers, whose checks stand in their order.
const MAX_FUNCTION: [usize; 2] = [60, 80];

/// The functions of a file as rustfmt lays it out, with their lines: each ends at the first `}` as far in as its `fn`.
fn functions(text: &str) -> Vec<(String, usize)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut found, mut open): (Vec<_>, Option<(String, usize, usize)>) = (Vec::new(), None);
    for (n, line) in text.lines().enumerate() {
        match &open {
            Some((name, start, at)) if indent(line) == *at && matches!(line.trim(), "}" | ";") => {
                found.push((name.clone(), n + 1 - start));
                open = None;
            }
            // A declaration without a body.
            Some((_, _, at)) if indent(line) == *at && line.ends_with(';') => open = None,
            Some(_) => {}
            None => {
                let words = line.trim_start().split_once("fn ").filter(|(before, _)| {
                    let known =
                        |word: &str| word.starts_with("pub") || ["const", "async", "unsafe"].contains(&word);
                    before
                        .split_whitespace()
                        .all(|word| known(word) || word.starts_with(['"', 'e', 'i', 's', 'c']))
                });
                if let Some((_, rest)) = words.filter(|_| !line.ends_with(['}', ';'])) {
                    let name: String =
                        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    open = Some((name, n, indent(line)));
                }
            }
        }
    }
    found
}

#[test]
fn no_function_is_too_long() {
    let is_test =
        |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs") || path.contains("/benches/");
    let (mut long, mut seen) = (Vec::new(), 0);
    for (path, text) in tree::texts("crates") {
        if !path.ends_with(".rs") || is_test(&path) {
            continue;
        }
        for (name, lines) in functions(&text) {
            seen += 1;
            if lines > MAX_FUNCTION[usize::from(name.starts_with("verify"))] {
                long.push(format!("{path}: {name} has {lines} lines"));
            }
        }
    }
    assert!(seen > 4000, "only {seen} functions were found");
    assert!(long.is_empty(), "functions of more than {MAX_FUNCTION:?} lines: {long:#?}");
    let text = format!(
        "impl X {{\n    pub fn f()\n    where\n        T: Y,\n    {{\n{}    }}\n}}\n",
        "        1;\n".repeat(60)
    );
    assert_eq!(functions(&text), [("f".to_owned(), 65)]);
}

/// No function has code in it that tests alone compile: malicious provers are built from the steps of honest ones. (The emulator of a GPU is itself for tests.)
#[test]
fn functions_are_the_same_in_tests() {
    let mut found = Vec::new();
    for (path, text) in tree::texts("crates") {
        let is_test =
            path.contains("/tests/") || path.ends_with("/tests.rs") || path.ends_with("/emulator.rs");
        if !path.ends_with(".rs") || is_test {
            continue;
        }
        let own = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines: Vec<&str> = own.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            let next = lines.get(n + 1).map_or("", |next| next.trim());
            // A method, a field or a variant may be there for tests alone.
            let item = line.starts_with("    #") && (next.ends_with(',') || next.contains("fn "));
            let of_tests = line.trim_start().starts_with("#[cfg(test)]") && line.starts_with("    ") && !item;
            if of_tests || line.contains("cfg!(test)") {
                found.push(format!("{path}:{}", n + 1));
            }
        }
    }
    assert!(found.is_empty(), "code of tests within functions: {found:?}");
}

/// Every pair of scheme and fields is compiled once, in `tenfold`: a command that names a typed scheme compiles it again.
#[test]
fn the_command_line_compiles_no_scheme() {
    let schemes = ["pip", "ligerito", "deepfold"].into_iter();
    let mut typed =
        vec!["with_fields!".into(), "with_binary_fields!".into(), "Scheme<".into(), "Prover<".into()];
    typed.extend(schemes.flat_map(|scheme| ["Scheme", "Prover"].map(|name| format!("{scheme}::{name}"))));
    let hidden = ["AnyScheme", "AnyProver"];
    let mut found = Vec::new();
    for folder in ["crates/cli/src", "crates/data/src", "crates/report/src"] {
        let files = tree::texts(folder).into_iter();
        // Rings have one pair of groups, and no fields to choose.
        for (path, text) in files.filter(|(path, _)| !path.contains("test") && !path.contains("/ring/")) {
            for (n, line) in text.lines().enumerate() {
                let line = hidden.iter().fold(line.to_owned(), |line, name| line.replace(name, ""));
                if typed.iter().any(|name: &String| line.contains(name)) {
                    found.push(format!("{path}:{}", n + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "typed schemes in the command line: {found:?}");
}

#[test]
fn machine_paths_are_recognised() {
    let home = ["", "home", "ada", "x"].join("/");
    assert_eq!(machine_path(&format!("see {home}")), Some("home"));
    assert_eq!(machine_path(&format!("`{home}`")), Some("home"));
    assert_eq!(machine_path(&format!("https://example.org{home}")), None);
    assert_eq!(machine_path("target/home/x and ../home/x"), None);
}
