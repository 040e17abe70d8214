//! Exit codes, and errors that say what to do.

use std::fmt;
use std::process::ExitCode;

use crate::table::Paint;
use crate::terminal;

/// The exit code of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done; for `verify`: the proof is valid, about the commitment that it was compared with.
    Valid = 0,
    /// The proof does not prove the statement, or a file's parameters prove fewer bits than are asked for.
    Invalid = 1,
    /// The command or its input cannot be used: arguments, malformed files, values outside the field.
    Usage = 2,
    /// The proof is valid, and was compared with no commitment (`verify --self-contained`): it may be about invented data.
    SelfContained = 3,
    /// The machine failed: a file cannot be read or written, or memory does not suffice.
    Io = 4,
    /// A rank of a cluster deviated, ended, or did not answer: there is no proof.
    Rank = 5,
    /// Ended by Ctrl-C, with what there was until then.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The error that ended a command early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code to end with.
    pub exit: Exit,
    /// The error in a sentence.
    pub message: String,
    /// A hint on what to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A proof that was refused.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { exit: Exit::Invalid, message: message.into(), hint: None }
    }

    /// A command or input that cannot be used.
    #[must_use]
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), hint: Some(hint.into()) }
    }

    /// A failure of the machine.
    #[must_use]
    pub fn io(message: impl Into<String>) -> Self {
        Self { exit: Exit::Io, message: message.into(), hint: None }
    }

    /// For `map_err` on a file: `.map_err(Failure::file("write", path))`.
    pub fn file<'a>(verb: &'a str, path: &'a std::path::Path) -> impl FnOnce(std::io::Error) -> Self + 'a {
        move |e| Self::io(format!("cannot {verb} {}: {e}", terminal::path(path)))
    }

    /// Names the file that this is about.
    #[must_use]
    pub fn in_file(self, path: &std::path::Path) -> Self {
        Self { message: format!("{}: {}", path.display(), self.message), ..self }
    }

    /// The lines for stderr.
    #[must_use]
    pub fn render(&self, paint: Paint) -> String {
        let label = if self.exit == Exit::Invalid { "invalid" } else { "error" };
        let mut text = format!("{} {}\n", paint.red(&format!("{label}:")), terminal::escape(&self.message));
        if let Some(hint) = &self.hint {
            text.push_str(&format!(" {} {}\n", paint.dim(" hint:"), terminal::escape(hint)));
        }
        text
    }

    /// The object for stdout under `--json`.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let mut value =
            serde_json::json!({ "error": self.message, "hint": self.hint, "exit": self.exit as u8 });
        if self.exit == Exit::Invalid {
            value["valid"] = false.into();
        }
        value
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&terminal::escape(&self.message))
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_a_line_for_what_happened_and_one_for_what_to_do() {
        let failure = Failure::usage("no \u{1b}[31mrows", "give some");
        assert_eq!(failure.render(Paint::off()), "error: no \\u001b[31mrows\n  hint: give some\n");
        assert_eq!((failure.exit, failure.json()["exit"].as_u64()), (Exit::Usage, Some(2)));
        assert_eq!(Failure::invalid("bad").render(Paint::off()), "invalid: bad\n");
        assert_eq!(Failure::invalid("bad").json()["valid"].as_bool(), Some(false));
        assert!(failure.json().get("valid").is_none(), "of what could not be read nothing is known");
    }
}
