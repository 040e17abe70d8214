//! The ring file, with the parameters of the ring.
//!
//! ```text
//!  slots u32 | for each: 0, or 1 and a key, or 2 and a key and its possession 64 | commitment 144
//! ```
//! A key has 32 bytes, or 33 in Weierstrass form.
//! (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use super::{Committed, FileError, HASH, MemberError, POSSESSION_CONTEXT, Params, SuiteId, container};
use crate::vrf::{Possession, Suite};
use crate::{Commitment, Key};
use curve::embedded::Embedded;
use pcs::codec::{Reader, Writer};
use pcs::file::{File, Kind, SchemeId};
use pcs::iop::text::from_hex;
use rayon::prelude::*;

/// A key, and the proof that its owner knows the secret, if it came with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key as its suite writes it.
    pub key: Vec<u8>,
    /// The proof, which is in Edwards form in all suites.
    pub possession: Option<[u8; Possession::BYTES]>,
}

impl Member {
    /// Reads a line of a list of keys of `suite`: a key in hexadecimal, perhaps its proof of possession; `#` begins a comment. `None` inside is a
    /// line without a key.
    #[must_use]
    pub fn from_line(suite: SuiteId, line: &str) -> Option<Option<Self>> {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(key) = words.next() else { return Some(None) };
        let possession = words.next().map(from_hex);
        let key = match suite.point_bytes() {
            33 => from_hex::<33>(key)?.to_vec(),
            _ => from_hex::<32>(key)?.to_vec(),
        };
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
    pub fn check<C: Embedded>(&self, suite: &Suite<C>) -> Result<Key<C>, MemberError> {
        let key = Key::decode_in(suite, &self.key)?;
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
pub(super) fn check_slots<C: Embedded>(
    suite: &Suite<C>,
    slots: &[Option<Member>],
) -> Result<Vec<Option<Key<C>>>, FileError> {
    let checked: Vec<_> =
        slots.par_iter().map(|slot| slot.as_ref().map(|member| member.check(suite)).transpose()).collect();
    let named = checked.into_iter().enumerate();
    named.map(|(slot, key)| key.map_err(|why| FileError::Slot { slot, why })).collect()
}

/// The content of a ring file, before [`Membership::of`](super::Membership::of) checks it.
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
        let params = Params::decode(&file.params)?;
        let read = body(&file.body, &params);
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

/// Bytes of the longest body of a ring file with these parameters.
pub(super) fn max_body(params: &Params) -> usize {
    4 + params.domain.capacity() * (1 + params.suite.point_bytes() + Possession::BYTES) + Commitment::BYTES
}

/// Reads slots and commitment.
fn body(bytes: &[u8], params: &Params) -> Option<(Vec<Option<Member>>, [u8; Commitment::BYTES])> {
    let mut r = Reader::new(bytes);
    let count = usize::try_from(r.u32()?).ok()?;
    // A slot has a byte at least.
    if count > params.domain.capacity().min(r.remaining()) {
        return None;
    }
    let mut slot = || {
        let kind = r.u8()?;
        if kind == 0 {
            return Some(None);
        }
        let key = r.bytes(params.suite.point_bytes())?.to_vec();
        let possession = match kind {
            1 => None,
            2 => Some(r.array()?),
            _ => return None,
        };
        Some(Some(Member { key, possession }))
    };
    let slots = (0..count).map(|_| slot()).collect::<Option<Vec<_>>>()?;
    let commitment = r.array()?;
    r.finish()?;
    Some((slots, commitment))
}
