//! The tables of docs/json.md, against what commands print: tests of commands, and of what makes their objects, call [`check`] with what they have got.

use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/json.md");

/// A member of a table. Elements of arrays are `[]` in its path.
#[derive(Debug)]
pub struct Row {
    pub path: Vec<String>,
    pub types: Vec<String>,
    conditional: bool,
}

impl Row {
    /// True if a path is this member's, or begins as it does.
    pub fn begins(&self, path: &[String]) -> bool {
        path.len() <= self.path.len()
            && path.iter().zip(&self.path).all(|(name, row)| name == row || (row == "*" && name != "[]"))
    }
}

fn segments(path: &str) -> Vec<String> {
    path.replace("[]", ".[]").split('.').map(str::to_owned).collect()
}

/// The headings of the page, each with what stands below it.
pub fn sections() -> Vec<(String, &'static str)> {
    let parts = PAGE.split("\n## ").skip(1).map(|part| part.split_once('\n').expect("a table"));
    parts.map(|(heading, text)| (heading.to_owned(), text)).collect()
}

/// The commands that a heading names; none if its table is a part of others.
pub fn titles(heading: &str) -> Vec<String> {
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
pub fn table(title: &str) -> Vec<Row> {
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
pub fn leaves<'a>(value: &'a Value, path: &[String], found: &mut Vec<(Vec<String>, &'a Value)>) {
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
