//! What a proof costs several ranks, measured one rank's thread at a time, beside one machine.

mod processes;

pub use self::processes::measure_processes;

use super::meter::{Cost, Link, Meters, PHASES, Phase};
use super::{
    Entries, Failed, MAX_CHUNK, OneMachine, Proved, RankError, Task, Terms, doctor, one_machine, prove_on,
    threads,
};
use crate::claim::Claim;
use crate::dataset::Dataset;
use crate::error::Error;
use crate::params::AnyParams;
use crate::search::{self, Columns, Options};
use alloc::string::String;
use alloc::vec::Vec;
use pcs::matrix::Params;
use pcs::pip::InnerKind;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// How often everything is done; the median is kept.
const ROUNDS: usize = 5;

/// A proof by some ranks.
#[derive(Debug)]
pub struct Measured {
    /// The number of ranks.
    pub ranks: u32,
    /// The proof, with its costs.
    pub proved: Proved,
    /// For two ranks that are threads, which compute at once where there are two cores, and for processes of which each has one.
    pub wall: Option<Wall>,
}

/// Wall time of ranks that compute at once.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// As measured.
    pub measured: Duration,
    /// By the model of the link between the ranks, in seconds.
    pub modelled: f64,
}

/// Parameters, and one machine that proves by them on one thread with leaves that are hashed as a whole.
#[derive(Clone, Debug)]
pub struct Single {
    /// The parameters.
    pub params: Params,
    /// Costs of that proof.
    pub took: OneMachine,
}

/// A proof by some numbers of ranks, beside one machine.
#[derive(Debug)]
pub struct Comparison {
    /// One machine by the parameters of the ranks: the fastest program for one.
    pub same: Single,
    /// One machine by those that are the cheapest for it.
    pub cheapest: Single,
    /// Each number of ranks.
    pub ranks: Vec<Measured>,
    /// True if ranks were processes that computed at once, and not threads in turns.
    pub processes: bool,
}

/// Why nothing was measured.
enum Stopped {
    Rank(Failed),
    Task(Error),
}

impl From<Failed> for Stopped {
    fn from(failed: Failed) -> Self {
        Self::Rank(failed)
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Task(error)
    }
}

/// Commits to `2^log_size` rows and opens one of them, by `2^log_ranks` ranks each time, of which one computes at a time; and by one machine on
/// one thread with leaves that are hashed as a whole, by the same parameters and by the cheapest for one machine. Parameters are those of the options for leaves of as many parts as
/// the most ranks. The median of five jobs each.
///
/// # Errors
/// If the options are for bytes or nothing proves the bits; inside, if a rank fails.
pub fn measure(
    log_size: u32,
    log_ranks: &[u32],
    options: &Options,
) -> Result<Result<Comparison, Failed>, Error> {
    let plan = Plan { log_size, log_ranks, options, processes: false };
    let measured = measure_all(&plan, true, &mut |job, ranks| {
        let proved =
            median(|| by_threads(job, ranks, threads::in_turns), |proved| proved.meters.critical_cpu())?;
        let wall = (ranks == 2).then(|| median(|| wall(job), |wall| wall.measured)).transpose()?;
        Ok(Some(Measured { ranks, proved, wall }))
    });
    let none = || RankError::Unsupported("the coordinator measured nothing".into()).into();
    Ok(outcome(measured)?.and_then(|all| all.ok_or_else(none)))
}

fn outcome<T>(measured: Result<T, Stopped>) -> Result<Result<T, Failed>, Error> {
    match measured {
        Ok(all) => Ok(Ok(all)),
        Err(Stopped::Rank(failed)) => Ok(Err(failed)),
        Err(Stopped::Task(error)) => Err(error),
    }
}

/// The sizes and parameters that are measured.
struct Plan<'a> {
    log_size: u32,
    log_ranks: &'a [u32],
    options: &'a Options,
    processes: bool,
}

/// Measures a job of so many ranks; only the coordinator has its costs.
type Measure<'a> = &'a mut dyn FnMut(Job<'_>, u32) -> Result<Option<Measured>, Stopped>;

/// Measures one machine, at the coordinator, and each number of ranks.
fn measure_all(
    plan: &Plan<'_>,
    coordinates: bool,
    measure: Measure<'_>,
) -> Result<Option<Comparison>, Stopped> {
    let &Plan { log_size, log_ranks, options, processes } = plan;
    let values = (0..1u64 << log_size).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34);
    let (data, claims) = (Dataset::from_u64s(values.collect()), [Claim::Row(77)]);
    let policy = search::policy(options, false)?;
    let most = log_ranks.iter().copied().max().unwrap_or(0);
    let params = chosen(&data, &options.clone().log_parts(most))?;
    let single = |params: Params| {
        let params = Params { log_parts: 0, ..params };
        let of = || Ok(one_machine(&data, params.clone().into(), (&policy, &claims))?);
        let took = median(of, |one| one.cpu)?;
        Ok::<Single, Stopped>(Single { took, params })
    };
    let one = || {
        let same = single(params.clone())?;
        let cheapest = chosen(&data, &options.clone().columns(Columns::Cheapest))?;
        let cheapest = if cheapest == same.params { same.clone() } else { single(cheapest)? };
        Ok::<_, Stopped>((same, cheapest))
    };
    let one = coordinates.then(one).transpose()?;
    let mut ranks = Vec::new();
    for &log_parts in log_ranks {
        let params = Params { log_parts, ..params.clone() };
        let (task, entries) = Task::new(&data, params.into(), &policy)?;
        ranks.extend(measure((&task, Entries::Memory(&entries), &claims[..]), 1 << log_parts)?);
    }
    Ok(one.map(|(same, cheapest)| Comparison { same, cheapest, ranks, processes }))
}

