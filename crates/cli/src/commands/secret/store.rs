//! Secret files on disk: made once, held by one process at a time, and marked as used before a proof is let out.
//!
//! ```text
//! lock  X.lock ─► read X ─► prove ─► reserve the proof's name ─► X.new, fsync, rename to X, fsync folder ─► write the proof
//! ```
//! A crash before the rename costs nothing; after it, one opening. The lock is on a file of its own: one on the secret
//! would stay with the file that the rename replaces. (notes: zk-seed)

use super::{LENGTH, SecretFile};
use crate::exit::{Exit, Failure};
use pcs::pip::Secret;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A secret file that no other process can hold while this value lives.
#[derive(Debug)]
pub struct Held {
    /// Without links in it: the file itself is replaced, not a link to it.
    path: PathBuf,
    _lock: File,
}

/// Writes a new secret file, durably.
///
/// # Errors
/// If there is a file of that name: nothing is overwritten.
pub fn create(path: &Path, file: &SecretFile) -> Result<(), Failure> {
    let hint = "it may be all that can open a commitment: give another name with --secret or -o";
    create_private(path, &file.encode(), hint)
}

/// Writes a new file that its owner alone can read, durably.
///
/// # Errors
/// If there is a file of that name, with `hint`: nothing is overwritten.
pub fn create_private(path: &Path, bytes: &[u8], hint: &str) -> Result<(), Failure> {
    match write_new(path, bytes).and_then(|()| sync_folder(path)) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::usage(format!("{} is already there", path.display()), hint))
        }
        written => written.map_err(Failure::file("write", path)),
    }
}

/// Takes hold of a secret file.
///
/// # Errors
/// If it is not there or another process holds it.
pub fn hold(path: &Path) -> Result<Held, Failure> {
    let given = path;
    let path = fs::canonicalize(path).map_err(Failure::file("read", given))?;
    let beside = with_suffix(&path, ".lock");
    let lock = private().create(true).truncate(false).write(true).open(&beside);
    let lock = lock.map_err(Failure::file("write", &beside))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let message = format!("another process is using {}", given.display());
            let hint = Some("wait until it has ended: no two openings may use one mask".to_owned());
            return Err(Failure { exit: Exit::Io, message, hint });
        }
        Err(TryLockError::Error(e)) => return Err(Failure::file("lock", &beside)(e)),
    }
    refuse_second_names(&path).map_err(Failure::file("use", given))?;
    Ok(Held { path, _lock: lock })
}

impl Held {
    /// Reads the file.
    ///
    /// # Errors
    /// As [`SecretFile::decode`].
    pub fn read(&self) -> Result<SecretFile, Failure> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(LENGTH + 1));
        let file = File::open(&self.path);
        file.and_then(|file| file.take(LENGTH as u64 + 1).read_to_end(&mut bytes))
            .map_err(Failure::file("read", &self.path))?;
        SecretFile::decode(&bytes)
    }

    /// Marks the openings of `secret` as used, then writes the proof to a new file.
    ///
    /// # Errors
    /// If the proof's file is already there or cannot be made, and nothing is used up then; or if a write fails.
    pub fn publish(self, secret: Secret, proof: &[u8], path: &Path) -> Result<(), Failure> {
        // An opening must not be lost to a name that cannot be written.
        let mut out =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| match e.kind() {
                ErrorKind::AlreadyExists => {
                    let hint =
                        "proofs of a hiding commitment cannot be made again: give another name with -o";
                    Failure::usage(format!("{} is already there", path.display()), hint)
                }
                _ => Failure::file("write", path)(e),
            })?;
        // The proof must not be what the count is written to before it replaces the old one.
        let marked = if fs::canonicalize(path).is_ok_and(|path| path == self.next()) {
            let message = format!("{} is where the secret's next count is written", path.display());
            Err(Failure::usage(message, "give another name with -o"))
        } else {
            self.mark(secret)
        };
        if let Err(failure) = marked {
            drop(out);
            // Empty, and ours: nobody else could have made it.
            let _ = fs::remove_file(path);
            return Err(failure);
        }
        out.write_all(proof).and_then(|()| out.sync_all()).map_err(|e| {
            Failure::io(format!("cannot write {}, and one opening is used up: {e}", path.display()))
        })
    }

    /// Where the next content stands until it is in place.
    fn next(&self) -> PathBuf {
        with_suffix(&self.path, ".new")
    }

    /// Stores the new count in place of the one before it.
    fn mark(&self, secret: Secret) -> Result<(), Failure> {
        let file = self.read()?;
        // The lock binds those who ask for it: an editor or a restored backup does not.
        if file.secret.used().checked_add(1) != Some(secret.used()) || file.secret.seed() != secret.seed() {
            return Err(Failure::io(format!("{} was changed meanwhile", self.path.display())));
        }
        self.replace(&SecretFile { secret, ..file })
    }

    /// Puts another content in place of the file, durably: whoever reads finds the old or the new one, whole.
    fn replace(&self, file: &SecretFile) -> Result<(), Failure> {
        let new = self.next();
        let write = || {
            // Left over from a process that ended early: we hold the lock, so nobody is writing it.
            match fs::remove_file(&new) {
                Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
                _ => {}
            }
            write_new(&new, &file.encode())?;
            fs::rename(&new, &self.path)?;
            sync_folder(&self.path)
        };
        write().map_err(Failure::file("update", &self.path))
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Files that only their owner can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes names in a file's folder durable; elsewhere than on Unix, folders cannot be synced.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
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
