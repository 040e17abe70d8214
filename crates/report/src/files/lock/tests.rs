//! One at a time, in one order, and nothing is left.

use super::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// One at a time, though each removes the file that the others wait for; and nothing is left.
#[test]
fn one_holds_a_lock() {
    let folder = tempfile::TempDir::new().unwrap();
    let (path, is_held) = (folder.path().join("x"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let lock = Lock::wait(&path, || ()).unwrap();
                    assert!(!is_held.swap(true, Ordering::SeqCst));
                    assert!(Lock::attempt(&path).unwrap().is_none());
                    is_held.store(false, Ordering::SeqCst);
                    drop(lock);
                }
            });
        }
    });
    assert_eq!(fs::read_dir(&folder).unwrap().count(), usize::from(cfg!(not(unix))));
}

/// A wait out of order may be one for ever, and so is one for oneself.
#[test]
fn locks_are_waited_for_in_one_order() {
    let folder = tempfile::TempDir::new().unwrap();
    let [a, b, c] = ["a", "B", "c"].map(|name| folder.path().join(name));
    let ((take, taken), (give, given)) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
    std::thread::scope(|scope| {
        let (a, c) = (&a, &c);
        scope.spawn(move || {
            let locks = Lock::pair([Some(c), Some(a)], |_| ()).unwrap();
            take.send(()).unwrap();
            given.recv().unwrap();
            drop(locks);
        });
        taken.recv().unwrap();
        let held = Lock::wait(&b, || ()).unwrap();
        assert!(Lock::wait_in_order(a, || panic!("it waits")).unwrap().is_none());
        let refused = Lock::wait(a, || panic!("it waits")).unwrap_err();
        assert!(refused.message.contains("another process is using") && refused.hint.is_some());
        // What comes after is waited for.
        drop(Lock::wait(c, || give.send(()).unwrap()).unwrap());
        drop(held);
    });
    let held = Lock::wait(&b, || ()).unwrap();
    assert!(Lock::wait(&b, || panic!("it waits")).unwrap_err().message.contains("have one lock"));
    drop(held);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), usize::from(cfg!(not(unix))) * 3);
}

/// The value of who says that it waits lives as long as the wait.
#[test]
fn a_wait_is_known_until_it_is_over() {
    struct Wait<'a>(&'a AtomicBool);
    impl Drop for Wait<'_> {
        fn drop(&mut self) {
            assert!(self.0.load(Ordering::SeqCst), "the lock is not given up yet");
        }
    }
    let folder = tempfile::TempDir::new().unwrap();
    let (path, given) = (folder.path().join("x"), AtomicBool::new(false));
    let (wait, waits) = std::sync::mpsc::channel();
    let held = Lock::wait(&path, || ()).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let waits = || {
                wait.send(()).unwrap();
                Wait(&given)
            };
            drop(Lock::wait(&path, waits).unwrap());
        });
        waits.recv().unwrap();
        given.store(true, Ordering::SeqCst);
        drop(held);
    });
}

/// Whoever has the lock at last removes its file, whoever made it: one that did not get the lock, or was ended.
#[cfg(unix)]
#[test]
fn a_lock_that_another_made_is_removed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new().unwrap();
    let [path, beside] = ["x", "x.lock"].map(|name| folder.path().join(name));
    let (lost, made) = open(&beside).unwrap();
    assert!(made);
    assert_eq!(fs::metadata(&beside).unwrap().permissions().mode() & 0o777, 0o666);
    let held = Lock::attempt(&path).unwrap().unwrap();
    assert!(lost.try_lock().is_err());
    drop((lost, held));
    assert!(!beside.exists());
}

/// The longest names have locks and staged files too.
#[test]
fn every_name_has_a_lock() {
    let folder = tempfile::TempDir::new().unwrap();
    let [pair, mut beside] = [["y".repeat(255), "x".repeat(255)], <[String; 2]>::default()];
    for length in 249..=255 {
        let path = folder.path().join("x".repeat(length));
        let held = Lock::wait(&path, || ()).unwrap();
        assert!(Lock::attempt(&path).unwrap().is_none());
        let name = held.taken.place.beside.file_name().unwrap().to_str().unwrap();
        assert_eq!(name.starts_with('x'), length <= 250, "{length}");
        assert!(name.len() <= 255 && is_named_lock(&held.taken.place.beside));
        drop(held);
        let output = crate::files::Files::default().result(crate::files::Kind::Params, &path).unwrap();
        output.write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::remove_file(&path).unwrap();
    }
    for (name, beside) in pair.iter().zip(&mut beside) {
        let place = Place::of(&folder.path().join(name)).unwrap();
        *beside = place.beside.display().to_string();
    }
    assert_ne!(beside[0], beside[1]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), usize::from(cfg!(not(unix))) * 7);
}

/// A file that happens to have the name of a lock serves as one, and stays; so does the empty one of a process that was killed before it
/// had marked it.
#[test]
fn a_file_of_the_users_is_not_removed() {
    let folder = tempfile::TempDir::new().unwrap();
    let [path, lock] = ["x", "x.lock"].map(|name| folder.path().join(name));
    for content in [&b""[..], b"the user's"] {
        fs::write(&lock, content).unwrap();
        let held = Lock::wait(&path, || ()).unwrap();
        assert!(Lock::attempt(&path).unwrap().is_none());
        drop(held);
        assert_eq!(fs::read(&lock).unwrap(), content);
    }
}
