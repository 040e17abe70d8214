//! One rank of those that a launcher started, each a process: the first coordinates, and tells the others the parameters if they have no shards.

use super::{Comm, Entries, Failed, Proved, RankError, Sharded, Task, Terms, take_part};
use crate::any::ranks::Input;
use crate::claim::Claim;
use crate::error::Error;
use crate::params::AnyParams;
use alloc::boxed::Box;
use alloc::vec::Vec;
use iop::security::Policy;
use pcs::file::SchemeId;

/// Bytes of encoded parameters at most.
const MAX_PARAMS: usize = 1 << 16;

/// Takes part as the rank of a process that coordinates: the others call [`serve`].
///
/// # Errors
/// As [`super::prove()`].
pub fn coordinate(
    task: &Task,
    (entries, claims): (Entries<'_>, &[Claim<'_>]),
    (mut comm, terms): (Box<dyn Comm + '_>, &Terms),
) -> Result<Result<Proved, Failed>, Error> {
    let opening = task.opening(entries, claims)?;
    let mut run = || {
        let (rank, size) = (comm.rank(), comm.size());
        let (input, data) = match entries {
            Entries::Memory(entries) => {
                brief(&mut *comm, Some(&task.params), terms)?;
                (Input::Scattered(Some(entries)), [0; 32])
            }
            Entries::Shards(sharded) => (Input::Shards(sharded.files(rank, size)?), sharded.data()),
        };
        Ok((input, data))
    };
    let entries = match run() {
        Ok(entries) => entries,
        Err(error) => return Ok(Err(error)),
    };
    let identity = match terms.identity(&[], comm.rank()) {
        Ok(identity) => identity,
        Err(error) => return Ok(Err(error.into())),
    };
    let made = take_part(&task.scheme, (comm, identity, terms.deadlines), entries, Some(&opening));
    let unmade = || RankError::Unsupported("this rank does not coordinate".into()).into();
    Ok(made.and_then(|made| made.map(|made| task.proved(made)).ok_or_else(unmade)))
}

/// Takes part as the rank of a process that does not coordinate, with its shards, or with the columns that the coordinator gives it.
///
/// # Errors
/// If the coordinator ends, or its shards cannot be read.
pub fn serve(
    shards: Option<&Sharded>,
    (mut comm, terms): (Box<dyn Comm + '_>, &Terms),
) -> Result<(), Failed> {
    let (params, entries) = match shards {
        Some(sharded) => {
            let files = sharded.files(comm.rank(), comm.size())?;
            (sharded.params().clone(), (Input::Shards(files), sharded.data()))
        }
        None => (brief(&mut *comm, None, terms)?, (Input::Scattered(None), [0; 32])),
    };
    let scheme =
        params.build(&Policy::at_least(0)).map_err(|e| RankError::Unsupported(e.reason().to_owned()))?;
    let identity = terms.identity(&[], comm.rank())?;
    take_part(&scheme, (comm, identity, terms.deadlines), entries, None).map(|_| ())
}

/// Tells all ranks the parameters, which the coordinator has.
fn brief(comm: &mut dyn Comm, params: Option<&AnyParams>, terms: &Terms) -> Result<AnyParams, Failed> {
    let mut block = params.map_or_else(Vec::new, |params| {
        let mut block = vec![params.scheme() as u8];
        block.extend(params.encode());
        block
    });
    let mut length = (block.len() as u64).to_le_bytes();
    let within = terms.deadlines.idle;
    comm.broadcast(0, &mut length, within).map_err(RankError::from)?;
    let unread = || RankError::Question("parameters that are none");
    let length = usize::try_from(u64::from_le_bytes(length)).ok().filter(|&length| length <= MAX_PARAMS);
    block.resize(length.ok_or_else(unread)?, 0);
    comm.broadcast(0, &mut block, within).map_err(RankError::from)?;
    let (id, params) = block.split_first().ok_or_else(unread)?;
    let schemes = [SchemeId::Pip, SchemeId::Ligerito, SchemeId::Air];
    let scheme = schemes.into_iter().find(|scheme| *scheme as u8 == *id).ok_or_else(unread)?;
    Ok(AnyParams::decode(scheme, params).ok_or_else(unread)?)
}
