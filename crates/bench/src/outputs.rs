//! Files that a measurement writes, by the writer of the command line: places are claimed before anything is measured.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;
use tenfold_report::exit::Failure;
use tenfold_report::files::{Files, Kind, Output};

/// The folder that keeps results, in a checkout of this project.
const FOLDER: &str = "crates/bench/results";

/// Claims the place of results: the file asked for, or one of that name in `crates/bench/results` below the current
/// directory. Says so and returns nothing if there is neither.
///
/// # Errors
/// If something at that place would be lost.
pub fn results(files: &Files, asked: Option<&Path>, name: &str) -> Result<Option<Output>, Failure> {
    let folder = Path::new(FOLDER);
    let path = asked.map(PathBuf::from).or_else(|| folder.is_dir().then(|| folder.join(name)));
    if path.is_none() {
        note!("not saved: there is no {FOLDER} here, and --out names no file");
    }
    path.map(|path| files.result(Kind::Measurements, &path)).transpose()
}

/// Writes results as JSON.
///
/// # Errors
/// If they cannot be written; what was there stays as it is.
pub fn save(output: &Output, results: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(results)? + "\n";
    Ok(output.write(text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is asked for is taken; nothing is written into the folder that this program was built in.
    #[test]
    fn results_go_where_they_are_asked_for_or_below_the_current_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (files, asked) = (Files::default(), folder.path().join("b.json"));
        let output = results(&files, Some(&asked), "c.json").unwrap().unwrap();
        assert_eq!(output.path(), asked);
        // Tests run in the folder of the crate, which has no `crates/bench/results` below it.
        assert!(results(&files, None, "c.json").unwrap().is_none());
    }

    /// Results replace results, and nothing else.
    #[test]
    fn a_file_that_is_no_result_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let claim = || results(&Files::default(), Some(&path), "a.json");
        save(&claim().unwrap().unwrap(), &serde_json::json!({ "command": "tenfold bench ring" })).unwrap();
        let first = std::fs::read(&path).unwrap();
        save(&claim().unwrap().unwrap(), &serde_json::json!({ "command": "tenfold bench table" })).unwrap();
        assert_ne!(std::fs::read(&path).unwrap(), first);
        for mine in ["{\"mine\": 1}\n", "price\n1\n"] {
            std::fs::write(&path, mine).unwrap();
            let refused = claim().unwrap_err();
            assert!(refused.message.contains("already there"), "{}", refused.message);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), mine);
        }
    }
}
