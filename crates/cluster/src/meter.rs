//! What each rank sends, receives and computes, by phases. (notes: cluster-meter)
//!
//! Bytes are logical: what a rank hands to the communication or takes from it, without frames; what a rank keeps for itself is not counted. CPU
//! time is taken inside of computations alone, since ranks that wait may spin.

use crate::comm::Clock;
use core::fmt;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// What a rank is at, in the order of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Comparing versions and parameters.
    Hello,
    /// Handing out the entries.
    Input,
    /// Encoding columns and hashing their parts of the leaves; commitments to fragments.
    Encode,
    /// Exchanging the digests of parts.
    Digests,
    /// The tree above them.
    Tree,
    /// Values of forms on the columns.
    Values,
    /// Combinations of the columns, or of fragments.
    Columns,
    /// Rows of the codeword with their paths; quotients.
    Rows,
    /// What the coordinator alone does: sumchecks, the inner argument, the check of the proof.
    Coordinator,
    /// Looking for the rank that deviated.
    Blame,
}

/// All phases.
pub const PHASES: [Phase; 10] = [
    Phase::Hello,
    Phase::Input,
    Phase::Encode,
    Phase::Digests,
    Phase::Tree,
    Phase::Values,
    Phase::Columns,
    Phase::Rows,
    Phase::Coordinator,
    Phase::Blame,
];

/// Bytes that the published design's count adds to each message.
const ARTIFACT_FRAME: u64 = 8;

/// What a phase took of a rank.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Bytes for other ranks.
    pub sent: u64,
    /// Bytes from other ranks.
    pub received: u64,
    /// Messages to other ranks.
    pub messages: u64,
    /// Calls in which all ranks took part.
    pub collectives: u64,
    /// CPU time of computations, in nanoseconds.
    pub cpu: u64,
}

impl Cost {
    /// Sent bytes as the published design's program counts them: each message with its length.
    pub fn artifact_bytes(&self) -> u64 {
        self.sent.saturating_add(ARTIFACT_FRAME.saturating_mul(self.messages))
    }

    fn add(&mut self, other: &Self) {
        let Self { sent, received, messages, collectives, cpu } = *other;
        self.sent = self.sent.saturating_add(sent);
        self.received = self.received.saturating_add(received);
        self.messages = self.messages.saturating_add(messages);
        self.collectives = self.collectives.saturating_add(collectives);
        self.cpu = self.cpu.saturating_add(cpu);
    }

    fn raise(&mut self, other: &Self) {
        let Self { sent, received, messages, collectives, cpu } = *other;
        self.sent = self.sent.max(sent);
        self.received = self.received.max(received);
        self.messages = self.messages.max(messages);
        self.collectives = self.collectives.max(collectives);
        self.cpu = self.cpu.max(cpu);
    }

    fn numbers(&self) -> [u64; 5] {
        [self.sent, self.received, self.messages, self.collectives, self.cpu]
    }
}

/// The costs of one rank.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// By the numbers of [`PHASES`].
    costs: [Cost; PHASES.len()],
}

impl Meter {
    /// Bytes of [`Meter::to_bytes`].
    pub const BYTES: usize = PHASES.len() * 5 * 8;

    /// What a phase took.
    pub fn of(&self, phase: Phase) -> &Cost {
        &self.costs[phase as usize]
    }

    /// What all phases took.
    pub fn total(&self) -> Cost {
        let mut total = Cost::default();
        self.costs.iter().for_each(|cost| total.add(cost));
        total
    }

    pub(crate) fn of_mut(&mut self, phase: Phase) -> &mut Cost {
        &mut self.costs[phase as usize]
    }

    /// All numbers in order, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.costs.iter().flat_map(Cost::numbers).flat_map(u64::to_le_bytes).collect()
    }

    /// The inverse of [`Meter::to_bytes`]; none for another number of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let (costs, more) = words.as_chunks::<5>();
        if !rest.is_empty() || !more.is_empty() || costs.len() != PHASES.len() {
            return None;
        }
        let mut meter = Self::default();
        for (cost, words) in meter.costs.iter_mut().zip(costs) {
            let [sent, received, messages, collectives, cpu] = words.map(u64::from_le_bytes);
            *cost = Cost { sent, received, messages, collectives, cpu };
        }
        Some(meter)
    }
}

