//! Shard files, and jobs that are run again from them.

use super::*;
use crate::shards::{Header, split};
use crate::{publish, retry};
use std::io::{self, Cursor, Seek, SeekFrom, Write};

/// The digest of what is said about the entries.
const SAID: [u8; 32] = [7; 32];

/// The entries of the scheme's polynomial in so many shards.
fn shards(scheme: &Pip, count: usize) -> Vec<Vec<u8>> {
    let mut bytes = vec![0; 8 << 10];
    field::Field::write_slice(&entries::<Goldilocks>(scheme.params())[0], &mut bytes);
    let mut files: Vec<Cursor<Vec<u8>>> = vec![Cursor::default(); count];
    let data =
        split::<Goldilocks, _>((scheme.params(), scheme.matrix()), SAID, &bytes[..], &mut files).unwrap();
    let files: Vec<Vec<u8>> = files.into_iter().map(Cursor::into_inner).collect();
    assert!(files.iter().all(|file| Header::read(&file[..]).unwrap().data() == data));
    files
}

/// The proof of a job whose ranks read shards.
fn proof(scheme: &Pip, ranks: Vec<Threads>, files: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
    let each = files.len() / ranks.len();
    let results = run_on(ranks, |comm| {
        let own = &files[comm.rank() * each..][..each];
        let data = Header::read(&own[0][..])?.data();
        let identity = Identity::default().with_data(data);
        let rank = Member::join_as(identity, scheme, Box::new(comm), deadlines(2_000))?;
        let columns = rank.read_shards(&mut own.iter().map(|file| &file[..]).collect::<Vec<_>>())?;
        if rank.coordinates() {
            return opened(rank.coordinate(columns)?, scheme.params()).map(|outcome| outcome.proof);
        }
        rank.serve(columns).map(|_| Vec::new())
    });
    results.into_iter().next().expect("a coordinator")
}

#[test]
fn ranks_read_their_shards_whatever_their_number() {
    let scheme = pip();
    let files = shards(&scheme, 8);
    let honest = job(&scheme, 4, &|_, _, _| {}, 20_000).0.expect("a proof").proof;
    for ranks in [1, 2, 8] {
        assert!(proof(&scheme, connect(ranks, CHUNK), &files).expect("a proof") == honest, "{ranks}");
    }
    // The last of four machines is lost, and its shards are taken over.
    let mut runs = Vec::new();
    let again = retry(&[10, 11, 12, 13], |machines| {
        runs.push(machines.to_vec());
        let mut ranks = connect(machines.len(), CHUNK);
        if machines.contains(&13) {
            drop(ranks.pop());
            return Err(Error::Comm(CommError::Gone { rank: 3 }));
        }
        proof(&scheme, ranks, &files)
    });
    assert!(again.expect("a proof") == honest);
    assert_eq!(runs, [vec![10, 11, 12, 13], vec![10, 11]]);
    let alone = retry(&[1, 2], |_| Err::<(), _>(Error::Comm(CommError::Gone { rank: 0 })));
    assert!(matches!(alone, Err(Error::Comm(CommError::Gone { rank: 0 }))));
    let lost = retry(&[1, 2], |_| Err::<(), _>(Error::Unexplained));
    assert!(matches!(lost, Err(Error::Unexplained)));
}

