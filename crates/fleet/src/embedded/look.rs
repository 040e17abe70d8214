//! Looks at the jobs that run and wait, of however many there are.

use super::database::damaged;
use super::{JOBS, RUNNING, Turn, WAITING};
use crate::clock::wall;
use crate::error::Error;
use crate::id::Id;
use crate::record::{Record, State};
use redb::{ReadTransaction, ReadableTable};
use std::ops::RangeBounds;

/// Returns true if a job is running. Cost: a record for each lease, expired ones included.
pub(super) fn runs(transaction: &ReadTransaction) -> Result<bool, Error> {
    let (jobs, now) = (transaction.open_table(JOBS).map_err(damaged)?, wall());
    for entry in transaction.open_table(RUNNING).map_err(damaged)?.iter().map_err(damaged)? {
        let Some(bytes) = jobs.get(entry.map_err(damaged)?.0.value()).map_err(damaged)? else { continue };
        let mut record = Record::decode(bytes.value())?;
        record.expire(now);
        if record.state == State::Running {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first job that waits at one of these places and is wanted, with the memory that it needs. One that is over stays there until a claim meets it.
pub(super) fn waits(
    transaction: &ReadTransaction,
    places: impl RangeBounds<Turn>,
    wanted: impl Fn(Id) -> bool,
) -> Result<Option<(Id, u64)>, Error> {
    let (jobs, now) = (transaction.open_table(JOBS).map_err(damaged)?, wall());
    let waiting = transaction.open_table(WAITING).map_err(damaged)?;
    for entry in waiting.range(places).map_err(damaged)? {
        let (turn, id) = entry.map_err(damaged)?;
        if !wanted(Id(id.value())) {
            continue;
        }
        let Some(bytes) = jobs.get(id.value()).map_err(damaged)? else { continue };
        let mut record = Record::decode(bytes.value())?;
        record.expire(now);
        if record.state == State::Queued && record.terms.memory == turn.value().0 {
            return Ok(Some((Id(id.value()), record.terms.memory)));
        }
    }
    Ok(None)
}
