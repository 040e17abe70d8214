//! Locks of files that are read, changed and written back.
//!
//! The lock is on a file of its own beside the file, with `.lock` behind its name: one on the file itself would stay with what
//! the next rename replaces. The system gives it up when the process ends, however it ends, so that none is ever stale. Its file
//! says that it is one: on Unix whoever gives the lock up removes it, and who has waited for a file that is gone makes it again. A
//! process that is killed between making the file and marking it leaves an empty one, which serves as well, and stays: it may be a
//! user's, who locks it by other means. Until somebody removes it, who may not read it (by the mask of the killed process) is told so.
//!
//! A thread that has locks waits for those alone that come after them in one order of all names, so that no two wait for each other.

use std::cell::{OnceCell, RefCell};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::identity::{has_second_name, leads_to, lower};
use super::stage::{sweep, was_left};
use super::target::Target;
use super::unfinished::{Note, whole};
use crate::exit::{Exit, Failure};
use crate::terminal;

/// More than there are processes that wait for one file: where names do not keep their files, the command ends.
const MOST_TRIES: u32 = 10_000;

/// The content of a lock's file.
const MARK: &[u8] = b"tenfold lock\n";

/// The end of the name of a lock's file.
const END: &str = ".lock";

/// Bytes of a name, at most, on the file systems of all systems.
const LONGEST_NAME: usize = 255;

thread_local! {
    /// The locks of this thread.
    static MINE: RefCell<Vec<Place>> = const { RefCell::new(Vec::new()) };
}

/// A file that no other process changes while this value lives, if it asks for the lock too.
#[derive(Debug)]
pub struct Lock {
    /// Until it is given up. It comes before what it is of, which it has, too.
    _unfinished: Note,
    taken: Arc<Taken>,
    /// It is given up by the thread that took it, which knows its own.
    _here: PhantomData<*const ()>,
}

/// A lock that is taken: it lasts as long as its file is open.
#[derive(Debug)]
pub(super) struct Taken {
    place: Place,
    #[cfg_attr(not(unix), expect(dead_code, reason = "the lock lasts as long as the file is open"))]
    file: File,
    /// False if it was there.
    #[cfg_attr(not(unix), expect(dead_code, reason = "the file stays where nobody removes it"))]
    made: bool,
}

impl Lock {
    /// Locks a file that may not be there yet; waits for a process that has the lock, and says so through `waits`, whose value lives
    /// until the wait is over. What processes that were ended have left beside the file is removed.
    ///
    /// # Errors
    /// If the lock cannot be made, the name is not one of a plain file, or the wait may be one for ever.
    pub fn wait<W>(path: &Path, waits: impl FnOnce() -> W) -> Result<Self, Failure> {
        Self::wait_unswept(path, waits).inspect(Self::sweep)
    }

    /// [`Self::wait`] where that ends for certain; `None` where another process has the lock and this thread has one that comes
    /// after it, for which the other may be waiting.
    ///
    /// # Errors
    /// If the lock cannot be made, or the name is not one of a plain file.
    pub fn wait_in_order(path: &Path, waits: impl FnOnce()) -> Result<Option<Self>, Failure> {
        Ok(Self::wait_or_refuse(path, waits)?.inspect(Self::sweep))
    }

