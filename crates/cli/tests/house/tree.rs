//! Reads the repository's own files, for the tests of the house.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every UTF-8 file below `folder` (relative to the root), as its path relative to the root and its text, sorted.
/// Build output, scratch files and version control are left out.
///
/// # Panics
/// If a folder cannot be read.
pub fn texts(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(&root().join(folder), folder, &mut found);
    found.sort();
    found
}

fn walk(at: &Path, name: &str, found: &mut Vec<(String, String)>) {
    let entries = fs::read_dir(at).unwrap_or_else(|e| panic!("{name}: {e}"));
    for entry in entries.map(|e| e.expect("a folder entry")) {
        let file = entry.file_name().into_string().expect("file names are UTF-8");
        let path = if name.is_empty() { file.clone() } else { format!("{name}/{file}") };
        // Version control is a file in a checkout beside another one.
        if matches!(file.as_str(), ".git" | "target" | "scratch" | "mutants.out") {
            continue;
        }
        if entry.file_type().expect("a file type").is_dir() {
            walk(&entry.path(), &path, found);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            found.push((path, text));
        }
    }
}
