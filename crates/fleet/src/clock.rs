//! The two clocks of a queue: wall time for deadlines, and time that no administrator can set for leases.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, as the system says: for deadlines, and for people.
#[must_use]
pub fn wall() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A moment that all processes of a machine agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The run of the system that the moment is in: with another one all earlier processes are gone.
    pub boot: u128,
    /// Milliseconds in it.
    pub millis: u64,
}

impl Moment {
    /// Now: on Linux by the monotonic clock, which all processes share and which stands while the machine sleeps; elsewhere by wall time, of
    /// which a jump forward ends leases early.
    #[must_use]
    pub fn now() -> Self {
        #[cfg(target_os = "linux")]
        {
            use rustix::time::{ClockId, clock_gettime};
            let time = clock_gettime(ClockId::Monotonic);
            let [seconds, nanos] = [time.tv_sec, time.tv_nsec].map(|n| u64::try_from(n).unwrap_or_default());
            Self { boot: boot(), millis: seconds * 1000 + nanos / 1_000_000 }
        }
        #[cfg(not(target_os = "linux"))]
        Self { boot: 0, millis: wall() }
    }
}

/// The number that the kernel draws when it starts; 0 where it does not say.
#[cfg(target_os = "linux")]
fn boot() -> u128 {
    use std::sync::OnceLock;
    static BOOT: OnceLock<u128> = OnceLock::new();
    *BOOT.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        u128::from_str_radix(&text.trim().replace('-', ""), 16).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_one_run_are_in_order() {
        let (first, second) = (Moment::now(), Moment::now());
        assert!(first.boot == second.boot && first.millis <= second.millis);
        assert!(cfg!(not(target_os = "linux")) || first.boot != 0, "the kernel says which run it is");
        assert!(wall() > 1_500_000_000_000);
    }
}
