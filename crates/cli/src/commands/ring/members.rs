//! The ring file and the commitment file.
//!
//! ```text
//!  ring        slots u32 | for each: 0, or 1 and a key 32, or 2 and a key 32 and its possession 64 | commitment 144
//!  commitment  slots u32, members u32 as the description | commitment 144
//! ```
//! Both with the parameters of the ring. The commitment alone is enough to verify; how many members it has is the word of who made it.
//! (notes: ring-files)

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::keys::Candidate;
use super::params::{HASH, Params};
use super::setup::Powers;
use super::{digests, file_of, malformed, refused};
use crate::args::Common;
use crate::args::ring::SetupArgs;
use crate::commands::verified::fingerprint;
use crate::commands::{committed, read_ours};
use crate::exit::Failure;
use crate::units;
use pcs::codec::{Reader, Writer};
use pcs::file::{Committed as Body, File, Kind, SchemeId};
use ring_proof::vrf::{Possession, Suite};
use ring_proof::{Commitment, Error, Key, Ring, Setup};

/// What proofs of possession are made for: keys of any ring.
pub const CONTEXT: &[u8] = b"tenfold ring key v1";

/// A key, and the proof that its owner knows the secret, if it came with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key.
    pub key: [u8; 32],
    /// The proof.
    pub possession: Option<[u8; 64]>,
}

impl Member {
    /// The point, if it can be a key of a ring; the proof is checked if there is one.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self, suite: &Suite) -> Result<Key, String> {
        let key = Key::decode(&self.key).map_err(|e| e.to_string())?;
        suite.bases().check_key(&key).map_err(|e| e.to_string())?;
        if let Some(bytes) = &self.possession {
            let proof = Possession::decode(bytes).and_then(|proof| proof.verify(suite, &key, CONTEXT));
            proof.map_err(|e| format!("its proof of possession is refused: {e}"))?;
        }
        Ok(key)
    }
}

/// What a ring file holds, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// The parameters.
    pub params: Params,
    /// The slots that were used.
    pub slots: Vec<Option<Member>>,
    /// The commitment that belongs to them.
    pub commitment: [u8; Commitment::BYTES],
}

impl Members {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.u32(u32::try_from(self.slots.len()).expect("fewer slots than rows"));
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
            params_digest: self.params.digest(),
            statement: HASH.digest("tenfold ring members v1", &[&body]),
            body: body.into(),
        };
        file.encode()
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// If they are no ring file, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let file = file_of(bytes, Kind::Members)?;
        let params = Params::decode(&file.params).ok_or_else(|| malformed("parameters"))?;
        let (slots, commitment) =
            body(&file.body, params.domain.capacity()).ok_or_else(|| malformed("list of members"))?;
        let statement = HASH.digest("tenfold ring members v1", &[&file.body]);
        file.check_digests(params.digest(), statement).map_err(digests)?;
        Ok(Self { params, slots, commitment })
    }

    /// The commitment file.
    #[must_use]
    pub fn committed(&self) -> Committed {
        let members = self.slots.iter().flatten().count() as u32;
        Committed {
            params: self.params,
            slots: self.slots.len() as u32,
            members,
            commitment: self.commitment,
        }
    }
}

/// Bytes of the longest body of a ring file with so many slots.
pub(super) fn longest(capacity: usize) -> usize {
    4 + capacity * (1 + 32 + 64) + Commitment::BYTES
}

/// Slots and commitment.
fn body(bytes: &[u8], capacity: usize) -> Option<(Vec<Option<Member>>, [u8; Commitment::BYTES])> {
    let mut r = Reader::new(bytes);
    let count = r.u32()?;
    // A slot has a byte at least.
    if count as usize > capacity.min(r.remaining()) {
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

/// What a commitment file holds.
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
        let mut w = Writer::new();
        w.u32(self.slots);
        w.u32(self.members);
        let params = (&self.params.encode()[..], self.params.digest());
        committed::encode(SchemeId::Ring, HASH, params, [&w.finish(), &self.commitment])
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// If they are no commitment of a ring, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let file = file_of(bytes, Kind::Commitment)?;
        let params = Params::decode(&file.params).ok_or_else(|| malformed("parameters"))?;
        let Body { description, commitment } = Body::decode(&file.body).map_err(|_| malformed("content"))?;
        let mut r = Reader::new(&description);
        let counts = (|| Some((r.u32()?, r.u32()?)))().filter(|_| r.remaining() == 0);
        let counts =
            counts.filter(|&(slots, members)| members <= slots && slots as usize <= params.domain.capacity());
        let (Some((slots, members)), Ok(commitment)) = (counts, commitment.try_into()) else {
            return Err(malformed("content"));
        };
        let committed = Self { params, slots, members, commitment };
        file.committed(params.digest(), HASH).map_err(digests)?;
        Ok(committed)
    }

    /// What two people compare.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.encode())
    }

    /// The fingerprint's bytes, which signatures name their ring by.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(&self.encode()).as_bytes()
    }

    /// The points.
    ///
    /// # Errors
    /// If they are no points of the subgroup.
    pub fn points(&self) -> Result<Commitment, Failure> {
        Commitment::decode(&self.commitment).map_err(|e| {
            let message = format!("the ring's commitment is refused: {e}");
            Failure::usage(message, "make it again with `tenfold ring commit`")
        })
    }

    /// `1,000 members`, and how many slots are empty.
    #[must_use]
    pub fn size(&self) -> String {
        let members = units::count(self.members.into());
        match self.slots - self.members {
            0 => format!("{members} member(s)"),
            empty => format!("{members} member(s), {} empty slot(s)", units::count(empty.into())),
        }
    }
}

