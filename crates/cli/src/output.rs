//! Writing to stdout and stderr, where control characters of text from outside never arrive as they are. A reader that has
//! gone away (`| head`) is no error: the exit code is the answer.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;
use crate::table::Paint;
use crate::terminal::escape_lines;

/// Writes a line to stderr, as `eprintln!` does.
macro_rules! note {
    ($($arg:tt)*) => { $crate::output::note(format_args!($($arg)*)) };
}

/// True once texts go to stderr.
static DIVERTED: AtomicBool = AtomicBool::new(false);

/// Sends the texts of this process to stderr from now on: a file goes to stdout.
pub fn divert() {
    DIVERTED.store(true, Ordering::Relaxed);
}

/// Writes a text to stdout, or to stderr after [`divert`]; ends the process with [`Exit::Io`] if stdout cannot take it (a full disk).
pub fn text(text: impl Display) {
    if DIVERTED.load(Ordering::Relaxed) {
        let text = printable(&text.to_string(), Paint::stderr());
        let _ = std::io::stderr().write_all(text.as_bytes());
        return;
    }
    let mut out = std::io::stdout().lock();
    let text = printable(&text.to_string(), Paint::stdout());
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(e) = written
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        note!("error: cannot write the result: {e}");
        std::process::exit(Exit::Io as i32);
    }
}

/// Writes a text and a line break.
pub fn line(line: impl Display) {
    text(format_args!("{line}\n"));
}

/// Writes a text and a line break to stderr, which may be closed.
pub fn note(line: impl Display) {
    let text = printable(&format!("{line}\n"), Paint::stderr());
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// A text of ours with whatever stands in it, without control characters but line breaks and the colours that are on.
fn printable(text: &str, paint: Paint) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, code) = rest.split_at(at);
        out.push_str(&escape_lines(before));
        let length = paint.code_length(code).unwrap_or(0);
        out.push_str(&code[..length]);
        if length == 0 {
            out.push_str(&escape_lines("\u{1b}"));
        }
        rest = &code[length.max(1)..];
    }
    out.push_str(&escape_lines(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_ours_pass_and_nothing_else() {
        let red = Paint::on().red("a\u{1b}[31mb\u{1b}[2Jc");
        assert_eq!(printable(&red, Paint::on()), "\u{1b}[31;1ma\\u001b[31mb\\u001b[2Jc\u{1b}[0m");
        assert_eq!(printable(&red, Paint::off()).matches('\u{1b}').count(), 0);
        assert_eq!(printable("a\r\nb\u{1b}", Paint::on()), "a\\u000d\nb\\u001b");
    }
}
