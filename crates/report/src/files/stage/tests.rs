//! A fault at each step of a write: what was there is there, whole, and nothing else is.

use super::*;
use std::cell::Cell;
use tempfile::TempDir;

const STEPS: [Step; 6] = [Step::Create, Step::Write, Step::Sync, Step::Mode, Step::Rename, Step::SyncFolder];

thread_local! {
    /// The step that fails.
    static FAULT: Cell<Option<Step>> = const { Cell::new(None) };
    /// The steps that were reached.
    static REACHED: Cell<Vec<Step>> = const { Cell::new(Vec::new()) };
}

fn faulty(step: Step) -> io::Result<()> {
    let mut reached = REACHED.take();
    reached.push(step);
    REACHED.set(reached);
    if FAULT.get() == Some(step) { Err(io::Error::other("a fault")) } else { Ok(()) }
}

fn write(path: &Path, bytes: &[u8], place: Place) -> io::Result<()> {
    let mut staged = Staged::with_hook(path, false, faulty)?;
    staged.fill(bytes)?;
    staged.place(place)
}

fn names(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_fault_at_any_step_loses_nothing() {
    for (place, old) in [(Place::Replace, Some(&b"old"[..])), (Place::New, None)] {
        for step in STEPS {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("x");
            if let Some(old) = old {
                fs::write(&path, old).unwrap();
            }
            FAULT.set(Some(step));
            let written = write(&path, b"new", place);
            // A new file takes no mode from an old one.
            assert_eq!(written.is_err(), (place, step) != (Place::New, Step::Mode), "{step:?}");
            let moved = step == Step::SyncFolder || written.is_ok();
            let there = if moved { Some(&b"new"[..]) } else { old };
            assert_eq!(fs::read(&path).ok().as_deref(), there, "{place:?} {step:?}");
            assert_eq!(names(&folder).len(), usize::from(there.is_some()), "{step:?}: {:?}", names(&folder));
        }
    }
}

#[test]
fn the_steps_are_in_their_order() {
    let folder = TempDir::new().unwrap();
    FAULT.set(None);
    REACHED.take();
    write(&folder.path().join("x"), b"new", Place::Replace).unwrap();
    assert_eq!(REACHED.take(), STEPS);
}

#[test]
fn what_must_be_new_replaces_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, b"old").unwrap();
    FAULT.set(None);
    assert_eq!(write(&path, b"new", Place::New).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!((fs::read(&path).unwrap(), names(&folder).len()), (b"old".to_vec(), 1));

    // One that cannot be made again stays beside the place that was taken.
    let mut staged = Staged::new(&path, true).unwrap();
    staged.fill(b"precious").unwrap();
    let error = staged.place_new_or_keep().unwrap_err().to_string();
    let kept = names(&folder).into_iter().find(|name| name != "x").unwrap();
    assert!(error.contains(&kept), "{error}");
    assert_eq!(
        (fs::read(&path).unwrap(), fs::read(folder.path().join(kept)).unwrap()),
        (b"old".to_vec(), b"precious".to_vec())
    );
}

/// Two who write a new file at once: one has it, whole, and the other knows.
#[test]
fn of_two_writers_one_wins() {
    let folder = TempDir::new().unwrap();
    for round in 0..20 {
        let path = folder.path().join(round.to_string());
        let won: Vec<_> = std::thread::scope(|scope| {
            let one = |byte: u8| {
                let path = &path;
                scope.spawn(move || {
                    let mut staged = Staged::new(path, false)?;
                    staged.fill(&[byte; 1000])?;
                    staged.place(Place::New).map(|()| byte)
                })
            };
            let writers: Vec<_> = (0..4).map(one).collect();
            writers.into_iter().filter_map(|writer| writer.join().unwrap().ok()).collect()
        });
        assert_eq!(won.len(), 1);
        assert_eq!(fs::read(&path).unwrap(), [won[0]; 1000]);
    }
    assert_eq!(names(&folder).len(), 20);
}

