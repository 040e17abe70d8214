//! The places of a ring and its commitment, while they change.
//!
//! ```text
//! read keys, setup ─► lock the ring ─► read it ─► change ─► both files beside their places, durably ─► the ring in place ─► the commitment in place
//! ```
//! The ring file is what counts: the commitment file is made of it. Who is killed between the last two steps leaves the new ring
//! with the old commitment; the next change writes the commitment that belongs to the ring, before anything else, and
//! `ring prove` and `ring inspect` say that it is of the ring as it was. A commitment that is named with `--commitment`, or that
//! two rings have by their names, may be that of another ring: there the next change does so if the new commitment is still
//! beside its place. (notes: ring-files)

use std::fs;
use std::path::{Path, PathBuf};

use super::members::Opened;
use super::setup::Source;
use super::{unusable, waits_for};
use crate::args::Common;
use crate::args::ring::RingOutput;
use crate::commands::{read_ours, with_ending};
use crate::exit::Failure;
use crate::files::{Identity, Kind, Lock, Output, whole};
use crate::table::Paint;
use crate::terminal;
use ring_proof::file::{Committed, Members, SuiteId};

/// The two files, no other process changing them.
pub struct Place {
    /// The ring file.
    pub ring: Output,
    /// The commitment file.
    pub commitment: Output,
    /// The locks of a ring that is read from where it is written to, and of its commitment: held from before it is read.
    locks: Option<Locks>,
    /// True if what is in the commitment's place may be of another ring.
    shared: bool,
}

/// The locks of a ring and its commitment, if that is a plain file.
struct Locks {
    ring: Lock,
    commitment: Option<Lock>,
}

impl Locks {
    /// Takes both.
    fn of(ring: &Path, commitment: &Output, waits: impl Fn()) -> Result<Self, Failure> {
        let commitment = commitment.resolved();
        let locks = Lock::pair([Some(ring), commitment.as_deref()], |_| waits())?;
        let [Some(ring), commitment] = locks else { unreachable!("the ring's place is locked") };
        // What is left beside the commitment says whose it is.
        ring.sweep();
        Ok(Self { ring, commitment })
    }
}

impl Place {
    /// Claims the places of a ring that is made: nothing is replaced unasked.
    pub fn for_new(path: &Path, output: &RingOutput, common: &Common) -> Result<Self, Failure> {
        let ring = common.files.fresh(Kind::Ring, path)?;
        let beside = output.commitment.clone().unwrap_or_else(|| commitment_of(path));
        let commitment = common.files.fresh(Kind::RingCommitment, &beside)?;
        Ok(Self { ring, commitment, locks: None, shared: false })
    }

    /// Claims the places of a ring that changes, where it is or into a new one. One that changes where it is is locked, after
    /// `before_lock` has its suite.
    pub fn for_change(
        path: &Path,
        output: &RingOutput,
        common: &Common,
        before_lock: impl FnOnce(SuiteId) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let same = |other: &Path| Identity::of(other).is_some_and(|id| Identity::of(path) == Some(id));
        if let Some(new) = output.output.as_ref().filter(|new| !same(new)) {
            return Self::for_new(new, output, common);
        }
        // A link is followed, so that there is one ring; its commitment is beside it, and not beside the link.
        let real = fs::canonicalize(path).map_err(Failure::file("read", path))?;
        let linked = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let beside = commitment_of(if linked { &real } else { path });
        // A lock would leave its file beside what is no ring.
        let ring = Members::decode(&read_ours(&real, common)?).map_err(|e| unusable(e).in_file(path))?;
        let named = output.commitment.as_ref().filter(|named| **named != beside);
        let elsewhere = named.is_some_and(|named| {
            Identity::of(named).is_none_or(|id| Identity::of(&beside).is_none_or(|other| id != other))
        });
        let commitment = common.files.result(Kind::RingCommitment, named.unwrap_or(&beside))?;
        before_lock(ring.params.suite)?;
        let locks = Locks::of(&real, &commitment, || waits_for(path, common))?;
        let ring = common.files.update(Kind::Ring, path, &locks.ring)?;
        Ok(Self { ring, commitment, locks: Some(locks), shared: elsewhere || has_twin(&real) })
    }

