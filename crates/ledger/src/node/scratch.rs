//! Folders that are in nobody's way, and leave nothing behind.

use std::fs;
use std::path::{Path, PathBuf};

use super::{NodeError, durable};

/// A new folder among the system's temporary ones, removed with the value.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes a folder whose name begins so.
    ///
    /// # Errors
    /// If the system refuses: a folder that is there already is nobody's scratch.
    pub fn new(name: &str) -> Result<Self, NodeError> {
        Self::within(&std::env::temp_dir(), name)
    }

    pub(super) fn within(folder: &Path, name: &str) -> Result<Self, NodeError> {
        let path = durable::beside(&folder.join(name))?;
        fs::create_dir(&path).map_err(NodeError::io("make", &path))?;
        Ok(Self(path))
    }

    /// The folder, which is empty at first.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays, as with any temporary file.
        let _ = fs::remove_dir_all(&self.0);
    }
}