#[cfg(unix)]
#[test]
fn modes() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let [secret, plain, reference] = ["secret", "plain", "reference"].map(|name| folder.path().join(name));
    let staged = Staged::new(&secret, true).unwrap();
    assert_eq!(mode(staged.file.path()), 0o600, "from the beginning");
    staged.place(Place::New).unwrap();
    assert_eq!(mode(&secret), 0o600);
    FAULT.set(None);
    write(&plain, b"x", Place::New).unwrap();
    fs::write(&reference, b"x").unwrap();
    assert_eq!(mode(&plain), mode(&reference));
    // A file that its owner has closed to others stays closed.
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o640)).unwrap();
    write(&plain, b"y", Place::Replace).unwrap();
    assert_eq!(mode(&plain), 0o640);
    // A secret that was opened to others is closed again.
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).unwrap();
    Staged::new(&secret, true).unwrap().place(Place::Replace).unwrap();
    assert_eq!(mode(&secret), 0o600);
}

#[test]
fn what_a_killed_process_left_is_swept() {
    let folder = TempDir::new().unwrap();
    let [path, other] = ["members.ring", "other.ring"].map(|name| folder.path().join(name));
    for path in [&path, &other] {
        // As a process that ends here leaves it.
        let staged = Staged::new(path, false).unwrap();
        staged.file.keep().unwrap();
    }
    fs::write(folder.path().join(".tenfold-mine.tmp"), b"a user's own").unwrap();
    sweep(&path);
    assert_eq!(names(&folder).len(), 2, "{:?}", names(&folder));
    sweep(&other);
    assert_eq!(names(&folder), [".tenfold-mine.tmp"]);
}

/// Whoever has the lock of a place leaves what other processes are writing beside it.
#[test]
fn what_is_being_written_is_not_swept() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    let mut staged = Staged::new(&path, false).unwrap();
    staged.fill(b"new").unwrap();
    sweep(&path);
    assert!(!was_left(&path, b"new"));
    let (file, _) = staged.file.keep().unwrap();
    assert!(!was_left(&path, b"new"), "it is open");
    drop(file);
    assert!(was_left(&path, b"new") && !was_left(&path, b"ne") && !was_left(&path, b"newer"));
    // Between the making of a file and the taking hold of it.
    let made = Cell::new(0);
    let swept_once = || {
        let file = NamedTempFile::new_in(&folder)?;
        if made.replace(made.get() + 1) == 0 {
            fs::remove_file(file.path())?;
        }
        Ok(file)
    };
    assert!(held(swept_once).unwrap().path().exists());
    assert_eq!(made.get(), 2);
    // One that another process locks is left to it.
    made.set(0);
    let others = Cell::new(None);
    let locked_once = || {
        let file = NamedTempFile::new_in(&folder)?;
        if made.replace(made.get() + 1) == 0 {
            let other = File::open(file.path())?;
            other.lock()?;
            others.set(Some(other));
        }
        Ok(file)
    };
    assert!(held(locked_once).unwrap().path().exists());
    assert_eq!(made.get(), 2);
}

/// Between the writing and the place a link may have been turned to something else, which was not looked at.
#[cfg(unix)]
#[test]
fn a_link_that_is_turned_is_not_followed() {
    use crate::files::{Files, Kind};
    use std::os::unix::fs::symlink;
    let folder = TempDir::new().unwrap();
    let [a, b, link] = ["a", "b", "link"].map(|name| folder.path().join(name));
    for path in [&a, &b] {
        fs::write(path, b"{\n  \"format\": \"tenfold parameters v1\"}").unwrap();
    }
    symlink(&a, &link).unwrap();
    let output = Files::default().result(Kind::Params, &link).unwrap();
    let ready = output.stage(b"new").unwrap();
    fs::write(&a, b"mine").unwrap();
    fs::remove_file(&link).unwrap();
    symlink(&b, &link).unwrap();
    assert!(ready.place().unwrap_err().message.contains("leads to another file"));
    assert_eq!(fs::read(&a).unwrap(), b"mine");
    assert_eq!(names(&folder), ["a", "b", "link"]);
}

/// An error after the rename is told from those before it.
#[test]
fn what_is_in_place_is_known() {
    for step in STEPS {
        let folder = TempDir::new().unwrap();
        FAULT.set(Some(step));
        let written = write(&folder.path().join("x"), b"new", Place::Replace);
        assert_eq!(is_there(&written.unwrap_err()), step == Step::SyncFolder, "{step:?}");
    }
    FAULT.set(None);
}
