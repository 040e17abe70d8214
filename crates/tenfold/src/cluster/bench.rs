//! What a proof costs several ranks, measured one rank's thread at a time, beside one machine.

use super::meter::{Cost, Link, PHASES};
use super::{Entries, Failed, Proved, RankError, Task, Terms, doctor, one_machine, prove, threads};
use crate::claim::Claim;
use crate::dataset::Dataset;
use crate::error::Error;
use crate::search::{self, Options};
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A proof by some ranks.
#[derive(Debug)]
pub struct Measured {
    /// The number of ranks.
    pub ranks: u32,
    /// The proof, with its costs.
    pub proved: Proved,
    /// For two ranks: their wall time by the model of the link between the threads, in seconds.
    pub modelled: Option<f64>,
}

type AllMeasured = (Duration, Vec<Measured>);

/// Commits to `2^log_size` rows and opens one of them, by `2^log_ranks` ranks each time; and by one machine on one thread with leaves
/// that are hashed as a whole, whose CPU time is returned first.
///
/// # Errors
/// If the options are for bytes or nothing proves the bits; inside, if a rank fails.
pub fn measure(
    log_size: u32,
    log_ranks: &[u32],
    options: &Options,
) -> Result<Result<AllMeasured, Failed>, Error> {
    let values = (0..1u64 << log_size).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34);
    let (data, claims) = (Dataset::from_u64s(values.collect()), [Claim::Row(77)]);
    let policy = search::policy(options, false)?;
    let one = one_machine(&data, search::choose(&data, options)?, (&policy, &claims))?;
    let mut measured = Vec::new();
    for &log_ranks in log_ranks {
        let ranks = 1u32 << log_ranks;
        let params = search::choose(&data, &options.clone().log_parts(log_ranks))?;
        let (task, entries) = Task::new(&data, params, &policy)?;
        let terms = Terms::default();
        let proved = match prove(&task, (Entries::Memory(&entries), &claims), (ranks as usize, &terms))? {
            Ok(proved) => proved,
            Err(failed) => return Ok(Err(failed)),
        };
        let modelled = if ranks == 2 {
            match link(2) {
                Ok(link) => Some(proved.meters.modelled(&link)),
                Err(error) => return Ok(Err(error.into())),
            }
        } else {
            None
        };
        measured.push(Measured { ranks, proved, modelled });
    }
    Ok(Ok((one, measured)))
}

/// The link between threads of this process, as the examination of a deployment finds it.
fn link(ranks: usize) -> Result<Link, RankError> {
    let within = Duration::from_secs(60);
    let found = threads::run(ranks, |mut comm| doctor::examine(&mut comm, within));
    let found = found.into_iter().next().unwrap_or(Ok(None))?;
    let none = || RankError::Unsupported("the coordinator examined nothing".into());
    let doctor::Deployment { ranks, bytes_per_second } = found.ok_or_else(none)?;
    let latency = ranks.get(1).map_or(0.0, |rank| rank.round_trip / 2.0);
    Ok(Link { latency, bytes_per_second })
}

impl Measured {
    /// The wall time of two ranks in milliseconds, what the model says of it, and how far that is off, in percent.
    #[must_use]
    pub fn model_error(&self) -> Option<[f64; 3]> {
        let (wall, modelled) = (self.proved.wall.as_secs_f64(), self.modelled?);
        Some([wall * 1e3, modelled * 1e3, 100.0 * (modelled / wall - 1.0)])
    }

    /// The costs of the rank that took most, phase by phase.
    #[must_use]
    pub fn phases(&self) -> Value {
        let meters = &self.proved.meters;
        let of = |phase| {
            json!({ "cpu_ms": meters.most(phase, |cost| cost.cpu) as f64 / 1e6, "sent": meters.most(phase, |cost| cost.sent),
                "received": meters.most(phase, |cost| cost.received), "calls": meters.most(phase, |cost| cost.collectives),
                "artifact_bytes": meters.most(phase, Cost::artifact_bytes) })
        };
        let named = |&phase| (format!("{phase:?}").to_lowercase(), of(phase));
        PHASES.iter().map(named).collect::<Map<String, Value>>().into()
    }
}