/// The parameters of the options for a column.
fn chosen(data: &Dataset, options: &Options) -> Result<Params, Error> {
    match search::choose(data, options)? {
        AnyParams::Matrix(params) => Ok(params),
        AnyParams::DeepFold(_) => Err(Error::OtherParams("ranks serve schemes over a matrix".into())),
    }
}

/// The task, where its entries are, and what is claimed.
type Job<'a> = (&'a Task, Entries<'a>, &'a [Claim<'a>]);

fn by_threads(
    (task, entries, claims): Job<'_>,
    ranks: u32,
    connect: impl Fn(Vec<threads::Threads>) -> Vec<threads::Threads>,
) -> Result<Proved, Stopped> {
    let connect = |size| connect(threads::connect(size, MAX_CHUNK));
    Ok(prove_on(task, (entries, claims), ranks as usize, (&Terms::default(), &connect))??)
}

fn wall(job: Job<'_>) -> Result<Wall, Stopped> {
    let proved = by_threads(job, 2, |ranks| ranks)?;
    let link = link(2).map_err(Failed::from)?;
    Ok(Wall { measured: proved.wall, modelled: proved.meters.modelled(&link) })
}

fn median<T, K: Ord>(
    mut measure: impl FnMut() -> Result<T, Stopped>,
    key: impl FnMut(&T) -> K,
) -> Result<T, Stopped> {
    let mut all = (0..ROUNDS).map(|_| measure()).collect::<Result<Vec<T>, Stopped>>()?;
    all.sort_by_key(key);
    Ok(all.swap_remove(ROUNDS / 2))
}

/// The link between threads of this process, as the examination of a deployment finds it.
fn link(ranks: usize) -> Result<Link, RankError> {
    let within = Duration::from_secs(60);
    let found = threads::run(ranks, |mut comm| doctor::examine(&mut comm, within));
    let found = found.into_iter().next().unwrap_or(Ok(None))?;
    let none = || RankError::Unsupported("the coordinator examined nothing".into());
    Ok(link_of(&found.ok_or_else(none)?))
}

/// The link between ranks that were examined.
fn link_of(found: &doctor::Deployment) -> Link {
    let latency = found.ranks.get(1).map_or(0.0, |rank| rank.round_trip / 2.0);
    Link { latency, bytes_per_second: found.bytes_per_second }
}

impl Single {
    /// The columns of the matrix.
    #[must_use]
    pub fn columns(&self) -> u64 {
        1 << self.params.level.log_columns
    }

    /// The inner argument.
    #[must_use]
    pub fn inner(&self) -> InnerKind {
        self.params.inner.kind()
    }

    /// CPU time in milliseconds.
    #[must_use]
    pub fn cpu_ms(&self) -> f64 {
        self.took.cpu.as_secs_f64() * 1e3
    }

    /// Parameters and costs as an object.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({ "columns": self.columns(), "inner": self.inner().name(), "layout": self.params.outline(),
            "cpu_ms": self.cpu_ms(), "proof_bytes": self.took.proof_bytes })
    }
}

impl Measured {
    /// The wall time in milliseconds, what the model says of it, and how far that is off, in percent.
    #[must_use]
    pub fn model_error(&self) -> Option<[f64; 3]> {
        let Wall { measured, modelled } = self.wall?;
        let wall = measured.as_secs_f64();
        Some([wall * 1e3, modelled * 1e3, 100.0 * (modelled / wall - 1.0)])
    }

    /// The costs of the rank that took most, phase by phase.
    #[must_use]
    pub fn phases(&self) -> Value {
        let meters = &self.proved.meters;
        by_phase(|phase| {
            json!({ "cpu_ms": meters.most(phase, |cost| cost.cpu) as f64 / 1e6,
                "sent_bytes": meters.most(phase, |cost| cost.sent), "received_bytes": meters.most(phase, |cost| cost.received),
                "calls": meters.most(phase, |cost| cost.collectives),
                "artifact_bytes": meters.most(phase, Cost::artifact_bytes) })
        })
    }
}

/// What each rank took, phase by phase.
#[must_use]
pub fn costs(meters: &Meters) -> Value {
    let of = |cost: &Cost| {
        json!({ "cpu_ms": cost.cpu as f64 / 1e6, "sent_bytes": cost.sent, "received_bytes": cost.received,
            "messages": cost.messages, "calls": cost.collectives })
    };
    meters.0.iter().map(|meter| json!({ "phases": by_phase(|phase| of(meter.of(phase))) })).collect()
}

/// An object with a member for each phase.
fn by_phase(of: impl Fn(Phase) -> Value) -> Value {
    let named = |&phase| (format!("{phase:?}").to_lowercase(), of(phase));
    PHASES.iter().map(named).collect::<Map<String, Value>>().into()
}
