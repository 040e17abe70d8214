//! The first thing that ranks say to each other: which program they run, and for which parameters.

use crate::error::{Difference, Error, Reason};
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

/// The kinds of verdicts.
const ALIKE: u8 = 0;
const VERSION: u8 = 1;
const PARAMETERS: u8 = 2;
const DIFFER_VERSION: u8 = 3;
const STOPPED: u8 = 4;
const DIFFER_PARAMETERS: u8 = 5;

/// What differs in all ranks' blocks, and which rank is the odd one: more than half of them agree against it. Without such a majority, the first that
/// differs from the coordinator.
fn judge(all: &[u8], length: usize) -> (u8, usize) {
    let blocks: Vec<&[u8]> = all.chunks_exact(length).collect();
    let Some(other) = blocks.iter().position(|block| block != &blocks[0]) else { return (ALIKE, 0) };
    let agree = |block: &&[u8]| 2 * blocks.iter().filter(|other| other == &block).count() > blocks.len();
    let Some(usual) = blocks.iter().copied().find(agree) else {
        let one_program = blocks[other][..DIGEST] == blocks[0][..DIGEST];
        return (if one_program { DIFFER_PARAMETERS } else { DIFFER_VERSION }, other);
    };
    let odd = blocks.iter().position(|block| *block != usual).unwrap_or(other);
    (if blocks[odd][..DIGEST] == usual[..DIGEST] { PARAMETERS } else { VERSION }, odd)
}

/// Compares all ranks' programs and parameters. All ranks have the same result, or know that the coordinator stopped.
pub(crate) fn greet(party: &mut Party<'_>, block: &[u8]) -> Result<(), Error> {
    let (mut verdict, mut failed) = ([0; VERDICT], None);
    match party.gather(Phase::Hello, block) {
        Ok(all) if party.coordinates() => {
            let (differs, rank) = judge(&all, block.len());
            verdict[0] = differs;
            verdict[1..].copy_from_slice(&(rank as u64).to_le_bytes());
        }
        Ok(_) => {}
        Err(error) if party.coordinates() => {
            verdict[0] = STOPPED;
            verdict[1..].copy_from_slice(&error.rank().map_or(0, |rank| rank as u64 + 1).to_le_bytes());
            failed = Some(error);
        }
        Err(error) => return Err(error),
    }
    // The coordinator may have waited for another rank.
    let told = party.broadcast_question(Phase::Hello, &mut verdict);
    failed.map_or(told, Err)?;
    let [differs, rank @ ..] = verdict;
    let rank = usize::try_from(u64::from_le_bytes(rank)).unwrap_or(usize::MAX);
    match differs {
        ALIKE => Ok(()),
        VERSION => Err(Error::Version { rank }),
        PARAMETERS => Err(Error::Parameters { rank }),
        DIFFER_VERSION => Err(Error::Differ { ranks: [0, rank], what: Difference::Program }),
        DIFFER_PARAMETERS => Err(Error::Differ { ranks: [0, rank], what: Difference::Parameters }),
        STOPPED => Err(Error::Stopped { culprit: rank.checked_sub(1), reason: Reason::Comm }),
        _ => Err(Error::Question("a verdict")),
    }
}
