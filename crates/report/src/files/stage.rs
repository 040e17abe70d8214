//! One content beside its place, and then in it.
//!
//! ```text
//! new name, create-exclusive ─► write, fsync ─► owner and mode of what is there ─► rename (or link, if nothing may be there) ─► fsync folder
//! ```
//! A process that ends before the rename leaves the place as it was, and perhaps a file `.tenfold-*.tmp` beside it; one that
//! fails, or that is ended by a signal which it is told of, removes that too. After the rename the new content is there, whole. A file beside its place is locked by its process:
//! one that is not locked is nobody's any more.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use super::identity::leads_to;
use super::target::folder_of;
use super::unfinished::{Note, whole};

/// The content that may be at the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing: of two who write at once, one fails.
    New,
    /// The old content.
    Replace,
}

/// Steps at which a system can fail, or a process can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Create,
    Write,
    Sync,
    Mode,
    Rename,
    SyncFolder,
}

/// Called before each step; an error is that step's. In the command it does nothing.
type Hook = fn(Step) -> io::Result<()>;

/// An error after the rename: the new content is in place.
#[derive(Debug, thiserror::Error)]
#[error("it is written, and may not outlast a power cut: {0}")]
struct Unsynced(io::Error);

/// Returns true for an error of [`Staged::place`] that came after the rename.
pub(super) fn is_there(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Unsynced>())
}

/// A file beside its place, removed again if it never gets there.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    /// The folder, to sync it: one that cannot be opened has no place for what must outlast a power cut.
    folder: Option<File>,
    target: PathBuf,
    private: bool,
    before: Hook,
    /// Until it is in its place.
    unfinished: Note,
}

impl Staged {
    /// An empty file beside a place; `private` ones can be read by their owner alone.
    ///
    /// # Errors
    /// If the folder cannot be read or written to.
    pub fn new(target: &Path, private: bool) -> io::Result<Self> {
        Self::with_hook(target, private, |_| Ok(()))
    }

    /// Removes what processes that were ended have left beside a place, which no other process locks.
    pub fn sweep(target: &Path) {
        sweep(target);
    }

    /// Removes what processes that were ended have left in a folder, beside whatever place.
    pub fn sweep_folder(folder: &Path) {
        remove_abandoned(staged_in(folder, PREFIX.to_owned()));
    }

    fn with_hook(target: &Path, private: bool, before: Hook) -> io::Result<Self> {
        before(Step::Create)?;
        let mut random = [0; 8];
        getrandom::fill(&mut random)?;
        let prefix = format!("{}{}", prefix_of(target), crate::units::hex(&random));
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(6);
        #[cfg(unix)]
        {
            let mode = if private { 0o600 } else { 0o666 };
            // As every new file, less what the process's mask takes.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        }
        let folder = cfg!(unix).then(|| File::open(folder_of(target))).transpose()?;
        let _whole = whole();
        let file = held(|| builder.tempfile_in(folder_of(target)))?;
        let unfinished = Note::staged(file.path());
        Ok(Self { file, folder, target: target.to_owned(), private, before, unfinished })
    }

    /// Writes the content, in place of any before it, durably.
    ///
    /// # Errors
    /// If the disk is full, say.
    pub fn fill(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.before)(Step::Write)?;
        let file = self.file.as_file_mut();
        file.rewind()?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        (self.before)(Step::Sync)?;
        file.sync_all()
    }

    /// [`Self::fill`] with all that a source has.
    ///
    /// # Errors
    /// As [`Self::fill`]; if the source cannot be read.
    pub fn fill_from(&mut self, source: &mut dyn Read) -> io::Result<()> {
        (self.before)(Step::Write)?;
        let file = self.file.as_file_mut();
        file.rewind()?;
        let length = io::copy(source, file)?;
        file.set_len(length)?;
        (self.before)(Step::Sync)?;
        file.sync_all()
    }

