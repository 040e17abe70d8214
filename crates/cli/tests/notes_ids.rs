//! Code and the chapters in `notes/` point at each other; here both ends are held to it.
//!
//! A comment cites sections by their ids, `notes` and a colon before them; a section offers its id as an HTML
//! anchor; `notes/IDS.md` lists them all. What verifiers hash, the notes print.

#[path = "house/tree.rs"]
mod tree;

use std::collections::BTreeMap;

/// Id -> the first place that has it.
type Ids = BTreeMap<String, String>;

fn is_id(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
}

/// The ids that a line of code cites: those after `notes:` in its comment, separated by commas.
fn cited(line: &str) -> Vec<&str> {
    let Some((_, comment)) = line.split_once("//") else { return Vec::new() };
    let Some((_, mut rest)) = comment.split_once("notes: ") else { return Vec::new() };
    let mut ids = Vec::new();
    loop {
        let end = rest.find(|c| !is_id(c)).unwrap_or(rest.len());
        let (id, after) = rest.split_at(end);
        if !id.is_empty() {
            ids.push(id);
        }
        match after.strip_prefix(", ") {
            Some(next) => rest = next,
            None => return ids,
        }
    }
}

/// The anchors of a chapter.
fn anchors(text: &str) -> Vec<&str> {
    text.split("<a id=\"").skip(1).filter_map(|rest| rest.split_once("\"></a>")).map(|(id, _)| id).collect()
}

/// The ids of the list: the first column of its table.
fn listed(text: &str) -> Vec<&str> {
    text.lines().filter_map(|l| l.strip_prefix("| `")?.split_once("` |")).map(|(id, _)| id).collect()
}

/// The code of a file without its tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// The strings by which hashes, transcripts and files are told apart: those that begin with the project's name. Of patterns the notes print each value.
fn tags(text: &str) -> Vec<&str> {
    let tags = code(text).split("\"tenfold ").skip(1).filter_map(|rest| rest.split_once('"'));
    tags.map(|(tag, _)| tag.trim_end()).filter(|tag| !tag.contains('{')).collect()
}

/// The labels of messages and challenges.
fn labels(text: &str) -> Vec<&str> {
    const VERBS: [&str; 9] = [
        ".receive",
        ".receive_bytes",
        ".receive_digest",
        ".hint",
        ".hint_bytes",
        ".challenge",
        ".challenges",
        ".positions",
        ".grind",
    ];
    let label = |rest: &'_ str| {
        let at = if rest.starts_with("::<") { rest.find('(')? } else { 0 };
        let start = rest.len() - rest[at..].strip_prefix("(\"")?.len();
        Some(start..start + rest[start..].find('"')?)
    };
    let calls = VERBS.iter().flat_map(|verb| code(text).match_indices(verb));
    let rests = calls.map(|(at, verb)| &text[at + verb.len()..]);
    rests.filter_map(|rest| label(rest).map(|range| &rest[range])).collect()
}

fn collect(files: &[(String, String)], read: fn(&str) -> Vec<&str>) -> (Ids, Vec<String>) {
    let (mut ids, mut twice) = (Ids::new(), Vec::new());
    for (path, text) in files {
        for id in read(text) {
            if ids.insert(id.to_string(), path.clone()).is_some() {
                twice.push(format!("{id} ({path})"));
            }
        }
    }
    (ids, twice)
}

fn only_in<'a>(a: &'a Ids, b: &Ids) -> Vec<(&'a String, &'a String)> {
    a.iter().filter(|(id, _)| !b.contains_key(*id)).collect()
}

fn chapter_anchors() -> Ids {
    let chapters: Vec<_> = tree::texts("notes/src").into_iter().filter(|(p, _)| p.ends_with(".md")).collect();
    let (ids, twice) = collect(&chapters, anchors);
    assert!(twice.is_empty(), "ids that stand twice in the notes: {twice:?}");
    assert!(!ids.is_empty(), "the notes have no anchor: is notes/src there?");
    ids
}

fn code_citations() -> Ids {
    let code: Vec<_> = tree::texts("crates")
        .into_iter()
        .filter(|(p, _)| p.ends_with(".rs") && !p.ends_with("tests/notes_ids.rs"))
        .collect();
    collect(&code, |text| text.lines().flat_map(cited).collect()).0
}

