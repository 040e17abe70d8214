use super::*;
use std::fs;

mod prune;

fn job(n: u32) -> (Job, Terms) {
    (Job { kind: "test".into(), payload: n.to_string(), inputs: Vec::new() }, Terms::default())
}

fn queue() -> (tempfile::TempDir, Embedded) {
    let folder = tempfile::tempdir().unwrap();
    let queue = Embedded::create(&folder.path().join("q"), Duration::from_secs(30)).unwrap();
    (folder, queue)
}

#[test]
fn a_folder_without_a_queue_and_one_of_another_version_are_refused() {
    let (folder, queue) = queue();
    assert!(matches!(Embedded::open(folder.path()), Err(Error::NoQueue(_))));
    assert!(Embedded::create(&queue.path, Duration::ZERO).is_err(), "a file is no folder");
    let again = Embedded::create(&folder.path().join("q"), Duration::from_secs(1)).unwrap();
    assert_eq!(again.lease(), Duration::from_secs(30), "the lease of the one who made it");
    queue
        .change(|tables| {
            let mut meta = tables.transaction.open_table(META).map_err(damaged)?;
            meta.insert("version", VERSION + 1).map_err(damaged)?;
            Ok(())
        })
        .unwrap();
    let before = fs::read(&queue.path).unwrap();
    let open = |_| Embedded::open(&folder.path().join("q")).map(drop);
    let create = |_| Embedded::create(&folder.path().join("q"), Duration::from_secs(1)).map(drop);
    // Who had it open before it was changed writes nothing into it either.
    let submit = |_| queue.submit(&[job(1)]).map(drop);
    let claim = |_| queue.claim("w", 0).map(drop);
    let list = |_| queue.list(None, 0).map(drop);
    let prune = |_| queue.prune(Before { jobs: u64::MAX, blobs: 0 }).map(drop);
    let calls: [&dyn Fn(()) -> Result<(), Error>; 6] = [&open, &create, &submit, &claim, &list, &prune];
    for (n, call) in calls.into_iter().enumerate() {
        let refused = call(()).unwrap_err();
        assert!(matches!(refused, Error::Version { found: 3, expected: 2 }), "{n}: {refused:?}");
        assert!(
            refused.to_string().ends_with("a newer version: update this program") && !refused.is_passing()
        );
        assert!(fs::read(&queue.path).unwrap() == before, "{n}");
    }
}