#[test]
fn a_shard_that_is_not_the_right_one_is_refused() {
    let scheme = pip();
    let files = shards(&scheme, 2);
    let [comm] = connect(1, CHUNK).try_into().expect("one rank");
    let data = Header::read(&files[0][..]).unwrap().data();
    let identity = Identity::default().with_data(data);
    let rank = Member::join_as(identity, &scheme, Box::new(comm), deadlines(5_000)).expect("a job of one");
    let read = |files: [&[u8]; 2]| rank.read_shards(&mut files.map(|file| file));
    assert_eq!(read([&files[0], &files[1]]).unwrap(), entries::<Goldilocks>(scheme.params())[0]);
    let refused = |files: [&[u8]; 2], reason: &str| {
        let error = read(files).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error} where {reason}");
        show(error);
    };
    let changed = |at: usize| {
        let mut file = files[1].clone();
        file[at] ^= 1;
        file
    };
    refused([&files[1], &files[0]], "shard 1 is where shard 0 belongs");
    refused([&files[0], &files[0]], "shard 0 is where shard 1 belongs");
    refused([&files[0], &files[1][..files[1].len() - 1]], "shard 1 is cut off");
    refused([&files[0], &files[1][..40]], "cut off");
    refused([&files[0], &[&files[1][..], &[0]].concat()], "bytes behind");
    refused([&files[0], &changed(files[1].len() - 8)], "shard 1 was changed");
    refused([&files[0], &changed(0)], "no shard");
    refused([&files[0], &changed(8)], "version 3");
    refused([&files[0], &changed(17)], "no shard 1 of");
    refused([&files[0], &changed(20)], "bytes of entries");
    refused([&files[0], &changed(28)], "other parameters");
    refused([&files[0], &changed(60)], "header of shard 1 was changed");
    refused([&files[0], &changed(92)], "header of shard 1 was changed");
    refused([&files[0], &changed(124)], "header of shard 1 was changed");
    let four = shards(&scheme, 4);
    refused([&files[0], &four[1]], "a shard of 4");
    // The same parameters and other data: an honest digest of other entries.
    let other = {
        let mut bytes = vec![0; 8 << 10];
        bytes[0] = 1;
        let mut files: Vec<Cursor<Vec<u8>>> = vec![Cursor::default(); 2];
        split::<Goldilocks, _>((scheme.params(), scheme.matrix()), SAID, &bytes[..], &mut files).unwrap();
        files.pop().expect("two").into_inner()
    };
    refused([&files[0], &other], "shard 1 is of other data");
    // Ranks whose shards are of different data do not begin.
    let error = proof(&scheme, connect(2, CHUNK), &[files[0].clone(), other]).expect_err("other data");
    assert!(matches!(error, Error::Differ { ranks: [0, 1], what: crate::Difference::Data }), "{error}");
    show(error);
    // What is split is what the parameters say, to the last entry.
    let split = |bytes: &[u8], count: usize| {
        let mut files: Vec<Cursor<Vec<u8>>> = vec![Cursor::default(); count];
        split::<Goldilocks, _>((scheme.params(), scheme.matrix()), SAID, bytes, &mut files)
            .expect_err("refused")
            .to_string()
    };
    assert!(split(&[0; 100], 2).contains("could not be read"));
    assert!(split(&[0; (8 << 10) + 1], 2).contains("more entries"));
    assert!(split(&[255; 8 << 10], 2).contains("not canonical"));
    assert!(split(&[0; 8 << 10], 3).contains("power of two"));
    assert!(split(&[0; 8 << 10], 32).contains("parts"));
}

/// A disk that is full after so many bytes.
struct Full(Cursor<Vec<u8>>, usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.position() as usize + bytes.len() > self.1 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Full {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn a_full_disk_leaves_no_part_of_a_file() {
    let scheme = pip();
    for room in [50, 3000] {
        let mut files = [Full(Cursor::default(), 1 << 20), Full(Cursor::default(), room)];
        let error =
            split::<Goldilocks, _>((scheme.params(), scheme.matrix()), SAID, &[0; 8 << 10][..], &mut files);
        let error = error.expect_err("full").to_string();
        assert!(error.contains("could not be written"));
        show(error);
    }
    let folder = std::env::temp_dir().join(format!("tenfold-cluster-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("proof");
    let error = publish(&path, |file| {
        file.write_all(&[1; 1000])?;
        Err(io::ErrorKind::StorageFull.into())
    });
    assert_eq!(error.expect_err("full").kind(), io::ErrorKind::StorageFull);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    publish(&path, |file| file.write_all(b"whole")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        assert!((&full).write_all(b"a report").is_err());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