    /// Reads and checks the ring. A commitment that is not its own, because a change was ended half-way, is written again: the one
    /// beside it, and another one if that change left the new commitment beside its place.
    pub fn open(&self, path: &Path, setup: &Source<'_>, common: &Common) -> Result<Opened, Failure> {
        self.check_locked()?;
        let ring = Opened::open(path, setup, common)?;
        if let Some(Locks { commitment: lock, .. }) = &self.locks {
            let (path, committed) = (self.commitment.path(), ring.ring.committed());
            let bytes = committed.encode();
            let repaired = !self.shared || lock.as_ref().is_some_and(|lock| lock.was_left(&bytes));
            if repaired && is_stale(path, &committed, common) {
                self.commitment.write(&bytes)?;
                if !common.quiet {
                    note!("{} {} was not that of the ring: written again", note(), terminal::path(path));
                }
            }
            lock.iter().for_each(Lock::sweep);
        }
        Ok(ring)
    }

    /// Writes both files of a ring that had the commitment `before`. What can fail has failed before the first of them is in place.
    pub fn write(&self, file: &Members, before: &Committed, common: &Common) -> Result<(), Failure> {
        self.check_locked()?;
        let path = self.ring.path();
        if self.shared {
            self.check_commitment([before, &file.committed()], common)?;
        }
        let waits = || waits_for(path, common);
        let new = self.ring.resolved().filter(|_| self.locks.is_none());
        let _new = new.map(|real| Locks::of(&real, &self.commitment, waits)).transpose()?;
        let [ring, commitment] = [file.encode(), file.committed().encode()];
        let (ring, commitment) = (self.ring.stage(&ring)?, self.commitment.stage(&commitment)?);
        commitment.check()?;
        let _both = whole();
        ring.place()?;
        commitment.place()
    }

    /// Refuses a link that leads to another ring than the one that is locked, beside which the commitment is.
    fn check_locked(&self) -> Result<(), Failure> {
        let Some(Locks { ring, .. }) = &self.locks else { return Ok(()) };
        if self.ring.resolved().is_none_or(|real| real == ring.path()) {
            return Ok(());
        }
        let message = format!("{} leads to another file by now", terminal::path(self.ring.path()));
        Err(Failure::usage(message, "run the command once more"))
    }

    /// Refuses to replace a commitment other than those of the ring before and after the change, unless `--force` is given.
    fn check_commitment(&self, own: [&Committed; 2], common: &Common) -> Result<(), Failure> {
        let Some(existing) = self.commitment.existing().filter(|_| !self.commitment.is_forced()) else {
            return Ok(());
        };
        let found = read_ours(&existing, common)?;
        if own.iter().any(|committed| committed.encode() == found) {
            return Ok(());
        }
        let name = terminal::path(self.commitment.path());
        let message = format!(
            "{name} is not the commitment of this ring: it is of another one, or of this one as it was"
        );
        let hint = "give another name with --commitment, or replace it with --force";
        Err(Failure::usage(message, hint))
    }
}

/// The name of a ring's commitment if none is given: `vote.commitment` for `vote.ring` and for `vote`.
fn commitment_of(ring: &Path) -> PathBuf {
    if is_named_ring(ring) { ring.with_extension("commitment") } else { with_ending(ring, ".commitment") }
}

fn is_named_ring(ring: &Path) -> bool {
    ring.extension().is_some_and(|end| end == "ring")
}

/// Returns true if the ring's name and another one, under which there is a file, give one name of a commitment.
fn has_twin(ring: &Path) -> bool {
    let twin = if is_named_ring(ring) { ring.with_extension("") } else { with_ending(ring, ".ring") };
    twin.is_file()
}

fn note() -> String {
    Paint::stderr().red("note:")
}

/// Returns true for the commitment file of a ring other than this one.
fn is_stale(path: &Path, committed: &Committed, common: &Common) -> bool {
    let readable = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    readable
        && read_ours(path, common)
            .is_ok_and(|bytes| Committed::decode(&bytes).is_ok_and(|found| found != *committed))
}

/// Says on stderr that the commitment beside a ring is not the ring's: verifiers who have it refuse what its members sign.
pub fn warn_of_stale(ring: &Path, committed: &Committed, common: &Common) {
    let beside = commitment_of(ring);
    if !common.quiet && is_stale(&beside, committed, common) {
        let name = terminal::path(&beside);
        note!("{} {name} is of another ring, or of this one as it was before", note());
        note!("  who has it refuses signatures for this ring; the next change of the ring writes it again");
    }
}
