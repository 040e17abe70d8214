//! Signals that end a command: what it has made and not finished is removed before it ends as it would have.
//!
//! ```text
//! SIGINT, SIGTERM, SIGHUP ─► handler: a byte into a pipe ─► thread ─┬─ a command's own ─► its flag; the second time as below, with exit code 130
//!                                                                   └─ else ─► steps that are done whole ─► files ─► the end by this signal
//! ```
//! The handler does nothing else, and so nothing that a signal may not interrupt. While files are removed, a further signal ends the process at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use signal_hook::consts::{SIGINT, SIGTERM};

use crate::exit::Exit;

/// Watches for signals that end the process, from now on, but for those that it was started to ignore, as `nohup` does. Where that cannot be done, they
/// end it as they always did.
pub fn watch() {
    #[cfg(unix)]
    watched::watch();
}

/// Has signals set a flag, for a command that ends in its own way; the second one ends it at once. Where signals cannot be caught, the first one does.
pub fn take(signals: &[i32], flag: &Arc<AtomicBool>) {
    for signal in signals {
        #[cfg(unix)]
        if watched::take(*signal, flag) {
            continue;
        }
        let code = Exit::Interrupted as i32;
        let _ = signal_hook::flag::register_conditional_shutdown(*signal, code, Arc::clone(flag));
        let _ = signal_hook::flag::register(*signal, Arc::clone(flag));
    }
}

#[cfg(unix)]
mod watched {
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_default;
    use signal_hook::iterator::{Handle, Signals};
    use signal_hook::low_level;

    use crate::exit::Exit;
    use crate::files;

    static HANDLE: OnceLock<Handle> = OnceLock::new();
    /// True once the process is going to end.
    static ENDING: AtomicBool = AtomicBool::new(false);
    /// The signals that the thread hears of, with the flag of a command that has taken one.
    static HEARD: Mutex<Vec<Heard>> = Mutex::new(Vec::new());

    struct Heard {
        signal: i32,
        flag: Option<Arc<AtomicBool>>,
    }

    pub fn watch() {
        let Ok(mut signals) = Signals::new(&[] as &[i32]) else { return };
        let handle = signals.handle();
        let listen = move || signals.forever().for_each(act);
        // Without the thread nothing is caught.
        if thread::Builder::new().name("signals".into()).spawn(listen).is_err() || HANDLE.set(handle).is_err()
        {
            return;
        }
        let ignored = ignored();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // What this process does not know whether to ignore is left as it is, where that is common.
            if ignored.map_or(signal != SIGHUP, |ignored| ignored >> (signal - 1) & 1 == 0) {
                let _ = hear(signal, None);
            }
        }
    }

    /// Has a command take a signal; returns false if nothing hears of it.
    pub fn take(signal: i32, flag: &Arc<AtomicBool>) -> bool {
        hear(signal, Some(Arc::clone(flag))).is_ok()
    }

    fn hear(signal: i32, flag: Option<Arc<AtomicBool>>) -> io::Result<()> {
        let handle = HANDLE.get().ok_or(io::ErrorKind::Unsupported)?;
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heard) = heard.iter_mut().find(|heard| heard.signal == signal) {
            heard.flag = flag;
            return Ok(());
        }
        register_conditional_default(signal, &ENDING)?;
        handle.add_signal(signal)?;
        heard.push(Heard { signal, flag });
        Ok(())
    }

    /// Does what a signal is for.
    fn act(signal: i32) {
        let heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        let flag = heard.iter().find(|heard| heard.signal == signal).and_then(|heard| heard.flag.clone());
        drop(heard);
        if flag.as_ref().is_some_and(|flag| !flag.swap(true, Ordering::SeqCst)) {
            return;
        }
        ENDING.store(true, Ordering::SeqCst);
        files::finish();
        match flag {
            Some(_) => low_level::exit(Exit::Interrupted as i32),
            None => drop(low_level::emulate_default_handler(signal)),
        }
    }

    /// The signals that this process was started to ignore, a bit each, where the system says which they are.
    fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}
