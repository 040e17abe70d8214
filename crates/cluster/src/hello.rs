//! The first thing that ranks say to each other: which program they run, for which job, parameters and data, and by which key they sign.
//!
//! ```text
//!   every rank   program, parameters, name of the job, data, key, nonce, host
//!   coordinator  what differs at which rank; keys, nonces and hosts of all ranks: the job is known by keys and nonces from then on
//! ```

use crate::error::{Difference, Error, Reason};
use crate::host::{self, HOST, Hosts};
use crate::identity::{DIGEST, PublicKey, digest};
use crate::meter::Phase;
use crate::party::{COORDINATOR, Party};
use crate::report::{Hex, Job, Seat};
use iop::hash::Digest;
use pcs::matrix::Params;

/// The messages of ranks: another number for every change of one.
const PROTOCOL: &[u8] = b"5";

/// Digests on which all ranks must agree.
const COMMON: usize = 4 * DIGEST;

/// A key and a nonce.
const SEAT: usize = 2 * DIGEST;

/// A seat and the name of its host.
const PLACE: usize = SEAT + HOST;

/// Bytes of the coordinator's verdict: what differs, and at which rank.
const VERDICT: usize = 9;

/// The digest of this program's version.
pub(crate) fn program() -> [u8; DIGEST] {
    digest("tenfold cluster program v1", &[env!("CARGO_PKG_VERSION").as_bytes(), PROTOCOL])
}

/// The digest of a matrix commitment's parameters.
pub(crate) fn parameters(params: &Params) -> [u8; DIGEST] {
    parameters_digest(&params.digest())
}

fn parameters_digest(params: &Digest) -> [u8; DIGEST] {
    digest("tenfold cluster parameters v1", &[params])
}

/// The description of the job.
pub(crate) struct Subject {
    pub scheme: &'static str,
    /// The encoded parameters, or what stands for them.
    pub parameters: Vec<u8>,
    pub digest: Digest,
}

impl Subject {
    pub fn matrix(params: &Params) -> Self {
        Self { scheme: params.scheme().name(), parameters: params.encode(), digest: params.digest() }
    }
}

/// The kinds of verdicts; behind the last two is the number of a common digest.
const ALIKE: u8 = 0;
const STOPPED: u8 = 1;
const ODD: u8 = 16;
const DIFFER: u8 = 32;

/// What the common digests are of, in their order.
const DIFFERENCES: [Difference; COMMON / DIGEST] =
    [Difference::Program, Difference::Parameters, Difference::Job, Difference::Data];

/// Finds what differs in all ranks' blocks, and which rank is the odd one: more than half of them agree against it. Without such a majority, the first that
/// differs from the coordinator.
fn judge(blocks: &[&[u8]]) -> (u8, usize) {
    let common: Vec<&[u8]> = blocks.iter().map(|block| &block[..COMMON]).collect();
    let Some(other) = common.iter().position(|block| block != &common[0]) else { return (ALIKE, 0) };
    let agree = |block: &&[u8]| 2 * common.iter().filter(|other| other == &block).count() > common.len();
    let (kind, usual, odd) = match common.iter().copied().find(agree) {
        Some(usual) => (ODD, usual, common.iter().position(|block| *block != usual).unwrap_or(other)),
        None => (DIFFER, common[0], other),
    };
    let mut digests = common[odd].chunks(DIGEST).zip(usual.chunks(DIGEST));
    let differs = digests.position(|(odd, usual)| odd != usual).unwrap_or_default();
    (kind + differs as u8, odd)
}

