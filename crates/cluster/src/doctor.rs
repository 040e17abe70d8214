//! Examines a deployment before there is a job: programs, hosts, clocks, latency and rate. (notes: cluster-doctor)

use crate::comm::{Comm, CommError, Incoming, Outgoing};
use crate::hello::program;
use crate::host::{self, HOST};
use crate::party::COORDINATOR;
use core::fmt;
use core::time::Duration;
use serde::{Deserialize, Serialize};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Bytes of what a rank says of itself: program, threads, host.
const BLOCK: usize = 32 + 8 + HOST;

/// Messages there and back.
const ROUNDS: usize = 20;

/// Bytes from each rank for each, and how often.
const LOAD: usize = 1 << 20;
const LOADS: u32 = 3;

/// A rank as the coordinator finds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Examined {
    /// The name of its host; empty if there is none.
    pub host: String,
    /// True if it runs the coordinator's version of the program.
    pub same_program: bool,
    /// Threads that its host gives it.
    pub threads: u64,
    /// The fastest of some messages there and back, in seconds; zero for the coordinator.
    pub round_trip: f64,
    /// How far its clock is ahead of the coordinator's, in seconds, as well as the round trip tells.
    pub clock_ahead: f64,
}

/// A deployment as the coordinator finds it. As text, a line for each rank, and what is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deployment {
    /// By rank.
    pub ranks: Vec<Examined>,
    /// Bytes that a rank sends in a second while all send to all; zero for one rank.
    pub bytes_per_second: f64,
}

impl Deployment {
    /// The findings that would keep a job from starting.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !self.ranks.len().is_power_of_two() {
            problems.push(format!("{} ranks: a job takes a power of two of them", self.ranks.len()));
        }
        let odd = self.ranks.iter().enumerate().filter(|(_, rank)| !rank.same_program);
        problems.extend(odd.map(|(i, _)| format!("rank {i} runs another version of the program")));
        problems
    }
}

impl fmt::Display for Deployment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<5} {:<24} {:>8} {:>14} {:>12}",
            "rank", "host", "threads", "round trip us", "clock ms"
        )?;
        for (i, rank) in self.ranks.iter().enumerate() {
            let (trip, clock) = (rank.round_trip * 1e6, rank.clock_ahead * 1e3);
            writeln!(f, "{i:<5} {:<24} {:>8} {trip:>14.1} {clock:>12.1}", rank.host, rank.threads)?;
        }
        writeln!(f, "all to all: {:.1} MB/s for each rank", self.bytes_per_second / 1e6)?;
        self.problems().iter().try_for_each(|problem| writeln!(f, "problem: {problem}"))
    }
}

/// Examines a deployment: every rank calls this, and the coordinator has the result.
///
/// Cost: three megabytes for each other rank, and twenty messages to each, one rank after the other.
///
/// # Errors
/// If a rank does not answer in time.
pub fn examine(comm: &mut dyn Comm, within: Duration) -> Result<Option<Deployment>, CommError> {
    let blocks = comm.gather(COORDINATOR, &own_block(), within)?;
    let mut ranks: Vec<Examined> = blocks.chunks_exact(BLOCK).map(examined).collect();
    if comm.rank() == COORDINATOR {
        for (other, rank) in ranks.iter_mut().enumerate().skip(1) {
            [rank.round_trip, rank.clock_ahead] = ping(comm, other, within)?;
        }
    } else {
        // Ranks before this one are asked before.
        let before = comm.rank() as u32;
        answer(comm, within.saturating_mul(1 + before))?;
    }
    // Nobody sends before all are there.
    comm.broadcast(COORDINATOR, &mut [0], within.saturating_mul(1 + comm.size() as u32))?;
    let (load, mut places) = (vec![1; LOAD * comm.size()], vec![0; LOAD * comm.size()]);
    let start = Instant::now();
    for _ in 0..LOADS {
        comm.all_to_all(&load, &mut places, within)?;
    }
    let sent = f64::from(LOADS) * (LOAD * (comm.size() - 1)) as f64;
    let bytes_per_second = sent / start.elapsed().as_secs_f64();
    Ok((comm.rank() == COORDINATOR).then_some(Deployment { ranks, bytes_per_second }))
}

fn own_block() -> Vec<u8> {
    let threads = std::thread::available_parallelism().map_or(0, |threads| threads.get() as u64);
    [&program()[..], &threads.to_le_bytes(), &host::block(&host::own())].concat()
}

fn examined(block: &[u8]) -> Examined {
    let (version, rest) = block.split_at(32);
    let (threads, host) = rest.split_at(8);
    Examined {
        host: host::read(host),
        same_program: version == program(),
        threads: u64::from_le_bytes(threads.try_into().unwrap_or_default()),
        round_trip: 0.0,
        clock_ahead: 0.0,
    }
}

/// Seconds since 1970.
fn clock() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// The fastest round trip to a rank, and how far its clock was ahead then.
fn ping(comm: &mut dyn Comm, other: usize, within: Duration) -> Result<[f64; 2], CommError> {
    let mut best = [f64::INFINITY, 0.0];
    for _ in 0..ROUNDS {
        let (start, before, mut answer) = (Instant::now(), clock(), [0; 8]);
        comm.exchange(
            &[Outgoing { to: other, bytes: &[0; 8] }],
            &mut [Incoming { from: other, bytes: &mut answer }],
            within,
        )?;
        let trip = start.elapsed().as_secs_f64();
        if trip < best[0] {
            best = [trip, f64::from_le_bytes(answer) - before - trip / 2.0];
        }
    }
    Ok(best)
}

fn answer(comm: &mut dyn Comm, within: Duration) -> Result<(), CommError> {
    for _ in 0..ROUNDS {
        comm.exchange(&[], &mut [Incoming { from: COORDINATOR, bytes: &mut [0; 8] }], within)?;
        let now = clock().to_le_bytes();
        comm.exchange(&[Outgoing { to: COORDINATOR, bytes: &now }], &mut [], within)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::threads::run;

    #[test]
    fn a_deployment_is_examined() {
        let within = Duration::from_secs(30);
        let results = run(3, |mut comm| examine(&mut comm, within));
        let deployment = results[0].clone().unwrap().expect("the coordinator's");
        assert!(results[1..].iter().all(|result| matches!(result, Ok(None))));
        assert_eq!(deployment.ranks.len(), 3);
        assert!(deployment.bytes_per_second > 0.0 && deployment.ranks[2].round_trip > 0.0);
        // Threads have one clock.
        assert!(deployment.ranks.iter().all(|rank| rank.same_program && rank.clock_ahead.abs() < 1.0));
        let text = deployment.to_string();
        assert!(text.contains("problem: 3 ranks") && text.lines().count() == 6, "{text}");
        let odd = |mut rank: Examined| {
            rank.same_program = false;
            rank
        };
        let ranks = vec![deployment.ranks[0].clone(), odd(deployment.ranks[1].clone())];
        let problems = Deployment { ranks, ..deployment }.problems();
        assert_eq!(problems, ["rank 1 runs another version of the program"]);
    }

    #[test]
    fn a_rank_that_is_not_there_is_named() {
        let results = run(3, |mut comm| match comm.rank() {
            2 => Ok(None),
            _ => examine(&mut comm, Duration::from_secs(5)),
        });
        assert_eq!(results[0].as_ref().map_err(CommError::rank), Err(Some(2)));
    }
}
