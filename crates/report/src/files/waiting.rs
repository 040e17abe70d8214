//! A wait for a lock, which is spoken of only if it takes long.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The time after which a wait is spoken of.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// A wait, which ends with this value.
#[derive(Debug)]
pub(super) struct Waiting {
    _over: Sender<()>,
}

impl Waiting {
    /// Begins a wait: `says` is called, once, if it takes longer than `patience`.
    pub fn said_after(patience: Duration, says: impl FnOnce() + Send + 'static) -> Self {
        let (over, ended) = channel();
        let wait = move || {
            if ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                says();
            }
        };
        // Where no thread can be started nothing is said.
        let _ = thread::Builder::new().spawn(wait);
        Self { _over: over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waits_alone_are_spoken_of() {
        let (say, said) = channel();
        let also = say.clone();
        let long = Waiting::said_after(Duration::from_millis(1), move || say.send("long").unwrap());
        drop(Waiting::said_after(Duration::from_secs(60), move || also.send("short").unwrap()));
        assert_eq!(said.recv(), Ok("long"));
        assert!(said.recv().is_err(), "once, and of no other");
        drop(long);
    }
}