/// A ring file that was checked, with the setup that changes take.
pub struct Opened {
    /// The parameters.
    pub params: Params,
    /// The setup.
    pub setup: Arc<Setup>,
    /// What the setup is called.
    pub setup_name: String,
    /// The ring.
    pub ring: Ring,
    members: Vec<Option<Member>>,
}

impl Opened {
    /// A ring without members.
    ///
    /// # Errors
    /// If the setup has too few powers.
    pub fn empty(params: Params, powers: Powers, common: &Common) -> Result<Self, Failure> {
        let setup = powers.prepare(params.domain, common)?;
        let ring = Ring::new(&setup, params.suite.suite().bases());
        Ok(Self { params, setup, setup_name: powers.name, ring, members: Vec::new() })
    }

    /// The ring of a file: every key and every proof of possession is checked, and the commitment made again.
    ///
    /// # Errors
    /// If the file is no ring, or of another setup.
    pub fn open(path: &Path, args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let name = path.display();
        Self::of(Members::decode(&read_ours(path, common)?)?, args, common)
            .map_err(|e| Failure { message: format!("{name}: {}", e.message), ..e })
    }

    /// [`Self::open`] for what was read.
    ///
    /// # Errors
    /// As there.
    pub fn of(file: Members, args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let powers = Powers::open(args, file.params.domain.powers(), common)?;
        powers.check(&file.params)?;
        let mut opened = Self::empty(file.params, powers, common)?;
        let points = opened.check(&file.slots).map_err(|(slot, why)| {
            Failure::usage(format!("the key in slot {slot} is refused: {why}"), "ask who made the ring")
        })?;
        opened.ring.append_slots(&opened.setup, &points).map_err(refused)?;
        opened.members = file.slots;
        if opened.ring.commitment().encode() == file.commitment {
            return Ok(opened);
        }
        let hint = "make the ring again with `tenfold ring commit`";
        Err(Failure::usage("the commitment in the file is not that of its members", hint))
    }

    /// The points of slots, or the first one that is refused.
    fn check(&self, slots: &[Option<Member>]) -> Result<Vec<Option<Key>>, (usize, String)> {
        let suite = self.params.suite.suite();
        let one = |(at, slot): (usize, &Option<Member>)| match slot {
            None => Ok(None),
            Some(member) => member.check(suite).map(Some).map_err(|why| (at, why)),
        };
        let all: Vec<_> = slots.par_iter().enumerate().map(one).collect();
        all.into_iter().collect()
    }

    /// Checks candidates as members.
    fn admit(&self, candidates: &[Candidate], without_possession: bool) -> Result<Vec<Option<Key>>, Failure> {
        if let (false, Some(bare)) =
            (without_possession, candidates.iter().find(|c| c.member.possession.is_none()))
        {
            let hint = "get its public file from its owner, or pass --without-possession if you know him to hold the secret";
            return Err(Failure::usage(format!("{} has no proof of possession", bare.from), hint));
        }
        let slots: Vec<_> = candidates.iter().map(|c| Some(c.member.clone())).collect();
        self.check(&slots).map_err(|(at, why)| refused_key(&candidates[at].from, &why))
    }

    /// Adds members behind all slots that were used.
    ///
    /// # Errors
    /// If there is no room, a key is refused, or has no proof of possession.
    pub fn add(&mut self, candidates: &[Candidate], without_possession: bool) -> Result<(), Failure> {
        let points = self.admit(candidates, without_possession)?;
        self.ring.append_slots(&self.setup, &points).map_err(|e| match e {
            Error::Key { at, why } => refused_key(&candidates[at].from, &why.to_string()),
            e => refused(e),
        })?;
        self.members.extend(candidates.iter().map(|c| Some(c.member.clone())));
        Ok(())
    }

    /// Puts a member in a slot that was used.
    ///
    /// # Errors
    /// As [`Self::add`]; if there is no such slot.
    pub fn replace(&mut self, slot: usize, new: &Candidate, without_possession: bool) -> Result<(), Failure> {
        let points = self.admit(core::slice::from_ref(new), without_possession)?;
        let Some(Some(point)) = points.first() else { unreachable!("a candidate has a key") };
        self.ring.replace(&self.setup, slot, point).map_err(|e| match e {
            Error::Key { why, .. } => refused_key(&new.from, &why.to_string()),
            e => refused(e),
        })?;
        self.members[slot] = Some(new.member.clone());
        Ok(())
    }

    /// Empties a slot.
    ///
    /// # Errors
    /// If it has no member.
    pub fn remove(&mut self, slot: usize) -> Result<(), Failure> {
        self.ring.remove(&self.setup, slot).map_err(refused)?;
        self.members[slot] = None;
        Ok(())
    }

    /// The slot of a key. All slots are looked at, whichever it is in.
    #[must_use]
    pub fn slot_of(&self, key: &[u8; 32]) -> Option<usize> {
        let at = |slot: &Option<Key>| slot.as_ref().is_some_and(|member| member.encode() == *key);
        self.ring
            .slots()
            .iter()
            .enumerate()
            .fold(None, |found, (i, slot)| if at(slot) { Some(i) } else { found })
    }

    /// As a file.
    #[must_use]
    pub fn file(&self) -> Members {
        let commitment = self.ring.commitment().encode();
        Members { params: self.params, slots: self.members.clone(), commitment }
    }
}

fn refused_key(from: &str, why: &str) -> Failure {
    Failure::usage(
        format!("{from} is refused as a key: {why}"),
        "ask its owner for the key again, or leave it out",
    )
}
