//! Secret files on disk: made once, held by one process at a time, and marked as used before a proof is let out.
//!
//! ```text
//! lock X ─► read X ─► prove, verify ─► room for the proof beside its place ─► count in X, durably ─► the proof into that room ─► its place
//! ```
//! A crash before the count costs nothing; after it, one opening. A signal that the process is told of waits for the proof to be in its place.
//! (notes: zk-seed)

use super::unusable;
use crate::exit::Failure;
use crate::files::{self, Output, Staged, Whole, whole};
use pcs::pip::Secret;
use std::fs::File;
use std::path::Path;
use tenfold::file::{SecretFile, Stamp};
use tenfold::prove::Counted;
use zeroize::Zeroizing;

/// A secret file that no other process can hold while this value lives.
#[derive(Debug)]
pub struct Held(files::Held);

/// Takes hold of a secret file.
pub fn hold(path: &Path) -> Result<Held, Failure> {
    files::Held::of(path, "wait until it has ended: no two openings may use one mask").map(Held)
}

/// Bytes that are read: one more than there should be.
const MOST: usize = SecretFile::LENGTH + 1;

/// Reads a secret file that is to stay as it is, whoever holds it, and says which one it is now.
pub fn peek(path: &Path) -> Result<(SecretFile, Option<Stamp>), Failure> {
    decode(files::read_private(path, MOST)?, path)
}

fn decode(
    (bytes, file): (Zeroizing<Vec<u8>>, File),
    path: &Path,
) -> Result<(SecretFile, Option<Stamp>), Failure> {
    let stamp = Stamp::of(&file).map_err(Failure::file("read", path))?;
    Ok((SecretFile::decode(&bytes).map_err(unusable)?, stamp))
}

impl Held {
    /// Reads the file, and says which one it is now.
    pub fn read(&self) -> Result<(SecretFile, Option<Stamp>), Failure> {
        decode(self.0.read(MOST)?, self.0.path())
    }

    /// Marks the openings as used, once there is room for the proof beside its place.
    /// If the proof's file is there already or there is no room for it, nothing is used up.
    pub fn count(self, opening: &Counted<'_>, output: &Output) -> Result<Room, Failure> {
        // An opening must not be lost to a folder that cannot be written or a disk that is full. The proof itself must be on
        // no disk before its opening is counted: whoever finds it there would see the next one use the same mask.
        let mut room = output.reserve_new()?;
        room.fill(&vec![0; opening.length]).map_err(Failure::file("write", output.path()))?;
        let whole = whole();
        self.mark(opening)?;
        Ok(Room { room, _held: self, _whole: whole })
    }

    /// Stores the new count in place of the one before it.
    fn mark(&self, Counted { secret, before, .. }: &Counted<'_>) -> Result<(), Failure> {
        let (file, _) = self.read()?;
        // The lock binds those who ask for it: an editor or a restored backup does not.
        if file.secret.used() != *before || file.secret.seed() != secret.seed() {
            return Err(Failure::io(format!("{} was changed meanwhile", self.0.path().display())));
        }
        let secret = Secret::from_seed(secret.seed(), secret.used());
        let file = SecretFile { secret, ..file };
        self.0.replace(|staged| Ok(file.encode(Stamp::of(staged)?)))
    }
}

/// Room for a proof whose opening is counted. No other process can hold the secret meanwhile.
#[derive(Debug)]
pub struct Room {
    room: Staged,
    _held: Held,
    _whole: Whole,
}

impl Room {
    /// Writes the proof to its place.
    pub fn publish(mut self, proof: &[u8], output: &Output) -> Result<(), Failure> {
        self.room.fill(proof).and_then(|()| self.room.place_new_or_keep()).map_err(|e| {
            let name = output.path().display();
            Failure::io(format!("cannot write {name}, and one opening is used up: {e}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Files, Kind};
    use std::fs;

    /// An older copy that was put back meanwhile, say: the lock does not bind who does that.
    #[test]
    fn a_count_that_cannot_be_stored_lets_no_proof_out() {
        let folder = tempfile::TempDir::new().unwrap();
        let [secret, proof] = ["secret", "proof"].map(|name| folder.path().join(name));
        let used = |used| SecretFile {
            commitment: [3; 32],
            openings: 3,
            secret: Secret::from_seed(&[9; 32], used),
            stamp: None,
        };
        fs::write(&secret, &*used(0).encode(None)).unwrap();
        let publish = |count| {
            let output = Files::default().once(Kind::HidingProof, &proof).unwrap();
            let opening = Counted { secret: &used(count).secret, before: count - 1, length: 9 };
            hold(&secret).unwrap().count(&opening, &output)?.publish(b"the proof", &output)
        };
        assert!(publish(2).unwrap_err().message.contains("was changed meanwhile"));
        let mut names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["secret"]);
        publish(1).unwrap();
        let stamp = Stamp::of(&File::open(&secret).unwrap()).unwrap();
        assert_eq!(
            (fs::read(&proof).unwrap(), fs::read(&secret).unwrap()),
            (b"the proof".to_vec(), used(1).encode(stamp).to_vec())
        );
    }
}
