//! Folders that commands make for their results.

use std::fs;
use std::path::Path;

use super::unfinished::{Note, whole};
use crate::exit::Failure;

/// Makes a folder, and runs what writes into it. If that fails, or a signal ends the process meanwhile, the folders that were made are removed again, unless
/// there is something in them.
///
/// # Errors
/// If the folder cannot be made; as what is run.
pub fn in_folder<T>(folder: &Path, run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && path.symlink_metadata().is_err();
    let made: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    let step = whole();
    fs::create_dir_all(folder).map_err(Failure::file("create", folder))?;
    let _unfinished: Vec<Note> = made.iter().rev().map(|folder| Note::folder(folder)).collect();
    drop(step);
    let ended = run();
    if ended.is_err() {
        // One that is not empty is not removed.
        made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
    ended
}