/// A clock of CPU time; of time that passes where this is not Unix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    clock: Clock,
    start: Duration,
}

impl Stopwatch {
    pub fn start(clock: Clock) -> Self {
        Self { clock, start: now(clock) }
    }

    /// Nanoseconds since the start.
    pub fn nanoseconds(&self) -> u64 {
        u64::try_from(now(self.clock).saturating_sub(self.start).as_nanos()).unwrap_or(u64::MAX)
    }
}

/// CPU time of this thread so far; where this is not Unix, time that has passed.
pub fn thread_cpu() -> Duration {
    now(Clock::Thread)
}

#[cfg(unix)]
fn now(clock: Clock) -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let clock = match clock {
        Clock::Thread => ClockId::ThreadCPUTime,
        Clock::Process => ClockId::ProcessCPUTime,
    };
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}

/// At least what the CPU takes, and no less than that on a machine with nothing else to do.
#[cfg(not(unix))]
fn now(_: Clock) -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// A network, as a model of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Seconds that a call takes whatever it moves.
    pub latency: f64,
    /// Bytes that a rank sends, and receives, in a second.
    pub bytes_per_second: f64,
}

/// The meters of all ranks, by rank, as each reports its own: nothing checks them, and sums stop at the largest number. As text, a line for each phase that took something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meters(pub Vec<Meter>);

impl Meters {
    /// The CPU time that all ranks waited for, in nanoseconds: of each phase that of the slowest.
    pub fn critical_cpu(&self) -> u64 {
        PHASES.iter().map(|&phase| self.most(phase, |cost| cost.cpu)).fold(0, u64::saturating_add)
    }

    /// The *modelled* wall time on a network, in seconds: of each phase the CPU time, the bytes one way and the calls of the rank that took most. Nothing
    /// overlaps in the model; where there are fewer cores than ranks, it is the only wall time there is.
    pub fn modelled(&self, link: &Link) -> f64 {
        let of_phase = |&phase: &Phase| {
            let bytes = self.most(phase, |cost| cost.sent.max(cost.received)) as f64;
            let calls = self.most(phase, |cost| cost.collectives) as f64;
            bytes / link.bytes_per_second + calls * link.latency
        };
        self.critical_cpu() as f64 / 1e9 + PHASES.iter().map(of_phase).sum::<f64>()
    }

    /// The most that a rank took of something in a phase.
    pub fn most(&self, phase: Phase, of: impl Fn(&Cost) -> u64) -> u64 {
        self.0.iter().map(|meter| of(meter.of(phase))).max().unwrap_or(0)
    }

    /// The most that a rank took, number by number.
    fn fold(&self, of: impl Fn(&Meter) -> Cost) -> Cost {
        let mut most = Cost::default();
        self.0.iter().for_each(|meter| most.raise(&of(meter)));
        most
    }
}

impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ranks; of each phase the rank that took most", self.0.len())?;
        writeln!(
            f,
            "{:<12} {:>10} {:>12} {:>12} {:>14} {:>6}",
            "phase", "CPU ms", "sent", "received", "artifact", "calls"
        )?;
        for phase in PHASES {
            if self.0.iter().any(|meter| *meter.of(phase) != Cost::default()) {
                let most = self.fold(|meter| *meter.of(phase));
                line(f, &format!("{phase:?}"), &most)?;
            }
        }
        let all = self.fold(Meter::total);
        line(f, "all", &Cost { cpu: self.critical_cpu(), ..all })
    }
}

/// A line of the table.
fn line(f: &mut fmt::Formatter<'_>, name: &str, cost: &Cost) -> fmt::Result {
    let Cost { sent, received, collectives, cpu, .. } = cost;
    let (cpu, artifact) = (*cpu as f64 / 1e6, cost.artifact_bytes());
    writeln!(f, "{name:<12} {cpu:>10.2} {sent:>12} {received:>12} {artifact:>14} {collectives:>6}")
}