/// The error of a verdict about a rank; none if all are alike.
fn verdict(kind: u8, rank: usize) -> Option<Error> {
    let what = |first: u8| DIFFERENCES.get(usize::from(kind.checked_sub(first)?)).copied();
    Some(match (kind, what(ODD), what(DIFFER)) {
        (ALIKE, ..) => return None,
        (STOPPED, ..) => Error::Stopped { culprit: rank.checked_sub(1), reason: Reason::Comm },
        (_, Some(Difference::Program), _) => Error::Version { rank },
        (_, Some(Difference::Parameters), _) => Error::Parameters { rank },
        (_, Some(Difference::Job), _) => Error::Job { rank },
        (_, Some(Difference::Data), _) => Error::Data { rank },
        (.., Some(what)) => Error::Differ { ranks: [COORDINATOR, rank], what },
        _ => Error::Question("a verdict"),
    })
}

/// Compares all ranks' programs, parameters, jobs and data, and learns their keys. All ranks have the same result, or know that the coordinator stopped.
pub(crate) fn greet(party: &mut Party<'_>, subject: Subject) -> Result<(), Error> {
    let identity = &party.session.identity;
    let own = [&identity.key.public().0[..], &identity.nonce, &host::block(&identity.host)].concat();
    let common = [program(), parameters_digest(&subject.digest), identity.job, identity.data].concat();
    let (mut told, mut failed) = (vec![0; VERDICT + party.size() * PLACE], None);
    match party.gather(Phase::Hello, &[&common[..], &own].concat()) {
        Ok(all) if party.coordinates() => {
            let blocks: Vec<&[u8]> = all.chunks_exact(COMMON + PLACE).collect();
            let (differs, rank) = judge(&blocks);
            told[0] = differs;
            told[1..VERDICT].copy_from_slice(&(rank as u64).to_le_bytes());
            let seats = blocks.iter().flat_map(|block| &block[COMMON..]);
            told[VERDICT..].iter_mut().zip(seats).for_each(|(to, &byte)| *to = byte);
        }
        Ok(_) => {}
        Err(error) if party.coordinates() => {
            told[0] = STOPPED;
            let culprit = error.rank().map_or(0, |rank| rank as u64 + 1);
            told[1..VERDICT].copy_from_slice(&culprit.to_le_bytes());
            failed = Some(error);
        }
        Err(error) => return Err(error),
    }
    // The coordinator may have waited for another rank.
    let heard = party.broadcast_question(Phase::Hello, &mut told);
    failed.map_or(heard, Err)?;
    let (head, seats) = told.split_at(VERDICT);
    let rank = u64::from_le_bytes(head[1..].try_into().unwrap_or_default());
    let rank = usize::try_from(rank).unwrap_or(usize::MAX);
    party.meet(Hosts(seats.chunks_exact(PLACE).map(|place| host::read(&place[SEAT..])).collect()));
    match verdict(head[0], rank) {
        None => join(party, subject, seats),
        Some(error) => Err(error),
    }
}

/// Takes the list of ranks, in which this one must be as it is: nothing that it signs is of another job then.
fn join(party: &mut Party<'_>, subject: Subject, seats: &[u8]) -> Result<(), Error> {
    let seats = seats.chunks_exact(PLACE).map(|place| {
        let (key, nonce) = place[..SEAT].split_at(DIGEST);
        Seat { key: Hex(key.to_vec()), nonce: Hex(nonce.to_vec()) }
    });
    let (ranks, rank): (Vec<Seat>, usize) = (seats.collect(), party.rank());
    let identity = &party.session.identity;
    if ranks[rank].key.0 != identity.key.public().0 || ranks[rank].nonce.0 != identity.nonce {
        return Err(Error::Question("a list of ranks with another one in this one's place"));
    }
    for (rank, (seat, expected)) in ranks.iter().zip(identity.expected.iter().flatten()).enumerate() {
        if seat.key.array().map(PublicKey) != Some(*expected) {
            return Err(Error::Key { rank });
        }
    }
    let job = Job {
        program: Hex(program().to_vec()),
        scheme: subject.scheme.into(),
        parameters: Hex(subject.parameters),
        name: Hex(identity.job.to_vec()),
        data: Hex(identity.data.to_vec()),
        ranks,
    };
    party.session.join(job);
    Ok(())
}
