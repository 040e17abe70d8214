//! Blobs by their content: a folder of files, each named by the BLAKE3 digest of its bytes.
//!
//! ```text
//! blobs/3f/3fa1...9c      written beside its place, synced, renamed; read only after its digest was compared
//! ```

use crate::error::Error;
use crate::id::Id;
use crate::prune::millis;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tenfold::read::{Digesting, open_plain, open_unlinked};
use tenfold_report::files::{Place, Staged};

/// A folder of blobs, which any number of processes share.
#[derive(Clone, Debug)]
pub struct Blobs {
    folder: PathBuf,
}

/// The source of blobs for the workers' machines: none is needed if they share one folder.
pub trait BlobStore: Send + Sync {
    /// Brings a blob into a local folder, unless it is there and whole.
    ///
    /// # Errors
    /// [`Error::NoBlob`], [`Error::Blob`]; if it cannot be copied.
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error>;

    /// Makes a blob of a local folder visible to all.
    ///
    /// # Errors
    /// As [`Self::fetch`].
    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error>;
}

/// The store of workers that share the folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shared;

impl BlobStore for Shared {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        local.check(id).map(|_| ())
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        local.check(id).map(|_| ())
    }
}

impl Blobs {
    /// The blobs in a folder, which is made with the first one.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder, and tries whether files can be written to it: whoever finds out with a job has cost that an attempt.
    ///
    /// # Errors
    /// If they cannot.
    pub fn prepare(&self) -> Result<(), Error> {
        let prepared =
            make_folder(&self.folder).and_then(|()| Staged::new(&self.folder.join("blob"), true).map(drop));
        prepared.map_err(Error::io("write into", &self.folder))
    }

    fn path(&self, id: Id) -> PathBuf {
        let name = id.to_string();
        self.folder.join(&name[..2]).join(name)
    }

    /// Stores bytes, durably.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<Id, Error> {
        let id = Id::of(bytes);
        self.place(id, |staged| staged.fill(bytes))?;
        Ok(id)
    }

    /// Stores a file's content, durably, and returns its name and its length: the file is read twice, first for its name.
    ///
    /// # Errors
    /// If it is no plain file, cannot be read, changes meanwhile, or the blob cannot be written.
    pub fn put_file(&self, path: &Path) -> Result<(Id, u64), Error> {
        let failed = |e| Error::io("read", path)(e);
        let (id, length) = digest(open_plain(path).map_err(failed)?).map_err(failed)?;
        match self.put_from(id, &mut open_plain(path).map_err(failed)?) {
            Err(Error::Blob(_)) => Err(failed(io::Error::other("it changed while it was read"))),
            stored => stored.map(|()| (id, length)),
        }
    }

    /// Stores what a source has as the blob of a name, durably; time and memory are those of a copy.
    ///
    /// # Errors
    /// [`Error::Blob`] if it has another digest than the name; if it cannot be read or written.
    pub fn put_from(&self, id: Id, source: &mut dyn Read) -> Result<(), Error> {
        let (mut swapped, mut unread) = (false, false);
        let stored = self.place(id, |staged| {
            let mut source = Digesting::new(Origin { source, failed: &mut unread });
            staged.fill_from(&mut source)?;
            swapped = Id(source.digest()) != id;
            if swapped { Err(io::Error::other("another digest")) } else { Ok(()) }
        });
        match stored {
            Err(_) if swapped => Err(Error::Blob(id)),
            Err(Error::Io { source, .. }) if unread => {
                Err(Error::Io { what: format!("cannot read the content of the blob {id}"), source })
            }
            stored => stored,
        }
    }

    /// Writes a blob, unless it is there and whole; one that is damaged is replaced.
    fn place(&self, id: Id, fill: impl FnOnce(&mut Staged) -> io::Result<()>) -> Result<(), Error> {
        if let Ok(file) = self.open(id) {
            // It is young again, for `remove_but`; whose file it is not may not say so.
            let _ = file.set_modified(SystemTime::now());
            return Ok(());
        }
        let path = self.path(id);
        let write = || {
            make_folder(path.parent().unwrap_or(&self.folder))?;
            // A job's process may be killed, and the next attempt has the same result.
            Staged::sweep(&path);
            let mut staged = Staged::new(&path, true)?;
            fill(&mut staged)?;
            staged.place(Place::Replace)
        };
        write().map_err(Error::io("write", &path))
    }

    /// The place of a blob whose content has its digest. Time is that of reading it.
    ///
    /// # Errors
    /// [`Error::NoBlob`]; [`Error::Blob`] if its content is another one, or it is no plain file.
    pub fn check(&self, id: Id) -> Result<PathBuf, Error> {
        self.open(id).map(|_| self.path(id))
    }

    /// A blob whose content has its digest, open at its start: whatever takes its place in the folder afterwards is not what is read.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn open(&self, id: Id) -> Result<File, Error> {
        let mut file = self.open_unread(id)?;
        let read = digest(&file).and_then(|(found, _)| file.rewind().map(|()| found));
        let found = read.map_err(Error::io("read", &self.path(id)))?;
        if found == id { Ok(file) } else { Err(Error::Blob(id)) }
    }

    /// The bytes of a blob, at most `limit`.
    ///
    /// # Errors
    /// As [`Self::check`], and [`Error::LongBlob`].
    pub fn read(&self, id: Id, limit: u64) -> Result<Vec<u8>, Error> {
        let file = self.open_unread(id)?;
        let failed = |e| Error::io("read", &self.path(id))(e);
        let length = file.metadata().map_err(failed)?.len();
        if length > limit {
            return Err(Error::LongBlob { id, length, limit });
        }
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        if Id::of(&bytes) == id { Ok(bytes) } else { Err(Error::Blob(id)) }
    }

    /// Removes blobs that were stored before a moment, in milliseconds since 1970, but for those that are named, and what processes that were ended have left
    /// beside blobs; returns the number of blobs, and of their bytes.
    pub(crate) fn remove_but(&self, named: &HashSet<Id>, moment: u64) -> Result<(u64, u64), Error> {
        let mut removed = (0, 0);
        for folder in entries(&self.folder)?.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        {
            Staged::sweep_folder(&folder.path());
            for entry in entries(&folder.path())? {
                let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
                let Some(id) = id.filter(|&id| !named.contains(&id) && self.path(id) == entry.path()) else {
                    continue;
                };
                let Ok(there) =
                    entry.metadata().and_then(|there| Ok((there.is_file(), there.len(), there.modified()?)))
                else {
                    continue;
                };
                if there.0 && millis(there.2) < moment {
                    fs::remove_file(self.path(id)).map_err(Error::io("remove", &self.path(id)))?;
                    removed = (removed.0 + 1, removed.1 + there.1);
                }
            }
        }
        Ok(removed)
    }

    /// Opens a blob that is a plain file: a link or a pipe in its place is none of ours.
    fn open_unread(&self, id: Id) -> Result<File, Error> {
        let path = self.path(id);
        open_unlinked(&path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => Error::NoBlob(id),
            ErrorKind::InvalidInput => Error::Blob(id),
            _ => Error::io("open", &path)(e),
        })
    }
}