    /// Locks two places, those of them that are plain files, in the order that all processes take. `waits` is told for which of
    /// them it waits. What is beside them is left.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn pair(places: [Option<&Path>; 2], waits: impl Fn(usize)) -> Result<[Option<Self>; 2], Failure> {
        let mut turns = [0, 1];
        turns.sort_by_key(|&turn: &usize| places[turn].map(order));
        let mut locks = [None, None];
        for turn in turns {
            let lock = |place| Self::wait_unswept(place, || waits(turn));
            locks[turn] = places[turn].map(lock).transpose()?;
        }
        Ok(locks)
    }

    fn wait_unswept<W>(path: &Path, waits: impl FnOnce() -> W) -> Result<Self, Failure> {
        Self::wait_or_refuse(path, waits)?.ok_or_else(|| Failure {
            exit: Exit::Io,
            message: format!("another process is using {}", terminal::path(path)),
            hint: Some("wait until it has ended, and try again".to_owned()),
        })
    }

    fn wait_or_refuse<W>(path: &Path, waits: impl FnOnce() -> W) -> Result<Option<Self>, Failure> {
        let (mut waits, waiting) = (Some(waits), OnceCell::new());
        Self::hold(path, |file, place| {
            if !place.waits_in_order(file)? {
                return Ok(false);
            }
            if let Some(waits) = waits.take() {
                let _ = waiting.set(waits());
            }
            file.lock().map(|()| true).map_err(Failure::file("lock", path))
        })
    }

    /// Locks a file, unless another process has the lock.
    ///
    /// # Errors
    /// If the lock cannot be made, or the name is not one of a plain file.
    pub fn attempt(path: &Path) -> Result<Option<Self>, Failure> {
        Ok(Self::hold(path, |_, _| Ok(false))?.inspect(Self::sweep))
    }

    /// Takes the lock; of one that another process has `wait` does so, or says that it does not.
    fn hold(
        path: &Path,
        mut wait: impl FnMut(&File, &Place) -> Result<bool, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let place = Place::of(path)?;
        for _ in 0..MOST_TRIES {
            let mut step = whole();
            let (file, made) = match open(&place.beside) {
                // Removed between two looks at it.
                Err(e) if e.kind() == ErrorKind::NotFound => continue,
                opened => opened.map_err(|e| place.unopened(&e))?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::Error(e)) => return Err(Failure::file("lock", path)(e)),
                Err(TryLockError::WouldBlock) => {
                    // However long it takes: who waits has nothing of its own there.
                    drop(step);
                    if !wait(&file, &place)? {
                        return Ok(None);
                    }
                    step = whole();
                }
            }
            // Who held it before has removed it, perhaps.
            if leads_to(&place.beside, &file) {
                MINE.with_borrow_mut(|mine| mine.push(place.clone()));
                let taken = Arc::new(Taken { place, file, made });
                let _unfinished = Note::lock(&taken);
                drop(step);
                return Ok(Some(Self { _unfinished, taken, _here: PhantomData }));
            }
        }
        let changes = io::Error::other(format!("{} is another file each time", place.beside.display()));
        Err(Failure::file("lock", path)(changes))
    }

    /// Returns true if a process that was ended left this content beside the file, which it was to be put in the place of. Asked
    /// before [`Self::sweep`].
    #[must_use]
    pub fn was_left(&self, content: &[u8]) -> bool {
        was_left(&self.taken.place.real, content)
    }

    /// Removes what processes that were ended have left beside the file.
    pub fn sweep(&self) {
        sweep(&self.taken.place.real);
    }

    /// The file, by a path without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.taken.place.real
    }
}

impl Taken {
    /// Removes the file, before the lock is given up. In a folder that belongs to others it may have to stay.
    pub fn remove(&self) {
        #[cfg(unix)]
        if self.is_ours() && leads_to(&self.place.beside, &self.file) {
            let _ = fs::remove_file(&self.place.beside);
        }
    }

    /// Returns true for a file that is nobody's but this lock's.
    #[cfg(unix)]
    fn is_ours(&self) -> bool {
        use std::io::{Read, Seek};
        let (mut file, mut found) = (&self.file, Vec::new());
        let read = file.rewind().and_then(|()| file.take(MARK.len() as u64 + 1).read_to_end(&mut found));
        // A disk that was full has no room for the mark.
        read.is_ok() && (found == MARK || self.made && found.is_empty())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _whole = whole();
        let beside = &self.taken.place.beside;
        let _ = MINE.try_with(|mine| mine.borrow_mut().retain(|place| place.beside != *beside));
        self.taken.remove();
    }
}

/// A file, by a path without links, and the name of its lock.
#[derive(Clone, Debug)]
struct Place {
    real: PathBuf,
    beside: PathBuf,
}

