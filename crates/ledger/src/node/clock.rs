//! Wall and CPU time.

use std::time::{Duration, Instant};

use super::Cost;

/// The beginning of something that is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    wall: Instant,
    cpu: Duration,
}

impl Start {
    pub fn now() -> Self {
        Self { wall: Instant::now(), cpu: cpu() }
    }

    pub fn cost(self) -> Cost {
        let wall = self.wall.elapsed();
        let cpu = if cfg!(unix) { cpu().saturating_sub(self.cpu) } else { wall };
        Cost { wall, cpu }
    }
}

/// Runs something, and measures it.
pub fn cost_of<T>(f: impl FnOnce() -> T) -> (T, Cost) {
    let start = Start::now();
    let value = f();
    (value, start.cost())
}

#[cfg(unix)]
fn cpu() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

#[cfg(not(unix))]
fn cpu() -> Duration {
    Duration::ZERO
}
