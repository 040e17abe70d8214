//! Rings that were read and checked, and what changes in them.

use std::path::Path;

use super::keys::Candidate;
use super::setup::{Powers, Source};
use super::unusable;
use crate::args::Common;
use crate::commands::read_ours;
use crate::exit::Failure;
use ring_proof::file::{FileError, Member, Members, Membership, Params};

/// A ring that was checked, and the name of its setup.
pub struct Opened {
    /// The ring.
    pub ring: Membership,
    /// The name of the setup.
    pub setup_name: String,
}

impl Opened {
    /// A ring without members.
    pub fn empty(params: Params, powers: Powers, common: &Common) -> Result<Self, Failure> {
        let setup = powers.prepare(params.domain, common)?;
        Ok(Self { ring: Membership::empty(params, setup), setup_name: powers.name })
    }

    /// Reads and checks a ring file.
    pub fn open(path: &Path, source: &Source<'_>, common: &Common) -> Result<Self, Failure> {
        let file = Members::decode(&read_ours(path, common)?).map_err(unusable);
        file.and_then(|file| Self::from_file(file, source, common)).map_err(|e| e.in_file(path))
    }

    /// [`Self::open`] for a file that was read.
    pub fn from_file(file: Members, source: &Source<'_>, common: &Common) -> Result<Self, Failure> {
        let powers = Powers::of(source, file.params.domain.powers())?;
        powers.check(&file.params)?;
        let setup = powers.prepare(file.params.domain, common)?;
        Ok(Self { ring: Membership::of(file, setup).map_err(unusable)?, setup_name: powers.name })
    }

    /// Adds members behind all slots that were used.
    pub fn add(&mut self, candidates: &[Candidate], without_possession: bool) -> Result<(), Failure> {
        admit(candidates, without_possession)?;
        let members: Vec<Member> = candidates.iter().map(|c| c.member.clone()).collect();
        self.ring.add(&members).map_err(|e| refused_member(e, candidates))
    }

    /// Puts a member in a slot that was used.
    pub fn replace(&mut self, slot: usize, new: &Candidate, without_possession: bool) -> Result<(), Failure> {
        let candidates = core::slice::from_ref(new);
        admit(candidates, without_possession)?;
        self.ring.replace(slot, &new.member).map_err(|e| refused_member(e, candidates))
    }
}

/// Refuses candidates without a proof of possession, unless they are wanted.
fn admit(candidates: &[Candidate], without_possession: bool) -> Result<(), Failure> {
    match candidates.iter().find(|c| c.member.possession.is_none()) {
        Some(bare) if !without_possession => {
            let hint = "get its public file from its owner, or pass --without-possession if you know that they hold the secret";
            Err(Failure::usage(format!("{} has no proof of possession", bare.from), hint))
        }
        _ => Ok(()),
    }
}

/// The failure for members that are refused, by the names that they came with.
fn refused_member(error: FileError, candidates: &[Candidate]) -> Failure {
    match error {
        FileError::Slot { slot, why } => Failure::usage(
            format!("{} is refused as a key: {why}", candidates[slot].from),
            "ask its owner for the key again, or leave it out",
        ),
        error => unusable(error),
    }
}
