//! Secret files on disk: made once, held by one process at a time, and marked as used before a proof is let out.
//!
//! ```text
//! lock X ─► read X ─► prove ─► room for the proof beside its place ─► count in X, durably ─► the proof into that room ─► its place
//! ```
//! A crash before the count costs nothing; after it, one opening. (notes: zk-seed)

use super::unusable;
use crate::exit::{Exit, Failure};
use crate::files::{Lock, Output, Place, Staged};
use pcs::pip::Secret;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use tenfold::file::{SecretFile, Stamp};
use tenfold::prove::Counted;
use zeroize::Zeroizing;

/// A secret file that no other process can hold while this value lives.
#[derive(Debug)]
pub struct Held {
    /// Of the file itself: it is replaced, not a link to it.
    lock: Lock,
}

/// Takes hold of a secret file.
///
/// # Errors
/// If it is not there or another process holds it.
pub fn hold(path: &Path) -> Result<Held, Failure> {
    let real = fs::canonicalize(path).map_err(Failure::file("read", path))?;
    let Some(lock) = Lock::attempt(&real)? else {
        let message = format!("another process is using {}", path.display());
        let hint = Some("wait until it has ended: no two openings may use one mask".to_owned());
        return Err(Failure { exit: Exit::Io, message, hint });
    };
    refuse_second_names(&real).map_err(Failure::file("use", path))?;
    Ok(Held { lock })
}

impl Held {
    /// Reads the file, and says which one it is now.
    ///
    /// # Errors
    /// As [`SecretFile::decode`].
    pub fn read(&self) -> Result<(SecretFile, Option<Stamp>), Failure> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(SecretFile::LENGTH + 1));
        let mut read = || {
            let file = File::open(self.lock.path())?;
            let stamp = Stamp::of(&file)?;
            file.take(SecretFile::LENGTH as u64 + 1).read_to_end(&mut bytes).map(|_| stamp)
        };
        let stamp = read().map_err(Failure::file("read", self.lock.path()))?;
        Ok((SecretFile::decode(&bytes).map_err(unusable)?, stamp))
    }

    /// Marks the openings as used, once there is room for the proof beside its place.
    ///
    /// # Errors
    /// If the proof's file is already there or there is no room for it, and nothing is used up then; or if the count is not stored.
    pub fn count(self, opening: &Counted<'_>, output: &Output) -> Result<Room, Failure> {
        // An opening must not be lost to a folder that cannot be written or a disk that is full. The proof itself must be on
        // no disk before its opening is counted: whoever finds it there would see the next one use the same mask.
        let mut room = output.reserve_new()?;
        room.fill(&vec![0; opening.length]).map_err(Failure::file("write", output.path()))?;
        self.mark(opening.secret)?;
        Ok(Room { room, _held: self })
    }

    /// Stores the new count in place of the one before it.
    fn mark(&self, secret: &Secret) -> Result<(), Failure> {
        let (file, _) = self.read()?;
        // The lock binds those who ask for it: an editor or a restored backup does not.
        if file.secret.used().checked_add(1) != Some(secret.used()) || file.secret.seed() != secret.seed() {
            return Err(Failure::io(format!("{} was changed meanwhile", self.lock.path().display())));
        }
        let secret = Secret::from_seed(secret.seed(), secret.used());
        self.replace(&SecretFile { secret, ..file })
    }

    /// Puts another content in place of the file, durably: whoever reads finds the old or the new one, whole.
    fn replace(&self, file: &SecretFile) -> Result<(), Failure> {
        let path = self.lock.path();
        let write = || {
            let mut staged = Staged::new(path, true)?;
            staged.fill_with(|staged| Ok(file.encode(Stamp::of(staged)?)))?;
            staged.place(Place::Replace)
        };
        write().map_err(Failure::file("update", path))
    }
}

/// Room for a proof whose opening is counted. No other process can hold the secret meanwhile.
#[derive(Debug)]
pub struct Room {
    room: Staged,
    _held: Held,
}

impl Room {
    /// Writes the proof to its place.
    ///
    /// # Errors
    /// If a write fails.
    pub fn publish(mut self, proof: &[u8], output: &Output) -> Result<(), Failure> {
        self.room.fill(proof).and_then(|()| self.room.place_new_or_keep()).map_err(|e| {
            let name = output.path().display();
            Failure::io(format!("cannot write {name}, and one opening is used up: {e}"))
        })
    }
}

/// Replacing a file leaves its other names with the old content, here an old count.
fn refuse_second_names(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is no plain file"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&metadata) != 1 {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it has a second name (a hard link); remove one",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Files, Kind};

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
            let opening = Counted { secret: &used(count).secret, length: 9 };
            hold(&secret).unwrap().count(&opening, &output)?.publish(b"the proof", &output)
        };
        assert!(publish(2).unwrap_err().message.contains("was changed meanwhile"));
        let mut names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["secret", "secret.lock"]);
        publish(1).unwrap();
        let stamp = Stamp::of(&File::open(&secret).unwrap()).unwrap();
        assert_eq!(
            (fs::read(&proof).unwrap(), fs::read(&secret).unwrap()),
            (b"the proof".to_vec(), used(1).encode(stamp).to_vec())
        );
    }
}
