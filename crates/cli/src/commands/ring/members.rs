//! Rings that were read and checked, and what changes in them.

use std::path::Path;
use std::sync::Arc;

use super::keys::Candidate;
use super::setup::Powers;
use super::{refused, unusable};
use crate::args::Common;
use crate::args::ring::SetupArgs;
use crate::commands::read_ours;
use crate::exit::Failure;
use crate::units;
use ring_proof::file::{Committed, FileError, Member, Members, Params, RingVerifier, check_slots};
use ring_proof::{Error, Key, Ring, Setup};

/// The fingerprint of a ring's commitment file: people compare it.
#[must_use]
pub fn fingerprint(committed: &Committed) -> String {
    units::hex(&committed.digest())
}

/// `1,000 members`, and how many slots are empty.
#[must_use]
pub fn size(committed: &Committed) -> String {
    let members = units::count(committed.members.into());
    match committed.slots - committed.members {
        0 => format!("{members} member(s)"),
        empty => format!("{members} member(s), {} empty slot(s)", units::count(empty.into())),
    }
}

/// A ring file that was checked, with the setup that changes take.
pub struct Opened {
    /// The parameters.
    pub params: Params,
    /// The setup.
    pub setup: Arc<Setup>,
    /// The name of the setup.
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

    /// Reads a ring file: every key and every proof of possession is checked, and the commitment recomputed.
    ///
    /// # Errors
    /// If the file is no ring, or of another setup.
    pub fn open(path: &Path, args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let file = Members::decode(&read_ours(path, common)?).map_err(unusable);
        file.and_then(|file| Self::from_file(file, args, common)).map_err(|e| e.in_file(path))
    }

    /// [`Self::open`] for a file that was read.
    ///
    /// # Errors
    /// As there.
    pub fn from_file(file: Members, args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let powers = Powers::open(args, file.params.domain.powers(), common)?;
        powers.check(&file.params)?;
        let setup = powers.prepare(file.params.domain, common)?;
        let ring = file.ring(&setup).map_err(unusable)?;
        Ok(Self { params: file.params, setup, setup_name: powers.name, ring, members: file.slots })
    }

    /// Checks candidates as members.
    fn admit(&self, candidates: &[Candidate], without_possession: bool) -> Result<Vec<Option<Key>>, Failure> {
        if let (false, Some(bare)) =
            (without_possession, candidates.iter().find(|c| c.member.possession.is_none()))
        {
            let hint = "get its public file from its owner, or pass --without-possession if you know that they hold the secret";
            return Err(Failure::usage(format!("{} has no proof of possession", bare.from), hint));
        }
        let slots: Vec<_> = candidates.iter().map(|c| Some(c.member.clone())).collect();
        check_slots(self.params.suite.suite(), &slots).map_err(|e| match e {
            FileError::Slot { slot, why } => refused_key(&candidates[slot].from, &why.to_string()),
            e => unusable(e),
        })
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

    /// Its commitment with its verifier.
    ///
    /// # Errors
    /// None: the commitment is three points.
    pub fn verifier(&self) -> Result<RingVerifier, Failure> {
        RingVerifier::new(self.file().committed(), self.setup.key()).map_err(unusable)
    }

    /// The content of its file.
    #[must_use]
    pub fn file(&self) -> Members {
        Members::new(self.params, self.members.clone(), &self.ring.commitment())
    }
}

fn refused_key(from: &str, why: &str) -> Failure {
    Failure::usage(
        format!("{from} is refused as a key: {why}"),
        "ask its owner for the key again, or leave it out",
    )
}
