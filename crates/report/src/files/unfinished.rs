//! Files, folders and locks that this process has made and not finished: a signal that ends it removes them first.
//!
//! ```text
//! whole() ─ make, note it ─┐                  ┌─ whole() ─ rename, forget it
//!                          └─ fill, sync … ───┘
//! finish(): wait for those who are between whole() and its end ─► let nobody begin again ─► remove what is noted, the last first
//! ```
//! A file is noted with its identity and is removed if that is still the one of its name: what was put in place is no unfinished file any more, and what
//! is anybody else's never was.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::lock::Taken;
use super::{Identity, identity};

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished::NOTHING);
static STEP_ENDED: Condvar = Condvar::new();

thread_local! {
    /// Values of [`Whole`] that this thread has.
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Something that a process which ends takes away.
#[derive(Debug)]
enum Made {
    /// A file beside its place.
    Staged(PathBuf, Identity),
    /// A lock.
    Lock(Arc<Taken>),
    /// A folder, as long as nothing is in it.
    Folder(PathBuf),
}

#[derive(Debug)]
struct Unfinished {
    /// In the order in which they were made.
    made: BTreeMap<u64, Made>,
    next: u64,
    /// Threads in the midst of what is done whole.
    steps: usize,
    /// No further step begins.
    over: bool,
}

impl Unfinished {
    const NOTHING: Self = Self { made: BTreeMap::new(), next: 0, steps: 0, over: false };

    fn add(&mut self, made: Made) -> u64 {
        let number = self.next;
        self.next += 1;
        self.made.insert(number, made);
        number
    }

    fn remove(&mut self) {
        for (_, made) in std::mem::take(&mut self.made).into_iter().rev() {
            // What cannot be removed stays: the next command that writes there sweeps files up.
            match made {
                Made::Staged(path, id) if identity::is_named(&path, &id) => drop(fs::remove_file(path)),
                Made::Staged(..) => {}
                Made::Lock(taken) => taken.remove(),
                Made::Folder(path) => drop(fs::remove_dir(path)),
            }
        }
    }
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A note of something unfinished, until this value is dropped.
#[derive(Debug)]
pub(super) struct Note(Option<u64>);

impl Note {
    fn of(made: Made) -> Self {
        Self(Some(unfinished().add(made)))
    }

    /// Of a file beside its place.
    pub fn staged(path: &Path) -> Self {
        Identity::of(path).map_or(Self(None), |id| Self::of(Made::Staged(path.to_owned(), id)))
    }

    /// Of a lock.
    pub fn lock(taken: &Arc<Taken>) -> Self {
        Self::of(Made::Lock(Arc::clone(taken)))
    }

    /// Of a folder.
    pub fn folder(path: &Path) -> Self {
        Self::of(Made::Folder(path.to_owned()))
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        let made = self.0.and_then(|number| unfinished().made.remove(&number));
        // A lock may be given up with it, which takes its time.
        drop(made);
    }
}

/// Steps that are done together: while this value lives, no signal that [`crate::interrupts`] watches for ends the process.
#[derive(Debug)]
pub struct Whole {
    /// It is counted for its thread.
    _here: PhantomData<*const ()>,
}

/// Begins steps that are done together or not at all. If a signal has come, it is too late for them, and this does not return.
#[must_use]
pub fn whole() -> Whole {
    if STEPS.get() == 0 {
        let mut unfinished = unfinished();
        while unfinished.over {
            unfinished = STEP_ENDED.wait(unfinished).unwrap_or_else(PoisonError::into_inner);
        }
        unfinished.steps += 1;
    }
    STEPS.set(STEPS.get() + 1);
    Whole { _here: PhantomData }
}

impl Drop for Whole {
    fn drop(&mut self) {
        STEPS.set(STEPS.get() - 1);
        if STEPS.get() == 0 {
            unfinished().steps -= 1;
            STEP_ENDED.notify_all();
        }
    }
}

/// Waits until no steps are half done, lets none begin any more, and removes what is unfinished: the process ends next.
#[cfg_attr(not(unix), allow(dead_code, reason = "no signals are watched for there"))]
pub(crate) fn finish() {
    let mut unfinished = unfinished();
    unfinished.over = true;
    while unfinished.steps > 0 {
        unfinished = STEP_ENDED.wait(unfinished).unwrap_or_else(PoisonError::into_inner);
    }
    unfinished.remove();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that ends takes its own files away, and folders of its own that are empty.
    #[test]
    fn what_is_unfinished_is_removed_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut unfinished = Unfinished::NOTHING;
        for made in ["outer", "outer/inner", "kept"] {
            fs::create_dir(path(made)).unwrap();
            unfinished.add(Made::Folder(path(made)));
        }
        for name in ["outer/inner/a.tmp", "kept/placed", "b.tmp", "gone.tmp"] {
            fs::write(path(name), b"a").unwrap();
            unfinished.add(Made::Staged(path(name), Identity::of(&path(name)).unwrap()));
        }
        fs::write(path("user"), b"b").unwrap();
        fs::remove_file(path("gone.tmp")).unwrap();
        // Another file has the name by now, and the inode that was free is held by one more.
        fs::rename(path("b.tmp"), path("elsewhere")).unwrap();
        fs::write(path("b.tmp"), b"c").unwrap();
        fs::rename(path("kept/placed"), path("kept/result")).unwrap();
        unfinished.remove();
        let there = |name: &str| path(name).exists();
        assert!(!there("outer") && !there("gone.tmp"));
        assert!(there("kept/result") && there("user") && there("b.tmp") && there("elsewhere"));
        assert!(unfinished.made.is_empty());
    }

    #[test]
    fn notes_and_steps_last_as_long_as_their_values() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, b"a").unwrap();
        let note = Note::staged(&file);
        let number = note.0.unwrap();
        assert!(unfinished().made.contains_key(&number));
        drop(note);
        assert!(!unfinished().made.contains_key(&number));
        let (outer, inner) = (whole(), whole());
        drop(outer);
        assert_eq!(STEPS.get(), 1);
        drop(inner);
        assert_eq!(STEPS.get(), 0);
    }
}
