//! Progress on stderr, when stderr is a terminal; silence otherwise.

use std::io::{IsTerminal, Read};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows the phases of a command.
#[derive(Debug)]
pub struct Progress {
    shown: bool,
    bar: ProgressBar,
}

impl Progress {
    /// Shown unless `quiet` or stderr is redirected.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        Self { shown, bar: ProgressBar::hidden() }
    }

    /// Ends the phase before and begins one of unknown length.
    pub fn phase(&mut self, name: &'static str) {
        self.end();
        if self.shown {
            self.bar = ProgressBar::new_spinner();
            self.bar.set_style(style("{spinner} {msg} {elapsed}"));
            self.bar.set_message(name);
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Begins the phase of reading `size` bytes (0: unknown) and wraps the source.
    pub fn reading<R: Read>(&mut self, source: R, size: u64) -> impl Read + use<R> {
        self.end();
        if self.shown {
            self.bar = ProgressBar::new(size);
            self.bar.set_style(if size == 0 {
                style("{spinner} reading {bytes} {bytes_per_sec} {elapsed}")
            } else {
                style("reading {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} eta {eta}")
            });
        }
        self.bar.wrap_read(source)
    }

    /// Begins a phase of `steps` equal steps.
    pub fn steps(&mut self, name: &'static str, steps: u64) {
        self.end();
        if self.shown {
            self.bar = ProgressBar::new(steps);
            self.bar.set_style(style("{msg} {wide_bar} {pos}/{len} eta {eta}"));
            self.bar.set_message(name);
        }
    }

    /// Counts one step, and says what comes next.
    pub fn step(&self, next: &str) {
        self.bar.inc(1);
        self.bar.set_message(next.to_owned());
    }

    /// Shows that so many steps of all are over, of a phase that begins when their number is new.
    pub fn reached(&mut self, name: &'static str, done: u64, all: u64) {
        if self.bar.length() != Some(all) {
            self.steps(name, all);
        }
        self.bar.set_position(done);
    }

    /// Counts steps.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Counts steps of this phase from anywhere.
    pub fn counter(&self) -> impl Fn(u64) + Send + Sync + use<> {
        let bar = self.bar.clone();
        move |steps| bar.inc(steps)
    }

    /// Writes something while the line of the phase is away.
    pub fn suspended(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Ends the phase and removes its line.
    pub fn end(&mut self) {
        self.bar.finish_and_clear();
        self.bar = ProgressBar::hidden();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a constant template")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_is_valid() {
        let mut progress = Progress::new(true);
        progress.shown = true;
        let mut text = String::new();
        progress.reading(&b"abc"[..], 3).read_to_string(&mut text).unwrap();
        progress.reading(&b""[..], 0).read_to_string(&mut text).unwrap();
        progress.phase("committing");
        progress.steps("schemes", 2);
        progress.step("next");
        progress.end();
        assert_eq!(text, "abc", "what is read passes unchanged");
    }
}
