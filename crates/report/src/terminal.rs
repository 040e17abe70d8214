//! Text from outside on its way to a terminal: names, headers, messages of files, without control characters.

pub use iop::text::{escape, escape_lines};

use std::fmt;
use std::path::Path;

/// A path for a message.
#[must_use]
pub fn path(path: &Path) -> impl fmt::Display + '_ {
    escape(&path.to_string_lossy()).into_owned()
}
