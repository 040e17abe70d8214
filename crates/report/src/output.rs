//! Writing to stdout and stderr, where control characters of text from outside never arrive as they are. A reader that has
//! gone away (`| head`) is no error: the exit code is the answer.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;
use crate::table::Paint;

/// Writes a line to stderr, as `eprintln!` does.
#[macro_export]
macro_rules! note {
    ($($arg:tt)*) => { $crate::output::note(format_args!($($arg)*)) };
}

/// True once texts go to stderr.
static DIVERTED: AtomicBool = AtomicBool::new(false);

/// True once a stream has not taken a result.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Sends the texts of this process to stderr from now on: a file goes to stdout.
pub fn divert() {
    DIVERTED.store(true, Ordering::Relaxed);
}

/// Writes a text to stdout, or to stderr after [`divert`]. If the stream cannot take it (a full disk), nothing more is written there, and
/// the process goes on to its end, so that it leaves nothing behind, and ends as [`ended`] says.
pub fn text(text: impl Display) {
    if FAILED.load(Ordering::Relaxed) {
        return;
    }
    let (text, diverted) = (text.to_string(), DIVERTED.load(Ordering::Relaxed));
    keep(if diverted {
        std::io::stderr().write_all(Paint::stderr().printable(&text).as_bytes())
    } else {
        let mut out = std::io::stdout().lock();
        out.write_all(Paint::stdout().printable(&text).as_bytes()).and_then(|()| out.flush())
    });
}

/// Writes the help or the version that the arguments asked for to stdout, and ends as [`text`] does if it cannot be written.
pub fn help(asked: &clap::Error) {
    keep(asked.print().and_then(|()| std::io::stdout().flush()));
}

/// Keeps for [`ended`] that a result was not written.
fn keep(written: std::io::Result<()>) {
    if let Err(e) = written
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        FAILED.store(true, Ordering::Relaxed);
        note(format_args!("error: cannot write the result: {e}"));
    }
}

/// The exit code of a process that ends so: [`Exit::Io`] if a result could not be written.
#[must_use]
pub fn ended(exit: Exit) -> ExitCode {
    if FAILED.load(Ordering::Relaxed) { Exit::Io.into() } else { exit.into() }
}

/// Writes a text and a line break.
pub fn line(line: impl Display) {
    text(format_args!("{line}\n"));
}

/// Writes a value as JSON, on lines of their own.
pub fn json(value: &serde_json::Value) {
    line(format_args!("{value:#}"));
}

/// Puts a text in the place of the last line of stderr, which may be closed; an empty one removes it.
pub fn status(text: impl Display) {
    let text = format!("\r\x1b[K{}", crate::terminal::escape(&text.to_string()));
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Writes a text and a line break to stderr, which may be closed.
pub fn note(line: impl Display) {
    let text = Paint::stderr().printable(&format!("{line}\n"));
    let _ = std::io::stderr().write_all(text.as_bytes());
}
