//! The same measurement by ranks that are processes: those of one launcher, of which the first so many take part in each job.

use super::{Comparison, Job, Measured, Plan, Stopped, Wall, link_of, measure_all, median};
use crate::any::ranks::Input;
use crate::cluster::comm::{Clock, Incoming, Outgoing};
use crate::cluster::doctor::{Deployment, examine};
use crate::cluster::{Comm, CommError, Deadlines, Entries, Failed, Proved, RankError, Terms, take_part};
use crate::error::Error;
use crate::search::Options;
use ::cluster::Waiting;
use alloc::boxed::Box;
use core::time::Duration;
use std::collections::BTreeMap;

/// The first ranks of a job, as a job of their own.
struct First<'a> {
    comm: &'a mut dyn Comm,
    size: usize,
}

impl Comm for First<'_> {
    fn rank(&self) -> usize {
        self.comm.rank()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn clock(&self) -> Clock {
        self.comm.clock()
    }

    fn wait_for(&mut self, waiting: Waiting) {
        self.comm.wait_for(waiting);
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        self.comm.exchange(outgoing, incoming, within)
    }
}

/// [`super::measure`] by the ranks of a launcher, each of which calls this: what the first ranks take that compute at once, for each number of ranks up to
/// those of the launcher, and the wall time where each has a core to itself. The coordinator has the result.
///
/// # Errors
/// As there.
pub fn measure_processes(
    log_size: u32,
    log_ranks: &[u32],
    options: &Options,
    comm: &mut dyn Comm,
) -> Result<Result<Option<Comparison>, Failed>, Error> {
    let size = comm.size();
    let started: Vec<u32> = log_ranks.iter().copied().filter(|&log| size >> log > 0).collect();
    let coordinates = comm.rank() == 0;
    let mut found = None;
    let plan = Plan { log_size, log_ranks: &started, options, processes: true };
    let measured = measure_all(&plan, coordinates, &mut |job, ranks| {
        // The others wait here while the first measures one machine, or fewer ranks a job.
        let within = Deadlines::default().idle;
        comm.broadcast(0, &mut [0], within).map_err(RankError::from).map_err(Failed::from)?;
        if found.is_none() {
            found = Some(examine(comm, within).map_err(RankError::from).map_err(Failed::from)?);
        }
        let mut walls = Vec::new();
        let mut prove = || {
            let proved = by_processes(job, ranks as usize, comm)?;
            walls.extend(proved.as_ref().map(|proved| proved.wall));
            Ok(proved)
        };
        let proved = median(&mut prove, |proved| proved.as_ref().map(|made| made.meters.critical_cpu()))?;
        walls.sort_unstable();
        let (Some(proved), Some(Some(deployment))) = (proved, &found) else { return Ok(None) };
        let wall = walls.get(walls.len() / 2).filter(|_| ranks > 1 && has_cores(deployment, ranks as usize));
        let modelled = proved.meters.modelled(&link_of(deployment));
        let wall = wall.map(|&measured| Wall { measured, modelled });
        Ok(Some(Measured { ranks, proved, wall }))
    });
    super::outcome(measured)
}

/// True if no host has more of the first ranks than cores.
fn has_cores(deployment: &Deployment, ranks: usize) -> bool {
    let mut on = BTreeMap::<&str, u64>::new();
    deployment.ranks.iter().take(ranks).all(|rank| {
        let ranks = on.entry(&rank.host).or_default();
        *ranks += 1;
        *ranks <= rank.threads
    })
}

/// One job of the first ranks, each of which has all entries in its memory; nothing at the others.
fn by_processes(
    (task, entries, claims): Job<'_>,
    size: usize,
    comm: &mut dyn Comm,
) -> Result<Option<Proved>, Stopped> {
    let rank = comm.rank();
    if rank >= size {
        return Ok(None);
    }
    let Entries::Memory(entries) = entries else { return Ok(None) };
    let (opening, terms) = (task.opening(Entries::Memory(entries), claims)?, Terms::default());
    let identity = terms.identity(&[], rank).map_err(Failed::from)?;
    let seat = (Box::new(First { comm, size }) as Box<dyn Comm + '_>, identity, terms.deadlines);
    let opening = (rank == 0).then_some(&opening);
    let made = take_part(&task.scheme, seat, (Input::Shared(entries), [0; 32]), opening)?;
    Ok(made.map(|made| task.proved(made)))
}