impl Place {
    fn of(path: &Path) -> Result<Self, Failure> {
        let target = Target::of(path)?;
        let Some(real) = target.file() else {
            let message = format!("{} is no plain file", path.display());
            return Err(Failure::usage(message, "give the name of a file"));
        };
        let name = real.file_name().unwrap_or_default();
        let mut ended = name.to_owned();
        ended.push(END);
        if ended.len() > LONGEST_NAME {
            let hash = blake3::hash(name.as_encoded_bytes()).to_hex();
            ended = format!(".tenfold-{}{END}", &hash[..32]).into();
        }
        Ok(Self { real: real.to_owned(), beside: real.with_file_name(ended) })
    }

    /// Returns true if this thread has no lock that another process may have to wait for before it gives this one up.
    ///
    /// # Errors
    /// If this thread has the lock itself, for another file (in a folder that is reached by two paths).
    fn waits_in_order(&self, file: &File) -> Result<bool, Failure> {
        let is_this =
            |held: &&Place| held.beside == self.beside || cfg!(unix) && leads_to(&held.beside, file);
        MINE.with_borrow(|mine| match mine.iter().find(is_this) {
            None => Ok(mine.iter().all(|held| order(&held.real) < order(&self.real))),
            Some(held) => {
                let [one, two] = [&held.real, &self.real].map(|path| terminal::path(path));
                let message = format!("{one} and {two} have one lock, {}", terminal::path(&self.beside));
                Err(Failure::usage(message, "give two names, in folders that are reached by one path"))
            }
        })
    }

    /// The failure for a lock whose file cannot be opened or made.
    fn unopened(&self, error: &io::Error) -> Failure {
        let [name, lock] = [&self.real, &self.beside].map(|path| terminal::path(path));
        let (verb, hint) = if fs::symlink_metadata(&self.beside).is_ok() {
            ("opened", "remove that file while no command runs, or have its owner do so")
        } else {
            ("made", "a file is changed in a folder that can be written to")
        };
        let message = format!("cannot lock {name}: {lock} cannot be {verb}: {error}");
        Failure { exit: Exit::Io, message, hint: Some(hint.to_owned()) }
    }
}

/// Milliseconds for which the file of a lock is waited for that another user has just made.
const MAX_MOMENTS: u32 = 100;

/// The order in which locks are taken: the same where names that differ in case lead to one file.
fn order(path: &Path) -> (PathBuf, &Path) {
    (lower(path), path)
}

/// Returns true for a name that the file of a lock may have.
pub(super) fn is_named_lock(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case(&END[1..]))
}

/// Opens or makes the file of a lock, and says whether it was made. One that belongs to another user can be locked by who can read
/// it.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let refused = |what: &str| {
        let message = format!("it stands for a lock, and {what}; remove it");
        Err(io::Error::new(ErrorKind::InvalidInput, message))
    };
    // Opening a pipe waits for whoever reads it, and a link would make a file elsewhere.
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return refused("is no plain file");
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.clone().create_new(true).open(path) {
        Err(_) if fs::metadata(path).is_ok() => {}
        // Another process may have removed it since.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(ErrorKind::NotFound.into()),
        made => return made.map(|file| (marked(file), true)),
    }
    let file = open_there(path, &options)?;
    // Under two names one lock would stand for two files, of which the order of locks knows nothing.
    if file.metadata().is_ok_and(|metadata| has_second_name(&metadata)) {
        return refused("has a second name (a hard link)");
    }
    Ok((file, false))
}

/// Opens the file of a lock that is there. Who made it opens it to all in a moment.
fn open_there(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let any = || match options.open(path) {
        Err(e) if e.kind() == ErrorKind::PermissionDenied => {
            File::open(path).or_else(|_| OpenOptions::new().write(true).open(path))
        }
        opened => opened,
    };
    for _ in 0..MAX_MOMENTS {
        match any() {
            Err(e) if e.kind() == ErrorKind::PermissionDenied => {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            opened => return opened,
        }
    }
    any()
}

/// Marks a file that was made for a lock, and opens it to all who share its folder, whatever mask this process has: one that a
/// killed process leaves must not keep them out. Nothing is in it that they could read or spoil, and whoever can read it can hold
/// the lock anyway.
fn marked(mut file: File) -> File {
    #[cfg(unix)]
    let _ = file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Without the mark the file serves as well.
    let _ = file.write_all(MARK);
    file
}

#[cfg(test)]
mod tests;
