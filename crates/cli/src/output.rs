//! Writing to stdout. A reader that has gone away (`| head`) is no error: the exit code is the answer.

use std::fmt::Display;
use std::io::Write;

use crate::exit::Exit;

/// Writes a text as it is; ends the process with [`Exit::Io`] if stdout cannot take it (a full disk).
pub fn text(text: impl Display) {
    let mut out = std::io::stdout().lock();
    let written = write!(out, "{text}").and_then(|()| out.flush());
    if let Err(e) = written
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("error: cannot write the result: {e}");
        std::process::exit(Exit::Io as i32);
    }
}

/// Writes a text and a line break.
pub fn line(line: impl Display) {
    text(format_args!("{line}\n"));
}
