//! The places of a ring and its commitment, while they change.
//!
//! ```text
//! lock the ring ─► read it ─► change ─► both files beside their places, durably ─► the ring in place ─► the commitment in place
//! ```
//! The ring file is what counts: the commitment file is made of it. Who is ended between the last two steps leaves the new ring
//! with the old commitment; the next change writes the commitment that belongs to the ring, before anything else, and
//! `ring prove` and `ring inspect` say that it is of the ring as it was. (notes: ring-files)

use std::fs;
use std::path::{Path, PathBuf};

use super::members::Opened;
use super::{unusable, waits_for};
use crate::args::Common;
use crate::args::ring::{RingOutput, SetupArgs};
use crate::commands::read_ours;
use crate::exit::Failure;
use crate::files::{Identity, Kind, Lock, Output};
use crate::table::Paint;
use crate::terminal;
use ring_proof::file::{Committed, Members};

/// The two files, no other process changing them.
pub struct Place {
    /// The ring file.
    pub ring: Output,
    /// The commitment file.
    pub commitment: Output,
    /// The lock of a ring that is read from where it is written to: held from before it is read.
    lock: Option<Lock>,
}

impl Place {
    /// Claims the places of a ring that is made: nothing is replaced unasked.
    pub fn for_new(path: &Path, output: &RingOutput, common: &Common) -> Result<Self, Failure> {
        let ring = common.files.fresh(Kind::Ring, path)?;
        let beside = output.commitment.clone().unwrap_or_else(|| commitment_of(path));
        let commitment = common.files.fresh(Kind::RingCommitment, &beside)?;
        Ok(Self { ring, commitment, lock: None })
    }

    /// Claims the places of a ring that changes, where it is or into a new one.
    pub fn for_change(path: &Path, output: &RingOutput, common: &Common) -> Result<Self, Failure> {
        let same = |other: &Path| Identity::of(other).is_some_and(|id| Identity::of(path) == Some(id));
        if let Some(new) = output.output.as_ref().filter(|new| !same(new)) {
            return Self::for_new(new, output, common);
        }
        // A link is followed, so that there is one ring; its commitment is beside it, and not beside the link.
        let real = fs::canonicalize(path).map_err(Failure::file("read", path))?;
        let linked = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let beside = commitment_of(if linked { &real } else { path });
        // A lock would leave its file beside what is no ring.
        Members::decode(&read_ours(&real, common)?).map_err(|e| unusable(e).in_file(path))?;
        let commitment = output.commitment.clone().unwrap_or(beside);
        let commitment = common.files.result(Kind::RingCommitment, &commitment)?;
        let lock = Lock::wait(&real, || waits_for(path, common))?;
        let ring = common.files.update(Kind::Ring, path, &lock)?;
        Ok(Self { ring, commitment, lock: Some(lock) })
    }

    /// Reads and checks the ring. A commitment that is not its own, because a change was ended half-way, is written again.
    pub fn open(&self, path: &Path, setup: &SetupArgs, common: &Common) -> Result<Opened, Failure> {
        let ring = Opened::open(path, setup, common)?;
        if let Some(lock) = &self.lock {
            lock.sweep_beside(self.commitment.path());
            let committed = ring.ring.committed();
            if is_stale(self.commitment.path(), &committed, common) {
                self.commitment.write(&committed.encode())?;
                if !common.quiet {
                    let name = terminal::path(self.commitment.path());
                    note!("{} {name} was that of the ring as it was before: written again", note());
                }
            }
        }
        Ok(ring)
    }

    /// Writes both files. What can fail has failed before the first of them is in place.
    pub fn write(&self, file: &Members, common: &Common) -> Result<(), Failure> {
        let path = self.ring.path();
        let _new = match &self.lock {
            Some(_) => None,
            None => Some(Lock::wait(path, || waits_for(path, common))?),
        };
        let [ring, commitment] = [file.encode(), file.committed().encode()];
        let (ring, commitment) = (self.ring.stage(&ring)?, self.commitment.stage(&commitment)?);
        commitment.check()?;
        ring.place()?;
        commitment.place()
    }
}

/// The name of a ring's commitment if none is given.
fn commitment_of(ring: &Path) -> PathBuf {
    ring.with_extension("commitment")
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
