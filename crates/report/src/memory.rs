//! The memory of the machine, read from `/proc`.

use crate::exit::{Exit, Failure};
use crate::units;

/// Memory in bytes, where the system tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Memory {
    /// Installed.
    #[serde(rename = "total_bytes")]
    pub total: Option<u64>,
    /// Free or freeable now.
    #[serde(rename = "available_bytes")]
    pub available: Option<u64>,
}

/// Memory of this machine.
#[must_use]
pub fn machine() -> Memory {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    Memory { total: kib(&text, "MemTotal:"), available: kib(&text, "MemAvailable:") }
}

/// Peak resident memory of this process so far, in bytes.
#[must_use]
pub fn peak() -> Option<u64> {
    kib(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The limit when `--max-memory` is not given: three quarters of what is available.
#[must_use]
pub fn default_limit() -> u64 {
    machine().available.map_or(u64::MAX, |bytes| bytes / 4 * 3)
}

/// Refuses a job that needs more bytes than there may be.
///
/// # Errors
/// [`Exit::Io`], with what to do about it.
pub fn within(need: u64, limit: u64, hint: &str) -> Result<(), Failure> {
    if need <= limit {
        return Ok(());
    }
    let message =
        format!("this needs about {}, more than the limit of {}", units::bytes(need), units::bytes(limit));
    Err(Failure { exit: Exit::Io, message, hint: Some(hint.into()) })
}

/// The number after `key`, in units of 1024 bytes.
fn kib(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_lines() {
        let text = "MemTotal:       24602624 kB\nMemAvailable:   23000000 kB\n";
        assert_eq!(kib(text, "MemTotal:"), Some(24_602_624 * 1024));
        assert_eq!(kib(text, "MemFree:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn peak_grows_with_what_is_touched() {
        let before = peak().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(peak().unwrap() >= before.max(64 << 20), "{}", block.len());
    }
}
