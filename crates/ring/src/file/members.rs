//! The ring file, with the parameters of the ring.
//!
//! ```text
//!  slots u32 | for each: 0, or 1 and a key 32, or 2 and a key 32 and its possession 64 | commitment 144
//! ```
//! (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use super::{Committed, FileError, HASH, MemberError, POSSESSION_CONTEXT, Params, container};
use crate::vrf::{Possession, Suite};
use crate::{Commitment, Key, Ring, Setup};
use pcs::codec::{Reader, Writer};
use pcs::file::{File, Kind, SchemeId};
use pcs::iop::text::from_hex;
use rayon::prelude::*;

/// A key, and the proof that its owner knows the secret, if it came with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key.
    pub key: [u8; Key::BYTES],
    /// The proof.
    pub possession: Option<[u8; Possession::BYTES]>,
}

impl Member {
    /// Reads a line of a list: a key in hexadecimal, perhaps its proof of possession; `#` begins a comment. `None` inside is a line
    /// without a key.
    #[must_use]
    pub fn from_line(line: &str) -> Option<Option<Self>> {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(key) = words.next() else { return Some(None) };
        let possession = words.next().map(from_hex);
        let key = from_hex(key)?;
        match (possession, words.next()) {
            (None, None) => Some(Some(Self { key, possession: None })),
            (Some(Some(possession)), None) => Some(Some(Self { key, possession: Some(possession) })),
            _ => None,
        }
    }

    /// Checks that the key can be a member's, and its proof if there is one.
    ///
    /// # Errors
    /// If the key is refused, or the proof is not valid.
    pub fn check(&self, suite: &Suite) -> Result<Key, MemberError> {
        let key = Key::decode(&self.key)?;
        suite.bases().check_key(&key)?;
        if let Some(bytes) = &self.possession {
            let verified =
                Possession::decode(bytes).and_then(|proof| proof.verify(suite, &key, POSSESSION_CONTEXT));
            verified.map_err(MemberError::Possession)?;
        }
        Ok(key)
    }
}

/// Checks the members of slots, on all threads.
///
/// # Errors
/// [`FileError::Slot`] for the first one that is refused.
pub fn check_slots(suite: &Suite, slots: &[Option<Member>]) -> Result<Vec<Option<Key>>, FileError> {
    let checked: Vec<_> =
        slots.par_iter().map(|slot| slot.as_ref().map(|member| member.check(suite)).transpose()).collect();
    let named = checked.into_iter().enumerate();
    named.map(|(slot, key)| key.map_err(|why| FileError::Slot { slot, why })).collect()
}

/// The content of a ring file, before [`Members::ring`] checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// The parameters.
    pub params: Params,
    /// The slots, as a rule up to the last member's: files of release 0.1.0 may have empty ones behind it, which change no point of the
    /// commitment, but the number in the commitment file.
    pub slots: Vec<Option<Member>>,
    /// The commitment that belongs to them.
    pub commitment: [u8; Commitment::BYTES],
}

impl Members {
    /// The file's bytes.
    ///
    /// # Panics
    /// If there are 2^32 slots or more: no domain has so many.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.u32(count(self.slots.len()));
        for slot in &self.slots {
            match slot {
                None => w.u8(0),
                Some(Member { key, possession }) => {
                    w.u8(if possession.is_some() { 2 } else { 1 });
                    w.bytes(key);
                    possession.iter().for_each(|bytes| w.bytes(bytes));
                }
            }
        }
        w.bytes(&self.commitment);
        let body = w.finish();
        let file = File {
            kind: Kind::Members,
            scheme: SchemeId::Ring,
            params: self.params.encode(),
            params_digest: self.params.digest().head(),
            statement: HASH.digest("tenfold ring members v1", &[&body]).head(),
            body: body.into(),
        };
        file.encode()
    }

    /// Reads the bytes of a file, exactly. The keys are not checked.
    ///
    /// # Errors
    /// If they are no ring file, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        let file = container(bytes, Kind::Members)?;
        let params = Params::decode(&file.params).ok_or(FileError::Malformed("parameters"))?;
        let read = body(&file.body, params.domain.capacity());
        let (slots, commitment) = read.ok_or(FileError::Malformed("list of members"))?;
        let statement = HASH.digest("tenfold ring members v1", &[&file.body]);
        file.check_digests(params.digest(), statement).map_err(FileError::Digest)?;
        Ok(Self { params, slots, commitment })
    }

    /// The content of the file of a ring that changed: empty slots behind the last member are dropped.
    #[must_use]
    pub fn new(params: Params, mut slots: Vec<Option<Member>>, commitment: &Commitment) -> Self {
        let used = slots.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        slots.truncate(used);
        Self { params, slots, commitment: commitment.encode() }
    }

    /// Checks every key and every proof of possession, and builds the ring, whose commitment must be the one in the file.
    ///
    /// # Errors
    /// If a key is refused, the setup is for another domain, or the commitment is another one.
    pub fn ring(&self, setup: &Setup) -> Result<Ring, FileError> {
        let suite = self.params.suite.suite();
        let keys = check_slots(suite, &self.slots)?;
        let mut ring = Ring::new(setup, suite.bases());
        ring.append_slots(setup, &keys).map_err(FileError::Ring)?;
        if ring.commitment().encode() == self.commitment { Ok(ring) } else { Err(FileError::Commitment) }
    }

    /// The content of the commitment file.
    ///
    /// # Panics
    /// As [`Self::encode`].
    #[must_use]
    pub fn committed(&self) -> Committed {
        Committed {
            params: self.params,
            slots: count(self.slots.len()),
            members: count(self.slots.iter().flatten().count()),
            commitment: self.commitment,
        }
    }
}

fn count(slots: usize) -> u32 {
    u32::try_from(slots).expect("fewer slots than rows")
}

/// Bytes of the longest body of a ring file with so many slots.
pub(super) fn max_body(capacity: usize) -> usize {
    4 + capacity * (1 + Key::BYTES + Possession::BYTES) + Commitment::BYTES
}

/// Reads slots and commitment.
fn body(bytes: &[u8], capacity: usize) -> Option<(Vec<Option<Member>>, [u8; Commitment::BYTES])> {
    let mut r = Reader::new(bytes);
    let count = usize::try_from(r.u32()?).ok()?;
    // A slot has a byte at least.
    if count > capacity.min(r.remaining()) {
        return None;
    }
    let mut slot = || {
        Some(match r.u8()? {
            0 => None,
            1 => Some(Member { key: r.array()?, possession: None }),
            2 => Some(Member { key: r.array()?, possession: Some(r.array()?) }),
            _ => return None,
        })
    };
    let slots = (0..count).map(|_| slot()).collect::<Option<Vec<_>>>()?;
    let commitment = r.array()?;
    r.finish()?;
    Some((slots, commitment))
}