/// A file of a later format of the database's library, or with records of a later form, is no damaged one, and stays as it is.
#[test]
fn a_database_of_a_newer_form_is_told() {
    let (_folder, queue) = queue();
    let id = queue.submit(&[job(1)]).unwrap()[0].id;
    let whole = fs::read(&queue.path).unwrap();
    // Both slots of the header say their format in their first byte.
    let mut later = whole.clone();
    [64, 192].into_iter().for_each(|at| later[at] = 9);
    fs::write(&queue.path, &later).unwrap();
    let folder = queue.path.parent().unwrap();
    let opened = [Embedded::open(folder), Embedded::read(folder), Embedded::create(folder, Duration::ZERO)];
    for refused in
        opened.map(|opened| opened.unwrap_err()).into_iter().chain([queue.claim("w", 0).unwrap_err()])
    {
        assert!(
            matches!(&refused, Error::Newer(e) if e.ends_with("found 9")) && !refused.is_passing(),
            "{refused}"
        );
        assert!(refused.to_string().contains("written by a newer version: update this program"), "{refused}");
        assert!(fs::read(&queue.path).unwrap() == later);
    }
    fs::write(&queue.path, &whole).unwrap();
    let insert = |text: &'static [u8]| {
        let insert = |tables: &mut Tables<'_>| {
            let mut jobs = tables.transaction.open_table(JOBS).map_err(damaged)?;
            jobs.insert(id.0, text).map_err(damaged)?;
            Ok(())
        };
        queue.change(insert).unwrap();
        queue.claim("w", 0).unwrap_err()
    };
    assert!(matches!(insert(br#"{"priority":1}"#), Error::Newer(_)));
    assert!(matches!(insert(br#"{"state":1}"#), Error::Damaged(_)));
}

/// In a folder that others may read, what the queue writes is its owner's alone.
#[cfg(unix)]
#[test]
fn files_in_a_folder_that_was_there_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let queue = Embedded::create(folder.path(), Duration::from_secs(1)).unwrap();
    let blob = queue.blobs().put(b"data").unwrap();
    let blob = queue.blobs().check(blob).unwrap();
    for (path, mode) in [(&*queue.path, 0o600), (queue.blobs().folder(), 0o700), (&*blob, 0o600)] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
    }
    assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o755, "it is the user's");
}

/// Whoever is killed while they make a queue leaves nothing that is in the way or stays, and a user's own files in the folder do.
#[test]
fn a_new_queue_takes_nothing_from_its_folder_but_what_a_killed_process_left() {
    use tenfold_report::files::Staged;
    let folder = tempfile::tempdir().unwrap();
    let (own, place) = (folder.path().join("queue.new"), folder.path().join("queue.redb"));
    fs::write(&own, b"a user's").unwrap();
    let mut left = Staged::new(&place, true).unwrap();
    left.fill(b"half a database").unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().path();
    let staged: Vec<_> = fs::read_dir(&folder).unwrap().map(name).filter(|path| *path != own).collect();
    // Under another process's number it would not be locked any more.
    fs::copy(&staged[0], staged[0].with_extension("left.tmp")).unwrap();
    drop(left);
    let queue = Embedded::create(folder.path(), Duration::from_secs(1)).unwrap();
    assert!(queue.submit(&[job(1)]).unwrap()[0].new);
    assert_eq!(fs::read(&own).unwrap(), b"a user's");
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(name).collect();
    names.sort();
    assert_eq!(names, [own, place]);
}

#[test]
fn damaged_databases_are_errors() {
    let (_folder, queue) = queue();
    queue.submit(&[job(1)]).unwrap();
    let whole = fs::read(&queue.path).unwrap();
    let answer = |bytes: &[u8]| {
        fs::write(&queue.path, bytes).unwrap();
        queue.list(None, 9).map(|listing| listing.total())
    };
    assert_eq!(answer(&whole).unwrap(), 1);
    for cut in [0, 1, 100, whole.len() / 2] {
        assert!(answer(&whole[..cut]).is_err(), "cut to {cut} bytes");
    }
    assert!(answer(b"this is no database, and longer than its magic number").is_err());
    // Whatever a byte is changed to, there is an answer; in the header it is mostly an error.
    let mut errors = 0;
    for at in (0..whole.len()).step_by(whole.len() / 60) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        errors += u32::from(answer(&bytes).is_err());
    }
    assert!(errors > 0);
    assert_eq!(answer(&whole).unwrap(), 1, "and the lock is nobody's");
}

/// Who cannot lock the queue reads it all the same, also in the middle of a change, and changes nothing.
#[test]
fn a_queue_that_cannot_be_locked_is_read() {
    let (_folder, queue) = queue();
    let id = queue.submit(&[job(1)]).unwrap()[0].id;
    // As in a folder that this user cannot write to: there is no file of a lock.
    fs::create_dir(queue.path.with_extension("redb.lock")).unwrap();
    let before = fs::read(&queue.path).unwrap();
    let folder = queue.path.parent().unwrap();
    let read_only = Embedded::read(folder).unwrap();
    assert_eq!(read_only.status(id).unwrap().unwrap().state, State::Queued);
    assert_eq!((read_only.list(None, 9).unwrap().total(), read_only.any_to_come(0).unwrap()), (1, true));
    for refused in [read_only.submit(&[job(2)]).unwrap_err(), Embedded::open(folder).unwrap_err()] {
        let refused = refused.to_string();
        assert!(refused.contains("cannot lock") && refused.contains("queue.redb.lock"), "{refused}");
    }
    {
        let database = redb::Database::open(&queue.path).unwrap();
        let transaction = database.begin_write().unwrap();
        transaction.open_table(JOBS).unwrap().remove(id.0).unwrap();
        assert_eq!(read_only.list(None, 9).unwrap().total(), 1, "it is not committed");
        transaction.abort().unwrap();
    }
    fs::write(&queue.path, &before).unwrap();
    for cut in [0, 100, before.len() / 2] {
        fs::write(&queue.path, &before[..cut]).unwrap();
        assert!(read_only.list(None, 9).is_err(), "cut to {cut} bytes");
    }
}

/// A process that has the queue open checks the database again and again: what was whole when it began may be damaged, gone or another one later.
#[test]
fn a_database_that_is_damaged_or_replaced_later_is_an_error() {
    let (folder, queue) = queue();
    let lease = {
        queue.submit(&(0..300).map(job).collect::<Vec<_>>()).unwrap();
        queue.claim("w", 0).unwrap().unwrap()
    };
    let whole = fs::read(&queue.path).unwrap();
    let pages = (0..whole.len()).step_by(4096).map(|start| start..start + 4096);
    let with_records = |text: &[u8]| text.windows(13).any(|text| text == br#""kind":"test""#);
    let mut errors = 0;
    for page in pages.filter(|page| with_records(&whole[page.clone()])) {
        let mut damaged = whole.clone();
        damaged[page][4..8].fill(0xff);
        fs::write(&queue.path, &damaged).unwrap();
        queue.known.forget_check();
        match queue.heartbeat(&lease) {
            Ok(_) => {}
            Err(e) => {
                errors += 1;
                assert!(matches!(e, Error::Damaged(_)) && !e.is_passing(), "{e}");
                assert!(matches!(queue.claim("w", 0), Err(Error::Damaged(_))), "and again");
                assert!(fs::read(&queue.path).unwrap() == damaged, "it stays as it is");
            }
        }
    }
    assert!(errors > 0);
    fs::write(&queue.path, &whole).unwrap();
    assert_eq!(queue.heartbeat(&lease).unwrap(), Beat::Held);
    // Another file in its place, and none.
    let other = Embedded::create(&folder.path().join("other"), Duration::from_secs(30)).unwrap();
    fs::rename(&other.path, &queue.path).unwrap();
    let refused = queue.claim("w", 0).unwrap_err();
    assert!(matches!(refused, Error::Replaced(_)) && !refused.is_passing(), "{refused}");
    fs::remove_file(&queue.path).unwrap();
    fs::create_dir(&queue.path).unwrap();
    let refused = Embedded::open(queue.path.parent().unwrap()).unwrap_err();
    assert!(matches!(&refused, Error::Damaged(e) if e.ends_with("queue.redb is no plain file")), "{refused}");
    fs::remove_dir(&queue.path).unwrap();
    let gone = queue.heartbeat(&lease).unwrap_err();
    assert!(matches!(gone, Error::NoQueue(_)) && !gone.is_passing(), "{gone}");
}

/// A program that has the database locked, to copy it, say, damages nothing: whoever meets it asks again.
#[cfg(unix)]
#[test]
fn a_database_that_another_program_has_locked_is_not_damaged() {
    let (_folder, queue) = queue();
    queue.submit(&[job(1)]).unwrap();
    let lease = queue.claim("w", 0).unwrap().unwrap();
    let held = fs::File::open(&queue.path).unwrap();
    for take in [fs::File::lock, fs::File::lock_shared] {
        take(&held).unwrap();
        let opened = Embedded::open(queue.path.parent().unwrap()).map(drop);
        let answers = [queue.heartbeat(&lease).map(drop), queue.list(None, 0).map(drop), opened];
        for answer in answers {
            let refused = answer.unwrap_err();
            assert!(refused.is_passing() && refused.to_string().contains("has it locked"), "{refused}");
        }
        held.unlock().unwrap();
        assert_eq!(queue.heartbeat(&lease).unwrap(), Beat::Held);
    }
}

/// A place in which a look finds a job and a removal does not ends a claim, which would look for ever.
#[test]
fn a_job_that_cannot_be_taken_from_those_that_wait_is_an_error() {
    let (_folder, queue) = queue();
    let removed = queue.change(|tables| tables.unqueue((0, 7)));
    assert!(matches!(removed, Err(Error::Damaged(_))), "{removed:?}");
}

#[test]
fn records_that_mean_nothing_are_errors() {
    let (_folder, queue) = queue();
    let id = queue.submit(&[job(1)]).unwrap()[0].id;
    queue
        .change(|tables| {
            let mut jobs = tables.transaction.open_table(JOBS).map_err(damaged)?;
            jobs.insert(id.0, &b"{}"[..]).map_err(damaged)?;
            Ok(())
        })
        .unwrap();
    assert!(matches!(queue.status(id), Err(Error::Damaged(_))));
    assert!(matches!(queue.claim("w", 0), Err(Error::Damaged(_))));
    // The record of another job, whose result would be taken for this one's.
    queue.change(|tables| tables.store(id, &Record::new(job(2).0, job(2).1, 1))).unwrap();
    assert!(matches!(queue.claim("w", 0), Err(Error::Damaged(e)) if e.contains("another job in it")));
}

/// A worker that waits for the end asks twice a second, and whatever is too large for it or done is not read for it.
#[test]
fn whether_a_job_is_to_come_is_a_question_about_those_with_a_lease_and_those_that_fit() {
    let (_folder, queue) = queue();
    let running = || queue.any_to_come(0).unwrap();
    queue.submit(&[(job(3).0, Terms { memory: 1, ..Terms::default() })]).unwrap();
    assert!(!running(), "one waits for another worker");
    queue.submit(&[job(1), job(2)]).unwrap();
    assert!(running(), "two wait");
    let lease = queue.claim("w", 0).unwrap().unwrap();
    let late = queue.claim("w", 0).unwrap().unwrap();
    assert!(running());
    let third = job(3).0.id();
    queue
        .change(|tables| {
            let mut jobs = tables.transaction.open_table(JOBS).map_err(damaged)?;
            jobs.insert(third.0, &b"{}"[..]).map_err(damaged)?;
            Ok(())
        })
        .unwrap();
    assert!(running() && queue.list(None, 0).is_err(), "the one that waits cannot be read");
    queue.fail(&lease, &crate::Fault::Permanent("no".into())).unwrap();
    assert!(running(), "the other one does");
    queue.change(|tables| tables.update(late.id, |record, _| record.terms.deadline = Some(1))).unwrap();
    assert!(!running(), "it is over by its deadline");
}

#[test]
fn leases_of_an_earlier_run_of_the_system_are_lost() {
    let (_folder, queue) = queue();
    queue.submit(&[job(1)]).unwrap();
    let first = queue.claim("w", 0).unwrap().unwrap();
    assert_eq!(queue.claim("w", 0).unwrap(), None, "the lease lasts");
    queue
        .change(|tables| {
            tables.now.boot ^= 1;
            tables.hold(first.id)
        })
        .unwrap();
    let second = queue.claim("v", 0).unwrap().unwrap();
    assert_eq!((second.id, second.attempt), (first.id, 2));
}

#[test]
fn a_result_must_be_there_whole() {
    let (_folder, queue) = queue();
    queue.submit(&[job(1)]).unwrap();
    let lease = queue.claim("w", 0).unwrap().unwrap();
    assert!(matches!(queue.complete(&lease, Id([9; 32])), Err(Error::NoBlob(_))));
    let result = queue.blobs().put(b"result").unwrap();
    assert_eq!(queue.complete(&lease, result).unwrap(), Completion::First);
}

/// What a claim looks at does not grow with the jobs that wait: a thousand that need too much stand in nobody's way.
#[test]
fn a_claim_looks_at_one_job_for_each_amount_of_memory() {
    let (_folder, queue) = queue();
    let of = |n: u32, memory: u64| (job(n).0, Terms { memory, ..Terms::default() });
    let large = (0..1000).map(|n| of(n, 1 << 40));
    let small = [of(2000, 9), of(2001, 5), of(2002, 9), of(2003, 0)];
    queue.submit(&large.chain(small).collect::<Vec<_>>()).unwrap();
    let mut order = Vec::new();
    while let Some(lease) = queue.claim("w", 9).unwrap() {
        order.push(lease.job.payload);
    }
    assert_eq!(order, ["2000", "2001", "2002", "2003"], "in the order of submission");
    assert_eq!(queue.claim("w", 4).unwrap(), None);
    assert_eq!(queue.claim("w", u64::MAX).unwrap().map(|lease| lease.job.payload), Some("0".into()));
}