    /// [`Self::fill`] with a content that says which file it is in: the rename does not change that.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub fn fill_with(
        &mut self,
        content: impl FnOnce(&File) -> io::Result<Zeroizing<Vec<u8>>>,
    ) -> io::Result<()> {
        let bytes = content(self.file.as_file())?;
        self.fill(&bytes)
    }

    /// Puts the file in its place, durably.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if it must be new and is not; if the system refuses. The place stays as it is, but for an error
    /// after the rename, which says so.
    pub fn place(self, place: Place) -> io::Result<()> {
        let _whole = whole();
        let Self { file, folder, target, private, before, unfinished: _unfinished } = self;
        if place == Place::Replace {
            before(Step::Mode)?;
            inherit(file.as_file(), &target, private)?;
        }
        before(Step::Rename)?;
        match place {
            Place::New => file.persist_noclobber(&target)?,
            Place::Replace => file.persist(&target)?,
        };
        synced(before, folder)
    }

    /// [`Self::place`] as a new file; if the place was taken meanwhile, the content stays beside it, and the error says where.
    ///
    /// # Errors
    /// As [`Self::place`].
    pub fn place_new_or_keep(self) -> io::Result<()> {
        let _whole = whole();
        let Self { file, folder, target, before, unfinished: _unfinished, .. } = self;
        before(Step::Rename)?;
        match file.persist_noclobber(&target) {
            Ok(_) => synced(before, folder),
            Err(e) => {
                let (_, kept) = e.file.keep()?;
                Err(io::Error::new(e.error.kind(), format!("{}; it is in {}", e.error, kept.display())))
            }
        }
    }
}

const PREFIX: &str = ".tenfold-";
const SUFFIX: &str = ".tmp";
/// Sweeps that one writer meets, at most.
const MOST_SWEPT: u32 = 100;

/// The start of the names of all files that are staged for one place: as long for any name.
fn prefix_of(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    format!("{PREFIX}{}-", &blake3::hash(name).to_hex()[..8])
}

/// The files that are staged for a place, or were by processes that were ended.
fn staged_for(target: &Path) -> impl Iterator<Item = PathBuf> {
    staged_in(folder_of(target), prefix_of(target))
}

/// The files of a folder that are staged under names that begin so.
fn staged_in(folder: &Path, prefix: String) -> impl Iterator<Item = PathBuf> + use<> {
    let ours = move |entry: &fs::DirEntry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| name.starts_with(&prefix) && name.ends_with(SUFFIX))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(ours).map(|entry| entry.path())
}

/// Makes a file that its process holds. One that was taken for an ended process's before it was held is made again.
fn held(make: impl Fn() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut file = make()?;
    for _ in 0..MOST_SWEPT {
        match file.as_file().try_lock() {
            // Where files cannot be locked, none is taken for an ended process's.
            Err(TryLockError::Error(_)) => break,
            Ok(()) if leads_to(file.path(), file.as_file()) => break,
            // Whoever sweeps has it, or has removed it: nobody is waited for.
            Err(TryLockError::WouldBlock) | Ok(()) => file = make()?,
        }
    }
    Ok(file)
}

/// Takes hold of a file that is staged, if its process has ended.
fn abandoned(path: &Path) -> Option<File> {
    File::open(path).ok().filter(|file| file.try_lock().is_ok())
}

/// Removes what processes that were ended have left beside a place.
pub(super) fn sweep(target: &Path) {
    remove_abandoned(staged_for(target));
}

fn remove_abandoned(staged: impl Iterator<Item = PathBuf>) {
    for path in staged {
        // What cannot be removed is in nobody's way.
        let _ = abandoned(&path).map(|_held| fs::remove_file(&path));
    }
}

/// Returns true if a process that was ended left this content beside a place.
pub(super) fn was_left(target: &Path, content: &[u8]) -> bool {
    staged_for(target).any(|path| {
        let mut found = Vec::with_capacity(content.len() + 1);
        let Some(file) = abandoned(&path) else { return false };
        file.take(content.len() as u64 + 1).read_to_end(&mut found).is_ok() && found == content
    })
}

/// Gives a file the mode of the one that it replaces, and its owner where the system allows it. One that is private stays with who
/// wrote it, for nobody else.
fn inherit(file: &File, from: &Path, private: bool) -> io::Result<()> {
    let old = match fs::metadata(from) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        if private {
            return file.set_permissions(PermissionsExt::from_mode(0o600));
        }
        let new = file.metadata()?;
        if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
            let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(PermissionsExt::from_mode(old.mode() & 0o777))
    }
    #[cfg(not(unix))]
    if private { Ok(()) } else { file.set_permissions(old.permissions()) }
}

/// Makes names in a folder durable; elsewhere than on Unix, folders cannot be synced.
fn synced(before: Hook, folder: Option<File>) -> io::Result<()> {
    let synced = before(Step::SyncFolder).and_then(|()| folder.map_or(Ok(()), |folder| folder.sync_all()));
    match synced {
        // Of a file system that has no such thing.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        Err(e) => Err(io::Error::new(e.kind(), Unsynced(e))),
        Ok(()) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
