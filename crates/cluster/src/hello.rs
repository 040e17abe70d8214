//! The first thing that ranks say to each other: which program they run, and for which parameters.

use crate::error::Error;
use crate::meter::Phase;
use crate::party::Party;
use iop::hash::Hash;

/// The messages of ranks: another number for every change of one.
const PROTOCOL: &[u8] = b"1";

/// Bytes of each of the two digests.
const DIGEST: usize = 32;

/// Bytes of the coordinator's answer: what differs, and at which rank.
const VERDICT: usize = 9;

/// What a rank says.
pub(crate) fn block(parameters: &[u8]) -> Vec<u8> {
    let version = [env!("CARGO_PKG_VERSION").as_bytes(), PROTOCOL];
    let program = Hash::Blake3.digest("tenfold cluster program v1", &version);
    let parameters = Hash::Blake3.digest("tenfold cluster parameters v1", &[parameters]);
    [program.head(), parameters.head()].concat()
}

/// Compares all ranks' programs and parameters with the coordinator's. All ranks have the same result.
pub(crate) fn greet(party: &mut Party<'_>, block: &[u8]) -> Result<(), Error> {
    let all = party.gather(Phase::Hello, block)?;
    let mut verdict = [0; VERDICT];
    for (rank, other) in all.chunks_exact(block.len()).enumerate() {
        let differs = if other[..DIGEST] != block[..DIGEST] { 1 } else { 2 * u8::from(other != block) };
        if differs > 0 {
            verdict[0] = differs;
            verdict[1..].copy_from_slice(&(rank as u64).to_le_bytes());
            break;
        }
    }
    // The coordinator may have waited for another rank.
    party.broadcast_question(Phase::Hello, &mut verdict)?;
    let [differs, rank @ ..] = verdict;
    let rank = usize::try_from(u64::from_le_bytes(rank)).unwrap_or(usize::MAX);
    match differs {
        0 => Ok(()),
        1 => Err(Error::Version { rank }),
        2 => Err(Error::Parameters { rank }),
        _ => Err(Error::Question("a verdict")),
    }
}
