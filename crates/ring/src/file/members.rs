//! The ring file and the commitment file.
//!
//! ```text
//!  ring        slots u32 | for each: 0, or 1 and a key 32, or 2 and a key 32 and its possession 64 | commitment 144
//!  commitment  slots u32, members u32 as the description | commitment 144
//! ```
//! Both with the parameters of the ring. The commitment alone is enough to verify; how many members it has is the word of who made it.
//! (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use super::{FileError, HASH, MemberError, POSSESSION_CONTEXT, Params, container};
use crate::vrf::{Possession, Suite};
use crate::{Commitment, Key, Ring, Setup, Verifier, kzg};
use pcs::codec::{Reader, Writer};
use pcs::file::{Committed as Body, File, Kind, SchemeId};
use pcs::iop::text::{self, from_hex};
use rayon::prelude::*;
use std::fmt;

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

/// The content of a commitment file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The parameters.
    pub params: Params,
    /// The slots that were used.
    pub slots: u32,
    /// Those with a member.
    pub members: u32,
    /// The commitment.
    pub commitment: [u8; Commitment::BYTES],
}

impl Committed {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut description = Writer::new();
        description.u32(self.slots);
        description.u32(self.members);
        let body = Body { description: description.finish(), commitment: self.commitment.to_vec() };
        let file = File {
            kind: Kind::Commitment,
            scheme: SchemeId::Ring,
            params: self.params.encode(),
            params_digest: self.params.digest().head(),
            statement: body.digest(HASH).head(),
            body: body.encode().into(),
        };
        file.encode()
    }

    /// Reads the bytes of a file, exactly. The points are not checked.
    ///
    /// # Errors
    /// If they are no commitment of a ring, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        const MALFORMED: FileError = FileError::Malformed("content");
        let file = container(bytes, Kind::Commitment)?;
        let params = Params::decode(&file.params).ok_or(FileError::Malformed("parameters"))?;
        let body = Body::decode(&file.body).map_err(|_| MALFORMED)?;
        let capacity = params.domain.capacity();
        let (slots, members) = counts(&body.description, capacity).ok_or(MALFORMED)?;
        let commitment = body.commitment.as_slice().try_into().map_err(|_| MALFORMED)?;
        file.check_digests(params.digest(), body.digest(HASH)).map_err(FileError::Digest)?;
        Ok(Self { params, slots, members, commitment })
    }

    /// The BLAKE3 digest of the file: signatures name their ring by it, and people compare it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(&self.encode()).as_bytes()
    }

    /// The points.
    ///
    /// # Errors
    /// If they are no points of the subgroup.
    pub fn points(&self) -> Result<Commitment, FileError> {
        Commitment::decode(&self.commitment).map_err(FileError::Points)
    }
}

/// `1,000 member(s)`, and how many slots are empty.
impl fmt::Display for Committed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} member(s)", text::count(self.members.into()))?;
        match self.slots.saturating_sub(self.members) {
            0 => Ok(()),
            empty => write!(f, ", {} empty slot(s)", text::count(empty.into())),
        }
    }
}

/// A ring's commitment file with the verifier of that ring: signature files name the first, and are verified by the second.
#[derive(Clone, Debug)]
pub struct RingVerifier {
    committed: Committed,
    verifier: Verifier,
}

impl RingVerifier {
    /// The verifier of the ring in a commitment file. `kzg` is the key of the setup that the file names, which the caller trusts.
    ///
    /// # Errors
    /// If the commitment is no three points of the subgroup.
    pub fn new(committed: Committed, kzg: &kzg::Key) -> Result<Self, FileError> {
        let verifier = Verifier::new(&committed.params.shared(), kzg, &committed.points()?);
        Ok(Self { committed, verifier })
    }

    /// The content of the commitment file.
    #[must_use]
    pub fn committed(&self) -> &Committed {
        &self.committed
    }

    /// The verifier of its ring.
    #[must_use]
    pub fn verifier(&self) -> &Verifier {
        &self.verifier
    }
}

/// Reads the numbers of slots and of members.
fn counts(description: &[u8], capacity: usize) -> Option<(u32, u32)> {
    let mut r = Reader::new(description);
    let (slots, members) = (r.u32()?, r.u32()?);
    r.finish()?;
    let fits = members <= slots && usize::try_from(slots).ok()? <= capacity;
    fits.then_some((slots, members))
}
