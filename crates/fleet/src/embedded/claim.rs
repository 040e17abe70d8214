//! Claims in a folder: leases that ran out, and the first job that waits and that a worker can take.

use super::database::damaged;
use super::{RUNNING, Tables, Turn, WAITING};
use crate::declined::Declined;
use crate::error::Error;
use crate::id::Id;
use crate::queue::Lease;
use crate::record::{Record, State, Token};
use redb::ReadableTable;

impl Tables<'_> {
    /// Gives the first job that waits, fits the memory and is not left alone to a worker.
    pub(super) fn claim(
        &mut self,
        token: Token,
        worker: &str,
        (memory, declined): (u64, &Declined),
    ) -> Result<Option<Lease>, Error> {
        self.sweep()?;
        while let Some((place, id)) = self.first_waiting(memory, declined)? {
            // Of a job without a record nothing is known that could be lost, and its place would be met again by every claim.
            let Some(mut record) = self.find(id)? else {
                self.unqueue(place)?;
                continue;
            };
            // It was over when it was met nowhere, and waits anew by other terms.
            let moved = place.0 != record.terms.memory;
            if moved && record.state == State::Queued {
                self.enqueue(id, record.terms.memory)?;
            }
            let claimed = !moved && record.claim(token, worker, self.wall);
            if claimed {
                self.hold(id)?;
            }
            self.store(id, &record)?;
            self.unqueue(place)?;
            if claimed {
                return Lease::of(id, token, &record).map(Some);
            }
        }
        Ok(None)
    }

    pub(super) fn unqueue(&self, place: Turn) -> Result<(), Error> {
        let mut waiting = self.transaction.open_table(WAITING).map_err(damaged)?;
        // What a look finds and a removal does not would be found for ever.
        match waiting.remove(place).map_err(damaged)? {
            Some(_) => Ok(()),
            None => Err(Error::Damaged("a job that waits is in another place than its own".into())),
        }
    }

    /// The first in order of those that wait and need no more than this memory. Looks at one job for each amount that is needed, however many wait, and at
    /// those that are left alone.
    fn first_waiting(&self, memory: u64, declined: &Declined) -> Result<Option<(Turn, Id)>, Error> {
        let waiting = self.transaction.open_table(WAITING).map_err(damaged)?;
        let mut first: Option<(Turn, Id)> = None;
        let mut from = Some(0);
        while let Some(least) = from {
            let fitting = waiting.range((least, 0)..=(memory, u64::MAX)).map_err(damaged)?;
            let is_left = |id: &redb::AccessGuard<'_, [u8; 32]>| declined.has(Id(id.value()));
            let mut taken = fitting.skip_while(|entry| entry.as_ref().is_ok_and(|(_, id)| is_left(id)));
            let Some(entry) = taken.next() else { break };
            let (place, id) = entry.map_err(damaged)?;
            let (place, id) = (place.value(), Id(id.value()));
            if place.0 < least {
                return Err(Error::Damaged("jobs that wait are out of order".into()));
            }
            if first.is_none_or(|(before, _)| place.1 < before.1) {
                first = Some((place, id));
            }
            from = place.0.checked_add(1).filter(|&next| next <= memory);
        }
        Ok(first)
    }

    /// Takes jobs back whose lease ran out, or was of an earlier run of the system.
    fn sweep(&mut self) -> Result<(), Error> {
        let mut lost = Vec::new();
        {
            let running = self.transaction.open_table(RUNNING).map_err(damaged)?;
            for entry in running.iter().map_err(damaged)? {
                let (id, lease) = entry.map_err(damaged)?;
                let (boot, until) = lease.value();
                if boot != self.now.boot || until < self.now.millis {
                    lost.push(Id(id.value()));
                }
            }
        }
        for id in lost {
            if self.find(id)?.is_some() {
                self.update(id, Record::lose)?;
            } else {
                let mut running = self.transaction.open_table(RUNNING).map_err(damaged)?;
                running.remove(id.0).map_err(damaged)?;
            }
        }
        Ok(())
    }
}
