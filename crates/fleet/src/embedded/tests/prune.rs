//! Removal of jobs that are over, and of blobs.

use super::*;

/// A store whose blobs are removed once, as soon as they are stored.
struct Pruning(std::sync::atomic::AtomicBool);

impl crate::BlobStore for Pruning {
    fn fetch(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        crate::Shared.fetch(id, local)
    }

    fn publish(&self, id: Id, local: &Blobs) -> Result<(), Error> {
        crate::Shared.publish(id, local)?;
        if self.0.swap(false, std::sync::atomic::Ordering::SeqCst) {
            fs::remove_file(local.check(id)?).unwrap();
        }
        Ok(())
    }
}

/// Blobs go that no job names and that are old; one that is stored again is young.
#[test]
fn blobs_that_no_job_names_are_removed() {
    let (_folder, queue) = queue();
    let blobs = queue.blobs();
    let age = |id| {
        let file = fs::File::open(blobs.check(id).unwrap()).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(9)).unwrap();
    };
    let [input, result, free, young, again] =
        [b"i", b"r", b"f", b"y", b"a"].map(|bytes| blobs.put(bytes).unwrap());
    queue.submit(&[(Job { inputs: vec![input], ..job(1).0 }, Terms::default())]).unwrap();
    let lease = queue.claim("w", 0).unwrap().unwrap();
    queue.complete(&lease, result).unwrap();
    [input, result, free, again].into_iter().for_each(age);
    assert_eq!(blobs.put(b"a").unwrap(), again);
    let beside = blobs.check(free).unwrap();
    let [staged, other] = [".tenfold-00000000-x.tmp", "other"].map(|name| beside.with_file_name(name));
    [&staged, &other].into_iter().for_each(|path| fs::write(path, b"x").unwrap());
    let pruned = |jobs| queue.prune(crate::Before { jobs, blobs: 10_000 }).unwrap();
    assert_eq!(pruned(0), crate::Pruned { blobs: 1, bytes: 1, ..crate::Pruned::default() });
    assert!(matches!(blobs.check(free), Err(Error::NoBlob(_))) && !staged.exists() && other.exists());
    assert!([input, result, young, again].iter().all(|&id| blobs.check(id).is_ok()));
    assert_eq!(pruned(u64::MAX), crate::Pruned { jobs: 1, blobs: 2, bytes: 2, foreign: 0 });
    assert!([young, again].iter().all(|&id| blobs.check(id).is_ok()));
    // Without blobs there is nothing to remove; what cannot be read is an error.
    fs::remove_dir_all(blobs.folder()).unwrap();
    assert_eq!(pruned(u64::MAX), crate::Pruned::default());
    fs::write(blobs.folder(), b"a file").unwrap();
    assert!(matches!(queue.prune(crate::Before { jobs: 0, blobs: 0 }), Err(Error::Io { .. })));
}

/// A blob that is removed between its storing and the job that names it is stored again.
#[test]
fn a_blob_that_is_removed_before_its_job_comes_is_stored_again() {
    let (folder, queue) = queue();
    let file = folder.path().join("data.csv");
    fs::write(&file, b"v\n1\n2\n").unwrap();
    let (blobs, lease) = (queue.blobs().clone(), queue.lease());
    let store = Box::new(Pruning(true.into()));
    let place = crate::Place { queue: Box::new(queue), store, blobs, lease };
    let job = place.submit(&[&file], &crate::prove::tests::statement(), Terms::default()).unwrap();
    let inputs = place.queue.status(job.id).unwrap().unwrap().job.inputs;
    assert!(place.blobs.check(inputs[0]).is_ok());
}