/// The source of a blob, which says whether it failed: the blob's file did not, then.
struct Origin<'a> {
    source: &'a mut dyn Read,
    failed: &'a mut bool,
}

impl Read for Origin<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer);
        *self.failed = matches!(&read, Err(e) if e.kind() != ErrorKind::Interrupted);
        read
    }
}

/// Makes a folder that its owner alone can read, unless it is there.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The entries of a folder; none if there is no folder.
fn entries(folder: &Path) -> Result<impl Iterator<Item = fs::DirEntry>, Error> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(Some(entries).into_iter().flatten().flatten()),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None.into_iter().flatten().flatten()),
        Err(e) => Err(Error::io("read", folder)(e)),
    }
}

/// The name and the length of a file's content.
fn digest(file: impl Read) -> io::Result<(Id, u64)> {
    let mut content = Digesting::new(file);
    io::copy(&mut content, &mut io::sink())?;
    Ok((Id(content.digest()), content.count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_are_checked_whenever_they_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(&folder.path().join("blobs"));
        let (one, two) = (blobs.put(b"one").unwrap(), blobs.put(b"two").unwrap());
        assert_eq!(blobs.put(b"one").unwrap(), one, "twice the same");
        assert_eq!([3, u64::MAX].map(|limit| blobs.read(one, limit).unwrap()), [b"one", b"one"]);
        assert!(matches!(blobs.read(one, 2), Err(Error::LongBlob { length: 3, limit: 2, .. })));
        assert!(matches!(blobs.read(Id([0; 32]), 9), Err(Error::NoBlob(_))));
        // Swapped for another blob, cut, changed: each is refused, and storing it again heals it.
        for content in [&b"two"[..], b"on", b"onE", b""] {
            fs::write(blobs.path(one), content).unwrap();
            assert!(matches!(blobs.read(one, 9), Err(Error::Blob(id)) if id == one));
            assert!(matches!(blobs.check(one), Err(Error::Blob(_))));
            assert_eq!(blobs.put(b"one").unwrap(), one);
            assert!(blobs.check(one).is_ok());
        }
        #[cfg(unix)]
        {
            fs::remove_file(blobs.path(one)).unwrap();
            std::os::unix::fs::symlink(blobs.path(two), blobs.path(one)).unwrap();
            assert!(matches!(blobs.read(one, 9), Err(Error::Blob(_))), "a link");
        }
    }

    /// A source that cannot be read is no blob that cannot be written.
    #[test]
    fn errors_of_a_source_are_said_to_be_its_own() {
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("it is silent"))
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path());
        let said = blobs.put_from(Id([7; 32]), &mut Silent).unwrap_err().to_string();
        assert!(
            said.starts_with("cannot read the content of the blob 0707") && said.ends_with("it is silent"),
            "{said}"
        );
        fs::write(folder.path().join("08"), b"in the way").unwrap();
        let said = blobs.put_from(Id([8; 32]), &mut Silent).unwrap_err().to_string();
        assert!(said.starts_with("cannot write"), "{said}");
    }

    /// An open blob is the file whose digest was compared, even if another file is renamed over it.
    #[test]
    fn a_blob_that_is_open_is_the_one_that_was_compared() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path());
        let (id, other) = (blobs.put(b"one").unwrap(), blobs.put(b"two").unwrap());
        let mut file = blobs.open(id).unwrap();
        fs::rename(blobs.path(other), blobs.path(id)).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        assert_eq!(content, b"one");
        assert!(matches!(blobs.open(id), Err(Error::Blob(_))));
    }

    /// Opening does not block if a pipe replaces the file between the check and the opening.
    #[cfg(unix)]
    #[test]
    fn a_pipe_that_takes_a_file_s_place_is_not_waited_for() {
        use std::sync::mpsc::channel;
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path());
        let (id, beside) = (blobs.put(b"one").unwrap(), |name| folder.path().join(name));
        let [file, pipe, new] = ["file", "pipe", "new"].map(beside);
        fs::copy(blobs.path(id), &file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (over, wait) = channel();
        let reader = blobs.clone();
        std::thread::spawn(move || {
            // How often each met the pipe, and the file: many times, and both.
            let mut met = [[0; 2]; 2];
            while met.iter().any(|met| met[0] == 0 || met[1] == 0 || met[0] + met[1] < 4000) {
                met[0][usize::from(reader.read(id, 3).is_ok())] += 1;
                met[1][usize::from(open_plain(&reader.path(id)).is_ok())] += 1;
            }
            over.send(())
        });
        let start = std::time::Instant::now();
        while wait.try_recv().is_err() {
            for there in [&pipe, &file] {
                fs::hard_link(there, &new).unwrap();
                fs::rename(&new, blobs.path(id)).unwrap();
            }
            assert!(start.elapsed().as_secs() < 60, "it waits for whoever writes into the pipe");
        }
    }

    /// What a killed process left of a blob goes when the blob is stored.
    #[test]
    fn leftovers_of_a_blob_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path());
        let id = Id::of(b"one");
        let path = blobs.path(id);
        let beside = path.parent().unwrap();
        make_folder(beside).unwrap();
        let names = || fs::read_dir(beside).unwrap().map(|entry| entry.unwrap().path());
        let staged = Staged::new(&path, true).unwrap();
        let left = names().next().unwrap().with_extension("0.tmp");
        fs::write(left, b"on").unwrap();
        drop(staged);
        assert_eq!((names().count(), blobs.put(b"one").unwrap()), (1, id));
        assert_eq!(names().collect::<Vec<_>>(), [path]);
    }

    #[test]
    fn files_are_stored_by_their_content() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path());
        let path = folder.path().join("data");
        let content = vec![7; 300_000];
        fs::write(&path, &content).unwrap();
        assert_eq!(blobs.put_file(&path).unwrap(), (Id::of(&content), 300_000));
        assert_eq!(blobs.read(Id::of(&content), 300_000).unwrap(), content);
        let other = Id([1; 32]);
        assert!(matches!(blobs.put_from(other, &mut &content[..]), Err(Error::Blob(id)) if id == other));
        assert!(matches!(blobs.check(other), Err(Error::NoBlob(_))), "nothing of it is kept");
        assert!(blobs.put_file(&folder.path().join("none")).is_err());
        assert!(blobs.put_file(folder.path()).is_err(), "a folder");
        #[cfg(unix)]
        assert!(blobs.put_file("/dev/null".as_ref()).is_err(), "a device, which is another file each time");
    }
}