#[test]
fn every_cited_id_is_in_the_notes() {
    let dangling: Ids = code_citations();
    let notes = chapter_anchors();
    let dangling = only_in(&dangling, &notes);
    assert!(dangling.is_empty(), "code cites what no chapter has: {dangling:?}");
}

#[test]
fn every_id_in_the_notes_is_cited() {
    let notes = chapter_anchors();
    let code = code_citations();
    let unused = only_in(&notes, &code);
    assert!(unused.is_empty(), "no code cites these sections of the notes: {unused:?}");
}

#[test]
fn the_list_of_ids_is_complete() {
    let notes = chapter_anchors();
    let list: Vec<_> = tree::texts("notes").into_iter().filter(|(p, _)| p == "notes/IDS.md").collect();
    let (list, twice) = collect(&list, listed);
    assert!(twice.is_empty(), "listed twice: {twice:?}");
    let (missing, stale) = (only_in(&notes, &list), only_in(&list, &notes));
    assert!(missing.is_empty(), "notes/IDS.md lacks {missing:?}");
    assert!(stale.is_empty(), "notes/IDS.md lists what no chapter has: {stale:?}");
}

#[test]
fn chapters_and_summary_agree() {
    let chapters = tree::texts("notes/src");
    let summary = &chapters.iter().find(|(p, _)| p == "notes/src/SUMMARY.md").expect("a summary").1;
    for (path, text) in &chapters {
        let name = path.strip_prefix("notes/src/").expect("below notes/src");
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "the summary lacks {name}");
        for link in text.split("](").skip(1).filter_map(|r| r.split_once(')')).map(|(link, _)| link) {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { name } else { file };
            if link.contains("://") || !file.ends_with(".md") {
                continue;
            }
            let target = chapters.iter().find(|(p, _)| p.strip_prefix("notes/src/") == Some(file));
            let (_, target) = target.unwrap_or_else(|| panic!("{path} links to {link}: no such chapter"));
            assert!(id.is_empty() || anchors(target).contains(&id), "{path} links to {link}: no such anchor");
        }
    }
}

/// The notes contain every domain separation string that a verifier hashes.
#[test]
fn the_notes_print_what_verifiers_hash() {
    const CRATES: [&str; 8] = ["iop", "pcs", "curve", "snark", "ring", "ledger", "cluster", "tenfold"];
    let notes: String = tree::texts("notes/src").into_iter().map(|(_, text)| text).collect();
    let (mut all, mut missing) = (0, Vec::new());
    for name in CRATES {
        let mut read = 0;
        for (path, text) in tree::texts(&format!("crates/{name}/src")) {
            if path.contains("/tests/") || path.ends_with("/tests.rs") {
                continue;
            }
            let tags = tags(&text).into_iter().map(|tag| format!("tenfold {tag}"));
            let labels = labels(&text).into_iter().map(|label| format!("`{label}`"));
            for string in tags.chain(labels.filter(|_| name == "pcs")) {
                read += 1;
                if !notes.contains(&string) {
                    missing.push(format!("{string} ({path})"));
                }
            }
        }
        assert!(read > 0, "crates/{name} has no string: has the code another form?");
        all += read;
    }
    assert!(all > 150, "{all} strings: has the code another form?");
    assert!(missing.is_empty(), "no chapter of the notes has {missing:#?}");
}

#[test]
fn the_readers_of_this_test_read() {
    assert_eq!(
        tags("f(b\"tenfold x v1 \"); g(\"tenfold {} v1\")\n#[cfg(test)]\nmod tests {\"tenfold y\""),
        ["x v1"]
    );
    assert_eq!(
        labels("t.challenge::<E>(\"a\"); t.hint(\"b c\", 2); t.hint(x); t.grind(label)"),
        ["b c", "a"]
    );
    assert_eq!(cited("    // Row by row; notes: codes-layout, codes-fold."), ["codes-layout", "codes-fold"]);
    assert_eq!(cited("//! See notes: pip-link"), ["pip-link"]);
    assert!(cited("let notes: u8 = 0;").is_empty());
    assert_eq!(anchors("## A <a id=\"x-1\"></a>\n<a id=\"y\"></a>"), ["x-1", "y"]);
    assert_eq!(listed("| id | b |\n|---|---|\n| `x-1` | b |"), ["x-1"]);
}
